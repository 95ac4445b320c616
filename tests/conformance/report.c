/* tests/conformance/report.c - what was found. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

static void *grow(void *list, int count, int *capacity, size_t size)
{
    if (count < *capacity)
        return list;
    *capacity = *capacity ? 2 * *capacity : 16;
    void *larger = realloc(list, (size_t)*capacity * size);
    if (!larger)
        abort();
    return larger;
}

/* ---- Sets of texts ------------------------------------------------------ */

bool text_set_add(text_set *to, const char *text)
{
    uint64_t hash = dti_hash_text(text);
    for (int i = 0; i < to->count; i++)
        if (to->hashes[i] == hash)
            return false;
    to->hashes = grow(to->hashes, to->count, &to->capacity, sizeof hash);
    to->hashes[to->count++] = hash;
    return true;
}

void text_set_free(text_set *of)
{
    free(of->hashes);
    *of = (text_set){0};
}

/* ---- Explanations ------------------------------------------------------- */

/* "operator: placements: reason"; empty lines and "#" are comments. */
static bool read_explanation(const char *line, explanation *out)
{
    const char *placements = strstr(line, ": ");
    const char *reason = placements ? strstr(placements + 2, ": ") : NULL;
    if (!reason || !reason[2] || placements - line >= REPORT_NAME ||
        reason - placements >= REPORT_TEXT)
        return false;
    memset(out, 0, sizeof *out);
    memcpy(out->name, line, (size_t)(placements - line));
    memcpy(out->placements, placements + 2, (size_t)(reason - placements - 2));
    return true;
}

bool report_read_explanations(report *to, const char *path)
{
    char line[1024];
    int capacity = 0, number = 0;
    FILE *file = fopen(path, "r");
    if (!file) {
        perror(path);
        return false;
    }
    bool good = true;
    while (good && fgets(line, sizeof line, file)) {
        number++;
        line[strcspn(line, "\n")] = '\0';
        if (!line[0] || line[0] == '#')
            continue;
        to->explanations = grow(to->explanations, to->explanation_count,
                                &capacity, sizeof *to->explanations);
        good =
            read_explanation(line, &to->explanations[to->explanation_count++]);
        if (!good)
            fprintf(stderr, "%s:%d: not \"operator: placements: reason\"\n",
                    path, number);
    }
    fclose(file);
    return good;
}

/* Tell whether placements are those of an explanation, where "*" is any one. */
static bool is_like(const char *pattern, const char *placements)
{
    for (; *pattern && *pattern == *placements; pattern++)
        placements++;
    if (*pattern != '*')
        return *pattern == *placements;
    placements += strcspn(placements, " ");
    if (placements[-1] == ',')
        placements--;
    return is_like(pattern + 1, placements);
}

static bool is_explained(report *of, const char *name, const char *placements)
{
    bool found = false;
    for (int i = 0; i < of->explanation_count; i++) {
        explanation *one = &of->explanations[i];
        if (strcmp(one->name, name) == 0 &&
            is_like(one->placements, placements))
            found = one->used = true;
    }
    return found;
}

/* ---- Finding ------------------------------------------------------------ */

report_row *report_row_of(report *to, const char *name)
{
    report_row *row = NULL;
    pthread_mutex_lock(&to->mutex);
    for (int i = 0; !row && i < to->count; i++)
        if (strcmp(to->rows[i]->name, name) == 0)
            row = to->rows[i];
    if (!row) {
        size_t bytes = ((size_t)to->count + 1) * sizeof(report_row *);
        report_row **rows = realloc(to->rows, bytes);
        row = calloc(1, sizeof *row);
        if (!rows || !row)
            abort();
        snprintf(row->name, sizeof row->name, "%s", name);
        to->rows = rows;
        to->rows[to->count++] = row;
    }
    pthread_mutex_unlock(&to->mutex);
    return row;
}

void report_case(report *to, report_row *row)
{
    pthread_mutex_lock(&to->mutex);
    row->cases++;
    pthread_mutex_unlock(&to->mutex);
}

void report_candidate(report *to, report_row *row, const char *text)
{
    pthread_mutex_lock(&to->mutex);
    text_set_add(&row->candidates, text);
    pthread_mutex_unlock(&to->mutex);
}

void report_wrong(report *to, report_row *row, const char *format, ...)
{
    char text[4096];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    pthread_mutex_lock(&to->mutex);
    row->wrong++;
    if (!to->silent && row->wrong <= to->shown)
        printf("wrong    %s\n", text);
    fflush(stdout);
    pthread_mutex_unlock(&to->mutex);
}

void report_missing(report *to, report_row *row, const char *placements,
                    const char *where)
{
    pthread_mutex_lock(&to->mutex);
    if (text_set_add(&row->missing, placements)) {
        bool explained = is_explained(to, row->name, placements);
        row->explained += explained;
        row->unexplained += !explained;
        if (!explained && !to->silent)
            printf("missing  %s: %s: %s\n", row->name, placements, where);
    }
    pthread_mutex_unlock(&to->mutex);
}

/* ---- Printing ----------------------------------------------------------- */

static int compare_rows(const void *a, const void *b)
{
    return strcmp((*(report_row *const *)a)->name,
                  (*(report_row *const *)b)->name);
}

static bool was_searched(const report *of, const char *name)
{
    for (int i = 0; i < of->count; i++)
        if (strcmp(of->rows[i]->name, name) == 0)
            return of->rows[i]->searched;
    return false;
}

int report_unused(const report *of)
{
    int count = 0;
    for (int i = 0; i < of->explanation_count; i++) {
        const explanation *one = &of->explanations[i];
        if (one->used || !was_searched(of, one->name))
            continue;
        if (!of->silent)
            printf("explained without need: %s: %s\n", one->name,
                   one->placements);
        count++;
    }
    return count;
}

int report_print(report *of)
{
    report_row all = {.name = "total"};
    int failed = of->draws_others ? 0 : report_unused(of);
    if (of->count)
        qsort(of->rows, (size_t)of->count, sizeof *of->rows, compare_rows);
    for (int i = 0; i < of->count; i++) {
        const report_row *row = of->rows[i];
        printf("%-28s %6ld cases, %3d candidates, wrong %d, missing %d (%d "
               "explained)\n",
               row->name, row->cases, row->candidates.count, row->wrong,
               row->unexplained, row->explained);
        all.cases += row->cases;
        all.candidates.count += row->candidates.count;
        all.wrong += row->wrong;
        all.unexplained += row->unexplained;
        all.explained += row->explained;
        failed += row->wrong > 0 || row->unexplained > 0;
    }
    printf("%-28s %6ld cases, %3d candidates, wrong %d, missing %d (%d "
           "explained)\n",
           all.name, all.cases, all.candidates.count, all.wrong,
           all.unexplained, all.explained);
    return failed;
}

void report_free(report *of)
{
    for (int i = 0; i < of->count; i++) {
        text_set_free(&of->rows[i]->candidates);
        text_set_free(&of->rows[i]->missing);
        free(of->rows[i]);
    }
    free(of->rows);
    free(of->explanations);
}
