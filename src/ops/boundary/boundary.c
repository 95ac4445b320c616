/* ops/boundary/boundary.c - where tensors change layout, or cross between the
 * mesh and this rank. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <string.h>

#include <dtensor/ops.h>

#include "base/error.h"
#include "base/handles.h"
#include "base/options.h"
#include "op/meta.h"
#include "ops/helpers/call.h"
#include "ops/helpers/place.h"
#include "ops/helpers/tables.h"
#include "ops/numbers.h"
#include "tensor/boundary.h"
#include "tensor/view.h"

/*
 * What is done is in the room `tensor`; here are the operators that do it, and
 * the C functions that call these.  So dispatch sees every call, by whatever
 * name, and whoever records calls is told of it.
 */

/* ---- Calls -------------------------------------------------------------- */

/* A list that may be missing. */
static dt_argument list_argument(const int64_t *values, int count)
{
    return values ? dti_arg_integers(values, count) : dti_arg_none();
}

static dt_tensor *call(dt_world *world, int number,
                       const dt_argument *arguments)
{
    dt_tensor *result = NULL;
    return dti_op_call_boundary(world, number, DT_VARIANT_NEW, arguments,
                                &result, 1) == DT_OK
               ? result
               : NULL;
}

/* The same of a collective operator: others are waiting if memory is short on
 * this rank alone, wherever it was asked for. */
static dt_tensor *call_together(const dt_mesh *mesh, int number,
                                const dt_argument *arguments)
{
    dt_tensor *result = NULL;
    dt_status status = dti_op_call_boundary(mesh->world, number, DT_VARIANT_NEW,
                                            arguments, &result, 1);
    return dti_collective_begin(mesh, status) == DT_OK ? result : NULL;
}

/* ---- Layouts ------------------------------------------------------------ */

/* The arguments of redistribute. */
enum {
    REDISTRIBUTE_SELF,
    REDISTRIBUTE_LAYOUT,
    REDISTRIBUTE_MESH,
    REDISTRIBUTE_DTYPE,
    REDISTRIBUTE_BACKWARD_DTYPE,
    REDISTRIBUTE_ASYNCHRONOUS,
    REDISTRIBUTE_OBJECTIVE,
    REDISTRIBUTE_PLANNER,
    REDISTRIBUTE_MEMORY_CAP,
    REDISTRIBUTE_ARGUMENTS
};

static dt_status redistribute(dt_operation *operation)
{
    const dt_argument *given = operation->arguments;
    const dt_dtype dtype = (dt_dtype)given[REDISTRIBUTE_DTYPE].as.integer;
    dt_redistribute_options options = DT_REDISTRIBUTE_OPTIONS_INIT;
    options.layout = dti_place_layout(operation);
    if (given[REDISTRIBUTE_MESH].kind == DT_ARG_MESH)
        options.mesh = given[REDISTRIBUTE_MESH].as.mesh;
    if (given[REDISTRIBUTE_DTYPE].kind == DT_ARG_INTEGER)
        options.forward_dtype = &dtype;
    options.asynchronous = given[REDISTRIBUTE_ASYNCHRONOUS].as.integer;
    options.objective = (dt_objective)given[REDISTRIBUTE_OBJECTIVE].as.integer;
    options.planner = (dt_planner)given[REDISTRIBUTE_PLANNER].as.integer;
    options.memory_cap = (size_t)given[REDISTRIBUTE_MEMORY_CAP].as.integer;
    operation->outputs[0] = dti_redistribute(operation->inputs[0], &options);
    return DT_OK;
}

