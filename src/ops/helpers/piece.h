/* ops/helpers/piece.h - neighbouring indexes of a dimension that ranks share.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OPS_HELPERS_PIECE_H
#define DTI_OPS_HELPERS_PIECE_H

#include "tensor/view.h"

/*
 * A view sees what a rank has.  Where a dimension is sharded, some of its
 * indexes are copied instead: they go from the ranks that have them to those
 * that shall, and the piece is sharded in the same way.  It is a copied view of
 * the tensor (tensor/view.h), and has the strides that a view would have.
 */

/* Tell whether a dimension, counted from either end, is sharded; not of a
 * masked partial tensor, whose mask would have to move as well. */
bool dti_piece_is_cut(const dt_tensor *tensor, int64_t dim);

/* What a piece of so many indexes is as a global tensor. */
dt_meta dti_piece_meta(const dt_tensor *tensor, int dim, int64_t count);

/*
 * Make a tensor, which has the elements already, a copied view: the indexes of
 * a dimension of a base from `first` on.  `op` is named in messages.
 *
 * Not collective.
 */
dt_status dti_piece_relate(dt_tensor *piece, dt_tensor *base, const char *op,
                           int dim, int64_t first);

/*
 * Give `count` indexes of a dimension from `first` on.
 *
 * Collective over the mesh.  Belongs to the innermost scope.
 */
dt_status dti_piece_take(dt_tensor *tensor, const char *op, int dim,
                         int64_t first, int64_t count, dt_tensor **out);

/*
 * Give one index of a dimension to all ranks that share it.
 *
 * Collective over the mesh.  Belongs to the innermost scope.
 */
dt_status dti_piece_share(dt_tensor *tensor, const char *op, int dim,
                          int64_t index, dt_tensor **out);

#endif
