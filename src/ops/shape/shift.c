/* ops/shape/shift.c - dimensions rolled, turned round and padded. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/ops.h>

#include "array/array.h"
#include "base/error.h"
#include "kernel/shape/flip.h"
#include "layout/spec.h"
#include "op/call/scratch.h"
#include "op/meta.h"
#include "ops/create/value.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/backward.h"
#include "ops/helpers/factors.h"
#include "ops/helpers/shift.h"
#include "ops/helpers/tables.h"
#include "tensor/tensor.h"

/* The dimensions that `dims` names, as bits. */
static dt_status read_dims(const dt_operation *operation, bool twice,
                           unsigned *out)
{
    int dim, ndim = operation->metas[0]->shape.ndim;
    const dt_argument *given = dti_argument(operation, "dims");
    *out = 0;
    for (int i = 0; i < given->count; i++) {
        DTI_TRY(dt_operation_dim(operation, given->as.integers[i], ndim, &dim));
        if (!twice && *out & 1u << dim)
            return dt_operation_fail(operation, DT_ERR_INVALID,
                                     "dim %d is listed twice in dims", dim);
        *out |= 1u << dim;
    }
    return DT_OK;
}

/* All dimensions are the same; some of them are moved along, by the kernel. */
static dt_status factors_moving(const dt_operation *operation, unsigned moved,
                                dt_factors *out)
{
    dt_shape shape = operation->metas[0]->shape;
    *out = (dt_factors){.in_count = 1, .out_count = 1};
    for (int i = 0; i < shape.ndim; i++) {
        int factor = moved & 1u << i
                         ? dti_factor_add_moved(out, shape.dims[i])
                         : dti_factor_add(out, DT_FACTOR_FREE, shape.dims[i]);
        dti_factor_put(&out->in[0].dims[i], factor);
        dti_factor_put(&out->out[0].dims[i], factor);
    }
    return DT_OK;
}

/* Put the tensor into the result, on some ways. */
static dt_status put_shifted(const dt_operation *operation, const dti_way *ways,
                             int count)
{
    const dti_shift slide = {.world = operation->world,
                             .spec = operation->in_specs[0],
                             .from = operation->in[0],
                             .to = operation->out[0],
                             .ways = ways,
                             .way_count = count};
    return dti_shift_run(&slide);
}

/* ---- roll --------------------------------------------------------------- */

static dt_status roll_meta(dt_operation *operation)
{
    unsigned moved;
    if (operation->metas[0]->shape.ndim == 0 &&
        dti_argument(operation, "dims")->count > 0)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "self is 0-d; expected at least 1 dimension");
    DTI_TRY(read_dims(operation, true, &moved));
    return dti_meta_like_first(operation);
}

static dt_status roll_check(const dt_operation *operation)
{
    int shifts = dti_argument(operation, "shifts")->count;
    int dims = dti_argument(operation, "dims")->count;
    if (shifts == (dims ? dims : 1))
        return DT_OK;
    return dt_operation_fail(operation, DT_ERR_INVALID,
                             "shifts has %d elements for %d dims; they must be "
                             "equal, or 1 without dims",
                             shifts, dims);
}

/* Without dimensions, elements are rolled in row-major order: nothing is cut.
 */
static dt_status roll_factors(const dt_operation *operation, dt_factors *out)
{
    unsigned moved;
    int from[DT_MAX_NDIM] = {0};
    DTI_TRY(read_dims(operation, true, &moved));
    if (dti_argument(operation, "dims")->count > 0)
        return factors_moving(operation, moved, out);
    for (int i = 0; i < operation->metas[0]->shape.ndim; i++)
        from[i] = operation->metas[0]->shape.dims[i] > 1 ? -1 : i;
    return dti_factors_moves(operation, from, out);
}

/* How far each dimension of a shape is rolled, forwards. */
static void read_shifts(const dt_operation *operation, const dt_shape *shape,
                        int64_t *out)
{
    const dt_argument *shifts = dti_argument(operation, "shifts");
    const dt_argument *dims = dti_argument(operation, "dims");
    for (int i = 0; i < shifts->count; i++) {
        int64_t dim = dims->count ? dims->as.integers[i] : 0;
        dim += dim < 0 ? shape->ndim : 0;
        int64_t extent = shape->dims[dim];
        int64_t shift = shifts->as.integers[i] % extent;
        out[dim] = (out[dim] + shift + extent) % extent;
    }
}

