/* dtensor/ops.h - the operators; written by `make ops`. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_OPS_H
#define DTENSOR_OPS_H

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
 * Tensors are of one mesh.  A NULL tensor gives NULL, or DT_ERR_INVALID, and
 * keeps the first error, so that calls nest and are checked once; arguments
 * that may be NULL say so.  Results belong to the innermost scope.  A result
 * that is put out, and not wanted, may be NULL.  A list of results goes to
 * `results`, which has room for `room`; `count` gets how many there are.
 *
 * dt_x_ overwrites its first tensor and gives it; dt_x_out writes to `out` and
 * gives that.  Both keep the layout of what they write to, or fail.
 * dt_x_with has options, which dt_x leaves at what DT_X_OPTIONS_INIT says.
 */
/* clang-format off */

/* ---- Alias -------------------------------------------------------------- */

/*
 * See a tensor as it is.
 *
 * Collective over the mesh of its tensors.  Shares memory with its first
 * tensor.
 */
DT_API dt_tensor *dt_alias(dt_tensor *self);

/*
 * See a tensor as it is, without a gradient.
 *
 * Collective over the mesh of its tensors.  Shares memory with its first
 * tensor.
 */
DT_API dt_tensor *dt_detach(dt_tensor *self);
DT_API dt_tensor *dt_detach_(dt_tensor *self);

/*
 * Let elements lie in row-major order; the tensor itself if they do, else a
 * copy.
 *
 * Collective over the mesh of its tensors.  Shares memory with its first
 * tensor.
 */
DT_API dt_tensor *dt_contiguous(dt_tensor *self);

/*
 * See a tensor with the shape of another.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_view_as(dt_tensor *self, dt_tensor *other);

/*
 * Repeat dimensions of extent 1 up to the shape of another tensor.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_expand_as(dt_tensor *self, dt_tensor *other);

/*
 * Move dimensions to other places; the others keep their order.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_movedim(dt_tensor *self, dt_dims source,
                             dt_dims destination);

/*
 * See a diagonal of two dimensions, which becomes the last one; a positive
 * offset is above the main one.
 *
 * Collective over the mesh of its tensors.  Shares memory with its first
 * tensor.
 */
DT_API dt_tensor *dt_diagonal(dt_tensor *self, int64_t offset, int dim1,
                              int dim2);

/*
 * See complex numbers as pairs along a last dimension.
 *
 * Collective over the mesh of its tensors.  Shares memory with its first
 * tensor.
 */
DT_API dt_tensor *dt_view_as_real(dt_tensor *self);

/*
 * See pairs along the last dimension as complex numbers; of a copy if they do
 * not lie side by side, at even places.
 *
 * Collective over the mesh of its tensors.  Shares memory with its first
 * tensor.
 */
DT_API dt_tensor *dt_view_as_complex(dt_tensor *self);

/* ---- Arg ---------------------------------------------------------------- */

/*
 * Give the largest elements along a dimension and where they lie: NaN if there
 * is one, the first of equal ones.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_max_dim(dt_tensor *self, int dim, bool keepdim,
                            dt_tensor **values, dt_tensor **indices);

/*
 * Give the least elements along a dimension and where they lie: NaN if there is
 * one, the first of equal ones.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_min_dim(dt_tensor *self, int dim, bool keepdim,
                            dt_tensor **values, dt_tensor **indices);

/*
 * Tell where the largest elements along a dimension lie: the first NaN, or the
 * first of equal ones.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_argmax(dt_tensor *self, int dim, bool keepdim);

/*
 * Tell where the least elements along a dimension lie: the first NaN, or the
 * first of equal ones.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_argmin(dt_tensor *self, int dim, bool keepdim);

/*
 * Tell where the largest element of a tensor lies, counted in row-major order:
 * argmax without a dimension.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_argmax_all(dt_tensor *self);

/*
 * Tell where the least element of a tensor lies, counted in row-major order:
 * argmin without a dimension.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_argmin_all(dt_tensor *self);

/* ---- Cast --------------------------------------------------------------- */

/*
 * Copy.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_clone(dt_tensor *self);
DT_API dt_tensor *dt_clone_out(dt_tensor *self, dt_tensor *out);

/*
 * Convert to a dtype, as dt_array_cast does; always a copy.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_cast(dt_tensor *self, dt_dtype dtype);

/* ---- Close -------------------------------------------------------------- */

/* Options of isclose.  Begin with DT_ISCLOSE_OPTIONS_INIT. */
typedef struct dt_isclose_options {
    size_t size; /* sizeof(dt_isclose_options) */
    double rtol;
    double atol;
    bool equal_nan;
} dt_isclose_options;

#define DT_ISCLOSE_OPTIONS_INIT \
    {sizeof(dt_isclose_options), 1e-05, 1e-08, false}

/*
 * Tell whether elements are equal, or apart by at most atol + |rtol other|; in
 * double precision.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_isclose(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_isclose_with(dt_tensor *self, dt_tensor *other,
                                  const dt_isclose_options *options);

/* Options of allclose.  Begin with DT_ALLCLOSE_OPTIONS_INIT. */
typedef struct dt_allclose_options {
    size_t size; /* sizeof(dt_allclose_options) */
    double rtol;
    double atol;
    bool equal_nan;
} dt_allclose_options;

#define DT_ALLCLOSE_OPTIONS_INIT \
    {sizeof(dt_allclose_options), 1e-05, 1e-08, false}

/*
 * Tell whether isclose holds for all elements.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_allclose(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_allclose_with(dt_tensor *self, dt_tensor *other,
                                   const dt_allclose_options *options);

/* ---- Compact ------------------------------------------------------------ */

/*
 * Take the elements where a mask, which is broadcast, is true, in row-major
 * order: cut evenly if rows of self or of the mask are cut, else replicated.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_masked_select(dt_tensor *self, dt_tensor *mask);

/*
 * Give the indexes of elements that are not 0, a row for each, in row-major
 * order: cut evenly if rows of self are cut, else replicated.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_nonzero(dt_tensor *self);

/* ---- Compare ------------------------------------------------------------ */

