/* ops/shape/join.c - several tensors made one, and one made several. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <stdlib.h>

#include <dtensor/ops.h>

#include "array/array.h"
#include "base/error.h"
#include "layout/spec.h"
#include "op/meta.h"
#include "op/schema.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/backward.h"
#include "ops/helpers/factors.h"
#include "ops/helpers/piece.h"
#include "ops/helpers/shift.h"
#include "ops/helpers/tables.h"
#include "tensor/tensor.h"

/* ---- Joining ------------------------------------------------------------ */

static dt_status check_some(const dt_operation *operation)
{
    return operation->input_count > 0
               ? DT_OK
               : dt_operation_fail(operation, DT_ERR_INVALID,
                                   "the list of tensors is empty");
}

/* Tensors of shape (0,) are passed over, as in PyTorch, where they go with
 * tensors of every shape. */
static bool is_passed_over(const dt_operation *operation, int input)
{
    const dt_shape *shape = &operation->metas[input]->shape;
    return shape->ndim == 1 && shape->dims[0] == 0;
}

/* The first tensor that is not passed over, or the first of all. */
static int first_joined(const dt_operation *operation)
{
    for (int i = 0; i < operation->input_count; i++)
        if (!is_passed_over(operation, i))
            return i;
    return 0;
}

/* Add the extents along a dimension; the others are equal. */
static dt_status add_extents(const dt_operation *operation, int first, int dim,
                             dt_shape *out)
{
    *out = operation->metas[first]->shape;
    for (int i = first + 1; i < operation->input_count; i++) {
        if (is_passed_over(operation, i))
            continue;
        dt_shape next = operation->metas[i]->shape, aligned = next;
        if (next.ndim == out->ndim)
            aligned.dims[dim] = out->dims[dim];
        if (!dt_shape_equal(aligned, *out))
            return dt_operation_fail(
                operation, DT_ERR_INVALID,
                "tensors[%d] has shape %s, tensors[%d] has shape %s; they may "
                "differ in dim %d only",
                i, dti_shape_show(next).text, first,
                dti_shape_show(operation->metas[first]->shape).text, dim);
        out->dims[dim] += next.dims[dim];
    }
    return DT_OK;
}

static dt_status cat_meta(dt_operation *operation)
{
    int dim;
    dt_shape shape;
    dt_dtype dtype;
    DTI_TRY(check_some(operation));
    int first = first_joined(operation);
    int ndim = operation->metas[first]->shape.ndim;
    if (ndim == 0)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "tensors[%d] is 0-d; use stack for 0-d tensors", first);
    DTI_TRY(dti_argument_dim(operation, "dim", ndim, &dim));
    DTI_TRY(add_extents(operation, first, dim, &shape));
    DTI_TRY(
        dti_promote_tensors(operation, 0, operation->input_count - 1, &dtype));
    return dti_meta_add(operation, dtype, shape);
}

/* What is joined moves along the dimension.  Tensors that are passed over are
 * cut as the others are, as far as they have dimensions: they are empty anyway.
 */
static dt_status cat_factors(const dt_operation *operation, dt_factors *out)
{
    int dim, joined = 0;
    dt_shape shape = operation->metas[first_joined(operation)]->shape;
    DTI_TRY(dti_argument_dim(operation, "dim", shape.ndim, &dim));
    for (int i = 0; i < operation->input_count; i++)
        joined += !is_passed_over(operation, i);
    *out = (dt_factors){.in_count = 1, .out_count = 1};
    for (int i = 0; i < shape.ndim; i++) {
        int factor = i == dim && joined > 1
                         ? dti_factor_add_moved(out, shape.dims[i])
                         : dti_factor_add(out, DT_FACTOR_FREE, shape.dims[i]);
        dti_factor_put(&out->in[0].dims[i], factor);
        dti_factor_put(&out->out[0].dims[i], factor);
    }
    return DT_OK;
}

static dt_status cat_kernel(dt_operation *operation)
{
    int dim;
    int64_t first = 0;
    DTI_TRY(dti_argument_dim(operation, "dim", operation->results[0].shape.ndim,
                             &dim));
    for (int i = 0; i < operation->input_count; i++) {
        if (is_passed_over(operation, i))
            continue;
        dti_way way = {.to = operation->out_specs[0]};
        way.by[dim] = first;
        const dti_shift slide = {.world = operation->world,
                                 .spec = operation->in_specs[i],
                                 .from = operation->in[i],
                                 .to = operation->out[0],
                                 .ways = &way,
                                 .way_count = 1};
        DTI_TRY(dti_shift_run(&slide));
        first += operation->metas[i]->shape.dims[dim];
    }
    return DT_OK;
}

