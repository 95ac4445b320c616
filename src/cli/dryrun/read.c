/* cli/dryrun/read.c - reading what a dry run reports, and working out times. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/dryrun/report.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/json_line.h"
#include "cli/memory.h"

/*
 * One JSON object per line: a world, then its operators, then their calls, as
 * the library writes them when a world closes (src/trace/report.h).
 */

/* ---- Lines -------------------------------------------------------------- */

static bool get_count(const dti_json_object *line, const char *key, int *out)
{
    int64_t number;
    if (!dti_json_get_integer(line, key, &number) || number < 0 ||
        number > INT_MAX)
        return false;
    *out = (int)number;
    return true;
}

static bool is_true(const dti_json_object *line, const char *key)
{
    for (int i = 0; i < line->count; i++)
        if (strcmp(line->members[i].key, key) == 0)
            return strcmp(line->members[i].value, "true") == 0;
    return false;
}

static bool add_world(dti_dry_report *report, const dti_json_object *line)
{
    dti_dry_world world = {0};
    if (!get_count(line, "ranks", &world.ranks) ||
        !get_count(line, "rank", &world.rank) ||
        !dti_json_get_integer(line, "peak", &world.peak))
        return false;
    world.complete = is_true(line, "complete");
    world.asked = is_true(line, "asked");
    report->worlds = dti_grow(report->worlds, (size_t)report->count + 1,
                              sizeof *report->worlds);
    report->worlds[report->count++] = world;
    return true;
}

static char *copy_text(const char *text)
{
    return text ? strcpy(dti_grow(NULL, strlen(text) + 1, 1), text) : NULL;
}

static bool add_operator(dti_dry_world *world, const dti_json_object *line)
{
    dti_dry_operator of = {0};
    if (!dti_json_get_integer(line, "calls", &of.calls) ||
        !dti_json_get_number(line, "flops", &of.flops) ||
        !dti_json_get_number(line, "bytes", &of.bytes))
        return false;
    of.name = copy_text(dti_json_get_text(line, "operator"));
    world->operators = dti_grow(world->operators, (size_t)world->count + 1,
                                sizeof *world->operators);
    world->operators[world->count++] = of;
    return true;
}

static bool find_kind(const char *name, dt_collective *out)
{
    for (int i = 0; i < DT_COLLECTIVE_COUNT; i++)
        if (strcmp(dt_collective_name((dt_collective)i), name) == 0) {
            *out = (dt_collective)i;
            return true;
        }
    return false;
}

static dti_dry_operator *find_operator(dti_dry_world *world, const char *name)
{
    for (int i = 0; i < world->count; i++) {
        const char *own = world->operators[i].name;
        if (name && own ? strcmp(name, own) == 0 : name == own)
            return &world->operators[i];
    }
    return NULL;
}

static bool add_calls(dti_dry_world *world, const dti_json_object *line)
{
    dti_dry_calls calls = {0};
    dti_dry_operator *of =
        find_operator(world, dti_json_get_text(line, "operator"));
    if (!of || !find_kind(dti_json_get_text(line, "kind"), &calls.kind) ||
        !get_count(line, "ranks", &calls.ranks) ||
        !dti_json_get_integer(line, "calls", &calls.calls) ||
        !dti_json_get_integer(line, "peers", &calls.peers) ||
        !dti_json_get_integer(line, "sent", &calls.sent) ||
        !dti_json_get_integer(line, "received", &calls.received) ||
        calls.calls < 1 || calls.peers / calls.calls >= INT_MAX)
        return false;
    of->collectives = dti_grow(of->collectives, (size_t)of->count + 1,
                               sizeof *of->collectives);
    of->collectives[of->count++] = calls;
    return true;
}

static bool add_line(dti_dry_report *report, char *text)
{
    dti_json_object line;
    int one;
    if (!dti_json_read(text, &line))
        return false;
    if (get_count(&line, "dry_run", &one))
        return add_world(report, &line);
    if (report->count == 0)
        return false;
    dti_dry_world *world = &report->worlds[report->count - 1];
    return dti_json_get_text(&line, "kind") ? add_calls(world, &line)
                                            : add_operator(world, &line);
}

/* ---- A report ----------------------------------------------------------- */

bool dti_dry_read(FILE *stream, dti_dry_report *out)
{
    char *line = NULL;
    size_t room = 0;
    bool valid = true;
    *out = (dti_dry_report){0};
    while (valid && getline(&line, &room, stream) >= 0)
        valid = add_line(out, line);
    free(line);
    return valid;
}

static void free_world(dti_dry_world *world)
{
    for (int i = 0; i < world->count; i++) {
        free(world->operators[i].name);
        free(world->operators[i].collectives);
    }
    free(world->operators);
}

void dti_dry_free(dti_dry_report *report)
{
    for (int i = 0; i < report->count; i++)
        free_world(&report->worlds[i]);
    free(report->worlds);
}

/* ---- Times -------------------------------------------------------------- */

/* All calls are taken to be alike: prices are linear in bytes. */
static double reckon_calls(const dti_dry_calls *of, const char *transport)
{
    dt_trace_event event = {
        .kind = of->kind,
        .group_size = of->ranks,
        .peers = (int)((of->peers + of->calls - 1) / of->calls),
        .bytes_sent = (size_t)(of->sent / of->calls),
        .bytes_received = (size_t)(of->received / of->calls)};
    return (double)of->calls * dt_trace_predict(transport, &event);
}

/* A rank computes as fast as its arithmetic or its memory lets it. */
static double reckon_work(const dti_dry_operator *of,
                          const dti_dry_rates *rates)
{
    double arithmetic = of->flops / rates->flops;
    double memory = of->bytes / rates->bandwidth;
    return arithmetic > memory ? arithmetic : memory;
}

void dti_dry_reckon(dti_dry_report *report, const dti_dry_rates *rates)
{
    for (int i = 0; i < report->count; i++)
        for (int j = 0; j < report->worlds[i].count; j++) {
            dti_dry_operator *of = &report->worlds[i].operators[j];
            of->computation = reckon_work(of, rates);
            for (int k = 0; k < of->count; k++) {
                dti_dry_calls *calls = &of->collectives[k];
                calls->seconds = reckon_calls(calls, rates->transport);
                of->communication += calls->seconds;
                of->received += calls->received;
            }
        }
}