/*
 * Tell whether elements are equal to those of a second tensor.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_eq(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_eq_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_eq_out(dt_tensor *self, dt_tensor *other, dt_tensor *out);

/*
 * Tell whether elements are not equal to those of a second tensor.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_ne(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_ne_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_ne_out(dt_tensor *self, dt_tensor *other, dt_tensor *out);

/*
 * Tell whether elements are less than those of a second tensor.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_lt(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_lt_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_lt_out(dt_tensor *self, dt_tensor *other, dt_tensor *out);

/*
 * Tell whether elements are less than or equal to those of a second tensor.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_le(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_le_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_le_out(dt_tensor *self, dt_tensor *other, dt_tensor *out);

/*
 * Tell whether elements are greater than those of a second tensor.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_gt(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_gt_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_gt_out(dt_tensor *self, dt_tensor *other, dt_tensor *out);

/*
 * Tell whether elements are greater than or equal to those of a second tensor.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_ge(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_ge_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_ge_out(dt_tensor *self, dt_tensor *other, dt_tensor *out);

/*
 * Tell whether elements are equal to a number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_eq_scalar(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_eq_scalar_(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_eq_scalar_out(dt_tensor *self, dt_number other,
                                   dt_tensor *out);

/*
 * Tell whether elements are not equal to a number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_ne_scalar(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_ne_scalar_(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_ne_scalar_out(dt_tensor *self, dt_number other,
                                   dt_tensor *out);

/*
 * Tell whether elements are less than a number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_lt_scalar(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_lt_scalar_(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_lt_scalar_out(dt_tensor *self, dt_number other,
                                   dt_tensor *out);

/*
 * Tell whether elements are less than or equal to a number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_le_scalar(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_le_scalar_(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_le_scalar_out(dt_tensor *self, dt_number other,
                                   dt_tensor *out);

/*
 * Tell whether elements are greater than a number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_gt_scalar(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_gt_scalar_(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_gt_scalar_out(dt_tensor *self, dt_number other,
                                   dt_tensor *out);

/*
 * Tell whether elements are greater than or equal to a number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_ge_scalar(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_ge_scalar_(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_ge_scalar_out(dt_tensor *self, dt_number other,
                                   dt_tensor *out);

/*
 * Tell whether both elements are not zero.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_logical_and(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_logical_and_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_logical_and_out(dt_tensor *self, dt_tensor *other,
                                     dt_tensor *out);

/*
 * Tell whether one of two elements is not zero.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_logical_or(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_logical_or_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_logical_or_out(dt_tensor *self, dt_tensor *other,
                                    dt_tensor *out);

/*
 * Tell whether elements are zero.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_logical_not(dt_tensor *self);
DT_API dt_tensor *dt_logical_not_(dt_tensor *self);
DT_API dt_tensor *dt_logical_not_out(dt_tensor *self, dt_tensor *out);

/* ---- Contract ----------------------------------------------------------- */

/*
 * Sum up products of one tensor or two, as an equation such as "bij,bjk->bik"
 * says: letters that the result has not are summed.
 *
 * Collective over the mesh of its tensors.  `b` may be NULL.
 */
DT_API dt_tensor *dt_contract(dt_tensor *a, dt_tensor *b,
                              const char *equation);

/* ---- Create ------------------------------------------------------------- */

/* Options of new_empty.  Begin with DT_NEW_EMPTY_OPTIONS_INIT. */
typedef struct dt_new_empty_options {
    size_t size; /* sizeof(dt_new_empty_options) */
    const dt_dtype *dtype;
} dt_new_empty_options;

#define DT_NEW_EMPTY_OPTIONS_INIT \
    {sizeof(dt_new_empty_options), 0}

/*
 * Make a tensor of any shape on the mesh of another, not set; laid out as that
 * if it has its shape, else replicated.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_new_empty(dt_tensor *self, dt_shape size);
DT_API dt_tensor *dt_new_empty_with(dt_tensor *self, dt_shape size,
                                    const dt_new_empty_options *options);

/* Options of new_zeros.  Begin with DT_NEW_ZEROS_OPTIONS_INIT. */
typedef struct dt_new_zeros_options {
    size_t size; /* sizeof(dt_new_zeros_options) */
    const dt_dtype *dtype;
} dt_new_zeros_options;

#define DT_NEW_ZEROS_OPTIONS_INIT \
    {sizeof(dt_new_zeros_options), 0}

/*
 * Make a tensor of zeros of any shape on the mesh of another; laid out as that
 * if it has its shape, but never partial.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_new_zeros(dt_tensor *self, dt_shape size);
DT_API dt_tensor *dt_new_zeros_with(dt_tensor *self, dt_shape size,
                                    const dt_new_zeros_options *options);

/* Options of new_ones.  Begin with DT_NEW_ONES_OPTIONS_INIT. */
typedef struct dt_new_ones_options {
    size_t size; /* sizeof(dt_new_ones_options) */
    const dt_dtype *dtype;
} dt_new_ones_options;

#define DT_NEW_ONES_OPTIONS_INIT \
    {sizeof(dt_new_ones_options), 0}

/*
 * The same, of ones.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_new_ones(dt_tensor *self, dt_shape size);
DT_API dt_tensor *dt_new_ones_with(dt_tensor *self, dt_shape size,
                                   const dt_new_ones_options *options);

/* Options of new_full.  Begin with DT_NEW_FULL_OPTIONS_INIT. */
typedef struct dt_new_full_options {
    size_t size; /* sizeof(dt_new_full_options) */
    const dt_dtype *dtype;
} dt_new_full_options;

#define DT_NEW_FULL_OPTIONS_INIT \
    {sizeof(dt_new_full_options), 0}

/*
 * The same, with every element a number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_new_full(dt_tensor *self, dt_shape size, dt_number value);
DT_API dt_tensor *dt_new_full_with(dt_tensor *self, dt_shape size,
                                   dt_number value,
                                   const dt_new_full_options *options);

/* ---- Einsum ------------------------------------------------------------- */

/*
 * Sum up products of any number of tensors, as an equation of letters says;
 * pairs are contracted in the order that takes the fewest operations.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_einsum(const char *equation, dt_tensor *const *operands,
                            int operands_count);

/* ---- Embedding ---------------------------------------------------------- */

/* Options of embedding.  Begin with DT_EMBEDDING_OPTIONS_INIT. */
typedef struct dt_embedding_options {
    size_t size; /* sizeof(dt_embedding_options) */
    int64_t padding_idx;
} dt_embedding_options;

#define DT_EMBEDDING_OPTIONS_INIT \
    {sizeof(dt_embedding_options), -1}

/*
 * Take the rows of a table that indexes name.  `padding_idx` matters to
 * gradients alone.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_embedding(dt_tensor *weight, dt_tensor *indices);
DT_API dt_tensor *dt_embedding_with(dt_tensor *weight, dt_tensor *indices,
                                    const dt_embedding_options *options);

/* ---- Equal -------------------------------------------------------------- */

/*
 * Tell whether two tensors have the same shape and values; -0 equals 0, NaN
 * nothing.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_equal(dt_tensor *self, dt_tensor *other);

/* ---- Fill --------------------------------------------------------------- */

/*
 * Set every element to a number.  In a partial tensor what the ranks hold
 * combines to it.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_fill_scalar(dt_tensor *self, dt_number value);
DT_API dt_tensor *dt_fill_scalar_(dt_tensor *self, dt_number value);
DT_API dt_tensor *dt_fill_scalar_out(dt_tensor *self, dt_number value,
                                     dt_tensor *out);

/*
 * Set every element to that of a 0-d tensor.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_fill(dt_tensor *self, dt_tensor *value);
DT_API dt_tensor *dt_fill_(dt_tensor *self, dt_tensor *value);
DT_API dt_tensor *dt_fill_out(dt_tensor *self, dt_tensor *value,
                              dt_tensor *out);

/*
 * Set every element to 0.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_zero(dt_tensor *self);
DT_API dt_tensor *dt_zero_(dt_tensor *self);
DT_API dt_tensor *dt_zero_out(dt_tensor *self, dt_tensor *out);

/*
 * Set elements to those of a second tensor, which is broadcast and converted.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_copy(dt_tensor *self, dt_tensor *src);
DT_API dt_tensor *dt_copy_(dt_tensor *self, dt_tensor *src);
DT_API dt_tensor *dt_copy_out(dt_tensor *self, dt_tensor *src, dt_tensor *out);

/* ---- Foreach ------------------------------------------------------------ */

