/* tests/unit/layout/owners.c - who has what of large tensors and meshes. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "unit/layout/specs.h"

static void lists_owners_in_mesh_order(dt_world *unused)
{
    static const int ranks[] = {7, 1, 4, 2, 5, 0};
    dt_world *world = open_sim(8, 4);
    dt_mesh *mesh = NULL;
    dt_spec *spec;
    int owners[6] = {-1, -1, -1, -1, -1, -1};
    (void)unused;
    CHECK_OK(world, dt_mesh_create_from(world, "x=3,y=2", ranks, 6, &mesh));
    spec = spec_of(mesh, "RS(0)", DT_SHAPE(4));
    CHECK_INT(dt_spec_owners(spec, (int64_t[]){2}, owners, 6), 3);
    CHECK(owners[0] == 1 && owners[1] == 2 && owners[2] == 0);
    CHECK_INT(owners[3], -1);
    dt_spec_release(spec);
    /* Partial values are had by all. */
    spec = spec_of(mesh, "S(0)P", DT_SHAPE(4));
    CHECK_INT(dt_spec_owners(spec, (int64_t[]){3}, owners, 6), 2);
    CHECK(owners[0] == 4 && owners[1] == 2);
    dt_spec_release(spec);
    spec = spec_of(mesh, "RP", DT_SHAPE());
    CHECK_INT(dt_spec_owners(spec, NULL, owners, 6), 6);
    for (int i = 0; i < 6; i++)
        CHECK_INT(owners[i], ranks[i]);
    /* In less room, as many as there is room for. */
    owners[1] = -1;
    CHECK_INT(dt_spec_owners(spec, NULL, owners, 1), 6);
    CHECK(owners[0] == 7 && owners[1] == -1);
    CHECK_INT(dt_spec_owners(spec, NULL, NULL, 0), 6);
    dt_spec_release(spec);
    dt_mesh_release(mesh);
    CHECK_INT(dt_world_close(world), DT_OK);
}

static void gives_no_runs_outside(dt_world *unused)
{
    grid on = open_grid(2, 0, "x");
    dt_spec *spec = spec_of(on.mesh, "S(0)", DT_SHAPE(5, 2));
    dt_run run = {-7, -7, -7};
    (void)unused;
    CHECK(!dt_spec_run(spec, 0, 0, -1, &run));
    CHECK(!dt_spec_run(spec, 0, 0, 3, &run));
    CHECK(!dt_spec_run(spec, 1, 0, INT64_MAX, &run));
    CHECK(!dt_spec_run(spec, 0, 2, 0, &run));
    CHECK(!dt_spec_run(spec, 0, -1, 0, &run));
    CHECK(!dt_spec_run(spec, 2, 0, 0, &run));
    CHECK(run.local == -7 && run.global == -7 && run.length == -7);
    CHECK(dt_spec_run(spec, 1, 0, 1, &run));
    CHECK(run.local == 1 && run.global == 4 && run.length == 1);
    dt_spec_release(spec);
    close_grid(&on);
}

/* Nothing overflows on the largest tensor, whatever cuts it: the parts of all
 * ranks are as many elements as there are, and ends are found. */
static void holds_the_largest_extent(dt_world *unused)
{
    static const char *const layouts[] = {
        "S(0)S(0)",
        "S(0)[1]S(0)[0]",
        "_S(0,2)S(0)",
        "_S(0,3)_S(0,5)",
        "_S(0,9223372036854775807)_S(0,9223372036854775807)",
        "_S(0,9223372036854775806)S(0)",
        "S(0)_S(0,4611686018427387904)"};
    grid on = open_grid(12, 7, "x=3,y=4");
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        dt_spec *spec = NULL;
        int64_t left = INT64_MAX, index = INT64_MAX - 1;
        int owner = -1;
        CHECK_OK(on.world, dt_spec_create(on.mesh, layouts[i], DT_U8,
                                          DT_SHAPE(INT64_MAX), &spec));
        for (int rank = 0; rank < 12; rank++)
            left -= dt_spec_local_shape(spec, rank).dims[0];
        CHECK_INT(left, 0);
        CHECK_INT(dt_spec_owners(spec, &index, &owner, 1), 1);
        int64_t size = dt_spec_local_shape(spec, owner).dims[0];
        dt_run run = {0, 0, 0};
        CHECK(dt_spec_run(spec, owner, 0, size - 1, &run));
        CHECK(run.global == index && run.length == 1);
        CHECK(dt_spec_is_shardable(spec, 0) || i >= 4);
        dt_spec_release(spec);
    }
    close_grid(&on);
}

/* A mesh of many ranks: every rank has what the ones before it leave. */
static void holds_many_ranks(dt_world *unused)
{
    enum { RANKS = 100000, OUTER = 2500, PARTS = 20000 };
    grid on = open_grid(RANKS, 31415, "dp=2500,pp=5,tp=8");
    const int64_t rows = 1000003;
    dt_spec *spec = spec_of(on.mesh, "S(0)RS(0)", DT_SHAPE(rows, 3));
    int64_t next = 0;
    int wrong = 0, owners[8];
    (void)unused;
    for (int part = 0; part < PARTS; part++) {
        int rank = part / 8 * 40 + part % 8;
        int64_t offset[2];
        int64_t size = dt_spec_local_shape(spec, rank).dims[0];
        wrong += !dt_spec_offset(spec, rank, offset);
        wrong += offset[0] != (size ? next : rows) || offset[1] != 0;
        next += size;
    }
    CHECK_INT(wrong, 0);
    CHECK_INT(next, rows);
    CHECK_INT(dt_spec_owners(spec, (int64_t[]){0, 2}, owners, 8), 5);
    for (int i = 0; i < 5; i++)
        CHECK_INT(owners[i], i * 8);
    CHECK_INT(dt_spec_shards(spec), PARTS);
    dt_spec_release(spec);
    close_grid(&on);
}

const dt_test dt_tests[] = {
    {"lists owners in mesh order", lists_owners_in_mesh_order},
    {"gives no runs outside", gives_no_runs_outside},
    {"holds the largest extent", holds_the_largest_extent},
    {"holds many ranks", holds_many_ranks},
    {NULL, NULL},
};
