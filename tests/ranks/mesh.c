/* ranks: 1 2 3 4 7 */
/* tests/ranks/mesh.c - groups of meshes reach the right ranks. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "support/check.h"

/* What a program without a mesh would send: 10 to the power of the rank, so
 * that a sum tells which ranks took part. */
static int64_t mark(int rank)
{
    int64_t value = 1;
    while (rank-- > 0)
        value *= 10;
    return value;
}

static dt_array *new_array(dt_world *world, int64_t count)
{
    dt_array *array = NULL;
    CHECK_OK(world, dt_array_create(world, DT_I64, DT_SHAPE(count), &array));
    return array;
}

/* Add up the marks of the members of a group. */
static int64_t sum_marks(dt_world *world, dt_group *group)
{
    dt_array *array = new_array(world, 1);
    *(int64_t *)dt_array_data(array) = mark(dt_world_rank(world));
    CHECK_OK(world, dt_group_all_reduce(group, DT_SUM, array, array));
    int64_t sum = *(const int64_t *)dt_array_const_data(array);
    dt_array_release(array);
    return sum;
}

/* The marks of the ranks of a mesh that agree with this one but along `dim`,
 * found by asking for the coordinate of every rank. */
static int64_t expected_marks(dt_mesh *mesh, int dim)
{
    int64_t sum = 0;
    int there[DT_MAX_NDIM];
    for (int rank = 0; rank < dt_world_size(dt_mesh_world(mesh)); rank++) {
        bool reached = dt_mesh_coordinate_of(mesh, rank, there);
        for (int i = 0; reached && i < dt_mesh_ndim(mesh); i++)
            reached = i == dim || there[i] == dt_mesh_coordinate(mesh, i);
        sum += reached ? mark(rank) : 0;
    }
    return sum;
}

/* Reduce along every dimension of a mesh that this rank is in. */
static void reduce_along_all(dt_world *world, dt_mesh *mesh)
{
    for (int dim = 0; dim < dt_mesh_ndim(mesh); dim++) {
        dt_group *group = NULL;
        if (!CHECK_OK(world, dt_mesh_group(mesh, dim, &group)))
            continue;
        CHECK_INT(dt_group_size(group), dt_mesh_dim_size(mesh, dim));
        CHECK_INT(dt_group_rank(group), dt_mesh_coordinate(mesh, dim));
        CHECK_INT(sum_marks(world, group), expected_marks(mesh, dim));
    }
}

/* Create a mesh where the number of ranks allows it; where it does not, every
 * rank is refused alike. */
static dt_mesh *create_if(dt_world *world, const char *text, bool possible)
{
    dt_mesh *mesh = NULL;
    if (possible)
        CHECK_OK(world, dt_mesh_create(world, text, &mesh));
    else
        CHECK_FAILS(world, dt_mesh_create(world, text, &mesh), DT_ERR_INVALID,
                    text);
    return mesh;
}

static void reduces_along_dimensions(dt_world *world)
{
    int size = dt_world_size(world);
    dt_mesh *meshes[] = {
        create_if(world, "x", true),
        create_if(world, "a=2,b", size % 2 == 0),
        create_if(world, "a,b=3", size % 3 == 0),
        create_if(world, "a=2,b=2", size == 4),
        create_if(world, "a=1,b,c=1", true),
        create_if(world, "a=7,b=1", size == 7),
    };
    for (size_t i = 0; i < sizeof meshes / sizeof meshes[0]; i++) {
        if (meshes[i])
            reduce_along_all(world, meshes[i]);
        dt_mesh_release(meshes[i]);
    }
}

static void reduces_in_two_by_three(dt_world *world)
{
    static const int ranks[] = {6, 0, 3, 2, 5, 1};
    dt_mesh *mesh = NULL;
    if (dt_world_size(world) < 7) {
        CHECK_FAILS(world,
                    dt_mesh_create_from(world, "a=2,b=3", ranks, 6, &mesh),
                    DT_ERR_INVALID, "rank 6 at position 0 of a mesh");
        return;
    }
    CHECK_OK(world, dt_mesh_create_from(world, "a=2,b=3", ranks, 6, &mesh));
    CHECK(dt_mesh_is_member(mesh) == (dt_world_rank(world) != 4));
    if (dt_mesh_is_member(mesh))
        reduce_along_all(world, mesh);
    dt_mesh_release(mesh);
}

