/* graph/rebuild.c - building the graph that a pass asks for. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "graph/edit.h"

/* A graph that is being built from another. */
typedef struct building {
    const dt_graph_edit *edit;
    const dt_graph *from;
    dt_graph *to;
    int *values; /* by value of `from`: its number in `to`; -1: none */
} building;

/* Symbols and expressions keep their numbers: each is in the table once, and
 * after its operands. */
static dt_status copy_sizes(building *at)
{
    const dti_sizes *from = &at->from->sizes;
    dti_sizes *to = &at->to->sizes;
    for (int i = 0; i < from->symbol_count; i++) {
        const dti_symbol *symbol = &from->symbols[i];
        const int number = dti_sizes_symbol(to, &at->to->arena, symbol->name,
                                            strlen(symbol->name));
        if (number < 0)
            return dti_fail_memory(at->to->world, sizeof *symbol, "a graph");
        to->symbols[number].min = symbol->min;
        to->symbols[number].max = symbol->max;
        to->symbols[number].bound = symbol->bound;
    }
    for (int i = 0; i < from->count; i++)
        if (dti_sizes_add(to, &at->to->arena, from->expressions[i]) != i)
            return dti_fail_memory(at->to->world, sizeof *from->expressions,
                                   "a graph");
    return DT_OK;
}

static dt_status copy_text(building *at, const char *text, const char **out)
{
    *out = text ? dti_graph_text(at->to, text) : NULL;
    return text && !*out ? DT_ERR_NO_MEMORY : DT_OK;
}

static dt_status copy_value(building *at, int value)
{
    dti_graph_value copy = at->from->values[value];
    copy.node = -1;
    DTI_TRY(copy_text(at, copy.name, &copy.name));
    DTI_TRY(copy_text(at, copy.path, &copy.path));
    if (at->edit->known[value]) {
        copy.kind = DT_GRAPH_CONSTANT;
        copy.array = at->edit->known[value];
        copy.path = copy.name;
    }
    return dti_graph_add_value(at->to, &copy, &at->values[value]);
}

/* Values that are not computed, and those that were computed by the pass. */
static dt_status copy_state(building *at)
{
    for (int i = 0; i < at->from->value_count; i++) {
        const bool wanted = at->edit->readers[i] + at->edit->outputs[i] > 0;
        at->values[i] = -1;
        if (at->from->values[i].kind != DT_GRAPH_RESULT ||
            (at->edit->known[i] && wanted))
            DTI_TRY(copy_value(at, i));
    }
    for (int i = 0; i < at->from->input_count; i++)
        DTI_TRY(dti_graph_add_input(at->to, at->values[at->from->inputs[i]]));
    return DT_OK;
}

static int number_of(const building *at, int value)
{
    const int found = dti_edit_find(at->edit, value);
    return found < 0 ? -1 : at->values[found];
}

static dt_status copy_term(building *at, const dti_term *from, dti_term *to)
{
    *to = *from;
    if (from->kind == DT_ARG_TENSOR)
        to->as.value = number_of(at, from->as.value);
    if (from->kind == DT_ARG_TEXT)
        return copy_text(at, from->as.text, &to->as.text);
    const size_t item = from->kind == DT_ARG_TENSORS    ? sizeof(int)
                        : from->kind == DT_ARG_INTEGERS ? sizeof(dti_size)
                        : from->kind == DT_ARG_NUMBERS  ? sizeof(dt_number)
                                                        : 0;
    const int count = from->count > 0 ? from->count : 0;
    if (item == 0)
        return DT_OK;
    void *items = dti_graph_get(at->to, (size_t)(count + 1) * item);
    if (!items)
        return DT_ERR_NO_MEMORY;
    if (from->kind == DT_ARG_INTEGERS)
        to->as.sizes = memcpy(items, from->as.sizes, (size_t)count * item);
    else if (from->kind == DT_ARG_NUMBERS)
        to->as.numbers = memcpy(items, from->as.numbers, (size_t)count * item);
    else {
        int *values = items;
        for (int i = 0; i < count; i++)
            values[i] = number_of(at, from->as.values[i]);
        to->as.values = values;
    }
    return DT_OK;
}

static dt_status copy_node(building *at, const dti_graph_node *from)
{
    dti_graph_node node = *from;
    const int count = from->op ? from->op->schema.count : 0;
    DTI_TRY(copy_text(at, from->name, &node.name));
    DTI_TRY(copy_text(at, from->target, &node.target));
    DTI_TRY(copy_text(at, from->module, &node.module));
    node.terms =
        dti_graph_get(at->to, (size_t)(count + 1) * sizeof *node.terms);
    node.results = dti_graph_get(at->to, (size_t)(from->result_count + 1) *
                                             sizeof *node.results);
    if (!node.terms || !node.results)
        return DT_ERR_NO_MEMORY;
    for (int i = 0; i < count; i++)
        DTI_TRY(copy_term(at, &from->terms[i], &node.terms[i]));
    for (int i = 0; i < from->result_count; i++) {
        const int value = from->results[i];
        node.results[i] = -1;
        if (value < 0 || at->edit->replaced[value] >= 0)
            continue;
        DTI_TRY(copy_value(at, value));
        node.results[i] = at->values[value];
    }
    return dti_graph_add_node(at->to, &node);
}

static dt_status build(building *at)
{
    DTI_TRY(copy_sizes(at));
    DTI_TRY(copy_state(at));
    for (int i = 0; i < at->from->node_count; i++)
        if (!at->edit->dropped[i])
            DTI_TRY(copy_node(at, &at->from->nodes[i]));
    for (int i = 0; i < at->from->output_count; i++) {
        dti_graph_output output = at->from->outputs[i];
        output.value = number_of(at, output.value);
        if (output.target >= 0)
            output.target = at->values[output.target];
        DTI_TRY(dti_graph_add_output(at->to, &output));
    }
    return dti_graph_check(at->to);
}

dt_status dti_edit_build(const dt_graph_edit *edit, dt_graph **out)
{
    building at = {.edit = edit, .from = edit->graph};
    dt_world *world = edit->graph->world;
    const size_t bytes =
        ((size_t)edit->graph->value_count + 1) * sizeof *at.values;
    DTI_TRY(dti_graph_create(world, edit->graph->path, &at.to));
    at.values = malloc(bytes);
    dt_status status =
        at.values ? build(&at) : dti_fail_memory(world, bytes, "a graph");
    free(at.values);
    if (status == DT_OK)
        *out = at.to;
    else
        dt_graph_release(at.to);
    return status;
}
