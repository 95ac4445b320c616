/* dtensor/ops/nn.h - operators; written by `make ops`. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_OPS_NN_H
#define DTENSOR_OPS_NN_H

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
 * Layers of neural networks.
 *
 * dtensor/ops.h describes errors, results and variants.
 */
/* clang-format off */

/* ---- Activations -------------------------------------------------------- */

/*
 * max(x, 0).
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_relu(dt_tensor *self);
DT_API dt_tensor *dt_relu_(dt_tensor *self);
DT_API dt_tensor *dt_relu_out(dt_tensor *self, dt_tensor *out);

/*
 * min(max(x, 0), 6).
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_relu6(dt_tensor *self);
DT_API dt_tensor *dt_relu6_(dt_tensor *self);

/* Options of hardtanh.  Begin with DT_HARDTANH_OPTIONS_INIT. */
typedef struct dt_hardtanh_options {
    size_t size; /* sizeof(dt_hardtanh_options) */
    dt_number min_val; /* lower bound */
    dt_number max_val; /* upper bound */
} dt_hardtanh_options;

#define DT_HARDTANH_OPTIONS_INIT \
    {sizeof(dt_hardtanh_options), {DT_KIND_SIGNED, {-1}, 0}, \
     {DT_KIND_SIGNED, {1}, 0}}

/*
 * min(max(x, min_val), max_val).
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_hardtanh(dt_tensor *self);
DT_API dt_tensor *dt_hardtanh_with(dt_tensor *self,
                                   const dt_hardtanh_options *options);
DT_API dt_tensor *dt_hardtanh_(dt_tensor *self);
DT_API dt_tensor *dt_hardtanh_with_(dt_tensor *self,
                                    const dt_hardtanh_options *options);
DT_API dt_tensor *dt_hardtanh_out(dt_tensor *self, dt_tensor *out);
DT_API dt_tensor *dt_hardtanh_with_out(dt_tensor *self,
                                       const dt_hardtanh_options *options,
                                       dt_tensor *out);

/*
 * x if x > threshold, else value.
 *
 * Collective over the mesh of its tensors.
 * - threshold: largest element that is replaced
 * - value: replaces elements up to the threshold
 */
DT_API dt_tensor *dt_threshold(dt_tensor *self, dt_number threshold,
                               dt_number value);
DT_API dt_tensor *dt_threshold_(dt_tensor *self, dt_number threshold,
                                dt_number value);
DT_API dt_tensor *dt_threshold_out(dt_tensor *self, dt_number threshold,
                                   dt_number value, dt_tensor *out);

/*
 * 1 / (1 + exp(-x)).
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_sigmoid(dt_tensor *self);
DT_API dt_tensor *dt_sigmoid_(dt_tensor *self);
DT_API dt_tensor *dt_sigmoid_out(dt_tensor *self, dt_tensor *out);

/*
 * log(1 / (1 + exp(-x))).
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_log_sigmoid(dt_tensor *self);
DT_API dt_tensor *dt_log_sigmoid_out(dt_tensor *self, dt_tensor *out);

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
    /* how the normal distribution function is computed */
    dt_approximate approximate;
} dt_gelu_options;

#define DT_GELU_OPTIONS_INIT \
    {sizeof(dt_gelu_options), DT_APPROXIMATE_NONE}

/*
 * x times the normal distribution function, or its tanh approximation.
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
 * x tanh(log(1 + exp(x))).
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_mish(dt_tensor *self);
DT_API dt_tensor *dt_mish_(dt_tensor *self);
DT_API dt_tensor *dt_mish_out(dt_tensor *self, dt_tensor *out);

/* Options of softplus.  Begin with DT_SOFTPLUS_OPTIONS_INIT. */
typedef struct dt_softplus_options {
    size_t size; /* sizeof(dt_softplus_options) */
    double beta; /* multiplier of x */
    double threshold; /* value of beta x above which the result is x */
} dt_softplus_options;

#define DT_SOFTPLUS_OPTIONS_INIT \
    {sizeof(dt_softplus_options), 1, 20}

