/* plugins/mpi/split.h - counts of 64 bits for calls that take an int. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_PLUGINS_MPI_SPLIT_H
#define DTI_PLUGINS_MPI_SPLIT_H

#include <stdbool.h>
#include <stdint.h>

#include <dtensor/sys/transport.h>

/*
 * `limit` is the most elements that one call of MPI is given, INT_MAX unless a
 * test says less.  Offsets within one call stay below it too, so a call fits if
 * its total does.
 */

/* The next piece of what is left. */
static inline int dti_split_next(int64_t left, int limit)
{
    return left < limit ? (int)left : limit;
}

/* A number of elements as whole pieces of `limit`, and a rest. */
typedef struct dti_split {
    int64_t pieces;
    int rest;
} dti_split;

static inline dti_split dti_split_count(int64_t count, int limit)
{
    return (dti_split){count / limit, (int)(count % limit)};
}

/* Write the blocks of a call as lengths and offsets that MPI takes; false if
 * they do not fit. */
static inline bool dti_split_blocks(const int64_t *counts, int64_t total,
                                    int size, int limit, int *lengths,
                                    int *offsets)
{
    if (total > limit)
        return false;
    int offset = 0;
    for (int i = 0; i < size; i++) {
        lengths[i] = (int)dt_call_block(counts, total, size, i);
        offsets[i] = offset;
        offset += lengths[i];
    }
    return true;
}

/* The part of a block that is in the window of `width` elements from `from`. */
static inline int dti_split_window(int64_t block, int64_t from, int width)
{
    return block > from ? dti_split_next(block - from, width) : 0;
}

/* Cut `count` elements for `size` ranks, the first ones getting one more. */
static inline void dti_split_even(int count, int size, int *lengths,
                                  int *offsets)
{
    int offset = 0;
    for (int i = 0; i < size; i++) {
        lengths[i] = count / size + (i < count % size);
        offsets[i] = offset;
        offset += lengths[i];
    }
}

#endif
