/* dtensor/ops/shape.h - operators; written by `make ops`. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_OPS_SHAPE_H
#define DTENSOR_OPS_SHAPE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dtensor/dtype.h>
#include <dtensor/number.h>
#include <dtensor/random.h>
#include <dtensor/shape.h>
#include <dtensor/status.h>
#include <dtensor/tensor.h>

DT_EXTERN_C_BEGIN

/*
 * Shapes, views and joining.
 *
 * dtensor/ops.h describes errors, results and variants.
 */
/* clang-format off */

/* ---- Views with other dimensions ---------------------------------------- */

/*
 * View a tensor with another shape, without moving elements; one extent may be
 * -1.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.  Never redistributes: fails instead.
 * - shape: extents of the result; -1: what remains
 */
DT_API dt_tensor *dt_view(dt_tensor *self, dt_shape shape);

/*
 * Change the shape of a tensor, as a view if possible; one extent may be -1.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 * - shape: extents of the result; -1: what remains
 */
DT_API dt_tensor *dt_reshape(dt_tensor *self, dt_shape shape);

/*
 * Flatten the dimensions from `start` to `end`, both included, into one.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 * - start: first dimension
 * - end: last dimension, included
 */
DT_API dt_tensor *dt_flatten(dt_tensor *self, int start, int end);

/*
 * Split a dimension into several; one extent may be -1.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 * - dim: dimension; negative numbers count from the end
 * - sizes: extents that replace the dimension, one of which may be -1
 */
DT_API dt_tensor *dt_unflatten(dt_tensor *self, int dim, dt_shape sizes);

/*
 * Remove dimensions of extent 1: the listed ones, all, or none with DT_NO_DIMS.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 * - dims: dimensions to remove, empty for all of extent 1
 */
DT_API dt_tensor *dt_squeeze(dt_tensor *self, dt_dims dims);
DT_API dt_tensor *dt_squeeze_(dt_tensor *self, dt_dims dims);

/*
 * Insert a dimension of extent 1 at position `dim`.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 * - dim: number of the new dimension in the result
 */
DT_API dt_tensor *dt_unsqueeze(dt_tensor *self, int dim);
DT_API dt_tensor *dt_unsqueeze_(dt_tensor *self, int dim);

/*
 * View dimensions in another order: dimension i of the result is dimension
 * `dims[i]`.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 * - dims: for each dimension of the result, the dimension of self
 */
DT_API dt_tensor *dt_permute(dt_tensor *self, dt_dims dims);

/*
 * Swap two dimensions.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 * - dim0: dimension to exchange
 * - dim1: dimension to exchange it with
 */
DT_API dt_tensor *dt_transpose(dt_tensor *self, int dim0, int dim1);
DT_API dt_tensor *dt_transpose_(dt_tensor *self, int dim0, int dim1);

/*
 * Swap the dimensions of a 2-d tensor; a tensor with fewer dimensions is
 * unchanged.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 */
DT_API dt_tensor *dt_t(dt_tensor *self);
DT_API dt_tensor *dt_t_(dt_tensor *self);

/*
 * Expand dimensions of extent 1, and add dimensions in front; -1 keeps an
 * extent.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 * - shape: extents of the result, -1 to keep an extent
 */
DT_API dt_tensor *dt_expand(dt_tensor *self, dt_shape shape);

/* ---- Aliases and orders of dimensions ----------------------------------- */

/*
 * View a tensor with the same shape.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 */
DT_API dt_tensor *dt_alias(dt_tensor *self);

/*
 * View a tensor with the same shape, without a gradient.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 */
DT_API dt_tensor *dt_detach(dt_tensor *self);
DT_API dt_tensor *dt_detach_(dt_tensor *self);

/*
 * Return a contiguous tensor: the tensor itself if it is contiguous, otherwise
 * a copy.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 */
DT_API dt_tensor *dt_contiguous(dt_tensor *self);

/*
 * View a tensor with the shape of another.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 */
DT_API dt_tensor *dt_view_as(dt_tensor *self, dt_tensor *other);

/*
 * Expand dimensions of extent 1 to the shape of another tensor.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 */
DT_API dt_tensor *dt_expand_as(dt_tensor *self, dt_tensor *other);

/*
 * Move dimensions to other positions; the others keep their order.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 * - source: dimensions to move
 * - destination: new positions of these dimensions
 */
DT_API dt_tensor *dt_movedim(dt_tensor *self, dt_dims source,
                             dt_dims destination);

/*
 * View complex numbers as pairs along a last dimension.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 */
