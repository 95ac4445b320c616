/* dtensor/sys/ops_internal.h - operators; written by `make ops`. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_SYS_OPS_INTERNAL_H
#define DTENSOR_SYS_OPS_INTERNAL_H

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
 * Gradients, and parts of operators.
 *
 * dtensor/ops.h describes errors, results and variants.
 */
/* clang-format off */

/* ---- Sums, products, extremes and norms --------------------------------- */

/* Options of powsum.  Begin with DT_POWSUM_OPTIONS_INIT. */
typedef struct dt_powsum_options {
    size_t size; /* sizeof(dt_powsum_options) */
    const dt_dtype *dtype; /* dtype of the result; NULL: that of self */
} dt_powsum_options;

#define DT_POWSUM_OPTIONS_INIT \
    {sizeof(dt_powsum_options), 0}

/*
 * Sum of absolute values raised to a power; with power 0, the count of nonzero
 * elements.
 *
 * Collective over the mesh of its tensors.
 * - p: order of the norm
 * - dims: dimensions to reduce; empty: all
 * - keepdim: keep reduced dimensions, with extent 1
 */
DT_API dt_tensor *dt_powsum(dt_tensor *self, double p, dt_dims dims,
                            bool keepdim);
DT_API dt_tensor *dt_powsum_with(dt_tensor *self, double p, dt_dims dims,
                                 bool keepdim,
                                 const dt_powsum_options *options);

/*
 * Largest absolute value over dimensions; NaN if any element is NaN.
 *
 * Collective over the mesh of its tensors.
 * - dims: dimensions to reduce; empty: all
 * - keepdim: keep reduced dimensions, with extent 1
 */
DT_API dt_tensor *dt_amax_abs(dt_tensor *self, dt_dims dims, bool keepdim);

/*
 * Smallest absolute value over dimensions; NaN if any element is NaN.
 *
 * Collective over the mesh of its tensors.
 * - dims: dimensions to reduce; empty: all
 * - keepdim: keep reduced dimensions, with extent 1
 */
DT_API dt_tensor *dt_amin_abs(dt_tensor *self, dt_dims dims, bool keepdim);

/* ---- Contractions of two tensors ---------------------------------------- */

/*
 * Sum products of one or two tensors by an equation such as "bij,bjk->bik":
 * letters absent from the result are summed, letters repeated in a tensor
 * select a diagonal.
 *
 * Collective over the mesh of its tensors.  `b` may be NULL.
 * - a: lower end of the interval
 * - equation: subscripts, for example "bij,bjk->bik"
 */
DT_API dt_tensor *dt_contract(dt_tensor *a, dt_tensor *b,
                              const char *equation);

/* ---- Diagonals ---------------------------------------------------------- */

/*
 * Gradient of diagonal: a tensor of the given shape with the elements on the
 * diagonal and zeros elsewhere.
 *
 * Collective over the mesh of its tensors.
 * - input_sizes: shape of the input of the forward operator
 * - offset: number of the diagonal; 0: the main one, positive: above
 * - dim1: dimension of the rows of the diagonal
 * - dim2: dimension of the columns of the diagonal
 */
DT_API dt_tensor *dt_diagonal_backward(dt_tensor *grad_output,
                                       dt_shape input_sizes, int64_t offset,
                                       int dim1, int dim2);
DT_API dt_tensor *dt_diagonal_backward_out(dt_tensor *grad_output,
                                           dt_shape input_sizes, int64_t offset,
                                           int dim1, int dim2, dt_tensor *out);

/* ---- Slices ------------------------------------------------------------- */

/*
 * Gradient of slice: a tensor of the given shape with the elements in the slice
 * and zeros elsewhere.
 *
 * Collective over the mesh of its tensors.
 * - input_sizes: shape of the input of the forward operator
 * - dim: dimension; negative numbers count from the end
 * - start: first index; negative: from the end
 * - stop: index after the last one; negative: from the end
 * - step: distance from one to the next
 */
DT_API dt_tensor *dt_slice_backward(dt_tensor *grad_output,
                                    dt_shape input_sizes, int dim,
                                    int64_t start, int64_t stop, int64_t step);
DT_API dt_tensor *dt_slice_backward_out(dt_tensor *grad_output,
                                        dt_shape input_sizes, int dim,
                                        int64_t start, int64_t stop,
                                        int64_t step, dt_tensor *out);

/*
 * Gradient of select: a tensor of the given shape with the elements at the
 * index and zeros elsewhere.
 *
 * Collective over the mesh of its tensors.
 * - input_sizes: shape of the input of the forward operator
 * - dim: dimension; negative numbers count from the end
 * - index: index along the dimension; negative: from the end
 */
