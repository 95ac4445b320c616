/* ops/shape/view.c - seeing a tensor with other dimensions. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/shape/view.h"

#include <string.h>

#include "array/array.h"
#include "base/error.h"
#include "layout/spec.h"
#include "op/meta.h"
#include "ops/helpers/backward.h"
#include "ops/helpers/factors.h"
#include "ops/helpers/tables.h"

/* ---- Rules -------------------------------------------------------------- */

/*
 * How a shape becomes another over the same elements.  Count how many values
 * the indexes before a dimension can take, and those up to it: in (4, 6) the
 * dimensions span 1 to 4 and 4 to 24.  A factor that spans b to e is an index
 * of e/b values that changes every 24/e elements.  A dimension can have it if
 * b is a multiple of where the dimension begins, and e divides where it ends.
 * So what two dimensions share spans from the least common multiple of their
 * beginnings to the greatest common divisor of their ends, if the one divides
 * the other; what a dimension shares with nobody is whole.
 *
 *     (32, 4) -> (4, 32)   1 to 32, 32 to 128 | 1 to 4, 4 to 128
 *                          share 1 to 4, 4 to 32, 32 to 128:
 *                          ((4 8) 4) -> (4 (8 4))
 *     (4, 6) -> (6, 4)     1 to 4, 4 to 24 | 1 to 6, 6 to 24
 *                          share 1 to 2 and 12 to 24:
 *                          ((2 .) (. 2)) -> ((2 .) (. 2))
 */
typedef struct matching {
    dt_shape in, to;
    dt_factors *out;
    int64_t in_done[DT_MAX_NDIM]; /* up to where dimensions have factors */
    int64_t to_done[DT_MAX_NDIM];
    int64_t in_ends[DT_MAX_NDIM]; /* what they span */
    int64_t to_ends[DT_MAX_NDIM];
} matching;

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The least common multiple; 0 if it is more than `most`. */
static int64_t common_multiple(int64_t a, int64_t b, int64_t most)
{
    a /= common_divisor(a, b);
    return a > most / b ? 0 : a * b;
}

static void find_spans(dt_shape shape, int64_t *begins, int64_t *ends)
{
    int64_t span = 1;
    for (int i = 0; i < shape.ndim; i++) {
        begins[i] = span;
        ends[i] = span *= shape.dims[i];
    }
}

static void keep_whole(matching *at, dt_factor_dim *dim, int64_t size)
{
    if (size > 1)
        dti_factor_put(dim, dti_factor_add(at->out, DT_FACTOR_WHOLE, size));
}

/* Tell whether a dimension has slots for one more factor that ends at `end`,
 * and for what is whole before and after it. */
static bool dim_has_slots(const dt_factor_dim *dim, int64_t done, int64_t begin,
                          int64_t end, int64_t last)
{
    return dim->count + (begin > done) + 1 + (last > end) <= DT_MAX_NDIM;
}

static bool have_slots(const matching *at, int i, int j, int64_t begin,
                       int64_t end)
{
    /* Each dimension that is not at its end may need a factor for the rest. */
    const int rest = at->in.ndim - i + at->to.ndim - j;
    return at->out->count + 3 + rest <= DT_MAX_FACTORS &&
           dim_has_slots(&at->out->in[0].dims[i], at->in_done[i], begin, end,
                         at->in_ends[i]) &&
           dim_has_slots(&at->out->out[0].dims[j], at->to_done[j], begin, end,
                         at->to_ends[j]);
}

static void share_factor(matching *at, int i, int j, int64_t size)
{
    int factor = dti_factor_add(at->out, DT_FACTOR_FREE, size);
    dti_factor_put(&at->out->in[0].dims[i], factor);
    dti_factor_put(&at->out->out[0].dims[j], factor);
}

