/* tools/ops/rows.h - the rows of all tables, and what is written from them. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPS_ROWS_H
#define OPS_ROWS_H

#include <stdio.h>

#include "op/schema.h"

/* An operator: its row, and its schema, read. */
typedef struct op_row {
    const char *family; /* its file below src/ops, as "nn/softmax" */
    const dt_op *op;    /* functions only say whether the row has them */
    dti_schema schema;
    bool faulty; /* it can have no functions: numbered, and left out else */
} op_row;

/* In the order of their numbers: of families as listed, then of tables. */
typedef struct op_rows {
    int count;
    op_row *list;
} op_rows;

/* Read the rows of one family from `folder`/`family`.i, its file after the
 * preprocessor; their schemas are left out.  Says on stderr what is wrong, and
 * returns how many faults there are. */
int read_family(const char *folder, const char *family, op_rows *out);

/* The name of a flag, "DT_OP_OUT"; NULL if there is none of this value. */
const char *flag_name(unsigned flag);

/* Append a row. */
void add_row(op_rows *rows, const char *family, const dt_op *op);

/* Say on stderr what is wrong with rows; returns how many faults there are.
 * The other headers below `root` tell which names are taken. */
int check_rows(op_rows *rows, const char *root);

/* Say on stderr which names functions of rows read, in src/ops below `root`,
 * that no row of their family has; returns how many. */
int check_reads(const op_rows *rows, const char *root);

/* Tell whether an operator has functions in C that are written here. */
bool has_functions(const op_row *row);

/* Tell whether a public header that is written by hand declares a name. */
bool is_declared(const char *root, const char *name);

/* The name of a family without its folder. */
const char *family_name(const char *family);

/* Tell whether a family is in a folder of src/ops. */
bool is_in_folder(const char *family, const char *folder);

/* Return a whole file, to be freed; NULL if it cannot be read. */
char *read_file(const char *path);

#endif
