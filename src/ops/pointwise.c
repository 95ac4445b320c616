/* ops/pointwise.c - operators that work element by element. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/error.h"
#include "kernel/pointwise.h"
#include "op/meta.h"
#include "ops/tables.h"

/* ---- What the rows are --------------------------------------------------- */

typedef enum row_number {
    ROW_ADD,
    ROW_SUB,
    ROW_MUL,
    ROW_DIV,
    ROW_ADD_SCALAR,
    ROW_SUB_SCALAR,
    ROW_MUL_SCALAR,
    ROW_DIV_SCALAR,
    ROW_RSUB_SCALAR,
    ROW_POW_SCALAR,
    ROW_MAXIMUM,
    ROW_MINIMUM,
    ROW_NEG,
    ROW_ABS,
    ROW_RECIPROCAL,
    ROW_EXP,
    ROW_LOG,
    ROW_SQRT,
    ROW_RSQRT,
    ROW_SQUARE,
    ROW_TANH,
    ROW_SIGMOID,
    ROW_SILU,
    ROW_GELU,
    ROW_RELU,
    ROW_WHERE,
    ROW_COUNT
} row_number;

/* What becomes of the promoted dtype before anything is computed. */
typedef enum conversion {
    AS_IT_IS,
    TO_FLOAT /* integers and bool become f32 */
} conversion;

typedef struct facts {
    dti_pointwise function;
    conversion conversion;
} facts;

static const facts all_facts[ROW_COUNT] = {
    [ROW_ADD] = {DTI_ADD, AS_IT_IS},
    [ROW_SUB] = {DTI_SUB, AS_IT_IS},
    [ROW_MUL] = {DTI_MUL, AS_IT_IS},
    [ROW_DIV] = {DTI_DIV, TO_FLOAT},
    [ROW_ADD_SCALAR] = {DTI_ADD, AS_IT_IS},
    [ROW_SUB_SCALAR] = {DTI_SUB, AS_IT_IS},
    [ROW_MUL_SCALAR] = {DTI_MUL, AS_IT_IS},
    [ROW_DIV_SCALAR] = {DTI_DIV, TO_FLOAT},
    [ROW_RSUB_SCALAR] = {DTI_SUB, AS_IT_IS},
    [ROW_POW_SCALAR] = {DTI_POW, AS_IT_IS},
    [ROW_MAXIMUM] = {DTI_MAXIMUM, AS_IT_IS},
    [ROW_MINIMUM] = {DTI_MINIMUM, AS_IT_IS},
    [ROW_NEG] = {DTI_NEG, AS_IT_IS},
    [ROW_ABS] = {DTI_ABS, AS_IT_IS},
    [ROW_RECIPROCAL] = {DTI_RECIPROCAL, TO_FLOAT},
    [ROW_EXP] = {DTI_EXP, TO_FLOAT},
    [ROW_LOG] = {DTI_LOG, TO_FLOAT},
    [ROW_SQRT] = {DTI_SQRT, TO_FLOAT},
    [ROW_RSQRT] = {DTI_RSQRT, TO_FLOAT},
    [ROW_SQUARE] = {DTI_MUL, AS_IT_IS},
    [ROW_TANH] = {DTI_TANH, TO_FLOAT},
    [ROW_SIGMOID] = {DTI_SIGMOID, TO_FLOAT},
    [ROW_SILU] = {DTI_SILU, AS_IT_IS},
    [ROW_GELU] = {DTI_GELU, AS_IT_IS},
    [ROW_RELU] = {DTI_RELU, AS_IT_IS},
    [ROW_WHERE] = {DTI_WHERE, AS_IT_IS},
};

extern const dt_op dti_ops_pointwise[];

static row_number row_of(const dt_operation *operation)
{
    return (row_number)(operation->op - dti_ops_pointwise);
}

/* ---- Results ------------------------------------------------------------- */

static dt_status check_dtype(const dt_operation *operation, dt_dtype dtype)
{
    if (dti_pointwise_supports(all_facts[row_of(operation)].function, dtype))
        return DT_OK;
    return dt_operation_fail(operation, DT_ERR_UNSUPPORTED,
                             "not defined for %s", dt_dtype_name(dtype));
}

