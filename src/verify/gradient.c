/* verify/gradient.c - gradients of a call by its inputs. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/gradient.h"

#include <dtensor/autograd.h>

bool dti_dtype_has_gradient(dt_dtype dtype)
{
    const dt_dtype_kind kind = dt_dtype_kind_of(dtype);
    return kind == DT_KIND_FLOAT || kind == DT_KIND_COMPLEX;
}

bool dti_input_has_gradient(const dti_trial_input *input)
{
    return input->present && dti_dtype_has_gradient(input->meta.dtype);
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

/* ---- On one rank -------------------------------------------------------- */

/* The seeds of results on this rank alone; those that are absent are NULL. */
static void make_seeds(const dti_trial *of, dt_tensor **out)
{
    for (int i = 0; i < of->result_count; i++) {
        const dti_trial_input facts = dti_trial_seed(&of->results[i], i);
        out[i] = dti_trial_own_tensor(of->world, &facts);
    }
}

static dt_status compute_alone(dti_trial *of, dt_tensor **gradients)
{
    dt_tensor *inputs[DTI_TRIAL_INPUTS], *results[DTI_TRIAL_RESULTS];
    dt_tensor *seeds[DTI_TRIAL_RESULTS];
    int count = 0;
    for (int i = 0; i < of->input_count; i++) {
        inputs[i] = dti_trial_own_tensor(of->world, &of->inputs[i]);
        if (dti_input_has_gradient(&of->inputs[i]))
            inputs[i] = dt_requires_grad(inputs[i]);
    }
    DT_TRY(dti_trial_call(of, DT_VARIANT_NEW, inputs, results, &count));
    make_seeds(of, seeds);
    const dti_gradient_call call = {.world = of->world,
                                    .output_count = count,
                                    .outputs = results,
                                    .seeds = seeds,
                                    .leaf_count = of->input_count,
                                    .leaves = inputs};
    return dti_gradient_compute(&call, gradients);
}

void dti_trial_gradients(dti_trial *of, dti_gradients *out)
{
    dt_tensor *gradients[DTI_TRIAL_INPUTS];
    dt_scope *scope = dt_scope_open(of->world);
    out->known = true;
    out->status = compute_alone(of, gradients);
    for (int i = 0; out->status == DT_OK && i < of->input_count; i++) {
        out->present[i] = gradients[i] != NULL;
        if (gradients[i] &&
            !dti_elements_read(of->world, dt_tensor_local(gradients[i]),
                               &out->wholes[i]))
            out->status = DT_ERR_NO_MEMORY;
    }
    DT_IGNORE(dt_scope_close(scope));
}

void dti_gradients_free(dti_gradients *of)
{
    for (int i = 0; i < DTI_TRIAL_INPUTS; i++)
        dti_elements_free(&of->wholes[i]);
    *of = (dti_gradients){0};
}