DT_API dt_tensor *dt_select_backward(dt_tensor *grad_output,
                                     dt_shape input_sizes, int dim,
                                     int64_t index);
DT_API dt_tensor *dt_select_backward_out(dt_tensor *grad_output,
                                         dt_shape input_sizes, int dim,
                                         int64_t index, dt_tensor *out);

/* ---- Sliding windows ---------------------------------------------------- */

/*
 * Gradient of unfold: sum windows at their positions in a tensor of the given
 * shape.
 *
 * Collective over the mesh of its tensors.
 * - input_sizes: shape of the input of the forward operator
 * - dim: dimension; negative numbers count from the end
 * - size: extent of a window
 * - step: distance from one to the next
 */
DT_API dt_tensor *dt_unfold_backward(dt_tensor *grad_in, dt_shape input_sizes,
                                     int dim, int64_t size, int64_t step);
DT_API dt_tensor *dt_unfold_backward_out(dt_tensor *grad_in,
                                         dt_shape input_sizes, int dim,
                                         int64_t size, int64_t step,
                                         dt_tensor *out);

/* ---- Writing where a mask is true --------------------------------------- */

/*
 * Gradient of masked_scatter for a source of this shape: the elements where the
 * mask is true, followed by zeros.
 *
 * Collective over the mesh of its tensors.
 * - sizes: shape of the result
 */
DT_API dt_tensor *dt_masked_scatter_backward(dt_tensor *grad_output,
                                             dt_tensor *mask, dt_shape sizes);

/* ---- Gradients of activations ------------------------------------------- */

/*
 * Gradient of sigmoid, from its result.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_sigmoid_backward(dt_tensor *grad_output,
                                      dt_tensor *output);
DT_API dt_tensor *dt_sigmoid_backward_out(dt_tensor *grad_output,
                                          dt_tensor *output, dt_tensor *out);

/*
 * Gradient of tanh, from its result.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_tanh_backward(dt_tensor *grad_output, dt_tensor *output);
DT_API dt_tensor *dt_tanh_backward_out(dt_tensor *grad_output,
                                       dt_tensor *output, dt_tensor *out);

/*
 * Gradient of silu.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_silu_backward(dt_tensor *grad_output, dt_tensor *self);
DT_API dt_tensor *dt_silu_backward_out(dt_tensor *grad_output, dt_tensor *self,
                                       dt_tensor *out);

/* Options of gelu_backward.  Begin with DT_GELU_BACKWARD_OPTIONS_INIT. */
typedef struct dt_gelu_backward_options {
    size_t size; /* sizeof(dt_gelu_backward_options) */
    /* how the normal distribution function is computed */
    dt_approximate approximate;
} dt_gelu_backward_options;

#define DT_GELU_BACKWARD_OPTIONS_INIT \
    {sizeof(dt_gelu_backward_options), DT_APPROXIMATE_NONE}

/*
 * Gradient of gelu.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_gelu_backward(dt_tensor *grad_output, dt_tensor *self);
DT_API dt_tensor *dt_gelu_backward_with(dt_tensor *grad_output, dt_tensor *self,
                                        const dt_gelu_backward_options *options);
DT_API dt_tensor *dt_gelu_backward_out(dt_tensor *grad_output, dt_tensor *self,
                                       dt_tensor *out);
DT_API dt_tensor *dt_gelu_backward_with_out(dt_tensor *grad_output,
                                            dt_tensor *self,
                                            const dt_gelu_backward_options *options,
                                            dt_tensor *out);

/*
 * Gradient of mish.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_mish_backward(dt_tensor *grad_output, dt_tensor *self);

/*
 * Gradient of hardswish.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_hardswish_backward(dt_tensor *grad_output,
                                        dt_tensor *self);

/*
 * Gradient of hardsigmoid.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_hardsigmoid_backward(dt_tensor *grad_output,
                                          dt_tensor *self);
DT_API dt_tensor *dt_hardsigmoid_backward_out(dt_tensor *grad_output,
                                              dt_tensor *self, dt_tensor *out);

/*
 * Gradient of log_sigmoid.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_log_sigmoid_backward(dt_tensor *grad_output,
                                          dt_tensor *self);

/*
 * Gradient of threshold, and of relu with threshold 0: 0 where self does not
 * exceed the threshold.
 *
 * Collective over the mesh of its tensors.
 * - threshold: largest element that is replaced
 */
DT_API dt_tensor *dt_threshold_backward(dt_tensor *grad_output, dt_tensor *self,
                                        dt_number threshold);
DT_API dt_tensor *dt_threshold_backward_out(dt_tensor *grad_output,
                                            dt_tensor *self,
                                            dt_number threshold,
                                            dt_tensor *out);

