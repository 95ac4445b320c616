/* autograd/call.c - operators that the backward pass calls by itself. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "autograd/call.h"

#include <dtensor/create.h>
#include <dtensor/redistribute.h>
#include <dtensor/sys/op.h>

#include "base/error.h"
#include "op/call/dispatch.h"
#include "op/registry.h"

static dt_argument tensor_argument(dt_tensor *tensor)
{
    return (dt_argument){.kind = DT_ARG_TENSOR, .as.tensor = tensor};
}

/* Call an operator by name that returns one tensor. */
static dt_status call(dt_world *world, const char *name, dt_variant variant,
                      const dt_argument *arguments, dt_tensor **out)
{
    dti_operator *op = NULL;
    int given;
    DTI_TRY(dti_operator_find(world, name, &op));
    return dti_op_call(world, op, variant, arguments, out, 1, &given);
}

dt_status dti_call_unary(dt_world *world, const char *name, dt_tensor *tensor,
                         dt_tensor **out)
{
    const dt_argument argument = tensor_argument(tensor);
    return call(world, name, DT_VARIANT_NEW, &argument, out);
}

dt_status dti_call_add(dt_tensor *one, dt_tensor *other, dt_tensor **out)
{
    const dt_argument arguments[] = {
        tensor_argument(one),
        tensor_argument(other),
        {.kind = DT_ARG_NUMBER, .as.number = dt_integer(1)}};
    return call(one->world, "add", DT_VARIANT_NEW, arguments, out);
}

dt_status dti_call_sum_to(dt_tensor *tensor, dt_shape shape, dt_tensor **out)
{
    const dt_argument arguments[] = {tensor_argument(tensor),
                                     {.kind = DT_ARG_INTEGERS,
                                      .count = shape.ndim,
                                      .as.integers = shape.dims}};
    return call(tensor->world, "sum_to_size", DT_VARIANT_NEW, arguments, out);
}

dt_status dti_call_cast(dt_tensor *tensor, dt_dtype dtype, dt_tensor **out)
{
    const bool is_complex = tensor->spec->meta.dtype == DT_C64;
    if (is_complex && dtype != DT_C64)
        DTI_TRY(dti_call_unary(tensor->world, "real_part", tensor, &tensor));
    *out = tensor;
    if (tensor->spec->meta.dtype == dtype)
        return DT_OK;
    const dt_argument arguments[] = {
        tensor_argument(tensor), {.kind = DT_ARG_INTEGER, .as.integer = dtype}};
    return call(tensor->world, "cast", DT_VARIANT_NEW, arguments, out);
}

dt_status dti_call_zero(dt_tensor *tensor)
{
    const dt_argument argument = tensor_argument(tensor);
    dt_tensor *same;
    return call(tensor->world, "zero", DT_VARIANT_IN_PLACE, &argument, &same);
}

/* ---- Layouts ------------------------------------------------------------ */

static dt_status create(const dt_spec *spec, double value, dt_tensor **out)
{
    dt_mesh *mesh = spec->mesh;
    const dt_layout layout = dti_layout_reduced(&spec->layout);
    const char *text = dt_layout_text(mesh->world, &layout);
    if (!text)
        return DT_ERR_NO_MEMORY;
    *out = dt_full(mesh, text, spec->meta.dtype, spec->meta.shape, value);
    return *out ? DT_OK : dti_failure_of(mesh->world);
}

dt_status dti_call_zeros(const dt_spec *spec, dt_tensor **out)
{
    return create(spec, 0, out);
}

dt_status dti_call_ones(const dt_spec *spec, dt_tensor **out)
{
    return create(spec, 1, out);
}

dt_status dti_call_redistribute(dt_tensor *tensor, const dt_layout *layout,
                                bool asynchronous, dt_tensor **out)
{
    dt_redistribute_options options = DT_REDISTRIBUTE_OPTIONS_INIT;
    *out = tensor;
    if (dt_layout_equal(&tensor->spec->layout, layout))
        return DT_OK;
    options.layout = dt_layout_text(tensor->world, layout);
    options.asynchronous = asynchronous;
    if (!options.layout)
        return DT_ERR_NO_MEMORY;
    *out = dt_redistribute_with(tensor, &options);
    return *out ? DT_OK : dti_failure_of(tensor->world);
}
