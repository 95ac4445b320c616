/* base/shape.h - strides and texts of shapes. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_BASE_SHAPE_H
#define DTI_BASE_SHAPE_H

#include <stdbool.h>

#include <dtensor/dtype.h>
#include <dtensor/shape.h>
#include <dtensor/world.h>

/* Fill in the strides of a dense, row-major array; extents of 0 count as 1. */
void dti_strides_row_major(dt_shape shape, int64_t *out);

/* Tell whether strides are those; those of extents of 1 do not matter, and
 * nothing does if there are no elements. */
bool dti_strides_are_row_major(dt_shape shape, const int64_t *strides);

/* Work out an extent of -1, if there is one, for a shape of `count` elements.
 * Gives NULL, or why there is no such shape. */
const char *dti_shape_complete(dt_shape *shape, int64_t count);

/*
 * Find strides for another shape over the elements of an array, in the same
 * order; false if there are none.  Both shapes have as many elements.
 */
bool dti_strides_reshape(dt_shape from, const int64_t *strides, dt_shape to,
                         int64_t *out);

/* A shape as a sentence shows it: "(2, 3)". */
typedef struct dti_shape_text {
    char text[8 + DT_MAX_NDIM * 22];
} dti_shape_text;

dti_shape_text dti_shape_show(dt_shape shape);

/*
 * Check a dtype and a shape, and give the number of elements.  The bytes of an
 * array, extents of 0 counted as 1, fit 63 bits; so nothing that is derived
 * from a checked shape overflows.
 */
dt_status dti_shape_check(dt_world *world, dt_dtype dtype, dt_shape shape,
                          int64_t *count);

/*
 * Check the strides of a shape that was checked, and give the distance from the
 * first element to the last, in elements.  The bytes up to the end of the last
 * fit 63 bits.
 */
dt_status dti_strides_check(dt_world *world, dt_dtype dtype, dt_shape shape,
                            const int64_t *strides, int64_t *last);

#endif
