/* op/call/given.c - calls whose tensors are missing or closed. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "op/call/given.h"

#include "base/error.h"
#include "base/handles.h"
#include "op/registry.h"

dt_status dti_given_fail(int number, const dt_argument *arguments)
{
    dt_world *world = dti_world_running();
    dti_operators *all = world ? dti_operators_of(world) : NULL;
    const dti_operator *op = all ? dti_operator_at(world, all, number) : NULL;
    if (!op)
        return DT_ERR_INVALID;
    const dti_schema *schema = &op->schema;
    const int first = schema->tensor_count > 0 ? schema->tensors[0] : 0;
    const char *name = schema->parameters[first].name;
    if (arguments[first].kind != DT_ARG_TENSORS || arguments[first].count > 0)
        return dti_fail_null(world, schema->name, name);
    return dti_fail(world, DT_ERR_INVALID, "%s: %s is empty", schema->name,
                    name);
}

dt_status dti_given_check(const char *op, const dt_argument *arguments,
                          int count, const dt_tensor *out)
{
    bool usable = dti_handle_usable(out, op);
    for (int i = 0; i < count; i++) {
        const dt_argument *one = &arguments[i];
        if (one->kind == DT_ARG_TENSOR)
            usable = usable && dti_handle_usable(one->as.tensor, op);
        for (int k = 0; one->kind == DT_ARG_TENSORS && k < one->count; k++)
            usable = usable && dti_handle_usable(one->as.tensors[k], op);
    }
    return usable ? DT_OK : DT_ERR_INVALID;
}

const char *dti_given_name(int number)
{
    dt_world *world = dti_world_running();
    dti_operators *all = dti_operators_of(world);
    const dti_operator *op = all ? dti_operator_at(world, all, number) : NULL;
    return op ? op->schema.name : "an operator";
}