static dt_status stack_meta(dt_operation *operation)
{
    int dim;
    dt_dtype dtype;
    DTI_TRY(check_some(operation));
    dt_shape in = operation->metas[0]->shape, shape = in;
    if (in.ndim == DT_MAX_NDIM)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "tensors[0] already has %d dimensions, the maximum", in.ndim);
    DTI_TRY(dti_argument_dim(operation, "dim", in.ndim + 1, &dim));
    for (int i = 1; i < operation->input_count; i++)
        if (!dt_shape_equal(operation->metas[i]->shape, in))
            return dt_operation_fail(
                operation, DT_ERR_INVALID,
                "tensors[%d] has shape %s but tensors[0] has shape %s; they "
                "must be equal",
                i, dti_shape_show(operation->metas[i]->shape).text,
                dti_shape_show(in).text);
    shape.ndim++;
    for (int i = in.ndim; i > dim; i--)
        shape.dims[i] = in.dims[i - 1];
    shape.dims[dim] = operation->input_count;
    DTI_TRY(
        dti_promote_tensors(operation, 0, operation->input_count - 1, &dtype));
    return dti_meta_add(operation, dtype, shape);
}

static dt_status stack_kernel(dt_operation *operation)
{
    int dim;
    dt_status status = DT_OK;
    DTI_TRY(dti_argument_dim(operation, "dim", operation->results[0].shape.ndim,
                             &dim));
    for (int i = 0; i < operation->input_count && status == DT_OK; i++) {
        dt_array *to = NULL;
        DTI_TRY(
            dt_array_select(operation->world, operation->out[0], dim, i, &to));
        status = dt_array_copy(operation->world, operation->in[i], to);
        dt_array_release(to);
    }
    return status;
}

/* ---- Dividing ----------------------------------------------------------- */

/* A dimension in pieces: of the given sizes, or of one, but for the last. */
typedef struct division {
    int dim;
    int64_t extent;
    int64_t count;
    int64_t size;
    const int64_t *sizes;
} division;

/* A piece that begins at an index. */
static int64_t piece_extent(const division *of, int64_t piece, int64_t first)
{
    if (of->sizes)
        return of->sizes[piece];
    return of->extent - first < of->size ? of->extent - first : of->size;
}

typedef struct divider {
    dt_status (*read)(const dt_operation *operation, const dt_shape *shape,
                      division *out);
} divider;

static dt_status read_divided(const dt_operation *operation,
                              const dt_shape *shape, division *out)
{
    *out = (division){.dim = 0};
    if (shape->ndim == 0)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "self is 0-d; expected at least 1 dimension");
    DTI_TRY(dti_argument_dim(operation, "dim", shape->ndim, &out->dim));
    out->extent = shape->dims[out->dim];
    return DT_OK;
}

/* Pieces of a size, the last one shorter if need be; one at least. */
static void set_size(division *of, int64_t size)
{
    of->size = size;
    of->count = of->extent ? (of->extent - 1) / size + 1 : 1;
}

static dt_status read_split(const dt_operation *operation,
                            const dt_shape *shape, division *out)
{
    int64_t size = dti_argument_int(operation, "size");
    DTI_TRY(read_divided(operation, shape, out));
    if (size < 0 || (size == 0 && out->extent > 0))
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "size is %lld, which is invalid for dim %d of extent %lld",
            (long long)size, out->dim, (long long)out->extent);
    set_size(out, size);
    return DT_OK;
}

static dt_status read_split_sizes(const dt_operation *operation,
                                  const dt_shape *shape, division *out)
{
    const dt_argument *sizes = dti_argument(operation, "sizes");
    DTI_TRY(read_divided(operation, shape, out));
    int64_t left = out->extent;
    for (int i = 0; i < sizes->count; i++) {
        int64_t size = sizes->as.integers[i];
        if (size < 0 || size > left)
            return dt_operation_fail(
                operation, DT_ERR_INVALID,
                "sizes[%d] is %lld, but dim %d has %lld indexes left", i,
                (long long)size, out->dim, (long long)left);
        left -= size;
    }
    if (left > 0)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "sizes leave %lld indexes of dim %d over; "
                                 "they must sum to its extent",
                                 (long long)left, out->dim);
    out->count = sizes->count;
    out->sizes = sizes->as.integers;
    return DT_OK;
}

