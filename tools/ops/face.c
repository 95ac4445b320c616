/* tools/ops/face.c - how an operator looks in C: its functions and their
 * parameters. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/face.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 80 };

void add_item(face_items *items, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length =
        vsnprintf(items->list[items->count], FACE_ITEM_SIZE, format, arguments);
    va_end(arguments);
    if (items->count + 1 >= FACE_MAX_ITEMS || length >= FACE_ITEM_SIZE)
        abort(); /* more than any schema that could be read */
    items->count++;
}

/* ---- Functions ---------------------------------------------------------- */

bool has_functions(const op_row *row)
{
    return !row->faulty && !(row->op->flags & DT_OP_BY_HAND);
}

bool has_options(const dti_schema *schema)
{
    return schema->count > 0 && schema->parameters[schema->count - 1].option;
}

int list_functions(const op_row *row, face_function *out)
{
    static const struct {
        dt_variant variant;
        unsigned flag;
        const char *ending;
    } variants[] = {
        {DT_VARIANT_NEW, 0, ""},
        {DT_VARIANT_IN_PLACE, DT_OP_IN_PLACE, "_"},
        {DT_VARIANT_OUT, DT_OP_OUT, "_out"},
    };
    int count = 0;
    if (row->op->flags & DT_OP_BY_HAND)
        return 0;
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
        for (int with = 0; with <= has_options(&row->schema); with++) {
            face_function *function = &out[count];
            if (variants[i].flag ? !(row->op->flags & variants[i].flag)
                                 : row->op->flags & DT_OP_IN_PLACE &&
                                       dti_schema_only_in_place(&row->schema))
                continue;
            *function =
                (face_function){row, variants[i].variant, with != 0, ""};
            snprintf(function->name, sizeof function->name, "dt_%s%s%s",
                     row->schema.name, with ? "_with" : "", variants[i].ending);
            count++;
        }
    return count;
}

const char *return_type(const op_row *row)
{
    return row->schema.results == DTI_RESULT_ONE ? "dt_tensor *" : "dt_status ";
}

/* ---- Parameters --------------------------------------------------------- */

bool is_list(dti_type type)
{
    return type == DTI_TYPE_TENSORS || type == DTI_TYPE_OPTIONAL_TENSORS ||
           type == DTI_TYPE_INTS || type == DTI_TYPE_NUMBERS;
}

void add_parameter(face_items *items, const dti_parameter *parameter)
{
    add_item(items, "%s%s", dti_types[parameter->type].c_type, parameter->name);
    if (is_list(parameter->type))
        add_item(items, "int %s_count", parameter->name);
}

bool puts_out(const dti_schema *schema, dt_variant variant, int result)
{
    return variant == DT_VARIANT_NEW || schema->overwrites[result] < 0;
}

void add_results(face_items *items, const dti_schema *schema,
                 dt_variant variant)
{
    if (schema->results == DTI_RESULTS_NAMED)
        for (int i = 0; i < schema->result_count; i++)
            if (puts_out(schema, variant, i))
                add_item(items, "dt_tensor **%s", schema->result_names[i]);
    if (schema->results == DTI_RESULT_LIST && puts_out(schema, variant, 0)) {
        add_item(items, "dt_tensor **results");
        add_item(items, "int capacity");
        add_item(items, "int *count");
    }
}

void list_parameters(face_items *items, const face_function *function)
{
    const dti_schema *schema = &function->row->schema;
    items->count = 0;
    for (int i = 0; i < schema->count; i++)
        if (!schema->parameters[i].option)
            add_parameter(items, &schema->parameters[i]);
    if (function->with)
        add_item(items, "const dt_%s_options *options", schema->name);
    add_results(items, schema, function->variant);
    if (function->variant == DT_VARIANT_OUT)
        add_item(items, "dt_tensor *out");
}

static void add_real(face_items *items, const char *text)
{
    bool negative = text[0] == '-';
    if (strcmp(text + negative, "inf") == 0)
        add_item(items, "%sHUGE_VAL", negative ? "-" : "");
    else
        add_item(items, "%s", text);
}

