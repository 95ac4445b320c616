/* ops/helpers/loss_gradient.h - gradients of losses that no row computes. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OPS_HELPERS_LOSS_GRADIENT_H
#define DTI_OPS_HELPERS_LOSS_GRADIENT_H

#include <dtensor/sys/op.h>

/* Functions `backward` of rows: of both arguments of l1_loss, and of targets.
 */
dt_status dti_l1_loss_gradient(dt_backward_call *call);
dt_status dti_bce_gradient(dt_backward_call *call);
dt_status dti_bce_logits_gradient(dt_backward_call *call);
dt_status dti_kl_div_gradient(dt_backward_call *call);

/* The same of rows that are gradients. */
dt_status dti_smooth_l1_second_gradient(dt_backward_call *call);
dt_status dti_bce_second_gradient(dt_backward_call *call);
dt_status dti_bce_logits_second_gradient(dt_backward_call *call);
dt_status dti_kl_div_second_gradient(dt_backward_call *call);

/* Refuse to compute gradients of weights. */
dt_status dti_refuse_weight_gradient(dt_backward_call *call);

#endif
