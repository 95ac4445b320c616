/* ops/math/exponential.c - exponential functions, logarithms and powers. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include <dtensor/create.h>
#include <dtensor/ops.h>

#include "base/error.h"
#include "op/meta.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/gradient.h"
#include "ops/helpers/tables.h"
#include "ops/math/pointwise.h"

/* ---- Powers -------------------------------------------------------------- */

/* Looked at in every call: values of numbers do not decide. */
static dt_status check_exponent(const dt_operation *operation)
{
    const dt_number exponent = dti_argument_number(operation, "exponent");
    if (dti_pointwise_is_float(operation->results[0].dtype) ||
        exponent.kind == DT_KIND_BOOLEAN || exponent.as.integer >= 0)
        return DT_OK;
    return dt_operation_fail(
        operation, DT_ERR_INVALID,
        "exponent is %lld and self is %s; integers cannot be raised to "
        "negative powers, use a floating-point tensor",
        (long long)exponent.as.integer,
        dt_dtype_name(operation->metas[0]->dtype));
}

/* Some powers have functions of their own, which PyTorch takes too: it matters
 * for infinities. */
static dti_pointwise function_of_power(double exponent, bool of_floats)
{
    if (exponent == 2)
        return DTI_SQUARE;
    if (exponent == 3)
        return DTI_CUBE;
    if (of_floats && exponent == 0.5)
        return DTI_SQRT;
    if (of_floats && exponent == -0.5)
        return DTI_RSQRT;
    return of_floats && exponent == -1 ? DTI_RECIPROCAL : DTI_POW;
}

static dt_status kernel_pow_scalar(dt_operation *operation)
{
    const dt_number exponent = dti_argument_number(operation, "exponent");
    const dt_dtype dtype = operation->results[0].dtype;
    const dti_pointwise_input inputs[] = {dti_pointwise_array(operation, 0),
                                          dti_pointwise_number(exponent)};
    if (dtype == DT_BOOL || exponent.imaginary != 0)
        return dti_pointwise_run(operation, DTI_POW, inputs);
    return dti_pointwise_run(operation,
                             function_of_power(dt_number_real(exponent),
                                               dti_pointwise_is_float(dtype)),
                             inputs);
}

static dt_status kernel_logit(dt_operation *operation)
{
    return dti_pointwise_run_all(
        operation,
        dti_argument_real(operation, "eps") < 0 ? DTI_LOGIT : DTI_LOGIT_WITHIN);
}

/* ---- Gradients of powers ------------------------------------------------- */

static dt_number less_one(dt_number number)
{
    if (number.kind == DT_KIND_COMPLEX)
        return dt_complex_number(number.as.real - 1, number.imaginary);
    return number.kind == DT_KIND_FLOAT ? dt_real(number.as.real - 1)
                                        : dt_integer(number.as.integer - 1);
}

/* The exponent times a lower power; 0 of the exponent 0, even at 0. */
static dt_status pow_scalar_backward(dt_backward_call *call)
{
    const dt_number exponent = call->arguments[1].as.number;
    dt_tensor *self = call->inputs[0], *grad = call->grads[0];
    if (dt_number_is(exponent, 0))
        return dti_give_gradient(call, 0, dt_zeros_like(grad));
    dt_tensor *power = dt_number_is(exponent, 2)
                           ? self
                           : dt_pow_scalar(self, less_one(exponent));
    return dti_give_gradient(
        call, 0, dt_mul(grad, dt_conj(dt_mul_scalar(power, exponent))));
}

static dt_number logarithm(dt_number number, dt_dtype dtype)
{
    const double real = dt_number_real(number);
    if (dtype != DT_C64)
        return dt_real(log(real));
    return dt_complex_number(log(hypot(real, number.imaginary)),
                             atan2(number.imaginary, real));
}

/* The power times the logarithm of its base.  Of the base 0 that is 0 where the
 * exponent is not negative, so that the result is finite, else -infinity. */
