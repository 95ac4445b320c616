/* trace/trace.c - counters and records of calls between ranks. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/trace.h"

#include <stdlib.h>

#include "base/log.h"
#include "base/world.h"

typedef struct trace_state {
    dt_trace_counter counters[DT_COLLECTIVE_COUNT];
    bool recording;
    bool lost; /* an event could not be kept */
    dt_trace_event *events;
    size_t count;
    size_t capacity;
} trace_state;

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

static void close_trace(dt_world *world, void *state)
{
    trace_state *trace = state;
    (void)world;
    free(trace->events);
    free(trace);
}

static const dti_room_functions functions = {.close = close_trace};

dt_status dti_trace_open(dt_world *world, dt_error *error)
{
    trace_state *trace = calloc(1, sizeof *trace);
    if (!trace)
        return dti_error_set(error, DT_ERR_NO_MEMORY,
                             "no memory for the counters of rank %d",
                             world->rank);
    dti_world_attach(world, DTI_ROOM_TRACE, trace, &functions);
    return DT_OK;
}

static bool make_room(dt_world *world, trace_state *trace)
{
    if (trace->count < trace->capacity)
        return true;
    size_t capacity = trace->capacity ? trace->capacity * 2 : 64;
    dt_trace_event *larger = realloc(trace->events, capacity * sizeof *larger);
    if (!larger) {
        if (!trace->lost)
            dti_log(world, DT_LOG_WARNING,
                    "no memory to keep more than %zu trace events",
                    trace->count);
        trace->lost = true;
        return false;
    }
    trace->events = larger;
    trace->capacity = capacity;
    return true;
}

void dti_trace_keep(dt_world *world, const dt_trace_event *event)
{
    trace_state *trace = dti_world_room(world, DTI_ROOM_TRACE);
    if (make_room(world, trace))
        trace->events[trace->count++] = *event;
}

bool dti_trace_is_recording(const dt_world *world)
{
    const trace_state *trace = dti_world_room(world, DTI_ROOM_TRACE);
    return trace->recording;
}

void dti_trace_call(dt_world *world, dt_collective kind, size_t bytes_sent,
                    size_t bytes_received)
{
    trace_state *trace = dti_world_room(world, DTI_ROOM_TRACE);
    dt_trace_counter *counter = &trace->counters[kind];
    counter->calls++;
    counter->bytes_sent += bytes_sent;
    counter->bytes_received += bytes_received;
}

dt_trace_counter dt_trace_count(const dt_world *world, dt_collective kind)
{
    const trace_state *trace = dti_world_room(world, DTI_ROOM_TRACE);
    if ((unsigned)kind >= DT_COLLECTIVE_COUNT)
        return (dt_trace_counter){0};
    return trace->counters[kind];
}

void dt_trace_record(dt_world *world, bool on)
{
    trace_state *trace = dti_world_room(world, DTI_ROOM_TRACE);
    trace->recording = on;
}

const dt_trace_event *dt_trace_events(const dt_world *world, size_t *count)
{
    const trace_state *trace = dti_world_room(world, DTI_ROOM_TRACE);
    *count = trace->count;
    return trace->events;
}

void dt_trace_clear(dt_world *world)
{
    trace_state *trace = dti_world_room(world, DTI_ROOM_TRACE);
    for (int i = 0; i < DT_COLLECTIVE_COUNT; i++)
        trace->counters[i] = (dt_trace_counter){0};
    trace->count = 0;
    trace->lost = false;
}
