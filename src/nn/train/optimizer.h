/* nn/train/optimizer.h - what all optimisers have. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_NN_TRAIN_OPTIMIZER_H
#define DTI_NN_TRAIN_OPTIMIZER_H

#include <stdint.h>

#include <dtensor/optim.h>
#include <dtensor/scope.h>

/* The most moments that a parameter has: those of AMSGrad. */
#define DTI_MOMENTS_MAX 3

/* A parameter and what its updates remember. */
typedef struct dti_trained {
    char *name; /* qualified */
    dt_parameter *parameter;
    double weight_decay;
    double lr_factor;
    int64_t steps;                       /* updates so far */
    dt_tensor *moments[DTI_MOMENTS_MAX]; /* NULL before the first update */
} dti_trained;

/* A kind of optimiser. */
typedef struct dti_optimizer_class {
    /* Names of the moments in states; NULL ends them. */
    const char *moments[DTI_MOMENTS_MAX + 1];
    /* Update one parameter, whose steps and moments are those of this update,
     * in a scope without gradients. */
    dt_status (*update)(const dt_optimizer *optimizer, dti_trained *trained,
                        dt_tensor *tensor, dt_tensor *grad);
} dti_optimizer_class;

struct dt_optimizer {
    dt_world *world;
    const dti_optimizer_class *kind;
    int moment_count; /* of those of the class, as the options ask */
    double lr;
    union {
        dt_sgd_options sgd;
        dt_adamw_options adamw;
    } options;
    int count;
    dti_trained *trained;
};

/* Create an optimiser for the trained parameters of a module.  The caller fills
 * the options. */
dt_status dti_optimizer_create(dt_module *module, const char *function,
                               const dti_optimizer_class *kind,
                               int moment_count, double lr, double weight_decay,
                               dt_optimizer **out);

/* Check an option that must be at least 0 and less than `high`. */
dt_status dti_optimizer_check(dt_world *world, const char *function,
                              const char *option, double value, double high);

/*
 * List the gradients of all parameters that have one; the list has
 * optimizer->count slots at most, and is the caller's to free.
 */
dt_status dti_optimizer_grads(const dt_optimizer *optimizer, dt_tensor ***grads,
                              int *count);

/* Give a parameter its moments: zeros before the first update, and always in
 * the layout and on the mesh of its tensor. */
dt_status dti_optimizer_prepare(dt_optimizer *optimizer, dti_trained *trained,
                                dt_tensor *tensor);

/* Open a scope in which nothing is recorded for gradients. */
dt_scope *dti_optimizer_scope(const dt_optimizer *optimizer);

#endif
