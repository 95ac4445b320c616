/* ops/shape/slice.c - seeing some of the indexes of a dimension. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/ops.h>
#include <dtensor/sys/ops_internal.h>

#include "array/array.h"
#include "base/error.h"
#include "layout/indexes.h"
#include "layout/spec.h"
#include "mesh/mesh.h"
#include "op/meta.h"
#include "op/schema.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/backward.h"
#include "ops/helpers/piece.h"
#include "ops/helpers/tables.h"
#include "ops/index/put.h"
#include "tensor/tensor.h"

/* Every `step`th index of a dimension from `first` on, `count` of them. */
typedef struct cutout {
    int dim;
    int64_t first, step, count;
} cutout;

/* A bound counted from the front and cut to the extent. */
static int64_t cut_bound(int64_t bound, int64_t extent)
{
    if (bound < 0)
        bound = bound < -extent ? 0 : bound + extent;
    return bound > extent ? extent : bound;
}

/* How a row reads the cutout of a shape from its arguments: `data` of rows. */
typedef struct cutter {
    dt_status (*read)(const dt_operation *operation, const dt_shape *shape,
                      cutout *out);
    bool selects; /* one index, and the dimension is gone */
} cutter;

static const cutter *cutter_of(const dt_operation *operation)
{
    return operation->op->data;
}

/* Read the cutout of the first tensor. */
static dt_status read_cutout(const dt_operation *operation, cutout *out)
{
    return cutter_of(operation)->read(operation, &operation->metas[0]->shape,
                                      out);
}

static dt_status read_dim(const dt_operation *operation, const dt_shape *shape,
                          int *dim, int64_t *extent)
{
    if (shape->ndim == 0)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "self is 0-d; expected at least 1 dimension");
    DTI_TRY(dti_argument_dim(operation, "dim", shape->ndim, dim));
    *extent = shape->dims[*dim];
    return DT_OK;
}

static dt_status read_slice(const dt_operation *operation,
                            const dt_shape *shape, cutout *out)
{
    int64_t extent = 0;
    out->step = dti_argument_int(operation, "step");
    if (out->step < 1)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "step is %lld; must be positive",
                                 (long long)out->step);
    DTI_TRY(read_dim(operation, shape, &out->dim, &extent));
    out->first = cut_bound(dti_argument_int(operation, "start"), extent);
    int64_t end = cut_bound(dti_argument_int(operation, "stop"), extent);
    out->count = end > out->first ? (end - out->first - 1) / out->step + 1 : 0;
    return DT_OK;
}

static dt_status read_narrow(const dt_operation *operation,
                             const dt_shape *shape, cutout *out)
{
    int64_t extent = 0;
    const int64_t start = dti_argument_int(operation, "start");
    const int64_t length = dti_argument_int(operation, "length");
    DTI_TRY(read_dim(operation, shape, &out->dim, &extent));
    out->first = start < 0 ? start + extent : start;
    if (out->first < 0 || out->first > extent || length < 0 ||
        length > extent - out->first)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "length %lld from start %lld is out of range "
                                 "for dim %d of extent %lld",
                                 (long long)length, (long long)start, out->dim,
                                 (long long)extent);
    out->step = 1;
    out->count = length;
    return DT_OK;
}

static dt_status read_select(const dt_operation *operation,
                             const dt_shape *shape, cutout *out)
{
    const int64_t index = dti_argument_int(operation, "index");
    int64_t extent = 0;
    DTI_TRY(read_dim(operation, shape, &out->dim, &extent));
    if (index < -extent || index >= extent)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "index %lld is out of range for dim %d of extent %lld",
            (long long)index, out->dim, (long long)extent);
    *out = (cutout){.dim = out->dim,
                    .first = index < 0 ? index + extent : index,
                    .step = 1,
                    .count = 1};
    return DT_OK;
}

static dt_status add_cutout(dt_operation *operation, const cutout *cut)
{
    dt_meta meta = *operation->metas[0];
    meta.shape.dims[cut->dim] = cut->count;
    if (cut->count > 1)
        meta.strides[cut->dim] *= cut->step;
    return dt_operation_add_result(operation, &meta);
}

