/* ranks: 1 2 3 4 7 */
/* tests/ranks/world_caches.c - what a world caches, counted and cleared. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"

#include <dtensor/local_map.h>
#include <dtensor/sys/op.h>

/* Check what was added to a cache since `before`. */
static void check_added(const dt_world *world, dt_cache cache,
                        dt_cache_counter before, int entries, int hits,
                        int misses)
{
    const dt_cache_counter now = dt_world_cache(world, cache);
    CHECK_INT((long long)now.entries - (long long)before.entries, entries);
    CHECK_INT((long long)(now.hits - before.hits), hits);
    CHECK_INT((long long)(now.misses - before.misses), misses);
}

static dt_tensor *make(dt_mesh *mesh)
{
    return dt_ones(mesh, "S(0)", DT_F32, DT_SHAPE(7, 5));
}

/* ---- Counting ----------------------------------------------------------- */

static void counts_decisions(dt_world *world)
{
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *x = make(mesh), *row = dt_ones(mesh, "R", DT_F32, DT_SHAPE(5));
    CHECK_OK(world, dt_world_clear_caches(world));
    dt_cache_counter before = dt_world_cache(world, DT_CACHE_DECISIONS);
    CHECK_INT(before.entries, 0);
    CHECK_INT(before.hits, 0);
    CHECK_INT(before.misses, 0);
    dt_add(x, x);
    check_added(world, DT_CACHE_DECISIONS, before, 1, 0, 1);
    dt_add(x, x);
    dt_add(make(mesh), x);
    check_added(world, DT_CACHE_DECISIONS, before, 1, 2, 1);
    dt_add(x, row);
    check_added(world, DT_CACHE_DECISIONS, before, 2, 2, 2);
    /* A call that fails is decided each time. */
    dt_tensor *four = dt_ones(mesh, "R", DT_F32, DT_SHAPE(4));
    before = dt_world_cache(world, DT_CACHE_DECISIONS);
    CHECK(!dt_add(x, four) && !dt_add(x, four));
    check_added(world, DT_CACHE_DECISIONS, before, 0, 0, 2);
    CHECK_FAILS(world, dt_scope_close(scope), DT_ERR_INVALID, "add");
    dt_mesh_release(mesh);
}

static void counts_plans(dt_world *world)
{
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *x = make(mesh);
    CHECK_OK(world, dt_world_clear_caches(world));
    dt_cache_counter before = dt_world_cache(world, DT_CACHE_PLANS);
    CHECK_INT(before.entries, 0);
    CHECK(dt_redistribute(x, "R") != NULL);
    check_added(world, DT_CACHE_PLANS, before, 1, 0, 1);
    CHECK(dt_redistribute(x, "R") && dt_redistribute(make(mesh), "R"));
    check_added(world, DT_CACHE_PLANS, before, 1, 2, 1);
    CHECK(dt_redistribute(x, "S(1)") != NULL);
    check_added(world, DT_CACHE_PLANS, before, 2, 2, 2);
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
}

static void counts_specs(dt_world *world)
{
    dt_mesh *mesh = NULL;
    dt_spec *a = NULL, *b = NULL, *c = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    CHECK_OK(world, dt_world_clear_caches(world));
    dt_cache_counter before = dt_world_cache(world, DT_CACHE_SPECS);
    const dt_shape shape = DT_SHAPE(11, 3);
    CHECK_OK(world, dt_spec_create(mesh, "S(0)", DT_F32, shape, &a));
    check_added(world, DT_CACHE_SPECS, before, 1, 0, 1);
    CHECK_OK(world, dt_spec_create(mesh, "S(0)", DT_F32, shape, &b));
    /* Found after its dimension was counted from the front. */
    CHECK_OK(world, dt_spec_create(mesh, "S(-2)", DT_F32, shape, &c));
    CHECK(a == b && b == c);
    check_added(world, DT_CACHE_SPECS, before, 1, 2, 1);
    dt_spec_release(a);
    dt_spec_release(b);
    dt_spec_release(c);
    dt_mesh_release(mesh);
}

