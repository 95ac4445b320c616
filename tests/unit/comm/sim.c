/* tests/unit/comm/sim.c - worlds of any size in which nothing moves. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include <dtensor/dtensor.h>

#include "support/check.h"

static dt_world *open_sim(int ranks, int rank)
{
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    dt_world *world = NULL;
    dt_error error;
    options.transport = "sim";
    options.ranks = ranks;
    options.rank = rank;
    CHECK_ERROR(&error, dt_world_open(&options, &world, &error), DT_OK, NULL);
    return world;
}

static dt_array *meta(dt_world *world, dt_dtype dtype, int64_t count)
{
    dt_array *array = NULL;
    CHECK_OK(world,
             dt_array_create_meta(world, dtype, DT_SHAPE(count), &array));
    return array;
}

/* Check the latest event. */
static void check_event(dt_world *world, dt_collective kind, int root,
                        int64_t count, uint64_t sent, uint64_t received)
{
    size_t events = 0;
    const dt_trace_event *event = dt_trace_events(world, &events);
    if (!CHECK(events > 0))
        return;
    event += events - 1;
    CHECKF(event->kind == kind && event->root == root && event->count == count,
           "%s with root %d of %lld; not %s, %d, %lld",
           dt_collective_name(event->kind), event->root,
           (long long)event->count, dt_collective_name(kind), root,
           (long long)count);
    CHECKF(event->bytes_sent == sent && event->bytes_received == received,
           "%s: %zu bytes sent, %zu received; not %llu and %llu",
           dt_collective_name(kind), event->bytes_sent, event->bytes_received,
           (unsigned long long)sent, (unsigned long long)received);
}

/*
 * A hundred thousand ranks, blocks of 1000 f32 (4000 bytes), seen by the first,
 * the last and one in between.  p - 1 is 99999.
 */
static void see_as(int rank)
{
    const int p = 100000, root = 7;
    const uint64_t block = 4000, others = 99999;
    dt_world *world = open_sim(p, rank);
    dt_group *group = dt_world_group(world);
    CHECK_INT(dt_world_rank(world), rank);
    CHECK_INT(dt_world_size(world), p);
    CHECK_INT(dt_group_rank(group), rank);
    CHECK_INT(dt_group_size(group), p);
    CHECK_TEXT(dt_world_transport(world), "sim");
    dt_array *part = meta(world, DT_F32, 1000);
    dt_array *whole = meta(world, DT_F32, 1000 * (int64_t)p);
    dt_array *other = meta(world, DT_F32, 1000 * (int64_t)p);
    bool is_root = rank == root;

    CHECK_OK(world, dt_group_barrier(group));
    check_event(world, DT_BARRIER, -1, 0, 0, 0);
    CHECK_OK(world, dt_group_all_gather(group, part, NULL, whole));
    check_event(world, DT_ALL_GATHER, -1, 1000 * (int64_t)p, block * others,
                block * others);
    CHECK_OK(world, dt_group_reduce_scatter(group, DT_SUM, whole, NULL, part));
    check_event(world, DT_REDUCE_SCATTER, -1, 1000 * (int64_t)p, block * others,
                block * others);
    CHECK_OK(world, dt_group_all_reduce(group, DT_AVG, whole, whole));
    check_event(world, DT_ALL_REDUCE, -1, 1000 * (int64_t)p, 2 * block * others,
                2 * block * others);
    CHECK_OK(world, dt_group_all_to_all(group, whole, NULL, NULL, other));
    check_event(world, DT_ALL_TO_ALL, -1, 1000 * (int64_t)p, block * others,
                block * others);
    CHECK_OK(world, dt_group_broadcast(group, root, part));
    check_event(world, DT_BROADCAST, root, 1000, is_root ? block : 0,
                is_root ? 0 : block);
    CHECK_OK(world,
             dt_group_scatter(group, root, is_root ? whole : NULL, NULL, part));
    check_event(world, DT_SCATTER, root, 1000 * (int64_t)p,
                is_root ? block * others : 0, is_root ? 0 : block);
    CHECK_OK(world,
             dt_group_gather(group, root, part, NULL, is_root ? whole : NULL));
    check_event(world, DT_GATHER, root, 1000 * (int64_t)p, is_root ? 0 : block,
                is_root ? block * others : 0);
    int peer = rank == 0 ? p - 1 : 0;
    CHECK_OK(world, dt_group_send(group, peer, part));
    check_event(world, DT_SEND, peer, 1000, block, 0);
    CHECK_OK(world, dt_group_receive(group, peer, part));
    check_event(world, DT_RECEIVE, peer, 1000, 0, block);

    size_t events = 0;
    (void)dt_trace_events(world, &events);
    CHECK_INT(events, DT_COLLECTIVE_COUNT);
    for (int kind = 0; kind < DT_COLLECTIVE_COUNT; kind++)
        CHECK_INT(dt_trace_count(world, (dt_collective)kind).calls, 1);
    dt_array_release(part);
    dt_array_release(whole);
    dt_array_release(other);
    CHECK_INT(dt_world_close(world), DT_OK);
}

