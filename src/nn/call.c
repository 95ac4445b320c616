/* nn/call.c - calling modules, and functions before and after a call. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/handles.h"
#include "base/options.h"
#include "nn/module.h"
#include "tensor/tensor.h"

/* ---- Hooks -------------------------------------------------------------- */

dt_status dt_module_add_hook(dt_module *module, const dt_module_hook *hook,
                             uint64_t *number)
{
    DTI_ENTRY();
    dt_module_hook usual = DT_MODULE_HOOK_INIT;
    DTI_TRY(dti_given(module, __func__, "module"));
    DTI_TRY(dti_given(hook, __func__, "hook"));
    hook = dti_options_read(module->world, hook, &usual, sizeof usual,
                            "DT_MODULE_HOOK_INIT");
    if (!hook)
        return DT_ERR_INVALID;
    void *list = module->hooks;
    DTI_TRY(dti_list_grow(module->world, &list, module->hook_count,
                          &module->hook_capacity, sizeof *module->hooks));
    module->hooks = list;
    const int last = module->hook_count - 1;
    const uint64_t next = last < 0 ? 1 : module->hooks[last].number + 1;
    module->hooks[module->hook_count++] = (dti_module_hook){next, *hook};
    if (number)
        *number = next;
    return DT_OK;
}

dt_status dt_module_remove_hook(dt_module *module, uint64_t number)
{
    DTI_ENTRY();
    DTI_TRY(dti_given(module, __func__, "module"));
    for (int i = 0; i < module->hook_count; i++) {
        dti_module_hook *hook = &module->hooks[i];
        if (hook->number != number)
            continue;
        if (hook->functions.release)
            hook->functions.release(hook->functions.arg);
        module->hook_count--;
        memmove(hook, hook + 1,
                (size_t)(module->hook_count - i) * sizeof *hook);
        return DT_OK;
    }
    return dti_fail(module->world, DT_ERR_NOT_FOUND,
                    "dt_module_remove_hook: %s has no hook number %llu",
                    dti_module_show(module), (unsigned long long)number);
}

/* ---- Calls -------------------------------------------------------------- */

static dt_status check_tensors(const dti_running *call,
                               dt_tensor *const *tensors, int count,
                               const char *what)
{
    dt_world *world = call->module->world;
    for (int i = 0; i < count; i++)
        if (!tensors[i])
            return dti_fail_null(world, dti_module_show(call->module), what);
    return DT_OK;
}

static dt_status run_before(dti_running *call)
{
    dt_module *module = call->module;
    for (int i = 0; i < module->hook_count; i++) {
        const dt_module_hook hook = module->hooks[i].functions;
        if (hook.before)
            DTI_TRY(
                hook.before(module, call->inputs, call->input_count, hook.arg));
    }
    return check_tensors(call, call->inputs, call->input_count, "input");
}

static dt_status run_forward(dti_running *call)
{
    dt_module *module = call->module;
    if (module->kind.forward_all)
        return module->kind.forward_all(module, call->inputs, call->input_count,
                                        call->outputs, call->output_count);
    if (call->input_count != 1 || call->output_count != 1)
        return dti_fail(module->world, DT_ERR_INVALID,
                        "%s takes 1 input and returns 1 output; called with %d "
                        "and %d",
                        module->kind.name, call->input_count,
                        call->output_count);
    call->outputs[0] = module->kind.forward(module, call->inputs[0]);
    return call->outputs[0] ? DT_OK : dti_failure_of(module->world);
}

static dt_status run_after(dti_running *call)
{
    dt_module *module = call->module;
    DTI_TRY(check_tensors(call, call->outputs, call->output_count, "output"));
    for (int i = 0; i < module->hook_count; i++) {
        const dt_module_hook hook = module->hooks[i].functions;
        if (hook.after)
            DTI_TRY(hook.after(module, call->inputs, call->input_count,
                               call->outputs, call->output_count, hook.arg));
    }
    return check_tensors(call, call->outputs, call->output_count, "output");
}

