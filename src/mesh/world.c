/* mesh/world.c - the meshes that a world keeps: its own and the current ones.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "base/handles.h"
#include "mesh/mesh.h"

/* No mesh is the current one any more. */
static void reset_meshes(dt_world *world, void *state)
{
    dti_meshes *meshes = state;
    (void)world;
    while (meshes->depth > 0)
        dt_mesh_release(meshes->stack[--meshes->depth]);
}

static void close_meshes(dt_world *world, void *state)
{
    dti_meshes *meshes = state;
    reset_meshes(world, state);
    free(meshes->stack);
    dt_mesh_release(meshes->own);
    dti_places_release(meshes->all);
    free(meshes);
}

static const dti_room_functions functions = {
    .close = close_meshes,
    .reset = reset_meshes,
};

/* What the world keeps of meshes, empty at first; NULL without memory. */
static dti_meshes *open_meshes(dt_world *world)
{
    dti_meshes *meshes = dti_world_room(world, DTI_ROOM_MESH);
    if (meshes)
        return meshes;
    meshes = calloc(1, sizeof *meshes);
    if (meshes)
        dti_world_attach(world, DTI_ROOM_MESH, meshes, &functions);
    else
        dti_fail_memory(world, sizeof *meshes, "the meshes of a world");
    return meshes;
}

dt_status dti_mesh_all_places(dt_world *world, dti_places **out)
{
    dti_meshes *meshes = open_meshes(world);
    if (!meshes)
        return DT_ERR_NO_MEMORY;
    if (!meshes->all)
        DTI_TRY(dti_places_create_first(world, world->size, &meshes->all));
    *out = meshes->all;
    return DT_OK;
}

dt_mesh *dt_world_own_mesh(dt_world *world)
{
    static const dti_dims self = {1, {1}, {"self"}};
    dti_meshes *meshes = open_meshes(world);
    dti_places *places = NULL;
    if (!meshes)
        return NULL;
    if (!meshes->own &&
        dti_places_create(world, &world->rank, 1, &places) == DT_OK)
        dti_mesh_make(world, &self, places, &meshes->own);
    dti_places_release(places);
    return meshes->own;
}

/* ---- The current mesh --------------------------------------------------- */

static dt_status grow_stack(dt_world *world, dti_meshes *meshes)
{
    int capacity = meshes->capacity ? 2 * meshes->capacity : 8;
    size_t bytes = (size_t)capacity * sizeof(dt_mesh *);
    dt_mesh **stack = realloc(meshes->stack, bytes);
    if (!stack)
        return dti_fail_memory(world, bytes, "the current meshes");
    meshes->stack = stack;
    meshes->capacity = capacity;
    return DT_OK;
}

dt_status dt_mesh_push(dt_mesh *mesh)
{
    dti_meshes *meshes = mesh ? open_meshes(mesh->world) : NULL;
    DTI_TRY(dti_given(mesh, __func__, "mesh"));
    if (!meshes)
        return DT_ERR_NO_MEMORY;
    if (meshes->depth == meshes->capacity)
        DTI_TRY(grow_stack(mesh->world, meshes));
    meshes->stack[meshes->depth++] = dt_mesh_retain(mesh);
    return DT_OK;
}

dt_status dt_mesh_pop(dt_world *world)
{
    dti_meshes *meshes = dti_world_room(world, DTI_ROOM_MESH);
    if (!meshes || meshes->depth == 0)
        return dti_fail(world, DT_ERR_INVALID,
                        "dt_mesh_pop: no mesh was pushed");
    dt_mesh_release(meshes->stack[--meshes->depth]);
    return DT_OK;
}

dt_mesh *dt_current_mesh(dt_world *world)
{
    const dti_meshes *meshes = dti_world_room(world, DTI_ROOM_MESH);
    if (!meshes || meshes->depth == 0)
        return NULL;
    return meshes->stack[meshes->depth - 1];
}
