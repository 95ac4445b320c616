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
 * dt_x_ overwrites its first tensor and gives it, or the tensors of its first
 * list, or of several results x_out the tensor x; dt_x_out writes to `out` and
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
 * See pairs along the last dimension as complex numbers.
 *
 * Collective over the mesh of its tensors.  Shares memory with its first
 * tensor.
 */
DT_API dt_tensor *dt_view_as_complex(dt_tensor *self);

/* ---- Amp ---------------------------------------------------------------- */

/*
 * Multiply by a factor, and tell by 1 whether some element was infinite or NaN.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_amp_unscale(dt_tensor *self, double inv_scale,
                                dt_tensor **self_out, dt_tensor **found_inf);
DT_API dt_status dt_amp_unscale_(dt_tensor *self, double inv_scale,
                                 dt_tensor **found_inf);

/*
 * Multiply gradients by a factor, and set `found_inf` to 1 if some element was
 * infinite or NaN.  Gradients may lie on different meshes, of whose ranks all
 * are of that of `found_inf`; one small all-reduce is all that is sent.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_amp_foreach_non_finite_check_and_unscale_(dt_tensor *const *self,
                                                              int self_count,
                                                              dt_tensor *found_inf,
                                                              dt_tensor *inv_scale);

/*
 * Lower a scale where infinite gradients were found, and raise it after as many
 * steps without them as `growth_interval` says.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_amp_update_scale(dt_tensor *self, dt_tensor *growth_tracker,
                                     dt_tensor *found_inf,
                                     double scale_growth_factor,
                                     double scale_backoff_factor,
                                     int64_t growth_interval,
                                     dt_tensor **self_out,
                                     dt_tensor **growth_tracker_out);
DT_API dt_status dt_amp_update_scale_(dt_tensor *self,
                                      dt_tensor *growth_tracker,
                                      dt_tensor *found_inf,
                                      double scale_growth_factor,
                                      double scale_backoff_factor,
                                      int64_t growth_interval);

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

/* ---- Attention ---------------------------------------------------------- */

/* Options of scaled_dot_product_attention.  Begin with DT_SCALED_DOT_PRODUCT_ATTENTION_OPTIONS_INIT. */
typedef struct dt_scaled_dot_product_attention_options {
    size_t size; /* sizeof(dt_scaled_dot_product_attention_options) */
    dt_tensor *attn_mask;
    double dropout_p;
    bool is_causal;
    double scale;
    bool enable_gqa;
    dt_generator *generator;
} dt_scaled_dot_product_attention_options;

#define DT_SCALED_DOT_PRODUCT_ATTENTION_OPTIONS_INIT \
    {sizeof(dt_scaled_dot_product_attention_options), 0, 0, false, HUGE_VAL, \
     false, 0}

/*
 * Give each query the values, weighted by softmax(scale * query key + mask), in
 * blocks.  `attn_mask` is bool, true where a key is seen, or is added; `scale`
 * is 1 / sqrt(width) if it is infinity; with `enable_gqa` heads of keys serve
 * groups of queries' heads.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_scaled_dot_product_attention(dt_tensor *query,
                                                  dt_tensor *key,
                                                  dt_tensor *value);
DT_API dt_tensor *dt_scaled_dot_product_attention_with(dt_tensor *query,
                                                       dt_tensor *key,
                                                       dt_tensor *value,
                                                       const dt_scaled_dot_product_attention_options *options);

/* Options of scaled_dot_product_attention_forward.  Begin with DT_SCALED_DOT_PRODUCT_ATTENTION_FORWARD_OPTIONS_INIT. */
typedef struct dt_scaled_dot_product_attention_forward_options {
    size_t size; /* sizeof(dt_scaled_dot_product_attention_forward_options) */
    dt_tensor *attn_mask;
    double dropout_p;
    bool is_causal;
    double scale;
    bool enable_gqa;
    dt_generator *generator;
} dt_scaled_dot_product_attention_forward_options;

#define DT_SCALED_DOT_PRODUCT_ATTENTION_FORWARD_OPTIONS_INIT \
    {sizeof(dt_scaled_dot_product_attention_forward_options), 0, 0, false, \
     HUGE_VAL, false, 0}

/*
 * The same with what its backward form needs: the logarithm of the sum of
 * exponentials of each query, and the key by which weights were dropped.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_scaled_dot_product_attention_forward(dt_tensor *query,
                                                         dt_tensor *key,
                                                         dt_tensor *value,
                                                         dt_tensor **output,
                                                         dt_tensor **logsumexp,
                                                         dt_tensor **dropout_key);
DT_API dt_status dt_scaled_dot_product_attention_forward_with(dt_tensor *query,
                                                              dt_tensor *key,
                                                              dt_tensor *value,
                                                              const dt_scaled_dot_product_attention_forward_options *options,
                                                              dt_tensor **output,
                                                              dt_tensor **logsumexp,
                                                              dt_tensor **dropout_key);

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
DT_API dt_status dt_foreach_add_(dt_tensor *const *self, int self_count,
                                 dt_tensor *const *other, int other_count);
DT_API dt_status dt_foreach_add_with_(dt_tensor *const *self, int self_count,
                                      dt_tensor *const *other, int other_count,
                                      const dt_foreach_add_options *options);

/* Options of foreach_add_tensor.  Begin with DT_FOREACH_ADD_TENSOR_OPTIONS_INIT. */
typedef struct dt_foreach_add_tensor_options {
    size_t size; /* sizeof(dt_foreach_add_tensor_options) */
    dt_number alpha;
} dt_foreach_add_tensor_options;

#define DT_FOREACH_ADD_TENSOR_OPTIONS_INIT \
    {sizeof(dt_foreach_add_tensor_options), {DT_KIND_SIGNED, {1}}}

