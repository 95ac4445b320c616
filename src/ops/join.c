/* ops/join.c - several tensors made one, and one made several. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "array/array.h"
#include "base/error.h"
#include "layout/spec.h"
#include "op/meta.h"
#include "ops/factors.h"
#include "ops/tables.h"

/* ---- Rules -------------------------------------------------------------- */

/*
 * One map for all tensors, of a shape, and one for all results.  Dimensions are
 * the same, but `in_dim` and `out_dim` are whole; where one of them is -1, the
 * other tensors have no such dimension.
 */
static void write_factors(dt_shape in, int in_dim, int out_dim, dt_factors *out)
{
    *out = (dt_factors){.in_count = 1, .out_count = 1};
    for (int i = 0; i < in.ndim; i++) {
        int to = i - (in_dim >= 0 && i > in_dim);
        to += out_dim >= 0 && to >= out_dim;
        if (i == in_dim)
            continue;
        int factor = dti_factor_add(out, DT_FACTOR_FREE, in.dims[i]);
        dti_factor_put(&out->in[0].dims[i], factor);
        dti_factor_put(&out->out[0].dims[to], factor);
    }
}

/* ---- Joining ------------------------------------------------------------ */

/* The argument that says the dimension: where to join, or what to divide. */
static dt_status read_dim(const dt_operation *operation, int argument, int ndim,
                          int *out)
{
    return dt_operation_dim(
        operation, operation->arguments[argument].as.integer, ndim, out);
}

static dt_status check_some(const dt_operation *operation)
{
    return operation->input_count > 0
               ? DT_OK
               : dt_operation_fail(operation, DT_ERR_INVALID,
                                   "a list of no tensors");
}

/* Converted values that are partial may not combine to the converted value: a
 * sum of i8 wraps around where that of f32 does not. */
static bool converts(const dt_operation *operation)
{
    for (int i = 0; i < operation->input_count; i++)
        if (operation->metas[i]->dtype != operation->results[0].dtype)
            return true;
    return false;
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
                "tensors[%d] is %s, tensors[%d] is %s; only dim %d may differ",
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
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "tensors[%d] is 0-d; stack joins such", first);
    DTI_TRY(read_dim(operation, 1, ndim, &dim));
    DTI_TRY(add_extents(operation, first, dim, &shape));
    DTI_TRY(
        dti_promote_tensors(operation, 0, operation->input_count - 1, &dtype));
    return dti_meta_add(operation, dtype, shape);
}

/* Tensors that are passed over are cut as the others are, as far as they have
 * dimensions: they are empty anyway. */
static dt_status cat_factors(const dt_operation *operation, dt_factors *out)
{
    int dim, joined = 0;
    dt_shape shape = operation->metas[first_joined(operation)]->shape;
    DTI_TRY(read_dim(operation, 1, shape.ndim, &dim));
    for (int i = 0; i < operation->input_count; i++)
        joined += !is_passed_over(operation, i);
    int whole = joined > 1 ? dim : -1;
    write_factors(shape, whole, whole, out);
    out->no_moves = converts(operation);
    return DT_OK;
}

static dt_status copy_into(dt_operation *operation, int dim, int64_t first,
                           const dt_array *in)
{
    dt_array *to = NULL;
    int64_t extent = in->shape.dims[dim];
    DTI_TRY(dt_array_slice(operation->world, operation->out[0], dim, first,
                           first + extent, 1, &to));
    dt_status status = dt_array_copy(operation->world, in, to);
    dt_array_release(to);
    return status;
}

static dt_status cat_kernel(dt_operation *operation)
{
    int dim;
    int64_t first = 0;
    DTI_TRY(read_dim(operation, 1, operation->results[0].shape.ndim, &dim));
    for (int i = 0; i < operation->input_count; i++) {
        if (is_passed_over(operation, i))
            continue;
        DTI_TRY(copy_into(operation, dim, first, operation->in[i]));
        first += operation->in[i]->shape.dims[dim];
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
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "tensors[0] has %d dimensions already",
                                 in.ndim);
    DTI_TRY(read_dim(operation, 1, in.ndim + 1, &dim));
    for (int i = 1; i < operation->input_count; i++)
        if (!dt_shape_equal(operation->metas[i]->shape, in))
            return dt_operation_fail(
                operation, DT_ERR_INVALID,
                "tensors[%d] is %s, tensors[0] is %s", i,
                dti_shape_show(operation->metas[i]->shape).text,
                dti_shape_show(in).text);
    shape.ndim++;
    for (int i = in.ndim; i > dim; i--)
        shape.dims[i] = in.dims[i - 1];
    shape.dims[dim] = operation->input_count;
    DTI_TRY(
        dti_promote_tensors(operation, 0, operation->input_count - 1, &dtype));
    return dti_meta_add(operation, dtype, shape);
}

