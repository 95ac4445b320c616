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
 * All tensors of a call are on one mesh.  A call that fails returns NULL or a
 * status and records an error.  A NULL tensor fails with DT_ERR_INVALID; if an
 * earlier error led to it, that one stays recorded, so that calls nest and are
 * checked once.  Arguments that may be NULL say so.
 *
 * Results belong to the innermost scope.  An output parameter may be NULL if
 * its result is not wanted.  A list of results is written to `results`, whose
 * capacity is `room`; `count` receives their number.
 *
 * dt_x_ writes in place: it overwrites its first tensor and returns it.  If the
 * first argument is a list, it overwrites the tensors of the list; if there are
 * several results, result x_out overwrites the tensor x.  dt_x_out writes to
 * `out` and returns it.  Both keep the layout of what they write to, or fail.
 *
 * dt_x_with takes options; dt_x uses those of DT_X_OPTIONS_INIT.
 */
/* clang-format off */

/* ---- Activation --------------------------------------------------------- */

/*
 * Replace negative elements by 0.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_relu(dt_tensor *self);
DT_API dt_tensor *dt_relu_(dt_tensor *self);
DT_API dt_tensor *dt_relu_out(dt_tensor *self, dt_tensor *out);

/*
 * Keep elements between 0 and 6.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_relu6(dt_tensor *self);
DT_API dt_tensor *dt_relu6_(dt_tensor *self);

/* Options of hardtanh.  Begin with DT_HARDTANH_OPTIONS_INIT. */
typedef struct dt_hardtanh_options {
    size_t size; /* sizeof(dt_hardtanh_options) */
    dt_number min_val;
    dt_number max_val;
} dt_hardtanh_options;

#define DT_HARDTANH_OPTIONS_INIT \
    {sizeof(dt_hardtanh_options), {DT_KIND_SIGNED, {-1}, 0}, \
     {DT_KIND_SIGNED, {1}, 0}}

/*
 * Keep elements between two numbers.
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
 */
DT_API dt_tensor *dt_threshold(dt_tensor *self, dt_number threshold,
                               dt_number value);
DT_API dt_tensor *dt_threshold_(dt_tensor *self, dt_number threshold,
                                dt_number value);
DT_API dt_tensor *dt_threshold_out(dt_tensor *self, dt_number threshold,
                                   dt_number value, dt_tensor *out);

/*
 * The logistic function, 1 / (1 + exp(-x)).
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_sigmoid(dt_tensor *self);
DT_API dt_tensor *dt_sigmoid_(dt_tensor *self);
DT_API dt_tensor *dt_sigmoid_out(dt_tensor *self, dt_tensor *out);

/*
 * The logarithm of the logistic function.
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
    double beta;
    double threshold;
} dt_softplus_options;

#define DT_SOFTPLUS_OPTIONS_INIT \
    {sizeof(dt_softplus_options), 1, 20}

/*
 * log(1 + exp(beta x)) / beta; x where beta x is more than the threshold.
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
    double negative_slope;
} dt_leaky_relu_options;

#define DT_LEAKY_RELU_OPTIONS_INIT \
    {sizeof(dt_leaky_relu_options), 0.01}

/*
 * Multiply negative elements by a number.
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
    double alpha;
    double scale;
    double input_scale;
} dt_elu_options;

#define DT_ELU_OPTIONS_INIT \
    {sizeof(dt_elu_options), 1, 1, 1}

/*
 * scale times x; below 0, scale alpha (exp(input_scale x) - 1).
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
    double alpha;
} dt_celu_options;

#define DT_CELU_OPTIONS_INIT \
    {sizeof(dt_celu_options), 1}

/*
 * x; below 0, alpha (exp(x / alpha) - 1).
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
 * The exponential linear unit that keeps mean 0 and variance 1.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_selu(dt_tensor *self);
DT_API dt_tensor *dt_selu_(dt_tensor *self);

/*
 * (x + 3) / 6, kept between 0 and 1.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_hardsigmoid(dt_tensor *self);
DT_API dt_tensor *dt_hardsigmoid_(dt_tensor *self);
DT_API dt_tensor *dt_hardsigmoid_out(dt_tensor *self, dt_tensor *out);

/*
 * x times (x + 3) / 6 kept between 0 and 1.
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
    double lambd;
} dt_hardshrink_options;

#define DT_HARDSHRINK_OPTIONS_INIT \
    {sizeof(dt_hardshrink_options), 0.5}

/*
 * Replace elements between -lambd and lambd by 0.
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
    double lambd;
} dt_softshrink_options;

#define DT_SOFTSHRINK_OPTIONS_INIT \
    {sizeof(dt_softshrink_options), 0.5}

/*
 * Move elements towards 0 by lambd, but not past it.
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

/* ---- Activation_backward ------------------------------------------------ */

/*
 * The gradient of sigmoid, from its result.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_sigmoid_backward(dt_tensor *grad_output,
                                      dt_tensor *output);
DT_API dt_tensor *dt_sigmoid_backward_out(dt_tensor *grad_output,
                                          dt_tensor *output, dt_tensor *out);

/*
 * The gradient of tanh, from its result.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_tanh_backward(dt_tensor *grad_output, dt_tensor *output);
DT_API dt_tensor *dt_tanh_backward_out(dt_tensor *grad_output,
                                       dt_tensor *output, dt_tensor *out);

/*
 * The gradient of silu.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_silu_backward(dt_tensor *grad_output, dt_tensor *self);
DT_API dt_tensor *dt_silu_backward_out(dt_tensor *grad_output, dt_tensor *self,
                                       dt_tensor *out);

/* Options of gelu_backward.  Begin with DT_GELU_BACKWARD_OPTIONS_INIT. */
typedef struct dt_gelu_backward_options {
    size_t size; /* sizeof(dt_gelu_backward_options) */
    const char *approximate;
} dt_gelu_backward_options;

#define DT_GELU_BACKWARD_OPTIONS_INIT \
    {sizeof(dt_gelu_backward_options), "none"}

/*
 * The gradient of gelu.
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
 * The gradient of mish.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_mish_backward(dt_tensor *grad_output, dt_tensor *self);

/*
 * The gradient of hardswish.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_hardswish_backward(dt_tensor *grad_output,
                                        dt_tensor *self);

/*
 * The gradient of hardsigmoid.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_hardsigmoid_backward(dt_tensor *grad_output,
                                          dt_tensor *self);
DT_API dt_tensor *dt_hardsigmoid_backward_out(dt_tensor *grad_output,
                                              dt_tensor *self, dt_tensor *out);

/*
 * The gradient of log_sigmoid.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_log_sigmoid_backward(dt_tensor *grad_output,
                                          dt_tensor *self);

/*
 * The gradient of threshold, and of relu if that is 0: 0 where self is not
 * more.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_threshold_backward(dt_tensor *grad_output, dt_tensor *self,
                                        dt_number threshold);
DT_API dt_tensor *dt_threshold_backward_out(dt_tensor *grad_output,
                                            dt_tensor *self,
                                            dt_number threshold,
                                            dt_tensor *out);

/*
 * The gradient of leaky_relu, from its argument or its result.
 *
 * Collective over the mesh of its tensors.
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
 * The gradient of elu, from its argument or its result.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_elu_backward(dt_tensor *grad_output, double alpha,
                                  double scale, double input_scale,
                                  bool is_result, dt_tensor *self_or_result);
DT_API dt_tensor *dt_elu_backward_out(dt_tensor *grad_output, double alpha,
                                      double scale, double input_scale,
                                      bool is_result, dt_tensor *self_or_result,
                                      dt_tensor *out);

/*
 * The gradient of softplus.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_softplus_backward(dt_tensor *grad_output, dt_tensor *self,
                                       double beta, double threshold);
DT_API dt_tensor *dt_softplus_backward_out(dt_tensor *grad_output,
                                           dt_tensor *self, double beta,
                                           double threshold, dt_tensor *out);

/*
 * The gradient of hardtanh: 0 where self is not between two numbers.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_hardtanh_backward(dt_tensor *grad_output, dt_tensor *self,
                                       dt_number min_val, dt_number max_val);
DT_API dt_tensor *dt_hardtanh_backward_out(dt_tensor *grad_output,
                                           dt_tensor *self, dt_number min_val,
                                           dt_number max_val, dt_tensor *out);

/*
 * The gradient of hardshrink.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_hardshrink_backward(dt_tensor *grad_output,
                                         dt_tensor *self, double lambd);

/*
 * The gradient of softshrink.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_softshrink_backward(dt_tensor *grad_output,
                                         dt_tensor *self, double lambd);
DT_API dt_tensor *dt_softshrink_backward_out(dt_tensor *grad_output,
                                             dt_tensor *self, double lambd,
                                             dt_tensor *out);

/* Options of logit_backward.  Begin with DT_LOGIT_BACKWARD_OPTIONS_INIT. */
typedef struct dt_logit_backward_options {
    size_t size; /* sizeof(dt_logit_backward_options) */
    double eps;
} dt_logit_backward_options;

#define DT_LOGIT_BACKWARD_OPTIONS_INIT \
    {sizeof(dt_logit_backward_options), -1}

/*
 * The gradient of logit.
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

/* ---- Alias -------------------------------------------------------------- */

/*
 * See a tensor as it is.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 */
DT_API dt_tensor *dt_alias(dt_tensor *self);

/*
 * See a tensor as it is, without a gradient.
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
 * See a tensor with the shape of another.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 */
DT_API dt_tensor *dt_view_as(dt_tensor *self, dt_tensor *other);

/*
 * Repeat dimensions of extent 1 up to the shape of another tensor.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 */
DT_API dt_tensor *dt_expand_as(dt_tensor *self, dt_tensor *other);

/*
 * Move dimensions to other places; the others keep their order.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 */
DT_API dt_tensor *dt_movedim(dt_tensor *self, dt_dims source,
                             dt_dims destination);

/*
 * See complex numbers as pairs along a last dimension.
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

/* ---- Amp ---------------------------------------------------------------- */

/*
 * Multiply by a factor, and tell by 1 whether some element was infinite or NaN.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_amp_unscale(dt_tensor *self, double inv_scale,
                                            dt_tensor **self_out,
                                            dt_tensor **found_inf);
DT_API DT_MUST_USE dt_status dt_amp_unscale_(dt_tensor *self, double inv_scale,
                                             dt_tensor **found_inf);

/*
 * Multiply gradients by a factor, and set `found_inf` to 1 if an element is
 * infinite or NaN.  Gradients may be on different meshes within the mesh of
 * `found_inf`; only one small all-reduce is sent.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_amp_foreach_non_finite_check_and_unscale_(dt_tensor *const *self,
                                                                          int self_count,
                                                                          dt_tensor *found_inf,
                                                                          dt_tensor *inv_scale);

/*
 * Lower a scale where infinite gradients were found, and raise it after as many
 * steps without them as `growth_interval` says.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_amp_update_scale(dt_tensor *self,
                                                 dt_tensor *growth_tracker,
                                                 dt_tensor *found_inf,
                                                 double scale_growth_factor,
                                                 double scale_backoff_factor,
                                                 int64_t growth_interval,
                                                 dt_tensor **self_out,
                                                 dt_tensor **growth_tracker_out);
DT_API DT_MUST_USE dt_status dt_amp_update_scale_(dt_tensor *self,
                                                  dt_tensor *growth_tracker,
                                                  dt_tensor *found_inf,
                                                  double scale_growth_factor,
                                                  double scale_backoff_factor,
                                                  int64_t growth_interval);

/* ---- Arg ---------------------------------------------------------------- */

/*
 * Largest elements along a dimension and their indexes: NaN if there is one,
 * the first of equal elements.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_max_dim(dt_tensor *self, int dim, bool keepdim,
                                        dt_tensor **values,
                                        dt_tensor **indices);

/*
 * Smallest elements along a dimension and their indexes: NaN if there is one,
 * the first of equal elements.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_min_dim(dt_tensor *self, int dim, bool keepdim,
                                        dt_tensor **values,
                                        dt_tensor **indices);

/*
 * Indexes of the largest elements along a dimension: the first NaN, or the
 * first of equal elements.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_argmax(dt_tensor *self, int dim, bool keepdim);

/*
 * Indexes of the smallest elements along a dimension: the first NaN, or the
 * first of equal elements.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_argmin(dt_tensor *self, int dim, bool keepdim);

/*
 * Index of the largest element of a tensor in row-major order: argmax without a
 * dimension.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_argmax_all(dt_tensor *self);

/*
 * Index of the smallest element of a tensor in row-major order: argmin without
 * a dimension.
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

/* ---- Attention_backward ------------------------------------------------- */

