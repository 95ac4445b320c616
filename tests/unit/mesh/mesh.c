/* tests/unit/mesh/mesh.c - who stands where in meshes of simulated ranks. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "unit/mesh/sim.h"

/* Step a coordinate through a grid as an odometer does. */
static void advance(const dt_mesh *mesh, int *coordinate)
{
    for (int i = dt_mesh_ndim(mesh) - 1; i >= 0; i--) {
        if (++coordinate[i] < dt_mesh_dim_size(mesh, i))
            return;
        coordinate[i] = 0;
    }
}

/* Walk through all places and compare with `ranks`, or 0, 1, 2, ... if NULL.
 * Gives how many answers were wrong. */
static int count_wrong(const dt_mesh *mesh, const int *ranks)
{
    int wrong = 0;
    int walked[DT_MAX_NDIM] = {0};
    size_t bytes = (size_t)dt_mesh_ndim(mesh) * sizeof(int);
    for (int i = 0; i < dt_mesh_size(mesh); i++) {
        int found[DT_MAX_NDIM] = {-1};
        int rank = ranks ? ranks[i] : i;
        wrong += dt_mesh_ranks(mesh)[i] != rank;
        wrong += dt_mesh_rank_at(mesh, walked) != rank;
        wrong += !dt_mesh_coordinate_of(mesh, rank, found);
        wrong += memcmp(found, walked, bytes) != 0;
        if (rank == dt_world_rank(dt_mesh_world(mesh))) {
            wrong += !dt_mesh_is_member(mesh);
            for (int d = 0; d < dt_mesh_ndim(mesh); d++)
                wrong += dt_mesh_coordinate(mesh, d) != walked[d];
        }
        advance(mesh, walked);
    }
    return wrong;
}

/* Count the ranks of the world that have a place. */
static int count_members(const dt_mesh *mesh, int world_size)
{
    int members = 0;
    int coordinate[DT_MAX_NDIM];
    for (int rank = 0; rank < world_size; rank++)
        members += dt_mesh_coordinate_of(mesh, rank, coordinate);
    return members;
}

static void has_one_rank(dt_world *world)
{
    dt_mesh *mesh = NULL;
    int coordinate = -1;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    CHECK(dt_mesh_world(mesh) == world);
    CHECK_INT(dt_mesh_ndim(mesh), 1);
    CHECK_INT(dt_mesh_size(mesh), 1);
    CHECK_INT(dt_mesh_dim_size(mesh, 0), 1);
    CHECK_TEXT(dt_mesh_dim_name(mesh, 0), "x");
    CHECK_TEXT(dt_mesh_device(mesh), "cpu");
    CHECK(dt_mesh_is_member(mesh));
    CHECK_INT(dt_mesh_coordinate(mesh, 0), 0);
    CHECK(dt_mesh_coordinate_of(mesh, 0, &coordinate));
    CHECK_INT(coordinate, 0);
    CHECK(!dt_mesh_coordinate_of(mesh, 1, &coordinate));
    dt_mesh_release(mesh);
}

static void answers_for_wrong_dimensions(dt_world *world)
{
    dt_mesh *mesh = NULL;
    const int outside[][2] = {{-1, 0}, {0, -1}, {1, 0}, {0, 1}, {INT_MAX, 0}};
    CHECK_OK(world, dt_mesh_create(world, "x,y=1", &mesh));
    for (int i = 0; i < 2; i++) {
        int dim = i ? 2 : -1;
        CHECK_INT(dt_mesh_dim_size(mesh, dim), 0);
        CHECK(dt_mesh_dim_name(mesh, dim) == NULL);
        CHECK_INT(dt_mesh_coordinate(mesh, dim), -1);
    }
    CHECK_INT(dt_mesh_find_dim(mesh, "x"), 0);
    CHECK_INT(dt_mesh_find_dim(mesh, "y"), 1);
    CHECK_INT(dt_mesh_find_dim(mesh, ""), -1);
    CHECK_INT(dt_mesh_find_dim(mesh, "xy"), -1);
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++)
        CHECK_INT(dt_mesh_rank_at(mesh, outside[i]), -1);
    dt_mesh_release(mesh);
}

static void finds_every_coordinate(dt_world *unused)
{
    static const char *const texts[] = {"x", "a=2,b", "a,b=1", "a=3,b,c=4",
                                        "a=2,b=2,c=3,d"};
    (void)unused;
    for (int rank = 0; rank < 24; rank += 11) {
        dt_world *world = open_sim(24, rank);
        for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
            dt_mesh *mesh = NULL;
            CHECK_OK(world, dt_mesh_create(world, texts[i], &mesh));
            CHECK_INT(count_wrong(mesh, NULL), 0);
            CHECK_INT(count_members(mesh, 24), 24);
            dt_mesh_release(mesh);
        }
        CHECK_INT(dt_world_close(world), DT_OK);
    }
}

