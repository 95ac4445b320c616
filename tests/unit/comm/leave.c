/* tests/unit/comm/leave.c - ranks that return, fail or stall while others wait.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdatomic.h>

#include "unit/comm/scenario.h"

enum { RANKS = 3, LARGE = 20000 };

/* Check every rank but the bad one. */
static void expect_others(const scenario *s, const char *first,
                          const char *second, const char *third)
{
    for (int rank = 0; rank < s->ranks; rank++)
        if (rank != s->bad)
            expect_rank(s, rank, DT_ERR_PEER, first, second, third, NULL);
}

static bool is_bad(const dt_world *world, const scenario *s)
{
    return dt_world_rank(world) == s->bad;
}

/* ---- Early return ------------------------------------------------------- */

static dt_status return_at_once(dt_world *world, scenario *s)
{
    return is_bad(world, s) ? DT_OK : dt_group_barrier(dt_world_group(world));
}

static dt_status return_after_calls(dt_world *world, scenario *s)
{
    CHECK_OK(world, dt_group_barrier(dt_world_group(world)));
    CHECK_OK(world, add_up(world, 3));
    return is_bad(world, s) ? DT_OK : add_up(world, LARGE);
}

/* Calls under way, waited for after the rank is gone. */
static dt_status return_while_under_way(dt_world *world, scenario *s)
{
    dt_group *group = dt_world_group(world);
    dt_handle *handles[2] = {NULL, NULL};
    dt_status status = DT_OK;
    if (is_bad(world, s))
        return DT_OK;
    dt_array *array = ones(world, DT_F32, LARGE);
    dt_array *other = ones(world, DT_F32, 1);
    status =
        dt_group_all_reduce_async(group, DT_SUM, array, array, &handles[0]);
    if (status == DT_OK)
        status =
            dt_group_all_reduce_async(group, DT_SUM, other, other, &handles[1]);
    /* To touch the array waits, and does not hang; nothing came. */
    CHECK(!handles[0] || dt_array_data(array) == NULL);
    for (int i = 0; i < 2; i++) {
        if (!handles[i])
            continue;
        CHECK(dt_handle_test(handles[i]));
        CHECK_FAILS(world, dt_handle_wait(handles[i]), DT_ERR_PEER, NULL);
        status = dt_handle_wait(handles[i]);
        dt_handle_release(handles[i]);
    }
    dt_array_release(array);
    dt_array_release(other);
    return status;
}

static void tells_of_an_early_return(dt_world *world)
{
    (void)world;
    for (int bad = 0; bad < RANKS; bad++) {
        char who[64];
        snprintf(who, sizeof who,
                 "rank %d returned from its program without joining", bad);
        scenario s = {.ranks = RANKS, .bad = bad, .body = return_at_once};
        play(&s);
        expect_others(&s, who, "barrier, call #1 of ranks 0-2",
                      "last seen before its first call");
        CHECK_INT(s.status[bad], DT_OK);
        CHECK_INT(s.run_status, DT_ERR_PEER);
        CHECK(strstr(s.run_error.message, who) != NULL);
        s.body = return_after_calls;
        play(&s);
        expect_others(&s, who, "all-reduce, call #3 of ranks 0-2",
                      "last seen computing after all-reduce #2");
        s.body = return_while_under_way;
        play(&s);
        expect_others(&s, who, "all-reduce, call #1", "last seen");
    }
}

static dt_status fail_at_once(dt_world *world, scenario *s)
{
    if (is_bad(world, s))
        return dti_fail(world, DT_ERR_IO, "the disk is gone");
    return add_up(world, LARGE);
}

/* A status that nobody put into words. */
static dt_status fail_silently(dt_world *world, scenario *s)
{
    if (is_bad(world, s))
        return DT_ERR_FORMAT;
    return dt_group_barrier(dt_world_group(world));
}

