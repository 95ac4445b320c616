/* random/world.c - the generators that a world keeps: its own and its meshes'.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "base/world.h"
#include "mesh/mesh.h"
#include "random/generator.h"

/* The generator of a mesh and of all that are equal to it. */
typedef struct mesh_generator {
    dt_mesh *mesh;
    dt_generator *generator;
} mesh_generator;

static bool is_of_mesh(const void *value, const void *mesh)
{
    const mesh_generator *entry = value;
    return dt_mesh_equal(entry->mesh, mesh);
}

static void drop_mesh(mesh_generator *entry)
{
    dt_mesh_release(entry->mesh);
    dt_generator_release(entry->generator);
    free(entry);
}

/* ---- In the world ------------------------------------------------------- */

static void drop_meshes(dti_generators *generators)
{
    mesh_generator *entry;
    size_t cursor = 0;
    while ((entry = dti_map_next(&generators->meshes, &cursor)))
        drop_mesh(entry);
    dti_map_clear(&generators->meshes);
}

static void reset_generators(dt_world *world, void *state)
{
    dti_generators *generators = state;
    (void)world;
    drop_meshes(generators);
    dt_generator_set_state(generators->world,
                           (dt_generator_state){.seed = generators->seed});
}

static void close_generators(dt_world *world, void *state)
{
    dti_generators *generators = state;
    (void)world;
    drop_meshes(generators);
    dt_generator_release(generators->world);
    free(generators);
}

static const dti_room_functions functions = {
    .close = close_generators,
    .reset = reset_generators,
};

/* What the world keeps of generators; NULL without memory. */
static dti_generators *open_generators(dt_world *world)
{
    dti_generators *generators = dti_world_room(world, DTI_ROOM_RANDOM);
    if (generators)
        return generators;
    generators = calloc(1, sizeof *generators);
    if (!generators) {
        dti_fail_memory(world, sizeof *generators, "the generators of a world");
        return NULL;
    }
    generators->seed = world->settings.seed;
    if (dt_generator_create(world, generators->seed, 0, &generators->world) !=
        DT_OK) {
        free(generators);
        return NULL;
    }
    dti_world_attach(world, DTI_ROOM_RANDOM, generators, &functions);
    return generators;
}

dt_generator *dt_world_generator(dt_world *world)
{
    dti_generators *generators = open_generators(world);
    return generators ? generators->world : NULL;
}

dt_status dt_seed(dt_world *world, uint64_t seed)
{
    dti_generators *generators = open_generators(world);
    mesh_generator *entry;
    size_t cursor = 0;
    if (!generators)
        return DT_ERR_NO_MEMORY;
    generators->seed = seed;
    dt_generator_seed(generators->world, seed);
    while ((entry = dti_map_next(&generators->meshes, &cursor)))
        dt_generator_seed(entry->generator, seed);
    return DT_OK;
}

/* ---- Of meshes ---------------------------------------------------------- */

static dt_generator *find_mesh(const dti_generators *generators,
                               const dt_mesh *mesh)
{
    const mesh_generator *entry =
        dti_map_find(&generators->meshes, mesh->hash, mesh, is_of_mesh);
    return entry ? entry->generator : NULL;
}

/* Add a generator for a mesh that has none; NULL without memory. */
static dt_generator *add_mesh(dti_generators *generators, dt_mesh *mesh)
{
    mesh_generator *entry = calloc(1, sizeof *entry);
    if (!entry) {
        dti_fail_memory(mesh->world, sizeof *entry, "the generator of a mesh");
        return NULL;
    }
    entry->mesh = dt_mesh_retain(mesh);
    if (dt_generator_create(mesh->world, generators->seed, 0,
                            &entry->generator) != DT_OK)
        goto dropped;
    if (dti_map_add(&generators->meshes, mesh->hash, entry) != DT_OK) {
        dti_fail_memory(mesh->world, sizeof *entry, "the generators of meshes");
        goto dropped;
    }
    return entry->generator;

dropped:
    drop_mesh(entry);
    return NULL;
}

dt_generator *dt_mesh_generator(dt_mesh *mesh)
{
    dti_generators *generators = open_generators(mesh->world);
    if (!generators)
        return NULL;
    dt_generator *own = find_mesh(generators, mesh);
    if (own)
        return own;
    if (mesh->places->count == mesh->world->size)
        return generators->world;
    return add_mesh(generators, mesh);
}

dt_status dt_mesh_set_stream(dt_mesh *mesh, uint64_t stream)
{
    dti_generators *generators = open_generators(mesh->world);
    if (!generators)
        return DT_ERR_NO_MEMORY;
    dt_generator *own = find_mesh(generators, mesh);
    if (!own)
        own = add_mesh(generators, mesh);
    if (!own)
        return DT_ERR_NO_MEMORY;
    own->state.stream = stream;
    return DT_OK;
}