/* A number is a structure; its union begins with an integer, which is the only
 * member that C++ can give a value to in brackets: DT_REAL knows more. */
static void add_number(face_items *items, const dti_parameter *parameter)
{
    dt_number number = parameter->usual.as.number;
    if (number.kind == DT_KIND_FLOAT)
        add_item(items, "DT_REAL(%s)", parameter->text);
    else if (number.kind == DT_KIND_BOOLEAN)
        add_item(items, "{DT_KIND_BOOLEAN, {%s}, 0}", parameter->text);
    else
        add_item(items, "{DT_KIND_SIGNED, {%s}, 0}", parameter->text);
}

/* DT_REDUCTION_MEAN of the value "mean" of the type dt_reduction. */
static void add_value(face_items *items, const dti_parameter *parameter)
{
    const char *type = dti_types[parameter->type].c_type;
    char upper[DTI_NAME_SIZE], name[DTI_NAME_SIZE];
    upper_name(upper, type);
    upper_name(name, parameter->text);
    add_item(items, "%.*s_%s", (int)strcspn(upper, " "), upper, name);
}

void add_default(face_items *items, const dti_parameter *parameter)
{
    char name[DTI_NAME_SIZE];
    switch (parameter->type) {
    case DTI_TYPE_NUMBER:
        add_number(items, parameter);
        break;
    case DTI_TYPE_DIMS:
    case DTI_TYPE_SHAPE:
        add_item(items, "{0, {0}}");
        break;
    case DTI_TYPE_INTS:
    case DTI_TYPE_NUMBERS:
    case DTI_TYPE_TENSORS:
    case DTI_TYPE_OPTIONAL_TENSORS:
        add_item(items, "0");
        add_item(items, "0");
        break;
    case DTI_TYPE_DTYPE:
        upper_name(name, parameter->text);
        add_item(items, "DT_%s", name);
        break;
    case DTI_TYPE_REDUCTION:
    case DTI_TYPE_SCATTER_REDUCTION:
    case DTI_TYPE_ROUNDING:
    case DTI_TYPE_APPROXIMATE:
        add_value(items, parameter);
        break;
    case DTI_TYPE_TEXT:
        add_item(items, "\"%s\"", parameter->text);
        break;
    case DTI_TYPE_FLOAT:
        add_real(items, parameter->text);
        break;
    default:
        add_item(items, "%s",
                 parameter->usual.kind == DT_ARG_NONE ? "0" : parameter->text);
    }
}

/* ---- Text --------------------------------------------------------------- */

void put_items(FILE *to, const char *head, const face_items *items,
               const char *tail)
{
    int start = (int)strlen(head) + 1;
    int column = start;
    fprintf(to, "%s(%s", head, items->count ? "" : "void");
    for (int i = 0; i < items->count; i++) {
        bool last = i + 1 == items->count;
        int length = (int)strlen(items->list[i]);
        int needed = length + (last ? 1 + (int)strlen(tail) : 1);
        if (i > 0 && column + 1 + needed > LINE) {
            fprintf(to, "\n%*s", start, "");
            column = start;
        } else if (i > 0) {
            fputc(' ', to);
            column++;
        }
        fprintf(to, "%s%s", items->list[i], last ? "" : ",");
        column += length + !last;
    }
    fprintf(to, ")%s", tail);
}

/* Two spaces follow a sentence, as everywhere. */
void put_text(FILE *to, const char *first, const char *indent, const char *text)
{
    int column = (int)strlen(indent);
    int gap = 0;
    fputs(first, to);
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (gap && column + gap + length > LINE) {
            fprintf(to, "\n%s", indent);
            column = (int)strlen(indent);
            gap = 0;
        }
        fprintf(to, "%*s%.*s", gap, "", length, text);
        column += gap + length;
        gap = length && text[length - 1] == '.' ? 2 : 1;
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', to);
}

void upper_name(char *out, const char *name)
{
    while (*name) {
        bool small = *name >= 'a' && *name <= 'z';
        *out++ = (char)(small ? *name - 'a' + 'A' : *name);
        name++;
    }
    *out = '\0';
}
