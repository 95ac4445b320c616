/* tensor/tensor.c - tensors, who owns them, and what they are. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tensor/tensor.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/handles.h"
#include "base/world.h"
#include "comm/comm.h"
#include "tensor/order.h"
#include "tensor/view.h"

/* ---- Making ------------------------------------------------------------- */

/* Let go of what a tensor has in common with its base and its views. */
static void release_relations(dt_tensor *tensor)
{
    dti_array_release(tensor->shown);
    dti_copied_release(tensor->copied);
    dti_version_leave(tensor);
}

/* Drop a reference. */
static void release(dt_tensor *tensor)
{
    if (!dti_reference_release(&tensor->reference))
        return;
    dti_handle_gone(tensor);
    if (tensor->gradient)
        tensor->gradient->release(tensor->gradient);
    if (tensor->version)
        release_relations(tensor);
    dti_array_release(tensor->mask);
    dti_array_release(tensor->local);
    dt_spec_release(tensor->spec);
    dti_handle_free(tensor);
    dti_live_add(DTI_LIVE_TENSOR, -1);
}

static void release_owned(dti_owned *owned)
{
    release((dt_tensor *)owned);
}

/* The first result of the latest call on a mesh. */
static uint32_t born_now(const dt_mesh *mesh)
{
    return mesh->history ? (uint32_t)mesh->history->number * DTI_BORN_RESULTS
                         : 0;
}

dt_tensor *dti_tensor_make(dt_spec *spec, dt_array *local)
{
    dt_tensor *tensor = dti_tensor_adopt(spec, local);
    if (tensor)
        dt_array_retain(local);
    return tensor;
}

dt_tensor *dti_tensor_adopt(dt_spec *spec, dt_array *local)
{
    dt_world *world = spec->mesh->world;
    dt_tensor *tensor = malloc(sizeof *tensor);
    if (!tensor) {
        dti_fail_memory(world, sizeof *tensor, "a tensor");
        return NULL;
    }
    dti_reference_init(&tensor->reference);
    tensor->world = world;
    tensor->spec = dt_spec_retain(spec);
    tensor->local = local;
    tensor->mask = NULL;
    tensor->alone = false;
    tensor->version = NULL;
    tensor->copied = NULL;
    tensor->shown = NULL;
    tensor->gradient = NULL;
    tensor->born = born_now(spec->mesh);
    dti_scope_adopt(world, &tensor->owned, release_owned);
    dti_live_add(DTI_LIVE_TENSOR, 1);
    dti_handle_made(world, DTI_LIVE_TENSOR, tensor);
    return tensor;
}

void dti_tensor_enter(dt_tensor *tensor)
{
    if (tensor->owned.scope)
        return;
    dti_reference_retain(&tensor->reference);
    dti_scope_adopt(tensor->world, &tensor->owned, release_owned);
}

dt_status dti_tensor_unmask(dt_tensor *tensor)
{
    dt_spec *old = tensor->spec, *sum = NULL;
    dt_layout layout = dti_layout_unmasked(&old->layout);
    if (dt_layout_equal(&layout, &old->layout))
        return DT_OK;
    DTI_TRY(dt_spec_create_with(old->mesh, &layout, &old->meta, &sum));
    tensor->spec = sum;
    dt_spec_release(old);
    dti_array_release(tensor->mask);
    tensor->mask = NULL;
    return DT_OK;
}

dt_status dti_tensor_create_local(const dt_spec *spec, dt_array **out)
{
    dt_world *world = spec->mesh->world;
    dt_array form;
    dti_spec_form(spec, &form);
    return world->settings.dry_run ? dti_array_create_meta_as(world, &form, out)
                                   : dti_array_create_as(world, &form, out);
}

dt_status dti_collective_begin(const dt_mesh *mesh, dt_status status)
{
    if (status == DT_ERR_NO_MEMORY && dt_mesh_is_member(mesh))
        dti_collective_end_on(mesh, status);
    return status;
}

dt_status dti_collective_end_on(const dt_mesh *mesh, dt_status status)
{
    if (status != DT_OK && mesh->places->count > 1)
        dti_collective_end(mesh->world, status);
    return status;
}

dt_status dti_collective_end(dt_world *world, dt_status status)
{
    return dti_comm_tell(world, status);
}

/* ---- Who owns a tensor -------------------------------------------------- */

dt_tensor *dt_tensor_retain(dt_tensor *tensor)
{
    if (!dti_handle_usable(tensor, __func__))
        return NULL;
    if (tensor)
        dti_reference_retain(&tensor->reference);
    return tensor;
}

void dt_tensor_release(dt_tensor *tensor)
{
    DTI_ENTRY();
    if (!dti_handle_usable(tensor, __func__) || !tensor)
        return;
    if (tensor->owned.scope && dti_reference_is_last(&tensor->reference)) {
        dti_handle_fail_release(tensor->world, tensor, __func__);
        return;
    }
    release(tensor);
}

dt_tensor *dt_scope_keep(dt_tensor *tensor)
{
    if (!dti_handle_usable(tensor, __func__))
        return NULL;
    if (tensor)
        dti_scope_hand_up(&tensor->owned);
    return tensor;
}

void dt_tensor_release_early(dt_tensor *tensor)
{
    DTI_ENTRY();
    if (!dti_handle_usable(tensor, __func__) || !tensor || !tensor->owned.scope)
        return;
    dti_scope_forget(&tensor->owned);
    release(tensor);
}

/* ---- What a tensor is --------------------------------------------------- */

static bool is_given(const dt_tensor *tensor, const char *function)
{
    return dti_handle_usable(tensor, function) && tensor;
}

dt_world *dt_tensor_world(const dt_tensor *tensor)
{
    return is_given(tensor, __func__) ? tensor->world : NULL;
}

dt_spec *dt_tensor_spec(const dt_tensor *tensor)
{
    return is_given(tensor, __func__) ? tensor->spec : NULL;
}

dt_mesh *dt_tensor_mesh(const dt_tensor *tensor)
{
    return dt_spec_mesh(dt_tensor_spec(tensor));
}

const dt_layout *dt_tensor_layout(const dt_tensor *tensor)
{
    return dt_spec_layout(dt_tensor_spec(tensor));
}

dt_dtype dt_tensor_dtype(const dt_tensor *tensor)
{
    return dt_spec_dtype(dt_tensor_spec(tensor));
}

dt_shape dt_tensor_shape(const dt_tensor *tensor)
{
    return dt_spec_shape(dt_tensor_spec(tensor));
}

int dt_tensor_ndim(const dt_tensor *tensor)
{
    return dt_spec_ndim(dt_tensor_spec(tensor));
}

static bool has_dim(const dt_tensor *tensor, int dim)
{
    return dim >= 0 && dim < dt_tensor_ndim(tensor);
}

int64_t dt_tensor_extent(const dt_tensor *tensor, int dim)
{
    return has_dim(tensor, dim) ? tensor->spec->meta.shape.dims[dim] : 0;
}

int64_t dt_tensor_stride(const dt_tensor *tensor, int dim)
{
    return has_dim(tensor, dim) ? tensor->spec->meta.strides[dim] : 0;
}

int64_t dt_tensor_count(const dt_tensor *tensor)
{
    return dt_spec_count(dt_tensor_spec(tensor));
}

dt_array *dt_tensor_local(const dt_tensor *tensor)
{
    return is_given(tensor, __func__) ? dti_tensor_show(tensor, __func__)
                                      : NULL;
}

dt_array *dt_tensor_mask(const dt_tensor *tensor)
{
    return is_given(tensor, __func__) ? tensor->mask : NULL;
}
