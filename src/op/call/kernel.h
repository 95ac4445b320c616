/* op/call/kernel.h - running the kernel of a call. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OP_CALL_KERNEL_H
#define DTI_OP_CALL_KERNEL_H

#include <dtensor/sys/op.h>

#include "base/attributes.h"
#include "op/propagate/decision.h"

/* Call the function of a row that computes, and release the arrays that it made
 * for itself. */
dt_status dti_kernel_call(dt_status (*function)(dt_operation *),
                          dt_operation *operation);

/* Run a kernel; one that draws, in the usual rounding mode, so that random
 * numbers are the same bits in any mode of the caller. */
dt_status dti_kernel_run(dt_operation *operation);

/* Find the generator of a random call: the one given, or the mesh's. */
dt_status dti_kernel_find_generator(dti_request *request,
                                    const dti_decision *decision) DTI_COLD;

/* Give a random call its key: every rank counts it. */
void dti_kernel_take_key(dt_generator *generator, dt_operation *operation);

#endif
