/* graph/format.c - graphs as text, JSON and in the language of Graphviz. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/handles.h"
#include "graph/graph.h"

/* ---- Parts -------------------------------------------------------------- */

static void put_number(dti_writer *to, dt_number number)
{
    if (number.kind == DT_KIND_BOOLEAN)
        dti_put(to, "%s", number.as.integer ? "true" : "false");
    else if (number.kind == DT_KIND_SIGNED)
        dti_put(to, "%lld", (long long)number.as.integer);
    else if (number.kind == DT_KIND_COMPLEX)
        dti_put(to, "%.9g%+.9gi", number.as.real, number.imaginary);
    else
        dti_put(to, "%.9g", number.as.real);
}

static void put_values(dti_writer *to, const dt_graph *graph, const int *values,
                       int count)
{
    for (int i = 0; i < count; i++)
        dti_put(to, "%s%s", i > 0 ? ", " : "",
                values[i] < 0 ? "none" : graph->values[values[i]].name);
}

/* Integers of some types have names. */
static void put_integer(dti_writer *to, const dt_graph *graph,
                        const dti_parameter *parameter, dti_size size)
{
    size_t length = 0;
    const char *name =
        dti_type_value_name(parameter->type, size.number, &length);
    const bool is_dtype = parameter->type == DTI_TYPE_DTYPE ||
                          parameter->type == DTI_TYPE_OPTIONAL_DTYPE;
    if (parameter->type == DTI_TYPE_BOOL)
        dti_put(to, "%s", size.number ? "true" : "false");
    else if (is_dtype)
        dti_put(to, "%s", dt_dtype_name((dt_dtype)size.number));
    else if (name)
        dti_put(to, "%.*s", (int)length, name);
    else if (!size.expression && size.number == INT64_MAX)
        dti_put(to, "max");
    else
        dti_size_put(to, &graph->sizes, size);
}

static void put_term(dti_writer *to, const dt_graph *graph,
                     const dti_parameter *parameter, const dti_term *term)
{
    switch (term->kind) {
    case DT_ARG_TENSOR:
        put_values(to, graph, &term->as.value, 1);
        break;
    case DT_ARG_TENSORS:
        dti_put(to, "[");
        put_values(to, graph, term->as.values, term->count);
        dti_put(to, "]");
        break;
    case DT_ARG_NUMBER:
        if (term->sized)
            dti_size_put(to, &graph->sizes, term->as.size);
        else
            put_number(to, term->as.number);
        break;
    case DT_ARG_INTEGER:
        put_integer(to, graph, parameter, term->as.size);
        break;
    case DT_ARG_REAL:
        dti_put(to, "%.9g", term->as.real);
        break;
    case DT_ARG_INTEGERS:
        dti_put(to, "[");
        for (int i = 0; i < term->count; i++) {
            dti_put(to, "%s", i > 0 ? ", " : "");
            dti_size_put(to, &graph->sizes, term->as.sizes[i]);
        }
        dti_put(to, "]");
        break;
    case DT_ARG_TEXT:
        dti_put(to, "\"%s\"", term->as.text);
        break;
    default:
        dti_put(to, "%s", term->kind == DT_ARG_MESH ? "mesh" : "none");
    }
}

/* Tell whether an argument is what the schema has as its default. */
static bool is_usual(const dti_parameter *parameter, const dti_term *term)
{
    const dt_argument *usual = &parameter->usual;
    if (term->kind == DT_ARG_NONE || term->kind == DT_ARG_MESH)
        return true;
    if (!parameter->option || usual->kind != term->kind || term->sized)
        return false;
    if (term->kind == DT_ARG_INTEGER)
        return !term->as.size.expression &&
               term->as.size.number == usual->as.integer;
    if (term->kind == DT_ARG_REAL)
        return term->as.real == usual->as.real;
    return term->kind == DT_ARG_NUMBER &&
           term->as.number.kind == usual->as.number.kind &&
           dt_number_is(term->as.number, dt_number_real(usual->as.number));
}

/* ---- Text --------------------------------------------------------------- */

static const char *const kinds[] = {
    [DT_GRAPH_INPUT] = "input",   [DT_GRAPH_PARAMETER] = "parameter",
    [DT_GRAPH_BUFFER] = "buffer", [DT_GRAPH_CONSTANT] = "constant",
    [DT_GRAPH_RESULT] = "result",
};

static void put_call(dti_writer *to, const dt_graph *graph,
                     const dti_graph_node *node)
{
    const char *separator = "";
    if (!node->op) {
        dti_put(to, "%s(...)  # not supported", node->target);
        return;
    }
    dti_put(to, "%s(", node->op->schema.name);
    for (int i = 0; i < node->op->schema.count; i++) {
        const dti_parameter *parameter = &node->op->schema.parameters[i];
        if (is_usual(parameter, &node->terms[i]))
            continue;
        dti_put(to, "%s", separator);
        if (parameter->option)
            dti_put(to, "%s=", parameter->name);
        put_term(to, graph, parameter, &node->terms[i]);
        separator = ", ";
    }
    dti_put(to, ")");
}