static dt_dtype converted(const dt_operation *operation, dt_dtype dtype)
{
    return all_facts[row_of(operation)].conversion == TO_FLOAT
               ? dti_promote_float(dtype)
               : dtype;
}

/* The result of a function whose operands are promoted to a dtype. */
static dt_status add_result(dt_operation *operation, dt_dtype dtype)
{
    const dti_pointwise function = all_facts[row_of(operation)].function;
    const dt_dtype computed = converted(operation, dtype);
    dt_shape shape;
    DTI_TRY(check_dtype(operation, computed));
    DTI_TRY(
        dti_meta_broadcast(operation, 0, operation->input_count - 1, &shape));
    const bool shorter = function == DTI_ABS && computed == DT_C64;
    return dti_meta_add(operation, shorter ? DT_F32 : computed, shape);
}

static dt_status meta(dt_operation *operation)
{
    dt_dtype dtype;
    DTI_TRY(dti_promote(operation, &dtype));
    return add_result(operation, dtype);
}

/* The squares of bool are numbers. */
static dt_status meta_square(dt_operation *operation)
{
    const dt_dtype dtype = operation->metas[0]->dtype;
    return add_result(operation, dtype == DT_BOOL ? DT_I64 : dtype);
}

static dt_status meta_gelu(dt_operation *operation)
{
    const char *text = operation->arguments[1].as.text;
    if (!text || (strcmp(text, "none") != 0 && strcmp(text, "tanh") != 0))
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "approximate is \"%s\"; it may be \"none\" or "
                                 "\"tanh\"",
                                 text ? text : "");
    return meta(operation);
}

static dt_status meta_where(dt_operation *operation)
{
    dt_dtype dtype;
    const dt_dtype condition = operation->metas[0]->dtype;
    if (condition != DT_BOOL)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "condition is %s; it should be bool",
                                 dt_dtype_name(condition));
    DTI_TRY(dti_promote_tensors(operation, 1, 2, &dtype));
    return add_result(operation, dtype);
}

/* Bool has no difference, not even with numbers. */
static dt_status check_difference(const dt_operation *operation)
{
    bool truth = false;
    for (int i = 0; i < operation->input_count; i++)
        truth = truth || operation->metas[i]->dtype == DT_BOOL;
    const dt_argument *other = &operation->arguments[1];
    truth = truth || (other->kind == DT_ARG_NUMBER &&
                      other->as.number.kind == DT_KIND_BOOLEAN);
    if (truth)
        return dt_operation_fail(operation, DT_ERR_UNSUPPORTED,
                                 "not defined for bool; see logical_not");
    return DT_OK;
}

static dt_status meta_difference(dt_operation *operation)
{
    DTI_TRY(check_difference(operation));
    return meta(operation);
}

/* A factor has to be a number of the kind that is computed with. */
static dt_status check_alpha(const dt_operation *operation)
{
    const dt_dtype_kind alpha = operation->arguments[2].as.number.kind;
    const dt_dtype dtype = operation->results[0].dtype;
    const dt_dtype_kind kind = dt_dtype_kind_of(dtype);
    if (alpha == DT_KIND_BOOLEAN && kind != DT_KIND_BOOLEAN)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "alpha is a truth value beside %s",
                                 dt_dtype_name(dtype));
    if (alpha == DT_KIND_FLOAT && kind != DT_KIND_FLOAT &&
        kind != DT_KIND_COMPLEX)
        return dt_operation_fail(
            operation, DT_ERR_INVALID, "alpha is %g, a real number beside %s",
            operation->arguments[2].as.number.as.real, dt_dtype_name(dtype));
    return DT_OK;
}

static dt_status meta_add(dt_operation *operation)
{
    DTI_TRY(meta(operation));
    return check_alpha(operation);
}

static dt_status meta_sub(dt_operation *operation)
{
    DTI_TRY(meta_difference(operation));
    return check_alpha(operation);
}

/* ---- Rules --------------------------------------------------------------- */

