/* tools/ops/face.h - how an operator looks in C: its functions and their
 * parameters. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPS_FACE_H
#define OPS_FACE_H

#include "ops/rows.h"

#define FACE_ITEM_SIZE 160
#define FACE_MAX_ITEMS (2 * DTI_MAX_ARGUMENTS + DTI_MAX_RESULTS + 4)

/* Parameters or arguments, as text. */
typedef struct face_items {
    int count;
    char list[FACE_MAX_ITEMS][FACE_ITEM_SIZE];
} face_items;

void add_item(face_items *items, const char *format, ...) DT_PRINTF(2, 3);

/* A function of an operator. */
typedef struct face_function {
    const op_row *row;
    dt_variant variant;
    bool with; /* has a parameter for the options */
    char name[DTI_NAME_SIZE + 16];
} face_function;

#define FACE_MAX_FUNCTIONS 6

/* List the functions of an operator; gives how many there are: none if they are
 * written by hand. */
int list_functions(const op_row *row, face_function *out);

/* Tell whether an argument is a list, and its length another. */
bool is_list(dti_type type);

bool has_options(const dti_schema *schema);

/* "dt_tensor *" or "dt_status ". */
const char *return_type(const op_row *row);

/* Add the parameters that declare one argument: two for a list. */
void add_parameter(face_items *items, const dti_parameter *parameter);

/* Tell whether a variant of an operator puts out a result, which is then an
 * argument: not what is overwritten. */
bool puts_out(const dti_schema *schema, dt_variant variant, int result);

/* Add the parameters that results of a variant go to. */
void add_results(face_items *items, const dti_schema *schema,
                 dt_variant variant);

/* All parameters of a function. */
void list_parameters(face_items *items, const face_function *function);

/* The initialiser of a default. */
void add_default(face_items *items, const dti_parameter *parameter);

/* Write `head(`, the items, and `tail`, in lines of 80 characters; those that
 * follow begin below the first item. */
void put_items(FILE *to, const char *head, const face_items *items,
               const char *tail);

/* Write a text in lines of at most 80 characters; the first one begins with
 * `first`, the others with `indent`, which is as long. */
void put_text(FILE *to, const char *first, const char *indent,
              const char *text);

/* NAME of name. */
void upper_name(char *out, const char *name);

#endif
