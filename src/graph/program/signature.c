/* graph/program/signature.c - inputs, state and outputs of a program. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "array/array.h"
#include "base/error.h"
#include "graph/program/program.h"

/* ---- Values ------------------------------------------------------------- */

/* Tensors of another device, by default, are a problem: one, not thousands. */
static void check_device(dti_loading *loading, const dti_raw_node *node,
                         const dti_raw_name *name)
{
    if (loading->options.any_device || loading->foreign ||
        !*name->meta.device || strcmp(name->meta.device, "cpu") == 0)
        return;
    loading->foreign = true;
    dti_problem_add(&loading->problems, DT_ERR_UNSUPPORTED, node,
                    "tensor %s is on the device %s; export on the CPU, or load "
                    "with any_device",
                    name->name, name->meta.device);
}

bool dti_describe_value(dti_loading *loading, const dti_raw_node *node,
                        const dti_raw_name *name, dti_graph_value *out)
{
    dti_problems *problems = &loading->problems;
    const dti_raw_meta *meta = &name->meta;
    *out = (dti_graph_value){.kind = DT_GRAPH_RESULT, .node = -1};
    out->name = dti_graph_text(loading->graph, name->name);
    out->dtype = dti_dtype_of_torch(meta->dtype);
    out->ndim = meta->ndim;
    memcpy(out->sizes, meta->sizes, sizeof out->sizes);
    check_device(loading, node, name);
    if (!name->has_meta)
        dti_problem_add(problems, DT_ERR_FORMAT, node,
                        "tensor %s is not described in tensor_values",
                        name->name);
    else if (out->dtype == DT_DTYPE_COUNT)
        dti_problem_add(problems, DT_ERR_UNSUPPORTED, node,
                        "tensor %s has dtype %lld of PyTorch, which is not "
                        "supported",
                        name->name, (long long)meta->dtype);
    else if (meta->layout != 7 && meta->layout >= 0)
        dti_problem_add(problems, DT_ERR_UNSUPPORTED, node,
                        "tensor %s is sparse (layout %lld)", name->name,
                        (long long)meta->layout);
    else if (meta->fault)
        dti_problem_add(problems, DT_ERR_UNSUPPORTED, node, "tensor %s: %s",
                        name->name, meta->fault);
    else
        return out->name != NULL;
    return false;
}

/* ---- Inputs ------------------------------------------------------------- */

/* What becomes of each kind of input. */
static const struct {
    const char *tag;
    dt_graph_value_kind kind;
    bool state; /* its elements are in the archive */
} input_kinds[] = {
    {"parameter", DT_GRAPH_PARAMETER, true},
    {"buffer", DT_GRAPH_BUFFER, true},
    {"tensor_constant", DT_GRAPH_CONSTANT, true},
    {"user_input", DT_GRAPH_INPUT, false},
};

/* Extents of an input that are symbols by themselves are known by it. */
static void bind_symbols(dt_graph *graph, const dti_graph_value *value)
{
    for (int i = 0; i < value->ndim; i++) {
        const int index = value->sizes[i].expression - 1;
        if (index >= 0 && graph->sizes.expressions[index].op == DTI_SIZE_SYMBOL)
            graph->sizes.symbols[graph->sizes.expressions[index].a].bound =
                true;
    }
}

/* The elements of a parameter are of the shape that the program expects. */
static void check_elements(dti_loading *loading, const dti_graph_value *value)
{
    const dt_array *array = value->array;
    bool same =
        array->dtype == value->dtype && array->shape.ndim == value->ndim;
    for (int i = 0; same && i < value->ndim; i++)
        same = !value->sizes[i].expression &&
               value->sizes[i].number == array->shape.dims[i];
    if (!same)
        dti_problem_add(&loading->problems, DT_ERR_FORMAT, NULL,
                        "weight %s has another dtype or shape than input %s",
                        value->path, value->name);
}

static dt_status add_input(dti_loading *loading, const dti_raw_spec *spec,
                           dt_graph_value_kind kind, bool state)
{
    dt_graph *graph = loading->graph;
    dti_raw_name *name = dti_raw_find(&loading->raw, spec->value);
    dti_graph_value value;
    if (!name || name->value >= 0) {
        dti_problem_add(&loading->problems, DT_ERR_FORMAT, NULL,
                        "input %s is %s", spec->value,
                        name ? "listed twice" : "not described");
        return DT_OK;
    }
    if (!dti_describe_value(loading, NULL, name, &value))
        return DT_OK;
    value.kind = kind;
    if (state) {
        value.path = dti_graph_text(graph, spec->target ? spec->target : "");
        DTI_TRY(dti_payload_find(loading, value.path ? value.path : "",
                                 &value.array));
        if (value.array)
            check_elements(loading, &value);
    }
    dt_status status = dti_graph_add_value(graph, &value, &name->value);
    dt_array_release(value.array);
    DTI_TRY(status);
    bind_symbols(graph, &value);
    return state ? DT_OK : dti_graph_add_input(graph, name->value);
}

