/* tests/unit/comm/cycle.c - ranks that wait for one another are found. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/comm/scenario.h"

enum { LARGE = 20000 };

static dt_group *list(dt_world *world, int first, int second)
{
    dt_group *group = NULL;
    CHECK_OK(world, dt_group_create(world, (int[]){first, second}, 2, &group));
    return group;
}

/* Every rank of a cycle gets the same sentence, with all ranks in it. */
static void expect_cycle(const scenario *s, int ranks, const char *word)
{
    for (int rank = 0; rank < ranks; rank++) {
        expect_rank(s, rank, DT_ERR_DIVERGED, "deadlock", word, NULL);
        for (int other = 0; other < ranks; other++) {
            char who[32];
            snprintf(who, sizeof who, "rank %d in", other);
            CHECKF(strstr(s->message[rank], who) != NULL,
                   "rank %d: the message lacks \"%s\": %s", rank, who,
                   s->message[rank]);
        }
    }
    CHECK_INT(s->run_status, DT_ERR_DIVERGED);
}

/* Two ranks, two groups of both: each waits in its own. */
static dt_status wait_in_two_groups(dt_world *world, scenario *s)
{
    (void)s;
    dt_group *forwards = list(world, 0, 1), *backwards = list(world, 1, 0);
    CHECK_OK(world, dt_group_barrier(forwards));
    return dt_group_barrier(dt_world_rank(world) ? backwards : forwards);
}

static void finds_two_groups(dt_world *world)
{
    (void)world;
    scenario s = {.ranks = 2, .body = wait_in_two_groups};
    play(&s);
    expect_cycle(&s, 2, "rank 0 in barrier #2 of ranks 0-1 for rank 1");
    expect_cycle(&s, 2, "rank 1 in barrier #1 of ranks 1,0 for rank 0");
}

/* Rank i waits in the group {i, i + 1}. */
static dt_status wait_in_a_circle(dt_world *world, scenario *s)
{
    int rank = dt_world_rank(world);
    int next = (rank + 1) % s->ranks;
    int before = (rank + s->ranks - 1) % s->ranks;
    dt_group *mine = list(world, rank, next);
    (void)list(world, before, rank);
    if (!s->arg)
        return dt_group_barrier(mine);
    /* The same with calls under way. */
    dt_handle *handle = NULL;
    dt_array *array = ones(world, DT_F32, LARGE);
    dt_status status =
        dt_group_all_reduce_async(mine, DT_SUM, array, array, &handle);
    if (status == DT_OK)
        status = dt_handle_wait(handle);
    dt_handle_release(handle);
    dt_array_release(array);
    return status;
}

static void finds_circles(dt_world *world)
{
    (void)world;
    for (int ranks = 3; ranks < 6; ranks++) {
        for (int async = 0; async < 2; async++) {
            scenario s = {.ranks = ranks,
                          .body = wait_in_a_circle,
                          .arg = async ? "async" : NULL};
            play(&s);
            expect_cycle(&s, ranks, async ? "all-reduce" : "barrier");
        }
    }
}

/* Both send more than the board holds, and nobody receives. */
static dt_status send_to_each_other(dt_world *world, scenario *s)
{
    (void)s;
    dt_group *group = dt_world_group(world);
    int peer = 1 - dt_world_rank(world);
    dt_array *array = ones(world, DT_F32, LARGE);
    dt_status status = dt_group_send(group, peer, array);
    if (status == DT_OK)
        status = dt_group_receive(group, peer, array);
    dt_array_release(array);
    return status;
}

static void finds_senders(dt_world *world)
{
    (void)world;
    scenario s = {.ranks = 2, .body = send_to_each_other};
    play(&s);
    expect_cycle(&s, 2, "send #1 of ranks 0 to 1");
    expect_cycle(&s, 2, "send #1 of ranks 1 to 0");
}

