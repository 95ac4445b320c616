/* tools/ops/header.c - the headers of operators. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "ops/describe.h"
#include "ops/face.h"
#include "ops/groups.h"

/* ---- The frame ---------------------------------------------------------- */

static const char *const includes[] = {
    "<math.h>",
    "<stdbool.h>",
    "<stddef.h>",
    "<stdint.h>",
    "",
    "<dtensor/dtype.h>",
    "<dtensor/number.h>",
    "<dtensor/random.h>",
    "<dtensor/shape.h>",
    "<dtensor/status.h>",
    "<dtensor/tensor.h>",
};

static const char *const conventions[] = {
    "Those in sys/ are for gradients, optimizers and graphs, and are not "
    "included here.",
    "All tensors of a call are on one mesh.  A call that fails returns NULL or "
    "a status and records an error.  A NULL tensor fails with DT_ERR_INVALID; "
    "if an earlier error led to it, that one stays recorded, so that calls "
    "nest and are checked once.  Arguments that may be NULL say so.",
    "Results belong to the innermost scope.  An output parameter may be NULL "
    "if its result is not wanted.  A list of results is written to `results`, "
    "which has `capacity` slots; `count` receives their number.",
    "dt_x_ writes in place: it overwrites its first tensor and returns it.  If "
    "the first argument is a list, it overwrites the tensors of the list; if "
    "there are several results, result x_out overwrites the tensor x.  "
    "dt_x_out writes to `out` and returns it.  Both keep the layout of what "
    "they write to, or fail.",
    "dt_x_with takes options; dt_x, and NULL options, use those of "
    "DT_X_OPTIONS_INIT, which dt_op_default returns one by one. Fields that an "
    "older program does not have are defaults.",
};

/* The first lines of a header of this name below include/. */
static void put_top(FILE *to, const char *name)
{
    char guard[DTI_NAME_SIZE];
    upper_name(guard, name);
    for (char *at = guard; *at; at++)
        *at = (char)(*at == '/' || *at == '.' ? '_' : *at);
    fprintf(to,
            "/* %s - operators; written by `make ops`. */\n"
            "/* SPDX-License-Identifier: Apache-2.0 */\n"
            "#ifndef %s\n#define %s\n\n",
            name, guard, guard);
}

static void put_includes(FILE *to)
{
    for (size_t i = 0; i < sizeof includes / sizeof *includes; i++)
        fprintf(to, "%s%s\n", *includes[i] ? "#include " : "", includes[i]);
}

static void put_section(FILE *to, const char *family)
{
    char line[80], scratch[DTI_NAME_SIZE];
    snprintf(line, sizeof line, "/* ---- %s ", section_title(family, scratch));
    fprintf(to, "\n%s", line);
    for (size_t i = strlen(line); i < 76; i++)
        fputc('-', to);
    fprintf(to, " */\n");
}

/* ---- Options ------------------------------------------------------------ */

static void put_initialiser(FILE *to, const char *name,
                            const face_items *values)
{
    int column = 5;
    fprintf(to, "#define DT_%s_OPTIONS_INIT \\\n    {", name);
    for (int i = 0; i < values->count; i++) {
        int length = (int)strlen(values->list[i]) + 2;
        if (i && column + length > 78) {
            fprintf(to, " \\\n     ");
            column = 5;
        } else if (i) {
            fputc(' ', to);
        }
        fprintf(to, "%s%s", values->list[i],
                i + 1 < values->count ? "," : "}\n");
        column += length;
    }
}

/* The comment goes after the field if both fit into a line. */
static void put_field(FILE *to, const op_row *row,
                      const dti_parameter *parameter)
{
    const description is = describe(row, parameter);
    face_items fields = {0};
    char comment[FACE_ITEM_SIZE];
    add_parameter(&fields, parameter);
    snprintf(comment, sizeof comment, "%.*s */", (int)is.length, is.text);
    if (strlen(fields.list[0]) + strlen(comment) + 9 <= 80) {
        fprintf(to, "    %s; /* %s\n", fields.list[0], comment);
    } else {
        put_text(to, "    /* ", "     * ", comment);
        fprintf(to, "    %s;\n", fields.list[0]);
    }
    if (fields.count > 1)
        fprintf(to, "    %s;\n", fields.list[1]);
}

static void put_options(FILE *to, const op_row *row)
{
    const dti_schema *schema = &row->schema;
    char name[DTI_NAME_SIZE];
    face_items values = {0};
    upper_name(name, schema->name);
    add_item(&values, "sizeof(dt_%s_options)", schema->name);
    for (int i = 0; i < schema->count; i++)
        if (schema->parameters[i].option)
            add_default(&values, &schema->parameters[i]);
    fprintf(to, "\n/* Options of %s.  Begin with DT_%s_OPTIONS_INIT. */\n",
            schema->name, name);
    fprintf(to, "typedef struct dt_%s_options {\n", schema->name);
    fprintf(to, "    size_t size; /* sizeof(dt_%s_options) */\n", schema->name);
    for (int i = 0; i < schema->count; i++)
        if (schema->parameters[i].option)
            put_field(to, row, &schema->parameters[i]);
    fprintf(to, "} dt_%s_options;\n\n", schema->name);
    put_initialiser(to, name, &values);
}

/* ---- Functions ---------------------------------------------------------- */