/*
 * Gradient of leaky_relu, from its input or its result.
 *
 * Collective over the mesh of its tensors.
 * - negative_slope: multiplier of negative elements
 * - self_is_result: self is the result of the forward operator
 */
DT_API dt_tensor *dt_leaky_relu_backward(dt_tensor *grad_output,
                                         dt_tensor *self, double negative_slope,
                                         bool self_is_result);
DT_API dt_tensor *dt_leaky_relu_backward_out(dt_tensor *grad_output,
                                             dt_tensor *self,
                                             double negative_slope,
                                             bool self_is_result,
                                             dt_tensor *out);

/*
 * Gradient of elu, from its input or its result.
 *
 * Collective over the mesh of its tensors.
 * - alpha: factor of the exponential part, for negative elements
 * - scale: multiplier of the result of elu
 * - input_scale: factor of x inside the exponential
 * - is_result: self_or_result is the result of the forward operator
 */
DT_API dt_tensor *dt_elu_backward(dt_tensor *grad_output, double alpha,
                                  double scale, double input_scale,
                                  bool is_result, dt_tensor *self_or_result);
DT_API dt_tensor *dt_elu_backward_out(dt_tensor *grad_output, double alpha,
                                      double scale, double input_scale,
                                      bool is_result, dt_tensor *self_or_result,
                                      dt_tensor *out);

/*
 * Gradient of softplus.
 *
 * Collective over the mesh of its tensors.
 * - beta: multiplier of x
 * - threshold: value of beta x above which the result is x
 */
DT_API dt_tensor *dt_softplus_backward(dt_tensor *grad_output, dt_tensor *self,
                                       double beta, double threshold);
DT_API dt_tensor *dt_softplus_backward_out(dt_tensor *grad_output,
                                           dt_tensor *self, double beta,
                                           double threshold, dt_tensor *out);

/*
 * Gradient of hardtanh: 0 where self is outside the bounds.
 *
 * Collective over the mesh of its tensors.
 * - min_val: lower bound
 * - max_val: upper bound
 */
DT_API dt_tensor *dt_hardtanh_backward(dt_tensor *grad_output, dt_tensor *self,
                                       dt_number min_val, dt_number max_val);
DT_API dt_tensor *dt_hardtanh_backward_out(dt_tensor *grad_output,
                                           dt_tensor *self, dt_number min_val,
                                           dt_number max_val, dt_tensor *out);

/*
 * Gradient of hardshrink.
 *
 * Collective over the mesh of its tensors.
 * - lambd: half the width of the interval that is set to 0
 */
DT_API dt_tensor *dt_hardshrink_backward(dt_tensor *grad_output,
                                         dt_tensor *self, double lambd);

/*
 * Gradient of softshrink.
 *
 * Collective over the mesh of its tensors.
 * - lambd: half the width of the interval that is set to 0
 */
DT_API dt_tensor *dt_softshrink_backward(dt_tensor *grad_output,
                                         dt_tensor *self, double lambd);
DT_API dt_tensor *dt_softshrink_backward_out(dt_tensor *grad_output,
                                             dt_tensor *self, double lambd,
                                             dt_tensor *out);

/* Options of logit_backward.  Begin with DT_LOGIT_BACKWARD_OPTIONS_INIT. */
typedef struct dt_logit_backward_options {
    size_t size; /* sizeof(dt_logit_backward_options) */
    double eps; /* least distance of elements from 0 and 1, negative for none */
} dt_logit_backward_options;

#define DT_LOGIT_BACKWARD_OPTIONS_INIT \
    {sizeof(dt_logit_backward_options), -1}

/*
 * Gradient of logit.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_logit_backward(dt_tensor *grad_output, dt_tensor *self);
DT_API dt_tensor *dt_logit_backward_with(dt_tensor *grad_output,
                                         dt_tensor *self,
                                         const dt_logit_backward_options *options);
DT_API dt_tensor *dt_logit_backward_out(dt_tensor *grad_output, dt_tensor *self,
                                        dt_tensor *out);
DT_API dt_tensor *dt_logit_backward_with_out(dt_tensor *grad_output,
                                             dt_tensor *self,
                                             const dt_logit_backward_options *options,
                                             dt_tensor *out);

/* ---- Gated linear units ------------------------------------------------- */

/*
 * Gradient of glu.
 *
 * Collective over the mesh of its tensors.
 * - dim: dimension to split into two halves
 */
DT_API dt_tensor *dt_glu_backward(dt_tensor *grad_output, dt_tensor *self,
                                  int dim);
DT_API dt_tensor *dt_glu_backward_out(dt_tensor *grad_output, dt_tensor *self,
                                      int dim, dt_tensor *out);

