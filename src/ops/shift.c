/* ops/shift.c - dimensions rolled, turned round and padded. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "array/array.h"
#include "base/error.h"
#include "kernel/flip.h"
#include "op/meta.h"
#include "ops/factors.h"
#include "ops/tables.h"
#include "ops/value.h"

/* The dimensions that an argument names, as bits. */
static dt_status read_dims(const dt_operation *operation, int argument,
                           bool twice, unsigned *out)
{
    int dim, ndim = operation->metas[0]->shape.ndim;
    const dt_argument *given = &operation->arguments[argument];
    *out = 0;
    for (int i = 0; i < given->count; i++) {
        DTI_TRY(dt_operation_dim(operation, given->as.integers[i], ndim, &dim));
        if (!twice && *out & 1u << dim)
            return dt_operation_fail(operation, DT_ERR_INVALID,
                                     "dim %d stands twice in dims", dim);
        *out |= 1u << dim;
    }
    return DT_OK;
}

/* Dimensions that stay as they are may be cut, and those of extent 1. */
static dt_status keep_others(const dt_operation *operation, unsigned moved,
                             dt_factors *out)
{
    int from[DT_MAX_NDIM] = {0};
    dt_shape shape = operation->metas[0]->shape;
    for (int i = 0; i < shape.ndim; i++)
        from[i] = moved & 1u << i && shape.dims[i] > 1 ? -1 : i;
    return dti_factors_moves(operation, from, out);
}

/* ---- roll --------------------------------------------------------------- */

static dt_status roll_meta(dt_operation *operation)
{
    unsigned moved;
    DTI_TRY(read_dims(operation, 2, true, &moved));
    return dti_meta_like_first(operation);
}

static dt_status roll_check(const dt_operation *operation)
{
    int shifts = operation->arguments[1].count;
    int dims = operation->arguments[2].count;
    if (shifts == (dims ? dims : 1))
        return DT_OK;
    return dt_operation_fail(operation, DT_ERR_INVALID,
                             "%d shifts of %d dims; without dims there is one",
                             shifts, dims);
}

/* Without dimensions, elements are rolled in row-major order. */
static dt_status roll_factors(const dt_operation *operation, dt_factors *out)
{
    unsigned moved;
    DTI_TRY(read_dims(operation, 2, true, &moved));
    if (operation->arguments[2].count == 0)
        moved = ~0u;
    return keep_others(operation, moved, out);
}

/* Copy from a dimension on: what lies before the end, and what comes round. */
static dt_status roll_from(dt_world *world, int dim, const int64_t *shifts,
                           dt_array *in, dt_array *out)
{
    while (dim < in->shape.ndim && shifts[dim] == 0)
        dim++;
    if (dim == in->shape.ndim)
        return dt_array_copy(world, in, out);
    dt_status status = DT_OK;
    int64_t extent = in->shape.dims[dim], shift = shifts[dim];
    for (int round = 0; round < 2 && status == DT_OK; round++) {
        dt_array *part = NULL, *to = NULL;
        int64_t first = round ? extent - shift : 0;
        int64_t end = round ? extent : extent - shift;
        int64_t at = round ? 0 : shift;
        status = dt_array_slice(world, in, dim, first, end, 1, &part);
        if (status == DT_OK)
            status =
                dt_array_slice(world, out, dim, at, at + end - first, 1, &to);
        if (status == DT_OK)
            status = roll_from(world, dim + 1, shifts, part, to);
        dt_array_release(part);
        dt_array_release(to);
    }
    return status;
}

/* How far each dimension of a shape is rolled, forwards. */
static void read_shifts(const dt_operation *operation, const dt_shape *shape,
                        int64_t *out)
{
    const dt_argument *shifts = &operation->arguments[1];
    const dt_argument *dims = &operation->arguments[2];
    for (int i = 0; i < shifts->count; i++) {
        int64_t dim = dims->count ? dims->as.integers[i] : 0;
        dim += dim < 0 ? shape->ndim : 0;
        if (dim >= shape->ndim || dim < 0)
            continue; /* of a 0-d tensor */
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
    int64_t shifts[DT_MAX_NDIM] = {0};
    read_shifts(operation, &shape, shifts);
    DTI_TRY(dt_array_contiguous(world, operation->in[0], &dense));
    dt_status status = dt_array_reshape(world, dense, shape, &flat);
    if (status == DT_OK)
        status = dt_array_reshape(world, operation->out[0], shape, &to);
    if (status == DT_OK)
        status = roll_from(world, 0, shifts, flat, to);
    dt_array_release(dense);
    dt_array_release(flat);
    dt_array_release(to);
    return status;
}

static dt_status roll_kernel(dt_operation *operation)
{
    int64_t shifts[DT_MAX_NDIM] = {0};
    if (operation->out[0]->count == 0)
        return DT_OK;
    if (operation->arguments[2].count == 0)
        return roll_flat(operation);
    read_shifts(operation, &operation->out[0]->shape, shifts);
    return roll_from(operation->world, 0, shifts, operation->in[0],
                     operation->out[0]);
}

/* ---- flip --------------------------------------------------------------- */

static dt_status flip_meta(dt_operation *operation)
{
    unsigned turned;
    DTI_TRY(read_dims(operation, 1, false, &turned));
    return dti_meta_like_first(operation);
}

static dt_status flip_factors(const dt_operation *operation, dt_factors *out)
{
    unsigned turned;
    DTI_TRY(read_dims(operation, 1, false, &turned));
    return keep_others(operation, turned, out);
}

static dt_status flip_kernel(dt_operation *operation)
{
    unsigned turned;
    int64_t first = 0;
    const dt_array *in = operation->in[0];
    dt_array *out = operation->out[0];
    DTI_TRY(read_dims(operation, 1, false, &turned));
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
    const dt_argument *pad = &operation->arguments[1];
    int at = 2 * (operation->metas[0]->shape.ndim - 1 - dim);
    *before = at < pad->count ? pad->as.integers[at] : 0;
    *behind = at < pad->count ? pad->as.integers[at + 1] : 0;
}

static dt_status pad_meta(dt_operation *operation)
{
    const dt_argument *pad = &operation->arguments[1];
    dt_shape shape = operation->metas[0]->shape;
    if (pad->count % 2 || pad->count > 2 * shape.ndim)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "pad has %d numbers for a tensor of %d "
                                 "dimensions; each has two at most",
                                 pad->count, shape.ndim);
    for (int i = 0; i < shape.ndim; i++) {
        int64_t before, behind, extent = shape.dims[i];
        const int64_t most = INT64_C(1) << 61;
        read_pad(operation, i, &before, &behind);
        if (before > most || behind > most || before < -extent ||
            behind < -extent || extent + before + behind < 0)
            return dt_operation_fail(
                operation, DT_ERR_INVALID,
                "dim %d, of extent %lld, is padded by %lld and %lld", i,
                (long long)extent, (long long)before, (long long)behind);
        shape.dims[i] = extent + before + behind;
    }
    return dti_meta_add(operation, operation->metas[0]->dtype, shape);
}