static void reduces_in_parts(dt_world *world)
{
    bool even = dt_world_size(world) % 2 == 0;
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, even ? "a=2,b" : "a,b=1", &mesh));
    for (int dim = 0; dim < 2; dim++) {
        dt_mesh *part = NULL;
        dt_group *group = NULL;
        dt_group *same = NULL;
        CHECK_OK(world, dt_mesh_sub(mesh, dt_mesh_dim_name(mesh, dim), &part));
        CHECK_OK(world, dt_mesh_group(part, 0, &group));
        CHECK_INT(sum_marks(world, group), expected_marks(mesh, dim));
        CHECK_OK(world, dt_mesh_group(mesh, dim, &same));
        CHECK(group == same);
        dt_mesh_release(part);
    }
    dt_mesh_release(mesh);
}

/* Gather the ranks of a group in its order. */
static void gather_ranks(dt_world *world, dt_group *group, int64_t *out)
{
    dt_array *mine = new_array(world, 1);
    dt_array *all = new_array(world, dt_group_size(group));
    *(int64_t *)dt_array_data(mine) = dt_world_rank(world);
    CHECK_OK(world, dt_group_all_gather(group, mine, NULL, all));
    const int64_t *ranks = dt_array_const_data(all);
    for (int i = 0; i < dt_group_size(group); i++)
        out[i] = ranks[i];
    dt_array_release(all);
    dt_array_release(mine);
}

static void gathers_over_several_dimensions(dt_world *world)
{
    int size = dt_world_size(world);
    int rows = size % 2 ? 1 : 2;
    int columns = size / rows;
    int64_t ranks[8];
    dt_mesh *mesh = NULL;
    dt_group *group = NULL;
    CHECK_OK(world,
             dt_mesh_create(world, rows == 2 ? "a=2,b" : "a=1,b", &mesh));
    CHECK_OK(world, dt_mesh_group_of(mesh, (int[]){0, 1}, 2, &group));
    CHECK(group == dt_world_group(world));
    gather_ranks(world, group, ranks);
    for (int i = 0; i < size; i++)
        CHECK_INT(ranks[i], i);
    CHECK_OK(world, dt_mesh_group_of(mesh, (int[]){1, 0}, 2, &group));
    gather_ranks(world, group, ranks);
    for (int i = 0; i < size; i++)
        CHECK_INT(ranks[i], i % rows * columns + i / rows);
    CHECK_OK(world, dt_mesh_group_of(mesh, NULL, 0, &group));
    CHECK_INT(sum_marks(world, group), mark(dt_world_rank(world)));
    dt_mesh_release(mesh);
}

static void reduces_over_flat_dimensions(dt_world *world)
{
    bool even = dt_world_size(world) % 2 == 0;
    dt_mesh *mesh = NULL;
    dt_mesh *flat = NULL;
    dt_group *group = NULL;
    CHECK_OK(world,
             dt_mesh_create(world, even ? "a=2,b=1,c" : "a=1,b,c=1", &mesh));
    CHECK_OK(world, dt_mesh_flatten(mesh, "a,b", NULL, &flat));
    reduce_along_all(world, flat);
    dt_mesh_release(flat);
    CHECK_OK(world, dt_mesh_flatten(mesh, "a,b,c", "all", &flat));
    CHECK_OK(world, dt_mesh_group(flat, 0, &group));
    CHECK(group == dt_world_group(world));
    reduce_along_all(world, flat);
    dt_mesh_release(flat);
    dt_mesh_release(mesh);
}

/* All ranks but the last, in reverse order; the last holds the mesh too. */
static void leaves_ranks_out(dt_world *world)
{
    int ranks[8];
    int members = dt_world_size(world) - 1;
    dt_mesh *mesh = NULL;
    dt_mesh *part = NULL;
    dt_group *group = NULL;
    for (int i = 0; i < members; i++)
        ranks[i] = members - 1 - i;
    if (members == 0) {
        CHECK_FAILS(world, dt_mesh_create_from(world, "x", ranks, 0, &mesh),
                    DT_ERR_INVALID,
                    "dt_mesh_create_from: count is 0; must be at least 1");
        return;
    }
    CHECK_OK(world, dt_mesh_create_from(world, "y=1,x", ranks, members, &mesh));
    CHECK_OK(world, dt_mesh_sub(mesh, "x", &part));
    if (dt_world_rank(world) < members) {
        CHECK_INT(dt_mesh_coordinate(mesh, 1),
                  members - 1 - dt_world_rank(world));
        reduce_along_all(world, mesh);
        reduce_along_all(world, part);
    } else {
        CHECK(!dt_mesh_is_member(mesh) && !dt_mesh_is_member(part));
        CHECK_INT(dt_mesh_coordinate(mesh, 1), -1);
        CHECK_INT(dt_mesh_size(part), members);
        CHECK_FAILS(world, dt_mesh_group(mesh, 1, &group), DT_ERR_INVALID,
                    "has no group there");
    }
    dt_mesh_release(part);
    dt_mesh_release(mesh);
}

