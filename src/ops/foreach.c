/* ops/foreach.c - the same operator for every tensor of a list. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/error.h"
#include "ops/tables.h"

/*
 * Each tensor has a call of its own, so that tensors may lie on different
 * meshes; all ranks of all of them make all the calls.
 */
static dt_status call(dt_operation *operation, const char *name, int index,
                      const dt_argument *arguments, int count)
{
    int given;
    return dt_op_call(operation->world, name, DT_FORM_NEW, arguments, count,
                      &operation->outputs[index], 1, &given);
}

static dt_argument tensor_argument(dt_tensor *tensor)
{
    return (dt_argument){.kind = DT_ARG_TENSOR, .as.tensor = tensor};
}

static dt_status compose_add(dt_operation *operation)
{
    const dt_argument *self = &operation->arguments[0];
    const dt_argument *other = &operation->arguments[1];
    if (self->count != other->count)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "self has %d tensors, other has %d",
                                 self->count, other->count);
    for (int i = 0; i < self->count; i++) {
        const dt_argument arguments[] = {tensor_argument(self->as.tensors[i]),
                                         tensor_argument(other->as.tensors[i]),
                                         operation->arguments[2]};
        DTI_TRY(call(operation, "add", i, arguments, 3));
    }
    operation->result_count = self->count;
    return DT_OK;
}

static dt_status compose_mul_scalar(dt_operation *operation)
{
    const dt_argument *self = &operation->arguments[0];
    for (int i = 0; i < self->count; i++) {
        const dt_argument arguments[] = {tensor_argument(self->as.tensors[i]),
                                         operation->arguments[1]};
        DTI_TRY(call(operation, "mul_scalar", i, arguments, 2));
    }
    operation->result_count = self->count;
    return DT_OK;
}

const dt_op dti_ops_foreach[] = {
    {
        .schema = "foreach_add(Tensor[] self, Tensor[] other, *, "
                  "Number alpha=1) -> Tensor[]",
        .aten = "_foreach_add.List",
        .about = "Add tensors of two lists, the second multiplied by alpha.",
        .compose = compose_add,
        .samples = "([T[m,n], T[n]], [T[m,n], T[n]]); ([T[m]], [T[m]])",
    },
    {
        .schema = "foreach_mul_scalar(Tensor[] self, Number other) -> Tensor[]",
        .aten = "_foreach_mul.Scalar",
        .about = "Multiply every tensor of a list by a number.",
        .compose = compose_mul_scalar,
        .samples = "([T[m,n], T[n]], 2); ([T[]], 3)",
    },
    {0},
};
