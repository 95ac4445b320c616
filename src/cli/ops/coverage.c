/* cli/ops/coverage.c - which of a list of ATen's names there are rows for. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/ops/coverage.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "base/text/message.h"
#include "cli/command.h"
#include "cli/json.h"
#include "cli/ops/name.h"
#include "cli/ops/row.h"
#include "cli/table.h"

typedef struct coverage {
    dt_world *world;
    bool json;
    int names, covered, wrong;
    dti_table table;
} coverage;

/* The row that has a name best, and how it has it. */
static dti_aten_match find_row(dt_world *world, const dti_aten_name *name,
                               const dt_op **out)
{
    dti_aten_match best = DTI_ATEN_OTHER;
    const dt_op *op;
    for (int i = 0; (op = dt_op_at(world, i)); i++) {
        dti_aten_match one = dti_aten_match_row(name, op);
        if (one > best) {
            best = one;
            *out = op;
        }
    }
    return best;
}

/* What covers a name, or why nothing does. */
static void explain(dti_aten_match how, const dt_op *op,
                    char text[2 * DTI_ROW_TEXT])
{
    char name[DTI_ROW_TEXT] = "";
    snprintf(text, 2 * DTI_ROW_TEXT, "no operator has this name");
    if (!op)
        return;
    dti_row_name(op, name);
    switch (how) {
    case DTI_ATEN_OTHER:
        break;
    case DTI_ATEN_OVERLOAD:
        dti_row_aten(op, name);
        snprintf(text, 2 * DTI_ROW_TEXT, "other overloads: %s", name);
        break;
    case DTI_ATEN_LACKS_FORM:
        snprintf(text, 2 * DTI_ROW_TEXT, "%s has no such variant", name);
        break;
    case DTI_ATEN_HAS_OUT:
        snprintf(text, 2 * DTI_ROW_TEXT, "%s_out", name);
        break;
    case DTI_ATEN_HAS_IN_PLACE:
        snprintf(text, 2 * DTI_ROW_TEXT, "%s_", name);
        break;
    case DTI_ATEN_HAS:
        snprintf(text, 2 * DTI_ROW_TEXT, "%s", name);
        break;
    }
}

/* As the list has it, but without what stands before and behind. */
static void write_name(const dti_aten_name *name, char text[DTI_ROW_TEXT])
{
    snprintf(text, DTI_ROW_TEXT, "%.*s%s%.*s", name->base_length, name->base,
             name->overload_length ? "." : "", name->overload_length,
             name->overload);
}

static void report(coverage *all, const char *name, bool covered,
                   const char *text)
{
    dti_json json = {.stream = stdout};
    if (!all->json) {
        dti_table_add(&all->table, DTI_LOOK_PLAIN, name);
        dti_table_add(&all->table, covered ? DTI_LOOK_GOOD : DTI_LOOK_BAD,
                      covered ? "covered" : "missing");
        dti_table_add(&all->table, DTI_LOOK_FAINT, text);
        return;
    }
    dti_json_open(&json, NULL, '{');
    dti_json_text(&json, "name", name);
    dti_json_integer(&json, "covered", covered);
    dti_json_text(&json, covered ? "operator" : "why", text);
    dti_json_close(&json, '}');
    putchar('\n');
}

static void take_line(coverage *all, const char *line, size_t length,
                      int number)
{
    char written[DTI_ROW_TEXT], text[2 * DTI_ROW_TEXT];
    const dt_op *op = NULL;
    dti_aten_name name;
    dti_aten_line kind = dti_aten_read(line, length, &name);
    if (kind == DTI_ATEN_NOTHING)
        return;
    if (kind == DTI_ATEN_WRONG) {
        dti_message_print(
            stderr,
            "dtensor ops: line %d, \"%.*s\", is not an ATen name such as "
            "aten::add.Tensor\n",
            number, (int)strcspn(line, "\r\n"), line);
        all->wrong++;
        return;
    }
    dti_aten_match how = find_row(all->world, &name, &op);
    bool covered = how >= DTI_ATEN_HAS_OUT;
    all->names++;
    all->covered += covered;
    write_name(&name, written);
    explain(how, op, text);
    report(all, written, covered, text);
}

/* False if the file cannot be read, which stderr then says. */
static bool read_list(coverage *all, const char *path)
{
    bool standard = strcmp(path, "-") == 0;
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    errno = 0;
    FILE *file = standard ? stdin : fopen(path, "r");
    for (int i = 1; file && (length = getline(&line, &room, file)) >= 0; i++)
        take_line(all, line, (size_t)length, i);
    bool well = file && !ferror(file);
    if (!well)
        dti_message_print(stderr, "dtensor ops: cannot read %s: %s\n", path,
                          strerror(errno));
    free(line);
    if (file && !standard)
        fclose(file);
    return well;
}

int dti_coverage_show(dt_world *world, const char *path, bool json)
{
    coverage all = {.world = world, .json = json, .table = {.columns = 3}};
    bool well = read_list(&all, path);
    dti_table_print(&all.table, stdout);
    if (well && !json)
        printf("%s%d of %d names are covered, %d are missing\n",
               all.names ? "\n" : "", all.covered, all.names,
               all.names - all.covered);
    if (all.wrong)
        return DTI_EXIT_USAGE;
    return well && all.covered == all.names ? DTI_EXIT_OK : DTI_EXIT_FAILED;
}
