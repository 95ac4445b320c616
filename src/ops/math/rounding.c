/* ops/math/rounding.c - operators that round, signs, and divisions that leave
 * something over. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include <dtensor/create.h>
#include <dtensor/ops.h>

#include "base/dtype.h"
#include "base/error.h"
#include "kernel/fold/fold.h"
#include "op/fail.h"
#include "op/meta.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/gradient.h"
#include "ops/helpers/tables.h"
#include "ops/math/pointwise.h"

/* ---- Integers that stay what they are ------------------------------------ */

static dt_status meta_whole(dt_operation *operation)
{
    return dti_is_integer(operation->metas[0]->dtype)
               ? dti_meta_keep_first(operation)
               : dti_pointwise_meta(operation);
}

static dt_status kernel_whole(dt_operation *operation)
{
    return dti_is_integer(operation->metas[0]->dtype)
               ? dti_pointwise_copy(operation)
               : dti_pointwise_kernel(operation);
}

/* ---- Decimals ------------------------------------------------------------ */

static dt_status meta_round(dt_operation *operation)
{
    const int64_t decimals = dti_argument_int(operation, "decimals");
    const dt_dtype dtype = operation->metas[0]->dtype;
    if (decimals != 0 && dti_is_integer(dtype))
        return dt_operation_fail(operation, DT_ERR_UNSUPPORTED,
                                 "decimals is not 0, but self is %s",
                                 dt_dtype_name(dtype));
    return meta_whole(operation);
}

static double power_of_ten(int64_t exponent)
{
    double power = 1;
    for (int64_t i = 0; i < exponent && power < HUGE_VAL; i++)
        power *= 10;
    return power;
}

static dt_status kernel_round(dt_operation *operation)
{
    const int64_t decimals = dti_argument_int(operation, "decimals");
    const int64_t digits = decimals < 0 ? -(decimals + 1) + 1 : decimals;
    const dti_pointwise_input inputs[] = {
        dti_pointwise_array(operation, 0),
        dti_pointwise_number(dt_real(power_of_ten(digits)))};
    if (decimals == 0)
        return kernel_whole(operation);
    return dti_pointwise_run(
        operation, decimals > 0 ? DTI_ROUND_AT : DTI_ROUND_ABOVE, inputs);
}

/* ---- Signs --------------------------------------------------------------- */

static dt_status meta_sign(dt_operation *operation)
{
    if (operation->metas[0]->dtype == DT_C64)
        return dt_operation_fail(operation, DT_ERR_UNSUPPORTED,
                                 "not supported for dtype c64; use sgn");
    return dti_pointwise_meta(operation);
}

/* What of a gradient is across the direction of a complex number turns it; the
 * sign of a real number does not change. */
static dt_status sgn_backward(dt_backward_call *call)
{
    dt_tensor *self = call->inputs[0], *sign = call->results[0];
    dt_tensor *grad = call->grads[0];
    if (dt_tensor_dtype(self) != DT_C64)
        return dti_give_gradient(call, 0, dt_zeros_like(grad));
    dt_tensor *along = dt_mul(dt_real_part(dt_mul(grad, dt_conj(sign))), sign);
    dt_tensor *turn = dt_div(dt_sub(grad, along), dt_abs(self));
    return dti_give_gradient(
        call, 0,
        dt_where_scalar_self(dt_eq_scalar(self, dt_integer(0)), dt_integer(0),
                             turn));
}

/* ---- Divisions ----------------------------------------------------------- */

static dt_status fail_zero(const dt_operation *operation, bool everywhere)
{
    return dti_fail_value(operation, everywhere, "division of %s by zero",
                          dt_dtype_name(operation->results[0].dtype));
}

/* Looked at in every call: values of numbers do not decide. */
static dt_status check_divisor(const dt_operation *operation)
{
    const dt_number other = dti_argument_number(operation, "other");
    if (!dti_is_integer(operation->results[0].dtype))
        return DT_OK;
    return other.as.integer == 0 ? fail_zero(operation, true)
                                 : dti_pointwise_check_numbers(operation);
}

