/* ops/foreach.c - the same operator for every tensor of a list. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/error.h"
#include "op/schema.h"
#include "ops/tables.h"

/*
 * Each tensor has a call of its own, so that tensors may lie on different
 * meshes; all ranks of all of them make all the calls.  The operator that
 * foreach_x calls is x, with the same arguments in the same order: of each list
 * one tensor, of everything else the same.
 */

static const char prefix[] = "foreach_";

/* The arguments of the call for one tensor. */
static void pick(const dt_operation *operation, int index, dt_argument *out)
{
    for (int i = 0; i < operation->schema->count; i++) {
        out[i] = operation->arguments[i];
        if (out[i].kind == DT_ARG_TENSORS)
            out[i] = (dt_argument){.kind = DT_ARG_TENSOR,
                                   .as.tensor = out[i].as.tensors[index]};
    }
}

static dt_status check_counts(const dt_operation *operation)
{
    const dti_schema *schema = operation->schema;
    const int count = operation->arguments[0].count;
    for (int i = 1; i < schema->count; i++)
        if (operation->arguments[i].kind == DT_ARG_TENSORS &&
            operation->arguments[i].count != count)
            return dt_operation_fail(operation, DT_ERR_INVALID,
                                     "self has %d tensors, %s has %d", count,
                                     schema->parameters[i].name,
                                     operation->arguments[i].count);
    return DT_OK;
}

/* In place nothing is written unless everything can be. */
static dt_status check_each(const dt_operation *operation, const char *name)
{
    dt_argument arguments[DTI_MAX_ARGUMENTS];
    for (int i = 0; i < operation->arguments[0].count; i++) {
        pick(operation, i, arguments);
        DTI_TRY(dt_op_check(operation->world, name, operation->form, arguments,
                            operation->schema->count, NULL));
    }
    return DT_OK;
}

static dt_status call_each(dt_operation *operation)
{
    const char *name = operation->schema->name + sizeof prefix - 1;
    dt_argument arguments[DTI_MAX_ARGUMENTS];
    DTI_TRY(check_counts(operation));
    if (operation->form == DT_FORM_IN_PLACE)
        DTI_TRY(check_each(operation, name));
    for (int i = 0; i < operation->arguments[0].count; i++) {
        pick(operation, i, arguments);
        DTI_TRY(dt_op_call(operation->world, name, operation->form, arguments,
                           operation->schema->count, &operation->outputs[i], 1,
                           NULL));
    }
    operation->result_count = operation->arguments[0].count;
    return DT_OK;
}

const dt_op dti_ops_foreach[] = {
    {
        .schema = "foreach_add(Tensor[] self, Tensor[] other, *, "
                  "Number alpha=1) -> Tensor[]",
        .aten = "_foreach_add.List",
        .about = "Add tensors of two lists, the second multiplied by alpha.",
        .flags = DT_OP_IN_PLACE,
        .compose = call_each,
        .samples = "([T[m,n], T[n]], [T[m,n], T[n]]); ([T[m]], [T[m]])",
    },
    {
        .schema = "foreach_mul_scalar(Tensor[] self, Number other) -> Tensor[]",
        .aten = "_foreach_mul.Scalar",
        .about = "Multiply every tensor of a list by a number.",
        .flags = DT_OP_IN_PLACE,
        .compose = call_each,
        .samples = "([T[m,n], T[n]], 2); ([T[]], 3)",
    },
    {0},
};
