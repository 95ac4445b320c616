/* ops/compare.c - operators whose results are truth values. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/error.h"
#include "kernel/pointwise.h"
#include "op/meta.h"
#include "ops/tables.h"

typedef enum row_number {
    ROW_EQ,
    ROW_NE,
    ROW_LT,
    ROW_LE,
    ROW_GT,
    ROW_GE,
    ROW_EQ_SCALAR,
    ROW_NE_SCALAR,
    ROW_LT_SCALAR,
    ROW_LE_SCALAR,
    ROW_GT_SCALAR,
    ROW_GE_SCALAR,
    ROW_LOGICAL_AND,
    ROW_LOGICAL_OR,
    ROW_LOGICAL_NOT,
    ROW_COUNT
} row_number;

static const dti_pointwise functions[ROW_COUNT] = {
    [ROW_EQ] = DTI_EQ,           [ROW_NE] = DTI_NE,
    [ROW_LT] = DTI_LT,           [ROW_LE] = DTI_LE,
    [ROW_GT] = DTI_GT,           [ROW_GE] = DTI_GE,
    [ROW_EQ_SCALAR] = DTI_EQ,    [ROW_NE_SCALAR] = DTI_NE,
    [ROW_LT_SCALAR] = DTI_LT,    [ROW_LE_SCALAR] = DTI_LE,
    [ROW_GT_SCALAR] = DTI_GT,    [ROW_GE_SCALAR] = DTI_GE,
    [ROW_LOGICAL_AND] = DTI_AND, [ROW_LOGICAL_OR] = DTI_OR,
    [ROW_LOGICAL_NOT] = DTI_NOT,
};

extern const dt_op dti_ops_compare[];

static dti_pointwise function_of(const dt_operation *operation)
{
    return functions[operation->op - dti_ops_compare];
}

/* ---- Results ------------------------------------------------------------- */

static dt_status meta_compare(dt_operation *operation)
{
    dt_dtype dtype;
    DTI_TRY(dti_promote(operation, &dtype));
    if (!dti_pointwise_supports(function_of(operation), dtype))
        return dt_operation_fail(operation, DT_ERR_UNSUPPORTED,
                                 "not defined for %s", dt_dtype_name(dtype));
    return dti_meta_compare(operation);
}

/* Any two dtypes will do: both become bool. */
static dt_status meta_logical(dt_operation *operation)
{
    dt_shape shape;
    DTI_TRY(
        dti_meta_broadcast(operation, 0, operation->input_count - 1, &shape));
    return dti_meta_add(operation, DT_BOOL, shape);
}

/* ---- Kernels ------------------------------------------------------------- */

