/* ranks: 1 2 3 4 7 */
/* tests/ranks/comm_recover.c - poison, and worlds made usable again. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ranks/comm_arrays.h"

#include <stdio.h>

#include "base/error.h"

/* All collectives work: an all-reduce, a ring and a split. */
static void check_usable(dt_world *world, uint64_t salt)
{
    dt_group *group = dt_world_group(world), *parity = NULL;
    int size = dt_world_size(world);
    int rank = dt_world_rank(world);
    dt_array *in = make_array(world, DT_I32, 2000);
    dt_array *out = make_array(world, DT_I32, 2000 * size);
    fill(in, salt, rank);
    CHECK_OK(world, dt_group_all_gather(group, in, NULL, out));
    for (int i = 0; i < size; i++)
        check_part(out, 2000 * i, 2000, salt, i, 0);
    CHECK_OK(world, dt_group_split(group, rank % 2, 0, &parity));
    CHECK_OK(world, dt_group_barrier(parity));
    if (size > 1) {
        dt_handle *sent = NULL;
        dt_array *box = make_array(world, DT_I32, 2000);
        int left = (rank + size - 1) % size;
        CHECK_OK(world,
                 dt_group_send_async(group, (rank + 1) % size, in, &sent));
        CHECK_OK(world, dt_group_receive(group, left, box));
        CHECK_OK(world, dt_handle_wait(sent));
        check_all(box, salt, left);
        dt_handle_release(sent);
        dt_array_release(box);
    }
    dt_array_release(in);
    dt_array_release(out);
}

/* One rank fails alone; the others hear of it, again and again the same. */
static void poisons_and_recovers(dt_world *world)
{
    if (SKIP_ON(world, "mpi", "a rank that fails ends the job"))
        return;
    dt_group *group = dt_world_group(world);
    int rank = dt_world_rank(world);
    dt_array *kept = make_array(world, DT_F64, 3001);
    fill(kept, 77, rank);
    for (int bad = 0; bad < dt_world_size(world); bad++) {
        char sentence[64];
        bool is_bad = rank == bad;
        snprintf(sentence, sizeof sentence, "file %d is not there", bad);
        if (is_bad) {
            (void)dti_fail(world, DT_ERR_IO, "%s", sentence);
            dt_world_poison(world);
            dt_world_poison(world);
            /* Meanwhile others pass it on. */
            sleep_microseconds(bad % 2 ? 3000 : 0);
        }
        dt_status expected = is_bad ? DT_ERR_IO : DT_ERR_PEER;
        CHECK_FAILS(world, dt_group_barrier(group), expected, sentence);
        char first[DT_ERROR_SIZE];
        snprintf(first, sizeof first, "%s", dt_world_error(world)->message);
        char who[32];
        snprintf(who, sizeof who, "rank %d failed", bad);
        if (!is_bad)
            CHECK(strstr(first, who) != NULL);
        dt_handle *handle = NULL;
        CHECK_FAILS(world,
                    complete(dt_group_barrier_async(group, &handle), &handle),
                    expected, first);
        CHECK_FAILS(world, dt_group_all_reduce(group, DT_SUM, kept, kept),
                    expected, first);
        CHECK_OK(world, dt_world_recover(world));
        check_usable(world, (uint64_t)bad);
    }
    check_all(kept, 77, rank);
    dt_array_release(kept);
}

/* Poison without an error has a sentence as well. */
static void poisons_without_an_error(dt_world *world)
{
    if (SKIP_ON(world, "mpi", "a rank that fails ends the job"))
        return;
    if (dt_world_rank(world) == 0)
        dt_world_poison(world);
    CHECK_FAILS(world, dt_group_barrier(dt_world_group(world)),
                dt_world_rank(world) == 0 ? DT_ERR_COMM : DT_ERR_PEER,
                "dt_world_poison");
    CHECK_OK(world, dt_world_recover(world));
    check_usable(world, 1);
}