/* With calls of its own under way. */
static dt_status fail_while_under_way(dt_world *world, scenario *s)
{
    dt_group *group = dt_world_group(world);
    dt_array *array = ones(world, DT_F32, LARGE);
    dt_handle *handle = NULL;
    dt_status status =
        dt_group_all_reduce_async(group, DT_SUM, array, array, &handle);
    dt_handle_release(handle);
    dt_array_release(array);
    if (is_bad(world, s))
        return dti_fail(world, DT_ERR_IO, "the disk is gone");
    for (int i = 0; i < 3 && status == DT_OK; i++)
        status = dt_group_barrier(group);
    return status;
}

static void tells_of_an_early_failure(dt_world *world)
{
    (void)world;
    for (int bad = 0; bad < RANKS; bad++) {
        char who[64];
        scenario s = {.ranks = RANKS, .bad = bad, .body = fail_at_once};
        snprintf(who, sizeof who, "rank %d failed: the disk is gone", bad);
        play(&s);
        expect_others(&s, who, "", "");
        CHECK_INT(s.run_status, DT_ERR_IO);
        snprintf(who, sizeof who, "rank %d: the disk is gone", bad);
        CHECK_TEXT(s.run_error.message, who);
        s.body = fail_while_under_way;
        play(&s);
        expect_others(&s, "the disk is gone", "", "");
        CHECK_INT(s.run_status, DT_ERR_IO);
        s.body = fail_silently;
        play(&s);
        expect_others(&s, "the program returned DT_ERR_FORMAT", "", "");
        CHECK_INT(s.run_status, DT_ERR_FORMAT);
    }
}

/* Messages to and from a rank that is gone. */
static dt_status message_to_the_gone(dt_world *world, scenario *s)
{
    dt_group *group = dt_world_group(world);
    dt_array *array = ones(world, DT_F32, s->arg ? LARGE : 1);
    dt_status status = DT_OK;
    if (dt_world_rank(world) == 0)
        for (int i = 0; i < 10 && status == DT_OK; i++)
            status = dt_group_send(group, s->bad, array);
    else if (dt_world_rank(world) == 1)
        status = dt_group_receive(group, s->bad, array);
    dt_array_release(array);
    return status;
}

static void tells_of_lost_messages(dt_world *world)
{
    (void)world;
    for (int large = 0; large < 2; large++) {
        scenario s = {.ranks = RANKS,
                      .bad = 2,
                      .body = message_to_the_gone,
                      .arg = large ? "large" : NULL};
        play(&s);
        expect_rank(&s, 0, DT_ERR_PEER, "rank 2 returned from its program",
                    large ? "send, call #1" : "send, call #5", NULL);
        expect_rank(&s, 1, DT_ERR_PEER, "rank 2 returned from its program",
                    "receive, call #1 of ranks 2 to 1", NULL);
    }
}

/* What was sent before a rank returned arrives. */
static dt_status send_and_return(dt_world *world, scenario *s)
{
    dt_group *group = dt_world_group(world);
    dt_status status = DT_OK;
    dt_array *array = ones(world, DT_F32, 4);
    if (is_bad(world, s)) {
        for (int i = 0; i < 4; i++)
            CHECK_OK(world, dt_group_send(group, 1, array));
    } else if (dt_world_rank(world) == 1) {
        sleep_seconds(0.05);
        for (int i = 0; i < 4 && status == DT_OK; i++)
            status = dt_group_receive(group, s->bad, array);
    }
    dt_array_release(array);
    return status;
}

static void messages_outlive_the_sender(dt_world *world)
{
    (void)world;
    scenario s = {.ranks = RANKS, .bad = 0, .body = send_and_return};
    play(&s);
    CHECK_INT(s.run_status, DT_OK);
}

/* ---- Handles at the end of a program ------------------------------------ */