static dt_tensor *call_redistribute(dt_tensor *tensor,
                                    const dt_redistribute_options *options)
{
    const dt_argument arguments[REDISTRIBUTE_ARGUMENTS] = {
        [REDISTRIBUTE_SELF] = dti_arg_tensor(tensor),
        [REDISTRIBUTE_LAYOUT] = dti_arg_layout(options->layout),
        [REDISTRIBUTE_MESH] = dti_arg_mesh(options->mesh),
        [REDISTRIBUTE_DTYPE] = dti_arg_optional_dtype(options->forward_dtype),
        [REDISTRIBUTE_BACKWARD_DTYPE] =
            dti_arg_optional_dtype(options->backward_dtype),
        [REDISTRIBUTE_ASYNCHRONOUS] = dti_arg_integer(options->asynchronous),
        [REDISTRIBUTE_OBJECTIVE] = dti_arg_integer(options->objective),
        [REDISTRIBUTE_PLANNER] = dti_arg_integer(options->planner),
        [REDISTRIBUTE_MEMORY_CAP] =
            dti_arg_integer((int64_t)options->memory_cap)};
    return call_together(tensor->spec->mesh, OP_REDISTRIBUTE, arguments);
}

/* Gradients are of floating-point or complex numbers. */
static dt_status check_backward_dtype(const dt_tensor *tensor,
                                      const dt_dtype *dtype)
{
    const dt_dtype_kind kind = dtype ? dt_dtype_kind_of(*dtype) : DT_KIND_FLOAT;
    const bool fits =
        kind == DT_KIND_COMPLEX ||
        (kind == DT_KIND_FLOAT && dt_tensor_dtype(tensor) != DT_C64);
    if (!dtype || fits)
        return DT_OK;
    return dti_fail(tensor->world, DT_ERR_INVALID,
                    "dt_redistribute_with: backward_dtype is %s, but gradients "
                    "of %s cannot be converted to it",
                    dt_dtype_name(*dtype),
                    dt_dtype_name(dt_tensor_dtype(tensor)));
}

dt_tensor *dt_redistribute_with(dt_tensor *tensor,
                                const dt_redistribute_options *options)
{
    DTI_ENTRY();
    dt_redistribute_options usual = DT_REDISTRIBUTE_OPTIONS_INIT;
    if (dti_given(tensor, __func__, "tensor") != DT_OK)
        return NULL;
    options = dti_options_read(tensor->world, options, &usual, sizeof usual,
                               "DT_REDISTRIBUTE_OPTIONS_INIT");
    if (!options)
        return NULL;
    if (check_backward_dtype(tensor, options->backward_dtype) != DT_OK)
        return NULL;
    return call_redistribute(tensor, options);
}

dt_tensor *dt_redistribute(dt_tensor *tensor, const char *layout)
{
    DTI_ENTRY();
    dt_redistribute_options options = DT_REDISTRIBUTE_OPTIONS_INIT;
    if (dti_given(tensor, __func__, "tensor") != DT_OK)
        return NULL;
    if (!layout) {
        dti_fail(tensor->world, DT_ERR_INVALID, "the layout is NULL");
        return NULL;
    }
    options.layout = layout;
    return call_redistribute(tensor, &options);
}

/* ---- Local tensors ------------------------------------------------------ */

static dt_status to_local(dt_operation *operation)
{
    operation->outputs[0] = dti_to_local(operation->inputs[0]);
    return DT_OK;
}

/* The arguments of to_local and full_tensor. */
enum { TO_LOCAL_SELF, TO_LOCAL_GRAD_LAYOUT, TO_LOCAL_ARGUMENTS };

/* Read options of to_local and full_tensor; false on failure. */
static bool read_local_options(const dt_tensor *tensor, const char *function,
                               const dt_to_local_options *options,
                               dt_argument *arguments)
{
    dt_to_local_options usual = DT_TO_LOCAL_OPTIONS_INIT;
    if (dti_given(tensor, function, "tensor") != DT_OK)
        return false;
    options = dti_options_read(tensor->world, options, &usual, sizeof usual,
                               "DT_TO_LOCAL_OPTIONS_INIT");
    if (!options)
        return false;
    arguments[TO_LOCAL_GRAD_LAYOUT] = dti_arg_layout(options->grad_layout);
    return true;
}

