/* cli/table.h - text in columns. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CLI_TABLE_H
#define DTI_CLI_TABLE_H

#include <stdbool.h>
#include <stdio.h>

/* How a cell looks on a terminal; elsewhere all look alike. */
typedef enum dti_look {
    DTI_LOOK_PLAIN,
    DTI_LOOK_STRONG,
    DTI_LOOK_FAINT,
    DTI_LOOK_GOOD,
    DTI_LOOK_BAD,
    DTI_LOOK_COUNT
} dti_look;

/* When looks are shown. */
typedef enum dti_looks {
    DTI_LOOKS_AUTO, /* on a terminal, unless NO_COLOR is set */
    DTI_LOOKS_ALWAYS,
    DTI_LOOKS_NEVER
} dti_looks;

/* Choose when; it holds for the rest of the command. */
void dti_looks_set(dti_looks when);

/* Tell whether looks are shown on a stream. */
bool dti_look_shown(FILE *stream);

/* Write text in a look. */
void dti_look_print(FILE *stream, dti_look look, const char *text);

#define DTI_TABLE_COLUMNS 8

/* Rows of cells.  Start from zeros, with the number of columns. */
typedef struct dti_table {
    int columns;
    bool right[DTI_TABLE_COLUMNS]; /* aligned to the right */
    int indent;                    /* spaces before each row */
    struct dti_table_cell *cells;
    size_t count, room;
    bool failed; /* memory was short; rows are missing */
} dti_table;

/* Add a cell; the text is copied. */
void dti_table_add(dti_table *table, dti_look look, const char *text);

/* Write all rows, each column as wide as its widest cell, and free them. */
void dti_table_print(dti_table *table, FILE *stream);

#endif
