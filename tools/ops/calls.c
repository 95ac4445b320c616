/* tools/ops/calls.c - src/ops/calls.c. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "ops/face.h"

static const char top[] =
    "/* ops/calls.c - operators as functions of C; written by `make ops`. */\n"
    "/* SPDX-License-Identifier: Apache-2.0 */\n"
    "#include <dtensor/ops.h>\n"
    "\n"
    "#include <dtensor/sys/op.h>\n"
    "\n"
    "#include \"base/error.h\"\n"
    "#include \"op/call/dispatch.h\"\n"
    "#include \"op/registry.h\"\n"
    "\n"
    "/* clang-format off */\n";

static const char list_checks[] =
    "\n"
    "/* A shape may say that it has more extents than it has room for; these "
    "stand\n"
    " * for it, which are too many too. */\n"
    "static const int64_t too_many[DT_MAX_NDIM + 1];\n"
    "\n"
    "static inline const int64_t *list_of(const dt_shape *shape)\n"
    "{\n"
    "    return (unsigned)shape->ndim <= DT_MAX_NDIM ? shape->dims : "
    "too_many;\n"
    "}\n"
    "\n"
    "static inline int list_count(const dt_shape *shape)\n"
    "{\n"
    "    return (unsigned)shape->ndim <= DT_MAX_NDIM ? shape->ndim\n"
    "                                                : DT_MAX_NDIM + 1;\n"
    "}\n"
    "\n"
    "/* DT_NO_DIMS is told from an empty list. */\n"
    "static inline int dims_count(const dt_dims *dims)\n"
    "{\n"
    "    return dims->ndim == -1 ? -1 : list_count(dims);\n"
    "}\n";

static const char size_check[] =
    "\n"
    "/* Options say another size than they have: tell the world of a tensor. "
    "*/\n"
    "static dt_status refuse_size(const dt_tensor *tensor, size_t given,\n"
    "                             size_t expected, const char *initialiser)\n"
    "{\n"
    "    if (!tensor)\n"
    "        return DT_ERR_INVALID;\n"
    "    return dti_fail_size(dt_tensor_world(tensor), given, expected,\n"
    "                         initialiser);\n"
    "}\n";

/* ---- Numbers and names -------------------------------------------------- */

static bool has_functions(const op_row *row)
{
    return !row->faulty && !(row->op->flags & DT_OP_BY_HAND);
}

static void put_names(FILE *to, const op_rows *rows)
{
    char name[DTI_NAME_SIZE];
    fprintf(to, "\n/* The numbers of rows, through all tables. */\nenum {\n");
    for (int i = 0; i < rows->count; i++) {
        upper_name(name, rows->list[i].schema.name);
        if (has_functions(&rows->list[i]))
            fprintf(to, "    OP_%s = %d,\n", name, i);
    }
    fprintf(to,
            "    OP_COUNT = %d\n};\n\n"
            "/* A world compares these with its rows when it opens. */\n"
            "const char *const dti_op_names[OP_COUNT + 1] = {\n",
            rows->count);
    for (int i = 0; i < rows->count; i++)
        fprintf(to, "    \"%s\",\n", rows->list[i].schema.name);
    fprintf(to, "    NULL,\n};\nconst int dti_op_name_count = OP_COUNT;\n");
}

/* ---- Arguments ---------------------------------------------------------- */

/* What goes into the union of an argument, %s being its name, and into the
 * count of a list.  An absent one has no kind. */
static const struct {
    const char *kind;
    const char *member;
    const char *value;
    const char *count;
} arguments[DTI_TYPE_COUNT] = {
    [DTI_TYPE_TENSOR] = {"DT_ARG_TENSOR", "tensor", "%s", NULL},
    [DTI_TYPE_OPTIONAL_TENSOR] = {"%s ? DT_ARG_TENSOR : DT_ARG_NONE", "tensor",
                                  "%s", NULL},
    [DTI_TYPE_TENSORS] = {"DT_ARG_TENSORS", "tensors", "%s", "%s_count"},
    [DTI_TYPE_OPTIONAL_TENSORS] = {"DT_ARG_TENSORS", "tensors", "%s",
                                   "%s_count"},
    [DTI_TYPE_NUMBER] = {"DT_ARG_NUMBER", "number", "%s", NULL},
    [DTI_TYPE_NUMBERS] = {"DT_ARG_NUMBERS", "numbers", "%s", "%s_count"},
    [DTI_TYPE_INT] = {"DT_ARG_INTEGER", "integer", "%s", NULL},
    [DTI_TYPE_FLOAT] = {"DT_ARG_REAL", "real", "%s", NULL},
    [DTI_TYPE_BOOL] = {"DT_ARG_INTEGER", "integer", "%s", NULL},
    [DTI_TYPE_DIM] = {"DT_ARG_INTEGER", "integer", "%s", NULL},
    [DTI_TYPE_DIMS] = {"DT_ARG_INTEGERS", "integers", "list_of(&%s)",
                       "dims_count(&%s)"},
    [DTI_TYPE_INTS] = {"DT_ARG_INTEGERS", "integers", "%s", "%s_count"},
    [DTI_TYPE_SHAPE] = {"DT_ARG_INTEGERS", "integers", "list_of(&%s)",
                        "list_count(&%s)"},
    [DTI_TYPE_DTYPE] = {"DT_ARG_INTEGER", "integer", "%s", NULL},
    [DTI_TYPE_OPTIONAL_DTYPE] = {"%s ? DT_ARG_INTEGER : DT_ARG_NONE", "integer",
                                 "%s ? (int64_t)*%s : 0", NULL},
    [DTI_TYPE_TEXT] = {"DT_ARG_TEXT", "text", "%s", NULL},
    [DTI_TYPE_GENERATOR] = {"%s ? DT_ARG_GENERATOR : DT_ARG_NONE", "generator",
                            "%s", NULL},
};

