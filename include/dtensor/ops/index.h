/* dtensor/ops/index.h - operators; written by `make ops`. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_OPS_INDEX_H
#define DTENSOR_OPS_INDEX_H

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
 * Indexing, gathering and scattering.
 *
 * dtensor/ops.h describes errors, results and variants.
 */
/* clang-format off */

/* ---- Gathering ---------------------------------------------------------- */

/*
 * Select elements by index along a dimension: for dimension 0, result[i][j] =
 * self[index[i][j]][j].
 *
 * Collective over the mesh of its tensors.
 * - dim: dimension; negative numbers count from the end
 */
DT_API dt_tensor *dt_gather(dt_tensor *self, int dim, dt_tensor *index);
DT_API dt_tensor *dt_gather_out(dt_tensor *self, int dim, dt_tensor *index,
                                dt_tensor *out);

/*
 * Select indexes of a dimension, listed in a 1-d tensor.
 *
 * Collective over the mesh of its tensors.
 * - dim: dimension; negative numbers count from the end
 */
DT_API dt_tensor *dt_index_select(dt_tensor *self, int dim, dt_tensor *index);
DT_API dt_tensor *dt_index_select_out(dt_tensor *self, int dim,
                                      dt_tensor *index, dt_tensor *out);

/*
 * For each index, a row of zeros with a 1 at the index.  With num_classes -1
 * there are as many as the largest index requires.
 *
 * Collective over the mesh of its tensors.
 * - num_classes: extent of the new dimension; -1: from the largest index
 */
DT_API dt_tensor *dt_one_hot(dt_tensor *self, int64_t num_classes);

/*
 * Like gather, with both tensors broadcast except along the dimension; negative
 * indexes count from the end.
 *
 * Collective over the mesh of its tensors.
 * - dim: dimension; negative numbers count from the end
 */
DT_API dt_tensor *dt_take_along_dim(dt_tensor *self, dt_tensor *indices,
                                    int dim);

/*
 * Select elements by their index in row-major order; negative indexes count
 * from the end.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_take(dt_tensor *self, dt_tensor *index);

/*
 * Store or add elements at indexes in row-major order; without adding, the last
 * of several is stored.
 *
 * Collective over the mesh of its tensors.
 * - accumulate: add to the elements instead of replacing them
 */
DT_API dt_tensor *dt_put(dt_tensor *self, dt_tensor *index, dt_tensor *source,
                         bool accumulate);

/* ---- Scattering --------------------------------------------------------- */

/*
 * Store each element of src at its index along a dimension, and at its own
 * position along the others; of several at one position, the last is stored.
 *
 * Collective over the mesh of its tensors.
 * - dim: dimension; negative numbers count from the end
 */
DT_API dt_tensor *dt_scatter(dt_tensor *self, int dim, dt_tensor *index,
                             dt_tensor *src);
DT_API dt_tensor *dt_scatter_(dt_tensor *self, int dim, dt_tensor *index,
                              dt_tensor *src);
DT_API dt_tensor *dt_scatter_out(dt_tensor *self, int dim, dt_tensor *index,
                                 dt_tensor *src, dt_tensor *out);

/*
 * Set the elements selected by indexes along a dimension to a number.
 *
 * Collective over the mesh of its tensors.
 * - dim: dimension; negative numbers count from the end
 * - value: value of the elements that are set
 */
DT_API dt_tensor *dt_scatter_value(dt_tensor *self, int dim, dt_tensor *index,
                                   dt_number value);
DT_API dt_tensor *dt_scatter_value_(dt_tensor *self, int dim, dt_tensor *index,
                                    dt_number value);
DT_API dt_tensor *dt_scatter_value_out(dt_tensor *self, int dim,
                                       dt_tensor *index, dt_number value,
                                       dt_tensor *out);

/*
 * Add each element of src to the element at its index along a dimension.
 *
 * Collective over the mesh of its tensors.
 * - dim: dimension; negative numbers count from the end
 */