/* Shuffle ranks of a world and keep some. */
static void shuffle(int *ranks, int count, unsigned long long *state)
{
    for (int i = 0; i < count; i++)
        ranks[i] = i;
    for (int i = count - 1; i > 0; i--) {
        int other = (int)(dt_test_random(state) % (unsigned)(i + 1));
        int rank = ranks[i];
        ranks[i] = ranks[other];
        ranks[other] = rank;
    }
}

static void finds_coordinates_in_lists(dt_world *unused)
{
    enum { WORLD = 50 };
    unsigned long long state = dt_test_seed();
    (void)unused;
    for (int count = 2; count <= WORLD; count += 6) {
        int ranks[WORLD];
        dt_world *world = open_sim(WORLD, count / 2);
        dt_mesh *mesh = NULL;
        shuffle(ranks, WORLD, &state);
        CHECK_OK(world,
                 dt_mesh_create_from(world, "a,b=2", ranks, count, &mesh));
        CHECK_INT(count_wrong(mesh, ranks), 0);
        CHECK_INT(count_members(mesh, WORLD), count);
        dt_mesh_release(mesh);
        CHECK_INT(dt_world_close(world), DT_OK);
    }
}

static void finds_coordinates_in_even_lists(dt_world *unused)
{
    static const int lists[][4] = {
        {0, 1, 2, 3}, {3, 2, 1, 0}, {1, 3, 5, 7}, {9, 6, 3, 0}, {4, 5, 6, 7}};
    (void)unused;
    dt_world *world = open_sim(10, 3);
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        int coordinate[2];
        dt_mesh *mesh = NULL;
        CHECK_OK(world,
                 dt_mesh_create_from(world, "a,b=2", lists[i], 4, &mesh));
        CHECK_INT(count_wrong(mesh, lists[i]), 0);
        CHECK_INT(count_members(mesh, 10), 4);
        CHECK(!dt_mesh_coordinate_of(mesh, INT_MIN, coordinate));
        CHECK(!dt_mesh_coordinate_of(mesh, INT_MAX, coordinate));
        dt_mesh_release(mesh);
    }
    CHECK_INT(dt_world_close(world), DT_OK);
}

static void refuses_wrong_lists(dt_world *unused)
{
    dt_world *world = open_sim(4, 0);
    dt_mesh *mesh = NULL;
    (void)unused;
    CHECK_FAILS(world, dt_mesh_create_from(world, "a", (int[]){0, 4}, 2, &mesh),
                DT_ERR_INVALID,
                "rank 4 at position 1 of a mesh is out of range for a world of "
                "4 ranks");
    CHECK_FAILS(world, dt_mesh_create_from(world, "a", (int[]){-1}, 1, &mesh),
                DT_ERR_INVALID, "rank -1 at position 0");
    CHECK_FAILS(world, dt_mesh_create_from(world, "a", (int[]){1, 1}, 2, &mesh),
                DT_ERR_INVALID,
                "rank 1 is listed twice in a mesh, at positions 0 and 1");
    CHECK_FAILS(
        world, dt_mesh_create_from(world, "a", (int[]){2, 0, 3, 0}, 4, &mesh),
        DT_ERR_INVALID, "rank 0 is listed twice in a mesh, at positions 1");
    CHECK_FAILS(world, dt_mesh_create_from(world, "a", NULL, 0, &mesh),
                DT_ERR_INVALID,
                "dt_mesh_create_from: count is 0; must be at least 1");
    CHECK_FAILS(world, dt_mesh_create_from(world, "a,b=2", NULL, -4, &mesh),
                DT_ERR_INVALID,
                "dt_mesh_create_from: count is -4; must be at least 1");
    CHECK_FAILS(world,
                dt_mesh_create_from(world, "a=4", (int[]){0, 1}, 2, &mesh),
                DT_ERR_INVALID, "\"a=4\" needs 4 ranks but has 2 ranks");
    CHECK(mesh == NULL);
    CHECK_INT(dt_world_close(world), DT_OK);
}

static void holds_strangers(dt_world *unused)
{
    static const int ranks[] = {5, 1, 2, 6};
    dt_world *world = open_sim(8, 0);
    dt_mesh *mesh = NULL;
    int coordinate[2] = {7, 7};
    (void)unused;
    CHECK_OK(world, dt_mesh_create_from(world, "a=2,b=2", ranks, 4, &mesh));
    CHECK(!dt_mesh_is_member(mesh));
    CHECK_INT(dt_mesh_coordinate(mesh, 0), -1);
    CHECK_INT(dt_mesh_coordinate(mesh, 1), -1);
    CHECK(!dt_mesh_coordinate_of(mesh, 0, coordinate));
    CHECK_INT(coordinate[0], 7);
    CHECK(dt_mesh_coordinate_of(mesh, 2, coordinate));
    CHECK_INT(coordinate[0] * 10 + coordinate[1], 10);
    dt_mesh_release(mesh);
    CHECK_INT(dt_world_close(world), DT_OK);
}

