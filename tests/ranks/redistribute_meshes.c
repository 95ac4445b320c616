/* ranks: 1 2 3 4 6 7 8 */
/* tests/ranks/redistribute_meshes.c - from one mesh to another. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ranks/redistribute_check.h"

enum { MESHES = 16 };

/* Meshes of one world. */
typedef struct mesh_set {
    dt_world *world;
    int count;
    dt_mesh *meshes[MESHES];
} mesh_set;

static void add(mesh_set *set, const char *text, const int *ranks, int count)
{
    dt_mesh **at = &set->meshes[set->count];
    if (count > 0 &&
        CHECK_OK(set->world,
                 dt_mesh_create_from(set->world, text, ranks, count, at)))
        set->count++;
}

static void release_set(mesh_set *set)
{
    for (int i = 0; i < set->count; i++)
        dt_mesh_release(set->meshes[i]);
}

/* The whole, halves, overlapping parts, one rank, other orders and shapes. */
static mesh_set make_set(dt_world *world)
{
    mesh_set set = {.world = world};
    int size = dt_world_size(world), half = size / 2;
    int upwards[64], downwards[64], even[64];
    for (int i = 0; i < size; i++) {
        upwards[i] = i;
        downwards[i] = size - 1 - i;
        even[i] = 2 * i;
    }
    add(&set, "all", upwards, size);
    add(&set, "back", downwards, size);
    add(&set, "low", upwards, half);
    add(&set, "high", upwards + half, size - half);
    add(&set, "first", upwards, 1);
    add(&set, "last", upwards + size - 1, 1);
    add(&set, "even", even, (size + 1) / 2);
    add(&set, "most", upwards, size - 1);
    add(&set, "rest,one=1", upwards + 1, size - 1);
    if (size > 2 && size % 2 == 0) {
        add(&set, "a=2,b", upwards, size);
        add(&set, "a,b=2", downwards, size);
        add(&set, "one=1,x,y=2", upwards, size);
    }
    if (size >= 5)
        add(&set, "m=2,n=2", upwards + 1, 4);
    return set;
}

static change draw_crossing(const mesh_set *set, int from, int to,
                            unsigned long long *state)
{
    change of = {.mesh = set->meshes[from],
                 .to_mesh = set->meshes[to],
                 .dtype = draw_dtype(state),
                 .shape = draw_shape(state),
                 .form = (array_form)below(state, FORM_COUNT),
                 .planner = (dt_planner)below(state, 2),
                 .objective = (dt_objective)below(state, 2),
                 .asynchronous = below(state, 3) == 0};
    int kinds = below(state, 2) ? DRAW_PARTIAL | DRAW_STRIDED : 0;
    of.from = draw_layout(of.mesh, of.shape.ndim, of.dtype, state, kinds);
    of.to = draw_layout(of.to_mesh, of.shape.ndim, of.dtype, state, kinds);
    of.salt = dt_test_random(state) >> 1;
    return of;
}

/* Every pair of meshes, several times with random layouts. */
static void from_every_mesh_to_every_other(dt_world *world)
{
    unsigned long long state = dt_test_seed();
    mesh_set set = make_set(world);
    int rounds = wants_all() ? 100 : 8;
    for (int i = 0; i < set.count; i++)
        for (int j = 0; j < set.count; j++)
            for (int round = 0; round < rounds; round++) {
                change of = draw_crossing(&set, i, j, &state);
                check_change(&of);
            }
    release_set(&set);
}

/* A grid and the line that it becomes when flattened; what is cut alike does
 * not move. */
