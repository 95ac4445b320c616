/* ops/boundary/boundary.c - where tensors change layout or leave the mesh. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/redistribute.h>

#include "op/meta.h"
#include "ops/helpers/tables.h"

/* These are functions of the tensor room; as rows they can be called by name
 * and found by what reads rows. */

static dt_status redistribute(dt_operation *operation)
{
    operation->outputs[0] =
        dt_redistribute(operation->inputs[0], operation->arguments[1].as.text);
    return DT_OK;
}

static dt_status to_local(dt_operation *operation)
{
    operation->outputs[0] = dt_to_local(operation->inputs[0]);
    return DT_OK;
}

static dt_status full_tensor(dt_operation *operation)
{
    operation->outputs[0] = dt_full_tensor(operation->inputs[0]);
    return DT_OK;
}

/* The parts of a tensor on this rank's own mesh, as parts of one on the mesh
 * that is current. */
static dt_status from_local(dt_operation *operation)
{
    dt_mesh *mesh = dt_current_mesh(operation->world);
    if (!mesh)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "there is no current mesh; call dt_mesh_push first");
    operation->outputs[0] =
        dt_from_local(mesh, operation->arguments[1].as.text,
                      dt_tensor_local(operation->inputs[0]));
    return DT_OK;
}

const dt_op dti_ops_boundary[] = {
    {
        .schema = "redistribute(Tensor self, Text layout) -> Tensor",
        .about = "Return the same tensor with another layout on its mesh.",
        .flags = DT_OP_BY_HAND,
        .compose = redistribute,
    },
    {
        .schema = "to_local(Tensor self) -> Tensor",
        .about =
            "Return this rank's local tensor, a tensor on the rank's own mesh.",
        .flags = DT_OP_BY_HAND,
        .compose = to_local,
    },
    {
        .schema = "full_tensor(Tensor self) -> Tensor",
        .about = "Return the global tensor on every rank.",
        .flags = DT_OP_BY_HAND,
        .compose = full_tensor,
    },
    {
        .schema = "from_local(Tensor local, Text layout) -> Tensor",
        .about = "Create a tensor on the current mesh from local tensors.",
        .flags = DT_OP_BY_HAND,
        .compose = from_local,
    },
    {0},
};
