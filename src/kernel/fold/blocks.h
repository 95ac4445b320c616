/* kernel/fold/blocks.h - reducing dimensions of an array, block by block. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_FOLD_BLOCKS_H
#define DTI_KERNEL_FOLD_BLOCKS_H

#include <stdint.h>

#include <dtensor/array.h>
#include <dtensor/dtype.h>

enum {
    DTI_BLOCK_RUN = 2048,  /* most elements of one result in a block */
    DTI_BLOCK_ROWS = 16,   /* most rows of a block of columns */
    DTI_BLOCK_WIDTH = 512, /* most columns */
};

/*
 * A block of elements in the nearest cache: rows of neighbours, `stride`
 * elements apart.  Column i belongs to result `to` + i * `step`, which had
 * `had` elements before.  A run of one result is a block of one row, whose
 * elements all belong to `to`.
 */
typedef struct dti_block {
    const void *x; /* carriers */
    int64_t rows;
    int64_t stride;
    int64_t width;
    int64_t to;
    int64_t step;
    int64_t had;
} dti_block;

typedef struct dti_blocks {
    dt_dtype carrier; /* what elements are brought as */
    void *context;
    void (*run)(void *context, const dti_block *block);
    void (*columns)(void *context, const dti_block *block);
} dti_blocks;

/*
 * Take the elements of the dimensions whose bits are set to the results that
 * the others number, in row-major order.  Each result gets its elements in an
 * order and in blocks that depend on extents and strides only, never on the
 * other results.  Complex numbers that are carried as floats have two results
 * each, one for each part.
 */
void dti_blocks_take(const dti_blocks *blocks, const dt_array *in,
                     unsigned dims);

#endif
