/* tests/unit/comm/diverge.c - ranks that call different things are told. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/mistakes.h"
#include "unit/comm/scenario.h"

/* ---- Mistakes ----------------------------------------------------------- */

static dt_status another_call(dt_group *group, bool wrong)
{
    if (!wrong)
        return reduce(group, DT_SUM, DT_F32, 4);
    dt_array *array = ones(dt_group_world(group), DT_F32, 4);
    dt_status status = dt_group_broadcast(group, 1, array);
    dt_array_release(array);
    return status;
}

/* One input lies on the board, the others do not. */
static dt_status another_size(dt_group *group, bool wrong)
{
    return reduce(group, DT_SUM, DT_F32, wrong ? 1025 : 1024);
}

static dt_status another_large_count(dt_group *group, bool wrong)
{
    return reduce(group, DT_SUM, DT_F32, wrong ? 99999 : 100000);
}

static dt_status gather_blocks(dt_group *group, const int64_t *counts)
{
    dt_world *world = dt_group_world(group);
    int64_t mine = counts ? counts[dt_group_rank(group)] : 2;
    dt_array *block = ones(world, DT_I16, mine);
    dt_array *whole = ones(world, DT_I16, 6);
    dt_status status = dt_group_all_gather(group, block, counts, whole);
    dt_array_release(block);
    dt_array_release(whole);
    return status;
}

static dt_status other_counts(dt_group *group, bool wrong)
{
    const int64_t right[] = {2, 1, 3}, swapped[] = {1, 2, 3};
    return gather_blocks(group, wrong ? swapped : right);
}

static dt_status counts_or_none(dt_group *group, bool wrong)
{
    const int64_t even[] = {2, 2, 2};
    return gather_blocks(group, wrong ? even : NULL);
}

static dt_status another_order(dt_group *group, bool wrong)
{
    dt_status status =
        wrong ? dt_group_barrier(group) : reduce(group, DT_SUM, DT_F32, 4);
    if (status != DT_OK)
        return status;
    return wrong ? reduce(group, DT_SUM, DT_F32, 4) : dt_group_barrier(group);
}

static dt_status a_split(dt_group *group, bool wrong)
{
    dt_group *made = NULL;
    return wrong ? dt_group_split(group, 0, 0, &made) : dt_group_barrier(group);
}

/* The last of several calls under way; the others are right. */
static dt_status a_call_under_way(dt_group *group, bool wrong)
{
    enum { CALLS = 4 };
    dt_world *world = dt_group_world(group);
    dt_status status = DT_OK;
    dt_array *arrays[CALLS];
    dt_handle *handles[CALLS] = {NULL};
    for (int i = 0; i < CALLS; i++) {
        arrays[i] = ones(world, DT_F32, i == 3 && wrong ? 9 : 8);
        dt_status begun = dt_group_all_reduce_async(group, DT_SUM, arrays[i],
                                                    arrays[i], &handles[i]);
        status = status == DT_OK ? begun : status;
    }
    for (int i = 0; i < CALLS; i++) {
        if (handles[i]) {
            dt_status waited = dt_handle_wait(handles[i]);
            CHECK_INT(waited, i < 3 ? DT_OK : DT_ERR_DIVERGED);
            status = status == DT_OK ? waited : status;
        }
        dt_handle_release(handles[i]);
        dt_array_release(arrays[i]);
    }
    return status;
}

static const mistake mistakes[] = {
    {"another call", another_call, "called all-reduce(sum) of 4 f32",
     "called broadcast of 4 f32 with root 1"},
    {"another size", another_size, "called all-reduce(sum) of 1024 f32",
     "called all-reduce(sum) of 1025 f32"},
    {"another large count", another_large_count,
     "called all-reduce(sum) of 100000 f32",
     "called all-reduce(sum) of 99999 f32"},
    {"other counts", other_counts, "with other counts in the blocks",
     "called all-gather of 6 i16 in blocks"},
    {"counts or none", counts_or_none, "called all-gather of 6 i16",
     "called all-gather of 6 i16 in blocks"},
    {"another order", another_order, "called all-reduce(sum) of 4 f32",
     "called barrier"},
    {"a split", a_split, "called barrier",
     "called all-gather of 6 i64 for dt_group_split"},
    {"a call under way", a_call_under_way, "called all-reduce(sum) of 8 f32",
     "called all-reduce(sum) of 9 f32"},
};