/* Let two dimensions have what they share. */
static void match_pair(matching *at, int i, int j)
{
    const int64_t end = common_divisor(at->in_ends[i], at->to_ends[j]);
    const int64_t begin = common_multiple(at->in_ends[i] / at->in.dims[i],
                                          at->to_ends[j] / at->to.dims[j], end);
    if (begin == 0 || end % begin != 0 || end == begin ||
        !have_slots(at, i, j, begin, end))
        return;
    keep_whole(at, &at->out->in[0].dims[i], begin / at->in_done[i]);
    keep_whole(at, &at->out->out[0].dims[j], begin / at->to_done[j]);
    share_factor(at, i, j, end / begin);
    at->in_done[i] = at->to_done[j] = end;
}

/* Extents of 1 that are in the same place are the same. */
static void match_ones(matching *at)
{
    int j = 0;
    for (int i = 0; i < at->in.ndim; i++) {
        if (at->in.dims[i] != 1)
            continue;
        while (j < at->to.ndim &&
               (at->to_ends[j] < at->in_ends[i] || at->to.dims[j] != 1))
            j++;
        if (j < at->to.ndim && at->to_ends[j] == at->in_ends[i])
            share_factor(at, i, j++, 1);
    }
}

/* Without elements every part is empty, and dimensions at either end that are
 * the same stay. */
static dt_status empty_factors(const dt_operation *operation, dt_factors *out)
{
    int from[DT_MAX_NDIM] = {0};
    dt_shape in = operation->metas[0]->shape;
    dt_shape to = operation->results[0].shape;
    int least = in.ndim < to.ndim ? in.ndim : to.ndim, front = 0, back = 0;
    memset(from, -1, sizeof from);
    for (; front < least && in.dims[front] == to.dims[front]; front++)
        from[front] = front;
    for (; back < least - front &&
           in.dims[in.ndim - 1 - back] == to.dims[to.ndim - 1 - back];
         back++)
        from[to.ndim - 1 - back] = in.ndim - 1 - back;
    return dti_factors_moves(operation, from, out);
}

static dt_status reshape_factors(const dt_operation *operation, dt_factors *out)
{
    matching at = {.in = operation->metas[0]->shape,
                   .to = operation->results[0].shape,
                   .out = out};
    if (dt_shape_count(at.in) == 0)
        return empty_factors(operation, out);
    *out = (dt_factors){.in_count = 1, .out_count = 1};
    find_spans(at.in, at.in_done, at.in_ends);
    find_spans(at.to, at.to_done, at.to_ends);
    for (int i = 0; i < at.in.ndim; i++)
        for (int j = 0; j < at.to.ndim; j++)
            match_pair(&at, i, j);
    for (int i = 0; i < at.in.ndim; i++)
        keep_whole(&at, &out->in[0].dims[i], at.in_ends[i] / at.in_done[i]);
    for (int j = 0; j < at.to.ndim; j++)
        keep_whole(&at, &out->out[0].dims[j], at.to_ends[j] / at.to_done[j]);
    match_ones(&at);
    return DT_OK;
}

/* ---- Other shapes ------------------------------------------------------- */

static dt_status add_reshaped(dt_operation *operation, dt_shape shape,
                              bool copies)
{
    const dt_meta *in = operation->metas[0];
    int64_t count = dt_shape_count(in->shape);
    const char *why = dti_shape_complete(&shape, count);
    if (why)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "shape %s, of %lld elements, cannot be viewed as %s: %s",
            dti_shape_show(in->shape).text, (long long)count,
            dti_shape_show(shape).text, why);
    dt_meta meta = dt_meta_of(in->dtype, shape);
    if (!dti_strides_reshape(in->shape, in->strides, shape, meta.strides)) {
        if (!copies)
            return dt_operation_fail(
                operation, DT_ERR_UNSUPPORTED,
                "the strides of a tensor of shape %s do not allow a view of "
                "shape %s; reshape makes a copy",
                dti_shape_show(in->shape).text, dti_shape_show(shape).text);
        dti_strides_row_major(shape, meta.strides);
    }
    return dt_operation_add_result(operation, &meta);
}

static dt_status view_meta(dt_operation *operation)
{
    dt_shape shape;
    DTI_TRY(dti_meta_shape(operation, 1, &shape));
    return add_reshaped(operation, shape, false);
}

static dt_status reshape_meta(dt_operation *operation)
{
    dt_shape shape;
    DTI_TRY(dti_meta_shape(operation, 1, &shape));
    return add_reshaped(operation, shape, true);
}