/* Options of foreach_add.  Begin with DT_FOREACH_ADD_OPTIONS_INIT. */
typedef struct dt_foreach_add_options {
    size_t size; /* sizeof(dt_foreach_add_options) */
    dt_number alpha;
} dt_foreach_add_options;

#define DT_FOREACH_ADD_OPTIONS_INIT \
    {sizeof(dt_foreach_add_options), {DT_KIND_SIGNED, {1}}}

/*
 * Add tensors of two lists, the second multiplied by alpha.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_foreach_add(dt_tensor *const *self, int self_count,
                                dt_tensor *const *other, int other_count,
                                dt_tensor **results, int room, int *count);
DT_API dt_status dt_foreach_add_with(dt_tensor *const *self, int self_count,
                                     dt_tensor *const *other, int other_count,
                                     const dt_foreach_add_options *options,
                                     dt_tensor **results, int room,
                                     int *count);

/*
 * Multiply every tensor of a list by a number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_foreach_mul_scalar(dt_tensor *const *self, int self_count,
                                       dt_number other, dt_tensor **results,
                                       int room, int *count);

/* ---- Index -------------------------------------------------------------- */

/*
 * Take, for each index, the element that it names along a dimension and that is
 * in its own place along the others.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_gather(dt_tensor *self, int dim, dt_tensor *index);
DT_API dt_tensor *dt_gather_out(dt_tensor *self, int dim, dt_tensor *index,
                                dt_tensor *out);

/*
 * Take the indexes that a 1-d tensor names along a dimension, in its order.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_index_select(dt_tensor *self, int dim, dt_tensor *index);
DT_API dt_tensor *dt_index_select_out(dt_tensor *self, int dim,
                                      dt_tensor *index, dt_tensor *out);

/*
 * Give, for each index, a row of zeros with a 1 where it says.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_one_hot(dt_tensor *self, int64_t num_classes);

/*
 * As gather, with both tensors broadcast apart from the dimension.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_take_along_dim(dt_tensor *self, dt_tensor *indices,
                                    int dim);

/*
 * Take elements by their place in row-major order; negative ones count from the
 * end.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_take(dt_tensor *self, dt_tensor *index);

/*
 * Put elements to their place in row-major order, or add them; else the last of
 * several stays.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_put(dt_tensor *self, dt_tensor *index, dt_tensor *source,
                         bool accumulate);

/* ---- Index_add ---------------------------------------------------------- */

/* Options of index_add.  Begin with DT_INDEX_ADD_OPTIONS_INIT. */
typedef struct dt_index_add_options {
    size_t size; /* sizeof(dt_index_add_options) */
    dt_number alpha;
} dt_index_add_options;

#define DT_INDEX_ADD_OPTIONS_INIT \
    {sizeof(dt_index_add_options), {DT_KIND_SIGNED, {1}}}

/*
 * Add each index of a dimension of source, multiplied by alpha, to the one that
 * a 1-d tensor names.
 *
 * Collective over the mesh of its tensors.
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
 * Put each index of a dimension of source where a 1-d tensor says; the last of
 * several stays.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_index_copy(dt_tensor *self, int dim, dt_tensor *index,
                                dt_tensor *source);
DT_API dt_tensor *dt_index_copy_(dt_tensor *self, int dim, dt_tensor *index,
                                 dt_tensor *source);
DT_API dt_tensor *dt_index_copy_out(dt_tensor *self, int dim, dt_tensor *index,
                                    dt_tensor *source, dt_tensor *out);

/*
 * Set the indexes of a dimension that a 1-d tensor names to a number; negative
 * ones count from the end.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_index_fill_scalar(dt_tensor *self, int dim,
                                       dt_tensor *index, dt_number value);
DT_API dt_tensor *dt_index_fill_scalar_(dt_tensor *self, int dim,
                                        dt_tensor *index, dt_number value);
DT_API dt_tensor *dt_index_fill_scalar_out(dt_tensor *self, int dim,
                                           dt_tensor *index, dt_number value,
                                           dt_tensor *out);

/*
 * The same with the element of a 0-d tensor.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_index_fill(dt_tensor *self, int dim, dt_tensor *index,
                                dt_tensor *value);
DT_API dt_tensor *dt_index_fill_(dt_tensor *self, int dim, dt_tensor *index,
                                 dt_tensor *value);
DT_API dt_tensor *dt_index_fill_out(dt_tensor *self, int dim, dt_tensor *index,
                                    dt_tensor *value, dt_tensor *out);

/* ---- Indexes ------------------------------------------------------------ */

/*
 * Take the elements that indexes of dimensions name, which are broadcast;
 * dimensions without an index stay.  Negative ones count from the end.
 *
 * Collective over the mesh of its tensors.  Some of `indices` may be NULL.
 */
DT_API dt_tensor *dt_index(dt_tensor *self, dt_tensor *const *indices,
                           int indices_count);
DT_API dt_tensor *dt_index_out(dt_tensor *self, dt_tensor *const *indices,
                               int indices_count, dt_tensor *out);

/*
 * Put values, which are broadcast, where indexes of dimensions say, or add
 * them; else the last of several stays.  The list comes last of the tensors.
 *
 * Collective over the mesh of its tensors.  Some of `indices` may be NULL.
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

/* ---- Join --------------------------------------------------------------- */

/*
 * Put tensors one behind another along a dimension, in which alone they may
 * differ; those of shape (0,) are passed over.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_cat(dt_tensor *const *tensors, int tensors_count,
                         int dim);
DT_API dt_tensor *dt_cat_out(dt_tensor *const *tensors, int tensors_count,
                             int dim, dt_tensor *out);

/*
 * Put tensors of one shape one behind another along a dimension of its own.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_stack(dt_tensor *const *tensors, int tensors_count,
                           int dim);
DT_API dt_tensor *dt_stack_out(dt_tensor *const *tensors, int tensors_count,
                               int dim, dt_tensor *out);

/*
 * See pieces of a size along a dimension; the last one may be shorter.
 *
 * Collective over the mesh of its tensors.  Shares memory with its first
 * tensor.
 */
DT_API dt_status dt_split(dt_tensor *self, int64_t size, int dim,
                          dt_tensor **results, int room, int *count);

/*
 * See pieces of the given sizes along a dimension.
 *
 * Collective over the mesh of its tensors.  Shares memory with its first
 * tensor.
 */
DT_API dt_status dt_split_sizes(dt_tensor *self, const int64_t *sizes,
                                int sizes_count, int dim, dt_tensor **results,
                                int room, int *count);

