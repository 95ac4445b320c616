/* trace/operator.c - which operator runs, and what each did. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/state.h"

#include <stdlib.h>
#include <string.h>

#include "base/attributes.h"
#include "base/machine/clock.h"

/* ---- Finding ------------------------------------------------------------ */

/*
 * Names stay where they are, so an operator is found by the address of its
 * name: one multiplication and, mostly, one comparison.  Another address with
 * the same text gets a place of its own, that leads to the same operator.
 */

static size_t first_place(const char *name, size_t room)
{
    uint64_t hash = (uintptr_t)name * UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(hash >> 32) & (room - 1);
}

/* The place of a name, or the free one where it would be. */
static dti_trace_place *find_place(dti_trace_place *places, size_t room,
                                   const char *name)
{
    size_t at = first_place(name, room);
    while (places[at].name && places[at].name != name)
        at = (at + 1) & (room - 1);
    return &places[at];
}

/* Keep at least half of the places free; false without memory. */
static bool grow_places(dti_trace *trace)
{
    size_t room = trace->place_room ? 2 * trace->place_room : 64;
    if (2 * (trace->place_count + 1) <= trace->place_room)
        return true;
    dti_trace_place *places = calloc(room, sizeof *places);
    if (!places)
        return false;
    for (size_t i = 0; i < trace->place_room; i++)
        if (trace->places[i].name)
            *find_place(places, room, trace->places[i].name) = trace->places[i];
    free(trace->places);
    trace->places = places;
    trace->place_room = room;
    return true;
}

/* The operator with this text, made if there is none; 0 without memory. */
static uint32_t find_by_text(dt_world *world, dti_trace *trace,
                             const char *name)
{
    void *list = trace->operators;
    size_t current = (size_t)(trace->current - trace->operators);
    char *copy = NULL;
    for (size_t i = 1; i < trace->operator_count; i++)
        if (strcmp(trace->operators[i].name, name) == 0)
            return (uint32_t)i;
    if (!dti_trace_make_room(world, &list, trace->operator_count,
                             &trace->operator_room, sizeof *trace->operators))
        return 0;
    trace->operators = list; /* they may have moved */
    trace->current = &trace->operators[current];
    /* Rooms that have operators are gone when a dry run reports. */
    copy = malloc(strlen(name) + 1);
    if (!copy)
        return 0;
    strcpy(copy, name);
    trace->operators[trace->operator_count] = (dt_trace_operator){.name = copy};
    return (uint32_t)trace->operator_count++;
}

static DTI_COLD uint32_t add_place(dt_world *world, dti_trace *trace,
                                   const char *name)
{
    uint32_t operation = find_by_text(world, trace, name);
    if (operation == 0 || !grow_places(trace))
        return operation;
    *find_place(trace->places, trace->place_room, name) =
        (dti_trace_place){name, operation};
    trace->place_count++;
    return operation;
}

static uint32_t find_operator(dt_world *world, dti_trace *trace,
                              const char *name)
{
    if (DTI_LIKELY(trace->place_room > 0)) {
        const dti_trace_place *place =
            find_place(trace->places, trace->place_room, name);
        if (DTI_LIKELY(place->name != NULL))
            return place->operation;
    }
    return add_place(world, trace, name);
}

/* ---- Running ------------------------------------------------------------ */

/* Open a span; DTI_NO_SPAN without memory. */
static DTI_COLD size_t open_span(dt_world *world, dti_trace *trace,
                                 uint32_t operation)
{
    void *list = trace->spans;
    if (!dti_trace_make_room(world, &list, trace->span_count, &trace->span_room,
                             sizeof *trace->spans))
        return DTI_NO_SPAN;
    trace->spans = list;
    trace->spans[trace->span_count] =
        (dti_trace_span){.operation = operation, .began = dti_clock_now()};
    return trace->span_count++;
}

static DTI_COLD void close_span(dti_trace *trace, size_t at)
{
    dti_trace_span *span = &trace->spans[at];
    span->ended = dti_clock_now();
    trace->operators[span->operation].nanoseconds += span->ended - span->began;
}

void dti_trace_op_begin(dt_world *world, const char *name)
{
    dti_trace *trace = dti_trace_of(world);
    if (DTI_UNLIKELY(trace->depth >= DTI_TRACE_DEPTH)) {
        trace->depth++;
        return;
    }
    uint32_t operation = find_operator(world, trace, name);
    dti_trace_frame *frame = &trace->frames[trace->depth++];
    frame->operation = operation;
    frame->span = DTI_NO_SPAN;
    trace->current = &trace->operators[operation];
    trace->current->calls++;
    if (DTI_UNLIKELY(trace->switches.timed))
        frame->span = open_span(world, trace, operation);
}

void dti_trace_op_end(dt_world *world)
{
    dti_trace *trace = dti_trace_of(world);
    if (DTI_UNLIKELY(trace->depth == 0 || --trace->depth >= DTI_TRACE_DEPTH))
        return;
    const dti_trace_frame *frame = &trace->frames[trace->depth];
    uint32_t outer =
        trace->depth ? trace->frames[trace->depth - 1].operation : 0;
    trace->current = &trace->operators[outer];
    if (DTI_UNLIKELY(frame->span != DTI_NO_SPAN))
        close_span(trace, frame->span);
}

void dti_trace_op_work(dt_world *world, double flops, double bytes)
{
    dt_trace_operator *current = dti_trace_of(world)->current;
    current->flops += flops;
    current->bytes += bytes;
}

const char *dti_trace_operator(const dt_world *world)
{
    return dti_trace_of(world)->current->name;
}

/* ---- Reading ------------------------------------------------------------ */

const dt_trace_operator *dt_trace_operators(const dt_world *world,
                                            size_t *count)
{
    const dti_trace *trace = dti_trace_of(world);
    *count = trace->operator_count - 1;
    return trace->operators + 1;
}

void dti_trace_free_names(dti_trace *trace)
{
    /* They were made here; others only read them. */
    for (size_t i = 1; i < trace->operator_count; i++)
        free((void *)(uintptr_t)trace->operators[i].name);
}

void dti_trace_forget_operators(dti_trace *trace)
{
    for (size_t i = 0; i < trace->operator_count; i++)
        trace->operators[i] =
            (dt_trace_operator){.name = trace->operators[i].name};
    for (size_t i = 0; i < trace->depth && i < DTI_TRACE_DEPTH; i++)
        trace->frames[i].span = DTI_NO_SPAN;
    trace->span_count = 0;
    if (trace->depth > 0)
        return;
    dti_trace_free_names(trace);
    trace->operator_count = 1;
    trace->place_count = 0;
    for (size_t i = 0; i < trace->place_room; i++)
        trace->places[i].name = NULL;
}