/*
 * log(1 + exp(beta x)) / beta; x where beta x exceeds the threshold.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_softplus(dt_tensor *self);
DT_API dt_tensor *dt_softplus_with(dt_tensor *self,
                                   const dt_softplus_options *options);
DT_API dt_tensor *dt_softplus_out(dt_tensor *self, dt_tensor *out);
DT_API dt_tensor *dt_softplus_with_out(dt_tensor *self,
                                       const dt_softplus_options *options,
                                       dt_tensor *out);

/* Options of leaky_relu.  Begin with DT_LEAKY_RELU_OPTIONS_INIT. */
typedef struct dt_leaky_relu_options {
    size_t size; /* sizeof(dt_leaky_relu_options) */
    double negative_slope; /* multiplier of negative elements */
} dt_leaky_relu_options;

#define DT_LEAKY_RELU_OPTIONS_INIT \
    {sizeof(dt_leaky_relu_options), 0.01}

/*
 * x if x > 0, else negative_slope * x.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_leaky_relu(dt_tensor *self);
DT_API dt_tensor *dt_leaky_relu_with(dt_tensor *self,
                                     const dt_leaky_relu_options *options);
DT_API dt_tensor *dt_leaky_relu_(dt_tensor *self);
DT_API dt_tensor *dt_leaky_relu_with_(dt_tensor *self,
                                      const dt_leaky_relu_options *options);
DT_API dt_tensor *dt_leaky_relu_out(dt_tensor *self, dt_tensor *out);
DT_API dt_tensor *dt_leaky_relu_with_out(dt_tensor *self,
                                         const dt_leaky_relu_options *options,
                                         dt_tensor *out);

/* Options of elu.  Begin with DT_ELU_OPTIONS_INIT. */
typedef struct dt_elu_options {
    size_t size; /* sizeof(dt_elu_options) */
    double alpha; /* factor of the exponential part, for negative elements */
    double scale; /* multiplier of the result */
    double input_scale; /* factor of x inside the exponential */
} dt_elu_options;

#define DT_ELU_OPTIONS_INIT \
    {sizeof(dt_elu_options), 1, 1, 1}

/*
 * scale x if x > 0, else scale alpha (exp(input_scale x) - 1).
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_elu(dt_tensor *self);
DT_API dt_tensor *dt_elu_with(dt_tensor *self, const dt_elu_options *options);
DT_API dt_tensor *dt_elu_(dt_tensor *self);
DT_API dt_tensor *dt_elu_with_(dt_tensor *self, const dt_elu_options *options);
DT_API dt_tensor *dt_elu_out(dt_tensor *self, dt_tensor *out);
DT_API dt_tensor *dt_elu_with_out(dt_tensor *self,
                                  const dt_elu_options *options,
                                  dt_tensor *out);

/* Options of celu.  Begin with DT_CELU_OPTIONS_INIT. */
typedef struct dt_celu_options {
    size_t size; /* sizeof(dt_celu_options) */
    double alpha; /* factor of the exponential part, for negative elements */
} dt_celu_options;

#define DT_CELU_OPTIONS_INIT \
    {sizeof(dt_celu_options), 1}

/*
 * x if x > 0, else alpha (exp(x / alpha) - 1).
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_celu(dt_tensor *self);
DT_API dt_tensor *dt_celu_with(dt_tensor *self,
                               const dt_celu_options *options);
DT_API dt_tensor *dt_celu_(dt_tensor *self);
DT_API dt_tensor *dt_celu_with_(dt_tensor *self,
                                const dt_celu_options *options);

/*
 * Exponential linear unit that preserves mean 0 and variance 1.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_selu(dt_tensor *self);
DT_API dt_tensor *dt_selu_(dt_tensor *self);

/*
 * min(max(x + 3, 0), 6) / 6.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_hardsigmoid(dt_tensor *self);
DT_API dt_tensor *dt_hardsigmoid_(dt_tensor *self);
DT_API dt_tensor *dt_hardsigmoid_out(dt_tensor *self, dt_tensor *out);

/*
 * x min(max(x + 3, 0), 6) / 6.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_hardswish(dt_tensor *self);
DT_API dt_tensor *dt_hardswish_(dt_tensor *self);
DT_API dt_tensor *dt_hardswish_out(dt_tensor *self, dt_tensor *out);

/*
 * x / (1 + |x|).
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_softsign(dt_tensor *self);

/* Options of hardshrink.  Begin with DT_HARDSHRINK_OPTIONS_INIT. */
typedef struct dt_hardshrink_options {
    size_t size; /* sizeof(dt_hardshrink_options) */
    double lambd; /* half the width of the interval that is set to 0 */
} dt_hardshrink_options;