/* Options of scaled_dot_product_attention_backward.  Begin with DT_SCALED_DOT_PRODUCT_ATTENTION_BACKWARD_OPTIONS_INIT. */
typedef struct dt_scaled_dot_product_attention_backward_options {
    size_t size; /* sizeof(dt_scaled_dot_product_attention_backward_options) */
    dt_tensor *attn_mask;
    double dropout_p;
    bool is_causal;
    double scale;
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
    dt_tensor *attn_mask;
    double dropout_p;
    bool is_causal;
    double scale;
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

/* ---- Bitwise ------------------------------------------------------------ */

/*
 * The bits that two elements have both.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_bitwise_and(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_bitwise_and_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_bitwise_and_out(dt_tensor *self, dt_tensor *other,
                                     dt_tensor *out);

/*
 * The bits that an element and a number have both.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_bitwise_and_scalar(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_bitwise_and_scalar_(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_bitwise_and_scalar_out(dt_tensor *self, dt_number other,
                                            dt_tensor *out);

/*
 * The bits that one of two elements has.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_bitwise_or(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_bitwise_or_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_bitwise_or_out(dt_tensor *self, dt_tensor *other,
                                    dt_tensor *out);

/*
 * The bits that one of an element and a number has.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_bitwise_or_scalar(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_bitwise_or_scalar_(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_bitwise_or_scalar_out(dt_tensor *self, dt_number other,
                                           dt_tensor *out);

/*
 * The bits that one of two elements has and the other has not.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_bitwise_xor(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_bitwise_xor_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_bitwise_xor_out(dt_tensor *self, dt_tensor *other,
                                     dt_tensor *out);

/*
 * The bits that one of an element and a number has and the other has not.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_bitwise_xor_scalar(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_bitwise_xor_scalar_(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_bitwise_xor_scalar_out(dt_tensor *self, dt_number other,
                                            dt_tensor *out);

/*
 * The bits that an element has not.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_bitwise_not(dt_tensor *self);
DT_API dt_tensor *dt_bitwise_not_(dt_tensor *self);
DT_API dt_tensor *dt_bitwise_not_out(dt_tensor *self, dt_tensor *out);

/*
 * Multiply by a power of 2, given by its exponent; 0 if that is negative, or
 * not less than there are bits.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_bitwise_left_shift(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_bitwise_left_shift_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_bitwise_left_shift_out(dt_tensor *self, dt_tensor *other,
                                            dt_tensor *out);

/*
 * Multiply by a power of 2, given by its exponent; 0 if that is negative, or
 * not less than there are bits.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_bitwise_left_shift_scalar(dt_tensor *self,
                                               dt_number other);
DT_API dt_tensor *dt_bitwise_left_shift_scalar_(dt_tensor *self,
                                                dt_number other);
DT_API dt_tensor *dt_bitwise_left_shift_scalar_out(dt_tensor *self,
                                                   dt_number other,
                                                   dt_tensor *out);

/*
 * Divide by a power of 2, given by its exponent, and round down.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_bitwise_right_shift(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_bitwise_right_shift_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_bitwise_right_shift_out(dt_tensor *self, dt_tensor *other,
                                             dt_tensor *out);

/*
 * Divide by a power of 2, given by its exponent, and round down.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_bitwise_right_shift_scalar(dt_tensor *self,
                                                dt_number other);
DT_API dt_tensor *dt_bitwise_right_shift_scalar_(dt_tensor *self,
                                                 dt_number other);
DT_API dt_tensor *dt_bitwise_right_shift_scalar_out(dt_tensor *self,
                                                    dt_number other,
                                                    dt_tensor *out);

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

/* ---- Clamp -------------------------------------------------------------- */

/*
 * Keep elements between two numbers; max if min is more.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_clamp(dt_tensor *self, dt_number min, dt_number max);
DT_API dt_tensor *dt_clamp_(dt_tensor *self, dt_number min, dt_number max);
DT_API dt_tensor *dt_clamp_out(dt_tensor *self, dt_number min, dt_number max,
                               dt_tensor *out);

/*
 * max(x, min).
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_clamp_min(dt_tensor *self, dt_number min);
DT_API dt_tensor *dt_clamp_min_(dt_tensor *self, dt_number min);
DT_API dt_tensor *dt_clamp_min_out(dt_tensor *self, dt_number min,
                                   dt_tensor *out);

/*
 * min(x, max).
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_clamp_max(dt_tensor *self, dt_number max);
DT_API dt_tensor *dt_clamp_max_(dt_tensor *self, dt_number max);
DT_API dt_tensor *dt_clamp_max_out(dt_tensor *self, dt_number max,
                                   dt_tensor *out);

/*
 * Keep elements between those of two tensors, one of which may be missing.
 *
 * Collective over the mesh of its tensors.  `min` may be NULL.  `max` may be
 * NULL.
 */
DT_API dt_tensor *dt_clamp_tensor(dt_tensor *self, dt_tensor *min,
                                  dt_tensor *max);
DT_API dt_tensor *dt_clamp_tensor_(dt_tensor *self, dt_tensor *min,
                                   dt_tensor *max);
DT_API dt_tensor *dt_clamp_tensor_out(dt_tensor *self, dt_tensor *min,
                                      dt_tensor *max, dt_tensor *out);

/*
 * The larger of two elements; NaN if one is.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_clamp_min_tensor(dt_tensor *self, dt_tensor *min);
DT_API dt_tensor *dt_clamp_min_tensor_(dt_tensor *self, dt_tensor *min);
DT_API dt_tensor *dt_clamp_min_tensor_out(dt_tensor *self, dt_tensor *min,
                                          dt_tensor *out);

/*
 * The smaller of two elements; NaN if one is.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_clamp_max_tensor(dt_tensor *self, dt_tensor *max);
DT_API dt_tensor *dt_clamp_max_tensor_(dt_tensor *self, dt_tensor *max);
DT_API dt_tensor *dt_clamp_max_tensor_out(dt_tensor *self, dt_tensor *max,
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
 * The larger of two elements; the other one of NaN.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_fmax(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_fmax_out(dt_tensor *self, dt_tensor *other,
                              dt_tensor *out);

/*
 * The smaller of two elements; the other one of NaN.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_fmin(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_fmin_out(dt_tensor *self, dt_tensor *other,
                              dt_tensor *out);

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

/*
 * Tell whether just one of two elements is not zero.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_logical_xor(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_logical_xor_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_logical_xor_out(dt_tensor *self, dt_tensor *other,
                                     dt_tensor *out);

/*
 * Tell whether elements are NaN.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_isnan(dt_tensor *self);

/*
 * Tell whether elements are infinite.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_isinf(dt_tensor *self);

/*
 * Tell whether elements are numbers and not infinite.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_isfinite(dt_tensor *self);

/*
 * Tell whether elements are infinity.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_isposinf(dt_tensor *self);
DT_API dt_tensor *dt_isposinf_out(dt_tensor *self, dt_tensor *out);

/*
 * Tell whether elements are -infinity.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_isneginf(dt_tensor *self);
DT_API dt_tensor *dt_isneginf_out(dt_tensor *self, dt_tensor *out);

/*
 * Tell whether elements have a sign; -0 has one.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_signbit(dt_tensor *self);
DT_API dt_tensor *dt_signbit_out(dt_tensor *self, dt_tensor *out);

/* ---- Complex ------------------------------------------------------------ */

/*
 * View the real part of each element.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_real_part(dt_tensor *self);

/*
 * View the imaginary part of each element.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_imag_part(dt_tensor *self);

/*
 * Negate imaginary parts: a copy, if numbers are complex, else the tensor
 * itself.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_conj(dt_tensor *self);

/*
 * Copy numbers with negated imaginary parts.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_conj_physical(dt_tensor *self);
DT_API dt_tensor *dt_conj_physical_(dt_tensor *self);
DT_API dt_tensor *dt_conj_physical_out(dt_tensor *self, dt_tensor *out);

/*
 * The angle of complex numbers; of reals 0, or pi if they are negative.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_angle(dt_tensor *self);
DT_API dt_tensor *dt_angle_out(dt_tensor *self, dt_tensor *out);

/*
 * Make complex numbers of real and imaginary parts.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_complex(dt_tensor *real, dt_tensor *imag);
DT_API dt_tensor *dt_complex_out(dt_tensor *real, dt_tensor *imag,
                                 dt_tensor *out);

/*
 * Make complex numbers of absolute values and angles.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_polar(dt_tensor *abs, dt_tensor *angle);
DT_API dt_tensor *dt_polar_out(dt_tensor *abs, dt_tensor *angle,
                               dt_tensor *out);

/* ---- Contract ----------------------------------------------------------- */

/*
 * Sum up products of one tensor or two, as an equation such as "bij,bjk->bik"
 * says: letters that the result has not are summed, those that a tensor has
 * twice are diagonals.
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

/* ---- Cross_entropy ------------------------------------------------------ */

/* Options of cross_entropy_forward.  Begin with DT_CROSS_ENTROPY_FORWARD_OPTIONS_INIT. */
typedef struct dt_cross_entropy_forward_options {
    size_t size; /* sizeof(dt_cross_entropy_forward_options) */
    int64_t reduction;
    int64_t ignore_index;
    double label_smoothing;
} dt_cross_entropy_forward_options;

#define DT_CROSS_ENTROPY_FORWARD_OPTIONS_INIT \
    {sizeof(dt_cross_entropy_forward_options), 1, -100, 0}

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
    int64_t reduction;
    int64_t ignore_index;
    double label_smoothing;
} dt_cross_entropy_backward_options;

#define DT_CROSS_ENTROPY_BACKWARD_OPTIONS_INIT \
    {sizeof(dt_cross_entropy_backward_options), 1, -100, 0}

/*
 * Gradient of cross_entropy_forward with respect to the logits.  Nothing is
 * sent, whatever their layout.
 *
 * Collective over the mesh of its tensors.  `weight` may be NULL.
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

/* Options of cross_entropy_loss.  Begin with DT_CROSS_ENTROPY_LOSS_OPTIONS_INIT. */
typedef struct dt_cross_entropy_loss_options {
    size_t size; /* sizeof(dt_cross_entropy_loss_options) */
    int64_t reduction;
    int64_t ignore_index;
    double label_smoothing;
} dt_cross_entropy_loss_options;

#define DT_CROSS_ENTROPY_LOSS_OPTIONS_INIT \
    {sizeof(dt_cross_entropy_loss_options), 1, -100, 0}

/*
 * Cross-entropy of logits and targets: a class for each item or, if
 * floating-point, a probability for each class.  Classes are dimension 1 of
 * self, or 0 of a 1-d tensor.
 *
 * Collective over the mesh of its tensors.  `weight` may be NULL.
 */
DT_API dt_tensor *dt_cross_entropy_loss(dt_tensor *self, dt_tensor *target,
                                        dt_tensor *weight);
DT_API dt_tensor *dt_cross_entropy_loss_with(dt_tensor *self, dt_tensor *target,
                                             dt_tensor *weight,
                                             const dt_cross_entropy_loss_options *options);

/* ---- Diagonal ----------------------------------------------------------- */

/*
 * See a diagonal of two dimensions, which becomes the last one; a positive
 * offset is above the main one.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 */
DT_API dt_tensor *dt_diagonal(dt_tensor *self, int64_t offset, int dim1,
                              int dim2);

/*
 * Copy a tensor with a diagonal of two dimensions taken from src, whose last
 * dimension it is.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_diagonal_scatter(dt_tensor *self, dt_tensor *src,
                                      int64_t offset, int dim1, int dim2);
DT_API dt_tensor *dt_diagonal_scatter_out(dt_tensor *self, dt_tensor *src,
                                          int64_t offset, int dim1, int dim2,
                                          dt_tensor *out);

/*
 * Put a tensor where diagonal saw it in one of this shape, with zeros
 * elsewhere.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_diagonal_backward(dt_tensor *grad_output,
                                       dt_shape input_sizes, int64_t offset,
                                       int dim1, int dim2);
DT_API dt_tensor *dt_diagonal_backward_out(dt_tensor *grad_output,
                                           dt_shape input_sizes, int64_t offset,
                                           int dim1, int dim2, dt_tensor *out);

/* Options of diag_embed.  Begin with DT_DIAG_EMBED_OPTIONS_INIT. */
typedef struct dt_diag_embed_options {
    size_t size; /* sizeof(dt_diag_embed_options) */
    int64_t offset;
    int dim1;
    int dim2;
} dt_diag_embed_options;

#define DT_DIAG_EMBED_OPTIONS_INIT \
    {sizeof(dt_diag_embed_options), 0, -2, -1}

/*
 * Make the last dimension a diagonal of two, with zeros beside it; a positive
 * offset is above the main one.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_diag_embed(dt_tensor *self);
DT_API dt_tensor *dt_diag_embed_with(dt_tensor *self,
                                     const dt_diag_embed_options *options);
DT_API dt_tensor *dt_diag_embed_out(dt_tensor *self, dt_tensor *out);
DT_API dt_tensor *dt_diag_embed_with_out(dt_tensor *self,
                                         const dt_diag_embed_options *options,
                                         dt_tensor *out);

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

/*
 * Gradient of embedding with respect to its weight: the sum, or the mean if
 * scale_grad_by_freq, of the gradients of each row; zero for the row
 * padding_idx.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_embedding_dense_backward(dt_tensor *grad_output,
                                              dt_tensor *indices,
                                              int64_t num_weights,
                                              int64_t padding_idx,
                                              bool scale_grad_by_freq);

/* ---- Equal -------------------------------------------------------------- */

/*
 * Tell whether two tensors have the same shape and values; -0 equals 0, NaN
 * nothing.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_equal(dt_tensor *self, dt_tensor *other);

/* ---- Exponential -------------------------------------------------------- */

/*
 * The exponential function.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_exp(dt_tensor *self);
DT_API dt_tensor *dt_exp_(dt_tensor *self);
DT_API dt_tensor *dt_exp_out(dt_tensor *self, dt_tensor *out);

/*
 * 2 to the power of the elements.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_exp2(dt_tensor *self);
DT_API dt_tensor *dt_exp2_(dt_tensor *self);
DT_API dt_tensor *dt_exp2_out(dt_tensor *self, dt_tensor *out);

/*
 * exp(x) - 1, exact near 0.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_expm1(dt_tensor *self);
DT_API dt_tensor *dt_expm1_(dt_tensor *self);
DT_API dt_tensor *dt_expm1_out(dt_tensor *self, dt_tensor *out);

/*
 * The natural logarithm.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_log(dt_tensor *self);
DT_API dt_tensor *dt_log_(dt_tensor *self);
DT_API dt_tensor *dt_log_out(dt_tensor *self, dt_tensor *out);

/*
 * The logarithm to base 2.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_log2(dt_tensor *self);
DT_API dt_tensor *dt_log2_(dt_tensor *self);
DT_API dt_tensor *dt_log2_out(dt_tensor *self, dt_tensor *out);

/*
 * The logarithm to base 10.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_log10(dt_tensor *self);
DT_API dt_tensor *dt_log10_(dt_tensor *self);
DT_API dt_tensor *dt_log10_out(dt_tensor *self, dt_tensor *out);

/*
 * log(1 + x), exact near 0.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_log1p(dt_tensor *self);
DT_API dt_tensor *dt_log1p_(dt_tensor *self);
DT_API dt_tensor *dt_log1p_out(dt_tensor *self, dt_tensor *out);

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
 * Raise elements to powers; for integers, a negative exponent results in 0,
 * except for 1 and -1.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_pow(dt_tensor *self, dt_tensor *exponent);
DT_API dt_tensor *dt_pow_(dt_tensor *self, dt_tensor *exponent);
DT_API dt_tensor *dt_pow_out(dt_tensor *self, dt_tensor *exponent,
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
 * Raise a number to powers.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_pow_base(dt_number self, dt_tensor *exponent);
DT_API dt_tensor *dt_pow_base_out(dt_number self, dt_tensor *exponent,
                                  dt_tensor *out);

/*
 * The logarithm of the sum of two exponentials.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_logaddexp(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_logaddexp_out(dt_tensor *self, dt_tensor *other,
                                   dt_tensor *out);

/*
 * The logarithm, to base 2, of the sum of two powers of 2.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_logaddexp2(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_logaddexp2_out(dt_tensor *self, dt_tensor *other,
                                    dt_tensor *out);

/*
 * Multiply by the logarithm of a second tensor; 0 where self is 0.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_xlogy(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_xlogy_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_xlogy_out(dt_tensor *self, dt_tensor *other,
                               dt_tensor *out);

/*
 * The error function.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_erf(dt_tensor *self);
DT_API dt_tensor *dt_erf_(dt_tensor *self);
DT_API dt_tensor *dt_erf_out(dt_tensor *self, dt_tensor *out);

/*
 * 1 less the error function.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_erfc(dt_tensor *self);
DT_API dt_tensor *dt_erfc_(dt_tensor *self);
DT_API dt_tensor *dt_erfc_out(dt_tensor *self, dt_tensor *out);

/* Options of logit.  Begin with DT_LOGIT_OPTIONS_INIT. */
typedef struct dt_logit_options {
    size_t size; /* sizeof(dt_logit_options) */
    double eps;
} dt_logit_options;

#define DT_LOGIT_OPTIONS_INIT \
    {sizeof(dt_logit_options), -1}

/*
 * log(x / (1 - x)), of x kept between eps and 1 - eps if eps is not negative.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_logit(dt_tensor *self);
DT_API dt_tensor *dt_logit_with(dt_tensor *self,
                                const dt_logit_options *options);
DT_API dt_tensor *dt_logit_(dt_tensor *self);
DT_API dt_tensor *dt_logit_with_(dt_tensor *self,
                                 const dt_logit_options *options);
DT_API dt_tensor *dt_logit_out(dt_tensor *self, dt_tensor *out);
DT_API dt_tensor *dt_logit_with_out(dt_tensor *self,
                                    const dt_logit_options *options,
                                    dt_tensor *out);

/* ---- Fill --------------------------------------------------------------- */

/*
 * Set every element to a number; the local values of a partial tensor reduce to
 * it.
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
    {sizeof(dt_foreach_add_options), {DT_KIND_SIGNED, {1}, 0}}

/*
 * Add tensors of two lists, the second multiplied by alpha.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_add(dt_tensor *const *self,
                                            int self_count,
                                            dt_tensor *const *other,
                                            int other_count,
                                            dt_tensor **results, int room,
                                            int *count);
DT_API DT_MUST_USE dt_status dt_foreach_add_with(dt_tensor *const *self,
                                                 int self_count,
                                                 dt_tensor *const *other,
                                                 int other_count,
                                                 const dt_foreach_add_options *options,
                                                 dt_tensor **results, int room,
                                                 int *count);
DT_API DT_MUST_USE dt_status dt_foreach_add_(dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor *const *other,
                                             int other_count);
DT_API DT_MUST_USE dt_status dt_foreach_add_with_(dt_tensor *const *self,
                                                  int self_count,
                                                  dt_tensor *const *other,
                                                  int other_count,
                                                  const dt_foreach_add_options *options);

/* Options of foreach_add_tensor.  Begin with DT_FOREACH_ADD_TENSOR_OPTIONS_INIT. */
typedef struct dt_foreach_add_tensor_options {
    size_t size; /* sizeof(dt_foreach_add_tensor_options) */
    dt_number alpha;
} dt_foreach_add_tensor_options;