static void sees_a_hundred_thousand_ranks(dt_world *world)
{
    (void)world;
    see_as(0);
    see_as(7);
    see_as(54321);
    see_as(99999);
}

/* Counts that do not fit 32 bits, and bytes that do not fit 40. */
static void counts_beyond_32_bits(dt_world *unused)
{
    (void)unused;
    const int64_t huge = INT64_C(1) << 33;
    dt_world *world = open_sim(16, 3);
    dt_group *group = dt_world_group(world);
    dt_array *part = meta(world, DT_F64, huge);
    dt_array *whole = meta(world, DT_F64, 16 * huge);
    dt_array *other = meta(world, DT_F64, 16 * huge);
    const uint64_t bytes = 8 * (uint64_t)huge;
    CHECK_OK(world, dt_group_all_gather(group, part, NULL, whole));
    check_event(world, DT_ALL_GATHER, -1, 16 * huge, 15 * bytes, 15 * bytes);
    CHECK_OK(world, dt_group_all_reduce(group, DT_MAX, whole, whole));
    check_event(world, DT_ALL_REDUCE, -1, 16 * huge, 30 * bytes, 30 * bytes);
    CHECK_OK(world, dt_group_reduce_scatter(group, DT_SUM, whole, NULL, part));
    check_event(world, DT_REDUCE_SCATTER, -1, 16 * huge, 15 * bytes,
                15 * bytes);
    CHECK_OK(world, dt_group_all_to_all(group, whole, NULL, NULL, other));
    check_event(world, DT_ALL_TO_ALL, -1, 16 * huge, 15 * bytes, 15 * bytes);
    CHECK_OK(world, dt_group_broadcast(group, 3, whole));
    check_event(world, DT_BROADCAST, 3, 16 * huge, 16 * bytes, 0);
    CHECK_OK(world, dt_group_send(group, 0, part));
    check_event(world, DT_SEND, 0, huge, bytes, 0);
    /* Rank i has i times as much; 120 parts in all, of which this rank has 3.
     */
    int64_t counts[16];
    for (int i = 0; i < 16; i++)
        counts[i] = i * huge;
    dt_array *mine = meta(world, DT_F64, 3 * huge);
    dt_array *all = meta(world, DT_F64, 120 * huge);
    CHECK_OK(world, dt_group_all_gather(group, mine, counts, all));
    check_event(world, DT_ALL_GATHER, -1, 120 * huge, 45 * bytes, 117 * bytes);
    CHECK_OK(world, dt_group_reduce_scatter(group, DT_SUM, all, counts, mine));
    check_event(world, DT_REDUCE_SCATTER, -1, 120 * huge, 117 * bytes,
                45 * bytes);
    /* It sends the same to each, 16 parts, and receives i parts of rank i. */
    int64_t ones[16];
    for (int i = 0; i < 16; i++)
        ones[i] = huge;
    CHECK_OK(world, dt_group_all_to_all(group, whole, ones, counts, all));
    check_event(world, DT_ALL_TO_ALL, -1, 120 * huge, 15 * bytes, 117 * bytes);
    dt_trace_counter sum = dt_trace_count(world, DT_ALL_TO_ALL);
    CHECK(sum.calls == 2 && sum.bytes_sent == 30 * bytes &&
          sum.bytes_received == 132 * bytes);
    dt_array_release(mine);
    dt_array_release(all);
    dt_array_release(part);
    dt_array_release(whole);
    dt_array_release(other);
    CHECK_INT(dt_world_close(world), DT_OK);
}

/* What does not fit 63 bits is refused. */
static void refuses_what_does_not_fit(dt_world *unused)
{
    (void)unused;
    dt_world *world = open_sim(100000, 0);
    dt_array *part = meta(world, DT_U8, INT64_MAX / 2);
    CHECK_FAILS(world,
                dt_group_all_gather(dt_world_group(world), part, NULL, part),
                DT_ERR_INVALID, "63 bits");
    dt_array_release(part);
    CHECK_INT(dt_world_close(world), DT_OK);
}

