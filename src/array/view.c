/* array/view.c - seeing the storage of an array with other dimensions. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/array.h>

#include <string.h>

#include "array/array.h"
#include "base/error.h"

/* Check a dimension and count it from the front. */
static dt_status check_dim(dt_world *world, const dt_array *array, int *dim)
{
    int ndim = array->shape.ndim;
    if (*dim < -ndim || *dim >= ndim)
        return dti_fail(world, DT_ERR_INVALID, "dimension %d of a %d-d array",
                        *dim, ndim);
    if (*dim < 0)
        *dim += ndim;
    return DT_OK;
}

/* Count a bound from the front and cut it to the extent. */
static int64_t cut_bound(int64_t bound, int64_t extent)
{
    if (bound < 0)
        bound = bound < -extent ? 0 : bound + extent;
    return bound > extent ? extent : bound;
}

dt_status dt_array_slice(dt_world *world, dt_array *array, int dim,
                         int64_t start, int64_t stop, int64_t step,
                         dt_array **out)
{
    DTI_TRY(check_dim(world, array, &dim));
    if (step < 1)
        return dti_fail(world, DT_ERR_INVALID,
                        "a slice with step %lld; it must be positive",
                        (long long)step);
    dt_shape shape = array->shape;
    start = cut_bound(start, shape.dims[dim]);
    stop = cut_bound(stop, shape.dims[dim]);
    int64_t extent = stop > start ? (stop - start - 1) / step + 1 : 0;
    shape.dims[dim] = extent;
    int64_t strides[DT_MAX_NDIM];
    memcpy(strides, array->strides, sizeof strides);
    /* With one element the stride does not matter, and the product might not
     * fit. */
    if (extent > 1)
        strides[dim] *= step;
    int64_t offset = array->offset;
    if (extent > 0)
        offset += start * array->strides[dim];
    return dti_array_view(world, array, shape, strides, offset, out);
}

/* Take a dimension out of a shape and its strides. */
static void drop_dim(dt_shape *shape, int64_t *strides, int dim)
{
    shape->ndim--;
    for (int i = dim; i < shape->ndim; i++) {
        shape->dims[i] = shape->dims[i + 1];
        strides[i] = strides[i + 1];
    }
    shape->dims[shape->ndim] = 0;
}

dt_status dt_array_select(dt_world *world, dt_array *array, int dim,
                          int64_t index, dt_array **out)
{
    DTI_TRY(check_dim(world, array, &dim));
    int64_t extent = array->shape.dims[dim];
    if (index < -extent || index >= extent)
        return dti_fail(world, DT_ERR_INVALID,
                        "index %lld of dimension %d, whose extent is %lld",
                        (long long)index, dim, (long long)extent);
    if (index < 0)
        index += extent;
    dt_shape shape = array->shape;
    int64_t strides[DT_MAX_NDIM];
    memcpy(strides, array->strides, sizeof strides);
    drop_dim(&shape, strides, dim);
    int64_t offset = array->offset;
    if (array->count > 0)
        offset += index * array->strides[dim];
    return dti_array_view(world, array, shape, strides, offset, out);
}

dt_status dt_array_permute(dt_world *world, dt_array *array, const int *order,
                           dt_array **out)
{
    dt_shape shape = array->shape;
    int64_t strides[DT_MAX_NDIM] = {0};
    unsigned seen = 0;
    for (int i = 0; i < shape.ndim; i++) {
        int dim = order[i];
        DTI_TRY(check_dim(world, array, &dim));
        if (seen & 1u << dim)
            return dti_fail(world, DT_ERR_INVALID,
                            "dimension %d stands twice in a permutation", dim);
        seen |= 1u << dim;
        shape.dims[i] = array->shape.dims[dim];
        strides[i] = array->strides[dim];
    }
    return dti_array_view(world, array, shape, strides, array->offset, out);
}

