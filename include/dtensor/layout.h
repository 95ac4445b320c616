/* dtensor/layout.h - placements and layouts: how a tensor is distributed on a
 * mesh. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_LAYOUT_H
#define DTENSOR_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dtensor/comm.h>
#include <dtensor/mesh.h>
#include <dtensor/shape.h>
#include <dtensor/status.h>
#include <dtensor/world.h>

DT_EXTERN_C_BEGIN

/* ---- Placements --------------------------------------------------------- */

typedef enum dt_placement_kind {
    DT_REPLICATE, /* every rank stores the global tensor */
    DT_SHARD,     /* each rank stores one block of a dimension, in rank order */
    /* Sharded within each of `factor` equal pieces of a dimension.  Arises when
     * a sharded dimension is flattened into another. */
    DT_STRIDED_SHARD,
    DT_PARTIAL, /* the value is the reduction of the local values */
    /* A partial sum in which each element is nonzero on one rank at most; the
     * other ranks store zeros for it.  Created by operators such as
     * embedding. */
    DT_MASKED_PARTIAL
} dt_placement_kind;

/*
 * How a tensor is distributed along one mesh dimension of n ranks.
 *
 * A shard splits a tensor dimension into n blocks of equal size, rounded up.
 * The last blocks may be shorter or empty: 10 elements on 4 ranks are blocks of
 * 3, 3, 3 and 1.  A strided shard first splits the dimension into `factor`
 * pieces in the same way, then each piece into n blocks; rank i stores block i
 * of every piece, one after another.
 */
typedef struct dt_placement {
    dt_placement_kind kind; /* selects which of the fields below are used */
    int dim; /* shard: tensor dimension; a negative one counts from the end */
    dt_reduce op;   /* partial: how local values are reduced */
    int64_t factor; /* strided shard: number of pieces */
} dt_placement;

/* Create placements.  Not collective. */
DT_INLINE_ dt_placement dt_replicate(void)
{
    dt_placement placement = {DT_REPLICATE, 0, DT_SUM, 0};
    return placement;
}

DT_INLINE_ dt_placement dt_shard(int dim)
{
    dt_placement placement = {DT_SHARD, dim, DT_SUM, 0};
    return placement;
}

DT_INLINE_ dt_placement dt_strided_shard(int dim, int64_t factor)
{
    dt_placement placement = {DT_STRIDED_SHARD, dim, DT_SUM, factor};
    return placement;
}

DT_INLINE_ dt_placement dt_partial(dt_reduce op)
{
    dt_placement placement = {DT_PARTIAL, 0, op, 0};
    return placement;
}

DT_INLINE_ dt_placement dt_masked_partial(void)
{
    dt_placement placement = {DT_MASKED_PARTIAL, 0, DT_SUM, 0};
    return placement;
}

/*
 * Test whether two placements are the same.  A strided shard of factor 1
 * distributes elements like a shard but is a different placement.
 *
 * Not collective.
 */
DT_API bool dt_placement_equal(dt_placement a, dt_placement b);

/* Test whether a placement shards a dimension (strided or not), or is partial
 * (masked or not).  Not collective. */
DT_API bool dt_placement_is_shard(dt_placement placement);
DT_API bool dt_placement_is_partial(dt_placement placement);

/* ---- Layouts ------------------------------------------------------------ */

/*
 * One placement for each mesh dimension.  Where several mesh dimensions shard
 * the same tensor dimension, `order` says which of them is applied first: the
 * one with order 0 splits the dimension, the one with order 1 splits the
 * resulting blocks, and so on.  For other placements it is 0.
 *
 * A value, created by the functions below.
 */
typedef struct dt_layout {
    int ndim;                             /* number of mesh dimensions */
    dt_placement placements[DT_MAX_NDIM]; /* by mesh dimension */
    int order[DT_MAX_NDIM];               /* by mesh dimension */
} dt_layout;

/*
 * Create a layout in which mesh dimensions are applied from left to right.
 *
 * Not collective.
 */
DT_API dt_layout dt_layout_of(const dt_placement *placements, int ndim);

/*
 * Parse a layout in the printed form: "S(0)R", "RP(max)", "S(1)[1]S(1)[0]R",
 * "_S(0,2)S(0)", "MaskP(sum)".  "P" is short for "P(sum)".  The names of
 * PyTorch are accepted too: "Shard(0), Replicate(), Partial(sum)".  Space and
 * commas between placements are ignored.
 *
 * Not collective.  DT_ERR_INVALID if the text is malformed, with the position,
 * or if the numbers in brackets are not an order.
 */
DT_API DT_MUST_USE dt_status dt_layout_parse(dt_world *world, const char *text,
                                             dt_layout *out);

/*
 * Write a layout as text: at most `size` bytes including the terminating zero.
 * Returns the length of the full text.  If a tensor dimension is sharded more
 * than once and none of the shards is strided, each is followed by its order:
 * "S(0)[0]S(0)[1]".
 *
 * Not collective.
 */
DT_API size_t dt_layout_format(const dt_layout *layout, char *text,
                               size_t size);

/*
 * Return the text of a layout, for functions that take a layout as text.
 *
 * Not collective.  Borrowed from the world until it closes; equal layouts
 * return the same pointer.  Returns NULL if the layout is invalid or memory
 * runs out.
 */
DT_API const char *dt_layout_text(dt_world *world, const dt_layout *layout);

/*
 * Set the order in which mesh dimensions shard a tensor dimension.  `mesh_dims`
 * lists all mesh dimensions that shard it, each once, the first to be applied
 * first.
 *
 * Not collective.  DT_ERR_INVALID if the list is anything else.
 */
DT_API DT_MUST_USE dt_status dt_layout_set_order(dt_world *world,
                                                 dt_layout *layout,
                                                 int tensor_dim,
                                                 const int *mesh_dims,
                                                 int count);

/* Test whether the mesh dimensions of every tensor dimension are applied from
 * left to right.  Not collective. */
DT_API bool dt_layout_has_default_order(const dt_layout *layout);

/* Test whether two layouts have the same placements and order.
 * Not collective. */
DT_API bool dt_layout_equal(const dt_layout *a, const dt_layout *b);

/*
 * Check a layout for a tensor of `tensor_ndim` dimensions on a mesh, and
 * replace negative dimensions.
 *
 * Not collective.  DT_ERR_INVALID if the number of placements is not the number
 * of mesh dimensions, a tensor dimension is out of range, an order lists a
 * dimension twice or includes strided shards, a factor is less than 1, or
 * partial placements have different reductions (sum and avg may be mixed).
 */
DT_API DT_MUST_USE dt_status dt_layout_check(const dt_mesh *mesh,
                                             int tensor_ndim,
                                             dt_layout *layout);

/*
 * Convert an order to strided shards.  Where extents are divisible, the result
 * distributes elements in the same way.
 *
 * Not collective.  The layout must have passed dt_layout_check.
 * DT_ERR_UNSUPPORTED if it has both strided shards and an order.
 */
DT_API DT_MUST_USE dt_status dt_layout_to_strided(const dt_mesh *mesh,
                                                  const dt_layout *layout,
                                                  dt_layout *out);

/*
 * Convert strided shards to an order.
 *
 * Not collective.  The layout must have passed dt_layout_check.
 * DT_ERR_NOT_FOUND if no order has these factors.
 */
DT_API DT_MUST_USE dt_status dt_layout_from_strided(const dt_mesh *mesh,
                                                    const dt_layout *layout,
                                                    dt_layout *out);

DT_EXTERN_C_END

#endif