DT_API dt_tensor *dt_scatter_add(dt_tensor *self, int dim, dt_tensor *index,
                                 dt_tensor *src);
DT_API dt_tensor *dt_scatter_add_(dt_tensor *self, int dim, dt_tensor *index,
                                  dt_tensor *src);
DT_API dt_tensor *dt_scatter_add_out(dt_tensor *self, int dim, dt_tensor *index,
                                     dt_tensor *src, dt_tensor *out);

/* Options of scatter_reduce.  Begin with DT_SCATTER_REDUCE_OPTIONS_INIT. */
typedef struct dt_scatter_reduce_options {
    size_t size; /* sizeof(dt_scatter_reduce_options) */
    bool include_self; /* elements of self take part in the reduction */
} dt_scatter_reduce_options;

#define DT_SCATTER_REDUCE_OPTIONS_INIT \
    {sizeof(dt_scatter_reduce_options), true}

/*
 * Reduce elements of src into the elements selected by indexes along a
 * dimension; without include_self, the elements of self are ignored.
 *
 * Collective over the mesh of its tensors.
 * - dim: dimension; negative numbers count from the end
 * - reduce: how elements with the same index are reduced
 */
DT_API dt_tensor *dt_scatter_reduce(dt_tensor *self, int dim, dt_tensor *index,
                                    dt_tensor *src,
                                    dt_scatter_reduction reduce);
DT_API dt_tensor *dt_scatter_reduce_with(dt_tensor *self, int dim,
                                         dt_tensor *index, dt_tensor *src,
                                         dt_scatter_reduction reduce,
                                         const dt_scatter_reduce_options *options);
DT_API dt_tensor *dt_scatter_reduce_(dt_tensor *self, int dim, dt_tensor *index,
                                     dt_tensor *src,
                                     dt_scatter_reduction reduce);
DT_API dt_tensor *dt_scatter_reduce_with_(dt_tensor *self, int dim,
                                          dt_tensor *index, dt_tensor *src,
                                          dt_scatter_reduction reduce,
                                          const dt_scatter_reduce_options *options);
DT_API dt_tensor *dt_scatter_reduce_out(dt_tensor *self, int dim,
                                        dt_tensor *index, dt_tensor *src,
                                        dt_scatter_reduction reduce,
                                        dt_tensor *out);
DT_API dt_tensor *dt_scatter_reduce_with_out(dt_tensor *self, int dim,
                                             dt_tensor *index, dt_tensor *src,
                                             dt_scatter_reduction reduce,
                                             const dt_scatter_reduce_options *options,
                                             dt_tensor *out);

/* ---- Indexing by tensors ------------------------------------------------ */

/*
 * Select elements by one index tensor per dimension; index tensors are
 * broadcast, and dimensions without one are kept.  Negative indexes count from
 * the end.  A mask is equivalent to the indexes of its true elements.
 *
 * Collective over the mesh of its tensors.  Some of `indices` may be NULL.
 */
DT_API dt_tensor *dt_index(dt_tensor *self, dt_tensor *const *indices,
                           int indices_count);
DT_API dt_tensor *dt_index_out(dt_tensor *self, dt_tensor *const *indices,
                               int indices_count, dt_tensor *out);

/*
 * Store or add values at the elements selected by one index tensor per
 * dimension; values are broadcast.  Without adding, the last of several values
 * is stored.  A mask is equivalent to the indexes of its true elements.
 *
 * Collective over the mesh of its tensors.  Some of `indices` may be NULL.
 * - accumulate: add to the elements instead of replacing them
 */
DT_API dt_tensor *dt_index_put(dt_tensor *self, dt_tensor *values,
                               dt_tensor *const *indices, int indices_count,
                               bool accumulate);
DT_API dt_tensor *dt_index_put_(dt_tensor *self, dt_tensor *values,
                                dt_tensor *const *indices, int indices_count,
                                bool accumulate);