/*
 * Add a 0-d tensor, multiplied by alpha, to every tensor.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_foreach_add_tensor(dt_tensor *const *self, int self_count,
                                       dt_tensor *other, dt_tensor **results,
                                       int room, int *count);
DT_API dt_status dt_foreach_add_tensor_with(dt_tensor *const *self,
                                            int self_count, dt_tensor *other,
                                            const dt_foreach_add_tensor_options *options,
                                            dt_tensor **results, int room,
                                            int *count);
DT_API dt_status dt_foreach_add_tensor_(dt_tensor *const *self, int self_count,
                                        dt_tensor *other);
DT_API dt_status dt_foreach_add_tensor_with_(dt_tensor *const *self,
                                             int self_count, dt_tensor *other,
                                             const dt_foreach_add_tensor_options *options);

/*
 * Add a number to every tensor of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_foreach_add_scalar(dt_tensor *const *self, int self_count,
                                       dt_number other, dt_tensor **results,
                                       int room, int *count);
DT_API dt_status dt_foreach_add_scalar_(dt_tensor *const *self, int self_count,
                                        dt_number other);

/*
 * Add to every tensor of a list its number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_foreach_add_scalars(dt_tensor *const *self, int self_count,
                                        const dt_number *scalars,
                                        int scalars_count, dt_tensor **results,
                                        int room, int *count);
DT_API dt_status dt_foreach_add_scalars_(dt_tensor *const *self, int self_count,
                                         const dt_number *scalars,
                                         int scalars_count);

/* Options of foreach_sub.  Begin with DT_FOREACH_SUB_OPTIONS_INIT. */
typedef struct dt_foreach_sub_options {
    size_t size; /* sizeof(dt_foreach_sub_options) */
    dt_number alpha;
} dt_foreach_sub_options;

#define DT_FOREACH_SUB_OPTIONS_INIT \
    {sizeof(dt_foreach_sub_options), {DT_KIND_SIGNED, {1}}}

