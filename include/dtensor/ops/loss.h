/* dtensor/ops/loss.h - operators; written by `make ops`. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_OPS_LOSS_H
#define DTENSOR_OPS_LOSS_H

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
 * Losses.
 *
 * dtensor/ops.h describes errors, results and variants.
 */
/* clang-format off */

/* ---- Cross-entropy ------------------------------------------------------ */

/* Options of cross_entropy_loss.  Begin with DT_CROSS_ENTROPY_LOSS_OPTIONS_INIT. */
typedef struct dt_cross_entropy_loss_options {
    size_t size; /* sizeof(dt_cross_entropy_loss_options) */
    /* whether losses are returned, averaged or summed */
    dt_reduction reduction;
    int64_t ignore_index; /* class whose items are ignored */
    /* part of the target that is spread over all classes */
    double label_smoothing;
} dt_cross_entropy_loss_options;

#define DT_CROSS_ENTROPY_LOSS_OPTIONS_INIT \
    {sizeof(dt_cross_entropy_loss_options), DT_REDUCTION_MEAN, -100, 0}

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

/* ---- Negative log-likelihood -------------------------------------------- */

/* Options of nll_loss.  Begin with DT_NLL_LOSS_OPTIONS_INIT. */
typedef struct dt_nll_loss_options {
    size_t size; /* sizeof(dt_nll_loss_options) */
    /* whether losses are returned, averaged or summed */
    dt_reduction reduction;
    int64_t ignore_index; /* class whose items are ignored */
} dt_nll_loss_options;

#define DT_NLL_LOSS_OPTIONS_INIT \
    {sizeof(dt_nll_loss_options), DT_REDUCTION_MEAN, -100}

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

/* ---- Losses of single elements ------------------------------------------ */

/* Options of mse_loss.  Begin with DT_MSE_LOSS_OPTIONS_INIT. */
typedef struct dt_mse_loss_options {
    size_t size; /* sizeof(dt_mse_loss_options) */
    /* whether losses are returned, averaged or summed */
    dt_reduction reduction;
} dt_mse_loss_options;

#define DT_MSE_LOSS_OPTIONS_INIT \
    {sizeof(dt_mse_loss_options), DT_REDUCTION_MEAN}

/*
 * Squared differences, reduced to their mean or sum.
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

/* Options of l1_loss.  Begin with DT_L1_LOSS_OPTIONS_INIT. */
typedef struct dt_l1_loss_options {
    size_t size; /* sizeof(dt_l1_loss_options) */
    /* whether losses are returned, averaged or summed */
    dt_reduction reduction;
} dt_l1_loss_options;

#define DT_L1_LOSS_OPTIONS_INIT \
    {sizeof(dt_l1_loss_options), DT_REDUCTION_MEAN}

/*
 * Absolute differences, reduced to their mean or sum.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_l1_loss(dt_tensor *self, dt_tensor *target);
DT_API dt_tensor *dt_l1_loss_with(dt_tensor *self, dt_tensor *target,
                                  const dt_l1_loss_options *options);

/* Options of smooth_l1_loss.  Begin with DT_SMOOTH_L1_LOSS_OPTIONS_INIT. */
typedef struct dt_smooth_l1_loss_options {
    size_t size; /* sizeof(dt_smooth_l1_loss_options) */
    /* whether losses are returned, averaged or summed */
    dt_reduction reduction;
    double beta; /* difference below which the loss is quadratic */
} dt_smooth_l1_loss_options;

#define DT_SMOOTH_L1_LOSS_OPTIONS_INIT \
    {sizeof(dt_smooth_l1_loss_options), DT_REDUCTION_MEAN, 1}

/*
 * d^2 / (2 beta) for differences d below beta, |d| - beta / 2 for others;
 * reduced to their mean or sum.
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

/* Options of huber_loss.  Begin with DT_HUBER_LOSS_OPTIONS_INIT. */
typedef struct dt_huber_loss_options {
    size_t size; /* sizeof(dt_huber_loss_options) */
    /* whether losses are returned, averaged or summed */
    dt_reduction reduction;
    double delta; /* difference above which the loss is linear */
} dt_huber_loss_options;

#define DT_HUBER_LOSS_OPTIONS_INIT \
    {sizeof(dt_huber_loss_options), DT_REDUCTION_MEAN, 1}

/*
 * d^2 / 2 for differences d up to delta, delta (|d| - delta / 2) for others;
 * reduced to their mean or sum.
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

/* Options of binary_cross_entropy.  Begin with DT_BINARY_CROSS_ENTROPY_OPTIONS_INIT. */
typedef struct dt_binary_cross_entropy_options {
    size_t size; /* sizeof(dt_binary_cross_entropy_options) */
    /* whether losses are returned, averaged or summed */
    dt_reduction reduction;
} dt_binary_cross_entropy_options;

#define DT_BINARY_CROSS_ENTROPY_OPTIONS_INIT \
    {sizeof(dt_binary_cross_entropy_options), DT_REDUCTION_MEAN}

/*
 * Cross-entropy of probabilities and targets, times weight; reduced to its mean
 * or sum.
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

/* Options of binary_cross_entropy_with_logits.  Begin with DT_BINARY_CROSS_ENTROPY_WITH_LOGITS_OPTIONS_INIT. */
typedef struct dt_binary_cross_entropy_with_logits_options {
    size_t size; /* sizeof(dt_binary_cross_entropy_with_logits_options) */
    /* whether losses are returned, averaged or summed */
    dt_reduction reduction;
} dt_binary_cross_entropy_with_logits_options;

#define DT_BINARY_CROSS_ENTROPY_WITH_LOGITS_OPTIONS_INIT \
    {sizeof(dt_binary_cross_entropy_with_logits_options), DT_REDUCTION_MEAN}

/*
 * Cross-entropy of the sigmoid of logits and targets, times weight; pos_weight
 * is the weight of positive targets.  Reduced to its mean or sum.
 *
 * Collective over the mesh of its tensors.  `weight` may be NULL.  `pos_weight`
 * may be NULL.
 * - pos_weight: weight of positive targets
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

/* Options of kl_div.  Begin with DT_KL_DIV_OPTIONS_INIT. */
typedef struct dt_kl_div_options {
    size_t size; /* sizeof(dt_kl_div_options) */
    /* whether losses are returned, averaged or summed */
    dt_reduction reduction;
    bool log_target; /* target contains log-probabilities */
} dt_kl_div_options;

#define DT_KL_DIV_OPTIONS_INIT \
    {sizeof(dt_kl_div_options), DT_REDUCTION_MEAN, false}

/*
 * target (log(target) - self), where self has log-probabilities, and target too
 * if log_target; reduced to their mean or sum.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_kl_div(dt_tensor *self, dt_tensor *target);
DT_API dt_tensor *dt_kl_div_with(dt_tensor *self, dt_tensor *target,
                                 const dt_kl_div_options *options);

/* clang-format on */

DT_EXTERN_C_END

#endif
