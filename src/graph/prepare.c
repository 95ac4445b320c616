/* graph/prepare.c - the calls of a graph, made ready. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/error.h"
#include "graph/executor.h"

/* Steps that are being made. */
typedef struct preparing {
    dt_executor *executor;
    int *last;   /* by value: the step that reads it last; -1: none */
    int *writes; /* by value: the buffer that it replaces; -1: none */
    int patch_count;
    int step; /* whose reads are visited */
} preparing;

static void *get(dt_executor *executor, int count, size_t size)
{
    void *memory = dti_arena_get(&executor->arena, (size_t)(count + 1) * size);
    if (!memory)
        dti_fail_memory(executor->world, (size_t)count * size, "an executor");
    return memory;
}

/* ---- Who reads what ----------------------------------------------------- */

static void note_read(void *arg, int value)
{
    preparing *at = arg;
    at->last[value] = at->step;
    at->patch_count++;
}

/* Values that outlive the steps: outputs, and what is not computed. */
static void keep_values(preparing *at)
{
    const dt_graph *graph = at->executor->graph;
    for (int i = 0; i < graph->value_count; i++)
        if (graph->values[i].kind != DT_GRAPH_RESULT)
            at->last[i] = graph->node_count;
    for (int i = 0; i < graph->output_count; i++)
        at->last[graph->outputs[i].value] = graph->node_count;
}

/* Views share memory with their first tensor. */
static void find_roots(dt_executor *executor)
{
    const dt_graph *graph = executor->graph;
    for (int i = 0; i < graph->value_count; i++)
        executor->roots[i] = i;
    for (int i = 0; i < graph->node_count; i++) {
        const dti_graph_node *node = &graph->nodes[i];
        const dti_schema *schema = &node->op->schema;
        if (!(node->op->op->flags & DT_OP_VIEW) || schema->tensor_count == 0)
            continue;
        const dti_term *first = &node->terms[schema->tensors[0]];
        for (int k = 0; first->kind == DT_ARG_TENSOR && k < node->result_count;
             k++)
            if (node->results[k] >= 0)
                executor->roots[node->results[k]] =
                    executor->roots[first->as.value];
    }
}

static dt_status find_readers(preparing *at)
{
    dt_executor *executor = at->executor;
    const dt_graph *graph = executor->graph;
    at->last = get(executor, graph->value_count, sizeof *at->last);
    at->writes = get(executor, graph->value_count, sizeof *at->writes);
    if (!at->last || !at->writes)
        return DT_ERR_NO_MEMORY;
    memset(at->last, -1, (size_t)graph->value_count * sizeof *at->last);
    memset(at->writes, -1, (size_t)graph->value_count * sizeof *at->writes);
    for (at->step = 0; at->step < graph->node_count; at->step++)
        dti_node_visit(&graph->nodes[at->step], note_read, at);
    for (int i = 0; i < graph->output_count; i++)
        if (graph->outputs[i].kind == DT_GRAPH_BUFFER_WRITTEN)
            at->writes[graph->outputs[i].value] = graph->outputs[i].target;
    return DT_OK;
}

/* The values that are not needed after a step: those that it reads last, and
 * results that nobody reads. */
static dt_status find_finished(preparing *at)
{
    dt_executor *executor = at->executor;
    const dt_graph *graph = executor->graph;
    int *counts = get(executor, graph->node_count, sizeof *counts);
    int **lists = get(executor, graph->node_count, sizeof *lists);
    if (!counts || !lists)
        return DT_ERR_NO_MEMORY;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < graph->value_count; i++) {
            const dti_graph_value *value = &graph->values[i];
            const int step = at->last[i] < 0 ? value->node : at->last[i];
            if (step < 0 || step >= graph->node_count)
                continue;
            if (pass == 1)
                lists[step][executor->steps[step].finished_count++] = i;
            else
                counts[step]++;
        }
        for (int i = 0; pass == 0 && i < graph->node_count; i++) {
            lists[i] = get(executor, counts[i], sizeof *lists[i]);
            if (!lists[i])
                return DT_ERR_NO_MEMORY;
            executor->steps[i].finished = lists[i];
        }
    }
    return DT_OK;
}

/* ---- In place ----------------------------------------------------------- */

/*
 * A step may overwrite a buffer if its only result replaces it after the run,
 * and if nobody reads the buffer or a view of it afterwards: then the buffer
 * need not be copied in each run.  A cache of keys and values is such a buffer.
 */
static bool overwrites_buffer(const preparing *at, int step)
{
    const dt_graph *graph = at->executor->graph;
    const dti_graph_node *node = &graph->nodes[step];
    const dti_schema *schema = &node->op->schema;
    if (!(node->op->op->flags & DT_OP_IN_PLACE) || node->result_count != 1 ||
        schema->results != DTI_RESULT_ONE || schema->tensor_count == 0)
        return false;
    const dti_term *first = &node->terms[schema->tensors[0]];
    const int result = node->results[0];
    if (first->kind != DT_ARG_TENSOR || result < 0 ||
        at->writes[result] != first->as.value ||
        graph->values[result].dtype != graph->values[first->as.value].dtype)
        return false;
    for (int i = 0; i < graph->value_count; i++)
        if (at->executor->roots[i] == first->as.value && at->last[i] > step)
            return false;
    for (int i = 0; i < graph->output_count; i++)
        if (at->executor->roots[graph->outputs[i].value] == first->as.value)
            return false;
    return true;
}

/* ---- Steps -------------------------------------------------------------- */

