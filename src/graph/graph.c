/* graph/graph.c - programs as graphs. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/graph.h"

#include <stdlib.h>
#include <string.h>

#include "array/array.h"
#include "base/error.h"
#include "base/handles.h"

/* ---- Creating and releasing --------------------------------------------- */

dt_status dti_graph_create(dt_world *world, const char *path, dt_graph **out)
{
    dt_graph *graph = calloc(1, sizeof *graph);
    if (!graph)
        return dti_fail_memory(world, sizeof *graph, "a graph");
    dti_reference_init(&graph->reference);
    graph->world = world;
    dti_live_add(DTI_LIVE_GRAPH, 1);
    dti_handle_made(world, DTI_LIVE_GRAPH, graph);
    graph->path = dti_graph_text(graph, path);
    if (!graph->path) {
        dt_graph_release(graph);
        return dti_failure_of(world);
    }
    *out = graph;
    return DT_OK;
}

dt_graph *dt_graph_retain(dt_graph *graph)
{
    if (!dti_handle_usable(graph, __func__))
        return NULL;
    if (graph)
        dti_reference_retain(&graph->reference);
    return graph;
}

static void release_meshes(const dti_graph_node *node)
{
    for (int i = 0; node->op && i < node->op->schema.count; i++)
        if (node->terms[i].kind == DT_ARG_MESH)
            dt_mesh_release(node->terms[i].as.mesh);
}

void dt_graph_release(dt_graph *graph)
{
    DTI_ENTRY();
    if (!dti_handle_usable(graph, __func__) || !graph ||
        !dti_reference_release(&graph->reference))
        return;
    for (int i = 0; i < graph->value_count; i++) {
        dti_array_release(graph->values[i].array);
        dt_spec_release(graph->values[i].spec);
    }
    for (int i = 0; i < graph->node_count; i++)
        release_meshes(&graph->nodes[i]);
    dti_sizes_close(&graph->sizes);
    dti_arena_free(&graph->arena);
    dti_handle_gone(graph);
    dti_handle_free(graph);
    dti_live_add(DTI_LIVE_GRAPH, -1);
}

/* ---- Memory ------------------------------------------------------------- */

void *dti_graph_get(dt_graph *graph, size_t size)
{
    void *memory = dti_arena_get(&graph->arena, size);
    if (!memory)
        dti_fail_memory(graph->world, size, "a graph");
    return memory;
}

const char *dti_graph_text(dt_graph *graph, const char *text)
{
    const size_t length = strlen(text);
    char *copy = dti_graph_get(graph, length + 1);
    if (copy)
        memcpy(copy, text, length);
    return copy;
}

static dt_status grow(dt_graph *graph, void *items, int count, int *capacity,
                      size_t size)
{
    if (dti_arena_grow(&graph->arena, items, count, capacity, size))
        return DT_OK;
    return dti_fail_memory(graph->world, (size_t)count * size, "a graph");
}

/* ---- Adding ------------------------------------------------------------- */

/* Write dtype and sizes of a value. */
static const char *write_type(dt_graph *graph, const dti_graph_value *value)
{
    char text[512];
    dti_writer to = {text, sizeof text, 0};
    dti_put(&to, "%s[", dt_dtype_name(value->dtype));
    for (int i = 0; i < value->ndim; i++) {
        dti_put(&to, "%s", i > 0 ? ", " : "");
        dti_size_put(&to, &graph->sizes, value->sizes[i]);
    }
    dti_put(&to, "]");
    return dti_graph_text(graph, text);
}

dt_status dti_graph_add_value(dt_graph *graph, const dti_graph_value *value,
                              int *out)
{
    DTI_TRY(grow(graph, &graph->values, graph->value_count,
                 &graph->value_capacity, sizeof *value));
    const char *type = write_type(graph, value);
    if (!type)
        return DT_ERR_NO_MEMORY;
    *out = graph->value_count++;
    graph->values[*out] = *value;
    graph->values[*out].type = type;
    dt_array_retain(value->array);
    dt_spec_retain(value->spec);
    return DT_OK;
}

dt_status dti_graph_add_input(dt_graph *graph, int value)
{
    DTI_TRY(grow(graph, &graph->inputs, graph->input_count,
                 &graph->input_capacity, sizeof value));
    graph->inputs[graph->input_count++] = value;
    return DT_OK;
}

dt_status dti_graph_add_output(dt_graph *graph, const dti_graph_output *output)
{
    DTI_TRY(grow(graph, &graph->outputs, graph->output_count,
                 &graph->output_capacity, sizeof *output));
    graph->outputs[graph->output_count++] = *output;
    return DT_OK;
}

dt_status dti_graph_add_node(dt_graph *graph, const dti_graph_node *node)
{
    DTI_TRY(grow(graph, &graph->nodes, graph->node_count, &graph->node_capacity,
                 sizeof *node));
    for (int i = 0; i < node->result_count; i++)
        if (node->results[i] >= 0)
            graph->values[node->results[i]].node = graph->node_count;
    for (int i = 0; node->op && i < node->op->schema.count; i++)
        if (node->terms[i].kind == DT_ARG_MESH)
            dt_mesh_retain(node->terms[i].as.mesh);
    graph->unsupported += !node->op;
    graph->nodes[graph->node_count++] = *node;
    return DT_OK;
}