static dt_status stack_factors(const dt_operation *operation, dt_factors *out)
{
    int dim;
    DTI_TRY(read_dim(operation, 1, operation->results[0].shape.ndim, &dim));
    write_factors(operation->metas[0]->shape, -1, dim, out);
    out->no_moves = converts(operation);
    return DT_OK;
}

static dt_status stack_kernel(dt_operation *operation)
{
    int dim;
    dt_status status = DT_OK;
    DTI_TRY(read_dim(operation, 1, operation->results[0].shape.ndim, &dim));
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

static dt_status add_piece(dt_operation *operation, int dim, int64_t extent)
{
    dt_meta meta = *operation->metas[0];
    meta.shape.dims[dim] = extent;
    return dt_operation_add_result(operation, &meta);
}

/* Pieces of a size, the last one shorter if need be; one at least. */
static dt_status add_pieces(dt_operation *operation, int dim, int64_t size)
{
    int64_t left = operation->metas[0]->shape.dims[dim];
    do {
        int64_t extent = left < size ? left : size;
        DTI_TRY(add_piece(operation, dim, extent));
        left -= extent;
    } while (left > 0);
    return DT_OK;
}

static dt_status read_divided(const dt_operation *operation, int argument,
                              int *dim)
{
    int ndim = operation->metas[0]->shape.ndim;
    if (ndim == 0)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "a 0-d tensor cannot be divided");
    return read_dim(operation, argument, ndim, dim);
}

static dt_status split_meta(dt_operation *operation)
{
    int dim;
    int64_t size = operation->arguments[1].as.integer;
    DTI_TRY(read_divided(operation, 2, &dim));
    int64_t extent = operation->metas[0]->shape.dims[dim];
    if (size < 0 || (size == 0 && extent > 0))
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "pieces of size %lld of dim %d, whose extent is %lld",
            (long long)size, dim, (long long)extent);
    return add_pieces(operation, dim, size);
}

static dt_status split_sizes_meta(dt_operation *operation)
{
    int dim;
    int64_t left;
    const dt_argument *sizes = &operation->arguments[1];
    DTI_TRY(read_divided(operation, 2, &dim));
    left = operation->metas[0]->shape.dims[dim];
    for (int i = 0; i < sizes->count; i++) {
        int64_t size = sizes->as.integers[i];
        if (size < 0 || size > left)
            return dt_operation_fail(
                operation, DT_ERR_INVALID,
                "sizes[%d] is %lld, where dim %d has %lld left", i,
                (long long)size, dim, (long long)left);
        left -= size;
        DTI_TRY(add_piece(operation, dim, size));
    }
    if (left > 0)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "sizes leave %lld of dim %d", (long long)left,
                                 dim);
    return DT_OK;
}

static dt_status chunks_meta(dt_operation *operation)
{
    int dim;
    int64_t count = operation->arguments[1].as.integer;
    DTI_TRY(read_divided(operation, 2, &dim));
    int64_t extent = operation->metas[0]->shape.dims[dim];
    if (count < 1)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "%lld chunks; at least 1 is possible",
                                 (long long)count);
    if (extent > 0)
        return add_pieces(operation, dim, (extent - 1) / count + 1);
    for (int64_t i = 0; i < count; i++)
        DTI_TRY(add_piece(operation, dim, 0));
    return DT_OK;
}

static dt_status divide_factors(const dt_operation *operation, dt_factors *out)
{
    int dim;
    DTI_TRY(read_divided(operation, 2, &dim));
    int whole = operation->result_count > 1 ? dim : -1;
    write_factors(operation->metas[0]->shape, whole, whole, out);
    return DT_OK;
}

/* One piece is all that this rank has, of several it has all. */
static dt_status divide_kernel(dt_operation *operation)
{
    int dim;
    int64_t first = 0;
    DTI_TRY(read_divided(operation, 2, &dim));
    for (int i = 0; i < operation->result_count; i++) {
        int64_t extent = operation->out_specs[i]->local_shape.dims[dim];
        DTI_TRY(dt_array_slice(operation->world, operation->in[0], dim, first,
                               first + extent, 1, &operation->out[i]));
        first += extent;
    }
    return DT_OK;
}

