/* cli/show/blocks.h - a tensor as blocks, each with the ranks that have it. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CLI_SHOW_BLOCKS_H
#define DTI_CLI_SHOW_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include <dtensor/spec.h>

#include "cli/show/ranks.h"

/* Neighbouring indexes of a dimension. */
typedef struct dti_block {
    int64_t begin;
    int64_t size;
} dti_block;

/* The most blocks of a dimension that are listed. */
#define DTI_BLOCKS_MOST (1 << 20)

/* Where a dimension is cut: in order, and together the whole of it.  What the
 * same ranks have is not cut. */
typedef struct dti_axis {
    int dim;
    int64_t extent;
    int count;
    bool too_many; /* more than DTI_BLOCKS_MOST: the list is not complete */
    dti_block *list;
} dti_axis;

typedef struct dti_blocks {
    const dt_spec *spec; /* borrowed */
    int ndim;
    dti_axis axes[DT_MAX_NDIM];
} dti_blocks;

void dti_blocks_make(dti_blocks *out, const dt_spec *spec);
void dti_blocks_free(dti_blocks *blocks);

/*
 * Add the ranks that have one cell, given by the number of its block in each
 * dimension.  Those whose partial values make up one value are together.
 */
void dti_blocks_owners(const dti_blocks *blocks, const int *cell,
                       dti_ranks *out);

/* How many ranks have the same cell. */
int dti_blocks_copies(const dti_blocks *blocks);

#endif