static dt_tensor *call_to_local(dt_tensor *tensor, const char *function,
                                const dt_to_local_options *options)
{
    dt_argument arguments[TO_LOCAL_ARGUMENTS] = {dti_arg_tensor(tensor)};
    return read_local_options(tensor, function, options, arguments)
               ? call(tensor->world, OP_TO_LOCAL, arguments)
               : NULL;
}

dt_tensor *dt_to_local(dt_tensor *tensor)
{
    DTI_ENTRY();
    return call_to_local(tensor, __func__, NULL);
}

dt_tensor *dt_to_local_with(dt_tensor *tensor,
                            const dt_to_local_options *options)
{
    DTI_ENTRY();
    return call_to_local(tensor, __func__, options);
}

static dt_status full_tensor(dt_operation *operation)
{
    dt_tensor *self = operation->inputs[0];
    const dt_layout whole = dti_layout_replicated(self->spec->layout.ndim);
    const char *text = dt_layout_text(operation->world, &whole);
    dt_tensor *replicated = text ? dt_redistribute(self, text) : NULL;
    dt_to_local_options options = DT_TO_LOCAL_OPTIONS_INIT;
    const dt_argument *given = &operation->arguments[TO_LOCAL_GRAD_LAYOUT];
    if (given->kind == DT_ARG_TEXT)
        options.grad_layout = given->as.text;
    operation->outputs[0] =
        replicated ? dt_to_local_with(replicated, &options) : NULL;
    return DT_OK;
}

static dt_tensor *call_full_tensor(dt_tensor *tensor, const char *function,
                                   const dt_to_local_options *options)
{
    dt_argument arguments[TO_LOCAL_ARGUMENTS] = {dti_arg_tensor(tensor)};
    return read_local_options(tensor, function, options, arguments)
               ? call_together(tensor->spec->mesh, OP_FULL_TENSOR, arguments)
               : NULL;
}

dt_tensor *dt_full_tensor(dt_tensor *tensor)
{
    DTI_ENTRY();
    return call_full_tensor(tensor, __func__, NULL);
}

dt_tensor *dt_full_tensor_with(dt_tensor *tensor,
                               const dt_to_local_options *options)
{
    DTI_ENTRY();
    return call_full_tensor(tensor, __func__, options);
}

/* The arguments of from_local: a tensor on this rank's own mesh, or an array.
 */
enum {
    FROM_LOCAL_TENSOR,
    FROM_LOCAL_ARRAY,
    FROM_LOCAL_MESH,
    FROM_LOCAL_LAYOUT,
    FROM_LOCAL_SHAPE,
    FROM_LOCAL_STRIDES,
    FROM_LOCAL_CHECK,
    FROM_LOCAL_GRAD_LAYOUT,
    FROM_LOCAL_ARGUMENTS
};

/* The array that is given, or that of the tensor. */
static dt_status find_array(const dt_operation *operation, dt_array **out)
{
    const dt_argument *array = &operation->arguments[FROM_LOCAL_ARRAY];
    const dt_tensor *tensor = operation->inputs[0];
    *out = array->kind == DT_ARG_ARRAY ? array->as.array : NULL;
    if (!tensor)
        return DT_OK;
    if (*out)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "takes a tensor or an array, not both");
    if (tensor->spec->mesh != dt_world_own_mesh(operation->world))
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "local, %s, must be on this rank's own mesh; dt_to_local returns "
            "such a tensor",
            dti_spec_show(tensor->spec).text);
    DTI_TRY(dti_tensor_read(tensor));
    *out = tensor->local;
    return DT_OK;
}

/* Tell a list, perhaps of a 0-d tensor, from the default. */
static bool is_given(const dt_argument *list)
{
    return list->kind == DT_ARG_INTEGERS && list->as.integers;
}

