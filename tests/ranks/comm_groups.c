/* ranks: 1 2 3 4 7 */
/* tests/ranks/comm_groups.c - groups by list and by splitting. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ranks/comm_arrays.h"

#include <limits.h>

enum { MAX_RANKS = 16 };

/* Check who is in a group by asking every member who it is. */
static void check_members(dt_group *group, const int *ranks, int count)
{
    dt_world *world = dt_group_world(group);
    CHECK_INT(dt_group_size(group), count);
    CHECK_INT(dt_group_ranks(group)[dt_group_rank(group)],
              dt_world_rank(world));
    dt_array *mine = make_array(world, DT_I32, 1);
    dt_array *all = make_array(world, DT_I32, count);
    *(int32_t *)dt_array_data(mine) = dt_world_rank(world);
    CHECK_OK(world, dt_group_all_gather(group, mine, NULL, all));
    const int32_t *answers = dt_array_const_data(all);
    for (int i = 0; i < count; i++) {
        CHECK_INT(dt_group_ranks(group)[i], ranks[i]);
        CHECK_INT(answers[i], ranks[i]);
    }
    dt_array_release(mine);
    dt_array_release(all);
}

static void knows_the_world(dt_world *world)
{
    int ranks[MAX_RANKS];
    dt_group *group = dt_world_group(world);
    CHECK(dt_group_world(group) == world);
    CHECK_INT(dt_group_rank(group), dt_world_rank(world));
    for (int i = 0; i < dt_world_size(world); i++)
        ranks[i] = i;
    check_members(group, ranks, dt_world_size(world));
    dt_group *again = NULL;
    CHECK_OK(world,
             dt_group_create(world, ranks, dt_world_size(world), &again));
    CHECK(again == group);
}

/* Even and odd ranks, in reverse. */
static void splits_by_parity(dt_world *world)
{
    int size = dt_world_size(world);
    int rank = dt_world_rank(world);
    int ranks[MAX_RANKS], count = 0;
    dt_group *group = NULL;
    CHECK_OK(world,
             dt_group_split(dt_world_group(world), rank % 2, -rank, &group));
    for (int i = size - 1; i >= 0; i--)
        if (i % 2 == rank % 2)
            ranks[count++] = i;
    check_members(group, ranks, count);
    dt_group *again = NULL;
    CHECK_OK(world, dt_group_create(world, ranks, count, &again));
    CHECK(again == group);
}

/* Equal keys keep the order of ranks; extreme numbers are only numbers. */
static void splits_by_keys(dt_world *world)
{
    int size = dt_world_size(world);
    int rank = dt_world_rank(world);
    int ranks[MAX_RANKS], count = 0;
    dt_group *group = NULL;
    CHECK_OK(world, dt_group_split(dt_world_group(world), INT_MAX,
                                   rank % 3 == 0 ? INT_MAX : INT_MIN, &group));
    for (int i = 0; i < size; i++)
        if (i % 3)
            ranks[count++] = i;
    for (int i = 0; i < size; i += 3)
        ranks[count++] = i;
    check_members(group, ranks, size);
}

static void leaves_ranks_out(dt_world *world)
{
    int size = dt_world_size(world);
    int rank = dt_world_rank(world);
    int ranks[MAX_RANKS];
    dt_group *group = dt_world_group(world);
    CHECK_OK(world,
             dt_group_split(dt_world_group(world), rank ? 4 : -1, 0, &group));
    for (int i = 0; i < size; i++)
        ranks[i] = i + 1;
    CHECK((group == NULL) == (rank == 0));
    if (group)
        check_members(group, ranks, size - 1);
    /* None at all. */
    CHECK_OK(world,
             dt_group_split(dt_world_group(world), -1 - rank, 0, &group));
    CHECK(group == NULL);
}

/* Halves of halves, until each rank is alone. */
static void splits_groups_of_groups(dt_world *world)
{
    dt_group *group = dt_world_group(world);
    int size = dt_world_size(world), first = 0;
    while (size > 1) {
        int ranks[MAX_RANKS];
        int half = size / 2;
        int place = dt_group_rank(group);
        bool upper = place >= half;
        CHECK_OK(world, dt_group_split(group, upper, 0, &group));
        first += upper ? half : 0;
        size = upper ? size - half : half;
        for (int i = 0; i < size; i++)
            ranks[i] = first + i;
        check_members(group, ranks, size);
    }
    CHECK_INT(dt_group_size(group), 1);
    CHECK_INT(dt_group_ranks(group)[0], dt_world_rank(world));
    CHECK_OK(world, dt_group_barrier(group));
}

