/* tests/tree/ops_rows/good.c - rows for the tool that reads them: every type.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "ops/helpers/tables.h"

static dt_status never(dt_operation *operation)
{
    (void)operation;
    return DT_ERR_UNSUPPORTED;
}

#define ROW .about = "Be a test.", .meta = never, .kernel = never, .samples = ""

const dt_op dti_ops_good[] = {
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
     .arguments = "e: a test; f: a test; g: a test; h: a test; i: a test; j: a "
                  "test; k: a test; l: a test; m: a test; n: a test; o: a test",
     .flags = DT_OP_VIEW | DT_OP_STRICT,
     ROW},
    {.schema = "test_options(Tensor self, *, Tensor? b=None, Tensor[] c=[], "
               "Number d=2, int e=-3, float f=1e-05, bool g=true, Dim h=-1, "
               "Dims i=[], int[] j=[], Shape k=[], Dtype l=bf16, "
               "Dtype? m=None, Text n=\"tanh\", Generator? o=None) -> Tensor",
     .arguments = "b: a test; c: a test; d: a test; e: a test; f: a test; g: a "
                  "test; h: a test; i: a test; j: a test; k: a test; l: a "
                  "test; m: a test; n: a test; o: a test",
     .flags = DT_OP_IN_PLACE | DT_OP_OUT,
     ROW},
    {.schema = "test_numbers(Tensor[] all, *, Number a=0.5, Number b=true, "
               "float c=inf, float d=-inf) -> Tensor",
     .arguments = "a: a test; b: a test; c: a test; d: a test",
     ROW},
    {.schema = "test_enums(Tensor self, Reduction a, Rounding b, "
               "Approximate c, ScatterReduction g, *, Reduction d=sum, "
               "Rounding e=floor, Approximate f=none, "
               "ScatterReduction h=amax) -> Tensor",
     .arguments =
         "a: a test; b: a test; c: a test; d: a test; e: a test; f: a test; g: "
         "a test; h: a test",
     .flags = DT_OP_IN_PLACE | DT_OP_OUT,
     ROW},
    {.schema = "test_named(Tensor self, *, bool largest=true) -> "
               "(Tensor out, Tensor values, Tensor indices)",
     ROW},
    {.schema = "test_list(Tensor self, *, int pieces=2) -> Tensor[]", ROW},
    {.schema = "test_several(Tensor self, Tensor? state, Tensor other, *, "
               "Number[] factors=[]) -> (Tensor self_out, Tensor found, "
               "Tensor state_out)",
     .arguments = "factors: a test",
     .flags = DT_OP_IN_PLACE,
     ROW},
    {.schema = "test_lists(Tensor[] self, Number[] factors, *, "
               "float more=1.5) -> Tensor[]",
     .arguments = "more: a test",
     .about = "Be a test.",
     .flags = DT_OP_IN_PLACE,
     .compose = never,
     .samples = "([f32[m], T[]], [2, 0.5]); ([T[m]], [true], more=inf)"},
    {.schema = "test_nothing(Tensor[] self, *, int times=1) -> ()",
     .arguments = "times: a test",
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