/* All indexes of a dimension may be cut, and this rank has some of them; if
 * there are fewer, it has them all. */
static dt_status see_cutout(dt_world *world, dt_array *in, int64_t extent,
                            const cutout *cut, dt_array **out)
{
    bool all = cut->count == extent;
    int64_t step = all ? 1 : cut->step;
    int64_t first = all ? 0 : cut->first;
    int64_t end =
        all ? in->shape.dims[cut->dim] : first + (cut->count - 1) * step + 1;
    return dt_array_slice(world, in, cut->dim, first, cut->count ? end : first,
                          step, out);
}

static dt_status take_cutout(dt_operation *operation, const cutout *cut)
{
    int64_t extent = operation->metas[0]->shape.dims[cut->dim];
    return see_cutout(operation->world, operation->in[0], extent, cut,
                      &operation->out[0]);
}

static dt_status slice_meta(dt_operation *operation)
{
    cutout cut;
    DTI_TRY(read_cutout(operation, &cut));
    return add_cutout(operation, &cut);
}

static dt_status slice_kernel(dt_operation *operation)
{
    cutout cut;
    DTI_TRY(read_cutout(operation, &cut));
    return take_cutout(operation, &cut);
}

static dt_status select_meta(dt_operation *operation)
{
    cutout cut;
    const dt_meta *in = operation->metas[0];
    dt_meta meta = {.dtype = in->dtype};
    DTI_TRY(read_cutout(operation, &cut));
    for (int i = 0; i < in->shape.ndim; i++) {
        if (i == cut.dim)
            continue;
        meta.strides[meta.shape.ndim] = in->strides[i];
        meta.shape.dims[meta.shape.ndim++] = in->shape.dims[i];
    }
    return dt_operation_add_result(operation, &meta);
}

static dt_status select_kernel(dt_operation *operation)
{
    cutout cut;
    DTI_TRY(read_cutout(operation, &cut));
    return dt_array_select(operation->world, operation->in[0], cut.dim,
                           cut.first, &operation->out[0]);
}

/* ---- Where the dimension is cut ----------------------------------------- */

static bool is_cut(const dt_operation *operation)
{
    return dti_piece_is_cut(operation->inputs[0],
                            dti_argument_int(operation, "dim"));
}

static bool slice_is_cut(const dt_operation *operation)
{
    return dti_argument_int(operation, "step") == 1 && is_cut(operation);
}

static dt_status take_piece(dt_operation *operation)
{
    cutout cut;
    const dt_shape *shape = &operation->inputs[0]->spec->meta.shape;
    DTI_TRY(cutter_of(operation)->read(operation, shape, &cut));
    if (cut.count == shape->dims[cut.dim]) {
        operation->outputs[0] = dt_alias(operation->inputs[0]);
        return DT_OK;
    }
    return dti_piece_take(operation->inputs[0], operation->schema->name,
                          cut.dim, cut.first, cut.count,
                          &operation->outputs[0]);
}

/* All ranks get the one index. */
static dt_status select_piece(dt_operation *operation)
{
    cutout cut;
    DTI_TRY(cutter_of(operation)->read(
        operation, &operation->inputs[0]->spec->meta.shape, &cut));
    dt_tensor *piece = NULL;
    DTI_TRY(dti_piece_share(operation->inputs[0], operation->schema->name,
                            cut.dim, cut.first, &piece));
    operation->outputs[0] = dt_squeeze(piece, DT_DIMS(cut.dim));
    dt_tensor_release_early(piece);
    return DT_OK;
}

/* ---- Into a tensor ------------------------------------------------------ */

/* The shape of a cutout; without its dimension if one index is selected. */
static dt_shape shape_of_cutout(dt_shape shape, const cutout *cut, bool selects)
{
    shape.dims[cut->dim] = cut->count;
    if (!selects)
        return shape;
    for (int i = cut->dim; i + 1 < shape.ndim; i++)
        shape.dims[i] = shape.dims[i + 1];
    shape.dims[--shape.ndim] = 0;
    return shape;
}