/*
 * What rows say of partial values holds but for the following, which is why
 * some have a function beside their rule.
 *
 * Linear: integers and bool that are converted.  Parts of a sum wrap around, or
 * are or-ed if they are bool, which the sum of converted parts does not.
 *
 * Monotone: sums and negatives of integers.  They wrap around, and the parts of
 * a maximum that are empty are the smallest integer, which does so at once. (Of
 * floats they are -infinity, which gives NaN beside infinity, as in PyTorch.)
 *
 * Moves: as linear.
 */
static bool is_float(dt_dtype dtype)
{
    const dt_dtype_kind kind = dt_dtype_kind_of(dtype);
    return kind == DT_KIND_FLOAT || kind == DT_KIND_COMPLEX;
}

/* Tell whether integers or bool, from a tensor on, become something else. */
static bool converts(const dt_operation *operation, int first)
{
    const dt_dtype result = operation->results[0].dtype;
    for (int i = first; i < operation->input_count; i++) {
        const dt_dtype dtype = operation->metas[i]->dtype;
        if (!is_float(dtype) && dtype != result)
            return true;
    }
    return false;
}

static dt_status factors(const dt_operation *operation, dt_factors *out)
{
    out->no_linear = converts(operation, 0);
    out->no_monotone = !is_float(operation->results[0].dtype);
    return DT_OK;
}

static dt_status factors_where(const dt_operation *operation, dt_factors *out)
{
    out->no_moves = converts(operation, 1);
    return DT_OK;
}

/* ---- Kernels ------------------------------------------------------------- */

static dti_pointwise_input array_input(const dt_operation *operation, int index)
{
    return (dti_pointwise_input){.array = operation->in[index]};
}

static dti_pointwise_input number_input(dt_number number)
{
    return (dti_pointwise_input){.array = NULL, .number = number};
}

/* What is computed has the dtype of the result, but absolute values. */
static dt_status apply(dt_operation *operation, dti_pointwise function,
                       const dti_pointwise_input *inputs)
{
    const dt_dtype dtype = function == DTI_ABS ? operation->metas[0]->dtype
                                               : operation->results[0].dtype;
    dti_pointwise_apply(function, dtype, inputs, operation->out[0]);
    return DT_OK;
}

static dt_status kernel(dt_operation *operation)
{
    dti_pointwise_input inputs[3];
    for (int i = 0; i < operation->input_count; i++)
        inputs[i] = array_input(operation, i);
    return apply(operation, all_facts[row_of(operation)].function, inputs);
}

static dt_status kernel_scalar(dt_operation *operation)
{
    const dti_pointwise_input inputs[] = {
        array_input(operation, 0),
        number_input(operation->arguments[1].as.number)};
    return apply(operation, all_facts[row_of(operation)].function, inputs);
}

static dt_status kernel_rsub(dt_operation *operation)
{
    const dti_pointwise_input inputs[] = {
        number_input(operation->arguments[1].as.number),
        array_input(operation, 0)};
    return apply(operation, DTI_SUB, inputs);
}

static dt_status kernel_square(dt_operation *operation)
{
    const dti_pointwise_input inputs[] = {array_input(operation, 0),
                                          array_input(operation, 0)};
    return apply(operation, DTI_MUL, inputs);
}

static dt_number negative(dt_number number)
{
    if (number.kind == DT_KIND_FLOAT)
        number.as.real = -number.as.real;
    else
        number.as.integer = (int64_t)(0 - (uint64_t)number.as.integer);
    return number;
}

/* Sums and differences: the second operand, a tensor or a number, times alpha.
 */
static dt_status kernel_sum(dt_operation *operation)
{
    const dti_pointwise function = all_facts[row_of(operation)].function;
    const dt_number alpha = operation->arguments[2].as.number;
    const dti_pointwise_input inputs[] = {
        array_input(operation, 0),
        operation->input_count == 2
            ? array_input(operation, 1)
            : number_input(operation->arguments[1].as.number),
        number_input(function == DTI_SUB ? negative(alpha) : alpha)};
    const bool plain = alpha.kind == DT_KIND_FLOAT ? alpha.as.real == 1
                                                   : alpha.as.integer == 1;
    return apply(operation, plain ? function : DTI_ADD_SCALED, inputs);
}

