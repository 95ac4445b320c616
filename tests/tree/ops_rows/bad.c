/* tests/tree/ops_rows/bad.c - rows for the tool that reads them: every fault.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "ops/helpers/arguments.h"
#include "ops/helpers/tables.h"

static dt_status never(dt_operation *operation)
{
    (void)operation;
    return DT_ERR_UNSUPPORTED;
}

/* Of two names no row has one. */
static inline dt_status reads(dt_operation *operation)
{
    return dti_argument_int(operation, "self") ||
                   dti_argument_int(operation, "dims")
               ? never(operation)
               : DT_OK;
}

#define ROW .about = "Be a test.", .meta = never, .kernel = never, .samples = ""

const dt_op dti_ops_bad[] = {
    {.schema = "bad_schema(Tensor self", ROW},
    {.schema = "test_plain(Tensor self) -> Tensor", ROW},
    {.schema = "world(Tensor self) -> Tensor", ROW},
    {.schema = "bad_name(Tensor self, int out) -> Tensor",
     .arguments = "out: a test",
     ROW},
    {.schema = "bad_option(Tensor self, *, int size=1) -> Tensor", ROW},
    {.schema = "bad_result(Tensor self) -> (Tensor capacity)", ROW},
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
    {.schema = "bad_dtype(Tensor self, *, Dtype? dtype=f32) -> Tensor", ROW},
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
    {.schema = "bad_argument(Tensor self, Dim which) -> Tensor",
     .arguments = "what: which one; which",
     ROW},
    {0},
};
