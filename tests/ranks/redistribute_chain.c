/* ranks: 1 2 3 4 6 7 8 */
/* tests/ranks/redistribute_chain.c - tensors that wander through layouts. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ranks/redistribute_check.h"

#include <stdio.h>

/*
 * A tensor goes through a chain of random layouts, on meshes of all kinds, with
 * every planner, waiting or not, and keeps its value.  Everything follows from
 * DT_TEST_SEED; DT_TEST_ROUNDS chains are tried (200), ten times as many with
 * DT_TEST_FULL=1.
 */

enum { CHAIN = 8, PLACES = 8 };

/* Meshes that a chain may visit. */
typedef struct places {
    int count;
    dt_mesh *meshes[PLACES];
} places;

static void add_place(places *to, dt_mesh *mesh)
{
    if (CHECK(mesh && to->count < PLACES))
        to->meshes[to->count++] = mesh;
}

/* A mesh over some ranks in some order, the same on all. */
static dt_mesh *draw_mesh(dt_world *world, unsigned long long *state)
{
    int size = dt_world_size(world), ranks[64];
    int count = 1 + below(state, size);
    dt_mesh *mesh = NULL;
    char text[64];
    for (int i = 0; i < size; i++) {
        int at = below(state, i + 1);
        ranks[i] = ranks[at];
        ranks[at] = i;
    }
    int inner = 1 + below(state, count);
    while (count % inner)
        inner--;
    int middle = count / inner % 2 ? 1 : 2;
    snprintf(text, sizeof text, "a,b=%d,c=%d", middle, inner);
    CHECK_OK(world, dt_mesh_create_from(world, text, ranks, count, &mesh));
    return mesh;
}

/* The whole world as a line and as a grid, a flattened grid, parts of it. */
static places draw_places(dt_world *world, unsigned long long *state)
{
    places out = {.count = 0};
    int size = dt_world_size(world);
    dt_mesh *mesh = NULL, *made = NULL;
    CHECK_OK(world, dt_mesh_create(world, "line", &mesh));
    add_place(&out, mesh);
    const char *text = size % 4 == 0   ? "a=2,b,c=2"
                       : size % 2 == 0 ? "a,b=2"
                                       : "a,b=1";
    CHECK_OK(world, dt_mesh_create(world, text, &mesh));
    add_place(&out, mesh);
    CHECK_OK(world, dt_mesh_flatten(mesh, "a,b", "ab", &made));
    add_place(&out, made);
    /* All ranks of one row call, as if the others were elsewhere. */
    for (int i = 0; i < 3; i++)
        add_place(&out, draw_mesh(world, state));
    return out;
}

static void release_places(places *of)
{
    for (int i = 0; i < of->count; i++)
        dt_mesh_release(of->meshes[i]);
}

/* Where a chain goes next. */
static change draw_next(const change *at, const places *among, bool sums,
                        unsigned long long *state)
{
    change next = *at;
    next.mesh = at->to_mesh;
    next.from = at->to;
    if (below(state, 2))
        next.to_mesh = among->meshes[below(state, among->count)];
    int kinds =
        DRAW_STRIDED | (sums && below(state, 3) == 0 ? DRAW_PARTIAL : 0);
    next.to =
        draw_layout(next.to_mesh, at->shape.ndim, at->dtype, state, kinds);
    next.planner = (dt_planner)below(state, 2);
    next.objective = (dt_objective)below(state, 2);
    next.asynchronous = below(state, 2);
    next.memory_cap = below(state, 4) ? 0 : 1 + (size_t)below(state, 4096);
    return next;
}

/* Averages that are taken again and again round, and NaNs lose their bits: what
 * is partial on the way has values that bear it. */
static bool rounds(const change *of)
{
    return of->dtype == DT_C64 || dt_dtype_kind_of(of->dtype) == DT_KIND_FLOAT;
}

/* One step of a chain; the tensor as it was if there is no room for it. */
static dt_tensor *go(const change *next, dt_tensor *tensor, bool *went)
{
    dt_world *world = dt_mesh_world(next->mesh);
    dt_redistribute_options options = options_of(next);
    dt_status status;
    dt_scope *scope = dt_scope_open(world);
    dt_plan *plan = plan_of(next, tensor, &status);
    CHECK_INT(dt_scope_close(scope), status);
    *went = plan != NULL;
    if (plan)
        check_plan(plan);
    else
        CHECKF(status == DT_ERR_UNSUPPORTED && next->memory_cap, "%s",
               dt_world_error(world)->message);
    dt_plan_release(plan);
    return *went ? dt_redistribute_with(tensor, &options) : tensor;
}

static void wander(dt_world *world, unsigned long long *state)
{
    places among = draw_places(world, state);
    bool sums = below(state, 2);
    change at = {.mesh = among.meshes[0],
                 .to_mesh = among.meshes[0],
                 .dtype = draw_dtype(state),
                 .shape = draw_shape(state),
                 .form = (array_form)below(state, FORM_COUNT)};
    at.salt = dt_test_random(state) >> 1;
    at.from = draw_layout(at.mesh, at.shape.ndim, at.dtype, state,
                          sums ? DRAW_PARTIAL | DRAW_STRIDED : DRAW_STRIDED);
    /* Elements are tame if they may become partial. */
    dt_placement sum = dt_partial(DT_SUM);
    at.to = sums ? dt_layout_of(&sum, 1) : at.from;
    const change first = at;
    dt_scope *scope = dt_scope_open(world);
    dt_array *whole = value_array(&first);
    dt_tensor *tensor = source_tensor(&first);
    const same_element same = sums && rounds(&first) ? is_rounded : NULL;
    at.to = at.from;
    for (int i = 0; tensor && i < CHAIN; i++) {
        bool went;
        change next = draw_next(&at, &among, sums, state);
        tensor = go(&next, tensor, &went);
        bool good = CHECKF(tensor, "%s", dt_world_error(world)->message);
        at = went ? next : at;
        if (tensor && below(state, 2)) /* others are waited for later */
            good &= check_tensor(tensor, &at.to, whole, same);
        show_change(&next, good);
    }
    if (tensor)
        show_change(&first, check_tensor(tensor, &at.to, whole, same));
    dt_array_release(whole);
    CHECK_OK(world, dt_scope_close(scope));
    release_places(&among);
}

static void wanders(dt_world *world)
{
    unsigned long long state = dt_test_seed();
    const char *text = getenv("DT_TEST_ROUNDS");
    int rounds_wanted = text ? atoi(text) : wants_all() ? 2000 : 200;
    for (int i = 0; i < rounds_wanted; i++)
        wander(world, &state);
}

const dt_test dt_tests[] = {
    {"wanders", wanders},
    {NULL, NULL},
};
