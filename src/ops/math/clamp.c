/* ops/math/clamp.c - larger and smaller ones, and bounds. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/ops.h>

#include "base/error.h"
#include "op/meta.h"
#include "ops/helpers/gradient.h"
#include "ops/helpers/tables.h"
#include "ops/math/pointwise.h"

/* ---- Results ------------------------------------------------------------- */

static dt_status meta_clamp_tensor(dt_operation *operation)
{
    if (!operation->metas[1] && !operation->metas[2])
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "min and max are both missing; at least one is required");
    return dti_pointwise_meta(operation);
}

/* ---- Kernels ------------------------------------------------------------- */

static dt_status kernel_clamp_tensor(dt_operation *operation)
{
    const bool low = operation->metas[1], high = operation->metas[2];
    const dti_pointwise_input inputs[] = {
        dti_pointwise_array(operation, 0),
        dti_pointwise_array(operation, low ? 1 : 2),
        dti_pointwise_array(operation, 2)};
    return dti_pointwise_run(operation,
                             low && high ? DTI_CLAMP_TO
                             : low       ? DTI_MAXIMUM
                                         : DTI_MINIMUM,
                             inputs);
}

/* ---- Gradients of bounds ------------------------------------------------- */

/* Where a result of clamp_tensor comes from an input: bounds are inclusive, and
 * max wins.  One of min and max may be NULL. */
static dt_tensor *comes_from(int input, dt_tensor *self, dt_tensor *min,
                             dt_tensor *max)
{
    if (input == 1)
        return max ? dt_logical_and(dt_lt(self, min), dt_lt(min, max))
                   : dt_lt(self, min);
    if (input == 2)
        return min ? dt_logical_or(dt_gt(self, max), dt_lt(max, min))
                   : dt_gt(self, max);
    if (!min || !max)
        return min ? dt_ge(self, min) : dt_le(self, max);
    return dt_logical_and(dt_ge(self, min), dt_le(self, max));
}

static dt_status clamp_tensor_backward(dt_backward_call *call)
{
    dt_tensor *const *inputs = call->inputs;
    for (int i = 0; i < call->input_count; i++) {
        if (!call->wanted[i])
            continue;
        dt_tensor *taken = comes_from(i, inputs[0], inputs[1], inputs[2]);
        DTI_TRY(dti_give_gradient(
            call, i,
            dt_where_scalar_other(taken, call->grads[0], dt_integer(0))));
    }
    return DT_OK;
}

/* ---- Rows ---------------------------------------------------------------- */

/* NaN wins among parts of a maximum, and loses in fmax and fmin: these say
 * nothing of partial values. */
