/* ranks: 2 3 */
/* tests/mpi/check.c - with DT_CHECK=on, ranks whose calls differ are told. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "support/mistakes.h"

/* ---- Calls that the last rank gets wrong -------------------------------- */

/* One call fewer before: the call itself is the same. */
static dt_status a_call_before(dt_group *group, bool wrong)
{
    dt_status status =
        wrong ? dt_group_barrier(group) : reduce(group, DT_MIN, DT_I8, 3);
    return status != DT_OK ? status : dt_group_barrier(group);
}

static dt_status a_call_under_way(dt_group *group, bool wrong)
{
    dt_array *array = ones(dt_group_world(group), DT_F32, wrong ? 9 : 8);
    dt_handle *handle = NULL;
    dt_status status =
        dt_group_all_reduce_async(group, DT_SUM, array, array, &handle);
    if (status == DT_OK)
        status = dt_handle_wait(handle);
    dt_handle_release(handle);
    dt_array_release(array);
    return status;
}

/* The last rank expects one element more of rank 0 than that sends. */
static dt_status other_counts(dt_group *group, bool wrong)
{
    enum { MOST = 8 };
    dt_world *world = dt_group_world(group);
    int size = dt_group_size(group);
    int64_t sent[MOST], received[MOST];
    for (int i = 0; i < size; i++)
        sent[i] = received[i] = 2;
    received[0] += wrong;
    dt_array *input = ones(world, DT_I16, 2 * size);
    dt_array *output = ones(world, DT_I16, 2 * size + wrong);
    dt_status status =
        dt_group_all_to_all(group, input, sent, received, output);
    dt_array_release(input);
    dt_array_release(output);
    return status;
}

/* ---- Messages from the last rank to rank 0 ------------------------------ */

static dt_status pass(dt_group *group, bool sends, dt_array *array,
                      bool asynchronous)
{
    int last = dt_group_size(group) - 1;
    if (!asynchronous)
        return sends ? dt_group_send(group, 0, array)
                     : dt_group_receive(group, last, array);
    dt_handle *handle = NULL;
    dt_status status =
        sends ? dt_group_send_async(group, 0, array, &handle)
              : dt_group_receive_async(group, last, array, &handle);
    if (status == DT_OK)
        status = dt_handle_wait(handle);
    dt_handle_release(handle);
    return status;
}

static dt_status message(dt_group *group, bool wrong, dt_dtype dtype,
                         int64_t count, bool asynchronous)
{
    if (!wrong && dt_group_rank(group) != 0)
        return DT_OK;
    dt_array *array = ones(dt_group_world(group), dtype, count);
    dt_status status = pass(group, wrong, array, asynchronous);
    dt_array_release(array);
    return status;
}

static dt_status a_longer_message(dt_group *group, bool wrong)
{
    return message(group, wrong, DT_F32, wrong ? 100000 : 4, false);
}

static dt_status a_shorter_message(dt_group *group, bool wrong)
{
    return message(group, wrong, DT_F32, wrong ? 3 : 40000, true);
}

static dt_status another_message(dt_group *group, bool wrong)
{
    return message(group, wrong, wrong ? DT_I32 : DT_F32, 4, true);
}

/* ---- The table ---------------------------------------------------------- */

static const mistake mistakes[] = {
    {"a call before", a_call_before, "all-reduce(min) of 3 i8", "barrier"},
    {"a call under way", a_call_under_way, "of 8 f32", "of 9 f32"},
    {"other counts", other_counts, "rank 0 sends 2 elements", "expects 3"},
    {"a longer message", a_longer_message, "receive of 4 f32",
     "send of 100000 f32"},
    {"a shorter message", a_shorter_message, "receive of 40000 f32",
     "send of 3 f32"},
    {"another message", another_message, "receive of 4 f32", "send of 4 i32"},
};
enum { MISTAKES = sizeof mistakes / sizeof *mistakes };

/* Tell whether a rank is told: of a collective all are; of a message the
 * receiver, and the sender unless it is small and does not wait. */
