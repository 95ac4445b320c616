/* tests/tree/ops_rows.c - rows for the tool that writes ops.h: every type, and
 * every fault. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "op/registry.h"

extern const char *const dti_op_families[];

static dt_status never(dt_operation *operation)
{
    (void)operation;
    return DT_ERR_UNSUPPORTED;
}

#define ROW .about = "Be a test.", .meta = never, .kernel = never, .samples = ""

static const dt_op good[] = {
    {.schema = "test_plain(Tensor self, Tensor other) -> Tensor",
     .aten = "plain.Tensor plain.Scalar",
     .rule = "...,...->...",
     .linear = "self + other",
     .monotone = "-self",
     .flags = DT_OP_IN_PLACE | DT_OP_OUT,
     ROW},
    {.schema = "test_types(Tensor a, Tensor? b, Tensor[] c, Number d, int e, "
               "float f, bool g, Dim h, Dims i, int[] j, Shape k, Dtype l, "
               "Dtype? m, Text n, Generator? o) -> Tensor",
     .flags = DT_OP_VIEW | DT_OP_STRICT,
     ROW},
    {.schema = "test_options(Tensor self, *, Tensor? b=None, Tensor[] c=[], "
               "Number d=2, int e=-3, float f=1e-05, bool g=true, Dim h=-1, "
               "Dims i=[], int[] j=[], Shape k=[], Dtype l=bf16, "
               "Dtype? m=None, Text n=\"tanh\", Generator? o=None) -> Tensor",
     .flags = DT_OP_IN_PLACE | DT_OP_OUT,
     ROW},
    {.schema = "test_numbers(Tensor[] all, *, Number a=0.5, Number b=true, "
               "float c=inf, float d=-inf) -> Tensor",
     ROW},
    {.schema = "test_named(Tensor self, *, bool largest=true) -> "
               "(Tensor out, Tensor values, Tensor indices)",
     ROW},
    {.schema = "test_list(Tensor self, *, int pieces=2) -> Tensor[]", ROW},
    {.schema = "test_several(Tensor self, Tensor? state, Tensor other, *, "
               "Number[] factors=[]) -> (Tensor self_out, Tensor found, "
               "Tensor state_out)",
     .flags = DT_OP_IN_PLACE,
     ROW},
    {.schema = "test_lists(Tensor[] self, Number[] factors, *, "
               "float more=1.5) -> Tensor[]",
     .about = "Be a test.",
     .flags = DT_OP_IN_PLACE,
     .compose = never,
     .samples = "([f32[m], T[]], [2, 0.5]); ([T[m]], [true], more=inf)"},
    {.schema = "test_nothing(Tensor[] self, *, int times=1) -> ()",
     .about = "Be a test.",
     .flags = DT_OP_IN_PLACE,
     .compose = never},
    {.schema = "test_found(Tensor[] self) -> (Tensor found)",
     .about = "Be a test.",
     .flags = DT_OP_IN_PLACE,
     .compose = never},
    {.schema = "test_composed(Tensor self) -> Tensor",
     .about = "Be a test.",
     .compose = never,
     .samples = ""},
    {.schema = "redistribute(Tensor self, Text layout) -> Tensor",
     .about = "Be a test.",
     .flags = DT_OP_BY_HAND,
     .compose = never},
    {0},
};

static const dt_op bad[] = {
    {.schema = "bad_schema(Tensor self", ROW},
    {.schema = "test_plain(Tensor self) -> Tensor", ROW},
    {.schema = "world(Tensor self) -> Tensor", ROW},
    {.schema = "bad_name(Tensor self, int out) -> Tensor", ROW},
    {.schema = "bad_option(Tensor self, *, int size=1) -> Tensor", ROW},
    {.schema = "bad_result(Tensor self) -> (Tensor room)", ROW},
    {.schema = "bad_world(Tensor? self, Tensor other) -> Tensor", ROW},
    {.schema = "bad_place(Tensor[] self) -> Tensor",
     .flags = DT_OP_IN_PLACE,
     ROW},
    {.schema = "bad_list(Tensor[] self) -> Tensor[]",
     .flags = DT_OP_IN_PLACE,
     ROW},
    {.schema = "bad_written(Tensor self) -> (Tensor found)",
     .flags = DT_OP_IN_PLACE,
     ROW},
    {.schema = "bad_nothing(Tensor self) -> ()",
     .about = "Be a test.",
     .compose = never},
    {.schema = "bad_sample(Tensor self) -> Tensor",
     .about = "Be a test.",
     .meta = never,
     .kernel = never,
     .samples = "(T[m]); (T[m], 2)"},
    {.schema = "bad_dtypes(Tensor self) -> Tensor", .dtypes = "real", ROW},
    {.schema = "bad_forms(Tensor self) -> Tensor[]", .flags = DT_OP_OUT, ROW},
    {.schema = "bad_dtype(Tensor self, *, Dtype? a=f32) -> Tensor", ROW},
    {.schema = "bad_rule(Tensor self) -> Tensor", .rule = "a,b->", ROW},
    {.schema = "bad_passes(Tensor self) -> Tensor", .linear = "other", ROW},
    {.schema = "bad_about(Tensor self) -> Tensor",
     .meta = never,
     .kernel = never,
     .samples = ""},
    {.schema = "bad_meta(Tensor self) -> Tensor",
     .about = "Be a test.",
     .samples = ""},
    {.schema = "bad_both(Tensor self) -> Tensor", .compose = never, ROW},
    {.schema = "bad_hand(Tensor self) -> Tensor", .flags = DT_OP_BY_HAND, ROW},
    {.schema = "bad_samples(Tensor self) -> Tensor",
     .about = "Be a test.",
     .meta = never,
     .kernel = never},
    {0},
};

const dt_op *const dti_op_tables[] = {good, bad, NULL};
const char *const dti_op_families[] = {"good", "bad", NULL};
