/* nn/names.c - the parts of a tree of modules by their qualified names. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/handles.h"
#include "base/text/nearest.h"
#include "nn/module.h"

/* ---- Paths -------------------------------------------------------------- */

/* The path of a module, and a dot after it unless it is the root. */
static size_t write_path(const dt_module *module, char *out)
{
    if (!module->parent)
        return 0;
    size_t length = write_path(module->parent, out);
    const size_t own = strlen(module->name);
    if (out && length)
        out[length] = '.';
    length += length > 0;
    if (out)
        memcpy(out + length, module->name, own);
    return length + own;
}

dt_status dti_module_find_path(const dt_module *module, const char **out)
{
    if (!module->path) {
        const size_t size = write_path(module, NULL) + 1;
        char *path = malloc(size);
        if (!path)
            return dti_fail_memory(module->world, size, "a name");
        path[write_path(module, path)] = '\0';
        ((dt_module *)(uintptr_t)module)->path = path;
    }
    *out = module->path;
    return DT_OK;
}

const char *dt_module_path(const dt_module *module)
{
    const char *path = "";
    if (module && dti_handle_readable(module, __func__))
        DT_IGNORE(dti_module_find_path(module, &path));
    return path;
}

dt_status dti_module_name_below(const dt_module *module, const dt_module *above,
                                const char **out)
{
    const char *path = "", *prefix = "";
    DTI_TRY(dti_module_find_path(above, &prefix));
    DTI_TRY(dti_module_find_path(module, &path));
    path += strlen(prefix);
    *out = *path == '.' ? path + 1 : path;
    return DT_OK;
}

const char *dti_module_show(const dt_module *module)
{
    return module->parent ? dt_module_path(module) : module->kind.name;
}

static void forget_paths(dt_module *module)
{
    free(module->path);
    module->path = NULL;
    for (int i = 0; i < module->child_count; i++)
        forget_paths(module->children[i]);
}

void dti_name_list_clear(dti_name_list *list)
{
    for (int i = 0; i < list->count; i++)
        free((void *)(uintptr_t)list->items[i].name);
    free(list->items);
    *list = (dti_name_list){0};
}

void dti_module_forget_names(dt_module *module)
{
    forget_paths(module);
    for (; module; module = module->parent) {
        dti_name_list_clear(&module->parameters);
        dti_name_list_clear(&module->buffers);
    }
}

/* ---- Walks -------------------------------------------------------------- */

dt_status dti_module_each(dt_module *module, dti_module_visitor visit,
                          void *arg)
{
    DTI_TRY(visit(module, arg));
    for (int i = 0; i < module->child_count; i++)
        DTI_TRY(dti_module_each(module->children[i], visit, arg));
    return DT_OK;
}

/* "above.name", or "name" if `above` is "".  The caller frees it. */
static char *join(dt_world *world, const char *above, const char *name)
{
    const size_t size = strlen(above) + strlen(name) + 2;
    char *out = malloc(size);
    if (!out) {
        dti_fail_memory(world, size, "a name");
        return NULL;
    }
    strcpy(out, above);
    if (*above)
        strcat(out, ".");
    return strcat(out, name);
}

static dt_status walk_slots(dt_module *module, const char *above,
                            dti_slot_visitor visit, void *arg)
{
    dt_status status = DT_OK;
    for (int i = 0; i < module->slot_count && status == DT_OK; i++) {
        char *name = join(module->world, above, module->slots[i].name);
        if (!name)
            return DT_ERR_NO_MEMORY;
        status = visit(module, &module->slots[i], name, arg);
        free(name);
    }
    for (int i = 0; i < module->child_count && status == DT_OK; i++) {
        char *name = join(module->world, above, module->children[i]->name);
        if (!name)
            return DT_ERR_NO_MEMORY;
        status = walk_slots(module->children[i], name, visit, arg);
        free(name);
    }
    return status;
}

dt_status dti_module_each_slot(dt_module *module, dti_slot_visitor visit,
                               void *arg)
{
    return walk_slots(module, "", visit, arg);
}

/* ---- Lists -------------------------------------------------------------- */

typedef struct listing {
    dti_name_list *list;
    bool buffers;
} listing;

static bool is_listed(const dti_name_list *list, const dt_parameter *parameter)
{
    for (int i = 0; i < list->count; i++)
        if (list->items[i].parameter == parameter)
            return true;
    return false;
}

static dt_status list_slot(dt_module *module, dti_slot *slot, const char *name,
                           void *arg)
{
    const listing *to = arg;
    dti_name_list *list = to->list;
    dt_parameter *parameter = slot->parameter;
    void *items = list->items;
    if ((parameter->kind != DT_PARAMETER) != to->buffers ||
        is_listed(list, parameter))
        return DT_OK;
    DTI_TRY(dti_list_grow(module->world, &items, list->count, &list->capacity,
                          sizeof *list->items));
    list->items = items;
    char *copy = strdup(name);
    if (!copy)
        return dti_fail_memory(module->world, strlen(name), "a name");
    list->items[list->count++] = (dt_named_parameter){copy, parameter};
    return DT_OK;
}

