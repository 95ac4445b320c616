/* ops/helpers/rows.c - runs along a dimension. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/helpers/rows.h"

#include "array/array.h"
#include "base/error.h"

dt_dtype dti_rows_carrier(dt_dtype dtype)
{
    return dtype == DT_F64 ? DT_F64 : DT_F32;
}

/* View an array with a dimension as the last one, or undo that. */
static dt_status turn(dt_world *world, dt_array *array, int dim, bool back,
                      dt_array **out)
{
    int order[DT_MAX_NDIM];
    const int ndim = array->shape.ndim;
    for (int i = 0; i < ndim; i++) {
        const int moved = i < dim ? i : i == ndim - 1 ? dim : i + 1;
        const int kept = i < dim ? i : i == dim ? ndim - 1 : i - 1;
        order[i] = back ? kept : moved;
    }
    return dt_array_permute(world, array, order, out);
}

static bool is_last(const dt_array *array, int dim)
{
    return dim >= array->shape.ndim - 1;
}

dt_status dti_rows_bring(dt_world *world, dt_array *array, int dim,
                         dt_dtype dtype, dt_array **out)
{
    dt_array *turned = NULL;
    if (is_last(array, dim))
        turned = dt_array_retain(array);
    else
        DTI_TRY(turn(world, array, dim, false, &turned));
    dt_status status = turned->dtype == dtype
                           ? dt_array_contiguous(world, turned, out)
                           : dt_array_cast(world, turned, dtype, out);
    dt_array_release(turned);
    return status;
}

dt_status dti_rows_room(dt_world *world, dt_array *array, int dim,
                        dt_dtype dtype, dt_array **out)
{
    dt_shape shape = array->shape;
    const bool last = is_last(array, dim);
    if (last && array->contiguous && array->dtype == dtype) {
        *out = dt_array_retain(array);
        return DT_OK;
    }
    for (int i = dim; i + 1 < shape.ndim; i++)
        shape.dims[i] = array->shape.dims[i + 1];
    if (!last)
        shape.dims[shape.ndim - 1] = array->shape.dims[dim];
    return dt_array_create(world, dtype, shape, out);
}

dt_status dti_rows_settle(dt_world *world, dt_array *room, int dim,
                          dt_array *array)
{
    dt_array *turned = NULL;
    if (room == array)
        return DT_OK;
    if (is_last(array, dim))
        return dt_array_copy(world, room, array);
    DTI_TRY(turn(world, room, dim, true, &turned));
    dt_status status = dt_array_copy(world, turned, array);
    dt_array_release(turned);
    return status;
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