/* Append a pattern with a name for each %s. */
static void add_pattern(char *text, const char *pattern, const char *name)
{
    text += strlen(text);
    for (const char *at = pattern; *at; at++)
        if (at[0] == '%' && at[1] == 's') {
            text = stpcpy(text, name);
            at++;
        } else {
            *text++ = *at;
        }
    *text = '\0';
}

static void put_argument(FILE *to, const dti_parameter *parameter)
{
    const char *name = parameter->name;
    char kind[256] = "        {.kind = ", value[256] = ".as.";
    add_pattern(kind, arguments[parameter->type].kind, name);
    if (arguments[parameter->type].count) {
        strcat(kind, ", .count = ");
        add_pattern(kind, arguments[parameter->type].count, name);
    }
    strcat(value, arguments[parameter->type].member);
    strcat(value, " = ");
    add_pattern(value, arguments[parameter->type].value, name);
    bool fits = strlen(kind) + strlen(value) + 4 <= 80;
    fprintf(to, "%s,%s%s},\n", kind, fits ? " " : "\n         ", value);
}

static void put_arguments(FILE *to, const dti_schema *schema)
{
    fprintf(to, "    const dt_argument arguments[] = {\n");
    for (int i = 0; i < schema->count; i++)
        put_argument(to, &schema->parameters[i]);
    fprintf(to, "    };\n");
}

/* ---- The one place that a call goes through ----------------------------- */

static void put_call_one(FILE *to, const char *number, int count)
{
    fprintf(to,
            "    return dti_op_call_one(OP_%s, variant, arguments, %d, out);\n",
            number, count);
}

static void put_call_list(FILE *to, const char *number, int count)
{
    fprintf(
        to,
        "    return dti_op_call_many(OP_%s, variant, arguments, %d, results,\n"
        "                            room, count);\n",
        number, count);
}

static void put_call_none(FILE *to, const char *number, int count)
{
    fprintf(
        to,
        "    return dti_op_call_many(OP_%s, variant, arguments, %d, NULL, 0,\n"
        "                            NULL);\n",
        number, count);
}

static void put_call_named(FILE *to, const char *number,
                           const dti_schema *schema)
{
    int count = schema->result_count;
    fprintf(
        to,
        "    dt_tensor *results[%d] = {NULL};\n    int count = 0;\n"
        "    dt_status status = dti_op_call_many(OP_%s, variant, arguments,\n"
        "                                        %d, results, %d, &count);\n"
        "    if (status != DT_OK)\n        return status;\n",
        count, number, schema->count, count);
    for (int i = 0; i < count; i++)
        fprintf(to, "    if (%s)\n        *%s = results[%d];\n",
                schema->result_names[i], schema->result_names[i], i);
    fprintf(to, "    return DT_OK;\n");
}

/* All arguments, options too, and the variant. */
static void put_inner(FILE *to, const op_row *row)
{
    const dti_schema *schema = &row->schema;
    face_items items = {0};
    char head[128], number[DTI_NAME_SIZE];
    snprintf(head, sizeof head, "static inline %scall_%s", return_type(row),
             schema->name);
    upper_name(number, schema->name);
    add_item(&items, "dt_variant variant");
    for (int i = 0; i < schema->count; i++)
        add_parameter(&items, &schema->parameters[i]);
    add_results(&items, schema, DT_VARIANT_NEW);
    if (schema->results == DTI_RESULT_ONE)
        add_item(&items, "dt_tensor *out");
    fputc('\n', to);
    put_items(to, head, &items, "\n{\n");
    put_arguments(to, schema);
    if (schema->results == DTI_RESULT_ONE)
        put_call_one(to, number, schema->count);
    else if (schema->results == DTI_RESULT_LIST)
        put_call_list(to, number, schema->count);
    else if (schema->results == DTI_RESULTS_NONE)
        put_call_none(to, number, schema->count);
    else
        put_call_named(to, number, schema);
    fprintf(to, "}\n");
}

