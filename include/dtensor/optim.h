/* dtensor/optim.h - optimisers, gradient clipping and scaling, learning rates.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_OPTIM_H
#define DTENSOR_OPTIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dtensor/mesh.h>
#include <dtensor/module.h>
#include <dtensor/state.h>
#include <dtensor/status.h>
#include <dtensor/tensor.h>

DT_EXTERN_C_BEGIN

/*
 * An optimiser updates the parameters of a module from their gradients:
 *
 *     dt_optimizer *adam = NULL;
 *     DT_TRY(dt_adamw_create(model, NULL, &adam));
 *     for (...) {
 *         dt_tensor *loss = ...;
 *         DT_TRY(dt_backward(loss));
 *         DT_TRY(dt_optimizer_clip(adam, 1.0, NULL));
 *         DT_TRY(dt_optimizer_step(adam));
 *         DT_TRY(dt_optimizer_zero_grad(adam));
 *     }
 *     dt_optimizer_release(adam);
 *
 * It holds the parameters of the module that are trained, as slots: their
 * tensors may be on different meshes and may be replaced later.  Moments have
 * the layout of their parameter, so sharded parameters have sharded moments; if
 * a parameter gets another layout, its moments follow at the next step.  To
 * accumulate gradients, call dt_backward several times before a step.
 */
typedef struct dt_optimizer dt_optimizer;

/* Options of dt_sgd_create. */
typedef struct dt_sgd_options {
    size_t size;         /* sizeof(dt_sgd_options) */
    double lr;           /* learning rate */
    double momentum;     /* factor of the previous momentum */
    double dampening;    /* the gradient counts 1 - dampening in the momentum */
    double weight_decay; /* multiplier of the parameter in its gradient */
    bool nesterov;       /* use Nesterov momentum */
    bool maximize;       /* ascend along the gradient */
} dt_sgd_options;

#define DT_SGD_OPTIONS_INIT                                                    \
    {                                                                          \
        sizeof(dt_sgd_options), 1e-3, 0, 0, 0, false, false                    \
    }

/* Options of dt_adamw_create. */
typedef struct dt_adamw_options {
    size_t size;         /* sizeof(dt_adamw_options) */
    double lr;           /* learning rate */
    double beta1;        /* decay rate of the first moment */
    double beta2;        /* decay rate of the second moment */
    double eps;          /* added to the denominator */
    double weight_decay; /* part of the parameter subtracted, times lr */
    bool amsgrad;        /* divide by the largest second moment so far */
    bool maximize;       /* ascend along the gradient */
} dt_adamw_options;

#define DT_ADAMW_OPTIONS_INIT                                                  \
    {                                                                          \
        sizeof(dt_adamw_options), 1e-3, 0.9, 0.999, 1e-8, 0.01, false, false   \
    }

/*
 * Create an optimiser for the parameters of a module and of those below it that
 * are not frozen.
 *
 * Not collective, but all ranks must do the same.  `options` may be NULL.  The
 * caller releases the optimiser.  DT_ERR_INVALID if the module has no parameter
 * to train or a number is out of range.
 */
DT_API DT_MUST_USE dt_status dt_sgd_create(dt_module *module,
                                           const dt_sgd_options *options,
                                           dt_optimizer **out);
DT_API DT_MUST_USE dt_status dt_adamw_create(dt_module *module,
                                             const dt_adamw_options *options,
                                             dt_optimizer **out);

/* Release an optimiser and its moments.  Not collective.  NULL is allowed. */
DT_API void dt_optimizer_release(dt_optimizer *optimizer);

/*
 * Give the parameters whose names match a pattern a weight decay of their own
 * and a factor of the learning rate.  For example, biases and norms without
 * weight decay:
 *
 *     DT_TRY(dt_optimizer_set(adam, "*.bias", 0.0, 1.0));
 *
 * Not collective, but all ranks must do the same.  "*" matches any characters
 * but ".", "**" any characters, "?" one.  A later call overrides an earlier
 * one.  DT_ERR_NOT_FOUND if no parameter matches.
 */
DT_API DT_MUST_USE dt_status dt_optimizer_set(dt_optimizer *optimizer,
                                              const char *pattern,
                                              double weight_decay,
                                              double lr_factor);

/* Return and set the learning rate.  Not collective, but all ranks must do the
 * same.  DT_ERR_INVALID if it is negative or not finite. */
DT_API double dt_optimizer_lr(const dt_optimizer *optimizer);
DT_API DT_MUST_USE dt_status dt_optimizer_set_lr(dt_optimizer *optimizer,
                                                 double lr);

/*
 * Update every parameter that has a gradient.
 *
 * Collective over the meshes of the parameters.  Nothing is recorded for
 * gradients.  A gradient in another layout than its parameter is redistributed.
 * If an update fails, the parameters before it, in the order of
 * dt_module_parameters, were updated.
 */