/* Pairs in both directions are two groups with calls of their own. */
static void lists_in_any_order(dt_world *world)
{
    int size = dt_world_size(world);
    int rank = dt_world_rank(world);
    for (int a = 0; a < size; a++) {
        for (int b = 0; b < size; b++) {
            int ranks[] = {a, b};
            dt_group *group = NULL;
            if (a == b || (rank != a && rank != b))
                continue;
            CHECK_OK(world, dt_group_create(world, ranks, 2, &group));
            check_members(group, ranks, 2);
            dt_group *again = NULL;
            ranks[0] = a;
            CHECK_OK(world, dt_group_create(world, ranks, 2, &again));
            CHECK(again == group);
        }
    }
}

static void refuses_lists(dt_world *world)
{
    int size = dt_world_size(world);
    int rank = dt_world_rank(world);
    dt_group *group = NULL;
    CHECK_FAILS(world, dt_group_create(world, &rank, 0, &group), DT_ERR_INVALID,
                "count is 0");
    CHECK_FAILS(world, dt_group_create(world, &rank, -1, &group),
                DT_ERR_INVALID, "count is -1");
    CHECK_FAILS(world, dt_group_create(world, (int[]){rank, size}, 2, &group),
                DT_ERR_INVALID, "for a world of");
    CHECK_FAILS(world, dt_group_create(world, (int[]){-3, rank}, 2, &group),
                DT_ERR_INVALID, "rank -3");
    CHECK_FAILS(world, dt_group_create(world, (int[]){rank, rank}, 2, &group),
                DT_ERR_INVALID, "twice");
    if (size > 1)
        CHECK_FAILS(
            world,
            dt_group_create(world, (int[]){(rank + 1) % size}, 1, &group),
            DT_ERR_INVALID, "is not in the list");
    CHECK(group == NULL);
    CHECK_OK(world, dt_group_barrier(dt_world_group(world)));
}

/* What every rank gets wrong alike is refused before anything is sent. */
static void refuses_arguments(dt_world *world)
{
    dt_group *group = dt_world_group(world);
    int size = dt_world_size(world);
    int64_t negative[MAX_RANKS] = {-1}, huge[MAX_RANKS];
    for (int i = 0; i < MAX_RANKS; i++)
        huge[i] = INT64_MAX;
    dt_array *one = make_array(world, DT_F32, 1);
    dt_array *whole = make_array(world, DT_F32, size);
    dt_array *more = make_array(world, DT_F32, size + 1);
    dt_array *other = make_array(world, DT_F64, size);
    dt_array *meta = NULL, *twisted = NULL, *table = NULL;
    CHECK_OK(world, dt_array_create_meta(world, DT_F32, DT_SHAPE(size), &meta));
    CHECK_OK(world, dt_array_create(world, DT_F32, DT_SHAPE(2, 2), &table));
    CHECK_OK(world, dt_array_permute(world, table, (int[]){1, 0}, &twisted));

    CHECK_FAILS(world, dt_group_all_reduce(group, DT_SUM, NULL, one),
                DT_ERR_INVALID, "input is NULL");
    CHECK_FAILS(world, dt_group_all_reduce(group, DT_SUM, one, NULL),
                DT_ERR_INVALID, "output is NULL");
    CHECK_FAILS(world, dt_group_all_reduce(group, DT_SUM, whole, more),
                DT_ERR_INVALID, "elements");
    CHECK_FAILS(world, dt_group_all_reduce(group, DT_SUM, whole, other),
                DT_ERR_INVALID, "f64");
    CHECK_FAILS(world, dt_group_all_reduce(group, DT_SUM, twisted, table),
                DT_ERR_INVALID, "contiguous");
    CHECK_FAILS(world, dt_group_all_reduce(group, DT_SUM, meta, whole),
                DT_ERR_INVALID, "meta");
    CHECK_FAILS(world, dt_group_all_gather(group, one, NULL, more),
                DT_ERR_INVALID, "all-gather");
    CHECK_FAILS(world, dt_group_all_gather(group, one, negative, whole),
                DT_ERR_INVALID, "is -1");
    if (size > 1)
        CHECK_FAILS(world, dt_group_all_gather(group, one, huge, whole),
                    DT_ERR_INVALID, "count of rank 1");
    CHECK_FAILS(world, dt_group_reduce_scatter(group, DT_SUM, more, NULL, one),
                DT_ERR_INVALID, "reduce-scatter");
    CHECK_FAILS(world, dt_group_all_to_all(group, whole, negative, NULL, whole),
                DT_ERR_INVALID, "NULL");
    if (size > 1)
        CHECK_FAILS(world, dt_group_all_to_all(group, more, NULL, NULL, whole),
                    DT_ERR_INVALID, "not a multiple");
    CHECK_FAILS(world, dt_group_broadcast(group, size, one), DT_ERR_INVALID,
                "for a group of");
    CHECK_FAILS(world, dt_group_scatter(group, -1, whole, NULL, one),
                DT_ERR_INVALID, "rank -1");
    CHECK_FAILS(world, dt_group_gather(group, 0, NULL, NULL, whole),
                DT_ERR_INVALID, "NULL");
    CHECK_FAILS(world, dt_group_send(group, size, one), DT_ERR_INVALID,
                "for a group of");
    CHECK_FAILS(world, dt_group_send(group, dt_group_rank(group), one),
                DT_ERR_INVALID, "both sender and receiver");
    CHECK_FAILS(world, dt_group_receive(group, dt_group_rank(group), one),
                DT_ERR_INVALID, "both sender and receiver");
    CHECK_OK(world, dt_group_barrier(group));

    dt_array_release(one);
    dt_array_release(whole);
    dt_array_release(more);
    dt_array_release(other);
    dt_array_release(meta);
    dt_array_release(twisted);
    dt_array_release(table);
}

