/* layout/indexes.h - which indexes of a dimension a rank has. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_LAYOUT_INDEXES_H
#define DTI_LAYOUT_INDEXES_H

#include <stdbool.h>
#include <stdint.h>

#include <dtensor/shape.h>
#include <dtensor/spec.h>

/* A mesh dimension that cuts a tensor dimension: each of `factor` pieces into
 * `parts` blocks. */
typedef struct dti_cut {
    int mesh_dim;
    int parts;
    int64_t factor;
} dti_cut;

/* All cuts of a tensor dimension, the first one first. */
typedef struct dti_cuts {
    int count;
    dti_cut list[DT_MAX_NDIM];
} dti_cuts;

/*
 * What one cut leaves to a rank, as a map from positions in what it left to
 * positions in what it was given: below `full`, blocks of `block` every
 * `period` from `first` on; from `full` on, one block from `tail` on.
 */
typedef struct dti_cut_map {
    int64_t full;
    int64_t block;
    int64_t period;
    int64_t first;
    int64_t tail;
} dti_cut_map;

/*
 * The indexes of a dimension that a rank has, ascending: its elements lie in
 * this order.  They are never listed; maps, applied from the last to the first,
 * take a position among them to an index.  Cuts in a row that leave one block
 * share a map, so there is one map or none unless shards are strided.
 */
typedef struct dti_indexes {
    int64_t size;   /* how many */
    int64_t extent; /* of the dimension */
    int depth;
    dti_cut_map maps[DT_MAX_NDIM + 1]; /* one for each cut, and for a clip */
} dti_indexes;

/* The indexes that the rank at a mesh coordinate has; a coordinate for each
 * mesh dimension. */
void dti_indexes_set(dti_indexes *out, int64_t extent, const dti_cuts *cuts,
                     const int *coordinate);

/* All indexes from `begin` on, `size` of them: a range that no mesh cut. */
void dti_indexes_set_range(dti_indexes *out, int64_t extent, int64_t begin,
                           int64_t size);

/* Keep the indexes from `begin` to before `end`; gives how many were left out
 * before them.  Once at most. */
int64_t dti_indexes_clip(dti_indexes *indexes, int64_t begin, int64_t end);

/* Count indexes from elsewhere: `by` is added to each, and they may lie outside
 * the extent then. */
void dti_indexes_shift(dti_indexes *indexes, int64_t by);

/* The index at a position, and how many that follow it are its neighbours. */
int64_t dti_indexes_at(const dti_indexes *indexes, int64_t position,
                       int64_t *run);

/* The first index; the extent if there is none. */
static inline int64_t dti_indexes_offset(const dti_indexes *indexes)
{
    int64_t run;
    return indexes->size ? dti_indexes_at(indexes, 0, &run) : indexes->extent;
}

/* Tell whether the indexes are neighbours, all of them. */
bool dti_indexes_are_range(const dti_indexes *indexes);

/*
 * Find who has an index: set the coordinate along the mesh dimensions that cut.
 * Gives its position there.  The index is inside the extent.
 */
int64_t dti_indexes_find(int64_t extent, const dti_cuts *cuts, int64_t index,
                         int *coordinate);

#endif
