/* trace/trace.c - counters and records of calls between ranks. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/state.h"

#include <stdlib.h>

#include "base/log.h"
#include "base/machine/clock.h"
#include "trace/report.h"

static const char *const names[DT_COLLECTIVE_COUNT] = {
    [DT_BARRIER] = "barrier",
    [DT_ALL_REDUCE] = "all-reduce",
    [DT_ALL_GATHER] = "all-gather",
    [DT_REDUCE_SCATTER] = "reduce-scatter",
    [DT_ALL_TO_ALL] = "all-to-all",
    [DT_BROADCAST] = "broadcast",
    [DT_SCATTER] = "scatter",
    [DT_GATHER] = "gather",
    [DT_SEND] = "send",
    [DT_RECEIVE] = "receive",
};

const char *dt_collective_name(dt_collective kind)
{
    return (unsigned)kind < DT_COLLECTIVE_COUNT ? names[kind] : "invalid";
}

/* ---- A world's trace ---------------------------------------------------- */

static void close_trace(dt_world *world, void *state)
{
    dti_trace *trace = state;
    if (world->settings.report_to >= 0) {
        dti_pool_watch(world->pool, NULL, NULL);
        dti_report_write(world, world->settings.report_to);
    }
    free(trace->events);
    dti_trace_free_names(trace);
    dti_trace_forget_modules(trace);
    free(trace->modules);
    free(trace->module_names);
    free(trace->operators);
    free(trace->places);
    free(trace->spans);
    free(trace);
}

/* A program that failed may have left operators running. */
static void reset_trace(dt_world *world, void *state)
{
    dti_trace *trace = state;
    (void)world;
    trace->depth = 0;
    trace->current = trace->operators;
}

static const dti_room_functions functions = {.close = close_trace,
                                             .reset = reset_trace};

/* A program that writes through the NULL that it is about to get will not come
 * to close its world. */
static void report_early(void *arg)
{
    dt_world *world = arg;
    dti_report_write_early(world, world->settings.report_to);
}

dt_status dti_trace_open(dt_world *world, dt_error *error)
{
    dti_trace *trace = calloc(1, sizeof *trace);
    dt_trace_operator *outside = calloc(1, sizeof *outside);
    if (!trace || !outside) {
        free(trace);
        free(outside);
        return dti_error_set(error, DT_ERR_NO_MEMORY,
                             "out of memory for the counters of rank %d",
                             world->rank);
    }
    trace->operators = trace->current = outside;
    trace->operator_count = trace->operator_room = 1;
    dti_world_attach(world, DTI_ROOM_TRACE, trace, &functions);
    if (world->settings.report_to >= 0)
        dti_pool_watch(world->pool, report_early, world);
    return DT_OK;
}

bool dti_trace_make_room(dt_world *world, void **list, size_t count,
                         size_t *room, size_t item)
{
    dti_trace *trace = dti_trace_of(world);
    if (count < *room)
        return true;
    size_t larger = *room < 16 ? 16 : *room * 2;
    void *moved = realloc(*list, larger * item);
    if (moved) {
        *list = moved;
        *room = larger;
        return true;
    }
    if (!trace->lost)
        dti_log(world, DT_LOG_WARNING,
                "out of memory: only %zu trace events are recorded", count);
    trace->lost = true;
    return false;
}

/* ---- Calls -------------------------------------------------------------- */

void dti_trace_call(dt_world *world, dt_collective kind, size_t bytes_sent,
                    size_t bytes_received)
{
    dt_trace_counter *counter =
        &dti_trace_of(world)->current->collectives[kind];
    counter->calls++;
    counter->bytes_sent += bytes_sent;
    counter->bytes_received += bytes_received;
}

size_t dti_trace_keep(dt_world *world, const dt_trace_event *event)
{
    dti_trace *trace = dti_trace_of(world);
    void *list = trace->events;
    if (!dti_trace_make_room(world, &list, trace->event_count,
                             &trace->event_room, sizeof *event))
        return 0;
    trace->events = list;
    dt_trace_event *kept = &trace->events[trace->event_count++];
    *kept = *event;
    kept->operator_name = dti_trace_operator(world);
    return trace->forgotten + trace->event_count;
}

void dti_trace_ended(dt_world *world, size_t event)
{
    dti_trace *trace = dti_trace_of(world);
    if (event <= trace->forgotten)
        return;
    dt_trace_event *kept = &trace->events[event - trace->forgotten - 1];
    if (kept->began)
        kept->ended = dti_clock_now();
}

/* ---- For users ---------------------------------------------------------- */

dt_trace_counter dt_trace_count(const dt_world *world, dt_collective kind)
{
    const dti_trace *trace = dti_trace_of(world);
    dt_trace_counter sum = {0};
    if ((unsigned)kind >= DT_COLLECTIVE_COUNT)
        return sum;
    for (size_t i = 0; i < trace->operator_count; i++) {
        const dt_trace_counter *own = &trace->operators[i].collectives[kind];
        sum.calls += own->calls;
        sum.bytes_sent += own->bytes_sent;
        sum.bytes_received += own->bytes_received;
    }
    return sum;
}

void dt_trace_record(dt_world *world, bool on)
{
    /* The report of a dry run is made of events. */
    dti_trace_of(world)->switches.recording = on || world->settings.dry_run;
}

const dt_trace_event *dt_trace_events(const dt_world *world, size_t *count)
{
    const dti_trace *trace = dti_trace_of(world);
    *count = trace->event_count;
    return trace->events;
}

void dt_trace_clear(dt_world *world)
{
    dti_trace *trace = dti_trace_of(world);
    dti_trace_forget_operators(trace);
    dti_trace_forget_modules(trace);
    trace->forgotten += trace->event_count;
    trace->event_count = 0;
    trace->lost = false;
}