static dt_status check_fits(const dt_operation *operation, dt_shape given,
                            dt_shape wanted)
{
    if (dt_shape_equal(given, wanted))
        return DT_OK;
    return dt_operation_fail(
        operation, DT_ERR_INVALID,
        "the selected elements have shape %s, but the source has shape %s",
        dti_shape_show(wanted).text, dti_shape_show(given).text);
}

/* Copy from an array into every `step`th index of another one, from `first` on;
 * `first` alone if it has one dimension less.  Takes the array. */
static dt_status copy_into(dt_world *world, dt_array *from, const cutout *to,
                           dt_array *out)
{
    dt_array *view = NULL;
    int64_t end = to->first + (to->count - 1) * to->step + 1;
    dt_status status =
        from->shape.ndim < out->shape.ndim
            ? dt_array_select(world, out, to->dim, to->first, &view)
            : dt_array_slice(world, out, to->dim, to->first, end, to->step,
                             &view);
    if (status == DT_OK)
        status = dt_array_copy(world, from, view);
    dt_array_release(view);
    dt_array_release(from);
    return status;
}

/* Of `count` indexes from `first` on, how many come before one. */
static int64_t count_before(const cutout *cut, int64_t index)
{
    int64_t before =
        index > cut->first ? (index - cut->first - 1) / cut->step + 1 : 0;
    return before < cut->count ? before : cut->count;
}

/* Copy what lies in neighbouring indexes, `length` from `index` on, which this
 * rank has from `local` on. */
static dt_status fill_run(dt_operation *operation, const cutout *cut, int input,
                          int64_t index, int64_t length, int64_t local)
{
    dt_world *world = operation->world;
    dt_array *from = operation->in[input], *out = operation->out[0];
    int64_t first = count_before(cut, index);
    int64_t end = count_before(cut, index + length);
    if (end == first)
        return DT_OK;
    cutout to = {.dim = cut->dim,
                 .first = local + cut->first + first * cut->step - index,
                 .step = cut->step,
                 .count = end - first};
    if (from->shape.ndim < out->shape.ndim)
        from = dt_array_retain(from);
    else
        DTI_TRY(dt_array_slice(world, from, cut->dim, first, end, 1, &from));
    return copy_into(world, from, &to, out);
}

/* Copy a tensor into a cutout of the result. */
static dt_status fill_cutout(dt_operation *operation, const cutout *cut,
                             int input)
{
    dti_indexes own;
    const dt_spec *spec = operation->out_specs[0];
    int64_t extent = spec->meta.shape.dims[cut->dim], run;
    dt_array *from = operation->in[input], *out = operation->out[0];
    if (from->count == 0 || out->count == 0)
        return DT_OK;
    if (from->shape.ndim == out->shape.ndim && cut->count == extent)
        return dt_array_copy(operation->world, from, out);
    dti_indexes_set(&own, extent, &spec->cuts[cut->dim],
                    spec->mesh->coordinate);
    for (int64_t i = 0; i < own.size; i += run) {
        int64_t index = dti_indexes_at(&own, i, &run);
        DTI_TRY(fill_run(operation, cut, input, index, run, i));
    }
    return DT_OK;
}

static dt_status scatter_meta(dt_operation *operation)
{
    cutout cut;
    dt_shape self = operation->metas[0]->shape;
    DTI_TRY(read_cutout(operation, &cut));
    DTI_TRY(
        check_fits(operation, operation->metas[1]->shape,
                   shape_of_cutout(self, &cut, cutter_of(operation)->selects)));
    return dti_meta_keep_first(operation);
}

static dt_status scatter_kernel(dt_operation *operation)
{
    cutout cut;
    DTI_TRY(read_cutout(operation, &cut));
    DTI_TRY(dti_put_begin(operation));
    return fill_cutout(operation, &cut, 1);
}

/* ---- Into zeros --------------------------------------------------------- */

/* The shape that was cut out of is an argument. */
static dt_status read_backward(const dt_operation *operation, dt_shape *shape,
                               cutout *cut)
{
    DTI_TRY(dti_meta_shape(operation, 1, shape));
    return cutter_of(operation)->read(operation, shape, cut);
}