static bool is_told(const mistake *m, int rank, int last)
{
    if (m->call == a_longer_message)
        return rank == 0 || rank == last;
    if (m->call == a_shorter_message || m->call == another_message)
        return rank == 0;
    return true;
}

static void check_divergence(dt_world *world, const mistake *m)
{
    dt_group *group = dt_world_group(world);
    int rank = dt_world_rank(world), last = dt_world_size(world) - 1;
    bool told = is_told(m, rank, last);
    dt_status status = m->call(group, rank == last);
    const char *text = dt_world_error(world)->message;
    CHECKF(status == (told ? DT_ERR_DIVERGED : DT_OK), "%s: %s", m->name,
           dt_status_name(status));
    if (told)
        CHECKF(strstr(text, m->right) && strstr(text, m->wrong), "%s: %s",
               m->name, text);
    CHECK_OK(world, dt_world_recover(world));
    CHECK_OK(world, reduce(group, DT_SUM, DT_F32, 4));
}

static void names_both_sides(dt_world *world)
{
    for (int i = 0; i < COMMON_MISTAKES; i++)
        check_divergence(world, &common_mistakes[i]);
    for (int i = 0; i < MISTAKES; i++)
        check_divergence(world, &mistakes[i]);
}

/* The sender of a small message is told when it next sends to that rank. */
static void tells_the_sender_later(dt_world *world)
{
    dt_group *group = dt_world_group(world);
    int rank = dt_world_rank(world), last = dt_world_size(world) - 1;
    dt_array *array = ones(world, DT_F32, 4);
    (void)another_message(group, rank == last);
    CHECK_OK(world, dt_group_barrier(group));
    if (rank == last)
        CHECK_FAILS(world, dt_group_send(group, 0, array), DT_ERR_DIVERGED,
                    "called send of 4 i32");
    CHECK_OK(world, dt_world_recover(world));
    dt_array_release(array);
}

/* A rank that cannot go on after a divergence fails in every call, gives up
 * messages under way, and can recover; the job goes on. */
static void fails_alike_until_it_recovers(dt_world *world)
{
    dt_group *group = dt_world_group(world);
    int rank = dt_world_rank(world), last = dt_world_size(world) - 1;
    dt_array *array = ones(world, DT_F32, 100000);
    dt_handle *handle = NULL;
    if (rank == 0)
        CHECK_OK(world, dt_group_receive_async(group, last, array, &handle));
    CHECK_FAILS(world, another_count(group, rank == last), DT_ERR_DIVERGED,
                "of 5 f32");
    dt_world_poison(world);
    CHECK_FAILS(world, dt_group_barrier(group), DT_ERR_DIVERGED, "of 5 f32");
    if (handle)
        CHECK_FAILS(world, dt_handle_wait(handle), DT_ERR_DIVERGED, "of 5 f32");
    dt_handle_release(handle);
    CHECK_OK(world, dt_world_recover(world));
    dt_array_release(array);
    CHECK_OK(world, reduce(group, DT_SUM, DT_F32, 4));
}

/* A part of the ranks diverges; the others are not told, and need not be. */
static void names_members_of_a_group(dt_world *world)
{
    int rank = dt_world_rank(world), last = dt_world_size(world) - 1;
    const int members[] = {last, 0};
    dt_group *group = NULL;
    if (rank == 0 || rank == last) {
        CHECK_OK(world, dt_group_create(world, members, 2, &group));
        CHECK_FAILS(world, reduce(group, DT_SUM, DT_F32, rank == 0 ? 6 : 7),
                    DT_ERR_DIVERGED, "rank 0 called all-reduce(sum) of 6 f32");
    }
    CHECK_OK(world, dt_world_recover(world));
}

const dt_test dt_tests[] = {
    {"names both sides", names_both_sides},
    {"tells the sender later", tells_the_sender_later},
    {"fails alike until it recovers", fails_alike_until_it_recovers},
    {"names members of a group", names_members_of_a_group},
    {NULL, NULL},
};