/* Which arguments may be NULL, if any. */
static void add_absent(char *text, size_t size, const dti_schema *schema)
{
    for (int i = 0; i < schema->count; i++) {
        const dti_parameter *parameter = &schema->parameters[i];
        size_t length = strlen(text);
        if (parameter->option)
            break;
        if (parameter->type == DTI_TYPE_OPTIONAL_TENSOR ||
            parameter->type == DTI_TYPE_OPTIONAL_DTYPE)
            snprintf(text + length, size - length, " `%s` may be NULL.",
                     parameter->name);
        if (parameter->type == DTI_TYPE_OPTIONAL_TENSORS)
            snprintf(text + length, size - length, " Some of `%s` may be NULL.",
                     parameter->name);
        if (parameter->type == DTI_TYPE_GENERATOR)
            snprintf(text + length, size - length,
                     " `%s` may be NULL: that of the mesh.", parameter->name);
    }
}

/* What arguments mean, one line each. */
static void put_descriptions(FILE *to, const op_row *row)
{
    for (int i = 0; i < row->schema.count; i++) {
        const dti_parameter *parameter = &row->schema.parameters[i];
        const description is = describe(row, parameter);
        char text[FACE_ITEM_SIZE];
        if (parameter->option || !is.text)
            continue;
        snprintf(text, sizeof text, "%s: %.*s", parameter->name, (int)is.length,
                 is.text);
        put_text(to, " * - ", " *   ", text);
    }
}

static void put_comment(FILE *to, const op_row *row)
{
    unsigned flags = row->op->flags;
    char text[1024];
    snprintf(
        text, sizeof text, "Collective over the mesh of its tensors.%s%s",
        flags & DT_OP_VIEW ? " The result is a view of its first tensor." : "",
        flags & DT_OP_STRICT ? " Never redistributes: fails instead." : "");
    add_absent(text, sizeof text, &row->schema);
    fprintf(to, "\n/*\n");
    put_text(to, " * ", " * ", row->op->about ? row->op->about : "");
    fprintf(to, " *\n");
    put_text(to, " * ", " * ", text);
    put_descriptions(to, row);
    fprintf(to, " */\n");
}

/* A status may not be dropped. */
static const char *usage_mark(const op_row *row)
{
    return row->schema.results == DTI_RESULT_ONE ? "" : "DT_MUST_USE ";
}

static void put_functions(FILE *to, const op_row *row)
{
    face_function functions[FACE_MAX_FUNCTIONS];
    face_items items;
    int count = list_functions(row, functions);
    for (int i = 0; i < count; i++) {
        char head[160];
        snprintf(head, sizeof head, "DT_API %s%s%s", usage_mark(row),
                 return_type(row), functions[i].name);
        list_parameters(&items, &functions[i]);
        put_items(to, head, &items, ";\n");
    }
}

void write_header(FILE *to, const op_rows *rows, const op_group *group)
{
    char name[DTI_NAME_SIZE];
    const op_row *row = NULL;
    const char *family = NULL;
    snprintf(name, sizeof name, "dtensor/%s", group->header);
    put_top(to, name);
    put_includes(to);
    fprintf(to,
            "\nDT_EXTERN_C_BEGIN\n\n/*\n * %s.\n *\n * dtensor/ops.h "
            "describes errors, results and variants.\n */\n"
            "/* clang-format off */\n",
            group->title);
    while ((row = next_in_group(rows, group, row)) != NULL) {
        if (!has_functions(row))
            continue;
        if (family != row->family)
            put_section(to, row->family);
        family = row->family;
        if (has_options(&row->schema))
            put_options(to, row);
        put_comment(to, row);
        put_functions(to, row);
    }
    fputs("\n/* clang-format on */\n\nDT_EXTERN_C_END\n\n#endif\n", to);
}

/* ---- The umbrella ------------------------------------------------------- */

static bool is_included(const op_group *group)
{
    return group->header && !is_for_extenders(group);
}

/* By name, as everywhere. */
static void put_group_includes(FILE *to)
{
    const char *last = "", *next;
    do {
        next = NULL;
        for (const op_group *group = groups; group->name; group++)
            if (is_included(group) && strcmp(group->header, last) > 0 &&
                (!next || strcmp(group->header, next) < 0))
                next = group->header;
        if (next)
            fprintf(to, "#include <dtensor/%s>\n", next);
        last = next;
    } while (next);
}

void write_umbrella(FILE *to, const op_rows *rows, const op_group *group)
{
    const size_t count = sizeof conventions / sizeof *conventions;
    (void)rows;
    put_top(to, "dtensor/ops.h");
    fputs("/*\n", to);
    for (group = groups; group->name; group++)
        if (group->header)
            fprintf(to, " * %-19s %s\n", group->header, group->title);
    for (size_t i = 0; i < count; i++) {
        fputs(" *\n", to);
        put_text(to, " * ", " * ", conventions[i]);
    }
    fputs(" */\n\n", to);
    put_group_includes(to);
    fputs("\n#endif\n", to);
}

/* ---- Their test --------------------------------------------------------- */

void write_options(FILE *to, const op_rows *rows, const op_group *group)
{
    (void)group;
    fprintf(to, "/* Every operator's options; written by write-ops. */\n"
                "#include <dtensor/dtensor.h>\n"
                "#include <dtensor/sys/ops_internal.h>\n"
                "#include <dtensor/sys/ops_training.h>\n\n"
                "int dt_test_op_options(void);\n\n"
                "int dt_test_op_options(void)\n{\n    int right = 1;\n");
    for (int i = 0; i < rows->count; i++) {
        const char *name = rows->list[i].schema.name;
        char upper[DTI_NAME_SIZE];
        upper_name(upper, name);
        if (has_functions(&rows->list[i]) && has_options(&rows->list[i].schema))
            fprintf(to,
                    "    dt_%s_options of_%s = DT_%s_OPTIONS_INIT;\n"
                    "    right = right && of_%s.size == sizeof of_%s;\n",
                    name, name, upper, name, name);
    }
    fprintf(to, "    return right;\n}\n");
}
