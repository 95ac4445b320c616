/* kernel/index/compact.h - elements that a mask keeps, one behind another. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_INDEX_COMPACT_H
#define DTI_KERNEL_INDEX_COMPACT_H

#include <stddef.h>
#include <stdint.h>

#include <dtensor/shape.h>

/* How many bytes of a mask, of 0 and 1, are 1. */
int64_t dti_compact_count(const unsigned char *mask, int64_t count);

/* Copy the elements, or rows, of `item` bytes where the mask is 1. */
void dti_compact(const void *from, size_t item, const unsigned char *mask,
                 int64_t count, void *out);

/* The way back: put `kept` elements, or rows, as many as the mask has 1, where
 * it is 1; others stay as they are. */
void dti_compact_undo(const void *from, size_t item, const unsigned char *mask,
                      int64_t kept, void *out);

/* Write the indexes of the elements where a mask of a shape is 1, in row-major
 * order, `shape.ndim` numbers for each of `count`; those of dimension 0 count
 * from `first` on.  The shape has a dimension and no extent of 0. */
void dti_compact_indexes(const unsigned char *mask, dt_shape shape,
                         int64_t first, int64_t count, int64_t *out);

#endif