#define DT_HARDSHRINK_OPTIONS_INIT \
    {sizeof(dt_hardshrink_options), 0.5}

/*
 * 0 if |x| <= lambd, else x.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_hardshrink(dt_tensor *self);
DT_API dt_tensor *dt_hardshrink_with(dt_tensor *self,
                                     const dt_hardshrink_options *options);
DT_API dt_tensor *dt_hardshrink_out(dt_tensor *self, dt_tensor *out);
DT_API dt_tensor *dt_hardshrink_with_out(dt_tensor *self,
                                         const dt_hardshrink_options *options,
                                         dt_tensor *out);

/* Options of softshrink.  Begin with DT_SOFTSHRINK_OPTIONS_INIT. */
typedef struct dt_softshrink_options {
    size_t size; /* sizeof(dt_softshrink_options) */
    double lambd; /* half the width of the interval that is set to 0 */
} dt_softshrink_options;

#define DT_SOFTSHRINK_OPTIONS_INIT \
    {sizeof(dt_softshrink_options), 0.5}

/*
 * 0 if |x| <= lambd, else x moved towards 0 by lambd.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_softshrink(dt_tensor *self);
DT_API dt_tensor *dt_softshrink_with(dt_tensor *self,
                                     const dt_softshrink_options *options);
DT_API dt_tensor *dt_softshrink_out(dt_tensor *self, dt_tensor *out);
DT_API dt_tensor *dt_softshrink_with_out(dt_tensor *self,
                                         const dt_softshrink_options *options,
                                         dt_tensor *out);

/* ---- Gated linear units ------------------------------------------------- */

/* Options of glu.  Begin with DT_GLU_OPTIONS_INIT. */
typedef struct dt_glu_options {
    size_t size; /* sizeof(dt_glu_options) */
    int dim; /* dimension to split into two halves */
} dt_glu_options;

#define DT_GLU_OPTIONS_INIT \
    {sizeof(dt_glu_options), -1}

/*
 * Multiply the first half of a dimension by the sigmoid of the second.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_glu(dt_tensor *self);
DT_API dt_tensor *dt_glu_with(dt_tensor *self, const dt_glu_options *options);
DT_API dt_tensor *dt_glu_out(dt_tensor *self, dt_tensor *out);
DT_API dt_tensor *dt_glu_with_out(dt_tensor *self,
                                  const dt_glu_options *options,
                                  dt_tensor *out);

/* ---- Softmax ------------------------------------------------------------ */

/* Options of softmax.  Begin with DT_SOFTMAX_OPTIONS_INIT. */
typedef struct dt_softmax_options {
    size_t size; /* sizeof(dt_softmax_options) */
    const dt_dtype *dtype; /* dtype of the result; NULL: that of self */
} dt_softmax_options;

#define DT_SOFTMAX_OPTIONS_INIT \
    {sizeof(dt_softmax_options), 0}

/*
 * exp(x) / sum(exp(x)) along a dimension.
 *
 * Collective over the mesh of its tensors.
 * - dim: dimension; negative numbers count from the end
 */
DT_API dt_tensor *dt_softmax(dt_tensor *self, int dim);
DT_API dt_tensor *dt_softmax_with(dt_tensor *self, int dim,
                                  const dt_softmax_options *options);

/* Options of safe_softmax.  Begin with DT_SAFE_SOFTMAX_OPTIONS_INIT. */
typedef struct dt_safe_softmax_options {
    size_t size; /* sizeof(dt_safe_softmax_options) */
    const dt_dtype *dtype; /* dtype of the result; NULL: that of self */
} dt_safe_softmax_options;

#define DT_SAFE_SOFTMAX_OPTIONS_INIT \
    {sizeof(dt_safe_softmax_options), 0}