DT_API dt_tensor *dt_index_put_out(dt_tensor *self, dt_tensor *values,
                                   dt_tensor *const *indices, int indices_count,
                                   bool accumulate, dt_tensor *out);

/* ---- Writing along one dimension ---------------------------------------- */

/* Options of index_add.  Begin with DT_INDEX_ADD_OPTIONS_INIT. */
typedef struct dt_index_add_options {
    size_t size; /* sizeof(dt_index_add_options) */
    dt_number alpha; /* multiplier of source */
} dt_index_add_options;

#define DT_INDEX_ADD_OPTIONS_INIT \
    {sizeof(dt_index_add_options), {DT_KIND_SIGNED, {1}, 0}}

/*
 * Add each slice of source along a dimension, multiplied by alpha, to the slice
 * of self at the index given by a 1-d tensor.
 *
 * Collective over the mesh of its tensors.
 * - dim: dimension; negative numbers count from the end
 */
DT_API dt_tensor *dt_index_add(dt_tensor *self, int dim, dt_tensor *index,
                               dt_tensor *source);
DT_API dt_tensor *dt_index_add_with(dt_tensor *self, int dim, dt_tensor *index,
                                    dt_tensor *source,
                                    const dt_index_add_options *options);
DT_API dt_tensor *dt_index_add_(dt_tensor *self, int dim, dt_tensor *index,
                                dt_tensor *source);
DT_API dt_tensor *dt_index_add_with_(dt_tensor *self, int dim, dt_tensor *index,
                                     dt_tensor *source,
                                     const dt_index_add_options *options);
DT_API dt_tensor *dt_index_add_out(dt_tensor *self, int dim, dt_tensor *index,
                                   dt_tensor *source, dt_tensor *out);
DT_API dt_tensor *dt_index_add_with_out(dt_tensor *self, int dim,
                                        dt_tensor *index, dt_tensor *source,
                                        const dt_index_add_options *options,
                                        dt_tensor *out);

/*
 * Copy each slice of source along a dimension to the index given by a 1-d
 * tensor; of several at one index, the last is stored.
 *
 * Collective over the mesh of its tensors.
 * - dim: dimension; negative numbers count from the end
 */
DT_API dt_tensor *dt_index_copy(dt_tensor *self, int dim, dt_tensor *index,
                                dt_tensor *source);
DT_API dt_tensor *dt_index_copy_(dt_tensor *self, int dim, dt_tensor *index,
                                 dt_tensor *source);
DT_API dt_tensor *dt_index_copy_out(dt_tensor *self, int dim, dt_tensor *index,
                                    dt_tensor *source, dt_tensor *out);

/*
 * Set the indexes of a dimension listed in a 1-d tensor to a number; negative
 * indexes count from the end.
 *
 * Collective over the mesh of its tensors.
 * - dim: dimension; negative numbers count from the end
 * - value: value of the elements that are set
 */
DT_API dt_tensor *dt_index_fill_scalar(dt_tensor *self, int dim,
                                       dt_tensor *index, dt_number value);
DT_API dt_tensor *dt_index_fill_scalar_(dt_tensor *self, int dim,
                                        dt_tensor *index, dt_number value);
DT_API dt_tensor *dt_index_fill_scalar_out(dt_tensor *self, int dim,
                                           dt_tensor *index, dt_number value,
                                           dt_tensor *out);

/*
 * Set the indexes of a dimension listed in a 1-d tensor to the value of a 0-d
 * tensor; negative indexes count from the end.
 *
 * Collective over the mesh of its tensors.
 * - dim: dimension; negative numbers count from the end
 */
DT_API dt_tensor *dt_index_fill(dt_tensor *self, int dim, dt_tensor *index,
                                dt_tensor *value);
DT_API dt_tensor *dt_index_fill_(dt_tensor *self, int dim, dt_tensor *index,
                                 dt_tensor *value);