static dt_status pow_base_backward(dt_backward_call *call)
{
    const dt_number base = call->arguments[0].as.number;
    dt_tensor *result = call->results[0];
    dt_tensor *slope =
        dt_number_is(base, 0)
            ? dt_where_scalar_self(dt_isfinite(result), dt_integer(0),
                                   dt_neg(result))
            : dt_mul_scalar(result, logarithm(base, dt_tensor_dtype(result)));
    return dti_give_gradient(call, 0, dt_mul(call->grads[0], dt_conj(slope)));
}

/* ---- Rows ---------------------------------------------------------------- */

#define OF_POSITIVE(name)                                                      \
    .rule = "...->...", .flags = DT_OP_IN_PLACE | DT_OP_OUT,                   \
    .samples = DTI_SAMPLES_POSITIVE, DTI_POINTWISE_OF_FLOATS(name)

const dt_op dti_ops_exponential[] = {
    {
        .schema = "exp(Tensor self) -> Tensor",
        .about = "Exponential function.",
        DTI_UNARY_OF_FLOATS(DTI_EXP),
        .monotone = "self",
        .gradient = "self: grad * conj(result)",
    },
    {
        .schema = "exp2(Tensor self) -> Tensor",
        .about = "2 to the power of x.",
        DTI_UNARY_OF_FLOATS(DTI_EXP2),
        .monotone = "self",
        .gradient = "self: grad * conj(result) * 0.6931471805599453",
    },
    {
        .schema = "expm1(Tensor self) -> Tensor",
        .about = "exp(x) - 1, accurate near 0.",
        DTI_UNARY_OF_FLOATS(DTI_EXPM1),
        .monotone = "self",
        .gradient = "self: grad * conj(result + 1)",
    },
    {
        .schema = "log(Tensor self) -> Tensor",
        .about = "Natural logarithm.",
        OF_POSITIVE(DTI_LOG),
        .gradient = "self: grad / conj(self)",
    },
    {
        .schema = "log2(Tensor self) -> Tensor",
        .about = "Logarithm to base 2.",
        OF_POSITIVE(DTI_LOG2),
        .gradient = "self: grad / conj(self * 0.6931471805599453)",
    },
    {
        .schema = "log10(Tensor self) -> Tensor",
        .about = "Logarithm to base 10.",
        OF_POSITIVE(DTI_LOG10),
        .gradient = "self: grad / conj(self * 2.302585092994046)",
    },
    {
        .schema = "log1p(Tensor self) -> Tensor",
        .about = "log(1 + x), accurate near 0.",
        OF_POSITIVE(DTI_LOG1P),
        .gradient = "self: grad / conj(self + 1)",
    },
    {
        .schema = "sqrt(Tensor self) -> Tensor",
        .about = "Square root.",
        OF_POSITIVE(DTI_SQRT),
        .gradient = "self: grad / conj(2 * result)",
    },
    {
        .schema = "rsqrt(Tensor self) -> Tensor",
        .about = "1 / sqrt(x).",
        OF_POSITIVE(DTI_RSQRT),
        .gradient = "self: -0.5 * grad * conj(pow_scalar(result, 3))",
    },
    {
        .schema = "pow(Tensor self, Tensor exponent) -> Tensor",
        .aten = "pow.Tensor_Tensor",
        .about = "self to the power of a second tensor; for integers, a "
                 "negative exponent results in 0, except for 1 and -1.",
        .rule = "...,...->...",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        DTI_POINTWISE_OF_NUMBERS(DTI_POW),
        .gradient =
            "self: where_scalar_self(eq_scalar(exponent, 0), 0, grad * "
            "conj(exponent * pow(self, exponent - 1))); exponent: grad * "
            "where_scalar_self(logical_and(eq_scalar(self, 0), "
            "ge_scalar(real_part(exponent), 0)), 0, conj(result * "
            "log(cast(self, dtype(result)))))",
        .samples = "(T[m,n]>0, T[m,n]>0); (T[m,n]>0, T[n]>0); (T[m,1]>0, "
                   "T[3,1,n]>0); (T[]>0, T[m]>0); (T[m]>0, T[]>0)",
        .dtypes = "float int complex",
    },
    {
        .schema = "pow_scalar(Tensor self, Number exponent) -> Tensor",
        .aten = "pow.Tensor_Scalar",
        .about = "self to the power of a number; a negative exponent is an "
                 "error for integers.",
        .rule = "...->...",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = dti_pointwise_meta,
        .check = check_exponent,
        .kernel = kernel_pow_scalar,
        DTI_FUNCTION(DTI_POW),
        .gradient = "self: function(self)",
        .backward = pow_scalar_backward,
        .samples = "(T[m,n], 2); (T[m], 3); (T[], 0); (T[m,n], 1)",
    },
    {
        .schema = "pow_base(Number self, Tensor exponent) -> Tensor",
        .aten = "pow.Scalar",
        .about = "A number to the power of the elements.",
        .rule = "...->...",
        .flags = DT_OP_OUT,
        DTI_POINTWISE_OF_NUMBERS(DTI_POW),
        .gradient = "exponent: function(result)",
        .backward = pow_base_backward,
        .samples = "(2, T[m,n]>0); (3, T[m]>0); (1, T[]>0); (0.5, T[m]>0)",
        .dtypes = "float int complex",
    },
    {
        .schema = "logaddexp(Tensor self, Tensor other) -> Tensor",
        .about = "log(exp(x) + exp(y)).",
        .rule = "...,...->...",
        .monotone = "self other",
        .flags = DT_OP_OUT,
        DTI_POINTWISE(DTI_LOGADDEXP),
        .gradient =
            "self: grad / conj(1 + exp(other - self)); other: grad / conj(1 "
            "+ exp(self - other))",
        .samples = DTI_SAMPLES_OF_TWO,
        .dtypes = "float complex",
    },
    {
        .schema = "logaddexp2(Tensor self, Tensor other) -> Tensor",
        .about = "log2(2^x + 2^y).",
        .rule = "...,...->...",
        .monotone = "self other",
        .flags = DT_OP_OUT,
        DTI_POINTWISE(DTI_LOGADDEXP2),
        .gradient = "self: grad / (1 + exp2(other - self)); other: grad / (1 + "
                    "exp2(self - other))",
        .samples = DTI_SAMPLES_OF_TWO,
        .dtypes = "float",
    },
    {
        .schema = "xlogy(Tensor self, Tensor other) -> Tensor",
        .aten = "xlogy.Tensor",
        .about = "x log(y); 0 where x is 0.",
        .rule = "...,...->...",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        DTI_POINTWISE_OF_FLOATS(DTI_XLOGY),
        .gradient =
            "self: masked_fill(xlogy(grad, other), "
            "logical_and(eq_scalar(self, 0), le_scalar(other, 0)), 0); other: "
            "grad * self / other",
        .samples = DTI_SAMPLES_SECOND_POSITIVE,
        .dtypes = "float int bool",
    },
    {
        .schema = "erf(Tensor self) -> Tensor",
        .about = "Error function.",
        DTI_UNARY_OF_FLOATS(DTI_ERF),
        .monotone = "self",
        .gradient = "self: grad * 1.1283791670955126 * exp(-(self * self))",
        .dtypes = "float int bool",
    },
    {
        .schema = "erfc(Tensor self) -> Tensor",
        .about = "1 - erf(x).",
        DTI_UNARY_OF_FLOATS(DTI_ERFC),
        .monotone = "-self",
        .gradient = "self: grad * -1.1283791670955126 * exp(-(self * self))",
        .dtypes = "float int bool",
    },
    {
        .schema = "logit(Tensor self, *, float eps=-1) -> Tensor",
        .about = "log(x / (1 - x)); x is clamped to eps and 1 - eps unless eps "
                 "is negative.",
        .arguments =
            "eps: least distance of elements from 0 and 1, negative for none",
        .rule = "...->...",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = dti_pointwise_meta,
        .kernel = kernel_logit,
        DTI_FUNCTION_OF_FLOATS(DTI_LOGIT),
        .gradient = "self: logit_backward(grad, self, eps=eps)",
        .samples =
            "(T[m,n]>0<1); (T[m,3,n]>0<1); (T[]>0<1); (T[m,n]>0<1, eps=0.25)",
        .dtypes = "float int bool",
    },
    {0},
};
