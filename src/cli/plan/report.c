/* cli/plan/report.c - the steps of a redistribution and what they cost. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/plan/report.h"

#include <math.h>
#include <stdlib.h>

#include "cli/json.h"
#include "cli/memory.h"
#include "cli/table.h"
#include "cli/units.h"

/* ---- Words -------------------------------------------------------------- */

typedef size_t (*format_function)(const void *of, char *text, size_t size);

/* What a function of the library writes; the caller frees it. */
static char *write_down(format_function format, const void *of)
{
    size_t size = format(of, NULL, 0) + 1;
    char *text = dti_grow(NULL, size, 1);
    format(of, text, size);
    return text;
}

static size_t format_layout(const void *of, char *text, size_t size)
{
    return dt_layout_format(of, text, size);
}

static size_t format_spec(const void *of, char *text, size_t size)
{
    return dt_spec_format(of, text, size);
}

/* As the library reads it: "dp=2,tp=4". */
static char *write_mesh(const dt_mesh *mesh)
{
    dti_text text;
    dti_text_open(&text);
    for (int i = 0; i < dt_mesh_ndim(mesh); i++)
        fprintf(text.stream, "%s%s=%d", i ? "," : "", dt_mesh_dim_name(mesh, i),
                dt_mesh_dim_size(mesh, i));
    return dti_text_close(&text);
}

static bool crosses(const dt_plan *plan)
{
    return dt_spec_mesh(dt_plan_from(plan)) != dt_spec_mesh(dt_plan_to(plan));
}

static const char *name_objective(dt_objective objective)
{
    return objective == DT_OBJECTIVE_TIME ? "time" : "bytes";
}

/* The ratio of PyTorch's value to ours; NAN if there is none. */
static double ratio_of(double more, double less)
{
    if (more <= 0 && less <= 0)
        return 1;
    return less > 0 ? more / less : NAN;
}

/* ---- Text --------------------------------------------------------------- */

static void write_title(const dti_planned *planned, FILE *stream)
{
    char *from = write_down(format_spec, dt_plan_from(planned->plan));
    const dt_spec *target = dt_plan_to(planned->plan);
    char *to = write_down(format_layout, dt_spec_layout(target));
    fprintf(stream, "%s to %s", from, to);
    free(from);
    free(to);
    if (crosses(planned->plan)) {
        char *mesh = write_mesh(dt_spec_mesh(target));
        fprintf(stream, " on %s", mesh);
        free(mesh);
    }
    if (planned->objective == DT_OBJECTIVE_TIME)
        fprintf(stream, "\nleast time over %s", planned->transport);
    else
        fprintf(stream, "\nfewest bytes, times over %s", planned->transport);
    if (planned->memory_cap)
        fprintf(stream, ", at most %s beside source and target",
                dti_bytes((int64_t)planned->memory_cap).text);
    fputs("\n\n", stream);
}

static void add_number(dti_table *table, int number)
{
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    dti_table_add(table, DTI_LOOK_PLAIN, text);
}

static void add_layout(dti_table *table, const dt_layout *layout)
{
    char *text = write_down(format_layout, layout);
    dti_table_add(table, DTI_LOOK_PLAIN, text);
    free(text);
}

static void add_step(dti_table *table, int number, const dt_plan_step *step)
{
    add_number(table, number);
    dti_table_add(table, DTI_LOOK_PLAIN, dt_step_name(step->kind));
    add_layout(table, &step->from);
    add_layout(table, &step->to);
    add_number(table, step->group_size);
    dti_table_add(table, DTI_LOOK_PLAIN, dti_bytes(step->bytes).text);
    add_number(table, step->messages);
    dti_table_add(table, DTI_LOOK_PLAIN, dti_seconds(step->seconds).text);
}