/*
 * Softmax along a dimension, with zeros where all elements are minus infinity.
 *
 * Collective over the mesh of its tensors.
 * - dim: dimension; negative numbers count from the end
 */
DT_API dt_tensor *dt_safe_softmax(dt_tensor *self, int dim);
DT_API dt_tensor *dt_safe_softmax_with(dt_tensor *self, int dim,
                                       const dt_safe_softmax_options *options);

/* Options of log_softmax.  Begin with DT_LOG_SOFTMAX_OPTIONS_INIT. */
typedef struct dt_log_softmax_options {
    size_t size; /* sizeof(dt_log_softmax_options) */
    const dt_dtype *dtype; /* dtype of the result; NULL: that of self */
} dt_log_softmax_options;

#define DT_LOG_SOFTMAX_OPTIONS_INIT \
    {sizeof(dt_log_softmax_options), 0}

/*
 * x - log(sum(exp(x))) along a dimension.
 *
 * Collective over the mesh of its tensors.
 * - dim: dimension; negative numbers count from the end
 */
DT_API dt_tensor *dt_log_softmax(dt_tensor *self, int dim);
DT_API dt_tensor *dt_log_softmax_with(dt_tensor *self, int dim,
                                      const dt_log_softmax_options *options);

/* ---- Layer norm and RMS norm -------------------------------------------- */

/*
 * Normalise the last dimensions to mean 0 and variance 1, then multiply by
 * weight and add bias.  The statistics have the dtype of weight and bias, or
 * that of the input.
 *
 * Collective over the mesh of its tensors.  `weight` may be NULL.  `bias` may
 * be NULL.
 * - normalized_shape: extents of the last dimensions, which are normalised
 *   together
 * - eps: added to a denominator, so that it is not 0
 */
DT_API DT_MUST_USE dt_status dt_layer_norm(dt_tensor *input,
                                           dt_shape normalized_shape,
                                           dt_tensor *weight, dt_tensor *bias,
                                           double eps, dt_tensor **out,
                                           dt_tensor **mean, dt_tensor **rstd);

/*
 * Normalise the last dimensions to a mean square of 1, then multiply by weight.
 * rstd has the dtype of the input, or f32 for f16 and bf16.
 *
 * Collective over the mesh of its tensors.  `weight` may be NULL.
 * - normalized_shape: extents of the last dimensions, which are normalised
 *   together
 * - eps: added to a denominator, so that it is not 0
 */
DT_API DT_MUST_USE dt_status dt_rms_norm(dt_tensor *input,
                                         dt_shape normalized_shape,
                                         dt_tensor *weight, double eps,
                                         dt_tensor **out, dt_tensor **rstd);

/* ---- Group norm --------------------------------------------------------- */

/*
 * Normalise groups of channels to mean 0 and variance 1, then multiply by the
 * weight of each channel and add its bias.  n, c and hxw are the batch size,
 * the number of channels and the product of the remaining extents.  The
 * statistics have the dtype of weight and bias, or that of the input.
 *
 * Collective over the mesh of its tensors.  `weight` may be NULL.  `bias` may
 * be NULL.
 * - n: batch size
 * - c: number of channels
 * - hxw: product of the extents after batch and channels
 * - group: number of groups of channels
 * - eps: added to a denominator, so that it is not 0
 */
DT_API DT_MUST_USE dt_status dt_group_norm(dt_tensor *input, dt_tensor *weight,
                                           dt_tensor *bias, int64_t n,
                                           int64_t c, int64_t hxw,
                                           int64_t group, double eps,
                                           dt_tensor **out, dt_tensor **mean,
                                           dt_tensor **rstd);

/* ---- Attention ---------------------------------------------------------- */

/* Options of scaled_dot_product_attention.  Begin with DT_SCALED_DOT_PRODUCT_ATTENTION_OPTIONS_INIT. */
typedef struct dt_scaled_dot_product_attention_options {
    size_t size; /* sizeof(dt_scaled_dot_product_attention_options) */
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
} dt_scaled_dot_product_attention_options;