/*
 * Subtract tensors of a list, multiplied by alpha.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_foreach_sub(dt_tensor *const *self, int self_count,
                                dt_tensor *const *other, int other_count,
                                dt_tensor **results, int room, int *count);
DT_API dt_status dt_foreach_sub_with(dt_tensor *const *self, int self_count,
                                     dt_tensor *const *other, int other_count,
                                     const dt_foreach_sub_options *options,
                                     dt_tensor **results, int room,
                                     int *count);
DT_API dt_status dt_foreach_sub_(dt_tensor *const *self, int self_count,
                                 dt_tensor *const *other, int other_count);
DT_API dt_status dt_foreach_sub_with_(dt_tensor *const *self, int self_count,
                                      dt_tensor *const *other, int other_count,
                                      const dt_foreach_sub_options *options);

/*
 * Subtract a number from every tensor of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_foreach_sub_scalar(dt_tensor *const *self, int self_count,
                                       dt_number other, dt_tensor **results,
                                       int room, int *count);
DT_API dt_status dt_foreach_sub_scalar_(dt_tensor *const *self, int self_count,
                                        dt_number other);

/*
 * Subtract from every tensor of a list its number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_foreach_sub_scalars(dt_tensor *const *self, int self_count,
                                        const dt_number *scalars,
                                        int scalars_count, dt_tensor **results,
                                        int room, int *count);
DT_API dt_status dt_foreach_sub_scalars_(dt_tensor *const *self, int self_count,
                                         const dt_number *scalars,
                                         int scalars_count);

/*
 * Multiply tensors of two lists.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_foreach_mul(dt_tensor *const *self, int self_count,
                                dt_tensor *const *other, int other_count,
                                dt_tensor **results, int room, int *count);
DT_API dt_status dt_foreach_mul_(dt_tensor *const *self, int self_count,
                                 dt_tensor *const *other, int other_count);

/*
 * Multiply every tensor of a list by a 0-d tensor.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_foreach_mul_tensor(dt_tensor *const *self, int self_count,
                                       dt_tensor *other, dt_tensor **results,
                                       int room, int *count);
DT_API dt_status dt_foreach_mul_tensor_(dt_tensor *const *self, int self_count,
                                        dt_tensor *other);

/*
 * Multiply every tensor of a list by a number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_foreach_mul_scalar(dt_tensor *const *self, int self_count,
                                       dt_number other, dt_tensor **results,
                                       int room, int *count);
DT_API dt_status dt_foreach_mul_scalar_(dt_tensor *const *self, int self_count,
                                        dt_number other);

/*
 * Multiply every tensor of a list by its number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_foreach_mul_scalars(dt_tensor *const *self, int self_count,
                                        const dt_number *scalars,
                                        int scalars_count, dt_tensor **results,
                                        int room, int *count);
DT_API dt_status dt_foreach_mul_scalars_(dt_tensor *const *self, int self_count,
                                         const dt_number *scalars,
                                         int scalars_count);

/*
 * Divide by the tensors of a second list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_foreach_div(dt_tensor *const *self, int self_count,
                                dt_tensor *const *other, int other_count,
                                dt_tensor **results, int room, int *count);
DT_API dt_status dt_foreach_div_(dt_tensor *const *self, int self_count,
                                 dt_tensor *const *other, int other_count);

/*
 * Divide every tensor of a list by a 0-d tensor.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_foreach_div_tensor(dt_tensor *const *self, int self_count,
                                       dt_tensor *other, dt_tensor **results,
                                       int room, int *count);
DT_API dt_status dt_foreach_div_tensor_(dt_tensor *const *self, int self_count,
                                        dt_tensor *other);

/*
 * Divide every tensor of a list by a number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_foreach_div_scalar(dt_tensor *const *self, int self_count,
                                       dt_number other, dt_tensor **results,
                                       int room, int *count);
DT_API dt_status dt_foreach_div_scalar_(dt_tensor *const *self, int self_count,
                                        dt_number other);

/*
 * Divide every tensor of a list by its number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_foreach_div_scalars(dt_tensor *const *self, int self_count,
                                        const dt_number *scalars,
                                        int scalars_count, dt_tensor **results,
                                        int room, int *count);
DT_API dt_status dt_foreach_div_scalars_(dt_tensor *const *self, int self_count,
                                         const dt_number *scalars,
                                         int scalars_count);

/*
 * The larger of the elements of two lists; NaN if one is.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_foreach_maximum(dt_tensor *const *self, int self_count,
                                    dt_tensor *const *other, int other_count,
                                    dt_tensor **results, int room, int *count);
DT_API dt_status dt_foreach_maximum_(dt_tensor *const *self, int self_count,
                                     dt_tensor *const *other, int other_count);

/*
 * The smaller of the elements of two lists; NaN if one is.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_foreach_minimum(dt_tensor *const *self, int self_count,
                                    dt_tensor *const *other, int other_count,
                                    dt_tensor **results, int room, int *count);
DT_API dt_status dt_foreach_minimum_(dt_tensor *const *self, int self_count,
                                     dt_tensor *const *other, int other_count);

/*
 * Raise every tensor of a list to a power.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_foreach_pow_scalar(dt_tensor *const *self, int self_count,
                                       dt_number exponent, dt_tensor **results,
                                       int room, int *count);
DT_API dt_status dt_foreach_pow_scalar_(dt_tensor *const *self, int self_count,
                                        dt_number exponent);

/*
 * Raise every tensor of a list to its power.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_foreach_pow_scalars(dt_tensor *const *self, int self_count,
                                        const dt_number *scalars,
                                        int scalars_count, dt_tensor **results,
                                        int room, int *count);
DT_API dt_status dt_foreach_pow_scalars_(dt_tensor *const *self, int self_count,
                                         const dt_number *scalars,
                                         int scalars_count);

/*
 * Copy the tensors of a second list, as the dtypes of the first.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_foreach_copy(dt_tensor *const *self, int self_count,
                                 dt_tensor *const *src, int src_count,
                                 dt_tensor **results, int room, int *count);
DT_API dt_status dt_foreach_copy_(dt_tensor *const *self, int self_count,
                                  dt_tensor *const *src, int src_count);

/*
 * Set every element to 0.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_foreach_zero(dt_tensor *const *self, int self_count,
                                 dt_tensor **results, int room, int *count);
DT_API dt_status dt_foreach_zero_(dt_tensor *const *self, int self_count);

/*
 * Negate every tensor of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_foreach_neg(dt_tensor *const *self, int self_count,
                                dt_tensor **results, int room, int *count);
DT_API dt_status dt_foreach_neg_(dt_tensor *const *self, int self_count);

/*
 * The absolute values of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_foreach_abs(dt_tensor *const *self, int self_count,
                                dt_tensor **results, int room, int *count);
DT_API dt_status dt_foreach_abs_(dt_tensor *const *self, int self_count);

/*
 * The square roots of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_foreach_sqrt(dt_tensor *const *self, int self_count,
                                 dt_tensor **results, int room, int *count);
DT_API dt_status dt_foreach_sqrt_(dt_tensor *const *self, int self_count);

/*
 * One over the square roots of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_foreach_rsqrt(dt_tensor *const *self, int self_count,
                                  dt_tensor **results, int room, int *count);
DT_API dt_status dt_foreach_rsqrt_(dt_tensor *const *self, int self_count);

/*
 * One over every element of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_foreach_reciprocal(dt_tensor *const *self, int self_count,
                                       dt_tensor **results, int room,
                                       int *count);
DT_API dt_status dt_foreach_reciprocal_(dt_tensor *const *self,
                                        int self_count);

/*
 * The exponential function of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_foreach_exp(dt_tensor *const *self, int self_count,
                                dt_tensor **results, int room, int *count);
DT_API dt_status dt_foreach_exp_(dt_tensor *const *self, int self_count);

/*
 * The natural logarithms of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_foreach_log(dt_tensor *const *self, int self_count,
                                dt_tensor **results, int room, int *count);
DT_API dt_status dt_foreach_log_(dt_tensor *const *self, int self_count);

/*
 * The hyperbolic tangents of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_foreach_tanh(dt_tensor *const *self, int self_count,
                                 dt_tensor **results, int room, int *count);
DT_API dt_status dt_foreach_tanh_(dt_tensor *const *self, int self_count);

/*
 * The logistic function of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_foreach_sigmoid(dt_tensor *const *self, int self_count,
                                    dt_tensor **results, int room, int *count);
DT_API dt_status dt_foreach_sigmoid_(dt_tensor *const *self, int self_count);

/* ---- Fused -------------------------------------------------------------- */

/* Options of fused_adam.  Begin with DT_FUSED_ADAM_OPTIONS_INIT. */
typedef struct dt_fused_adam_options {
    size_t size; /* sizeof(dt_fused_adam_options) */
    double lr;
    double beta1;
    double beta2;
    double weight_decay;
    double eps;
    bool amsgrad;
    bool maximize;
    dt_tensor *tensor_lr;
    dt_tensor *grad_scale;
    dt_tensor *found_inf;
} dt_fused_adam_options;

#define DT_FUSED_ADAM_OPTIONS_INIT \
    {sizeof(dt_fused_adam_options), 0.001, 0.9, 0.999, 0, 1e-08, false, \
     false, 0, 0, 0}