static dt_status run(dti_running *call)
{
    DTI_TRY(run_before(call));
    DTI_TRY(run_forward(call));
    return run_after(call);
}

/* Add to a message in which module it happened, unless one inside it did. */
static void name_module(const dt_module *module, dt_error *error)
{
    static const char mark[] = " [in module ";
    const size_t length = strlen(error->message);
    if (error->code == DT_OK || error->code == DT_ERR_PEER ||
        error->code == DT_ERR_DIVERGED || strstr(error->message, mark))
        return;
    snprintf(error->message + length, sizeof error->message - length, "%s%s]",
             mark, dti_module_show(module));
}

/* End the scope of a call: outputs belong to the one around it. */
static void close_scope(dti_running *call, dt_scope *scope, dt_status status)
{
    dt_world *world = call->module->world;
    for (int i = 0; i < call->output_count; i++) {
        dt_tensor *output = call->outputs[i];
        if (status == DT_OK && output->owned.scope == scope)
            dti_scope_hand_up(&output->owned);
    }
    if (status != DT_OK) {
        name_module(call->module, &scope->first);
        name_module(call->module, &world->latest);
    }
    dti_scope_close_inner(scope);
}

static dt_status call_scoped(dti_running *call)
{
    dt_module *module = call->module;
    dt_world *world = module->world;
    dt_scope *scope = dt_scope_open(world);
    if (!scope)
        return DT_ERR_NO_MEMORY;
    const char *before = dt_world_set_module(world, dti_module_show(module));
    call->outer = module->running;
    module->running = call;
    dt_status status = run(call);
    module->running = call->outer;
    while (world->scope != scope)
        dti_scope_close_inner(world->scope);
    close_scope(call, scope, status);
    dt_world_set_module(world, before);
    return status;
}

static dt_status check_counts(const dt_module *module, int inputs, int outputs)
{
    if (module->broken)
        return dti_fail(module->world, DT_ERR_INVALID,
                        "%s is incomplete: a part of it could not be added",
                        dti_module_show(module));
    if (inputs < 0 || inputs > DT_MODULE_MAX_TENSORS || outputs < 0 ||
        outputs > DT_MODULE_MAX_TENSORS)
        return dti_fail(module->world, DT_ERR_INVALID,
                        "%s is called with %d inputs and %d outputs; at most "
                        "%d are possible",
                        dti_module_show(module), inputs, outputs,
                        DT_MODULE_MAX_TENSORS);
    return DT_OK;
}

/* Tell the other ranks of a lack of memory, which only this one knows of, so
 * that they do not wait.  Operators tell of their own failures. */
static dt_status tell(dt_tensor *const *inputs, int count, dt_status status)
{
    return count > 0 ? dti_collective_begin(inputs[0]->spec->mesh, status)
                     : status;
}

dt_status dt_module_call_all(dt_module *module, dt_tensor *const *inputs,
                             int input_count, dt_tensor **outputs,
                             int output_count)
{
    dti_running call = {.module = module,
                        .input_count = input_count,
                        .output_count = output_count,
                        .outer = NULL};
    for (int i = 0; i < output_count; i++)
        outputs[i] = NULL;
    DTI_TRY(dti_given(module, __func__, "module"));
    DTI_TRY(check_counts(module, input_count, output_count));
    for (int i = 0; i < input_count; i++) {
        DTI_TRY(dti_given(inputs[i], __func__, "input"));
        call.inputs[i] = inputs[i];
    }
    const dt_status status = call_scoped(&call);
    if (status != DT_OK)
        return tell(inputs, input_count, status);
    for (int i = 0; i < output_count; i++)
        outputs[i] = call.outputs[i];
    return DT_OK;
}

dt_tensor *dt_module_call(dt_module *module, dt_tensor *input)
{
    dt_tensor *output = NULL;
    DT_IGNORE(dt_module_call_all(module, &input, 1, &output, 1));
    return output;
}