/* ---- Softmax ------------------------------------------------------------ */

/*
 * Gradient of softmax with respect to its input, from grad_output and the
 * forward output.
 *
 * Collective over the mesh of its tensors.
 * - dim: dimension; negative numbers count from the end
 * - input_dtype: dtype of the input of the forward operator
 */
DT_API dt_tensor *dt_softmax_backward(dt_tensor *grad_output, dt_tensor *output,
                                      int dim, dt_dtype input_dtype);

/*
 * Gradient of log_softmax with respect to its input, from grad_output and the
 * forward output.
 *
 * Collective over the mesh of its tensors.
 * - dim: dimension; negative numbers count from the end
 * - input_dtype: dtype of the input of the forward operator
 */
DT_API dt_tensor *dt_log_softmax_backward(dt_tensor *grad_output,
                                          dt_tensor *output, int dim,
                                          dt_dtype input_dtype);

/* ---- Gradients of layer norm and RMS norm ------------------------------- */

/*
 * Gradients of layer_norm with respect to its inputs.  Results whose element of
 * output_mask is 0 are empty and not computed.
 *
 * Collective over the mesh of its tensors.  `weight` may be NULL.  `bias` may
 * be NULL.
 * - normalized_shape: extents of the last dimensions, which are normalised
 *   together
 * - rstd: reciprocal of the standard deviation
 * - output_mask: for each result, 0 if it is not wanted
 */
DT_API DT_MUST_USE dt_status dt_layer_norm_backward(dt_tensor *grad_out,
                                                    dt_tensor *input,
                                                    dt_shape normalized_shape,
                                                    dt_tensor *mean,
                                                    dt_tensor *rstd,
                                                    dt_tensor *weight,
                                                    dt_tensor *bias,
                                                    const int64_t *output_mask,
                                                    int output_mask_count,
                                                    dt_tensor **grad_input,
                                                    dt_tensor **grad_weight,
                                                    dt_tensor **grad_bias);

/*
 * Gradients of rms_norm with respect to its inputs.  Results whose element of
 * output_mask is 0 are empty and not computed.
 *
 * Collective over the mesh of its tensors.  `weight` may be NULL.
 * - normalized_shape: extents of the last dimensions, which are normalised
 *   together
 * - rstd: reciprocal of the standard deviation
 * - output_mask: for each result, 0 if it is not wanted
 */
DT_API DT_MUST_USE dt_status dt_rms_norm_backward(dt_tensor *grad_out,
                                                  dt_tensor *input,
                                                  dt_shape normalized_shape,
                                                  dt_tensor *rstd,
                                                  dt_tensor *weight,
                                                  const int64_t *output_mask,
                                                  int output_mask_count,
                                                  dt_tensor **grad_input,
                                                  dt_tensor **grad_weight);

/* ---- Group norm --------------------------------------------------------- */

/*
 * Gradients of group_norm with respect to its inputs.  Results whose element of
 * output_mask is 0 are empty and not computed.
 *
 * Collective over the mesh of its tensors.  `weight` may be NULL.
 * - rstd: reciprocal of the standard deviation
 * - n: batch size
 * - c: number of channels
 * - hxw: product of the extents after batch and channels
 * - group: number of groups of channels
 * - output_mask: for each result, 0 if it is not wanted
 */
DT_API DT_MUST_USE dt_status dt_group_norm_backward(dt_tensor *grad_out,
                                                    dt_tensor *input,
                                                    dt_tensor *mean,
                                                    dt_tensor *rstd,
                                                    dt_tensor *weight,
                                                    int64_t n, int64_t c,
                                                    int64_t hxw, int64_t group,
                                                    const int64_t *output_mask,
                                                    int output_mask_count,
                                                    dt_tensor **grad_input,
                                                    dt_tensor **grad_weight,
                                                    dt_tensor **grad_bias);

/* ---- Attention ---------------------------------------------------------- */

/* Options of scaled_dot_product_attention_forward.  Begin with DT_SCALED_DOT_PRODUCT_ATTENTION_FORWARD_OPTIONS_INIT. */
typedef struct dt_scaled_dot_product_attention_forward_options {
    size_t size; /* sizeof(dt_scaled_dot_product_attention_forward_options) */
    /* bool: true where a key takes part; other dtypes are added to the scores;
     * NULL: no mask */
    dt_tensor *attn_mask;
    double dropout_p; /* probability that a weight is dropped */
    bool is_causal; /* a query attends to keys up to its own position only */
    double scale; /* factor of the scores; infinity: 1 / sqrt(head width) */
    /* each head of keys and values serves a group of query heads */
    bool enable_gqa;
    /* random number generator; NULL: that of the mesh */
    dt_generator *generator;
} dt_scaled_dot_product_attention_forward_options;