/* Everyone returns with calls under way: they are completed. */
static dt_status leave_calls_under_way(dt_world *world, scenario *s)
{
    dt_group *group = dt_world_group(world);
    for (int i = 0; i < 6; i++) {
        dt_handle *handle = NULL;
        dt_array *array = ones(world, DT_F32, i % 2 ? LARGE : 3);
        CHECK_OK(world, dt_group_all_reduce_async(group, DT_SUM, array, array,
                                                  &handle));
        dt_handle_release(handle);
        dt_array_release(array);
    }
    if (is_bad(world, s))
        sleep_seconds(0.02);
    return DT_OK;
}

static void completes_what_is_left(dt_world *world)
{
    (void)world;
    for (int bad = 0; bad < RANKS; bad++) {
        scenario s = {
            .ranks = RANKS, .bad = bad, .body = leave_calls_under_way};
        play(&s);
        CHECK_INT(s.run_status, DT_OK);
    }
}

/* One rank begins a call that the others never make; they return once they
 * know that it has begun. */
static dt_status begin_alone(dt_world *world, scenario *s)
{
    dt_group *group = dt_world_group(world);
    dt_handle *handle = NULL;
    dt_array *array = ones(world, DT_F32, LARGE);
    dt_array *token = ones(world, DT_F32, 1);
    if (!is_bad(world, s)) {
        CHECK_OK(world, dt_group_receive(group, s->bad, token));
    } else {
        CHECK_OK(world, dt_group_all_reduce_async(group, DT_SUM, array, array,
                                                  &handle));
        for (int i = 0; i < s->ranks; i++)
            if (i != s->bad)
                CHECK_OK(world, dt_group_send(group, i, token));
    }
    dt_array_release(token);
    dt_array_release(array);
    dt_handle_release(handle);
    return DT_OK;
}

static void gives_up_on_calls_of_one(dt_world *world)
{
    (void)world;
    for (int bad = 0; bad < RANKS; bad++) {
        scenario s = {.ranks = RANKS, .bad = bad, .body = begin_alone};
        char who[32];
        play(&s);
        snprintf(who, sizeof who, "rank %d: rank", bad);
        CHECK_INT(s.run_status, DT_ERR_PEER);
        CHECKF(strstr(s.run_error.message, who) != NULL, "%s",
               s.run_error.message);
        CHECK(strstr(s.run_error.message, "without joining all-reduce"));
    }
}

/* ---- Stalls ------------------------------------------------------------- */

/* A limit that no rank misses because others have its core. */
static const double short_timeout = 2;

/* What the ranks of a stall share. */
typedef struct stall_state {
    bool large;
    atomic_int told; /* others that have got the error */
} stall_state;

/* The bad rank comes when nobody waits for it any more. */
static void come_late(dt_world *world, const scenario *s)
{
    stall_state *state = s->shared;
    while (is_bad(world, s) && atomic_load(&state->told) < s->ranks - 1)
        sleep_seconds(0.001);
}

static dt_status tell(dt_world *world, const scenario *s, dt_status status)
{
    stall_state *state = s->shared;
    if (!is_bad(world, s))
        atomic_fetch_add(&state->told, 1);
    return status;
}

static dt_status stall(dt_world *world, scenario *s)
{
    const stall_state *state = s->shared;
    dt_group *group = dt_world_group(world);
    CHECK_OK(world, dt_group_barrier(group));
    come_late(world, s);
    return tell(world, s,
                state->large ? add_up(world, LARGE) : dt_group_barrier(group));
}

static void tells_of_a_stall(dt_world *world)
{
    (void)world;
    for (int bad = 0; bad < RANKS; bad++) {
        stall_state state = {.large = bad == 1};
        scenario s = {.ranks = RANKS,
                      .bad = bad,
                      .timeout = short_timeout,
                      .body = stall,
                      .shared = &state};
        char who[32];
        play(&s);
        snprintf(who, sizeof who, "rank %d did not join", bad);
        for (int rank = 0; rank < RANKS; rank++)
            expect_rank(&s, rank, DT_ERR_PEER, who, "call #2 of ranks 0-2",
                        "within 2 s", "DT_TIMEOUT",
                        "last seen computing after barrier #1", NULL);
        CHECKF(s.seconds > short_timeout && s.seconds < 60, "it took %g s",
               s.seconds);
    }
}