static dt_status roll_flat(dt_operation *operation)
{
    dt_array *dense = NULL, *flat = NULL, *to = NULL;
    dt_world *world = operation->world;
    dt_shape shape = DT_SHAPE(operation->out[0]->count);
    dti_way way = {.to = NULL};
    read_shifts(operation, &shape, way.by);
    DTI_TRY(dti_scratch_contiguous(operation, operation->in[0], &dense));
    DTI_TRY(dti_scratch_reshape(operation, dense, shape, &flat));
    DTI_TRY(dti_scratch_reshape(operation, operation->out[0], shape, &to));
    DTI_TRY(dti_shift_copy(world, flat, to, &way));
    way.by[0] -= shape.dims[0]; /* what comes round */
    return dti_shift_copy(world, flat, to, &way);
}

/* Along each dimension something lies before the end, and something comes
 * round. */
static int list_ways(dt_spec *to, const int64_t *shifts, dti_way *ways)
{
    int count = 1;
    const dt_shape *shape = &to->meta.shape;
    ways[0] = (dti_way){.to = to};
    for (int i = 0; i < shape->ndim; i++) {
        if (shifts[i] == 0)
            continue;
        for (int j = 0; j < count; j++) {
            ways[j].by[i] = shifts[i];
            ways[count + j] = ways[j];
            ways[count + j].by[i] -= shape->dims[i];
        }
        count *= 2;
    }
    return count;
}

static dt_status roll_dims(const dt_operation *operation)
{
    int64_t shifts[DT_MAX_NDIM] = {0};
    dti_way ways[1 << DT_MAX_NDIM];
    dt_spec *to = operation->out_specs[0];
    read_shifts(operation, &to->meta.shape, shifts);
    return put_shifted(operation, ways, list_ways(to, shifts, ways));
}

static dt_status roll_kernel(dt_operation *operation)
{
    if (dt_shape_count(operation->results[0].shape) == 0)
        return DT_OK;
    if (dti_argument(operation, "dims")->count > 0)
        return roll_dims(operation);
    if (dt_array_is_meta(operation->in[0]) || operation->out[0]->count == 0)
        return DT_OK;
    return roll_flat(operation);
}

/* ---- flip --------------------------------------------------------------- */

static dt_status flip_meta(dt_operation *operation)
{
    unsigned turned;
    DTI_TRY(read_dims(operation, false, &turned));
    return dti_meta_like_first(operation);
}

static dt_status flip_factors(const dt_operation *operation, dt_factors *out)
{
    unsigned turned;
    int from[DT_MAX_NDIM] = {0};
    dt_shape shape = operation->metas[0]->shape;
    DTI_TRY(read_dims(operation, false, &turned));
    for (int i = 0; i < shape.ndim; i++)
        from[i] = turned & 1u << i && shape.dims[i] > 1 ? -1 : i;
    return dti_factors_moves(operation, from, out);
}

static dt_status flip_kernel(dt_operation *operation)
{
    unsigned turned;
    int64_t first = 0;
    const dt_array *in = operation->in[0];
    dt_array *out = operation->out[0];
    DTI_TRY(read_dims(operation, false, &turned));
    if (out->count == 0)
        return DT_OK;
    dti_flip how = {.item = dt_dtype_size(in->dtype), .ndim = in->shape.ndim};
    for (int i = 0; i < how.ndim; i++) {
        bool turn = turned & 1u << i;
        how.dims[i] = in->shape.dims[i];
        how.strides[i] = turn ? -in->strides[i] : in->strides[i];
        if (turn)
            first += (how.dims[i] - 1) * in->strides[i];
    }
    how.from =
        (const char *)dt_array_const_data(in) + first * (int64_t)how.item;
    dti_flip_copy(&how, dt_array_data(out));
    return DT_OK;
}

/* ---- constant_pad_nd ---------------------------------------------------- */

/* What is added before and behind the indexes of a dimension; pairs are given
 * from the last one on. */
static void read_pad(const dt_operation *operation, int dim, int64_t *before,
                     int64_t *behind)
{
    const dt_argument *pad = dti_argument(operation, "pad");
    int at = 2 * (operation->metas[0]->shape.ndim - 1 - dim);
    *before = at < pad->count ? pad->as.integers[at] : 0;
    *behind = at < pad->count ? pad->as.integers[at + 1] : 0;
}

static dt_status pad_meta(dt_operation *operation)
{
    const dt_argument *pad = dti_argument(operation, "pad");
    dt_shape shape = operation->metas[0]->shape;
    if (pad->count % 2 || pad->count > 2 * shape.ndim)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "pad has %d elements for a tensor of %d dimensions; expected at "
            "most two per dimension",
            pad->count, shape.ndim);
    for (int i = 0; i < shape.ndim; i++) {
        int64_t before, behind, extent = shape.dims[i];
        const int64_t most = INT64_C(1) << 61;
        read_pad(operation, i, &before, &behind);
        if (before > most || behind > most || before < -extent ||
            behind < -extent || extent + before + behind < 0)
            return dt_operation_fail(
                operation, DT_ERR_INVALID,
                "dim %d, of extent %lld, cannot be padded by %lld and %lld: "
                "the result would be negative or too large",
                i, (long long)extent, (long long)before, (long long)behind);
        shape.dims[i] = extent + before + behind;
    }
    return dti_meta_add(operation, operation->metas[0]->dtype, shape);
}

