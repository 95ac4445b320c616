/* graph/executor.c - running graphs. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/executor.h"

#include <stdlib.h>
#include <string.h>

#include <dtensor/redistribute.h>

#include "base/error.h"
#include "base/handles.h"
#include "layout/layout.h"
#include "mesh/mesh.h"
#include "op/call/dispatch.h"
#include "tensor/tensor.h"

/* ---- State -------------------------------------------------------------- */

/* Take a reference to a tensor that a scope owns, and out of that scope. */
static void take(dt_executor *executor, int value, dt_tensor *tensor)
{
    dt_tensor *before = executor->slots[value];
    executor->slots[value] = dt_tensor_retain(tensor);
    if (executor->owned[value])
        dt_tensor_release(before);
    executor->owned[value] = true;
}

static bool is_written(const dt_graph *graph, int value)
{
    for (int i = 0; i < graph->output_count; i++)
        if (graph->outputs[i].kind == DT_GRAPH_BUFFER_WRITTEN &&
            graph->outputs[i].target == value)
            return true;
    return false;
}

/* The spec of a state: that of a captured tensor, or replicated. */
static dt_status find_spec(const dt_executor *executor, int value,
                           dt_spec **out)
{
    dt_mesh *mesh = executor->mesh;
    const dti_graph_value *of = &executor->graph->values[value];
    const dt_layout layout = dti_layout_replicated(mesh->dims.ndim);
    if (of->spec) {
        *out = dt_spec_retain(of->spec);
        return DT_OK;
    }
    const dt_meta meta = dt_meta_of(of->array->dtype, of->array->shape);
    return dt_spec_create_with(mesh, &layout, &meta, out);
}

/* The local array of a state: the graph's own, unless the program overwrites
 * it. */
static dt_status make_local(dt_executor *executor, int value,
                            const dt_spec *spec, dt_array **out)
{
    dt_array *array = executor->graph->values[value].array;
    if (executor->graph->values[value].spec) {
        *out = dt_array_retain(array);
        return DT_OK;
    }
    if (spec->mesh->place < 0)
        return dti_tensor_create_local(spec, out);
    if (is_written(executor->graph, value))
        return dt_array_clone(executor->world, array, out);
    return dt_array_contiguous(executor->world, array, out);
}

static dt_status make_state(dt_executor *executor, int value)
{
    dt_spec *spec = NULL;
    dt_array *local = NULL;
    DTI_TRY(find_spec(executor, value, &spec));
    dt_status status = make_local(executor, value, spec, &local);
    if (status == DT_OK) {
        dt_tensor *tensor = dti_tensor_make(spec, local);
        if (tensor)
            take(executor, value, tensor);
        else
            status = dti_failure_of(executor->world);
        dt_tensor_release_early(tensor);
    }
    dt_array_release(local);
    dt_spec_release(spec);
    return status;
}

static dt_status make_all_state(dt_executor *executor)
{
    for (int i = 0; i < executor->graph->value_count; i++)
        if (executor->graph->values[i].array)
            DTI_TRY(make_state(executor, i));
    return DT_OK;
}

/* ---- Creating and releasing --------------------------------------------- */

static dt_status check_graph(const dt_graph *graph)
{
    for (int i = 0; i < graph->node_count; i++)
        if (!graph->nodes[i].op)
            return dti_fail(graph->world, DT_ERR_UNSUPPORTED,
                            "%s: node %s (%s, module %s): operator not "
                            "supported; %d of %d nodes are not",
                            graph->path, graph->nodes[i].name,
                            graph->nodes[i].target, graph->nodes[i].module,
                            graph->unsupported, graph->node_count);
    return DT_OK;
}

static dt_status open_executor(dt_executor *executor)
{
    dt_world *world = executor->world;
    DTI_TRY(check_graph(executor->graph));
    DTI_TRY(dti_operator_find(world, "alias", &executor->alias));
    DTI_TRY(dti_operator_find(world, "clone", &executor->clone));
    DTI_TRY(dti_operator_find(world, "copy", &executor->copy));
    DTI_TRY(dti_executor_prepare(executor));
    return make_all_state(executor);
}