static void put_node(dti_writer *to, const dt_graph *graph,
                     const dti_graph_node *node)
{
    dti_put(to, "  ");
    for (int i = 0; i < node->result_count; i++) {
        const int value = node->results[i];
        dti_put(to, "%s", i > 0 ? ", " : "");
        if (value < 0) {
            dti_put(to, "_");
            continue;
        }
        dti_put(to, "%s: %s", graph->values[value].name,
                graph->values[value].type);
    }
    dti_put(to, " = ");
    put_call(to, graph, node);
    dti_put(to, "\n");
}

static void put_symbols(dti_writer *to, const dti_sizes *sizes)
{
    for (int i = 0; i < sizes->symbol_count; i++) {
        const dti_symbol *symbol = &sizes->symbols[i];
        if (!symbol->bound)
            continue;
        dti_put(to, "size %s", symbol->name);
        if (symbol->min > INT64_MIN)
            dti_put(to, " from %lld", (long long)symbol->min);
        if (symbol->max < INT64_MAX)
            dti_put(to, " to %lld", (long long)symbol->max);
        dti_put(to, "\n");
    }
}

static void put_outputs(dti_writer *to, const dt_graph *graph)
{
    for (int i = 0; i < graph->output_count; i++) {
        const dti_graph_output *output = &graph->outputs[i];
        const char *name = graph->values[output->value].name;
        if (output->kind == DT_GRAPH_RETURNED)
            dti_put(to, "return %s\n", name);
        else
            dti_put(to, "write %s to %s %s\n", name,
                    output->kind == DT_GRAPH_BUFFER_WRITTEN ? "buffer"
                                                            : "input",
                    graph->values[output->target].name);
    }
}

static void put_text(dti_writer *to, const dt_graph *graph)
{
    const char *module = "";
    put_symbols(to, &graph->sizes);
    for (int i = 0; i < graph->value_count; i++) {
        const dti_graph_value *value = &graph->values[i];
        if (value->kind == DT_GRAPH_RESULT)
            continue;
        dti_put(to, "%s %s: %s", kinds[value->kind], value->name, value->type);
        dti_put(to, "%s%s%s\n", value->path ? "  # " : "",
                value->path ? value->path : "",
                value->path && !value->array ? ", no elements" : "");
    }
    for (int i = 0; i < graph->node_count; i++) {
        const dti_graph_node *node = &graph->nodes[i];
        if (strcmp(node->module, module) != 0)
            dti_put(to, "# %s\n", *node->module ? node->module : "(root)");
        module = node->module;
        put_node(to, graph, node);
    }
    put_outputs(to, graph);
}

/* ---- JSON --------------------------------------------------------------- */

/* Write a text between quotes, for JSON and for Graphviz. */
static void put_quoted(dti_writer *to, const char *text)
{
    dti_put(to, "\"");
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            dti_put(to, "\\%c", c);
        else if (c < 0x20)
            dti_put(to, "\\u%04x", c);
        else
            dti_put(to, "%c", c);
    }
    dti_put(to, "\"");
}

/* Text that a function writes, between quotes; cut where it is very long. */
static void put_quoted_call(dti_writer *to, const dt_graph *graph,
                            const dti_graph_node *node)
{
    char text[1000];
    dti_writer call = {text, sizeof text, 0};
    put_call(&call, graph, node);
    put_quoted(to, text);
}

static void put_json_sizes(dti_writer *to, const dt_graph *graph,
                           const dti_graph_value *value)
{
    dti_put(to, "[");
    for (int i = 0; i < value->ndim; i++) {
        const char *quote = value->sizes[i].expression ? "\"" : "";
        dti_put(to, "%s%s", i > 0 ? ", " : "", quote);
        dti_size_put(to, &graph->sizes, value->sizes[i]);
        dti_put(to, "%s", quote);
    }
    dti_put(to, "]");
}

static void put_json_value(dti_writer *to, const dt_graph *graph,
                           const dti_graph_value *value)
{
    dti_put(to, "{\"name\": ");
    put_quoted(to, value->name);
    dti_put(to, ", \"kind\": \"%s\", \"dtype\": \"%s\", \"shape\": ",
            kinds[value->kind], dt_dtype_name(value->dtype));
    put_json_sizes(to, graph, value);
    if (value->path) {
        dti_put(to, ", \"path\": ");
        put_quoted(to, value->path);
    }
    dti_put(to, "}");
}

