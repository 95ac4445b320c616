/* nn/state.c - the parameters of modules as a state, and back. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "nn/state.h"

#include <string.h>

#include <dtensor/layout.h>
#include <dtensor/ops/create.h>
#include <dtensor/ops/math.h>
#include <dtensor/ops/shape.h>
#include <dtensor/redistribute.h>
#include <dtensor/state.h>

#include "base/error.h"
#include "base/handles.h"
#include "base/text/writer.h"
#include "tensor/tensor.h"

/* ---- Shapes ------------------------------------------------------------- */

dt_tensor *dti_state_form(const dt_parameter *parameter, dt_tensor *tensor)
{
    return dt_tensor_ndim(tensor) == parameter->shape.ndim
               ? tensor
               : dt_reshape(tensor, parameter->shape);
}

static bool is_local(const dt_tensor *tensor)
{
    return dt_mesh_equal(tensor->spec->mesh, dt_world_own_mesh(tensor->world));
}

/* The same values on the mesh of `like`. */
static dt_tensor *bring(dt_tensor *like, dt_tensor *given)
{
    const dt_spec *to = like->spec;
    dt_redistribute_options options = DT_REDISTRIBUTE_OPTIONS_INIT;
    const char *layout = dt_layout_text(like->world, &to->layout);
    if (dt_mesh_equal(given->spec->mesh, to->mesh))
        return given;
    if (is_local(given))
        return dt_distribute(to->mesh, layout, given->spec->meta.dtype,
                             given->spec->meta.shape, given->local,
                             DT_EVERYWHERE);
    options.mesh = to->mesh;
    options.layout = layout;
    return dt_redistribute_with(given, &options);
}

dt_status dti_state_take(const dt_parameter *parameter, dt_tensor *tensor,
                         dt_tensor *given)
{
    if (given == tensor || (given->local->storage &&
                            given->local->storage == tensor->local->storage))
        return DT_OK;
    given = dt_reshape(given, dt_tensor_shape(tensor));
    if (!given)
        return dti_failure_of(parameter->world);
    given = bring(tensor, given);
    return dt_copy_(tensor, given) ? DT_OK : dti_failure_of(parameter->world);
}

/* A scope in which nothing is recorded. */
static dt_scope *open_quiet(dt_world *world)
{
    dt_scope_options options = DT_SCOPE_OPTIONS_INIT;
    options.gradients = DT_TRISTATE_OFF;
    return dt_scope_open_with(world, &options);
}

/* ---- To a state --------------------------------------------------------- */

static dt_status get_one(const dt_named_parameter *named, dt_state *state)
{
    const dt_parameter *parameter = named->parameter;
    if (parameter->kind == DT_BUFFER_TRANSIENT)
        return DT_OK;
    if (!parameter->created)
        return dti_fail(parameter->world, DT_ERR_INVALID,
                        "dt_module_get_state: \"%s\" has no elements; call "
                        "dt_distribute_module or dt_parallelize first",
                        named->name);
    dt_tensor *tensor = dti_state_form(parameter, dt_detach(parameter->tensor));
    if (!tensor)
        return dti_failure_of(parameter->world);
    return dt_state_set_tensor(state, named->name, tensor);
}

static dt_status get_list(dt_module *module, bool buffers, dt_state *state)
{
    const dti_name_list *list = NULL;
    DTI_TRY(dti_module_list(module, buffers, &list));
    for (int i = 0; i < list->count; i++)
        DTI_TRY(get_one(&list->items[i], state));
    return DT_OK;
}

dt_status dt_module_get_state(dt_module *module, dt_state *state)
{
    DTI_ENTRY();
    DTI_TRY(dti_given(module, __func__, "module"));
    DTI_TRY(dti_given(state, __func__, "state"));
    dt_scope *scope = open_quiet(module->world);
    if (!scope)
        return DT_ERR_NO_MEMORY;
    dt_status status = get_list(module, false, state);
    if (status == DT_OK)
        status = get_list(module, true, state);
    dti_scope_close_inner(scope);
    return status;
}

/* ---- From a state ------------------------------------------------------- */

/* What is wrong with a state, all of it. */
typedef struct problems {
    dt_module *module;
    const dt_state *state;
    dti_writer missing, unexpected, different;
    char texts[3][300];
} problems;

static void add_name(dti_writer *to, const char *name)
{
    dti_put(to, "%s\"%s\"", to->length ? ", " : "", name);
}

static dt_shape shape_of(const dt_state_entry *entry)
{
    return entry->kind == DT_STATE_TENSOR  ? dt_tensor_shape(entry->tensor)
           : entry->kind == DT_STATE_ARRAY ? dt_array_shape(entry->array)
                                           : (dt_shape){.ndim = -1};
}

/* A name of a parameter, and where a state has it. */
typedef struct search {
    const dt_parameter *parameter;
    const dt_state *state;
    const dt_state_entry *found;
} search;

static dt_status find_name(dt_module *module, dti_slot *slot, const char *name,
                           void *arg)
{
    search *self = arg;
    (void)module;
    if (slot->parameter == self->parameter && !self->found)
        self->found = dt_state_find(self->state, name);
    return DT_OK;
}