#define DT_SCALED_DOT_PRODUCT_ATTENTION_FORWARD_OPTIONS_INIT \
    {sizeof(dt_scaled_dot_product_attention_forward_options), 0, 0, false, \
     HUGE_VAL, false, 0}

/*
 * Attention with the additional results that its backward operator needs: the
 * log-sum-exp of each query, and the random key of dropout.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_scaled_dot_product_attention_forward(dt_tensor *query,
                                                                     dt_tensor *key,
                                                                     dt_tensor *value,
                                                                     dt_tensor **output,
                                                                     dt_tensor **logsumexp,
                                                                     dt_tensor **dropout_key);
DT_API DT_MUST_USE dt_status dt_scaled_dot_product_attention_forward_with(dt_tensor *query,
                                                                          dt_tensor *key,
                                                                          dt_tensor *value,
                                                                          const dt_scaled_dot_product_attention_forward_options *options,
                                                                          dt_tensor **output,
                                                                          dt_tensor **logsumexp,
                                                                          dt_tensor **dropout_key);

/* ---- Gradients of attention --------------------------------------------- */

/* Options of scaled_dot_product_attention_backward.  Begin with DT_SCALED_DOT_PRODUCT_ATTENTION_BACKWARD_OPTIONS_INIT. */
typedef struct dt_scaled_dot_product_attention_backward_options {
    size_t size; /* sizeof(dt_scaled_dot_product_attention_backward_options) */
    /* bool: true where a key takes part; other dtypes are added to the scores;
     * NULL: no mask */
    dt_tensor *attn_mask;
    double dropout_p; /* probability that a weight is dropped */
    bool is_causal; /* a query attends to keys up to its own position only */
    double scale; /* factor of the scores; infinity: 1 / sqrt(head width) */
    /* each head of keys and values serves a group of query heads */
    bool enable_gqa;
} dt_scaled_dot_product_attention_backward_options;

#define DT_SCALED_DOT_PRODUCT_ATTENTION_BACKWARD_OPTIONS_INIT \
    {sizeof(dt_scaled_dot_product_attention_backward_options), 0, 0, false, \
     HUGE_VAL, false}

/*
 * Gradients of attention, from grad_output and the results of the forward
 * operator.
 *
 * Collective over the mesh of its tensors.  `dropout_key` may be NULL.
 * - dropout_key: random key from the forward operator
 */
DT_API DT_MUST_USE dt_status dt_scaled_dot_product_attention_backward(dt_tensor *grad_out,
                                                                      dt_tensor *query,
                                                                      dt_tensor *key,
                                                                      dt_tensor *value,
                                                                      dt_tensor *out,
                                                                      dt_tensor *logsumexp,
                                                                      dt_tensor *dropout_key,
                                                                      dt_tensor **grad_query,
                                                                      dt_tensor **grad_key,
                                                                      dt_tensor **grad_value);
DT_API DT_MUST_USE dt_status dt_scaled_dot_product_attention_backward_with(dt_tensor *grad_out,
                                                                           dt_tensor *query,
                                                                           dt_tensor *key,
                                                                           dt_tensor *value,
                                                                           dt_tensor *out,
                                                                           dt_tensor *logsumexp,
                                                                           dt_tensor *dropout_key,
                                                                           const dt_scaled_dot_product_attention_backward_options *options,
                                                                           dt_tensor **grad_query,
                                                                           dt_tensor **grad_key,
                                                                           dt_tensor **grad_value);

/* Options of scaled_dot_product_attention_mask_backward.  Begin with DT_SCALED_DOT_PRODUCT_ATTENTION_MASK_BACKWARD_OPTIONS_INIT. */
typedef struct dt_scaled_dot_product_attention_mask_backward_options {
    size_t size; /* sizeof(dt_scaled_dot_product_attention_mask_backward_options) */
    /* bool: true where a key takes part; other dtypes are added to the scores;
     * NULL: no mask */
    dt_tensor *attn_mask;
    double dropout_p; /* probability that a weight is dropped */
    bool is_causal; /* a query attends to keys up to its own position only */
    double scale; /* factor of the scores; infinity: 1 / sqrt(head width) */
    /* each head of keys and values serves a group of query heads */
    bool enable_gqa;
} dt_scaled_dot_product_attention_mask_backward_options;

#define DT_SCALED_DOT_PRODUCT_ATTENTION_MASK_BACKWARD_OPTIONS_INIT \
    {sizeof(dt_scaled_dot_product_attention_mask_backward_options), 0, 0, \
     false, HUGE_VAL, false}

