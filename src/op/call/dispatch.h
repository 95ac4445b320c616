/* op/call/dispatch.h - calling operators. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OP_CALL_DISPATCH_H
#define DTI_OP_CALL_DISPATCH_H

#include <dtensor/sys/op.h>

#include "op/registry.h"

/*
 * Call the operator with a number that gives one tensor; NULL on failure.
 *
 * Collective over the mesh of its tensors.  All arguments of the schema; `out`
 * is given for DT_VARIANT_OUT.
 */
dt_tensor *dti_op_call_one(int number, dt_variant variant,
                           const dt_argument *arguments, int count,
                           dt_tensor *out);

/*
 * Call the operator with a number that gives several tensors, or a list of
 * them: the first `room` are put out, and `given` gets how many there are.
 *
 * Collective over the mesh of its tensors.
 */
dt_status dti_op_call_many(int number, dt_variant variant,
                           const dt_argument *arguments, int count,
                           dt_tensor **results, int room, int *given);

/*
 * Call the operator with a number that has DT_OP_BOUNDARY, or a composition of
 * such, for its C function, which has checked the handles and passes all
 * arguments.  The first `room` results are put out.
 *
 * Collective if the operator is; the caller tells other ranks if memory is
 * short on this one.
 */
dt_status dti_op_call_boundary(dt_world *world, int number, dt_variant variant,
                               const dt_argument *arguments,
                               dt_tensor **results, int room);

/*
 * Call an operator of a world, for a room that holds its own arguments: all of
 * the schema, handles checked.  The first `room` results are put out, and
 * `given` gets how many there are.
 *
 * Collective over the mesh of its tensors.
 */
dt_status dti_op_call(dt_world *world, dti_operator *op, dt_variant variant,
                      const dt_argument *arguments, dt_tensor **results,
                      int room, int *given);

#endif
