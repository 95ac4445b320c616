/* op/call/recorder.c - whoever is told of every call. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "op/call/recorder.h"

dt_status dti_record_call(const dti_request *request,
                          const dti_recorder *recorder, dt_spec *before,
                          dt_tensor **results, int room, int given)
{
    const dti_record done = {.world = request->world,
                             .op = request->op,
                             .variant = request->variant,
                             .arguments = request->arguments,
                             .input_count = request->input_count,
                             .inputs = request->inputs,
                             .out = request->out,
                             .result_count = given < room ? given : room,
                             .results = results,
                             .before = before};
    return recorder->record(recorder->arg, &done);
}

dt_status dti_record_check(const dti_request *request,
                           const dti_recorder *recorder)
{
    const dti_record planned = {.world = request->world,
                                .op = request->op,
                                .variant = request->variant,
                                .arguments = request->arguments,
                                .input_count = request->input_count,
                                .inputs = request->inputs,
                                .out = request->out};
    return recorder->check ? recorder->check(recorder->arg, &planned) : DT_OK;
}

dt_status dti_recorder_set(dt_world *world, const dti_recorder *recorder,
                           const dti_recorder **before)
{
    dti_operators *all = dti_operators_of(world);
    if (!all)
        return DT_ERR_NO_MEMORY;
    if (before)
        *before = all->recorder;
    all->recorder = recorder;
    return DT_OK;
}
