/* op/call/compose.c - calls that call other operators. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "op/call/compose.h"

#include <stdlib.h>

#include "base/error.h"
#include "op/call/kernel.h"
#include "op/call/remember.h"
#include "op/call/results.h"
#include "tensor/view.h"

/* A composition may read its inputs. */
static dt_status settle_one(const dt_tensor *tensor)
{
    DTI_TRY(dti_tensor_read(tensor));
    return dti_array_settle(tensor->world, tensor->local);
}

static dt_status settle_given(const dti_request *request)
{
    const int first = dti_first_read(request->op->op);
    for (int i = first; i < request->input_count; i++) {
        const dt_tensor *one = request->inputs[i];
        if (one)
            DTI_TRY(dti_collective_end_on(one->spec->mesh, settle_one(one)));
    }
    return DT_OK;
}

static dt_operation composition(const dti_request *request, dt_tensor **outputs,
                                int room)
{
    return (dt_operation){.world = request->world,
                          .op = request->op->op,
                          .schema = &request->op->schema,
                          .variant = request->variant,
                          .arguments = request->arguments,
                          .input_count = request->input_count,
                          .result_count = request->op->schema.result_count,
                          .inputs = request->inputs,
                          .outputs = outputs,
                          .output_room = room};
}

static dt_status compose(const dti_request *request, dt_tensor **results,
                         int room, int *given)
{
    dt_tensor *few[DTI_FEW_INPUTS] = {NULL};
    if (!(request->op->op->flags & DT_OP_BOUNDARY))
        DTI_TRY(settle_given(request));
    int capacity = request->input_count > room ? request->input_count : room;
    dt_tensor **outputs = few;
    if (capacity <= DTI_FEW_INPUTS) {
        capacity = DTI_FEW_INPUTS;
    } else {
        outputs = calloc((size_t)capacity, sizeof(dt_tensor *));
        if (!outputs)
            return dti_fail_memory(request->world,
                                   (size_t)capacity * sizeof(dt_tensor *),
                                   "results");
    }
    dt_operation operation = composition(request, outputs, capacity);
    dt_status status = dti_kernel_call(request->op->op->compose, &operation);
    int made =
        operation.result_count < capacity ? operation.result_count : capacity;
    for (int i = 0; status == DT_OK && i < made; i++) {
        if (!outputs[i])
            status = dti_failure_of(request->world);
        else if (i < room)
            results[i] = outputs[i];
    }
    *given = operation.result_count;
    if (outputs != few)
        free(outputs);
    return status;
}

bool dti_composes(const dti_request *request)
{
    const dt_operation operation = composition(request, NULL, 0);
    return request->op->op->composes(&operation);
}

dt_status dti_compose(const dti_request *request, dt_tensor **results, int room,
                      int *given)
{
    if (request->op->op->flags & DT_OP_BOUNDARY)
        return compose(request, results, room, given);
    dti_service before = dti_remember_composition(request);
    dt_status status = compose(request, results, room, given);
    dti_comm_serve(request->world, before);
    return status;
}