/* Looked at in every call: values of numbers do not decide. */
static dt_status check_exponent(const dt_operation *operation)
{
    const dt_number exponent = operation->arguments[1].as.number;
    if (is_float(operation->results[0].dtype) ||
        exponent.kind == DT_KIND_BOOLEAN || exponent.as.integer >= 0)
        return DT_OK;
    return dt_operation_fail(
        operation, DT_ERR_INVALID,
        "exponent is %lld, self is %s; integers have no negative powers",
        (long long)exponent.as.integer,
        dt_dtype_name(operation->metas[0]->dtype));
}

/* Some powers have functions of their own, which PyTorch takes too: it matters
 * for infinities. */
static dt_status kernel_pow(dt_operation *operation)
{
    const dt_number exponent = operation->arguments[1].as.number;
    const double real = dt_number_real(exponent);
    const dti_pointwise_input inputs[] = {array_input(operation, 0),
                                          number_input(exponent)};
    const dti_pointwise_input twice[] = {inputs[0], inputs[0]};
    if (real == 2 && operation->results[0].dtype != DT_BOOL)
        return apply(operation, DTI_MUL, twice);
    if (is_float(operation->results[0].dtype)) {
        if (real == 0.5)
            return apply(operation, DTI_SQRT, inputs);
        if (real == -0.5)
            return apply(operation, DTI_RSQRT, inputs);
        if (real == -1)
            return apply(operation, DTI_RECIPROCAL, inputs);
    }
    return apply(operation, DTI_POW, inputs);
}

static dt_status kernel_gelu(dt_operation *operation)
{
    const dti_pointwise_input input = array_input(operation, 0);
    const bool rough = strcmp(operation->arguments[1].as.text, "tanh") == 0;
    return apply(operation, rough ? DTI_GELU_TANH : DTI_GELU, &input);
}

/* ---- Rows ---------------------------------------------------------------- */

/*
 * Why some rows say nothing of partial values: log, sqrt, rsqrt and reciprocal
 * grow or fall where they are defined, but parts of a maximum may lie outside,
 * and NaN wins.  alpha may be negative, so that sums are monotone in self
 * alone. Comparisons make NaN a truth value.
 */