static void write_steps(const char *title, const dt_plan *plan, FILE *stream)
{
    static const char *const heads[] = {
        "", "step", "from", "to", "ranks", "bytes/rank", "messages", "time",
    };
    dti_table table = {
        .columns = 8,
        .indent = 2,
        .right = {[0] = true, [4] = true, [5] = true, [6] = true, [7] = true}};
    dti_look_print(stream, DTI_LOOK_STRONG, title);
    if (dt_plan_steps(plan) == 0) {
        fputs("\n  no steps: every rank has what it needs\n\n", stream);
        return;
    }
    putc('\n', stream);
    for (int i = 0; i < table.columns; i++)
        dti_table_add(&table, DTI_LOOK_FAINT, heads[i]);
    for (int i = 0; i < dt_plan_steps(plan); i++)
        add_step(&table, i + 1, dt_plan_step_at(plan, i));
    dti_table_print(&table, stream);
    putc('\n', stream);
}

/* Two plans in columns; the second may be NULL. */
typedef struct columns {
    dti_table table;
    const dt_plan *ours;
    const dt_plan *usual;
} columns;

static void add_cells(columns *to, const char *name, const char *ours,
                      const char *usual, double more)
{
    dti_table_add(&to->table, DTI_LOOK_PLAIN, name);
    dti_table_add(&to->table, DTI_LOOK_PLAIN, ours);
    if (!to->usual)
        return;
    dti_table_add(&to->table, DTI_LOOK_PLAIN, usual);
    dti_table_add(&to->table, more > 1 ? DTI_LOOK_GOOD : DTI_LOOK_PLAIN,
                  isnan(more) ? "-" : dti_times(more).text);
}

static void add_bytes(columns *to, const char *name,
                      int64_t (*give)(const dt_plan *plan))
{
    int64_t ours = give(to->ours);
    int64_t usual = to->usual ? give(to->usual) : 0;
    add_cells(to, name, dti_bytes(ours).text, dti_bytes(usual).text,
              ratio_of((double)usual, (double)ours));
}

static void add_time(columns *to)
{
    double ours = dt_plan_seconds(to->ours);
    double usual = to->usual ? dt_plan_seconds(to->usual) : 0;
    add_cells(to, "predicted time", dti_seconds(ours).text,
              dti_seconds(usual).text, ratio_of(usual, ours));
}

static double over_bound(const dt_plan *plan)
{
    return ratio_of((double)dt_plan_bytes(plan),
                    (double)dt_plan_lower_bound(plan));
}

static void add_bound(columns *to)
{
    char name[64];
    double ours = over_bound(to->ours);
    double usual = to->usual ? over_bound(to->usual) : NAN;
    snprintf(name, sizeof name, "  over the least, %s",
             dti_bytes(dt_plan_lower_bound(to->ours)).text);
    add_cells(to, name, isnan(ours) ? "-" : dti_times(ours).text,
              isnan(usual) ? "-" : dti_times(usual).text,
              ratio_of(usual, ours));
}

static void add_counts(columns *to)
{
    char ours[16], usual[16] = "";
    int count = dt_plan_steps(to->ours);
    int usual_count = to->usual ? dt_plan_steps(to->usual) : 0;
    snprintf(ours, sizeof ours, "%d", count);
    snprintf(usual, sizeof usual, "%d", usual_count);
    add_cells(to, "steps", ours, usual, ratio_of(usual_count, count));
}

static void write_sums(const dti_planned *planned, FILE *stream)
{
    static const char *const heads[] = {"", "this plan", "PyTorch's", "ratio"};
    columns sums = {.table = {.columns = planned->usual ? 4 : 2,
                              .right = {[1] = true, [2] = true, [3] = true}},
                    .ours = planned->plan,
                    .usual = planned->usual};
    for (int i = 0; i < sums.table.columns; i++)
        dti_table_add(&sums.table, DTI_LOOK_STRONG, heads[i]);
    add_counts(&sums);
    add_bytes(&sums, "bytes per rank", dt_plan_bytes);
    add_bound(&sums);
    add_bytes(&sums, "peak memory per rank", dt_plan_peak);
    add_time(&sums);
    dti_table_print(&sums.table, stream);
}

