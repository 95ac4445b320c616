/* ops/helpers/gradient.h - for the `backward` of rows. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OPS_HELPERS_GRADIENT_H
#define DTI_OPS_HELPERS_GRADIENT_H

#include <dtensor/sys/op.h>

#include "base/error.h"

/* Set the gradient of an input; NULL is a failure. */
static inline dt_status dti_give_gradient(dt_backward_call *call, int input,
                                          dt_tensor *gradient)
{
    call->gradients[input] = gradient;
    return gradient ? DT_OK : dti_failure_of(call->world);
}

#endif
