/* autograd/pack.c - saved tensors in another form until they are read. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "autograd/pack.h"

#include <stdlib.h>
#include <string.h>

#include <dtensor/mesh.h>

#include "autograd/call.h"
#include "autograd/tape.h"
#include "base/error.h"
#include "base/options.h"
#include "base/scope.h"

/* How many of the latest are looked at for one that can be shared. */
#define LATEST 16

/* ---- What is packed ----------------------------------------------------- */

static void link_packed(dti_tape *tape, dti_packed *packed)
{
    packed->next = tape->packed;
    packed->place = &tape->packed;
    if (packed->next)
        packed->next->place = &packed->next;
    tape->packed = packed;
}

static void unlink_packed(dti_packed *packed)
{
    *packed->place = packed->next;
    if (packed->next)
        packed->next->place = packed->place;
}

void dti_packed_release(dti_packed *packed)
{
    if (!packed || !dti_reference_release(&packed->reference))
        return;
    unlink_packed(packed);
    if (packed->packing.release)
        packed->packing.release(packed->data, packed->packing.arg);
    dti_version_release(packed->version);
    dt_spec_release(packed->spec);
    free(packed);
}

static bool has_form(const dt_array *a, const dt_array *b)
{
    return a->offset == b->offset && dt_shape_equal(a->shape, b->shape) &&
           memcmp(a->strides, b->strides,
                  (size_t)a->shape.ndim * sizeof *a->strides) == 0;
}

static bool is_packing(const dt_packing *a, const dt_packing *b)
{
    return a->pack == b->pack && a->unpack == b->unpack && a->arg == b->arg;
}

/* Find what the same elements were packed into; NULL if that is not known. */
static dti_packed *find_packed(const dti_tape *tape, const dti_saved *saved,
                               const dt_packing *packing)
{
    dti_packed *at = tape->packed;
    for (int i = 0; at && i < LATEST; i++, at = at->next)
        if (at->version && at->version == saved->version &&
            at->count == saved->count && at->alone == saved->alone &&
            at->spec == saved->spec && has_form(&at->form, saved->array) &&
            is_packing(&at->packing, packing))
            return at;
    return NULL;
}

/* ---- Packing ------------------------------------------------------------ */

/* Call a function of the program with a tensor of its own. */
static dt_status call_pack(const dti_saved *saved, const dt_packing *packing,
                           void **out)
{
    dt_tensor *tensor = dti_tensor_make(saved->spec, saved->array);
    if (!tensor)
        return DT_ERR_NO_MEMORY;
    const dt_status status = packing->pack(tensor, packing->arg, out);
    dt_world *world = saved->spec->mesh->world;
    if (status == DT_OK || world->scope->first.code != DT_OK)
        return status;
    return dti_fail(world, status, "`pack` of a packing failed with %s",
                    dt_status_name(status));
}

/* The same in a scope that records nothing and packs nothing. */
static dt_status pack(const dti_saved *saved, dt_world *world,
                      const dt_packing *packing, void **out)
{
    dti_scope_rules rules = world->scope->rules;
    rules.records = false;
    rules.packing = NULL;
    dt_scope *scope = dti_scope_open_under(world, &rules);
    dt_status status =
        scope ? call_pack(saved, packing, out) : DT_ERR_NO_MEMORY;
    if (scope)
        dti_scope_close_inner(scope);
    /* A disk may be full, or memory short, on this rank alone. */
    if (status == DT_ERR_IO || status == DT_ERR_NO_MEMORY)
        dti_collective_end_on(saved->spec->mesh, status);
    return status;
}

static dt_status create_packed(const dti_saved *saved, dt_world *world,
                               const dt_packing *packing, bool whole,
                               dti_packed **out)
{
    dti_packed *packed = calloc(1, sizeof *packed);
    if (!packed)
        return dti_collective_end_on(
            saved->spec->mesh,
            dti_fail_memory(world, sizeof *packed, "a saved tensor"));
    const dt_status status = pack(saved, world, packing, &packed->data);
    if (status != DT_OK || !packed->data) {
        free(packed);
        return status;
    }
    dti_reference_init(&packed->reference);
    packed->world = world;
    packed->packing = *packing;
    packed->spec = dt_spec_retain(saved->spec);
    packed->version = whole ? dti_version_retain(saved->version) : NULL;
    packed->count = saved->count;
    packed->alone = saved->alone;
    packed->form = *saved->array;
    link_packed(dti_tape_of(world), packed);
    *out = packed;
    return DT_OK;
}

dt_status dti_saved_pack(dti_saved *saved, dt_world *world, bool whole)
{
    dt_packing usual = DT_PACKING_INIT;
    dti_packed *packed = NULL;
    const dt_packing *packing = world->scope->rules.packing;
    if (!packing)
        return DT_OK;
    packing = dti_options_read(world, packing, &usual, sizeof usual,
                               "DT_PACKING_INIT");
    if (!packing)
        return DT_ERR_INVALID;
    if (!packing->pack)
        return DT_OK;
    if (whole)
        packed = find_packed(dti_tape_of(world), saved, packing);
    if (packed)
        dti_reference_retain(&packed->reference);
    else
        DTI_TRY(create_packed(saved, world, packing, whole, &packed));
    if (!packed)
        return DT_OK;
    dti_array_release(saved->array);
    dti_version_release(saved->version);
    saved->array = NULL;
    saved->version = NULL;
    saved->packed = packed;
    return DT_OK;
}

/* ---- Reading ------------------------------------------------------------ */

/* `unpack` returned NULL; the call that failed has left a message, perhaps. */
static dt_status fail_without_tensor(dt_world *world)
{
    if (world->scope->first.code != DT_OK)
        return world->scope->first.code;
    return dti_fail(world, DT_ERR_INVALID,
                    "`unpack` of a packing returned no tensor");
}

static dt_status call_unpack(const dti_packed *packed, dt_tensor **out)
{
    const dt_spec *spec = packed->spec;
    *out = packed->packing.unpack(packed->data, packed->packing.arg);
    if (!*out)
        return fail_without_tensor(packed->world);
    if (dt_shape_equal((*out)->spec->meta.shape, spec->meta.shape) &&
        dt_mesh_equal((*out)->spec->mesh, spec->mesh))
        return DT_OK;
    return dti_fail(packed->world, DT_ERR_INVALID,
                    "`unpack` of a packing returned %s for a tensor that was "
                    "%s",
                    dti_spec_show((*out)->spec).text, dti_spec_show(spec).text);
}

/* Bring what was unpacked to the dtype and the layout that were saved. */
static dt_status unpack(const dti_packed *packed, dt_tensor **out)
{
    dt_tensor *tensor = NULL;
    DTI_TRY(call_unpack(packed, &tensor));
    DTI_TRY(
        dti_call_redistribute(tensor, &packed->spec->layout, false, &tensor));
    DTI_TRY(dti_call_cast(tensor, packed->spec->meta.dtype, &tensor));
    *out = dti_tensor_make(packed->spec, tensor->local);
    return *out ? DT_OK : DT_ERR_NO_MEMORY;
}

dt_status dti_saved_read(const dti_saved *saved, dt_tensor **out)
{
    if (saved->packed) {
        const dt_status status = unpack(saved->packed, out);
        if (status == DT_ERR_IO)
            dti_collective_end_on(saved->spec->mesh, status);
        return status;
    }
    *out = dti_tensor_make(saved->spec, saved->array);
    if (!*out)
        return DT_ERR_NO_MEMORY;
    if (saved->version)
        dti_version_share(*out, saved->version);
    return DT_OK;
}
