/* mesh/group.c - the groups of ranks along dimensions of a mesh. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "base/handles.h"
#include "mesh/mesh.h"

/*
 * The world keeps one group per list of ranks, so a group is never made twice.
 * Writing down the list takes time in proportion to its length; a mesh
 * remembers the groups it gave, by the list of dimensions, to save even that.
 */

/* Four bits for each dimension, in order; different lists differ. */
static uint32_t make_key(const int *dims, int count)
{
    uint32_t key = 0;
    for (int i = 0; i < count; i++)
        key = key << 4 | ((uint32_t)dims[i] + 1);
    return key;
}

static dt_status check_dims(const dt_mesh *mesh, const int *dims, int count)
{
    unsigned seen = 0;
    if (count < 0)
        return dti_fail(mesh->world, DT_ERR_INVALID,
                        "dt_mesh_group_of: count is %d, which is out of range",
                        count);
    for (int i = 0; i < count; i++) {
        if (dims[i] < 0 || dims[i] >= mesh->dims.ndim)
            return dti_fail(
                mesh->world, DT_ERR_INVALID,
                "dimension %d is out of range for a mesh of %d dimensions",
                dims[i], mesh->dims.ndim);
        if (seen & 1U << dims[i])
            return dti_fail(
                mesh->world, DT_ERR_INVALID,
                "dt_mesh_group_of: mesh dimension %d is listed twice", dims[i]);
        seen |= 1U << dims[i];
    }
    return DT_OK;
}

static dt_status fail_outside(const dt_mesh *mesh)
{
    char text[256];
    dt_mesh_format(mesh, text, sizeof text);
    return dti_fail(mesh->world, DT_ERR_INVALID,
                    "rank %d is not in %s and has no group there",
                    mesh->world->rank, text);
}

static dt_status create_group(const dt_mesh *mesh, const int *dims, int count,
                              dt_group **out)
{
    int reach = dti_mesh_reach(mesh, dims, count);
    size_t bytes = (size_t)reach * sizeof(int);
    int *ranks = malloc(bytes);
    if (!ranks)
        return dti_fail_memory(mesh->world, bytes, "the ranks of a group");
    dti_mesh_list(mesh, dims, count, mesh->place, ranks);
    dt_status status = dt_group_create(mesh->world, ranks, reach, out);
    free(ranks);
    return status;
}

dt_status dt_mesh_group_of(dt_mesh *mesh, const int *dims, int count,
                           dt_group **out)
{
    DTI_TRY(dti_given(mesh, __func__, "mesh"));
    DTI_TRY(check_dims(mesh, dims, count));
    if (mesh->place < 0)
        return fail_outside(mesh);
    uint32_t key = make_key(dims, count);
    uint32_t slot = key % DTI_MESH_GROUPS;
    if (!mesh->groups[slot].group || mesh->groups[slot].key != key) {
        dt_group *group = NULL;
        dt_status status = create_group(mesh, dims, count, &group);
        if (status != DT_OK)
            return dti_mesh_end(mesh->world, status);
        mesh->groups[slot].key = key;
        mesh->groups[slot].group = group;
    }
    *out = mesh->groups[slot].group;
    return DT_OK;
}

dt_status dt_mesh_group(dt_mesh *mesh, int dim, dt_group **out)
{
    return dt_mesh_group_of(mesh, &dim, 1, out);
}
