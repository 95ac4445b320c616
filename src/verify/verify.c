/* verify/verify.c - verifying the rows and rules that a program brings. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/verify.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/options.h"
#include "verify/verifier.h"

/*
 * Each operator is verified in worlds of its own, one for each mesh: with all
 * rows that the program registered, because a composition may call them, but
 * only with its own rule replaced, so that it is not blamed for another rule.
 */

/* The meshes to verify on; the first few unless `full` is set. */
static const struct {
    const char *dims;
    int ranks;
} meshes[] = {{"x=2", 2},     {"x=3", 3},     {"x=4", 4},
              {"x=2,y=2", 4}, {"x=2,y=3", 6}, {"x=2,y=2,z=2", 8}};

#define USUAL_MESHES 4
#define ALL_MESHES 6

/* What a verification is about, read by all ranks.  Rank 0 of each of its
 * worlds writes to `report` and `lines`. */
typedef struct work {
    const dt_verify_options *options;
    const dti_operators *all; /* of the caller's world */
    const dti_operator *op;   /* that is verified */
    const char *dims;         /* of the mesh */
    dti_report report;
    dti_text lines; /* each with a terminating zero */
} work;

/* A place for lines in the world of rank 0. */
typedef struct line_target {
    dt_world *world;
    dti_text *lines;
} line_target;

static void add_line(void *arg, const char *line)
{
    const line_target *to = arg;
    dti_text_add(to->world, to->lines, line, strlen(line) + 1);
}

/* ---- In a world of its own ---------------------------------------------- */

/* Give a world the rows of the program and the rule that is verified. */
static dt_status bring_rows(dt_world *world, const work *of)
{
    for (int i = of->all->built_in; i < of->all->count; i++)
        DTI_TRY(dt_op_register(world, of->all->rows[i]));
    if (!of->op->replaced)
        return DT_OK;
    return dt_op_set_rule(world, of->op->schema.name, of->op->op->rule);
}

static dt_status verify_with(dt_world *world, const work *of, dti_report *to)
{
    const char *name = of->op->schema.name;
    const dti_verifier with = {.world = world,
                               .report = to,
                               .seed = of->options->seed,
                               .full = of->options->full};
    dt_mesh *mesh = NULL;
    DTI_TRY(bring_rows(world, of));
    DTI_TRY(dt_mesh_create(world, of->dims, &mesh));
    dt_status status = dti_verify_operators(&with, &name, 1, mesh);
    dt_mesh_release(mesh);
    return status;
}

/* The program of a rank. */
static dt_status verify_on_rank(dt_world *world, void *arg)
{
    work *of = arg;
    dti_report own = DTI_REPORT_INIT;
    line_target target = {world, &of->lines};
    /* The rows of this world are copies: they are not verified again. */
    world->settings.verify_to = -1;
    if (dt_world_rank(world) > 0) {
        dt_status status = verify_with(world, of, &own);
        dti_report_free(&own);
        return status;
    }
    of->report.arg = &target;
    return verify_with(world, of, &of->report);
}

/* ---- Running ------------------------------------------------------------ */

static dt_status verify_operator(dt_world *world, work *of)
{
    const int count = of->options->full ? ALL_MESHES : USUAL_MESHES;
    for (int i = 0; i < count; i++) {
        dt_world_options how = DT_WORLD_OPTIONS_INIT;
        dt_error error = {DT_OK, ""};
        how.transport = "threads";
        how.ranks = meshes[i].ranks;
        how.log_level = DT_LOG_OFF;
        of->dims = meshes[i].dims;
        dt_status status = dt_world_run(&how, verify_on_rank, of, &error);
        if (status != DT_OK)
            return dti_fail(world, status, "dt_op_verify: %s on mesh %s: %s",
                            of->op->schema.name, of->dims, error.message);
    }
    return DT_OK;
}

/* Tell whether the program brought a row, or a rule for it. */
static bool is_brought(const dti_operators *all, int number)
{
    return number >= all->built_in ||
           (all->read[number] && all->read[number]->replaced);
}

