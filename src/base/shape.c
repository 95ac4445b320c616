/* base/shape.c - counting, comparing and showing extents. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/shape.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/error.h"

int64_t dt_shape_count(dt_shape shape)
{
    if (shape.ndim < 0 || shape.ndim > DT_MAX_NDIM)
        return -1;
    int64_t count = 1;
    int empty = 0;
    for (int i = 0; i < shape.ndim; i++) {
        int64_t extent = shape.dims[i];
        if (extent < 0)
            return -1;
        if (extent == 0) {
            empty = 1;
            continue;
        }
        if (count > INT64_MAX / extent)
            return -1;
        count *= extent;
    }
    return empty ? 0 : count;
}

int dt_shape_equal(dt_shape a, dt_shape b)
{
    if (a.ndim != b.ndim || a.ndim > DT_MAX_NDIM)
        return 0;
    for (int i = 0; i < a.ndim; i++)
        if (a.dims[i] != b.dims[i])
            return 0;
    return 1;
}

dti_shape_text dti_shape_show(dt_shape shape)
{
    dti_shape_text out;
    size_t used = 0;
    out.text[used++] = '(';
    for (int i = 0; i < shape.ndim && i < DT_MAX_NDIM; i++)
        used +=
            (size_t)snprintf(out.text + used, sizeof out.text - used,
                             i ? ", %lld" : "%lld", (long long)shape.dims[i]);
    snprintf(out.text + used, sizeof out.text - used, "%s",
             shape.ndim > DT_MAX_NDIM ? ", ...)"
             : shape.ndim == 1        ? ",)"
                                      : ")");
    return out;
}

void dti_strides_row_major(dt_shape shape, int64_t *out)
{
    uint64_t stride = 1; /* shapes that were not checked wrap around */
    for (int i = shape.ndim - 1; i >= 0; i--) {
        out[i] = (int64_t)stride;
        stride *= shape.dims[i] > 1 ? (uint64_t)shape.dims[i] : 1;
    }
}

dt_status dti_shape_check(dt_world *world, dt_dtype dtype, dt_shape shape,
                          int64_t *count)
{
    int64_t item = (int64_t)dt_dtype_size(dtype);
    if (item == 0)
        return dti_fail(world, DT_ERR_INVALID, "%d is not a dtype", (int)dtype);
    if (shape.ndim < 0 || shape.ndim > DT_MAX_NDIM)
        return dti_fail(world, DT_ERR_INVALID,
                        "a shape of %d dimensions; at most %d are possible",
                        shape.ndim, DT_MAX_NDIM);
    *count = dt_shape_count(shape);
    dt_shape filled = shape;
    for (int i = 0; i < shape.ndim; i++)
        filled.dims[i] = shape.dims[i] ? shape.dims[i] : 1;
    int64_t product = dt_shape_count(filled);
    if (*count < 0 || product > INT64_MAX / item)
        return dti_fail(world, DT_ERR_INVALID,
                        "shape %s has a negative extent or too many elements",
                        dti_shape_show(shape).text);
    return DT_OK;
}

dt_status dti_strides_check(dt_world *world, dt_dtype dtype, dt_shape shape,
                            const int64_t *strides, int64_t *last)
{
    int64_t item = (int64_t)dt_dtype_size(dtype);
    int64_t distance = 0;
    for (int i = 0; i < shape.ndim; i++) {
        if (strides[i] < 0)
            return dti_fail(world, DT_ERR_INVALID,
                            "stride %" PRId64 " of dimension %d is negative",
                            strides[i], i);
        if (strides[i] == 0 || shape.dims[i] <= 1)
            continue;
        int64_t room = INT64_MAX / item - 1 - distance;
        if (strides[i] > room / (shape.dims[i] - 1))
            return dti_fail(world, DT_ERR_INVALID,
                            "stride %" PRId64 " of dimension %d is too large "
                            "for shape %s",
                            strides[i], i, dti_shape_show(shape).text);
        distance += strides[i] * (shape.dims[i] - 1);
    }
    *last = distance;
    return DT_OK;
}
