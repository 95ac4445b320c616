/* nn/create.c - giving parameters their elements. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "nn/create.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dtensor/create.h>
#include <dtensor/layout.h>
#include <dtensor/ops/random.h>
#include <dtensor/ops/shape.h>
#include <dtensor/random.h>

#include "base/error.h"
#include "base/handles.h"
#include "base/scope.h"
#include "random/key.h"
#include "tensor/tensor.h"

/* ---- Layouts ------------------------------------------------------------ */

dt_status dti_layout_along(const dt_distribution *at, const char *text,
                           const dt_layout *rest, const char **out)
{
    dt_world *world = dt_mesh_world(at->mesh);
    const int ndim = dt_mesh_ndim(at->mesh);
    dt_layout given;
    dt_placement all[DT_MAX_NDIM];
    DTI_TRY(dt_layout_parse(world, text, &given));
    if (given.ndim == 1 && ndim > 1) {
        for (int i = 0; i < ndim; i++)
            all[i] = rest ? rest->placements[i] : dt_replicate();
        all[at->dim] = given.placements[0];
        given = dt_layout_of(all, ndim);
    }
    if (given.ndim != ndim)
        return dti_fail(world, DT_ERR_INVALID,
                        "layout \"%s\" has %d placements; expected 1, or %d "
                        "for the mesh",
                        text, given.ndim, ndim);
    *out = dt_layout_text(world, &given);
    return *out ? DT_OK : dti_failure_of(world);
}

/* ---- Elements ----------------------------------------------------------- */

uint64_t dti_seed_of(dt_world *world, const uint64_t *given)
{
    dt_generator *generator = dt_world_generator(world);
    return given       ? *given
           : generator ? dt_generator_get_state(generator).seed
                       : 0;
}

/* Draw numbers that depend on the seed and the name alone. */
static dt_tensor *draw(const dt_distribution *at, const char *name,
                       const dt_init *init, dt_tensor *empty)
{
    dt_uniform_options uniform = DT_UNIFORM_OPTIONS_INIT;
    dt_normal_options normal = DT_NORMAL_OPTIONS_INIT;
    dt_generator *generator = NULL;
    const dti_random_key key = dti_random_named_key(at->seed, name);
    if (!empty ||
        dt_generator_create(empty->world, key.seed, 0, &generator) != DT_OK)
        return NULL;
    dt_generator_set_state(
        generator,
        (dt_generator_state){.seed = key.seed, .offset = key.offset});
    uniform.generator = normal.generator = generator;
    dt_tensor *drawn = init->kind == DT_INIT_UNIFORM
                           ? dt_uniform_with_(empty, init->a, init->b, &uniform)
                           : dt_normal_with_(empty, init->a, init->b, &normal);
    dt_generator_release(generator);
    return drawn;
}

static dt_tensor *compute(const dt_distribution *at,
                          const dt_parameter *parameter, const char *name,
                          const char *layout, dt_shape stored)
{
    const dt_init *init = &parameter->init;
    const dt_dtype dtype = parameter->dtype;
    switch (init->kind) {
    case DT_INIT_ZEROS:
        return dt_zeros(at->mesh, layout, dtype, stored);
    case DT_INIT_ONES:
        return dt_ones(at->mesh, layout, dtype, stored);
    case DT_INIT_UNIFORM:
    case DT_INIT_NORMAL:
        return draw(at, name, init, dt_empty(at->mesh, layout, dtype, stored));
    case DT_INIT_FUNCTION:
        return init->make(at->mesh, layout, dtype, stored, init);
    }
    dti_fail(parameter->world, DT_ERR_INVALID,
             "parameter \"%s\" has an invalid dt_init_kind, %d", name,
             (int)init->kind);
    return NULL;
}

