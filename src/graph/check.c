/* graph/check.c - what every graph holds to. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "graph/graph.h"

/* A check under way. */
typedef struct checking {
    const dt_graph *graph;
    const dti_graph_node *node; /* NULL: outputs */
    bool *computed;             /* by value */
    dt_status status;
} checking;

DT_PRINTF(2, 3)
static void fail(checking *at, const char *format, ...)
{
    char text[256];
    va_list args;
    if (at->status != DT_OK)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    at->status = dti_fail(at->graph->world, DT_ERR_INVALID,
                          "%s%snode %s (%s, module \"%s\"): %s",
                          at->graph->path, *at->graph->path ? ": " : "",
                          at->node ? at->node->name : "of the outputs",
                          at->node ? at->node->target : "",
                          at->node ? at->node->module : "", text);
}

static void check_read(void *arg, int value)
{
    checking *at = arg;
    if (value < 0 || value >= at->graph->value_count)
        fail(at, "reads value %d of %d", value, at->graph->value_count);
    else if (!at->computed[value])
        fail(at, "reads %s before it is computed",
             at->graph->values[value].name);
}

static void check_size(checking *at, dti_size size)
{
    if (size.expression < 0 || size.expression > at->graph->sizes.count)
        fail(at, "has size expression %d of %d", size.expression,
             at->graph->sizes.count);
}

static bool may_be_absent(dti_type type)
{
    return type == DTI_TYPE_OPTIONAL_TENSOR || type == DTI_TYPE_GENERATOR ||
           type == DTI_TYPE_OPTIONAL_MESH || type == DTI_TYPE_OPTIONAL_LAYOUT ||
           type == DTI_TYPE_OPTIONAL_ARRAY || type == DTI_TYPE_OPTIONAL_DTYPE;
}

static void check_term(checking *at, const dti_parameter *parameter,
                       const dti_term *term)
{
    const dt_argument_kind wanted = dti_types[parameter->type].kind;
    if (term->kind != wanted &&
        !(term->kind == DT_ARG_NONE && may_be_absent(parameter->type)))
        fail(at, "argument %s is missing or is not a %s", parameter->name,
             dti_types[parameter->type].name);
    if (term->kind == DT_ARG_INTEGER || term->sized)
        check_size(at, term->as.size);
    for (int i = 0; term->kind == DT_ARG_INTEGERS && i < term->count; i++)
        check_size(at, term->as.sizes[i]);
}

static void check_results(checking *at)
{
    for (int i = 0; i < at->node->result_count; i++) {
        const int value = at->node->results[i];
        if (value < 0)
            continue;
        if (value >= at->graph->value_count || at->computed[value] ||
            at->graph->values[value].kind != DT_GRAPH_RESULT)
            fail(at, "result %d is value %d, which it cannot compute", i,
                 value);
        else
            at->computed[value] = true;
    }
}

static void check_nodes(checking *at)
{
    for (int i = 0; i < at->graph->node_count; i++) {
        at->node = &at->graph->nodes[i];
        const dti_operator *op = at->node->op;
        for (int k = 0; op && k < op->schema.count; k++)
            check_term(at, &op->schema.parameters[k], &at->node->terms[k]);
        dti_node_visit(at->node, check_read, at);
        check_results(at);
    }
}

static void check_outputs(checking *at)
{
    at->node = NULL;
    for (int i = 0; i < at->graph->output_count; i++) {
        const dti_graph_output *output = &at->graph->outputs[i];
        check_read(at, output->value);
        if (output->kind != DT_GRAPH_RETURNED)
            check_read(at, output->target);
    }
}

dt_status dti_graph_check(const dt_graph *graph)
{
    checking at = {.graph = graph, .status = DT_OK};
    const size_t bytes = (size_t)graph->value_count + 1;
    at.computed = calloc(bytes, 1);
    if (!at.computed)
        return dti_fail_memory(graph->world, bytes, "checking a graph");
    for (int i = 0; i < graph->value_count; i++)
        at.computed[i] = graph->values[i].kind != DT_GRAPH_RESULT;
    check_nodes(&at);
    check_outputs(&at);
    free(at.computed);
    return at.status;
}
