/* dtensor/shape.h - shapes, passed by value. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_SHAPE_H
#define DTENSOR_SHAPE_H

#include <stdint.h>

#include <dtensor/export.h>

/* Maximum number of dimensions of an array or a mesh. */
#define DT_MAX_NDIM 8

/*
 * The extents of an array, slowest dimension first.  A shape created with more
 * than DT_MAX_NDIM extents keeps that ndim, and functions that take it fail.
 */
typedef struct dt_shape {
    int ndim;                  /* number of dimensions */
    int64_t dims[DT_MAX_NDIM]; /* extents; 0 beyond ndim */
} dt_shape;

DT_EXTERN_C_BEGIN

/*
 * Create a shape from `ndim` extents.
 *
 * Not collective.
 */
DT_INLINE_ dt_shape dt_shape_make(int ndim, const int64_t *dims)
{
    dt_shape shape;
    shape.ndim = ndim;
    for (int i = 0; i < DT_MAX_NDIM; i++)
        shape.dims[i] = i < ndim ? dims[i] : 0;
    return shape;
}

/*
 * Return the number of elements of a shape; -1 if an extent is negative, there
 * are more than DT_MAX_NDIM dimensions, or the product exceeds 63 bits.
 *
 * Not collective.
 */
DT_API int64_t dt_shape_count(dt_shape shape);

/*
 * Test whether two shapes have the same extents.
 *
 * Not collective.
 */
DT_API int dt_shape_equal(dt_shape a, dt_shape b);

DT_EXTERN_C_END

/* A shape by value: DT_SHAPE(2, 3).  DT_SHAPE() is the shape of a 0-d
 * tensor. */
#ifdef __cplusplus
template <typename... Extents>
static inline dt_shape dt_shape_of(Extents... extents)
{
    const int64_t dims[] = {0, static_cast<int64_t>(extents)...};
    return dt_shape_make(static_cast<int>(sizeof...(extents)), dims + 1);
}
#define DT_SHAPE(...) dt_shape_of(__VA_ARGS__)
#else
#define DT_SHAPE(...)                                                          \
    dt_shape_make(                                                             \
        (int)(sizeof((int64_t[]){0, __VA_ARGS__}) / sizeof(int64_t)) - 1,      \
        (int64_t[]){0, __VA_ARGS__} + 1)
#endif

#endif