static dt_status from_local(dt_operation *operation)
{
    const dt_argument *given = operation->arguments;
    const dt_argument *dims = &given[FROM_LOCAL_SHAPE];
    dt_from_local_options options = DT_FROM_LOCAL_OPTIONS_INIT;
    dt_shape shape = {.ndim = dims->count};
    dt_array *local = NULL;
    dt_mesh *mesh = NULL;
    DTI_TRY(dti_place_mesh(operation, &mesh));
    DTI_TRY(find_array(operation, &local));
    if (is_given(dims)) {
        if (dims->count > 0 && dims->count <= DT_MAX_NDIM)
            memcpy(shape.dims, dims->as.integers,
                   (size_t)dims->count * sizeof *shape.dims);
        options.shape = &shape;
    }
    if (is_given(&given[FROM_LOCAL_STRIDES]))
        options.strides = given[FROM_LOCAL_STRIDES].as.integers;
    options.check = given[FROM_LOCAL_CHECK].as.integer;
    dt_tensor *result =
        dti_from_local(mesh, dti_place_layout(operation), local, &options);
    if (result && operation->inputs[0])
        DTI_TRY(dti_tensor_relate(result, operation->inputs[0], NULL));
    operation->outputs[0] = result;
    return DT_OK;
}

static dt_tensor *call_from_local(dt_mesh *mesh, const char *layout,
                                  dt_tensor *tensor, dt_array *array,
                                  const dt_from_local_options *options)
{
    const dt_shape *shape = options->shape;
    const dt_argument arguments[FROM_LOCAL_ARGUMENTS] = {
        [FROM_LOCAL_TENSOR] = dti_arg_optional_tensor(tensor),
        [FROM_LOCAL_ARRAY] = dti_arg_array(array),
        [FROM_LOCAL_MESH] = dti_arg_mesh(mesh),
        [FROM_LOCAL_LAYOUT] = dti_arg_layout(layout),
        [FROM_LOCAL_SHAPE] =
            list_argument(shape ? shape->dims : NULL, shape ? shape->ndim : 0),
        [FROM_LOCAL_STRIDES] =
            list_argument(options->strides, shape ? shape->ndim : 0),
        [FROM_LOCAL_CHECK] = dti_arg_integer(options->check),
        [FROM_LOCAL_GRAD_LAYOUT] = dti_arg_layout(options->grad_layout)};
    return call(mesh->world, OP_FROM_LOCAL, arguments);
}

dt_tensor *dt_from_local_with(dt_mesh *mesh, const char *layout,
                              dt_array *local,
                              const dt_from_local_options *options)
{
    DTI_ENTRY();
    dt_from_local_options usual = DT_FROM_LOCAL_OPTIONS_INIT;
    if (dti_given(mesh, __func__, "mesh") != DT_OK)
        return NULL;
    options = dti_options_read(mesh->world, options, &usual, sizeof usual,
                               "DT_FROM_LOCAL_OPTIONS_INIT");
    return options ? call_from_local(mesh, layout, NULL, local, options) : NULL;
}

dt_tensor *dt_from_local(dt_mesh *mesh, const char *layout, dt_array *local)
{
    DTI_ENTRY();
    const dt_from_local_options options = DT_FROM_LOCAL_OPTIONS_INIT;
    if (dti_given(mesh, __func__, "mesh") != DT_OK)
        return NULL;
    return call_from_local(mesh, layout, NULL, local, &options);
}

dt_tensor *dt_from_local_tensor(dt_mesh *mesh, const char *layout,
                                dt_tensor *local,
                                const dt_from_local_options *options)
{
    DTI_ENTRY();
    dt_from_local_options usual = DT_FROM_LOCAL_OPTIONS_INIT;
    if (dti_given(mesh, __func__, "mesh") != DT_OK ||
        dti_given(local, __func__, "local") != DT_OK)
        return NULL;
    options = dti_options_read(mesh->world, options, &usual, sizeof usual,
                               "DT_FROM_LOCAL_OPTIONS_INIT");
    return options ? call_from_local(mesh, layout, local, NULL, options) : NULL;
}

