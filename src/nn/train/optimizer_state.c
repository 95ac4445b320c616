/* nn/train/optimizer_state.c - moments and step numbers, to save and load. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "base/error.h"
#include "base/handles.h"
#include "nn/state.h"
#include "nn/train/optimizer.h"
#include "tensor/tensor.h"

/* The name of something of a parameter: "layers.0.weight.exp_avg". */
typedef struct item_name {
    char text[DT_STATE_NAME_MAX + 32];
} item_name;

static item_name name_item(const dti_trained *trained, const char *item)
{
    item_name name;
    snprintf(name.text, sizeof name.text, "%s.%s", trained->name, item);
    return name;
}

static dt_status get_one(dt_optimizer *optimizer, dti_trained *trained,
                         dt_state *state)
{
    dt_tensor *tensor = dt_parameter_tensor(trained->parameter);
    DTI_TRY(dti_optimizer_prepare(optimizer, trained, tensor));
    for (int i = 0; i < optimizer->moment_count; i++)
        DTI_TRY(dt_state_set_tensor(
            state, name_item(trained, optimizer->kind->moments[i]).text,
            dti_state_form(trained->parameter, trained->moments[i])));
    return dt_state_set_integer(state, name_item(trained, "step").text,
                                trained->steps);
}

dt_status dt_optimizer_get_state(dt_optimizer *optimizer, dt_state *state)
{
    DTI_ENTRY();
    DTI_TRY(dti_given(optimizer, __func__, "optimizer"));
    DTI_TRY(dti_given(state, __func__, "state"));
    dt_scope *scope = dti_optimizer_scope(optimizer);
    if (!scope) /* other ranks wait */
        return dti_collective_end(optimizer->world, DT_ERR_NO_MEMORY);
    dt_status status = DT_OK;
    for (int i = 0; i < optimizer->count && status == DT_OK; i++)
        status = get_one(optimizer, &optimizer->trained[i], state);
    const dt_status closed = dt_scope_close(scope);
    return status != DT_OK ? status : closed;
}

/* Copy a moment from a state, unless it is the very tensor. */
static dt_status set_moment(const dt_parameter *parameter, dt_tensor *moment,
                            const dt_state *state, const char *name)
{
    dt_tensor *given = dt_state_tensor(state, name);
    return given ? dti_state_take(parameter, moment, given)
                 : dti_failure_of(parameter->world);
}

static dt_status set_one(dt_optimizer *optimizer, dti_trained *trained,
                         const dt_state *state)
{
    int64_t steps = 0;
    DTI_TRY(dt_state_integer(state, name_item(trained, "step").text, &steps));
    dt_tensor *tensor = dt_parameter_tensor(trained->parameter);
    DTI_TRY(dti_optimizer_prepare(optimizer, trained, tensor));
    for (int i = 0; i < optimizer->moment_count; i++)
        DTI_TRY(
            set_moment(trained->parameter, trained->moments[i], state,
                       name_item(trained, optimizer->kind->moments[i]).text));
    trained->steps = steps;
    return DT_OK;
}

dt_status dt_optimizer_set_state(dt_optimizer *optimizer, const dt_state *state)
{
    DTI_ENTRY();
    DTI_TRY(dti_given(optimizer, __func__, "optimizer"));
    DTI_TRY(dti_given(state, __func__, "state"));
    dt_scope *scope = dti_optimizer_scope(optimizer);
    if (!scope) /* other ranks wait */
        return dti_collective_end(optimizer->world, DT_ERR_NO_MEMORY);
    dt_status status = DT_OK;
    for (int i = 0; i < optimizer->count && status == DT_OK; i++)
        status = set_one(optimizer, &optimizer->trained[i], state);
    const dt_status closed = dt_scope_close(scope);
    return status != DT_OK ? status : closed;
}