/* A 0 is found by the ranks that have it. */
static dt_status check_divisors(const dt_operation *operation)
{
    const dti_fold all = {.kind = DTI_FOLD_ALL};
    const dt_array *other = operation->in[1];
    const unsigned dims = (1U << dt_array_shape(other).ndim) - 1;
    bool good = true;
    if (dti_is_integer(operation->results[0].dtype) &&
        dt_array_count(other) > 0)
        dti_fold_array(&all, other, dims, &good, DT_BOOL);
    return good ? DT_OK
                : fail_zero(operation, dti_input_is_everywhere(operation, 1));
}

static dt_status run_division(dt_operation *operation, dti_pointwise function)
{
    if (operation->input_count == 2)
        DTI_TRY(check_divisors(operation));
    return dti_pointwise_run_all(operation, function);
}

static dt_status kernel_division(dt_operation *operation)
{
    return run_division(operation, dti_pointwise_function(operation));
}

static dt_status meta_mode(dt_operation *operation)
{
    DTI_TRY(dti_check_value(operation, "rounding_mode"));
    return dti_pointwise_meta(operation);
}

static dt_status kernel_mode(dt_operation *operation)
{
    const bool floor =
        dti_argument_int(operation, "rounding_mode") == DT_ROUNDING_FLOOR;
    return run_division(operation, floor ? DTI_DIV_FLOOR : DTI_DIV_TRUNC);
}

/* ---- Numbers instead of NaN ---------------------------------------------- */

/* Integers and bool are all numbers. */
static dt_status meta_numbered(dt_operation *operation)
{
    return dti_pointwise_is_float(operation->metas[0]->dtype)
               ? dti_pointwise_meta_tensors(operation)
               : dti_meta_keep_first(operation);
}

static dti_pointwise_input instead_of(double infinity, dt_dtype dtype)
{
    if (!isinf(infinity))
        return dti_pointwise_number(dt_real(infinity));
    return dti_pointwise_number(
        dt_real(copysign(dti_dtype_largest(dtype), infinity)));
}

static dt_status kernel_numbered(dt_operation *operation)
{
    const dt_dtype dtype = operation->results[0].dtype;
    const dti_pointwise_input inputs[] = {
        dti_pointwise_array(operation, 0),
        dti_pointwise_number(dt_real(dti_argument_real(operation, "nan"))),
        instead_of(dti_argument_real(operation, "posinf"), dtype),
        instead_of(dti_argument_real(operation, "neginf"), dtype)};
    return dti_pointwise_is_float(dtype)
               ? dti_pointwise_run(operation, DTI_NAN_TO_NUM, inputs)
               : dti_pointwise_copy(operation);
}

/* ---- Rows ---------------------------------------------------------------- */

/* NaN is 0 for sign and another number for nan_to_num, but wins among parts:
 * they say nothing of partial values. */
#define WHOLE(name)                                                            \
    .rule = "...->...", .monotone = "self",                                    \
    .flags = DT_OP_IN_PLACE | DT_OP_OUT, .meta = meta_whole,                   \
    .kernel = kernel_whole, .gradient = "self: zeros(self)",                   \
    .samples = DTI_SAMPLES_OF_ONE, .dtypes = "float int", DTI_FUNCTION(name)

