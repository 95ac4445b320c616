/* op/call/given.h - calls whose tensors are missing or closed. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OP_CALL_GIVEN_H
#define DTI_OP_CALL_GIVEN_H

#include <dtensor/sys/op.h>

#include "base/attributes.h"

/* Record that a call of the operator with a number has no tensor, and so no
 * world: the one that this thread runs has the error. */
dt_status dti_given_fail(int number, const dt_argument *arguments) DTI_COLD;

/* Check that no tensor or generator of a call is closed, before any is read;
 * `out` may be NULL.  Called only where handles are checked. */
dt_status dti_given_check(const char *op, const dt_argument *arguments,
                          int count, const dt_tensor *out) DTI_COLD;

/* The name of the operator with a number, for messages of the world that this
 * thread runs; if it runs none, "an operator". */
const char *dti_given_name(int number) DTI_COLD;

#endif
