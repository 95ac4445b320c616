/* tests/unit/mesh/sub.c - parts of meshes, and dimensions joined. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "unit/mesh/sim.h"

/* Check what a part, or a mesh with joined dimensions, prints as. */
static void is_printed(dt_mesh *mesh, const char *expected)
{
    char text[256];
    dt_mesh_format(mesh, text, sizeof text);
    CHECK_TEXT(text, expected);
    dt_mesh_release(mesh);
}

static void sub_is(dt_mesh *mesh, const char *names, const char *expected)
{
    dt_mesh *part = NULL;
    if (CHECK_OK(dt_mesh_world(mesh), dt_mesh_sub(mesh, names, &part)))
        is_printed(part, expected);
}

static void flat_is(dt_mesh *mesh, const char *names, const char *name,
                    const char *expected)
{
    dt_mesh *flat = NULL;
    if (CHECK_OK(dt_mesh_world(mesh),
                 dt_mesh_flatten(mesh, names, name, &flat)))
        is_printed(flat, expected);
}

/* A mesh of 2 x 3 x 4 ranks in a world of 24, as rank 17 sees it. */
static dt_world *open_cube(dt_mesh **mesh)
{
    dt_world *world = open_sim(24, 17); /* 17 is at (1, 1, 1) */
    CHECK_OK(world, dt_mesh_create(world, "a=2,b=3,c=4", mesh));
    return world;
}

static void takes_parts(dt_world *unused)
{
    dt_mesh *mesh = NULL;
    dt_world *world = open_cube(&mesh);
    (void)unused;
    sub_is(mesh, "a", "mesh(a=2: [5, 17])");
    sub_is(mesh, "b", "mesh(b=3: [13, 17, 21])");
    sub_is(mesh, "c", "mesh(c=4: [16, 17, 18, 19])");
    sub_is(mesh, "a,b", "mesh(a=2, b=3: [[1, 5, 9], [13, 17, 21]])");
    sub_is(mesh, " b , a ", "mesh(b=3, a=2: [[1, 13], [5, 17], [9, 21]])");
    sub_is(mesh, "c,a", "mesh(c=4, a=2: [[4, 16], [5, 17], [6, 18], [7, 19]])");
    dt_mesh_release(mesh);
    CHECK_INT(dt_world_close(world), DT_OK);
}

static void takes_parts_for_strangers(dt_world *unused)
{
    static const int ranks[] = {5, 1, 2, 6};
    dt_mesh *mesh = NULL;
    dt_mesh *part = NULL;
    dt_world *world = open_sim(8, 0);
    (void)unused;
    CHECK_OK(world, dt_mesh_create_from(world, "a=2,b=2", ranks, 4, &mesh));
    sub_is(mesh, "a", "mesh(a=2: [5, 2])");
    sub_is(mesh, "b", "mesh(b=2: [5, 1])");
    CHECK_OK(world, dt_mesh_sub(mesh, "b,a", &part));
    CHECK(!dt_mesh_is_member(part));
    is_printed(part, "mesh(b=2, a=2: [[5, 2], [1, 6]])");
    dt_mesh_release(mesh);
    CHECK_INT(dt_world_close(world), DT_OK);
}

static void takes_parts_of_parts(dt_world *unused)
{
    dt_mesh *mesh = NULL;
    dt_mesh *part = NULL;
    dt_world *world = open_cube(&mesh);
    (void)unused;
    CHECK_OK(world, dt_mesh_sub(mesh, "c,a", &part));
    dt_mesh_release(mesh);
    CHECK_INT(dt_mesh_coordinate(part, 0), 1);
    CHECK_INT(dt_mesh_coordinate(part, 1), 1);
    sub_is(part, "a", "mesh(a=2: [5, 17])");
    sub_is(part, "c", "mesh(c=4: [16, 17, 18, 19])");
    dt_mesh_release(part);
    CHECK_INT(dt_world_close(world), DT_OK);
}

