/* tools/ops/calls.c - the functions of operators, and their numbers. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "ops/face.h"
#include "ops/groups.h"

/* ---- Numbers ------------------------------------------------------------ */

void write_numbers(FILE *to, const op_rows *rows, const op_group *group)
{
    char name[DTI_NAME_SIZE];
    (void)group;
    fprintf(to,
            "/* The numbers of operators: rows of all tables, in order. */\n"
            "#ifndef DTI_OPS_NUMBERS_H\n#define DTI_OPS_NUMBERS_H\n\n"
            "enum {\n");
    for (int i = 0; i < rows->count; i++) {
        upper_name(name, rows->list[i].schema.name);
        fprintf(to, "    OP_%s,\n", name);
    }
    fprintf(to, "    OP_COUNT\n};\n\n#endif\n");
}

void write_names(FILE *to, const op_rows *rows, const op_group *group)
{
    char name[DTI_NAME_SIZE];
    (void)group;
    for (int i = 0; i < rows->count; i++) {
        upper_name(name, rows->list[i].schema.name);
        fprintf(to, "[OP_%s] = \"%s\",\n", name, rows->list[i].schema.name);
    }
}

/* ---- Arguments ---------------------------------------------------------- */

/* The functions of ops/helpers/call.h that make an argument of a value. */
static const char *const makers[DTI_TYPE_COUNT] = {
    [DTI_TYPE_TENSOR] = "dti_arg_tensor(",
    [DTI_TYPE_OPTIONAL_TENSOR] = "dti_arg_optional_tensor(",
    [DTI_TYPE_TENSORS] = "dti_arg_tensors(",
    [DTI_TYPE_OPTIONAL_TENSORS] = "dti_arg_tensors(",
    [DTI_TYPE_NUMBER] = "dti_arg_number(",
    [DTI_TYPE_NUMBERS] = "dti_arg_numbers(",
    [DTI_TYPE_INT] = "dti_arg_integer(",
    [DTI_TYPE_FLOAT] = "dti_arg_real(",
    [DTI_TYPE_BOOL] = "dti_arg_integer(",
    [DTI_TYPE_DIM] = "dti_arg_integer(",
    [DTI_TYPE_DIMS] = "dti_arg_dims(&",
    [DTI_TYPE_INTS] = "dti_arg_integers(",
    [DTI_TYPE_SHAPE] = "dti_arg_shape(&",
    [DTI_TYPE_DTYPE] = "dti_arg_integer(",
    [DTI_TYPE_OPTIONAL_DTYPE] = "dti_arg_optional_dtype(",
    [DTI_TYPE_TEXT] = "dti_arg_text(",
    [DTI_TYPE_REDUCTION] = "dti_arg_integer(",
    [DTI_TYPE_SCATTER_REDUCTION] = "dti_arg_integer(",
    [DTI_TYPE_ROUNDING] = "dti_arg_integer(",
    [DTI_TYPE_APPROXIMATE] = "dti_arg_integer(",
    [DTI_TYPE_GENERATOR] = "dti_arg_generator(",
};

/* The default of an option as an argument: structures need their type. */
static void put_default(FILE *to, const dti_parameter *parameter)
{
    const bool number = parameter->type == DTI_TYPE_NUMBER;
    face_items values = {0};
    if (parameter->usual.kind == DT_ARG_NONE) {
        fputs("dti_arg_none()", to);
        return;
    }
    add_default(&values, parameter);
    fputs(makers[parameter->type], to);
    if (number || values.list[0][0] == '{')
        fputs(number ? "(dt_number)" : "(dt_shape)", to);
    fprintf(to, is_list(parameter->type) ? "%s, 0)" : "%s)", values.list[0]);
}

static void put_argument(FILE *to, const face_function *function,
                         const dti_parameter *parameter)
{
    const char *name = parameter->name;
    const char *from = parameter->option ? "options->" : "";
    if (parameter->option && !function->with) {
        put_default(to, parameter);
        return;
    }
    fprintf(to, "%s%s%s", makers[parameter->type], from, name);
    if (is_list(parameter->type))
        fprintf(to, ", %s%s_count", from, name);
    fputc(')', to);
}

/* ---- Functions ---------------------------------------------------------- */

static const char *const variant_names[] = {
    [DT_VARIANT_NEW] = "DT_VARIANT_NEW",
    [DT_VARIANT_IN_PLACE] = "DT_VARIANT_IN_PLACE",
    [DT_VARIANT_OUT] = "DT_VARIANT_OUT",
};

/* What a function calls, by how results are given. */
static const char *const callees[] = {
    [DTI_RESULT_ONE] = "dti_op_call_one",
    [DTI_RESULTS_NONE] = "dti_op_call_many",
    [DTI_RESULTS_NAMED] = "dti_op_call_named",
    [DTI_RESULT_LIST] = "dti_op_call_many",
};