/* ---- Functions ---------------------------------------------------------- */

static const char *const variant_names[] = {
    [DT_VARIANT_NEW] = "DT_VARIANT_NEW",
    [DT_VARIANT_IN_PLACE] = "DT_VARIANT_IN_PLACE",
    [DT_VARIANT_OUT] = "DT_VARIANT_OUT",
};

/* Add a default as an expression: structures need their type. */
static void add_value(face_items *items, const dti_parameter *parameter)
{
    face_items values = {0};
    add_default(&values, parameter);
    for (int i = 0; i < values.count; i++)
        if (values.list[i][0] == '{' || parameter->type == DTI_TYPE_NUMBER)
            add_item(items, "(%s)%s",
                     parameter->type == DTI_TYPE_NUMBER ? "dt_number"
                                                        : "dt_shape",
                     values.list[i]);
        else
            add_item(items, "%s", values.list[i]);
}

/* Add what a function passes on for one parameter. */
static void add_passed(face_items *items, const face_function *function,
                       const dti_parameter *parameter)
{
    bool option = parameter->option;
    if (option && !function->with) {
        add_value(items, parameter);
        return;
    }
    add_item(items, "%s%s", option ? "options->" : "", parameter->name);
    if (is_list(parameter->type))
        add_item(items, "%s%s_count", option ? "options->" : "",
                 parameter->name);
}

static void put_check(FILE *to, const op_row *row)
{
    const dti_schema *schema = &row->schema;
    const dti_parameter *first = &schema->parameters[schema->tensors[0]];
    bool one = schema->results == DTI_RESULT_ONE;
    char name[DTI_NAME_SIZE];
    upper_name(name, schema->name);
    fprintf(to, "    if (options->size != sizeof *options)%s\n        %s",
            one ? " {" : "", one ? "" : "return ");
    if (first->type == DTI_TYPE_TENSORS)
        fprintf(to, "refuse_size(%s_count > 0 ? %s[0] : NULL,\n", first->name,
                first->name);
    else
        fprintf(to, "refuse_size(%s, ", first->name);
    if (first->type == DTI_TYPE_TENSORS)
        fprintf(to, "%*s", one ? 20 : 27, "");
    fprintf(to, "options->size, sizeof *options,\n");
    fprintf(to, "%*s\"DT_%s_OPTIONS_INIT\");\n", one ? 20 : 27, "", name);
    if (one)
        fprintf(to, "        return NULL;\n    }\n");
}

static void put_function(FILE *to, const face_function *function)
{
    const dti_schema *schema = &function->row->schema;
    face_items items;
    char head[128];
    snprintf(head, sizeof head, "%s%s", return_type(function->row),
             function->name);
    list_parameters(&items, function);
    fputc('\n', to);
    put_items(to, head, &items, "\n{\n");
    if (function->with)
        put_check(to, function->row);
    items.count = 0;
    add_item(&items, "%s", variant_names[function->variant]);
    for (int i = 0; i < schema->count; i++)
        add_passed(&items, function, &schema->parameters[i]);
    if (schema->results == DTI_RESULTS_NAMED)
        for (int i = 0; i < schema->result_count; i++)
            add_item(&items, "%s",
                     puts_out(schema, function->variant, i)
                         ? schema->result_names[i]
                         : "NULL");
    if (schema->results == DTI_RESULT_LIST)
        add_item(&items, puts_out(schema, function->variant, 0)
                             ? "results, room, count"
                             : "NULL, 0, NULL");
    if (schema->results == DTI_RESULT_ONE)
        add_item(&items, "%s",
                 function->variant == DT_VARIANT_OUT ? "out" : "NULL");
    snprintf(head, sizeof head, "    return call_%s", schema->name);
    put_items(to, head, &items, ";\n}\n");
}

void write_calls(FILE *to, const op_rows *rows)
{
    fputs(top, to);
    put_names(to, rows);
    fputs(list_checks, to);
    for (int i = 0, put = 0; i < rows->count && !put; i++)
        if (has_options(&rows->list[i].schema))
            put = fputs(size_check, to) >= 0;
    for (int i = 0; i < rows->count; i++) {
        face_function functions[FACE_MAX_FUNCTIONS];
        int count = list_functions(&rows->list[i], functions);
        if (!has_functions(&rows->list[i]))
            continue;
        put_inner(to, &rows->list[i]);
        for (int j = 0; j < count; j++)
            put_function(to, &functions[j]);
    }
    fprintf(to, "\n/* clang-format on */\n");
}
