/* redistribute/space.h - layouts as states of a search, and what lies between.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_REDISTRIBUTE_SPACE_H
#define DTI_REDISTRIBUTE_SPACE_H

#include <dtensor/plan.h>

#include "layout/part.h"
#include "layout/spec.h"
#include "redistribute/cost.h"

/*
 * The tensor and the mesh of a search, and the ranks that are looked at: all of
 * them, or on a large mesh those at the ends and in the middle of each
 * dimension, one of each kind that cutting makes.
 */
typedef struct dti_space {
    const dt_mesh *mesh;
    dt_shape shape;
    int64_t item; /* bytes */
    int ranks;
    int *places;
    int *coordinates; /* mesh->dims.ndim for each */
} dti_space;

dt_status dti_space_open(dti_space *space, const dt_spec *spec);
void dti_space_close(dti_space *space);

/* Tell whether every rank of the mesh is looked at. */
bool dti_space_has_all(const dti_space *space);

/* What a rank has of a dimension, if that is one run. */
typedef struct dti_span {
    int64_t begin;
    int64_t size;
} dti_span;

/* What each of the ranks has: spans, or parts where shards are strided. */
typedef struct dti_holdings {
    dti_span *spans; /* shape.ndim for each rank; NULL if there are parts */
    dti_part *parts;
    int64_t largest; /* elements of the rank that has most */
} dti_holdings;

dt_status dti_holdings_set(dti_holdings *out, const dti_space *space,
                           const dt_layout *layout);
void dti_holdings_free(dti_holdings *holdings);

/* What holdings take. */
size_t dti_holdings_bytes(const dti_holdings *holdings, const dti_space *space);

/* The runs of neighbours, after the first, in what the first rank has in `to`,
 * all of which it has in `from`. */
int64_t dti_holdings_rows(const dti_space *space, const dti_holdings *from,
                          const dti_holdings *to);

/* The most elements of `to` that some rank has not in `from`. */
int64_t dti_holdings_missing(const dti_space *space, const dti_holdings *from,
                             const dti_holdings *to);

/* Tell whether every rank of the mesh has the same in both; false if some are
 * not looked at. */
bool dti_holdings_equal(const dti_space *space, const dti_holdings *a,
                        const dti_holdings *b);

/* The most elements that some rank takes from others, if values become partial:
 * `a` and `b` are what ranks have before and after. */
int64_t dti_layouts_taken(const dti_space *space, const dt_layout *from,
                          const dti_holdings *a, const dt_layout *to,
                          const dti_holdings *b);

/* The cuts of a tensor dimension in a layout. */
void dti_layout_cuts_of(const dt_mesh *mesh, const dt_layout *layout, int dim,
                        dti_cuts *out);

/* The mesh dimensions, as bits, along which a value becomes partial so that one
 * rank has it and the others what changes nothing. */
unsigned dti_layouts_parted(const dt_layout *from, const dt_layout *to);

/*
 * The mesh dimensions, as bits, along which ranks must talk to come from one
 * layout to the other: those that cut in `from`, from where the chains of cuts
 * of a dimension part ways.  Where a value becomes partial it stays along that
 * mesh dimension where it was.
 */
unsigned dti_layouts_apart(const dt_mesh *mesh, const dt_layout *from,
                           const dt_layout *to, int tensor_ndim);

/* Ranks along mesh dimensions that are given as bits. */
int dti_mesh_ranks_along(const dt_mesh *mesh, unsigned dims);

/* How many peers a rank hears from when it comes from one layout to the other;
 * the most of a few ranks. */
int dti_layouts_messages(const dti_space *space, const dt_layout *from,
                         const dt_layout *to);

/* A layout without what dimensions of one rank say; they say nothing. */
dt_layout dti_layout_without_ones(const dt_mesh *mesh, const dt_layout *layout);

/* Let a mesh dimension, which cuts last or not at all, replicate. */
void dti_layout_uncut(dt_layout *layout, int mesh_dim);

/* Let a mesh dimension, which does not cut, cut a dimension last. */
void dti_layout_cut(dt_layout *layout, int mesh_dim, const dt_placement *as);

/* Tell whether a mesh dimension is the last to cut its tensor dimension. */
bool dti_layout_is_last(const dt_layout *layout, int mesh_dim);

#endif
