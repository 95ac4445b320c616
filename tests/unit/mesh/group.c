/* tests/unit/mesh/group.c - groups along dimensions of simulated meshes. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/reference.h"
#include "unit/mesh/sim.h"

static void group_is(dt_mesh *mesh, const int *dims, int count,
                     const int *ranks, int size)
{
    dt_group *group = NULL;
    if (!CHECK_OK(dt_mesh_world(mesh),
                  dt_mesh_group_of(mesh, dims, count, &group)))
        return;
    CHECK_INT(dt_group_size(group), size);
    CHECK(memcmp(dt_group_ranks(group), ranks, (size_t)size * sizeof(int)) ==
          0);
}

static void lists_ranks_in_order(dt_world *unused)
{
    dt_world *world = open_sim(24, 17); /* at (1, 1, 1) */
    dt_mesh *mesh = NULL;
    (void)unused;
    CHECK_OK(world, dt_mesh_create(world, "a=2,b=3,c=4", &mesh));
    group_is(mesh, (int[]){0}, 1, (int[]){5, 17}, 2);
    group_is(mesh, (int[]){1}, 1, (int[]){13, 17, 21}, 3);
    group_is(mesh, (int[]){2}, 1, (int[]){16, 17, 18, 19}, 4);
    group_is(mesh, (int[]){0, 1}, 2, (int[]){1, 5, 9, 13, 17, 21}, 6);
    group_is(mesh, (int[]){1, 0}, 2, (int[]){1, 13, 5, 17, 9, 21}, 6);
    group_is(mesh, NULL, 0, (int[]){17}, 1);
    dt_group *group = NULL;
    CHECK_OK(world, dt_mesh_group_of(mesh, (int[]){0, 1, 2}, 3, &group));
    CHECK(group == dt_world_group(world));
    dt_mesh_release(mesh);
    CHECK_INT(dt_world_close(world), DT_OK);
}

/* All ordered lists of up to three of five dimensions, twice: more than a mesh
 * remembers. */
static void gives_the_same_group_again(dt_world *unused)
{
    dt_world *world = open_sim(32, 13);
    dt_mesh *mesh = NULL;
    dt_group *known[125];
    (void)unused;
    CHECK_OK(world, dt_mesh_create(world, "a=2,b=2,c=2,d=2,e=2", &mesh));
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 125; i++) {
            int dims[3] = {i % 5, i / 5 % 5, i / 25};
            dt_group *group = NULL;
            if (dims[0] == dims[1] || dims[0] == dims[2] || dims[1] == dims[2])
                continue;
            CHECK_OK(world, dt_mesh_group_of(mesh, dims, 3, &group));
            CHECK_INT(dt_group_size(group), 8);
            if (round == 0)
                known[i] = group;
            CHECK(group == known[i]);
        }
    }
    dt_mesh_release(mesh);
    CHECK_INT(dt_world_close(world), DT_OK);
}

static void refuses_wrong_dimensions(dt_world *world)
{
    dt_mesh *mesh = NULL;
    dt_group *group = NULL;
    CHECK_OK(world, dt_mesh_create(world, "a,b=1", &mesh));
    CHECK_FAILS(world, dt_mesh_group(mesh, 2, &group), DT_ERR_INVALID,
                "dimension 2 is out of range for a mesh of 2 dimensions");
    CHECK_FAILS(world, dt_mesh_group(mesh, -1, &group), DT_ERR_INVALID,
                "dimension -1 is out of range for a mesh");
    CHECK_FAILS(world, dt_mesh_group_of(mesh, (int[]){0, 1, 0}, 3, &group),
                DT_ERR_INVALID,
                "dt_mesh_group_of: mesh dimension 0 is listed twice");
    CHECK_FAILS(world, dt_mesh_group_of(mesh, NULL, -1, &group), DT_ERR_INVALID,
                "dt_mesh_group_of: count is -1, which is out of range");
    CHECK(group == NULL);
    dt_mesh_release(mesh);
}

static void refuses_strangers(dt_world *unused)
{
    static const int ranks[] = {5, 1, 2, 6};
    dt_world *world = open_sim(8, 3);
    dt_mesh *mesh = NULL;
    dt_group *group = NULL;
    (void)unused;
    CHECK_OK(world, dt_mesh_create_from(world, "a=2,b=2", ranks, 4, &mesh));
    CHECK_FAILS(world, dt_mesh_group(mesh, 0, &group), DT_ERR_INVALID,
                "rank 3 is not in mesh(a=2, b=2: [[5, 1], [2, 6]]) and has no "
                "group there");
    CHECK_FAILS(world, dt_mesh_group_of(mesh, NULL, 0, &group), DT_ERR_INVALID,
                "has no group there");
    CHECK(group == NULL);
    dt_mesh_release(mesh);
    CHECK_INT(dt_world_close(world), DT_OK);
}

/* Sim records every call between ranks: there is none. */
static void sends_nothing(dt_world *unused)
{
    dt_world *world = open_sim(24, 17);
    dt_mesh *meshes[3] = {NULL, NULL, NULL};
    size_t calls = 1;
    (void)unused;
    CHECK_OK(world, dt_mesh_create(world, "a=2,b=3,c=4", &meshes[0]));
    CHECK_OK(world, dt_mesh_sub(meshes[0], "c,a", &meshes[1]));
    CHECK_OK(world, dt_mesh_flatten(meshes[0], "b,c", NULL, &meshes[2]));
    for (int i = 0; i < 3; i++) {
        dt_group *group = NULL;
        CHECK_OK(world, dt_mesh_group(meshes[i], 1, &group));
        dt_mesh_release(meshes[i]);
    }
    dt_trace_events(world, &calls);
    CHECK_INT((long long)calls, 0);
    CHECK_INT(dt_world_close(world), DT_OK);
}

static void makes_groups_on_demand(dt_world *unused)
{
    dt_world *world = open_sim(100000, 54321);
    int64_t before = dti_live_count(DTI_LIVE_GROUP);
    dt_mesh *mesh = NULL;
    dt_mesh *part = NULL;
    dt_group *group = NULL;
    (void)unused;
    CHECK_OK(world, dt_mesh_create(world, "dp,tp=8", &mesh));
    CHECK_OK(world, dt_mesh_sub(mesh, "tp", &part));
    CHECK_INT(dti_live_count(DTI_LIVE_GROUP) - before, 0);
    CHECK_OK(world, dt_mesh_group(mesh, 0, &group));
    CHECK_INT(dt_group_size(group), 12500);
    CHECK_INT(dt_group_rank(group), dt_mesh_coordinate(mesh, 0));
    CHECK_OK(world, dt_mesh_group(part, 0, &group));
    CHECK_INT(dt_group_rank(group), dt_mesh_coordinate(mesh, 1));
    if (before >= 0)
        CHECK_INT(dti_live_count(DTI_LIVE_GROUP) - before, 2);
    dt_mesh_release(part);
    dt_mesh_release(mesh);
    CHECK_INT(dt_world_close(world), DT_OK);
}

const dt_test dt_tests[] = {
    {"lists ranks in order", lists_ranks_in_order},
    {"gives the same group again", gives_the_same_group_again},
    {"refuses wrong dimensions", refuses_wrong_dimensions},
    {"refuses strangers", refuses_strangers},
    {"sends nothing", sends_nothing},
    {"makes groups on demand", makes_groups_on_demand},
    {NULL, NULL},
};
