/* op/kernel.c - running the kernel of a call. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "op/kernel.h"

#include "base/float.h"

dt_status dti_kernel_run(dt_operation *operation)
{
    const dt_op *op = operation->op;
    if (!(op->flags & DT_OP_RANDOM))
        return op->kernel(operation);
    const dti_float_state before = dti_float_begin();
    const dt_status status = op->kernel(operation);
    dti_float_end(before);
    return status;
}