void dti_plan_print(const dti_planned *planned, FILE *stream)
{
    write_title(planned, stream);
    write_steps("this plan", planned->plan, stream);
    if (planned->usual && dt_plan_same_steps(planned->plan, planned->usual))
        fputs("PyTorch's default plan is the same\n\n", stream);
    else if (planned->usual)
        write_steps("PyTorch's default plan", planned->usual, stream);
    write_sums(planned, stream);
    if (!planned->usual)
        fprintf(stream, "\nPyTorch has no default plan for it: %s\n",
                planned->reason);
}

/* ---- JSON --------------------------------------------------------------- */

static void put_formatted(dti_json *json, const char *key,
                          format_function format, const void *of)
{
    char *text = write_down(format, of);
    dti_json_text(json, key, text);
    free(text);
}

static void put_mesh(dti_json *json, const char *key, const dt_spec *spec)
{
    char *text = write_mesh(dt_spec_mesh(spec));
    dti_json_text(json, key, text);
    free(text);
}

static void put_steps(dti_json *json, const dt_plan *plan)
{
    dti_json_open(json, "steps", '[');
    for (int i = 0; i < dt_plan_steps(plan); i++) {
        const dt_plan_step *step = dt_plan_step_at(plan, i);
        dti_json_open(json, NULL, '{');
        dti_json_text(json, "kind", dt_step_name(step->kind));
        put_formatted(json, "from", format_layout, &step->from);
        put_formatted(json, "to", format_layout, &step->to);
        dti_json_integer(json, "ranks", step->group_size);
        dti_json_integer(json, "bytes", step->bytes);
        dti_json_integer(json, "messages", step->messages);
        dti_json_number(json, "seconds", step->seconds);
        dti_json_close(json, '}');
    }
    dti_json_close(json, ']');
}

static void put_sums(dti_json *json, const dt_plan *plan)
{
    dti_json_integer(json, "bytes", dt_plan_bytes(plan));
    dti_json_number(json, "ratio",
                    ratio_of((double)dt_plan_bytes(plan),
                             (double)dt_plan_lower_bound(plan)));
    dti_json_integer(json, "peak", dt_plan_peak(plan));
    dti_json_number(json, "seconds", dt_plan_seconds(plan));
}

static void put_ends(dti_json *json, const dt_plan *plan)
{
    const dt_spec *from = dt_plan_from(plan), *to = dt_plan_to(plan);
    dt_shape shape = dt_spec_shape(from);
    dti_json_open(json, "shape", '[');
    for (int i = 0; i < shape.ndim; i++)
        dti_json_integer(json, NULL, shape.dims[i]);
    dti_json_close(json, ']');
    dti_json_text(json, "dtype", dt_dtype_name(dt_spec_dtype(from)));
    put_mesh(json, "mesh", from);
    put_mesh(json, "to_mesh", to);
    put_formatted(json, "from", format_layout, dt_spec_layout(from));
    put_formatted(json, "to", format_layout, dt_spec_layout(to));
}

void dti_plan_print_json(const dti_planned *planned, FILE *stream)
{
    dti_json json = {.stream = stream};
    dti_json_open(&json, NULL, '{');
    put_ends(&json, planned->plan);
    dti_json_text(&json, "objective", name_objective(planned->objective));
    dti_json_text(&json, "transport", planned->transport);
    if (planned->memory_cap)
        dti_json_integer(&json, "memory_cap", (int64_t)planned->memory_cap);
    put_steps(&json, planned->plan);
    dti_json_integer(&json, "lower_bound", dt_plan_lower_bound(planned->plan));
    put_sums(&json, planned->plan);
    dti_json_open(&json, "pytorch", '{');
    if (planned->usual) {
        put_steps(&json, planned->usual);
        put_sums(&json, planned->usual);
    } else {
        dti_json_text(&json, "none", planned->reason);
    }
    dti_json_close(&json, '}');
    dti_json_close(&json, '}');
    putc('\n', stream);
}
