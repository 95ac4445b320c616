/* base/shape.c - counting and comparing extents. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/shape.h>

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
