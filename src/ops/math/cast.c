/* ops/math/cast.c - copies, and copies of another dtype. */
/* SPDX-License-Identifier: Apache-2.0 */

#include "base/dtype.h"
#include "base/error.h"
#include "op/meta.h"
#include "ops/helpers/place.h"
#include "ops/helpers/tables.h"
#include "ops/math/pointwise.h"

static dt_status cast_meta(dt_operation *operation)
{
    dt_dtype dtype;
    DTI_TRY(dti_place_dtype(operation, &dtype));
    return dti_meta_copy_first(operation, dtype);
}

const dt_op dti_ops_cast[] = {
    {
        .schema = "clone(Tensor self) -> Tensor",
        .about = "Return a copy.",
        .rule = "...->...",
        .permutes = "self",
        .flags = DT_OP_OUT,
        .meta = dti_meta_keep_first,
        .kernel = dti_pointwise_copy,
        .gradient = "self: grad",
        .samples = "(T[m,n]); (T[m,3,n]); (T[])",
    },
    {
        .schema = "cast(Tensor self, Dtype dtype) -> Tensor",
        .aten = "to.dtype _to_copy",
        .about = "Convert to a dtype, like dt_array_cast; always a copy.",
        .rule = "...->...",
        .linear = "self",
        .monotone = "self",
        .permutes = "self",
        .meta = cast_meta,
        .kernel = dti_pointwise_copy,
        .gradient = "self: grad",
        .samples = "(T[m,n], f32); (T[m], f16); (T[m,n], i32); (T[m,n], u8); "
                   "(T[m,n], bool); (T[m], c64); (T[], f64)",
    },
    {0},
};
