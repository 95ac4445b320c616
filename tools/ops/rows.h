/* tools/ops/rows.h - the rows of all tables, and what is written from them. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPS_ROWS_H
#define OPS_ROWS_H

#include <stdio.h>

#include "op/schema.h"

/* An operator: its row, and its schema, read. */
typedef struct op_row {
    const char *family; /* its file below src/ops, as "nn/softmax" */
    const dt_op *op;
    dti_schema schema;
    bool faulty; /* it can have no functions: numbered, and left out else */
} op_row;

typedef struct op_rows {
    int count;
    op_row *list;
} op_rows;

/* Say on stderr what is wrong with rows; gives how many faults there are.
 * The other headers below `root` tell which names are taken. */
int check_rows(op_rows *rows, const char *root);

/* Tell whether a public header other than ops.h declares a name. */
bool is_declared(const char *root, const char *name);

/* The name of a family without its folder. */
const char *family_name(const char *family);

/* Give a whole file, to be freed; NULL if it cannot be read. */
char *read_file(const char *path);

/* What is written: include/dtensor/ops.h, src/ops/calls.c, docs/ops.md, and a
 * program that uses the options of all operators. */
void write_header(FILE *to, const op_rows *rows);
void write_calls(FILE *to, const op_rows *rows);
void write_manual(FILE *to, const op_rows *rows);
void write_options(FILE *to, const op_rows *rows);

#endif
