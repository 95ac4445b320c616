/* ops/math/compare.c - operators whose results are truth values. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/error.h"
#include "op/meta.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/tables.h"
#include "ops/math/pointwise.h"

/* ---- Results ------------------------------------------------------------- */

static dt_status meta_compare(dt_operation *operation)
{
    dt_dtype dtype;
    DTI_TRY(dti_promote(operation, &dtype));
    DTI_TRY(dti_pointwise_check(operation, dtype));
    return dti_meta_compare(operation);
}

/* Any two dtypes will do: both become bool. */
static dt_status meta_logical(dt_operation *operation)
{
    dt_shape shape;
    dt_dtype both = operation->metas[0]->dtype;
    if (operation->input_count == 2)
        both = dti_promote_types(both, operation->metas[1]->dtype);
    DTI_TRY(
        dti_meta_broadcast(operation, 0, operation->input_count - 1, &shape));
    return dti_meta_add_pointwise(operation, DT_BOOL, shape, both, 0);
}

/* ---- Kernels ------------------------------------------------------------- */

static dt_status apply(dt_operation *operation, dt_dtype dtype)
{
    dti_pointwise_input inputs[2] = {{0}};
    for (int i = 0; i < operation->input_count; i++)
        inputs[i].array = operation->in[i];
    dti_pointwise_apply(dti_pointwise_function(operation), dtype, inputs,
                        operation->out[0]);
    return DT_OK;
}

static dt_status kernel(dt_operation *operation)
{
    dt_dtype dtype = operation->metas[0]->dtype;
    if (operation->metas[1]->dtype != dtype)
        DTI_TRY(dti_promote_tensors(operation, 0, 1, &dtype));
    return apply(operation, dtype);
}

static dt_status kernel_one(dt_operation *operation)
{
    return apply(operation, operation->metas[0]->dtype);
}

static dt_status kernel_finite(dt_operation *operation)
{
    if (dti_pointwise_is_float(operation->metas[0]->dtype))
        return kernel_one(operation);
    const bool truth = dti_pointwise_function(operation) == DTI_IS_FINITE;
    return dt_array_fill(operation->world, operation->out[0], truth);
}

static dt_status kernel_scalar(dt_operation *operation)
{
    const dt_number number = dti_argument_number(operation, "other");
    const dti_pointwise_input inputs[] = {{.array = operation->in[0]},
                                          {.number = number}};
    const dt_dtype dtype =
        dti_promote_number(operation->metas[0]->dtype, number);
    dti_pointwise_apply(dti_pointwise_function(operation), dtype, inputs,
                        operation->out[0]);
    return DT_OK;
}

static dt_status kernel_logical(dt_operation *operation)
{
    return apply(operation, DT_BOOL);
}

/* ---- Rows ---------------------------------------------------------------- */

/* None says anything of partial values: NaN wins among these, but compares as
 * false. */
#define COMPARES_TENSORS(name)                                                 \
    .rule = "...,...->...", .flags = DT_OP_IN_PLACE | DT_OP_OUT,               \
    .meta = meta_compare, .kernel = kernel, .gradient = "none",                \
    .samples = DTI_SAMPLES_OF_TWO, DTI_FUNCTION(name)
#define COMPARES_NUMBERS(name)                                                 \
    .rule = "...->...", .flags = DT_OP_IN_PLACE | DT_OP_OUT,                   \
    .meta = meta_compare, .kernel = kernel_scalar, .gradient = "none",         \
    .samples = "(T[m,n], 2); (T[m], 3); (T[], 2); (T[m], 0.5)",                \
    DTI_FUNCTION(name)
#define TESTS_FLOATS(name)                                                     \
    .rule = "...->...; self unread unless float", .meta = meta_compare,        \
    .kernel = kernel_finite, .gradient = "none", DTI_FUNCTION(name)
#define LOGICAL(name)                                                          \
    .rule = "...,...->...", .flags = DT_OP_IN_PLACE | DT_OP_OUT,               \
    .meta = meta_logical, .kernel = kernel_logical, .gradient = "none",        \
    .samples = DTI_SAMPLES_OF_TWO, DTI_FUNCTION(name)

