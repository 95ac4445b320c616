/* ops/helpers/factory.c - making tensors whose elements every rank computes. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/helpers/factory.h"

#include "base/handles.h"
#include "kernel/reduce/reduce.h"
#include "layout/layout.h"
#include "op/call/remember.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/place.h"
#include "tensor/order.h"

static dt_status make(dt_operation *operation, dt_mesh *mesh,
                      const dt_layout *layout, const dt_meta *meta,
                      const dti_recipe *recipe)
{
    dt_spec *spec = NULL;
    DTI_TRY(dt_spec_create_with(mesh, layout, meta, &spec));
    dti_remember_creation(operation, spec, recipe->drawn);
    operation->outputs[0] = dti_create_with(spec, recipe->fill, recipe->arg);
    dt_spec_release(spec);
    return operation->outputs[0] ? DT_OK : dti_failure_of(operation->world);
}

/* ---- From a mesh -------------------------------------------------------- */

dt_status dti_factory_make(dt_operation *operation, dt_shape shape,
                           const dti_recipe *recipe)
{
    const char *text = dti_place_layout(operation);
    const dt_layout *layout;
    dt_mesh *mesh = NULL;
    dt_dtype dtype;
    DTI_TRY(dti_place_mesh(operation, &mesh));
    DTI_TRY(dti_place_dtype(operation, &dtype));
    DTI_TRY(dti_layout_read_on(mesh, text, &layout));
    const dt_meta meta = dt_meta_of(dtype, shape);
    return make(operation, mesh, layout, &meta, recipe);
}

/* ---- Like another tensor ------------------------------------------------ */

dt_status dti_factory_dtype_like(const dt_operation *operation, dt_dtype *out)
{
    if (dti_argument(operation, "dtype")->kind != DT_ARG_NONE)
        return dti_place_dtype(operation, out);
    *out = operation->inputs[0]->spec->meta.dtype;
    return DT_OK;
}

static dt_layout layout_like(const dt_spec *spec, dt_dtype dtype, bool stays)
{
    dt_layout layout = dti_layout_unmasked(&spec->layout);
    for (int i = 0; i < layout.ndim; i++)
        if (dti_is_partial(&layout.placements[i]) &&
            (!stays || !dti_reduce_supports(layout.placements[i].op, dtype)))
            layout.placements[i] = dt_replicate();
    return layout;
}

dt_status dti_factory_make_like(dt_operation *operation, dt_dtype dtype,
                                bool stays, const dti_recipe *recipe)
{
    const dt_spec *like = operation->inputs[0]->spec;
    const dt_layout layout = layout_like(like, dtype, stays);
    dt_meta meta = like->meta;
    meta.dtype = dtype;
    dti_meta_keep_order(&meta);
    return make(operation, like->mesh, &layout, &meta, recipe);
}

dt_status dti_factory_make_new(dt_operation *operation, dt_dtype dtype,
                               dt_shape shape, bool stays,
                               const dti_recipe *recipe)
{
    const dt_spec *like = operation->inputs[0]->spec;
    const dt_meta meta = dt_meta_of(dtype, shape);
    const dt_layout layout = dt_shape_equal(shape, like->meta.shape)
                                 ? layout_like(like, dtype, stays)
                                 : dti_layout_replicated(like->layout.ndim);
    return make(operation, like->mesh, &layout, &meta, recipe);
}

/* ---- Elements ----------------------------------------------------------- */

const dt_number dti_zero = {.kind = DT_KIND_SIGNED, .as.integer = 0};
const dt_number dti_one = {.kind = DT_KIND_SIGNED, .as.integer = 1};

dt_status dti_fill_number(const dt_spec *spec, dt_array *local, const void *arg)
{
    const dt_number *value = arg;
    return dti_array_fill_number(spec->mesh->world, local, *value);
}

/* ---- Calls -------------------------------------------------------------- */

dt_tensor *dti_factory_call(const char *function, int number,
                            const dt_argument *arguments)
{
    const bool like = arguments[0].kind == DT_ARG_TENSOR;
    dt_tensor *result = NULL;
    if (dti_given(like ? (const void *)arguments[0].as.tensor
                       : (const void *)arguments[0].as.mesh,
                  function, like ? "tensor" : "mesh") != DT_OK)
        return NULL;
    dt_world *world =
        like ? arguments[0].as.tensor->world : arguments[0].as.mesh->world;
    return dti_op_call_boundary(world, number, DT_VARIANT_NEW, arguments,
                                &result, 1) == DT_OK
               ? result
               : NULL;
}
