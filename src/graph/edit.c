/* graph/edit.c - a graph and the changes that a pass asks for. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/edit.h"

#include <stdlib.h>
#include <string.h>

#include "array/array.h"
#include "base/error.h"
#include "base/handles.h"
#include "base/options.h"

/* ---- Opening and closing ------------------------------------------------- */

static void count_read(void *arg, int value)
{
    ((dt_graph_edit *)arg)->readers[value]++;
}

static void close_edit(dt_graph_edit *edit)
{
    for (int i = 0; edit->known && i < edit->graph->value_count; i++)
        dt_array_release(edit->known[i]);
    free(edit->dropped);
    free(edit->replaced);
    free(edit->readers);
    free(edit->outputs);
    free(edit->known);
}

static dt_status open_edit(dt_graph *graph, dt_graph_edit *edit)
{
    const size_t values = (size_t)graph->value_count + 1;
    *edit = (dt_graph_edit){.graph = graph};
    edit->dropped = calloc((size_t)graph->node_count + 1, 1);
    edit->replaced = calloc(values, sizeof *edit->replaced);
    edit->readers = calloc(values, sizeof *edit->readers);
    edit->outputs = calloc(values, sizeof *edit->outputs);
    edit->known = calloc(values, sizeof *edit->known);
    if (!edit->dropped || !edit->replaced || !edit->readers || !edit->outputs ||
        !edit->known) {
        close_edit(edit);
        return dti_fail_memory(graph->world, values * 4 * sizeof(int),
                               "a pass");
    }
    memset(edit->replaced, -1, values * sizeof *edit->replaced);
    for (int i = 0; i < graph->node_count; i++)
        dti_node_visit(&graph->nodes[i], count_read, edit);
    for (int i = 0; i < graph->output_count; i++)
        edit->outputs[graph->outputs[i].value]++;
    return DT_OK;
}

dt_status dt_graph_apply(dt_graph *graph, const dt_pass *pass, dt_graph **out)
{
    DTI_ENTRY();
    dt_pass usual = DT_PASS_INIT;
    dt_graph_edit edit;
    if (!dti_handle_usable(graph, __func__))
        return DT_ERR_INVALID;
    if (!graph || !pass)
        return dti_fail_null(graph ? graph->world : NULL, __func__,
                             graph ? "pass" : "graph");
    pass = dti_options_read(graph->world, pass, &usual, sizeof usual,
                            "DT_PASS_INIT");
    if (!pass)
        return DT_ERR_INVALID;
    if (!pass->run)
        return dti_fail(graph->world, DT_ERR_INVALID,
                        "%s: the pass has no function", __func__);
    DTI_TRY(open_edit(graph, &edit));
    dt_status status = pass->run(&edit);
    if (status == DT_OK)
        status = dti_edit_build(&edit, out);
    close_edit(&edit);
    return status;
}

/* ---- What a pass sees ---------------------------------------------------- */

int dti_edit_find(const dt_graph_edit *edit, int value)
{
    while (value >= 0 && edit->replaced[value] >= 0)
        value = edit->replaced[value];
    return value;
}

int dt_edit_node_count(const dt_graph_edit *edit)
{
    return edit->graph->node_count;
}

int dt_edit_value_count(const dt_graph_edit *edit)
{
    return edit->graph->value_count;
}

const dt_op *dt_edit_op(const dt_graph_edit *edit, int node)
{
    const dti_operator *op = edit->graph->nodes[node].op;
    return op && !edit->dropped[node] ? op->op : NULL;
}

/* Find one of the tensors that a node reads, or count them. */
typedef struct searching {
    int wanted, seen, value;
} searching;

static void search(void *arg, int value)
{
    searching *at = arg;
    if (at->seen++ == at->wanted)
        at->value = value;
}

int dt_edit_input_count(const dt_graph_edit *edit, int node)
{
    searching at = {-1, 0, -1};
    dti_node_visit(&edit->graph->nodes[node], search, &at);
    return at.seen;
}