static dt_status unbind_meta(dt_operation *operation)
{
    int dim;
    const dt_meta *in = operation->metas[0];
    dt_meta meta = {.dtype = in->dtype};
    DTI_TRY(read_divided(operation, 1, &dim));
    for (int i = 0; i < in->shape.ndim; i++) {
        if (i == dim)
            continue;
        meta.strides[meta.shape.ndim] = in->strides[i];
        meta.shape.dims[meta.shape.ndim++] = in->shape.dims[i];
    }
    for (int64_t i = 0; i < in->shape.dims[dim]; i++)
        DTI_TRY(dt_operation_add_result(operation, &meta));
    return DT_OK;
}

static dt_status unbind_factors(const dt_operation *operation, dt_factors *out)
{
    int dim;
    DTI_TRY(read_divided(operation, 1, &dim));
    write_factors(operation->metas[0]->shape, dim, -1, out);
    return DT_OK;
}

static dt_status unbind_kernel(dt_operation *operation)
{
    int dim;
    DTI_TRY(read_divided(operation, 1, &dim));
    for (int i = 0; i < operation->result_count; i++)
        DTI_TRY(dt_array_select(operation->world, operation->in[0], dim, i,
                                &operation->out[i]));
    return DT_OK;
}

/* ---- Rows --------------------------------------------------------------- */

const dt_op dti_ops_join[] = {
    {
        .schema = "cat(Tensor[] tensors, Dim dim) -> Tensor",
        .aten = "cat",
        .about = "Put tensors one behind another along a dimension, in which "
                 "alone they may differ; those of shape (0,) are passed over.",
        .moves = "tensors",
        .flags = DT_OP_OUT,
        .meta = cat_meta,
        .factors = cat_factors,
        .kernel = cat_kernel,
        .samples = "([T[m,n], T[m,n]], 0); ([T[m,3], T[m,1], T[m,n]], -1); "
                   "([T[m,n]], 1); ([T[3,n], T[0,n]], 0); "
                   "([T[0], T[m,n], T[m,n]], 1); ([T[m,n], T[0]], 0)",
    },
    {
        .schema = "stack(Tensor[] tensors, Dim dim) -> Tensor",
        .aten = "stack",
        .about = "Put tensors of one shape one behind another along a "
                 "dimension of its own.",
        .moves = "tensors",
        .flags = DT_OP_OUT,
        .meta = stack_meta,
        .factors = stack_factors,
        .kernel = stack_kernel,
        .samples = "([T[m,n], T[m,n]], 0); ([T[m], T[m], T[m]], -1); "
                   "([T[], T[]], 0); ([T[m,n], T[m,n]], 1)",
    },
    {
        .schema = "split(Tensor self, int size, Dim dim) -> Tensor[]",
        .aten = "split.Tensor split_copy.Tensor",
        .about = "See pieces of a size along a dimension; the last one may be "
                 "shorter.",
        .moves = "self",
        .flags = DT_OP_VIEW,
        .meta = split_meta,
        .factors = divide_factors,
        .kernel = divide_kernel,
        .samples = "(T[7,n], 3, 0); (T[m,4], 2, -1); (T[m,n], 100, 0); "
                   "(T[0,n], 2, 0)",
    },
    {
        .schema = "split_sizes(Tensor self, int[] sizes, Dim dim) -> Tensor[]",
        .aten = "split_with_sizes split.sizes split_with_sizes_copy",
        .about = "See pieces of the given sizes along a dimension.",
        .moves = "self",
        .flags = DT_OP_VIEW,
        .meta = split_sizes_meta,
        .factors = divide_factors,
        .kernel = divide_kernel,
        .samples = "(T[7,n], [1,4,2], 0); (T[m,4], [4], 1); "
                   "(T[m,4], [0,4], -1)",
    },
    {
        .schema = "chunks(Tensor self, int pieces, Dim dim) -> Tensor[]",
        .aten = "chunk",
        .about = "See so many pieces along a dimension, of equal size rounded "
                 "up; there may be fewer.",
        .moves = "self",
        .flags = DT_OP_VIEW,
        .meta = chunks_meta,
        .factors = divide_factors,
        .kernel = divide_kernel,
        .samples = "(T[7,n], 4, 0); (T[m,6], 3, -1); (T[m,n], 1, 0)",
    },
    {
        .schema = "unbind(Tensor self, Dim dim) -> Tensor[]",
        .aten = "unbind.int",
        .about = "See every index of a dimension, which disappears.",
        .moves = "self",
        .flags = DT_OP_VIEW,
        .meta = unbind_meta,
        .factors = unbind_factors,
        .kernel = unbind_kernel,
        .samples = "(T[3,n], 0); (T[m,2], -1)",
    },
    {0},
};
