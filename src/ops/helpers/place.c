/* ops/helpers/place.c - the mesh, the layout and the dtype that a call names.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/helpers/place.h"

#include "base/error.h"
#include "mesh/mesh.h"
#include "ops/helpers/arguments.h"

dt_status dti_place_mesh(const dt_operation *operation, dt_mesh **out)
{
    const dt_argument *given = dti_argument(operation, "mesh");
    dt_mesh *mesh = given->kind == DT_ARG_MESH ? given->as.mesh : NULL;
    if (!mesh)
        return dt_operation_fail(operation, DT_ERR_INVALID, "mesh is NULL");
    if (mesh->world != operation->world)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "mesh belongs to another world");
    *out = mesh;
    return DT_OK;
}

const char *dti_place_layout(const dt_operation *operation)
{
    const dt_argument *given = dti_argument(operation, "layout");
    return given->kind == DT_ARG_TEXT ? given->as.text : NULL;
}

dt_status dti_place_dtype(const dt_operation *operation, dt_dtype *out)
{
    const int64_t dtype = dti_argument_int(operation, "dtype");
    if (dtype < 0 || dtype >= DT_DTYPE_COUNT)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "invalid dtype %lld", (long long)dtype);
    *out = (dt_dtype)dtype;
    return DT_OK;
}
