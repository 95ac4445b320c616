/* ranks: 1 2 3 4 7 */
/* tests/ranks/comm_lost.c - what a failed call was to write is never read. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ranks/comm_arrays.h"

#include <dtensor/dlpack.h>

#include "base/error.h"
#include "ranks/lost.h"

enum { SMALL = 5, LARGE = 30011 };

/* An all-reduce of ones into the first half of a storage, in which the last
 * rank fails; the second half holds twos. */
typedef struct lost_sum {
    dt_array *storage;
    dt_array *first;
    dt_array *second;
} lost_sum;

static void begin(dt_world *world, int64_t count, lost_sum *out)
{
    dt_handle *handle = NULL;
    dt_array *ones = make_array(world, DT_F32, count);
    out->storage = make_array(world, DT_F32, 2 * count);
    CHECK_OK(world, dt_array_fill(world, ones, 1));
    CHECK_OK(world, dt_array_fill(world, out->storage, 2));
    CHECK_OK(world,
             dt_array_slice(world, out->storage, 0, 0, count, 1, &out->first));
    CHECK_OK(world, dt_array_slice(world, out->storage, 0, count, 2 * count, 1,
                                   &out->second));
    if (!is_failing(world))
        CHECK_OK(world, dt_group_all_reduce_async(dt_world_group(world), DT_SUM,
                                                  ones, out->first, &handle));
    dt_handle_release(handle);
    dt_array_release(ones);
    fail_last(world);
    if (!is_failing(world))
        CHECK_FAILS(world, dt_array_wait(world, out->first), DT_ERR_PEER,
                    SENTENCE);
}

static void end(const lost_sum *of)
{
    dt_array_release(of->first);
    dt_array_release(of->second);
    dt_array_release(of->storage);
}

/* Nothing that reads the array gives elements. */
static void check_lost(dt_world *world, dt_array *array)
{
    dt_array *copy = NULL, *same = NULL;
    dt_dlpack_managed *shown = NULL;
    char text[2 * DT_ERROR_SIZE];
    CHECK_FAILS(world, dt_array_wait(world, array), DT_ERR_PEER, SENTENCE);
    CHECK(dt_array_const_data(array) == NULL);
    CHECK(dt_array_data(array) == NULL);
    CHECK_FAILS(world, dt_array_clone(world, array, &copy), DT_ERR_PEER,
                SENTENCE);
    CHECK_FAILS(world, dt_array_cast(world, array, DT_I8, &copy), DT_ERR_PEER,
                SENTENCE);
    CHECK(copy == NULL);
    CHECK_FAILS(world, dt_array_copy(world, array, array), DT_ERR_PEER,
                SENTENCE);
    CHECK_FAILS(world, dt_array_to_dlpack(world, array, &shown), DT_ERR_PEER,
                SENTENCE);
    CHECK_FAILS(world, dt_array_save_npy(world, array, "never-written.npy"),
                DT_ERR_PEER, SENTENCE);
    CHECK(!dt_array_equal(array, array));
    CHECK(dt_array_format(array, text, sizeof text) < sizeof text);
    CHECK(strncmp(text, "<lost f32 ", 10) == 0);
    CHECK(strstr(text, SENTENCE) != NULL);
    /* One that is contiguous is given as it is. */
    CHECK_OK(world, dt_array_contiguous(world, array, &same));
    CHECK(same == array);
    dt_array_release(same);
}

static void check_number(dt_array *array, float value)
{
    const float *data = dt_array_const_data(array);
    if (CHECK(data != NULL)) {
        CHECK(data[0] == value);
        CHECK(data[dt_array_count(array) - 1] == value);
    }
}

static void is_never_read(dt_world *world)
{
    if (SKIP_ON(world, "mpi", "a rank that fails ends the job"))
        return;
    const int64_t counts[] = {SMALL, LARGE};
    for (int i = 0; i < 2 && dt_world_size(world) > 1; i++) {
        lost_sum of;
        begin(world, counts[i], &of);
        if (!is_failing(world)) {
            check_lost(world, of.first);
            check_lost(world, of.storage);
        }
        check_number(of.second, 2);
        CHECK_OK(world, dt_array_wait(world, of.second));
        CHECK_OK(world, dt_world_recover(world));
        if (!is_failing(world))
            check_lost(world, of.first);
        check_number(of.second, 2);
        end(&of);
    }
}

