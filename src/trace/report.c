/* trace/report.c - what a dry run tells the command that started it. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/text/json.h"
#include "trace/state.h"

/* Calls of one kind, by one operator, among so many ranks. */
typedef struct tally {
    const char *operator_name;
    dt_collective kind;
    int ranks;
    uint64_t peers;
    dt_trace_counter counter;
} tally;

typedef struct tallies {
    tally *list;
    size_t count, room;
} tallies;

/* ---- Adding up ---------------------------------------------------------- */

/* The tally that an event belongs to; NULL without memory. */
static tally *find_tally(dt_world *world, tallies *all,
                         const dt_trace_event *event)
{
    void *list = all->list;
    for (size_t i = 0; i < all->count; i++) {
        tally *at = &all->list[i];
        /* An operator has one name, at one address. */
        if (at->operator_name == event->operator_name &&
            at->kind == event->kind && at->ranks == event->group_size)
            return at;
    }
    if (!dti_trace_make_room(world, &list, all->count, &all->room,
                             sizeof *all->list))
        return NULL;
    all->list = list;
    all->list[all->count] = (tally){.operator_name = event->operator_name,
                                    .kind = event->kind,
                                    .ranks = event->group_size};
    return &all->list[all->count++];
}

static void add_up(dt_world *world, tallies *all)
{
    const dti_trace *trace = dti_trace_of(world);
    for (size_t i = 0; i < trace->event_count; i++) {
        const dt_trace_event *event = &trace->events[i];
        tally *to = find_tally(world, all, event);
        if (!to)
            return;
        to->counter.calls++;
        to->peers += (uint64_t)event->peers;
        to->counter.bytes_sent += event->bytes_sent;
        to->counter.bytes_received += event->bytes_received;
    }
}

/* ---- Writing ------------------------------------------------------------ */

static void put_world(FILE *stream, const dt_world *world, bool asked)
{
    dt_memory_stats memory;
    dti_pool_read(world->pool, &memory);
    fprintf(stream,
            "{\"dry_run\": 1, \"ranks\": %d, \"rank\": %d, \"peak\": %zu, "
            "\"complete\": %s%s}\n",
            world->size, world->rank, memory.peak,
            dti_trace_of(world)->lost ? "false" : "true",
            asked ? ", \"asked\": true" : "");
}

static void put_name(FILE *stream, const char *name)
{
    fputs("{\"operator\": ", stream);
    if (name)
        dti_json_quote(stream, name);
    else
        fputs("null", stream);
}

static void put_operator(FILE *stream, const dt_trace_operator *of)
{
    put_name(stream, of->name);
    fprintf(stream,
            ", \"calls\": %" PRIu64 ", \"flops\": %.17g, \"bytes\": %.17g}\n",
            of->calls, of->flops, of->bytes);
}

static void put_tally(FILE *stream, const tally *of)
{
    put_name(stream, of->operator_name);
    fprintf(stream,
            ", \"kind\": \"%s\", \"ranks\": %d, \"calls\": %" PRIu64
            ", \"peers\": %" PRIu64 ", \"sent\": %" PRIu64
            ", \"received\": %" PRIu64 "}\n",
            dt_collective_name(of->kind), of->ranks, of->counter.calls,
            of->peers, of->counter.bytes_sent, of->counter.bytes_received);
}

static void put_all(FILE *stream, dt_world *world, bool asked)
{
    const dti_trace *trace = dti_trace_of(world);
    tallies all = {0};
    add_up(world, &all);
    put_world(stream, world, asked);
    for (size_t i = 0; i < trace->operator_count; i++)
        put_operator(stream, &trace->operators[i]);
    for (size_t i = 0; i < all.count; i++)
        put_tally(stream, &all.list[i]);
    free(all.list);
}

/* Write all of a text; false if that cannot be done. */
static bool write_text(int descriptor, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t written = write(descriptor, text, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        text += written;
        length -= (size_t)written;
    }
    return true;
}

static void write_report(dt_world *world, int descriptor, bool asked)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (stream) {
        put_all(stream, world, asked);
        errno = ENOMEM;
        bool complete = !ferror(stream);
        complete &= fclose(stream) == 0;
        if (complete && write_text(descriptor, text, length)) {
            free(text);
            return;
        }
    }
    dti_log(world, DT_LOG_WARNING, "cannot write the report of the dry run: %s",
            strerror(errno));
    free(text);
}

/* Take back the report that was written early, if nothing follows it. */
static void take_back(dti_trace *trace, int descriptor)
{
    if (trace->report_ended > trace->report_began &&
        lseek(descriptor, 0, SEEK_CUR) == trace->report_ended &&
        ftruncate(descriptor, trace->report_began) == 0)
        lseek(descriptor, trace->report_began, SEEK_SET);
}

void dti_report_write(dt_world *world, int descriptor)
{
    take_back(dti_trace_of(world), descriptor);
    write_report(world, descriptor, false);
}

void dti_report_write_early(dt_world *world, int descriptor)
{
    dti_trace *trace = dti_trace_of(world);
    take_back(trace, descriptor);
    trace->report_began = lseek(descriptor, 0, SEEK_CUR);
    if (trace->report_began < 0)
        return; /* no file: what is written there stays */
    write_report(world, descriptor, true);
    trace->report_ended = lseek(descriptor, 0, SEEK_CUR);
}