/* Input and output must not overlap, except in place in an all-reduce. */
static void refuses_shared_memory(dt_world *world)
{
    dt_group *group = dt_world_group(world);
    int size = dt_world_size(world);
    dt_array *base = make_array(world, DT_F32, 2 * size + 1);
    dt_array *low = NULL, *high = NULL, *one = NULL;
    CHECK_OK(world, dt_array_slice(world, base, 0, 0, size + 1, 1, &low));
    CHECK_OK(world,
             dt_array_slice(world, base, 0, size, 2 * size + 1, 1, &high));
    CHECK_OK(world, dt_array_slice(world, base, 0, 0, 1, 1, &one));
    CHECK_FAILS(world, dt_group_all_reduce(group, DT_SUM, low, high),
                DT_ERR_INVALID, "overlaps");
    CHECK_FAILS(world, dt_group_all_to_all(group, base, NULL, NULL, base),
                DT_ERR_INVALID, NULL);
    dt_array *whole = NULL;
    CHECK_OK(world, dt_array_slice(world, base, 0, 0, size, 1, &whole));
    CHECK_FAILS(world, dt_group_all_gather(group, one, NULL, whole),
                DT_ERR_INVALID, "overlaps");
    wipe(base, 0);
    CHECK_OK(world, dt_group_all_reduce(group, DT_SUM, low, low));
    dt_array_release(base);
    dt_array_release(low);
    dt_array_release(high);
    dt_array_release(one);
    dt_array_release(whole);
}

static void refuses_read_only_outputs(dt_world *world)
{
    static const float zero[4];
    dt_group *group = dt_world_group(world);
    dt_wrap_options options = DT_WRAP_OPTIONS_INIT;
    options.data = (void *)(uintptr_t)zero;
    options.shape = DT_SHAPE(4);
    options.read_only = true;
    dt_array *fixed = NULL;
    CHECK_OK(world, dt_array_wrap(world, &options, &fixed));
    dt_array *out = make_array(world, DT_F32, 4);
    CHECK_FAILS(world, dt_group_all_reduce(group, DT_SUM, out, fixed),
                DT_ERR_INVALID, "read-only");
    CHECK_OK(world, dt_group_all_reduce(group, DT_SUM, fixed, out));
    CHECK(memcmp(dt_array_const_data(out), zero, sizeof zero) == 0);
    dt_array_release(fixed);
    dt_array_release(out);
}

const dt_test dt_tests[] = {
    {"knows the world", knows_the_world},
    {"splits by parity", splits_by_parity},
    {"splits by keys", splits_by_keys},
    {"leaves ranks out", leaves_ranks_out},
    {"splits groups of groups", splits_groups_of_groups},
    {"lists in any order", lists_in_any_order},
    {"refuses lists", refuses_lists},
    {"refuses arguments", refuses_arguments},
    {"refuses shared memory", refuses_shared_memory},
    {"refuses read-only outputs", refuses_read_only_outputs},
    {NULL, NULL},
};
