/* kernel/fold_walk.h - stepping through dimensions of arrays. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_FOLD_WALK_H
#define DTI_KERNEL_FOLD_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include <dtensor/shape.h>

/*
 * Dimensions that are stepped through together, slowest first, with the strides
 * that they have in an input and in an output, in elements.  Dimensions of
 * extent 1 are left out, neighbours that lie as one are one.  A walk without
 * dimensions has one place.
 */
typedef struct dti_walk {
    int ndim;
    int64_t extent[DT_MAX_NDIM + 1];
    int64_t in[DT_MAX_NDIM + 1];
    int64_t out[DT_MAX_NDIM + 1];
    int64_t index[DT_MAX_NDIM + 1];
    int64_t in_at; /* where it is */
    int64_t out_at;
} dti_walk;

/* Add a dimension that varies faster than those before it. */
static inline void dti_walk_add(dti_walk *walk, int64_t extent, int64_t in,
                                int64_t out)
{
    int last = walk->ndim - 1;
    if (extent == 1)
        return;
    if (last >= 0 && walk->in[last] == extent * in &&
        walk->out[last] == extent * out) {
        walk->extent[last] *= extent;
        walk->in[last] = in;
        walk->out[last] = out;
        return;
    }
    walk->extent[walk->ndim] = extent;
    walk->in[walk->ndim] = in;
    walk->out[walk->ndim] = out;
    walk->ndim++;
}

/* Take a dimension out. */
static inline void dti_walk_remove(dti_walk *walk, int dim)
{
    walk->ndim--;
    for (int i = dim; i < walk->ndim; i++) {
        walk->extent[i] = walk->extent[i + 1];
        walk->in[i] = walk->in[i + 1];
        walk->out[i] = walk->out[i + 1];
    }
}

/* How many places there are. */
static inline int64_t dti_walk_count(const dti_walk *walk)
{
    int64_t count = 1;
    for (int i = 0; i < walk->ndim; i++)
        count *= walk->extent[i];
    return count;
}

/* Step to the next place; false, and back at the first one, after the last. */
static inline bool dti_walk_next(dti_walk *walk)
{
    for (int i = walk->ndim - 1; i >= 0; i--) {
        walk->in_at += walk->in[i];
        walk->out_at += walk->out[i];
        if (++walk->index[i] < walk->extent[i])
            return true;
        walk->in_at -= walk->index[i] * walk->in[i];
        walk->out_at -= walk->index[i] * walk->out[i];
        walk->index[i] = 0;
    }
    return false;
}

#endif