/* ---- Global arrays ------------------------------------------------------ */

/* The arguments of distribute. */
enum {
    DISTRIBUTE_ARRAY,
    DISTRIBUTE_MESH,
    DISTRIBUTE_LAYOUT,
    DISTRIBUTE_DTYPE,
    DISTRIBUTE_SIZE,
    DISTRIBUTE_SOURCE,
    DISTRIBUTE_ARGUMENTS
};

static dt_status distribute(dt_operation *operation)
{
    const dt_argument *given = operation->arguments;
    dt_mesh *mesh = NULL;
    dt_dtype dtype;
    dt_shape shape;
    DTI_TRY(dti_place_mesh(operation, &mesh));
    DTI_TRY(dti_place_dtype(operation, &dtype));
    DTI_TRY(dti_meta_shape(operation, DISTRIBUTE_SIZE, &shape));
    const dt_meta meta = dt_meta_of(dtype, shape);
    dt_array *array = given[DISTRIBUTE_ARRAY].kind == DT_ARG_ARRAY
                          ? given[DISTRIBUTE_ARRAY].as.array
                          : NULL;
    operation->outputs[0] =
        dti_distribute(mesh, dti_place_layout(operation), &meta, array,
                       (int)given[DISTRIBUTE_SOURCE].as.integer);
    return DT_OK;
}

dt_tensor *dt_distribute(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                         dt_shape shape, dt_array *array, int source)
{
    DTI_ENTRY();
    if (dti_given(mesh, __func__, "mesh") != DT_OK)
        return NULL;
    const dt_argument arguments[DISTRIBUTE_ARGUMENTS] = {
        [DISTRIBUTE_ARRAY] = dti_arg_array(array),
        [DISTRIBUTE_MESH] = dti_arg_mesh(mesh),
        [DISTRIBUTE_LAYOUT] = dti_arg_layout(layout),
        [DISTRIBUTE_DTYPE] = dti_arg_integer(dtype),
        [DISTRIBUTE_SIZE] = dti_arg_shape(&shape),
        [DISTRIBUTE_SOURCE] = dti_arg_integer(source)};
    return call_together(mesh, OP_DISTRIBUTE, arguments);
}

/* ---- Boxes --------------------------------------------------------------- */

/* The arguments of tensor_put; of ndim -1, this rank names no box. */
enum { PUT_SELF, PUT_ARRAY, PUT_NDIM, PUT_OFFSET, PUT_SIZE, PUT_ARGUMENTS };

/* The box of this rank; NULL if it names none. */
static const dt_box *read_box(const dt_argument *given, dt_box *out)
{
    const dt_argument *offset = &given[PUT_OFFSET], *size = &given[PUT_SIZE];
    *out = (dt_box){.ndim = (int)given[PUT_NDIM].as.integer};
    for (int i = 0; i < DT_MAX_NDIM && i < offset->count; i++)
        out->offset[i] = offset->as.integers[i];
    for (int i = 0; i < DT_MAX_NDIM && i < size->count; i++)
        out->size[i] = size->as.integers[i];
    return out->ndim < 0 ? NULL : out;
}

static dt_status tensor_put(dt_operation *operation)
{
    const dt_argument *given = operation->arguments;
    dt_tensor *self = operation->inputs[0];
    dt_tensor *to =
        operation->variant == DT_VARIANT_IN_PLACE ? self : dt_clone(self);
    dt_box box;
    if (!to)
        return dti_failure_of(operation->world);
    DTI_TRY(dti_tensor_put(to, read_box(given, &box),
                           given[PUT_ARRAY].kind == DT_ARG_ARRAY
                               ? given[PUT_ARRAY].as.array
                               : NULL));
    operation->outputs[0] = to;
    return DT_OK;
}