static void recovers_without_need(dt_world *world)
{
    for (int i = 0; i < 3; i++) {
        CHECK_OK(world, dt_world_recover(world));
        check_usable(world, (uint64_t)i);
    }
}

/* Calls that other ranks never joined are abandoned, their arrays are free. */
static void abandons_calls_under_way(dt_world *world)
{
    if (SKIP_ON(world, "mpi", "a rank that fails ends the job"))
        return;
    dt_group *group = dt_world_group(world);
    int size = dt_world_size(world);
    int rank = dt_world_rank(world);
    for (int bad = 0; bad < size && size > 1; bad++) {
        dt_array *small = make_array(world, DT_I32, 10);
        dt_array *large = make_array(world, DT_I32, 50000);
        dt_handle *handles[3] = {NULL, NULL, NULL};
        fill(small, 5, rank);
        fill(large, 6, rank);
        CHECK_OK(world, dt_group_barrier(group));
        if (rank == bad) {
            (void)dti_fail(world, DT_ERR_IO, "nothing to read");
            dt_world_poison(world);
        } else {
            dt_status status = dt_group_all_reduce_async(group, DT_SUM, small,
                                                         small, &handles[0]);
            if (status == DT_OK)
                status = dt_group_all_reduce_async(group, DT_SUM, large, large,
                                                   &handles[1]);
            CHECK(status == DT_OK || status == DT_ERR_PEER);
            if (bad % 2 == 0 && handles[0])
                CHECK_FAILS(world, dt_handle_wait(handles[0]), DT_ERR_PEER,
                            "nothing to read");
        }
        CHECK_OK(world, dt_world_recover(world));
        for (int i = 0; i < 2; i++) {
            if (!handles[i])
                continue;
            CHECK(dt_handle_test(handles[i]));
            dt_check_forget(world);
            dt_status status = dt_handle_wait(handles[i]);
            CHECK(status == DT_ERR_PEER || status == DT_ERR_COMM);
            CHECK(dt_world_error(world)->code == status);
            dt_handle_release(handles[i]);
        }
        CHECK_OK(world, dt_array_fill_int(world, small, 1));
        CHECK_OK(world, dt_array_fill_int(world, large, 2));
        wipe(small, 1);
        wipe(large, 2);
        check_usable(world, (uint64_t)bad);
        dt_array_release(small);
        dt_array_release(large);
    }
}

/* Ranks call different things, in random groups, and go on afterwards. */
static void recovers_from_divergence(dt_world *world)
{
    if (dt_test_skip_uncompared(world))
        return;
    dt_group *group = dt_world_group(world);
    int size = dt_world_size(world);
    int rank = dt_world_rank(world);
    unsigned long long common = dt_test_seed();
    dt_array *array = make_array(world, DT_F32, 5);
    CHECK_OK(world, dt_array_fill(world, array, 1));
    for (int round = 0; round < 12 && size > 1; round++) {
        unsigned long long number = dt_test_random(&common);
        int bad = (int)(number % (unsigned)size);
        /* Some calls that go well, so that groups stand at other numbers. */
        for (unsigned i = 0; i < number / 64 % 7; i++)
            CHECK_OK(world, dt_group_barrier(group));
        dt_status status =
            rank == bad ? dt_group_broadcast(group, 0, array)
                        : dt_group_all_reduce(group, DT_MAX, array, array);
        CHECK_INT(status, DT_ERR_DIVERGED);
        CHECK_OK(world, dt_world_recover(world));
        check_usable(world, number);
    }
    dt_array_release(array);
}

const dt_test dt_tests[] = {
    {"poisons and recovers", poisons_and_recovers},
    {"poisons without an error", poisons_without_an_error},
    {"recovers without need", recovers_without_need},
    {"abandons calls under way", abandons_calls_under_way},
    {"recovers from divergence", recovers_from_divergence},
    {NULL, NULL},
};
