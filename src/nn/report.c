/* nn/report.c - what each module communicated. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dtensor/layout.h>
#include <dtensor/trace.h>

#include "base/error.h"
#include "base/handles.h"
#include "base/text/json.h"
#include "nn/module.h"

/* The totals of a module, or NULL if it sent nothing. */
static const dt_trace_module *find_totals(const dt_module *module)
{
    size_t count = 0;
    const dt_trace_module *all = dt_trace_modules(module->world, &count);
    const char *name = dti_module_show(module);
    for (size_t i = 0; i < count; i++)
        if (strcmp(all[i].name, name) == 0)
            return &all[i];
    return NULL;
}

static const char *layout_of(const dt_parameter *parameter)
{
    dt_tensor *tensor = dt_parameter_tensor(parameter);
    const char *text = NULL;
    if (dt_parameter_is_created(parameter))
        text =
            dt_layout_text(dt_tensor_world(tensor), dt_tensor_layout(tensor));
    return text ? text : "not created";
}

/* ---- Text --------------------------------------------------------------- */

/* Write "2 all-reduce 64.0 KiB, 1 all-gather 8 B", or "-". */
static void put_counters(FILE *to, const dt_trace_counter *counters)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    const char *before = "";
    for (int i = 0; i < DT_COLLECTIVE_COUNT; i++) {
        if (!counters[i].calls)
            continue;
        double bytes = (double)counters[i].bytes_received;
        int unit = 0;
        while (bytes >= 1024 && unit < 4) {
            bytes /= 1024;
            unit++;
        }
        fprintf(to, "%s%" PRIu64 " %s %.*f %s", before, counters[i].calls,
                dt_collective_name((dt_collective)i), unit > 0, bytes,
                units[unit]);
        before = ", ";
    }
    if (!*before)
        fputc('-', to);
}

static void put_parameters(FILE *to, const dt_module *module)
{
    for (int i = 0; i < module->slot_count; i++)
        fprintf(to, "%s%s %s", i ? ", " : "", module->slots[i].name,
                layout_of(module->slots[i].parameter));
    if (!module->slot_count)
        fputc('-', to);
}

enum { COLUMNS = 4 };

/* The cells of a row; the caller frees them. */
typedef struct row {
    char *cells[COLUMNS];
} row;

static void put_cell(FILE *to, const dt_module *module, int column)
{
    static const dt_trace_module nothing;
    const dt_trace_module *totals = find_totals(module);
    if (!totals)
        totals = &nothing;
    if (column == 0)
        fputs(dti_module_show(module), to);
    else if (column == 1)
        put_parameters(to, module);
    else
        put_counters(to, column == 2 ? totals->forward : totals->backward);
}

/* A cell as text; NULL without memory. */
static char *make_cell(const dt_module *module, int column)
{
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    if (!to)
        return NULL;
    put_cell(to, module, column);
    if (fclose(to) == 0)
        return text;
    free(text);
    return NULL;
}

static void widen(const dt_module *module, size_t *widths)
{
    for (int i = 0; i < COLUMNS; i++) {
        char *cell = make_cell(module, i);
        if (cell && strlen(cell) > widths[i])
            widths[i] = strlen(cell);
        free(cell);
    }
    for (int i = 0; i < module->child_count; i++)
        widen(module->children[i], widths);
}

static void put_line(FILE *to, char *const *cells, const size_t *widths)
{
    for (int i = 0; i < COLUMNS; i++)
        fprintf(to, "%s%-*s", i ? "  " : "",
                i + 1 < COLUMNS ? (int)widths[i] : 0, cells[i] ? cells[i] : "");
    fputc('\n', to);
}

static void put_rows(FILE *to, const dt_module *module, const size_t *widths)
{
    row line;
    for (int i = 0; i < COLUMNS; i++)
        line.cells[i] = make_cell(module, i);
    put_line(to, line.cells, widths);
    for (int i = 0; i < COLUMNS; i++)
        free(line.cells[i]);
    for (int i = 0; i < module->child_count; i++)
        put_rows(to, module->children[i], widths);
}

static void put_table(FILE *to, const dt_module *module)
{
    char *titles[COLUMNS] = {(char[]){"module"}, (char[]){"parameters"},
                             (char[]){"forward"}, (char[]){"backward"}};
    size_t widths[COLUMNS];
    for (int i = 0; i < COLUMNS; i++)
        widths[i] = strlen(titles[i]);
    widen(module, widths);
    put_line(to, titles, widths);
    put_rows(to, module, widths);
}

/* ---- JSON --------------------------------------------------------------- */

static void put_json_counters(FILE *to, const char *name,
                              const dt_trace_counter *counters)
{
    const char *before = "";
    fprintf(to, ", \"%s\": {", name);
    for (int i = 0; i < DT_COLLECTIVE_COUNT; i++) {
        if (!counters[i].calls)
            continue;
        fprintf(to,
                "%s\"%s\": {\"calls\": %" PRIu64 ", \"bytes_sent\": %" PRIu64
                ", \"bytes_received\": %" PRIu64 "}",
                before, dt_collective_name((dt_collective)i), counters[i].calls,
                counters[i].bytes_sent, counters[i].bytes_received);
        before = ", ";
    }
    fputc('}', to);
}

static void put_json(FILE *to, const dt_module *module, bool first)
{
    static const dt_trace_module nothing;
    const dt_trace_module *totals = find_totals(module);
    if (!totals)
        totals = &nothing;
    fputs(first ? "[{\"module\": " : ",\n {\"module\": ", to);
    dti_json_quote(to, dti_module_show(module));
    fputs(", \"parameters\": {", to);
    for (int i = 0; i < module->slot_count; i++) {
        fputs(i ? ", " : "", to);
        dti_json_quote(to, module->slots[i].name);
        fprintf(to, ": \"%s\"", layout_of(module->slots[i].parameter));
    }
    fputc('}', to);
    put_json_counters(to, "forward", totals->forward);
    put_json_counters(to, "backward", totals->backward);
    fputc('}', to);
    for (int i = 0; i < module->child_count; i++)
        put_json(to, module->children[i], false);
}

/* ---- For users ---------------------------------------------------------- */

dt_status dt_module_report(dt_module *module, dt_report_style style, char *text,
                           size_t size, size_t *length)
{
    DTI_TRY(dti_given(module, __func__, "module"));
    char *report = NULL;
    size_t bytes = 0;
    FILE *to = open_memstream(&report, &bytes);
    if (!to)
        return dti_fail_memory(module->world, 0, "a report");
    if (style == DT_REPORT_JSON) {
        put_json(to, module, true);
        fputs("]\n", to);
    } else {
        put_table(to, module);
    }
    if (fclose(to) != 0) {
        free(report);
        return dti_fail_memory(module->world, bytes, "a report");
    }
    if (size && text)
        snprintf(text, size, "%s", report);
    if (length)
        *length = bytes;
    free(report);
    return DT_OK;
}