static dt_status flatten_meta(dt_operation *operation)
{
    int first, last;
    const dt_argument *given = operation->arguments;
    dt_shape in = operation->metas[0]->shape, shape = {0};
    DTI_TRY(dt_operation_dim(operation, given[1].as.integer, in.ndim, &first));
    DTI_TRY(dt_operation_dim(operation, given[2].as.integer, in.ndim, &last));
    if (first > last)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "dim %d is after dim %d; expected start <= end", first, last);
    int64_t size = 1;
    for (int i = first; i <= last && i < in.ndim; i++)
        size *= in.dims[i];
    for (int i = 0; i < first; i++)
        shape.dims[shape.ndim++] = in.dims[i];
    shape.dims[shape.ndim++] = size;
    for (int i = last + 1; i < in.ndim; i++)
        shape.dims[shape.ndim++] = in.dims[i];
    return add_reshaped(operation, shape, true);
}

static dt_status unflatten_meta(dt_operation *operation)
{
    int dim = 0;
    dt_shape sizes = {0}, in = operation->metas[0]->shape, shape = {0};
    DTI_TRY(dti_meta_shape(operation, 2, &sizes));
    if (in.ndim == 0 || sizes.ndim == 0 ||
        in.ndim + sizes.ndim - 1 > DT_MAX_NDIM)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "a dimension of a %d-d tensor cannot be split "
                                 "into %d: too many dimensions, or none",
                                 in.ndim, sizes.ndim);
    DTI_TRY(dt_operation_dim(operation, operation->arguments[1].as.integer,
                             in.ndim, &dim));
    const char *why = dti_shape_complete(&sizes, in.dims[dim]);
    if (why)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "dim %d, of extent %lld, cannot be split into %s: %s", dim,
            (long long)in.dims[dim], dti_shape_show(sizes).text, why);
    for (int i = 0; i < dim; i++)
        shape.dims[shape.ndim++] = in.dims[i];
    for (int i = 0; i < sizes.ndim; i++)
        shape.dims[shape.ndim++] = sizes.dims[i];
    for (int i = dim + 1; i < in.ndim; i++)
        shape.dims[shape.ndim++] = in.dims[i];
    return add_reshaped(operation, shape, true);
}

dt_status dti_view_copy(dt_operation *operation, dt_array **out)
{
    DTI_TRY(dt_array_clone(operation->world, operation->in[0], out));
    operation->copy = dt_array_retain(*out);
    return DT_OK;
}

static dt_status see_dense(dt_operation *operation, dt_array *dense)
{
    dt_status status = dt_array_reshape(operation->world, dense,
                                        operation->out_specs[0]->local_shape,
                                        &operation->out[0]);
    dt_array_release(dense);
    return status;
}

/* See this rank's shard with the shape that its shard of the result has.  The
 * strides of the global tensor allow it; those of a shard that a program
 * brought, for example columns of a larger array, may not. */
static dt_status view_kernel(dt_operation *operation)
{
    dt_array *in = operation->in[0], *dense = NULL;
    const dt_shape shape = operation->out_specs[0]->local_shape;
    int64_t strides[DT_MAX_NDIM] = {0};
    if (dti_strides_reshape(in->shape, in->strides, shape, strides))
        return dti_array_view(operation->world, in, shape, strides, in->offset,
                              &operation->out[0]);
    DTI_TRY(dti_view_copy(operation, &dense));
    return see_dense(operation, dense);
}

/* Tell whether the strides of the global tensor do not allow a view.  Every
 * rank goes by them: short shards allow more. */
static bool reshape_copies(const dt_operation *operation)
{
    const dt_meta *in = operation->metas[0];
    int64_t strides[DT_MAX_NDIM] = {0};
    return !dti_strides_reshape(in->shape, in->strides,
                                operation->results[0].shape, strides);
}

static dt_status reshape_kernel(dt_operation *operation)
{
    dt_array *dense = NULL;
    if (!reshape_copies(operation))
        return view_kernel(operation);
    DTI_TRY(dt_array_clone(operation->world, operation->in[0], &dense));
    return see_dense(operation, dense);
}

