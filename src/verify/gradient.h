/* verify/gradient.h - gradients of a call by its inputs. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_VERIFY_GRADIENT_H
#define DTI_VERIFY_GRADIENT_H

#include "verify/trial.h"

/* Tell whether tensors of a dtype have gradients. */
bool dti_dtype_has_gradient(dt_dtype dtype);

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

#endif
