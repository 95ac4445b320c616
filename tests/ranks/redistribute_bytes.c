/* ranks: 1 2 3 4 6 7 8 */
/* tests/ranks/redistribute_bytes.c - what plans promise, against what ranks
 * really call and receive. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ranks/redistribute_check.h"

enum { ROUNDS = 120 };

/* What this rank called and received so far. */
typedef struct traffic {
    int64_t calls;
    int64_t bytes;
} traffic;

static traffic traffic_of(const dt_world *world)
{
    traffic out = {0, 0};
    for (int i = 0; i < DT_COLLECTIVE_COUNT; i++) {
        dt_trace_counter one = dt_trace_count(world, (dt_collective)i);
        out.calls += (int64_t)one.calls;
        out.bytes += (int64_t)one.bytes_received;
    }
    return out;
}

/* The most of what all ranks have.  Collective. */
static int64_t most_of(dt_world *world, int64_t mine)
{
    dt_array *one = NULL;
    CHECK_OK(world, dt_array_create(world, DT_I64, DT_SHAPE(1), &one));
    *(int64_t *)dt_array_data(one) = mine;
    CHECK_OK(world,
             dt_group_all_reduce(dt_world_group(world), DT_MAX, one, one));
    mine = *(const int64_t *)dt_array_const_data(one);
    dt_array_release(one);
    return mine;
}

static int steps_that_send(const dt_plan *plan)
{
    int count = 0;
    for (int i = 0; i < dt_plan_steps(plan); i++)
        count += dt_plan_step_at(plan, i)->bytes > 0;
    return count;
}

/* The most bytes of a part. */
static int64_t largest_part(const dt_spec *spec)
{
    int64_t most = 0;
    for (int i = 0; i < dt_mesh_size(dt_spec_mesh(spec)); i++) {
        int64_t count = dt_shape_count(dt_spec_local_shape(spec, i));
        most = count > most ? count : most;
    }
    return most * (int64_t)dt_dtype_size(dt_spec_dtype(spec));
}

static void check_promises(dt_world *world, const dt_plan *plan, size_t cap,
                           traffic real)
{
    const int64_t most = most_of(world, real.bytes);
    char text[2048];
    dt_plan_format(plan, text, sizeof text);
    CHECKF(most <= dt_plan_bytes(plan), "some rank received %lld:\n%s",
           (long long)most, text);
    CHECKF(most >= dt_plan_lower_bound(plan),
           "no rank received more than "
           "%lld:\n%s",
           (long long)most, text);
    if (dt_plan_steps(plan) == 1)
        CHECKF(most == dt_plan_bytes(plan), "ranks received %lld:\n%s",
               (long long)most, text);
    /* Nothing is combined by calls too; messages within a cap go in rounds. */
    if (dt_spec_count(dt_plan_from(plan)) > 0 && cap == 0)
        CHECKF(real.calls <= steps_that_send(plan), "%lld calls:\n%s",
               (long long)real.calls, text);
    int64_t ends =
        largest_part(dt_plan_from(plan)) + largest_part(dt_plan_to(plan));
    if (cap)
        CHECKF(dt_plan_peak(plan) - ends <= (int64_t)cap,
               "beside %lld and a cap of %zu:\n%s", (long long)ends, cap, text);
}

static dt_shape draw_extents(unsigned long long *state)
{
    dt_shape shape = {.ndim = 1 + below(state, 3)};
    for (int i = 0; i < shape.ndim; i++)
        shape.dims[i] = below(state, 8) ? 1 + below(state, 20) : 0;
    return shape;
}