dt_status dt_array_expand(dt_world *world, dt_array *array, dt_shape shape,
                          dt_array **out)
{
    int front = shape.ndim - array->shape.ndim;
    if (shape.ndim > DT_MAX_NDIM || front < 0)
        return dti_fail(world, DT_ERR_INVALID,
                        "a %d-d array cannot be expanded to %d dimensions",
                        array->shape.ndim, shape.ndim);
    int64_t strides[DT_MAX_NDIM] = {0};
    for (int i = front; i < shape.ndim; i++) {
        int64_t extent = array->shape.dims[i - front];
        if (shape.dims[i] == -1)
            shape.dims[i] = extent;
        if (shape.dims[i] == extent)
            strides[i] = array->strides[i - front];
        else if (extent != 1)
            return dti_fail(world, DT_ERR_INVALID,
                            "shape %s cannot be expanded to %s: dimension %d "
                            "is not 1",
                            dti_shape_show(array->shape).text,
                            dti_shape_show(shape).text, i - front);
    }
    int64_t item = (int64_t)dt_dtype_size(array->dtype);
    int64_t count = dt_shape_count(shape);
    if (count < 0 || count > INT64_MAX / item)
        return dti_fail(world, DT_ERR_INVALID,
                        "shape %s has a negative extent or too many elements",
                        dti_shape_show(shape).text);
    return dti_array_view(world, array, shape, strides, array->offset, out);
}

/* Work out an extent of -1 and check that the elements stay as many. */
static dt_status complete_shape(dt_world *world, const dt_array *array,
                                dt_shape *shape)
{
    dt_shape known = *shape;
    int open = -1;
    for (int i = 0; i < shape->ndim && i < DT_MAX_NDIM; i++) {
        if (shape->dims[i] != -1)
            continue;
        if (open >= 0)
            return dti_fail(world, DT_ERR_INVALID,
                            "shape %s leaves more than one extent open",
                            dti_shape_show(*shape).text);
        open = i;
        known.dims[i] = 1;
    }
    int64_t count = dt_shape_count(known);
    if (open >= 0 && count > 0 && array->count % count == 0) {
        shape->dims[open] = array->count / count;
        count = array->count;
    } else if (open >= 0) {
        count = -1;
    }
    if (count != array->count)
        return dti_fail(world, DT_ERR_INVALID,
                        "shape %s, of %lld elements, cannot become %s",
                        dti_shape_show(array->shape).text,
                        (long long)array->count, dti_shape_show(*shape).text);
    return DT_OK;
}

/*
 * Find strides for a shape over the elements of an array, in the same order.
 *
 * From the fastest dimension on, the array is cut into runs: dimensions that
 * each step on where the next faster one ends.  A view exists exactly if the
 * extents of the shape can be shared out among the runs with none crossing from
 * one into the next.  Extents of 1 belong anywhere.
 */
static bool find_strides(const dt_array *array, dt_shape shape,
                         int64_t *strides)
{
    int next = shape.ndim - 1; /* to be placed */
    int dim = array->shape.ndim - 1;
    while (dim >= 0) {
        int64_t stride = array->strides[dim];
        int64_t run = array->shape.dims[dim];
        for (dim--; dim >= 0; dim--) {
            int64_t extent = array->shape.dims[dim];
            if (extent != 1 && run != 1 && array->strides[dim] != stride * run)
                break;
            if (run == 1)
                stride = array->strides[dim];
            run *= extent;
        }
        int64_t placed = 1;
        while (next >= 0 && (placed < run || shape.dims[next] == 1)) {
            strides[next] = stride * placed;
            placed *= shape.dims[next--];
        }
        if (placed != run)
            return false;
    }
    for (; next >= 0; next--) /* only of a 0-d array: all extents are 1 */
        strides[next] = 1;
    return true;
}

dt_status dt_array_reshape(dt_world *world, dt_array *array, dt_shape shape,
                           dt_array **out)
{
    if (shape.ndim < 0 || shape.ndim > DT_MAX_NDIM)
        return dti_fail(world, DT_ERR_INVALID,
                        "a shape of %d dimensions; at most %d are possible",
                        shape.ndim, DT_MAX_NDIM);
    DTI_TRY(complete_shape(world, array, &shape));
    int64_t strides[DT_MAX_NDIM] = {0};
    if (array->count == 0)
        dti_strides_row_major(shape, strides);
    else if (!find_strides(array, shape, strides))
        return dti_fail(world, DT_ERR_UNSUPPORTED,
                        "the strides of an array of shape %s do not allow a "
                        "view of shape %s; make it contiguous first",
                        dti_shape_show(array->shape).text,
                        dti_shape_show(shape).text);
    return dti_array_view(world, array, shape, strides, array->offset, out);
}