/* Meshes over the ranks without the first, without the last, and all. */
static void overlaps(dt_world *world)
{
    int ranks[8];
    int size = dt_world_size(world);
    int count = size > 1 ? size - 1 : 1;
    dt_mesh *meshes[3] = {NULL, NULL, NULL};
    for (int i = 0; i < size; i++)
        ranks[i] = i;
    CHECK_OK(world,
             dt_mesh_create_from(world, "low", ranks, count, &meshes[0]));
    CHECK_OK(world, dt_mesh_create_from(world, "high", ranks + size - count,
                                        count, &meshes[1]));
    CHECK_OK(world, dt_mesh_create(world, "all", &meshes[2]));
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 3; i++)
            if (dt_mesh_is_member(meshes[i]))
                reduce_along_all(world, meshes[i]);
    for (int i = 0; i < 3; i++)
        dt_mesh_release(meshes[i]);
}

static void gives_the_same_groups(dt_world *world)
{
    dt_mesh *mesh = NULL;
    dt_group *groups[3];
    for (int i = 0; i < 3; i++) {
        CHECK_OK(world, dt_mesh_create(world, "a=1,b", &mesh));
        CHECK_OK(world, dt_mesh_group(mesh, i % 2, &groups[i]));
        dt_mesh_release(mesh); /* local: the group stays */
        CHECK_INT(dt_group_size(groups[i]), i % 2 ? dt_world_size(world) : 1);
        sum_marks(world, groups[i]);
    }
    CHECK(groups[0] == groups[2]);
    CHECK(groups[1] == dt_world_group(world));
}

/* One rank lets go of its mesh at once; the others still use theirs. */
static void releases_locally(dt_world *world)
{
    dt_mesh *mesh = NULL;
    dt_group *group = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    CHECK_OK(world, dt_mesh_group(mesh, 0, &group));
    if (dt_world_rank(world) == 0) {
        dt_mesh_release(mesh);
        mesh = NULL;
    }
    CHECK_INT(sum_marks(world, group), mark(dt_world_size(world)) / 9);
    dt_mesh_release(mesh);
}

/* Each rank has current meshes of its own. */
static void pushes_and_pops(dt_world *world)
{
    dt_mesh *mesh = NULL;
    CHECK(dt_current_mesh(world) == NULL);
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    CHECK_OK(world, dt_mesh_push(mesh));
    dt_mesh_release(mesh);
    if (dt_world_rank(world) % 2)
        CHECK_OK(world, dt_mesh_push(dt_world_own_mesh(world)));
    reduce_along_all(world, mesh);
    CHECK_INT(dt_mesh_size(dt_current_mesh(world)),
              dt_world_rank(world) % 2 ? 1 : dt_world_size(world));
    if (dt_world_rank(world) % 2)
        CHECK_OK(world, dt_mesh_pop(world));
    CHECK(dt_current_mesh(world) == mesh);
    CHECK_OK(world, dt_mesh_pop(world));
    CHECK_FAILS(world, dt_mesh_pop(world), DT_ERR_INVALID, "dt_mesh_pop");
    CHECK_OK(world, dt_mesh_push(dt_world_own_mesh(world))); /* left there */
}

static void has_its_own_mesh(dt_world *world)
{
    dt_mesh *own = dt_world_own_mesh(world);
    CHECK_INT(dt_mesh_ranks(own)[0], dt_world_rank(world));
    CHECK_TEXT(dt_mesh_dim_name(own, 0), "self");
    reduce_along_all(world, own);
}

const dt_test dt_tests[] = {
    {"reduces along dimensions", reduces_along_dimensions},
    {"reduces in two by three", reduces_in_two_by_three},
    {"reduces in parts", reduces_in_parts},
    {"gathers over several dimensions", gathers_over_several_dimensions},
    {"reduces over flat dimensions", reduces_over_flat_dimensions},
    {"leaves ranks out", leaves_ranks_out},
    {"overlaps", overlaps},
    {"gives the same groups", gives_the_same_groups},
    {"releases locally", releases_locally},
    {"pushes and pops", pushes_and_pops},
    {"has its own mesh", has_its_own_mesh},
    {NULL, NULL},
};