/* Rank 0 waits for rank 1, which waits for the bad rank 2 in another group:
 * that is to blame, whoever gives up first. */
static dt_status stall_behind_another(dt_world *world, scenario *s)
{
    const int pairs[2][2] = {{0, 1}, {1, 2}};
    dt_group *groups[2] = {NULL, NULL};
    int rank = dt_world_rank(world);
    CHECK_OK(world, dt_group_barrier(dt_world_group(world)));
    for (int i = 0; i < 2; i++)
        if (rank == pairs[i][0] || rank == pairs[i][1])
            CHECK_OK(world, dt_group_create(world, pairs[i], 2, &groups[i]));
    /* Rank 0 is the first whose time is over. */
    if (rank == 1)
        sleep_seconds(0.1);
    come_late(world, s);
    return tell(world, s, dt_group_barrier(groups[rank == 0 ? 0 : 1]));
}

static void blames_who_is_awaited_in_the_end(dt_world *world)
{
    (void)world;
    stall_state state = {.large = false};
    scenario s = {.ranks = 3,
                  .bad = 2,
                  .timeout = short_timeout,
                  .body = stall_behind_another,
                  .shared = &state};
    play(&s);
    expect_rank(&s, 0, DT_ERR_PEER, "rank 2 keeps the others waiting",
                "rank 1, which waits for it, did not join barrier", NULL);
    for (int rank = 0; rank < 3; rank++)
        expect_rank(&s, rank, DT_ERR_PEER,
                    "rank 2 was last seen computing after barrier #1", NULL);
}

/* ---- Recovery ----------------------------------------------------------- */

static dt_status recover_without_one(dt_world *world, scenario *s)
{
    if (is_bad(world, s))
        return DT_OK;
    CHECK_FAILS(world, dt_group_barrier(dt_world_group(world)), DT_ERR_PEER,
                "returned");
    return dt_world_recover(world);
}

static dt_status recover_late(dt_world *world, scenario *s)
{
    come_late(world, s);
    return tell(world, s, dt_world_recover(world));
}

static void cannot_recover_without_a_rank(dt_world *world)
{
    (void)world;
    char who[64];
    for (int bad = 0; bad < RANKS; bad++) {
        scenario s = {.ranks = RANKS, .bad = bad, .body = recover_without_one};
        play(&s);
        snprintf(who, sizeof who, "dt_world_recover: rank %d has returned",
                 bad);
        expect_others(&s, who, "last seen", "");
    }
    stall_state state = {.large = false};
    scenario s = {.ranks = RANKS,
                  .bad = 1,
                  .timeout = short_timeout,
                  .body = recover_late,
                  .shared = &state};
    play(&s);
    expect_others(&s, "dt_world_recover: rank", "rank 1 did not come",
                  "last seen");
}

/* One rank comes when the others have given up once, and all try again until
 * they find one another. */
static dt_status recover_again(dt_world *world, scenario *s)
{
    enum { TRIES = 200 };
    atomic_int *given_up = s->shared;
    dt_status status = DT_ERR_PEER;
    dt_world_poison(world);
    while (is_bad(world, s) && atomic_load(given_up) < s->ranks - 1)
        sleep_seconds(0.001);
    for (int i = 0; i < TRIES && status != DT_OK; i++) {
        status = dt_world_recover(world);
        if (status == DT_OK)
            status = add_up(world, LARGE);
        if (i == 0 && !is_bad(world, s)) {
            CHECK_INT(status, DT_ERR_PEER);
            atomic_fetch_add(given_up, 1);
        }
    }
    return status;
}