/* Every hundredth rank is a group; each rank sees itself at its place. */
static void makes_groups_of_some(dt_world *unused)
{
    (void)unused;
    enum { COUNT = 1000 };
    int *ranks = malloc(COUNT * sizeof *ranks);
    dt_group *group = NULL, *again = NULL;
    dt_world *world = open_sim(100000, 4200);
    for (int i = 0; ranks && i < COUNT; i++)
        ranks[i] = 100 * i;
    CHECK_OK(world, dt_group_create(world, ranks, COUNT, &group));
    CHECK_OK(world, dt_group_create(world, ranks, COUNT, &again));
    CHECK(group == again);
    CHECK_INT(dt_group_rank(group), 42);
    CHECK_INT(dt_group_size(group), COUNT);
    CHECK_INT(dt_group_ranks(group)[999], 99900);
    dt_array *array = meta(world, DT_BF16, 1000);
    CHECK_OK(world, dt_group_all_reduce(group, DT_SUM, array, array));
    check_event(world, DT_ALL_REDUCE, -1, 1000, 2 * 999 * 2, 2 * 999 * 2);
    size_t count;
    CHECK_INT(dt_trace_events(world, &count)[0].group_size, COUNT);
    ranks[0] = 1;
    ranks[42] = 5;
    CHECK_FAILS(world, dt_group_create(world, ranks, COUNT, &again),
                DT_ERR_INVALID, "this rank, 4200, is not in the list");
    CHECK_FAILS(world, dt_group_split(group, 0, 0, &again), DT_ERR_UNSUPPORTED,
                "dt_group_create");
    dt_array_release(array);
    CHECK_INT(dt_world_close(world), DT_OK);
    free(ranks);
}

/* Calls that do not wait are complete at once; more than any board holds. */
static void runs_calls_under_way(dt_world *unused)
{
    (void)unused;
    enum { CALLS = 300 };
    dt_world *world = open_sim(1000, 999);
    dt_group *group = dt_world_group(world);
    dt_array *array = meta(world, DT_F32, 1000);
    dt_array *whole = meta(world, DT_F32, 1000 * 1000);
    dt_handle *handles[CALLS] = {NULL};
    for (int i = 0; i < CALLS; i++)
        CHECK_OK(world, i % 2 ? dt_group_all_reduce_async(group, DT_SUM, array,
                                                          array, &handles[i])
                              : dt_group_all_gather_async(group, array, NULL,
                                                          whole, &handles[i]));
    for (int i = CALLS - 1; i >= 0; i--) {
        CHECK(dt_handle_test(handles[i]));
        CHECK_OK(world, dt_handle_wait(handles[i]));
        dt_handle_release(handles[i]);
    }
    size_t count = 0;
    const dt_trace_event *events = dt_trace_events(world, &count);
    CHECK_INT(count, CALLS);
    for (size_t i = 0; i < count; i++)
        CHECK_INT(events[i].sequence, (long long)i + 1);
    CHECK(dt_array_data(array) == NULL);
    dt_array_release(array);
    dt_array_release(whole);
    CHECK_INT(dt_world_close(world), DT_OK);
}

/* Arrays with elements are allowed, and keep them. */
static void keeps_elements(dt_world *unused)
{
    (void)unused;
    dt_world *world = open_sim(64, 5);
    dt_array *array = NULL;
    CHECK_OK(world, dt_array_create(world, DT_I32, DT_SHAPE(3), &array));
    CHECK_OK(world, dt_array_fill_int(world, array, 11));
    CHECK_OK(world,
             dt_group_all_reduce(dt_world_group(world), DT_SUM, array, array));
    CHECK_OK(world, dt_group_broadcast(dt_world_group(world), 63, array));
    const int32_t *data = dt_array_const_data(array);
    CHECK_INT(data[0], 11);
    CHECK_INT(data[2], 11);
    CHECK_OK(world, dt_world_recover(world));
    dt_world_poison(world);
    CHECK_OK(world, dt_group_barrier(dt_world_group(world)));
    dt_array_release(array);
    CHECK_INT(dt_world_close(world), DT_OK);
}

static void refuses_ranks(dt_world *unused)
{
    (void)unused;
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    dt_world *world = NULL;
    dt_error error;
    options.transport = "sim";
    options.ranks = 10;
    options.rank = 10;
    CHECK_ERROR(&error, dt_world_open(&options, &world, &error), DT_ERR_INVALID,
                "rank 10 is out of range for a world of 10 ranks");
    options.rank = -1;
    CHECK_ERROR(&error, dt_world_open(&options, &world, &error), DT_ERR_INVALID,
                "rank -1");
    CHECK(world == NULL);
}

const dt_test dt_tests[] = {
    {"sees a hundred thousand ranks", sees_a_hundred_thousand_ranks},
    {"counts beyond 32 bits", counts_beyond_32_bits},
    {"refuses what does not fit", refuses_what_does_not_fit},
    {"makes groups of some", makes_groups_of_some},
    {"runs calls under way", runs_calls_under_way},
    {"keeps elements", keeps_elements},
    {"refuses ranks", refuses_ranks},
    {NULL, NULL},
};