const dt_op dti_ops_compare[] = {
    {
        .schema = "eq(Tensor self, Tensor other) -> Tensor",
        .aten = "eq.Tensor",
        .about = "Test whether elements are equal to those of a second tensor.",
        COMPARES_TENSORS(DTI_EQ),
    },
    {
        .schema = "ne(Tensor self, Tensor other) -> Tensor",
        .aten = "ne.Tensor",
        .about =
            "Test whether elements are not equal to those of a second tensor.",
        COMPARES_TENSORS(DTI_NE),
    },
    {
        .schema = "lt(Tensor self, Tensor other) -> Tensor",
        .aten = "lt.Tensor",
        .about =
            "Test whether elements are less than those of a second tensor.",
        COMPARES_TENSORS(DTI_LT),
        .dtypes = "float int bool",
    },
    {
        .schema = "le(Tensor self, Tensor other) -> Tensor",
        .aten = "le.Tensor",
        .about = "Test whether elements are less than or equal to those of a "
                 "second tensor.",
        COMPARES_TENSORS(DTI_LE),
        .dtypes = "float int bool",
    },
    {
        .schema = "gt(Tensor self, Tensor other) -> Tensor",
        .aten = "gt.Tensor",
        .about =
            "Test whether elements are greater than those of a second tensor.",
        COMPARES_TENSORS(DTI_GT),
        .dtypes = "float int bool",
    },
    {
        .schema = "ge(Tensor self, Tensor other) -> Tensor",
        .aten = "ge.Tensor",
        .about = "Test whether elements are greater than or equal to those of "
                 "a second tensor.",
        COMPARES_TENSORS(DTI_GE),
        .dtypes = "float int bool",
    },
    {
        .schema = "eq_scalar(Tensor self, Number other) -> Tensor",
        .aten = "eq.Scalar",
        .about = "Test whether elements are equal to a number.",
        COMPARES_NUMBERS(DTI_EQ),
    },
    {
        .schema = "ne_scalar(Tensor self, Number other) -> Tensor",
        .aten = "ne.Scalar",
        .about = "Test whether elements are not equal to a number.",
        COMPARES_NUMBERS(DTI_NE),
    },
    {
        .schema = "lt_scalar(Tensor self, Number other) -> Tensor",
        .aten = "lt.Scalar",
        .about = "Test whether elements are less than a number.",
        COMPARES_NUMBERS(DTI_LT),
        .dtypes = "float int bool",
    },
    {
        .schema = "le_scalar(Tensor self, Number other) -> Tensor",
        .aten = "le.Scalar",
        .about = "Test whether elements are less than or equal to a number.",
        COMPARES_NUMBERS(DTI_LE),
        .dtypes = "float int bool",
    },
    {
        .schema = "gt_scalar(Tensor self, Number other) -> Tensor",
        .aten = "gt.Scalar",
        .about = "Test whether elements are greater than a number.",
        COMPARES_NUMBERS(DTI_GT),
        .dtypes = "float int bool",
    },
    {
        .schema = "ge_scalar(Tensor self, Number other) -> Tensor",
        .aten = "ge.Scalar",
        .about = "Test whether elements are greater than or equal to a number.",
        COMPARES_NUMBERS(DTI_GE),
        .dtypes = "float int bool",
    },
    {
        .schema = "logical_and(Tensor self, Tensor other) -> Tensor",
        .about = "Test whether both elements are not zero.",
        LOGICAL(DTI_AND),
    },
    {
        .schema = "logical_or(Tensor self, Tensor other) -> Tensor",
        .about = "Test whether either of two elements is not zero.",
        LOGICAL(DTI_OR),
    },
    {
        .schema = "logical_not(Tensor self) -> Tensor",
        .about = "Test whether elements are zero.",
        .rule = "...->...",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = meta_logical,
        .kernel = kernel_logical,
        DTI_FUNCTION(DTI_NOT),
        .gradient = "none",
        .samples = "(T[m,n]); (T[m,3,n]); (T[])",
    },
    {
        .schema = "logical_xor(Tensor self, Tensor other) -> Tensor",
        .about = "Test whether exactly one of two elements is not zero.",
        LOGICAL(DTI_XOR),
    },
    {
        .schema = "isnan(Tensor self) -> Tensor",
        .about = "Test whether elements are NaN.",
        TESTS_FLOATS(DTI_IS_NAN),
        .samples = DTI_SAMPLES_OF_ONE,
    },
    {
        .schema = "isinf(Tensor self) -> Tensor",
        .about = "Test whether elements are infinite.",
        TESTS_FLOATS(DTI_IS_INF),
        .samples = DTI_SAMPLES_OF_ONE,
    },
    {
        .schema = "isfinite(Tensor self) -> Tensor",
        .about = "Test whether elements are neither infinite nor NaN.",
        TESTS_FLOATS(DTI_IS_FINITE),
        .samples = DTI_SAMPLES_OF_ONE,
    },
    {
        .schema = "isposinf(Tensor self) -> Tensor",
        .about = "Test whether elements are positive infinity.",
        TESTS_FLOATS(DTI_IS_POSINF),
        .flags = DT_OP_OUT,
        .samples = DTI_SAMPLES_OF_ONE,
        .dtypes = "float int bool",
    },
    {
        .schema = "isneginf(Tensor self) -> Tensor",
        .about = "Test whether elements are negative infinity.",
        TESTS_FLOATS(DTI_IS_NEGINF),
        .flags = DT_OP_OUT,
        .samples = DTI_SAMPLES_OF_ONE,
        .dtypes = "float int bool",
    },
    {
        .schema = "signbit(Tensor self) -> Tensor",
        .about = "Test whether the sign bit is set, which it is for -0.",
        .rule = "...->...",
        .flags = DT_OP_OUT,
        .meta = meta_compare,
        .kernel = kernel_one,
        DTI_FUNCTION(DTI_SIGNBIT),
        .gradient = "none",
        .samples = DTI_SAMPLES_OF_ONE,
        .dtypes = "float int bool",
    },
    {0},
};
