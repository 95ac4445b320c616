/* nn/train/optimizer.c - updating the parameters of modules. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "nn/train/optimizer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <dtensor/autograd.h>
#include <dtensor/create.h>
#include <dtensor/layout.h>
#include <dtensor/ops/nn.h>
#include <dtensor/redistribute.h>
#include <dtensor/scope.h>

#include "base/error.h"
#include "base/handles.h"
#include "base/text/pattern.h"
#include "nn/module.h"
#include "tensor/tensor.h"

/* ---- Creating and releasing --------------------------------------------- */

dt_status dti_optimizer_check(dt_world *world, const char *function,
                              const char *option, double value, double high)
{
    if (value >= 0 && value < high)
        return DT_OK;
    if (isinf(high))
        return dti_fail(world, DT_ERR_INVALID,
                        "%s: %s is %g; it must be finite and at least 0",
                        function, option, value);
    return dti_fail(world, DT_ERR_INVALID,
                    "%s: %s is %g; it must be at least 0 and less than %g",
                    function, option, value, high);
}

static void clear(dti_trained *trained)
{
    for (int i = 0; i < DTI_MOMENTS_MAX; i++)
        dt_tensor_release(trained->moments[i]);
    dt_parameter_release(trained->parameter);
    free(trained->name);
}

void dt_optimizer_release(dt_optimizer *optimizer)
{
    DTI_ENTRY();
    if (!dti_handle_usable(optimizer, __func__) || !optimizer)
        return;
    dti_handle_gone(optimizer);
    for (int i = 0; i < optimizer->count; i++)
        clear(&optimizer->trained[i]);
    free(optimizer->trained);
    dti_handle_free(optimizer);
    dti_live_add(DTI_LIVE_OPTIMIZER, -1);
}

static dt_status add(dt_optimizer *optimizer, const dt_named_parameter *named,
                     double weight_decay)
{
    char *name = strdup(named->name);
    if (!name)
        return dti_fail_memory(optimizer->world, strlen(named->name) + 1,
                               "the name of a parameter");
    optimizer->trained[optimizer->count++] = (dti_trained){
        .name = name,
        .parameter = dt_parameter_retain(named->parameter),
        .weight_decay = weight_decay,
        .lr_factor = 1,
    };
    return DT_OK;
}

/* Take the parameters that are trained. */
static dt_status take(dt_optimizer *optimizer, const char *function,
                      const dt_named_parameter *named, int count,
                      double weight_decay)
{
    const size_t bytes = (size_t)count * sizeof *optimizer->trained;
    optimizer->trained = calloc(1, bytes ? bytes : 1);
    if (!optimizer->trained)
        return dti_fail_memory(optimizer->world, bytes, "an optimiser");
    for (int i = 0; i < count; i++)
        if (!dt_parameter_is_frozen(named[i].parameter))
            DTI_TRY(add(optimizer, &named[i], weight_decay));
    if (!optimizer->count)
        return dti_fail(optimizer->world, DT_ERR_INVALID,
                        "%s: the module has no parameter to train", function);
    return DT_OK;
}

dt_status dti_optimizer_create(dt_module *module, const char *function,
                               const dti_optimizer_class *kind,
                               int moment_count, double lr, double weight_decay,
                               dt_optimizer **out)
{
    dt_world *world = dt_module_world(module);
    DTI_TRY(dti_optimizer_check(world, function, "lr", lr, INFINITY));
    DTI_TRY(dti_optimizer_check(world, function, "weight_decay", weight_decay,
                                INFINITY));
    const dti_name_list *list = NULL;
    DTI_TRY(dti_module_list(module, false, &list));
    dt_optimizer *optimizer = calloc(1, sizeof *optimizer);
    if (!optimizer)
        return dti_fail_memory(world, sizeof *optimizer, "an optimiser");
    optimizer->world = world;
    optimizer->kind = kind;
    optimizer->moment_count = moment_count;
    optimizer->lr = lr;
    dti_live_add(DTI_LIVE_OPTIMIZER, 1);
    dti_handle_made(world, DTI_LIVE_OPTIMIZER, optimizer);
    const dt_status status =
        take(optimizer, function, list->items, list->count, weight_decay);
    if (status == DT_OK)
        *out = optimizer;
    else
        dt_optimizer_release(optimizer);
    return status;
}

