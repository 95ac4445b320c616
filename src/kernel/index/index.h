/* kernel/index/index.h - elements picked by their positions. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_INDEX_INDEX_H
#define DTI_KERNEL_INDEX_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dtensor/shape.h>

/*
 * For each index of the result, where its element comes from: as many steps of
 * `strides` as the index says, and as many of `step` as its position says.
 * Positions lie in an array of their own, which is read with
 * `position_strides`; where these are 0 for the last dimensions, whole blocks
 * share a position.
 */
typedef struct dti_picking {
    size_t item; /* bytes of an element: 1, 2, 4 or 8 */
    int ndim;
    int64_t dims[DT_MAX_NDIM]; /* of the result */
    const void *from;
    int64_t strides[DT_MAX_NDIM]; /* in elements, as all strides here */
    int64_t step;
    const int64_t *positions; /* -1: elsewhere, which gives 0 */
    int64_t position_strides[DT_MAX_NDIM];
    bool all_here; /* no position is -1 */
} dti_picking;

/*
 * Pick elements and write them side by side, in row-major order.  `mask`, if
 * not NULL, gets a byte for each block that shares a position: 1 if that is -1,
 * else 0.
 */
void dti_pick(const dti_picking *picking, void *out, unsigned char *mask);

/* Dense positions of a shape, and others that are read with strides. */
typedef struct dti_positions {
    int ndim;
    int64_t dims[DT_MAX_NDIM];
    int64_t *total;
    const int64_t *positions;
    int64_t strides[DT_MAX_NDIM];
    int64_t step; /* that a position of these counts */
} dti_positions;

/* Add positions; -1 and anything is -1. */
void dti_positions_add(const dti_positions *of);

#endif