#define DT_FOREACH_ADD_TENSOR_OPTIONS_INIT \
    {sizeof(dt_foreach_add_tensor_options), {DT_KIND_SIGNED, {1}, 0}}

/*
 * Add a 0-d tensor, multiplied by alpha, to every tensor.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_add_tensor(dt_tensor *const *self,
                                                   int self_count,
                                                   dt_tensor *other,
                                                   dt_tensor **results,
                                                   int room, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_add_tensor_with(dt_tensor *const *self,
                                                        int self_count,
                                                        dt_tensor *other,
                                                        const dt_foreach_add_tensor_options *options,
                                                        dt_tensor **results,
                                                        int room, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_add_tensor_(dt_tensor *const *self,
                                                    int self_count,
                                                    dt_tensor *other);
DT_API DT_MUST_USE dt_status dt_foreach_add_tensor_with_(dt_tensor *const *self,
                                                         int self_count,
                                                         dt_tensor *other,
                                                         const dt_foreach_add_tensor_options *options);

/*
 * Add a number to every tensor of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_add_scalar(dt_tensor *const *self,
                                                   int self_count,
                                                   dt_number other,
                                                   dt_tensor **results,
                                                   int room, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_add_scalar_(dt_tensor *const *self,
                                                    int self_count,
                                                    dt_number other);

/*
 * Add to every tensor of a list its number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_add_scalars(dt_tensor *const *self,
                                                    int self_count,
                                                    const dt_number *scalars,
                                                    int scalars_count,
                                                    dt_tensor **results,
                                                    int room, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_add_scalars_(dt_tensor *const *self,
                                                     int self_count,
                                                     const dt_number *scalars,
                                                     int scalars_count);

/* Options of foreach_sub.  Begin with DT_FOREACH_SUB_OPTIONS_INIT. */
typedef struct dt_foreach_sub_options {
    size_t size; /* sizeof(dt_foreach_sub_options) */
    dt_number alpha;
} dt_foreach_sub_options;

#define DT_FOREACH_SUB_OPTIONS_INIT \
    {sizeof(dt_foreach_sub_options), {DT_KIND_SIGNED, {1}, 0}}

/*
 * Subtract tensors of a list, multiplied by alpha.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_sub(dt_tensor *const *self,
                                            int self_count,
                                            dt_tensor *const *other,
                                            int other_count,
                                            dt_tensor **results, int room,
                                            int *count);
DT_API DT_MUST_USE dt_status dt_foreach_sub_with(dt_tensor *const *self,
                                                 int self_count,
                                                 dt_tensor *const *other,
                                                 int other_count,
                                                 const dt_foreach_sub_options *options,
                                                 dt_tensor **results, int room,
                                                 int *count);
DT_API DT_MUST_USE dt_status dt_foreach_sub_(dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor *const *other,
                                             int other_count);
DT_API DT_MUST_USE dt_status dt_foreach_sub_with_(dt_tensor *const *self,
                                                  int self_count,
                                                  dt_tensor *const *other,
                                                  int other_count,
                                                  const dt_foreach_sub_options *options);

/*
 * Subtract a number from every tensor of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_sub_scalar(dt_tensor *const *self,
                                                   int self_count,
                                                   dt_number other,
                                                   dt_tensor **results,
                                                   int room, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_sub_scalar_(dt_tensor *const *self,
                                                    int self_count,
                                                    dt_number other);

/*
 * Subtract from every tensor of a list its number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_sub_scalars(dt_tensor *const *self,
                                                    int self_count,
                                                    const dt_number *scalars,
                                                    int scalars_count,
                                                    dt_tensor **results,
                                                    int room, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_sub_scalars_(dt_tensor *const *self,
                                                     int self_count,
                                                     const dt_number *scalars,
                                                     int scalars_count);

/*
 * Multiply tensors of two lists.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_mul(dt_tensor *const *self,
                                            int self_count,
                                            dt_tensor *const *other,
                                            int other_count,
                                            dt_tensor **results, int room,
                                            int *count);
DT_API DT_MUST_USE dt_status dt_foreach_mul_(dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor *const *other,
                                             int other_count);

/*
 * Multiply every tensor of a list by a 0-d tensor.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_mul_tensor(dt_tensor *const *self,
                                                   int self_count,
                                                   dt_tensor *other,
                                                   dt_tensor **results,
                                                   int room, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_mul_tensor_(dt_tensor *const *self,
                                                    int self_count,
                                                    dt_tensor *other);

/*
 * Multiply every tensor of a list by a number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_mul_scalar(dt_tensor *const *self,
                                                   int self_count,
                                                   dt_number other,
                                                   dt_tensor **results,
                                                   int room, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_mul_scalar_(dt_tensor *const *self,
                                                    int self_count,
                                                    dt_number other);

/*
 * Multiply every tensor of a list by its number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_mul_scalars(dt_tensor *const *self,
                                                    int self_count,
                                                    const dt_number *scalars,
                                                    int scalars_count,
                                                    dt_tensor **results,
                                                    int room, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_mul_scalars_(dt_tensor *const *self,
                                                     int self_count,
                                                     const dt_number *scalars,
                                                     int scalars_count);

/*
 * Divide by the tensors of a second list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_div(dt_tensor *const *self,
                                            int self_count,
                                            dt_tensor *const *other,
                                            int other_count,
                                            dt_tensor **results, int room,
                                            int *count);
DT_API DT_MUST_USE dt_status dt_foreach_div_(dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor *const *other,
                                             int other_count);

/*
 * Divide every tensor of a list by a 0-d tensor.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_div_tensor(dt_tensor *const *self,
                                                   int self_count,
                                                   dt_tensor *other,
                                                   dt_tensor **results,
                                                   int room, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_div_tensor_(dt_tensor *const *self,
                                                    int self_count,
                                                    dt_tensor *other);

/*
 * Divide every tensor of a list by a number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_div_scalar(dt_tensor *const *self,
                                                   int self_count,
                                                   dt_number other,
                                                   dt_tensor **results,
                                                   int room, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_div_scalar_(dt_tensor *const *self,
                                                    int self_count,
                                                    dt_number other);

/*
 * Divide every tensor of a list by its number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_div_scalars(dt_tensor *const *self,
                                                    int self_count,
                                                    const dt_number *scalars,
                                                    int scalars_count,
                                                    dt_tensor **results,
                                                    int room, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_div_scalars_(dt_tensor *const *self,
                                                     int self_count,
                                                     const dt_number *scalars,
                                                     int scalars_count);

/*
 * The larger of the elements of two lists; NaN if one is.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_maximum(dt_tensor *const *self,
                                                int self_count,
                                                dt_tensor *const *other,
                                                int other_count,
                                                dt_tensor **results, int room,
                                                int *count);
DT_API DT_MUST_USE dt_status dt_foreach_maximum_(dt_tensor *const *self,
                                                 int self_count,
                                                 dt_tensor *const *other,
                                                 int other_count);

/*
 * The smaller of the elements of two lists; NaN if one is.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_minimum(dt_tensor *const *self,
                                                int self_count,
                                                dt_tensor *const *other,
                                                int other_count,
                                                dt_tensor **results, int room,
                                                int *count);
DT_API DT_MUST_USE dt_status dt_foreach_minimum_(dt_tensor *const *self,
                                                 int self_count,
                                                 dt_tensor *const *other,
                                                 int other_count);

/*
 * Raise every tensor of a list to a power.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_pow_scalar(dt_tensor *const *self,
                                                   int self_count,
                                                   dt_number exponent,
                                                   dt_tensor **results,
                                                   int room, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_pow_scalar_(dt_tensor *const *self,
                                                    int self_count,
                                                    dt_number exponent);

/*
 * Raise every tensor of a list to its power.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_pow_scalars(dt_tensor *const *self,
                                                    int self_count,
                                                    const dt_number *scalars,
                                                    int scalars_count,
                                                    dt_tensor **results,
                                                    int room, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_pow_scalars_(dt_tensor *const *self,
                                                     int self_count,
                                                     const dt_number *scalars,
                                                     int scalars_count);

/*
 * Raise every tensor of a list to the powers of a second one.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_pow(dt_tensor *const *self,
                                            int self_count,
                                            dt_tensor *const *exponent,
                                            int exponent_count,
                                            dt_tensor **results, int room,
                                            int *count);
DT_API DT_MUST_USE dt_status dt_foreach_pow_(dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor *const *exponent,
                                             int exponent_count);

/*
 * Raise a number to the powers of every tensor of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_pow_base(dt_number self,
                                                 dt_tensor *const *exponent,
                                                 int exponent_count,
                                                 dt_tensor **results, int room,
                                                 int *count);

/*
 * max(x, min).
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_clamp_min(dt_tensor *const *self,
                                                  int self_count, dt_number min,
                                                  dt_tensor **results, int room,
                                                  int *count);
DT_API DT_MUST_USE dt_status dt_foreach_clamp_min_(dt_tensor *const *self,
                                                   int self_count,
                                                   dt_number min);

/*
 * Replace what is less than the number of its tensor by it.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_clamp_min_scalars(dt_tensor *const *self,
                                                          int self_count,
                                                          const dt_number *scalars,
                                                          int scalars_count,
                                                          dt_tensor **results,
                                                          int room,
                                                          int *count);
DT_API DT_MUST_USE dt_status dt_foreach_clamp_min_scalars_(dt_tensor *const *self,
                                                           int self_count,
                                                           const dt_number *scalars,
                                                           int scalars_count);

/*
 * min(x, max).
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_clamp_max(dt_tensor *const *self,
                                                  int self_count, dt_number max,
                                                  dt_tensor **results, int room,
                                                  int *count);
DT_API DT_MUST_USE dt_status dt_foreach_clamp_max_(dt_tensor *const *self,
                                                   int self_count,
                                                   dt_number max);

/*
 * Replace what is more than the number of its tensor by it.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_clamp_max_scalars(dt_tensor *const *self,
                                                          int self_count,
                                                          const dt_number *scalars,
                                                          int scalars_count,
                                                          dt_tensor **results,
                                                          int room,
                                                          int *count);
DT_API DT_MUST_USE dt_status dt_foreach_clamp_max_scalars_(dt_tensor *const *self,
                                                           int self_count,
                                                           const dt_number *scalars,
                                                           int scalars_count);

/* Options of foreach_addcmul.  Begin with DT_FOREACH_ADDCMUL_OPTIONS_INIT. */
typedef struct dt_foreach_addcmul_options {
    size_t size; /* sizeof(dt_foreach_addcmul_options) */
    dt_number value;
} dt_foreach_addcmul_options;

#define DT_FOREACH_ADDCMUL_OPTIONS_INIT \
    {sizeof(dt_foreach_addcmul_options), {DT_KIND_SIGNED, {1}, 0}}

/*
 * Add products of two lists, multiplied by a number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_addcmul(dt_tensor *const *self,
                                                int self_count,
                                                dt_tensor *const *tensor1,
                                                int tensor1_count,
                                                dt_tensor *const *tensor2,
                                                int tensor2_count,
                                                dt_tensor **results, int room,
                                                int *count);
DT_API DT_MUST_USE dt_status dt_foreach_addcmul_with(dt_tensor *const *self,
                                                     int self_count,
                                                     dt_tensor *const *tensor1,
                                                     int tensor1_count,
                                                     dt_tensor *const *tensor2,
                                                     int tensor2_count,
                                                     const dt_foreach_addcmul_options *options,
                                                     dt_tensor **results,
                                                     int room, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_addcmul_(dt_tensor *const *self,
                                                 int self_count,
                                                 dt_tensor *const *tensor1,
                                                 int tensor1_count,
                                                 dt_tensor *const *tensor2,
                                                 int tensor2_count);
DT_API DT_MUST_USE dt_status dt_foreach_addcmul_with_(dt_tensor *const *self,
                                                      int self_count,
                                                      dt_tensor *const *tensor1,
                                                      int tensor1_count,
                                                      dt_tensor *const *tensor2,
                                                      int tensor2_count,
                                                      const dt_foreach_addcmul_options *options);

/*
 * Add products of two lists, each multiplied by its number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_addcmul_scalars(dt_tensor *const *self,
                                                        int self_count,
                                                        dt_tensor *const *tensor1,
                                                        int tensor1_count,
                                                        dt_tensor *const *tensor2,
                                                        int tensor2_count,
                                                        const dt_number *scalars,
                                                        int scalars_count,
                                                        dt_tensor **results,
                                                        int room, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_addcmul_scalars_(dt_tensor *const *self,
                                                         int self_count,
                                                         dt_tensor *const *tensor1,
                                                         int tensor1_count,
                                                         dt_tensor *const *tensor2,
                                                         int tensor2_count,
                                                         const dt_number *scalars,
                                                         int scalars_count);

/* Options of foreach_addcdiv.  Begin with DT_FOREACH_ADDCDIV_OPTIONS_INIT. */
typedef struct dt_foreach_addcdiv_options {
    size_t size; /* sizeof(dt_foreach_addcdiv_options) */
    dt_number value;
} dt_foreach_addcdiv_options;

#define DT_FOREACH_ADDCDIV_OPTIONS_INIT \
    {sizeof(dt_foreach_addcdiv_options), {DT_KIND_SIGNED, {1}, 0}}