/*
 * See so many pieces along a dimension, of equal size rounded up; there may be
 * fewer.
 *
 * Collective over the mesh of its tensors.  Shares memory with its first
 * tensor.
 */
DT_API dt_status dt_chunks(dt_tensor *self, int64_t pieces, int dim,
                           dt_tensor **results, int room, int *count);

/*
 * See every index of a dimension, which disappears.
 *
 * Collective over the mesh of its tensors.  Shares memory with its first
 * tensor.
 */
DT_API dt_status dt_unbind(dt_tensor *self, int dim, dt_tensor **results,
                           int room, int *count);

/* ---- Matmul ------------------------------------------------------------- */

/*
 * Multiply matrices.  A vector is a row on the left, a column on the right;
 * dimensions before the last two are a batch and are broadcast.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_matmul(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_matmul_out(dt_tensor *self, dt_tensor *other,
                                dt_tensor *out);

/*
 * Multiply two matrices.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_mm(dt_tensor *self, dt_tensor *mat2);
DT_API dt_tensor *dt_mm_out(dt_tensor *self, dt_tensor *mat2, dt_tensor *out);

/*
 * Multiply a matrix by a vector.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_mv(dt_tensor *self, dt_tensor *vec);
DT_API dt_tensor *dt_mv_out(dt_tensor *self, dt_tensor *vec, dt_tensor *out);

/*
 * Multiply two vectors element by element and sum up.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_dot(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_dot_out(dt_tensor *self, dt_tensor *other,
                             dt_tensor *out);

/*
 * Multiply the matrices of two batches, pair by pair.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_bmm(dt_tensor *self, dt_tensor *mat2);
DT_API dt_tensor *dt_bmm_out(dt_tensor *self, dt_tensor *mat2, dt_tensor *out);

/* Options of addmm.  Begin with DT_ADDMM_OPTIONS_INIT. */
typedef struct dt_addmm_options {
    size_t size; /* sizeof(dt_addmm_options) */
    dt_number beta;
    dt_number alpha;
} dt_addmm_options;

#define DT_ADDMM_OPTIONS_INIT \
    {sizeof(dt_addmm_options), {DT_KIND_SIGNED, {1}}, {DT_KIND_SIGNED, {1}}}

/*
 * Give beta * self + alpha * mat1 mat2; self is broadcast, and not read if beta
 * is 0.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_addmm(dt_tensor *self, dt_tensor *mat1, dt_tensor *mat2);
DT_API dt_tensor *dt_addmm_with(dt_tensor *self, dt_tensor *mat1,
                                dt_tensor *mat2,
                                const dt_addmm_options *options);
DT_API dt_tensor *dt_addmm_(dt_tensor *self, dt_tensor *mat1, dt_tensor *mat2);
DT_API dt_tensor *dt_addmm_with_(dt_tensor *self, dt_tensor *mat1,
                                 dt_tensor *mat2,
                                 const dt_addmm_options *options);
DT_API dt_tensor *dt_addmm_out(dt_tensor *self, dt_tensor *mat1,
                               dt_tensor *mat2, dt_tensor *out);
DT_API dt_tensor *dt_addmm_with_out(dt_tensor *self, dt_tensor *mat1,
                                    dt_tensor *mat2,
                                    const dt_addmm_options *options,
                                    dt_tensor *out);

/* Options of baddbmm.  Begin with DT_BADDBMM_OPTIONS_INIT. */
typedef struct dt_baddbmm_options {
    size_t size; /* sizeof(dt_baddbmm_options) */
    dt_number beta;
    dt_number alpha;
} dt_baddbmm_options;

#define DT_BADDBMM_OPTIONS_INIT \
    {sizeof(dt_baddbmm_options), {DT_KIND_SIGNED, {1}}, \
     {DT_KIND_SIGNED, {1}}}

/*
 * The same for batches: beta * self + alpha * batch1 batch2.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_baddbmm(dt_tensor *self, dt_tensor *batch1,
                             dt_tensor *batch2);
DT_API dt_tensor *dt_baddbmm_with(dt_tensor *self, dt_tensor *batch1,
                                  dt_tensor *batch2,
                                  const dt_baddbmm_options *options);
DT_API dt_tensor *dt_baddbmm_(dt_tensor *self, dt_tensor *batch1,
                              dt_tensor *batch2);
DT_API dt_tensor *dt_baddbmm_with_(dt_tensor *self, dt_tensor *batch1,
                                   dt_tensor *batch2,
                                   const dt_baddbmm_options *options);
DT_API dt_tensor *dt_baddbmm_out(dt_tensor *self, dt_tensor *batch1,
                                 dt_tensor *batch2, dt_tensor *out);
DT_API dt_tensor *dt_baddbmm_with_out(dt_tensor *self, dt_tensor *batch1,
                                      dt_tensor *batch2,
                                      const dt_baddbmm_options *options,
                                      dt_tensor *out);

/*
 * Multiply the last dimension by the transposed weight, and add a bias.
 *
 * Collective over the mesh of its tensors.  `bias` may be NULL.
 */
DT_API dt_tensor *dt_linear(dt_tensor *input, dt_tensor *weight,
                            dt_tensor *bias);
DT_API dt_tensor *dt_linear_out(dt_tensor *input, dt_tensor *weight,
                                dt_tensor *bias, dt_tensor *out);

/* ---- Norm --------------------------------------------------------------- */

/*
 * Bring the last dimensions to mean 0 and variance 1, times weight, plus bias.
 * The statistics have the dtype of weight and bias, or that of the input.
 *
 * Collective over the mesh of its tensors.  `weight` may be NULL.  `bias` may
 * be NULL.
 */
DT_API dt_status dt_layer_norm(dt_tensor *input, dt_shape normalized_shape,
                               dt_tensor *weight, dt_tensor *bias, double eps,
                               dt_tensor **out, dt_tensor **mean,
                               dt_tensor **rstd);

/*
 * Bring the mean of squares of the last dimensions to 1, times weight.  rstd
 * has the dtype of the input, or f32 if that is a half type.
 *
 * Collective over the mesh of its tensors.  `weight` may be NULL.
 */
DT_API dt_status dt_rms_norm(dt_tensor *input, dt_shape normalized_shape,
                             dt_tensor *weight, double eps, dt_tensor **out,
                             dt_tensor **rstd);

/* ---- Pointwise ---------------------------------------------------------- */

/* Options of add.  Begin with DT_ADD_OPTIONS_INIT. */
typedef struct dt_add_options {
    size_t size; /* sizeof(dt_add_options) */
    dt_number alpha;
} dt_add_options;

#define DT_ADD_OPTIONS_INIT \
    {sizeof(dt_add_options), {DT_KIND_SIGNED, {1}}}