DT_API dt_tensor *dt_index_fill_out(dt_tensor *self, int dim, dt_tensor *index,
                                    dt_tensor *value, dt_tensor *out);

/* ---- Elements selected by a mask ---------------------------------------- */

/*
 * Elements where a mask is true, in row-major order; the mask is broadcast.
 * The result is sharded evenly if rows of self or of the mask are sharded,
 * otherwise replicated.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_masked_select(dt_tensor *self, dt_tensor *mask);

/*
 * Indexes of nonzero elements, one row each, in row-major order.  The result is
 * sharded evenly if rows of self are sharded, otherwise replicated.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_nonzero(dt_tensor *self);

/* ---- Writing where a mask is true --------------------------------------- */

/*
 * Copy elements of source, in row-major order, to the elements where a mask is
 * true; the mask is broadcast.  A source that is too short is an error on all
 * ranks.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_masked_scatter(dt_tensor *self, dt_tensor *mask,
                                    dt_tensor *source);
DT_API dt_tensor *dt_masked_scatter_(dt_tensor *self, dt_tensor *mask,
                                     dt_tensor *source);
DT_API dt_tensor *dt_masked_scatter_out(dt_tensor *self, dt_tensor *mask,
                                        dt_tensor *source, dt_tensor *out);

/* ---- Searching in sorted values ----------------------------------------- */

/* Options of searchsorted.  Begin with DT_SEARCHSORTED_OPTIONS_INIT. */
typedef struct dt_searchsorted_options {
    size_t size; /* sizeof(dt_searchsorted_options) */
    bool out_int32; /* the result is i32 instead of i64 */
    /* count elements that are not larger, instead of smaller ones */
    bool right;
} dt_searchsorted_options;

#define DT_SEARCHSORTED_OPTIONS_INIT \
    {sizeof(dt_searchsorted_options), false, false}

/*
 * Position at which each element would be inserted into a sorted list: the
 * count of numbers less than it, or not larger if `right`.  Lists are along the
 * last dimension: one list, or one for each row of elements.  NaN is larger
 * than every number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_searchsorted(dt_tensor *sorted_sequence, dt_tensor *self);
DT_API dt_tensor *dt_searchsorted_with(dt_tensor *sorted_sequence,
                                       dt_tensor *self,
                                       const dt_searchsorted_options *options);
DT_API dt_tensor *dt_searchsorted_out(dt_tensor *sorted_sequence,
                                      dt_tensor *self, dt_tensor *out);
DT_API dt_tensor *dt_searchsorted_with_out(dt_tensor *sorted_sequence,
                                           dt_tensor *self,
                                           const dt_searchsorted_options *options,
                                           dt_tensor *out);

/* Options of bucketize.  Begin with DT_BUCKETIZE_OPTIONS_INIT. */
typedef struct dt_bucketize_options {
    size_t size; /* sizeof(dt_bucketize_options) */
    bool out_int32; /* the result is i32 instead of i64 */
    /* count elements that are not larger, instead of smaller ones */
    bool right;
} dt_bucketize_options;

#define DT_BUCKETIZE_OPTIONS_INIT \
    {sizeof(dt_bucketize_options), false, false}

/*
 * Count the numbers of a sorted list that are less than each element, or not
 * larger if `right`.  NaN is larger than every number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_bucketize(dt_tensor *self, dt_tensor *boundaries);
DT_API dt_tensor *dt_bucketize_with(dt_tensor *self, dt_tensor *boundaries,
                                    const dt_bucketize_options *options);
DT_API dt_tensor *dt_bucketize_out(dt_tensor *self, dt_tensor *boundaries,
                                   dt_tensor *out);
DT_API dt_tensor *dt_bucketize_with_out(dt_tensor *self, dt_tensor *boundaries,
                                        const dt_bucketize_options *options,
                                        dt_tensor *out);

/* clang-format on */

DT_EXTERN_C_END

#endif