dt_status dt_tensor_put(dt_tensor *tensor, const dt_box *box,
                        const dt_array *array)
{
    static const dt_box none = {.ndim = -1};
    dt_tensor *result = NULL;
    DTI_TRY(dti_given(tensor, __func__, "tensor"));
    const dt_box *own = box ? box : &none;
    const dt_argument arguments[PUT_ARGUMENTS] = {
        [PUT_SELF] = dti_arg_tensor(tensor),
        [PUT_ARRAY] = dti_arg_array((dt_array *)(uintptr_t)array),
        [PUT_NDIM] = dti_arg_integer(own->ndim),
        [PUT_OFFSET] = dti_arg_integers(own->offset, DT_MAX_NDIM),
        [PUT_SIZE] = dti_arg_integers(own->size, DT_MAX_NDIM)};
    const dt_status status =
        dti_op_call_boundary(tensor->world, OP_TENSOR_PUT, DT_VARIANT_IN_PLACE,
                             arguments, &result, 1);
    return dti_collective_begin(tensor->spec->mesh, status);
}

/* ---- Gradients ---------------------------------------------------------- */

/* The layout of the gradient of a tensor: as given, or that of the tensor with
 * partial placements replicated. */
static const char *gradient_layout(const dt_backward_call *call,
                                   const dt_spec *spec, int argument)
{
    const dt_argument *given = &call->arguments[argument];
    if (given->kind == DT_ARG_TEXT && given->as.text)
        return given->as.text;
    const dt_layout layout = dti_layout_reduced(&spec->layout);
    return dt_layout_text(call->world, &layout);
}

static dt_status give_gradient(dt_backward_call *call, dt_tensor *gradient)
{
    call->gradients[0] = gradient;
    return gradient ? DT_OK : dti_failure_of(call->world);
}

/* The gradient goes back to the layout that the tensor came from, in a dtype of
 * its own or that of the tensor. */
static dt_status redistribute_backward(dt_backward_call *call)
{
    dt_redistribute_options options = DT_REDISTRIBUTE_OPTIONS_INIT;
    const dt_spec *spec = call->in_specs[0];
    const dt_layout layout = dti_layout_reduced(&spec->layout);
    const dt_argument *given = &call->arguments[REDISTRIBUTE_BACKWARD_DTYPE];
    const dt_dtype dtype = given->kind == DT_ARG_INTEGER
                               ? (dt_dtype)given->as.integer
                               : spec->meta.dtype;
    if (dt_tensor_dtype(call->grads[0]) != dtype)
        options.forward_dtype = &dtype;
    options.layout = dt_layout_text(call->world, &layout);
    options.mesh = spec->mesh;
    if (!options.layout)
        return DT_ERR_NO_MEMORY;
    return give_gradient(call, dt_redistribute_with(call->grads[0], &options));
}

/* The gradient of the local tensor is read as the local part of a gradient. */
static dt_status to_local_backward(dt_backward_call *call)
{
    const dt_spec *spec = call->in_specs[0];
    dt_from_local_options options = DT_FROM_LOCAL_OPTIONS_INIT;
    const dt_meta meta = dt_meta_of(spec->meta.dtype, spec->meta.shape);
    const char *layout = gradient_layout(call, spec, TO_LOCAL_GRAD_LAYOUT);
    if (!layout)
        return DT_ERR_NO_MEMORY;
    options.shape = &meta.shape;
    options.strides = meta.strides;
    return give_gradient(call, dt_from_local_tensor(spec->mesh, layout,
                                                    call->grads[0], &options));
}

/* The local part of the gradient; a partial one is reduced first. */
static dt_status from_local_backward(dt_backward_call *call)
{
    const char *layout =
        gradient_layout(call, call->out_specs[0], FROM_LOCAL_GRAD_LAYOUT);
    if (!layout)
        return DT_ERR_NO_MEMORY;
    dt_tensor *arranged = dt_redistribute(call->grads[0], layout);
    return give_gradient(call, arranged ? dt_to_local(arranged) : NULL);
}

