/* tools/ops/describe.h - what arguments mean. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPS_DESCRIBE_H
#define OPS_DESCRIBE_H

#include "ops/rows.h"

/* The description of an argument; its texts do not end where it ends. */
typedef struct description {
    const char *name;
    size_t name_length;
    const char *text; /* NULL: none */
    size_t length;
} description;

/* Find what an argument means: in the row, or in the glossary of all rows. */
description describe(const op_row *row, const dti_parameter *parameter);

/* Tell whether an argument has to be described: every option, and what is
 * neither a tensor nor a number. */
bool needs_description(const dti_parameter *parameter);

/* Find a description in the row that is none, or that of no argument.  `rest`
 * begins as `arguments` of the row, and what follows remains in it. */
bool next_stray(const op_row *row, const char **rest, description *out);

#endif
