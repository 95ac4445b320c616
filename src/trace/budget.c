/* trace/budget.c - how much a scope may send. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/budget.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/attributes.h"
#include "base/text/reader.h"
#include "trace/trace.h"

/* What can be limited: calls of a kind, calls of all kinds, bytes. */
enum { LIMIT_CALLS = DT_COLLECTIVE_COUNT, LIMIT_BYTES, LIMIT_COUNT };

struct dti_budget {
    dti_owned owned;
    dti_budget *outer;           /* of a scope around this one; NULL: none */
    int64_t limits[LIMIT_COUNT]; /* -1: none */
    int64_t used[LIMIT_COUNT];
    char text[]; /* for sentences */
};

#define LONGEST_NAME 16

/* The name of a limit: that of the collective, with underscores. */
static void write_name(int limit, char name[LONGEST_NAME + 1])
{
    const char *text = limit == LIMIT_CALLS ? "calls"
                       : limit == LIMIT_BYTES
                           ? "bytes"
                           : dt_collective_name((dt_collective)limit);
    size_t i = 0;
    for (; text[i] && i < LONGEST_NAME; i++)
        name[i] = (char)(text[i] == '-' ? '_' : text[i]);
    name[i] = '\0';
}

/* ---- Reading ------------------------------------------------------------ */

/* Find the limit whose name comes next, and take it. */
static dt_status read_name(dti_reader *from, int *out)
{
    size_t length = 0;
    while (dti_is_letter(from->at[length]))
        length++;
    for (int i = 0; i < LIMIT_COUNT; i++) {
        char name[LONGEST_NAME + 1];
        write_name(i, name);
        if (strlen(name) != length || strncmp(from->at, name, length) != 0)
            continue;
        from->at += length;
        *out = i;
        return DT_OK;
    }
    return dti_reader_expected(from, "what is limited (calls, bytes, or a "
                                     "collective such as all_reduce)");
}

static dt_status read_amount(dti_reader *from, int64_t *out)
{
    static const struct {
        const char *name;
        int shift;
    } units[] = {{"Ki", 10}, {"Mi", 20}, {"Gi", 30}};
    int64_t number = 0;
    DTI_TRY(dti_reader_number(from, "a number", INT64_MAX, &number));
    for (size_t i = 0; i < DTI_COUNT_OF(units); i++) {
        if (!dti_reader_accept_word(from, units[i].name))
            continue;
        if (number > INT64_MAX >> units[i].shift)
            return dti_fail(from->world, DT_ERR_INVALID,
                            DTI_QUOTED ": %" PRId64 " %s exceed 63 bits",
                            from->text, number, units[i].name);
        number <<= units[i].shift;
        break;
    }
    *out = number;
    return DT_OK;
}

static dt_status read_limit(dti_reader *from, dti_budget *budget)
{
    int limit = 0;
    DTI_TRY(read_name(from, &limit));
    if (!dti_reader_accept_word(from, "<="))
        return dti_reader_expected(from, "\"<=\"");
    if (budget->limits[limit] >= 0) {
        char name[LONGEST_NAME + 1];
        write_name(limit, name);
        return dti_fail(from->world, DT_ERR_INVALID,
                        DTI_QUOTED ": %s is limited twice", from->text, name);
    }
    return read_amount(from, &budget->limits[limit]);
}

static dt_status read_limits(dti_reader *from, dti_budget *budget)
{
    dti_reader_skip_space(from);
    do
        DTI_TRY(read_limit(from, budget));
    while (dti_reader_accept(from, ','));
    return *from->at ? dti_reader_expected(from, "a comma") : DT_OK;
}

dt_status dti_budget_create(dt_world *world, const char *text, dti_budget **out)
{
    size_t length = strlen(text);
    dti_budget *budget = calloc(1, sizeof *budget + length + 1);
    dti_reader from = {.world = world, .text = text, .at = text};
    if (!budget)
        return dti_fail_memory(world, sizeof *budget + length + 1, "a budget");
    for (int i = 0; i < LIMIT_COUNT; i++)
        budget->limits[i] = -1;
    memcpy(budget->text, text, length + 1);
    dt_status status = read_limits(&from, budget);
    if (status != DT_OK) {
        free(budget);
        return status;
    }
    budget->outer = world->scope->rules.budget;
    *out = budget;
    return DT_OK;
}

/* ---- Ownership ---------------------------------------------------------- */

void dti_budget_release(dti_budget *budget)
{
    free(budget);
}

static void release_owned(dti_owned *owned)
{
    dti_budget_release((dti_budget *)owned);
}

void dti_budget_adopt(dt_world *world, dti_budget *budget)
{
    dti_scope_adopt(world, &budget->owned, release_owned);
}

/* ---- Spending ----------------------------------------------------------- */

/* What a call takes of a limit. */
static int64_t amount_of(int limit, dt_collective kind, size_t bytes)
{
    if (limit == LIMIT_BYTES)
        return bytes < INT64_MAX ? (int64_t)bytes : INT64_MAX;
    return limit == LIMIT_CALLS || limit == (int)kind;
}

static dt_status refuse(dt_world *world, const dti_budget *budget, int limit,
                        dt_collective kind, int64_t amount, const char *origin)
{
    char name[LONGEST_NAME + 1];
    const char *operator_name = dti_trace_operator(world);
    write_name(limit, name);
    return dti_fail(
        world, DT_ERR_INVALID,
        "%s%s%s%s%s: the budget " DTI_QUOTED " of the scope allows %s<=%" PRId64
        "; %" PRId64 " %s before, and this needs %" PRId64 " more",
        dt_collective_name(kind), origin ? " for " : "", origin ? origin : "",
        operator_name ? " in " : "", operator_name ? operator_name : "",
        budget->text, name, budget->limits[limit], budget->used[limit],
        limit == LIMIT_BYTES ? "were received" : "were made", amount);
}

static dt_status check(dt_world *world, const dti_budget *budget,
                       dt_collective kind, size_t bytes, const char *origin)
{
    for (int i = 0; i < LIMIT_COUNT; i++) {
        int64_t amount = amount_of(i, kind, bytes);
        if (amount > 0 && budget->limits[i] >= 0 &&
            amount > budget->limits[i] - budget->used[i])
            return refuse(world, budget, i, kind, amount, origin);
    }
    return DT_OK;
}

dt_status dti_budget_spend(dt_world *world, dt_collective kind,
                           size_t bytes_received, const char *origin)
{
    dti_budget *innermost = world->scope->rules.budget;
    for (dti_budget *at = innermost; at; at = at->outer)
        DTI_TRY(check(world, at, kind, bytes_received, origin));
    for (dti_budget *at = innermost; at; at = at->outer)
        for (int i = 0; i < LIMIT_COUNT; i++)
            /* What has no limit is not counted, so that nothing overflows. */
            if (at->limits[i] >= 0)
                at->used[i] += amount_of(i, kind, bytes_received);
    return DT_OK;
}