dt_status dt_executor_create(dt_graph *graph, dt_mesh *mesh, dt_executor **out)
{
    DTI_ENTRY();
    if (!dti_handle_usable(graph, __func__) ||
        !dti_handle_usable(mesh, __func__))
        return DT_ERR_INVALID;
    if (!graph || !mesh)
        return dti_fail_null(graph  ? graph->world
                             : mesh ? mesh->world
                                    : NULL,
                             __func__, graph ? "mesh" : "graph");
    if (graph->world != mesh->world)
        return dti_fail(graph->world, DT_ERR_INVALID,
                        "%s: the mesh belongs to another world", __func__);
    dt_executor *executor = calloc(1, sizeof *executor);
    if (!executor)
        return dti_fail_memory(graph->world, sizeof *executor, "an executor");
    dti_reference_init(&executor->reference);
    executor->world = graph->world;
    executor->graph = dt_graph_retain(graph);
    executor->mesh = dt_mesh_retain(mesh);
    dti_live_add(DTI_LIVE_EXECUTOR, 1);
    dti_handle_made(graph->world, DTI_LIVE_EXECUTOR, executor);
    dt_status status = dti_collective_end_on(mesh, open_executor(executor));
    if (status == DT_OK)
        *out = executor;
    else
        dt_executor_release(executor);
    return status;
}

dt_executor *dt_executor_retain(dt_executor *executor)
{
    if (!dti_handle_usable(executor, __func__))
        return NULL;
    if (executor)
        dti_reference_retain(&executor->reference);
    return executor;
}

void dt_executor_release(dt_executor *executor)
{
    DTI_ENTRY();
    if (!dti_handle_usable(executor, __func__) || !executor ||
        !dti_reference_release(&executor->reference))
        return;
    for (int i = 0; executor->owned && i < executor->graph->value_count; i++)
        if (executor->owned[i])
            dt_tensor_release(executor->slots[i]);
    dt_mesh_release(executor->mesh);
    dt_graph_release(executor->graph);
    dti_arena_free(&executor->arena);
    dti_handle_gone(executor);
    dti_handle_free(executor);
    dti_live_add(DTI_LIVE_EXECUTOR, -1);
}

/* ---- Inputs ------------------------------------------------------------- */

static dt_status fail_input(const dt_executor *executor, int input,
                            const dt_tensor *tensor)
{
    const dt_graph *graph = executor->graph;
    const dti_graph_value *value = &graph->values[graph->inputs[input]];
    return dti_fail(executor->world, DT_ERR_INVALID,
                    "dt_executor_run: input %d (%s) is %s; the program "
                    "declares %s",
                    input, value->name, dti_spec_show(tensor->spec).text,
                    value->type);
}

/* Take extents of an input that are symbols; `known` tells which are set. */
static dt_status read_symbols(dt_executor *executor, int input,
                              const dt_tensor *tensor, int64_t *symbols,
                              bool *known)
{
    const dti_sizes *sizes = &executor->graph->sizes;
    const dti_graph_value *value =
        &executor->graph->values[executor->graph->inputs[input]];
    for (int i = 0; i < value->ndim; i++) {
        const int index = value->sizes[i].expression - 1;
        if (index < 0 || sizes->expressions[index].op != DTI_SIZE_SYMBOL)
            continue;
        const int symbol = sizes->expressions[index].a;
        const int64_t extent = tensor->spec->meta.shape.dims[i];
        const dti_symbol *range = &sizes->symbols[symbol];
        if (extent < range->min || extent > range->max)
            return dti_fail(executor->world, DT_ERR_INVALID,
                            "dt_executor_run: input %d (%s): dimension %d has "
                            "extent %lld; the program was exported for %s from "
                            "%lld to %lld",
                            input, value->name, i, (long long)extent,
                            range->name, (long long)range->min,
                            (long long)range->max);
        if (!known[symbol])
            symbols[symbol] = extent;
        known[symbol] = true;
    }
    return DT_OK;
}

static bool has_declared(const dti_graph_value *value, const dt_tensor *tensor)
{
    return tensor->spec->meta.dtype == value->dtype &&
           tensor->spec->meta.shape.ndim == value->ndim;
}

/* Compare extents that are not symbols by themselves. */
static bool has_extents(const dt_executor *executor,
                        const dti_graph_value *value, const dt_tensor *tensor)
{
    for (int i = 0; i < value->ndim; i++)
        if (tensor->spec->meta.shape.dims[i] !=
            dti_size_value(value->sizes[i], executor->sizes))
            return false;
    return true;
}

