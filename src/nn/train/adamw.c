/* nn/train/adamw.c - AdamW. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include <dtensor/sys/ops_training.h>

#include "base/error.h"
#include "base/handles.h"
#include "base/options.h"
#include "nn/train/optimizer.h"

/* The moments of Adam; the last only with amsgrad. */
enum { EXP_AVG, EXP_AVG_SQ, MAX_EXP_AVG_SQ };

static dt_status update(const dt_optimizer *optimizer, dti_trained *trained,
                        dt_tensor *tensor, dt_tensor *grad)
{
    const dt_adamw_options *adamw = &optimizer->options.adamw;
    dt_adam_step_options options = DT_ADAM_STEP_OPTIONS_INIT;
    options.lr = optimizer->lr * trained->lr_factor;
    options.beta1 = adamw->beta1;
    options.beta2 = adamw->beta2;
    options.weight_decay = trained->weight_decay;
    options.eps = adamw->eps;
    options.decoupled = true;
    options.maximize = adamw->maximize;
    return dt_adam_step_with_(
        tensor, grad, trained->moments[EXP_AVG], trained->moments[EXP_AVG_SQ],
        trained->moments[MAX_EXP_AVG_SQ], (double)trained->steps, &options);
}

static const dti_optimizer_class adamw_class = {
    .moments = {"exp_avg", "exp_avg_sq", "max_exp_avg_sq"},
    .update = update,
};

dt_status dt_adamw_create(dt_module *module, const dt_adamw_options *options,
                          dt_optimizer **out)
{
    DTI_ENTRY();
    DTI_TRY(dti_given(module, __func__, "module"));
    dt_world *world = dt_module_world(module);
    dt_adamw_options usual = DT_ADAMW_OPTIONS_INIT;
    options = dti_options_read(world, options, &usual, sizeof usual,
                               "DT_ADAMW_OPTIONS_INIT");
    if (!options)
        return DT_ERR_INVALID;
    DTI_TRY(dti_optimizer_check(world, __func__, "beta1", options->beta1, 1));
    DTI_TRY(dti_optimizer_check(world, __func__, "beta2", options->beta2, 1));
    DTI_TRY(
        dti_optimizer_check(world, __func__, "eps", options->eps, INFINITY));
    dt_optimizer *optimizer = NULL;
    DTI_TRY(dti_optimizer_create(module, __func__, &adamw_class,
                                 options->amsgrad ? 3 : 2, options->lr,
                                 options->weight_decay, &optimizer));
    optimizer->options.adamw = *options;
    *out = optimizer;
    return DT_OK;
}
