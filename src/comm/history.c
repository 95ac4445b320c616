/* comm/history.c - the calls that a rank made on a mesh. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "comm/history.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text/writer.h"
#include "comm/comm.h"

/* ---- Those of a world --------------------------------------------------- */

static bool has_id(const void *value, const void *key)
{
    return ((const dti_history *)value)->id == *(const uint64_t *)key;
}

static void restart(dti_history *history)
{
    history->word = history->id;
    history->number = 0;
}

dti_history *dti_history_of(const dt_world *world, uint64_t id)
{
    return dti_map_find(&dti_comm_of(world)->histories, id, &id, has_id);
}

dt_status dti_history_open(dt_world *world, uint64_t id, int size, bool member,
                           const char *mesh, dti_history **out)
{
    dti_comm *comm = dti_comm_of(world);
    dti_history *history = dti_history_of(world, id);
    if (history) {
        *out = history;
        return DT_OK;
    }
    history = calloc(1, sizeof *history);
    if (!history)
        return dti_fail_memory(world, sizeof *history, "the calls of a mesh");
    history->world = world;
    history->id = id;
    history->size = size;
    history->member = member;
    history->doing = &comm->doing;
    snprintf(history->mesh, sizeof history->mesh, "%s", mesh);
    restart(history);
    if (dti_map_add(&comm->histories, id, history) != DT_OK) {
        free(history);
        return dti_fail_memory(world, sizeof *history, "the calls of a mesh");
    }
    *out = history;
    return DT_OK;
}

void dti_history_restart(dt_world *world)
{
    dti_comm *comm = dti_comm_of(world);
    size_t cursor = 0;
    for (dti_history *one; (one = dti_map_next(&comm->histories, &cursor));)
        restart(one);
    comm->served = (dti_service){0};
    comm->doing = (dti_doing){NULL, NULL};
}

void dti_history_close_all(dt_world *world)
{
    dti_comm *comm = dti_comm_of(world);
    size_t cursor = 0;
    for (void *one; (one = dti_map_next(&comm->histories, &cursor));)
        free(one);
    dti_map_clear(&comm->histories);
    cursor = 0;
    for (void *text; (text = dti_map_next(&comm->modules, &cursor));)
        free(text);
    dti_map_clear(&comm->modules);
}

/* ---- Modules ------------------------------------------------------------ */

static bool is_text(const void *value, const void *key)
{
    return strcmp(value, key) == 0;
}

/* Keep a text until the world closes; NULL without memory. */
static const char *keep_text(dti_comm *comm, const char *text)
{
    uint64_t hash = dti_hash_text(text);
    char *kept = dti_map_find(&comm->modules, hash, text, is_text);
    if (kept)
        return kept;
    kept = strdup(text);
    if (kept && dti_map_add(&comm->modules, hash, kept) != DT_OK) {
        free(kept);
        kept = NULL;
    }
    return kept;
}

const char *dt_world_set_module(dt_world *world, const char *name)
{
    dti_comm *comm = dti_comm_of(world);
    const char *before = comm->doing.module;
    comm->doing.module = name ? keep_text(comm, name) : NULL;
    return before;
}

/* ---- Pages -------------------------------------------------------------- */

static void write_doing(const dti_doing *doing, char *text, size_t size)
{
    dti_writer to = {text, size, 0};
    text[0] = '\0';
    if (doing->module)
        dti_put(&to, " in %s", doing->module);
    if (doing->gradient_of)
        dti_put(&to, "%s the gradient of %s", doing->module ? "," : " in",
                doing->gradient_of);
}

static void write_line(dt_world *world, const dti_past_call *call,
                       dti_history_line *out)
{
    out->name[0] = out->arguments[0] = '\0';
    call->describe(world, call, out);
    out->word = call->word;
    write_doing(&call->doing, out->doing, sizeof out->doing);
}

void dti_history_write(const dti_history *history, dti_history_page *out)
{
    out->id = 0;
    out->number = 0;
    out->count = 0;
    if (!history)
        return;
    out->number = history->number;
    out->size = history->size;
    out->count = history->number < DTI_HISTORY_CALLS ? (int32_t)history->number
                                                     : DTI_HISTORY_CALLS;
    memcpy(out->mesh, history->mesh, sizeof out->mesh);
    for (int32_t i = 0; i < out->count; i++) {
        uint64_t number = history->number - (uint64_t)(out->count - 1 - i);
        write_line(history->world, &history->calls[number % DTI_HISTORY_CALLS],
                   &out->lines[i]);
    }
    out->id = history->id;
}

/* The number of the first call that a page has. */
static uint64_t first_of(const dti_history_page *page)
{
    return page->number - (uint64_t)page->count + 1;
}

