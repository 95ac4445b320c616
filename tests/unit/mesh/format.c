/* tests/unit/mesh/format.c - what printed meshes look like. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "unit/mesh/sim.h"

static void prints(int ranks, const char *text, const char *expected)
{
    char printed[2048];
    dt_world *world = open_sim(ranks, 0);
    dt_mesh *mesh = NULL;
    if (CHECK_OK(world, dt_mesh_create(world, text, &mesh))) {
        size_t length = dt_mesh_format(mesh, printed, sizeof printed);
        CHECK_TEXT(printed, expected);
        CHECK_INT((long long)length, (long long)strlen(expected));
    }
    dt_mesh_release(mesh);
    CHECK_INT(dt_world_close(world), DT_OK);
}

static void prints_small_meshes(dt_world *world)
{
    (void)world;
    prints(1, "x", "mesh(x=1: [0])");
    prints(4, "dp=2,tp=2", "mesh(dp=2, tp=2: [[0, 1], [2, 3]])");
    prints(2, "a,b=1,c=1", "mesh(a=2, b=1, c=1: [[[0]], [[1]]])");
    prints(64, "a=64",
           "mesh(a=64: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, "
           "16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, "
           "32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, "
           "48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63])");
}

static void summarises_large_meshes(dt_world *world)
{
    (void)world;
    prints(65, "a", "mesh(a=65: [0, 1, 2, ..., 62, 63, 64])");
    prints(100000, "dp,tp=8",
           "mesh(dp=12500, tp=8: [[0, 1, 2, ..., 5, 6, 7], [8, 9, 10, ..., "
           "13, 14, 15], [16, 17, 18, ..., 21, 22, 23], ..., [99976, 99977, "
           "99978, ..., 99981, 99982, 99983], [99984, 99985, 99986, ..., "
           "99989, 99990, 99991], [99992, 99993, 99994, ..., 99997, 99998, "
           "99999]])");
    prints(1000, "a=10,b=10,c=10",
           "mesh(a=10, b=10, c=10: "
           "[[[0, 1, ..., 8, 9], [10, 11, ..., 18, 19], ..., "
           "[80, 81, ..., 88, 89], [90, 91, ..., 98, 99]], "
           "[[100, 101, ..., 108, 109], [110, 111, ..., 118, 119], ..., "
           "[180, 181, ..., 188, 189], [190, 191, ..., 198, 199]], ..., "
           "[[800, 801, ..., 808, 809], [810, 811, ..., 818, 819], ..., "
           "[880, 881, ..., 888, 889], [890, 891, ..., 898, 899]], "
           "[[900, 901, ..., 908, 909], [910, 911, ..., 918, 919], ..., "
           "[980, 981, ..., 988, 989], [990, 991, ..., 998, 999]]])");
    prints(625, "a=5,b=5,c=5,d=5",
           "mesh(a=5, b=5, c=5, d=5: "
           "[[[[0, ..., 4], ..., [20, ..., 24]], ..., "
           "[[100, ..., 104], ..., [120, ..., 124]]], ..., "
           "[[[500, ..., 504], ..., [520, ..., 524]], ..., "
           "[[600, ..., 604], ..., [620, ..., 624]]]])");
    prints(70, "a=5,b=14", /* what fits is not cut */
           "mesh(a=5, b=14: [[0, 1, 2, ..., 11, 12, 13], [14, 15, 16, ..., "
           "25, 26, 27], [28, 29, 30, ..., 39, 40, 41], [42, 43, 44, ..., 53, "
           "54, 55], [56, 57, 58, ..., 67, 68, 69]])");
}

static void prints_lists_of_ranks(dt_world *unused)
{
    static const int ranks[] = {7, 0, 3, 5};
    char printed[64];
    dt_world *world = open_sim(8, 1);
    dt_mesh *mesh = NULL;
    (void)unused;
    CHECK_OK(world, dt_mesh_create_from(world, "a,b=2", ranks, 4, &mesh));
    dt_mesh_format(mesh, printed, sizeof printed);
    CHECK_TEXT(printed, "mesh(a=2, b=2: [[7, 0], [3, 5]])");
    dt_mesh_release(mesh);
    CHECK_INT(dt_world_close(world), DT_OK);
}

static void cuts_text(dt_world *world)
{
    static const char whole[] = "mesh(x=1: [0])";
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    CHECK_INT((long long)dt_mesh_format(mesh, NULL, 0), sizeof whole - 1);
    for (size_t size = 1; size <= sizeof whole + 1; size++) {
        char printed[32];
        memset(printed, '#', sizeof printed);
        CHECK_INT((long long)dt_mesh_format(mesh, printed, size),
                  sizeof whole - 1);
        size_t kept = size < sizeof whole ? size - 1 : sizeof whole - 1;
        CHECK(memcmp(printed, whole, kept) == 0);
        CHECK(printed[kept] == '\0');
        CHECK(printed[size] == '#');
    }
    dt_mesh_release(mesh);
}

const dt_test dt_tests[] = {
    {"prints small meshes", prints_small_meshes},
    {"summarises large meshes", summarises_large_meshes},
    {"prints lists of ranks", prints_lists_of_ranks},
    {"cuts text", cuts_text},
    {NULL, NULL},
};