DT_API DT_MUST_USE dt_status dt_optimizer_step(dt_optimizer *optimizer);

/* Clear the gradients of all parameters.  Not collective, but all ranks must do
 * the same. */
DT_API DT_MUST_USE dt_status dt_optimizer_zero_grad(dt_optimizer *optimizer);

/*
 * Scale the gradients of all parameters down so that their total norm is at
 * most `max_norm`; `norm`, which may be NULL, receives the norm before.
 *
 * Collective over the meshes of the parameters.  The norm is over the global
 * gradients on all meshes; one of the meshes must have all ranks of the others.
 * A rank outside that mesh receives 0.
 */
DT_API DT_MUST_USE dt_status dt_optimizer_clip(dt_optimizer *optimizer,
                                               double max_norm, double *norm);

/*
 * Add the moments and the step numbers to a state: "layers.0.weight.exp_avg"
 * and so on.  Moments of parameters that were never updated are created.
 *
 * Collective over the meshes of the parameters.
 */
DT_API DT_MUST_USE dt_status dt_optimizer_get_state(dt_optimizer *optimizer,
                                                    dt_state *state);

/*
 * Take step numbers from a state, for example one that dt_optimizer_get_state
 * filled and dt_load read; moments are loaded in place, and are copied if the
 * state has other tensors.
 *
 * Collective over the meshes of the parameters.  All names must be there:
 * DT_ERR_NOT_FOUND names the first that is missing.
 */
DT_API DT_MUST_USE dt_status dt_optimizer_set_state(dt_optimizer *optimizer,
                                                    const dt_state *state);

/* ---- Learning rates ------------------------------------------------------ */

/* How the learning rate falls after the warm-up. */
typedef enum dt_schedule_kind {
    DT_SCHEDULE_CONSTANT, /* it does not */
    DT_SCHEDULE_LINEAR,   /* linearly to `end` */
    DT_SCHEDULE_COSINE    /* along half a cosine to `end` */
} dt_schedule_kind;

/* A learning rate for every step. */
typedef struct dt_schedule {
    dt_schedule_kind kind; /* how it falls */
    double peak;           /* learning rate after the warm-up */
    double end;            /* learning rate from `steps` on */
    int64_t warmup;        /* steps of the warm-up, linear from 0 to `peak` */
    int64_t steps;         /* steps in all, with the warm-up */
} dt_schedule;

/*
 * Return the learning rate of a step, numbered from 0.  Step 0 of a warm-up of
 * 4 steps has a quarter of `peak`.
 *
 * Not collective.
 */
DT_API double dt_schedule_lr(const dt_schedule *schedule, int64_t step);

/* ---- Scaled losses ------------------------------------------------------- */

/*
 * A scaler multiplies a loss so that small gradients do not vanish in f16, and
 * skips steps whose gradients overflowed:
 *
 *     DT_TRY(dt_backward(dt_scaler_scale(scaler, loss)));
 *     DT_TRY(dt_scaler_step(scaler, optimizer, NULL));
 *
 * The scale grows after `interval` steps without overflow and shrinks after one
 * with it.
 */
typedef struct dt_scaler {
    double scale;     /* factor of the loss; 0 counts as 65536 */
    double growth;    /* factor of the scale when it grows; 0 counts as 2 */
    double backoff;   /* factor after an overflow; 0 counts as 0.5 */
    int64_t interval; /* steps before it grows; 0 counts as 2000 */
    int64_t good;     /* steps since the last overflow or growth */
} dt_scaler;

/* Multiply a loss by the scale.  Collective over the mesh of the loss.  NULL if
 * the loss is NULL. */
DT_API dt_tensor *dt_scaler_scale(const dt_scaler *scaler, dt_tensor *loss);

/*
 * Divide the gradients by the scale, so that they can be clipped; `overflow`
 * receives whether an element of any gradient was infinite or NaN.
 *
 * Collective over the meshes of the parameters, one of which must have all
 * ranks of the others: all its ranks receive the same.  A rank outside it
 * receives false.
 */
DT_API DT_MUST_USE dt_status dt_scaler_unscale(const dt_scaler *scaler,
                                               dt_optimizer *optimizer,
                                               bool *overflow);

/* Adapt the scale to whether gradients overflowed.  Not collective, but all
 * ranks must do the same. */
DT_API void dt_scaler_update(dt_scaler *scaler, bool overflow);

/*
 * Divide the gradients by the scale, update the parameters unless a gradient
 * overflowed, and adapt the scale; `stepped`, which may be NULL, receives
 * whether parameters were updated.
 *
 * Collective over the meshes of the parameters, as dt_scaler_unscale.
 */
DT_API DT_MUST_USE dt_status dt_scaler_step(dt_scaler *scaler,
                                            dt_optimizer *optimizer,
                                            bool *stepped);

DT_EXTERN_C_END

#endif