static dt_status read_chunks(const dt_operation *operation,
                             const dt_shape *shape, division *out)
{
    int64_t count = dti_argument_int(operation, "pieces");
    DTI_TRY(read_divided(operation, shape, out));
    if (count < 1)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "pieces is %lld; must be at least 1",
                                 (long long)count);
    if (out->extent > 0)
        set_size(out, (out->extent - 1) / count + 1);
    else
        out->count = count;
    return DT_OK;
}

static dt_status divide_meta(dt_operation *operation)
{
    const divider *by = operation->op->data;
    division of;
    int64_t first = 0;
    dt_meta meta = *operation->metas[0];
    DTI_TRY(by->read(operation, &meta.shape, &of));
    for (int64_t i = 0; i < of.count; i++) {
        meta.shape.dims[of.dim] = piece_extent(&of, i, first);
        first += meta.shape.dims[of.dim];
        DTI_TRY(dt_operation_add_result(operation, &meta));
    }
    return DT_OK;
}

/* ---- Where the dimension is cut ----------------------------------------- */

static bool is_cut(const dt_operation *operation)
{
    return dti_piece_is_cut(operation->inputs[0],
                            dti_argument_int(operation, "dim"));
}

/* Pieces, which a rank holds parts of, one after another in an array. */
typedef struct pieces {
    int count;
    dti_way *ways;
    dt_array *parts;
} pieces;

static void close_pieces(pieces *of)
{
    for (int i = 0; of->ways && i < of->count; i++)
        dt_spec_release(of->ways[i].to);
    free(of->ways);
    dt_array_release(of->parts);
}

/* Where the pieces go that there is room for. */
static dt_status list_ways(dt_tensor *self, const division *of, pieces *out)
{
    const dt_dtype dtype = self->spec->meta.dtype;
    const int64_t item = (int64_t)dt_dtype_size(dtype);
    int64_t first = 0, bytes = 0;
    for (int i = 0; i < out->count; i++) {
        dti_way *way = &out->ways[i];
        const int64_t extent = piece_extent(of, i, first);
        const dt_meta meta = dti_piece_meta(self, of->dim, extent);
        DTI_TRY(dt_spec_with_meta(self->spec, &meta, &way->to));
        way->start = bytes;
        way->by[of->dim] = -first;
        first += extent;
        bytes += dt_shape_count(way->to->local_shape) * item;
    }
    const dt_shape all = DT_SHAPE(bytes / item);
    return dt_array_is_meta(self->local)
               ? dt_array_create_meta(self->world, dtype, all, &out->parts)
               : dt_array_create(self->world, dtype, all, &out->parts);
}

static dt_status move_pieces(dt_tensor *self, const pieces *of)
{
    const dti_shift slide = {.world = self->world,
                             .spec = self->spec,
                             .from = self->local,
                             .to = of->parts,
                             .ways = of->ways,
                             .way_count = of->count};
    return self->spec->member ? dti_shift_run(&slide) : DT_OK;
}

/* See the part of one piece as a tensor. */
static dt_tensor *see_piece(dt_world *world, const pieces *of, int piece)
{
    dt_spec *spec = of->ways[piece].to;
    const int64_t count = dt_shape_count(spec->local_shape);
    const int64_t first =
        of->ways[piece].start / (int64_t)dt_dtype_size(spec->meta.dtype);
    dt_array *run = NULL, *part = NULL;
    dt_tensor *tensor = NULL;
    dt_status status =
        dt_array_slice(world, of->parts, 0, first, first + count, 1, &run);
    if (status == DT_OK)
        status = dt_array_reshape(world, run, spec->local_shape, &part);
    if (status == DT_OK)
        tensor = dti_tensor_make(spec, part);
    dt_array_release(run);
    dt_array_release(part);
    return tensor;
}

