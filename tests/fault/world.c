/* tests/fault/world.c - worlds, teams and what their ranks do without memory.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "fault/fault_loop.h"

#include <stdatomic.h>

#include "base/error.h"

enum { RANKS = 3, LARGE = 3000 };

/* ---- One rank ----------------------------------------------------------- */

static dt_status open_and_close(void *arg, dt_error *error)
{
    dt_world *world = NULL;
    DT_TRY(dt_world_open(arg, &world, error));
    dt_status status = dt_group_barrier(dt_world_group(world));
    CHECK_INT(status, DT_OK);
    DT_IGNORE(dt_world_close(world));
    return status;
}

static void opens_worlds(dt_world *world)
{
    (void)world;
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    options.transport = "threads";
    fail_each("dt_world_open", open_and_close, &options, 4);
    options.transport = "sim";
    options.ranks = 1000;
    fail_each("dt_world_open on sim", open_and_close, &options, 4);
}

/* Scopes that cannot be had are told when they are closed. */
static dt_status open_scopes(void *arg, dt_error *error)
{
    dt_world *world = arg;
    dt_scope *outer = dt_scope_open(world);
    dt_scope *inner = dt_scope_open(world);
    dt_status first = dt_scope_close(inner);
    dt_status second = dt_scope_close(outer);
    CHECK((inner == NULL) == (first == DT_ERR_NO_MEMORY));
    CHECK(outer != NULL || second == DT_ERR_NO_MEMORY);
    *error = *dt_world_error(world);
    return first == DT_OK ? second : first;
}

static void opens_scopes(dt_world *world)
{
    fail_each("dt_scope_open", open_scopes, world, 2);
}

/* A trace never makes a call fail; what it cannot keep it counts. */
static dt_status record(void *arg, dt_error *error)
{
    dt_world *world = arg;
    size_t kept = 0;
    (void)error;
    dt_trace_clear(world);
    dt_trace_record(world, true);
    for (int i = 0; i < 2000; i++)
        CHECK_OK(world, dt_group_barrier(dt_world_group(world)));
    dt_trace_record(world, false);
    (void)dt_trace_events(world, &kept);
    CHECK(kept <= 2000);
    CHECK_INT(dt_trace_count(world, DT_BARRIER).calls, 2000);
    return DT_OK;
}

static void records_without_memory(dt_world *unused)
{
    (void)unused;
    /* A world of its own each time, so that nothing was kept before. */
    for (long nth = 1; nth < 10; nth++) {
        dt_world *world = NULL;
        dt_error error;
        CHECK_INT(dt_world_open(NULL, &world, &error), DT_OK);
        run_with_fault("dt_trace_record", record, world, nth, nth % 2);
        DT_IGNORE(dt_world_close(world));
    }
}

/* ---- Several ranks ------------------------------------------------------ */

/* What a program holds; all of it is let go of in the end. */
typedef struct holdings {
    dt_array *small;
    dt_array *large;
    dt_array *whole;
    dt_handle *handles[6];
    dt_mesh *mesh;
} holdings;

static dt_status begin_calls(dt_group *group, holdings *h)
{
    int size = dt_group_size(group), rank = dt_group_rank(group);
    DT_TRY(dt_group_all_reduce_async(group, DT_SUM, h->small, h->small,
                                     &h->handles[0]));
    DT_TRY(dt_group_all_gather_async(group, h->large, NULL, h->whole,
                                     &h->handles[1]));
    DT_TRY(dt_group_barrier_async(group, &h->handles[2]));
    if (size == 1)
        return DT_OK;
    DT_TRY(dt_group_send_async(group, (rank + 1) % size, h->large,
                               &h->handles[3]));
    return dt_group_receive_async(group, (rank + size - 1) % size, h->small,
                                  &h->handles[4]);
}

static dt_status use_groups(dt_world *world, holdings *h)
{
    dt_group *all = dt_world_group(world), *parity = NULL, *backwards = NULL;
    const int list[] = {2, 0, 1};
    int rank = dt_world_rank(world);
    DT_TRY(dt_group_split(all, rank % 2, -rank, &parity));
    DT_TRY(dt_group_create(world, list, RANKS, &backwards));
    DT_TRY(dt_array_create(world, DT_F32, DT_SHAPE(LARGE), &h->small));
    DT_TRY(dt_array_create(world, DT_F32, DT_SHAPE(LARGE), &h->large));
    DT_TRY(dt_array_create(world, DT_F32, DT_SHAPE(LARGE * RANKS), &h->whole));
    DT_TRY(dt_array_fill(world, h->small, 1));
    DT_TRY(dt_array_fill(world, h->large, 1));
    DT_TRY(dt_group_barrier(parity));
    DT_TRY(begin_calls(backwards, h));
    DT_TRY(dt_group_broadcast(all, 1, h->whole));
    DT_TRY(dt_mesh_create(world, "dp=3,tp=1", &h->mesh));
    dt_group *group = NULL;
    DT_TRY(dt_mesh_group(h->mesh, 0, &group));
    DT_TRY(dt_group_barrier(group));
    for (int i = 0; i < 5; i++)
        if (h->handles[i])
            DT_TRY(dt_handle_wait(h->handles[i]));
    return DT_OK;
}

