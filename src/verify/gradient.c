/* verify/gradient.c - gradients of a call by its inputs. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/gradient.h"

#include <dtensor/autograd.h>

bool dti_dtype_has_gradient(dt_dtype dtype)
{
    const dt_dtype_kind kind = dt_dtype_kind_of(dtype);
    return kind == DT_KIND_FLOAT || kind == DT_KIND_COMPLEX;
}

/* Numbers of inputs begin at 0: seeds have other elements. */
#define FIRST_SEED 60

dti_trial_input dti_trial_seed(const dt_meta *of, int number)
{
    return (dti_trial_input){.present = dti_dtype_has_gradient(of->dtype),
                             .number = FIRST_SEED + number,
                             .meta = dt_meta_of(of->dtype, of->shape)};
}

/* Gradients of calls that return more than this are not asked for at once. */
#define MOST (DTI_TRIAL_INPUTS + DTI_TRIAL_RESULTS)

dt_status dti_gradient_compute(const dti_gradient_call *of,
                               dt_tensor **gradients)
{
    dt_tensor *outputs[MOST], *seeds[MOST], *leaves[MOST], *found[MOST];
    dt_backward_options options = DT_BACKWARD_OPTIONS_INIT;
    int output_count = 0, leaf_count = 0, places[MOST];
    for (int i = 0; i < of->output_count; i++)
        if (of->outputs[i] && dt_tensor_requires_grad(of->outputs[i])) {
            outputs[output_count] = of->outputs[i];
            seeds[output_count++] = of->seeds[i];
        }
    for (int i = 0; i < of->leaf_count; i++) {
        gradients[i] = NULL;
        if (of->leaves[i] && dt_tensor_requires_grad(of->leaves[i])) {
            places[leaf_count] = i;
            leaves[leaf_count++] = of->leaves[i];
        }
    }
    if (!output_count || !leaf_count)
        return DT_OK;
    options.grads = seeds;
    options.allow_unused = true;
    options.differentiable = of->differentiable;
    DT_TRY(dt_grad(outputs, output_count, leaves, leaf_count, &options, found));
    for (int i = 0; i < leaf_count; i++)
        gradients[places[i]] = found[i];
    return DT_OK;
}