/*
 * Make a step of Adam, its number being what `state_steps` say.  Tensors may
 * lie on different meshes.  Numbers that are tensors are replicated.  Gradients
 * are divided by `grad_scale` in place, and redistributed for the step where
 * they lie elsewhere; nothing is done if `found_inf` is 1.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_fused_adam_(dt_tensor *const *self, int self_count,
                                dt_tensor *const *grads, int grads_count,
                                dt_tensor *const *exp_avgs, int exp_avgs_count,
                                dt_tensor *const *exp_avg_sqs,
                                int exp_avg_sqs_count,
                                dt_tensor *const *max_exp_avg_sqs,
                                int max_exp_avg_sqs_count,
                                dt_tensor *const *state_steps,
                                int state_steps_count);
DT_API dt_status dt_fused_adam_with_(dt_tensor *const *self, int self_count,
                                     dt_tensor *const *grads, int grads_count,
                                     dt_tensor *const *exp_avgs,
                                     int exp_avgs_count,
                                     dt_tensor *const *exp_avg_sqs,
                                     int exp_avg_sqs_count,
                                     dt_tensor *const *max_exp_avg_sqs,
                                     int max_exp_avg_sqs_count,
                                     dt_tensor *const *state_steps,
                                     int state_steps_count,
                                     const dt_fused_adam_options *options);

/* Options of fused_adamw.  Begin with DT_FUSED_ADAMW_OPTIONS_INIT. */
typedef struct dt_fused_adamw_options {
    size_t size; /* sizeof(dt_fused_adamw_options) */
    double lr;
    double beta1;
    double beta2;
    double weight_decay;
    double eps;
    bool amsgrad;
    bool maximize;
    dt_tensor *tensor_lr;
    dt_tensor *grad_scale;
    dt_tensor *found_inf;
} dt_fused_adamw_options;

#define DT_FUSED_ADAMW_OPTIONS_INIT \
    {sizeof(dt_fused_adamw_options), 0.001, 0.9, 0.999, 0.01, 1e-08, false, \
     false, 0, 0, 0}

/*
 * Make a step of AdamW, its number being what `state_steps` say.  Tensors may
 * lie on different meshes.  Numbers that are tensors are replicated.  Gradients
 * are divided by `grad_scale` in place, and redistributed for the step where
 * they lie elsewhere; nothing is done if `found_inf` is 1.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_fused_adamw_(dt_tensor *const *self, int self_count,
                                 dt_tensor *const *grads, int grads_count,
                                 dt_tensor *const *exp_avgs, int exp_avgs_count,
                                 dt_tensor *const *exp_avg_sqs,
                                 int exp_avg_sqs_count,
                                 dt_tensor *const *max_exp_avg_sqs,
                                 int max_exp_avg_sqs_count,
                                 dt_tensor *const *state_steps,
                                 int state_steps_count);
DT_API dt_status dt_fused_adamw_with_(dt_tensor *const *self, int self_count,
                                      dt_tensor *const *grads, int grads_count,
                                      dt_tensor *const *exp_avgs,
                                      int exp_avgs_count,
                                      dt_tensor *const *exp_avg_sqs,
                                      int exp_avg_sqs_count,
                                      dt_tensor *const *max_exp_avg_sqs,
                                      int max_exp_avg_sqs_count,
                                      dt_tensor *const *state_steps,
                                      int state_steps_count,
                                      const dt_fused_adamw_options *options);

/* Options of fused_sgd.  Begin with DT_FUSED_SGD_OPTIONS_INIT. */
typedef struct dt_fused_sgd_options {
    size_t size; /* sizeof(dt_fused_sgd_options) */
    double weight_decay;
    double momentum;
    double lr;
    double dampening;
    bool nesterov;
    bool maximize;
    bool is_first_step;
    dt_tensor *tensor_lr;
    dt_tensor *grad_scale;
    dt_tensor *found_inf;
} dt_fused_sgd_options;

#define DT_FUSED_SGD_OPTIONS_INIT \
    {sizeof(dt_fused_sgd_options), 0, 0, 0.001, 0, false, false, false, 0, 0, \
     0}

/*
 * Make a step of gradient descent.  The first one sets the buffers of momentum,
 * of which there are none without it.  Tensors may lie on different meshes.
 * Numbers that are tensors are replicated.  Gradients are divided by
 * `grad_scale` in place, and redistributed for the step where they lie
 * elsewhere; nothing is done if `found_inf` is 1.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_fused_sgd_(dt_tensor *const *self, int self_count,
                               dt_tensor *const *grads, int grads_count,
                               dt_tensor *const *momentum_buffer_list,
                               int momentum_buffer_list_count);
DT_API dt_status dt_fused_sgd_with_(dt_tensor *const *self, int self_count,
                                    dt_tensor *const *grads, int grads_count,
                                    dt_tensor *const *momentum_buffer_list,
                                    int momentum_buffer_list_count,
                                    const dt_fused_sgd_options *options);

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

/* ---- Logsumexp ---------------------------------------------------------- */

/*
 * Give log(sum(exp(x))) over dimensions, without overflow.  Over shards, two
 * numbers of each rank are exchanged in one call.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_logsumexp(dt_tensor *self, dt_dims dims, bool keepdim);
DT_API dt_tensor *dt_logsumexp_out(dt_tensor *self, dt_dims dims, bool keepdim,
                                   dt_tensor *out);

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

/* ---- Optimizer ---------------------------------------------------------- */

/* Options of adam_step.  Begin with DT_ADAM_STEP_OPTIONS_INIT. */
typedef struct dt_adam_step_options {
    size_t size; /* sizeof(dt_adam_step_options) */
    double lr;
    double beta1;
    double beta2;
    double weight_decay;
    double eps;
    bool decoupled;
    bool maximize;
} dt_adam_step_options;

#define DT_ADAM_STEP_OPTIONS_INIT \
    {sizeof(dt_adam_step_options), 0.001, 0.9, 0.999, 0, 1e-08, false, false}

/*
 * Make step number `step` of Adam, or of AdamW if weight decay is `decoupled`;
 * of AMSGrad with the largest squares given.  A gradient that lies elsewhere is
 * redistributed first, and reduced if it is partial.
 *
 * Collective over the mesh of its tensors.  `max_exp_avg_sq` may be NULL.
 */
