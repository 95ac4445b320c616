/* nn/train/sgd.c - gradient descent, with momentum. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include <dtensor/sys/ops_training.h>

#include "base/error.h"
#include "base/handles.h"
#include "base/options.h"
#include "nn/train/optimizer.h"

static dt_status update(const dt_optimizer *optimizer, dti_trained *trained,
                        dt_tensor *tensor, dt_tensor *grad)
{
    const dt_sgd_options *sgd = &optimizer->options.sgd;
    dt_sgd_step_options options = DT_SGD_STEP_OPTIONS_INIT;
    options.lr = optimizer->lr * trained->lr_factor;
    options.momentum = sgd->momentum;
    options.dampening = sgd->dampening;
    options.weight_decay = trained->weight_decay;
    options.nesterov = sgd->nesterov;
    options.maximize = sgd->maximize;
    options.is_first_step = trained->steps == 1;
    return dt_sgd_step_with_(tensor, grad, trained->moments[0], &options);
}

static const dti_optimizer_class sgd_class = {
    .moments = {"momentum_buffer"},
    .update = update,
};

static dt_status check(dt_world *world, const dt_sgd_options *options)
{
    DTI_TRY(dti_optimizer_check(world, "dt_sgd_create", "momentum",
                                options->momentum, INFINITY));
    if (options->nesterov &&
        (options->momentum == 0 || options->dampening != 0))
        return dti_fail(world, DT_ERR_INVALID,
                        "dt_sgd_create: nesterov needs a momentum and no "
                        "dampening; these are %g and %g",
                        options->momentum, options->dampening);
    return DT_OK;
}

dt_status dt_sgd_create(dt_module *module, const dt_sgd_options *options,
                        dt_optimizer **out)
{
    DTI_ENTRY();
    DTI_TRY(dti_given(module, __func__, "module"));
    dt_world *world = dt_module_world(module);
    dt_sgd_options usual = DT_SGD_OPTIONS_INIT;
    options = dti_options_read(world, options, &usual, sizeof usual,
                               "DT_SGD_OPTIONS_INIT");
    if (!options)
        return DT_ERR_INVALID;
    DTI_TRY(check(world, options));
    dt_optimizer *optimizer = NULL;
    DTI_TRY(dti_optimizer_create(module, __func__, &sgd_class,
                                 options->momentum != 0, options->lr,
                                 options->weight_decay, &optimizer));
    optimizer->options.sgd = *options;
    *out = optimizer;
    return DT_OK;
}
