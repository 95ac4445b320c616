/* graph/capture.c - calls of a C program as a graph. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/handles.h"
#include "base/hash.h"
#include "graph/graph.h"
#include "op/call/recorder.h"
#include "tensor/tensor.h"

/*
 * A recorder is told of every call that the function makes; each becomes a
 * node.  Compositions are one node.  A tensor that the function reads and that
 * is neither an input nor a result is state: the graph holds its local array,
 * whose elements a later run sees as they are then.
 *
 * Tensors are known by their addresses, so all that were seen are retained
 * until the end: no address is used twice.
 */
typedef struct known_tensor {
    dt_tensor *tensor;
    int value;
} known_tensor;

typedef struct capturing {
    dt_graph *graph;
    dti_map tensors; /* known_tensor by address */
    int state_count;
} capturing;

/* ---- Tensors ------------------------------------------------------------ */

static bool is_tensor(const void *value, const void *key)
{
    return ((const known_tensor *)value)->tensor == key;
}

static uint64_t hash_address(const dt_tensor *tensor)
{
    return dti_hash_mix(0, (uint64_t)(uintptr_t)tensor);
}

static const known_tensor *find(const capturing *at, const dt_tensor *tensor)
{
    return dti_map_find(&at->tensors, hash_address(tensor), tensor, is_tensor);
}

/* Let a tensor be a new value. */
static dt_status add_tensor(capturing *at, dt_tensor *tensor,
                            dti_graph_value *value, int *out)
{
    dt_graph *graph = at->graph;
    const dt_meta *meta = &tensor->spec->meta;
    known_tensor *known = dti_graph_get(graph, sizeof *known);
    if (!known)
        return DT_ERR_NO_MEMORY;
    value->node = -1;
    value->dtype = meta->dtype;
    value->ndim = meta->shape.ndim;
    value->spec = tensor->spec;
    for (int i = 0; i < meta->shape.ndim; i++)
        value->sizes[i] = dti_size_of(meta->shape.dims[i]);
    DTI_TRY(dti_graph_add_value(graph, value, out));
    *known = (known_tensor){tensor, *out};
    if (dti_map_add(&at->tensors, hash_address(tensor), known) != DT_OK)
        return dti_fail_memory(graph->world, sizeof *known, "a capture");
    dt_tensor_retain(tensor);
    return DT_OK;
}

static const char *name_value(capturing *at, const char *kind, int number)
{
    char text[64];
    snprintf(text, sizeof text, "%s_%d", kind, number);
    return dti_graph_text(at->graph, text);
}

/* The value of a tensor; one that is not known is state. */
static dt_status value_of(capturing *at, dt_tensor *tensor, int *out)
{
    const known_tensor *known = find(at, tensor);
    if (known) {
        *out = known->value;
        return DT_OK;
    }
    dti_graph_value value = {.kind = DT_GRAPH_CONSTANT, .array = tensor->local};
    value.name = value.path = name_value(at, "captured", at->state_count++);
    return value.name ? add_tensor(at, tensor, &value, out) : DT_ERR_NO_MEMORY;
}

/* ---- Arguments ---------------------------------------------------------- */

static dt_status take_tensors(capturing *at, const dt_argument *from,
                              dti_term *out)
{
    int *values =
        dti_graph_get(at->graph, (size_t)(from->count + 1) * sizeof *values);
    if (!values)
        return DT_ERR_NO_MEMORY;
    for (int i = 0; i < from->count; i++) {
        values[i] = -1;
        if (from->as.tensors[i])
            DTI_TRY(value_of(at, from->as.tensors[i], &values[i]));
    }
    out->as.values = values;
    return DT_OK;
}

static dt_status take_integers(capturing *at, const dt_argument *from,
                               dti_term *out)
{
    const int count = from->count > 0 ? from->count : 0;
    dti_size *sizes =
        dti_graph_get(at->graph, (size_t)(count + 1) * sizeof *sizes);
    if (!sizes)
        return DT_ERR_NO_MEMORY;
    for (int i = 0; i < count; i++)
        sizes[i] = dti_size_of(from->as.integers[i]);
    out->as.sizes = sizes;
    return DT_OK;
}