static dt_status apply(dt_operation *operation, dt_dtype dtype)
{
    dti_pointwise_input inputs[2] = {{0}};
    for (int i = 0; i < operation->input_count; i++)
        inputs[i].array = operation->in[i];
    dti_pointwise_apply(function_of(operation), dtype, inputs,
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

static dt_status kernel_scalar(dt_operation *operation)
{
    const dt_number number = operation->arguments[1].as.number;
    const dti_pointwise_input inputs[] = {{.array = operation->in[0]},
                                          {.number = number}};
    const dt_dtype dtype =
        dti_promote_number(operation->metas[0]->dtype, number);
    dti_pointwise_apply(function_of(operation), dtype, inputs,
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
const dt_op dti_ops_compare[] = {
    [ROW_EQ] =
        {
            .schema = "eq(Tensor self, Tensor other) -> Tensor",
            .aten = "eq.Tensor",
            .about =
                "Tell whether elements are equal to those of a second tensor.",
            .rule = "...,...->...",
            .flags = DT_OP_IN_PLACE | DT_OP_OUT,
            .meta = meta_compare,
            .kernel = kernel,
            .samples = "(T[m,n], T[m,n]); (T[m,n], T[n]); (T[m,1], T[3,1,n]); "
                       "(T[], T[m]); (T[m], T[])",
        },
    [ROW_NE] =
        {
            .schema = "ne(Tensor self, Tensor other) -> Tensor",
            .aten = "ne.Tensor",
            .about = "Tell whether elements are not equal to those of a second "
                     "tensor.",
            .rule = "...,...->...",
            .flags = DT_OP_IN_PLACE | DT_OP_OUT,
            .meta = meta_compare,
            .kernel = kernel,
            .samples = "(T[m,n], T[m,n]); (T[m,n], T[n]); (T[m,1], T[3,1,n]); "
                       "(T[], T[m]); (T[m], T[])",
        },
    [ROW_LT] =
        {
            .schema = "lt(Tensor self, Tensor other) -> Tensor",
            .aten = "lt.Tensor",
            .about =
                "Tell whether elements are less than those of a second tensor.",
            .rule = "...,...->...",
            .flags = DT_OP_IN_PLACE | DT_OP_OUT,
            .meta = meta_compare,
            .kernel = kernel,
            .samples = "(T[m,n], T[m,n]); (T[m,n], T[n]); (T[m,1], T[3,1,n]); "
                       "(T[], T[m]); (T[m], T[])",
            .dtypes = "float int bool",
        },
    [ROW_LE] =
        {
            .schema = "le(Tensor self, Tensor other) -> Tensor",
            .aten = "le.Tensor",
            .about = "Tell whether elements are less than or equal to those of "
                     "a second tensor.",
            .rule = "...,...->...",
            .flags = DT_OP_IN_PLACE | DT_OP_OUT,
            .meta = meta_compare,
            .kernel = kernel,
            .samples = "(T[m,n], T[m,n]); (T[m,n], T[n]); (T[m,1], T[3,1,n]); "
                       "(T[], T[m]); (T[m], T[])",
            .dtypes = "float int bool",
        },
    [ROW_GT] =
        {
            .schema = "gt(Tensor self, Tensor other) -> Tensor",
            .aten = "gt.Tensor",
            .about = "Tell whether elements are greater than those of a second "
                     "tensor.",
            .rule = "...,...->...",
            .flags = DT_OP_IN_PLACE | DT_OP_OUT,
            .meta = meta_compare,
            .kernel = kernel,
            .samples = "(T[m,n], T[m,n]); (T[m,n], T[n]); (T[m,1], T[3,1,n]); "
                       "(T[], T[m]); (T[m], T[])",
            .dtypes = "float int bool",
        },
    [ROW_GE] =
        {
            .schema = "ge(Tensor self, Tensor other) -> Tensor",
            .aten = "ge.Tensor",
            .about = "Tell whether elements are greater than or equal to those "
                     "of a second tensor.",
            .rule = "...,...->...",
            .flags = DT_OP_IN_PLACE | DT_OP_OUT,
            .meta = meta_compare,
            .kernel = kernel,
            .samples = "(T[m,n], T[m,n]); (T[m,n], T[n]); (T[m,1], T[3,1,n]); "
                       "(T[], T[m]); (T[m], T[])",
            .dtypes = "float int bool",
        },
    [ROW_EQ_SCALAR] =
        {
            .schema = "eq_scalar(Tensor self, Number other) -> Tensor",
            .aten = "eq.Scalar",
            .about = "Tell whether elements are equal to a number.",
            .rule = "...->...",
            .flags = DT_OP_IN_PLACE | DT_OP_OUT,
            .meta = meta_compare,
            .kernel = kernel_scalar,
            .samples = "(T[m,n], 2); (T[m], 3); (T[], 2); (T[m], 0.5)",
        },
    [ROW_NE_SCALAR] =
        {
            .schema = "ne_scalar(Tensor self, Number other) -> Tensor",
            .aten = "ne.Scalar",
            .about = "Tell whether elements are not equal to a number.",
            .rule = "...->...",
            .flags = DT_OP_IN_PLACE | DT_OP_OUT,
            .meta = meta_compare,
            .kernel = kernel_scalar,
            .samples = "(T[m,n], 2); (T[m], 3); (T[], 2); (T[m], 0.5)",
        },
    [ROW_LT_SCALAR] =
        {
            .schema = "lt_scalar(Tensor self, Number other) -> Tensor",
            .aten = "lt.Scalar",
            .about = "Tell whether elements are less than a number.",
            .rule = "...->...",
            .flags = DT_OP_IN_PLACE | DT_OP_OUT,
            .meta = meta_compare,
            .kernel = kernel_scalar,
            .samples = "(T[m,n], 2); (T[m], 3); (T[], 2); (T[m], 0.5)",
            .dtypes = "float int bool",
        },
    [ROW_LE_SCALAR] =
        {
            .schema = "le_scalar(Tensor self, Number other) -> Tensor",
            .aten = "le.Scalar",
            .about =
                "Tell whether elements are less than or equal to a number.",
            .rule = "...->...",
            .flags = DT_OP_IN_PLACE | DT_OP_OUT,
            .meta = meta_compare,
            .kernel = kernel_scalar,
            .samples = "(T[m,n], 2); (T[m], 3); (T[], 2); (T[m], 0.5)",
            .dtypes = "float int bool",
        },
    [ROW_GT_SCALAR] =
        {
            .schema = "gt_scalar(Tensor self, Number other) -> Tensor",
            .aten = "gt.Scalar",
            .about = "Tell whether elements are greater than a number.",
            .rule = "...->...",
            .flags = DT_OP_IN_PLACE | DT_OP_OUT,
            .meta = meta_compare,
            .kernel = kernel_scalar,
            .samples = "(T[m,n], 2); (T[m], 3); (T[], 2); (T[m], 0.5)",
            .dtypes = "float int bool",
        },
    [ROW_GE_SCALAR] =
        {
            .schema = "ge_scalar(Tensor self, Number other) -> Tensor",
            .aten = "ge.Scalar",
            .about =
                "Tell whether elements are greater than or equal to a number.",
            .rule = "...->...",
            .flags = DT_OP_IN_PLACE | DT_OP_OUT,
            .meta = meta_compare,
            .kernel = kernel_scalar,
            .samples = "(T[m,n], 2); (T[m], 3); (T[], 2); (T[m], 0.5)",
            .dtypes = "float int bool",
        },
    [ROW_LOGICAL_AND] =
        {
            .schema = "logical_and(Tensor self, Tensor other) -> Tensor",
            .aten = "logical_and",
            .about = "Tell whether both elements are not zero.",
            .rule = "...,...->...",
            .flags = DT_OP_IN_PLACE | DT_OP_OUT,
            .meta = meta_logical,
            .kernel = kernel_logical,
            .samples = "(T[m,n], T[m,n]); (T[m,n], T[n]); (T[m,1], T[3,1,n]); "
                       "(T[], T[m]); (T[m], T[])",
        },
    [ROW_LOGICAL_OR] =
        {
            .schema = "logical_or(Tensor self, Tensor other) -> Tensor",
            .aten = "logical_or",
            .about = "Tell whether one of two elements is not zero.",
            .rule = "...,...->...",
            .flags = DT_OP_IN_PLACE | DT_OP_OUT,
            .meta = meta_logical,
            .kernel = kernel_logical,
            .samples = "(T[m,n], T[m,n]); (T[m,n], T[n]); (T[m,1], T[3,1,n]); "
                       "(T[], T[m]); (T[m], T[])",
        },
    [ROW_LOGICAL_NOT] =
        {
            .schema = "logical_not(Tensor self) -> Tensor",
            .aten = "logical_not",
            .about = "Tell whether elements are zero.",
            .rule = "...->...",
            .flags = DT_OP_IN_PLACE | DT_OP_OUT,
            .meta = meta_logical,
            .kernel = kernel_logical,
            .samples = "(T[m,n]); (T[m,3,n]); (T[])",
        },
    [ROW_COUNT] = {0},
};