/* The part along b and a of every rank, against a walk through all ranks. */
static void agrees_with_a_walk(dt_world *unused)
{
    (void)unused;
    for (int rank = 0; rank < 24; rank++) {
        dt_world *world = open_sim(24, rank);
        dt_mesh *mesh = NULL;
        dt_mesh *part = NULL;
        int found = 0;
        CHECK_OK(world, dt_mesh_create(world, "a=2,b=3,c=4", &mesh));
        CHECK_OK(world, dt_mesh_sub(mesh, "b,a", &part));
        for (int b = 0; b < 3; b++)
            for (int a = 0; a < 2; a++)
                CHECK_INT(dt_mesh_ranks(part)[found++],
                          a * 12 + b * 4 + rank % 4);
        CHECK_INT(dt_mesh_coordinate(part, 0), rank / 4 % 3);
        CHECK_INT(dt_mesh_coordinate(part, 1), rank / 12);
        dt_mesh_release(part);
        dt_mesh_release(mesh);
        CHECK_INT(dt_world_close(world), DT_OK);
    }
}

static void refuses_wrong_parts(dt_world *unused)
{
    dt_mesh *mesh = NULL;
    dt_mesh *part = NULL;
    dt_world *world = open_cube(&mesh);
    (void)unused;
    CHECK_FAILS(world, dt_mesh_sub(mesh, "d", &part), DT_ERR_NOT_FOUND,
                "there is no mesh dimension \"d\"; the dimensions are a, b, c");
    CHECK_FAILS(world, dt_mesh_sub(mesh, "a,tp", &part), DT_ERR_NOT_FOUND,
                "no mesh dimension \"tp\"");
    CHECK_FAILS(world, dt_mesh_sub(mesh, "a,b,a", &part), DT_ERR_INVALID,
                "\"a,b,a\": duplicate dimension \"a\"");
    CHECK_FAILS(world, dt_mesh_sub(mesh, "", &part), DT_ERR_INVALID,
                "\"\": expected the name of a dimension at the end");
    CHECK_FAILS(world, dt_mesh_sub(mesh, "a=2", &part), DT_ERR_INVALID,
                "\"a\" has a size; expected only a name");
    CHECK_FAILS(world, dt_mesh_sub(mesh, "a;b", &part), DT_ERR_INVALID,
                "expected a comma before \";b\"");
    CHECK(part == NULL);
    dt_mesh_release(mesh);
    CHECK_INT(dt_world_close(world), DT_OK);
}

static void joins_dimensions(dt_world *unused)
{
    static const int ranks[] = {3, 0, 1, 2, 5, 4, 7, 6};
    dt_mesh *mesh = NULL;
    dt_world *world = open_sim(8, 5);
    (void)unused;
    CHECK_OK(world, dt_mesh_create_from(world, "a=2,b=2,c=2", ranks, 8, &mesh));
    flat_is(mesh, "a,b", NULL,
            "mesh(a_b=4, c=2: [[3, 0], [1, 2], [5, 4], [7, 6]])");
    flat_is(mesh, "b,c", "x", "mesh(a=2, x=4: [[3, 0, 1, 2], [5, 4, 7, 6]])");
    flat_is(mesh, "a,b,c", NULL, "mesh(a_b_c=8: [3, 0, 1, 2, 5, 4, 7, 6])");
    flat_is(mesh, "a,b", "a", /* a name that becomes free */
            "mesh(a=4, c=2: [[3, 0], [1, 2], [5, 4], [7, 6]])");
    flat_is(mesh, "b", "m",
            "mesh(a=2, m=2, c=2: [[[3, 0], [1, 2]], [[5, 4], [7, 6]]])");
    dt_mesh *flat = NULL;
    CHECK_OK(world, dt_mesh_flatten(mesh, "a,b", NULL, &flat));
    CHECK(dt_mesh_ranks(flat) == dt_mesh_ranks(mesh));
    CHECK_INT(dt_mesh_coordinate(flat, 0), 2);
    CHECK_INT(dt_mesh_coordinate(flat, 1), 0);
    dt_mesh_release(flat);
    dt_mesh_release(mesh);
    CHECK_INT(dt_world_close(world), DT_OK);
}