static dt_status program(dt_world *world, void *unused)
{
    (void)unused;
    holdings h = {.small = NULL};
    dt_trace_record(world, true);
    dt_status status = use_groups(world, &h);
    /* Some let go of their handles at once, others let the run do it. */
    for (int i = 0; i < 6; i++)
        dt_handle_release(h.handles[i]);
    dt_mesh_release(h.mesh);
    dt_array_release(h.small);
    dt_array_release(h.large);
    dt_array_release(h.whole);
    return status;
}

static dt_status run_threads(dt_program what, void *arg, dt_error *error)
{
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    options.transport = "threads";
    options.ranks = RANKS;
    options.timeout = 60;
    return dt_world_run(&options, what, arg, error);
}

static dt_status run_program(void *arg, dt_error *error)
{
    return run_threads(program, arg, error);
}

static void runs_programs(dt_world *world)
{
    (void)world;
    fail_each("dt_world_run", run_program, NULL, 20);
}

/* Where one rank lacks memory all fail, and all can go on. */
typedef struct recovery {
    atomic_int failed;
    atomic_int recovered;
} recovery;

static dt_status program_that_recovers(dt_world *world, void *arg)
{
    recovery *r = arg;
    dt_status status = program(world, NULL);
    if (status == DT_OK)
        return DT_OK;
    dt_error error = *dt_world_error(world);
    atomic_fetch_add(&r->failed, 1);
    if (dt_world_recover(world) == DT_OK &&
        dt_group_barrier(dt_world_group(world)) == DT_OK)
        atomic_fetch_add(&r->recovered, 1);
    return dti_fail_with(world, &error);
}

static dt_status run_and_recover(void *arg, dt_error *error)
{
    recovery r = {0};
    (void)arg;
    dt_status status = run_threads(program_that_recovers, &r, error);
    CHECK(r.failed == 0 || r.failed == RANKS);
    CHECK_INT(r.recovered, r.failed);
    return status;
}

static void recovers(dt_world *world)
{
    (void)world;
    fail_each("dt_world_recover", run_and_recover, NULL, 20);
}

/* A team whose runs fail stays usable. */
static dt_status run_on_team(void *arg, dt_error *error)
{
    return dt_team_run(arg, program, NULL, error);
}

static dt_status open_team(void *arg, dt_error *error)
{
    dt_team *team = NULL;
    DT_TRY(dt_team_open(arg, &team, error));
    dt_team_close(team);
    return DT_OK;
}

static void opens_teams(dt_world *world)
{
    (void)world;
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    options.transport = "threads";
    options.ranks = RANKS;
    fail_each("dt_team_open", open_team, &options, 10);
}

static void runs_on_teams(dt_world *world)
{
    (void)world;
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    options.transport = "threads";
    options.ranks = RANKS;
    options.timeout = 60;
    for (long nth = 1; nth < 60; nth++) {
        live_objects before = count_live();
        dt_team *team = NULL;
        dt_error error = {DT_OK, ""};
        CHECK_ERROR(&error, dt_team_open(&options, &team, &error), DT_OK, NULL);
        dt_fault_arm(nth);
        dt_status status = run_on_team(team, &error);
        long refused = dt_fault_disarm();
        CHECKF(status == (refused ? DT_ERR_NO_MEMORY : DT_OK) ||
                   (refused && status == DT_OK),
               "request %ld: %s: %s", nth, dt_status_name(status),
               error.message);
        CHECK_ERROR(&error, run_on_team(team, &error), DT_OK, NULL);
        dt_team_close(team);
        check_live(&before, "dt_team_run", nth);
    }
}

const dt_test dt_tests[] = {
    {"opens worlds", opens_worlds},
    {"opens scopes", opens_scopes},
    {"records without memory", records_without_memory},
    {"runs programs", runs_programs},
    {"recovers", recovers},
    {"opens teams", opens_teams},
    {"runs on teams", runs_on_teams},
    {NULL, NULL},
};
