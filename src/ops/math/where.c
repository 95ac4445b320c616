/* ops/math/where.c - operators that choose elements by truth values. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "base/dtype.h"
#include "base/error.h"
#include "op/meta.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/tables.h"
#include "ops/math/pointwise.h"

/* ---- Results ------------------------------------------------------------- */

static dt_status check_condition(const dt_operation *operation, int input,
                                 const char *name)
{
    const dt_dtype condition = operation->metas[input]->dtype;
    if (condition == DT_BOOL)
        return DT_OK;
    return dt_operation_fail(operation, DT_ERR_INVALID,
                             "%s is %s; expected bool", name,
                             dt_dtype_name(condition));
}

static dt_status meta_where(dt_operation *operation)
{
    dt_dtype dtype;
    DTI_TRY(check_condition(operation, 0, "condition"));
    DTI_TRY(dti_promote_tensors(operation, 1, 2, &dtype));
    return dti_pointwise_add(operation, dtype);
}

static dt_number number_of(const dt_operation *operation)
{
    const dt_argument *self = dti_argument(operation, "self");
    return self->kind == DT_ARG_NUMBER
               ? self->as.number
               : dti_argument_number(operation, "other");
}

static dt_status meta_where_number(dt_operation *operation)
{
    DTI_TRY(check_condition(operation, 0, "condition"));
    return dti_pointwise_add(
        operation,
        dti_promote_number(operation->metas[1]->dtype, number_of(operation)));
}

static dt_status meta_fill(dt_operation *operation)
{
    DTI_TRY(check_condition(operation, 1, "mask"));
    if (operation->input_count == 3) {
        const dt_meta *value = operation->metas[2];
        const dt_dtype dtype = operation->metas[0]->dtype;
        if (value->shape.ndim > 0)
            return dt_operation_fail(
                operation, DT_ERR_INVALID,
                "value has %d dimensions; expected a 0-d tensor",
                value->shape.ndim);
        if (value->dtype == DT_C64 && dtype != DT_C64)
            return dt_operation_fail(
                operation, DT_ERR_INVALID,
                "value is c64 and cannot be stored in self, which is %s",
                dt_dtype_name(dtype));
    }
    return dti_pointwise_add(operation, operation->metas[0]->dtype);
}

/* A number that the dtype does not hold is not made infinite. */
static dt_status check_fill(const dt_operation *operation)
{
    const double value =
        dt_number_real(dti_argument_number(operation, "value"));
    const dt_dtype dtype = operation->results[0].dtype;
    if (dti_pointwise_is_float(dtype) && isfinite(value) &&
        fabs(value) > dti_dtype_largest(dtype))
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "value is %g, which dtype %s cannot represent; infinity is allowed",
            value, dt_dtype_name(dtype));
    return dti_pointwise_check_numbers(operation);
}

/* ---- Kernels ------------------------------------------------------------- */

static dt_status kernel_fill(dt_operation *operation)
{
    const dti_pointwise_input inputs[] = {
        dti_pointwise_array(operation, 1),
        operation->input_count == 3
            ? dti_pointwise_array(operation, 2)
            : dti_pointwise_number(dti_argument_number(operation, "value")),
        dti_pointwise_array(operation, 0)};
    return dti_pointwise_run(operation, DTI_WHERE, inputs);
}

/* ---- Rows ---------------------------------------------------------------- */

const dt_op dti_ops_where[] = {
    {
        .schema =
            "where(Tensor condition, Tensor self, Tensor other) -> Tensor",
        .aten = "where.self",
        .about = "self where the condition is true, other elsewhere.",
        .rule = "...,...,...->...",
        .permutes = "self other",
        .flags = DT_OP_OUT,
        .meta = meta_where,
        .kernel = dti_pointwise_kernel,
        DTI_FUNCTION(DTI_WHERE),
        .gradient =
            "condition: none; self: where_scalar_other(condition, grad, 0); "
            "other: where_scalar_self(condition, 0, grad)",
        .samples = "(bool[m,n], T[m,n], T[m,n]); (bool[m,1], T[n], T[m,n]); "
                   "(bool[], T[m], T[]); (bool[m], T[], T[m])",
    },
    {
        .schema = "where_scalar_self(Tensor condition, Number self, Tensor "
                  "other) -> Tensor",
        .aten = "where.ScalarSelf",
        .about = "A number where the condition is true, other elsewhere.",
        .rule = "...,...->...",
        .linear = "self + other",
        .monotone = "other",
        .meta = meta_where_number,
        .check = dti_pointwise_check_numbers,
        .kernel = dti_pointwise_kernel,
        DTI_FUNCTION(DTI_WHERE),
        .gradient =
            "condition: none; other: where_scalar_self(condition, 0, grad)",
        .samples = "(bool[m,n], 2, T[m,n]); (bool[m,1], 0.5, T[n]); (bool[], "
                   "1, T[m]); (bool[m], 3, T[])",
    },
    {
        .schema = "where_scalar_other(Tensor condition, Tensor self, Number "
                  "other) -> Tensor",
        .aten = "where.ScalarOther",
        .about = "self where the condition is true, a number elsewhere.",
        .rule = "...,...->...",
        .linear = "self + other",
        .monotone = "self",
        .meta = meta_where_number,
        .check = dti_pointwise_check_numbers,
        .kernel = dti_pointwise_kernel,
        DTI_FUNCTION(DTI_WHERE),
        .gradient =
            "condition: none; self: where_scalar_other(condition, grad, 0)",
        .samples = "(bool[m,n], T[m,n], 2); (bool[m,1], T[n], 0.5); (bool[], "
                   "T[m], 1); (bool[m], T[], 3)",
    },
    {
        .schema =
            "masked_fill(Tensor self, Tensor mask, Number value) -> Tensor",
        .aten = "masked_fill.Scalar",
        .about = "Replace elements by a number where the mask is true.",
        .rule = "...,...->...",
        .linear = "self + value",
        .monotone = "self",
        .flags = DT_OP_IN_PLACE,
        .meta = meta_fill,
        .check = check_fill,
        .kernel = kernel_fill,
        DTI_FUNCTION(DTI_WHERE),
        .gradient = "self: masked_fill(grad, mask, 0); mask: none",
        .samples = "(T[m,n], bool[m,n], 1); (T[m,n], bool[n], 0); (T[m,1], "
                   "bool[3,1,n], 1); (T[], bool[m], 1); (T[m], bool[], 0)",
    },
    {
        .schema = "masked_fill_tensor(Tensor self, Tensor mask, Tensor value) "
                  "-> Tensor",
        .aten = "masked_fill.Tensor",
        .about = "Replace elements by the value of a 0-d tensor where the mask "
                 "is true.",
        .rule = "...,...,...->...",
        .permutes = "self value",
        .flags = DT_OP_IN_PLACE,
        .meta = meta_fill,
        .kernel = kernel_fill,
        DTI_FUNCTION(DTI_WHERE),
        .gradient = "self: masked_fill(grad, mask, 0); mask: none; value: "
                    "where_scalar_other(mask, grad, 0)",
        .samples =
            "(T[m,n], bool[m,n], T[]); (T[m,n], bool[n], T[]); (T[m,1], "
            "bool[3,1,n], T[]); (T[], bool[m], T[]); (T[m], bool[], T[])",
    },
    {0},
};
