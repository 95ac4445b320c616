/* nn/module.c - building modules. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "nn/module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/handles.h"
#include "base/options.h"

dt_status dti_list_grow(dt_world *world, void **list, int count, int *capacity,
                        size_t item)
{
    if (count < *capacity)
        return DT_OK;
    const int larger = *capacity ? 2 * *capacity : 4;
    void *memory = realloc(*list, (size_t)larger * item);
    if (!memory)
        return dti_fail_memory(world, (size_t)larger * item, "a module");
    *list = memory;
    *capacity = larger;
    return DT_OK;
}

/* ---- Creating and releasing --------------------------------------------- */

static void release(dt_module *module);

static void release_children(dt_module *module)
{
    for (int i = module->child_count - 1; i >= 0; i--) {
        dt_module *child = module->children[i];
        child->parent = NULL;
        free(child->name);
        child->name = NULL;
        dti_module_forget_names(child);
        release(child);
    }
    free(module->children);
}

static void release_slots(dt_module *module)
{
    for (int i = 0; i < module->slot_count; i++) {
        free(module->slots[i].name);
        dt_parameter_release(module->slots[i].parameter);
    }
    free(module->slots);
}

static void release_hooks(dt_module *module)
{
    for (int i = 0; i < module->hook_count; i++) {
        const dt_module_hook *hook = &module->hooks[i].functions;
        if (hook->release)
            hook->release(hook->arg);
    }
    free(module->hooks);
}

static void release(dt_module *module)
{
    if (!dti_reference_release(&module->reference))
        return;
    dti_handle_gone(module);
    if (module->kind.release)
        module->kind.release(module);
    release_hooks(module);
    release_children(module);
    release_slots(module);
    dti_name_list_clear(&module->parameters);
    dti_name_list_clear(&module->buffers);
    free(module->state);
    free(module->name);
    free(module->path);
    dti_handle_free(module);
    dti_live_add(DTI_LIVE_MODULE, -1);
}

static void release_owned(dti_owned *owned)
{
    release((dt_module *)owned);
}

static dt_status read_class(dt_world *world, const dt_module_class *given,
                            dt_module_class *out)
{
    dt_module_class usual = {.size = sizeof usual};
    if (!given)
        return dti_fail_null(world, "dt_module_create", "module_class");
    given = dti_options_read(world, given, &usual, sizeof usual,
                             ".size = sizeof(dt_module_class)");
    if (!given)
        return DT_ERR_INVALID;
    if (!given->name || !given->forward == !given->forward_all)
        return dti_fail(world, DT_ERR_INVALID,
                        "dt_module_create: class %s must have a name, and one "
                        "of forward and forward_all",
                        given->name ? given->name : "(no name)");
    *out = *given;
    return DT_OK;
}

static dt_module *make(dt_world *world, const dt_module_class *kind)
{
    dt_module *module = calloc(1, sizeof *module);
    void *state = calloc(1, kind->state_size ? kind->state_size : 1);
    if (module && state) {
        module->state = state;
        return module;
    }
    free(module);
    free(state);
    dti_fail_memory(world, sizeof *module + kind->state_size, "a module");
    return NULL;
}

dt_module *dt_module_create(dt_world *world,
                            const dt_module_class *module_class)
{
    DTI_ENTRY();
    dt_module_class kind;
    if (read_class(world, module_class, &kind) != DT_OK)
        return NULL;
    dt_module *module = make(world, &kind);
    if (!module)
        return NULL;
    dti_reference_init(&module->reference);
    module->world = world;
    module->kind = kind;
    module->given = module_class;
    module->training = true;
    dti_scope_adopt(world, &module->owned, release_owned);
    dti_live_add(DTI_LIVE_MODULE, 1);
    dti_handle_made(world, DTI_LIVE_MODULE, module);
    return module;
}

