/* ops/math/complex.c - complex numbers, and the parts they are made of. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/create.h>
#include <dtensor/ops.h>

#include "base/error.h"
#include "op/meta.h"
#include "ops/helpers/gradient.h"
#include "ops/helpers/tables.h"
#include "ops/math/pointwise.h"

/* ---- Parts --------------------------------------------------------------- */

/* A view: of pairs, the first or the second of each. */
static void see_part(dt_operation *operation, int part)
{
    dt_tensor *pairs = dt_view_as_real(operation->inputs[0]);
    operation->outputs[0] = dt_select(pairs, -1, part);
    dt_tensor_release_early(pairs);
}

static dt_status real_part(dt_operation *operation)
{
    if (dt_tensor_dtype(operation->inputs[0]) == DT_C64)
        see_part(operation, 0);
    else
        operation->outputs[0] = dt_alias(operation->inputs[0]);
    return DT_OK;
}

static dt_status imag_part(dt_operation *operation)
{
    const dt_dtype dtype = dt_tensor_dtype(operation->inputs[0]);
    if (dtype != DT_C64)
        return dt_operation_fail(
            operation, DT_ERR_UNSUPPORTED,
            "self is %s; expected c64, which has an imaginary part",
            dt_dtype_name(dtype));
    see_part(operation, 1);
    return DT_OK;
}

static dt_status conjugate(dt_operation *operation)
{
    dt_tensor *self = operation->inputs[0];
    operation->outputs[0] = dt_tensor_dtype(self) == DT_C64
                                ? dt_conj_physical(self)
                                : dt_alias(self);
    return DT_OK;
}

static dt_status conjugate_kernel(dt_operation *operation)
{
    return operation->metas[0]->dtype == DT_C64
               ? dti_pointwise_kernel(operation)
               : dti_pointwise_copy(operation);
}

static dt_status angle_meta(dt_operation *operation)
{
    const dt_meta *in = operation->metas[0];
    return dti_meta_copy_first(
        operation, in->dtype == DT_C64 ? DT_F32 : dti_promote_float(in->dtype));
}

static dt_status angle_kernel(dt_operation *operation)
{
    const dt_dtype dtype = operation->metas[0]->dtype;
    const dti_pointwise_input input = dti_pointwise_array(operation, 0);
    dti_pointwise_apply(DTI_ANGLE,
                        dtype == DT_C64 ? dtype : operation->results[0].dtype,
                        &input, operation->out[0]);
    return DT_OK;
}

/* Angles grow across the direction of a number, more slowly far from 0; those
 * of reals do not change. */
static dt_status angle_backward(dt_backward_call *call)
{
    dt_tensor *self = call->inputs[0], *grad = call->grads[0];
    if (dt_tensor_dtype(self) != DT_C64)
        return dti_give_gradient(call, 0, dt_zeros_like(grad));
    dt_tensor *turn = dt_mul_scalar(self, dt_complex_number(0, 1));
    turn = dt_mul(grad, dt_div(turn, dt_square(dt_abs(self))));
    return dti_give_gradient(
        call, 0,
        dt_where_scalar_self(dt_eq_scalar(self, dt_integer(0)), dt_integer(0),
                             turn));
}

/* ---- Put together -------------------------------------------------------- */

static dt_status pair_meta(dt_operation *operation)
{
    dt_shape shape;
    const dt_dtype x = operation->metas[0]->dtype,
                   y = operation->metas[1]->dtype;
    if (x != DT_F32 || y != DT_F32)
        return dt_operation_fail(operation,
                                 x == y ? DT_ERR_UNSUPPORTED : DT_ERR_INVALID,
                                 "the arguments are %s and %s; expected f32",
                                 dt_dtype_name(x), dt_dtype_name(y));
    DTI_TRY(dti_meta_broadcast(operation, 0, 1, &shape));
    return dti_meta_add_pointwise(operation, DT_C64, shape, DT_F32, 0);
}

/* ---- Rows ---------------------------------------------------------------- */

const dt_op dti_ops_complex[] = {
    {
        .schema = "real_part(Tensor self) -> Tensor",
        .aten = "real",
        .about = "View the real part of each element.",
        .compose = real_part,
        .samples = "(T[m,n]); (T[])",
    },
    {
        .schema = "imag_part(Tensor self) -> Tensor",
        .aten = "imag",
        .about = "View the imaginary part of each element.",
        .compose = imag_part,
        .samples = "(T[m,n]); (T[])",
        .dtypes = "complex",
    },
    {
        .schema = "conj(Tensor self) -> Tensor",
        .aten = "_conj conj",
        .about = "Complex conjugate: a copy if the dtype is complex, otherwise "
                 "the tensor itself.",
        .compose = conjugate,
        .samples = "(T[m,n]); (T[])",
    },
    {
        .schema = "conj_physical(Tensor self) -> Tensor",
        .about = "Complex conjugate, always as a copy.",
        .rule = "...->...",
        .permutes = "self",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = dti_meta_keep_first,
        .kernel = conjugate_kernel,
        DTI_FUNCTION(DTI_CONJ),
        .gradient = "self: conj(grad)",
        .samples = DTI_SAMPLES_OF_ONE,
    },
    {
        .schema = "angle(Tensor self) -> Tensor",
        .about =
            "Angle of complex numbers; for real numbers 0, or pi if negative.",
        .rule = "...->...",
        .monotone = "-self",
        .flags = DT_OP_OUT,
        .meta = angle_meta,
        .kernel = angle_kernel,
        DTI_FUNCTION_OF_FLOATS(DTI_ANGLE),
        .gradient = "self: function(self)",
        .backward = angle_backward,
        .samples = DTI_SAMPLES_OF_ONE,
    },
    {
        .schema = "complex(Tensor real, Tensor imag) -> Tensor",
        .about = "Complex numbers from real and imaginary parts.",
        .rule = "...,...->...",
        .linear = "real + imag",
        .flags = DT_OP_OUT,
        .meta = pair_meta,
        .kernel = dti_pointwise_kernel,
        DTI_FUNCTION(DTI_COMPLEX),
        .gradient = "real: real_part(grad); imag: imag_part(grad)",
        .samples = DTI_SAMPLES_OF_TWO,
        .dtypes = "f32",
    },
    {
        .schema = "polar(Tensor abs, Tensor angle) -> Tensor",
        .about = "Complex numbers from absolute values and angles.",
        .rule = "...,...->...",
        .linear = "abs",
        .flags = DT_OP_OUT,
        .meta = pair_meta,
        .kernel = dti_pointwise_kernel,
        DTI_FUNCTION(DTI_POLAR),
        .gradient = "abs: real_part(grad) * cos(angle) + imag_part(grad) * "
                    "sin(angle); angle: imag_part(grad) * real_part(result) - "
                    "real_part(grad) * imag_part(result)",
        .samples = DTI_SAMPLES_OF_TWO,
        .dtypes = "f32",
    },
    {0},
};
