/* op/call/compose.h - calls that call other operators. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OP_CALL_COMPOSE_H
#define DTI_OP_CALL_COMPOSE_H

#include "op/propagate/decision.h"

/* Ask a row that composes some calls and computes others. */
bool dti_composes(const dti_request *request);

/* Tell whether a call is a composition of others. */
static inline bool dti_is_composition(const dti_request *request)
{
    const dt_op *op = request->op->op;
    return op->compose && (!op->composes || dti_composes(request));
}

/* Run a composition; `given` is how many results there are. */
dt_status dti_compose(const dti_request *request, dt_tensor **results, int room,
                      int *given);

#endif