DT_API dt_status dt_adam_step(dt_tensor *self, dt_tensor *grad,
                              dt_tensor *exp_avg, dt_tensor *exp_avg_sq,
                              dt_tensor *max_exp_avg_sq, double step,
                              dt_tensor **self_out, dt_tensor **exp_avg_out,
                              dt_tensor **exp_avg_sq_out,
                              dt_tensor **max_exp_avg_sq_out);
DT_API dt_status dt_adam_step_with(dt_tensor *self, dt_tensor *grad,
                                   dt_tensor *exp_avg, dt_tensor *exp_avg_sq,
                                   dt_tensor *max_exp_avg_sq, double step,
                                   const dt_adam_step_options *options,
                                   dt_tensor **self_out,
                                   dt_tensor **exp_avg_out,
                                   dt_tensor **exp_avg_sq_out,
                                   dt_tensor **max_exp_avg_sq_out);
DT_API dt_status dt_adam_step_(dt_tensor *self, dt_tensor *grad,
                               dt_tensor *exp_avg, dt_tensor *exp_avg_sq,
                               dt_tensor *max_exp_avg_sq, double step);
DT_API dt_status dt_adam_step_with_(dt_tensor *self, dt_tensor *grad,
                                    dt_tensor *exp_avg, dt_tensor *exp_avg_sq,
                                    dt_tensor *max_exp_avg_sq, double step,
                                    const dt_adam_step_options *options);

/* Options of sgd_step.  Begin with DT_SGD_STEP_OPTIONS_INIT. */
typedef struct dt_sgd_step_options {
    size_t size; /* sizeof(dt_sgd_step_options) */
    double lr;
    double momentum;
    double dampening;
    double weight_decay;
    bool nesterov;
    bool maximize;
    bool is_first_step;
} dt_sgd_step_options;

#define DT_SGD_STEP_OPTIONS_INIT \
    {sizeof(dt_sgd_step_options), 0.001, 0, 0, 0, false, false, false}

/*
 * Make a step of gradient descent, with momentum if its buffer is given.  A
 * gradient that lies elsewhere is redistributed first, and reduced if it is
 * partial.
 *
 * Collective over the mesh of its tensors.  `momentum_buffer` may be NULL.
 */
DT_API dt_status dt_sgd_step(dt_tensor *self, dt_tensor *grad,
                             dt_tensor *momentum_buffer, dt_tensor **self_out,
                             dt_tensor **momentum_buffer_out);
DT_API dt_status dt_sgd_step_with(dt_tensor *self, dt_tensor *grad,
                                  dt_tensor *momentum_buffer,
                                  const dt_sgd_step_options *options,
                                  dt_tensor **self_out,
                                  dt_tensor **momentum_buffer_out);
DT_API dt_status dt_sgd_step_(dt_tensor *self, dt_tensor *grad,
                              dt_tensor *momentum_buffer);
DT_API dt_status dt_sgd_step_with_(dt_tensor *self, dt_tensor *grad,
                                   dt_tensor *momentum_buffer,
                                   const dt_sgd_step_options *options);

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

/* Options of native_dropout.  Begin with DT_NATIVE_DROPOUT_OPTIONS_INIT. */
typedef struct dt_native_dropout_options {
    size_t size; /* sizeof(dt_native_dropout_options) */
    dt_generator *generator;
} dt_native_dropout_options;

#define DT_NATIVE_DROPOUT_OPTIONS_INIT \
    {sizeof(dt_native_dropout_options), 0}

/*
 * Drop elements as dropout does, and tell which were kept.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_native_dropout(dt_tensor *input, double p, bool train,
                                   dt_tensor **output, dt_tensor **mask);
DT_API dt_status dt_native_dropout_with(dt_tensor *input, double p, bool train,
                                        const dt_native_dropout_options *options,
                                        dt_tensor **output, dt_tensor **mask);

/*
 * Multiply elements that were kept by `scale`, and others by 0.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_native_dropout_backward(dt_tensor *grad_output,
                                             dt_tensor *mask, double scale);
DT_API dt_tensor *dt_native_dropout_backward_out(dt_tensor *grad_output,
                                                 dt_tensor *mask, double scale,
                                                 dt_tensor *out);

/* Options of normal.  Begin with DT_NORMAL_OPTIONS_INIT. */
typedef struct dt_normal_options {
    size_t size; /* sizeof(dt_normal_options) */
    dt_generator *generator;
} dt_normal_options;

#define DT_NORMAL_OPTIONS_INIT \
    {sizeof(dt_normal_options), 0}

/*
 * Draw normal numbers, as many as `self` has elements.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_normal(dt_tensor *self, double mean, double std);
DT_API dt_tensor *dt_normal_with(dt_tensor *self, double mean, double std,
                                 const dt_normal_options *options);
DT_API dt_tensor *dt_normal_(dt_tensor *self, double mean, double std);
DT_API dt_tensor *dt_normal_with_(dt_tensor *self, double mean, double std,
                                  const dt_normal_options *options);

/* Options of uniform.  Begin with DT_UNIFORM_OPTIONS_INIT. */
typedef struct dt_uniform_options {
    size_t size; /* sizeof(dt_uniform_options) */
    dt_generator *generator;
} dt_uniform_options;

#define DT_UNIFORM_OPTIONS_INIT \
    {sizeof(dt_uniform_options), 0}

/*
 * Draw numbers between `from` and `to`, as many as `self` has elements.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_uniform(dt_tensor *self, double from, double to);
DT_API dt_tensor *dt_uniform_with(dt_tensor *self, double from, double to,
                                  const dt_uniform_options *options);
DT_API dt_tensor *dt_uniform_(dt_tensor *self, double from, double to);
DT_API dt_tensor *dt_uniform_with_(dt_tensor *self, double from, double to,
                                   const dt_uniform_options *options);

/* Options of bernoulli.  Begin with DT_BERNOULLI_OPTIONS_INIT. */
typedef struct dt_bernoulli_options {
    size_t size; /* sizeof(dt_bernoulli_options) */
    dt_generator *generator;
} dt_bernoulli_options;