static void recovers_after_trying_in_vain(dt_world *world)
{
    (void)world;
    for (int bad = 0; bad < RANKS; bad++) {
        atomic_int given_up = 0;
        scenario s = {.ranks = RANKS,
                      .bad = bad,
                      .body = recover_again,
                      .shared = &given_up,
                      .timeout = 0.3};
        play(&s);
        for (int rank = 0; rank < RANKS; rank++)
            expect_rank(&s, rank, DT_OK, NULL);
    }
}

/* One rank has no memory: it says so, or only recovers. */
static dt_status run_out_of_memory(dt_world *world, scenario *s)
{
    dt_array *kept = ones(world, DT_F64, 100);
    for (int round = 0; round < 4; round++) {
        dt_array *array = NULL;
        int64_t count = is_bad(world, s) ? 4 << 20 : 2 << 10;
        dt_status status =
            dt_array_create(world, DT_F64, DT_SHAPE(count), &array);
        CHECK_INT(status, is_bad(world, s) ? DT_ERR_NO_MEMORY : DT_OK);
        if (status != DT_OK && round % 2 == 0)
            dt_world_poison(world);
        if (status == DT_OK) {
            CHECK_OK(world, dt_array_fill(world, array, 1));
            CHECK_FAILS(world,
                        dt_group_all_reduce(dt_world_group(world), DT_SUM,
                                            array, array),
                        DT_ERR_PEER, "out of memory");
        }
        CHECK_OK(world, dt_world_recover(world));
        CHECK_OK(world, add_up(world, 2000));
        dt_array_release(array);
    }
    const double *data = dt_array_const_data(kept);
    for (int i = 0; i < 100; i++)
        CHECK(data[i] == 1);
    dt_array_release(kept);
    return DT_OK;
}

static void recovers_from_lack_of_memory(dt_world *world)
{
    (void)world;
    for (int bad = 0; bad < RANKS; bad++) {
        scenario s = {.ranks = RANKS,
                      .bad = bad,
                      .memory_limit = 1 << 20,
                      .body = run_out_of_memory};
        play(&s);
        CHECK_INT(s.run_status, DT_OK);
    }
}

/* A rank that completes a call and fails then does not spoil that call for
 * others, only the next. */
static dt_status fail_after_a_call(dt_world *world, scenario *s)
{
    for (int round = 0; round < 200; round++) {
        CHECK_OK(world, add_up(world, round % 2 ? 2 : 1500));
        if (is_bad(world, s))
            dt_world_poison(world);
        dt_status status = dt_group_barrier(dt_world_group(world));
        CHECK_INT(status, is_bad(world, s) ? DT_ERR_COMM : DT_ERR_PEER);
        CHECK_OK(world, dt_world_recover(world));
    }
    return DT_OK;
}

static void spoils_only_the_next_call(dt_world *world)
{
    (void)world;
    for (int bad = 0; bad < RANKS; bad++) {
        scenario s = {.ranks = RANKS, .bad = bad, .body = fail_after_a_call};
        play(&s);
        CHECK_INT(s.run_status, DT_OK);
    }
}

const dt_test dt_tests[] = {
    {"tells of an early return", tells_of_an_early_return},
    {"tells of an early failure", tells_of_an_early_failure},
    {"tells of lost messages", tells_of_lost_messages},
    {"messages outlive the sender", messages_outlive_the_sender},
    {"completes what is left", completes_what_is_left},
    {"gives up on calls of one", gives_up_on_calls_of_one},
    {"tells of a stall", tells_of_a_stall},
    {"blames who is awaited in the end", blames_who_is_awaited_in_the_end},
    {"cannot recover without a rank", cannot_recover_without_a_rank},
    {"recovers after trying in vain", recovers_after_trying_in_vain},
    {"recovers from lack of memory", recovers_from_lack_of_memory},
    {"spoils only the next call", spoils_only_the_next_call},
    {NULL, NULL},
};