/* The line of a call; NULL if the page does not have it. */
static const dti_history_line *line_of(const dti_history_page *page,
                                       uint64_t number)
{
    bool has = number >= first_of(page) && number <= page->number;
    return has ? &page->lines[number - first_of(page)] : NULL;
}

uint64_t dti_history_find(const dti_history_page *page, uint64_t word)
{
    for (int32_t i = page->count - 1; i >= 0; i--)
        if (page->lines[i].word == word)
            return first_of(page) + (uint64_t)i;
    return 0;
}

/* ---- Two pages ---------------------------------------------------------- */

/* What two pages of one mesh say of the first call that differs. */
typedef struct difference {
    uint64_t number;                  /* of the call; 0: the pages agree */
    bool exact;                       /* the call before was the same */
    const dti_history_line *lines[2]; /* NULL: the rank did not make it */
} difference;

/*
 * A word depends on all calls so far, so words that differ once differ from
 * then on.  The first call whose words differ is therefore the first that was
 * different, if both pages have the call before it and agree about that.
 */
static difference find_difference(const dti_history_page *a,
                                  const dti_history_page *b)
{
    uint64_t first = first_of(a) > first_of(b) ? first_of(a) : first_of(b);
    uint64_t last = a->number > b->number ? a->number : b->number;
    for (uint64_t number = first; number <= last; number++) {
        const dti_history_line *mine = line_of(a, number);
        const dti_history_line *theirs = line_of(b, number);
        if (!mine || !theirs || mine->word != theirs->word)
            return (difference){.number = number,
                                .exact = number > first || number == 1,
                                .lines = {mine, theirs}};
    }
    return (difference){0};
}

bool dti_history_differ(const dti_history_page *a, const dti_history_page *b)
{
    return a->id && a->id == b->id && find_difference(a, b).number;
}

/* Take the first argument off a list; returns its length. */
static int next_argument(const char **list, const char **out)
{
    size_t length = strcspn(*list, "\n");
    *out = *list;
    *list += length + ((*list)[length] == '\n');
    return (int)length;
}

/* Tell whether a list of arguments has this one. */
static bool has_argument(const char *list, const char *argument, int length)
{
    while (*list) {
        const char *one;
        int other = next_argument(&list, &one);
        if (other == length && memcmp(one, argument, (size_t)length) == 0)
            return true;
    }
    return false;
}

/* Write a call, without the arguments that `other` has too; with all of them if
 * that is NULL. */
static void add_call(dti_writer *to, const dti_history_line *line,
                     const dti_history_line *other)
{
    const char *rest = line->arguments;
    int written = 0;
    dti_put(to, "%s(", line->name);
    while (*rest) {
        const char *one;
        int length = next_argument(&rest, &one);
        if (other && has_argument(other->arguments, one, length))
            continue;
        dti_put(to, "%s%.*s", written++ ? ", " : "", length, one);
    }
    dti_put(to, ")%s", line->doing);
}

/* Write both calls: "rank 0 called mul(other=2), rank 1 called mul(other=3)".
 * Of one operator, only arguments that differ are named. */
static void contrast(const dti_history_line *const *lines, const int *ranks,
                     char *text, size_t size)
{
    dti_writer to = {text, size, 0};
    bool alike = lines[0] && lines[1] &&
                 strcmp(lines[0]->name, lines[1]->name) == 0 &&
                 strcmp(lines[0]->arguments, lines[1]->arguments) != 0;
    text[0] = '\0';
    for (int i = 0; i < 2; i++) {
        dti_put(&to, "%srank %d called ", i ? ", " : "", ranks[i]);
        if (lines[i])
            add_call(&to, lines[i], alike ? lines[1 - i] : NULL);
        else
            dti_put(&to, "nothing");
    }
    if (lines[0] && lines[1] && !alike &&
        strcmp(lines[0]->name, lines[1]->name) == 0)
        dti_put(&to, ", with other arguments");
}

dt_status dti_history_fail(dt_world *world, const int *ranks,
                           const dti_history_page *const *pages,
                           const uint64_t *latest, const char *where)
{
    const difference first = find_difference(pages[0], pages[1]);
    char calls[640], since[160];
    contrast(first.lines, ranks, calls, sizeof calls);
    if (!first.exact)
        snprintf(since, sizeof since,
                 "before call #%" PRIu64
                 " of mesh %s, the oldest in the history",
                 first.number, pages[0]->mesh);
    else if (first.number == latest[0] && first.number == latest[1])
        snprintf(since, sizeof since, "at call #%" PRIu64 " of mesh %s",
                 first.number, pages[0]->mesh);
    else
        snprintf(since, sizeof since, "from call #%" PRIu64 " of mesh %s on",
                 first.number, pages[0]->mesh);
    return dti_fail(world, DT_ERR_DIVERGED, "ranks diverged %s (%s): %s", since,
                    where, calls);
}
