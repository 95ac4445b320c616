/* ops/math/equal.c - comparing whole tensors, and reading one element. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <dtensor/ops.h>
#include <dtensor/redistribute.h>

#include "array/cast.h"
#include "base/error.h"
#include "op/call/dispatch.h"
#include "op/call/scratch.h"
#include "op/meta.h"
#include "ops/helpers/tables.h"
#include "ops/math/read.h"
#include "tensor/tensor.h"

/* ---- equal -------------------------------------------------------------- */

static dt_status equal_meta(dt_operation *operation)
{
    dt_dtype a = operation->metas[0]->dtype, b = operation->metas[1]->dtype;
    if (dti_promote_types(a, b) == DT_DTYPE_COUNT)
        return dt_operation_fail(
            operation, DT_ERR_UNSUPPORTED,
            "no dtype can represent both %s and %s; cast one of the tensors",
            dt_dtype_name(a), dt_dtype_name(b));
    return dti_meta_add(operation, DT_BOOL, DT_SHAPE());
}

static dt_status compare(dt_operation *operation, dt_dtype dtype, bool *equal)
{
    dt_array *a = NULL, *b = NULL;
    DTI_TRY(dti_scratch_cast(operation, operation->in[0], dtype, &a));
    DTI_TRY(dti_scratch_cast(operation, operation->in[1], dtype, &b));
    *equal = dt_array_equal(a, b);
    return DT_OK;
}

static dt_status equal_kernel(dt_operation *operation)
{
    const dt_array *a = operation->in[0], *b = operation->in[1];
    bool equal = false;
    if (a->dtype == b->dtype)
        equal = dt_array_equal(a, b);
    else
        DTI_TRY(
            compare(operation, dti_promote_types(a->dtype, b->dtype), &equal));
    *(unsigned char *)dt_array_data(operation->out[0]) = equal;
    return DT_OK;
}

/* ---- As an answer ------------------------------------------------------- */

/* Bring a tensor to every rank; the caller lets it go. */
static dt_status replicate(dt_tensor *given, dt_tensor **out)
{
    dt_mesh *mesh = given->spec->mesh;
    dt_layout layout = {.ndim = mesh->dims.ndim};
    for (int i = 0; i < layout.ndim; i++)
        layout.placements[i] = dt_replicate();
    const char *text = dt_layout_text(given->world, &layout);
    *out = text ? dt_redistribute(given, text) : NULL;
    return *out ? DT_OK : dti_failure_of(given->world);
}

dt_status dti_read_answer(dt_tensor *given, bool *out)
{
    dt_tensor *whole = NULL;
    DTI_TRY(replicate(given, &whole));
    const unsigned char *answer = dt_array_const_data(whole->local);
    *out = answer ? *answer : true;
    if (whole != given)
        dt_tensor_release_early(whole);
    return DT_OK;
}

dt_status dti_read_null(const char *function, dt_tensor *a, dt_tensor *b)
{
    if (!a && !b)
        return DT_ERR_INVALID;
    return dti_fail_null((a ? a : b)->world, function, a ? "b" : "a");
}

dt_status dt_tensor_equal(dt_tensor *a, dt_tensor *b, bool *out)
{
    if (!a || !b)
        return dti_read_null("dt_tensor_equal", a, b);
    DTI_TRY(dti_world_check_reading(a->world, "dt_tensor_equal"));
    dt_tensor *given = dt_equal(a, b);
    if (!given)
        return dti_failure_of(a->world);
    dt_status status = dti_read_answer(given, out);
    dt_tensor_release_early(given);
    return status;
}

/* ---- As a number -------------------------------------------------------- */

static dt_status check_item(const dt_tensor *tensor)
{
    if (tensor->spec->count != 1)
        return dti_fail(tensor->world, DT_ERR_INVALID,
                        "dt_tensor_item: %s has %lld elements; expected 1",
                        dti_spec_show(tensor->spec).text,
                        (long long)tensor->spec->count);
    if (tensor->spec->member && dt_array_is_meta(tensor->local))
        return dti_fail(tensor->world, DT_ERR_UNSUPPORTED,
                        "dt_tensor_item: %s is a meta tensor without elements",
                        dti_spec_show(tensor->spec).text);
    return DT_OK;
}

static dt_number number_of(const dt_array *array)
{
    double real = 0;
    int64_t integer = 0;
    dt_dtype_kind kind = dt_dtype_kind_of(array->dtype);
    const void *data = dt_array_const_data(array);
    if (kind == DT_KIND_COMPLEX) {
        float parts[2] = {0, 0};
        if (array->count == 1)
            memcpy(parts, data, sizeof parts);
        return dt_complex_number(parts[0], parts[1]);
    }
    if (array->count == 1 && kind == DT_KIND_FLOAT)
        dti_cast(data, array->dtype, &real, DT_F64, 1);
    else if (array->count == 1)
        dti_cast(data, array->dtype, &integer, DT_I64, 1);
    return kind == DT_KIND_FLOAT     ? dt_real(real)
           : kind == DT_KIND_BOOLEAN ? dt_truth(integer != 0)
                                     : dt_integer(integer);
}

dt_status dt_tensor_item(dt_tensor *tensor, dt_number *out)
{
    dt_tensor *whole = NULL;
    if (!tensor)
        return DT_ERR_INVALID;
    DTI_TRY(dti_world_check_reading(tensor->world, "dt_tensor_item"));
    DTI_TRY(check_item(tensor));
    DTI_TRY(replicate(tensor, &whole));
    dt_status status = dti_array_settle(tensor->world, whole->local);
    if (status == DT_OK)
        *out = number_of(whole->local);
    if (whole != tensor)
        dt_tensor_release_early(whole);
    return status;
}

/* ---- Rows --------------------------------------------------------------- */

const dt_op dti_ops_equal[] = {
    {
        .schema = "equal(Tensor self, Tensor other) -> Tensor",
        .about = "Test whether two tensors have the same shape and values; -0 "
                 "equals 0, and NaN is not equal to NaN.",
        .rule = "...,...->; ... band, ... equal",
        .meta = equal_meta,
        .kernel = equal_kernel,
        .gradient = "none",
        .samples = "(T[m,n], T[m,n]); (T[m], T[m]); (T[], T[])",
    },
    {0},
};
