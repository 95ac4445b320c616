/* ops/helpers/scalar.h - tensors of one element that compositions read or set.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OPS_HELPERS_SCALAR_H
#define DTI_OPS_HELPERS_SCALAR_H

#include <dtensor/redistribute.h>
#include <dtensor/sys/op.h>

#include "array/array.h"
#include "array/cast.h"
#include "base/error.h"
#include "base/shape.h"
#include "mesh/mesh.h"
#include "tensor/tensor.h"

/* Tell whether all ranks of a mesh belong to another. */
static inline bool dti_mesh_holds(const dt_mesh *mesh, const dt_mesh *other)
{
    if (mesh == other)
        return true;
    for (int i = 0; i < other->places->count; i++)
        if (dti_places_find(mesh->places, other->places->ranks[i]) < 0)
            return false;
    return true;
}

static inline bool dti_is_replicated(const dt_spec *spec)
{
    for (int i = 0; i < spec->layout.ndim; i++)
        if (spec->layout.placements[i].kind != DT_REPLICATE)
            return false;
    return true;
}

/*
 * Check that a tensor is a float of one element that all ranks of a mesh have:
 * replicated on a mesh that holds this one, or 0-d on the rank's own.  `name`
 * is that of its argument.
 */
static inline dt_status dti_scalar_check(const dt_operation *operation,
                                         const dt_tensor *tensor,
                                         const char *name, const dt_mesh *mesh)
{
    const dt_spec *spec = tensor->spec;
    if (dt_shape_count(spec->meta.shape) != 1 ||
        dt_dtype_kind_of(spec->meta.dtype) != DT_KIND_FLOAT)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "%s is %s; expected one floating-point element", name,
            dti_spec_show(spec).text);
    if (!dti_is_replicated(spec))
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "%s, %s, must be replicated; redistribute it first", name,
            dti_spec_show(spec).text);
    if (spec->mesh == dt_world_own_mesh(operation->world) ||
        dti_mesh_holds(spec->mesh, mesh))
        return DT_OK;
    return dt_operation_fail(
        operation, DT_ERR_INVALID,
        "%s is on a mesh that lacks some of the ranks that use it", name);
}

/* The only element of an array with storage. */
static inline double dti_scalar_of(const dt_array *array)
{
    char element[sizeof(double)];
    double value;
    dti_array_wait(array, false);
    dti_array_gather(array, 0, 1, element);
    dti_cast(element, array->dtype, &value, DT_F64, 1);
    return value;
}

/* Read such a tensor on this rank; 1 where nothing is there to be read. */
static inline double dti_scalar_read(const dt_tensor *tensor)
{
    const bool there = tensor->spec->mesh->place >= 0 && tensor->local->storage;
    return there ? dti_scalar_of(tensor->local) : 1;
}

/* The text of a layout that is partial along some dimensions of a mesh, which
 * are bits, and replicated along the others. */
static inline const char *dti_layout_along(const dt_mesh *mesh, unsigned dims,
                                           dt_reduce op)
{
    dt_placement placements[DT_MAX_NDIM];
    for (int i = 0; i < mesh->dims.ndim; i++)
        placements[i] = dims >> i & 1 ? dt_partial(op) : dt_replicate();
    const dt_layout layout = dt_layout_of(placements, mesh->dims.ndim);
    return dt_layout_text(mesh->world, &layout);
}

/* A number that this rank has found. */
typedef struct dti_scalar {
    dt_dtype dtype;
    double value;
    bool meta; /* it has no storage */
} dti_scalar;

/* Make this rank's number its part of a 0-d tensor. */
static inline dt_tensor *dti_scalar_part(dt_spec *spec, const dti_scalar *from)
{
    dt_world *world = spec->mesh->world;
    dt_array *local = NULL;
    dt_status status = from->meta ? dt_array_create_meta(world, from->dtype,
                                                         DT_SHAPE(), &local)
                                  : dti_tensor_create_local(spec, &local);
    if (status == DT_OK && !from->meta)
        status = dt_array_fill(world, local, from->value);
    dt_tensor *made = status == DT_OK ? dti_tensor_adopt(spec, local) : NULL;
    if (status != DT_OK)
        dt_array_release(local);
    return made;
}

/*
 * Combine numbers that ranks of a mesh have found, along some of its
 * dimensions, which are bits: a 0-d tensor, replicated.  NULL on failure.
 *
 * Collective over the mesh.
 */
static inline dt_tensor *dti_scalar_combine(dt_mesh *mesh,
                                            const dti_scalar *mine,
                                            unsigned dims, dt_reduce op)
{
    const dt_meta meta = dt_meta_of(mine->dtype, DT_SHAPE());
    dt_spec *whole = NULL, *spec = NULL;
    dt_tensor *part = NULL;
    if (dt_spec_create(mesh, dti_layout_along(mesh, 0, op), meta.dtype,
                       meta.shape, &whole) != DT_OK)
        return NULL;
    if (dt_spec_with_layout(whole, dti_layout_along(mesh, dims, op), &spec) ==
        DT_OK)
        part = dti_scalar_part(spec, mine);
    dt_spec_release(spec);
    dt_spec_release(whole);
    return part ? dt_redistribute(part, dti_layout_along(mesh, 0, op)) : NULL;
}

#endif
