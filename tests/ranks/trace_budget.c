/* ranks: 1 2 3 4 7 */
/* tests/ranks/trace_budget.c - limits on what a scope sends, on all ranks and
 * on one. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ranks/comm_arrays.h"

#include <dtensor/scope.h>
#include <dtensor/trace.h>

#include "base/scope.h"
#include "comm/comm.h"
#include "trace/trace.h"

static dt_scope *open_with(dt_world *world, const char *budget)
{
    dt_scope_options options = DT_SCOPE_OPTIONS_INIT;
    options.budget = budget;
    dt_scope *scope = dt_scope_open_with(world, &options);
    CHECK(scope != NULL);
    return scope;
}

/* What was sent is what was there before the call that was refused. */
static void check_calls(dt_world *world, dt_collective kind, int64_t calls)
{
    CHECK_INT(dt_trace_count(world, kind).calls, calls);
}

static void refuses_on_all_ranks(dt_world *world)
{
    if (SKIP_ON(world, "mpi", "a rank that fails ends the job"))
        return;
    dt_group *group = dt_world_group(world);
    dt_array *array = make_array(world, DT_F32, 12);
    dt_handle *handle = NULL;
    wipe(array, 0);
    dt_trace_clear(world);
    dt_scope *scope = open_with(world, "all_reduce<=2, barrier<=0");
    dti_trace_op_begin(world, "norm");
    CHECK_OK(world, dt_group_all_reduce(group, DT_SUM, array, array));
    CHECK_OK(world,
             dt_group_all_reduce_async(group, DT_SUM, array, array, &handle));
    CHECK_OK(world, dt_handle_wait(handle));
    dt_handle_release(handle);
    handle = NULL;
    CHECK_FAILS(world, dt_group_all_reduce(group, DT_SUM, array, array),
                DT_ERR_INVALID,
                "all-reduce in norm: the budget \"all_reduce<=2, barrier<=0\" "
                "of the scope allows all_reduce<=2; 2 were made before");
    CHECK_FAILS(world,
                dt_group_all_reduce_async(group, DT_SUM, array, array, &handle),
                DT_ERR_INVALID, "all_reduce<=2");
    CHECK(handle == NULL);
    CHECK_FAILS(world, dt_group_barrier(group), DT_ERR_INVALID, "barrier<=0");
    dti_trace_op_end(world);
    check_calls(world, DT_ALL_REDUCE, 2);
    check_calls(world, DT_BARRIER, 0);
    CHECK_INT(dt_scope_close(scope), DT_ERR_INVALID);
    CHECK_OK(world, dt_world_recover(world));
    CHECK_OK(world, dt_group_barrier(group));
    dt_array_release(array);
}

/* The root sends; the others receive, and only they count bytes.  The limit
 * lets through the first broadcast but not the second. */
static void tells_those_within_limits(dt_world *world)
{
    if (SKIP_ON(world, "mpi", "a rank that fails ends the job"))
        return;
    dt_group *group = dt_world_group(world);
    int rank = dt_world_rank(world), size = dt_world_size(world);
    dt_array *array = make_array(world, DT_F32, 10);
    wipe(array, 0);
    dt_scope *scope = open_with(world, "bytes<=79");
    CHECK_OK(world, dt_group_broadcast(group, 0, array));
    if (rank > 0) {
        CHECK_FAILS(
            world, dt_group_broadcast(group, 0, array), DT_ERR_INVALID,
            "bytes<=79; 40 were received before, and this needs 40 more");
    } else if (size > 1) {
        /* The root may be through before it hears; the next call tells it. */
        dt_status status = dt_group_broadcast(group, 0, array);
        if (status == DT_OK)
            status = dt_group_barrier(group);
        CHECK_INT(status, DT_ERR_PEER);
    } else {
        CHECK_OK(world, dt_group_broadcast(group, 0, array));
    }
    DT_IGNORE(dt_scope_close(scope));
    CHECK_OK(world, dt_world_recover(world));
    dt_array_release(array);
}

/* A budget of one rank alone: it fails, the others are told and do not wait. */
static void tells_the_others(dt_world *world)
{
    if (SKIP_ON(world, "mpi", "a rank that fails ends the job"))
        return;
    dt_group *group = dt_world_group(world);
    int rank = dt_world_rank(world), size = dt_world_size(world);
    dt_array *array = make_array(world, DT_I32, 3);
    wipe(array, 0);
    bool last = rank == size - 1;
    dt_scope *scope = open_with(world, last ? "calls<=1" : "calls<=100");
    CHECK_OK(world, dt_group_barrier(group));
    if (last)
        CHECK_FAILS(world, dt_group_all_reduce(group, DT_SUM, array, array),
                    DT_ERR_INVALID, "calls<=1; 1 were made before");
    else
        CHECK_FAILS(world, dt_group_all_reduce(group, DT_SUM, array, array),
                    DT_ERR_PEER, "allows calls<=1");
    DT_IGNORE(dt_scope_close(scope));
    CHECK_OK(world, dt_world_recover(world));
    CHECK_OK(world, dt_group_all_reduce(group, DT_SUM, array, array));
    dt_array_release(array);
}

/* Alone nobody waits: there is nothing to recover from. */
static void goes_on_alone(dt_world *world)
{
    if (dt_world_size(world) > 1)
        return;
    dt_scope *scope = open_with(world, "barrier<=1");
    CHECK_OK(world, dt_group_barrier(dt_world_group(world)));
    CHECK_FAILS(world, dt_group_barrier(dt_world_group(world)), DT_ERR_INVALID,
                NULL);
    DT_IGNORE(dt_scope_close(scope));
    CHECK_OK(world, dt_group_barrier(dt_world_group(world)));
}

/* Redistributions count, and the sentence says which. */
static void limits_redistributions(dt_world *world)
{
    if (SKIP_ON(world, "mpi", "a rank that fails ends the job"))
        return;
    dt_mesh *mesh = NULL;
    if (!CHECK_OK(world, dt_mesh_create(world, "x", &mesh)))
        return;
    const bool tiles = dti_comm_of(world)->transport->takes_tiles;
    dt_scope *scope =
        open_with(world, tiles ? "all_gather<=1" : "all_to_all<=1");
    dt_tensor *x = dt_ones(mesh, "S(0)", DT_F32, DT_SHAPE(8, 3));
    CHECK(dt_redistribute(x, "R") != NULL);
    dt_tensor *second = dt_redistribute(x, "R");
    if (dt_world_size(world) > 1) {
        CHECK(second == NULL);
        CHECK_FAILS(world, dti_fail_with(world, dt_scope_error(scope)),
                    DT_ERR_INVALID,
                    " for S(0) -> R in redistribute: the budget");
        CHECK_INT(dt_scope_close(scope), DT_ERR_INVALID);
        CHECK_OK(world, dt_world_recover(world));
    } else {
        CHECK(second != NULL); /* nothing moves */
        CHECK_INT(dt_scope_close(scope), DT_OK);
    }
    dt_mesh_release(mesh);
}

const dt_test dt_tests[] = {
    {"refuses on all ranks", refuses_on_all_ranks},
    {"tells those within limits", tells_those_within_limits},
    {"tells the others", tells_the_others},
    {"goes on alone", goes_on_alone},
    {"limits redistributions", limits_redistributions},
    {NULL, NULL},
};