/*
 * Gradient of a floating-point attention mask, summed over dimensions in which
 * it is broadcast.
 *
 * Collective over the mesh of its tensors.  `dropout_key` may be NULL.
 * - dropout_key: random key from the forward operator
 */
DT_API dt_tensor *dt_scaled_dot_product_attention_mask_backward(dt_tensor *grad_out,
                                                                dt_tensor *query,
                                                                dt_tensor *key,
                                                                dt_tensor *value,
                                                                dt_tensor *output,
                                                                dt_tensor *logsumexp,
                                                                dt_tensor *dropout_key);
DT_API dt_tensor *dt_scaled_dot_product_attention_mask_backward_with(dt_tensor *grad_out,
                                                                     dt_tensor *query,
                                                                     dt_tensor *key,
                                                                     dt_tensor *value,
                                                                     dt_tensor *output,
                                                                     dt_tensor *logsumexp,
                                                                     dt_tensor *dropout_key,
                                                                     const dt_scaled_dot_product_attention_mask_backward_options *options);

/* ---- Embeddings --------------------------------------------------------- */

/*
 * Gradient of embedding with respect to its weight: the sum, or the mean if
 * scale_grad_by_freq, of the gradients of each row; zero for the row
 * padding_idx.
 *
 * Collective over the mesh of its tensors.
 * - num_weights: rows of the table
 * - padding_idx: row whose gradient is 0; -1: no row
 * - scale_grad_by_freq: divide the gradient of a row by its frequency
 */
DT_API dt_tensor *dt_embedding_dense_backward(dt_tensor *grad_output,
                                              dt_tensor *indices,
                                              int64_t num_weights,
                                              int64_t padding_idx,
                                              bool scale_grad_by_freq);

/* ---- Cross-entropy ------------------------------------------------------ */

/* Options of cross_entropy_forward.  Begin with DT_CROSS_ENTROPY_FORWARD_OPTIONS_INIT. */
typedef struct dt_cross_entropy_forward_options {
    size_t size; /* sizeof(dt_cross_entropy_forward_options) */
    /* whether losses are returned, averaged or summed */
    dt_reduction reduction;
    int64_t ignore_index; /* class whose items are ignored */
    /* part of the target that is spread over all classes */
    double label_smoothing;
} dt_cross_entropy_forward_options;

#define DT_CROSS_ENTROPY_FORWARD_OPTIONS_INIT \
    {sizeof(dt_cross_entropy_forward_options), DT_REDUCTION_MEAN, -100, 0}

/*
 * Cross-entropy of logits and a class for each item, and the results that
 * cross_entropy_backward needs.  Logits may be sharded along the classes, with
 * three small all-reduces.
 *
 * Collective over the mesh of its tensors.  `weight` may be NULL.
 */
DT_API DT_MUST_USE dt_status dt_cross_entropy_forward(dt_tensor *self,
                                                      dt_tensor *target,
                                                      dt_tensor *weight,
                                                      dt_tensor **output,
                                                      dt_tensor **logsumexp,
                                                      dt_tensor **total_weight);
DT_API DT_MUST_USE dt_status dt_cross_entropy_forward_with(dt_tensor *self,
                                                           dt_tensor *target,
                                                           dt_tensor *weight,
                                                           const dt_cross_entropy_forward_options *options,
                                                           dt_tensor **output,
                                                           dt_tensor **logsumexp,
                                                           dt_tensor **total_weight);

/* Options of cross_entropy_backward.  Begin with DT_CROSS_ENTROPY_BACKWARD_OPTIONS_INIT. */
typedef struct dt_cross_entropy_backward_options {
    size_t size; /* sizeof(dt_cross_entropy_backward_options) */
    /* whether losses are returned, averaged or summed */
    dt_reduction reduction;
    int64_t ignore_index; /* class whose items are ignored */
    /* part of the target that is spread over all classes */
    double label_smoothing;
} dt_cross_entropy_backward_options;

#define DT_CROSS_ENTROPY_BACKWARD_OPTIONS_INIT \
    {sizeof(dt_cross_entropy_backward_options), DT_REDUCTION_MEAN, -100, 0}

/*
 * Gradient of cross_entropy_forward with respect to the logits.  Nothing is
 * sent, whatever their layout.
 *
 * Collective over the mesh of its tensors.  `weight` may be NULL.
 * - total_weight: sum of the weights of all items
 */
DT_API dt_tensor *dt_cross_entropy_backward(dt_tensor *grad_output,
                                            dt_tensor *self, dt_tensor *target,
                                            dt_tensor *weight,
                                            dt_tensor *logsumexp,
                                            dt_tensor *total_weight);
