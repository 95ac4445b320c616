/* ops/helpers/rows.c - runs along a dimension. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/helpers/rows.h"

#include "array/array.h"
#include "base/error.h"
#include "op/call/scratch.h"

dt_dtype dti_rows_carrier(dt_dtype dtype)
{
    return dtype == DT_F64 ? DT_F64 : DT_F32;
}

/* View an array with a dimension as the last one, or undo that. */
static dt_status turn(const dt_operation *operation, dt_array *array, int dim,
                      bool back, dt_array **out)
{
    int order[DT_MAX_NDIM];
    const int ndim = array->shape.ndim;
    for (int i = 0; i < ndim; i++) {
        const int moved = i < dim ? i : i == ndim - 1 ? dim : i + 1;
        const int kept = i < dim ? i : i == dim ? ndim - 1 : i - 1;
        order[i] = back ? kept : moved;
    }
    return dti_scratch_own(
        operation, dt_array_permute(operation->world, array, order, out), out);
}

static bool is_last(const dt_array *array, int dim)
{
    return dim >= array->shape.ndim - 1;
}

dt_status dti_rows_bring(const dt_operation *operation, dt_array *array,
                         int dim, dt_dtype dtype, dt_array **out)
{
    if (!is_last(array, dim))
        DTI_TRY(turn(operation, array, dim, false, &array));
    return dti_scratch_cast(operation, array, dtype, out);
}

dt_status dti_rows_room(const dt_operation *operation, dt_array *array, int dim,
                        dt_dtype dtype, dt_array **out)
{
    dt_shape shape = array->shape;
    const bool last = is_last(array, dim);
    if (last && array->contiguous && array->dtype == dtype) {
        *out = array;
        return DT_OK;
    }
    for (int i = dim; i + 1 < shape.ndim; i++)
        shape.dims[i] = array->shape.dims[i + 1];
    if (!last)
        shape.dims[shape.ndim - 1] = array->shape.dims[dim];
    return dti_scratch_create(operation, dtype, shape, out);
}

dt_status dti_rows_settle(const dt_operation *operation, dt_array *room,
                          int dim, dt_array *array)
{
    if (room == array)
        return DT_OK;
    if (!is_last(array, dim))
        DTI_TRY(turn(operation, room, dim, true, &room));
    return dt_array_copy(operation->world, room, array);
}

dti_along dti_rows_runs(const dt_array *array)
{
    const int ndim = array->shape.ndim;
    int64_t rows = 1;
    for (int i = 0; i + 1 < ndim; i++)
        rows *= array->shape.dims[i];
    return dti_along_make(array->dtype, rows,
                          ndim ? array->shape.dims[ndim - 1] : 1);
}
