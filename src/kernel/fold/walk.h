/* kernel/fold/walk.h - stepping through dimensions of arrays. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_FOLD_WALK_H
#define DTI_KERNEL_FOLD_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include <dtensor/array.h>

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

/* Take the fastest dimension out; one of one element if there is none. */
static inline void dti_walk_take(dti_walk *walk, int64_t *extent, int64_t *in)
{
    const int last = walk->ndim - 1;
    *extent = last < 0 ? 1 : walk->extent[last];
    *in = last < 0 ? 1 : walk->in[last];
    if (last >= 0)
        dti_walk_remove(walk, last);
}

/* The dimension of the smallest stride in the input; -1 if there is none. */
static inline int dti_walk_nearest(const dti_walk *walk)
{
    int best = walk->ndim - 1;
    for (int i = best - 1; i >= 0; i--)
        if (walk->in[i] < walk->in[best])
            best = i;
    return best;
}

/* Elements that are walked through: as they are, or complex numbers part by
 * part. */
typedef enum dti_parts {
    DTI_WHOLE,
    DTI_PARTS_KEPT,
    DTI_PARTS_REDUCED
} dti_parts;

/*
 * Sort the dimensions of an array into those that are kept, of the dense
 * results, and the others, whose bits are set; parts are a dimension too, of
 * neighbours.  Of those that are reduced the one of the largest stride comes
 * first, so that those that lie as one become one.
 */
void dti_walk_sort(const dt_array *in, unsigned dims, dti_parts parts,
                   dti_walk *kept, dti_walk *reduced);

/* Work on the places of a walk that is part of another one. */
typedef void (*dti_walk_part)(void *context, dti_walk *part);

/*
 * Give the threads of the rank parts of a walk, which cover all of it; each
 * place moves `bytes`.  For places whose results do not depend on each other.
 */
void dti_walk_share(const dti_walk *walk, int64_t bytes, dti_walk_part function,
                    void *context);

#endif
