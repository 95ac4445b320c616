/* ops/helpers/reduce_backward.h - gradients of reductions and scans. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OPS_HELPERS_REDUCE_BACKWARD_H
#define DTI_OPS_HELPERS_REDUCE_BACKWARD_H

#include <dtensor/sys/op.h>

/* `backward` of rows; each says in its row what it reads. */
dt_status dti_mean_backward(dt_backward_call *call);
dt_status dti_prod_backward(dt_backward_call *call);
dt_status dti_powsum_backward(dt_backward_call *call);
dt_status dti_norm_backward(dt_backward_call *call);
dt_status dti_var_backward(dt_backward_call *call);
dt_status dti_std_backward(dt_backward_call *call);
dt_status dti_cumsum_backward(dt_backward_call *call);
dt_status dti_cumprod_backward(dt_backward_call *call);
dt_status dti_logcumsumexp_backward(dt_backward_call *call);

/* Extremes over dimensions, of elements or of their absolute values: equal ones
 * get equal parts of the gradient. */
dt_status dti_extreme_backward(dt_backward_call *call);
dt_status dti_extreme_abs_backward(dt_backward_call *call);

/* The same for the middle element of all; NaN is equal to NaN. */
dt_status dti_median_backward(dt_backward_call *call);

/* Convert the input to the dtype of the result, in which it was multiplied. */
dt_tensor *dti_input_as_result(const dt_backward_call *call);

/* The gradient of a norm of all elements. */
dt_tensor *dti_norm_gradient(dt_tensor *self, double p, dt_tensor *norm,
                             dt_tensor *grad);

/* A tensor along whose last two dimensions stands `self`, whose dimension comes
 * last, again and again, with 1 in the diagonal: row i has all elements but i.
 */
dt_tensor *dti_all_but_one(dt_tensor *self);

#endif
