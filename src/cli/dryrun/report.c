/* cli/dryrun/report.c - what a dry run reports, for people and for programs. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/dryrun/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "cli/json.h"
#include "cli/memory.h"
#include "cli/table.h"
#include "cli/units.h"

/* What a world did in all. */
static dti_dry_operator add_up(const dti_dry_world *world)
{
    dti_dry_operator sum = {0};
    for (int i = 0; i < world->count; i++) {
        const dti_dry_operator *of = &world->operators[i];
        sum.calls += of->calls;
        sum.flops += of->flops;
        sum.bytes += of->bytes;
        sum.received += of->received;
        sum.communication += of->communication;
        sum.computation += of->computation;
    }
    return sum;
}

/* Tell whether an operator is worth a line: outside of them, only if something
 * was called there. */
static bool is_shown(const dti_dry_operator *of)
{
    return of->name || of->count > 0 || of->flops > 0 || of->bytes > 0;
}

/* ---- For people --------------------------------------------------------- */

/* Calls by kind: "2 all-reduce, 1 all-gather"; the caller frees it. */
static char *describe_calls(const dti_dry_world *world,
                            const dti_dry_operator *only)
{
    int64_t calls[DT_COLLECTIVE_COUNT] = {0};
    dti_text text;
    bool any = false;
    dti_text_open(&text);
    for (int i = 0; i < world->count; i++) {
        const dti_dry_operator *of = &world->operators[i];
        for (int j = 0; j < of->count && (!only || only == of); j++)
            calls[of->collectives[j].kind] += of->collectives[j].calls;
    }
    for (int i = 0; i < DT_COLLECTIVE_COUNT; i++) {
        if (calls[i])
            fprintf(text.stream, "%s%" PRId64 " %s", any ? ", " : "", calls[i],
                    dt_collective_name((dt_collective)i));
        any |= calls[i] > 0;
    }
    return dti_text_close(&text);
}

static void add_row(dti_table *table, const dti_dry_world *world,
                    const char *name, const dti_dry_operator *of, bool is_sum)
{
    dti_look look = is_sum ? DTI_LOOK_STRONG : DTI_LOOK_PLAIN;
    char calls[24] = "";
    char *collectives = describe_calls(world, is_sum ? NULL : of);
    if (of->calls > 0)
        snprintf(calls, sizeof calls, "%" PRId64, of->calls);
    dti_table_add(table, look, name);
    dti_table_add(table, look, calls);
    dti_table_add(table, look, collectives);
    dti_table_add(table, look, dti_bytes(of->received).text);
    dti_table_add(table, look, dti_seconds(of->communication).text);
    dti_table_add(table, look, dti_seconds(of->computation).text);
    dti_table_add(table, look,
                  dti_seconds(of->communication + of->computation).text);
    free(collectives);
}

static void print_operators(const dti_dry_world *world, FILE *stream)
{
    static const char *const heads[] = {
        "operator",      "calls",     "collectives", "received",
        "communicating", "computing", "time"};
    dti_table table = {
        .columns = 7,
        .right = {[1] = true, [3] = true, [4] = true, [5] = true, [6] = true}};
    dti_dry_operator sum = add_up(world);
    for (int i = 0; i < table.columns; i++)
        dti_table_add(&table, DTI_LOOK_FAINT, heads[i]);
    for (int i = 0; i < world->count; i++) {
        const dti_dry_operator *of = &world->operators[i];
        if (is_shown(of))
            add_row(&table, world, of->name ? of->name : "(none)", of, false);
    }
    add_row(&table, world, "total", &sum, true);
    dti_table_print(&table, stream);
}

void dti_dry_print(const dti_dry_world *world, const dti_dry_rates *rates,
                   FILE *stream)
{
    dti_figure all = dti_bytes(world->peak > INT64_MAX / world->ranks
                                   ? INT64_MAX
                                   : world->peak * world->ranks);
    char title[64];
    snprintf(title, sizeof title, "rank %d of %d", world->rank, world->ranks);
    dti_look_print(stream, DTI_LOOK_STRONG, title);
    fputs(", nothing sent or computed\n\n", stream);
    print_operators(world, stream);
    fprintf(stream, "\npeak memory %s; %d such ranks have %s\n",
            dti_bytes(world->peak).text, world->ranks, all.text);
    fprintf(stream,
            "times: calls over %s by its cost table; computing at %.3g GFLOP/s "
            "or %.3g GB/s\n",
            rates->transport, rates->flops * 1e-9, rates->bandwidth * 1e-9);
    if (!world->complete)
        fputs("out of memory: the report is incomplete\n", stream);
}

/* ---- For programs ------------------------------------------------------- */

static void put_calls(dti_json *json, const dti_dry_calls *of)
{
    dti_json_open(json, NULL, '{');
    dti_json_text(json, "kind", dt_collective_name(of->kind));
    dti_json_integer(json, "ranks", of->ranks);
    dti_json_integer(json, "calls", of->calls);
    dti_json_integer(json, "peers", of->peers);
    dti_json_integer(json, "sent", of->sent);
    dti_json_integer(json, "received", of->received);
    dti_json_number(json, "seconds", of->seconds);
    dti_json_close(json, '}');
}

/* What is known of an operator and of all of them together. */
static void put_sums(dti_json *json, const dti_dry_operator *of)
{
    dti_json_integer(json, "calls", of->calls);
    dti_json_integer(json, "received", of->received);
    dti_json_number(json, "flops", of->flops);
    dti_json_number(json, "bytes", of->bytes);
    dti_json_number(json, "communication", of->communication);
    dti_json_number(json, "computation", of->computation);
    dti_json_number(json, "seconds", of->communication + of->computation);
}

static void put_operator(dti_json *json, const dti_dry_operator *of)
{
    dti_json_open(json, NULL, '{');
    if (of->name)
        dti_json_text(json, "operator", of->name);
    else
        dti_json_number(json, "operator", NAN); /* null */
    put_sums(json, of);
    dti_json_open(json, "collectives", '[');
    for (int i = 0; i < of->count; i++)
        put_calls(json, &of->collectives[i]);
    dti_json_close(json, ']');
    dti_json_close(json, '}');
}

void dti_dry_print_json(const dti_dry_world *world, const dti_dry_rates *rates,
                        FILE *stream)
{
    dti_json json = {.stream = stream};
    dti_dry_operator sum = add_up(world);
    dti_json_open(&json, NULL, '{');
    dti_json_integer(&json, "ranks", world->ranks);
    dti_json_integer(&json, "rank", world->rank);
    dti_json_integer(&json, "peak_memory", world->peak);
    dti_json_text(&json, "transport", rates->transport);
    dti_json_number(&json, "flops_per_second", rates->flops);
    dti_json_number(&json, "bytes_per_second", rates->bandwidth);
    put_sums(&json, &sum);
    dti_json_open(&json, "operators", '[');
    for (int i = 0; i < world->count; i++)
        if (is_shown(&world->operators[i]))
            put_operator(&json, &world->operators[i]);
    dti_json_close(&json, ']');
    dti_json_close(&json, '}');
    putc('\n', stream);
    if (!world->complete)
        fputs("dtensor dryrun: out of memory: the report is incomplete\n",
              stderr);
}
