/* layout/layout.h - placements and their order, inside the library. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_LAYOUT_LAYOUT_H
#define DTI_LAYOUT_LAYOUT_H

#include <dtensor/layout.h>

#include "base/text/writer.h"

/* Room for the text of any layout: "_S(d,factor)[k]" for each dimension. */
#define DTI_LAYOUT_TEXT_SIZE (DT_MAX_NDIM * 40)

static inline bool dti_is_shard(const dt_placement *placement)
{
    return placement->kind == DT_SHARD || placement->kind == DT_STRIDED_SHARD;
}

static inline bool dti_is_partial(const dt_placement *placement)
{
    return placement->kind == DT_PARTIAL ||
           placement->kind == DT_MASKED_PARTIAL;
}

/* A layout that is replicated along each of `ndim` mesh dimensions. */
dt_layout dti_layout_replicated(int ndim);

/* A layout in which a mask is a plain sum, which has the same value. */
dt_layout dti_layout_unmasked(const dt_layout *layout);

/* The same layout with replicated instead of partial placements: that of a
 * gradient. */
dt_layout dti_layout_reduced(const dt_layout *layout);

/* Tell whether partial values of two mesh dimensions may be combined in any
 * order: those of one kind, and sums and averages. */
bool dti_partials_mix(const dt_placement *a, const dt_placement *b);

/* How many placements may be read; a layout that was built with more than
 * DT_MAX_NDIM keeps that ndim until a check refuses it. */
static inline int dti_layout_ndim(const dt_layout *layout)
{
    return layout->ndim < DT_MAX_NDIM ? layout->ndim : DT_MAX_NDIM;
}

/* List the mesh dimensions that cut a tensor dimension, the first to cut
 * first.  The order is a permutation. */
int dti_layout_cuts(const dt_layout *layout, int tensor_dim, int *out);

/* The same from left to right. */
int dti_layout_shards(const dt_layout *layout, int tensor_dim, int *out);

/* Number mesh dimensions from left to right for each tensor dimension. */
void dti_layout_default_order(dt_layout *layout);

/*
 * Number cuts whose dimensions are counted from the front now, as they were not
 * in `given`: a tensor dimension that was named both ways is cut from left to
 * right if each way was.
 */
void dti_layout_join_orders(const dt_layout *given, dt_layout *layout);

/* Check that the order of each tensor dimension is one. */
dt_status dti_layout_check_order(dt_world *world, const dt_layout *layout);

/* Say with an order, in `result`, what the strided shards of one tensor
 * dimension say; false if no order does. */
bool dti_layout_decode(const dt_mesh *mesh, const dt_layout *layout,
                       int tensor_dim, dt_layout *result);

/* Fold a layout into a hash: the same for equal layouts, on every rank. */
uint64_t dti_layout_hash(uint64_t hash, const dt_layout *layout);

/* A layout as a sentence shows it. */
typedef struct dti_layout_show_text {
    char text[DTI_LAYOUT_TEXT_SIZE];
} dti_layout_show_text;

dti_layout_show_text dti_layout_show(const dt_layout *layout);

/*
 * Give the layout that a text says, from the texts that the world has read
 * before if it is one of them.
 *
 * Borrowed until the next call that reads one.
 */
dt_status dti_layout_read(dt_world *world, const char *text,
                          const dt_layout **out);

/* The same for a tensor that is created on a mesh: NULL means replicated along
 * every mesh dimension. */
dt_status dti_layout_read_on(const dt_mesh *mesh, const char *text,
                             const dt_layout **out);

#endif