static dt_status check_given(const dt_executor *executor,
                             dt_tensor *const *inputs, int count, int capacity)
{
    const dt_graph *graph = executor->graph;
    if (count != graph->input_count)
        return dti_fail(executor->world, DT_ERR_INVALID,
                        "dt_executor_run: expected %d inputs, got %d",
                        graph->input_count, count);
    if (capacity < dt_graph_output_count(graph))
        return dti_fail(executor->world, DT_ERR_INVALID,
                        "dt_executor_run: capacity for %d outputs; the program "
                        "has %d",
                        capacity, dt_graph_output_count(graph));
    for (int i = 0; i < count; i++) {
        if (!dti_handle_usable(inputs[i], "dt_executor_run"))
            return DT_ERR_INVALID;
        if (!inputs[i])
            return dti_fail_null(executor->world, "dt_executor_run", "input");
        const dti_graph_value *value = &graph->values[graph->inputs[i]];
        const dt_mesh *mesh = value->spec ? value->spec->mesh : executor->mesh;
        if (inputs[i]->world != executor->world ||
            !dt_mesh_equal(inputs[i]->spec->mesh, mesh))
            return dti_fail(executor->world, DT_ERR_INVALID,
                            "dt_executor_run: input %d (%s) is on another mesh "
                            "than the executor",
                            i, value->name);
        if (!has_declared(value, inputs[i]))
            return fail_input(executor, i, inputs[i]);
    }
    return DT_OK;
}

/* Compute all sizes from the extents of the inputs, if these are others than in
 * the run before. */
static dt_status bind_sizes(dt_executor *executor, dt_tensor *const *inputs)
{
    const dt_graph *graph = executor->graph;
    const int count = graph->sizes.symbol_count;
    int64_t *symbols = executor->given;
    bool *known = executor->known;
    dt_status status = DT_OK;
    int failed = 0;
    memset(symbols, 0, (size_t)count * sizeof *symbols);
    memset(known, 0, (size_t)count * sizeof *known);
    for (int i = 0; status == DT_OK && i < graph->input_count; i++)
        status = read_symbols(executor, i, inputs[i], symbols, known);
    if (status != DT_OK)
        return status;
    if (executor->bound && memcmp(symbols, executor->symbols,
                                  (size_t)count * sizeof *symbols) == 0)
        return DT_OK;
    executor->bound = false;
    if (!dti_sizes_compute(&graph->sizes, symbols, executor->sizes, &failed))
        return dti_fail(executor->world, DT_ERR_INVALID,
                        "dt_executor_run: a size of the program cannot be "
                        "computed from the extents of its inputs");
    memcpy(executor->symbols, symbols, (size_t)count * sizeof *symbols);
    dti_executor_bind(executor);
    executor->bound = true;
    return DT_OK;
}

static dt_status check_state(const dt_executor *executor)
{
    const dt_graph *graph = executor->graph;
    for (int i = 0; i < graph->value_count; i++) {
        const dti_graph_value *value = &graph->values[i];
        if (value->kind != DT_GRAPH_INPUT && value->kind != DT_GRAPH_RESULT &&
            !executor->slots[i])
            return dti_fail(executor->world, DT_ERR_INVALID,
                            "dt_executor_run: the archive carries no weights "
                            "for %s; set it with dt_executor_set_state",
                            value->path);
    }
    return DT_OK;
}

static dt_status take_inputs(dt_executor *executor, dt_tensor *const *inputs,
                             int count, int capacity)
{
    const dt_graph *graph = executor->graph;
    DTI_TRY(check_given(executor, inputs, count, capacity));
    DTI_TRY(check_state(executor));
    DTI_TRY(bind_sizes(executor, inputs));
    for (int i = 0; i < count; i++) {
        if (!has_extents(executor, &graph->values[graph->inputs[i]], inputs[i]))
            return fail_input(executor, i, inputs[i]);
        executor->slots[graph->inputs[i]] = inputs[i];
    }
    return DT_OK;
}

/* ---- Steps -------------------------------------------------------------- */

static dt_status fail_results(const dt_executor *executor, const dti_step *step,
                              int given)
{
    return dti_fail(executor->world, DT_ERR_INVALID,
                    "node %s (%s, module %s): %d results instead of %d",
                    step->name, step->op->schema.name, step->module, given,
                    step->result_count);
}

static dt_status run_step(dt_executor *executor, const dti_step *step)
{
    dt_tensor **results = executor->results, **slots = executor->slots;
    int given = 0;
    DTI_TRY(dti_op_call(executor->world, step->op, step->variant,
                        step->arguments, results, step->result_count, &given));
    if (given < step->result_count)
        return fail_results(executor, step, given);
    for (int i = 0; i < step->result_count; i++)
        if (step->results[i] >= 0)
            slots[step->results[i]] = results[i];
        else
            dt_tensor_release_early(results[i]);
    for (int i = 0; i < step->finished_count; i++) {
        dt_tensor_release_early(slots[step->finished[i]]);
        slots[step->finished[i]] = NULL;
    }
    return DT_OK;
}

