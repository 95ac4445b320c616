/* ops/math/pointwise.c - operators that work element by element: what they
 * share, and arithmetic. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/math/pointwise.h"

#include <assert.h>

#include "base/dtype.h"
#include "base/error.h"
#include "op/fail.h"
#include "op/meta.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/tables.h"

/* ---- Results ------------------------------------------------------------- */

static const dti_pointwise_row *row_of(const dt_operation *operation)
{
    assert(operation->op->data);
    return operation->op->data;
}

dti_pointwise dti_pointwise_function(const dt_operation *operation)
{
    return row_of(operation)->function;
}

dt_status dti_pointwise_check(const dt_operation *operation, dt_dtype dtype)
{
    return dti_pointwise_supports(row_of(operation)->function, dtype)
               ? DT_OK
               : dti_fail_dtype(operation, dtype);
}

dt_status dti_pointwise_add(dt_operation *operation, dt_dtype dtype)
{
    const dti_pointwise_row *row = row_of(operation);
    const dt_dtype computed = row->to_float ? dti_promote_float(dtype) : dtype;
    dt_shape shape;
    DTI_TRY(dti_pointwise_check(operation, computed));
    DTI_TRY(
        dti_meta_broadcast(operation, 0, operation->input_count - 1, &shape));
    const bool shorter = row->function == DTI_ABS && computed == DT_C64;
    const int first = row->function == DTI_WHERE; /* behind the condition */
    return dti_meta_add_pointwise(operation, shorter ? DT_F32 : computed, shape,
                                  computed, first);
}

dt_status dti_pointwise_meta(dt_operation *operation)
{
    dt_dtype dtype;
    DTI_TRY(dti_promote(operation, &dtype));
    return dti_pointwise_add(operation, dtype);
}

dt_status dti_pointwise_meta_numbers(dt_operation *operation)
{
    dt_dtype dtype;
    DTI_TRY(dti_promote(operation, &dtype));
    return dtype == DT_BOOL ? dti_fail_dtype(operation, dtype)
                            : dti_pointwise_add(operation, dtype);
}

dt_status dti_pointwise_meta_tensors(dt_operation *operation)
{
    dt_dtype dtype;
    DTI_TRY(
        dti_promote_tensors(operation, 0, operation->input_count - 1, &dtype));
    return dti_pointwise_add(operation, dtype);
}

/* ---- Numbers ------------------------------------------------------------- */

/* Tell whether an integer dtype holds a number, without its fraction. */
static bool holds(dt_dtype dtype, dt_number number)
{
    const int bits = 8 * (int)dt_dtype_size(dtype);
    const bool sign = dt_dtype_kind_of(dtype) == DT_KIND_SIGNED;
    const double most = (double)((uint64_t)1 << (bits - sign));
    const double least = sign ? -most : 0;
    const double real = dt_number_real(number);
    if (number.kind != DT_KIND_FLOAT && bits == 64)
        return true;
    return (sign ? real > least - 1 : real >= 0) && real < most;
}

dt_status dti_pointwise_check_numbers(const dt_operation *operation)
{
    const dt_dtype dtype = operation->results[0].dtype;
    const int count = dti_pointwise_inputs(row_of(operation)->function);
    if (!dti_is_integer(dtype))
        return DT_OK;
    for (int i = 0; i < count; i++) {
        const dt_argument *argument = &operation->arguments[i];
        if (argument->kind == DT_ARG_NUMBER &&
            !holds(dtype, argument->as.number))
            return dt_operation_fail(operation, DT_ERR_INVALID,
                                     "%.17g cannot be represented in dtype %s",
                                     dt_number_real(argument->as.number),
                                     dt_dtype_name(dtype));
    }
    return DT_OK;
}

/* ---- Rules --------------------------------------------------------------- */

/*
 * Sums and negatives are monotone "if float": integers wrap around, and the
 * parts of a maximum that are empty are the smallest integer, which does so at
 * once.  (Of floats they are -infinity, which gives NaN beside infinity, as in
 * PyTorch.)
 */
bool dti_pointwise_is_float(dt_dtype dtype)
{
    const dt_dtype_kind kind = dt_dtype_kind_of(dtype);
    return kind == DT_KIND_FLOAT || kind == DT_KIND_COMPLEX;
}

/* ---- Kernels ------------------------------------------------------------- */

