/* ranks: 1 2 3 4 7 */
/* tests/ranks/comm_trace.c - what was sent, counted by formula. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ranks/comm_arrays.h"

#include <dtensor/trace.h>

enum { MAX_RANKS = 16 };

static void check_counter(dt_world *world, dt_collective kind, int64_t calls,
                          int64_t sent, int64_t received)
{
    dt_trace_counter counter = dt_trace_count(world, kind);
    CHECKF(counter.calls == (uint64_t)calls &&
               counter.bytes_sent == (uint64_t)sent &&
               counter.bytes_received == (uint64_t)received,
           "%s: %llu calls, %llu sent, %llu received; not %lld, %lld, %lld",
           dt_collective_name(kind), (unsigned long long)counter.calls,
           (unsigned long long)counter.bytes_sent,
           (unsigned long long)counter.bytes_received, (long long)calls,
           (long long)sent, (long long)received);
}

/* Blocks of n elements of 8 bytes; p ranks. */
static void counts_even_blocks(dt_world *world)
{
    dt_group *group = dt_world_group(world);
    const int64_t n = 1000;
    int p = dt_world_size(world);
    int rank = dt_world_rank(world);
    bool is_root = rank == p - 1;
    dt_array *block = make_array(world, DT_I64, n);
    dt_array *whole = make_array(world, DT_I64, n * p);
    dt_array *other = make_array(world, DT_I64, n * p);
    wipe(block, 0);
    wipe(whole, 0);
    dt_trace_clear(world);
    CHECK_OK(world, dt_group_barrier(group));
    check_counter(world, DT_BARRIER, 1, 0, 0);
    /* A whole of n p elements: 2 n p (p - 1) / p = 2 n (p - 1). */
    CHECK_OK(world, dt_group_all_reduce(group, DT_SUM, whole, whole));
    check_counter(world, DT_ALL_REDUCE, 1, 16 * n * (p - 1), 16 * n * (p - 1));
    CHECK_OK(world, dt_group_all_gather(group, block, NULL, whole));
    CHECK_OK(world, dt_group_all_gather(group, block, NULL, whole));
    check_counter(world, DT_ALL_GATHER, 2, 16 * n * (p - 1), 16 * n * (p - 1));
    CHECK_OK(world, dt_group_reduce_scatter(group, DT_SUM, whole, NULL, block));
    check_counter(world, DT_REDUCE_SCATTER, 1, 8 * n * (p - 1),
                  8 * n * (p - 1));
    CHECK_OK(world, dt_group_all_to_all(group, whole, NULL, NULL, other));
    check_counter(world, DT_ALL_TO_ALL, 1, 8 * n * (p - 1), 8 * n * (p - 1));
    CHECK_OK(world, dt_group_broadcast(group, p - 1, block));
    check_counter(world, DT_BROADCAST, 1, is_root && p > 1 ? 8 * n : 0,
                  is_root ? 0 : 8 * n);
    CHECK_OK(world, dt_group_scatter(group, p - 1, whole, NULL, block));
    check_counter(world, DT_SCATTER, 1, is_root ? 8 * n * (p - 1) : 0,
                  is_root ? 0 : 8 * n);
    CHECK_OK(world, dt_group_gather(group, p - 1, block, NULL, whole));
    check_counter(world, DT_GATHER, 1, is_root ? 0 : 8 * n,
                  is_root ? 8 * n * (p - 1) : 0);
    if (p > 1 && rank == 0)
        CHECK_OK(world, dt_group_send(group, p - 1, block));
    if (p > 1 && is_root)
        CHECK_OK(world, dt_group_receive(group, 0, block));
    check_counter(world, DT_SEND, p > 1 && rank == 0,
                  p > 1 && rank == 0 ? 8 * n : 0, 0);
    check_counter(world, DT_RECEIVE, p > 1 && is_root, 0,
                  p > 1 && is_root ? 8 * n : 0);
    dt_array_release(block);
    dt_array_release(whole);
    dt_array_release(other);
}