static void put_json_node(dti_writer *to, const dt_graph *graph,
                          const dti_graph_node *node)
{
    dti_put(to, "{\"name\": ");
    put_quoted(to, node->name);
    dti_put(to, ", \"target\": ");
    put_quoted(to, node->target);
    dti_put(to, ", \"operator\": ");
    if (node->op)
        put_quoted(to, node->op->schema.name);
    else
        dti_put(to, "null");
    dti_put(to, ", \"module\": ");
    put_quoted(to, node->module);
    dti_put(to, ", \"call\": ");
    put_quoted_call(to, graph, node);
    dti_put(to, ", \"results\": [");
    for (int i = 0; i < node->result_count; i++) {
        dti_put(to, "%s", i > 0 ? ", " : "");
        if (node->results[i] < 0)
            dti_put(to, "null");
        else
            put_quoted(to, graph->values[node->results[i]].name);
    }
    dti_put(to, "]}");
}

static void put_json(dti_writer *to, const dt_graph *graph)
{
    dti_put(to, "{\"values\": [");
    for (int i = 0; i < graph->value_count; i++) {
        dti_put(to, "%s", i > 0 ? ", " : "");
        put_json_value(to, graph, &graph->values[i]);
    }
    dti_put(to, "], \"nodes\": [");
    for (int i = 0; i < graph->node_count; i++) {
        dti_put(to, "%s", i > 0 ? ", " : "");
        put_json_node(to, graph, &graph->nodes[i]);
    }
    dti_put(to, "], \"outputs\": [");
    for (int i = 0; i < graph->output_count; i++) {
        const dti_graph_output *output = &graph->outputs[i];
        dti_put(to, "%s{\"value\": ", i > 0 ? ", " : "");
        put_quoted(to, graph->values[output->value].name);
        dti_put(to, ", \"replaces\": ");
        if (output->kind == DT_GRAPH_RETURNED)
            dti_put(to, "null");
        else
            put_quoted(to, graph->values[output->target].name);
        dti_put(to, "}");
    }
    dti_put(to, "]}");
}

/* ---- Graphviz ----------------------------------------------------------- */

typedef struct drawing {
    dti_writer *to;
    const dt_graph *graph;
    int node;
} drawing;

static void put_edge(void *arg, int value)
{
    const drawing *at = arg;
    const dti_graph_value *from = &at->graph->values[value];
    if (from->node >= 0)
        dti_put(at->to, "  n%d -> n%d [label=", from->node, at->node);
    else
        dti_put(at->to, "  v%d -> n%d [label=", value, at->node);
    put_quoted(at->to, from->type);
    dti_put(at->to, "];\n");
}

static void put_dot(dti_writer *to, const dt_graph *graph)
{
    dti_put(to, "digraph program {\n  node [shape=box];\n");
    for (int i = 0; i < graph->value_count; i++) {
        const dti_graph_value *value = &graph->values[i];
        if (value->kind == DT_GRAPH_RESULT)
            continue;
        dti_put(to, "  v%d [shape=ellipse, label=", i);
        put_quoted(to, value->path ? value->path : value->name);
        dti_put(to, "];\n");
    }
    for (int i = 0; i < graph->node_count; i++) {
        const dti_graph_node *node = &graph->nodes[i];
        drawing at = {to, graph, i};
        dti_put(to, "  n%d [tooltip=", i);
        put_quoted_call(to, graph, node);
        dti_put(to, ", label=");
        put_quoted(to, node->op ? node->op->schema.name : node->target);
        dti_put(to, "];\n");
        dti_node_visit(node, put_edge, &at);
    }
    for (int i = 0; i < graph->output_count; i++) {
        const dti_graph_value *value = &graph->values[graph->outputs[i].value];
        dti_put(to, "  o%d [shape=ellipse, label=", i);
        put_quoted(to, value->name);
        dti_put(to, "];\n  %c%d -> o%d;\n", value->node < 0 ? 'v' : 'n',
                value->node < 0 ? graph->outputs[i].value : value->node, i);
    }
    dti_put(to, "}\n");
}

dt_status dt_graph_format(const dt_graph *graph, dt_graph_style style,
                          char *text, size_t size, size_t *length)
{
    DTI_ENTRY();
    static void (*const writers[])(dti_writer *, const dt_graph *) = {
        [DT_GRAPH_TEXT] = put_text,
        [DT_GRAPH_DOT] = put_dot,
        [DT_GRAPH_JSON] = put_json,
    };
    dti_writer to = {text, size, 0};
    if (!dti_handle_usable(graph, __func__))
        return DT_ERR_INVALID;
    if (!graph)
        return dti_fail_null(NULL, __func__, "graph");
    if ((int)style < 0 || (size_t)style >= sizeof writers / sizeof *writers)
        return dti_fail(graph->world, DT_ERR_INVALID, "%s: unknown style %d",
                        __func__, (int)style);
    writers[style](&to, graph);
    if (length)
        *length = to.length;
    return DT_OK;
}
