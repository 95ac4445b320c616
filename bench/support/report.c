/* bench/support/report.c - results as a table or as lines of JSON. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text/message.h"
#include "bench/bench.h"
#include "cli/json.h"
#include "cli/table.h"

/* Ratios that are named again at the end, if there are many. */
enum { LOWEST = 10, MANY = 30 };

struct bench_report_state {
    dti_table table;
    int cases; /* that were wanted */
    int rows;
    int bars, met;
    struct {
        char name[96];
        double ratio;
    } lowest[LOWEST]; /* in ascending order */
};

bool bench_wanted(bench_run *run, const char *name)
{
    if (run->only && !strstr(name, run->only))
        return false;
    run->state->cases++;
    if (run->list)
        puts(name);
    return !run->list;
}

void bench_note(const char *format, ...)
{
    char text[DT_ERROR_SIZE];
    va_list args;
    bench_progress(NULL);
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    dti_message_print(stderr, "dtensor bench: %s\n", text);
}

void bench_progress(const char *text)
{
    if (!dti_look_shown(stderr))
        return;
    fputs("\r\033[K", stderr);
    if (text)
        dti_look_print(stderr, DTI_LOOK_FAINT, text);
}

static double ratio_of(const bench_result *result)
{
    return result->ours > 0 ? result->reference / result->ours : 0;
}

static void write_json(const bench_run *run, const bench_result *result)
{
    dti_json json = {.stream = stdout};
    static const char *const units[] = {[BENCH_MICROSECONDS] = "us",
                                        [BENCH_SECONDS] = "s",
                                        [BENCH_TIMES] = "x"};
    double scale = result->unit == BENCH_MICROSECONDS ? 1e6 : 1;
    dti_json_open(&json, NULL, '{');
    dti_json_text(&json, "suite", run->suite->name);
    dti_json_text(&json, "case", result->name);
    dti_json_number(&json, "ours", scale * result->ours);
    dti_json_number(&json, "reference", scale * result->reference);
    dti_json_text(&json, "reference_name", result->reference_name);
    dti_json_text(&json, "unit", units[result->unit]);
    dti_json_number(&json, "ratio", ratio_of(result));
    dti_json_close(&json, '}');
    putchar('\n');
    fflush(stdout);
}

/* Three digits and a unit that suits: "0.114 us", "7.12 ms". */
static void add_time(dti_table *table, double seconds)
{
    static const struct {
        double unit;
        const char *name;
    } units[] = {{1, "s "}, {1e-3, "ms"}, {1e-6, "us"}};
    char text[32];
    int at = seconds >= 1 ? 0 : seconds >= 1e-3 ? 1 : 2;
    double value = seconds / units[at].unit;
    int digits = value < 1 ? 3 : value < 10 ? 2 : value < 100 ? 1 : 0;
    snprintf(text, sizeof text, "%.*f %s", digits, value, units[at].name);
    dti_table_add(table, DTI_LOOK_PLAIN, text);
}

static void add_figure(dti_table *table, double figure, bench_unit unit)
{
    char text[32];
    if (unit != BENCH_TIMES) {
        add_time(table, figure);
        return;
    }
    snprintf(text, sizeof text, "%.3f x ", figure);
    dti_table_add(table, DTI_LOOK_PLAIN, text);
}

static void add_heading(dti_table *table)
{
    static const char *const names[] = {"case",  "ours", "reference", "",
                                        "ratio", "bar",  ""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        dti_table_add(table, DTI_LOOK_STRONG, names[i]);
}

/* Keep a ratio if it is among the lowest. */
static void keep_lowest(struct bench_report_state *state,
                        const bench_result *result)
{
    const double ratio = ratio_of(result);
    int at = LOWEST - 1;
    if (state->lowest[at].name[0] && state->lowest[at].ratio <= ratio)
        return;
    for (; at > 0 && (!state->lowest[at - 1].name[0] ||
                      state->lowest[at - 1].ratio > ratio);
         at--)
        state->lowest[at] = state->lowest[at - 1];
    state->lowest[at].ratio = ratio;
    snprintf(state->lowest[at].name, sizeof state->lowest[at].name, "%s, %s",
             result->name, result->reference_name);
}

static void print_lowest(const struct bench_report_state *state)
{
    if (state->rows < MANY)
        return;
    printf("\nlowest ratios\n");
    for (int i = 0; i < LOWEST && state->lowest[i].name[0]; i++)
        printf("  %.2fx  %s\n", state->lowest[i].ratio, state->lowest[i].name);
}

static void add_row(bench_run *run, const bench_result *result)
{
    struct bench_report_state *state = run->state;
    dti_table *table = &state->table;
    double ratio = ratio_of(result);
    char text[32], bar[32] = "";
    bool met = ratio >= result->bar;
    keep_lowest(state, result);
    if (state->rows++ == 0)
        add_heading(table);
    dti_table_add(table, DTI_LOOK_PLAIN, result->name);
    add_figure(table, result->ours, result->unit);
    add_figure(table, result->reference, result->unit);
    dti_table_add(table, DTI_LOOK_FAINT, result->reference_name);
    snprintf(text, sizeof text, "%.2fx", ratio);
    dti_table_add(table, ratio < 1 ? DTI_LOOK_FAINT : DTI_LOOK_PLAIN, text);
    if (result->bar > 0) {
        snprintf(bar, sizeof bar, "%.2fx", result->bar);
        state->bars++;
        state->met += met;
    }
    dti_table_add(table, DTI_LOOK_PLAIN, bar);
    dti_table_add(table, met ? DTI_LOOK_GOOD : DTI_LOOK_BAD,
                  result->bar > 0 ? met ? "met" : "missed" : "");
}

void bench_report(bench_run *run, const bench_result *result)
{
    if (run->json)
        write_json(run, result);
    else
        add_row(run, result);
}

void bench_report_alone(bench_run *run, const char *name, double ours)
{
    dti_table *table = &run->state->table;
    if (run->json)
        return;
    if (run->state->rows++ == 0)
        add_heading(table);
    dti_table_add(table, DTI_LOOK_PLAIN, name);
    add_time(table, ours);
    for (int i = 2; i < table->columns; i++)
        dti_table_add(table, DTI_LOOK_PLAIN, "");
}

dt_status bench_run_suite(bench_run *run, const bench_suite *suite)
{
    struct bench_report_state state = {
        .table = {.columns = 7,
                  .right = {false, true, true, false, true, true, false}}};
    run->suite = suite;
    run->state = &state;
    run->error = (dt_error){.code = DT_OK};
    dt_status status = suite->run(run);
    bench_progress(NULL);
    dti_table_print(&state.table, stdout);
    print_lowest(&state);
    if (state.bars)
        printf("\n%d of %d bars met; ratios above 1 are in our favour\n",
               state.met, state.bars);
    if (status == DT_OK && !state.cases)
        bench_note("no case of %s contains \"%s\"", suite->name, run->only);
    run->state = NULL;
    return status;
}