/* All pieces that there is room for, in one exchange. */
static dt_status take_pieces(dt_operation *operation, const division *of,
                             pieces *all)
{
    dt_tensor *self = operation->inputs[0];
    const size_t bytes = (size_t)all->count * sizeof *all->ways;
    all->ways = calloc(1, bytes);
    if (!all->ways)
        return dti_fail_memory(operation->world, bytes, "pieces");
    DTI_TRY(list_ways(self, of, all));
    DTI_TRY(move_pieces(self, all));
    for (int i = 0; i < all->count; i++) {
        dt_tensor *piece = see_piece(operation->world, all, i);
        if (!piece)
            return DT_ERR_NO_MEMORY;
        DTI_TRY(dti_piece_relate(piece, self, operation->schema->name, of->dim,
                                 -all->ways[i].by[of->dim]));
        operation->outputs[i] = piece;
    }
    return DT_OK;
}

static dt_status divide_pieces(dt_operation *operation)
{
    const divider *by = operation->op->data;
    division of;
    pieces all = {.count = operation->output_room};
    DTI_TRY(by->read(operation, &operation->inputs[0]->spec->meta.shape, &of));
    if (of.count > INT_MAX)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "the result would have %lld tensors, too many for a list",
            (long long)of.count);
    operation->result_count = (int)of.count;
    all.count = of.count < all.count ? (int)of.count : all.count;
    if (of.count == 1)
        operation->outputs[0] = dt_alias(operation->inputs[0]);
    if (of.count <= 1)
        return DT_OK;
    dt_status status = take_pieces(operation, &of, &all);
    close_pieces(&all);
    return status;
}

/* ---- Where it is whole -------------------------------------------------- */

/* One piece is all that this rank has, of several it has all. */
static dt_status divide_kernel(dt_operation *operation)
{
    division of;
    int64_t first = 0;
    DTI_TRY(read_divided(operation, &operation->metas[0]->shape, &of));
    for (int i = 0; i < operation->result_count; i++) {
        int64_t extent = operation->out_specs[i]->local_shape.dims[of.dim];
        DTI_TRY(dt_array_slice(operation->world, operation->in[0], of.dim,
                               first, first + extent, 1, &operation->out[i]));
        first += extent;
    }
    return DT_OK;
}

static dt_status unbind_meta(dt_operation *operation)
{
    division of;
    const dt_meta *in = operation->metas[0];
    dt_meta meta = {.dtype = in->dtype};
    DTI_TRY(read_divided(operation, &in->shape, &of));
    for (int i = 0; i < in->shape.ndim; i++) {
        if (i == of.dim)
            continue;
        meta.strides[meta.shape.ndim] = in->strides[i];
        meta.shape.dims[meta.shape.ndim++] = in->shape.dims[i];
    }
    for (int64_t i = 0; i < of.extent; i++)
        DTI_TRY(dt_operation_add_result(operation, &meta));
    return DT_OK;
}

static dt_status unbind_kernel(dt_operation *operation)
{
    division of;
    DTI_TRY(read_divided(operation, &operation->metas[0]->shape, &of));
    for (int i = 0; i < operation->result_count; i++)
        DTI_TRY(dt_array_select(operation->world, operation->in[0], of.dim, i,
                                &operation->out[i]));
    return DT_OK;
}

/* ---- Gradients ---------------------------------------------------------- */

/* Each tensor gets the indexes that it became; those that were ignored get
 * zeros. */
static dt_status cat_backward(dt_backward_call *call)
{
    const int ndim = call->out_specs[0]->meta.shape.ndim;
    const int dim = dti_backward_dim(&call->arguments[1], ndim);
    int64_t first = 0;
    for (int i = 0; i < call->input_count; i++) {
        const dt_shape *shape = &call->in_specs[i]->meta.shape;
        if (shape->ndim != ndim)
            continue;
        if (call->wanted[i])
            DTI_TRY(dti_give_gradient(
                call, i,
                dt_narrow(call->grads[0], dim, first, shape->dims[dim])));
        first += shape->dims[dim];
    }
    return DT_OK;
}

static dt_status stack_backward(dt_backward_call *call)
{
    const int ndim = call->out_specs[0]->meta.shape.ndim;
    const int dim = dti_backward_dim(&call->arguments[1], ndim);
    for (int i = 0; i < call->input_count; i++)
        if (call->wanted[i])
            DTI_TRY(
                dti_give_gradient(call, i, dt_select(call->grads[0], dim, i)));
    return DT_OK;
}

/* The program need not have taken all pieces. */
static dt_status divide_backward(dt_backward_call *call)
{
    const dt_shape shape = call->in_specs[0]->meta.shape;
    dt_tensor *taken =
        dt_cat(call->grads, call->result_count,
               dti_backward_dim(&call->arguments[2], shape.ndim));
    return dti_give_gradient(call, 0, dti_backward_pad(taken, shape));
}