/*
 * Add quotients of two lists, multiplied by a number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_addcdiv(dt_tensor *const *self,
                                                int self_count,
                                                dt_tensor *const *tensor1,
                                                int tensor1_count,
                                                dt_tensor *const *tensor2,
                                                int tensor2_count,
                                                dt_tensor **results, int room,
                                                int *count);
DT_API DT_MUST_USE dt_status dt_foreach_addcdiv_with(dt_tensor *const *self,
                                                     int self_count,
                                                     dt_tensor *const *tensor1,
                                                     int tensor1_count,
                                                     dt_tensor *const *tensor2,
                                                     int tensor2_count,
                                                     const dt_foreach_addcdiv_options *options,
                                                     dt_tensor **results,
                                                     int room, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_addcdiv_(dt_tensor *const *self,
                                                 int self_count,
                                                 dt_tensor *const *tensor1,
                                                 int tensor1_count,
                                                 dt_tensor *const *tensor2,
                                                 int tensor2_count);
DT_API DT_MUST_USE dt_status dt_foreach_addcdiv_with_(dt_tensor *const *self,
                                                      int self_count,
                                                      dt_tensor *const *tensor1,
                                                      int tensor1_count,
                                                      dt_tensor *const *tensor2,
                                                      int tensor2_count,
                                                      const dt_foreach_addcdiv_options *options);

/*
 * Add quotients of two lists, each multiplied by its number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_addcdiv_scalars(dt_tensor *const *self,
                                                        int self_count,
                                                        dt_tensor *const *tensor1,
                                                        int tensor1_count,
                                                        dt_tensor *const *tensor2,
                                                        int tensor2_count,
                                                        const dt_number *scalars,
                                                        int scalars_count,
                                                        dt_tensor **results,
                                                        int room, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_addcdiv_scalars_(dt_tensor *const *self,
                                                         int self_count,
                                                         dt_tensor *const *tensor1,
                                                         int tensor1_count,
                                                         dt_tensor *const *tensor2,
                                                         int tensor2_count,
                                                         const dt_number *scalars,
                                                         int scalars_count);

/*
 * Go from tensors of one list to those of a second, a part of the way that
 * elements of a third say.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_lerp(dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor *const *tensors1,
                                             int tensors1_count,
                                             dt_tensor *const *weights,
                                             int weights_count,
                                             dt_tensor **results, int room,
                                             int *count);
DT_API DT_MUST_USE dt_status dt_foreach_lerp_(dt_tensor *const *self,
                                              int self_count,
                                              dt_tensor *const *tensors1,
                                              int tensors1_count,
                                              dt_tensor *const *weights,
                                              int weights_count);

/*
 * Interpolate between the tensors of two lists.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_lerp_scalar(dt_tensor *const *self,
                                                    int self_count,
                                                    dt_tensor *const *tensors1,
                                                    int tensors1_count,
                                                    dt_number weight,
                                                    dt_tensor **results,
                                                    int room, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_lerp_scalar_(dt_tensor *const *self,
                                                     int self_count,
                                                     dt_tensor *const *tensors1,
                                                     int tensors1_count,
                                                     dt_number weight);

/*
 * Interpolate between the tensors of two lists, with one weight for each.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_lerp_scalars(dt_tensor *const *self,
                                                     int self_count,
                                                     dt_tensor *const *tensors1,
                                                     int tensors1_count,
                                                     const dt_number *weight,
                                                     int weight_count,
                                                     dt_tensor **results,
                                                     int room, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_lerp_scalars_(dt_tensor *const *self,
                                                      int self_count,
                                                      dt_tensor *const *tensors1,
                                                      int tensors1_count,
                                                      const dt_number *weight,
                                                      int weight_count);

/*
 * Copy the tensors of a second list, as the dtypes of the first.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_copy(dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor *const *src,
                                             int src_count, dt_tensor **results,
                                             int room, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_copy_(dt_tensor *const *self,
                                              int self_count,
                                              dt_tensor *const *src,
                                              int src_count);

/*
 * Set every element to 0.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_zero(dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor **results, int room,
                                             int *count);
DT_API DT_MUST_USE dt_status dt_foreach_zero_(dt_tensor *const *self,
                                              int self_count);

/*
 * Negate every tensor of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_neg(dt_tensor *const *self,
                                            int self_count, dt_tensor **results,
                                            int room, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_neg_(dt_tensor *const *self,
                                             int self_count);

/*
 * The absolute values of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_abs(dt_tensor *const *self,
                                            int self_count, dt_tensor **results,
                                            int room, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_abs_(dt_tensor *const *self,
                                             int self_count);

/*
 * The square roots of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_sqrt(dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor **results, int room,
                                             int *count);
DT_API DT_MUST_USE dt_status dt_foreach_sqrt_(dt_tensor *const *self,
                                              int self_count);

/*
 * One over the square roots of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_rsqrt(dt_tensor *const *self,
                                              int self_count,
                                              dt_tensor **results, int room,
                                              int *count);
DT_API DT_MUST_USE dt_status dt_foreach_rsqrt_(dt_tensor *const *self,
                                               int self_count);

/*
 * One over every element of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_reciprocal(dt_tensor *const *self,
                                                   int self_count,
                                                   dt_tensor **results,
                                                   int room, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_reciprocal_(dt_tensor *const *self,
                                                    int self_count);

/*
 * The exponential function of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_exp(dt_tensor *const *self,
                                            int self_count, dt_tensor **results,
                                            int room, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_exp_(dt_tensor *const *self,
                                             int self_count);

/*
 * The natural logarithms of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_log(dt_tensor *const *self,
                                            int self_count, dt_tensor **results,
                                            int room, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_log_(dt_tensor *const *self,
                                             int self_count);

/*
 * The hyperbolic tangents of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_tanh(dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor **results, int room,
                                             int *count);
DT_API DT_MUST_USE dt_status dt_foreach_tanh_(dt_tensor *const *self,
                                              int self_count);

/*
 * The logistic function of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_sigmoid(dt_tensor *const *self,
                                                int self_count,
                                                dt_tensor **results, int room,
                                                int *count);
DT_API DT_MUST_USE dt_status dt_foreach_sigmoid_(dt_tensor *const *self,
                                                 int self_count);

/*
 * The signs of a list: -1, 0 or 1.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_sign(dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor **results, int room,
                                             int *count);
DT_API DT_MUST_USE dt_status dt_foreach_sign_(dt_tensor *const *self,
                                              int self_count);

/*
 * The largest integers that are not larger.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_floor(dt_tensor *const *self,
                                              int self_count,
                                              dt_tensor **results, int room,
                                              int *count);
DT_API DT_MUST_USE dt_status dt_foreach_floor_(dt_tensor *const *self,
                                               int self_count);

/*
 * The least integers that are not less.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_ceil(dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor **results, int room,
                                             int *count);
DT_API DT_MUST_USE dt_status dt_foreach_ceil_(dt_tensor *const *self,
                                              int self_count);

/*
 * The nearest integers, ties to even.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_round(dt_tensor *const *self,
                                              int self_count,
                                              dt_tensor **results, int room,
                                              int *count);
DT_API DT_MUST_USE dt_status dt_foreach_round_(dt_tensor *const *self,
                                               int self_count);

/*
 * What is left without fractions.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_trunc(dt_tensor *const *self,
                                              int self_count,
                                              dt_tensor **results, int room,
                                              int *count);
DT_API DT_MUST_USE dt_status dt_foreach_trunc_(dt_tensor *const *self,
                                               int self_count);

/*
 * The fractions of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_frac(dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor **results, int room,
                                             int *count);
DT_API DT_MUST_USE dt_status dt_foreach_frac_(dt_tensor *const *self,
                                              int self_count);

/*
 * The exponential function less 1.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_expm1(dt_tensor *const *self,
                                              int self_count,
                                              dt_tensor **results, int room,
                                              int *count);
DT_API DT_MUST_USE dt_status dt_foreach_expm1_(dt_tensor *const *self,
                                               int self_count);

/*
 * The natural logarithms of 1 more.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_log1p(dt_tensor *const *self,
                                              int self_count,
                                              dt_tensor **results, int room,
                                              int *count);
DT_API DT_MUST_USE dt_status dt_foreach_log1p_(dt_tensor *const *self,
                                               int self_count);

/*
 * The logarithms to base 2 of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_log2(dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor **results, int room,
                                             int *count);
DT_API DT_MUST_USE dt_status dt_foreach_log2_(dt_tensor *const *self,
                                              int self_count);

/*
 * The logarithms to base 10 of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_log10(dt_tensor *const *self,
                                              int self_count,
                                              dt_tensor **results, int room,
                                              int *count);
DT_API DT_MUST_USE dt_status dt_foreach_log10_(dt_tensor *const *self,
                                               int self_count);

/*
 * The sines of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_sin(dt_tensor *const *self,
                                            int self_count, dt_tensor **results,
                                            int room, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_sin_(dt_tensor *const *self,
                                             int self_count);

/*
 * The cosines of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_cos(dt_tensor *const *self,
                                            int self_count, dt_tensor **results,
                                            int room, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_cos_(dt_tensor *const *self,
                                             int self_count);

/*
 * The tangents of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_tan(dt_tensor *const *self,
                                            int self_count, dt_tensor **results,
                                            int room, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_tan_(dt_tensor *const *self,
                                             int self_count);

/*
 * The angles of sines.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_asin(dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor **results, int room,
                                             int *count);
DT_API DT_MUST_USE dt_status dt_foreach_asin_(dt_tensor *const *self,
                                              int self_count);

/*
 * The angles of cosines.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_acos(dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor **results, int room,
                                             int *count);
DT_API DT_MUST_USE dt_status dt_foreach_acos_(dt_tensor *const *self,
                                              int self_count);

/*
 * The angles of tangents.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_atan(dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor **results, int room,
                                             int *count);
DT_API DT_MUST_USE dt_status dt_foreach_atan_(dt_tensor *const *self,
                                              int self_count);

/*
 * The hyperbolic sines of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_sinh(dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor **results, int room,
                                             int *count);
DT_API DT_MUST_USE dt_status dt_foreach_sinh_(dt_tensor *const *self,
                                              int self_count);

/*
 * The hyperbolic cosines of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_cosh(dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor **results, int room,
                                             int *count);
DT_API DT_MUST_USE dt_status dt_foreach_cosh_(dt_tensor *const *self,
                                              int self_count);

/*
 * The error function of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_erf(dt_tensor *const *self,
                                            int self_count, dt_tensor **results,
                                            int room, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_erf_(dt_tensor *const *self,
                                             int self_count);

/*
 * One less the error function of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_erfc(dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor **results, int room,
                                             int *count);
DT_API DT_MUST_USE dt_status dt_foreach_erfc_(dt_tensor *const *self,
                                              int self_count);

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
 * One step of Adam; `state_steps` has its number.  Tensors may be on different
 * meshes.  Numbers that are tensors are replicated.  Gradients are divided by
 * `grad_scale` in place, and redistributed for the step if they have another
 * layout; nothing is done if `found_inf` is 1.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_fused_adam_(dt_tensor *const *self,
                                            int self_count,
                                            dt_tensor *const *grads,
                                            int grads_count,
                                            dt_tensor *const *exp_avgs,
                                            int exp_avgs_count,
                                            dt_tensor *const *exp_avg_sqs,
                                            int exp_avg_sqs_count,
                                            dt_tensor *const *max_exp_avg_sqs,
                                            int max_exp_avg_sqs_count,
                                            dt_tensor *const *state_steps,
                                            int state_steps_count);
DT_API DT_MUST_USE dt_status dt_fused_adam_with_(dt_tensor *const *self,
                                                 int self_count,
                                                 dt_tensor *const *grads,
                                                 int grads_count,
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
 * One step of AdamW; `state_steps` has its number.  Tensors may be on different
 * meshes.  Numbers that are tensors are replicated.  Gradients are divided by
 * `grad_scale` in place, and redistributed for the step if they have another
 * layout; nothing is done if `found_inf` is 1.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_fused_adamw_(dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor *const *grads,
                                             int grads_count,
                                             dt_tensor *const *exp_avgs,
                                             int exp_avgs_count,
                                             dt_tensor *const *exp_avg_sqs,
                                             int exp_avg_sqs_count,
                                             dt_tensor *const *max_exp_avg_sqs,
                                             int max_exp_avg_sqs_count,
                                             dt_tensor *const *state_steps,
                                             int state_steps_count);
DT_API DT_MUST_USE dt_status dt_fused_adamw_with_(dt_tensor *const *self,
                                                  int self_count,
                                                  dt_tensor *const *grads,
                                                  int grads_count,
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
 * of which there are none without it.  Tensors may be on different meshes.
 * Numbers that are tensors are replicated.  Gradients are divided by
 * `grad_scale` in place, and redistributed for the step if they have another
 * layout; nothing is done if `found_inf` is 1.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_fused_sgd_(dt_tensor *const *self,
                                           int self_count,
                                           dt_tensor *const *grads,
                                           int grads_count,
                                           dt_tensor *const *momentum_buffer_list,
                                           int momentum_buffer_list_count);
DT_API DT_MUST_USE dt_status dt_fused_sgd_with_(dt_tensor *const *self,
                                                int self_count,
                                                dt_tensor *const *grads,
                                                int grads_count,
                                                dt_tensor *const *momentum_buffer_list,
                                                int momentum_buffer_list_count,
                                                const dt_fused_sgd_options *options);

/* ---- Gather ------------------------------------------------------------- */

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
 * For each index, a row of zeros with a 1 at the index.  With num_classes -1
 * there are as many as the largest index requires.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_one_hot(dt_tensor *self, int64_t num_classes);

/*
 * As gather, with both tensors broadcast apart from the dimension; negative
 * indexes count from its end.
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

/* ---- Glu ---------------------------------------------------------------- */