static void check_one(dt_mesh *mesh, unsigned long long *state)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_shape shape = draw_extents(state);
    dt_layout from = draw_layout(mesh, shape.ndim, DT_F64, state, DRAW_STRIDED);
    dt_layout to = draw_layout(mesh, shape.ndim, DT_F64, state, DRAW_STRIDED);
    dt_redistribute_options how = DT_REDISTRIBUTE_OPTIONS_INIT;
    dt_plan_options options = DT_PLAN_OPTIONS_INIT;
    dt_spec *target = NULL;
    dt_plan *plan = NULL;
    options.objective = how.objective = (dt_objective)below(state, 2);
    options.planner = how.planner = (dt_planner)below(state, 2);
    options.memory_cap = how.memory_cap =
        below(state, 3) ? 0 : (size_t)(8 << below(state, 10));
    how.layout = dt_layout_text(world, &to);
    dt_tensor *tensor =
        dt_ones(mesh, dt_layout_text(world, &from), DT_F64, shape);
    CHECK_OK(world,
             dt_spec_with_layout(dt_tensor_spec(tensor), how.layout, &target));
    if (dt_plan_create(dt_tensor_spec(tensor), target, &options, &plan) ==
        DT_OK) {
        traffic before = traffic_of(world);
        CHECK(dt_redistribute_with(tensor, &how));
        traffic after = traffic_of(world);
        after.calls -= before.calls;
        after.bytes -= before.bytes;
        check_promises(world, plan, options.memory_cap, after);
    } else {
        CHECK(dt_world_error(world)->code == DT_ERR_UNSUPPORTED);
        CHECK(options.memory_cap > 0);
    }
    dt_plan_release(plan);
    dt_spec_release(target);
}

static void check_on(dt_world *world, const char *text)
{
    dt_mesh *mesh = NULL;
    unsigned long long state = dt_test_seed();
    CHECK_OK(world, dt_mesh_create(world, text, &mesh));
    for (int i = 0; i < ROUNDS; i++) {
        dt_scope *scope = dt_scope_open(world);
        check_one(mesh, &state);
        DT_IGNORE(dt_scope_close(scope));
    }
    dt_mesh_release(mesh);
}

static void receives_what_plans_say(dt_world *world)
{
    check_on(world, "x");
}

static void receives_what_plans_say_on_a_grid(dt_world *world)
{
    const int ranks = dt_world_size(world);
    check_on(world, ranks == 8       ? "x=2,y=2,z=2"
                    : ranks % 2 == 0 ? "x=2,y"
                                     : "x=1,y");
}

/* Other names for the parts that ranks have are no reason to call or copy. */
static void parts_that_are_the_same_stay(dt_world *world)
{
    static const struct {
        const char *from, *to;
        int64_t extent;
    } cases[] = {{"S(0)", "_S(0,2)", 1},
                 {"_S(0,2)", "_S(0,3)", 1},
                 {"S(0)", "R", 0},
                 {"_S(0,2)", "S(0)", 0},
                 {"_S(1,5)", "_S(1,7)", 1}};
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        dt_scope *scope = dt_scope_open(world);
        traffic before = traffic_of(world);
        dt_tensor *tensor =
            dt_ones(mesh, cases[i].from, DT_F64, DT_SHAPE(cases[i].extent, 3));
        dt_tensor *same = dt_redistribute(tensor, cases[i].to);
        CHECK(dt_tensor_local(same) == dt_tensor_local(tensor));
        CHECK_INT(traffic_of(world).calls, before.calls);
        CHECK_OK(world, dt_scope_close(scope));
    }
    /* Empty parts of other shapes are others. */
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *turned =
        dt_redistribute(dt_ones(mesh, "S(0)", DT_F64, DT_SHAPE(0, 64)), "S(1)");
    CHECK(dt_shape_equal(
        dt_array_shape(dt_tensor_local(turned)),
        dt_spec_local_shape(dt_tensor_spec(turned), dt_world_rank(world))));
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
}

const dt_test dt_tests[] = {
    {"receives what plans say", receives_what_plans_say},
    {"receives what plans say, on a grid", receives_what_plans_say_on_a_grid},
    {"parts that are the same stay", parts_that_are_the_same_stay},
    {NULL, NULL},
};