static dt_status pad_factors(const dt_operation *operation, dt_factors *out)
{
    unsigned padded = 0;
    for (int i = 0; i < operation->metas[0]->shape.ndim; i++) {
        int64_t before, behind;
        read_pad(operation, i, &before, &behind);
        padded |= before || behind ? 1u << i : 0;
    }
    return factors_moving(operation, padded, out);
}

static dt_status pad_kernel(dt_operation *operation)
{
    dti_way way = {.to = operation->out_specs[0]};
    dt_array *out = operation->out[0];
    bool adds = false;
    for (int i = 0; i < operation->metas[0]->shape.ndim; i++) {
        int64_t behind;
        read_pad(operation, i, &way.by[i], &behind);
        adds |= way.by[i] > 0 || behind > 0;
    }
    if (adds && !dt_array_is_meta(out))
        DTI_TRY(dti_value_fill(operation,
                               dti_argument_number(operation, "value"), out));
    return put_shifted(operation, &way, 1);
}

/* ---- Gradients ---------------------------------------------------------- */

static dt_status roll_backward(dt_backward_call *call)
{
    int64_t back[DT_MAX_NDIM] = {0};
    const dt_argument *shifts = &call->arguments[1],
                      *dims = &call->arguments[2];
    const dt_shape shape = call->in_specs[0]->meta.shape;
    for (int i = 0; i < shifts->count; i++) {
        const int64_t dim = dims->count ? dims->as.integers[i] : 0;
        const int64_t extent =
            dims->count && shape.ndim
                ? shape.dims[dim < 0 ? dim + shape.ndim : dim]
                : dt_shape_count(shape);
        back[i] = extent ? -(shifts->as.integers[i] % extent) : 0;
    }
    return dti_give_gradient(
        call, 0,
        dt_roll(call->grads[0], back, shifts->count,
                dt_shape_make(dims->count, dims->as.integers)));
}

/* What was put in is cut off, and what was cut off is 0. */
static dt_status pad_backward(dt_backward_call *call)
{
    int64_t back[2 * DT_MAX_NDIM] = {0};
    const dt_argument *pad = &call->arguments[1];
    for (int i = 0; i < pad->count; i++)
        back[i] = -pad->as.integers[i];
    return dti_give_gradient(
        call, 0, dt_constant_pad_nd(call->grads[0], back, pad->count));
}

/* ---- Rows --------------------------------------------------------------- */

const dt_op dti_ops_shift[] = {
    {
        .schema = "roll(Tensor self, int[]~ shifts, Dims dims) -> Tensor",
        .about = "Shift elements along dimensions, cyclically; without dims in "
                 "row-major order.",
        .arguments =
            "dims: dimensions to move along, empty for row-major order",
        .permutes = "self",
        .flags = DT_OP_OUT | DT_OP_COMMUNICATES,
        .meta = roll_meta,
        .check = roll_check,
        .factors = roll_factors,
        .kernel = roll_kernel,
        .gradient = "self: function()",
        .backward = roll_backward,
        .samples = "(T[m,n], [1], [0]); (T[m,n], [-2,3], [1,0]); "
                   "(T[m,3,n], [4], []); (T[m,n], [1,2], [-1,1]); "
                   "(T[], [1], [])",
    },
    {
        .schema = "flip(Tensor self, int[] dims) -> Tensor",
        .about = "Reverse the order of the indexes of dimensions.",
        .arguments = "dims: dimensions to reverse",
        .permutes = "self",
        .flags = DT_OP_OUT,
        .meta = flip_meta,
        .factors = flip_factors,
        .kernel = flip_kernel,
        .gradient = "self: flip(grad, dims)",
        .samples = "(T[m,n], [0]); (T[m,n], [-1]); (T[m,3,n], [0,2]); "
                   "(T[m,n], []); (T[], [0])",
    },
    {
        .schema = "constant_pad_nd(Tensor self, int[] pad, *, Number value=0) "
                  "-> Tensor",
        .about =
            "Pad dimensions with a number before and after; pairs start with "
            "the last dimension, and negative numbers remove indexes.",
        .permutes = "self",
        .flags = DT_OP_OUT | DT_OP_COMMUNICATES,
        .meta = pad_meta,
        .check = dti_value_check_argument,
        .factors = pad_factors,
        .kernel = pad_kernel,
        .gradient = "self: function()",
        .backward = pad_backward,
        .samples = "(T[m,n], [1,2]); (T[m,n], [0,0,2,0], value=3); "
                   "(T[m,4,5], [-1,1,2,-3], value=1); (T[m], [])",
    },
    {0},
};