dt_module *dt_module_retain(dt_module *module)
{
    if (!dti_handle_usable(module, __func__))
        return NULL;
    if (module)
        dti_reference_retain(&module->reference);
    return module;
}

void dt_module_release(dt_module *module)
{
    DTI_ENTRY();
    if (!dti_handle_usable(module, __func__) || !module)
        return;
    if ((module->owned.scope || module->parent) &&
        dti_reference_is_last(&module->reference)) {
        dti_handle_fail_release(module->world, module, __func__);
        return;
    }
    release(module);
}

/* ---- Children ----------------------------------------------------------- */

static bool has_child(const dt_module *module, const char *name)
{
    for (int i = 0; i < module->child_count; i++)
        if (strcmp(module->children[i]->name, name) == 0)
            return true;
    return false;
}

/* Check a name of a child or of a parameter. */
static dt_status check_name(const dt_module *module, const char *name,
                            const char *function)
{
    if (!name || !*name || strchr(name, '.'))
        return dti_fail(module->world, DT_ERR_INVALID,
                        "%s: \"%s\" is no name; it must not be empty and must "
                        "not contain \".\"",
                        function, name ? name : "");
    if (has_child(module, name) || dti_module_slot(module, name))
        return dti_fail(module->world, DT_ERR_INVALID,
                        "%s: %s already has a part named \"%s\"", function,
                        dti_module_show(module), name);
    return DT_OK;
}

static bool is_above(const dt_module *module, const dt_module *other)
{
    for (; other; other = other->parent)
        if (other == module)
            return true;
    return false;
}

static dt_status check_child(const dt_module *parent, const dt_module *child)
{
    if (child->parent)
        return dti_fail(parent->world, DT_ERR_INVALID,
                        "dt_module_add: the child is \"%s\" of %s already; "
                        "create another one, and share parameters with "
                        "dt_module_tie",
                        child->name, dti_module_show(child->parent));
    if (is_above(child, parent))
        return dti_fail(parent->world, DT_ERR_INVALID,
                        "dt_module_add: %s cannot be below itself",
                        dti_module_show(child));
    if (child->world != parent->world)
        return dti_fail(parent->world, DT_ERR_INVALID,
                        "dt_module_add: the child belongs to another world");
    return DT_OK;
}

static dt_status add_child(dt_module *parent, const char *name,
                           dt_module *child)
{
    char number[16];
    snprintf(number, sizeof number, "%d", parent->child_count);
    if (!name)
        name = number;
    DTI_TRY(check_child(parent, child));
    DTI_TRY(check_name(parent, name, "dt_module_add"));
    void *list = parent->children;
    DTI_TRY(dti_list_grow(parent->world, &list, parent->child_count,
                          &parent->child_capacity, sizeof *parent->children));
    parent->children = list;
    char *copy = strdup(name);
    if (!copy)
        return dti_fail_memory(parent->world, strlen(name), "a name");
    child->name = copy;
    child->parent = parent;
    parent->children[parent->child_count++] = child;
    return DT_OK;
}

/* The parent takes over the reference of the scope, or has one more. */
static void take_over(dt_module *child)
{
    if (child->owned.scope)
        dti_scope_forget(&child->owned);
    else
        dti_reference_retain(&child->reference);
}

dt_module *dt_module_add(dt_module *parent, const char *name, dt_module *child)
{
    DTI_ENTRY();
    if (!dti_handle_usable(child, __func__))
        child = NULL;
    if (dti_given(parent, __func__, "parent") != DT_OK)
        return NULL;
    if (!child)
        dti_fail_null(parent->world, __func__, "child");
    if (!child || add_child(parent, name, child) != DT_OK) {
        parent->broken = true;
        return NULL;
    }
    take_over(child);
    parent->broken |= child->broken;
    dti_module_forget_names(child);
    return child;
}

/* ---- Parameters --------------------------------------------------------- */

