/* cli/model/show.c - what `dtensor model` prints of a graph. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/model/show.h"

#include <stdlib.h>
#include <string.h>

#include "cli/memory.h"
#include "cli/table.h"
#include "cli/units.h"

/* ---- Values ------------------------------------------------------------- */

typedef dt_status (*value_getter)(const dt_graph *graph, int index,
                                  dt_graph_value *out);

static void print_title(FILE *stream, const char *title)
{
    fprintf(stream, "\n");
    dti_look_print(stream, DTI_LOOK_STRONG, title);
    fprintf(stream, "\n");
}

static void print_values(const dt_graph *graph, FILE *stream, const char *title,
                         value_getter get, int count)
{
    dti_table table = {.columns = 2, .indent = 2};
    if (count == 0)
        return;
    print_title(stream, title);
    for (int i = 0; i < count; i++) {
        dt_graph_value value = {.size = sizeof value};
        if (get(graph, i, &value) != DT_OK)
            continue;
        dti_table_add(&table, DTI_LOOK_PLAIN, value.name);
        dti_table_add(&table, DTI_LOOK_PLAIN, value.type);
    }
    dti_table_print(&table, stream);
}

static void print_state(const dt_graph *graph, FILE *stream)
{
    static const char *const kinds[] = {[DT_GRAPH_PARAMETER] = "parameter",
                                        [DT_GRAPH_BUFFER] = "buffer",
                                        [DT_GRAPH_CONSTANT] = "constant"};
    dti_table table = {
        .columns = 4, .indent = 2, .right = {false, false, false, true}};
    const int count = dt_graph_state_count(graph);
    if (count == 0)
        return;
    print_title(stream, "state");
    for (int i = 0; i < count; i++) {
        dt_graph_value value = {.size = sizeof value};
        if (dt_graph_state(graph, i, &value) != DT_OK)
            continue;
        dti_table_add(&table, DTI_LOOK_PLAIN, value.path);
        dti_table_add(&table, DTI_LOOK_FAINT, kinds[value.kind]);
        dti_table_add(&table, DTI_LOOK_PLAIN, value.type);
        dti_table_add(&table, DTI_LOOK_PLAIN,
                      dti_bytes((int64_t)value.bytes).text);
    }
    dti_table_print(&table, stream);
}

/* ---- Operators ---------------------------------------------------------- */

/* What nodes call, and how often. */
typedef struct use {
    const char *target, *row;
    int count;
} use;

static int by_target(const void *a, const void *b)
{
    return strcmp(((const use *)a)->target, ((const use *)b)->target);
}

/* Count the targets of a graph, sorted; the caller frees the list. */
static use *count_uses(const dt_graph *graph, int *count)
{
    const int nodes = dt_graph_node_count(graph);
    use *uses = dti_grow(NULL, (size_t)nodes + 1, sizeof *uses);
    *count = 0;
    for (int i = 0; i < nodes; i++) {
        dt_graph_node node = {.size = sizeof node};
        if (dt_graph_node_at(graph, i, &node) != DT_OK)
            continue;
        uses[(*count)++] = (use){node.target, node.row_name, 1};
    }
    qsort(uses, (size_t)*count, sizeof *uses, by_target);
    int kept = 0;
    for (int i = 0; i < *count; i++)
        if (kept > 0 && strcmp(uses[kept - 1].target, uses[i].target) == 0)
            uses[kept - 1].count++;
        else
            uses[kept++] = uses[i];
    *count = kept;
    return uses;
}

static void print_operators(const dt_graph *graph, FILE *stream)
{
    dti_table table = {.columns = 3, .indent = 2, .right = {true}};
    int count;
    use *uses = count_uses(graph, &count);
    print_title(stream, "operators");
    for (int i = 0; i < count; i++) {
        char number[16];
        const bool known = *uses[i].row;
        snprintf(number, sizeof number, "%d", uses[i].count);
        dti_table_add(&table, DTI_LOOK_PLAIN, number);
        dti_table_add(&table, DTI_LOOK_PLAIN, uses[i].target);
        dti_table_add(&table, known ? DTI_LOOK_PLAIN : DTI_LOOK_BAD,
                      known ? uses[i].row : "not supported");
    }
    dti_table_print(&table, stream);
    free(uses);
}

/* ---- All ---------------------------------------------------------------- */

static void print_summary(const dt_graph *graph, FILE *stream)
{
    int64_t bytes = 0;
    for (int i = 0; i < dt_graph_state_count(graph); i++) {
        dt_graph_value value = {.size = sizeof value};
        if (dt_graph_state(graph, i, &value) == DT_OK)
            bytes += (int64_t)value.bytes;
    }
    fprintf(stream, "%d nodes, %d parameters, buffers and constants of %s\n",
            dt_graph_node_count(graph), dt_graph_state_count(graph),
            dti_bytes(bytes).text);
}

void dti_model_show(const dt_graph *graph, FILE *stream)
{
    print_summary(graph, stream);
    print_values(graph, stream, "inputs", dt_graph_input,
                 dt_graph_input_count(graph));
    print_values(graph, stream, "outputs", dt_graph_output,
                 dt_graph_output_count(graph));
    print_state(graph, stream);
    print_operators(graph, stream);
}

bool dti_model_write(const dt_graph *graph, dt_graph_style style, FILE *stream)
{
    size_t length = 0;
    if (dt_graph_format(graph, style, NULL, 0, &length) != DT_OK)
        return false;
    char *text = dti_grow(NULL, length + 1, 1);
    const bool done =
        dt_graph_format(graph, style, text, length + 1, &length) == DT_OK;
    if (done)
        fprintf(stream, "%s%s", text,
                length > 0 && text[length - 1] == '\n' ? "" : "\n");
    free(text);
    return done;
}