DT_API dt_tensor *dt_view_as_real(dt_tensor *self);

/*
 * View pairs along the last dimension as complex numbers; a copy is viewed if
 * the strides do not allow it.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 */
DT_API dt_tensor *dt_view_as_complex(dt_tensor *self);

/* ---- Joining and splitting ---------------------------------------------- */

/*
 * Concatenate tensors along a dimension; their other dimensions must be equal.
 * Tensors of shape (0,) are ignored.
 *
 * Collective over the mesh of its tensors.
 * - dim: dimension; negative numbers count from the end
 */
DT_API dt_tensor *dt_cat(dt_tensor *const *tensors, int tensors_count,
                         int dim);
DT_API dt_tensor *dt_cat_out(dt_tensor *const *tensors, int tensors_count,
                             int dim, dt_tensor *out);

/*
 * Concatenate tensors of equal shape along a new dimension.
 *
 * Collective over the mesh of its tensors.
 * - dim: number of the new dimension in the result
 */
DT_API dt_tensor *dt_stack(dt_tensor *const *tensors, int tensors_count,
                           int dim);
DT_API dt_tensor *dt_stack_out(dt_tensor *const *tensors, int tensors_count,
                               int dim, dt_tensor *out);

/*
 * View pieces of a given size along a dimension; the last piece may be shorter.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 * - size: extent of each piece
 * - dim: dimension; negative numbers count from the end
 */
DT_API DT_MUST_USE dt_status dt_split(dt_tensor *self, int64_t size, int dim,
                                      dt_tensor **results, int capacity,
                                      int *count);

/*
 * Split a tensor into views of the given sizes along a dimension.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 * - sizes: extent of each piece
 * - dim: dimension; negative numbers count from the end
 */
DT_API DT_MUST_USE dt_status dt_split_sizes(dt_tensor *self,
                                            const int64_t *sizes,
                                            int sizes_count, int dim,
                                            dt_tensor **results, int capacity,
                                            int *count);

/*
 * View a number of pieces along a dimension, of equal size rounded up; there
 * may be fewer pieces.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 * - pieces: number of pieces
 * - dim: dimension; negative numbers count from the end
 */
DT_API DT_MUST_USE dt_status dt_chunk(dt_tensor *self, int64_t pieces, int dim,
                                      dt_tensor **results, int capacity,
                                      int *count);

/*
 * View each index of a dimension as a tensor without that dimension.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 * - dim: dimension; negative numbers count from the end
 */
DT_API DT_MUST_USE dt_status dt_unbind(dt_tensor *self, int dim,
                                       dt_tensor **results, int capacity,
                                       int *count);

/* ---- Slices ------------------------------------------------------------- */

/*
 * View every `step`th index of a dimension, from `start` to below `stop`;
 * negative numbers count from the end.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 * - dim: dimension; negative numbers count from the end
 * - start: first index; negative: from the end
 * - stop: index after the last one; negative: from the end
 * - step: distance from one to the next
 */
DT_API dt_tensor *dt_slice(dt_tensor *self, int dim, int64_t start,
                           int64_t stop, int64_t step);

/*
 * View `length` indexes of a dimension, starting at `start`.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 * - dim: dimension; negative numbers count from the end
 * - start: first index; negative: from the end
 * - length: number of indexes
 */
DT_API dt_tensor *dt_narrow(dt_tensor *self, int dim, int64_t start,
                            int64_t length);

/*
 * View one index of a dimension, which is removed.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 * - dim: dimension; negative numbers count from the end
 * - index: index along the dimension; negative: from the end
 */
DT_API dt_tensor *dt_select(dt_tensor *self, int dim, int64_t index);

/*
 * Copy a tensor with every `step`th index of a dimension, from `start` to
 * before `stop`, taken from src.
 *
 * Collective over the mesh of its tensors.
 * - dim: dimension; negative numbers count from the end
 * - start: first index; negative: from the end
 * - stop: index after the last one; negative: from the end
 * - step: distance from one to the next
 */
DT_API dt_tensor *dt_slice_scatter(dt_tensor *self, dt_tensor *src, int dim,
                                   int64_t start, int64_t stop, int64_t step);
DT_API dt_tensor *dt_slice_scatter_out(dt_tensor *self, dt_tensor *src, int dim,
                                       int64_t start, int64_t stop,
                                       int64_t step, dt_tensor *out);

/*
 * Copy a tensor, with one index of a dimension replaced by src.
 *
 * Collective over the mesh of its tensors.
 * - dim: dimension; negative numbers count from the end
 * - index: index along the dimension; negative: from the end
 */