/* ---- Dimensions of extent 1 --------------------------------------------- */

/* The dimensions to take out, as bits; those that are longer stay. */
static dt_status read_squeezed(const dt_operation *operation, unsigned *out)
{
    const dt_argument *given = &operation->arguments[1];
    const dt_meta *in = operation->metas[0];
    unsigned named = given->count ? 0 : ~0u;
    for (int i = 0; i < given->count; i++) {
        int dim;
        DTI_TRY(dt_operation_dim(operation, given->as.integers[i],
                                 in->shape.ndim, &dim));
        if (named & 1u << dim)
            return dt_operation_fail(operation, DT_ERR_INVALID,
                                     "dim %d is listed twice in dims", dim);
        named |= 1u << dim;
    }
    *out = 0;
    for (int i = 0; i < in->shape.ndim; i++)
        if (in->shape.dims[i] == 1)
            *out |= named & 1u << i;
    return DT_OK;
}

static dt_status squeeze_meta(dt_operation *operation)
{
    unsigned gone = 0;
    const dt_meta *in = operation->metas[0];
    dt_meta meta = {.dtype = in->dtype};
    DTI_TRY(read_squeezed(operation, &gone));
    for (int i = 0; i < in->shape.ndim; i++) {
        if (gone & 1u << i)
            continue;
        meta.strides[meta.shape.ndim] = in->strides[i];
        meta.shape.dims[meta.shape.ndim++] = in->shape.dims[i];
    }
    return dt_operation_add_result(operation, &meta);
}

/* Extents of 1 are told apart by their place, not by what stands beside them.
 */
static dt_status squeeze_factors(const dt_operation *operation, dt_factors *out)
{
    unsigned gone = 0;
    int from[DT_MAX_NDIM] = {0}, count = 0;
    DTI_TRY(read_squeezed(operation, &gone));
    for (int i = 0; i < operation->metas[0]->shape.ndim; i++)
        if (!(gone & 1u << i))
            from[count++] = i;
    return dti_factors_moves(operation, from, out);
}

static dt_status read_unsqueezed(const dt_operation *operation, int *dim)
{
    int ndim = operation->metas[0]->shape.ndim;
    if (ndim == DT_MAX_NDIM)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "self already has %d dimensions, the maximum",
                                 ndim);
    return dt_operation_dim(operation, operation->arguments[1].as.integer,
                            ndim + 1, dim);
}

static dt_status unsqueeze_meta(dt_operation *operation)
{
    int dim = 0;
    const dt_meta *in = operation->metas[0];
    dt_meta meta = {.dtype = in->dtype};
    DTI_TRY(read_unsqueezed(operation, &dim));
    meta.shape.ndim = in->shape.ndim + 1;
    for (int i = 0; i < meta.shape.ndim; i++) {
        int from = i - (i > dim);
        bool last = from == in->shape.ndim;
        meta.shape.dims[i] = i == dim ? 1 : in->shape.dims[from];
        meta.strides[i] = last       ? 1
                          : i == dim ? in->shape.dims[from] * in->strides[from]
                                     : in->strides[from];
    }
    return dt_operation_add_result(operation, &meta);
}

/* ---- Dimensions in another order ---------------------------------------- */

static dt_status read_permute(const dt_operation *operation, int *from)
{
    const dt_argument *given = &operation->arguments[1];
    int ndim = operation->metas[0]->shape.ndim;
    unsigned seen = 0;
    if (given->count != ndim)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "dims has %d elements for a tensor of %d dimensions", given->count,
            ndim);
    for (int i = 0; i < ndim; i++) {
        DTI_TRY(
            dt_operation_dim(operation, given->as.integers[i], ndim, &from[i]));
        if (seen & 1u << from[i])
            return dt_operation_fail(operation, DT_ERR_INVALID,
                                     "dim %d is listed twice in dims", from[i]);
        seen |= 1u << from[i];
    }
    return DT_OK;
}

static void swap_dims(const dt_operation *operation, int a, int b, int *from)
{
    for (int i = 0; i < operation->metas[0]->shape.ndim; i++)
        from[i] = i == a ? b : i == b ? a : i;
}

