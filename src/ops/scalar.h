/* ops/scalar.h - tensors of one element that compositions read or set. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OPS_SCALAR_H
#define DTI_OPS_SCALAR_H

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
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "%s is %s; it has to be one float", name,
                                 dti_spec_show(spec).text);
    if (!dti_is_replicated(spec))
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "%s, %s, has to be replicated", name,
                                 dti_spec_show(spec).text);
    if (spec->mesh == dt_world_own_mesh(operation->world) ||
        dti_mesh_holds(spec->mesh, mesh))
        return DT_OK;
    return dt_operation_fail(
        operation, DT_ERR_INVALID,
        "%s lies on a mesh without some ranks that it is needed on", name);
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

#endif
