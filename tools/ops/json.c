/* tools/ops/json.c - every operator for programs to read: ops.json. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "ops/describe.h"
#include "ops/face.h"
#include "ops/groups.h"

/* ---- Values ------------------------------------------------------------- */

/* A text in quotes; rows are printable ASCII and have no other escapes. */
static void put_string(FILE *to, const char *text, size_t length)
{
    fputc('"', to);
    for (size_t i = 0; i < length; i++)
        fprintf(to, strchr("\"\\", text[i]) ? "\\%c" : "%c", text[i]);
    fputc('"', to);
}

static void put_text_member(FILE *to, const char *name, const char *text)
{
    fprintf(to, ",\n   \"%s\": ", name);
    if (text)
        put_string(to, text, strlen(text));
    else
        fputs("null", to);
}

/* The words of a text as a list. */
static void put_words(FILE *to, const char *name, const char *words)
{
    const char *separator = "";
    fprintf(to, ",\n   \"%s\": [", name);
    for (words = words ? words : ""; *words; words += strspn(words, " ")) {
        const size_t length = strcspn(words, " ");
        fputs(separator, to);
        put_string(to, words, length);
        words += length;
        separator = ", ";
    }
    fputc(']', to);
}

/* A default as JSON has it; what JSON has no value for is a text. */
static void put_usual(FILE *to, const dti_parameter *parameter)
{
    const char *text = parameter->text;
    const bool plain = strspn(text, "-+.0123456789e") == strlen(text) ||
                       strcmp(text, "true") == 0 ||
                       strcmp(text, "false") == 0 || strcmp(text, "[]") == 0;
    if (parameter->usual.kind == DT_ARG_NONE)
        fputs("null", to);
    else if (plain && parameter->type != DTI_TYPE_TEXT)
        fputs(text, to);
    else
        put_string(to, text, strlen(text));
}

/* ---- Arguments and results ---------------------------------------------- */

/* The names of the values of an enum, by number. */
static void put_values(FILE *to, dti_type type)
{
    size_t length = 0;
    const char *name;
    for (int i = 0; (name = dti_type_value_name(type, i, &length)); i++) {
        fputs(i ? ", " : ", \"values\": [", to);
        put_string(to, name, length);
    }
    fputs(dti_types[type].values ? "]" : "", to);
}

static void put_argument(FILE *to, const op_row *row,
                         const dti_parameter *parameter)
{
    const description is = describe(row, parameter);
    const char *c_type = dti_types[parameter->type].c_type;
    size_t length = strlen(c_type);
    while (length && c_type[length - 1] == ' ')
        length--;
    fprintf(to, "    {\"name\": \"%s\", \"type\": \"%s\", \"c_type\": ",
            parameter->name, dti_types[parameter->type].name);
    put_string(to, c_type, length);
    put_values(to, parameter->type);
    fprintf(to, ", \"option\": %s", parameter->option ? "true" : "false");
    if (parameter->option) {
        fputs(", \"default\": ", to);
        put_usual(to, parameter);
    }
    if (is.text) {
        fputs(", \"about\": ", to);
        put_string(to, is.text, is.length);
    }
    fputc('}', to);
}

static void put_arguments(FILE *to, const op_row *row)
{
    fputs(",\n   \"arguments\": [", to);
    for (int i = 0; i < row->schema.count; i++) {
        fputs(i ? ",\n" : "\n", to);
        put_argument(to, row, &row->schema.parameters[i]);
    }
    fputs("\n   ]", to);
}

/* The argument that a result overwrites in place; NULL: none. */
static void put_overwritten(FILE *to, const op_row *row, int result)
{
    const dti_schema *schema = &row->schema;
    const int tensor = schema->overwrites[result];
    if (!(row->op->flags & DT_OP_IN_PLACE) || tensor < 0)
        fputs("null", to);
    else
        fprintf(to, "\"%s\"", schema->parameters[schema->tensors[tensor]].name);
}

/* A result alone, and a list, have no name. */
static void put_results(FILE *to, const op_row *row)
{
    const dti_schema *schema = &row->schema;
    const bool list = schema->results == DTI_RESULT_LIST;
    const int count = list ? 1 : schema->result_count;
    fputs(",\n   \"results\": [", to);
    for (int i = 0; i < count; i++) {
        fprintf(to, "%s{\"type\": \"%s\", \"name\": ", i ? ", " : "",
                list ? "Tensor[]" : "Tensor");
        if (schema->results == DTI_RESULTS_NAMED)
            fprintf(to, "\"%s\"", schema->result_names[i]);
        else
            fputs("null", to);
        fputs(", \"overwrites\": ", to);
        put_overwritten(to, row, i);
        fputc('}', to);
    }
    fputc(']', to);
}

/* ---- Functions ---------------------------------------------------------- */

static void put_functions(FILE *to, const op_row *row)
{
    static const char *const variants[] = {
        [DT_VARIANT_NEW] = "new",
        [DT_VARIANT_IN_PLACE] = "in place",
        [DT_VARIANT_OUT] = "out",
    };
    face_function functions[FACE_MAX_FUNCTIONS];
    const int count = list_functions(row, functions);
    fputs(",\n   \"functions\": [", to);
    for (int i = 0; i < count; i++)
        fprintf(
            to, "%s{\"name\": \"%s\", \"variant\": \"%s\", \"options\": %s}",
            i ? ", " : "", functions[i].name, variants[functions[i].variant],
            functions[i].with ? "true" : "false");
    fputc(']', to);
}

/* ---- Operators ---------------------------------------------------------- */

static void put_flags(FILE *to, unsigned flags)
{
    const char *separator = "", *name;
    fputs(",\n   \"flags\": [", to);
    for (unsigned flag = 1; (name = flag_name(flag)) != NULL; flag *= 2)
        if (flags & flag) {
            fprintf(to, "%s\"%s\"", separator, name);
            separator = ", ";
        }
    fputc(']', to);
}

/* How the rule is known: a text, a function of the call, or that of others. */
static const char *rule_kind(const dt_op *op)
{
    if (op->compose && !op->kernel)
        return "composition";
    if (op->factors)
        return op->rule ? "text, adjusted by the call" : "depends on the call";
    return op->rule ? "text" : "replicated";
}

static void put_operator(FILE *to, const op_row *row, const op_group *group)
{
    const dt_op *op = row->op;
    fprintf(to, "  {\"name\": \"%s\"", row->schema.name);
    put_text_member(to, "schema", op->schema);
    put_text_member(to, "about", op->about);
    put_text_member(to, "group", group->name);
    put_text_member(to, "header", group->header);
    put_words(to, "aten", op->aten);
    put_arguments(to, row);
    put_results(to, row);
    put_functions(to, row);
    put_text_member(to, "rule", op->rule);
    put_text_member(to, "rule_kind", rule_kind(op));
    put_text_member(to, "linear", op->linear);
    put_text_member(to, "monotone", op->monotone);
    put_text_member(to, "permutes", op->permutes);
    put_text_member(to, "gradient", op->gradient);
    put_words(to, "dtypes", op->dtypes ? op->dtypes : "all");
    put_flags(to, op->flags);
    fputc('}', to);
}

void write_json(FILE *to, const op_rows *rows, const op_group *group)
{
    const char *separator = "";
    fputs("{\n \"format\": 1,\n \"operators\": [\n", to);
    for (group = groups; group->name; group++) {
        const op_row *row = NULL;
        while ((row = next_in_group(rows, group, row)) != NULL) {
            fputs(separator, to);
            put_operator(to, row, group);
            separator = ",\n";
        }
    }
    fputs("\n ]\n}\n", to);
}