dt_status dti_pointwise_run(dt_operation *operation, dti_pointwise function,
                            const dti_pointwise_input *inputs)
{
    const dt_dtype dtype = function == DTI_ABS ? operation->metas[0]->dtype
                                               : operation->results[0].dtype;
    dti_pointwise_apply(function, dtype, inputs, operation->out[0]);
    return DT_OK;
}

dt_status dti_pointwise_run_all(dt_operation *operation, dti_pointwise function)
{
    dti_pointwise_input inputs[DTI_POINTWISE_MOST];
    const int count = dti_pointwise_inputs(function);
    const dt_argument *argument = operation->arguments;
    int tensor = 0;
    for (int i = 0; i < count; argument++) {
        if (argument->kind == DT_ARG_TENSOR)
            inputs[i++] = dti_pointwise_array(operation, tensor++);
        else if (argument->kind == DT_ARG_NUMBER)
            inputs[i++] = dti_pointwise_number(argument->as.number);
        else if (argument->kind == DT_ARG_REAL)
            inputs[i++] = dti_pointwise_number(dt_real(argument->as.real));
    }
    return dti_pointwise_run(operation, function, inputs);
}

dt_status dti_pointwise_kernel(dt_operation *operation)
{
    return dti_pointwise_run_all(operation, row_of(operation)->function);
}

dt_status dti_pointwise_copy(dt_operation *operation)
{
    return dt_array_copy(operation->world, operation->in[0], operation->out[0]);
}

/* ---- Sums and differences ------------------------------------------------ */

/* Bool has no difference, not even with numbers. */
static dt_status check_difference(const dt_operation *operation)
{
    bool truth = false;
    for (int i = 0; i < operation->input_count; i++)
        truth = truth || operation->metas[i]->dtype == DT_BOOL;
    const dt_argument *other = dti_argument(operation, "other");
    truth = truth || (other->kind == DT_ARG_NUMBER &&
                      other->as.number.kind == DT_KIND_BOOLEAN);
    if (truth)
        return dt_operation_fail(
            operation, DT_ERR_UNSUPPORTED,
            "not supported for dtype bool; use logical_not");
    return DT_OK;
}

static dt_status meta_difference(dt_operation *operation)
{
    DTI_TRY(check_difference(operation));
    return dti_pointwise_meta(operation);
}

/* The last argument of these rows, found by its place and not by its name: all
 * of a call of add takes 0.2 us. */
static dt_number alpha_of(const dt_operation *operation)
{
    const dt_argument *last =
        &operation->arguments[operation->schema->count - 1];
    assert(last == dti_argument(operation, "alpha"));
    return last->as.number;
}

/* A factor has to be a number of the kind that is computed with. */
static dt_status check_alpha(const dt_operation *operation)
{
    const dt_dtype_kind alpha = alpha_of(operation).kind;
    const dt_dtype dtype = operation->results[0].dtype;
    const dt_dtype_kind kind = dt_dtype_kind_of(dtype);
    if (alpha == DT_KIND_BOOLEAN && kind != DT_KIND_BOOLEAN)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "alpha is a bool, but the tensors are %s",
                                 dt_dtype_name(dtype));
    if (alpha == DT_KIND_FLOAT && kind != DT_KIND_FLOAT &&
        kind != DT_KIND_COMPLEX)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "alpha is %g, a real number, but the tensors are %s",
            alpha_of(operation).as.real, dt_dtype_name(dtype));
    return DT_OK;
}

static dt_status meta_add(dt_operation *operation)
{
    DTI_TRY(dti_pointwise_meta(operation));
    return check_alpha(operation);
}

static dt_status meta_sub(dt_operation *operation)
{
    DTI_TRY(meta_difference(operation));
    return check_alpha(operation);
}

static dt_number negative(dt_number number)
{
    number.imaginary = -number.imaginary;
    if (number.kind == DT_KIND_FLOAT || number.kind == DT_KIND_COMPLEX)
        number.as.real = -number.as.real;
    else
        number.as.integer = (int64_t)(0 - (uint64_t)number.as.integer);
    return number;
}

/* One operand, and another one times alpha, which is added to the two inputs.
 */
static dt_status run_sum(dt_operation *operation, dti_pointwise_input *inputs)
{
    const dti_pointwise function = dti_pointwise_function(operation);
    const dt_number alpha = alpha_of(operation);
    if (dt_number_is(alpha, 1))
        return dti_pointwise_run(operation, function, inputs);
    inputs[2] =
        dti_pointwise_number(function == DTI_SUB ? negative(alpha) : alpha);
    return dti_pointwise_run(operation, DTI_ADD_SCALED, inputs);
}

