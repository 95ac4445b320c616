/* nn/distribute.c - distributing the parameters of modules by functions. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include <dtensor/random.h>

#include "base/error.h"
#include "base/handles.h"
#include "base/options.h"
#include "nn/create.h"
#include "tensor/tensor.h"

/* What the functions of a distributed module need in every call. */
typedef struct boundary {
    dt_distribute_module_options options;
    dt_mesh *mesh; /* retained */
} boundary;

static dt_status change_inputs(dt_module *module, dt_tensor **inputs, int count,
                               void *arg)
{
    const boundary *self = arg;
    return self->options.input(module, inputs, count, self->mesh,
                               self->options.arg);
}

static dt_status change_outputs(dt_module *module, dt_tensor *const *inputs,
                                int input_count, dt_tensor **outputs,
                                int output_count, void *arg)
{
    const boundary *self = arg;
    (void)inputs;
    (void)input_count;
    return self->options.output(module, outputs, output_count, self->mesh,
                                self->options.arg);
}

static void release_boundary(void *arg)
{
    boundary *self = arg;
    dt_mesh_release(self->mesh);
    free(self);
}

static dt_status add_functions(dt_module *module, dt_mesh *mesh,
                               const dt_distribute_module_options *options)
{
    dt_module_hook hook = DT_MODULE_HOOK_INIT;
    if (!options->input && !options->output)
        return DT_OK;
    boundary *self = malloc(sizeof *self);
    if (!self)
        return dti_fail_memory(module->world, sizeof *self, "a hook");
    *self = (boundary){*options, dt_mesh_retain(mesh)};
    if (options->input)
        hook.before = change_inputs;
    if (options->output)
        hook.after = change_outputs;
    hook.release = release_boundary;
    hook.arg = self;
    const dt_status status = dt_module_add_hook(module, &hook, NULL);
    if (status != DT_OK)
        release_boundary(self);
    return status;
}

typedef struct partitioning {
    const dt_distribution *at;
    const dt_distribute_module_options *options;
    const dt_module *above; /* at which it began */
} partitioning;

static dt_status partition_one(dt_module *module, void *arg)
{
    const partitioning *self = arg;
    const char *name;
    DTI_TRY(dti_module_name_below(module, self->above, &name));
    return self->options->partition(self->at, name, module);
}

static dt_status partition_all(const dt_distribution *at, dt_module *module,
                               const dt_distribute_module_options *options)
{
    partitioning self = {at, options, module};
    if (options->partition)
        DTI_TRY(dti_module_each(module, partition_one, &self));
    return dti_module_replicate(at, module);
}

static dt_status check_module(dt_module *module)
{
    if (module->broken)
        return dti_fail(module->world, DT_ERR_INVALID,
                        "dt_distribute_module: %s is incomplete: a part of it "
                        "could not be added",
                        dti_module_show(module));
    if (module->styled)
        return dti_fail(module->world, DT_ERR_INVALID,
                        "dt_distribute_module: %s was distributed before",
                        dti_module_show(module));
    return DT_OK;
}

dt_status dt_distribute_module(dt_module *module, dt_mesh *mesh,
                               const dt_distribute_module_options *options)
{
    DTI_ENTRY();
    dt_distribute_module_options usual = DT_DISTRIBUTE_MODULE_OPTIONS_INIT;
    DTI_TRY(dti_given(module, __func__, "module"));
    DTI_TRY(dti_given(mesh, __func__, "mesh"));
    dt_world *world = module->world;
    options = dti_options_read(world, options, &usual, sizeof usual,
                               "DT_DISTRIBUTE_MODULE_OPTIONS_INIT");
    if (!options)
        return DT_ERR_INVALID;
    DTI_TRY(check_module(module));
    const dt_distribution at = {
        .mesh = mesh,
        .dim = dt_mesh_ndim(mesh) - 1,
        .weights = options->weights,
        .source = options->source,
        .seed = dti_seed_of(world, options->seed),
        .arg = options->arg,
    };
    /* Other ranks wait if only this one lacks memory. */
    DTI_TRY(dti_collective_begin(mesh, partition_all(&at, module, options)));
    DTI_TRY(add_functions(module, mesh, options));
    module->styled = true;
    return DT_OK;
}
