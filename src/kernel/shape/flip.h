/* kernel/shape/flip.h - copies with indexes in reverse order. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_SHAPE_FLIP_H
#define DTI_KERNEL_SHAPE_FLIP_H

#include <stddef.h>
#include <stdint.h>

#include <dtensor/shape.h>

/*
 * Copy elements of `item` bytes, 1, 2, 4 or 8, to where they lie side by side,
 * in row-major order.  `from` is the first of them and strides, in elements,
 * may be negative.
 */
typedef struct dti_flip {
    size_t item;
    int ndim;
    int64_t dims[DT_MAX_NDIM];
    const void *from;
    int64_t strides[DT_MAX_NDIM];
} dti_flip;

void dti_flip_copy(const dti_flip *how, void *out);

#endif