DT_API dt_tensor *dt_cross_entropy_backward_with(dt_tensor *grad_output,
                                                 dt_tensor *self,
                                                 dt_tensor *target,
                                                 dt_tensor *weight,
                                                 dt_tensor *logsumexp,
                                                 dt_tensor *total_weight,
                                                 const dt_cross_entropy_backward_options *options);

/* ---- Negative log-likelihood -------------------------------------------- */

/*
 * Gradient of nll_loss with respect to self.
 *
 * Collective over the mesh of its tensors.  `weight` may be NULL.
 * - reduction: whether losses are returned, averaged or summed
 * - ignore_index: class whose items are ignored
 * - total_weight: sum of the weights of all items
 */
DT_API dt_tensor *dt_nll_loss_backward(dt_tensor *grad_output, dt_tensor *self,
                                       dt_tensor *target, dt_tensor *weight,
                                       dt_reduction reduction,
                                       int64_t ignore_index,
                                       dt_tensor *total_weight);

/* ---- Losses of single elements ------------------------------------------ */

/*
 * Gradient of mse_loss with respect to self, in the shape to which self and
 * target are broadcast.
 *
 * Collective over the mesh of its tensors.
 * - reduction: whether losses are returned, averaged or summed
 */
DT_API dt_tensor *dt_mse_loss_backward(dt_tensor *grad_output, dt_tensor *self,
                                       dt_tensor *target,
                                       dt_reduction reduction);

/*
 * Gradient of l1_loss with respect to self.
 *
 * Collective over the mesh of its tensors.
 * - reduction: whether losses are returned, averaged or summed
 */
DT_API dt_tensor *dt_l1_loss_backward(dt_tensor *grad_output, dt_tensor *self,
                                      dt_tensor *target,
                                      dt_reduction reduction);

/*
 * Gradient of smooth_l1_loss with respect to self.
 *
 * Collective over the mesh of its tensors.
 * - reduction: whether losses are returned, averaged or summed
 * - beta: difference below which the loss is quadratic
 */
DT_API dt_tensor *dt_smooth_l1_loss_backward(dt_tensor *grad_output,
                                             dt_tensor *self, dt_tensor *target,
                                             dt_reduction reduction,
                                             double beta);

/*
 * Gradient of huber_loss with respect to self.
 *
 * Collective over the mesh of its tensors.
 * - reduction: whether losses are returned, averaged or summed
 * - delta: difference above which the loss is linear
 */
DT_API dt_tensor *dt_huber_loss_backward(dt_tensor *grad_output,
                                         dt_tensor *self, dt_tensor *target,
                                         dt_reduction reduction, double delta);

/* Options of binary_cross_entropy_backward.  Begin with DT_BINARY_CROSS_ENTROPY_BACKWARD_OPTIONS_INIT. */
typedef struct dt_binary_cross_entropy_backward_options {
    size_t size; /* sizeof(dt_binary_cross_entropy_backward_options) */
    /* whether losses are returned, averaged or summed */
    dt_reduction reduction;
} dt_binary_cross_entropy_backward_options;

#define DT_BINARY_CROSS_ENTROPY_BACKWARD_OPTIONS_INIT \
    {sizeof(dt_binary_cross_entropy_backward_options), DT_REDUCTION_MEAN}

/*
 * Gradient of binary_cross_entropy with respect to self.
 *
 * Collective over the mesh of its tensors.  `weight` may be NULL.
 */
DT_API dt_tensor *dt_binary_cross_entropy_backward(dt_tensor *grad_output,
                                                   dt_tensor *self,
                                                   dt_tensor *target,
                                                   dt_tensor *weight);
DT_API dt_tensor *dt_binary_cross_entropy_backward_with(dt_tensor *grad_output,
                                                        dt_tensor *self,
                                                        dt_tensor *target,
                                                        dt_tensor *weight,
                                                        const dt_binary_cross_entropy_backward_options *options);

/* Options of binary_cross_entropy_logits_backward.  Begin with DT_BINARY_CROSS_ENTROPY_LOGITS_BACKWARD_OPTIONS_INIT. */
typedef struct dt_binary_cross_entropy_logits_backward_options {
    size_t size; /* sizeof(dt_binary_cross_entropy_logits_backward_options) */
    /* whether losses are returned, averaged or summed */
    dt_reduction reduction;
} dt_binary_cross_entropy_logits_backward_options;

#define DT_BINARY_CROSS_ENTROPY_LOGITS_BACKWARD_OPTIONS_INIT \
    {sizeof(dt_binary_cross_entropy_logits_backward_options), \
     DT_REDUCTION_MEAN}

/*
 * Gradient of binary_cross_entropy_with_logits with respect to self.
 *
 * Collective over the mesh of its tensors.  `weight` may be NULL.  `pos_weight`
 * may be NULL.
 * - pos_weight: weight of positive targets
 */
