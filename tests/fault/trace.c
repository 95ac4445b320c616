/* tests/fault/trace.c - budgets, operators and timelines without memory. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "fault/fault_loop.h"

#include "base/world.h"
#include "trace/trace.h"

static dt_status open_with_budget(void *arg, dt_error *error)
{
    dt_world *world = arg;
    dt_scope_options options = DT_SCOPE_OPTIONS_INIT;
    options.budget = "all_reduce<=1, bytes<=4Mi";
    const dt_scope *outer = world->scope;
    dt_scope *scope = dt_scope_open_with(world, &options);
    *error = *dt_world_error(world);
    CHECK(scope || world->scope == outer);
    return scope ? dt_scope_close(scope) : error->code;
}

static void opens_budgets(dt_world *world)
{
    fail_each("dt_scope_open_with", open_with_budget, world, 2);
}

/* A trace never makes anything fail; what it cannot keep it counts elsewhere.
 */
static dt_status trace_operators(void *arg, dt_error *error)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g",
                                        "h", "i", "j", "k", "l", "m", "n",
                                        "o", "p", "q", "r", "s", "t"};
    dt_world *world = arg;
    (void)error;
    dt_trace_timeline(world, true);
    for (int i = 0; i < 200; i++) {
        dti_trace_op_begin(world, names[i % 20]);
        CHECK_OK(world, dt_group_barrier(dt_world_group(world)));
        dti_trace_op_end(world);
    }
    dt_trace_timeline(world, false);
    CHECK(dti_trace_operator(world) == NULL);
    CHECK_INT(dt_trace_count(world, DT_BARRIER).calls, 200);
    return DT_OK;
}

static void traces_operators(dt_world *unused)
{
    (void)unused;
    /* A world of its own each time, so that nothing was kept before. */
    for (long nth = 1; nth < 24; nth++) {
        dt_world *world = NULL;
        dt_error error;
        CHECK_INT(dt_world_open(NULL, &world, &error), DT_OK);
        run_with_fault("operators", trace_operators, world, nth / 2 + 1,
                       nth % 2);
        DT_IGNORE(dt_world_close(world));
    }
}

static dt_status save_all(void *arg, dt_error *error)
{
    dt_world *world = arg;
    dt_status status = dt_trace_save_all(world, "/dev/null");
    *error = *dt_world_error(world);
    return status;
}

static void saves_timelines(dt_world *world)
{
    for (int for_good = 0; for_good < 2; for_good++) {
        long nth = 1;
        dt_memory_trim(world);
        while (nth < FAULTS_MAX && run_with_fault("dt_trace_save_all", save_all,
                                                  world, nth, for_good)) {
            CHECK_OK(world, dt_world_recover(world));
            dt_memory_trim(world); /* so that memory is asked for again */
            nth++;
        }
        CHECKF(nth > 4 && nth < FAULTS_MAX, "%ld requests", nth - 1);
    }
}

const dt_test dt_tests[] = {
    {"opens budgets", opens_budgets},
    {"traces operators", traces_operators},
    {"saves timelines", saves_timelines},
    {NULL, NULL},
};