/* Member i has i + 1 elements of 2 bytes. */
static void counts_uneven_blocks(dt_world *world)
{
    dt_group *group = dt_world_group(world);
    int p = dt_world_size(world);
    int rank = dt_world_rank(world);
    int64_t counts[MAX_RANKS], total = p * (p + 1) / 2, mine = rank + 1;
    for (int i = 0; i < p; i++)
        counts[i] = i + 1;
    dt_array *block = make_array(world, DT_I16, mine);
    dt_array *whole = make_array(world, DT_I16, total);
    dt_array *odd = make_array(world, DT_I16, 7);
    wipe(block, 0);
    wipe(whole, 0);
    wipe(odd, 0);
    dt_trace_clear(world);
    CHECK_OK(world, dt_group_all_gather(group, block, counts, whole));
    check_counter(world, DT_ALL_GATHER, 1, 2 * mine * (p - 1),
                  2 * (total - mine));
    CHECK_OK(world,
             dt_group_reduce_scatter(group, DT_SUM, whole, counts, block));
    check_counter(world, DT_REDUCE_SCATTER, 1, 2 * (total - mine),
                  2 * mine * (p - 1));
    CHECK_OK(world, dt_group_scatter(group, 0, whole, counts, block));
    check_counter(world, DT_SCATTER, 1, rank ? 0 : 2 * (total - 1),
                  rank ? 2 * mine : 0);
    CHECK_OK(world, dt_group_gather(group, 0, block, counts, whole));
    check_counter(world, DT_GATHER, 1, rank ? 2 * mine : 0,
                  rank ? 0 : 2 * (total - 1));
    /* 7 elements do not divide by p: each rank keeps the floor. */
    CHECK_OK(world, dt_group_all_reduce(group, DT_MAX, odd, odd));
    int64_t moved = 2 * 2 * (7 - 7 / p);
    check_counter(world, DT_ALL_REDUCE, 1, p > 1 ? moved : 0,
                  p > 1 ? moved : 0);
    dt_array_release(block);
    dt_array_release(whole);
    dt_array_release(odd);
}

/* Rank i sends i + j + 1 elements to rank j. */
static void counts_an_exchange(dt_world *world)
{
    dt_group *group = dt_world_group(world);
    int p = dt_world_size(world);
    int rank = dt_world_rank(world);
    int64_t counts[MAX_RANKS], total = 0;
    for (int i = 0; i < p; i++)
        total += counts[i] = i + rank + 1;
    dt_array *in = make_array(world, DT_C64, total);
    dt_array *out = make_array(world, DT_C64, total);
    wipe(in, 0);
    dt_trace_clear(world);
    CHECK_OK(world, dt_group_all_to_all(group, in, counts, counts, out));
    int64_t moved = 8 * (total - counts[rank]);
    check_counter(world, DT_ALL_TO_ALL, 1, moved, moved);
    dt_array_release(in);
    dt_array_release(out);
}

/* The number of a call of a group: the tests before have made some. */
static int64_t call_number(dt_world *world, dt_group *group)
{
    size_t count;
    dt_trace_clear(world);
    dt_trace_record(world, true);
    CHECK_OK(world, dt_group_barrier(group));
    dt_trace_record(world, false);
    const dt_trace_event *events = dt_trace_events(world, &count);
    return CHECK_INT(count, 1) ? (int64_t)events[0].sequence : 0;
}

static void records_events(dt_world *world)
{
    dt_group *group = dt_world_group(world), *backwards = NULL;
    int p = dt_world_size(world);
    int rank = dt_world_rank(world);
    size_t count = 99;
    int64_t before = call_number(world, group);
    dt_trace_clear(world);
    dt_array *array = make_array(world, DT_F32, 12);
    wipe(array, 0);
    CHECK_OK(world, dt_group_broadcast(group, 0, array));
    (void)dt_trace_events(world, &count);
    CHECK_INT(count, 0);
    CHECK_OK(world, dt_group_split(group, 0, -rank, &backwards));
    dt_trace_record(world, true);
    CHECK_OK(world, dt_group_all_reduce(backwards, DT_MIN, array, array));
    CHECK_OK(world, dt_group_broadcast(group, p - 1, array));
    dt_trace_record(world, false);
    CHECK_OK(world, dt_group_barrier(group));
    const dt_trace_event *events = dt_trace_events(world, &count);
    if (CHECK_INT(count, 2)) {
        CHECK_INT(events[0].kind, DT_ALL_REDUCE);
        CHECK_INT(events[0].op, DT_MIN);
        CHECK_INT(events[0].dtype, DT_F32);
        CHECK_INT(events[0].root, -1);
        CHECK_INT(events[0].group_size, p);
        CHECK_INT(events[0].sequence, p > 1 ? 1 : before + 3);
        CHECK_INT(events[0].count, 12);
        CHECK_INT(events[1].kind, DT_BROADCAST);
        CHECK_INT(events[1].root, p - 1);
        /* After a broadcast and a split; alone, in the same group. */
        CHECK_INT(events[1].sequence, before + (p > 1 ? 3 : 4));
        CHECK((events[0].group == events[1].group) == (p == 1));
    }
    dt_trace_clear(world);
    (void)dt_trace_events(world, &count);
    CHECK_INT(count, 0);
    check_counter(world, DT_BROADCAST, 0, 0, 0);
    dt_array_release(array);
}