/*
 * Add a second tensor, multiplied by alpha.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_add(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_add_with(dt_tensor *self, dt_tensor *other,
                              const dt_add_options *options);
DT_API dt_tensor *dt_add_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_add_with_(dt_tensor *self, dt_tensor *other,
                               const dt_add_options *options);
DT_API dt_tensor *dt_add_out(dt_tensor *self, dt_tensor *other,
                             dt_tensor *out);
DT_API dt_tensor *dt_add_with_out(dt_tensor *self, dt_tensor *other,
                                  const dt_add_options *options,
                                  dt_tensor *out);

/* Options of sub.  Begin with DT_SUB_OPTIONS_INIT. */
typedef struct dt_sub_options {
    size_t size; /* sizeof(dt_sub_options) */
    dt_number alpha;
} dt_sub_options;

#define DT_SUB_OPTIONS_INIT \
    {sizeof(dt_sub_options), {DT_KIND_SIGNED, {1}}}

/*
 * Subtract a second tensor, multiplied by alpha.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_sub(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_sub_with(dt_tensor *self, dt_tensor *other,
                              const dt_sub_options *options);
DT_API dt_tensor *dt_sub_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_sub_with_(dt_tensor *self, dt_tensor *other,
                               const dt_sub_options *options);
DT_API dt_tensor *dt_sub_out(dt_tensor *self, dt_tensor *other,
                             dt_tensor *out);
DT_API dt_tensor *dt_sub_with_out(dt_tensor *self, dt_tensor *other,
                                  const dt_sub_options *options,
                                  dt_tensor *out);

/*
 * Multiply two tensors.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_mul(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_mul_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_mul_out(dt_tensor *self, dt_tensor *other,
                             dt_tensor *out);

/*
 * Divide by a second tensor; integers give f32.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_div(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_div_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_div_out(dt_tensor *self, dt_tensor *other,
                             dt_tensor *out);

/* Options of add_scalar.  Begin with DT_ADD_SCALAR_OPTIONS_INIT. */
typedef struct dt_add_scalar_options {
    size_t size; /* sizeof(dt_add_scalar_options) */
    dt_number alpha;
} dt_add_scalar_options;

#define DT_ADD_SCALAR_OPTIONS_INIT \
    {sizeof(dt_add_scalar_options), {DT_KIND_SIGNED, {1}}}

/*
 * Add a number, multiplied by alpha.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_add_scalar(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_add_scalar_with(dt_tensor *self, dt_number other,
                                     const dt_add_scalar_options *options);
DT_API dt_tensor *dt_add_scalar_(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_add_scalar_with_(dt_tensor *self, dt_number other,
                                      const dt_add_scalar_options *options);
DT_API dt_tensor *dt_add_scalar_out(dt_tensor *self, dt_number other,
                                    dt_tensor *out);
DT_API dt_tensor *dt_add_scalar_with_out(dt_tensor *self, dt_number other,
                                         const dt_add_scalar_options *options,
                                         dt_tensor *out);

/* Options of sub_scalar.  Begin with DT_SUB_SCALAR_OPTIONS_INIT. */
typedef struct dt_sub_scalar_options {
    size_t size; /* sizeof(dt_sub_scalar_options) */
    dt_number alpha;
} dt_sub_scalar_options;

#define DT_SUB_SCALAR_OPTIONS_INIT \
    {sizeof(dt_sub_scalar_options), {DT_KIND_SIGNED, {1}}}

/*
 * Subtract a number, multiplied by alpha.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_sub_scalar(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_sub_scalar_with(dt_tensor *self, dt_number other,
                                     const dt_sub_scalar_options *options);
DT_API dt_tensor *dt_sub_scalar_(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_sub_scalar_with_(dt_tensor *self, dt_number other,
                                      const dt_sub_scalar_options *options);
DT_API dt_tensor *dt_sub_scalar_out(dt_tensor *self, dt_number other,
                                    dt_tensor *out);
DT_API dt_tensor *dt_sub_scalar_with_out(dt_tensor *self, dt_number other,
                                         const dt_sub_scalar_options *options,
                                         dt_tensor *out);

/*
 * Multiply by a number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_mul_scalar(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_mul_scalar_(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_mul_scalar_out(dt_tensor *self, dt_number other,
                                    dt_tensor *out);

/*
 * Divide by a number; integers give f32.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_div_scalar(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_div_scalar_(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_div_scalar_out(dt_tensor *self, dt_number other,
                                    dt_tensor *out);

/*
 * Subtract from a number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_rsub_scalar(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_rsub_scalar_out(dt_tensor *self, dt_number other,
                                     dt_tensor *out);

/*
 * Raise to a power; integers not to a negative integer.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_pow_scalar(dt_tensor *self, dt_number exponent);
DT_API dt_tensor *dt_pow_scalar_(dt_tensor *self, dt_number exponent);
DT_API dt_tensor *dt_pow_scalar_out(dt_tensor *self, dt_number exponent,
                                    dt_tensor *out);

/*
 * The larger of two elements; NaN if one is.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_maximum(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_maximum_out(dt_tensor *self, dt_tensor *other,
                                 dt_tensor *out);

/*
 * The smaller of two elements; NaN if one is.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_minimum(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_minimum_out(dt_tensor *self, dt_tensor *other,
                                 dt_tensor *out);

/*
 * Change the sign.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_neg(dt_tensor *self);
DT_API dt_tensor *dt_neg_(dt_tensor *self);
DT_API dt_tensor *dt_neg_out(dt_tensor *self, dt_tensor *out);

/*
 * Leave out the sign; of complex numbers, the absolute value.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_abs(dt_tensor *self);
DT_API dt_tensor *dt_abs_(dt_tensor *self);
DT_API dt_tensor *dt_abs_out(dt_tensor *self, dt_tensor *out);

/*
 * Divide 1 by the elements.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_reciprocal(dt_tensor *self);
DT_API dt_tensor *dt_reciprocal_(dt_tensor *self);
DT_API dt_tensor *dt_reciprocal_out(dt_tensor *self, dt_tensor *out);

/*
 * The exponential function.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_exp(dt_tensor *self);
DT_API dt_tensor *dt_exp_(dt_tensor *self);
DT_API dt_tensor *dt_exp_out(dt_tensor *self, dt_tensor *out);

/*
 * The natural logarithm.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_log(dt_tensor *self);
DT_API dt_tensor *dt_log_(dt_tensor *self);
DT_API dt_tensor *dt_log_out(dt_tensor *self, dt_tensor *out);

/*
 * The square root.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_sqrt(dt_tensor *self);
DT_API dt_tensor *dt_sqrt_(dt_tensor *self);
DT_API dt_tensor *dt_sqrt_out(dt_tensor *self, dt_tensor *out);

/*
 * Divide 1 by the square root.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_rsqrt(dt_tensor *self);
DT_API dt_tensor *dt_rsqrt_(dt_tensor *self);
DT_API dt_tensor *dt_rsqrt_out(dt_tensor *self, dt_tensor *out);

/*
 * Multiply elements by themselves.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_square(dt_tensor *self);
DT_API dt_tensor *dt_square_(dt_tensor *self);
DT_API dt_tensor *dt_square_out(dt_tensor *self, dt_tensor *out);

/*
 * The hyperbolic tangent.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_tanh(dt_tensor *self);
DT_API dt_tensor *dt_tanh_(dt_tensor *self);
DT_API dt_tensor *dt_tanh_out(dt_tensor *self, dt_tensor *out);

/*
 * The logistic function, 1 / (1 + exp(-x)).
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_sigmoid(dt_tensor *self);
DT_API dt_tensor *dt_sigmoid_(dt_tensor *self);
DT_API dt_tensor *dt_sigmoid_out(dt_tensor *self, dt_tensor *out);

/*
 * x / (1 + exp(-x)).
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_silu(dt_tensor *self);
DT_API dt_tensor *dt_silu_(dt_tensor *self);
DT_API dt_tensor *dt_silu_out(dt_tensor *self, dt_tensor *out);

/* Options of gelu.  Begin with DT_GELU_OPTIONS_INIT. */
typedef struct dt_gelu_options {
    size_t size; /* sizeof(dt_gelu_options) */
    const char *approximate;
} dt_gelu_options;