DT_API dt_tensor *dt_select_scatter(dt_tensor *self, dt_tensor *src, int dim,
                                    int64_t index);
DT_API dt_tensor *dt_select_scatter_out(dt_tensor *self, dt_tensor *src,
                                        int dim, int64_t index,
                                        dt_tensor *out);

/* ---- Repeating ---------------------------------------------------------- */

/*
 * Repeat a tensor along each dimension; additional counts are for new
 * dimensions in front.
 *
 * Collective over the mesh of its tensors.
 * - repeats: repetitions along each dimension
 */
DT_API dt_tensor *dt_repeat(dt_tensor *self, const int64_t *repeats,
                            int repeats_count);

/*
 * Repeat a tensor along its last dimensions, as many as there are counts.
 *
 * Collective over the mesh of its tensors.
 * - dims: repetitions along each dimension
 */
DT_API dt_tensor *dt_tile(dt_tensor *self, const int64_t *dims,
                          int dims_count);

/*
 * Repeat each index of a dimension.
 *
 * Collective over the mesh of its tensors.
 * - repeats: repetitions of each index
 * - dim: dimension; negative numbers count from the end
 */
DT_API dt_tensor *dt_repeat_interleave(dt_tensor *self, int64_t repeats,
                                       int dim);

/* ---- Rolling, flipping and padding -------------------------------------- */

/*
 * Shift elements along dimensions, cyclically; without dims in row-major order.
 *
 * Collective over the mesh of its tensors.
 * - shifts: number of positions to move, for each of dims
 * - dims: dimensions to move along, empty for row-major order
 */
DT_API dt_tensor *dt_roll(dt_tensor *self, const int64_t *shifts,
                          int shifts_count, dt_dims dims);
DT_API dt_tensor *dt_roll_out(dt_tensor *self, const int64_t *shifts,
                              int shifts_count, dt_dims dims, dt_tensor *out);

/*
 * Reverse the order of the indexes of dimensions.
 *
 * Collective over the mesh of its tensors.
 * - dims: dimensions to reverse
 */
DT_API dt_tensor *dt_flip(dt_tensor *self, const int64_t *dims,
                          int dims_count);
DT_API dt_tensor *dt_flip_out(dt_tensor *self, const int64_t *dims,
                              int dims_count, dt_tensor *out);

/* Options of constant_pad_nd.  Begin with DT_CONSTANT_PAD_ND_OPTIONS_INIT. */
typedef struct dt_constant_pad_nd_options {
    size_t size; /* sizeof(dt_constant_pad_nd_options) */
    dt_number value; /* value of the elements that are set */
} dt_constant_pad_nd_options;

#define DT_CONSTANT_PAD_ND_OPTIONS_INIT \
    {sizeof(dt_constant_pad_nd_options), {DT_KIND_SIGNED, {0}, 0}}

/*
 * Pad dimensions with a number before and after; pairs start with the last
 * dimension, and negative numbers remove indexes.
 *
 * Collective over the mesh of its tensors.
 * - pad: elements to add before and after, in pairs from the last dimension
 */
DT_API dt_tensor *dt_constant_pad_nd(dt_tensor *self, const int64_t *pad,
                                     int pad_count);
DT_API dt_tensor *dt_constant_pad_nd_with(dt_tensor *self, const int64_t *pad,
                                          int pad_count,
                                          const dt_constant_pad_nd_options *options);
DT_API dt_tensor *dt_constant_pad_nd_out(dt_tensor *self, const int64_t *pad,
                                         int pad_count, dt_tensor *out);
DT_API dt_tensor *dt_constant_pad_nd_with_out(dt_tensor *self,
                                              const int64_t *pad, int pad_count,
                                              const dt_constant_pad_nd_options *options,
                                              dt_tensor *out);

/* ---- Sliding windows ---------------------------------------------------- */

/*
 * Copy windows of `size` elements along a dimension, `step` apart, into a new
 * last dimension.
 *
 * Collective over the mesh of its tensors.
 * - dimension: dimension; negative numbers count from the end
 * - size: extent of a window
 * - step: distance from one to the next
 */
DT_API dt_tensor *dt_unfold(dt_tensor *self, int dimension, int64_t size,
                            int64_t step);
DT_API dt_tensor *dt_unfold_out(dt_tensor *self, int dimension, int64_t size,
                                int64_t step, dt_tensor *out);

/* clang-format on */

DT_EXTERN_C_END

#endif
