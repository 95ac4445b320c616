/* nn/parameter.c - slots that hold the tensors of modules. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include <dtensor/autograd.h>
#include <dtensor/ops/shape.h>

#include "array/array.h"
#include "base/error.h"
#include "base/handles.h"
#include "nn/module.h"
#include "tensor/tensor.h"

/* ---- Creating and releasing --------------------------------------------- */

/* A tensor without elements, on this rank's own mesh. */
static dt_status make_meta(dt_world *world, dt_dtype dtype, dt_shape shape,
                           dt_tensor **out)
{
    dt_array *array = NULL;
    DTI_TRY(dti_array_create_uncounted(world, dtype, shape, &array));
    dt_mesh *own = dt_world_own_mesh(world);
    dt_tensor *tensor = own ? dt_from_local(own, NULL, array) : NULL;
    dt_array_release(array);
    if (!tensor)
        return dti_failure_of(world);
    *out = dt_tensor_retain(tensor);
    dt_tensor_release_early(tensor);
    return DT_OK;
}

dt_status dti_parameter_create(dt_world *world, dt_dtype dtype, dt_shape shape,
                               dt_parameter **out)
{
    dt_tensor *tensor = NULL;
    DTI_TRY(make_meta(world, dtype, shape, &tensor));
    dt_parameter *parameter = calloc(1, sizeof *parameter);
    if (!parameter) {
        dt_tensor_release(tensor);
        return dti_fail_memory(world, sizeof *parameter, "a parameter");
    }
    dti_reference_init(&parameter->reference);
    parameter->world = world;
    parameter->tensor = tensor;
    parameter->dtype = dtype;
    parameter->shape = shape;
    dti_live_add(DTI_LIVE_PARAMETER, 1);
    dti_handle_made(world, DTI_LIVE_PARAMETER, parameter);
    *out = parameter;
    return DT_OK;
}

dt_parameter *dt_parameter_retain(dt_parameter *parameter)
{
    if (!dti_handle_usable(parameter, __func__))
        return NULL;
    if (parameter)
        dti_reference_retain(&parameter->reference);
    return parameter;
}

void dt_parameter_release(dt_parameter *parameter)
{
    DTI_ENTRY();
    if (!dti_handle_usable(parameter, __func__) || !parameter ||
        !dti_reference_release(&parameter->reference))
        return;
    dti_handle_gone(parameter);
    dt_tensor_release(parameter->tensor);
    dti_handle_free(parameter);
    dti_live_add(DTI_LIVE_PARAMETER, -1);
}

/* ---- The tensor --------------------------------------------------------- */

static bool is_trained(const dt_parameter *parameter)
{
    return parameter->kind == DT_PARAMETER && !parameter->frozen;
}

dt_status dti_parameter_put(dt_parameter *parameter, dt_tensor *tensor)
{
    if (is_trained(parameter) && !dt_requires_grad(tensor))
        return dti_failure_of(parameter->world);
    dt_tensor *before = parameter->tensor;
    parameter->tensor = dt_tensor_retain(tensor);
    parameter->created = true;
    dt_tensor_release(before);
    return DT_OK;
}

dt_status dt_parameter_set(dt_parameter *parameter, dt_tensor *tensor)
{
    DTI_ENTRY();
    DTI_TRY(dti_given(parameter, __func__, "parameter"));
    DTI_TRY(dti_given(tensor, __func__, "tensor"));
    const dt_meta *meta = &tensor->spec->meta;
    if (meta->dtype != parameter->dtype ||
        !dt_shape_equal(meta->shape, parameter->shape))
        return dti_fail(parameter->world, DT_ERR_INVALID,
                        "dt_parameter_set: the tensor is %s; the parameter has "
                        "another shape or dtype",
                        dti_spec_show(tensor->spec).text);
    if (!is_trained(parameter) && dt_tensor_requires_grad(tensor))
        return dti_fail(parameter->world, DT_ERR_INVALID,
                        "dt_parameter_set: the parameter is not trained but "
                        "the tensor requires a gradient; call dt_detach first");
    return dti_parameter_put(parameter, tensor);
}

dt_status dt_parameter_freeze(dt_parameter *parameter, bool frozen)
{
    DTI_ENTRY();
    DTI_TRY(dti_given(parameter, __func__, "parameter"));
    if (parameter->frozen == frozen)
        return DT_OK;
    if (!parameter->created || parameter->kind != DT_PARAMETER) {
        parameter->frozen = frozen;
        return DT_OK;
    }
    dt_tensor *same = dt_detach(parameter->tensor);
    if (!same)
        return dti_failure_of(parameter->world);
    parameter->frozen = frozen;
    const dt_status status = dti_parameter_put(parameter, same);
    dt_tensor_release_early(same);
    return status;
}

/* ---- Properties --------------------------------------------------------- */

static bool readable(const dt_parameter *parameter, const char *function)
{
    return parameter && dti_handle_readable(parameter, function);
}

dt_tensor *dt_parameter_tensor(const dt_parameter *parameter)
{
    return readable(parameter, __func__) ? parameter->tensor : NULL;
}

dt_shape dt_parameter_shape(const dt_parameter *parameter)
{
    return readable(parameter, __func__) ? parameter->shape : (dt_shape){0};
}

dt_dtype dt_parameter_dtype(const dt_parameter *parameter)
{
    return readable(parameter, __func__) ? parameter->dtype : DT_DTYPE_COUNT;
}

dt_parameter_kind dt_parameter_kind_of(const dt_parameter *parameter)
{
    return readable(parameter, __func__) ? parameter->kind : DT_PARAMETER;
}

bool dt_parameter_is_created(const dt_parameter *parameter)
{
    return readable(parameter, __func__) && parameter->created;
}

bool dt_parameter_is_frozen(const dt_parameter *parameter)
{
    return readable(parameter, __func__) && parameter->frozen;
}

dt_tensor *dt_module_tensor(const dt_module *module, int number)
{
    if (dti_given(module, __func__, "module") != DT_OK)
        return NULL;
    if (number < 0 || number >= module->slot_count) {
        dti_fail(module->world, DT_ERR_INVALID,
                 "dt_module_tensor: %s has no parameter number %d; it has %d",
                 dti_module_show(module), number, module->slot_count);
        return NULL;
    }
    const dti_slot *slot = &module->slots[number];
    if (slot->parameter->created)
        return slot->parameter->tensor;
    dti_fail(module->world, DT_ERR_INVALID,
             "parameter \"%s\" of %s has no elements; call "
             "dt_distribute_module or dt_parallelize first",
             slot->name, dti_module_show(module));
    return NULL;
}