/* ---- Properties --------------------------------------------------------- */

dt_status dt_optimizer_set(dt_optimizer *optimizer, const char *pattern,
                           double weight_decay, double lr_factor)
{
    DTI_TRY(dti_given(optimizer, __func__, "optimizer"));
    dt_world *world = optimizer->world;
    if (!pattern)
        return dti_fail_null(world, __func__, "pattern");
    DTI_TRY(dti_optimizer_check(world, __func__, "weight_decay", weight_decay,
                                INFINITY));
    DTI_TRY(
        dti_optimizer_check(world, __func__, "lr_factor", lr_factor, INFINITY));
    int matches = 0;
    for (int i = 0; i < optimizer->count; i++) {
        dti_trained *trained = &optimizer->trained[i];
        if (!dti_pattern_matches(pattern, trained->name))
            continue;
        trained->weight_decay = weight_decay;
        trained->lr_factor = lr_factor;
        matches++;
    }
    if (!matches)
        return dti_fail(world, DT_ERR_NOT_FOUND,
                        "dt_optimizer_set: no parameter matches %s; the first "
                        "of %d parameters is %s",
                        pattern, optimizer->count, optimizer->trained[0].name);
    return DT_OK;
}

double dt_optimizer_lr(const dt_optimizer *optimizer)
{
    return optimizer && dti_handle_readable(optimizer, __func__) ? optimizer->lr
                                                                 : 0;
}

dt_status dt_optimizer_set_lr(dt_optimizer *optimizer, double lr)
{
    DTI_TRY(dti_given(optimizer, __func__, "optimizer"));
    DTI_TRY(
        dti_optimizer_check(optimizer->world, __func__, "lr", lr, INFINITY));
    optimizer->lr = lr;
    return DT_OK;
}

/* ---- Updating ----------------------------------------------------------- */

dt_scope *dti_optimizer_scope(const dt_optimizer *optimizer)
{
    dt_scope_options options = DT_SCOPE_OPTIONS_INIT;
    options.gradients = DT_TRISTATE_OFF;
    return dt_scope_open_with(optimizer->world, &options);
}

/* Replace a moment by a tensor, which is retained. */
static dt_status put_moment(dt_optimizer *optimizer, dt_tensor **moment,
                            dt_tensor *tensor)
{
    if (!tensor)
        return dti_failure_of(optimizer->world);
    dt_tensor_retain(tensor);
    dt_tensor_release(*moment);
    *moment = tensor;
    return DT_OK;
}

/* A moment in the layout, and on the mesh, of its parameter. */
static dt_tensor *follow(dt_tensor *moment, dt_tensor *tensor)
{
    dt_redistribute_options options = DT_REDISTRIBUTE_OPTIONS_INIT;
    options.mesh = dt_tensor_mesh(tensor);
    options.layout =
        dt_layout_text(dt_tensor_world(tensor), dt_tensor_layout(tensor));
    return options.layout ? dt_redistribute_with(moment, &options) : NULL;
}

dt_status dti_optimizer_prepare(dt_optimizer *optimizer, dti_trained *trained,
                                dt_tensor *tensor)
{
    for (int i = 0; i < optimizer->moment_count; i++) {
        dt_tensor **moment = &trained->moments[i];
        if (!*moment)
            DTI_TRY(put_moment(optimizer, moment, dt_zeros_like(tensor)));
        else if (dt_tensor_spec(*moment) != dt_tensor_spec(tensor))
            DTI_TRY(put_moment(optimizer, moment, follow(*moment, tensor)));
    }
    return DT_OK;
}

