/* op/call/kernel.c - running the kernel of a call. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "op/call/kernel.h"

#include "base/machine/float.h"
#include "op/call/scratch.h"
#include "random/keys.h"

dt_status dti_kernel_call(dt_status (*function)(dt_operation *),
                          dt_operation *operation)
{
    dti_scratch scratch = {NULL, 0, 0};
    operation->scratch = &scratch;
    const dt_status status = function(operation);
    if (scratch.count > 0)
        dti_scratch_close(&scratch);
    return status;
}

/* Run the kernel of a view, which sets its results. */
static dt_status run_view(dt_operation *operation)
{
    const dt_status status = dti_kernel_call(operation->op->kernel, operation);
    for (int i = 0; status == DT_OK && i < operation->result_count; i++)
        if (!operation->out[i])
            return dt_operation_fail(operation, DT_ERR_INVALID,
                                     "the kernel did not set result %d", i);
    return status;
}

dt_status dti_kernel_run(dt_operation *operation)
{
    const dt_op *op = operation->op;
    if (op->flags & DT_OP_VIEW)
        return run_view(operation);
    if (!(op->flags & DT_OP_RANDOM))
        return dti_kernel_call(op->kernel, operation);
    const dti_float_state before = dti_float_begin();
    const dt_status status = dti_kernel_call(op->kernel, operation);
    dti_float_end(before);
    return status;
}

dt_status dti_kernel_find_generator(dti_request *request,
                                    const dti_decision *decision)
{
    const dti_schema *schema = &request->op->schema;
    for (int i = 0; i < schema->count; i++)
        if (schema->parameters[i].type == DTI_TYPE_GENERATOR &&
            request->arguments[i].kind == DT_ARG_GENERATOR)
            request->generator = request->arguments[i].as.generator;
    if (!request->generator)
        request->generator = dt_mesh_generator(decision->mesh);
    return request->generator ? DT_OK : DT_ERR_NO_MEMORY;
}

void dti_kernel_take_key(dt_generator *generator, dt_operation *operation)
{
    dti_random_key key = dti_keys_next(operation->world, generator);
    operation->random_seed = key.seed;
    operation->random_offset = key.offset;
}
