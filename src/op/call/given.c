/* op/call/given.c - calls whose tensors are missing or closed. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "op/call/given.h"

#include "base/error.h"
#include "base/handles.h"
#include "op/registry.h"

/* The operator with a number in a world, perhaps NULL; NULL if it cannot be
 * found. */
static const dti_operator *find_operator(dt_world *world, int number)
{
    dti_operators *all = world ? dti_operators_of(world) : NULL;
    return all ? dti_operator_at(world, all, number) : NULL;
}

dt_status dti_given_fail(int number, const dt_argument *arguments)
{
    dt_world *world = dti_world_running();
    const dti_operator *op = find_operator(world, number);
    if (!op)
        return DT_ERR_INVALID;
    const dti_schema *schema = &op->schema;
    const int first = schema->tensor_count > 0 ? schema->tensors[0] : 0;
    const char *name = schema->parameters[first].name;
    if (arguments[first].kind != DT_ARG_TENSORS || arguments[first].count > 0)
        return dti_fail_null(world, schema->name, name);
    return dti_fail(world, DT_ERR_INVALID, "%s: list %s is empty", schema->name,
                    name);
}

static bool is_usable(const dt_argument *argument, const char *op)
{
    switch (argument->kind) {
    case DT_ARG_TENSOR:
        return dti_handle_usable(argument->as.tensor, op);
    case DT_ARG_TENSORS:
        for (int i = 0; i < argument->count; i++)
            if (!dti_handle_usable(argument->as.tensors[i], op))
                return false;
        return true;
    case DT_ARG_GENERATOR:
        return dti_handle_usable(argument->as.generator, op);
    case DT_ARG_MESH:
        return dti_handle_usable(argument->as.mesh, op);
    case DT_ARG_ARRAY:
        return dti_handle_usable(argument->as.array, op);
    default:
        return true;
    }
}

dt_status dti_given_check(const char *op, const dt_argument *arguments,
                          int count, const dt_tensor *out)
{
    bool usable = dti_handle_usable(out, op);
    for (int i = 0; i < count && usable; i++)
        usable = is_usable(&arguments[i], op);
    return usable ? DT_OK : DT_ERR_INVALID;
}

const char *dti_given_name(int number)
{
    const dti_operator *op = find_operator(dti_world_running(), number);
    return op ? op->schema.name : "an operator";
}
