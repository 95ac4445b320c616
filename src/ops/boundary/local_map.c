/* ops/boundary/local_map.c - functions of local tensors, on tensors. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/local_map.h>

#include <stdlib.h>
#include <string.h>

#include <dtensor/redistribute.h>

#include "base/error.h"
#include "base/handles.h"
#include "base/options.h"
#include "comm/comm.h"
#include "op/call/dispatch.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/tables.h"
#include "ops/numbers.h"
#include "tensor/view.h"

/* ---- What is given ------------------------------------------------------ */

static dt_status check(dt_tensor *const *inputs, int input_count,
                       int output_count, const dt_local_map_options *options)
{
    const dt_spec *first = inputs[0]->spec;
    dt_world *world = inputs[0]->world;
    for (int i = 1; i < input_count; i++)
        if (inputs[i]->spec->mesh != first->mesh &&
            !dt_mesh_equal(inputs[i]->spec->mesh, first->mesh))
            return dti_fail(world, DT_ERR_INVALID,
                            "dt_local_map: input %d, %s, is on a different "
                            "mesh than input 0",
                            i, dti_spec_show(inputs[i]->spec).text);
    if (output_count > 0 && !options->out_layouts)
        return dti_fail(world, DT_ERR_INVALID,
                        "dt_local_map: out_layouts is NULL; it is required");
    for (int i = 0; i < output_count; i++)
        if (!options->out_layouts[i])
            return dti_fail(world, DT_ERR_INVALID,
                            "dt_local_map: the layout of output %d is NULL; it "
                            "is required",
                            i);
    return DT_OK;
}

/* An input as the function wants it; NULL on failure. */
static dt_tensor *arrange(dt_tensor *input, int index,
                          const dt_local_map_options *options)
{
    const char *wanted =
        options->in_layouts ? options->in_layouts[index] : NULL;
    dt_spec *to = NULL;
    if (!wanted)
        return input;
    if (dt_spec_with_layout(input->spec, wanted, &to) != DT_OK)
        return NULL;
    bool there = to == input->spec;
    dt_spec_release(to);
    if (there)
        return input;
    if (options->redistribute)
        return dt_redistribute(input, wanted);
    dti_fail(input->world, DT_ERR_INVALID,
             "dt_local_map: input %d, %s, does not have layout %s; "
             "redistribute it, or set the option redistribute",
             index, dti_spec_show(input->spec).text, wanted);
    return NULL;
}

/* The local part of an input, whose gradient is given a layout. */
static dt_tensor *take_local(dt_tensor *input, int index,
                             const dt_local_map_options *options)
{
    dt_to_local_options to = DT_TO_LOCAL_OPTIONS_INIT;
    if (options->in_grad_layouts)
        to.grad_layout = options->in_grad_layouts[index];
    return dt_to_local_with(input, &to);
}

/* ---- What is got -------------------------------------------------------- */

static dt_tensor *take(dt_mesh *mesh, dt_tensor *local, int index,
                       const dt_local_map_options *options)
{
    dt_from_local_options from = DT_FROM_LOCAL_OPTIONS_INIT;
    dt_meta meta;
    if (!local) {
        dti_fail(mesh->world, DT_ERR_INVALID,
                 "dt_local_map: the function did not set output %d", index);
        return NULL;
    }
    if (options->out_shapes) {
        meta = dt_meta_of(local->spec->meta.dtype, options->out_shapes[index]);
        from.shape = &meta.shape;
        from.strides = meta.strides;
    }
    return dt_from_local_tensor(mesh, options->out_layouts[index], local,
                                &from);
}

/* A rank outside the mesh does not know what the others computed: it gets
 * tensors without elements. */
static dt_status take_nothing(dt_tensor *like, dt_tensor **outputs,
                              int output_count)
{
    const dt_layout layout = dti_layout_replicated(like->spec->layout.ndim);
    dt_spec *spec = NULL;
    dt_array *empty = NULL;
    dt_status status = DT_OK;
    dt_meta meta = dt_meta_of(like->spec->meta.dtype, DT_SHAPE(0));
    DTI_TRY(dt_spec_create_with(like->spec->mesh, &layout, &meta, &spec));
    status = dti_tensor_create_local(spec, &empty);
    for (int i = 0; status == DT_OK && i < output_count; i++) {
        outputs[i] = dti_tensor_make(spec, empty);
        status = outputs[i] ? DT_OK : DT_ERR_NO_MEMORY;
    }
    dt_array_release(empty);
    dt_spec_release(spec);
    return status;
}

/* ---- All of it ---------------------------------------------------------- */

/* What the function reads has to be there, and as it is in the tensor that it
 * is a view of. */