const dt_op dti_ops_rounding[] = {
    {
        .schema = "floor(Tensor self) -> Tensor",
        .about = "Round down.",
        WHOLE(DTI_FLOOR),
    },
    {
        .schema = "ceil(Tensor self) -> Tensor",
        .about = "Round up.",
        WHOLE(DTI_CEIL),
    },
    {
        .schema = "trunc(Tensor self) -> Tensor",
        .about = "Round towards 0.",
        WHOLE(DTI_TRUNC),
    },
    {
        .schema = "round(Tensor self, *, int decimals=0) -> Tensor",
        .aten = "round round.decimals",
        .about = "Round to the nearest integer, ties to even, or to a number "
                 "of decimals.",
        .rule = "...->...",
        .monotone = "self",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = meta_round,
        .kernel = kernel_round,
        DTI_FUNCTION(DTI_ROUND),
        .gradient = "self: zeros(self)",
        .samples = "(T[m,n]); (T[m,3,n]); (T[])",
        .dtypes = "float int",
    },
    {
        .schema = "frac(Tensor self) -> Tensor",
        .about = "Fractional part.",
        DTI_UNARY(DTI_FRAC),
        .gradient = "self: grad",
        .dtypes = "float",
    },
    {
        .schema = "sign(Tensor self) -> Tensor",
        .about =
            "1 for positive elements, -1 for negative ones, 0 for 0 and NaN.",
        .rule = "...->...",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = meta_sign,
        .kernel = dti_pointwise_kernel,
        DTI_FUNCTION(DTI_SIGN),
        .gradient = "self: zeros(self)",
        .samples = DTI_SAMPLES_OF_ONE,
        .dtypes = "float int bool",
    },
    {
        .schema = "sgn(Tensor self) -> Tensor",
        .about = "Like sign; for complex numbers, the number of absolute value "
                 "1 with the same angle.",
        DTI_UNARY(DTI_SIGN),
        .gradient = "self: function(self, result)",
        .backward = sgn_backward,
    },
    {
        .schema = "copysign(Tensor self, Tensor other) -> Tensor",
        .aten = "copysign.Tensor",
        .about = "Magnitude of self with the sign of a second tensor.",
        .rule = "...,...->...",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        DTI_POINTWISE_OF_FLOATS(DTI_COPYSIGN),
        .gradient =
            "self: grad * masked_fill(result / self, eq_scalar(self, 0), "
            "0); other: zeros(other)",
        .samples = DTI_SAMPLES_OF_TWO,
        .dtypes = "float int bool",
    },
    {
        .schema = "copysign_scalar(Tensor self, Number other) -> Tensor",
        .aten = "copysign.Scalar",
        .about = "Magnitude of self with the sign of a number.",
        .rule = "...->...",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        DTI_POINTWISE_OF_FLOATS(DTI_COPYSIGN),
        .gradient =
            "self: grad * masked_fill(result / self, eq_scalar(self, 0), 0)",
        .samples = "(T[m,n], 2); (T[m], -3); (T[], -0.5)",
        .dtypes = "float int bool",
    },
    {
        .schema = "remainder(Tensor self, Tensor other) -> Tensor",
        .aten = "remainder.Tensor",
        .about = "Remainder of a division, with the sign of the divisor.",
        .rule = "...,...->...",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = dti_pointwise_meta,
        .kernel = kernel_division,
        DTI_FUNCTION(DTI_REMAINDER),
        .gradient = "self: grad; other: -grad * floor_divide(self, other)",
        .samples = "(T[m,n], T[m,n]>0); (T[m,n], T[n]>0); (T[m,1], "
                   "T[3,1,n]>0); (T[], T[m]>0); (T[m], T[]>0)",
        .dtypes = "float int",
    },
    {
        .schema = "remainder_scalar(Tensor self, Number other) -> Tensor",
        .aten = "remainder.Scalar",
        .about = "Remainder of a division by a number, with the sign of the "
                 "divisor.",
        .rule = "...->...",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .check = check_divisor,
        DTI_POINTWISE(DTI_REMAINDER),
        .gradient = "self: grad",
        .samples = "(T[m,n], 2); (T[m], 3); (T[], 2); (T[m], 2.5)",
        .dtypes = "float int",
    },
    {
        .schema = "fmod(Tensor self, Tensor other) -> Tensor",
        .aten = "fmod.Tensor",
        .about = "Remainder of a division, with the sign of self.",
        .rule = "...,...->...",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = dti_pointwise_meta,
        .kernel = kernel_division,
        DTI_FUNCTION(DTI_FMOD),
        .gradient = "self: grad; other: -grad * trunc(self / other)",
        .samples = "(T[m,n], T[m,n]>0); (T[m,n], T[n]>0); (T[m,1], "
                   "T[3,1,n]>0); (T[], T[m]>0); (T[m], T[]>0)",
        .dtypes = "float int",
    },
    {
        .schema = "fmod_scalar(Tensor self, Number other) -> Tensor",
        .aten = "fmod.Scalar",
        .about = "Remainder of a division by a number, with the sign of self.",
        .rule = "...->...",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .check = check_divisor,
        DTI_POINTWISE(DTI_FMOD),
        .gradient = "self: grad",
        .samples = "(T[m,n], 2); (T[m], 3); (T[], 2); (T[m], 2.5)",
        .dtypes = "float int",
    },
    {
        .schema = "floor_divide(Tensor self, Tensor other) -> Tensor",
        .about = "Divide and round down.",
        .rule = "...,...->...",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = dti_pointwise_meta,
        .kernel = kernel_division,
        DTI_FUNCTION(DTI_DIV_FLOOR),
        .gradient = "self: zeros(self); other: zeros(other)",
        .samples = "(T[m,n], T[m,n]>0); (T[m,n], T[n]>0); (T[m,1], "
                   "T[3,1,n]>0); (T[], T[m]>0); (T[m], T[]>0)",
        .dtypes = "float int",
    },
    {
        .schema = "floor_divide_scalar(Tensor self, Number other) -> Tensor",
        .aten = "floor_divide.Scalar",
        .about = "Divide by a number and round down.",
        .rule = "...->...",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .check = check_divisor,
        DTI_POINTWISE(DTI_DIV_FLOOR),
        .gradient = "self: zeros(self)",
        .samples = "(T[m,n], 2); (T[m], 3); (T[], 2); (T[m], 2.5)",
        .dtypes = "float int",
    },
    {
        .schema = "div_mode(Tensor self, Tensor other, Rounding rounding_mode) "
                  "-> Tensor",
        .aten = "div.Tensor_mode",
        .about = "Divide and round the quotient.",
        .rule = "...,...->...",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = meta_mode,
        .kernel = kernel_mode,
        DTI_FUNCTION(DTI_DIV_TRUNC),
        .gradient = "self: zeros(self); other: zeros(other)",
        .samples = "(T[m,n], T[m,n]>0, floor); (T[m,n], T[n]>0, "
                   "trunc); (T[m,1], T[3,1,n]>0, floor); (T[], T[m]>0, "
                   "trunc); (T[m], T[]>0, floor)",
        .dtypes = "float int",
    },
    {
        .schema = "div_mode_scalar(Tensor self, Number other, Rounding "
                  "rounding_mode) -> Tensor",
        .aten = "div.Scalar_mode",
        .about = "Divide by a number and round the quotient.",
        .rule = "...->...",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = meta_mode,
        .check = check_divisor,
        .kernel = kernel_mode,
        DTI_FUNCTION(DTI_DIV_TRUNC),
        .gradient = "self: zeros(self)",
        .samples = "(T[m,n], 2, floor); (T[m], 3, trunc); (T[], 2, "
                   "floor); (T[m], 2.5, trunc)",
        .dtypes = "float int",
    },
    {
        .schema = "nan_to_num(Tensor self, *, float nan=0, float posinf=inf, "
                  "float neginf=-inf) -> Tensor",
        .about = "Replace NaN and infinities by numbers, by default 0 and the "
                 "largest and smallest number of the dtype.",
        .rule = "...->...",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = meta_numbered,
        .kernel = kernel_numbered,
        DTI_FUNCTION(DTI_NAN_TO_NUM),
        .gradient = "self: where_scalar_other(isfinite(self), grad, 0)",
        .samples = "(T[m,n]); (T[m,3,n]); (T[]); (T[m,n], nan=2)",
    },
    {0},
};
