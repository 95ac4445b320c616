/* nn/layers/simple.c - modules without parameters: dropout, functions,
 * containers. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/ops/random.h>

#include "base/error.h"
#include "nn/layers/layers.h"

/* ---- Dropout ------------------------------------------------------------ */

static dt_tensor *drop(dt_module *module, dt_tensor *input)
{
    const double *p = dt_module_state(module);
    return module->training && *p > 0 ? dt_dropout(input, *p, true) : input;
}

static const dt_module_class dropout_class = {
    .size = sizeof(dt_module_class),
    .name = "Dropout",
    .state_size = sizeof(double),
    .forward = drop,
};

dt_module *dt_nn_dropout(dt_world *world, double p)
{
    if (!(p >= 0 && p <= 1)) {
        dti_fail(world, DT_ERR_INVALID,
                 "dt_nn_dropout: p is %g; must be between 0 and 1", p);
        return NULL;
    }
    dt_module *module = dt_module_create(world, &dropout_class);
    if (module)
        *(double *)dt_module_state(module) = p;
    return module;
}

/* ---- Functions ---------------------------------------------------------- */

typedef struct function {
    dt_tensor *(*call)(dt_tensor *);
} function;

static dt_tensor *apply(dt_module *module, dt_tensor *input)
{
    const function *self = dt_module_state(module);
    return self->call(input);
}

static const dt_module_class function_class = {
    .size = sizeof(dt_module_class),
    .name = "Function",
    .state_size = sizeof(function),
    .forward = apply,
};

dt_module *dt_nn_function(dt_world *world, const char *name,
                          dt_tensor *(*call)(dt_tensor *))
{
    dt_module *module = dt_module_create(world, &function_class);
    if (!module)
        return NULL;
    ((function *)dt_module_state(module))->call = call;
    if (name)
        module->kind.name = name;
    return module;
}

/* ---- Containers --------------------------------------------------------- */

static dt_tensor *call_all(dt_module *module, dt_tensor *input)
{
    for (int i = 0; i < module->child_count; i++)
        input = dt_module_call(module->children[i], input);
    return input;
}

static dt_tensor *refuse(dt_module *module, dt_tensor *input)
{
    (void)input;
    dti_fail(module->world, DT_ERR_INVALID,
             "%s is a list; call its modules one by one",
             dti_module_show(module));
    return NULL;
}

static const dt_module_class sequential_class = {
    .size = sizeof(dt_module_class),
    .name = "Sequential",
    .forward = call_all,
};

static const dt_module_class list_class = {
    .size = sizeof(dt_module_class),
    .name = "ModuleList",
    .forward = refuse,
};

static dt_module *contain(dt_world *world, const dt_module_class *kind,
                          dt_module *const *modules, int count)
{
    dt_module *container = dt_module_create(world, kind);
    for (int i = 0; container && i < count; i++)
        dt_module_add(container, NULL, modules[i]);
    return container && !container->broken ? container : NULL;
}

dt_module *dt_nn_sequential(dt_world *world, dt_module *const *modules,
                            int count)
{
    return contain(world, &sequential_class, modules, count);
}

dt_module *dt_nn_list(dt_world *world, dt_module *const *modules, int count)
{
    return contain(world, &list_class, modules, count);
}
