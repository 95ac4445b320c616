/* ranks: 1 2 3 4 7 */
/* tests/ranks/trace_timeline.c - timelines, of one rank and of all in one file.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ranks/comm_arrays.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <dtensor/trace.h>

#include "trace/trace.h"

/* tests/cli/timeline.sh sets DT_TEST_TIMELINE and looks into the file; names of
 * these events are known there. */

enum { ROUNDS = 3 };

/* Operators inside one another with calls inside them, and calls that overlap
 * them: all ranks do the same. */
static void work(dt_world *world)
{
    dt_group *group = dt_world_group(world);
    dt_array *array = make_array(world, DT_F32, 12),
             *other = make_array(world, DT_F32, 12);
    dt_handle *handle = NULL;
    wipe(array, 0);
    wipe(other, 0);
    for (int i = 0; i < ROUNDS; i++) {
        dti_trace_op_begin(world, "outer \"quoted\"");
        CHECK_OK(world, dt_group_all_reduce(group, DT_SUM, array, array));
        CHECK_OK(world, dt_group_all_reduce_async(group, DT_MAX, other, other,
                                                  &handle));
        dti_trace_op_begin(world, "inner");
        CHECK_OK(world, dt_group_broadcast(group, 0, array));
        dti_trace_op_end(world);
        CHECK_OK(world, dt_handle_wait(handle));
        dt_handle_release(handle);
        dti_trace_op_end(world);
        CHECK_OK(world, dt_group_barrier(group));
    }
    dt_array_release(array);
    dt_array_release(other);
}

/* How often a text stands in a file; -1 if it cannot be read. */
static int count_in(const char *path, const char *text)
{
    char line[1024];
    int count = 0;
    FILE *file = fopen(path, "r");
    if (!file)
        return -1;
    while (fgets(line, sizeof line, file))
        count += strstr(line, text) != NULL;
    fclose(file);
    return count;
}

static void times_events(dt_world *world)
{
    size_t count = 0, operators = 0;
    dt_trace_clear(world);
    work(world); /* without times, and on all but sim without events */
    dt_trace_timeline(world, true);
    dt_trace_clear(world);
    work(world);
    dt_trace_timeline(world, false);
    const dt_trace_event *events = dt_trace_events(world, &count);
    if (!CHECK_INT(count, 4 * ROUNDS))
        return;
    for (size_t i = 0; i < count; i++) {
        CHECK(events[i].began > 0 && events[i].ended >= events[i].began);
        CHECK(i == 0 || events[i].began >= events[i - 1].began);
        CHECK_INT(events[i].asynchronous, i % 4 == 1);
    }
    CHECK_TEXT(events[2].operator_name, "inner");
    CHECK(events[3].operator_name == NULL);
    const dt_trace_operator *all = dt_trace_operators(world, &operators);
    if (CHECK_INT(operators, 2))
        CHECK(all[0].nanoseconds >= all[1].nanoseconds &&
              all[1].nanoseconds > 0);
    /* Times end with the timeline. */
    work(world);
    (void)dt_trace_events(world, &count);
    CHECK_INT(count, 4 * ROUNDS);
    dt_trace_clear(world);
}

static void saves_one_rank(dt_world *world)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/dt_timeline_%ld_%d.json", (long)getpid(),
             dt_world_rank(world));
    dt_trace_timeline(world, true);
    dt_trace_clear(world);
    work(world);
    dt_trace_timeline(world, false);
    CHECK_OK(world, dt_trace_save(world, path));
    CHECK_INT(count_in(path, "\"ph\": \"X\""), 5 * ROUNDS);
    CHECK_INT(count_in(path, "\"ph\": \"b\""), ROUNDS);
    CHECK_INT(count_in(path, "\"ph\": \"e\""), ROUNDS);
    CHECK_INT(count_in(path, "\"name\": \"inner\""), ROUNDS);
    CHECK_INT(count_in(path, "thread_name"), 1);
    remove(path);
    CHECK_FAILS(world, dt_trace_save(world, "/nowhere/at/all.json"), DT_ERR_IO,
                "/nowhere/at/all.json: No such file or directory");
    dt_trace_clear(world);
}

static void saves_all_ranks(dt_world *world)
{
    const char *asked = getenv("DT_TEST_TIMELINE");
    char made[64] = "";
    int size = dt_world_size(world);
    if (!asked)
        snprintf(made, sizeof made, "/tmp/dt_timelines_%ld.json",
                 (long)getpid());
    const char *path = asked ? asked : made;
    bool first = dt_world_rank(world) == 0;
    dt_trace_timeline(world, true);
    dt_trace_clear(world);
    work(world);
    dt_trace_timeline(world, false);
    /* The path of the others is not read. */
    CHECK_OK(world, dt_trace_save_all(world, first ? path : NULL));
    if (first) {
        CHECK_INT(count_in(path, "\"ph\": \"X\""), 5 * ROUNDS * size);
        CHECK_INT(count_in(path, "thread_name"), size);
        CHECK_INT(count_in(path, "process_name"), 1);
    }
    if (first && !asked)
        remove(path);
    CHECK_FAILS(world, dt_trace_save_all(world, "/nowhere/at/all.json"),
                DT_ERR_IO, first ? "/nowhere/at/all.json" : "rank 0");
    /* Nothing is broken by that. */
    CHECK_OK(world, dt_group_barrier(dt_world_group(world)));
    dt_trace_clear(world);
}

const dt_test dt_tests[] = {
    {"times events", times_events},
    {"saves one rank", saves_one_rank},
    {"saves all ranks", saves_all_ranks},
    {NULL, NULL},
};