static dt_status take_numbers(capturing *at, const dt_argument *from,
                              dti_term *out)
{
    dt_number *numbers =
        dti_graph_get(at->graph, (size_t)(from->count + 1) * sizeof *numbers);
    if (!numbers)
        return DT_ERR_NO_MEMORY;
    memcpy(numbers, from->as.numbers, (size_t)from->count * sizeof *numbers);
    out->as.numbers = numbers;
    return DT_OK;
}

static dt_status refuse(const capturing *at, const dti_record *record,
                        const char *why)
{
    return dti_fail(at->graph->world, DT_ERR_UNSUPPORTED,
                    "dt_graph_capture: %s%s %s", record->op->schema.name,
                    record->variant == DT_VARIANT_IN_PLACE ? "_" : "", why);
}

static dt_status take_argument(capturing *at, const dti_record *record,
                               const dt_argument *from, dti_term *out)
{
    *out = (dti_term){.kind = from->kind, .count = from->count};
    switch (from->kind) {
    case DT_ARG_TENSOR:
        if (!from->as.tensor) {
            out->kind = DT_ARG_NONE;
            return DT_OK;
        }
        return value_of(at, from->as.tensor, &out->as.value);
    case DT_ARG_TENSORS:
        return take_tensors(at, from, out);
    case DT_ARG_INTEGERS:
        return take_integers(at, from, out);
    case DT_ARG_NUMBERS:
        return take_numbers(at, from, out);
    case DT_ARG_INTEGER:
        out->as.size = dti_size_of(from->as.integer);
        return DT_OK;
    case DT_ARG_NUMBER:
        out->as.number = from->as.number;
        return DT_OK;
    case DT_ARG_REAL:
        out->as.real = from->as.real;
        return DT_OK;
    case DT_ARG_TEXT:
        if (!from->as.text) {
            out->kind = DT_ARG_NONE;
            return DT_OK;
        }
        out->as.text = dti_graph_text(at->graph, from->as.text);
        return out->as.text ? DT_OK : DT_ERR_NO_MEMORY;
    case DT_ARG_MESH:
        out->as.mesh = from->as.mesh;
        return DT_OK;
    case DT_ARG_FUNCTION:
        return refuse(at, record,
                      "calls a C function, which cannot be recorded");
    case DT_ARG_ARRAY:
    case DT_ARG_GENERATOR:
        if (from->kind == DT_ARG_ARRAY ? !from->as.array
                                       : !from->as.generator) {
            out->kind = DT_ARG_NONE;
            return DT_OK;
        }
        return refuse(at, record,
                      from->kind == DT_ARG_ARRAY
                          ? "reads an array; pass a tensor as an input"
                          : "takes a generator of the program");
    default:
        return DT_OK;
    }
}

/* ---- Calls -------------------------------------------------------------- */

static bool takes_whole(void *arg, const dti_operator *op)
{
    (void)arg;
    (void)op;
    return true;
}

static dt_status add_results(capturing *at, const dti_record *record,
                             dti_graph_node *node)
{
    int *results = dti_graph_get(at->graph, (size_t)(record->result_count + 1) *
                                                sizeof *results);
    if (!results)
        return DT_ERR_NO_MEMORY;
    for (int i = 0; i < record->result_count; i++) {
        dti_graph_value value = {.kind = DT_GRAPH_RESULT};
        results[i] = -1;
        if (!record->results[i])
            continue;
        value.name =
            name_value(at, record->op->schema.name, at->graph->value_count);
        if (!value.name)
            return DT_ERR_NO_MEMORY;
        DTI_TRY(add_tensor(at, record->results[i], &value, &results[i]));
    }
    node->result_count = record->result_count;
    node->results = results;
    return DT_OK;
}

static dt_status note(void *arg, const dti_record *record)
{
    capturing *at = arg;
    dt_graph *graph = at->graph;
    const int count = record->op->schema.count;
    dti_graph_node node = {.op = record->op, .module = ""};
    node.target = record->op->schema.name;
    node.name = name_value(at, record->op->schema.name, graph->node_count);
    node.terms = dti_graph_get(graph, (size_t)(count + 1) * sizeof *node.terms);
    if (!node.name || !node.terms)
        return DT_ERR_NO_MEMORY;
    for (int i = 0; i < count; i++)
        DTI_TRY(
            take_argument(at, record, &record->arguments[i], &node.terms[i]));
    DTI_TRY(add_results(at, record, &node));
    return dti_graph_add_node(graph, &node);
}