static dt_status backward_meta(dt_operation *operation)
{
    cutout cut;
    dt_shape shape;
    DTI_TRY(read_backward(operation, &shape, &cut));
    DTI_TRY(check_fits(
        operation, operation->metas[0]->shape,
        shape_of_cutout(shape, &cut, cutter_of(operation)->selects)));
    return dti_meta_add(operation, operation->metas[0]->dtype, shape);
}

static dt_status backward_kernel(dt_operation *operation)
{
    cutout cut;
    dt_shape shape;
    DTI_TRY(read_backward(operation, &shape, &cut));
    DTI_TRY(dt_array_fill_int(operation->world, operation->out[0], 0));
    return fill_cutout(operation, &cut, 0);
}

/* Where the dimension is cut. */
static bool slice_backward_is_cut(const dt_operation *operation)
{
    return operation->variant == DT_VARIANT_NEW &&
           dti_argument_int(operation, "step") == 1 &&
           dti_piece_is_cut(operation->inputs[0],
                            dti_argument_int(operation, "dim"));
}

/* Put a piece into zeros, `extent` of them along a dimension, from `first` on;
 * a copy where the piece is all. */
static dt_tensor *put_piece(dt_tensor *tensor, int dim, int64_t first,
                            int64_t extent)
{
    int64_t pad[2 * DT_MAX_NDIM] = {0};
    const dt_shape *shape = &tensor->spec->meta.shape;
    const int at = 2 * (shape->ndim - 1 - dim);
    pad[at] = first;
    pad[at + 1] = extent - first - shape->dims[dim];
    return dt_constant_pad_nd(tensor, pad, at + 2);
}

static dt_status slice_backward_piece(dt_operation *operation)
{
    cutout cut;
    dt_shape shape;
    dt_tensor *grad = operation->inputs[0];
    DTI_TRY(read_backward(operation, &shape, &cut));
    DTI_TRY(check_fits(operation, grad->spec->meta.shape,
                       shape_of_cutout(shape, &cut, false)));
    operation->outputs[0] =
        put_piece(grad, cut.dim, cut.first, shape.dims[cut.dim]);
    return DT_OK;
}

/* ---- Gradients ---------------------------------------------------------- */

static dt_status narrow_backward(dt_backward_call *call)
{
    const dt_shape shape = call->in_specs[0]->meta.shape;
    const int dim = dti_backward_dim(&call->arguments[1], shape.ndim);
    const int64_t start = call->arguments[2].as.integer;
    const int64_t first = start < 0 ? start + shape.dims[dim] : start;
    return dti_give_gradient(
        call, 0,
        dt_slice_backward(call->grads[0], shape, dim, first,
                          first + call->arguments[3].as.integer, 1));
}

/* ---- Rows --------------------------------------------------------------- */

