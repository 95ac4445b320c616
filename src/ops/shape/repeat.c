/* ops/shape/repeat.c - dimensions repeated. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>

#include <dtensor/ops.h>

#include "array/array.h"
#include "base/error.h"
#include "kernel/shape/repeat.h"
#include "op/call/scratch.h"
#include "op/meta.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/backward.h"
#include "ops/helpers/factors.h"
#include "ops/helpers/tables.h"

/* `data` of rows: whether numbers that are missing in front are 1. */
enum { REPEAT, TILE };

/* What is repeated how often, both of as many dimensions as the result has. */
typedef struct repeats {
    int front; /* dimensions that the tensor has not */
    dt_shape times;
} repeats;

static dt_status read_times(const dt_operation *operation, repeats *out)
{
    const bool tiles = dti_kind(operation) == TILE;
    const dt_argument *given =
        dti_argument(operation, tiles ? "dims" : "repeats");
    int ndim = operation->metas[0]->shape.ndim;
    int missing = tiles && given->count < ndim ? ndim - given->count : 0;
    if (given->count < ndim && !tiles)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "repeats has %d elements for a tensor of %d dimensions",
            given->count, ndim);
    if (given->count > DT_MAX_NDIM)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "repeats has %d elements; the maximum is %d",
                                 given->count, DT_MAX_NDIM);
    out->times.ndim = given->count + missing;
    out->front = out->times.ndim - ndim;
    for (int i = 0; i < out->times.ndim; i++) {
        int64_t times = i < missing ? 1 : given->as.integers[i - missing];
        if (times < 0)
            return dt_operation_fail(operation, DT_ERR_INVALID,
                                     "repeats has the element %" PRId64
                                     "; must not be negative",
                                     times);
        out->times.dims[i] = times;
    }
    return DT_OK;
}

static int64_t extent_before(const dt_shape *shape, const repeats *by, int dim)
{
    return dim < by->front ? 1 : shape->dims[dim - by->front];
}

static dt_status repeat_meta(dt_operation *operation)
{
    repeats by;
    const dt_meta *in = operation->metas[0];
    DTI_TRY(read_times(operation, &by));
    dt_shape shape = {.ndim = by.times.ndim};
    for (int i = 0; i < shape.ndim; i++) {
        int64_t extent = extent_before(&in->shape, &by, i);
        if (extent && by.times.dims[i] > INT64_MAX / extent)
            return dt_operation_fail(
                operation, DT_ERR_INVALID,
                "the extent of dim %d of the result exceeds 63 bits", i);
        shape.dims[i] = extent * by.times.dims[i];
    }
    return dti_meta_add(operation, in->dtype, shape);
}

/*
 * A dimension of the result is made of the repetitions and of the dimension
 * that is repeated: cut, that gives a strided shard.
 */
static dt_status repeat_factors(const dt_operation *operation, dt_factors *out)
{
    repeats by;
    const dt_shape *in = &operation->metas[0]->shape;
    DTI_TRY(read_times(operation, &by));
    *out = (dt_factors){.in_count = 1, .out_count = 1};
    for (int i = by.front; i < by.times.ndim; i++) {
        dt_factor_dim *to = &out->out[0].dims[i];
        if (by.times.dims[i] == 0)
            continue;
        if (by.times.dims[i] > 1)
            dti_factor_put(
                to, dti_factor_add(out, DT_FACTOR_WHOLE, by.times.dims[i]));
        int factor =
            dti_factor_add(out, DT_FACTOR_FREE, in->dims[i - by.front]);
        dti_factor_put(&out->in[0].dims[i - by.front], factor);
        dti_factor_put(to, factor);
    }
    return DT_OK;
}

/* The corner of the result that the tensor is copied to. */
static dt_status copy_corner(dt_operation *operation, const repeats *by)
{
    const dt_array *in = operation->in[0];
    dt_array *corner = NULL, *out = operation->out[0];
    dt_shape shape = out->shape;
    for (int i = 0; i < shape.ndim; i++)
        shape.dims[i] = extent_before(&in->shape, by, i);
    DTI_TRY(dti_scratch_view(operation, out, shape, out->strides, &corner));
    return dt_array_copy(operation->world, in, corner);
}

static dt_status repeat_kernel(dt_operation *operation)
{
    repeats by;
    int64_t dims[DT_MAX_NDIM];
    dt_array *out = operation->out[0];
    DTI_TRY(read_times(operation, &by));
    if (out->count == 0)
        return DT_OK;
    DTI_TRY(copy_corner(operation, &by));
    for (int i = 0; i < by.times.ndim; i++)
        dims[i] = extent_before(&operation->in[0]->shape, &by, i);
    dti_repeat(dt_array_data(out), dt_dtype_size(out->dtype), by.times.ndim,
               dims, by.times.dims);
    return DT_OK;
}