/* Distribute the elements that this rank has, or that the source has. */
static dt_tensor *spread(const dt_distribution *at,
                         const dt_parameter *parameter, const char *name,
                         const char *layout, dt_shape stored)
{
    const bool from_one = at->weights == DT_WEIGHTS_FROM_RANK;
    dt_tensor *local = NULL;
    if (!from_one || at->source == dt_world_rank(parameter->world)) {
        if (!parameter->created) {
            dti_fail(parameter->world, DT_ERR_INVALID,
                     "parameter \"%s\" has no elements on rank %d, but weights "
                     "are taken from there; set it with dt_parameter_set, or "
                     "use DT_WEIGHTS_DRAWN",
                     name, dt_world_rank(parameter->world));
            dt_world_poison(parameter->world);
            return NULL;
        }
        local = dt_reshape(dt_detach(parameter->tensor), stored);
        if (!local)
            return NULL;
    }
    return dt_distribute(at->mesh, layout, parameter->dtype, stored,
                         dt_tensor_local(local),
                         from_one ? at->source : DT_EVERYWHERE);
}

/* Tell whether the tensor is on this rank's own mesh only. */
static bool is_local(const dt_parameter *parameter)
{
    return dt_mesh_equal(parameter->tensor->spec->mesh,
                         dt_world_own_mesh(parameter->world));
}

static dt_status check_mesh(const dt_distribution *at,
                            const dt_parameter *parameter, const char *name)
{
    if (dt_mesh_equal(parameter->tensor->spec->mesh, at->mesh))
        return DT_OK;
    return dti_fail(parameter->world, DT_ERR_INVALID,
                    "parameter \"%s\" is on another mesh already: %s", name,
                    dti_spec_show(parameter->tensor->spec).text);
}

dt_status dti_parameter_distribute(const dt_distribution *at,
                                   dt_parameter *parameter, const char *name,
                                   const char *layout, dt_shape stored)
{
    dt_world *world = parameter->world;
    dt_scope_options options = DT_SCOPE_OPTIONS_INIT;
    if (parameter->created && !is_local(parameter))
        return check_mesh(at, parameter, name);
    options.gradients = DT_TRISTATE_OFF;
    dt_scope *scope = dt_scope_open_with(world, &options);
    if (!scope)
        return DT_ERR_NO_MEMORY;
    const bool drawn = at->weights == DT_WEIGHTS_DRAWN && !parameter->created;
    dt_tensor *tensor = drawn ? compute(at, parameter, name, layout, stored)
                              : spread(at, parameter, name, layout, stored);
    const dt_status status =
        tensor ? dti_parameter_put(parameter, tensor) : dti_failure_of(world);
    dti_scope_close_inner(scope);
    return status;
}

dt_status dti_slot_distribute(const dt_distribution *at, dt_module *module,
                              dti_slot *slot, const char *layout,
                              dt_shape stored)
{
    const char *path, *whole;
    DTI_TRY(dti_module_find_path(module, &path));
    DTI_TRY(dti_layout_along(at, layout, NULL, &whole));
    const size_t size = strlen(path) + strlen(slot->name) + 2;
    char *name = malloc(size);
    if (!name)
        return dti_fail_memory(module->world, size, "a name");
    snprintf(name, size, "%s%s%s", path, *path ? "." : "", slot->name);
    const dt_status status =
        dti_parameter_distribute(at, slot->parameter, name, whole, stored);
    free(name);
    return status;
}

dt_status dt_distribute_parameter(const dt_distribution *at, dt_module *module,
                                  const char *name, const char *layout)
{
    DTI_ENTRY();
    DTI_TRY(dti_given(module, __func__, "module"));
    DTI_TRY(dti_given(name, __func__, "name"));
    DTI_TRY(dti_given(layout, __func__, "layout"));
    dti_slot *slot = dti_module_slot(module, name);
    if (!slot)
        return dti_fail(module->world, DT_ERR_NOT_FOUND,
                        "dt_distribute_parameter: %s has no parameter \"%s\" "
                        "of its own",
                        dti_module_show(module), name);
    return dti_slot_distribute(at, module, slot, layout,
                               slot->parameter->shape);
}

static dt_status replicate_own(dt_module *module, void *arg)
{
    for (int i = 0; i < module->slot_count; i++)
        DTI_TRY(dti_slot_distribute(arg, module, &module->slots[i], "R",
                                    module->slots[i].parameter->shape));
    return DT_OK;
}

dt_status dti_module_replicate(const dt_distribution *at, dt_module *module)
{
    dt_distribution copy = *at;
    return dti_module_each(module, replicate_own, &copy);
}