#define DT_BERNOULLI_OPTIONS_INIT \
    {sizeof(dt_bernoulli_options), 0}

/*
 * Draw 1 with the probability that each element is, else 0.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_bernoulli(dt_tensor *self);
DT_API dt_tensor *dt_bernoulli_with(dt_tensor *self,
                                    const dt_bernoulli_options *options);
DT_API dt_tensor *dt_bernoulli_out(dt_tensor *self, dt_tensor *out);
DT_API dt_tensor *dt_bernoulli_with_out(dt_tensor *self,
                                        const dt_bernoulli_options *options,
                                        dt_tensor *out);

/* Options of bernoulli_tensor.  Begin with DT_BERNOULLI_TENSOR_OPTIONS_INIT. */
typedef struct dt_bernoulli_tensor_options {
    size_t size; /* sizeof(dt_bernoulli_tensor_options) */
    dt_generator *generator;
} dt_bernoulli_tensor_options;

#define DT_BERNOULLI_TENSOR_OPTIONS_INIT \
    {sizeof(dt_bernoulli_tensor_options), 0}

/*
 * Draw 1 with the probability that each element of `p` is, else 0, as many as
 * `self` has elements.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_bernoulli_tensor(dt_tensor *self, dt_tensor *p);
DT_API dt_tensor *dt_bernoulli_tensor_with(dt_tensor *self, dt_tensor *p,
                                           const dt_bernoulli_tensor_options *options);
DT_API dt_tensor *dt_bernoulli_tensor_(dt_tensor *self, dt_tensor *p);
DT_API dt_tensor *dt_bernoulli_tensor_with_(dt_tensor *self, dt_tensor *p,
                                            const dt_bernoulli_tensor_options *options);

/* Options of bernoulli_scalar.  Begin with DT_BERNOULLI_SCALAR_OPTIONS_INIT. */
typedef struct dt_bernoulli_scalar_options {
    size_t size; /* sizeof(dt_bernoulli_scalar_options) */
    dt_generator *generator;
} dt_bernoulli_scalar_options;

#define DT_BERNOULLI_SCALAR_OPTIONS_INIT \
    {sizeof(dt_bernoulli_scalar_options), 0}

/*
 * Draw 1 with probability `p`, else 0, as many as `self` has elements.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_bernoulli_scalar(dt_tensor *self, double p);
DT_API dt_tensor *dt_bernoulli_scalar_with(dt_tensor *self, double p,
                                           const dt_bernoulli_scalar_options *options);
DT_API dt_tensor *dt_bernoulli_scalar_(dt_tensor *self, double p);
DT_API dt_tensor *dt_bernoulli_scalar_with_(dt_tensor *self, double p,
                                            const dt_bernoulli_scalar_options *options);

/* Options of exponential.  Begin with DT_EXPONENTIAL_OPTIONS_INIT. */
typedef struct dt_exponential_options {
    size_t size; /* sizeof(dt_exponential_options) */
    dt_generator *generator;
} dt_exponential_options;

#define DT_EXPONENTIAL_OPTIONS_INIT \
    {sizeof(dt_exponential_options), 0}

/*
 * Draw exponentially distributed numbers of rate `lambd`, as many as `self` has
 * elements.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_exponential(dt_tensor *self, double lambd);
DT_API dt_tensor *dt_exponential_with(dt_tensor *self, double lambd,
                                      const dt_exponential_options *options);
DT_API dt_tensor *dt_exponential_(dt_tensor *self, double lambd);
DT_API dt_tensor *dt_exponential_with_(dt_tensor *self, double lambd,
                                       const dt_exponential_options *options);

/* Options of log_normal.  Begin with DT_LOG_NORMAL_OPTIONS_INIT. */
typedef struct dt_log_normal_options {
    size_t size; /* sizeof(dt_log_normal_options) */
    dt_generator *generator;
} dt_log_normal_options;

#define DT_LOG_NORMAL_OPTIONS_INIT \
    {sizeof(dt_log_normal_options), 0}

/*
 * Draw numbers whose logarithms are normal, of this mean and deviation, as many
 * as `self` has elements.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_log_normal(dt_tensor *self, double mean, double std);
DT_API dt_tensor *dt_log_normal_with(dt_tensor *self, double mean, double std,
                                     const dt_log_normal_options *options);
DT_API dt_tensor *dt_log_normal_(dt_tensor *self, double mean, double std);
DT_API dt_tensor *dt_log_normal_with_(dt_tensor *self, double mean, double std,
                                      const dt_log_normal_options *options);

/* Options of geometric.  Begin with DT_GEOMETRIC_OPTIONS_INIT. */
typedef struct dt_geometric_options {
    size_t size; /* sizeof(dt_geometric_options) */
    dt_generator *generator;
} dt_geometric_options;

#define DT_GEOMETRIC_OPTIONS_INIT \
    {sizeof(dt_geometric_options), 0}

/*
 * Draw numbers of trials up to the first success, from 1, as many as `self` has
 * elements.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_geometric(dt_tensor *self, double p);
DT_API dt_tensor *dt_geometric_with(dt_tensor *self, double p,
                                    const dt_geometric_options *options);
DT_API dt_tensor *dt_geometric_(dt_tensor *self, double p);
DT_API dt_tensor *dt_geometric_with_(dt_tensor *self, double p,
                                     const dt_geometric_options *options);

/* Options of cauchy.  Begin with DT_CAUCHY_OPTIONS_INIT. */
typedef struct dt_cauchy_options {
    size_t size; /* sizeof(dt_cauchy_options) */
    dt_generator *generator;
} dt_cauchy_options;

#define DT_CAUCHY_OPTIONS_INIT \
    {sizeof(dt_cauchy_options), 0}

