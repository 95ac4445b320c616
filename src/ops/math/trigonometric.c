/* ops/math/trigonometric.c - functions of angles, and hyperbolic ones. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/ops.h>

#include "base/error.h"
#include "op/fail.h"
#include "op/meta.h"
#include "ops/helpers/gradient.h"
#include "ops/helpers/tables.h"
#include "ops/math/pointwise.h"

/* ---- Angles -------------------------------------------------------------- */

/* Degrees of a radian. */
#define DEGREES 57.295779513082320876798

#define MULTIPLE(number)                                                       \
    .data = &(const dti_pointwise_row)                                         \
    {                                                                          \
        .function = DTI_MUL, .to_float = true, .factor = (number)              \
    }

static dt_status meta_angle(dt_operation *operation)
{
    if (operation->metas[0]->dtype == DT_C64)
        return dti_fail_dtype(operation, DT_C64);
    return dti_pointwise_meta(operation);
}

static dt_status kernel_angle(dt_operation *operation)
{
    const dti_pointwise_row *row = operation->op->data;
    const dti_pointwise_input inputs[] = {
        dti_pointwise_array(operation, 0),
        dti_pointwise_number(dt_real(row->factor))};
    return dti_pointwise_run(operation, DTI_MUL, inputs);
}

/* ---- atan2 -------------------------------------------------------------- */

/* At the origin, where there is no derivative, it is 0 instead of 0 / 0. */
static dt_status atan2_backward(dt_backward_call *call)
{
    dt_tensor *grad = call->grads[0];
    const dt_dtype dtype = dt_tensor_dtype(grad);
    dt_tensor *self = dt_cast(call->inputs[0], dtype);
    dt_tensor *other = dt_cast(call->inputs[1], dtype);
    dt_tensor *norm = dt_add(dt_square(self), dt_square(other));
    dt_tensor *origin = dt_eq_scalar(norm, dt_integer(0));
    dt_tensor *scale =
        dt_div(grad, dt_masked_fill(norm, origin, dt_integer(1)));
    if (call->wanted[0])
        DTI_TRY(dti_give_gradient(call, 0, dt_mul(scale, other)));
    if (call->wanted[1])
        DTI_TRY(dti_give_gradient(call, 1, dt_neg(dt_mul(scale, self))));
    return DT_OK;
}

/* ---- Rows ---------------------------------------------------------------- */

/* Partial values pass what grows everywhere, and is a number at -infinity and
 * infinity, which stand for parts that are empty. */