static dt_status unbind_backward(dt_backward_call *call)
{
    const dt_shape shape = call->in_specs[0]->meta.shape;
    dt_tensor *taken =
        dt_stack(call->grads, call->result_count,
                 dti_backward_dim(&call->arguments[1], shape.ndim));
    return dti_give_gradient(call, 0, dti_backward_pad(taken, shape));
}

/* ---- Rows --------------------------------------------------------------- */

#define DIVIDES                                                                \
    .rule = "...->...", .permutes = "self", .flags = DT_OP_VIEW,               \
    .meta = divide_meta, .kernel = divide_kernel, .compose = divide_pieces,    \
    .composes = is_cut, .gradient = "self: function()",                        \
    .backward = divide_backward

const dt_op dti_ops_join[] = {
    {
        .schema = "cat(Tensor[] tensors, Dim dim) -> Tensor",
        .about =
            "Concatenate tensors along a dimension; their other dimensions "
            "must be equal.  Tensors of shape (0,) are ignored.",
        .permutes = "tensors",
        .flags = DT_OP_OUT | DT_OP_COMMUNICATES,
        .meta = cat_meta,
        .factors = cat_factors,
        .kernel = cat_kernel,
        .gradient = "tensors: function()",
        .backward = cat_backward,
        .samples = "([T[m,n], T[m,n]], 0); ([T[m,3], T[m,1], T[m,n]], -1); "
                   "([T[m,n]], 1); ([T[3,n], T[0,n]], 0); "
                   "([T[0], T[m,n], T[m,n]], 1); ([T[m,n], T[0]], 0)",
    },
    {
        .schema = "stack(Tensor[] tensors, Dim dim) -> Tensor",
        .about = "Concatenate tensors of equal shape along a new dimension.",
        .arguments = "dim: number of the new dimension in the result",
        .rule = "...->...d; d at dim whole",
        .permutes = "tensors",
        .flags = DT_OP_OUT,
        .meta = stack_meta,
        .kernel = stack_kernel,
        .gradient = "tensors: function()",
        .backward = stack_backward,
        .samples = "([T[m,n], T[m,n]], 0); ([T[m], T[m], T[m]], -1); "
                   "([T[], T[]], 0); ([T[m,n], T[m,n]], 1)",
    },
    {
        .schema = "split(Tensor self, int size, Dim dim) -> Tensor[]",
        .aten = "split.Tensor split_copy.Tensor",
        .about = "View pieces of a given size along a dimension; the last "
                 "piece may be shorter.",
        .arguments = "size: extent of each piece",
        DIVIDES,
        .data = &(const divider){read_split},
        .samples = "(T[7,n], 3, 0); (T[m,4], 2, -1); (T[m,n], 100, 0); "
                   "(T[0,n], 2, 0)",
    },
    {
        .schema = "split_sizes(Tensor self, int[] sizes, Dim dim) -> Tensor[]",
        .aten = "split_with_sizes split.sizes split_with_sizes_copy",
        .about =
            "Split a tensor into views of the given sizes along a dimension.",
        DIVIDES,
        .data = &(const divider){read_split_sizes},
        .samples = "(T[7,n], [1,4,2], 0); (T[m,4], [4], 1); "
                   "(T[m,4], [0,4], -1)",
    },
    {
        .schema = "chunk(Tensor self, int pieces, Dim dim) -> Tensor[]",
        .about = "View a number of pieces along a dimension, of equal size "
                 "rounded up; there may be fewer pieces.",
        DIVIDES,
        .data = &(const divider){read_chunks},
        .samples = "(T[7,n], 4, 0); (T[m,6], 3, -1); (T[m,n], 1, 0)",
    },
    {
        .schema = "unbind(Tensor self, Dim dim) -> Tensor[]",
        .aten = "unbind.int",
        .about = "View each index of a dimension as a tensor without that "
                 "dimension.",
        .rule = "...->...; dim gone",
        .permutes = "self",
        .flags = DT_OP_VIEW,
        .meta = unbind_meta,
        .kernel = unbind_kernel,
        .gradient = "self: function()",
        .backward = unbind_backward,
        .samples = "(T[3,n], 0); (T[m,2], -1)",
    },
    {0},
};