static void to_a_flattened_mesh(dt_world *world)
{
    int size = dt_world_size(world);
    dt_mesh *mesh = NULL, *flat = NULL;
    if (size < 4 || size % 2)
        return;
    CHECK_OK(world, dt_mesh_create(world, "a=2,b", &mesh));
    CHECK_OK(world, dt_mesh_flatten(mesh, "a,b", "ab", &flat));
    change of = {.mesh = mesh,
                 .to_mesh = flat,
                 .dtype = DT_F32,
                 .shape = DT_SHAPE(2 * size, 3)};
    CHECK_OK(world, dt_layout_parse(world, "S(0)S(0)", &of.from));
    CHECK_OK(world, dt_layout_parse(world, "S(0)", &of.to));
    for (int uneven = 0; uneven < 2; uneven++) {
        of.shape.dims[0] -= uneven; /* nested and flat cuts differ then */
        check_change(&of);
        dt_scope *scope = dt_scope_open(world);
        dt_redistribute_options options = options_of(&of);
        dt_tensor *source = source_tensor(&of);
        dt_tensor *result = dt_redistribute_with(source, &options);
        if (CHECK(result) && !uneven)
            CHECK(dt_tensor_local(result) == dt_tensor_local(source));
        CHECK_OK(world, dt_scope_close(scope));
    }
    dt_mesh_release(mesh);
    dt_mesh_release(flat);
}

/* Ranks in neither mesh may call or not; they hear nothing. */
static void leaves_others_alone(dt_world *world)
{
    int size = dt_world_size(world), rank = dt_world_rank(world);
    dt_mesh *a = NULL, *b = NULL;
    if (size < 3)
        return;
    CHECK_OK(world, dt_mesh_create_from(world, "a", (int[]){0}, 1, &a));
    CHECK_OK(world, dt_mesh_create_from(world, "b", (int[]){1}, 1, &b));
    change of = {
        .mesh = a, .to_mesh = b, .dtype = DT_I16, .shape = DT_SHAPE(5, 3)};
    dt_placement whole = dt_replicate();
    of.from = of.to = dt_layout_of(&whole, 1);
    dt_scope *scope = dt_scope_open(world);
    if (rank < 2 || rank % 2) {
        dt_redistribute_options options = options_of(&of);
        dt_tensor *source = source_tensor(&of);
        dt_trace_clear(world);
        dt_tensor *result = dt_redistribute_with(source, &options);
        dt_array *value = value_array(&of);
        if (CHECK(result)) {
            check_tensor(result, &of.to, value, NULL);
            CHECK_INT(dt_trace_count(world, DT_ALL_TO_ALL).calls, rank < 2);
        }
        dt_array_release(value);
    }
    CHECK_OK(world, dt_scope_close(scope));
    CHECK_OK(world, dt_group_barrier(dt_world_group(world)));
    dt_mesh_release(a);
    dt_mesh_release(b);
}

/* Every rank gets no more than it lacks, from halves that are disjoint. */
static void sends_what_is_lacked(dt_world *world)
{
    int size = dt_world_size(world), half = size / 2;
    int ranks[64];
    dt_mesh *low = NULL, *high = NULL;
    if (size < 2 || size % 2)
        return;
    for (int i = 0; i < size; i++)
        ranks[i] = i;
    CHECK_OK(world, dt_mesh_create_from(world, "x", ranks, half, &low));
    CHECK_OK(world, dt_mesh_create_from(world, "x", ranks + half, half, &high));
    change of = {.mesh = low,
                 .to_mesh = high,
                 .dtype = DT_F32,
                 .shape = DT_SHAPE(half, 4)};
    dt_placement rows = dt_shard(0);
    of.from = of.to = dt_layout_of(&rows, 1);
    dt_scope *scope = dt_scope_open(world);
    dt_status status;
    dt_plan *plan = plan_of(&of, source_tensor(&of), &status);
    if (CHECK(plan)) {
        CHECK_INT(dt_plan_bytes(plan), 16);
        CHECK_INT(dt_plan_lower_bound(plan), 16);
        CHECK_INT(dt_plan_peak(plan), 32);
    }
    dt_plan_release(plan);
    CHECK_OK(world, dt_scope_close(scope));
    check_change(&of);
    dt_mesh_release(low);
    dt_mesh_release(high);
}

const dt_test dt_tests[] = {
    {"from every mesh to every other", from_every_mesh_to_every_other},
    {"to a flattened mesh", to_a_flattened_mesh},
    {"leaves others alone", leaves_others_alone},
    {"sends what is lacked", sends_what_is_lacked},
    {NULL, NULL},
};
