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

bool dti_strides_are_row_major(dt_shape shape, const int64_t *strides)
{
    int64_t expected = 1;
    for (int i = shape.ndim - 1; i >= 0; i--) {
        if (shape.dims[i] == 1)
            continue;
        if (strides[i] != expected)
            return dt_shape_count(shape) == 0;
        expected *= shape.dims[i];
    }
    return true;
}

const char *dti_shape_complete(dt_shape *shape, int64_t count)
{
    dt_shape known = *shape;
    int open = -1;
    for (int i = 0; i < shape->ndim && i < DT_MAX_NDIM; i++) {
        if (shape->dims[i] != -1)
            continue;
        if (open >= 0)
            return "more than one extent is open";
        open = i;
        known.dims[i] = 1;
    }
    int64_t rest = dt_shape_count(known);
    if (open >= 0 && rest > 0 && count % rest == 0) {
        shape->dims[open] = count / rest;
        return NULL;
    }
    return open < 0 && rest == count ? NULL : "the number of elements differs";
}

/*
 * From the fastest dimension on, the array is cut into runs: dimensions that
 * each step on where the next faster one ends.  Strides exist exactly if the
 * extents of the shape can be shared out among the runs with none crossing from
 * one into the next.  Extents of 1 belong anywhere.
 */
static bool share_out(dt_shape from, const int64_t *from_strides, dt_shape to,
                      int64_t *out)
{
    int next = to.ndim - 1; /* to be placed */
    int dim = from.ndim - 1;
    while (dim >= 0) {
        int64_t stride = from_strides[dim];
        int64_t run = from.dims[dim];
        for (dim--; dim >= 0; dim--) {
            int64_t extent = from.dims[dim];
            if (extent != 1 && run != 1 && from_strides[dim] != stride * run)
                break;
            if (run == 1)
                stride = from_strides[dim];
            run *= extent;
        }
        int64_t placed = 1;
        while (next >= 0 && (placed < run || to.dims[next] == 1)) {
            out[next] = stride * placed;
            placed *= to.dims[next--];
        }
        if (placed != run)
            return false;
    }
    for (; next >= 0; next--) /* only of a 0-d array: all extents are 1 */
        out[next] = 1;
    return true;
}

bool dti_strides_reshape(dt_shape from, const int64_t *strides, dt_shape to,
                         int64_t *out)
{
    if (dt_shape_count(from) > 0)
        return share_out(from, strides, to, out);
    dti_strides_row_major(to, out);
    return true;
}

dt_status dti_shape_check(dt_world *world, dt_dtype dtype, dt_shape shape,
                          int64_t *count)
{
    int64_t item = (int64_t)dt_dtype_size(dtype);
    if (item == 0)
        return dti_fail(world, DT_ERR_INVALID, "invalid dtype %d", (int)dtype);
    if (shape.ndim < 0 || shape.ndim > DT_MAX_NDIM)
        return dti_fail(world, DT_ERR_INVALID,
                        "a shape of %d dimensions; the maximum is %d",
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
            return dti_fail(
                world, DT_ERR_INVALID,
                "stride %" PRId64
                " of dimension %d is negative, which is not supported",
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
