/* cli/table.c - text in columns. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/table.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct dti_table_cell {
    dti_look look;
    char *text;
};

static const char *const look_codes[DTI_LOOK_COUNT] = {
    [DTI_LOOK_PLAIN] = "",        [DTI_LOOK_STRONG] = "\033[1m",
    [DTI_LOOK_FAINT] = "\033[2m", [DTI_LOOK_GOOD] = "\033[32m",
    [DTI_LOOK_BAD] = "\033[31m",
};

static dti_looks looks = DTI_LOOKS_AUTO;

void dti_looks_set(dti_looks when)
{
    looks = when;
}

bool dti_look_shown(FILE *stream)
{
    if (looks != DTI_LOOKS_AUTO)
        return looks == DTI_LOOKS_ALWAYS;
    const char *terminal = getenv("TERM");
    const char *refused = getenv("NO_COLOR");
    return isatty(fileno(stream)) && terminal && *terminal &&
           strcmp(terminal, "dumb") != 0 && !(refused && *refused);
}

void dti_look_print(FILE *stream, dti_look look, const char *text)
{
    bool shown = look != DTI_LOOK_PLAIN && dti_look_shown(stream);
    fprintf(stream, "%s%s%s", shown ? look_codes[look] : "", text,
            shown ? "\033[0m" : "");
}

/* Columns that UTF-8 text takes, one for each character. */
static int width_of(const char *text)
{
    int width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

void dti_table_add(dti_table *table, dti_look look, const char *text)
{
    if (table->count == table->room && !table->failed) {
        size_t room = table->room ? 2 * table->room : 64;
        void *cells = realloc(table->cells, room * sizeof *table->cells);
        if (cells) {
            table->cells = cells;
            table->room = room;
        }
    }
    char *copy = strdup(text);
    if (!copy || table->failed || table->count == table->room) {
        table->failed = true;
        free(copy);
        return;
    }
    table->cells[table->count++] =
        (struct dti_table_cell){.look = look, .text = copy};
}

static void print_row(const dti_table *table, FILE *stream,
                      const struct dti_table_cell *row, const int *widths)
{
    fprintf(stream, "%*s", table->indent, "");
    for (int i = 0; i < table->columns; i++) {
        int space = widths[i] - width_of(row[i].text);
        bool last = i + 1 == table->columns;
        if (table->right[i])
            fprintf(stream, "%*s", space, "");
        dti_look_print(stream, row[i].look, row[i].text);
        if (!table->right[i] && !last)
            fprintf(stream, "%*s", space, "");
        fputs(last ? "\n" : "  ", stream);
    }
}

void dti_table_print(dti_table *table, FILE *stream)
{
    int widths[DTI_TABLE_COLUMNS] = {0};
    size_t columns = (size_t)table->columns;
    size_t whole = table->count / columns * columns;
    for (size_t i = 0; i < whole; i++) {
        int width = width_of(table->cells[i].text);
        if (width > widths[i % columns])
            widths[i % columns] = width;
    }
    for (size_t i = 0; i < whole; i += columns)
        print_row(table, stream, table->cells + i, widths);
    for (size_t i = 0; i < table->count; i++)
        free(table->cells[i].text);
    free(table->cells);
    table->cells = NULL;
    table->count = table->room = 0;
}
