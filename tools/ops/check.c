/* tools/ops/check.c - what is wrong with the rows. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "op/rule/rule.h"
#include "ops/describe.h"
#include "ops/face.h"
#include "verify/sample.h"

static int faults;

static void complain(const op_row *row, const char *format, ...)
    DT_PRINTF(2, 3);

static void complain(const op_row *row, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "src/ops/%s.c: %s: ", row->family, row->schema.name);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    faults++;
}

/* ---- Names -------------------------------------------------------------- */

/* Names that the functions in C have already for something else: of one result,
 * of several, and of all. */
static void check_name(op_row *row, const char *name)
{
    static const char *const of_one[] = {"out", NULL};
    static const char *const of_several[] = {"results", "capacity", "count",
                                             NULL};
    static const char *const of_all[] = {"options", NULL};
    bool one = row->schema.results == DTI_RESULT_ONE;
    const char *const *taken[] = {one ? of_one : of_several, of_all};
    for (int i = 0; i < 2; i++)
        for (int j = 0; taken[i][j]; j++)
            if (strcmp(name, taken[i][j]) == 0) {
                complain(row, "\"%s\" cannot be the name of an argument", name);
                row->faulty = true;
            }
}

static void check_names(op_row *row)
{
    const dti_schema *schema = &row->schema;
    for (int i = 0; i < schema->count; i++) {
        check_name(row, schema->parameters[i].name);
        if (schema->parameters[i].option &&
            strcmp(schema->parameters[i].name, "size") == 0) {
            complain(row, "\"size\" cannot be the name of an option");
            row->faulty = true;
        }
    }
    if (schema->results == DTI_RESULTS_NAMED)
        for (int i = 0; i < schema->result_count; i++)
            check_name(row, schema->result_names[i]);
}

typedef struct name_of_row {
    char name[sizeof((face_function *)0)->name];
    op_row *row;
} name_of_row;

/* By name; of two with one name, that of the earlier row first. */
static int compare_names(const void *a, const void *b)
{
    const name_of_row *one = a, *other = b;
    int order = strcmp(one->name, other->name);
    return order ? order : (one->row > other->row) - (one->row < other->row);
}

/* List the functions of all rows, sorted; gives how many there are. */
static size_t sort_names(const op_rows *rows, name_of_row *names)
{
    size_t count = 0;
    for (int i = 0; i < rows->count; i++) {
        face_function functions[FACE_MAX_FUNCTIONS];
        int some = list_functions(&rows->list[i], functions);
        for (int j = 0; j < some; j++) {
            strcpy(names[count].name, functions[j].name);
            names[count++].row = &rows->list[i];
        }
    }
    qsort(names, count, sizeof *names, compare_names);
    return count;
}

/* No two functions have one name, and none that of something else. */
static void check_functions(const op_rows *rows, const char *root)
{
    size_t capacity = (size_t)rows->count * FACE_MAX_FUNCTIONS + 1;
    name_of_row *names = calloc(capacity, sizeof *names);
    if (!names)
        abort();
    size_t count = sort_names(rows, names);
    for (size_t i = 0; i < count; i++) {
        bool twice = i > 0 && strcmp(names[i - 1].name, names[i].name) == 0;
        bool declared = is_declared(root, names[i].name);
        if (!twice && !declared)
            continue;
        complain(names[i].row, "%s is %s", names[i].name,
                 twice ? "a function of two operators"
                       : "declared by another header too");
        names[i].row->faulty = true;
    }
    free(names);
}

/* ---- Rows --------------------------------------------------------------- */

/* The world of a call is that of its tensors. */
static bool has_tensor(const dti_schema *schema)
{
    for (int i = 0; i < schema->tensor_count; i++)
        if (schema->parameters[schema->tensors[i]].type !=
            DTI_TYPE_OPTIONAL_TENSOR)
            return true;
    return false;
}

/* A single result goes to a single tensor, a list to a list, and of several
 * results one at least to something. */
static void check_in_place(op_row *row)
{
    const dti_schema *schema = &row->schema;
    bool list = schema->parameters[schema->tensors[0]].type == DTI_TYPE_TENSORS;
    if (schema->results == DTI_RESULT_ONE && list)
        complain(row, "works in place, but its first tensor is a list");
    if (schema->results == DTI_RESULT_LIST && (!list || !row->op->compose))
        complain(row, "a list of results is written in place by compositions, "
                      "over the list that comes first");
    if (dti_schema_only_in_place(schema) && !row->op->compose)
        complain(row, "works in place and calls no others, but no result is "
                      "named as what becomes of an argument: x_out for x");
}

static bool has_mesh(const dti_schema *schema)
{
    for (int i = 0; i < schema->count; i++)
        if (schema->parameters[i].type == DTI_TYPE_MESH)
            return true;
    return false;
}