static dt_status read_input(dti_loading *loading, const dti_raw_spec *spec)
{
    const size_t count = DTI_COUNT_OF(input_kinds);
    size_t i = 0;
    if (strcmp(spec->tag, "constant_input") == 0 || spec->none)
        return DT_OK; /* fixed when the program was exported */
    while (i < count && strcmp(spec->tag, input_kinds[i].tag) != 0)
        i++;
    if (i == count)
        dti_problem_add(&loading->problems, DT_ERR_UNSUPPORTED, NULL,
                        "an input is a %s, which is not supported", spec->tag);
    else if (!spec->value)
        dti_problem_add(&loading->problems, DT_ERR_UNSUPPORTED, NULL,
                        "an input is not a tensor (%s)",
                        spec->kind ? spec->kind : "no argument");
    else
        return add_input(loading, spec, input_kinds[i].kind,
                         input_kinds[i].state);
    return DT_OK;
}

dt_status dti_signature_inputs(dti_loading *loading)
{
    const dti_raw_program *raw = &loading->raw;
    if (raw->input_specs.count != raw->inputs.count ||
        raw->output_specs.count != raw->outputs.count)
        return dti_fail(loading->world, DT_ERR_FORMAT,
                        "%s: the signature has %d inputs and %d outputs, the "
                        "graph %d and %d",
                        loading->path, raw->input_specs.count,
                        raw->output_specs.count, raw->inputs.count,
                        raw->outputs.count);
    for (int i = 0; i < raw->input_specs.count; i++)
        DTI_TRY(read_input(loading, &raw->input_specs.items[i]));
    return DT_OK;
}

/* ---- Outputs ------------------------------------------------------------ */

/* What becomes of each kind of output. */
static const struct {
    const char *tag;
    dt_graph_output_kind kind;
} output_kinds[] = {
    {"user_output", DT_GRAPH_RETURNED},
    {"buffer_mutation", DT_GRAPH_BUFFER_WRITTEN},
    {"user_input_mutation", DT_GRAPH_INPUT_WRITTEN},
};

/* Find what an output replaces: a buffer by its qualified name, an input by the
 * name of its value. */
static int find_target(const dti_loading *loading, const dti_raw_spec *spec,
                       dt_graph_output_kind kind)
{
    const dt_graph *graph = loading->graph;
    for (int i = 0; spec->target && i < graph->value_count; i++) {
        const dti_graph_value *value = &graph->values[i];
        const char *name = kind == DT_GRAPH_BUFFER_WRITTEN ? value->path
                           : value->kind == DT_GRAPH_INPUT ? value->name
                                                           : NULL;
        if (name && strcmp(name, spec->target) == 0)
            return i;
    }
    return -1;
}

static dt_status add_output(dti_loading *loading, const dti_raw_spec *spec,
                            dt_graph_output_kind kind)
{
    const dti_raw_name *name =
        spec->value ? dti_raw_find(&loading->raw, spec->value) : NULL;
    const int target =
        kind == DT_GRAPH_RETURNED ? -1 : find_target(loading, spec, kind);
    const dti_graph_output output = {
        .kind = kind, .value = name ? name->value : -1, .target = target};
    if (!spec->value)
        dti_problem_add(&loading->problems, DT_ERR_UNSUPPORTED, NULL,
                        "an output is not a tensor (%s)",
                        spec->kind ? spec->kind : "no argument");
    else if (output.value < 0 && loading->problems.count == 0)
        dti_problem_add(&loading->problems, DT_ERR_FORMAT, NULL,
                        "output %s is not computed by any node", spec->value);
    else if (kind != DT_GRAPH_RETURNED && target < 0)
        dti_problem_add(&loading->problems, DT_ERR_FORMAT, NULL,
                        "output %s replaces %s, which is no %s", spec->value,
                        spec->target ? spec->target : "nothing",
                        kind == DT_GRAPH_BUFFER_WRITTEN ? "buffer" : "input");
    else if (output.value >= 0)
        return dti_graph_add_output(loading->graph, &output);
    return DT_OK;
}

dt_status dti_signature_outputs(dti_loading *loading)
{
    const dti_raw_specs *specs = &loading->raw.output_specs;
    const size_t count = DTI_COUNT_OF(output_kinds);
    for (int i = 0; i < specs->count; i++) {
        const dti_raw_spec *spec = &specs->items[i];
        size_t k = 0;
        while (k < count && strcmp(spec->tag, output_kinds[k].tag) != 0)
            k++;
        if (k == count)
            dti_problem_add(&loading->problems, DT_ERR_UNSUPPORTED, NULL,
                            "an output is a %s, which is not supported",
                            spec->tag);
        else if (!spec->none)
            DTI_TRY(add_output(loading, spec, output_kinds[k].kind));
    }
    return DT_OK;
}
