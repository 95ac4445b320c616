/* nn/module.h - what modules and parameters are made of. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_NN_MODULE_H
#define DTI_NN_MODULE_H

#include <dtensor/module.h>

#include "base/reference.h"
#include "base/scope.h"

/*
 * A slot.  Until it is created, the tensor is on this rank's own mesh and has a
 * meta array.  The tensor may have one dimension more than `shape`: of heads
 * that a mesh does not divide, "(heads width) in" is stored as "heads width
 * in", so that a rank stores entire heads (nn/parallel/styles.c).
 */
struct dt_parameter {
    dti_reference reference;
    dt_world *world;
    dt_tensor *tensor; /* retained */
    dt_dtype dtype;
    dt_shape shape; /* in state dicts */
    dt_parameter_kind kind;
    bool frozen;
    bool created; /* the tensor has elements, or would have outside of a dry run
                   */
    dt_init init;
};

/* A name in a module, and what it names. */
typedef struct dti_slot {
    char *name;
    dt_parameter *parameter; /* retained */
} dti_slot;

typedef struct dti_module_hook {
    uint64_t number;
    dt_module_hook functions;
} dti_module_hook;

/* Parameters or buffers below a module with their names, made when somebody
 * asks and forgotten when the tree changes. */
typedef struct dti_name_list {
    dt_named_parameter *items; /* NULL: not made; names are the list's own */
    int count, capacity;
} dti_name_list;

/* One call of a module; hooks may replace its tensors. */
typedef struct dti_running {
    dt_module *module;
    dt_tensor *inputs[DT_MODULE_MAX_TENSORS];
    int input_count;
    dt_tensor *outputs[DT_MODULE_MAX_TENSORS];
    int output_count;
    bool prepared[DT_MODULE_MAX_TENSORS]; /* inputs that a style arranged */
    struct dti_running *outer; /* call of the same module around this; or NULL
                                */
} dti_running;

/*
 * References: a scope holds one while `owned.scope` is set, a parent one of
 * each child.  `parent` is borrowed, and NULL once the parent is gone, so there
 * are no cycles.
 */
struct dt_module {
    dti_owned owned;
    dti_reference reference;
    dt_world *world;
    dt_module_class kind; /* a copy: the program's may be older */
    const dt_module_class *given;
    void *state;
    dt_module *parent;
    char *name; /* in the parent; NULL for a root */
    char *path; /* of the tree; NULL: not made */
    bool training;
    bool broken; /* a part could not be added */
    bool styled; /* a parallel style was applied, or it was distributed */
    dt_module **children;
    int child_count, child_capacity;
    dti_slot *slots;
    int slot_count, slot_capacity;
    dti_module_hook *hooks;
    int hook_count, hook_capacity;
    dti_name_list parameters, buffers;
    dti_running *running; /* its call; NULL: none */
};

/* Make room for one more item in a list of `count`. */
dt_status dti_list_grow(dt_world *world, void **list, int count, int *capacity,
                        size_t item);

/* ---- Slots -------------------------------------------------------------- */

/* Create a slot whose tensor has no elements.  The caller releases it. */
dt_status dti_parameter_create(dt_world *world, dt_dtype dtype, dt_shape shape,
                               dt_parameter **out);

/* Put a tensor, of any shape with as many elements, into a slot. */
dt_status dti_parameter_put(dt_parameter *parameter, dt_tensor *tensor);

/* Find a module's own slot by its name; NULL if there is none. */
dti_slot *dti_module_slot(const dt_module *module, const char *name);

/* ---- Names -------------------------------------------------------------- */

/* Forget the names of a tree from a module upwards, because it changed. */
void dti_module_forget_names(dt_module *module);

void dti_name_list_clear(dti_name_list *list);

/* Parameters or buffers by name; one with several names by its first. */
dt_status dti_module_list(dt_module *module, bool buffers,
                          const dti_name_list **out);

/* The path of a module, and its name below one above it, or "" for that.
 * Borrowed until the tree changes; DT_ERR_NO_MEMORY is the only failure. */
dt_status dti_module_find_path(const dt_module *module, const char **out);
dt_status dti_module_name_below(const dt_module *module, const dt_module *above,
                                const char **out);

/* The module and its parts in words: "layers.0.attn (Attention)". */
const char *dti_module_show(const dt_module *module);

/* Called with each module of a tree, parents first. */
typedef dt_status (*dti_module_visitor)(dt_module *module, void *arg);
dt_status dti_module_each(dt_module *module, dti_module_visitor visit,
                          void *arg);

/* Called with each slot of a tree, by its name below the module at which the
 * walk began; tied parameters come once for every name. */
typedef dt_status (*dti_slot_visitor)(dt_module *module, dti_slot *slot,
                                      const char *name, void *arg);
dt_status dti_module_each_slot(dt_module *module, dti_slot_visitor visit,
                               void *arg);

#endif