/* Group numbers are the same on every rank; messages name the other rank. */
static void names_groups_and_peers(dt_world *world)
{
    dt_group *group = dt_world_group(world), *backwards = NULL;
    int p = dt_world_size(world);
    int rank = dt_world_rank(world);
    size_t count = 0;
    dt_array *box = make_array(world, DT_I64, 3);
    dt_array *numbers = make_array(world, DT_I64, p);
    wipe(box, 0);
    CHECK_OK(world, dt_group_split(group, 0, -rank, &backwards));
    dt_trace_record(world, true);
    CHECK_OK(world, dt_group_barrier(backwards));
    int to = (dt_group_rank(backwards) + 1) % p;
    int from = (dt_group_rank(backwards) + p - 1) % p;
    if (p > 1) {
        CHECK_OK(world, dt_group_send(backwards, to, box));
        CHECK_OK(world, dt_group_receive(backwards, from, box));
    }
    dt_trace_record(world, false);
    const dt_trace_event *events = dt_trace_events(world, &count);
    CHECK_INT(count, p > 1 ? 3 : 1);
    dt_array *mine = make_array(world, DT_I64, 1);
    *(uint64_t *)dt_array_data(mine) = events[0].group;
    if (p > 1) {
        CHECK_INT(events[1].kind, DT_SEND);
        CHECK_INT(events[1].root, to);
        CHECK_INT(events[1].bytes_sent, 24);
        CHECK_INT(events[1].sequence, 1);
        CHECK_INT(events[2].kind, DT_RECEIVE);
        CHECK_INT(events[2].root, from);
        CHECK_INT(events[2].bytes_received, 24);
    }
    CHECK_OK(world, dt_group_all_gather(group, mine, NULL, numbers));
    const uint64_t *all = dt_array_const_data(numbers);
    for (int i = 1; i < p; i++)
        CHECK(all[i] == all[0]);
    dt_array_release(mine);
    dt_array_release(box);
    dt_array_release(numbers);
}

/* How many others each call hears from. */
static void counts_peers(dt_world *world)
{
    dt_group *group = dt_world_group(world);
    int p = dt_world_size(world), rank = dt_world_rank(world);
    int64_t give[MAX_RANKS] = {0}, take[MAX_RANKS] = {0};
    dt_array *block = make_array(world, DT_I16, 2),
             *whole = make_array(world, DT_I16, 2 * p);
    dt_array *one = make_array(world, DT_I16, 1),
             *other = make_array(world, DT_I16, 1);
    wipe(block, 0);
    wipe(whole, 0);
    wipe(one, 0);
    give[(rank + 1) % p] = take[(rank + p - 1) % p] = 1;
    dt_trace_clear(world);
    dt_trace_record(world, true);
    CHECK_OK(world, dt_group_all_reduce(group, DT_SUM, block, block));
    CHECK_OK(world, dt_group_all_gather(group, block, NULL, whole));
    CHECK_OK(world, dt_group_broadcast(group, 0, block));
    CHECK_OK(world, dt_group_gather(group, 0, block, NULL, whole));
    CHECK_OK(world, dt_group_all_to_all(group, one, give, take, other));
    dt_trace_record(world, false);
    const int64_t expected[] = {p - 1, p - 1, p > 1, rank ? 1 : p - 1, p > 1};
    size_t count = 0;
    const dt_trace_event *events = dt_trace_events(world, &count);
    if (CHECK_INT(count, 5))
        for (int i = 0; i < 5; i++)
            CHECK_INT(events[i].peers, expected[i]);
    dt_trace_clear(world);
    dt_array_release(block);
    dt_array_release(whole);
    dt_array_release(one);
    dt_array_release(other);
}

/* A redistribution hears from those who have what it lacks, and says so. */
static void names_layouts(dt_world *world)
{
    dt_mesh *mesh = NULL;
    size_t count = 0;
    int p = dt_world_size(world);
    if (!CHECK_OK(world, dt_mesh_create(world, "x", &mesh)))
        return;
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *rows = dt_ones(mesh, "S(0)", DT_F32, DT_SHAPE(4 * p, 4 * p));
    dt_trace_clear(world);
    dt_trace_record(world, true);
    CHECK(dt_redistribute(rows, "S(1)") != NULL);
    dt_trace_record(world, false);
    const dt_trace_event *events = dt_trace_events(world, &count);
    CHECK_INT(count, p > 1);
    if (count == 1) {
        CHECK_TEXT(events[0].origin, "S(0) -> S(1)");
        CHECK_INT(events[0].peers, p - 1);
    }
    dt_trace_clear(world);
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
}

const dt_test dt_tests[] = {
    {"counts even blocks", counts_even_blocks},
    {"counts uneven blocks", counts_uneven_blocks},
    {"counts an exchange", counts_an_exchange},
    {"records events", records_events},
    {"names groups and peers", names_groups_and_peers},
    {"counts peers", counts_peers},
    {"names layouts", names_layouts},
    {NULL, NULL},
};