/* ---- Walking ------------------------------------------------------------ */

void dti_node_visit(const dti_graph_node *node, dti_value_visitor visit,
                    void *arg)
{
    for (int i = 0; node->op && i < node->op->schema.count; i++) {
        const dti_term *term = &node->terms[i];
        if (term->kind == DT_ARG_TENSOR)
            visit(arg, term->as.value);
        for (int k = 0; term->kind == DT_ARG_TENSORS && k < term->count; k++)
            if (term->as.values[k] >= 0)
                visit(arg, term->as.values[k]);
    }
}

/* ---- What people ask ---------------------------------------------------- */

static bool is_state(const dti_graph_value *value)
{
    return value->kind == DT_GRAPH_PARAMETER ||
           value->kind == DT_GRAPH_BUFFER || value->kind == DT_GRAPH_CONSTANT;
}

static bool is_usable(const dt_graph *graph, const char *function)
{
    return graph && dti_handle_readable(graph, function);
}

int dt_graph_input_count(const dt_graph *graph)
{
    return is_usable(graph, __func__) ? graph->input_count : 0;
}

int dt_graph_output_count(const dt_graph *graph)
{
    int count = 0;
    for (int i = 0; is_usable(graph, __func__) && i < graph->output_count; i++)
        count += graph->outputs[i].kind == DT_GRAPH_RETURNED;
    return count;
}

int dt_graph_state_count(const dt_graph *graph)
{
    int count = 0;
    for (int i = 0; is_usable(graph, __func__) && i < graph->value_count; i++)
        count += is_state(&graph->values[i]);
    return count;
}

int dt_graph_node_count(const dt_graph *graph)
{
    return is_usable(graph, __func__) ? graph->node_count : 0;
}

/* Copy a description to a caller, who may know fewer fields. */
static void copy_out(void *out, const void *from, size_t size)
{
    size_t given;
    memcpy(&given, out, sizeof given);
    const size_t bytes = given < size ? given : size;
    memcpy((char *)out + sizeof given, (const char *)from + sizeof given,
           bytes > sizeof given ? bytes - sizeof given : 0);
}

static dt_status describe(const dt_graph *graph, int index, dt_graph_value *out)
{
    const dti_graph_value *value = &graph->values[index];
    dt_graph_value about = {.name = value->name,
                            .kind = value->kind,
                            .path = value->path ? value->path : "",
                            .type = value->type,
                            .dtype = value->dtype,
                            .shape = {.ndim = value->ndim}};
    for (int i = 0; i < value->ndim; i++)
        about.shape.dims[i] =
            value->sizes[i].expression ? -1 : value->sizes[i].number;
    about.bytes = value->array ? dt_array_bytes(value->array) : 0;
    copy_out(out, &about, sizeof about);
    return DT_OK;
}

static dt_status fail_index(const dt_graph *graph, const char *function,
                            const char *what, int index)
{
    if (!graph)
        return dti_fail_null(NULL, function, "graph");
    return dti_fail(graph->world, DT_ERR_NOT_FOUND,
                    "%s: no %s has the index %d", function, what, index);
}

dt_status dt_graph_input(const dt_graph *graph, int index, dt_graph_value *out)
{
    DTI_ENTRY();
    if (!is_usable(graph, __func__) || index < 0 || index >= graph->input_count)
        return fail_index(graph, __func__, "input", index);
    return describe(graph, graph->inputs[index], out);
}

dt_status dt_graph_output(const dt_graph *graph, int index, dt_graph_value *out)
{
    DTI_ENTRY();
    int left = index;
    for (int i = 0; is_usable(graph, __func__) && i < graph->output_count; i++)
        if (graph->outputs[i].kind == DT_GRAPH_RETURNED && left-- == 0)
            return describe(graph, graph->outputs[i].value, out);
    return fail_index(graph, __func__, "output", index);
}

dt_status dt_graph_state(const dt_graph *graph, int index, dt_graph_value *out)
{
    DTI_ENTRY();
    int left = index;
    for (int i = 0; is_usable(graph, __func__) && i < graph->value_count; i++)
        if (is_state(&graph->values[i]) && left-- == 0)
            return describe(graph, i, out);
    return fail_index(graph, __func__, "parameter, buffer or constant", index);
}

dt_status dt_graph_node_at(const dt_graph *graph, int index, dt_graph_node *out)
{
    DTI_ENTRY();
    if (!is_usable(graph, __func__) || index < 0 || index >= graph->node_count)
        return fail_index(graph, __func__, "node", index);
    const dti_graph_node *node = &graph->nodes[index];
    const dt_graph_node about = {.name = node->name,
                                 .target = node->target,
                                 .row_name =
                                     node->op ? node->op->schema.name : "",
                                 .module = node->module};
    copy_out(out, &about, sizeof about);
    return DT_OK;
}