/* Set an operand, of which nothing else is read if it is a tensor. */
static void set_operand(const dt_operation *operation, int input,
                        dti_pointwise_input *out)
{
    out->array = input < operation->input_count ? operation->in[input] : NULL;
    if (!out->array)
        out->number = dti_argument_number(operation, "other");
}

static dt_status kernel_sum(dt_operation *operation)
{
    dti_pointwise_input inputs[3];
    set_operand(operation, 0, &inputs[0]);
    set_operand(operation, 1, &inputs[1]);
    return run_sum(operation, inputs);
}

static dt_status kernel_rsub(dt_operation *operation)
{
    dti_pointwise_input inputs[3];
    set_operand(operation, 1, &inputs[0]);
    set_operand(operation, 0, &inputs[1]);
    return run_sum(operation, inputs);
}

static dt_status kernel_rsub_scalar(dt_operation *operation)
{
    dti_pointwise_input inputs[2];
    set_operand(operation, 1, &inputs[0]);
    set_operand(operation, 0, &inputs[1]);
    return dti_pointwise_run(operation, DTI_SUB, inputs);
}

/* ---- One tensor ---------------------------------------------------------- */

/* The squares of bool are numbers. */
static dt_status meta_square(dt_operation *operation)
{
    const dt_dtype dtype = operation->metas[0]->dtype;
    return dti_pointwise_add(operation, dtype == DT_BOOL ? DT_I64 : dtype);
}

static dt_status meta_positive(dt_operation *operation)
{
    DTI_TRY(dti_pointwise_check(operation, operation->metas[0]->dtype));
    return dti_meta_keep_first(operation);
}

/* ---- Three tensors ------------------------------------------------------- */

/* A 0-d weight may be of another dtype, if it is not complex. */
static dt_status meta_lerp(dt_operation *operation)
{
    const dt_dtype dtype = operation->metas[0]->dtype;
    for (int i = 1; i < operation->input_count; i++) {
        const dt_meta *other = operation->metas[i];
        const bool free =
            i == 2 && other->shape.ndim == 0 && other->dtype != DT_C64;
        if (other->dtype != dtype && !free)
            return dt_operation_fail(
                operation, DT_ERR_INVALID,
                "%s is %s but self is %s; the dtypes must be equal",
                i == 1 ? "end" : "weight", dt_dtype_name(other->dtype),
                dt_dtype_name(dtype));
    }
    return dti_pointwise_add(operation, dtype);
}

/* ---- Rows ---------------------------------------------------------------- */

/*
 * Why some rows, here and of other families, say nothing of partial values:
 * log, sqrt, rsqrt and reciprocal grow or fall where they are defined, but
 * parts of a maximum may lie outside, and NaN wins.  So what makes NaN a number
 * says nothing either.  alpha may be negative, so that sums are monotone in
 * self alone.
 */
