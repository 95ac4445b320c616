/* ops/helpers/piece.h - neighbouring indexes of a dimension that ranks share.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OPS_HELPERS_PIECE_H
#define DTI_OPS_HELPERS_PIECE_H

#include "tensor/view.h"

/*
 * A view needs no element of another rank.  Some indexes of a sharded dimension
 * do: they are copied instead, sent by the ranks that have them to those that
 * need them, and the piece is sharded in the same way.  For example, indexes 2
 * to 5 of six over two ranks: rank 0 has 0 1 2 and needs 2 3, rank 1 has 3 4 5
 * and needs 4 5, so it sends 3.  The piece is a copied view of the tensor
 * (tensor/view.h) and has the strides that a view would have.
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
 * Return `count` indexes of a dimension from `first` on, as a copied view.
 *
 * Collective over the mesh.  Belongs to the innermost scope.
 */
dt_status dti_piece_take(dt_tensor *tensor, const char *op, int dim,
                         int64_t first, int64_t count, dt_tensor **out);

/*
 * Return one index of a sharded dimension, replicated where that is sharded, as
 * a copied view.
 *
 * Collective over the mesh.  Belongs to the innermost scope.
 */
dt_status dti_piece_share(dt_tensor *tensor, const char *op, int dim,
                          int64_t index, dt_tensor **out);

#endif