static dt_status read_transpose(const dt_operation *operation, int *from)
{
    int a, b, ndim = operation->metas[0]->shape.ndim;
    const dt_argument *given = operation->arguments;
    DTI_TRY(dt_operation_dim(operation, given[1].as.integer, ndim, &a));
    DTI_TRY(dt_operation_dim(operation, given[2].as.integer, ndim, &b));
    swap_dims(operation, a, b, from);
    return DT_OK;
}

static dt_status read_t(const dt_operation *operation, int *from)
{
    int ndim = operation->metas[0]->shape.ndim;
    if (ndim > 2)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "self has %d dimensions; expected at most 2",
                                 ndim);
    swap_dims(operation, 0, ndim - 1, from);
    return DT_OK;
}

static dt_status add_permuted(dt_operation *operation, const int *from)
{
    dt_meta meta = *operation->metas[0];
    for (int i = 0; i < meta.shape.ndim; i++) {
        meta.shape.dims[i] = operation->metas[0]->shape.dims[from[i]];
        meta.strides[i] = operation->metas[0]->strides[from[i]];
    }
    return dt_operation_add_result(operation, &meta);
}

static dt_status permute_meta(dt_operation *operation)
{
    int from[DT_MAX_NDIM] = {0};
    DTI_TRY(read_permute(operation, from));
    return add_permuted(operation, from);
}

static dt_status permute_factors(const dt_operation *operation, dt_factors *out)
{
    int from[DT_MAX_NDIM] = {0};
    DTI_TRY(read_permute(operation, from));
    return dti_factors_moves(operation, from, out);
}

static dt_status permute_kernel(dt_operation *operation)
{
    int from[DT_MAX_NDIM] = {0};
    DTI_TRY(read_permute(operation, from));
    return dt_array_permute(operation->world, operation->in[0], from,
                            &operation->out[0]);
}

static dt_status transpose_meta(dt_operation *operation)
{
    int from[DT_MAX_NDIM] = {0};
    DTI_TRY(read_transpose(operation, from));
    return add_permuted(operation, from);
}

static dt_status transpose_factors(const dt_operation *operation,
                                   dt_factors *out)
{
    int from[DT_MAX_NDIM] = {0};
    DTI_TRY(read_transpose(operation, from));
    return dti_factors_moves(operation, from, out);
}

static dt_status transpose_kernel(dt_operation *operation)
{
    int from[DT_MAX_NDIM] = {0};
    DTI_TRY(read_transpose(operation, from));
    return dt_array_permute(operation->world, operation->in[0], from,
                            &operation->out[0]);
}

static dt_status t_meta(dt_operation *operation)
{
    int from[DT_MAX_NDIM] = {0};
    DTI_TRY(read_t(operation, from));
    return add_permuted(operation, from);
}

static dt_status t_factors(const dt_operation *operation, dt_factors *out)
{
    int from[DT_MAX_NDIM] = {0};
    DTI_TRY(read_t(operation, from));
    return dti_factors_moves(operation, from, out);
}

static dt_status t_kernel(dt_operation *operation)
{
    int from[DT_MAX_NDIM] = {0};
    DTI_TRY(read_t(operation, from));
    return dt_array_permute(operation->world, operation->in[0], from,
                            &operation->out[0]);
}

/* ---- Repeated elements -------------------------------------------------- */

static dt_status expand_meta(dt_operation *operation)
{
    const dt_meta *in = operation->metas[0];
    dt_meta meta = {.dtype = in->dtype};
    dt_shape *shape = &meta.shape;
    DTI_TRY(dti_meta_shape(operation, 1, shape));
    int front = shape->ndim - in->shape.ndim;
    if (front < 0)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "a %d-d tensor cannot be expanded to %s",
                                 in->shape.ndim, dti_shape_show(*shape).text);
    for (int i = shape->ndim - 1; i >= 0; i--) {
        int dim = i - front;
        int64_t extent = dim < 0 ? 1 : in->shape.dims[dim];
        int64_t stride = dim >= 0 ? in->strides[dim]
                         : i == shape->ndim - 1
                             ? 1
                             : shape->dims[i + 1] * meta.strides[i + 1];
        if (shape->dims[i] == -1 && dim >= 0)
            shape->dims[i] = extent;
        if (shape->dims[i] < 0 || (shape->dims[i] != extent && extent != 1))
            return dt_operation_fail(
                operation, DT_ERR_INVALID,
                "shape %s cannot be expanded to %s: the extents of dim %d "
                "differ and the first is not 1",
                dti_shape_show(in->shape).text, dti_shape_show(*shape).text, i);
        meta.strides[i] = shape->dims[i] == extent ? stride : 0;
    }
    return dt_operation_add_result(operation, &meta);
}