static void put_results(FILE *to, const face_function *function)
{
    const dti_schema *schema = &function->row->schema;
    if (schema->results == DTI_RESULT_ONE)
        fprintf(to, "%s", function->variant == DT_VARIANT_OUT ? "out" : "NULL");
    else if (schema->results != DTI_RESULTS_NAMED)
        fputs(schema->results == DTI_RESULT_LIST &&
                      puts_out(schema, function->variant, 0)
                  ? "results, capacity, count"
                  : "NULL, 0, NULL",
              to);
    for (int i = 0;
         schema->results == DTI_RESULTS_NAMED && i < schema->result_count; i++)
        fprintf(to, "%s%s", i ? ", " : "(dt_tensor **const[]){",
                puts_out(schema, function->variant, i) ? schema->result_names[i]
                                                       : "NULL");
    if (schema->results == DTI_RESULTS_NAMED)
        fprintf(to, "}, %d", schema->result_count);
}

/* The tensor whose world records that options are invalid. */
static void put_first_tensor(FILE *to, const dti_schema *schema)
{
    const dti_parameter *first = &schema->parameters[schema->tensors[0]];
    if (schema->tensor_count == 0)
        fputs("NULL", to);
    else if (is_list(first->type))
        fprintf(to, "%s_count > 0 ? %s[0] : NULL", first->name, first->name);
    else
        fputs(first->name, to);
}

/* Read options of older and newer callers, before anything else is done. */
static void put_options(FILE *to, const dti_schema *schema)
{
    char name[DTI_NAME_SIZE];
    upper_name(name, schema->name);
    fprintf(to,
            "    dt_%s_options usual = DT_%s_OPTIONS_INIT;\n"
            "    options = dti_op_options(",
            schema->name, name);
    put_first_tensor(to, schema);
    fprintf(to,
            ", options, &usual, sizeof usual, \"DT_%s_OPTIONS_INIT\");\n"
            "    if (!options)\n        return %s;\n",
            name,
            schema->results == DTI_RESULT_ONE ? "NULL" : "DT_ERR_INVALID");
}

static void put_function(FILE *to, const face_function *function)
{
    const dti_schema *schema = &function->row->schema;
    face_items items;
    char number[DTI_NAME_SIZE];
    upper_name(number, schema->name);
    list_parameters(&items, function);
    fprintf(to, "%s%s(", return_type(function->row), function->name);
    for (int i = 0; i < items.count; i++)
        fprintf(to, "%s%s", i ? ", " : "", items.list[i]);
    fputs(")\n{\n", to);
    if (function->with)
        put_options(to, schema);
    fprintf(to, "    return %s(OP_%s, %s, (const dt_argument[]){",
            callees[schema->results], number, variant_names[function->variant]);
    for (int i = 0; i < schema->count; i++) {
        fputs(i ? ", " : "", to);
        put_argument(to, function, &schema->parameters[i]);
    }
    fprintf(to, "}, %d, ", schema->count);
    put_results(to, function);
    fputs(");\n}\n", to);
}

void write_calls(FILE *to, const op_rows *rows, const op_group *group)
{
    const op_row *row = NULL;
    fprintf(to,
            "/* Functions of operators: %s. */\n"
            "#include <dtensor/%s>\n\n"
            "#include \"ops/helpers/call.h\"\n"
            "#include \"ops/numbers.h\"\n",
            group->title, group->header);
    while ((row = next_in_group(rows, group, row)) != NULL) {
        face_function functions[FACE_MAX_FUNCTIONS];
        int count = has_functions(row) ? list_functions(row, functions) : 0;
        fputc('\n', to);
        for (int j = 0; j < count; j++)
            put_function(to, &functions[j]);
    }
}

/* ---- Their test --------------------------------------------------------- */

/* Every options structure with its defaults, and where its last field begins:
 * rows of the table in tests/unit/ops/older.c. */
void write_older(FILE *to, const op_rows *rows, const op_group *group)
{
    char upper[DTI_NAME_SIZE];
    (void)group;
    for (int i = 0; i < rows->count; i++) {
        const dti_schema *schema = &rows->list[i].schema;
        const char *name = schema->name;
        if (!has_functions(&rows->list[i]) || !has_options(schema))
            continue;
        const dti_parameter *last = &schema->parameters[schema->count - 1];
        upper_name(upper, name);
        fprintf(to,
                "{\"%s\", &(const dt_%s_options)DT_%s_OPTIONS_INIT, "
                "sizeof(dt_%s_options), offsetof(dt_%s_options, %s%s)},\n",
                name, name, upper, name, name, last->name,
                is_list(last->type) ? "_count" : "");
    }
}