/* Values of a graph are not overwritten. */
static dt_status check(void *arg, const dti_record *record)
{
    return refuse(
        arg, record,
        record->variant == DT_VARIANT_OUT
            ? "writes to `out`; use the variant that returns a tensor"
            : "overwrites a tensor; use the variant that returns one");
}

/* ---- Capturing ---------------------------------------------------------- */

static dt_status add_inputs(capturing *at, dt_tensor *const *inputs, int count)
{
    for (int i = 0; i < count; i++) {
        dti_graph_value value = {.kind = DT_GRAPH_INPUT};
        int number;
        value.name = name_value(at, "input", i);
        if (!value.name)
            return DT_ERR_NO_MEMORY;
        if (find(at, inputs[i]))
            return dti_fail(at->graph->world, DT_ERR_INVALID,
                            "dt_graph_capture: input %d is another input too; "
                            "pass a clone",
                            i);
        DTI_TRY(add_tensor(at, inputs[i], &value, &number));
        DTI_TRY(dti_graph_add_input(at->graph, number));
    }
    return DT_OK;
}

static dt_status add_outputs(capturing *at, dt_tensor *const *outputs,
                             int count)
{
    for (int i = 0; i < count; i++) {
        dti_graph_output output = {.kind = DT_GRAPH_RETURNED, .target = -1};
        if (!outputs[i])
            return dti_fail(at->graph->world, DT_ERR_INVALID,
                            "dt_graph_capture: the function did not set output "
                            "%d",
                            i);
        DTI_TRY(value_of(at, outputs[i], &output.value));
        DTI_TRY(dti_graph_add_output(at->graph, &output));
    }
    return DT_OK;
}

static dt_status call(capturing *at, dt_section_function function,
                      dt_tensor *const *inputs, int input_count,
                      dt_tensor **outputs, int output_count, void *arg)
{
    dt_world *world = at->graph->world;
    const dti_recorder recorder = {
        .takes_whole = takes_whole, .record = note, .arg = at, .check = check};
    const dti_recorder *before = NULL;
    if (world->capturing)
        return dti_fail(world, DT_ERR_INVALID,
                        "dt_graph_capture: another graph is being captured");
    DTI_TRY(add_inputs(at, inputs, input_count));
    DTI_TRY(dti_recorder_set(world, &recorder, &before));
    world->capturing = true;
    dt_status status =
        function(world, inputs, input_count, outputs, output_count, arg);
    world->capturing = false;
    DTI_TRY(dti_recorder_set(world, before, NULL));
    DTI_TRY(status);
    DTI_TRY(add_outputs(at, outputs, output_count));
    return dti_graph_check(at->graph);
}

static void release_tensors(capturing *at)
{
    size_t cursor = 0;
    known_tensor *known;
    while ((known = dti_map_next(&at->tensors, &cursor)))
        dt_tensor_release(known->tensor);
    dti_map_clear(&at->tensors);
}

static dt_status check_arguments(dt_section_function function,
                                 dt_tensor *const *inputs, int input_count)
{
    if (!function || input_count < 1)
        return dti_fail_null(NULL, "dt_graph_capture",
                             function ? "inputs" : "function");
    for (int i = 0; i < input_count; i++)
        if (!dti_handle_usable(inputs[i], "dt_graph_capture"))
            return DT_ERR_INVALID;
        else if (!inputs[i])
            return dti_fail_null(NULL, "dt_graph_capture", "input");
    return DT_OK;
}

dt_status dt_graph_capture(dt_section_function function,
                           dt_tensor *const *inputs, int input_count,
                           dt_tensor **outputs, int output_count, void *arg,
                           dt_graph **out)
{
    DTI_ENTRY();
    capturing at = {.graph = NULL};
    DTI_TRY(check_arguments(function, inputs, input_count));
    DTI_TRY(dti_graph_create(inputs[0]->world, "", &at.graph));
    dt_status status =
        call(&at, function, inputs, input_count, outputs, output_count, arg);
    release_tensors(&at);
    if (status == DT_OK)
        *out = at.graph;
    else
        dt_graph_release(at.graph);
    return status;
}