static void check_schema(op_row *row)
{
    int before = faults;
    const dti_schema *schema = &row->schema;
    if (!has_mesh(schema) &&
        (!has_tensor(schema) || schema->parameters[schema->tensors[0]].type ==
                                    DTI_TYPE_OPTIONAL_TENSOR))
        complain(row, "its first tensor, or a mesh, has to be there in every "
                      "call");
    else if (row->op->flags & DT_OP_IN_PLACE)
        check_in_place(row);
    if (schema->results == DTI_RESULTS_NONE &&
        !(row->op->flags & DT_OP_IN_PLACE))
        complain(row, "has no results, and does not work in place");
    if ((row->op->flags & DT_OP_OUT) && schema->results != DTI_RESULT_ONE)
        complain(row, "only one result can be written out");
    for (int i = 0; i < schema->count; i++)
        if (schema->parameters[i].type == DTI_TYPE_OPTIONAL_DTYPE &&
            schema->parameters[i].option &&
            schema->parameters[i].usual.kind != DT_ARG_NONE)
            complain(row, "the default of a Dtype? is None");
    row->faulty = row->faulty || faults > before;
}

static void check_rule(const op_row *row)
{
    dt_error error = {DT_OK, ""};
    dti_rule rule;
    dti_passes passes;
    if (row->op->rule &&
        dti_rule_parse(row->op->rule, &row->schema, &rule, &error) != DT_OK)
        complain(row, "%s", error.message);
    if (dti_passes_parse(row->op, &row->schema, &passes, &error) != DT_OK)
        complain(row, "%s", error.message);
}

static void check_arguments(const op_row *row)
{
    const dti_schema *schema = &row->schema;
    const char *rest = row->op->arguments ? row->op->arguments : "";
    description stray;
    while (next_stray(row, &rest, &stray))
        complain(row, "`arguments` describes \"%.*s\", which is no argument",
                 (int)stray.name_length, stray.name);
    for (int i = 0; i < schema->count; i++)
        if (needs_description(&schema->parameters[i]) &&
            !describe(row, &schema->parameters[i]).text)
            complain(row,
                     "\"%s\" is not described: add it to `arguments`, or to "
                     "tools/ops/describe.c if it means the same everywhere",
                     schema->parameters[i].name);
}

/* Samples are calls, and what T stands for are dtypes. */
static void check_samples(const op_row *row)
{
    static dti_sample one;
    dt_error error = {DT_OK, ""};
    dt_status status = DT_OK;
    const char *text = row->op->samples ? row->op->samples : "";
    while (status == DT_OK &&
           dti_sample_next(&text, &row->schema, &one, &status, &error))
        if (status != DT_OK)
            complain(row, "%s", error.message);
    if (dti_sample_dtypes(row->op->dtypes) == 0)
        complain(row, "`dtypes` are no dtypes: \"%s\"", row->op->dtypes);
}

/* What is written by hand is declared by hand. */
static void check_by_hand(const op_row *row, const char *root)
{
    char name[DTI_NAME_SIZE + 4];
    snprintf(name, sizeof name, "dt_%s", row->schema.name);
    if ((row->op->flags & DT_OP_BY_HAND) && !is_declared(root, name))
        complain(row, "is written by hand, but no header declares %s", name);
}

static void check_contents(const op_row *row)
{
    const dt_op *op = row->op;
    size_t length = op->about ? strlen(op->about) : 0;
    if (length == 0 || op->about[length - 1] != '.')
        complain(row, "`about` is no sentence");
    if (!op->compose && (!op->meta || !op->kernel))
        complain(row, "has neither `compose` nor both of `meta` and `kernel`");
    if (op->compose && !op->composes && (op->kernel || op->rule || op->factors))
        complain(row, "has `compose` and what that makes superfluous");
    if (op->composes && (!op->compose || !op->kernel))
        complain(row, "has `composes`, and nothing to choose from");
    if (!op->kernel && (op->flags & DT_OP_OUT))
        complain(row, "calls others, and cannot write out");
    if (!op->samples && !(op->flags & DT_OP_BY_HAND) &&
        !((op->flags & DT_OP_IN_PLACE) &&
          dti_schema_only_in_place(&row->schema)))
        complain(row, "has no `samples`");
}

int check_rows(op_rows *rows, const char *root)
{
    faults = 0;
    for (int i = 0; i < rows->count; i++) {
        op_row *row = &rows->list[i];
        if (row->faulty)
            continue;
        check_names(row);
        check_schema(row);
        check_rule(row);
        check_contents(row);
        check_arguments(row);
        check_samples(row);
        check_by_hand(row, root);
    }
    check_functions(rows, root);
    return faults;
}