/* Options of glu.  Begin with DT_GLU_OPTIONS_INIT. */
typedef struct dt_glu_options {
    size_t size; /* sizeof(dt_glu_options) */
    int dim;
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

/*
 * The gradient of glu.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_glu_backward(dt_tensor *grad_output, dt_tensor *self,
                                  int dim);
DT_API dt_tensor *dt_glu_backward_out(dt_tensor *grad_output, dt_tensor *self,
                                      int dim, dt_tensor *out);

/* ---- Gradient ----------------------------------------------------------- */

/*
 * Sum over broadcast dimensions to a shape: the gradient of an expanded tensor.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_sum_to_size(dt_tensor *self, dt_shape size);

/*
 * Put elements where they were selected along a dimension of a tensor of this
 * shape, with zeros elsewhere: the gradient of max_dim, median_dim, mode and
 * the like.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_value_selecting_reduction_backward(dt_tensor *grad,
                                                        int dim,
                                                        dt_tensor *indices,
                                                        dt_shape sizes,
                                                        bool keepdim);

/* ---- Group_norm --------------------------------------------------------- */

/*
 * Normalise groups of channels to mean 0 and variance 1, then multiply by the
 * weight of each channel and add its bias.  n, c and hxw are the batch size,
 * the number of channels and the product of the remaining extents.  The
 * statistics have the dtype of weight and bias, or that of the input.
 *
 * Collective over the mesh of its tensors.  `weight` may be NULL.  `bias` may
 * be NULL.
 */
DT_API DT_MUST_USE dt_status dt_group_norm(dt_tensor *input, dt_tensor *weight,
                                           dt_tensor *bias, int64_t n,
                                           int64_t c, int64_t hxw,
                                           int64_t group, double eps,
                                           dt_tensor **out, dt_tensor **mean,
                                           dt_tensor **rstd);

/*
 * Gradients of group_norm with respect to its inputs.  Results whose element of
 * output_mask is 0 are empty and not computed.
 *
 * Collective over the mesh of its tensors.  `weight` may be NULL.
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

/* ---- Histogram ---------------------------------------------------------- */

/* Options of histc.  Begin with DT_HISTC_OPTIONS_INIT. */
typedef struct dt_histc_options {
    size_t size; /* sizeof(dt_histc_options) */
    int64_t bins;
    dt_number min;
    dt_number max;
} dt_histc_options;

#define DT_HISTC_OPTIONS_INIT \
    {sizeof(dt_histc_options), 100, {DT_KIND_SIGNED, {0}, 0}, \
     {DT_KIND_SIGNED, {0}, 0}}

/*
 * Count the elements in bins of one width between two bounds; if these are
 * equal, between the least and the greatest element.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_histc(dt_tensor *self);
DT_API dt_tensor *dt_histc_with(dt_tensor *self,
                                const dt_histc_options *options);

/* Options of bincount.  Begin with DT_BINCOUNT_OPTIONS_INIT. */
typedef struct dt_bincount_options {
    size_t size; /* sizeof(dt_bincount_options) */
    int64_t minlength;
} dt_bincount_options;

#define DT_BINCOUNT_OPTIONS_INIT \
    {sizeof(dt_bincount_options), 0}

/*
 * Count how often each number from 0 on occurs, or add up the weights of those
 * that do: in f32 or f64.
 *
 * Collective over the mesh of its tensors.  `weights` may be NULL.
 */
DT_API dt_tensor *dt_bincount(dt_tensor *self, dt_tensor *weights);
DT_API dt_tensor *dt_bincount_with(dt_tensor *self, dt_tensor *weights,
                                   const dt_bincount_options *options);

/* ---- Index -------------------------------------------------------------- */

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

/* ---- Index_add ---------------------------------------------------------- */

/* Options of index_add.  Begin with DT_INDEX_ADD_OPTIONS_INIT. */
typedef struct dt_index_add_options {
    size_t size; /* sizeof(dt_index_add_options) */
    dt_number alpha;
} dt_index_add_options;

#define DT_INDEX_ADD_OPTIONS_INIT \
    {sizeof(dt_index_add_options), {DT_KIND_SIGNED, {1}, 0}}

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
 * Concatenate tensors along a dimension; their other dimensions must be equal.
 * Tensors of shape (0,) are ignored.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_cat(dt_tensor *const *tensors, int tensors_count,
                         int dim);
DT_API dt_tensor *dt_cat_out(dt_tensor *const *tensors, int tensors_count,
                             int dim, dt_tensor *out);

/*
 * Concatenate tensors of equal shape along a new dimension.
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
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 */
DT_API DT_MUST_USE dt_status dt_split(dt_tensor *self, int64_t size, int dim,
                                      dt_tensor **results, int room,
                                      int *count);

/*
 * Split a tensor into views of the given sizes along a dimension.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 */
DT_API DT_MUST_USE dt_status dt_split_sizes(dt_tensor *self,
                                            const int64_t *sizes,
                                            int sizes_count, int dim,
                                            dt_tensor **results, int room,
                                            int *count);

/*
 * See so many pieces along a dimension, of equal size rounded up; there may be
 * fewer.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 */
DT_API DT_MUST_USE dt_status dt_chunk(dt_tensor *self, int64_t pieces, int dim,
                                      dt_tensor **results, int room,
                                      int *count);

/*
 * See every index of a dimension, which disappears.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 */
DT_API DT_MUST_USE dt_status dt_unbind(dt_tensor *self, int dim,
                                       dt_tensor **results, int room,
                                       int *count);

/* ---- Logsumexp ---------------------------------------------------------- */

/*
 * log(sum(exp(x))) over dimensions, without overflow.  Sharded dimensions need
 * one collective with two numbers per rank.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_logsumexp(dt_tensor *self, dt_dims dims, bool keepdim);
DT_API dt_tensor *dt_logsumexp_out(dt_tensor *self, dt_dims dims, bool keepdim,
                                   dt_tensor *out);

/* ---- Loss --------------------------------------------------------------- */

/* Options of mse_loss.  Begin with DT_MSE_LOSS_OPTIONS_INIT. */
typedef struct dt_mse_loss_options {
    size_t size; /* sizeof(dt_mse_loss_options) */
    int64_t reduction;
} dt_mse_loss_options;

#define DT_MSE_LOSS_OPTIONS_INIT \
    {sizeof(dt_mse_loss_options), 1}

/*
 * Squared differences, their mean or their sum.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_mse_loss(dt_tensor *self, dt_tensor *target);
DT_API dt_tensor *dt_mse_loss_with(dt_tensor *self, dt_tensor *target,
                                   const dt_mse_loss_options *options);
DT_API dt_tensor *dt_mse_loss_out(dt_tensor *self, dt_tensor *target,
                                  dt_tensor *out);
DT_API dt_tensor *dt_mse_loss_with_out(dt_tensor *self, dt_tensor *target,
                                       const dt_mse_loss_options *options,
                                       dt_tensor *out);

/*
 * Gradient of mse_loss with respect to self, in the shape to which self and
 * target are broadcast.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_mse_loss_backward(dt_tensor *grad_output, dt_tensor *self,
                                       dt_tensor *target, int64_t reduction);

/* Options of l1_loss.  Begin with DT_L1_LOSS_OPTIONS_INIT. */
typedef struct dt_l1_loss_options {
    size_t size; /* sizeof(dt_l1_loss_options) */
    int64_t reduction;
} dt_l1_loss_options;

#define DT_L1_LOSS_OPTIONS_INIT \
    {sizeof(dt_l1_loss_options), 1}

/*
 * Absolute differences, their mean or their sum.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_l1_loss(dt_tensor *self, dt_tensor *target);
DT_API dt_tensor *dt_l1_loss_with(dt_tensor *self, dt_tensor *target,
                                  const dt_l1_loss_options *options);

/*
 * Gradient of l1_loss with respect to self.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_l1_loss_backward(dt_tensor *grad_output, dt_tensor *self,
                                      dt_tensor *target, int64_t reduction);

/* Options of smooth_l1_loss.  Begin with DT_SMOOTH_L1_LOSS_OPTIONS_INIT. */
typedef struct dt_smooth_l1_loss_options {
    size_t size; /* sizeof(dt_smooth_l1_loss_options) */
    int64_t reduction;
    double beta;
} dt_smooth_l1_loss_options;

#define DT_SMOOTH_L1_LOSS_OPTIONS_INIT \
    {sizeof(dt_smooth_l1_loss_options), 1, 1}

/*
 * d^2 / (2 beta) for differences d below beta, |d| - beta / 2 for others; their
 * mean or their sum.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_smooth_l1_loss(dt_tensor *self, dt_tensor *target);
DT_API dt_tensor *dt_smooth_l1_loss_with(dt_tensor *self, dt_tensor *target,
                                         const dt_smooth_l1_loss_options *options);
DT_API dt_tensor *dt_smooth_l1_loss_out(dt_tensor *self, dt_tensor *target,
                                        dt_tensor *out);
DT_API dt_tensor *dt_smooth_l1_loss_with_out(dt_tensor *self, dt_tensor *target,
                                             const dt_smooth_l1_loss_options *options,
                                             dt_tensor *out);

/*
 * Gradient of smooth_l1_loss with respect to self.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_smooth_l1_loss_backward(dt_tensor *grad_output,
                                             dt_tensor *self, dt_tensor *target,
                                             int64_t reduction, double beta);

/* Options of huber_loss.  Begin with DT_HUBER_LOSS_OPTIONS_INIT. */
typedef struct dt_huber_loss_options {
    size_t size; /* sizeof(dt_huber_loss_options) */
    int64_t reduction;
    double delta;
} dt_huber_loss_options;

#define DT_HUBER_LOSS_OPTIONS_INIT \
    {sizeof(dt_huber_loss_options), 1, 1}

/*
 * d^2 / 2 for differences d up to delta, delta (|d| - delta / 2) for others;
 * their mean or their sum.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_huber_loss(dt_tensor *self, dt_tensor *target);
DT_API dt_tensor *dt_huber_loss_with(dt_tensor *self, dt_tensor *target,
                                     const dt_huber_loss_options *options);
DT_API dt_tensor *dt_huber_loss_out(dt_tensor *self, dt_tensor *target,
                                    dt_tensor *out);
DT_API dt_tensor *dt_huber_loss_with_out(dt_tensor *self, dt_tensor *target,
                                         const dt_huber_loss_options *options,
                                         dt_tensor *out);

/*
 * Gradient of huber_loss with respect to self.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_huber_loss_backward(dt_tensor *grad_output,
                                         dt_tensor *self, dt_tensor *target,
                                         int64_t reduction, double delta);

/* Options of binary_cross_entropy.  Begin with DT_BINARY_CROSS_ENTROPY_OPTIONS_INIT. */
typedef struct dt_binary_cross_entropy_options {
    size_t size; /* sizeof(dt_binary_cross_entropy_options) */
    int64_t reduction;
} dt_binary_cross_entropy_options;

#define DT_BINARY_CROSS_ENTROPY_OPTIONS_INIT \
    {sizeof(dt_binary_cross_entropy_options), 1}

/*
 * Cross-entropy of probabilities from 0 to 1 and targets, times weight; its
 * mean or its sum.
 *
 * Collective over the mesh of its tensors.  `weight` may be NULL.
 */
DT_API dt_tensor *dt_binary_cross_entropy(dt_tensor *self, dt_tensor *target,
                                          dt_tensor *weight);
DT_API dt_tensor *dt_binary_cross_entropy_with(dt_tensor *self,
                                               dt_tensor *target,
                                               dt_tensor *weight,
                                               const dt_binary_cross_entropy_options *options);
DT_API dt_tensor *dt_binary_cross_entropy_out(dt_tensor *self,
                                              dt_tensor *target,
                                              dt_tensor *weight,
                                              dt_tensor *out);
DT_API dt_tensor *dt_binary_cross_entropy_with_out(dt_tensor *self,
                                                   dt_tensor *target,
                                                   dt_tensor *weight,
                                                   const dt_binary_cross_entropy_options *options,
                                                   dt_tensor *out);

/* Options of binary_cross_entropy_backward.  Begin with DT_BINARY_CROSS_ENTROPY_BACKWARD_OPTIONS_INIT. */
typedef struct dt_binary_cross_entropy_backward_options {
    size_t size; /* sizeof(dt_binary_cross_entropy_backward_options) */
    int64_t reduction;
} dt_binary_cross_entropy_backward_options;

#define DT_BINARY_CROSS_ENTROPY_BACKWARD_OPTIONS_INIT \
    {sizeof(dt_binary_cross_entropy_backward_options), 1}

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

/* Options of binary_cross_entropy_with_logits.  Begin with DT_BINARY_CROSS_ENTROPY_WITH_LOGITS_OPTIONS_INIT. */
typedef struct dt_binary_cross_entropy_with_logits_options {
    size_t size; /* sizeof(dt_binary_cross_entropy_with_logits_options) */
    int64_t reduction;
} dt_binary_cross_entropy_with_logits_options;

#define DT_BINARY_CROSS_ENTROPY_WITH_LOGITS_OPTIONS_INIT \
    {sizeof(dt_binary_cross_entropy_with_logits_options), 1}

/*
 * Cross-entropy of the sigmoid of logits and targets, times weight; pos_weight
 * is the weight of positive targets; its mean or its sum.
 *
 * Collective over the mesh of its tensors.  `weight` may be NULL.  `pos_weight`
 * may be NULL.
 */
DT_API dt_tensor *dt_binary_cross_entropy_with_logits(dt_tensor *self,
                                                      dt_tensor *target,
                                                      dt_tensor *weight,
                                                      dt_tensor *pos_weight);
DT_API dt_tensor *dt_binary_cross_entropy_with_logits_with(dt_tensor *self,
                                                           dt_tensor *target,
                                                           dt_tensor *weight,
                                                           dt_tensor *pos_weight,
                                                           const dt_binary_cross_entropy_with_logits_options *options);
DT_API dt_tensor *dt_binary_cross_entropy_with_logits_out(dt_tensor *self,
                                                          dt_tensor *target,
                                                          dt_tensor *weight,
                                                          dt_tensor *pos_weight,
                                                          dt_tensor *out);
DT_API dt_tensor *dt_binary_cross_entropy_with_logits_with_out(dt_tensor *self,
                                                               dt_tensor *target,
                                                               dt_tensor *weight,
                                                               dt_tensor *pos_weight,
                                                               const dt_binary_cross_entropy_with_logits_options *options,
                                                               dt_tensor *out);

/* Options of binary_cross_entropy_logits_backward.  Begin with DT_BINARY_CROSS_ENTROPY_LOGITS_BACKWARD_OPTIONS_INIT. */
typedef struct dt_binary_cross_entropy_logits_backward_options {
    size_t size; /* sizeof(dt_binary_cross_entropy_logits_backward_options) */
    int64_t reduction;
} dt_binary_cross_entropy_logits_backward_options;

#define DT_BINARY_CROSS_ENTROPY_LOGITS_BACKWARD_OPTIONS_INIT \
    {sizeof(dt_binary_cross_entropy_logits_backward_options), 1}

/*
 * Gradient of binary_cross_entropy_with_logits with respect to self.
 *
 * Collective over the mesh of its tensors.  `weight` may be NULL.  `pos_weight`
 * may be NULL.
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

/* Options of kl_div.  Begin with DT_KL_DIV_OPTIONS_INIT. */
typedef struct dt_kl_div_options {
    size_t size; /* sizeof(dt_kl_div_options) */
    int64_t reduction;
    bool log_target;
} dt_kl_div_options;

#define DT_KL_DIV_OPTIONS_INIT \
    {sizeof(dt_kl_div_options), 1, false}

/*
 * target (log(target) - self), where self has log-probabilities, and target too
 * if log_target; their mean or their sum.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_kl_div(dt_tensor *self, dt_tensor *target);
DT_API dt_tensor *dt_kl_div_with(dt_tensor *self, dt_tensor *target,
                                 const dt_kl_div_options *options);

/* Options of kl_div_backward.  Begin with DT_KL_DIV_BACKWARD_OPTIONS_INIT. */
typedef struct dt_kl_div_backward_options {
    size_t size; /* sizeof(dt_kl_div_backward_options) */
    int64_t reduction;
    bool log_target;
} dt_kl_div_backward_options;

#define DT_KL_DIV_BACKWARD_OPTIONS_INIT \
    {sizeof(dt_kl_div_backward_options), 1, false}

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

/* ---- Masked_scatter ----------------------------------------------------- */

/*
 * Put elements of source, in their order, where a mask, which is broadcast, is
 * true.  A source that is too short is an error on all ranks.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_masked_scatter(dt_tensor *self, dt_tensor *mask,
                                    dt_tensor *source);
DT_API dt_tensor *dt_masked_scatter_(dt_tensor *self, dt_tensor *mask,
                                     dt_tensor *source);
DT_API dt_tensor *dt_masked_scatter_out(dt_tensor *self, dt_tensor *mask,
                                        dt_tensor *source, dt_tensor *out);

/*
 * Gradient of masked_scatter for a source of this shape: the elements where the
 * mask is true, followed by zeros.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_masked_scatter_backward(dt_tensor *grad_output,
                                             dt_tensor *mask, dt_shape sizes);

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
    {sizeof(dt_addmm_options), {DT_KIND_SIGNED, {1}, 0}, \
     {DT_KIND_SIGNED, {1}, 0}}

/*
 * beta * self + alpha * mat1 mat2; self is broadcast, and not read if beta is
 * 0.
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
    {sizeof(dt_baddbmm_options), {DT_KIND_SIGNED, {1}, 0}, \
     {DT_KIND_SIGNED, {1}, 0}}

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

/* Options of addmv.  Begin with DT_ADDMV_OPTIONS_INIT. */
typedef struct dt_addmv_options {
    size_t size; /* sizeof(dt_addmv_options) */
    dt_number beta;
    dt_number alpha;
} dt_addmv_options;

#define DT_ADDMV_OPTIONS_INIT \
    {sizeof(dt_addmv_options), {DT_KIND_SIGNED, {1}, 0}, \
     {DT_KIND_SIGNED, {1}, 0}}

/*
 * beta * self + alpha * mat vec.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_addmv(dt_tensor *self, dt_tensor *mat, dt_tensor *vec);
DT_API dt_tensor *dt_addmv_with(dt_tensor *self, dt_tensor *mat, dt_tensor *vec,
                                const dt_addmv_options *options);
DT_API dt_tensor *dt_addmv_(dt_tensor *self, dt_tensor *mat, dt_tensor *vec);
DT_API dt_tensor *dt_addmv_with_(dt_tensor *self, dt_tensor *mat,
                                 dt_tensor *vec,
                                 const dt_addmv_options *options);
DT_API dt_tensor *dt_addmv_out(dt_tensor *self, dt_tensor *mat, dt_tensor *vec,
                               dt_tensor *out);
DT_API dt_tensor *dt_addmv_with_out(dt_tensor *self, dt_tensor *mat,
                                    dt_tensor *vec,
                                    const dt_addmv_options *options,
                                    dt_tensor *out);

/* Options of addr.  Begin with DT_ADDR_OPTIONS_INIT. */
typedef struct dt_addr_options {
    size_t size; /* sizeof(dt_addr_options) */
    dt_number beta;
    dt_number alpha;
} dt_addr_options;

#define DT_ADDR_OPTIONS_INIT \
    {sizeof(dt_addr_options), {DT_KIND_SIGNED, {1}, 0}, \
     {DT_KIND_SIGNED, {1}, 0}}

/*
 * beta * self + alpha * the outer product of vec1 and vec2.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_addr(dt_tensor *self, dt_tensor *vec1, dt_tensor *vec2);
DT_API dt_tensor *dt_addr_with(dt_tensor *self, dt_tensor *vec1,
                               dt_tensor *vec2,
                               const dt_addr_options *options);
DT_API dt_tensor *dt_addr_(dt_tensor *self, dt_tensor *vec1, dt_tensor *vec2);
DT_API dt_tensor *dt_addr_with_(dt_tensor *self, dt_tensor *vec1,
                                dt_tensor *vec2,
                                const dt_addr_options *options);
DT_API dt_tensor *dt_addr_out(dt_tensor *self, dt_tensor *vec1, dt_tensor *vec2,
                              dt_tensor *out);
DT_API dt_tensor *dt_addr_with_out(dt_tensor *self, dt_tensor *vec1,
                                   dt_tensor *vec2,
                                   const dt_addr_options *options,
                                   dt_tensor *out);

/* Options of addbmm.  Begin with DT_ADDBMM_OPTIONS_INIT. */
typedef struct dt_addbmm_options {
    size_t size; /* sizeof(dt_addbmm_options) */
    dt_number beta;
    dt_number alpha;
} dt_addbmm_options;

#define DT_ADDBMM_OPTIONS_INIT \
    {sizeof(dt_addbmm_options), {DT_KIND_SIGNED, {1}, 0}, \
     {DT_KIND_SIGNED, {1}, 0}}

/*
 * beta * self + alpha * the sum of all batch1 batch2.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_addbmm(dt_tensor *self, dt_tensor *batch1,
                            dt_tensor *batch2);
DT_API dt_tensor *dt_addbmm_with(dt_tensor *self, dt_tensor *batch1,
                                 dt_tensor *batch2,
                                 const dt_addbmm_options *options);
DT_API dt_tensor *dt_addbmm_(dt_tensor *self, dt_tensor *batch1,
                             dt_tensor *batch2);
DT_API dt_tensor *dt_addbmm_with_(dt_tensor *self, dt_tensor *batch1,
                                  dt_tensor *batch2,
                                  const dt_addbmm_options *options);
DT_API dt_tensor *dt_addbmm_out(dt_tensor *self, dt_tensor *batch1,
                                dt_tensor *batch2, dt_tensor *out);
DT_API dt_tensor *dt_addbmm_with_out(dt_tensor *self, dt_tensor *batch1,
                                     dt_tensor *batch2,
                                     const dt_addbmm_options *options,
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

/* ---- Nll_loss ----------------------------------------------------------- */

/* Options of nll_loss.  Begin with DT_NLL_LOSS_OPTIONS_INIT. */
typedef struct dt_nll_loss_options {
    size_t size; /* sizeof(dt_nll_loss_options) */
    int64_t reduction;
    int64_t ignore_index;
} dt_nll_loss_options;

#define DT_NLL_LOSS_OPTIONS_INIT \
    {sizeof(dt_nll_loss_options), 1, -100}

/*
 * Negative log-likelihood: minus the element of self for the class of each
 * item, times the weight of the class; their sum, or their mean weighted by
 * class.  Classes are dimension 1 of self, or 0 of a 1-d tensor.
 *
 * Collective over the mesh of its tensors.  `weight` may be NULL.
 */
DT_API DT_MUST_USE dt_status dt_nll_loss(dt_tensor *self, dt_tensor *target,
                                         dt_tensor *weight, dt_tensor **output,
                                         dt_tensor **total_weight);
DT_API DT_MUST_USE dt_status dt_nll_loss_with(dt_tensor *self,
                                              dt_tensor *target,
                                              dt_tensor *weight,
                                              const dt_nll_loss_options *options,
                                              dt_tensor **output,
                                              dt_tensor **total_weight);

/*
 * Gradient of nll_loss with respect to self.
 *
 * Collective over the mesh of its tensors.  `weight` may be NULL.
 */
DT_API dt_tensor *dt_nll_loss_backward(dt_tensor *grad_output, dt_tensor *self,
                                       dt_tensor *target, dt_tensor *weight,
                                       int64_t reduction, int64_t ignore_index,
                                       dt_tensor *total_weight);

/* ---- Norm --------------------------------------------------------------- */

/*
 * Normalise the last dimensions to mean 0 and variance 1, then multiply by
 * weight and add bias.  The statistics have the dtype of weight and bias, or
 * that of the input.
 *
 * Collective over the mesh of its tensors.  `weight` may be NULL.  `bias` may
 * be NULL.
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
 */
DT_API DT_MUST_USE dt_status dt_rms_norm(dt_tensor *input,
                                         dt_shape normalized_shape,
                                         dt_tensor *weight, double eps,
                                         dt_tensor **out, dt_tensor **rstd);

/* ---- Norm_backward ------------------------------------------------------ */

/*
 * Gradients of layer_norm with respect to its inputs.  Results whose element of
 * output_mask is 0 are empty and not computed.
 *
 * Collective over the mesh of its tensors.  `weight` may be NULL.  `bias` may
 * be NULL.
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
 * Step number `step` of Adam, or of AdamW if weight decay is `decoupled`; of
 * AMSGrad if max_exp_avg_sq is present.  A gradient with another layout is
 * redistributed first, and reduced if it is partial.
 *
 * Collective over the mesh of its tensors.  `max_exp_avg_sq` may be NULL.
 */
DT_API DT_MUST_USE dt_status dt_adam_step(dt_tensor *self, dt_tensor *grad,
                                          dt_tensor *exp_avg,
                                          dt_tensor *exp_avg_sq,
                                          dt_tensor *max_exp_avg_sq,
                                          double step, dt_tensor **self_out,
                                          dt_tensor **exp_avg_out,
                                          dt_tensor **exp_avg_sq_out,
                                          dt_tensor **max_exp_avg_sq_out);
DT_API DT_MUST_USE dt_status dt_adam_step_with(dt_tensor *self, dt_tensor *grad,
                                               dt_tensor *exp_avg,
                                               dt_tensor *exp_avg_sq,
                                               dt_tensor *max_exp_avg_sq,
                                               double step,
                                               const dt_adam_step_options *options,
                                               dt_tensor **self_out,
                                               dt_tensor **exp_avg_out,
                                               dt_tensor **exp_avg_sq_out,
                                               dt_tensor **max_exp_avg_sq_out);
DT_API DT_MUST_USE dt_status dt_adam_step_(dt_tensor *self, dt_tensor *grad,
                                           dt_tensor *exp_avg,
                                           dt_tensor *exp_avg_sq,
                                           dt_tensor *max_exp_avg_sq,
                                           double step);
DT_API DT_MUST_USE dt_status dt_adam_step_with_(dt_tensor *self,
                                                dt_tensor *grad,
                                                dt_tensor *exp_avg,
                                                dt_tensor *exp_avg_sq,
                                                dt_tensor *max_exp_avg_sq,
                                                double step,
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
 * One step of gradient descent, with momentum if its buffer is present.  A
 * gradient with another layout is redistributed first, and reduced if it is
 * partial.
 *
 * Collective over the mesh of its tensors.  `momentum_buffer` may be NULL.
 */
DT_API DT_MUST_USE dt_status dt_sgd_step(dt_tensor *self, dt_tensor *grad,
                                         dt_tensor *momentum_buffer,
                                         dt_tensor **self_out,
                                         dt_tensor **momentum_buffer_out);
DT_API DT_MUST_USE dt_status dt_sgd_step_with(dt_tensor *self, dt_tensor *grad,
                                              dt_tensor *momentum_buffer,
                                              const dt_sgd_step_options *options,
                                              dt_tensor **self_out,
                                              dt_tensor **momentum_buffer_out);
DT_API DT_MUST_USE dt_status dt_sgd_step_(dt_tensor *self, dt_tensor *grad,
                                          dt_tensor *momentum_buffer);
DT_API DT_MUST_USE dt_status dt_sgd_step_with_(dt_tensor *self, dt_tensor *grad,
                                               dt_tensor *momentum_buffer,
                                               const dt_sgd_step_options *options);

/* ---- Outer -------------------------------------------------------------- */

/*
 * Multiply each element of a vector by each of another.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_outer(dt_tensor *self, dt_tensor *vec2);
DT_API dt_tensor *dt_outer_out(dt_tensor *self, dt_tensor *vec2,
                               dt_tensor *out);

/*
 * Multiply tensors along their last dimensions; by a tensor without dimensions,
 * element by element.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_inner(dt_tensor *self, dt_tensor *other);

/*
 * Multiply two vectors, the first one conjugated, element by element and sum
 * up.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_vdot(dt_tensor *self, dt_tensor *other);

/*
 * Multiply tensors and sum up along pairs of dimensions; the result has the
 * others of the first, then those of the second.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_tensordot(dt_tensor *self, dt_tensor *other,
                               const int64_t *dims_self, int dims_self_count,
                               const int64_t *dims_other,
                               int dims_other_count);

/* ---- Pointwise ---------------------------------------------------------- */

/* Options of add.  Begin with DT_ADD_OPTIONS_INIT. */
typedef struct dt_add_options {
    size_t size; /* sizeof(dt_add_options) */
    dt_number alpha;
} dt_add_options;

#define DT_ADD_OPTIONS_INIT \
    {sizeof(dt_add_options), {DT_KIND_SIGNED, {1}, 0}}

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
    {sizeof(dt_sub_options), {DT_KIND_SIGNED, {1}, 0}}

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

/* Options of rsub.  Begin with DT_RSUB_OPTIONS_INIT. */
typedef struct dt_rsub_options {
    size_t size; /* sizeof(dt_rsub_options) */
    dt_number alpha;
} dt_rsub_options;

#define DT_RSUB_OPTIONS_INIT \
    {sizeof(dt_rsub_options), {DT_KIND_SIGNED, {1}, 0}}

/*
 * Subtract, multiplied by alpha, from a second tensor.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_rsub(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_rsub_with(dt_tensor *self, dt_tensor *other,
                               const dt_rsub_options *options);
DT_API dt_tensor *dt_rsub_out(dt_tensor *self, dt_tensor *other,
                              dt_tensor *out);
DT_API dt_tensor *dt_rsub_with_out(dt_tensor *self, dt_tensor *other,
                                   const dt_rsub_options *options,
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
 * Divide by a second tensor; the quotient of integers is f32.
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
    {sizeof(dt_add_scalar_options), {DT_KIND_SIGNED, {1}, 0}}

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
    {sizeof(dt_sub_scalar_options), {DT_KIND_SIGNED, {1}, 0}}

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
 * Subtract from a number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_rsub_scalar(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_rsub_scalar_out(dt_tensor *self, dt_number other,
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
 * Divide by a number; the quotient of integers is f32.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_div_scalar(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_div_scalar_(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_div_scalar_out(dt_tensor *self, dt_number other,
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
 * Copy; not of bool.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_positive(dt_tensor *self);

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
 * Multiply elements by themselves.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_square(dt_tensor *self);
DT_API dt_tensor *dt_square_(dt_tensor *self);
DT_API dt_tensor *dt_square_out(dt_tensor *self, dt_tensor *out);

/*
 * Interpolate: self + weight * (end - self), with a tensor weight.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_lerp(dt_tensor *self, dt_tensor *end, dt_tensor *weight);
DT_API dt_tensor *dt_lerp_(dt_tensor *self, dt_tensor *end, dt_tensor *weight);
DT_API dt_tensor *dt_lerp_out(dt_tensor *self, dt_tensor *end,
                              dt_tensor *weight, dt_tensor *out);

/*
 * Interpolate: self + weight * (end - self).
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_lerp_scalar(dt_tensor *self, dt_tensor *end,
                                 dt_number weight);
DT_API dt_tensor *dt_lerp_scalar_(dt_tensor *self, dt_tensor *end,
                                  dt_number weight);
DT_API dt_tensor *dt_lerp_scalar_out(dt_tensor *self, dt_tensor *end,
                                     dt_number weight, dt_tensor *out);

/* Options of addcmul.  Begin with DT_ADDCMUL_OPTIONS_INIT. */
typedef struct dt_addcmul_options {
    size_t size; /* sizeof(dt_addcmul_options) */
    dt_number value;
} dt_addcmul_options;

#define DT_ADDCMUL_OPTIONS_INIT \
    {sizeof(dt_addcmul_options), {DT_KIND_SIGNED, {1}, 0}}

/*
 * Add the product of two tensors, multiplied by a number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_addcmul(dt_tensor *self, dt_tensor *tensor1,
                             dt_tensor *tensor2);
DT_API dt_tensor *dt_addcmul_with(dt_tensor *self, dt_tensor *tensor1,
                                  dt_tensor *tensor2,
                                  const dt_addcmul_options *options);
DT_API dt_tensor *dt_addcmul_(dt_tensor *self, dt_tensor *tensor1,
                              dt_tensor *tensor2);
DT_API dt_tensor *dt_addcmul_with_(dt_tensor *self, dt_tensor *tensor1,
                                   dt_tensor *tensor2,
                                   const dt_addcmul_options *options);
DT_API dt_tensor *dt_addcmul_out(dt_tensor *self, dt_tensor *tensor1,
                                 dt_tensor *tensor2, dt_tensor *out);
DT_API dt_tensor *dt_addcmul_with_out(dt_tensor *self, dt_tensor *tensor1,
                                      dt_tensor *tensor2,
                                      const dt_addcmul_options *options,
                                      dt_tensor *out);

/* Options of addcdiv.  Begin with DT_ADDCDIV_OPTIONS_INIT. */
typedef struct dt_addcdiv_options {
    size_t size; /* sizeof(dt_addcdiv_options) */
    dt_number value;
} dt_addcdiv_options;

#define DT_ADDCDIV_OPTIONS_INIT \
    {sizeof(dt_addcdiv_options), {DT_KIND_SIGNED, {1}, 0}}

/*
 * Add the quotient of two tensors, multiplied by a number; not of integers
 * alone.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_addcdiv(dt_tensor *self, dt_tensor *tensor1,
                             dt_tensor *tensor2);
DT_API dt_tensor *dt_addcdiv_with(dt_tensor *self, dt_tensor *tensor1,
                                  dt_tensor *tensor2,
                                  const dt_addcdiv_options *options);
DT_API dt_tensor *dt_addcdiv_(dt_tensor *self, dt_tensor *tensor1,
                              dt_tensor *tensor2);
DT_API dt_tensor *dt_addcdiv_with_(dt_tensor *self, dt_tensor *tensor1,
                                   dt_tensor *tensor2,
                                   const dt_addcdiv_options *options);
DT_API dt_tensor *dt_addcdiv_out(dt_tensor *self, dt_tensor *tensor1,
                                 dt_tensor *tensor2, dt_tensor *out);
DT_API dt_tensor *dt_addcdiv_with_out(dt_tensor *self, dt_tensor *tensor1,
                                      dt_tensor *tensor2,
                                      const dt_addcdiv_options *options,
                                      dt_tensor *out);

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
DT_API DT_MUST_USE dt_status dt_native_dropout(dt_tensor *input, double p,
                                               bool train, dt_tensor **output,
                                               dt_tensor **mask);
DT_API DT_MUST_USE dt_status dt_native_dropout_with(dt_tensor *input, double p,
                                                    bool train,
                                                    const dt_native_dropout_options *options,
                                                    dt_tensor **output,
                                                    dt_tensor **mask);

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

/* Options of multinomial.  Begin with DT_MULTINOMIAL_OPTIONS_INIT. */
typedef struct dt_multinomial_options {
    size_t size; /* sizeof(dt_multinomial_options) */
    dt_generator *generator;
} dt_multinomial_options;

#define DT_MULTINOMIAL_OPTIONS_INIT \
    {sizeof(dt_multinomial_options), 0}

/*
 * Draw places of each row, with its elements as weights; all of them different,
 * unless `replacement` is set.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_multinomial(dt_tensor *self, int64_t num_samples,
                                 bool replacement);
DT_API dt_tensor *dt_multinomial_with(dt_tensor *self, int64_t num_samples,
                                      bool replacement,
                                      const dt_multinomial_options *options);
DT_API dt_tensor *dt_multinomial_out(dt_tensor *self, int64_t num_samples,
                                     bool replacement, dt_tensor *out);
DT_API dt_tensor *dt_multinomial_with_out(dt_tensor *self, int64_t num_samples,
                                          bool replacement,
                                          const dt_multinomial_options *options,
                                          dt_tensor *out);

/* Options of trunc_normal.  Begin with DT_TRUNC_NORMAL_OPTIONS_INIT. */
typedef struct dt_trunc_normal_options {
    size_t size; /* sizeof(dt_trunc_normal_options) */
    dt_generator *generator;
} dt_trunc_normal_options;

#define DT_TRUNC_NORMAL_OPTIONS_INIT \
    {sizeof(dt_trunc_normal_options), 0}

/*
 * Fill with normal numbers, truncated to the interval from `a` to `b`.
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
 * Mean over dimensions.  Local sums are divided by the global count, so shards
 * may be uneven.
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
 * Mean over dimensions of elements that are not NaN; NaN if all are.  Sharded
 * dimensions need one all-reduce of two numbers.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_nanmean(dt_tensor *self, dt_dims dims, bool keepdim);
DT_API dt_tensor *dt_nanmean_with(dt_tensor *self, dt_dims dims, bool keepdim,
                                  const dt_nanmean_options *options);
DT_API dt_tensor *dt_nanmean_out(dt_tensor *self, dt_dims dims, bool keepdim,
                                 dt_tensor *out);
DT_API dt_tensor *dt_nanmean_with_out(dt_tensor *self, dt_dims dims,
                                      bool keepdim,
                                      const dt_nanmean_options *options,
                                      dt_tensor *out);

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
 * Largest element over dimensions; NaN if there is one.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_amax(dt_tensor *self, dt_dims dims, bool keepdim);
DT_API dt_tensor *dt_amax_out(dt_tensor *self, dt_dims dims, bool keepdim,
                              dt_tensor *out);

/*
 * Smallest element over dimensions; NaN if there is one.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_amin(dt_tensor *self, dt_dims dims, bool keepdim);
DT_API dt_tensor *dt_amin_out(dt_tensor *self, dt_dims dims, bool keepdim,
                              dt_tensor *out);

/*
 * Smallest and largest element over dimensions; NaN if there is one.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_aminmax(dt_tensor *self, dt_dims dims,
                                        bool keepdim, dt_tensor **min,
                                        dt_tensor **max);

/*
 * Tell whether all elements of dimensions are true; NaN is.  With DT_NO_DIMS
 * each element is one of its own.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_all(dt_tensor *self, dt_dims dims, bool keepdim);
DT_API dt_tensor *dt_all_out(dt_tensor *self, dt_dims dims, bool keepdim,
                             dt_tensor *out);

/*
 * Tell whether some element of dimensions is true; NaN is.  With DT_NO_DIMS
 * each element is one of its own.
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
 * Largest absolute value over dimensions; NaN if there is one.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_amax_abs(dt_tensor *self, dt_dims dims, bool keepdim);

/*
 * Smallest absolute value over dimensions; NaN if there is one.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_amin_abs(dt_tensor *self, dt_dims dims, bool keepdim);

/*
 * p-norm over dimensions: the root of the sum of powers; for p = inf and -inf
 * the largest and smallest absolute value, for 0 the number of nonzero
 * elements.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_norm(dt_tensor *self, double p, dt_dims dims,
                          bool keepdim);

/* ---- Repeat ------------------------------------------------------------- */

/*
 * Repeat a tensor along each dimension; additional numbers are for new
 * dimensions in front.
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
 * Repeat each index of a dimension.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_repeat_interleave(dt_tensor *self, int64_t repeats,
                                       int dim);

/* ---- Rounding ----------------------------------------------------------- */

/*
 * Round down.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_floor(dt_tensor *self);
DT_API dt_tensor *dt_floor_(dt_tensor *self);
DT_API dt_tensor *dt_floor_out(dt_tensor *self, dt_tensor *out);

/*
 * Round up.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_ceil(dt_tensor *self);
DT_API dt_tensor *dt_ceil_(dt_tensor *self);
DT_API dt_tensor *dt_ceil_out(dt_tensor *self, dt_tensor *out);

/*
 * Round towards 0.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_trunc(dt_tensor *self);
DT_API dt_tensor *dt_trunc_(dt_tensor *self);
DT_API dt_tensor *dt_trunc_out(dt_tensor *self, dt_tensor *out);

/* Options of round.  Begin with DT_ROUND_OPTIONS_INIT. */
typedef struct dt_round_options {
    size_t size; /* sizeof(dt_round_options) */
    int64_t decimals;
} dt_round_options;

#define DT_ROUND_OPTIONS_INIT \
    {sizeof(dt_round_options), 0}

/*
 * Round to the nearest integer, to the even one of two; or to so many decimals.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_round(dt_tensor *self);
DT_API dt_tensor *dt_round_with(dt_tensor *self,
                                const dt_round_options *options);
DT_API dt_tensor *dt_round_(dt_tensor *self);
DT_API dt_tensor *dt_round_with_(dt_tensor *self,
                                 const dt_round_options *options);
DT_API dt_tensor *dt_round_out(dt_tensor *self, dt_tensor *out);
DT_API dt_tensor *dt_round_with_out(dt_tensor *self,
                                    const dt_round_options *options,
                                    dt_tensor *out);

/*
 * The fractional part of each element.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_frac(dt_tensor *self);
DT_API dt_tensor *dt_frac_(dt_tensor *self);
DT_API dt_tensor *dt_frac_out(dt_tensor *self, dt_tensor *out);

/*
 * 1 for positive elements, -1 for negative ones, 0 for 0 and NaN.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_sign(dt_tensor *self);
DT_API dt_tensor *dt_sign_(dt_tensor *self);
DT_API dt_tensor *dt_sign_out(dt_tensor *self, dt_tensor *out);

/*
 * As sign; of complex numbers, the one of absolute value 1 with the same angle.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_sgn(dt_tensor *self);
DT_API dt_tensor *dt_sgn_(dt_tensor *self);
DT_API dt_tensor *dt_sgn_out(dt_tensor *self, dt_tensor *out);

/*
 * Magnitude of self with the sign of a second tensor.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_copysign(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_copysign_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_copysign_out(dt_tensor *self, dt_tensor *other,
                                  dt_tensor *out);

/*
 * Magnitude of self with the sign of a number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_copysign_scalar(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_copysign_scalar_(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_copysign_scalar_out(dt_tensor *self, dt_number other,
                                         dt_tensor *out);

/*
 * Remainder of a division, with the sign of the divisor.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_remainder(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_remainder_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_remainder_out(dt_tensor *self, dt_tensor *other,
                                   dt_tensor *out);

/*
 * Remainder of a division by a number, with the sign of the divisor.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_remainder_scalar(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_remainder_scalar_(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_remainder_scalar_out(dt_tensor *self, dt_number other,
                                          dt_tensor *out);

/*
 * Remainder of a division, with the sign of self.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_fmod(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_fmod_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_fmod_out(dt_tensor *self, dt_tensor *other,
                              dt_tensor *out);

/*
 * Remainder of a division by a number, with the sign of self.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_fmod_scalar(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_fmod_scalar_(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_fmod_scalar_out(dt_tensor *self, dt_number other,
                                     dt_tensor *out);

/*
 * Divide and round down.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_floor_divide(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_floor_divide_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_floor_divide_out(dt_tensor *self, dt_tensor *other,
                                      dt_tensor *out);

/*
 * Divide by a number and round down.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_floor_divide_scalar(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_floor_divide_scalar_(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_floor_divide_scalar_out(dt_tensor *self, dt_number other,
                                             dt_tensor *out);

/*
 * Divide and round: "trunc", towards 0, or "floor", down.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_div_mode(dt_tensor *self, dt_tensor *other,
                              const char *rounding_mode);
DT_API dt_tensor *dt_div_mode_(dt_tensor *self, dt_tensor *other,
                               const char *rounding_mode);
DT_API dt_tensor *dt_div_mode_out(dt_tensor *self, dt_tensor *other,
                                  const char *rounding_mode, dt_tensor *out);

/*
 * Divide by a number and round: "trunc", towards 0, or "floor", down.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_div_mode_scalar(dt_tensor *self, dt_number other,
                                     const char *rounding_mode);
DT_API dt_tensor *dt_div_mode_scalar_(dt_tensor *self, dt_number other,
                                      const char *rounding_mode);
DT_API dt_tensor *dt_div_mode_scalar_out(dt_tensor *self, dt_number other,
                                         const char *rounding_mode,
                                         dt_tensor *out);

/* Options of nan_to_num.  Begin with DT_NAN_TO_NUM_OPTIONS_INIT. */
typedef struct dt_nan_to_num_options {
    size_t size; /* sizeof(dt_nan_to_num_options) */
    double nan;
    double posinf;
    double neginf;
} dt_nan_to_num_options;

#define DT_NAN_TO_NUM_OPTIONS_INIT \
    {sizeof(dt_nan_to_num_options), 0, HUGE_VAL, -HUGE_VAL}

/*
 * Replace NaN, and infinities by numbers, which are the largest and least of
 * the dtype unless they are given.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_nan_to_num(dt_tensor *self);
DT_API dt_tensor *dt_nan_to_num_with(dt_tensor *self,
                                     const dt_nan_to_num_options *options);
DT_API dt_tensor *dt_nan_to_num_(dt_tensor *self);
DT_API dt_tensor *dt_nan_to_num_with_(dt_tensor *self,
                                      const dt_nan_to_num_options *options);
DT_API dt_tensor *dt_nan_to_num_out(dt_tensor *self, dt_tensor *out);
DT_API dt_tensor *dt_nan_to_num_with_out(dt_tensor *self,
                                         const dt_nan_to_num_options *options,
                                         dt_tensor *out);

/* ---- Scan --------------------------------------------------------------- */

/* Options of cumsum.  Begin with DT_CUMSUM_OPTIONS_INIT. */
typedef struct dt_cumsum_options {
    size_t size; /* sizeof(dt_cumsum_options) */
    const dt_dtype *dtype;
} dt_cumsum_options;

#define DT_CUMSUM_OPTIONS_INIT \
    {sizeof(dt_cumsum_options), 0}

/*
 * Cumulative sum along a dimension; integers and bool in i64.  A sharded
 * dimension needs one collective with the local sums.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_cumsum(dt_tensor *self, int dim);
DT_API dt_tensor *dt_cumsum_with(dt_tensor *self, int dim,
                                 const dt_cumsum_options *options);
DT_API dt_tensor *dt_cumsum_(dt_tensor *self, int dim);
DT_API dt_tensor *dt_cumsum_with_(dt_tensor *self, int dim,
                                  const dt_cumsum_options *options);
DT_API dt_tensor *dt_cumsum_out(dt_tensor *self, int dim, dt_tensor *out);
DT_API dt_tensor *dt_cumsum_with_out(dt_tensor *self, int dim,
                                     const dt_cumsum_options *options,
                                     dt_tensor *out);

/* Options of cumprod.  Begin with DT_CUMPROD_OPTIONS_INIT. */
typedef struct dt_cumprod_options {
    size_t size; /* sizeof(dt_cumprod_options) */
    const dt_dtype *dtype;
} dt_cumprod_options;

#define DT_CUMPROD_OPTIONS_INIT \
    {sizeof(dt_cumprod_options), 0}

/*
 * Cumulative product along a dimension; integers and bool in i64.  A sharded
 * dimension needs one collective with the local products.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_cumprod(dt_tensor *self, int dim);
DT_API dt_tensor *dt_cumprod_with(dt_tensor *self, int dim,
                                  const dt_cumprod_options *options);
DT_API dt_tensor *dt_cumprod_(dt_tensor *self, int dim);
DT_API dt_tensor *dt_cumprod_with_(dt_tensor *self, int dim,
                                   const dt_cumprod_options *options);
DT_API dt_tensor *dt_cumprod_out(dt_tensor *self, int dim, dt_tensor *out);
DT_API dt_tensor *dt_cumprod_with_out(dt_tensor *self, int dim,
                                      const dt_cumprod_options *options,
                                      dt_tensor *out);

/*
 * Cumulative maximum along a dimension, and its index: NaN after the first NaN,
 * the last of equal elements.  A sharded dimension needs one collective with
 * the local maxima.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_cummax(dt_tensor *self, int dim,
                                       dt_tensor **values,
                                       dt_tensor **indices);

/*
 * Cumulative minimum along a dimension, and its index: NaN after the first NaN,
 * the last of equal elements.  A sharded dimension needs one collective with
 * the local minima.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_cummin(dt_tensor *self, int dim,
                                       dt_tensor **values,
                                       dt_tensor **indices);

/*
 * Cumulative log(sum(exp(x))) along a dimension.  A sharded dimension needs one
 * collective with two numbers per rank.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_logcumsumexp(dt_tensor *self, int dim);
DT_API dt_tensor *dt_logcumsumexp_out(dt_tensor *self, int dim,
                                      dt_tensor *out);

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
 * Reduce elements of src into the elements that indexes select along a
 * dimension, by "sum", "prod", "mean", "amax" or "amin"; without include_self,
 * the elements of self are ignored.
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

/* ---- Search ------------------------------------------------------------- */

/* Options of searchsorted.  Begin with DT_SEARCHSORTED_OPTIONS_INIT. */
typedef struct dt_searchsorted_options {
    size_t size; /* sizeof(dt_searchsorted_options) */
    bool out_int32;
    bool right;
} dt_searchsorted_options;

#define DT_SEARCHSORTED_OPTIONS_INIT \
    {sizeof(dt_searchsorted_options), false, false}

/*
 * Count the numbers of a sorted list that are less than each element, or not
 * larger if `right`: where it would be put in.  Lists are the last dimension;
 * there is one, or one for each row of elements.  NaN is larger than every
 * number.
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
    bool out_int32;
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
    {sizeof(dt_constant_pad_nd_options), {DT_KIND_SIGNED, {0}, 0}}

/*
 * Pad dimensions with a number before and after; pairs start with the last
 * dimension, and negative numbers remove indexes.
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
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 */
DT_API dt_tensor *dt_slice(dt_tensor *self, int dim, int64_t start,
                           int64_t stop, int64_t step);

/*
 * See `length` indexes of a dimension, from `start` on.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 */
DT_API dt_tensor *dt_narrow(dt_tensor *self, int dim, int64_t start,
                            int64_t length);

/*
 * See one index of a dimension, which disappears.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
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
 * exp(x) / sum(exp(x)) along a dimension.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_softmax(dt_tensor *self, int dim);
DT_API dt_tensor *dt_softmax_with(dt_tensor *self, int dim,
                                  const dt_softmax_options *options);

/* Options of safe_softmax.  Begin with DT_SAFE_SOFTMAX_OPTIONS_INIT. */
typedef struct dt_safe_softmax_options {
    size_t size; /* sizeof(dt_safe_softmax_options) */
    const dt_dtype *dtype;
} dt_safe_softmax_options;

#define DT_SAFE_SOFTMAX_OPTIONS_INIT \
    {sizeof(dt_safe_softmax_options), 0}

/*
 * Softmax along a dimension, with zeros where all elements are minus infinity.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_safe_softmax(dt_tensor *self, int dim);
DT_API dt_tensor *dt_safe_softmax_with(dt_tensor *self, int dim,
                                       const dt_safe_softmax_options *options);

/* Options of log_softmax.  Begin with DT_LOG_SOFTMAX_OPTIONS_INIT. */
typedef struct dt_log_softmax_options {
    size_t size; /* sizeof(dt_log_softmax_options) */
    const dt_dtype *dtype;
} dt_log_softmax_options;

#define DT_LOG_SOFTMAX_OPTIONS_INIT \
    {sizeof(dt_log_softmax_options), 0}

/*
 * x - log(sum(exp(x))) along a dimension.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_log_softmax(dt_tensor *self, int dim);
DT_API dt_tensor *dt_log_softmax_with(dt_tensor *self, int dim,
                                      const dt_log_softmax_options *options);

/*
 * Gradient of softmax with respect to its input, from grad_output and the
 * forward output.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_softmax_backward(dt_tensor *grad_output, dt_tensor *output,
                                      int dim, dt_dtype input_dtype);

/*
 * Gradient of log_softmax with respect to its input, from grad_output and the
 * forward output.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_log_softmax_backward(dt_tensor *grad_output,
                                          dt_tensor *output, int dim,
                                          dt_dtype input_dtype);

/* ---- Sort --------------------------------------------------------------- */

/* Options of sort.  Begin with DT_SORT_OPTIONS_INIT. */
typedef struct dt_sort_options {
    size_t size; /* sizeof(dt_sort_options) */
    bool stable;
} dt_sort_options;

#define DT_SORT_OPTIONS_INIT \
    {sizeof(dt_sort_options), false}

/*
 * Sort along a dimension, and tell where the elements were.  NaN is larger than
 * every number; equal elements keep their order, whether `stable` or not.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_sort(dt_tensor *self, int dim, bool descending,
                                     dt_tensor **values, dt_tensor **indices);
DT_API DT_MUST_USE dt_status dt_sort_with(dt_tensor *self, int dim,
                                          bool descending,
                                          const dt_sort_options *options,
                                          dt_tensor **values,
                                          dt_tensor **indices);

/* Options of argsort.  Begin with DT_ARGSORT_OPTIONS_INIT. */
typedef struct dt_argsort_options {
    size_t size; /* sizeof(dt_argsort_options) */
    bool stable;
} dt_argsort_options;

#define DT_ARGSORT_OPTIONS_INIT \
    {sizeof(dt_argsort_options), false}

/*
 * Tell where the elements of a dimension are, in order.  NaN is larger than
 * every number; equal elements keep their order, whether `stable` or not.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_argsort(dt_tensor *self, int dim, bool descending);
DT_API dt_tensor *dt_argsort_with(dt_tensor *self, int dim, bool descending,
                                  const dt_argsort_options *options);

/*
 * The k largest or smallest elements along a dimension, always sorted.  NaN is
 * larger than every number; of equal elements the one with the smaller index
 * comes first.  A sharded dimension needs one collective with the local
 * candidates, unless k is more than half of a shard.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_topk(dt_tensor *self, int64_t k, int dim,
                                     bool largest, bool sorted,
                                     dt_tensor **values, dt_tensor **indices);

/*
 * The k-th smallest element along a dimension, from 1, and its index.  NaN is
 * larger than every number; equal elements are in the order of their indexes.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_kthvalue(dt_tensor *self, int64_t k, int dim,
                                         bool keepdim, dt_tensor **values,
                                         dt_tensor **indices);

/*
 * Median along a dimension, the lower of two, and its index; the first NaN if
 * there is one.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_median_dim(dt_tensor *self, int dim,
                                           bool keepdim, dt_tensor **values,
                                           dt_tensor **indices);

/*
 * Median along a dimension of elements that are not NaN, the lower of two, and
 * its index; NaN if all are NaN.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_nanmedian_dim(dt_tensor *self, int dim,
                                              bool keepdim, dt_tensor **values,
                                              dt_tensor **indices);

/*
 * Median of all elements, the lower of two; NaN if there is one.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_median(dt_tensor *self);

/*
 * Median of all elements that are not NaN, the lower of two; NaN if all are
 * NaN.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_nanmedian(dt_tensor *self);

/*
 * Most frequent element along a dimension, the smallest of several, and its
 * first index.  NaN is not equal to NaN.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_mode(dt_tensor *self, int dim, bool keepdim,
                                     dt_tensor **values, dt_tensor **indices);

/* ---- Special ------------------------------------------------------------ */

/*
 * The logarithm of the absolute value of the gamma function.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_lgamma(dt_tensor *self);
DT_API dt_tensor *dt_lgamma_(dt_tensor *self);
DT_API dt_tensor *dt_lgamma_out(dt_tensor *self, dt_tensor *out);

/*
 * The derivative of lgamma.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_digamma(dt_tensor *self);
DT_API dt_tensor *dt_digamma_(dt_tensor *self);
DT_API dt_tensor *dt_digamma_out(dt_tensor *self, dt_tensor *out);

/*
 * The derivative of order n of digamma.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_polygamma(int64_t n, dt_tensor *self);
DT_API dt_tensor *dt_polygamma_(int64_t n, dt_tensor *self);
DT_API dt_tensor *dt_polygamma_out(int64_t n, dt_tensor *self, dt_tensor *out);

/*
 * The number that an error function is of: infinite for 1 and -1, NaN beyond.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_erfinv(dt_tensor *self);
DT_API dt_tensor *dt_erfinv_(dt_tensor *self);
DT_API dt_tensor *dt_erfinv_out(dt_tensor *self, dt_tensor *out);

/*
 * The normal distribution function.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_special_ndtr(dt_tensor *self);
DT_API dt_tensor *dt_special_ndtr_out(dt_tensor *self, dt_tensor *out);

/*
 * -x log(x): 0 for 0, -infinity below it.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_special_entr(dt_tensor *self);
DT_API dt_tensor *dt_special_entr_out(dt_tensor *self, dt_tensor *out);

/*
 * x log(1 + y): 0 where x is 0, unless y is NaN.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_special_xlog1py(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_special_xlog1py_out(dt_tensor *self, dt_tensor *other,
                                         dt_tensor *out);

/* ---- Total_norm --------------------------------------------------------- */

/* Options of foreach_norm.  Begin with DT_FOREACH_NORM_OPTIONS_INIT. */
typedef struct dt_foreach_norm_options {
    size_t size; /* sizeof(dt_foreach_norm_options) */
    const dt_dtype *dtype;
} dt_foreach_norm_options;

#define DT_FOREACH_NORM_OPTIONS_INIT \
    {sizeof(dt_foreach_norm_options), 0}

/*
 * Norm of each tensor of a list, with one small all-reduce per mesh.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_norm(dt_tensor *const *self,
                                             int self_count, double ord,
                                             dt_tensor **results, int room,
                                             int *count);
DT_API DT_MUST_USE dt_status dt_foreach_norm_with(dt_tensor *const *self,
                                                  int self_count, double ord,
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
 * Norm of all elements of all tensors of a list, in f32, or f64 if one of them
 * is f64.  Tensors may be on different meshes if one mesh has all ranks of the
 * others; the norm is on that mesh.  Only one small all-reduce is sent.
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
DT_API DT_MUST_USE dt_status dt_clip_grads_with_norm_(dt_tensor *const *self,
                                                      int self_count,
                                                      double max_norm,
                                                      dt_tensor *total_norm);

/* Options of clip_grad_norm.  Begin with DT_CLIP_GRAD_NORM_OPTIONS_INIT. */
typedef struct dt_clip_grad_norm_options {
    size_t size; /* sizeof(dt_clip_grad_norm_options) */
    bool error_if_nonfinite;
} dt_clip_grad_norm_options;

#define DT_CLIP_GRAD_NORM_OPTIONS_INIT \
    {sizeof(dt_clip_grad_norm_options), false}

/*
 * Multiply all tensors of a list by max_norm / total_norm if that is less than
 * 1, and return the norm like get_total_norm.
 *
 * Collective over the mesh of its tensors.
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

/* ---- Triangle ----------------------------------------------------------- */

/*
 * Lower triangle of matrices including a diagonal, zeros elsewhere; a positive
 * number is a diagonal above the main one.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_tril(dt_tensor *self, int64_t diagonal);
DT_API dt_tensor *dt_tril_(dt_tensor *self, int64_t diagonal);
DT_API dt_tensor *dt_tril_out(dt_tensor *self, int64_t diagonal,
                              dt_tensor *out);

/*
 * Upper triangle of matrices including a diagonal, zeros elsewhere; a positive
 * number is a diagonal above the main one.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_triu(dt_tensor *self, int64_t diagonal);
DT_API dt_tensor *dt_triu_(dt_tensor *self, int64_t diagonal);
DT_API dt_tensor *dt_triu_out(dt_tensor *self, int64_t diagonal,
                              dt_tensor *out);

/* ---- Trigonometric ------------------------------------------------------ */

/*
 * The sine.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_sin(dt_tensor *self);
DT_API dt_tensor *dt_sin_(dt_tensor *self);
DT_API dt_tensor *dt_sin_out(dt_tensor *self, dt_tensor *out);

/*
 * The cosine.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_cos(dt_tensor *self);
DT_API dt_tensor *dt_cos_(dt_tensor *self);
DT_API dt_tensor *dt_cos_out(dt_tensor *self, dt_tensor *out);

/*
 * The tangent.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_tan(dt_tensor *self);
DT_API dt_tensor *dt_tan_(dt_tensor *self);
DT_API dt_tensor *dt_tan_out(dt_tensor *self, dt_tensor *out);

/*
 * The arc sine.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_asin(dt_tensor *self);
DT_API dt_tensor *dt_asin_(dt_tensor *self);
DT_API dt_tensor *dt_asin_out(dt_tensor *self, dt_tensor *out);

/*
 * The arc cosine.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_acos(dt_tensor *self);
DT_API dt_tensor *dt_acos_(dt_tensor *self);
DT_API dt_tensor *dt_acos_out(dt_tensor *self, dt_tensor *out);

/*
 * The arc tangent.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_atan(dt_tensor *self);
DT_API dt_tensor *dt_atan_(dt_tensor *self);
DT_API dt_tensor *dt_atan_out(dt_tensor *self, dt_tensor *out);

/*
 * The hyperbolic sine.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_sinh(dt_tensor *self);
DT_API dt_tensor *dt_sinh_(dt_tensor *self);
DT_API dt_tensor *dt_sinh_out(dt_tensor *self, dt_tensor *out);

/*
 * The hyperbolic cosine.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_cosh(dt_tensor *self);
DT_API dt_tensor *dt_cosh_(dt_tensor *self);
DT_API dt_tensor *dt_cosh_out(dt_tensor *self, dt_tensor *out);

/*
 * The hyperbolic tangent.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_tanh(dt_tensor *self);
DT_API dt_tensor *dt_tanh_(dt_tensor *self);
DT_API dt_tensor *dt_tanh_out(dt_tensor *self, dt_tensor *out);

/*
 * The inverse of the hyperbolic sine.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_asinh(dt_tensor *self);
DT_API dt_tensor *dt_asinh_(dt_tensor *self);
DT_API dt_tensor *dt_asinh_out(dt_tensor *self, dt_tensor *out);

/*
 * The inverse of the hyperbolic cosine.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_acosh(dt_tensor *self);
DT_API dt_tensor *dt_acosh_(dt_tensor *self);
DT_API dt_tensor *dt_acosh_out(dt_tensor *self, dt_tensor *out);

/*
 * The inverse of the hyperbolic tangent.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_atanh(dt_tensor *self);
DT_API dt_tensor *dt_atanh_(dt_tensor *self);
DT_API dt_tensor *dt_atanh_out(dt_tensor *self, dt_tensor *out);

/*
 * sin(pi x) / (pi x), and 1 at 0.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_sinc(dt_tensor *self);
DT_API dt_tensor *dt_sinc_(dt_tensor *self);
DT_API dt_tensor *dt_sinc_out(dt_tensor *self, dt_tensor *out);

/*
 * The angle of the point whose second coordinate is self, its first other.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_atan2(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_atan2_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_atan2_out(dt_tensor *self, dt_tensor *other,
                               dt_tensor *out);

/*
 * The root of the sum of two squares.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_hypot(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_hypot_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_hypot_out(dt_tensor *self, dt_tensor *other,
                               dt_tensor *out);

/*
 * Degrees in radians.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_deg2rad(dt_tensor *self);
DT_API dt_tensor *dt_deg2rad_(dt_tensor *self);
DT_API dt_tensor *dt_deg2rad_out(dt_tensor *self, dt_tensor *out);

/*
 * Radians in degrees.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_rad2deg(dt_tensor *self);
DT_API dt_tensor *dt_rad2deg_(dt_tensor *self);
DT_API dt_tensor *dt_rad2deg_out(dt_tensor *self, dt_tensor *out);

/* ---- Unfold ------------------------------------------------------------- */

/*
 * Copy windows of `size` neighbours of a dimension, which begin `step` apart,
 * into a last dimension.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_unfold(dt_tensor *self, int dimension, int64_t size,
                            int64_t step);
DT_API dt_tensor *dt_unfold_out(dt_tensor *self, int dimension, int64_t size,
                                int64_t step, dt_tensor *out);

/*
 * Add windows up where unfold took them from a tensor of this shape.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_unfold_backward(dt_tensor *grad_in, dt_shape input_sizes,
                                     int dim, int64_t size, int64_t step);
DT_API dt_tensor *dt_unfold_backward_out(dt_tensor *grad_in,
                                         dt_shape input_sizes, int dim,
                                         int64_t size, int64_t step,
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
 * Variance over dimensions: the sum of squared deviations from the mean,
 * divided by count - correction.  Sharded dimensions need one collective with
 * two numbers per rank.
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
 * Standard deviation over dimensions, the square root of the variance.
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
 * Variance over dimensions, and the mean.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_var_mean(dt_tensor *self, dt_dims dims,
                                         bool keepdim, dt_tensor **var,
                                         dt_tensor **mean);
DT_API DT_MUST_USE dt_status dt_var_mean_with(dt_tensor *self, dt_dims dims,
                                              bool keepdim,
                                              const dt_var_mean_options *options,
                                              dt_tensor **var,
                                              dt_tensor **mean);

/* Options of std_mean.  Begin with DT_STD_MEAN_OPTIONS_INIT. */
typedef struct dt_std_mean_options {
    size_t size; /* sizeof(dt_std_mean_options) */
    double correction;
} dt_std_mean_options;

#define DT_STD_MEAN_OPTIONS_INIT \
    {sizeof(dt_std_mean_options), 1}

/*
 * Standard deviation over dimensions, and the mean.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_std_mean(dt_tensor *self, dt_dims dims,
                                         bool keepdim, dt_tensor **std,
                                         dt_tensor **mean);
DT_API DT_MUST_USE dt_status dt_std_mean_with(dt_tensor *self, dt_dims dims,
                                              bool keepdim,
                                              const dt_std_mean_options *options,
                                              dt_tensor **std,
                                              dt_tensor **mean);

/* ---- View --------------------------------------------------------------- */

/*
 * See a tensor with another shape, without moving anything; one extent may be
 * -1.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.  Never redistributes: fails instead.
 */
DT_API dt_tensor *dt_view(dt_tensor *self, dt_shape shape);

/*
 * Change the shape of a tensor, as a view if possible; one extent may be -1.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 */
DT_API dt_tensor *dt_reshape(dt_tensor *self, dt_shape shape);

/*
 * Make one dimension of the dimensions from `start` to `end`, both included.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 */
DT_API dt_tensor *dt_flatten(dt_tensor *self, int start, int end);

/*
 * Make several dimensions of one; one extent may be -1.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 */
DT_API dt_tensor *dt_unflatten(dt_tensor *self, int dim, dt_shape sizes);

/*
 * Remove dimensions of extent 1: the listed ones, all, or none with DT_NO_DIMS.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 */
DT_API dt_tensor *dt_squeeze(dt_tensor *self, dt_dims dims);
DT_API dt_tensor *dt_squeeze_(dt_tensor *self, dt_dims dims);

/*
 * Put in a dimension of extent 1, which is to be number `dim`.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 */
DT_API dt_tensor *dt_unsqueeze(dt_tensor *self, int dim);
DT_API dt_tensor *dt_unsqueeze_(dt_tensor *self, int dim);

/*
 * See the dimensions in another order: dimension i of the result is dimension
 * `dims[i]`.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 */
DT_API dt_tensor *dt_permute(dt_tensor *self, dt_dims dims);

/*
 * Swap two dimensions.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 */
DT_API dt_tensor *dt_transpose(dt_tensor *self, int dim0, int dim1);
DT_API dt_tensor *dt_transpose_(dt_tensor *self, int dim0, int dim1);

/*
 * Swap the dimensions of a tensor that has two; one of fewer stays as it is.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 */
DT_API dt_tensor *dt_t(dt_tensor *self);
DT_API dt_tensor *dt_t_(dt_tensor *self);

/*
 * Repeat dimensions of extent 1, and put others in front; -1 keeps an extent.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 */
DT_API dt_tensor *dt_expand(dt_tensor *self, dt_shape shape);

/* ---- Where -------------------------------------------------------------- */

/*
 * Take elements from self where the condition holds, from other elsewhere.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_where(dt_tensor *condition, dt_tensor *self,
                           dt_tensor *other);
DT_API dt_tensor *dt_where_out(dt_tensor *condition, dt_tensor *self,
                               dt_tensor *other, dt_tensor *out);

/*
 * Take a number where the condition holds, elements elsewhere.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_where_scalar_self(dt_tensor *condition, dt_number self,
                                       dt_tensor *other);

/*
 * Take elements where the condition holds, a number elsewhere.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_where_scalar_other(dt_tensor *condition, dt_tensor *self,
                                        dt_number other);

/*
 * Replace elements by a number where the mask holds.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_masked_fill(dt_tensor *self, dt_tensor *mask,
                                 dt_number value);
DT_API dt_tensor *dt_masked_fill_(dt_tensor *self, dt_tensor *mask,
                                  dt_number value);

/*
 * Replace elements by that of a 0-d tensor where the mask holds.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_masked_fill_tensor(dt_tensor *self, dt_tensor *mask,
                                        dt_tensor *value);
DT_API dt_tensor *dt_masked_fill_tensor_(dt_tensor *self, dt_tensor *mask,
                                         dt_tensor *value);

/* clang-format on */

DT_EXTERN_C_END

#endif