const dt_op dti_ops_trigonometric[] = {
    {
        .schema = "sin(Tensor self) -> Tensor",
        .about = "Sine.",
        DTI_UNARY_OF_FLOATS(DTI_SIN),
        .gradient = "self: grad * conj(cos(self))",
    },
    {
        .schema = "cos(Tensor self) -> Tensor",
        .about = "Cosine.",
        DTI_UNARY_OF_FLOATS(DTI_COS),
        .gradient = "self: -grad * conj(sin(self))",
    },
    {
        .schema = "tan(Tensor self) -> Tensor",
        .about = "Tangent.",
        DTI_UNARY_OF_FLOATS(DTI_TAN),
        .gradient = "self: grad * conj(1 + result * result)",
    },
    {
        .schema = "asin(Tensor self) -> Tensor",
        .about = "Arc sine.",
        .rule = "...->...",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        DTI_POINTWISE_OF_FLOATS(DTI_ASIN),
        .gradient = "self: grad * conj(rsqrt(1 - self * self))",
        .samples = DTI_SAMPLES_OF_FRACTIONS,
    },
    {
        .schema = "acos(Tensor self) -> Tensor",
        .about = "Arc cosine.",
        .rule = "...->...",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        DTI_POINTWISE_OF_FLOATS(DTI_ACOS),
        .gradient = "self: -grad * conj(rsqrt(1 - self * self))",
        .samples = DTI_SAMPLES_OF_FRACTIONS,
    },
    {
        .schema = "atan(Tensor self) -> Tensor",
        .about = "Arc tangent.",
        DTI_UNARY_OF_FLOATS(DTI_ATAN),
        .monotone = "self",
        .gradient = "self: grad / conj(self * self + 1)",
    },
    {
        .schema = "sinh(Tensor self) -> Tensor",
        .about = "Hyperbolic sine.",
        DTI_UNARY_OF_FLOATS(DTI_SINH),
        .monotone = "self",
        .gradient = "self: grad * conj(cosh(self))",
    },
    {
        .schema = "cosh(Tensor self) -> Tensor",
        .about = "Hyperbolic cosine.",
        DTI_UNARY_OF_FLOATS(DTI_COSH),
        .gradient = "self: grad * conj(sinh(self))",
    },
    {
        .schema = "tanh(Tensor self) -> Tensor",
        .about = "Hyperbolic tangent.",
        .gradient = "self: tanh_backward(grad, result)",
        DTI_UNARY_OF_FLOATS(DTI_TANH),
        .monotone = "self",
    },
    {
        .schema = "asinh(Tensor self) -> Tensor",
        .about = "Inverse hyperbolic sine.",
        DTI_UNARY_OF_FLOATS(DTI_ASINH),
        .monotone = "self",
        .gradient = "self: grad * conj(rsqrt(self * self + 1))",
    },
    {
        .schema = "acosh(Tensor self) -> Tensor",
        .about = "Inverse hyperbolic cosine.",
        DTI_UNARY_OF_FLOATS(DTI_ACOSH),
        .gradient = "self: grad * conj(rsqrt(self + 1) * rsqrt(self - 1))",
    },
    {
        .schema = "atanh(Tensor self) -> Tensor",
        .about = "Inverse hyperbolic tangent.",
        .rule = "...->...",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        DTI_POINTWISE_OF_FLOATS(DTI_ATANH),
        .gradient = "self: grad / conj(1 - self * self)",
        .samples = DTI_SAMPLES_OF_FRACTIONS,
    },
    {
        .schema = "sinc(Tensor self) -> Tensor",
        .about = "sin(pi x) / (pi x); 1 at 0.",
        DTI_UNARY_OF_FLOATS(DTI_SINC),
        .gradient = "self: where_scalar_self(eq_scalar(self, 0), 0, grad * "
                    "conj((cos(self * 3.141592653589793) - result) / self))",
    },
    {
        .schema = "atan2(Tensor self, Tensor other) -> Tensor",
        .about = "Angle of the point (other, self).",
        .rule = "...,...->...",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        DTI_POINTWISE_OF_FLOATS(DTI_ATAN2),
        .gradient = "self, other: function(self, other)",
        .backward = atan2_backward,
        .samples = DTI_SAMPLES_OF_TWO,
        .dtypes = "float int bool",
    },
    {
        .schema = "hypot(Tensor self, Tensor other) -> Tensor",
        .about = "sqrt(x^2 + y^2).",
        DTI_BINARY(DTI_HYPOT),
        .gradient =
            "self: grad * (self / result); other: grad * (other / result)",
        .dtypes = "float",
    },
    {
        .schema = "deg2rad(Tensor self) -> Tensor",
        .about = "Convert degrees to radians.",
        .rule = "...->...",
        .linear = "self",
        .monotone = "self if float",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = meta_angle,
        .kernel = kernel_angle,
        MULTIPLE(1 / DEGREES),
        .gradient = "self: deg2rad(grad)",
        .samples = DTI_SAMPLES_OF_ONE,
        .dtypes = "float int bool",
    },
    {
        .schema = "rad2deg(Tensor self) -> Tensor",
        .about = "Convert radians to degrees.",
        .rule = "...->...",
        .linear = "self",
        .monotone = "self if float",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = meta_angle,
        .kernel = kernel_angle,
        MULTIPLE(DEGREES),
        .gradient = "self: rad2deg(grad)",
        .samples = DTI_SAMPLES_OF_ONE,
        .dtypes = "float int bool",
    },
    {0},
};
