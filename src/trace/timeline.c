/* trace/timeline.c - when things happened, as other programs read it. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/timeline.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/machine/clock.h"
#include "base/text/json.h"
#include "trace/state.h"

void dt_trace_timeline(dt_world *world, bool on)
{
    dti_trace_of(world)->switches.timed = on;
}

/*
 * The format is that of Chrome's about:tracing: an object with a list of
 * events.  Times are in microseconds, here with three digits behind the point.
 */

/* ---- Events ------------------------------------------------------------- */

static void put_time(FILE *stream, const char *key, int64_t nanoseconds)
{
    fprintf(stream, ", \"%s\": %" PRId64 ".%03d", key, nanoseconds / 1000,
            (int)(nanoseconds % 1000));
}

/* Begin an event: what it is, of which rank. */
static void put_head(FILE *stream, const dt_world *world, const char *name,
                     const char *category, char phase)
{
    fputs("{\"name\": ", stream);
    dti_json_quote(stream, name);
    fprintf(stream,
            ", \"cat\": \"%s\", \"ph\": \"%c\", \"pid\": 0, \"tid\": %d",
            category, phase, world->rank);
}

/* What is still running ends now, for the picture. */
static void put_stretch(FILE *stream, int64_t began, int64_t ended)
{
    put_time(stream, "ts", began);
    put_time(stream, "dur", (ended ? ended : dti_clock_now()) - began);
}

static void put_span(FILE *stream, const dt_world *world,
                     const dti_trace_span *span)
{
    const char *name = dti_trace_of(world)->operators[span->operation].name;
    put_head(stream, world, name ? name : "operator", "operator", 'X');
    put_stretch(stream, span->began, span->ended);
    fputc('}', stream);
}

static void put_text(FILE *stream, const char *key, const char *text)
{
    fprintf(stream, ", \"%s\": ", key);
    dti_json_quote(stream, text);
}

static void put_arguments(FILE *stream, const dt_trace_event *event)
{
    bool reduces =
        event->kind == DT_ALL_REDUCE || event->kind == DT_REDUCE_SCATTER;
    fprintf(stream,
            ", \"args\": {\"sent\": %zu, \"received\": %zu, \"ranks\": %d, "
            "\"group\": \"%016" PRIx64 "\", \"sequence\": %" PRIu64
            ", \"count\": %" PRId64,
            event->bytes_sent, event->bytes_received, event->group_size,
            event->group, event->sequence, event->count);
    put_text(stream, "dtype", dt_dtype_name(event->dtype));
    if (reduces)
        put_text(stream, "reduce", dt_reduce_name(event->op));
    if (event->root >= 0)
        fprintf(stream, ", \"root\": %d", event->root);
    if (event->origin[0])
        put_text(stream, "for", event->origin);
    if (event->operator_name)
        put_text(stream, "operator", event->operator_name);
    fputs("}}", stream);
}

static void put_comma(FILE *stream)
{
    fputs(",\n", stream);
}

/* Calls that overlap others: the two ends have a number in common. */
static void put_asynchronous(FILE *stream, const dt_world *world,
                             const dt_trace_event *event)
{
    static const char category[] = "asynchronous";
    const char *name = dt_collective_name(event->kind);
    for (int end = 0; end < (event->ended ? 2 : 1); end++) {
        put_head(stream, world, name, category, end ? 'e' : 'b');
        fprintf(stream, ", \"id\": \"%d:%016" PRIx64 ":%" PRIu64 "\"",
                world->rank, event->group, event->sequence);
        put_time(stream, "ts", end ? event->ended : event->began);
        if (end)
            fputc('}', stream);
        else
            put_arguments(stream, event);
        if (end == 0 && event->ended)
            put_comma(stream);
    }
}

static void put_event(FILE *stream, const dt_world *world,
                      const dt_trace_event *event)
{
    if (event->asynchronous) {
        put_asynchronous(stream, world, event);
        return;
    }
    put_head(stream, world, dt_collective_name(event->kind), "collective", 'X');
    put_stretch(stream, event->began, event->ended);
    put_arguments(stream, event);
}

/* ---- One rank ----------------------------------------------------------- */

static void put_thread(FILE *stream, const dt_world *world)
{
    fprintf(stream,
            "{\"name\": \"thread_name\", \"ph\": \"M\", \"pid\": 0, \"tid\": "
            "%d, \"args\": {\"name\": \"rank %d\"}},\n"
            "{\"name\": \"thread_sort_index\", \"ph\": \"M\", \"pid\": 0, "
            "\"tid\": %d, \"args\": {\"sort_index\": %d}}",
            world->rank, world->rank, world->rank, world->rank);
}

/* Both lists are in the order in which things began; an operator comes before
 * the calls that it makes at the same moment. */
void dti_timeline_write(const dt_world *world, FILE *stream)
{
    const dti_trace *trace = dti_trace_of(world);
    size_t span = 0, event = 0;
    put_thread(stream, world);
    while (span < trace->span_count || event < trace->event_count) {
        const dt_trace_event *next = &trace->events[event];
        bool of_call = event < trace->event_count;
        if (of_call && !next->began) { /* kept without its time */
            event++;
            continue;
        }
        if (of_call && span < trace->span_count)
            of_call = next->began < trace->spans[span].began;
        put_comma(stream);
        if (of_call)
            put_event(stream, world, &trace->events[event++]);
        else
            put_span(stream, world, &trace->spans[span++]);
    }
}

/* ---- A file ------------------------------------------------------------- */

static dt_status fail_file(dt_world *world, const dt_error *error)
{
    return dti_fail(world, error->code, "cannot write the timeline: %s",
                    error->message);
}

dt_status dti_timeline_create(dt_world *world, const char *path, dt_file **out)
{
    dt_error error = {DT_OK, ""};
    if (dt_file_create(path, out, &error) != DT_OK)
        return fail_file(world, &error);
    FILE *stream = dt_file_stream(*out);
    if (stream)
        fprintf(stream,
                "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n"
                "{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": 0, "
                "\"args\": {\"name\": \"dtensor, %d rank%s, %s\"}},\n",
                world->size, world->size > 1 ? "s" : "",
                world->transport ? world->transport : "no transport");
    return DT_OK;
}

dt_status dti_timeline_commit(dt_world *world, dt_file *file)
{
    dt_error error = {DT_OK, ""};
    FILE *stream = dt_file_stream(file);
    if (stream)
        fputs("\n]}\n", stream);
    return dt_file_commit(file, &error) == DT_OK ? DT_OK
                                                 : fail_file(world, &error);
}

dt_status dt_trace_save(dt_world *world, const char *path)
{
    dt_file *file = NULL;
    DTI_TRY(dti_timeline_create(world, path, &file));
    FILE *stream = dt_file_stream(file);
    if (stream)
        dti_timeline_write(world, stream);
    return dti_timeline_commit(world, file);
}