/* ---- Every index by itself ---------------------------------------------- */

/* A dimension behind the one that is repeated, expanded and made one with
 * it. */
static dt_status interleave(dt_operation *operation)
{
    int dim;
    dt_tensor *self = operation->inputs[0];
    int64_t times = dti_argument_int(operation, "repeats");
    dt_shape shape = dt_tensor_shape(self), wide = shape;
    if (times < 0 || shape.ndim == 0 || shape.ndim == DT_MAX_NDIM)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "repeats is %" PRId64
                                 " for a tensor of %d dimensions; expected a "
                                 "number from 0 on, and 1 to %d dimensions",
                                 times, shape.ndim, DT_MAX_NDIM - 1);
    DTI_TRY(dti_argument_dim(operation, "dim", shape.ndim, &dim));
    if (shape.dims[dim] && times > INT64_MAX / shape.dims[dim])
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "the extent of dim %d of the result exceeds 63 bits", dim);
    for (int i = shape.ndim; i > dim + 1; i--)
        wide.dims[i] = shape.dims[i - 1];
    wide.dims[dim + 1] = times;
    wide.ndim++;
    shape.dims[dim] *= times;
    dt_tensor *apart = dt_unsqueeze(self, dim + 1);
    dt_tensor *wider = dt_expand(apart, wide);
    operation->outputs[0] = dt_reshape(wider, shape);
    dt_tensor_release_early(apart);
    dt_tensor_release_early(wider);
    return DT_OK;
}

/* ---- Gradients ---------------------------------------------------------- */

/* Add the repetitions of a dimension, which follow each other. */
static dt_tensor *add_repeated(dt_tensor *grad, int dim, int64_t extent)
{
    dt_shape shape = dt_tensor_shape(grad), flat = DT_SHAPE(1, 0, 1);
    const int64_t times = shape.dims[dim] / extent;
    shape.dims[dim] = extent;
    if (shape.ndim < DT_MAX_NDIM)
        return dt_sum(dt_unflatten(grad, dim, DT_SHAPE(times, extent)),
                      DT_DIMS(dim), false);
    for (int i = 0; i < dim; i++)
        flat.dims[0] *= shape.dims[i];
    for (int i = dim; i < shape.ndim; i++)
        flat.dims[2] *= shape.dims[i];
    flat.dims[1] = times;
    return dt_reshape(dt_sum(dt_reshape(grad, flat), DT_DIMS(1), false), shape);
}

/* New dimensions in front are undone as those of broadcasting. */
static dt_status repeat_backward(dt_backward_call *call)
{
    dt_tensor *grad = call->grads[0];
    const dt_shape in = call->in_specs[0]->meta.shape;
    const dt_shape out = call->out_specs[0]->meta.shape;
    const int front = out.ndim - in.ndim;
    if (dt_shape_count(out) == 0)
        return DT_OK;
    for (int i = front; grad && i < out.ndim; i++)
        if (out.dims[i] != in.dims[i - front])
            grad = add_repeated(grad, i, in.dims[i - front]);
    return dti_give_gradient(call, 0, grad);
}

/* ---- Rows --------------------------------------------------------------- */

const dt_op dti_ops_repeat[] = {
    {
        .schema = "repeat(Tensor self, int[] repeats) -> Tensor",
        .about = "Repeat a tensor along each dimension; additional counts are "
                 "for new dimensions in front.",
        .permutes = "self",
        .meta = repeat_meta,
        .factors = repeat_factors,
        .kernel = repeat_kernel,
        .data = DTI_KIND(REPEAT),
        .gradient = "self: function()",
        .backward = repeat_backward,
        .samples = "(T[m,n], [2,1]); (T[m,n], [1,3]); (T[n], [2,3]); "
                   "(T[m,3], [1,1]); (T[m,n], [2,0]); (T[], [4])",
    },
    {
        .schema = "tile(Tensor self, int[] dims) -> Tensor",
        .about = "Repeat a tensor along its last dimensions, as many as there "
                 "are counts.",
        .arguments = "dims: repetitions along each dimension",
        .permutes = "self",
        .meta = repeat_meta,
        .factors = repeat_factors,
        .kernel = repeat_kernel,
        .data = DTI_KIND(TILE),
        .gradient = "self: function()",
        .backward = repeat_backward,
        .samples = "(T[m,n], [2]); (T[m,n], [2,1]); (T[n], [2,3]); (T[], [])",
    },
    {
        .schema = "repeat_interleave(Tensor self, int repeats, Dim dim) -> "
                  "Tensor",
        .aten = "repeat_interleave.self_int",
        .about = "Repeat each index of a dimension.",
        .compose = interleave,
        .samples = "(T[m,n], 2, 0); (T[m,n], 3, -1); (T[m,n], 0, 0)",
    },
    {0},
};
