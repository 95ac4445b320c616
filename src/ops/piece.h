/* ops/piece.h - neighbouring indexes of a dimension that ranks share. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OPS_PIECE_H
#define DTI_OPS_PIECE_H

#include <dtensor/tensor.h>

/*
 * Views see what a rank has.  Where a dimension is cut, some of its indexes are
 * taken instead: they go from the ranks that have them to those that shall, and
 * the result is cut in the same way.
 */

/* Tell whether a dimension, counted from either end, is cut; not of a masked
 * partial tensor, whose mask would have to move as well. */
bool dti_piece_is_cut(const dt_tensor *tensor, int64_t dim);

/*
 * Give `count` indexes of a dimension from `first` on; all of them are seen
 * where they lie.
 *
 * Collective over the mesh.  Belongs to the innermost scope.
 */
dt_tensor *dti_piece_take(dt_tensor *tensor, int dim, int64_t first,
                          int64_t count);

/*
 * Put a piece into zeros, `extent` of them along a dimension, from `first` on;
 * a copy where the piece is all.
 *
 * Collective over the mesh.  Belongs to the innermost scope.
 */
dt_tensor *dti_piece_put(dt_tensor *tensor, int dim, int64_t first,
                         int64_t extent);

/*
 * Give one index of a dimension to all ranks that share it.
 *
 * Collective over the mesh.  Belongs to the innermost scope.
 */
dt_tensor *dti_piece_share(dt_tensor *tensor, int dim, int64_t index);

#endif
