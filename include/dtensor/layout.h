/* dtensor/layout.h - how a tensor lies on a mesh. */
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
    DT_REPLICATE,     /* every rank has the whole */
    DT_SHARD,         /* ranks have blocks of one dimension, in order */
    DT_STRIDED_SHARD, /* the same of each of several pieces */
    DT_PARTIAL,       /* the value is what the ranks' values combine to */
    DT_MASKED_PARTIAL /* a sum in which each rank has zeros for what others
                         have; an operator made it */
} dt_placement_kind;

/*
 * How a tensor meets one mesh dimension of n ranks.
 *
 * A shard cuts a dimension into n blocks of equal size, rounded up; the last
 * blocks may be shorter or empty.  A strided shard first cuts it into `factor`
 * pieces in the same way, then each piece into n blocks; rank i has block i of
 * every piece, one after another.
 */
typedef struct dt_placement {
    dt_placement_kind kind;
    int dim;        /* that is cut; a negative one counts from the end */
    dt_reduce op;   /* of a partial value */
    int64_t factor; /* of a strided shard */
} dt_placement;

/* Placements by value.  Not collective. */
static inline dt_placement dt_replicate(void)
{
    dt_placement placement = {DT_REPLICATE, 0, DT_SUM, 0};
    return placement;
}

static inline dt_placement dt_shard(int dim)
{
    dt_placement placement = {DT_SHARD, dim, DT_SUM, 0};
    return placement;
}

static inline dt_placement dt_strided_shard(int dim, int64_t factor)
{
    dt_placement placement = {DT_STRIDED_SHARD, dim, DT_SUM, factor};
    return placement;
}

static inline dt_placement dt_partial(dt_reduce op)
{
    dt_placement placement = {DT_PARTIAL, 0, op, 0};
    return placement;
}

static inline dt_placement dt_masked_partial(void)
{
    dt_placement placement = {DT_MASKED_PARTIAL, 0, DT_SUM, 0};
    return placement;
}

/*
 * Tell whether two placements are the same.  A strided shard of factor 1 cuts
 * as a shard does, but is another placement.
 *
 * Not collective.
 */
DT_API bool dt_placement_equal(dt_placement a, dt_placement b);

/* Tell whether a placement cuts a dimension; and whether it is a partial value,
 * masked or not.  Not collective. */
DT_API bool dt_placement_is_shard(dt_placement placement);
DT_API bool dt_placement_is_partial(dt_placement placement);

/* ---- Layouts ------------------------------------------------------------ */

/*
 * One placement for each mesh dimension.  Where several mesh dimensions cut the
 * same tensor dimension, `order` says which comes first: 0 cuts the whole, 1
 * what that left, and so on.  Elsewhere it is 0.
 *
 * A value, built by the functions below.
 */
typedef struct dt_layout {
    int ndim; /* mesh dimensions */
    dt_placement placements[DT_MAX_NDIM];
    int order[DT_MAX_NDIM];
} dt_layout;

/*
 * Make a layout in which mesh dimensions cut from left to right.
 *
 * Not collective.
 */
DT_API dt_layout dt_layout_of(const dt_placement *placements, int ndim);

/*
 * Read a layout as it is printed: "S(0)R", "RP(max)", "S(1)[1]S(1)[0]R",
 * "_S(0,2)S(0)", "MaskP(sum)".  "P" is short for "P(sum)".  PyTorch's names are
 * read too: "Shard(0), Replicate(), Partial(sum)".  Space and commas between
 * placements are ignored.
 *
 * Not collective.  DT_ERR_INVALID says where the text cannot be read, or that
 * the numbers in brackets are not an order.
 */
DT_API DT_MUST_USE dt_status dt_layout_parse(dt_world *world, const char *text,
                                             dt_layout *out);

/*
 * Write a layout, at most `size` bytes with the final zero, and give the length
 * that the whole text has.  Where a tensor dimension is cut more than once,
 * each cut is followed by its place in the order: "S(0)[0]S(0)[1]"; not if
 * strided shards are among them.
 *
 * Not collective.
 */
DT_API size_t dt_layout_format(const dt_layout *layout, char *text,
                               size_t size);

/*
 * Give the text of a layout, for functions that take layouts as text.
 *
 * Not collective.  Borrowed from the world until it closes; equal layouts give
 * one text.  NULL if the layout is none or memory is short.
 */
DT_API const char *dt_layout_text(dt_world *world, const dt_layout *layout);

/*
 * Set the order in which mesh dimensions cut a tensor dimension: all that do,
 * each once, the first to cut first.
 *
 * Not collective.
 */
DT_API DT_MUST_USE dt_status dt_layout_set_order(dt_world *world,
                                                 dt_layout *layout,
                                                 int tensor_dim,
                                                 const int *mesh_dims,
                                                 int count);

/* Tell whether every tensor dimension is cut from left to right.
 * Not collective. */
DT_API bool dt_layout_has_default_order(const dt_layout *layout);

/* Tell whether two layouts have the same placements and order.
 * Not collective. */
DT_API bool dt_layout_equal(const dt_layout *a, const dt_layout *b);

/*
 * Check a layout for a tensor of `tensor_ndim` dimensions on a mesh, and count
 * its dimensions from the front.
 *
 * Not collective.  DT_ERR_INVALID: another number of placements than the mesh
 * has dimensions, a dimension that the tensor does not have, an order that
 * names a dimension twice or is one of strided shards, a factor below 1, kinds
 * of partial values that do not mix (sum and avg do).
 */
DT_API DT_MUST_USE dt_status dt_layout_check(const dt_mesh *mesh,
                                             int tensor_ndim,
                                             dt_layout *layout);

/*
 * Say with strided shards what a layout says with an order; on sizes that
 * divide, both cut alike.
 *
 * Not collective.  The layout was checked.  DT_ERR_UNSUPPORTED if there are
 * strided shards in it and an order too.
 */
DT_API DT_MUST_USE dt_status dt_layout_to_strided(const dt_mesh *mesh,
                                                  const dt_layout *layout,
                                                  dt_layout *out);

/*
 * Say with an order what a layout says with strided shards.
 *
 * Not collective.  The layout was checked.  DT_ERR_NOT_FOUND if no order says
 * it: the factors cannot be decoded.
 */
DT_API DT_MUST_USE dt_status dt_layout_from_strided(const dt_mesh *mesh,
                                                    const dt_layout *layout,
                                                    dt_layout *out);

DT_EXTERN_C_END

#endif