static dt_status run_steps(dt_executor *executor)
{
    const int count = executor->graph->node_count;
    const dti_patch *patch = executor->patches;
    for (int i = 0; i < count; i++) {
        for (const dti_patch *end = executor->patches + executor->patch_ends[i];
             patch < end; patch++)
            *patch->place = executor->slots[patch->value];
        DTI_TRY(run_step(executor, &executor->steps[i]));
    }
    return DT_OK;
}

/* ---- Outputs ------------------------------------------------------------ */

static dt_status call_one(dt_executor *executor, dti_operator *op,
                          dt_variant variant, dt_tensor *first,
                          dt_tensor *second, dt_tensor **out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = first},
        {.kind = DT_ARG_TENSOR, .as.tensor = second}};
    int given;
    return dti_op_call(executor->world, op, variant, arguments, out, 1, &given);
}

/* Tell whether a value has memory of its own. */
static bool is_fresh(const dt_graph *graph, const dti_graph_value *value)
{
    return value->kind == DT_GRAPH_RESULT &&
           !(graph->nodes[value->node].op->op->flags & DT_OP_VIEW);
}

/* Tell whether a value is, or may share memory with, what a buffer is or
 * becomes. */
static bool is_buffer(const dt_executor *executor, int value)
{
    const dt_graph *graph = executor->graph;
    const int root = executor->roots[value];
    for (int i = 0; i < graph->output_count; i++)
        if (graph->outputs[i].kind == DT_GRAPH_BUFFER_WRITTEN &&
            executor->roots[graph->outputs[i].value] == root)
            return true;
    return graph->values[root].kind == DT_GRAPH_BUFFER;
}

/* Make an output a tensor that the caller may keep: a copy of a buffer, a view
 * of an input, of another state or of another output. */
static dt_status separate(dt_executor *executor, int output, dt_tensor **tensor)
{
    const dt_graph *graph = executor->graph;
    const int value = graph->outputs[output].value;
    bool shared = graph->values[value].kind != DT_GRAPH_RESULT;
    for (int i = 0; i < output && !shared; i++)
        shared = graph->outputs[i].value == value;
    if (is_buffer(executor, value))
        return call_one(executor, executor->clone, DT_VARIANT_NEW, *tensor,
                        NULL, tensor);
    return shared ? call_one(executor, executor->alias, DT_VARIANT_NEW, *tensor,
                             NULL, tensor)
                  : DT_OK;
}

/* Hand outputs to the caller. */
static dt_status return_outputs(dt_executor *executor, dt_tensor **outputs)
{
    const dt_graph *graph = executor->graph;
    int count = 0;
    for (int i = 0; i < graph->output_count; i++) {
        dt_tensor *tensor = executor->slots[graph->outputs[i].value];
        if (graph->outputs[i].kind != DT_GRAPH_RETURNED)
            continue;
        DTI_TRY(separate(executor, i, &tensor));
        outputs[count++] = tensor;
    }
    for (int i = 0; i < count; i++)
        dt_scope_keep(outputs[i]);
    return DT_OK;
}

/* Replace buffers, and write to inputs, after all was computed. */
static dt_status write_state(dt_executor *executor)
{
    const dt_graph *graph = executor->graph;
    for (int i = 0; i < graph->output_count; i++) {
        const dti_graph_output *output = &graph->outputs[i];
        dt_tensor *tensor = executor->slots[output->value];
        if (output->kind == DT_GRAPH_INPUT_WRITTEN)
            DTI_TRY(call_one(executor, executor->copy, DT_VARIANT_IN_PLACE,
                             executor->slots[output->target], tensor, &tensor));
        if (output->kind != DT_GRAPH_BUFFER_WRITTEN ||
            tensor == executor->slots[output->target])
            continue;
        if (!is_fresh(graph, &graph->values[output->value]))
            DTI_TRY(call_one(executor, executor->clone, DT_VARIANT_NEW, tensor,
                             NULL, &tensor));
        take(executor, output->target, tensor);
    }
    return DT_OK;
}

/* Bring inputs to the layouts of the capture: what the program computes may
 * depend on them. */
static dt_status arrange_inputs(dt_executor *executor)
{
    const dt_graph *graph = executor->graph;
    for (int i = 0; i < graph->input_count; i++) {
        const int value = graph->inputs[i];
        const dt_spec *spec = graph->values[value].spec;
        dt_tensor *tensor = executor->slots[value];
        if (!spec || tensor->spec == spec)
            continue;
        executor->slots[value] =
            dt_redistribute(tensor, dti_layout_show(&spec->layout).text);
        if (!executor->slots[value])
            return dti_failure_of(executor->world);
    }
    return DT_OK;
}