int dt_edit_input(const dt_graph_edit *edit, int node, int index)
{
    searching at = {index, 0, -1};
    dti_node_visit(&edit->graph->nodes[node], search, &at);
    return dti_edit_find(edit, at.value);
}

int dt_edit_result_count(const dt_graph_edit *edit, int node)
{
    return edit->graph->nodes[node].result_count;
}

int dt_edit_result(const dt_graph_edit *edit, int node, int index)
{
    return edit->graph->nodes[node].results[index];
}

int dt_edit_readers(const dt_graph_edit *edit, int value)
{
    return edit->readers[value];
}

int dt_edit_outputs(const dt_graph_edit *edit, int value)
{
    return edit->outputs[value];
}

bool dt_edit_alike(const dt_graph_edit *edit, int a, int b)
{
    const dti_graph_value *x = &edit->graph->values[a],
                          *y = &edit->graph->values[b];
    return strcmp(x->type, y->type) == 0 && x->spec == y->spec;
}

/* A term holds nothing that only a run knows. */
static bool is_fixed(const dti_term *term)
{
    if (term->sized && term->as.size.expression)
        return false;
    if (term->kind == DT_ARG_INTEGER)
        return !term->as.size.expression;
    for (int i = 0; term->kind == DT_ARG_INTEGERS && i < term->count; i++)
        if (term->as.sizes[i].expression)
            return false;
    return term->kind != DT_ARG_MESH || !term->as.mesh;
}

bool dt_edit_is_constant(const dt_graph_edit *edit, int node)
{
    const dti_graph_node *of = &edit->graph->nodes[node];
    if (!dt_edit_op(edit, node) || of->op->op->flags & DT_OP_RANDOM)
        return false;
    for (int i = 0; i < of->op->schema.count; i++)
        if (!is_fixed(&of->terms[i]))
            return false;
    for (int i = 0; i < dt_edit_input_count(edit, node); i++) {
        const int value = dt_edit_input(edit, node, i);
        const dti_graph_value *from = &edit->graph->values[value];
        if (!edit->known[value] &&
            (from->kind != DT_GRAPH_CONSTANT || !from->array || from->spec))
            return false;
    }
    return true;
}

/* ---- Changes ------------------------------------------------------------- */

static void forget_read(void *arg, int value)
{
    dt_graph_edit *edit = arg;
    edit->readers[dti_edit_find(edit, value)]--;
}

dt_status dt_edit_drop(dt_graph_edit *edit, int node)
{
    const dti_graph_node *of = &edit->graph->nodes[node];
    if (edit->dropped[node])
        return DT_OK;
    for (int i = 0; i < of->result_count; i++) {
        const int value = of->results[i];
        if (value >= 0 && !edit->known[value] &&
            (edit->readers[value] > 0 || edit->outputs[value] > 0))
            return dti_fail(edit->graph->world, DT_ERR_INVALID,
                            "dt_edit_drop: %s, which node %s computes, is read",
                            edit->graph->values[value].name, of->name);
    }
    edit->dropped[node] = true;
    dti_node_visit(of, forget_read, edit);
    return DT_OK;
}

dt_status dt_edit_replace(dt_graph_edit *edit, int value, int by)
{
    by = dti_edit_find(edit, by);
    if (value == by || edit->replaced[value] >= 0 ||
        !dt_edit_alike(edit, value, by))
        return dti_fail(edit->graph->world, DT_ERR_INVALID,
                        "dt_edit_replace: %s cannot replace %s: they are not "
                        "alike, or it is replaced already",
                        edit->graph->values[by].name,
                        edit->graph->values[value].name);
    edit->replaced[value] = by;
    edit->readers[by] += edit->readers[value];
    edit->outputs[by] += edit->outputs[value];
    edit->readers[value] = edit->outputs[value] = 0;
    return DT_OK;
}
