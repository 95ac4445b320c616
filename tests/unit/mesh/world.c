/* tests/unit/mesh/world.c - meshes that a world keeps, and their references. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>

#include "base/reference.h"
#include "unit/mesh/sim.h"

static void has_its_own_mesh(dt_world *unused)
{
    char text[64];
    dt_world *world = open_sim(100, 42);
    dt_mesh *own = dt_world_own_mesh(world);
    dt_group *group = NULL;
    (void)unused;
    dt_mesh_format(own, text, sizeof text);
    CHECK_TEXT(text, "mesh(self=1: [42])");
    CHECK(dt_world_own_mesh(world) == own);
    CHECK(dt_mesh_is_member(own));
    CHECK_INT(dt_mesh_coordinate(own, 0), 0);
    CHECK_OK(world, dt_mesh_group(own, 0, &group));
    CHECK_INT(dt_group_size(group), 1);
    CHECK_INT(dt_world_close(world), DT_OK);
}

static void has_current_meshes(dt_world *world)
{
    enum { DEPTH = 20 };
    dt_mesh *meshes[DEPTH];
    CHECK(dt_current_mesh(world) == NULL);
    CHECK_FAILS(world, dt_mesh_pop(world), DT_ERR_INVALID,
                "dt_mesh_pop: no mesh was pushed");
    for (int i = 0; i < DEPTH; i++) {
        meshes[i] = NULL;
        CHECK_OK(world, dt_mesh_create(world, "x", &meshes[i]));
        CHECK_OK(world, dt_mesh_push(meshes[i]));
        dt_mesh_release(meshes[i]);
        CHECK(dt_current_mesh(world) == meshes[i]);
    }
    for (int i = DEPTH - 1; i >= 0; i--) {
        CHECK(dt_current_mesh(world) == meshes[i]);
        CHECK_OK(world, dt_mesh_pop(world));
    }
    CHECK(dt_current_mesh(world) == NULL);
    CHECK_FAILS(world, dt_mesh_pop(world), DT_ERR_INVALID, NULL);
}

static void pushes_a_mesh_twice(dt_world *world)
{
    dt_mesh *own = dt_world_own_mesh(world);
    CHECK_OK(world, dt_mesh_push(own));
    CHECK_OK(world, dt_mesh_push(own));
    CHECK_OK(world, dt_mesh_pop(world));
    CHECK(dt_current_mesh(world) == own);
    CHECK_OK(world, dt_mesh_pop(world));
    CHECK(dt_world_own_mesh(world) == own);
}

/* The harness counts what is left. */
static void releases_what_was_pushed_when_it_closes(dt_world *unused)
{
    dt_world *world = open_sim(6, 3);
    dt_mesh *mesh = NULL;
    (void)unused;
    CHECK_OK(world, dt_mesh_create(world, "x=2,y", &mesh));
    CHECK_OK(world, dt_mesh_push(mesh));
    CHECK_OK(world, dt_mesh_push(dt_world_own_mesh(world)));
    dt_mesh_release(mesh);
    CHECK_INT(dt_world_close(world), DT_OK);
}

static void counts_references(dt_world *world)
{
    int64_t before = dti_live_count(DTI_LIVE_MESH);
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    CHECK(dt_mesh_retain(mesh) == mesh);
    dt_mesh_release(mesh);
    CHECK_INT(dt_mesh_size(mesh), 1);
    if (before >= 0)
        CHECK_INT(dti_live_count(DTI_LIVE_MESH) - before, 1);
    dt_mesh_release(mesh);
    CHECK_INT(dti_live_count(DTI_LIVE_MESH), before);
    dt_mesh_release(NULL);
    CHECK(dt_mesh_retain(NULL) == NULL);
}

static void *use_and_release(void *arg)
{
    dt_mesh *mesh = arg;
    int coordinate[2];
    for (int i = 0; i < 1000; i++) {
        dt_mesh_retain(mesh);
        dt_mesh_coordinate_of(mesh, i % 6, coordinate);
        dt_mesh_release(mesh);
    }
    dt_mesh_release(mesh);
    return NULL;
}

static void is_released_by_any_thread(dt_world *unused)
{
    static const int ranks[] = {2, 5, 1, 0};
    pthread_t threads[4];
    dt_world *world = open_sim(6, 5);
    dt_mesh *mesh = NULL;
    (void)unused;
    CHECK_OK(world, dt_mesh_create_from(world, "x,y=2", ranks, 4, &mesh));
    for (int i = 0; i < 4; i++) {
        int refused = pthread_create(&threads[i], NULL, use_and_release,
                                     dt_mesh_retain(mesh));
        CHECK_INT(refused, 0);
    }
    dt_mesh_release(mesh);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    CHECK_INT(dt_world_close(world), DT_OK);
}

static void outlives_its_world(dt_world *unused)
{
    static const int ranks[] = {2, 5, 1, 0};
    char text[64];
    dt_world *world = open_sim(6, 5);
    dt_mesh *own = dt_mesh_retain(dt_world_own_mesh(world));
    dt_mesh *mesh = NULL;
    dt_mesh *listed = NULL;
    dt_group *group = NULL;
    (void)unused;
    CHECK_OK(world, dt_mesh_create(world, "x=2,y", &mesh));
    CHECK_OK(world, dt_mesh_create_from(world, "x", ranks, 4, &listed));
    CHECK_OK(world, dt_mesh_group(mesh, 1, &group));
    CHECK_OK(world, dt_mesh_push(mesh));
    CHECK_INT(dt_world_close(world), DT_OK);
    dt_mesh_format(mesh, text, sizeof text);
    CHECK_TEXT(text, "mesh(x=2, y=3: [[0, 1, 2], [3, 4, 5]])");
    CHECK_INT(dt_mesh_coordinate(mesh, 1), 2);
    CHECK_INT(dt_mesh_coordinate(listed, 0), 1);
    CHECK_INT(dt_mesh_ranks(own)[0], 5);
    dt_mesh_release(own);
    dt_mesh_release(listed);
    dt_mesh_release(mesh);
}

const dt_test dt_tests[] = {
    {"has its own mesh", has_its_own_mesh},
    {"has current meshes", has_current_meshes},
    {"pushes a mesh twice", pushes_a_mesh_twice},
    {"releases what was pushed when it closes",
     releases_what_was_pushed_when_it_closes},
    {"counts references", counts_references},
    {"is released by any thread", is_released_by_any_thread},
    {"outlives its world", outlives_its_world},
    {NULL, NULL},
};
