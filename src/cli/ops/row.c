/* cli/ops/row.c - what a row of an operator says, in words. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/ops/row.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/json.h"
#include "cli/table.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static const struct {
    unsigned flag;
    const char *word;
} forms[] = {
    {DT_OP_IN_PLACE, "in place"}, {DT_OP_OUT, "out"},
    {DT_OP_VIEW, "view"},         {DT_OP_STRICT, "strict"},
    {DT_OP_RANDOM, "random"},     {DT_OP_COMMUNICATES, "communicates"},
};

/* Append to a list; what exceeds the capacity is dropped. */
static void append(char text[DTI_ROW_TEXT], const char *between,
                   const char *word, const char *more)
{
    size_t used = strlen(text);
    snprintf(text + used, DTI_ROW_TEXT - used, "%s%s%s%s", used ? between : "",
             word, more ? " " : "", more ? more : "");
}

void dti_row_name(const dt_op *op, char text[DTI_ROW_TEXT])
{
    snprintf(text, DTI_ROW_TEXT, "%.*s", (int)strcspn(op->schema, "("),
             op->schema);
}

void dti_row_aten(const dt_op *op, char text[DTI_ROW_TEXT])
{
    if (op->aten)
        snprintf(text, DTI_ROW_TEXT, "%s", op->aten);
    else
        dti_row_name(op, text);
}

void dti_row_rule(const dt_op *op, char text[DTI_ROW_TEXT])
{
    snprintf(text, DTI_ROW_TEXT, "%s%s",
             !op->kernel   ? "composition: as the operators it calls"
             : op->rule    ? op->rule
             : op->factors ? "depends on the call"
                           : "none: inputs are replicated",
             op->rule && op->factors ? ", in most calls" : "");
}

void dti_row_passes(const dt_op *op, char text[DTI_ROW_TEXT])
{
    text[0] = 0;
    if (op->linear)
        append(text, "; ", "linear", op->linear);
    if (op->monotone)
        append(text, "; ", "monotone", op->monotone);
    if (op->permutes)
        append(text, "; ", "permutes", op->permutes);
}

void dti_row_forms(const dt_op *op, char text[DTI_ROW_TEXT])
{
    text[0] = 0;
    for (size_t i = 0; i < COUNT_OF(forms); i++)
        if (op->flags & forms[i].flag)
            append(text, ", ", forms[i].word, NULL);
}

const char *dti_row_dtypes(const dt_op *op)
{
    return op->dtypes ? op->dtypes : "all";
}

/* ---- One row ------------------------------------------------------------ */

static void add_line(dti_table *table, const char *word, const char *text)
{
    if (!text || !*text)
        return;
    dti_table_add(table, DTI_LOOK_FAINT, word);
    dti_table_add(table, DTI_LOOK_PLAIN, text);
}

void dti_row_show(const dt_op *op)
{
    char text[DTI_ROW_TEXT];
    dti_table table = {.columns = 2, .indent = 2};
    dti_look_print(stdout, DTI_LOOK_STRONG, op->schema);
    putchar('\n');
    if (op->about)
        printf("  %s\n", op->about);
    dti_row_rule(op, text);
    add_line(&table, "sharding rule", text);
    dti_row_passes(op, text);
    add_line(&table, "partial inputs", text);
    dti_row_forms(op, text);
    add_line(&table, "variants", text);
    add_line(&table, "dtypes", dti_row_dtypes(op));
    dti_row_aten(op, text);
    add_line(&table, "ATen", text);
    add_line(&table, "samples", op->samples);
    dti_table_print(&table, stdout);
}

static void write_words(dti_json *json, const char *key, const char *words)
{
    char word[DTI_ROW_TEXT];
    dti_json_open(json, key, '[');
    for (; words && *words; words += strspn(words, " ")) {
        size_t length = strcspn(words, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, words);
        dti_json_text(json, NULL, word);
        words += length;
    }
    dti_json_close(json, ']');
}

static void write_text(dti_json *json, const char *key, const char *text)
{
    dti_json_text(json, key, text ? text : "");
}

void dti_row_write(const dt_op *op)
{
    char text[DTI_ROW_TEXT];
    dti_json json = {.stream = stdout};
    dti_json_open(&json, NULL, '{');
    dti_row_name(op, text);
    dti_json_text(&json, "operator", text);
    dti_json_text(&json, "schema", op->schema);
    write_text(&json, "about", op->about);
    dti_row_rule(op, text);
    dti_json_text(&json, "rule", text);
    write_text(&json, "linear", op->linear);
    write_text(&json, "monotone", op->monotone);
    write_text(&json, "moves", op->permutes);
    dti_json_open(&json, "variants", '[');
    for (size_t i = 0; i < COUNT_OF(forms); i++)
        if (op->flags & forms[i].flag)
            dti_json_text(&json, NULL, forms[i].word);
    dti_json_close(&json, ']');
    write_words(&json, "dtypes", dti_row_dtypes(op));
    dti_row_aten(op, text);
    write_words(&json, "aten", text);
    dti_json_close(&json, '}');
    putchar('\n');
}

/* ---- All rows ----------------------------------------------------------- */

void dti_rows_show(dt_world *world)
{
    static const char *const heading[] = {"operator",       "sharding rule",
                                          "partial inputs", "variants",
                                          "dtypes",         "ATen"};
    char text[DTI_ROW_TEXT];
    const dt_op *op;
    dti_table table = {.columns = COUNT_OF(heading)};
    for (size_t i = 0; i < COUNT_OF(heading); i++)
        dti_table_add(&table, DTI_LOOK_STRONG, heading[i]);
    for (int i = 0; (op = dt_op_at(world, i)); i++) {
        dti_row_name(op, text);
        dti_table_add(&table, DTI_LOOK_PLAIN, text);
        dti_row_rule(op, text);
        dti_table_add(&table, DTI_LOOK_PLAIN, text);
        dti_row_passes(op, text);
        dti_table_add(&table, DTI_LOOK_PLAIN, text);
        dti_row_forms(op, text);
        dti_table_add(&table, DTI_LOOK_PLAIN, text);
        dti_table_add(&table, DTI_LOOK_PLAIN, dti_row_dtypes(op));
        dti_row_aten(op, text);
        dti_table_add(&table, DTI_LOOK_FAINT, text);
    }
    dti_table_print(&table, stdout);
}