static dt_status pad_check(const dt_operation *operation)
{
    return dti_value_check(operation, operation->arguments[2].as.number,
                           operation->results[0].dtype);
}

static dt_status pad_factors(const dt_operation *operation, dt_factors *out)
{
    int from[DT_MAX_NDIM] = {0};
    for (int i = 0; i < operation->metas[0]->shape.ndim; i++) {
        int64_t before, behind;
        read_pad(operation, i, &before, &behind);
        from[i] = before || behind ? -1 : i;
    }
    return dti_factors_moves(operation, from, out);
}

/* See the elements of an array that are not padding: of the tensor, those that
 * are not cut off, of the result, those between what is added. */
static dt_status see_inside(dt_operation *operation, dt_array *array, int sign,
                            dt_array **out)
{
    dt_array *view = dt_array_retain(array);
    dt_status status = DT_OK;
    for (int i = 0; i < array->shape.ndim && status == DT_OK; i++) {
        int64_t before, behind;
        dt_array *next = NULL;
        read_pad(operation, i, &before, &behind);
        before = sign * before > 0 ? sign * before : 0;
        behind = sign * behind > 0 ? sign * behind : 0;
        int64_t end = array->shape.dims[i] - behind;
        status = dt_array_slice(operation->world, view, i, before,
                                end > before ? end : before, 1, &next);
        dt_array_release(view);
        view = next;
    }
    *out = view;
    return status;
}

static dt_status pad_kernel(dt_operation *operation)
{
    dt_array *inside = NULL, *to = NULL;
    if (operation->out[0]->count == 0)
        return DT_OK;
    DTI_TRY(dti_value_fill(operation, operation->arguments[2].as.number,
                           operation->out[0]));
    dt_status status = see_inside(operation, operation->in[0], -1, &inside);
    if (status == DT_OK)
        status = see_inside(operation, operation->out[0], 1, &to);
    if (status == DT_OK && dt_array_count(to) > 0)
        status = dt_array_copy(operation->world, inside, to);
    dt_array_release(inside);
    dt_array_release(to);
    return status;
}

/* ---- Rows --------------------------------------------------------------- */

const dt_op dti_ops_shift[] = {
    {
        .schema = "roll(Tensor self, int[]~ shifts, Dims dims) -> Tensor",
        .aten = "roll",
        .about = "Move elements along dimensions, round the end; without dims "
                 "in row-major order.",
        .moves = "self",
        .flags = DT_OP_OUT,
        .meta = roll_meta,
        .check = roll_check,
        .factors = roll_factors,
        .kernel = roll_kernel,
        .samples = "(T[m,n], [1], [0]); (T[m,n], [-2,3], [1,0]); "
                   "(T[m,3,n], [4], []); (T[m,n], [1,2], [-1,1]); "
                   "(T[], [1], [])",
    },
    {
        .schema = "flip(Tensor self, int[] dims) -> Tensor",
        .aten = "flip",
        .about = "Turn dimensions round: the last index comes first.",
        .moves = "self",
        .flags = DT_OP_OUT,
        .meta = flip_meta,
        .factors = flip_factors,
        .kernel = flip_kernel,
        .samples = "(T[m,n], [0]); (T[m,n], [-1]); (T[m,3,n], [0,2]); "
                   "(T[m,n], []); (T[], [0])",
    },
    {
        .schema = "constant_pad_nd(Tensor self, int[] pad, *, Number value=0) "
                  "-> Tensor",
        .aten = "constant_pad_nd",
        .about = "Add indexes of a number before and behind those of "
                 "dimensions; pairs are for the last dimension first, and "
                 "negative ones cut off.",
        .moves = "self",
        .flags = DT_OP_OUT,
        .meta = pad_meta,
        .check = pad_check,
        .factors = pad_factors,
        .kernel = pad_kernel,
        .samples = "(T[m,n], [1,2]); (T[m,n], [0,0,2,0], value=3); "
                   "(T[m,4,5], [-1,1,2,-3], value=1); (T[m], [])",
    },
    {0},
};