static dt_status verify_all(dt_world *world, work *of)
{
    for (int i = 0; i < of->all->count; i++)
        if (is_brought(of->all, i)) {
            of->op = of->all->read[i];
            DTI_TRY(verify_operator(world, of));
        }
    return DT_OK;
}

/* ---- The report --------------------------------------------------------- */

/* Read lines of explanations. */
static dt_status read_explained(dt_world *world, const char *text,
                                dti_report *to)
{
    char line[512];
    for (int number = 1; text && *text; number++) {
        size_t length = strcspn(text, "\n");
        dt_status status = DT_ERR_FORMAT;
        if (length < sizeof line) {
            memcpy(line, text, length);
            line[length] = '\0';
            status = dti_report_explain(to, line);
        }
        if (status == DT_ERR_NO_MEMORY)
            return dti_fail_memory(world, sizeof line, "an explanation");
        if (status != DT_OK)
            return dti_fail(world, DT_ERR_INVALID,
                            "dt_op_verify: line %d of `explained` is not "
                            "\"operator: placements: reason\"",
                            number);
        text += length + (text[length] == '\n');
    }
    return DT_OK;
}

static void tell_lines(const work *of)
{
    const dt_verify_options *options = of->options;
    char text[DTI_REPORT_LINE];
    if (!options->report)
        return;
    for (size_t i = 0; i < of->lines.length;
         i += strlen(of->lines.data + i) + 1)
        options->report(options->arg, of->lines.data + i);
    for (int i = 0; i < of->report.count; i++) {
        dti_report_show(of->report.rows[i], text, sizeof text);
        options->report(options->arg, text);
    }
    if (of->report.count == 0)
        options->report(options->arg,
                        "this world was given no operators or rules");
}

/* Count what was found; the first finding is the error. */
static dt_status judge(dt_world *world, const work *of, dti_verify_counts *out)
{
    const dti_report_row *wrong = NULL, *missing = NULL;
    out->operators = of->report.count;
    for (int i = 0; i < of->report.count; i++) {
        const dti_report_row *row = of->report.rows[i];
        out->wrong += row->wrong > 0;
        out->missing += row->unexplained;
        wrong = !wrong && row->wrong ? row : wrong;
        missing = !missing && row->unexplained ? row : missing;
    }
    if (wrong)
        return dti_fail(world, DT_ERR_INVALID, "dt_op_verify: wrong: %s",
                        wrong->first);
    if (missing && of->options->fail_missing)
        return dti_fail(
            world, DT_ERR_NOT_FOUND,
            "dt_op_verify: the rule of %s does not allow %d layouts "
            "that need no communication",
            missing->name, missing->unexplained);
    return DT_OK;
}

dt_status dti_verify(dt_world *world, const char *name,
                     const dt_verify_options *options, dti_verify_counts *out)
{
    dti_operator *op = NULL;
    work of = {.options = options,
               .all = dti_operators_of(world),
               .report = DTI_REPORT_INIT};
    *out = (dti_verify_counts){0};
    if (!of.all)
        return DT_ERR_NO_MEMORY;
    if (world->settings.dry_run)
        return dti_fail(world, DT_ERR_UNSUPPORTED,
                        "dt_op_verify: nothing is computed in a dry run");
    if (name)
        DTI_TRY(dti_operator_find(world, name, &op));
    of.op = op;
    of.report.tell = add_line;
    dt_status status = read_explained(world, options->explained, &of.report);
    if (status == DT_OK)
        status = name ? verify_operator(world, &of) : verify_all(world, &of);
    if (status == DT_OK)
        tell_lines(&of);
    if (status == DT_OK)
        status = judge(world, &of, out);
    dti_text_free(&of.lines);
    dti_report_free(&of.report);
    return status;
}

dt_status dt_op_verify(dt_world *world, const char *name,
                       const dt_verify_options *options)
{
    dt_verify_options usual = DT_VERIFY_OPTIONS_INIT;
    dti_verify_counts counts;
    options = dti_options_read(world, options, &usual, sizeof usual,
                               "DT_VERIFY_OPTIONS_INIT");
    return options ? dti_verify(world, name, options, &counts) : DT_ERR_INVALID;
}