static dt_mesh *mesh_of(dt_world *world, const char *text, const int *ranks,
                        int count)
{
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create_from(world, text, ranks, count, &mesh));
    return mesh;
}

static void compares(dt_world *unused)
{
    static const int in_order[] = {0, 1, 2, 3};
    static const int mixed[] = {0, 1, 3, 2};
    dt_world *world = open_sim(4, 1);
    dt_world *other = open_sim(4, 1);
    (void)unused;
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "a=2,b", &mesh));
    dt_mesh *same[] = {mesh_of(world, "a=2,b=2", in_order, 4),
                       mesh_of(world, " a , b=2", in_order, 4)};
    dt_mesh *different[] = {mesh_of(world, "a=2,c=2", in_order, 4),
                            mesh_of(world, "b=2,a=2", in_order, 4),
                            mesh_of(world, "a=1,b=4", in_order, 4),
                            mesh_of(world, "a=4", in_order, 4),
                            mesh_of(world, "a=2,b=2", mixed, 4),
                            mesh_of(world, "a=2,b=1", in_order, 2),
                            mesh_of(other, "a=2,b=2", in_order, 4)};
    CHECK(dt_mesh_equal(mesh, mesh));
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        CHECK(dt_mesh_equal(mesh, same[i]) && dt_mesh_equal(same[i], mesh));
        dt_mesh_release(same[i]);
    }
    for (size_t i = 0; i < sizeof different / sizeof different[0]; i++) {
        CHECKF(!dt_mesh_equal(mesh, different[i]), "mesh %zu is equal", i);
        dt_mesh_release(different[i]);
    }
    dt_mesh *twins[] = {mesh_of(world, "a", mixed, 4),
                        mesh_of(world, "a", mixed, 4)};
    CHECK(dt_mesh_equal(twins[0], twins[1]));
    dt_mesh_release(twins[0]);
    dt_mesh_release(twins[1]);
    dt_mesh_release(mesh);
    CHECK_INT(dt_world_close(other), DT_OK);
    CHECK_INT(dt_world_close(world), DT_OK);
}

static void holds_many_ranks(dt_world *unused)
{
    static const int views[] = {0, 1, 31415, 99999};
    (void)unused;
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++) {
        dt_world *world = open_sim(100000, views[i]);
        dt_mesh *mesh = NULL;
        dt_mesh *again = NULL;
        CHECK_OK(world, dt_mesh_create(world, "dp,pp=5,tp=8", &mesh));
        CHECK_INT(dt_mesh_size(mesh), 100000);
        CHECK_INT(dt_mesh_dim_size(mesh, 0), 2500);
        CHECK_INT(count_wrong(mesh, NULL), 0);
        CHECK_OK(world, dt_mesh_create(world, "x", &again));
        CHECK(dt_mesh_ranks(mesh) == dt_mesh_ranks(again));
        dt_mesh_release(again);
        dt_mesh_release(mesh);
        CHECK_INT(dt_world_close(world), DT_OK);
    }
}

static void holds_many_ranks_in_any_order(dt_world *unused)
{
    enum { WORLD = 100000, USED = 99000 };
    unsigned long long state = dt_test_seed();
    dt_world *world = open_sim(WORLD, 4711);
    dt_mesh *mesh = NULL;
    int *ranks = malloc(WORLD * sizeof *ranks);
    (void)unused;
    if (CHECK(ranks != NULL)) {
        shuffle(ranks, WORLD, &state);
        CHECK_OK(world,
                 dt_mesh_create_from(world, "a,b=11", ranks, USED, &mesh));
        CHECK_INT(count_wrong(mesh, ranks), 0);
        CHECK_INT(count_members(mesh, WORLD), USED);
    }
    free(ranks);
    dt_mesh_release(mesh);
    CHECK_INT(dt_world_close(world), DT_OK);
}

const dt_test dt_tests[] = {
    {"has one rank", has_one_rank},
    {"answers for wrong dimensions", answers_for_wrong_dimensions},
    {"finds every coordinate", finds_every_coordinate},
    {"finds coordinates in lists", finds_coordinates_in_lists},
    {"finds coordinates in even lists", finds_coordinates_in_even_lists},
    {"refuses wrong lists", refuses_wrong_lists},
    {"holds strangers", holds_strangers},
    {"compares", compares},
    {"holds many ranks", holds_many_ranks},
    {"holds many ranks in any order", holds_many_ranks_in_any_order},
    {NULL, NULL},
};