const dt_op dti_ops_slice[] = {
    {
        .schema = "slice(Tensor self, Dim dim, int start, int stop, int step) "
                  "-> Tensor",
        .aten = "slice.Tensor",
        .about = "View every `step`th index of a dimension, from `start` to "
                 "below `stop`; negative numbers count from the end.",
        .rule = "...->...",
        .permutes = "self",
        .flags = DT_OP_VIEW,
        .meta = slice_meta,
        .kernel = slice_kernel,
        .data = &(const cutter){.read = read_slice},
        .compose = take_piece,
        .composes = slice_is_cut,
        .gradient =
            "self: slice_backward(grad, shape(self), dim, start, stop, step)",
        .samples = "(T[m,n], 0, 0, 100, 1); (T[m,n], 1, 1, -1, 1); "
                   "(T[m,9], -1, 0, 9, 2); (T[m,n], 0, 2, 2, 1)",
    },
    {
        .schema = "narrow(Tensor self, Dim dim, int start, int length) -> "
                  "Tensor",
        .about = "View `length` indexes of a dimension, starting at `start`.",
        .rule = "...->...",
        .permutes = "self",
        .flags = DT_OP_VIEW,
        .meta = slice_meta,
        .kernel = slice_kernel,
        .data = &(const cutter){.read = read_narrow},
        .compose = take_piece,
        .composes = is_cut,
        .gradient = "self: function()",
        .backward = narrow_backward,
        .samples = "(T[m,9], 1, 2, 3); (T[9,n], 0, -4, 4); (T[9,n], 0, 0, 9)",
    },
    {
        .schema = "select(Tensor self, Dim dim, int index) -> Tensor",
        .aten = "select.int",
        .about = "View one index of a dimension, which is removed.",
        .rule = "...->...; dim gone",
        .permutes = "self",
        .flags = DT_OP_VIEW,
        .meta = select_meta,
        .kernel = select_kernel,
        .data = &(const cutter){.read = read_select, .selects = true},
        .compose = select_piece,
        .composes = is_cut,
        .gradient = "self: select_backward(grad, shape(self), dim, index)",
        .samples = "(T[5,n], 0, 3); (T[m,5], -1, -1); (T[m,5,n], 1, 0)",
    },
    {
        .schema = "slice_scatter(Tensor self, Tensor src, Dim dim, int start, "
                  "int stop, int step) -> Tensor",
        .about = "Copy a tensor with every `step`th index of a dimension, from "
                 "`start` to before `stop`, taken from src.",
        .rule = "...,...->...",
        .linear = "self + src",
        .permutes = "self src",
        .flags = DT_OP_OUT,
        .meta = scatter_meta,
        .kernel = scatter_kernel,
        .data = &(const cutter){.read = read_slice},
        .gradient = "self: slice_scatter(grad, zeros(src), dim, start, stop, "
                    "step); src: slice(grad, dim, start, stop, step)",
        .samples = "(T[m,9], T[m,4], 1, 1, 9, 2); (T[m,n], T[m,n], 0, 0, 99, "
                   "1); (T[7,n], T[3,n], 0, -3, 99, 1)",
    },
    {
        .schema = "select_scatter(Tensor self, Tensor src, Dim dim, int index) "
                  "-> Tensor",
        .about =
            "Copy a tensor, with one index of a dimension replaced by src.",
        .rule = "...d,...->...d; d at dim",
        .linear = "self + src",
        .permutes = "self src",
        .flags = DT_OP_OUT,
        .meta = scatter_meta,
        .kernel = scatter_kernel,
        .data = &(const cutter){.read = read_select, .selects = true},
        .gradient = "self: select_scatter(grad, zeros(src), dim, index); src: "
                    "select(grad, dim, index)",
        .samples = "(T[5,n], T[n], 0, 3); (T[m,5,n], T[m,n], 1, -1)",
    },
    {
        .schema = "slice_backward(Tensor grad_output, Shape input_sizes, "
                  "Dim dim, int start, int stop, int step) -> Tensor",
        .about = "Gradient of slice: a tensor of the given shape with the "
                 "elements in the slice and zeros elsewhere.",
        .rule = "...->...",
        .permutes = "grad_output",
        .flags = DT_OP_OUT,
        .meta = backward_meta,
        .kernel = backward_kernel,
        .data = &(const cutter){.read = read_slice},
        .compose = slice_backward_piece,
        .composes = slice_backward_is_cut,
        .gradient = "grad_output: slice(grad, dim, start, stop, step)",
        .samples = "(T[m,4], [m,9], 1, 1, 9, 2); (T[m,n], [m,n], 0, 0, 99, 1); "
                   "(T[3,n], [7,n], 0, -3, 99, 1)",
    },
    {
        .schema = "select_backward(Tensor grad_output, Shape input_sizes, "
                  "Dim dim, int index) -> Tensor",
        .about = "Gradient of select: a tensor of the given shape with the "
                 "elements at the index and zeros elsewhere.",
        .rule = "...->...d; d at dim whole",
        .permutes = "grad_output",
        .flags = DT_OP_OUT,
        .meta = backward_meta,
        .kernel = backward_kernel,
        .data = &(const cutter){.read = read_select, .selects = true},
        .gradient = "grad_output: select(grad, dim, index)",
        .samples = "(T[n], [5,n], 0, 3); (T[m,n], [m,5,n], 1, -1)",
    },
    {0},
};
