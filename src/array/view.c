/* array/view.c - seeing the storage of an array with other dimensions. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/array.h>

#include <string.h>

#include "array/array.h"
#include "array/given.h"
#include "base/error.h"
#include "base/handles.h"

/* Check a dimension and count it from the front. */
static dt_status check_dim(dt_world *world, const dt_array *array, int *dim)
{
    int ndim = array->shape.ndim;
    if (*dim < -ndim || *dim >= ndim)
        return dti_fail(world, DT_ERR_INVALID,
                        "dimension %d is out of range for a %d-d array", *dim,
                        ndim);
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
    DTI_ENTRY();
    DTI_TRY(dti_array_given(world, array, "dt_array_slice"));
    DTI_TRY(check_dim(world, array, &dim));
    if (step < 1)
        return dti_fail(world, DT_ERR_INVALID,
                        "dt_array_slice: step is %lld; must be positive",
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
    DTI_ENTRY();
    DTI_TRY(dti_array_given(world, array, "dt_array_select"));
    DTI_TRY(check_dim(world, array, &dim));
    int64_t extent = array->shape.dims[dim];
    if (index < -extent || index >= extent)
        return dti_fail(
            world, DT_ERR_INVALID,
            "index %lld is out of range for dimension %d of extent %lld",
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
    DTI_ENTRY();
    DTI_TRY(dti_array_given(world, array, "dt_array_permute"));
    dt_shape shape = array->shape;
    int64_t strides[DT_MAX_NDIM] = {0};
    unsigned seen = 0;
    for (int i = 0; i < shape.ndim; i++) {
        int dim = order[i];
        DTI_TRY(check_dim(world, array, &dim));
        if (seen & 1u << dim)
            return dti_fail(world, DT_ERR_INVALID,
                            "dt_array_permute: dimension %d is listed twice",
                            dim);
        seen |= 1u << dim;
        shape.dims[i] = array->shape.dims[dim];
        strides[i] = array->strides[dim];
    }
    return dti_array_view(world, array, shape, strides, array->offset, out);
}

dt_status dti_array_view_in_order(dt_world *world, dt_array *array,
                                  const dt_array *like, dt_array **out)
{
    int order[DT_MAX_NDIM];
    if (like->contiguous) {
        *out = dt_array_retain(array);
        return DT_OK;
    }
    for (int i = 0; i < like->shape.ndim; i++) {
        int place = i;
        for (; place > 0; place--) {
            if (like->strides[order[place - 1]] >= like->strides[i])
                break;
            order[place] = order[place - 1];
        }
        order[place] = i;
    }
    return dt_array_permute(world, array, order, out);
}

dt_status dt_array_expand(dt_world *world, dt_array *array, dt_shape shape,
                          dt_array **out)
{
    DTI_ENTRY();
    DTI_TRY(dti_array_given(world, array, "dt_array_expand"));
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
                            "shape %s cannot be expanded to %s: the extent of "
                            "dimension %d is not 1",
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

dt_status dt_array_reshape(dt_world *world, dt_array *array, dt_shape shape,
                           dt_array **out)
{
    DTI_ENTRY();
    DTI_TRY(dti_array_given(world, array, "dt_array_reshape"));
    if (shape.ndim < 0 || shape.ndim > DT_MAX_NDIM)
        return dti_fail(world, DT_ERR_INVALID,
                        "a shape of %d dimensions; the maximum is %d",
                        shape.ndim, DT_MAX_NDIM);
    const char *why = dti_shape_complete(&shape, array->count);
    if (why)
        return dti_fail(
            world, DT_ERR_INVALID,
            "shape %s, of %lld elements, cannot be viewed as %s: %s",
            dti_shape_show(array->shape).text, (long long)array->count,
            dti_shape_show(shape).text, why);
    int64_t strides[DT_MAX_NDIM] = {0};
    if (!dti_strides_reshape(array->shape, array->strides, shape, strides))
        return dti_fail(world, DT_ERR_UNSUPPORTED,
                        "the strides of an array of shape %s do not allow a "
                        "view of shape %s; use dt_array_contiguous first",
                        dti_shape_show(array->shape).text,
                        dti_shape_show(shape).text);
    return dti_array_view(world, array, shape, strides, array->offset, out);
}