/* Both send small messages until there is no room for more. */
static dt_status send_without_end(dt_world *world, scenario *s)
{
    (void)s;
    dt_group *group = dt_world_group(world);
    dt_array *array = ones(world, DT_F32, 2);
    dt_status status = DT_OK;
    for (int i = 0; i < 100 && status == DT_OK; i++)
        status = dt_group_send(group, 1 - dt_world_rank(world), array);
    dt_array_release(array);
    return status;
}

static void finds_full_boards(dt_world *world)
{
    (void)world;
    scenario s = {.ranks = 2, .body = send_without_end};
    play(&s);
    expect_cycle(&s, 2, "send");
}

static dt_status receive_from_each_other(dt_world *world, scenario *s)
{
    (void)s;
    dt_array *array = ones(world, DT_F32, 2);
    dt_status status = dt_group_receive(dt_world_group(world),
                                        1 - dt_world_rank(world), array);
    dt_array_release(array);
    return status;
}

static void finds_receivers(dt_world *world)
{
    (void)world;
    scenario s = {.ranks = 2, .body = receive_from_each_other};
    play(&s);
    expect_cycle(&s, 2, "receive #1 of ranks 0 to 1");
}

/* Ranks 0 and 1 wait for one another, 2 and 3 for all; they are told too. */
static dt_status wait_among_others(dt_world *world, scenario *s)
{
    (void)s;
    int rank = dt_world_rank(world);
    dt_group *pair = rank < 2 ? list(world, 0, 1) : NULL;
    CHECK_OK(world, dt_group_barrier(dt_world_group(world)));
    return dt_group_barrier(rank == 0 ? pair : dt_world_group(world));
}

static void tells_those_who_wait(dt_world *world)
{
    (void)world;
    scenario s = {.ranks = 4, .body = wait_among_others};
    play(&s);
    for (int rank = 0; rank < 4; rank++)
        expect_rank(&s, rank, DT_ERR_DIVERGED, "deadlock",
                    "rank 0 in barrier #1 of ranks 0-1", "rank 1 in barrier #2",
                    NULL);
}

/* One rank waits for a message, the other in a collective. */
static dt_status mix_kinds(dt_world *world, scenario *s)
{
    (void)s;
    dt_group *group = dt_world_group(world);
    dt_array *array = ones(world, DT_F32, 2);
    dt_status status = dt_world_rank(world)
                           ? dt_group_receive(group, 0, array)
                           : dt_group_all_reduce(group, DT_SUM, array, array);
    dt_array_release(array);
    return status;
}

static void finds_mixed_kinds(dt_world *world)
{
    (void)world;
    scenario s = {.ranks = 2, .body = mix_kinds};
    play(&s);
    expect_cycle(&s, 2, "rank 0 in all-reduce #1 of ranks 0-1 for rank 1");
    expect_cycle(&s, 2, "rank 1 in receive #1 of ranks 0 to 1 for rank 0");
}

/* Once found, the world recovers. */
static dt_status wait_and_recover(dt_world *world, scenario *s)
{
    for (int i = 0; i < 3; i++) {
        CHECK_INT(wait_in_a_circle(world, s), DT_ERR_DIVERGED);
        CHECK_OK(world, dt_world_recover(world));
        CHECK_OK(world, add_up(world, 5));
    }
    return DT_OK;
}

static void recovers_from_circles(dt_world *world)
{
    (void)world;
    scenario s = {.ranks = 3, .body = wait_and_recover};
    play(&s);
    CHECK_INT(s.run_status, DT_OK);
}

const dt_test dt_tests[] = {
    {"finds two groups", finds_two_groups},
    {"finds circles", finds_circles},
    {"finds senders", finds_senders},
    {"finds full boards", finds_full_boards},
    {"finds receivers", finds_receivers},
    {"finds mixed kinds", finds_mixed_kinds},
    {"tells those who wait", tells_those_who_wait},
    {"recovers from circles", recovers_from_circles},
    {NULL, NULL},
};