/*
 * Draw numbers of a Cauchy distribution, as many as `self` has elements.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_cauchy(dt_tensor *self, double median, double sigma);
DT_API dt_tensor *dt_cauchy_with(dt_tensor *self, double median, double sigma,
                                 const dt_cauchy_options *options);
DT_API dt_tensor *dt_cauchy_(dt_tensor *self, double median, double sigma);
DT_API dt_tensor *dt_cauchy_with_(dt_tensor *self, double median, double sigma,
                                  const dt_cauchy_options *options);

/* Options of random.  Begin with DT_RANDOM_OPTIONS_INIT. */
typedef struct dt_random_options {
    size_t size; /* sizeof(dt_random_options) */
    dt_generator *generator;
} dt_random_options;

#define DT_RANDOM_OPTIONS_INIT \
    {sizeof(dt_random_options), 0}

/*
 * Draw integers from `from` to less than `to`, as many as `self` has elements.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_random(dt_tensor *self, int64_t from, int64_t to);
DT_API dt_tensor *dt_random_with(dt_tensor *self, int64_t from, int64_t to,
                                 const dt_random_options *options);
DT_API dt_tensor *dt_random_(dt_tensor *self, int64_t from, int64_t to);
DT_API dt_tensor *dt_random_with_(dt_tensor *self, int64_t from, int64_t to,
                                  const dt_random_options *options);

/* Options of trunc_normal.  Begin with DT_TRUNC_NORMAL_OPTIONS_INIT. */
typedef struct dt_trunc_normal_options {
    size_t size; /* sizeof(dt_trunc_normal_options) */
    dt_generator *generator;
} dt_trunc_normal_options;

#define DT_TRUNC_NORMAL_OPTIONS_INIT \
    {sizeof(dt_trunc_normal_options), 0}

/*
 * Draw normal numbers that lie between `a` and `b`, as many as `self` has
 * elements.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_trunc_normal(dt_tensor *self, double mean, double std,
                                  double a, double b);
DT_API dt_tensor *dt_trunc_normal_with(dt_tensor *self, double mean, double std,
                                       double a, double b,
                                       const dt_trunc_normal_options *options);
DT_API dt_tensor *dt_trunc_normal_(dt_tensor *self, double mean, double std,
                                   double a, double b);
DT_API dt_tensor *dt_trunc_normal_with_(dt_tensor *self, double mean,
                                        double std, double a, double b,
                                        const dt_trunc_normal_options *options);

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

/* Options of nansum.  Begin with DT_NANSUM_OPTIONS_INIT. */
typedef struct dt_nansum_options {
    size_t size; /* sizeof(dt_nansum_options) */
    const dt_dtype *dtype;
} dt_nansum_options;

#define DT_NANSUM_OPTIONS_INIT \
    {sizeof(dt_nansum_options), 0}

/*
 * Add up the elements of dimensions that are not NaN; integers and bool in i64.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_nansum(dt_tensor *self, dt_dims dims, bool keepdim);
DT_API dt_tensor *dt_nansum_with(dt_tensor *self, dt_dims dims, bool keepdim,
                                 const dt_nansum_options *options);
DT_API dt_tensor *dt_nansum_out(dt_tensor *self, dt_dims dims, bool keepdim,
                                dt_tensor *out);
DT_API dt_tensor *dt_nansum_with_out(dt_tensor *self, dt_dims dims,
                                     bool keepdim,
                                     const dt_nansum_options *options,
                                     dt_tensor *out);

/* Options of nanmean.  Begin with DT_NANMEAN_OPTIONS_INIT. */
typedef struct dt_nanmean_options {
    size_t size; /* sizeof(dt_nanmean_options) */
    const dt_dtype *dtype;
} dt_nanmean_options;

#define DT_NANMEAN_OPTIONS_INIT \
    {sizeof(dt_nanmean_options), 0}

/*
 * Give the mean of the elements of dimensions that are not NaN; NaN if all are.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_nanmean(dt_tensor *self, dt_dims dims, bool keepdim);
DT_API dt_tensor *dt_nanmean_with(dt_tensor *self, dt_dims dims, bool keepdim,
                                  const dt_nanmean_options *options);

/*
 * Count the elements of dimensions that are not 0, NaN among them.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_count_nonzero(dt_tensor *self, dt_dims dims);
DT_API dt_tensor *dt_count_nonzero_out(dt_tensor *self, dt_dims dims,
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
 * Give the least and the largest element of dimensions; NaN if there is one.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_aminmax(dt_tensor *self, dt_dims dims, bool keepdim,
                            dt_tensor **min, dt_tensor **max);

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

/*
 * Give the gradient of what a softmax took, from that of what it gave,
 * `output`.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_softmax_backward(dt_tensor *grad_output, dt_tensor *output,
                                      int dim, dt_dtype input_dtype);

/*
 * Give the gradient of what a logarithm of softmax took, from that of what it
 * gave, `output`.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_log_softmax_backward(dt_tensor *grad_output,
                                          dt_tensor *output, int dim,
                                          dt_dtype input_dtype);

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

/* ---- Total_norm --------------------------------------------------------- */

/* Options of foreach_norm.  Begin with DT_FOREACH_NORM_OPTIONS_INIT. */
typedef struct dt_foreach_norm_options {
    size_t size; /* sizeof(dt_foreach_norm_options) */
    const dt_dtype *dtype;
} dt_foreach_norm_options;

#define DT_FOREACH_NORM_OPTIONS_INIT \
    {sizeof(dt_foreach_norm_options), 0}

