/* tests/unit/trace/trace.c - counters and kept events. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/trace.h"

#include <stddef.h>
#include <string.h>

#include "support/check.h"

static void report(dt_world *world, dt_collective kind, uint64_t sequence)
{
    dt_trace_event event = {.kind = kind, .root = -1, .sequence = sequence};
    dti_trace_call(world, kind, sequence, 2 * sequence);
    if (dti_trace_on(world)->recording)
        dti_trace_keep(world, &event);
}

static void counts_and_keeps(dt_world *world)
{
    dt_error error;
    size_t count = 1;
    CHECK_ERROR(&error, dti_trace_open(world, &error), DT_OK, NULL);
    (void)dt_trace_events(world, &count);
    CHECK_INT(count, 0);
    CHECK(!dti_trace_on(world)->recording);
    report(world, DT_GATHER, 1);
    dt_trace_record(world, true);
    for (uint64_t i = 2; i <= 1000; i++)
        report(world, i % 2 ? DT_GATHER : DT_SEND, i);
    dt_trace_record(world, false);
    report(world, DT_SEND, 5000);
    const dt_trace_event *events = dt_trace_events(world, &count);
    if (CHECK_INT(count, 999))
        for (size_t i = 0; i < count; i++)
            CHECK(events[i].sequence == i + 2 &&
                  events[i].kind == (i % 2 ? DT_GATHER : DT_SEND));
    /* 1 + 3 + ... + 999, and 2 + 4 + ... + 1000 with one more. */
    dt_trace_counter odd = dt_trace_count(world, DT_GATHER);
    CHECK_INT(odd.calls, 500);
    CHECK_INT(odd.bytes_sent, 250000);
    CHECK_INT(odd.bytes_received, 500000);
    dt_trace_counter even = dt_trace_count(world, DT_SEND);
    CHECK_INT(even.calls, 501);
    CHECK_INT(even.bytes_sent, 250500 + 5000);
    CHECK_INT(dt_trace_count(world, DT_BARRIER).calls, 0);
    CHECK_INT(dt_trace_count(world, DT_COLLECTIVE_COUNT).calls, 0);
    CHECK_INT(dt_trace_count(world, (dt_collective)-1).calls, 0);
}

static void clears(dt_world *world)
{
    dt_error error;
    size_t count = 1;
    CHECK_ERROR(&error, dti_trace_open(world, &error), DT_OK, NULL);
    dt_trace_record(world, true);
    report(world, DT_BARRIER, 1);
    dt_trace_clear(world);
    (void)dt_trace_events(world, &count);
    CHECK_INT(count, 0);
    CHECK_INT(dt_trace_count(world, DT_BARRIER).calls, 0);
    /* It still records. */
    report(world, DT_BARRIER, 2);
    const dt_trace_event *events = dt_trace_events(world, &count);
    CHECK_INT(count, 1);
    CHECK_INT(events[0].sequence, 2);
}

static void names_kinds(dt_world *world)
{
    (void)world;
    CHECK_TEXT(dt_collective_name(DT_ALL_REDUCE), "all-reduce");
    CHECK_TEXT(dt_collective_name(DT_RECEIVE), "receive");
    for (int i = 0; i < DT_COLLECTIVE_COUNT; i++)
        for (int j = 0; j < i; j++)
            CHECK(strcmp(dt_collective_name((dt_collective)i),
                         dt_collective_name((dt_collective)j)) != 0);
    CHECK_TEXT(dt_collective_name(DT_COLLECTIVE_COUNT), "invalid");
    CHECK_TEXT(dt_collective_name((dt_collective)-1), "invalid");
}

const dt_test dt_tests[] = {
    {"counts and keeps", counts_and_keeps},
    {"clears", clears},
    {"names kinds", names_kinds},
    {NULL, NULL},
};
