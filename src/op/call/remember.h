/* op/call/remember.h - calls of operators in the histories of their meshes. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OP_CALL_REMEMBER_H
#define DTI_OP_CALL_REMEMBER_H

#include "comm/comm.h"
#include "op/propagate/decision.h"

/*
 * Remember a call on the mesh it was decided for, which has a history, with all
 * that must agree: operator, variant, decision, the values of arguments and, of
 * a random one, the state of its generator.  What is sent from here on serves
 * the mesh; gives who was served before, to be set again with dti_comm_serve.
 */
dti_service dti_remember_call(const dti_request *request,
                              const dti_decision *decision);

/* The same for a composition, on the mesh of its first tensor that others share
 * too.  What it calls is remembered besides. */
dti_service dti_remember_composition(const dti_request *request);

/*
 * Remember a call that makes a tensor with a spec, perhaps like one on the same
 * mesh, and sends nothing, with all that must agree; nothing on a mesh of one
 * rank.  `drawn` is the state of the
 * generator that numbers are drawn from, NULL if none are.
 */
void dti_remember_creation(const dt_operation *operation, const dt_spec *spec,
                           const dt_generator_state *drawn);

/* Give a hash of what is decided about a call: the same on all ranks. */
uint64_t dti_remember_decision(const dti_decision *decision);

#endif