static dt_status add_slot(dt_module *module, const char *name,
                          dt_parameter *parameter)
{
    void *list = module->slots;
    DTI_TRY(check_name(module, name, "dt_module_add_parameter"));
    DTI_TRY(dti_list_grow(module->world, &list, module->slot_count,
                          &module->slot_capacity, sizeof *module->slots));
    module->slots = list;
    char *copy = strdup(name);
    if (!copy)
        return dti_fail_memory(module->world, strlen(name), "a name");
    module->slots[module->slot_count++] = (dti_slot){copy, parameter};
    dti_module_forget_names(module);
    return DT_OK;
}

dt_parameter *dt_module_add_parameter(dt_module *module, const char *name,
                                      dt_parameter_kind kind, dt_dtype dtype,
                                      dt_shape shape, dt_init init)
{
    DTI_ENTRY();
    dt_parameter *parameter = NULL;
    if (dti_given(module, __func__, "module") != DT_OK)
        return NULL;
    dt_status status =
        dti_parameter_create(module->world, dtype, shape, &parameter);
    if (status == DT_OK) {
        parameter->kind = kind;
        parameter->init = init;
        status = add_slot(module, name, parameter);
    }
    if (status == DT_OK)
        return parameter;
    dt_parameter_release(parameter);
    module->broken = true;
    return NULL;
}

dt_status dt_module_tie(dt_module *module, const char *name, const char *other)
{
    DTI_ENTRY();
    DTI_TRY(dti_given(module, __func__, "module"));
    dt_parameter *to = dt_module_parameter(module, other);
    dt_parameter *from = to ? dt_module_parameter(module, name) : NULL;
    if (!to || !from)
        return DT_ERR_NOT_FOUND;
    if (from->dtype != to->dtype || !dt_shape_equal(from->shape, to->shape))
        return dti_fail(module->world, DT_ERR_INVALID,
                        "dt_module_tie: \"%s\" and \"%s\" differ in shape or "
                        "dtype",
                        name, other);
    const char *dot = strrchr(name, '.');
    char *above = strndup(name, dot ? (size_t)(dot - name) : 0);
    if (!above)
        return dti_fail_memory(module->world, strlen(name), "a name");
    dt_module *owner = dt_module_find(module, above);
    free(above);
    dti_slot *slot = dti_module_slot(owner, dot ? dot + 1 : name);
    dt_parameter_retain(to);
    dt_parameter_release(slot->parameter);
    slot->parameter = to;
    dti_module_forget_names(owner);
    return DT_OK;
}

/* ---- Properties --------------------------------------------------------- */

void dt_module_train(dt_module *module, bool training)
{
    if (dti_given(module, __func__, "module") != DT_OK)
        return;
    module->training = training;
    for (int i = 0; i < module->child_count; i++)
        dt_module_train(module->children[i], training);
}

static bool readable(const dt_module *module, const char *function)
{
    return module && dti_handle_readable(module, function);
}

dt_world *dt_module_world(const dt_module *module)
{
    return readable(module, __func__) ? module->world : NULL;
}

const dt_module_class *dt_module_class_of(const dt_module *module)
{
    return readable(module, __func__) ? module->given : NULL;
}

void *dt_module_state(const dt_module *module)
{
    return readable(module, __func__) ? module->state : NULL;
}

bool dt_module_is_training(const dt_module *module)
{
    return readable(module, __func__) && module->training;
}

dt_module *dt_module_parent(const dt_module *module)
{
    return readable(module, __func__) ? module->parent : NULL;
}

const char *dt_module_name(const dt_module *module)
{
    return readable(module, __func__) && module->name ? module->name : "";
}

int dt_module_child_count(const dt_module *module)
{
    return readable(module, __func__) ? module->child_count : 0;
}

dt_module *dt_module_child(const dt_module *module, int number)
{
    return readable(module, __func__) && number >= 0 &&
                   number < module->child_count
               ? module->children[number]
               : NULL;
}