static dt_status run(dt_executor *executor, dt_tensor **outputs)
{
    DTI_TRY(arrange_inputs(executor));
    DTI_TRY(run_steps(executor));
    dt_status status = return_outputs(executor, outputs);
    return status == DT_OK ? write_state(executor) : status;
}

/* Forget tensors of a run, which the scope owned. */
static void clear_slots(dt_executor *executor)
{
    for (int i = 0; i < executor->graph->value_count; i++)
        if (!executor->owned[i])
            executor->slots[i] = NULL;
}

dt_status dt_executor_run(dt_executor *executor, dt_tensor *const *inputs,
                          int input_count, dt_tensor **outputs, int capacity)
{
    DTI_ENTRY();
    if (!dti_handle_usable(executor, __func__))
        return DT_ERR_INVALID;
    if (!executor)
        return dti_fail_null(NULL, __func__, "executor");
    DTI_TRY(take_inputs(executor, inputs, input_count, capacity));
    dt_scope *scope = dt_scope_open(executor->world);
    if (!scope)
        return dti_failure_of(executor->world);
    dt_status status = run(executor, outputs);
    dt_status closed = dt_scope_close(scope);
    clear_slots(executor);
    return status != DT_OK ? status : closed;
}

/* ---- State by name ------------------------------------------------------ */

static int find_state(const dt_executor *executor, const char *name)
{
    const dt_graph *graph = executor->graph;
    for (int i = 0; name && i < graph->value_count; i++)
        if (graph->values[i].path && strcmp(graph->values[i].path, name) == 0)
            return i;
    return -1;
}

static dt_status fail_name(const dt_executor *executor, const char *function,
                           const char *name)
{
    return dti_fail(executor->world, DT_ERR_NOT_FOUND,
                    "%s: the graph has no parameter, buffer or constant named "
                    "\"%.200s\"",
                    function, name ? name : "(NULL)");
}

dt_tensor *dt_executor_state(const dt_executor *executor, const char *name)
{
    DTI_ENTRY();
    if (!dti_handle_usable(executor, __func__))
        return NULL;
    if (!executor)
        return (void)dti_fail_null(NULL, __func__, "executor"), NULL;
    const int value = find_state(executor, name);
    if (value < 0)
        return (void)fail_name(executor, __func__, name), NULL;
    return executor->slots[value];
}

/* Tell whether two states are one: their elements are the same memory. */
static bool are_tied(const dt_array *a, const dt_array *b)
{
    return a && b && a->storage == b->storage && a->offset == b->offset &&
           dt_shape_equal(a->shape, b->shape);
}

/* Take a tensor of the caller; a copy of it if runs overwrite the buffer. */
static dt_status take_given(dt_executor *executor, int value, dt_tensor *tensor)
{
    dt_tensor *copy = NULL;
    if (!is_written(executor->graph, value)) {
        take(executor, value, tensor);
        return DT_OK;
    }
    DTI_TRY(call_one(executor, executor->clone, DT_VARIANT_NEW, tensor, NULL,
                     &copy));
    take(executor, value, copy);
    dt_tensor_release_early(copy);
    return DT_OK;
}

dt_status dt_executor_set_state(dt_executor *executor, const char *name,
                                dt_tensor *tensor)
{
    DTI_ENTRY();
    if (!dti_handle_usable(executor, __func__) ||
        !dti_handle_usable(tensor, __func__))
        return DT_ERR_INVALID;
    if (!executor || !tensor)
        return dti_fail_null(executor ? executor->world : NULL, __func__,
                             executor ? "tensor" : "executor");
    const dt_graph *graph = executor->graph;
    const int value = find_state(executor, name);
    if (value < 0)
        return fail_name(executor, __func__, name);
    if (!dt_mesh_equal(tensor->spec->mesh, executor->mesh) ||
        !has_declared(&graph->values[value], tensor) ||
        !has_extents(executor, &graph->values[value], tensor))
        return dti_fail(executor->world, DT_ERR_INVALID,
                        "dt_executor_set_state: %s is %s; expected a tensor on "
                        "the mesh of the executor, as the program declares: %s",
                        name, dti_spec_show(tensor->spec).text,
                        graph->values[value].type);
    for (int i = 0; i < graph->value_count; i++)
        if (i == value ||
            are_tied(graph->values[i].array, graph->values[value].array))
            DTI_TRY(take_given(executor, i, tensor));
    return DT_OK;
}