dt_status dti_module_list(dt_module *module, bool buffers,
                          const dti_name_list **out)
{
    dti_name_list *list = buffers ? &module->buffers : &module->parameters;
    listing to = {list, buffers};
    dt_status status = DT_OK;
    if (!list->items)
        status = dti_module_each_slot(module, list_slot, &to);
    if (status != DT_OK)
        dti_name_list_clear(list);
    *out = list;
    return status;
}

static const dt_named_parameter *give_list(dt_module *module, bool buffers,
                                           const char *function, int *count)
{
    const dti_name_list *list = NULL;
    *count = 0;
    if (dti_given(module, function, "module") != DT_OK ||
        dti_module_list(module, buffers, &list) != DT_OK)
        return NULL;
    *count = list->count;
    return list->items;
}

const dt_named_parameter *dt_module_parameters(dt_module *module, int *count)
{
    return give_list(module, false, __func__, count);
}

const dt_named_parameter *dt_module_buffers(dt_module *module, int *count)
{
    return give_list(module, true, __func__, count);
}

/* ---- Finding ------------------------------------------------------------ */

static dt_module *child_named(const dt_module *module, const char *name,
                              size_t length)
{
    for (int i = 0; i < module->child_count; i++) {
        const char *own = module->children[i]->name;
        if (strncmp(own, name, length) == 0 && own[length] == '\0')
            return module->children[i];
    }
    return NULL;
}

/* Follow the names of modules up to the last dot, or to the end if `all`.
 * Gives what is left in `rest`. */
static dt_module *follow(dt_module *module, const char *name, bool all,
                         const char **rest)
{
    while (module && *name) {
        const size_t length = strcspn(name, ".");
        if (!name[length] && !all)
            break;
        module = child_named(module, name, length);
        name += length + (name[length] == '.');
    }
    *rest = name;
    return module;
}

typedef struct search {
    const char *name;
    const dt_module *below;
    char kept[256]; /* the nearest: names of walks do not last */
} search;

static void offer(search *to, const char *candidate)
{
    if (dti_nearer(to->name, *to->kept ? to->kept : NULL, candidate) ==
            candidate &&
        strlen(candidate) < sizeof to->kept)
        strcpy(to->kept, candidate);
}

static dt_status offer_module(dt_module *module, void *arg)
{
    search *to = arg;
    const char *name;
    DTI_TRY(dti_module_name_below(module, to->below, &name));
    if (module != to->below)
        offer(to, name);
    return DT_OK;
}

static dt_status offer_slot(dt_module *module, dti_slot *slot, const char *name,
                            void *arg)
{
    (void)module;
    (void)slot;
    offer(arg, name);
    return DT_OK;
}

static void fail_missing(const search *sought, const char *what)
{
    const dt_module *module = sought->below;
    if (*sought->kept)
        dti_fail(module->world, DT_ERR_NOT_FOUND,
                 "%s has no %s \"%s\"; did you mean \"%s\"?",
                 dti_module_show(module), what, sought->name, sought->kept);
    else
        dti_fail(module->world, DT_ERR_NOT_FOUND, "%s has no %s \"%s\"",
                 dti_module_show(module), what, sought->name);
}

dt_module *dt_module_find(dt_module *module, const char *name)
{
    const char *rest;
    if (dti_given(module, __func__, "module") != DT_OK ||
        dti_given(name, __func__, "name") != DT_OK)
        return NULL;
    dt_module *found = follow(module, name, true, &rest);
    if (found)
        return found;
    search sought = {.name = name, .below = module};
    if (dti_module_each(module, offer_module, &sought) == DT_OK)
        fail_missing(&sought, "module");
    return NULL;
}

dti_slot *dti_module_slot(const dt_module *module, const char *name)
{
    for (int i = 0; i < module->slot_count; i++)
        if (strcmp(module->slots[i].name, name) == 0)
            return &module->slots[i];
    return NULL;
}

dt_parameter *dt_module_parameter(dt_module *module, const char *name)
{
    const char *rest;
    if (dti_given(module, __func__, "module") != DT_OK ||
        dti_given(name, __func__, "name") != DT_OK)
        return NULL;
    dt_module *owner = follow(module, name, false, &rest);
    dti_slot *slot = owner ? dti_module_slot(owner, rest) : NULL;
    if (slot)
        return slot->parameter;
    search sought = {.name = name, .below = module};
    if (dti_module_each_slot(module, offer_slot, &sought) == DT_OK)
        fail_missing(&sought, "parameter");
    return NULL;
}
