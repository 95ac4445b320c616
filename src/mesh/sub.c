/* mesh/sub.c - meshes made from a mesh: parts of it, dimensions joined. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/handles.h"
#include "mesh/mesh.h"

static dt_status fail_unknown(const dt_mesh *mesh, const char *name)
{
    char known[DT_MAX_NDIM * (DT_MESH_NAME_SIZE + 2)] = "";
    size_t used = 0;
    for (int i = 0; i < mesh->dims.ndim; i++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s",
                                 i ? ", " : "", mesh->dims.names[i]);
    return dti_fail(mesh->world, DT_ERR_NOT_FOUND,
                    "there is no mesh dimension \"%s\"; the dimensions are %s",
                    name, known);
}

/* Find dimensions by name. */
static dt_status find_dims(const dt_mesh *mesh, const dti_dims *names,
                           int *dims)
{
    for (int i = 0; i < names->ndim; i++) {
        dims[i] = dti_dims_find(&mesh->dims, names->names[i]);
        if (dims[i] < 0)
            return fail_unknown(mesh, names->names[i]);
    }
    return DT_OK;
}

/* The places reached along the dimensions from this rank's place, or from the
 * first place if it has none. */
static dt_status make_part(const dt_mesh *mesh, const int *dims, int count,
                           dti_places **out)
{
    int reach = dti_mesh_reach(mesh, dims, count);
    size_t bytes = (size_t)reach * sizeof(int);
    int *ranks = malloc(bytes);
    if (!ranks)
        return dti_fail_memory(mesh->world, bytes, "the ranks of a mesh");
    dti_mesh_list(mesh, dims, count, mesh->place < 0 ? 0 : mesh->place, ranks);
    dt_status status = dti_places_create(mesh->world, ranks, reach, out);
    free(ranks);
    return status;
}

dt_status dt_mesh_sub(dt_mesh *mesh, const char *names, dt_mesh **out)
{
    DTI_ENTRY();
    dti_dims part;
    int dims[DT_MAX_NDIM] = {0};
    dti_places *places = NULL;
    DTI_TRY(dti_given(mesh, __func__, "mesh"));
    DTI_TRY(dti_names_read(mesh->world, names, &part));
    DTI_TRY(find_dims(mesh, &part, dims));
    for (int i = 0; i < part.ndim; i++)
        part.sizes[i] = mesh->dims.sizes[dims[i]];
    dt_status status = make_part(mesh, dims, part.ndim, &places);
    if (status == DT_OK)
        status = dti_mesh_make(mesh->world, &part, places, out);
    dti_places_release(places);
    return dti_mesh_end(mesh->world, status);
}

/* ---- Flattening --------------------------------------------------------- */

/* Dimensions first, first + 1, ... below first + count become one. */
static dt_status find_run(const dt_mesh *mesh, const dti_dims *joined,
                          const char *names, int *first)
{
    int dims[DT_MAX_NDIM] = {0};
    DTI_TRY(find_dims(mesh, joined, dims));
    for (int i = 1; i < joined->ndim; i++)
        if (dims[i] != dims[0] + i)
            return dti_fail(mesh->world, DT_ERR_INVALID,
                            "\"%.200s\": \"%s\" does not follow \"%s\" in the "
                            "mesh; use dt_mesh_sub to reorder dimensions",
                            names, joined->names[i], joined->names[i - 1]);
    *first = dims[0];
    return DT_OK;
}

/* The names with "_" between them, unless they are too long. */
static dt_status join_names(dt_world *world, const dti_dims *joined, char *name)
{
    char text[DT_MAX_NDIM * DT_MESH_NAME_SIZE] = "";
    size_t used = 0;
    for (int i = 0; i < joined->ndim; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s",
                                 i ? "_" : "", joined->names[i]);
    if (used >= DT_MESH_NAME_SIZE)
        return dti_fail(world, DT_ERR_INVALID,
                        "the name \"%s\" of a mesh dimension is longer than %d "
                        "characters; pass a name",
                        text, DT_MESH_NAME_SIZE - 1);
    memcpy(name, text, used + 1);
    return DT_OK;
}

/* The name of the new dimension, the one that was asked for or the default. */
static dt_status choose_name(dt_world *world, const dti_dims *joined,
                             const char *wanted, char *name)
{
    dti_dims one;
    if (!wanted)
        return join_names(world, joined, name);
    DTI_TRY(dti_names_read(world, wanted, &one));
    if (one.ndim != 1)
        return dti_fail(world, DT_ERR_INVALID,
                        "\"%.200s\" has %d names; expected one", wanted,
                        one.ndim);
    memcpy(name, one.names[0], DT_MESH_NAME_SIZE);
    return DT_OK;
}

/* The dimensions of a mesh with `count` of them, from `first` on, as one. */
static dt_status join_dims(const dt_mesh *mesh, int first, int count,
                           const char *name, dti_dims *out)
{
    dti_dims dims = mesh->dims;
    for (int i = first + 1; i < first + count; i++)
        dims.sizes[first] *= dims.sizes[i];
    int after = dims.ndim - first - count;
    memmove(&dims.sizes[first + 1], &dims.sizes[first + count],
            (size_t)after * sizeof dims.sizes[0]);
    memmove(&dims.names[first + 1], &dims.names[first + count],
            (size_t)after * sizeof dims.names[0]);
    dims.ndim -= count - 1;
    dims.names[first][0] = '\0';
    if (dti_dims_find(&dims, name) >= 0)
        return dti_fail(mesh->world, DT_ERR_INVALID,
                        "the mesh already has another dimension named \"%s\"",
                        name);
    memcpy(dims.names[first], name, DT_MESH_NAME_SIZE);
    *out = dims;
    return DT_OK;
}

dt_status dt_mesh_flatten(dt_mesh *mesh, const char *names, const char *name,
                          dt_mesh **out)
{
    DTI_ENTRY();
    dt_world *world = dt_mesh_world(mesh);
    dti_dims joined;
    dti_dims dims;
    int first = 0;
    char chosen[DT_MESH_NAME_SIZE] = "";
    DTI_TRY(dti_given(mesh, __func__, "mesh"));
    DTI_TRY(dti_names_read(world, names, &joined));
    DTI_TRY(find_run(mesh, &joined, names, &first));
    DTI_TRY(choose_name(world, &joined, name, chosen));
    DTI_TRY(join_dims(mesh, first, joined.ndim, chosen, &dims));
    return dti_mesh_end(world, dti_mesh_make(world, &dims, mesh->places, out));
}
