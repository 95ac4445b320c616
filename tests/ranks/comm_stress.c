/* ranks: 1 2 3 4 7 */
/* tests/ranks/comm_stress.c - ranks that wait for each other, rightly. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ranks/comm_arrays.h"

/*
 * Ranks wait in overlapping groups, for longer than it takes to suspect that
 * they wait for one another; none of it is wrong, and none may be reported.
 */

enum { ROUNDS = 30, MAX_RANKS = 16 };

/* The groups {0, 1}, {1, 2}, ...: chains of ranks that wait. */
typedef struct chain {
    dt_group *group[2]; /* with the rank before, with the rank behind */
} chain;

static void make_chain(dt_world *world, chain *out)
{
    int rank = dt_world_rank(world);
    *out = (chain){{NULL, NULL}};
    if (rank > 0)
        CHECK_OK(world, dt_group_create(world, (int[]){rank - 1, rank}, 2,
                                        &out->group[0]));
    if (rank < dt_world_size(world) - 1)
        CHECK_OK(world, dt_group_create(world, (int[]){rank, rank + 1}, 2,
                                        &out->group[1]));
}

static void dawdle(unsigned long long *random)
{
    unsigned long long number = dt_test_random(random);
    switch (number % 8) {
    case 0:
        sleep_microseconds(number / 8 % 12000);
        break;
    case 1:
    case 2:
        sleep_microseconds(number / 8 % 2000);
        break;
    default:
        break;
    }
}

static void add_up(dt_group *group, int64_t count)
{
    dt_world *world = dt_group_world(group);
    dt_array *array = make_array(world, DT_I64, count);
    CHECK_OK(world, dt_array_fill_int(world, array, 3));
    CHECK_OK(world, dt_group_all_reduce(group, DT_SUM, array, array));
    const int64_t *data = dt_array_const_data(array);
    CHECK_INT(data[count - 1], 3 * dt_group_size(group));
    dt_array_release(array);
}

/* Forwards through the chain, then backwards. */
static void walk_chain(const chain *c, bool backwards, int64_t count)
{
    for (int i = 0; i < 2; i++) {
        dt_group *group = c->group[backwards ? !i : i];
        if (group)
            add_up(group, count);
    }
}

/* A token goes around; everyone else waits for it. */
static void pass_token(dt_group *group, int64_t count)
{
    dt_world *world = dt_group_world(group);
    int size = dt_group_size(group);
    int rank = dt_group_rank(group);
    int left = (rank + size - 1) % size;
    dt_array *token = make_array(world, DT_I64, count);
    CHECK_OK(world, dt_array_fill_int(world, token, 9));
    if (size > 1 && rank > 0)
        CHECK_OK(world, dt_group_receive(group, left, token));
    if (size > 1)
        CHECK_OK(world, dt_group_send(group, (rank + 1) % size, token));
    if (size > 1 && rank == 0)
        CHECK_OK(world, dt_group_receive(group, left, token));
    CHECK_INT(*(const int64_t *)dt_array_const_data(token), 9);
    dt_array_release(token);
}

static void never_reports_a_cycle(dt_world *world)
{
    unsigned long long common = dt_test_seed();
    unsigned long long mine = common + (unsigned)dt_world_rank(world) + 1;
    dt_group *all = dt_world_group(world), *parity = NULL, *backwards = NULL;
    int rank = dt_world_rank(world);
    chain c;
    make_chain(world, &c);
    CHECK_OK(world, dt_group_split(all, rank % 2, 0, &parity));
    CHECK_OK(world, dt_group_split(all, 0, -rank, &backwards));
    for (int round = 0; round < ROUNDS; round++) {
        unsigned long long number = dt_test_random(&common);
        int64_t count = number & 8 ? 4 : 5000;
        dt_handle *handle = NULL;
        dt_array *array = make_array(world, DT_I64, 2000);
        CHECK_OK(world, dt_array_fill_int(world, array, 1));
        dawdle(&mine);
        CHECK_OK(world, dt_group_all_reduce_async(backwards, DT_SUM, array,
                                                  array, &handle));
        dawdle(&mine);
        walk_chain(&c, number & 1, count);
        dawdle(&mine);
        add_up(parity, count);
        if (number & 2)
            pass_token(number & 4 ? all : backwards, count);
        walk_chain(&c, !(number & 1), count);
        dawdle(&mine);
        CHECK_OK(world, dt_handle_wait(handle));
        CHECK_INT(*(const int64_t *)dt_array_const_data(array),
                  dt_world_size(world));
        dt_handle_release(handle);
        dt_array_release(array);
        if (number & 16)
            CHECK_OK(world, dt_group_barrier(all));
    }
}

/* One rank after the other takes its time. */
static void waits_for_slow_ranks(dt_world *world)
{
    dt_group *group = dt_world_group(world);
    for (int slow = 0; slow < dt_world_size(world); slow++) {
        if (dt_world_rank(world) == slow)
            sleep_microseconds(50000);
        add_up(group, 7);
    }
}

const dt_test dt_tests[] = {
    {"never reports a cycle", never_reports_a_cycle},
    {"waits for slow ranks", waits_for_slow_ranks},
    {NULL, NULL},
};