#define DT_SCALED_DOT_PRODUCT_ATTENTION_OPTIONS_INIT \
    {sizeof(dt_scaled_dot_product_attention_options), 0, 0, false, HUGE_VAL, \
     false, 0}

/*
 * softmax(scale * query key^T + mask) value, computed in blocks.  `attn_mask`
 * is bool, true where a key takes part, or is added to the scores; `scale` is 1
 * / sqrt(width) if it is infinity; with `enable_gqa` each head of keys serves a
 * group of query heads.  Batches are broadcast.
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

/* ---- Embeddings --------------------------------------------------------- */

/* Options of embedding.  Begin with DT_EMBEDDING_OPTIONS_INIT. */
typedef struct dt_embedding_options {
    size_t size; /* sizeof(dt_embedding_options) */
    int64_t padding_idx; /* row whose gradient is 0; -1: no row */
} dt_embedding_options;

#define DT_EMBEDDING_OPTIONS_INIT \
    {sizeof(dt_embedding_options), -1}

/*
 * Select rows of a table by index.  `padding_idx` only matters to gradients.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_embedding(dt_tensor *weight, dt_tensor *indices);
DT_API dt_tensor *dt_embedding_with(dt_tensor *weight, dt_tensor *indices,
                                    const dt_embedding_options *options);

/* ---- Norms and clipping of gradients ------------------------------------ */

/* Options of get_total_norm.  Begin with DT_GET_TOTAL_NORM_OPTIONS_INIT. */
typedef struct dt_get_total_norm_options {
    size_t size; /* sizeof(dt_get_total_norm_options) */
    bool error_if_nonfinite; /* fail if the norm is infinite or NaN */
} dt_get_total_norm_options;

#define DT_GET_TOTAL_NORM_OPTIONS_INIT \
    {sizeof(dt_get_total_norm_options), false}

/*
 * Norm of all elements of all tensors of a list, in f32, or f64 if one of them
 * is f64.  Tensors may be on different meshes if one mesh has all ranks of the
 * others; the norm is on that mesh.  Only one small all-reduce is sent.
 *
 * Collective over the mesh of its tensors.
 * - norm_type: order of the norm
 */
DT_API dt_tensor *dt_get_total_norm(dt_tensor *const *tensors,
                                    int tensors_count, double norm_type);
DT_API dt_tensor *dt_get_total_norm_with(dt_tensor *const *tensors,
                                         int tensors_count, double norm_type,
                                         const dt_get_total_norm_options *options);

/*
 * Multiply all tensors of a list by max_norm / total_norm if that is below 1.
 *
 * Collective over the mesh of its tensors.
 * - max_norm: norm to clip to
 */
DT_API DT_MUST_USE dt_status dt_clip_grads_with_norm_(dt_tensor *const *self,
                                                      int self_count,
                                                      double max_norm,
                                                      dt_tensor *total_norm);

/* Options of clip_grad_norm.  Begin with DT_CLIP_GRAD_NORM_OPTIONS_INIT. */
typedef struct dt_clip_grad_norm_options {
    size_t size; /* sizeof(dt_clip_grad_norm_options) */
    bool error_if_nonfinite; /* fail if the norm is infinite or NaN */
} dt_clip_grad_norm_options;

#define DT_CLIP_GRAD_NORM_OPTIONS_INIT \
    {sizeof(dt_clip_grad_norm_options), false}

/*
 * Multiply all tensors of a list by max_norm / total_norm if that is below 1,
 * and return the norm like get_total_norm.
 *
 * Collective over the mesh of its tensors.
 * - max_norm: norm to clip to
 * - norm_type: order of the norm
 */
DT_API DT_MUST_USE dt_status dt_clip_grad_norm_(dt_tensor *const *self,
                                                int self_count, double max_norm,
                                                double norm_type,
                                                dt_tensor **total_norm);
DT_API DT_MUST_USE dt_status dt_clip_grad_norm_with_(dt_tensor *const *self,
                                                     int self_count,
                                                     double max_norm,
                                                     double norm_type,
                                                     const dt_clip_grad_norm_options *options,
                                                     dt_tensor **total_norm);

/* clang-format on */

DT_EXTERN_C_END

#endif