const dt_op dti_ops_clamp[] = {
    {
        .schema = "clamp(Tensor self, Number min, Number max) -> Tensor",
        .about = "min(max(x, min), max).",
        .rule = "...->...",
        .monotone = "self",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        DTI_POINTWISE_OF_NUMBERS(DTI_CLAMP),
        .check = dti_pointwise_check_numbers,
        .gradient =
            "self: where_scalar_other(logical_and(ge_scalar(self, min), "
            "le_scalar(self, max)), grad, 0)",
        .samples =
            "(T[m,n], 1, 2); (T[m], 0, 1); (T[], 3, 1); (T[m,n], -0.5, 0.5)",
        .dtypes = "float int bool",
    },
    {
        .schema = "clamp_min(Tensor self, Number min) -> Tensor",
        .about = "max(x, min).",
        .rule = "...->...",
        .monotone = "self",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        DTI_POINTWISE_OF_NUMBERS(DTI_MAXIMUM),
        .check = dti_pointwise_check_numbers,
        .gradient = "self: where_scalar_other(ge_scalar(self, min), grad, 0)",
        .samples = "(T[m,n], 2); (T[m], 0); (T[], 1); (T[m], -0.5)",
        .dtypes = "float int bool",
    },
    {
        .schema = "clamp_max(Tensor self, Number max) -> Tensor",
        .about = "min(x, max).",
        .rule = "...->...",
        .monotone = "self",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        DTI_POINTWISE_OF_NUMBERS(DTI_MINIMUM),
        .check = dti_pointwise_check_numbers,
        .gradient = "self: where_scalar_other(le_scalar(self, max), grad, 0)",
        .samples = "(T[m,n], 2); (T[m], 0); (T[], 1); (T[m], -0.5)",
        .dtypes = "float int bool",
    },
    {
        .schema =
            "clamp_tensor(Tensor self, Tensor? min, Tensor? max) -> Tensor",
        .aten = "clamp.Tensor",
        .about = "Limit elements to the range between two tensors, one of "
                 "which may be missing.",
        .rule = "...,...,...->...",
        .monotone = "self min max",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = meta_clamp_tensor,
        .kernel = kernel_clamp_tensor,
        DTI_FUNCTION(DTI_CLAMP_TO),
        .gradient = "self, min, max: function(self, min, max)",
        .backward = clamp_tensor_backward,
        .samples = "(T[m,n], T[m,n], T[m,n]); (T[m,n], T[n], T[]); (T[m,1], "
                   "T[3,1,n], None); (T[m,n], None, T[n])",
        .dtypes = "float int",
    },
    {
        .schema = "clamp_min_tensor(Tensor self, Tensor min) -> Tensor",
        .aten = "clamp_min.Tensor",
        .about = "max(x, min), with a tensor min; NaN if either is NaN.",
        DTI_BINARY(DTI_MAXIMUM),
        .monotone = "self min",
        .gradient = "self: where_scalar_other(ge(self, min), grad, 0); min: "
                    "where_scalar_other(lt(self, min), grad, 0)",
        .dtypes = "float int bool",
    },
    {
        .schema = "clamp_max_tensor(Tensor self, Tensor max) -> Tensor",
        .aten = "clamp_max.Tensor",
        .about = "min(x, max), with a tensor max; NaN if either is NaN.",
        DTI_BINARY(DTI_MINIMUM),
        .monotone = "self max",
        .gradient = "self: where_scalar_other(le(self, max), grad, 0); max: "
                    "where_scalar_other(gt(self, max), grad, 0)",
        .dtypes = "float int bool",
    },
    {
        .schema = "maximum(Tensor self, Tensor other) -> Tensor",
        .about = "The larger of two elements; NaN if either is NaN.",
        DTI_BINARY(DTI_MAXIMUM),
        .dtypes = "float int bool",
        .monotone = "self other",
        .gradient =
            "self: masked_fill(where(eq(self, other), grad / 2, grad), "
            "lt(self, other), 0); other: masked_fill(where(eq(self, other), "
            "grad / 2, grad), gt(self, other), 0)",
    },
    {
        .schema = "minimum(Tensor self, Tensor other) -> Tensor",
        .about = "The smaller of two elements; NaN if either is NaN.",
        DTI_BINARY(DTI_MINIMUM),
        .dtypes = "float int bool",
        .monotone = "self other",
        .gradient =
            "self: masked_fill(where(eq(self, other), grad / 2, grad), "
            "gt(self, other), 0); other: masked_fill(where(eq(self, other), "
            "grad / 2, grad), lt(self, other), 0)",
    },
    {
        .schema = "fmax(Tensor self, Tensor other) -> Tensor",
        .about = "The larger of two elements, ignoring NaN.",
        .rule = "...,...->...",
        .flags = DT_OP_OUT,
        DTI_POINTWISE(DTI_FMAX),
        .samples = DTI_SAMPLES_OF_TWO,
        .dtypes = "float int bool",
        .gradient = "self: where_scalar_other(logical_or(ge(self, other), "
                    "isnan(other)), grad, 0); other: masked_fill(grad, "
                    "logical_or(ge(self, other), isnan(other)), 0)",
    },
    {
        .schema = "fmin(Tensor self, Tensor other) -> Tensor",
        .about = "The smaller of two elements, ignoring NaN.",
        .rule = "...,...->...",
        .flags = DT_OP_OUT,
        DTI_POINTWISE(DTI_FMIN),
        .samples = DTI_SAMPLES_OF_TWO,
        .dtypes = "float int bool",
        .gradient = "self: where_scalar_other(logical_or(le(self, other), "
                    "isnan(other)), grad, 0); other: masked_fill(grad, "
                    "logical_or(le(self, other), isnan(other)), 0)",
    },
    {0},
};