/* Find the value of a parameter by any of its names; NULL if there is none. */
static dt_status find_entry(dt_module *module, const dt_state *state,
                            const dt_named_parameter *named,
                            const dt_state_entry **out)
{
    search self = {named->parameter, state, dt_state_find(state, named->name)};
    if (!self.found)
        DTI_TRY(dti_module_each_slot(module, find_name, &self));
    *out = self.found;
    return DT_OK;
}

static dt_status check_list(problems *self, bool buffers)
{
    const dti_name_list *list = NULL;
    DTI_TRY(dti_module_list(self->module, buffers, &list));
    for (int i = 0; i < list->count; i++) {
        const dt_named_parameter *named = &list->items[i];
        const dt_state_entry *entry = NULL;
        if (named->parameter->kind == DT_BUFFER_TRANSIENT)
            continue;
        DTI_TRY(find_entry(self->module, self->state, named, &entry));
        if (!entry)
            add_name(&self->missing, named->name);
        else if (!dt_shape_equal(shape_of(entry), named->parameter->shape))
            add_name(&self->different, named->name);
    }
    return DT_OK;
}

static dt_status mark_known(dt_module *module, dti_slot *slot, const char *name,
                            void *arg)
{
    search *self = arg;
    (void)module;
    if (slot->parameter->kind != DT_BUFFER_TRANSIENT &&
        strcmp(name, self->found->name) == 0)
        self->parameter = slot->parameter;
    return DT_OK;
}

static dt_status check_unexpected(problems *self)
{
    for (int64_t i = 0; i < dt_state_count(self->state); i++) {
        search known = {NULL, self->state, dt_state_at(self->state, i)};
        DTI_TRY(dti_module_each_slot(self->module, mark_known, &known));
        if (!known.parameter)
            add_name(&self->unexpected, known.found->name);
    }
    return DT_OK;
}

static dt_status fail_problems(const problems *self)
{
    const bool missing = self->missing.length > 0,
               unexpected = self->unexpected.length > 0,
               different = self->different.length > 0;
    return dti_fail(
        self->module->world, DT_ERR_INVALID,
        "dt_module_set_state: the state does not fit %s:%s%s%s%s%s%s%s%s",
        dti_module_show(self->module), missing ? " missing " : "",
        missing ? self->missing.text : "", missing && unexpected ? ";" : "",
        unexpected ? " unexpected " : "",
        unexpected ? self->unexpected.text : "",
        (missing || unexpected) && different ? ";" : "",
        different ? " of another shape " : "",
        different ? self->different.text : "");
}

/* Check all names and shapes before anything is changed. */
static dt_status check_state(dt_module *module, const dt_state *state,
                             bool strict)
{
    problems self = {.module = module, .state = state};
    dti_writer *const lists[] = {&self.missing, &self.unexpected,
                                 &self.different};
    for (int i = 0; i < 3; i++)
        *lists[i] = (dti_writer){self.texts[i], sizeof self.texts[i], 0};
    DTI_TRY(check_list(&self, false));
    DTI_TRY(check_list(&self, true));
    DTI_TRY(check_unexpected(&self));
    if (!strict)
        self.missing.length = self.unexpected.length = 0;
    return self.missing.length + self.unexpected.length + self.different.length
               ? fail_problems(&self)
               : DT_OK;
}

/* The value as a tensor, of this rank alone if it is an array. */
static dt_tensor *tensor_of(dt_world *world, const dt_state_entry *entry)
{
    return entry->kind == DT_STATE_TENSOR
               ? entry->tensor
               : dt_from_local(dt_world_own_mesh(world), NULL, entry->array);
}

static dt_status set_parameter(dt_parameter *parameter,
                               const dt_state_entry *entry)
{
    dt_tensor *given = tensor_of(parameter->world, entry);
    if (!given)
        return dti_failure_of(parameter->world);
    if (parameter->created)
        return dti_state_take(parameter, parameter->tensor, given);
    dt_tensor *copy = dt_clone(dt_cast(dt_detach(given), parameter->dtype));
    return copy ? dti_parameter_put(parameter, copy)
                : dti_failure_of(parameter->world);
}

static dt_status set_list(dt_module *module, const dt_state *state,
                          bool buffers)
{
    const dti_name_list *list = NULL;
    DTI_TRY(dti_module_list(module, buffers, &list));
    for (int i = 0; i < list->count; i++) {
        const dt_named_parameter *named = &list->items[i];
        const dt_state_entry *entry = NULL;
        if (named->parameter->kind != DT_BUFFER_TRANSIENT)
            DTI_TRY(find_entry(module, state, named, &entry));
        if (entry)
            DTI_TRY(set_parameter(named->parameter, entry));
    }
    return DT_OK;
}

dt_status dt_module_set_state(dt_module *module, const dt_state *state,
                              bool strict)
{
    DTI_ENTRY();
    DTI_TRY(dti_given(module, __func__, "module"));
    DTI_TRY(dti_given(state, __func__, "state"));
    DTI_TRY(check_state(module, state, strict));
    dt_scope *scope = open_quiet(module->world);
    if (!scope)
        return DT_ERR_NO_MEMORY;
    dt_status status = set_list(module, state, false);
    if (status == DT_OK)
        status = set_list(module, state, true);
    dti_scope_close_inner(scope);
    return status;
}