#define DT_GELU_OPTIONS_INIT \
    {sizeof(dt_gelu_options), "none"}

/*
 * x times the normal distribution function; "tanh" approximates it.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_gelu(dt_tensor *self);
DT_API dt_tensor *dt_gelu_with(dt_tensor *self,
                               const dt_gelu_options *options);
DT_API dt_tensor *dt_gelu_(dt_tensor *self);
DT_API dt_tensor *dt_gelu_with_(dt_tensor *self,
                                const dt_gelu_options *options);
DT_API dt_tensor *dt_gelu_out(dt_tensor *self, dt_tensor *out);
DT_API dt_tensor *dt_gelu_with_out(dt_tensor *self,
                                   const dt_gelu_options *options,
                                   dt_tensor *out);

/*
 * Replace negative elements by 0.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_relu(dt_tensor *self);
DT_API dt_tensor *dt_relu_(dt_tensor *self);
DT_API dt_tensor *dt_relu_out(dt_tensor *self, dt_tensor *out);

/*
 * Take elements from self where the condition holds, from other elsewhere.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_where(dt_tensor *condition, dt_tensor *self,
                           dt_tensor *other);
DT_API dt_tensor *dt_where_out(dt_tensor *condition, dt_tensor *self,
                               dt_tensor *other, dt_tensor *out);

/* ---- Random ------------------------------------------------------------- */

/* Options of dropout.  Begin with DT_DROPOUT_OPTIONS_INIT. */
typedef struct dt_dropout_options {
    size_t size; /* sizeof(dt_dropout_options) */
    dt_generator *generator;
} dt_dropout_options;

#define DT_DROPOUT_OPTIONS_INIT \
    {sizeof(dt_dropout_options), 0}

/*
 * Set elements to 0 with probability `p` and divide the others by 1 - p, if
 * `train` is set; the same ones in every layout.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_dropout(dt_tensor *self, double p, bool train);
DT_API dt_tensor *dt_dropout_with(dt_tensor *self, double p, bool train,
                                  const dt_dropout_options *options);
DT_API dt_tensor *dt_dropout_(dt_tensor *self, double p, bool train);
DT_API dt_tensor *dt_dropout_with_(dt_tensor *self, double p, bool train,
                                   const dt_dropout_options *options);

/* ---- Reduce ------------------------------------------------------------- */

/* Options of sum.  Begin with DT_SUM_OPTIONS_INIT. */
typedef struct dt_sum_options {
    size_t size; /* sizeof(dt_sum_options) */
    const dt_dtype *dtype;
} dt_sum_options;

#define DT_SUM_OPTIONS_INIT \
    {sizeof(dt_sum_options), 0}

/*
 * Add up the elements of dimensions; integers and bool in i64.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_sum(dt_tensor *self, dt_dims dims, bool keepdim);
DT_API dt_tensor *dt_sum_with(dt_tensor *self, dt_dims dims, bool keepdim,
                              const dt_sum_options *options);
DT_API dt_tensor *dt_sum_out(dt_tensor *self, dt_dims dims, bool keepdim,
                             dt_tensor *out);
DT_API dt_tensor *dt_sum_with_out(dt_tensor *self, dt_dims dims, bool keepdim,
                                  const dt_sum_options *options,
                                  dt_tensor *out);

/* Options of mean.  Begin with DT_MEAN_OPTIONS_INIT. */
typedef struct dt_mean_options {
    size_t size; /* sizeof(dt_mean_options) */
    const dt_dtype *dtype;
} dt_mean_options;

#define DT_MEAN_OPTIONS_INIT \
    {sizeof(dt_mean_options), 0}

/*
 * Give the mean of the elements of dimensions.  Means of parts, divided by the
 * count of the whole, add up: shards may be uneven.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_mean(dt_tensor *self, dt_dims dims, bool keepdim);
DT_API dt_tensor *dt_mean_with(dt_tensor *self, dt_dims dims, bool keepdim,
                               const dt_mean_options *options);
DT_API dt_tensor *dt_mean_out(dt_tensor *self, dt_dims dims, bool keepdim,
                              dt_tensor *out);
DT_API dt_tensor *dt_mean_with_out(dt_tensor *self, dt_dims dims, bool keepdim,
                                   const dt_mean_options *options,
                                   dt_tensor *out);

/* Options of prod.  Begin with DT_PROD_OPTIONS_INIT. */
typedef struct dt_prod_options {
    size_t size; /* sizeof(dt_prod_options) */
    const dt_dtype *dtype;
} dt_prod_options;

#define DT_PROD_OPTIONS_INIT \
    {sizeof(dt_prod_options), 0}

/*
 * Multiply the elements of dimensions; integers and bool in i64.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_prod(dt_tensor *self, dt_dims dims, bool keepdim);
DT_API dt_tensor *dt_prod_with(dt_tensor *self, dt_dims dims, bool keepdim,
                               const dt_prod_options *options);
DT_API dt_tensor *dt_prod_out(dt_tensor *self, dt_dims dims, bool keepdim,
                              dt_tensor *out);
DT_API dt_tensor *dt_prod_with_out(dt_tensor *self, dt_dims dims, bool keepdim,
                                   const dt_prod_options *options,
                                   dt_tensor *out);

/*
 * Give the largest element of dimensions; NaN if there is one.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_amax(dt_tensor *self, dt_dims dims, bool keepdim);
DT_API dt_tensor *dt_amax_out(dt_tensor *self, dt_dims dims, bool keepdim,
                              dt_tensor *out);

/*
 * Give the least element of dimensions; NaN if there is one.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_amin(dt_tensor *self, dt_dims dims, bool keepdim);
DT_API dt_tensor *dt_amin_out(dt_tensor *self, dt_dims dims, bool keepdim,
                              dt_tensor *out);

/*
 * Tell whether all elements of dimensions are true; NaN is.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_all(dt_tensor *self, dt_dims dims, bool keepdim);
DT_API dt_tensor *dt_all_out(dt_tensor *self, dt_dims dims, bool keepdim,
                             dt_tensor *out);

/*
 * Tell whether some element of dimensions is true; NaN is.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_any(dt_tensor *self, dt_dims dims, bool keepdim);
DT_API dt_tensor *dt_any_out(dt_tensor *self, dt_dims dims, bool keepdim,
                             dt_tensor *out);

/* Options of powsum.  Begin with DT_POWSUM_OPTIONS_INIT. */
typedef struct dt_powsum_options {
    size_t size; /* sizeof(dt_powsum_options) */
    const dt_dtype *dtype;
} dt_powsum_options;