DT_API dt_tensor *dt_binary_cross_entropy_logits_backward(dt_tensor *grad_output,
                                                          dt_tensor *self,
                                                          dt_tensor *target,
                                                          dt_tensor *weight,
                                                          dt_tensor *pos_weight);
DT_API dt_tensor *dt_binary_cross_entropy_logits_backward_with(dt_tensor *grad_output,
                                                               dt_tensor *self,
                                                               dt_tensor *target,
                                                               dt_tensor *weight,
                                                               dt_tensor *pos_weight,
                                                               const dt_binary_cross_entropy_logits_backward_options *options);

/* Options of kl_div_backward.  Begin with DT_KL_DIV_BACKWARD_OPTIONS_INIT. */
typedef struct dt_kl_div_backward_options {
    size_t size; /* sizeof(dt_kl_div_backward_options) */
    /* whether losses are returned, averaged or summed */
    dt_reduction reduction;
    bool log_target; /* target contains log-probabilities */
} dt_kl_div_backward_options;

#define DT_KL_DIV_BACKWARD_OPTIONS_INIT \
    {sizeof(dt_kl_div_backward_options), DT_REDUCTION_MEAN, false}

/*
 * Gradient of kl_div with respect to self.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_kl_div_backward(dt_tensor *grad_output, dt_tensor *self,
                                     dt_tensor *target);
DT_API dt_tensor *dt_kl_div_backward_with(dt_tensor *grad_output,
                                          dt_tensor *self, dt_tensor *target,
                                          const dt_kl_div_backward_options *options);

/* ---- Dropout and random numbers ----------------------------------------- */

/* Options of native_dropout.  Begin with DT_NATIVE_DROPOUT_OPTIONS_INIT. */
typedef struct dt_native_dropout_options {
    size_t size; /* sizeof(dt_native_dropout_options) */
    /* random number generator; NULL: that of the mesh */
    dt_generator *generator;
} dt_native_dropout_options;

#define DT_NATIVE_DROPOUT_OPTIONS_INIT \
    {sizeof(dt_native_dropout_options), 0}

/*
 * Like dropout; also returns the mask of the elements that were kept.
 *
 * Collective over the mesh of its tensors.
 * - p: probability that an element is set to 0
 * - train: drop elements; otherwise return them unchanged
 */
DT_API DT_MUST_USE dt_status dt_native_dropout(dt_tensor *input, double p,
                                               bool train, dt_tensor **output,
                                               dt_tensor **mask);
DT_API DT_MUST_USE dt_status dt_native_dropout_with(dt_tensor *input, double p,
                                                    bool train,
                                                    const dt_native_dropout_options *options,
                                                    dt_tensor **output,
                                                    dt_tensor **mask);

/*
 * Gradient of native_dropout: grad_output * mask * scale.
 *
 * Collective over the mesh of its tensors.
 * - scale: multiplier of the elements that were kept
 */
DT_API dt_tensor *dt_native_dropout_backward(dt_tensor *grad_output,
                                             dt_tensor *mask, double scale);
DT_API dt_tensor *dt_native_dropout_backward_out(dt_tensor *grad_output,
                                                 dt_tensor *mask, double scale,
                                                 dt_tensor *out);

/* ---- Shapes of gradients ------------------------------------------------ */

/*
 * Sum over broadcast dimensions to a shape: the gradient of an expanded tensor.
 *
 * Collective over the mesh of its tensors.
 * - size: shape of the result
 */
DT_API dt_tensor *dt_sum_to_size(dt_tensor *self, dt_shape size);

/*
 * Expand the result of a reduction along dimensions to the shape that was
 * reduced: the gradient of a sum.
 *
 * Collective over the mesh of its tensors.
 * - size: shape of the result
 * - dims: dimensions to reduce; empty: all
 * - keepdim: keep reduced dimensions, with extent 1
 */
DT_API dt_tensor *dt_expand_reduced(dt_tensor *self, dt_shape size,
                                    dt_dims dims, bool keepdim);

/*
 * Gradient of max_dim, median_dim, mode and similar: a tensor of the given
 * shape with elements at the selected indexes along a dimension and zeros
 * elsewhere.
 *
 * Collective over the mesh of its tensors.
 * - dim: dimension; negative numbers count from the end
 * - sizes: shape of the result
 * - keepdim: keep reduced dimensions, with extent 1
 */
DT_API dt_tensor *dt_value_selecting_reduction_backward(dt_tensor *grad,
                                                        int dim,
                                                        dt_tensor *indices,
                                                        dt_shape sizes,
                                                        bool keepdim);

/* clang-format on */

DT_EXTERN_C_END

#endif