static dt_status add_tensors(preparing *at, const dti_term *term,
                             dt_argument *out)
{
    dt_executor *executor = at->executor;
    dt_tensor **list = get(executor, term->count, sizeof *list);
    if (!list)
        return DT_ERR_NO_MEMORY;
    for (int i = 0; i < term->count; i++)
        if (term->as.values[i] >= 0)
            executor->patches[at->patch_count++] =
                (dti_patch){&list[i], term->as.values[i]};
    out->as.tensors = list;
    return DT_OK;
}

static dt_status prepare_argument(preparing *at, const dti_term *term,
                                  dt_argument *out)
{
    dt_executor *executor = at->executor;
    int64_t *integers;
    *out = (dt_argument){.kind = term->kind, .count = term->count};
    switch (term->kind) {
    case DT_ARG_TENSOR:
        executor->patches[at->patch_count++] =
            (dti_patch){&out->as.tensor, term->as.value};
        return DT_OK;
    case DT_ARG_TENSORS:
        return add_tensors(at, term, out);
    case DT_ARG_INTEGERS:
        integers = get(executor, term->count, sizeof *integers);
        out->as.integers = integers;
        return integers ? DT_OK : DT_ERR_NO_MEMORY;
    case DT_ARG_NUMBER:
        if (!term->sized)
            out->as.number = term->as.number;
        return DT_OK;
    case DT_ARG_NUMBERS:
        out->as.numbers = term->as.numbers;
        return DT_OK;
    case DT_ARG_REAL:
        out->as.real = term->as.real;
        return DT_OK;
    case DT_ARG_TEXT:
        out->as.text = term->as.text;
        return DT_OK;
    case DT_ARG_MESH:
        out->as.mesh = term->as.mesh ? term->as.mesh : executor->mesh;
        return DT_OK;
    default:
        return DT_OK;
    }
}

static dt_status prepare_step(preparing *at, int index)
{
    dt_executor *executor = at->executor;
    const dti_graph_node *node = &executor->graph->nodes[index];
    dti_step *step = &executor->steps[index];
    const int count = node->op->schema.count;
    step->op = node->op;
    step->variant =
        overwrites_buffer(at, index) ? DT_VARIANT_IN_PLACE : DT_VARIANT_NEW;
    step->arguments = get(executor, count, sizeof *step->arguments);
    step->result_count = node->result_count;
    step->results = node->results;
    step->name = node->name;
    step->module = node->module;
    if (!step->arguments)
        return DT_ERR_NO_MEMORY;
    for (int i = 0; i < count; i++)
        DTI_TRY(prepare_argument(at, &node->terms[i], &step->arguments[i]));
    executor->patch_ends[index] = at->patch_count;
    return DT_OK;
}

static int longest_step(const dt_graph *graph)
{
    int longest = 1;
    for (int i = 0; i < graph->node_count; i++)
        if (graph->nodes[i].result_count > longest)
            longest = graph->nodes[i].result_count;
    return longest;
}

dt_status dti_executor_prepare(dt_executor *executor)
{
    const dt_graph *graph = executor->graph;
    preparing at = {.executor = executor};
    DTI_TRY(find_readers(&at));
    const int count = graph->node_count;
    executor->steps = get(executor, count, sizeof *executor->steps);
    executor->patches =
        get(executor, at.patch_count, sizeof *executor->patches);
    executor->patch_ends = get(executor, count, sizeof *executor->patch_ends);
    executor->slots =
        get(executor, graph->value_count, sizeof *executor->slots);
    executor->owned =
        get(executor, graph->value_count, sizeof *executor->owned);
    executor->roots =
        get(executor, graph->value_count, sizeof *executor->roots);
    executor->results =
        get(executor, longest_step(graph), sizeof *executor->results);
    executor->symbols =
        get(executor, graph->sizes.symbol_count, sizeof *executor->symbols);
    executor->given =
        get(executor, graph->sizes.symbol_count, sizeof *executor->given);
    executor->known =
        get(executor, graph->sizes.symbol_count, sizeof *executor->known);
    executor->sizes =
        get(executor, graph->sizes.count, sizeof *executor->sizes);
    if (!executor->steps || !executor->patches || !executor->patch_ends ||
        !executor->slots || !executor->owned || !executor->roots ||
        !executor->results || !executor->symbols || !executor->given ||
        !executor->known || !executor->sizes)
        return DT_ERR_NO_MEMORY;
    find_roots(executor);
    at.patch_count = 0;
    for (int i = 0; i < count; i++)
        DTI_TRY(prepare_step(&at, i));
    keep_values(&at);
    return find_finished(&at);
}

/* ---- Sizes -------------------------------------------------------------- */

static void bind_argument(const dt_executor *executor, const dti_term *term,
                          dt_argument *out)
{
    if (term->kind == DT_ARG_INTEGER)
        out->as.integer = dti_size_value(term->as.size, executor->sizes);
    if (term->sized)
        out->as.number =
            dt_integer(dti_size_value(term->as.size, executor->sizes));
    for (int i = 0; term->kind == DT_ARG_INTEGERS && i < term->count; i++)
        ((int64_t *)(uintptr_t)out->as.integers)[i] =
            dti_size_value(term->as.sizes[i], executor->sizes);
}

void dti_executor_bind(dt_executor *executor)
{
    const dt_graph *graph = executor->graph;
    for (int i = 0; i < graph->node_count; i++)
        for (int k = 0; k < graph->nodes[i].op->schema.count; k++)
            bind_argument(executor, &graph->nodes[i].terms[k],
                          &executor->steps[i].arguments[k]);
}
