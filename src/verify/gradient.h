/* verify/gradient.h - gradients of a call by its inputs. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_VERIFY_GRADIENT_H
#define DTI_VERIFY_GRADIENT_H

#include "verify/trial.h"

/* Tell whether tensors of a dtype have gradients. */
bool dti_dtype_has_gradient(dt_dtype dtype);

bool dti_input_has_gradient(const dti_trial_input *input);

/* The gradient that result `number` is given, as an input: its elements differ.
 * `of` is what the result is. */
dti_trial_input dti_trial_seed(const dt_meta *of, int number);

/*
 * Compute the gradients of outputs by leaves.  NULL among either is left out,
 * as are outputs that depend on no leaf; `seeds` are the gradients of the
 * outputs.  `gradients` receives NULL where none depends on the leaf.
 *
 * Collective over their mesh.
 */
typedef struct dti_gradient_call {
    dt_world *world;
    int output_count;
    dt_tensor *const *outputs;
    dt_tensor *const *seeds;
    int leaf_count;
    dt_tensor *const *leaves;
    bool differentiable;
} dti_gradient_call;

dt_status dti_gradient_compute(const dti_gradient_call *of,
                               dt_tensor **gradients);

/* The gradients of a call on one rank, by input. */
typedef struct dti_gradients {
    bool known;
    dt_status status; /* of computing them */
    bool present[DTI_TRIAL_INPUTS];
    dti_elements wholes[DTI_TRIAL_INPUTS];
} dti_gradients;

/* Compute them for a call that succeeds.  Not collective. */
void dti_trial_gradients(dti_trial *of, dti_gradients *out);
void dti_gradients_free(dti_gradients *of);

#endif