const dt_op dti_ops_pointwise[] = {
    [ROW_ADD] =
        {
            .schema =
                "add(Tensor self, Tensor other, *, Number alpha=1) -> Tensor",
            .aten = "add.Tensor",
            .about = "Add a second tensor, multiplied by alpha.",
            .rule = "...,...->...",
            .linear = "self + other",
            .monotone = "self",
            .flags = DT_OP_IN_PLACE | DT_OP_OUT,
            .meta = meta_add,
            .factors = factors,
            .kernel = kernel_sum,
            .samples = "(T[m,n], T[m,n]); (T[m,n], T[n]); (T[m,1], T[3,1,n]); "
                       "(T[], T[m]); (T[m], T[]); (T[m,n], T[m,n], alpha=2)",
        },
    [ROW_SUB] =
        {
            .schema =
                "sub(Tensor self, Tensor other, *, Number alpha=1) -> Tensor",
            .aten = "sub.Tensor",
            .about = "Subtract a second tensor, multiplied by alpha.",
            .rule = "...,...->...",
            .linear = "self + other",
            .monotone = "self",
            .flags = DT_OP_IN_PLACE | DT_OP_OUT,
            .meta = meta_sub,
            .factors = factors,
            .kernel = kernel_sum,
            .samples = "(T[m,n], T[m,n]); (T[m,n], T[n]); (T[m,1], T[3,1,n]); "
                       "(T[], T[m]); (T[m], T[]); (T[m,n], T[m,n], alpha=2)",
            .dtypes = "float int complex",
        },
    [ROW_MUL] =
        {
            .schema = "mul(Tensor self, Tensor other) -> Tensor",
            .aten = "mul.Tensor",
            .about = "Multiply two tensors.",
            .rule = "...,...->...",
            .linear = "self*other",
            .flags = DT_OP_IN_PLACE | DT_OP_OUT,
            .meta = meta,
            .factors = factors,
            .kernel = kernel,
            .samples = "(T[m,n], T[m,n]); (T[m,n], T[n]); (T[m,1], T[3,1,n]); "
                       "(T[], T[m]); (T[m], T[])",
        },
    [ROW_DIV] =
        {
            .schema = "div(Tensor self, Tensor other) -> Tensor",
            .aten = "div.Tensor",
            .about = "Divide by a second tensor; integers give f32.",
            .rule = "...,...->...",
            .linear = "self",
            .flags = DT_OP_IN_PLACE | DT_OP_OUT,
            .meta = meta,
            .factors = factors,
            .kernel = kernel,
            .samples = "(T[m,n], T[m,n]>0); (T[m,n], T[n]); (T[m,1], "
                       "T[3,1,n]); (T[], T[m]); (T[m], T[])",
        },
    [ROW_ADD_SCALAR] =
        {
            .schema = "add_scalar(Tensor self, Number other, *, Number "
                      "alpha=1) -> Tensor",
            .aten = "add.Scalar",
            .about = "Add a number, multiplied by alpha.",
            .rule = "...->...",
            .linear = "self + other",
            .monotone = "self",
            .flags = DT_OP_IN_PLACE | DT_OP_OUT,
            .meta = meta_add,
            .factors = factors,
            .kernel = kernel_sum,
            .samples = "(T[m,n], 2); (T[m], 3); (T[], 2); (T[m,n], 2, alpha=3)",
        },
    [ROW_SUB_SCALAR] =
        {
            .schema = "sub_scalar(Tensor self, Number other, *, Number "
                      "alpha=1) -> Tensor",
            .aten = "sub.Scalar",
            .about = "Subtract a number, multiplied by alpha.",
            .rule = "...->...",
            .linear = "self + other",
            .monotone = "self",
            .flags = DT_OP_IN_PLACE | DT_OP_OUT,
            .meta = meta_sub,
            .factors = factors,
            .kernel = kernel_sum,
            .samples = "(T[m,n], 2); (T[m], 3); (T[], 2); (T[m,n], 2, alpha=3)",
            .dtypes = "float int complex",
        },
    [ROW_MUL_SCALAR] =
        {
            .schema = "mul_scalar(Tensor self, Number other) -> Tensor",
            .aten = "mul.Scalar",
            .about = "Multiply by a number.",
            .rule = "...->...",
            .linear = "self",
            .flags = DT_OP_IN_PLACE | DT_OP_OUT,
            .meta = meta,
            .factors = factors,
            .kernel = kernel_scalar,
            .samples = "(T[m,n], 2); (T[m], 3); (T[], 2); (T[m], 2.5)",
        },
    [ROW_DIV_SCALAR] =
        {
            .schema = "div_scalar(Tensor self, Number other) -> Tensor",
            .aten = "div.Scalar",
            .about = "Divide by a number; integers give f32.",
            .rule = "...->...",
            .linear = "self",
            .flags = DT_OP_IN_PLACE | DT_OP_OUT,
            .meta = meta,
            .factors = factors,
            .kernel = kernel_scalar,
            .samples = "(T[m,n], 2); (T[m], 3); (T[], 2); (T[m], 2.5)",
        },
    [ROW_RSUB_SCALAR] =
        {
            .schema = "rsub_scalar(Tensor self, Number other) -> Tensor",
            .aten = "rsub.Scalar",
            .about = "Subtract from a number.",
            .rule = "...->...",
            .linear = "self + other",
            .monotone = "-self",
            .flags = DT_OP_OUT,
            .meta = meta_difference,
            .factors = factors,
            .kernel = kernel_rsub,
            .samples = "(T[m,n], 2); (T[m], 3); (T[], 2)",
            .dtypes = "float int complex",
        },
    [ROW_POW_SCALAR] =
        {
            .schema = "pow_scalar(Tensor self, Number exponent) -> Tensor",
            .aten = "pow.Tensor_Scalar",
            .about = "Raise to a power; integers not to a negative integer.",
            .rule = "...->...",
            .flags = DT_OP_IN_PLACE | DT_OP_OUT,
            .meta = meta,
            .check = check_exponent,
            .kernel = kernel_pow,
            .samples = "(T[m,n], 2); (T[m], 3); (T[], 0); (T[m,n], 1)",
        },
    [ROW_MAXIMUM] =
        {
            .schema = "maximum(Tensor self, Tensor other) -> Tensor",
            .aten = "maximum",
            .about = "The larger of two elements; NaN if one is.",
            .rule = "...,...->...",
            .monotone = "self other",
            .flags = DT_OP_OUT,
            .meta = meta,
            .kernel = kernel,
            .samples = "(T[m,n], T[m,n]); (T[m,n], T[n]); (T[m,1], T[3,1,n]); "
                       "(T[], T[m]); (T[m], T[])",
            .dtypes = "float int bool",
        },
    [ROW_MINIMUM] =
        {
            .schema = "minimum(Tensor self, Tensor other) -> Tensor",
            .aten = "minimum",
            .about = "The smaller of two elements; NaN if one is.",
            .rule = "...,...->...",
            .monotone = "self other",
            .flags = DT_OP_OUT,
            .meta = meta,
            .kernel = kernel,
            .samples = "(T[m,n], T[m,n]); (T[m,n], T[n]); (T[m,1], T[3,1,n]); "
                       "(T[], T[m]); (T[m], T[])",
            .dtypes = "float int bool",
        },
    [ROW_NEG] =
        {
            .schema = "neg(Tensor self) -> Tensor",
            .aten = "neg",
            .about = "Change the sign.",
            .rule = "...->...",
            .linear = "self",
            .monotone = "-self",
            .flags = DT_OP_IN_PLACE | DT_OP_OUT,
            .meta = meta,
            .factors = factors,
            .kernel = kernel,
            .samples = "(T[m,n]); (T[m,3,n]); (T[])",
            .dtypes = "float int complex",
        },
    [ROW_ABS] =
        {
            .schema = "abs(Tensor self) -> Tensor",
            .aten = "abs",
            .about =
                "Leave out the sign; of complex numbers, the absolute value.",
            .rule = "...->...",
            .flags = DT_OP_IN_PLACE | DT_OP_OUT,
            .meta = meta,
            .kernel = kernel,
            .samples = "(T[m,n]); (T[m,3,n]); (T[])",
            .dtypes = "float int complex",
        },
    [ROW_RECIPROCAL] =
        {
            .schema = "reciprocal(Tensor self) -> Tensor",
            .aten = "reciprocal",
            .about = "Divide 1 by the elements.",
            .rule = "...->...",
            .flags = DT_OP_IN_PLACE | DT_OP_OUT,
            .meta = meta,
            .kernel = kernel,
            .samples = "(T[m,n]>0); (T[m]>0); (T[]>0)",
        },
    [ROW_EXP] =
        {
            .schema = "exp(Tensor self) -> Tensor",
            .aten = "exp",
            .about = "The exponential function.",
            .rule = "...->...",
            .monotone = "self",
            .flags = DT_OP_IN_PLACE | DT_OP_OUT,
            .meta = meta,
            .kernel = kernel,
            .samples = "(T[m,n]); (T[m,3,n]); (T[])",
        },
    [ROW_LOG] =
        {
            .schema = "log(Tensor self) -> Tensor",
            .aten = "log",
            .about = "The natural logarithm.",
            .rule = "...->...",
            .flags = DT_OP_IN_PLACE | DT_OP_OUT,
            .meta = meta,
            .kernel = kernel,
            .samples = "(T[m,n]>0); (T[m]>0); (T[]>0)",
        },
    [ROW_SQRT] =
        {
            .schema = "sqrt(Tensor self) -> Tensor",
            .aten = "sqrt",
            .about = "The square root.",
            .rule = "...->...",
            .flags = DT_OP_IN_PLACE | DT_OP_OUT,
            .meta = meta,
            .kernel = kernel,
            .samples = "(T[m,n]>0); (T[m]>0); (T[]>0)",
        },
    [ROW_RSQRT] =
        {
            .schema = "rsqrt(Tensor self) -> Tensor",
            .aten = "rsqrt",
            .about = "Divide 1 by the square root.",
            .rule = "...->...",
            .flags = DT_OP_IN_PLACE | DT_OP_OUT,
            .meta = meta,
            .kernel = kernel,
            .samples = "(T[m,n]>0); (T[m]>0); (T[]>0)",
        },
    [ROW_SQUARE] =
        {
            .schema = "square(Tensor self) -> Tensor",
            .aten = "square",
            .about = "Multiply elements by themselves.",
            .rule = "...->...",
            .flags = DT_OP_IN_PLACE | DT_OP_OUT,
            .meta = meta_square,
            .kernel = kernel_square,
            .samples = "(T[m,n]); (T[m,3,n]); (T[])",
        },
    [ROW_TANH] =
        {
            .schema = "tanh(Tensor self) -> Tensor",
            .aten = "tanh",
            .about = "The hyperbolic tangent.",
            .rule = "...->...",
            .monotone = "self",
            .flags = DT_OP_IN_PLACE | DT_OP_OUT,
            .meta = meta,
            .kernel = kernel,
            .samples = "(T[m,n]); (T[m,3,n]); (T[])",
        },
    [ROW_SIGMOID] =
        {
            .schema = "sigmoid(Tensor self) -> Tensor",
            .aten = "sigmoid",
            .about = "The logistic function, 1 / (1 + exp(-x)).",
            .rule = "...->...",
            .monotone = "self",
            .flags = DT_OP_IN_PLACE | DT_OP_OUT,
            .meta = meta,
            .kernel = kernel,
            .samples = "(T[m,n]); (T[m,3,n]); (T[])",
        },
    [ROW_SILU] =
        {
            .schema = "silu(Tensor self) -> Tensor",
            .aten = "silu",
            .about = "x / (1 + exp(-x)).",
            .rule = "...->...",
            .flags = DT_OP_IN_PLACE | DT_OP_OUT,
            .meta = meta,
            .kernel = kernel,
            .samples = "(T[m,n]); (T[m,3,n]); (T[])",
            .dtypes = "float complex",
        },
    [ROW_GELU] =
        {
            .schema =
                "gelu(Tensor self, *, Text approximate=\"none\") -> Tensor",
            .aten = "gelu",
            .about = "x times the normal distribution function; \"tanh\" "
                     "approximates it.",
            .rule = "...->...",
            .flags = DT_OP_IN_PLACE | DT_OP_OUT,
            .meta = meta_gelu,
            .kernel = kernel_gelu,
            .samples =
                "(T[m,n]); (T[m,3,n]); (T[]); (T[m,n], approximate=\"tanh\")",
            .dtypes = "float",
        },
    [ROW_RELU] =
        {
            .schema = "relu(Tensor self) -> Tensor",
            .aten = "relu",
            .about = "Replace negative elements by 0.",
            .rule = "...->...",
            .monotone = "self",
            .flags = DT_OP_IN_PLACE | DT_OP_OUT,
            .meta = meta,
            .kernel = kernel,
            .samples = "(T[m,n]); (T[m,3,n]); (T[])",
            .dtypes = "float int",
        },
    [ROW_WHERE] =
        {
            .schema =
                "where(Tensor condition, Tensor self, Tensor other) -> Tensor",
            .aten = "where.self",
            .about = "Take elements from self where the condition holds, from "
                     "other elsewhere.",
            .rule = "...,...,...->...",
            .moves = "self other",
            .flags = DT_OP_OUT,
            .meta = meta_where,
            .factors = factors_where,
            .kernel = kernel,
            .samples = "(bool[m,n], T[m,n], T[m,n]); (bool[m,1], T[n], "
                       "T[m,n]); (bool[], T[m], T[]); (bool[m], T[], T[m])",
        },
    [ROW_COUNT] = {0},
};