/* ---- The tests ---------------------------------------------------------- */

/* Two calls that go well, then the mistake, then the world recovers. */
static dt_status make_mistake(dt_world *world, scenario *s)
{
    const mistake *m = s->arg;
    dt_group *group = dt_world_group(world);
    CHECK_OK(world, dt_group_barrier(group));
    CHECK_OK(world, add_up(world, 2));
    dt_status status = m->call(group, dt_world_rank(world) == s->bad);
    /* Again: it stays as it is. */
    if (status == DT_ERR_DIVERGED) {
        char first[DT_ERROR_SIZE];
        snprintf(first, sizeof first, "%s", dt_world_error(world)->message);
        CHECK_FAILS(world, dt_group_barrier(group), DT_ERR_DIVERGED, first);
    }
    return status;
}

/* Ranks that make the same call of another number of elements. */
static bool is_of_shape(const mistake *m)
{
    return m->call == another_count || m->call == another_size ||
           m->call == another_large_count || m->call == a_call_under_way;
}

static void check_mistake(const mistake *m)
{
    for (int bad = 0; bad < 3; bad++) {
        scenario s = {.ranks = 3, .body = make_mistake, .arg = m, .bad = bad};
        char number[32], who[64];
        play(&s);
        snprintf(number, sizeof number, "call #%d of ranks 0-2",
                 m->call == a_call_under_way ? 6 : 3);
        snprintf(who, sizeof who, "rank %d %s", bad, m->wrong);
        for (int rank = 0; rank < 3; rank++)
            expect_rank(&s, rank, DT_ERR_DIVERGED, number, m->right, who, NULL);
        CHECKF(s.run_status == DT_ERR_DIVERGED, "%s: the run gave %s", m->name,
               dt_status_name(s.run_status));
        CHECK(strstr(s.run_error.message, who) != NULL);
        bool names_shape =
            strstr(s.run_error.message, "shape differs by rank") != NULL;
        CHECKF(names_shape == is_of_shape(m), "%s: %s", m->name,
               s.run_error.message);
    }
}

static void tells_all_ranks(dt_world *world)
{
    (void)world;
    for (size_t i = 0; i < COMMON_MISTAKES; i++)
        check_mistake(&common_mistakes[i]);
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++)
        check_mistake(&mistakes[i]);
}

/* In a group of two of four ranks; the other two notice nothing. */
static dt_status diverge_in_a_part(dt_world *world, scenario *s)
{
    (void)s;
    int rank = dt_world_rank(world);
    int ranks[] = {3, 1};
    dt_group *part = NULL;
    if (rank % 2 == 0) {
        ranks[0] = 0, ranks[1] = 2;
        CHECK_OK(world, dt_group_create(world, ranks, 2, &part));
        for (int i = 0; i < 50; i++)
            CHECK_OK(world, reduce(part, DT_SUM, DT_F32, 10));
        return DT_OK;
    }
    CHECK_OK(world, dt_group_create(world, ranks, 2, &part));
    return reduce(part, DT_SUM, DT_F32, rank);
}

static void stays_within_the_group(dt_world *world)
{
    (void)world;
    scenario s = {.ranks = 4, .body = diverge_in_a_part, .forgive = true};
    play(&s);
    CHECK_INT(s.status[0], DT_OK);
    CHECK_INT(s.status[2], DT_OK);
    for (int rank = 1; rank < 4; rank += 2)
        expect_rank(&s, rank, DT_ERR_DIVERGED, "call #1 of ranks 3,1",
                    "rank 1 called all-reduce(sum) of 1 f32",
                    "rank 3 called all-reduce(sum) of 3 f32", NULL);
}

/* Rank 0 sends 2 elements to rank 1, which expects 3 of it; rank 2 agrees with
 * both.  The sizes of all arrays are right. */