/* Parts do not help, the whole does: a number, a copy, a call. */
static void comes_back_when_written(dt_world *world)
{
    if (SKIP_ON(world, "mpi", "a rank that fails ends the job"))
        return;
    dt_group *group = dt_world_group(world);
    for (int way = 0; way < 5 && dt_world_size(world) > 1; way++) {
        lost_sum of;
        dt_array *part = NULL;
        dt_handle *handle = NULL;
        begin(world, LARGE, &of);
        CHECK_OK(world, dt_world_recover(world));
        CHECK_OK(world, dt_array_slice(world, of.first, 0, 1, LARGE, 1, &part));
        CHECK_OK(world, dt_array_fill(world, part, 7));
        dt_array_release(part);
        CHECK_OK(world,
                 dt_array_slice(world, of.storage, 0, 0, LARGE, 2, &part));
        CHECK_OK(world, dt_array_fill(world, part, 7));
        if (!is_failing(world))
            check_lost(world, of.first);
        if (way == 0)
            CHECK_OK(world, dt_array_fill(world, of.first, 2));
        else if (way == 1)
            CHECK_OK(world, dt_array_copy(world, of.second, of.first));
        else if (way == 2)
            CHECK_OK(world, dt_array_fill(world, of.storage, 2));
        else if (way == 3)
            CHECK_OK(world,
                     dt_group_all_reduce(group, DT_MAX, of.second, of.first));
        else
            CHECK_OK(world, dt_group_all_reduce_async(group, DT_MAX, of.second,
                                                      of.first, &handle));
        check_number(of.first, 2);
        CHECK_OK(world, dt_array_wait(world, of.storage));
        CHECK(dt_array_data(of.storage) != NULL);
        dt_handle_release(handle);
        dt_array_release(part);
        end(&of);
    }
}

/* After recovery the rank that failed has all it needs, the others do not: a
 * call in which they would send what they lack fails everywhere. */
static void is_never_sent(dt_world *world)
{
    if (SKIP_ON(world, "mpi", "a rank that fails ends the job"))
        return;
    dt_group *group = dt_world_group(world);
    const int64_t counts[] = {SMALL, LARGE};
    for (int i = 0; i < 6 && dt_world_size(world) > 1; i++) {
        lost_sum of;
        dt_handle *handle = NULL;
        int64_t count = counts[i % 2];
        dt_array *out = make_array(world, DT_F32, count);
        begin(world, count, &of);
        CHECK_OK(world, dt_world_recover(world));
        dt_status status =
            i / 2 == 0 ? dt_group_all_reduce(group, DT_SUM, of.first, out)
            : i / 2 == 1
                ? dt_group_all_reduce(group, DT_SUM, of.first, of.first)
                : complete(dt_group_all_reduce_async(group, DT_SUM, of.first,
                                                     out, &handle),
                           &handle);
        CHECK_INT(status, DT_ERR_PEER);
        CHECK(strstr(dt_world_error(world)->message, SENTENCE) != NULL);
        CHECK_OK(world, dt_world_recover(world));
        if (!is_failing(world))
            check_lost(world, of.first);
        CHECK_OK(world, dt_group_barrier(group));
        dt_array_release(out);
        end(&of);
    }
}

/* What is lost may be released by any thread after its world was closed; its
 * last reference may also be the call's own. */
static void is_released(dt_world *world)
{
    if (SKIP_ON(world, "mpi", "a rank that fails ends the job"))
        return;
    if (dt_world_size(world) == 1)
        return;
    lost_sum of;
    begin(world, SMALL, &of);
    end(&of);
    CHECK_OK(world, dt_world_recover(world));
}

const dt_test dt_tests[] = {
    {"is never read", is_never_read},
    {"comes back when written", comes_back_when_written},
    {"is never sent", is_never_sent},
    {"is released", is_released},
    {NULL, NULL},
};