static void counts_nothing_of_nothing(dt_world *world)
{
    CHECK_INT(dt_world_cache(NULL, DT_CACHE_SPECS).entries, 0);
    CHECK_INT(dt_world_cache(world, DT_CACHE_COUNT).entries, 0);
    CHECK_INT(dt_world_clear_caches(NULL), DT_ERR_INVALID);
    dt_world_clear_error(world);
}

/* ---- Clearing ----------------------------------------------------------- */

/* What is in use stays what it is, and so do results; no other rank has to
 * clear its caches. */
static void clears_what_nobody_uses(dt_world *world)
{
    dt_mesh *mesh = NULL;
    dt_plan *plan = NULL, *again = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *x = make(mesh), *y = dt_redistribute(dt_add(x, x), "S(1)");
    CHECK_OK(world,
             dt_plan_create(dt_tensor_spec(x), dt_tensor_spec(y), NULL, &plan));
    dt_spec *free = NULL;
    CHECK_OK(world, dt_spec_create(mesh, "R", DT_I8, DT_SHAPE(2, 2, 2), &free));
    dt_spec_release(free);
    if (dt_world_rank(world) == 0) {
        const size_t specs = dt_world_cache(world, DT_CACHE_SPECS).entries;
        CHECK_OK(world, dt_world_clear_caches(world));
        CHECK_INT(dt_world_cache(world, DT_CACHE_DECISIONS).entries, 0);
        CHECK_INT(dt_world_cache(world, DT_CACHE_PLANS).entries, 1);
        CHECK(dt_world_cache(world, DT_CACHE_SPECS).entries < specs);
        CHECK(dt_world_cache(world, DT_CACHE_SPECS).entries >= 2);
    }
    CHECK_OK(world, dt_plan_create(dt_tensor_spec(x), dt_tensor_spec(y), NULL,
                                   &again));
    CHECK(again == plan);
    CHECK(dt_tensor_spec(make(mesh)) == dt_tensor_spec(x));
    bool equal = false;
    dt_tensor *z = dt_redistribute(dt_add(x, x), "S(1)");
    CHECK(dt_tensor_spec(z) == dt_tensor_spec(y));
    CHECK_OK(world, dt_tensor_equal(y, z, &equal));
    CHECK(equal);
    dt_plan_release(plan);
    dt_plan_release(again);
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
}

static dt_status clear_inside(dt_world *world, dt_tensor *const *inputs,
                              int input_count, dt_tensor **outputs,
                              int output_count, void *arg)
{
    (void)input_count, (void)output_count, (void)arg;
    CHECK_FAILS(world, dt_world_clear_caches(world), DT_ERR_INVALID,
                "dt_world_clear_caches: called by a function of local_map");
    CHECK_FAILS(world, dt_op_set_rule(world, "flip", "...->...; dims whole"),
                DT_ERR_INVALID,
                "dt_op_set_rule: called by a function of local_map");
    outputs[0] = inputs[0];
    return DT_OK;
}

/* A call that is under way reads what is cached. */
static void refuses_while_an_operator_runs(dt_world *world)
{
    static const char *const layouts[] = {"S(0)"};
    dt_mesh *mesh = NULL;
    dt_tensor *out = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *x =
        dt_ones(mesh, "S(0)", DT_F32, DT_SHAPE(2 * dt_world_size(world), 3));
    dt_local_map_options options = DT_LOCAL_MAP_OPTIONS_INIT;
    options.out_layouts = layouts;
    CHECK_OK(world, dt_local_map(clear_inside, &x, 1, &out, 1, &options));
    CHECK(dt_tensor_spec(out) == dt_tensor_spec(x));
    DT_IGNORE(dt_scope_close(scope));
    CHECK_OK(world, dt_world_clear_caches(world));
    dt_mesh_release(mesh);
}

const dt_test dt_tests[] = {
    {"counts decisions", counts_decisions},
    {"counts plans", counts_plans},
    {"counts specs", counts_specs},
    {"counts nothing of nothing", counts_nothing_of_nothing},
    {"clears what nobody uses", clears_what_nobody_uses},
    {"refuses while an operator runs", refuses_while_an_operator_runs},
    {NULL, NULL},
};