/*
 * Give the norm of every tensor of a list.  Those of one mesh are combined by
 * one small all-reduce.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_foreach_norm(dt_tensor *const *self, int self_count,
                                 double ord, dt_tensor **results, int room,
                                 int *count);
DT_API dt_status dt_foreach_norm_with(dt_tensor *const *self, int self_count,
                                      double ord,
                                      const dt_foreach_norm_options *options,
                                      dt_tensor **results, int room,
                                      int *count);

/* Options of get_total_norm.  Begin with DT_GET_TOTAL_NORM_OPTIONS_INIT. */
typedef struct dt_get_total_norm_options {
    size_t size; /* sizeof(dt_get_total_norm_options) */
    bool error_if_nonfinite;
} dt_get_total_norm_options;

#define DT_GET_TOTAL_NORM_OPTIONS_INIT \
    {sizeof(dt_get_total_norm_options), false}

/*
 * Give the norm of all elements of all tensors of a list, in f32, or f64 if one
 * of them is.  Tensors may lie on different meshes, if one has all ranks of the
 * others: the norm lies on it.  One small all-reduce is all that is sent.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_get_total_norm(dt_tensor *const *tensors,
                                    int tensors_count, double norm_type);
DT_API dt_tensor *dt_get_total_norm_with(dt_tensor *const *tensors,
                                         int tensors_count, double norm_type,
                                         const dt_get_total_norm_options *options);

/*
 * Multiply all tensors of a list by max_norm / total_norm, if that is less than
 * 1.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_clip_grads_with_norm_(dt_tensor *const *self,
                                          int self_count, double max_norm,
                                          dt_tensor *total_norm);

/* Options of clip_grad_norm.  Begin with DT_CLIP_GRAD_NORM_OPTIONS_INIT. */
typedef struct dt_clip_grad_norm_options {
    size_t size; /* sizeof(dt_clip_grad_norm_options) */
    bool error_if_nonfinite;
} dt_clip_grad_norm_options;

#define DT_CLIP_GRAD_NORM_OPTIONS_INIT \
    {sizeof(dt_clip_grad_norm_options), false}

/*
 * Multiply all tensors of a list by max_norm / total_norm, if that is less than
 * 1, and give the norm as get_total_norm does.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_clip_grad_norm_(dt_tensor *const *self, int self_count,
                                    double max_norm, double norm_type,
                                    dt_tensor **total_norm);
DT_API dt_status dt_clip_grad_norm_with_(dt_tensor *const *self, int self_count,
                                         double max_norm, double norm_type,
                                         const dt_clip_grad_norm_options *options,
                                         dt_tensor **total_norm);

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

/* ---- Variance ----------------------------------------------------------- */

/* Options of var.  Begin with DT_VAR_OPTIONS_INIT. */
typedef struct dt_var_options {
    size_t size; /* sizeof(dt_var_options) */
    double correction;
} dt_var_options;

#define DT_VAR_OPTIONS_INIT \
    {sizeof(dt_var_options), 1}

/*
 * Give the variance of the elements of dimensions: the sum of the squares of
 * what they differ from their mean, divided by their count less the correction.
 * Over shards, two numbers of each rank are exchanged in one call.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_var(dt_tensor *self, dt_dims dims, bool keepdim);
DT_API dt_tensor *dt_var_with(dt_tensor *self, dt_dims dims, bool keepdim,
                              const dt_var_options *options);
DT_API dt_tensor *dt_var_out(dt_tensor *self, dt_dims dims, bool keepdim,
                             dt_tensor *out);
DT_API dt_tensor *dt_var_with_out(dt_tensor *self, dt_dims dims, bool keepdim,
                                  const dt_var_options *options,
                                  dt_tensor *out);

/* Options of std.  Begin with DT_STD_OPTIONS_INIT. */
typedef struct dt_std_options {
    size_t size; /* sizeof(dt_std_options) */
    double correction;
} dt_std_options;

#define DT_STD_OPTIONS_INIT \
    {sizeof(dt_std_options), 1}

/*
 * Give the standard deviation of the elements of dimensions, the root of the
 * variance.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_std(dt_tensor *self, dt_dims dims, bool keepdim);
DT_API dt_tensor *dt_std_with(dt_tensor *self, dt_dims dims, bool keepdim,
                              const dt_std_options *options);
DT_API dt_tensor *dt_std_out(dt_tensor *self, dt_dims dims, bool keepdim,
                             dt_tensor *out);
DT_API dt_tensor *dt_std_with_out(dt_tensor *self, dt_dims dims, bool keepdim,
                                  const dt_std_options *options,
                                  dt_tensor *out);

/* Options of var_mean.  Begin with DT_VAR_MEAN_OPTIONS_INIT. */
typedef struct dt_var_mean_options {
    size_t size; /* sizeof(dt_var_mean_options) */
    double correction;
} dt_var_mean_options;

#define DT_VAR_MEAN_OPTIONS_INIT \
    {sizeof(dt_var_mean_options), 1}

/*
 * Give the variance of the elements of dimensions, and their mean.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_var_mean(dt_tensor *self, dt_dims dims, bool keepdim,
                             dt_tensor **var, dt_tensor **mean);
DT_API dt_status dt_var_mean_with(dt_tensor *self, dt_dims dims, bool keepdim,
                                  const dt_var_mean_options *options,
                                  dt_tensor **var, dt_tensor **mean);

/* Options of std_mean.  Begin with DT_STD_MEAN_OPTIONS_INIT. */
typedef struct dt_std_mean_options {
    size_t size; /* sizeof(dt_std_mean_options) */
    double correction;
} dt_std_mean_options;

#define DT_STD_MEAN_OPTIONS_INIT \
    {sizeof(dt_std_mean_options), 1}

/*
 * Give the standard deviation of the elements of dimensions, and their mean.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_status dt_std_mean(dt_tensor *self, dt_dims dims, bool keepdim,
                             dt_tensor **std, dt_tensor **mean);
DT_API dt_status dt_std_mean_with(dt_tensor *self, dt_dims dims, bool keepdim,
                                  const dt_std_mean_options *options,
                                  dt_tensor **std, dt_tensor **mean);

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