static dt_status expand_kernel(dt_operation *operation)
{
    return dt_array_expand(operation->world, operation->in[0],
                           operation->out_specs[0]->local_shape,
                           &operation->out[0]);
}

/* ---- Gradients ---------------------------------------------------------- */

/* The gradient's dimensions go back to where they were. */
static dt_status permute_backward(dt_backward_call *call)
{
    const dt_argument *given = &call->arguments[1];
    dt_dims back = {.ndim = given->count};
    for (int i = 0; i < given->count; i++) {
        const int64_t from = given->as.integers[i];
        back.dims[from < 0 ? from + given->count : from] = i;
    }
    return dti_give_gradient(call, 0, dt_permute(call->grads[0], back));
}

/* ---- Rows --------------------------------------------------------------- */

const dt_op dti_ops_view[] = {
    {
        .schema = "view(Tensor self, Shape shape) -> Tensor",
        .aten = "view view_copy _unsafe_view",
        .about = "View a tensor with another shape, without moving elements; "
                 "one extent may be -1.",
        .permutes = "self",
        .flags = DT_OP_VIEW | DT_OP_STRICT,
        .meta = view_meta,
        .factors = reshape_factors,
        .kernel = view_kernel,
        .gradient = "self: reshape(grad, shape(self))",
        .samples = "(T[m,n], [m,n]); (T[m,n], [m*n]); (T[m*n,3], [m,n,3]); "
                   "(T[m,1,n], [1,m,n,1]); (T[], [1,1]); (T[8,6], [16,3])",
    },
    {
        .schema = "reshape(Tensor self, Shape shape) -> Tensor",
        .about = "Change the shape of a tensor, as a view if possible; one "
                 "extent may be -1.",
        .permutes = "self",
        .flags = DT_OP_VIEW,
        .meta = reshape_meta,
        .factors = reshape_factors,
        .kernel = reshape_kernel,
        .copies = reshape_copies,
        .gradient = "self: reshape(grad, shape(self))",
        .samples =
            "(T[m,n], [m*n]); (T[m*n,3], [m,n*3]); (T[m,6,n], [m*3,n*2]); "
            "(T[12,8], [16,6]); (T[32,4], [4,32]); (T[m*4], [2,m,2])",
    },
    {
        .schema = "flatten(Tensor self, Dim start, Dim end) -> Tensor",
        .aten = "flatten.using_ints",
        .about = "Flatten the dimensions from `start` to `end`, both included, "
                 "into one.",
        .permutes = "self",
        .flags = DT_OP_VIEW,
        .meta = flatten_meta,
        .factors = reshape_factors,
        .kernel = reshape_kernel,
        .copies = reshape_copies,
        .gradient = "self: reshape(grad, shape(self))",
        .samples = "(T[m,n], 0, -1); (T[m,n,3], 1, 2); (T[m,4,n], 0, 1); "
                   "(T[], 0, -1); (T[m,n], 1, 1)",
    },
    {
        .schema = "unflatten(Tensor self, Dim dim, Shape sizes) -> Tensor",
        .aten = "unflatten.int",
        .about = "Split a dimension into several; one extent may be -1.",
        .arguments =
            "sizes: extents that replace the dimension, one of which may be -1",
        .permutes = "self",
        .flags = DT_OP_VIEW,
        .meta = unflatten_meta,
        .factors = reshape_factors,
        .kernel = reshape_kernel,
        .copies = reshape_copies,
        .gradient = "self: reshape(grad, shape(self))",
        .samples = "(T[m*n,3], 0, [m,n]); (T[3,m*4], -1, [2,-1,2])",
    },
    {
        .schema = "squeeze(Tensor self, Dims dims) -> Tensor",
        .aten = "squeeze squeeze.dim squeeze.dims",
        .about = "Remove dimensions of extent 1: the listed ones, all, or none "
                 "with DT_NO_DIMS.",
        .arguments = "dims: dimensions to remove, empty for all of extent 1",
        .permutes = "self",
        .flags = DT_OP_VIEW | DT_OP_IN_PLACE | DT_OP_NO_DIMS,
        .meta = squeeze_meta,
        .factors = squeeze_factors,
        .kernel = view_kernel,
        .gradient = "self: reshape(grad, shape(self))",
        .samples = "(T[m,1,n], []); (T[1,m,1], [0]); (T[m,1,n], [1,-1]); "
                   "(T[], [0])",
    },
    {
        .schema = "unsqueeze(Tensor self, Dim dim) -> Tensor",
        .about = "Insert a dimension of extent 1 at position `dim`.",
        .arguments = "dim: number of the new dimension in the result",
        .rule = "...->...d; d at dim whole",
        .permutes = "self",
        .flags = DT_OP_VIEW | DT_OP_IN_PLACE,
        .meta = unsqueeze_meta,
        .kernel = view_kernel,
        .gradient = "self: reshape(grad, shape(self))",
        .samples = "(T[m,n], 0); (T[m,n], -1); (T[m,n], 1); (T[], 0)",
    },
    {
        .schema = "permute(Tensor self, Dims dims) -> Tensor",
        .aten = "permute permute_copy",
        .about = "View dimensions in another order: dimension i of the result "
                 "is dimension `dims[i]`.",
        .arguments =
            "dims: for each dimension of the result, the dimension of self",
        .permutes = "self",
        .flags = DT_OP_VIEW,
        .meta = permute_meta,
        .factors = permute_factors,
        .kernel = permute_kernel,
        .gradient = "self: function()",
        .backward = permute_backward,
        .samples = "(T[m,n,3], [2,0,1]); (T[m,n], [-1,0]); (T[m], [0])",
    },
    {
        .schema = "transpose(Tensor self, Dim dim0, Dim dim1) -> Tensor",
        .aten = "transpose.int",
        .about = "Swap two dimensions.",
        .arguments = "dim1: dimension to exchange it with",
        .permutes = "self",
        .flags = DT_OP_VIEW | DT_OP_IN_PLACE,
        .meta = transpose_meta,
        .factors = transpose_factors,
        .kernel = transpose_kernel,
        .gradient = "self: transpose(grad, dim0, dim1)",
        .samples = "(T[m,n], 0, 1); (T[m,3,n], 0, -1); (T[m], 0, 0); "
                   "(T[], 0, -1)",
    },
    {
        .schema = "t(Tensor self) -> Tensor",
        .about = "Swap the dimensions of a 2-d tensor; a tensor with fewer "
                 "dimensions is unchanged.",
        .permutes = "self",
        .flags = DT_OP_VIEW | DT_OP_IN_PLACE,
        .meta = t_meta,
        .factors = t_factors,
        .kernel = t_kernel,
        .gradient = "self: t(grad)",
        .samples = "(T[m,n]); (T[m]); (T[])",
    },
    {
        .schema = "expand(Tensor self, Shape shape) -> Tensor",
        .aten = "expand expand_copy",
        .about = "Expand dimensions of extent 1, and add dimensions in front; "
                 "-1 keeps an extent.",
        .arguments = "shape: extents of the result, -1 to keep an extent",
        .rule = "...->...",
        .permutes = "self",
        .flags = DT_OP_VIEW,
        .meta = expand_meta,
        .kernel = expand_kernel,
        .gradient = "self: grad",
        .samples = "(T[m,1], [m,3]); (T[1,n], [4,-1]); (T[m,n], [2,m,n]); "
                   "(T[], [3]); (T[m,1], [-1,-1])",
    },
    {0},
};