static dt_status update(dt_optimizer *optimizer, dti_trained *trained)
{
    dt_tensor *tensor = dt_parameter_tensor(trained->parameter);
    dt_tensor *grad = dt_tensor_grad(tensor);
    if (!grad || dt_parameter_is_frozen(trained->parameter))
        return DT_OK;
    DTI_TRY(dti_optimizer_prepare(optimizer, trained, tensor));
    trained->steps++;
    const dt_status status =
        optimizer->kind->update(optimizer, trained, tensor, grad);
    trained->steps -= status != DT_OK;
    return status;
}

dt_status dt_optimizer_step(dt_optimizer *optimizer)
{
    DTI_ENTRY();
    DTI_TRY(dti_given(optimizer, __func__, "optimizer"));
    dt_scope *scope = dti_optimizer_scope(optimizer);
    if (!scope) /* other ranks wait */
        return dti_collective_end(optimizer->world, DT_ERR_NO_MEMORY);
    dt_status status = DT_OK;
    for (int i = 0; i < optimizer->count && status == DT_OK; i++)
        status = update(optimizer, &optimizer->trained[i]);
    const dt_status closed = dt_scope_close(scope);
    return status != DT_OK ? status : closed;
}

dt_status dt_optimizer_zero_grad(dt_optimizer *optimizer)
{
    DTI_ENTRY();
    DTI_TRY(dti_given(optimizer, __func__, "optimizer"));
    for (int i = 0; i < optimizer->count; i++) {
        dt_tensor *tensor =
            dt_parameter_tensor(optimizer->trained[i].parameter);
        if (dt_tensor_grad(tensor))
            DTI_TRY(dt_tensor_set_grad(tensor, NULL));
    }
    return DT_OK;
}

/* ---- Gradients ---------------------------------------------------------- */

dt_status dti_optimizer_grads(const dt_optimizer *optimizer, dt_tensor ***grads,
                              int *count)
{
    const size_t bytes = (size_t)optimizer->count * sizeof **grads;
    dt_tensor **list = malloc(bytes);
    if (!list) /* other ranks wait */
        return dti_collective_end(
            optimizer->world,
            dti_fail_memory(optimizer->world, bytes, "a list of gradients"));
    int found = 0;
    for (int i = 0; i < optimizer->count; i++) {
        dt_parameter *parameter = optimizer->trained[i].parameter;
        dt_tensor *grad = dt_tensor_grad(dt_parameter_tensor(parameter));
        if (grad)
            list[found++] = grad;
    }
    *grads = list;
    *count = found;
    return DT_OK;
}

static dt_status clip(const dt_optimizer *optimizer, dt_tensor **grads,
                      int count, double max_norm, double *norm)
{
    dt_scope *scope = dti_optimizer_scope(optimizer);
    if (!scope) /* other ranks wait */
        return dti_collective_end(optimizer->world, DT_ERR_NO_MEMORY);
    dt_tensor *total = NULL;
    dt_number value = dt_real(0);
    dt_status status = dt_clip_grad_norm_(grads, count, max_norm, 2, &total);
    if (status == DT_OK && norm)
        status = dt_tensor_item(total, &value);
    const dt_status closed = dt_scope_close(scope);
    if (status == DT_OK && closed == DT_OK && norm)
        *norm = dt_number_real(value);
    return status != DT_OK ? status : closed;
}

dt_status dt_optimizer_clip(dt_optimizer *optimizer, double max_norm,
                            double *norm)
{
    DTI_ENTRY();
    DTI_TRY(dti_given(optimizer, __func__, "optimizer"));
    if (!(max_norm > 0))
        return dti_fail(optimizer->world, DT_ERR_INVALID,
                        "dt_optimizer_clip: max_norm is %g; it must be "
                        "greater than 0",
                        max_norm);
    dt_tensor **grads = NULL;
    int count = 0;
    DTI_TRY(dti_optimizer_grads(optimizer, &grads, &count));
    dt_status status = DT_OK;
    if (count)
        status = clip(optimizer, grads, count, max_norm, norm);
    else if (norm)
        *norm = 0;
    free(grads);
    return status;
}
