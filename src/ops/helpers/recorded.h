/* ops/helpers/recorded.h - compositions for gradients. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OPS_HELPERS_RECORDED_H
#define DTI_OPS_HELPERS_RECORDED_H

#include <dtensor/autograd.h>
#include <dtensor/sys/op.h>

#include "base/scope.h"
#include "tensor/tensor.h"

/* Test whether gradients of a call may be wanted.  `composes` of a row whose
 * kernel has no gradient, but whose composition has. */
static inline bool dti_is_recorded(const dt_operation *operation)
{
    if (!dti_scope_records(operation->world))
        return false;
    for (int i = 0; i < operation->input_count; i++)
        if (operation->inputs[i] && operation->inputs[i]->gradient &&
            dt_tensor_requires_grad(operation->inputs[i]))
            return true;
    return false;
}

#endif
