/* autograd/graph.c - recorded graphs as text. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include <dtensor/autograd.h>

#include "autograd/family.h"
#include "autograd/nodes.h"
#include "autograd/tape.h"
#include "base/error.h"
#include "base/handles.h"
#include "base/text/writer.h"

/* ---- Nodes -------------------------------------------------------------- */

static dt_status add_once(dti_nodes *list, dti_node *node, uint64_t number)
{
    if (!node || node->shown == number)
        return DT_OK;
    node->shown = number;
    return dti_nodes_add(list, node);
}

/* All nodes that a tensor depends on, the latest first. */
static dt_status find_nodes(dt_tensor *tensor, dti_nodes *list)
{
    dti_edge edge;
    dti_tape *tape = dti_tape_open(tensor->world);
    if (!tape)
        return DT_ERR_NO_MEMORY;
    const uint64_t number = ++tape->shown;
    DTI_TRY(dti_edge_of(tensor, &edge));
    DTI_TRY(add_once(list, edge.node, number));
    for (size_t i = 0; i < list->count; i++) {
        const dti_node *node = list->nodes[i];
        for (int k = 0; k < node->input_count; k++)
            DTI_TRY(add_once(list, node->edges[k].node, number));
    }
    dti_nodes_sort(list);
    return DT_OK;
}

/* The number of a node in the text: the oldest is 1. */
static size_t number_of(const dti_nodes *list, const dti_node *node)
{
    size_t low = 0, high = list->count - 1;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (list->nodes[middle]->sequence <= node->sequence)
            high = middle;
        else
            low = middle + 1;
    }
    return list->count - low;
}

static const char *name_of(const dti_node *node)
{
    return node->leaf ? "leaf" : dti_node_name(node);
}

static const char *spec_text(const dti_saved *saved, dti_spec_text *scratch)
{
    if (!saved->spec)
        return "none";
    *scratch = dti_spec_show(saved->spec);
    return scratch->text;
}

static void put_results(dti_writer *to, const dti_node *node)
{
    dti_spec_text scratch;
    for (int i = 0; i < node->result_count; i++)
        dti_put(to, "%s%s", i ? ", " : "",
                spec_text(&node->saved[node->input_count + i], &scratch));
}

/* ---- Text --------------------------------------------------------------- */

static void put_inputs(dti_writer *to, const dti_nodes *list,
                       const dti_node *node)
{
    dti_spec_text scratch;
    for (int i = 0; i < node->input_count; i++) {
        const dti_edge edge = node->edges[i];
        dti_put(to, i ? ", " : "");
        if (!edge.node)
            dti_put(to, "%s", spec_text(&node->saved[i], &scratch));
        else
            dti_put(to, "#%zu", number_of(list, edge.node));
        if (edge.node && edge.node->result_count > 1)
            dti_put(to, ".%d", edge.result);
    }
}

static void put_saved(dti_writer *to, const dti_node *node)
{
    bool any = false;
    for (int i = 0; i < node->input_count + node->result_count; i++) {
        if (!node->saved[i].kept)
            continue;
        dti_put(to, "%s%s", any ? ", " : "; saves ",
                dti_node_tensor_name(node, i));
        if (node->saved[i].packed)
            dti_put(to, " (packed)");
        any = true;
    }
    if (any && node->released)
        dti_put(to, " (released)");
}

static void put_line(dti_writer *to, const dti_nodes *list,
                     const dti_node *node)
{
    dti_put(to, "#%zu %s", number_of(list, node), name_of(node));
    if (!node->leaf) {
        dti_put(to, "(");
        put_inputs(to, list, node);
        dti_put(to, ") ->");
    }
    dti_put(to, " ");
    put_results(to, node);
    put_saved(to, node);
    dti_put(to, "\n");
}

/* ---- Graphviz ----------------------------------------------------------- */

static void put_dot_node(dti_writer *to, const dti_nodes *list,
                         const dti_node *node)
{
    const size_t number = number_of(list, node);
    dti_put(to, "  n%zu [label=\"%s\\n", number, name_of(node));
    put_results(to, node);
    dti_put(to, "\"%s];\n", node->leaf ? ", shape=box" : "");
    for (int i = 0; i < node->input_count; i++)
        if (node->edges[i].node)
            dti_put(to, "  n%zu -> n%zu;\n",
                    number_of(list, node->edges[i].node), number);
}

/* ---- The whole ---------------------------------------------------------- */

static void put_graph(dti_writer *to, const dti_nodes *list, bool dot)
{
    dti_put(to, dot ? "digraph gradients {\n  node [shape=ellipse];\n" : "");
    for (size_t i = list->count; i-- > 0;)
        (dot ? put_dot_node : put_line)(to, list, list->nodes[i]);
    if (dot)
        dti_put(to, "}\n");
}

dt_status dt_tensor_graph_format(dt_tensor *tensor, dt_graph_style style,
                                 char *text, size_t size, size_t *length)
{
    DTI_ENTRY();
    dti_nodes list = {0};
    dti_writer to = {text, size, 0};
    DTI_TRY(dti_given(tensor, __func__, "tensor"));
    if (style != DT_GRAPH_TEXT && style != DT_GRAPH_DOT)
        return dti_fail(tensor->world, DT_ERR_INVALID,
                        "dt_tensor_graph_format: there is no style %d; use "
                        "DT_GRAPH_TEXT or DT_GRAPH_DOT",
                        (int)style);
    const dt_status status = find_nodes(tensor, &list);
    if (status == DT_OK)
        put_graph(&to, &list, style == DT_GRAPH_DOT);
    free(list.nodes);
    if (length)
        *length = to.length;
    return status;
}