static dt_status settle(const dt_tensor *tensor)
{
    dt_status status = dti_tensor_read(tensor);
    if (status == DT_OK)
        status = dti_array_settle(tensor->world, tensor->local);
    return dti_collective_end_on(tensor->spec->mesh, status);
}

/* Arrange all inputs, each rank the same ones in the same order. */
static dt_status arrange_all(dt_tensor *const *inputs, int count,
                             const dt_local_map_options *options,
                             dt_tensor **locals)
{
    for (int i = 0; i < count; i++) {
        dt_tensor *one = arrange(inputs[i], i, options);
        if (one)
            DTI_TRY(settle(one));
        locals[i] = take_local(one, i, options);
        if (!locals[i])
            return dti_failure_of(inputs[0]->world);
    }
    return DT_OK;
}

static dt_status run(dt_local_function function, dt_mesh *mesh,
                     dt_tensor *const *locals, int input_count,
                     dt_tensor **outputs, int output_count,
                     const dt_local_map_options *options)
{
    dt_world *world = mesh->world;
    /* What the function calls by itself serves no mesh. */
    dti_service before = dti_comm_serve(world, (dti_service){0});
    dt_status status = function(world, locals, input_count, outputs,
                                output_count, options->arg);
    dti_comm_serve(world, before);
    if (status != DT_OK)
        return status;
    for (int i = 0; i < output_count; i++) {
        outputs[i] = take(mesh, outputs[i], i, options);
        if (!outputs[i])
            return dti_failure_of(world);
    }
    return DT_OK;
}

/* The function of a call, with what it is given. */
struct dt_local_call {
    dt_local_function function;
    const dt_local_map_options *options;
    int output_count;
};

static dt_status map(const dt_operation *operation,
                     const struct dt_local_call *call, dt_tensor **locals)
{
    dt_tensor *const *inputs = operation->inputs;
    dt_tensor **outputs = operation->outputs;
    const int count = operation->input_count;
    dt_mesh *mesh = inputs[0]->spec->mesh;
    DTI_TRY(dti_collective_begin(
        mesh, arrange_all(inputs, count, call->options, locals)));
    if (mesh->place < 0)
        return take_nothing(inputs[0], outputs, call->output_count);
    return dti_collective_end_on(mesh, run(call->function, mesh, locals, count,
                                           outputs, call->output_count,
                                           call->options));
}

static dt_status local_map(dt_operation *operation)
{
    const struct dt_local_call *call =
        dti_argument(operation, "function")->as.function;
    const int count = operation->input_count;
    const dt_mesh *mesh = operation->inputs[0]->spec->mesh;
    const size_t bytes = (size_t)count * sizeof(dt_tensor *);
    DTI_TRY(check(operation->inputs, count, call->output_count, call->options));
    dt_tensor **locals = malloc(bytes);
    if (!locals)
        return dti_collective_begin(mesh,
                                    dti_fail_memory(operation->world, bytes,
                                                    "the parts of "
                                                    "dt_local_map"));
    dt_status status = map(operation, call, locals);
    operation->result_count = call->output_count;
    free(locals);
    return status;
}

dt_status dt_local_map(dt_local_function function, dt_tensor *const *inputs,
                       int input_count, dt_tensor **outputs, int output_count,
                       const dt_local_map_options *options)
{
    DTI_ENTRY();
    for (int i = 0; i < input_count; i++)
        if (!inputs[i])
            return DT_ERR_INVALID; /* what gave NULL said why */
    if (input_count < 1)
        return DT_ERR_INVALID;
    dt_world *world = inputs[0]->world;
    dt_local_map_options usual = DT_LOCAL_MAP_OPTIONS_INIT;
    options = dti_options_read(world, options, &usual, sizeof usual,
                               "DT_LOCAL_MAP_OPTIONS_INIT");
    if (!options)
        return DT_ERR_INVALID;
    const struct dt_local_call call = {function, options, output_count};
    const dt_argument arguments[] = {
        {.kind = DT_ARG_FUNCTION, .as.function = &call},
        {.kind = DT_ARG_TENSORS, .count = input_count, .as.tensors = inputs}};
    for (int i = 0; i < output_count; i++)
        outputs[i] = NULL;
    return dti_collective_begin(inputs[0]->spec->mesh,
                                dti_op_call_boundary(world, OP_LOCAL_MAP,
                                                     DT_VARIANT_NEW, arguments,
                                                     outputs, output_count));
}

const dt_op dti_ops_local_map[] = {
    {
        .schema = "local_map(Function function, Tensor[] inputs) -> Tensor[]",
        .aten = "",
        .about = "Call a C function with local tensors, and create distributed "
                 "tensors from its results.",
        .flags = DT_OP_BY_HAND,
        .compose = local_map,
    },
    {0},
};