#define DT_POWSUM_OPTIONS_INIT \
    {sizeof(dt_powsum_options), 0}

/*
 * Add up the absolute values of elements, raised to a power; of power 0, count
 * those that are not 0.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_powsum(dt_tensor *self, double p, dt_dims dims,
                            bool keepdim);
DT_API dt_tensor *dt_powsum_with(dt_tensor *self, double p, dt_dims dims,
                                 bool keepdim,
                                 const dt_powsum_options *options);

/*
 * Give the largest absolute value of dimensions; NaN if there is one.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_amax_abs(dt_tensor *self, dt_dims dims, bool keepdim);

/*
 * Give the least absolute value of dimensions; NaN if there is one.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_amin_abs(dt_tensor *self, dt_dims dims, bool keepdim);

/*
 * Give the p-norm of dimensions: the root of the sum of powers; of p inf and
 * -inf the largest and the least absolute value, of 0 how many elements are not
 * 0.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_norm(dt_tensor *self, double p, dt_dims dims,
                          bool keepdim);

/* ---- Repeat ------------------------------------------------------------- */

/*
 * Write each dimension so many times behind itself; numbers more than there are
 * dimensions are for others in front.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_repeat(dt_tensor *self, const int64_t *repeats,
                            int repeats_count);

/*
 * The same, numbers that are missing in front being 1.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_tile(dt_tensor *self, const int64_t *dims,
                          int dims_count);

/*
 * Write each index of a dimension so many times behind itself.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_repeat_interleave(dt_tensor *self, int64_t repeats,
                                       int dim);

/* ---- Scatter ------------------------------------------------------------ */

/*
 * Put each element of src where its index says along a dimension, in its own
 * place along the others; the last of several stays.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_scatter(dt_tensor *self, int dim, dt_tensor *index,
                             dt_tensor *src);
DT_API dt_tensor *dt_scatter_(dt_tensor *self, int dim, dt_tensor *index,
                              dt_tensor *src);
DT_API dt_tensor *dt_scatter_out(dt_tensor *self, int dim, dt_tensor *index,
                                 dt_tensor *src, dt_tensor *out);

/*
 * Set the elements that indexes name along a dimension to a number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_scatter_value(dt_tensor *self, int dim, dt_tensor *index,
                                   dt_number value);
DT_API dt_tensor *dt_scatter_value_(dt_tensor *self, int dim, dt_tensor *index,
                                    dt_number value);
DT_API dt_tensor *dt_scatter_value_out(dt_tensor *self, int dim,
                                       dt_tensor *index, dt_number value,
                                       dt_tensor *out);

/*
 * Add each element of src to the one that its index names along a dimension.
 *
 * Collective over the mesh of its tensors.
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
    bool include_self;
} dt_scatter_reduce_options;

#define DT_SCATTER_REDUCE_OPTIONS_INIT \
    {sizeof(dt_scatter_reduce_options), true}

/*
 * Combine elements of src with those that indexes name along a dimension, by
 * "sum", "prod", "mean", "amax" or "amin"; without self, these are left out.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_scatter_reduce(dt_tensor *self, int dim, dt_tensor *index,
                                    dt_tensor *src, const char *reduce);
DT_API dt_tensor *dt_scatter_reduce_with(dt_tensor *self, int dim,
                                         dt_tensor *index, dt_tensor *src,
                                         const char *reduce,
                                         const dt_scatter_reduce_options *options);
DT_API dt_tensor *dt_scatter_reduce_(dt_tensor *self, int dim, dt_tensor *index,
                                     dt_tensor *src, const char *reduce);
DT_API dt_tensor *dt_scatter_reduce_with_(dt_tensor *self, int dim,
                                          dt_tensor *index, dt_tensor *src,
                                          const char *reduce,
                                          const dt_scatter_reduce_options *options);
DT_API dt_tensor *dt_scatter_reduce_out(dt_tensor *self, int dim,
                                        dt_tensor *index, dt_tensor *src,
                                        const char *reduce, dt_tensor *out);
DT_API dt_tensor *dt_scatter_reduce_with_out(dt_tensor *self, int dim,
                                             dt_tensor *index, dt_tensor *src,
                                             const char *reduce,
                                             const dt_scatter_reduce_options *options,
                                             dt_tensor *out);

/* ---- Shift -------------------------------------------------------------- */

/*
 * Move elements along dimensions, round the end; without dims in row-major
 * order.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_roll(dt_tensor *self, const int64_t *shifts,
                          int shifts_count, dt_dims dims);
DT_API dt_tensor *dt_roll_out(dt_tensor *self, const int64_t *shifts,
                              int shifts_count, dt_dims dims, dt_tensor *out);

/*
 * Turn dimensions round: the last index comes first.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_flip(dt_tensor *self, const int64_t *dims,
                          int dims_count);
DT_API dt_tensor *dt_flip_out(dt_tensor *self, const int64_t *dims,
                              int dims_count, dt_tensor *out);

/* Options of constant_pad_nd.  Begin with DT_CONSTANT_PAD_ND_OPTIONS_INIT. */
typedef struct dt_constant_pad_nd_options {
    size_t size; /* sizeof(dt_constant_pad_nd_options) */
    dt_number value;
} dt_constant_pad_nd_options;

#define DT_CONSTANT_PAD_ND_OPTIONS_INIT \
    {sizeof(dt_constant_pad_nd_options), {DT_KIND_SIGNED, {0}}}

/*
 * Add indexes of a number before and behind those of dimensions; pairs are for
 * the last dimension first, and negative ones cut off.
 *
 * Collective over the mesh of its tensors.
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

/* ---- Slice -------------------------------------------------------------- */

/*
 * See every `step`th index of a dimension, from `start` to before `stop`;
 * negative ones count from the end.
 *
 * Collective over the mesh of its tensors.  Shares memory with its first
 * tensor.
 */
DT_API dt_tensor *dt_slice(dt_tensor *self, int dim, int64_t start,
                           int64_t stop, int64_t step);

/*
 * See `length` indexes of a dimension, from `start` on.
 *
 * Collective over the mesh of its tensors.  Shares memory with its first
 * tensor.
 */
DT_API dt_tensor *dt_narrow(dt_tensor *self, int dim, int64_t start,
                            int64_t length);

/*
 * See one index of a dimension, which disappears.
 *
 * Collective over the mesh of its tensors.  Shares memory with its first
 * tensor.
 */
DT_API dt_tensor *dt_select(dt_tensor *self, int dim, int64_t index);