/* Elements that are overwritten have a gradient of 0. */
static dt_status tensor_put_backward(dt_backward_call *call)
{
    dt_box box;
    const dt_box *own = read_box(call->arguments, &box);
    dt_tensor *grad = dt_clone(call->grads[0]);
    dt_array *zeros = NULL;
    if (!grad)
        return dti_failure_of(call->world);
    dt_status status = DT_OK;
    if (own)
        status = dt_array_create(call->world, dt_tensor_dtype(grad),
                                 dt_shape_make(box.ndim, box.size), &zeros);
    if (own && status == DT_OK)
        status = dt_array_fill(call->world, zeros, 0);
    status = dti_collective_begin(grad->spec->mesh, status);
    if (status == DT_OK)
        status = dt_tensor_put(grad, own, zeros);
    dt_array_release(zeros);
    return status == DT_OK ? give_gradient(call, grad) : status;
}

/* ---- Rows --------------------------------------------------------------- */

const dt_op dti_ops_boundary[] = {
    {
        .schema = "redistribute(Tensor self, Layout? layout, *, "
                  "Mesh? mesh=None, Dtype? forward_dtype=None, "
                  "Dtype? backward_dtype=None, bool asynchronous=false, int "
                  "objective=0, int planner=0, "
                  "int memory_cap=0) -> Tensor",
        .aten = "",
        .about = "Return the same tensor in another layout, on another mesh or "
                 "in another dtype.",
        .flags = DT_OP_BY_HAND | DT_OP_BOUNDARY,
        .compose = redistribute,
        .gradient = "self: function()",
        .backward = redistribute_backward,
    },
    {
        .schema = "to_local(Tensor self, *, Layout? grad_layout=None) -> "
                  "Tensor",
        .aten = "",
        .about = "Return this rank's local tensor, on the rank's own mesh.",
        .flags = DT_OP_BY_HAND | DT_OP_BOUNDARY,
        .compose = to_local,
        .gradient = "self: function()",
        .backward = to_local_backward,
    },
    {
        .schema = "full_tensor(Tensor self, *, Layout? grad_layout=None) -> "
                  "Tensor",
        .aten = "",
        .about = "Return the global tensor on every rank.",
        .flags = DT_OP_BY_HAND,
        .compose = full_tensor,
    },
    {
        .schema = "from_local(Tensor? local, Array? array, Mesh mesh, "
                  "Layout? layout, *, int[] shape=[], int[] strides=[], "
                  "bool check=false, Layout? grad_layout=None) -> Tensor",
        .aten = "",
        .about =
            "Create a tensor whose local tensor on this rank is the given one.",
        .flags = DT_OP_BY_HAND | DT_OP_BOUNDARY,
        .compose = from_local,
        .gradient = "local: function()",
        .backward = from_local_backward,
    },
    {
        .schema = "tensor_put(Tensor self, Array? array, int ndim, "
                  "int[] offset, int[] size) -> Tensor",
        .aten = "",
        .about = "Write a local array of each rank into a box of the global "
                 "tensor; with ndim -1 a rank writes nothing.",
        .arguments = "ndim: dimensions of the box; offset: first index of the "
                     "box in each dimension; size: extents of the box",
        .flags = DT_OP_BY_HAND | DT_OP_BOUNDARY | DT_OP_IN_PLACE,
        .compose = tensor_put,
        .gradient = "self: function()",
        .backward = tensor_put_backward,
    },
    {
        .schema = "distribute(Array? array, Mesh mesh, Layout? layout, "
                  "Dtype dtype, Shape size, int source) -> Tensor",
        .aten = "",
        .about =
            "Distribute an array of one rank, or of all ranks, over a mesh.",
        .arguments = "source: the rank whose array is used, or DT_EVERYWHERE",
        .flags = DT_OP_BY_HAND | DT_OP_BOUNDARY,
        .compose = distribute,
        .gradient = "none",
    },
    {0},
};