static void refuses_wrong_joins(dt_world *unused)
{
    dt_mesh *mesh = NULL;
    dt_mesh *flat = NULL;
    dt_world *world = open_cube(&mesh);
    (void)unused;
    CHECK_FAILS(world, dt_mesh_flatten(mesh, "a,c", NULL, &flat),
                DT_ERR_INVALID,
                "\"a,c\": \"c\" does not follow \"a\" in the mesh");
    CHECK_FAILS(world, dt_mesh_flatten(mesh, "b,a", NULL, &flat),
                DT_ERR_INVALID, "\"a\" does not follow \"b\" in the mesh");
    CHECK_FAILS(world, dt_mesh_flatten(mesh, "a,d", NULL, &flat),
                DT_ERR_NOT_FOUND,
                "no mesh dimension \"d\"; the dimensions are a, b, c");
    CHECK_FAILS(world, dt_mesh_flatten(mesh, "a,b", "c", &flat), DT_ERR_INVALID,
                "already has another dimension named \"c\"");
    CHECK_FAILS(world, dt_mesh_flatten(mesh, "a,b", "x,y", &flat),
                DT_ERR_INVALID, "\"x,y\" has 2 names; expected one");
    CHECK_FAILS(world, dt_mesh_flatten(mesh, "a,b", "", &flat), DT_ERR_INVALID,
                "\"\": expected the name of a dimension at the end");
    CHECK_FAILS(world, dt_mesh_flatten(mesh, "a,b", "2", &flat), DT_ERR_INVALID,
                "a mesh is written like");
    CHECK_FAILS(world, dt_mesh_flatten(mesh, "a,b", "x=6", &flat),
                DT_ERR_INVALID, "\"x\" has a size");
    CHECK(flat == NULL);
    dt_mesh_release(mesh);
    CHECK_INT(dt_world_close(world), DT_OK);
}

static void refuses_long_joined_names(dt_world *world)
{
    dt_mesh *mesh = NULL;
    dt_mesh *flat = NULL;
    CHECK_OK(world, dt_mesh_create(world, "a234567890123456=1,b23456789012345",
                                   &mesh));
    CHECK_FAILS(
        world,
        dt_mesh_flatten(mesh, "a234567890123456,b23456789012345", NULL, &flat),
        DT_ERR_INVALID, "is longer than 31 characters; pass a name");
    dt_mesh_release(mesh);
}

static void takes_parts_of_many_ranks(dt_world *unused)
{
    dt_world *world = open_sim(100000, 99999);
    dt_mesh *mesh = NULL;
    (void)unused;
    CHECK_OK(world, dt_mesh_create(world, "dp=125,pp=100,tp=8", &mesh));
    sub_is(mesh, "tp",
           "mesh(tp=8: [99992, 99993, 99994, 99995, 99996, 99997, 99998, "
           "99999])");
    sub_is(mesh, "dp",
           "mesh(dp=125: [799, 1599, 2399, ..., 98399, 99199, 99999])");
    flat_is(mesh, "dp,pp,tp", "all",
            "mesh(all=100000: [0, 1, 2, ..., 99997, 99998, 99999])");
    dt_mesh_release(mesh);
    CHECK_INT(dt_world_close(world), DT_OK);
}

const dt_test dt_tests[] = {
    {"takes parts", takes_parts},
    {"takes parts for strangers", takes_parts_for_strangers},
    {"takes parts of parts", takes_parts_of_parts},
    {"agrees with a walk", agrees_with_a_walk},
    {"refuses wrong parts", refuses_wrong_parts},
    {"joins dimensions", joins_dimensions},
    {"refuses wrong joins", refuses_wrong_joins},
    {"refuses long joined names", refuses_long_joined_names},
    {"takes parts of many ranks", takes_parts_of_many_ranks},
    {NULL, NULL},
};
