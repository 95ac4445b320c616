/* ops/index/search.c - where numbers belong among sorted ones. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/sys/op.h>

#include "array/array.h"
#include "array/cast.h"
#include "base/error.h"
#include "kernel/order/search.h"
#include "op/call/scratch.h"
#include "op/fail.h"
#include "op/meta.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/tables.h"

/*
 * How many numbers of a sorted list come before another one adds up over the
 * parts of the list: where it is cut, counts are partial sums.
 */

/* Which tensor of a call is which. */
typedef struct roles {
    int sorted;
    int values;
} roles;

/* Several lists have the dimensions of the values, but for the last one. */
static bool match(dt_shape sorted, dt_shape values)
{
    if (sorted.ndim == 1)
        return true;
    if (sorted.ndim != values.ndim)
        return false;
    for (int i = 0; i + 1 < sorted.ndim; i++)
        if (sorted.dims[i] != values.dims[i])
            return false;
    return true;
}

static dt_status add_counts(dt_operation *operation, roles r)
{
    const dt_meta *values = operation->metas[r.values];
    const bool narrow = dti_argument_bool(operation, "out_int32");
    dt_dtype dtype;
    DTI_TRY(dti_promote_tensors(operation, 0, 1, &dtype));
    if (dtype == DT_C64 || dtype == DT_BOOL)
        return dti_fail_dtype(operation, dtype);
    return dti_meta_add(operation, narrow ? DT_I32 : DT_I64, values->shape);
}

static dt_status searchsorted_meta(dt_operation *operation)
{
    const roles r = {0, 1};
    const dt_shape sorted = operation->metas[r.sorted]->shape;
    const dt_shape values = operation->metas[r.values]->shape;
    if (sorted.ndim == 0 || !match(sorted, values))
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "sorted_sequence has shape %s; all dimensions "
                                 "but the last must be those of self, %s",
                                 dti_shape_show(sorted).text,
                                 dti_shape_show(values).text);
    return add_counts(operation, r);
}

static dt_status bucketize_meta(dt_operation *operation)
{
    const roles r = {1, 0};
    const dt_shape sorted = operation->metas[r.sorted]->shape;
    if (sorted.ndim != 1)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "boundaries has shape %s; expected 1 dimension",
            dti_shape_show(sorted).text);
    return add_counts(operation, r);
}

/* Count for one list after another; there is one, or one for each row. */
static void count_all(const dt_array *sorted, const dt_array *values,
                      bool right, int64_t *out)
{
    const dt_dtype dtype = dt_array_dtype(values);
    const int64_t item = (int64_t)dt_dtype_size(dtype);
    const int last = dt_array_ndim(sorted) - 1;
    const int64_t length = dt_array_extent(sorted, last);
    const int64_t count = dt_array_count(values);
    const int64_t row = last > 0 ? dt_array_extent(values, last) : count;
    const char *list = dt_array_const_data(sorted);
    const char *from = dt_array_const_data(values);
    for (int64_t start = 0; start < count; start += row) {
        dti_search_sorted(dtype, list, length, from + start * item, row, right,
                          out + start);
        list = length ? list + length * item : list;
    }
}

/* Count in this rank's part of the lists. */
static dt_status search(dt_operation *operation, roles r)
{
    dt_array *out = operation->out[0];
    dt_array *sorted = NULL, *values = NULL, *counts = NULL;
    dt_dtype dtype = DT_F64;
    if (dt_array_count(out) == 0)
        return DT_OK;
    DTI_TRY(dti_promote_tensors(operation, 0, 1, &dtype));
    DTI_TRY(
        dti_scratch_cast(operation, operation->in[r.sorted], dtype, &sorted));
    DTI_TRY(
        dti_scratch_cast(operation, operation->in[r.values], dtype, &values));
    DTI_TRY(
        dti_scratch_create(operation, DT_I64, dt_array_shape(out), &counts));
    count_all(sorted, values, dti_argument_bool(operation, "right"),
              dt_array_data(counts));
    dti_cast(dt_array_const_data(counts), DT_I64, dt_array_data(out),
             dt_array_dtype(out), dt_array_count(out));
    return DT_OK;
}

static dt_status searchsorted_kernel(dt_operation *operation)
{
    return search(operation, (roles){0, 1});
}

static dt_status bucketize_kernel(dt_operation *operation)
{
    return search(operation, (roles){1, 0});
}

const dt_op dti_ops_search[] = {
    {
        .schema = "searchsorted(Tensor sorted_sequence, Tensor self, *, "
                  "bool out_int32=false, bool right=false) -> Tensor",
        .aten = "searchsorted.Tensor",
        .about =
            "Position at which each element would be inserted into a sorted "
            "list: the count of numbers less than it, or not larger if "
            "`right`.  Lists are along the last dimension: one list, or one "
            "for each row of elements.  NaN is larger than every number.",
        .rule = "...s,...v?->...v?; s sum alone",
        .flags = DT_OP_OUT,
        .meta = searchsorted_meta,
        .kernel = searchsorted_kernel,
        .gradient = "none",
        .samples = "(T[1], T[m,n]); (T[1], T[m], right=true); (T[m,1], T[m,n]);"
                   " (T[1], T[], out_int32=true)",
        .dtypes = "float int",
    },
    {
        .schema = "bucketize(Tensor self, Tensor boundaries, *, "
                  "bool out_int32=false, bool right=false) -> Tensor",
        .aten = "bucketize.Tensor",
        .about = "Count the numbers of a sorted list that are less than each "
                 "element, or not larger if `right`.  NaN is larger than every "
                 "number.",
        .rule = "...,s->...; s sum alone",
        .flags = DT_OP_OUT,
        .meta = bucketize_meta,
        .kernel = bucketize_kernel,
        .gradient = "none",
        .samples = "(T[m,n], T[1]); (T[m], T[1], right=true); "
                   "(T[], T[1], out_int32=true)",
        .dtypes = "float int",
    },
    {0},
};