static dt_status exchange_wrongly(dt_world *world, scenario *s)
{
    int64_t scale = s->arg ? 5000 : 1;
    const int64_t sent[3][3] = {{1, 2, 1}, {1, 1, 1}, {1, 1, 1}};
    const int64_t expected[3][3] = {{1, 1, 1}, {3, 1, 1}, {1, 1, 1}};
    int64_t send_counts[3], receive_counts[3], in_count = 0, out_count = 0;
    for (int i = 0; i < 3; i++) {
        int rank = dt_world_rank(world);
        in_count += send_counts[i] = scale * sent[rank][i];
        out_count += receive_counts[i] = scale * expected[rank][i];
    }
    dt_array *in = ones(world, DT_F32, in_count);
    dt_array *out = ones(world, DT_F32, out_count);
    dt_status status = dt_group_all_to_all(dt_world_group(world), in,
                                           send_counts, receive_counts, out);
    dt_array_release(in);
    dt_array_release(out);
    return status;
}

static void compares_what_is_exchanged(dt_world *world)
{
    (void)world;
    for (int large = 0; large < 2; large++) {
        scenario s = {.ranks = 3,
                      .body = exchange_wrongly,
                      .arg = large ? "large" : NULL};
        play(&s);
        for (int rank = 0; rank < 3; rank++)
            expect_rank(&s, rank, DT_ERR_DIVERGED, "call #1 of ranks 0-2",
                        "all-to-all of",
                        large ? "rank 0 sends 10000 elements to rank 1, which "
                                "expects 15000"
                              : "rank 0 sends 2 elements to rank 1, which "
                                "expects 3",
                        NULL);
    }
}

/* A send and a receive of different sizes, after two that match. */
static dt_status receive_wrongly(dt_world *world, scenario *s)
{
    dt_group *group = dt_world_group(world);
    bool sends = dt_world_rank(world) == 0;
    int64_t scale = s->arg ? 5000 : 1;
    dt_status status = DT_OK;
    for (int i = 0; i < 3 && status == DT_OK; i++) {
        dt_array *box = ones(world, DT_F32, scale * (!sends && i == 2 ? 5 : 4));
        status = sends ? dt_group_send(group, 1, box)
                       : dt_group_receive(group, 0, box);
        dt_array_release(box);
    }
    /* A small message is gone before anyone looks at it. */
    if (sends && !s->arg) {
        CHECK_INT(status, DT_OK);
        status = dt_group_barrier(group);
    }
    return status;
}

static void compares_messages(dt_world *world)
{
    (void)world;
    for (int large = 0; large < 2; large++) {
        scenario s = {
            .ranks = 2, .body = receive_wrongly, .arg = large ? "large" : NULL};
        play(&s);
        for (int rank = 0; rank < 2; rank++)
            expect_rank(&s, rank, DT_ERR_DIVERGED, "call #3 of ranks 0 to 1",
                        large ? "rank 0 called send of 20000 f32"
                              : "rank 0 called send of 4 f32",
                        large ? "rank 1 called receive of 25000 f32"
                              : "rank 1 called receive of 5 f32",
                        NULL);
    }
}

/* Everything that went before counts: rank 1 leaves a message out. */
static dt_status leave_a_message_out(dt_world *world, scenario *s)
{
    (void)s;
    dt_group *group = dt_world_group(world);
    dt_array *box = ones(world, DT_I64, 2);
    bool sends = dt_world_rank(world) == 0;
    dt_status status = DT_OK;
    for (int i = 0; i < 2 && status == DT_OK; i++)
        status = sends ? dt_group_send(group, 1, box)
                       : dt_group_receive(group, 0, box);
    dt_array *other = ones(world, DT_I64, 3);
    if (status == DT_OK)
        status = sends ? dt_group_send(group, 1, other)
                       : dt_group_receive(group, 0, box);
    if (sends)
        status = dt_group_barrier(group);
    dt_array_release(box);
    dt_array_release(other);
    return status;
}

static void compares_later_messages(dt_world *world)
{
    (void)world;
    scenario s = {.ranks = 2, .body = leave_a_message_out};
    play(&s);
    for (int rank = 0; rank < 2; rank++)
        expect_rank(&s, rank, DT_ERR_DIVERGED, "call #3 of ranks 0 to 1",
                    "rank 0 called send of 3 i64",
                    "rank 1 called receive of 2 i64", NULL);
}

const dt_test dt_tests[] = {
    {"tells all ranks", tells_all_ranks},
    {"stays within the group", stays_within_the_group},
    {"compares what is exchanged", compares_what_is_exchanged},
    {"compares messages", compares_messages},
    {"compares later messages", compares_later_messages},
    {NULL, NULL},
};
