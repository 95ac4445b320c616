/* verify/report.c - what a verification found. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/text/writer.h"

/* ---- Texts -------------------------------------------------------------- */

bool dti_text_add(dt_world *world, dti_text *to, const char *bytes,
                  size_t length)
{
    size_t needed = to->length + length;
    if (needed > to->capacity) {
        size_t capacity = 2 * needed;
        char *data = realloc(to->data, capacity);
        if (!data) {
            dti_fail_memory(world, capacity, "the report of a verification");
            return false;
        }
        to->data = data;
        to->capacity = capacity;
    }
    memcpy(to->data + to->length, bytes, length);
    to->length = needed;
    return true;
}

void dti_text_free(dti_text *of)
{
    free(of->data);
    *of = (dti_text){0};
}

bool dti_text_set_add(dt_world *world, dti_text_set *to, const char *text)
{
    uint64_t hash = dti_hash_text(text);
    for (int i = 0; i < to->count; i++)
        if (to->hashes[i] == hash)
            return false;
    if (to->count == to->capacity) {
        int capacity = to->capacity ? 2 * to->capacity : 16;
        size_t bytes = (size_t)capacity * sizeof hash;
        uint64_t *hashes = realloc(to->hashes, bytes);
        if (!hashes) {
            dti_fail_memory(world, bytes, "the report of a verification");
            return false;
        }
        to->hashes = hashes;
        to->capacity = capacity;
    }
    to->hashes[to->count++] = hash;
    return true;
}

void dti_text_set_free(dti_text_set *of)
{
    free(of->hashes);
    *of = (dti_text_set){0};
}

/* ---- Explanations ------------------------------------------------------- */

static bool read_explanation(const char *line, dti_explanation *out)
{
    const char *placements = strstr(line, ": ");
    const char *reason = placements ? strstr(placements + 2, ": ") : NULL;
    if (!reason || !reason[2] || placements - line >= DTI_REPORT_NAME ||
        reason - placements >= DTI_REPORT_TEXT)
        return false;
    memset(out, 0, sizeof *out);
    memcpy(out->name, line, (size_t)(placements - line));
    memcpy(out->placements, placements + 2, (size_t)(reason - placements - 2));
    return true;
}

dt_status dti_report_explain(dti_report *to, const char *line)
{
    dti_explanation read;
    if (!line[0] || line[0] == '#')
        return DT_OK;
    if (!read_explanation(line, &read))
        return DT_ERR_FORMAT;
    if (to->explanation_count == to->explanation_capacity) {
        int capacity =
            to->explanation_capacity ? 2 * to->explanation_capacity : 16;
        dti_explanation *list =
            realloc(to->explanations, (size_t)capacity * sizeof *list);
        if (!list)
            return DT_ERR_NO_MEMORY;
        to->explanations = list;
        to->explanation_capacity = capacity;
    }
    to->explanations[to->explanation_count++] = read;
    return DT_OK;
}

/* Tell whether placements are those of an explanation, where "*" is any one. */
static bool is_like(const char *pattern, const char *placements)
{
    for (; *pattern && *pattern == *placements; pattern++)
        placements++;
    if (*pattern != '*')
        return *pattern == *placements;
    size_t length = strcspn(placements, " ");
    if (length && placements[length - 1] == ',')
        length--;
    return is_like(pattern + 1, placements + length);
}

static bool is_explained(dti_report *of, const char *name,
                         const char *placements)
{
    bool found = false;
    for (int i = 0; i < of->explanation_count; i++) {
        dti_explanation *one = &of->explanations[i];
        if (strcmp(one->name, name) == 0 &&
            is_like(one->placements, placements))
            found = one->used = true;
    }
    return found;
}

/* ---- Findings ----------------------------------------------------------- */

dti_report_row *dti_report_row_of(dti_report *to, const char *name)
{
    for (int i = 0; i < to->count; i++)
        if (strcmp(to->rows[i]->name, name) == 0)
            return to->rows[i];
    size_t bytes = ((size_t)to->count + 1) * sizeof(dti_report_row *);
    dti_report_row **rows = realloc(to->rows, bytes);
    if (!rows)
        return NULL;
    to->rows = rows;
    dti_report_row *row = calloc(1, sizeof *row);
    if (!row)
        return NULL;
    snprintf(row->name, sizeof row->name, "%s", name);
    to->rows[to->count++] = row;
    return row;
}

static void tell(const dti_report *to, const char *kind, const char *text)
{
    char line[DTI_REPORT_LINE + 16];
    dti_writer writer = {line, sizeof line, 0};
    if (!to->tell)
        return;
    dti_put(&writer, "%-8s %s", kind, text);
    to->tell(to->arg, line);
}

void dti_report_wrong(dti_report *to, dti_report_row *row, const char *text)
{
    if (row->wrong++ == 0)
        snprintf(row->first, sizeof row->first, "%s", text);
    if (row->wrong <= to->shown)
        tell(to, "wrong", text);
}

/* Tell whether something was not found before and has no explanation. */
static bool is_new(dt_world *world, dti_report *to, dti_report_row *row,
                   const char *what)
{
    if (!dti_text_set_add(world, &row->missing, what))
        return false;
    const bool explained = is_explained(to, row->name, what);
    row->explained += explained;
    return !explained;
}

void dti_report_missing(dt_world *world, dti_report *to, dti_report_row *row,
                        const char *placements, const char *where)
{
    char text[DTI_REPORT_LINE];
    if (!is_new(world, to, row, placements))
        return;
    row->unexplained++;
    snprintf(text, sizeof text, "%s: %s: %s", row->name, placements, where);
    tell(to, "missing", text);
}

void dti_report_gradient(dt_world *world, dti_report *to, dti_report_row *row,
                         const char *what, const char *where)
{
    char text[DTI_REPORT_LINE];
    if (!is_new(world, to, row, what))
        return;
    snprintf(text, sizeof text, "%s: %s: %s", row->name, what, where);
    dti_report_wrong(to, row, text);
}

static bool was_searched(const dti_report *of, const char *name)
{
    for (int i = 0; i < of->count; i++)
        if (strcmp(of->rows[i]->name, name) == 0)
            return of->rows[i]->searched;
    return false;
}

int dti_report_unused(const dti_report *of)
{
    int count = 0;
    for (int i = 0; i < of->explanation_count; i++) {
        const dti_explanation *one = &of->explanations[i];
        char text[DTI_REPORT_LINE];
        if (one->used || !was_searched(of, one->name))
            continue;
        snprintf(text, sizeof text, "%s: %s", one->name, one->placements);
        tell(of, "needless explanation", text);
        count++;
    }
    return count;
}

void dti_report_show(const dti_report_row *row, char *text, size_t size)
{
    dti_writer to = {text, size, 0};
    dti_put(&to,
            "%-28s %6ld cases, %3d candidates, wrong %d, missing %d (%d "
            "explained)",
            row->name, row->cases, row->candidates.count, row->wrong,
            row->unexplained, row->explained);
}

void dti_report_free(dti_report *of)
{
    for (int i = 0; i < of->count; i++) {
        dti_text_set_free(&of->rows[i]->candidates);
        dti_text_set_free(&of->rows[i]->missing);
        free(of->rows[i]);
    }
    free(of->rows);
    free(of->explanations);
    of->rows = NULL;
    of->count = 0;
    of->explanations = NULL;
    of->explanation_count = of->explanation_capacity = 0;
}