/*
 * Copy a tensor with every `step`th index of a dimension, from `start` to
 * before `stop`, taken from src.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_slice_scatter(dt_tensor *self, dt_tensor *src, int dim,
                                   int64_t start, int64_t stop, int64_t step);
DT_API dt_tensor *dt_slice_scatter_out(dt_tensor *self, dt_tensor *src, int dim,
                                       int64_t start, int64_t stop,
                                       int64_t step, dt_tensor *out);

/*
 * Copy a tensor with one index of a dimension taken from src.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_select_scatter(dt_tensor *self, dt_tensor *src, int dim,
                                    int64_t index);
DT_API dt_tensor *dt_select_scatter_out(dt_tensor *self, dt_tensor *src,
                                        int dim, int64_t index,
                                        dt_tensor *out);

/*
 * Put a tensor where slice saw it in one of this shape, with zeros elsewhere.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_slice_backward(dt_tensor *grad_output,
                                    dt_shape input_sizes, int dim,
                                    int64_t start, int64_t stop, int64_t step);
DT_API dt_tensor *dt_slice_backward_out(dt_tensor *grad_output,
                                        dt_shape input_sizes, int dim,
                                        int64_t start, int64_t stop,
                                        int64_t step, dt_tensor *out);

/*
 * Put a tensor where select saw it in one of this shape, with zeros elsewhere.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_select_backward(dt_tensor *grad_output,
                                     dt_shape input_sizes, int dim,
                                     int64_t index);
DT_API dt_tensor *dt_select_backward_out(dt_tensor *grad_output,
                                         dt_shape input_sizes, int dim,
                                         int64_t index, dt_tensor *out);

/* ---- Softmax ------------------------------------------------------------ */

/* Options of softmax.  Begin with DT_SOFTMAX_OPTIONS_INIT. */
typedef struct dt_softmax_options {
    size_t size; /* sizeof(dt_softmax_options) */
    const dt_dtype *dtype;
} dt_softmax_options;

#define DT_SOFTMAX_OPTIONS_INIT \
    {sizeof(dt_softmax_options), 0}

/*
 * Give exp(x) / sum(exp(x)) along a dimension.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_softmax(dt_tensor *self, int dim);
DT_API dt_tensor *dt_softmax_with(dt_tensor *self, int dim,
                                  const dt_softmax_options *options);

/* Options of log_softmax.  Begin with DT_LOG_SOFTMAX_OPTIONS_INIT. */
typedef struct dt_log_softmax_options {
    size_t size; /* sizeof(dt_log_softmax_options) */
    const dt_dtype *dtype;
} dt_log_softmax_options;

#define DT_LOG_SOFTMAX_OPTIONS_INIT \
    {sizeof(dt_log_softmax_options), 0}

/*
 * Give x - log(sum(exp(x))) along a dimension.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_log_softmax(dt_tensor *self, int dim);
DT_API dt_tensor *dt_log_softmax_with(dt_tensor *self, int dim,
                                      const dt_log_softmax_options *options);

/* ---- Sort --------------------------------------------------------------- */

/*
 * Give the k largest or least elements along a dimension, the first of these
 * first, whether `sorted` or not.  NaN is larger than every number; of equal
 * elements the one with the smaller index comes first.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_topk(dt_tensor *self, int64_t k, int dim, bool largest,
                         bool sorted, dt_tensor **values, dt_tensor **indices);

/* ---- Triangle ----------------------------------------------------------- */

/*
 * Keep the diagonal of matrices and what is below it, the rest is zero; a
 * positive number is a diagonal above the main one.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_tril(dt_tensor *self, int64_t diagonal);
DT_API dt_tensor *dt_tril_(dt_tensor *self, int64_t diagonal);
DT_API dt_tensor *dt_tril_out(dt_tensor *self, int64_t diagonal,
                              dt_tensor *out);

/*
 * Keep the diagonal of matrices and what is above it, the rest is zero; a
 * positive number is a diagonal above the main one.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_triu(dt_tensor *self, int64_t diagonal);
DT_API dt_tensor *dt_triu_(dt_tensor *self, int64_t diagonal);
DT_API dt_tensor *dt_triu_out(dt_tensor *self, int64_t diagonal,
                              dt_tensor *out);

/* ---- View --------------------------------------------------------------- */

/*
 * See a tensor with another shape, without moving anything; one extent may be
 * -1.
 *
 * Collective over the mesh of its tensors.  Shares memory with its first
 * tensor.  Never redistributes: fails instead.
 */
DT_API dt_tensor *dt_view(dt_tensor *self, dt_shape shape);

/*
 * Give a tensor another shape; a view where that is possible, and one extent
 * may be -1.
 *
 * Collective over the mesh of its tensors.  Shares memory with its first
 * tensor.
 */
DT_API dt_tensor *dt_reshape(dt_tensor *self, dt_shape shape);

/*
 * Make one dimension of the dimensions from `start` to `end`, both included.
 *
 * Collective over the mesh of its tensors.  Shares memory with its first
 * tensor.
 */
DT_API dt_tensor *dt_flatten(dt_tensor *self, int start, int end);

/*
 * Make several dimensions of one; one extent may be -1.
 *
 * Collective over the mesh of its tensors.  Shares memory with its first
 * tensor.
 */
DT_API dt_tensor *dt_unflatten(dt_tensor *self, int dim, dt_shape sizes);

/*
 * Take out dimensions of extent 1: those that are named, or all.
 *
 * Collective over the mesh of its tensors.  Shares memory with its first
 * tensor.
 */
DT_API dt_tensor *dt_squeeze(dt_tensor *self, dt_dims dims);
DT_API dt_tensor *dt_squeeze_(dt_tensor *self, dt_dims dims);

/*
 * Put in a dimension of extent 1, which is to be number `dim`.
 *
 * Collective over the mesh of its tensors.  Shares memory with its first
 * tensor.
 */
DT_API dt_tensor *dt_unsqueeze(dt_tensor *self, int dim);
DT_API dt_tensor *dt_unsqueeze_(dt_tensor *self, int dim);

/*
 * See the dimensions in another order: dimension i of the result is dimension
 * `dims[i]`.
 *
 * Collective over the mesh of its tensors.  Shares memory with its first
 * tensor.
 */
DT_API dt_tensor *dt_permute(dt_tensor *self, dt_dims dims);

/*
 * Swap two dimensions.
 *
 * Collective over the mesh of its tensors.  Shares memory with its first
 * tensor.
 */
DT_API dt_tensor *dt_transpose(dt_tensor *self, int dim0, int dim1);
DT_API dt_tensor *dt_transpose_(dt_tensor *self, int dim0, int dim1);

/*
 * Swap the dimensions of a tensor that has two; one of fewer stays as it is.
 *
 * Collective over the mesh of its tensors.  Shares memory with its first
 * tensor.
 */
DT_API dt_tensor *dt_t(dt_tensor *self);
DT_API dt_tensor *dt_t_(dt_tensor *self);

/*
 * Repeat dimensions of extent 1, and put others in front; -1 keeps an extent.
 *
 * Collective over the mesh of its tensors.  Shares memory with its first
 * tensor.
 */
DT_API dt_tensor *dt_expand(dt_tensor *self, dt_shape shape);

/* clang-format on */

DT_EXTERN_C_END

#endif
