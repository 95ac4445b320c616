/* op/kernel.h - running the kernel of a call. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OP_KERNEL_H
#define DTI_OP_KERNEL_H

#include <dtensor/sys/op.h>

/* Run a kernel; one that draws, in the usual rounding mode, so that random
 * numbers are the same bits in any mode of the caller. */
dt_status dti_kernel_run(dt_operation *operation);

#endif