const dt_op dti_ops_pointwise[] = {
    {
        .schema = "add(Tensor self, Tensor other, *, Number alpha=1) -> Tensor",
        .aten = "add.Tensor",
        .about = "self + alpha * other.",
        .gradient = "self: grad; other: grad * conj(alpha)",
        .rule = "...,...->...",
        .linear = "self + other",
        .monotone = "self if float",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = meta_add,
        .kernel = kernel_sum,
        DTI_FUNCTION(DTI_ADD),
        .samples = "(T[m,n], T[m,n]); (T[m,n], T[n]); (T[m,1], T[3,1,n]); "
                   "(T[], T[m]); (T[m], T[]); (T[m,n], T[m,n], alpha=2)",
    },
    {
        .schema = "sub(Tensor self, Tensor other, *, Number alpha=1) -> Tensor",
        .aten = "sub.Tensor",
        .about = "self - alpha * other.",
        .rule = "...,...->...",
        .linear = "self + other",
        .monotone = "self if float",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = meta_sub,
        .kernel = kernel_sum,
        DTI_FUNCTION(DTI_SUB),
        .gradient = "self: grad; other: grad * -conj(alpha)",
        .samples = "(T[m,n], T[m,n]); (T[m,n], T[n]); (T[m,1], T[3,1,n]); "
                   "(T[], T[m]); (T[m], T[]); (T[m,n], T[m,n], alpha=2)",
        .dtypes = "float int complex",
    },
    {
        .schema =
            "rsub(Tensor self, Tensor other, *, Number alpha=1) -> Tensor",
        .aten = "rsub.Tensor",
        .about = "other - alpha * self.",
        .arguments = "alpha: multiplier of self",
        .rule = "...,...->...",
        .linear = "self + other",
        .monotone = "other if float",
        .flags = DT_OP_OUT,
        .meta = meta_sub,
        .kernel = kernel_rsub,
        DTI_FUNCTION(DTI_SUB),
        .gradient = "self: grad * -conj(alpha); other: grad",
        .samples = "(T[m,n], T[m,n]); (T[m,n], T[n]); (T[m,1], T[3,1,n]); "
                   "(T[], T[m]); (T[m], T[]); (T[m,n], T[m,n], alpha=2)",
        .dtypes = "float int complex",
    },
    {
        .schema = "mul(Tensor self, Tensor other) -> Tensor",
        .aten = "mul.Tensor",
        .about = "self * other.",
        .gradient = "self: grad * conj(other); other: grad * conj(self)",
        DTI_BINARY(DTI_MUL),
        .linear = "self*other",
    },
    {
        .schema = "div(Tensor self, Tensor other) -> Tensor",
        .aten = "div.Tensor",
        .about = "self / other; the quotient of integers is f32.",
        .rule = "...,...->...",
        .linear = "self",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        DTI_POINTWISE_OF_FLOATS(DTI_DIV),
        .gradient =
            "self: grad / conj(other); other: -grad * conj(result / other)",
        .samples = "(T[m,n], T[m,n]>0); (T[m,n], T[n]); (T[m,1], T[3,1,n]); "
                   "(T[], T[m]); (T[m], T[])",
    },
    {
        .schema = "add_scalar(Tensor self, Number other, *, Number alpha=1) -> "
                  "Tensor",
        .aten = "add.Scalar",
        .about = "self + alpha * other, with a number.",
        .rule = "...->...",
        .linear = "self + other",
        .monotone = "self if float",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = meta_add,
        .kernel = kernel_sum,
        DTI_FUNCTION(DTI_ADD),
        .gradient = "self: grad",
        .samples = "(T[m,n], 2); (T[m], 3); (T[], 2); (T[m,n], 2, alpha=3)",
    },
    {
        .schema = "sub_scalar(Tensor self, Number other, *, Number alpha=1) -> "
                  "Tensor",
        .aten = "sub.Scalar",
        .about = "self - alpha * other, with a number.",
        .rule = "...->...",
        .linear = "self + other",
        .monotone = "self if float",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = meta_sub,
        .kernel = kernel_sum,
        DTI_FUNCTION(DTI_SUB),
        .gradient = "self: grad",
        .samples = "(T[m,n], 2); (T[m], 3); (T[], 2); (T[m,n], 2, alpha=3)",
        .dtypes = "float int complex",
    },
    {
        .schema = "rsub_scalar(Tensor self, Number other) -> Tensor",
        .aten = "rsub.Scalar",
        .about = "other - self, with a number.",
        .rule = "...->...",
        .linear = "self + other",
        .monotone = "-self if float",
        .flags = DT_OP_OUT,
        .meta = meta_difference,
        .kernel = kernel_rsub_scalar,
        DTI_FUNCTION(DTI_SUB),
        .gradient = "self: -grad",
        .samples = DTI_SAMPLES_NUMBER,
        .dtypes = "float int complex",
    },
    {
        .schema = "mul_scalar(Tensor self, Number other) -> Tensor",
        .aten = "mul.Scalar",
        .about = "self * other, with a number.",
        .rule = "...->...",
        .linear = "self",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        DTI_POINTWISE(DTI_MUL),
        .gradient = "self: grad * conj(other)",
        .samples = "(T[m,n], 2); (T[m], 3); (T[], 2); (T[m], 2.5)",
    },
    {
        .schema = "div_scalar(Tensor self, Number other) -> Tensor",
        .aten = "div.Scalar",
        .about =
            "self / other, with a number; the quotient of integers is f32.",
        .rule = "...->...",
        .linear = "self",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        DTI_POINTWISE_OF_FLOATS(DTI_DIV),
        .gradient = "self: grad / conj(other)",
        .samples = "(T[m,n], 2); (T[m], 3); (T[], 2); (T[m], 2.5)",
    },
    {
        .schema = "neg(Tensor self) -> Tensor",
        .about = "-x.",
        DTI_UNARY(DTI_NEG),
        .linear = "self",
        .monotone = "-self if float",
        .gradient = "self: -grad",
        .dtypes = "float int complex",
    },
    {
        .schema = "positive(Tensor self) -> Tensor",
        .about = "Return a copy; not supported for bool.",
        .rule = "...->...",
        .permutes = "self",
        .meta = meta_positive,
        .kernel = dti_pointwise_copy,
        DTI_FUNCTION(DTI_NEG),
        .gradient = "self: grad",
        .samples = DTI_SAMPLES_OF_ONE,
        .dtypes = "float int complex",
    },
    {
        .schema = "abs(Tensor self) -> Tensor",
        .about = "Absolute value.",
        DTI_UNARY(DTI_ABS),
        .gradient = "self: grad * sgn(self)",
        .dtypes = "float int complex",
    },
    {
        .schema = "reciprocal(Tensor self) -> Tensor",
        .about = "1 / x.",
        .rule = "...->...",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        DTI_POINTWISE_OF_FLOATS(DTI_RECIPROCAL),
        .gradient = "self: -grad * conj(result * result)",
        .samples = DTI_SAMPLES_POSITIVE,
    },
    {
        .schema = "square(Tensor self) -> Tensor",
        .about = "x^2.",
        .rule = "...->...",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = meta_square,
        .kernel = dti_pointwise_kernel,
        DTI_FUNCTION(DTI_SQUARE),
        .gradient = "self: grad * conj(2 * self)",
        .samples = DTI_SAMPLES_OF_ONE,
    },
    {
        .schema = "lerp(Tensor self, Tensor end, Tensor weight) -> Tensor",
        .aten = "lerp.Tensor",
        .about = "self + weight * (end - self), with a tensor weight.",
        .rule = "...,...,...->...",
        .linear = "self given weight + end given weight",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = meta_lerp,
        .kernel = dti_pointwise_kernel,
        DTI_FUNCTION(DTI_LERP),
        .gradient = "self: grad * conj(1 - weight); end: grad * conj(weight); "
                    "weight: grad * conj(end - self)",
        .samples = "(T[m,n], T[m,n], T[m,n]); (T[m,n], T[n], T[]); (T[m,1], "
                   "T[3,1,n], T[n])",
        .dtypes = "float complex",
    },
    {
        .schema =
            "lerp_scalar(Tensor self, Tensor end, Number weight) -> Tensor",
        .aten = "lerp.Scalar",
        .about = "self + weight * (end - self).",
        .rule = "...,...->...",
        .linear = "self + end",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = meta_lerp,
        .kernel = dti_pointwise_kernel,
        DTI_FUNCTION(DTI_LERP_NUMBER),
        .gradient = "self: grad * conj(1 - weight); end: grad * conj(weight)",
        .samples = "(T[m,n], T[m,n], 0.25); (T[m,n], T[n], 0.75); (T[m,1], "
                   "T[3,1,n], 2); (T[], T[m], -1)",
        .dtypes = "float complex",
    },
    {
        .schema = "addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, "
                  "Number value=1) -> Tensor",
        .about = "self + value * tensor1 * tensor2.",
        .arguments = "value: multiplier of the product",
        .rule = "...,...,...->...",
        .linear = "self + tensor1*tensor2",
        .monotone = "self if float",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .check = dti_pointwise_check_numbers,
        DTI_POINTWISE(DTI_ADDCMUL),
        .gradient =
            "self: grad; tensor1: grad * conj(tensor2 * value); tensor2: "
            "grad * conj(tensor1 * value)",
        .samples = "(T[m,n], T[m,n], T[m,n]); (T[m,n], T[n], T[]); (T[m,1], "
                   "T[3,1,n], T[n], value=2); (T[], T[m], T[m], value=3)",
        .dtypes = "float int complex",
    },
    {
        .schema = "addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, "
                  "Number value=1) -> Tensor",
        .about = "self + value * tensor1 / tensor2; not supported if all are "
                 "integers.",
        .arguments = "value: multiplier of the quotient",
        .rule = "...,...,...->...",
        .linear = "self + tensor1 given tensor2",
        .monotone = "self if float",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        DTI_POINTWISE(DTI_ADDCDIV),
        .gradient =
            "self: grad; tensor1: grad * conj(value) / conj(tensor2); "
            "tensor2: -grad * conj(value * tensor1 / (tensor2 * tensor2))",
        .samples = "(T[m,n], T[m,n], T[m,n]>0); (T[m,n], T[n], T[]); (T[m,1], "
                   "T[3,1,n], T[n], value=2); (T[], T[m], T[m], value=3)",
        .dtypes = "float complex",
    },
    {0},
};
