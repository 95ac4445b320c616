/* ops/shape/alias.c - the same elements: other names, other orders, pairs. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/ops.h>

#include "array/array.h"
#include "base/error.h"
#include "base/shape.h"
#include "layout/spec.h"
#include "op/meta.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/tables.h"
#include "ops/shape/view.h"

/* ---- The tensor itself -------------------------------------------------- */

static dt_status alias_meta(dt_operation *operation)
{
    return dt_operation_add_result(operation, operation->metas[0]);
}

static dt_status alias_kernel(dt_operation *operation)
{
    operation->out[0] = dt_array_retain(operation->in[0]);
    return DT_OK;
}

/* A copy on every rank or on none: short parts may be in order anyway, and
 * those that a program brought may not be. */
static bool contiguous_copies(const dt_operation *operation)
{
    const dt_meta *self = operation->metas[0];
    return !dti_strides_are_row_major(self->shape, self->strides);
}

static dt_status contiguous_kernel(dt_operation *operation)
{
    if (contiguous_copies(operation))
        return dt_array_clone(operation->world, operation->in[0],
                              &operation->out[0]);
    if (!operation->in[0]->contiguous)
        return dti_view_copy(operation, &operation->out[0]);
    return alias_kernel(operation);
}

/* ---- As another tensor -------------------------------------------------- */

static dt_status view_as(dt_operation *operation)
{
    dt_shape shape = dt_tensor_shape(operation->inputs[1]);
    operation->outputs[0] = dt_view(operation->inputs[0], shape);
    return DT_OK;
}

static dt_status expand_as(dt_operation *operation)
{
    dt_shape shape = dt_tensor_shape(operation->inputs[1]);
    operation->outputs[0] = dt_expand(operation->inputs[0], shape);
    return DT_OK;
}

/* ---- Dimensions moved --------------------------------------------------- */

/* The dimensions that an argument names, counted from the front. */
static dt_status read_dims(const dt_operation *operation, const char *name,
                           int ndim, int *dims, unsigned *seen)
{
    const dt_argument *given = dti_argument(operation, name);
    *seen = 0;
    for (int i = 0; i < given->count && i < DT_MAX_NDIM; i++) {
        DTI_TRY(
            dt_operation_dim(operation, given->as.integers[i], ndim, &dims[i]));
        if (*seen & 1u << dims[i])
            return dt_operation_fail(operation, DT_ERR_INVALID,
                                     "dim %d is listed twice", dims[i]);
        *seen |= 1u << dims[i];
    }
    return DT_OK;
}

/* Dimensions that nobody moves fill the other places, in their order. */
static dt_dims order_of(int ndim, int count, const int *source,
                        const int *destination, const unsigned *seen)
{
    dt_dims order = {.ndim = ndim};
    for (int i = 0; i < count; i++)
        order.dims[destination[i]] = source[i];
    for (int i = 0, from = 0; i < ndim; i++) {
        if (seen[1] & 1u << i)
            continue;
        while (seen[0] & 1u << from)
            from++;
        order.dims[i] = from++;
    }
    return order;
}

static dt_status movedim(dt_operation *operation)
{
    const dt_argument *given = operation->arguments;
    int ndim = dt_tensor_ndim(operation->inputs[0]);
    int source[DT_MAX_NDIM] = {0}, destination[DT_MAX_NDIM] = {0};
    unsigned seen[2];
    if (given[1].count != given[2].count)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "source has %d dims but destination has %d",
                                 given[1].count, given[2].count);
    DTI_TRY(read_dims(operation, "source", ndim, source, &seen[0]));
    DTI_TRY(read_dims(operation, "destination", ndim, destination, &seen[1]));
    dt_dims order =
        order_of(ndim, ndim ? given[1].count : 0, source, destination, seen);
    operation->outputs[0] = dt_permute(operation->inputs[0], order);
    return DT_OK;
}

/* ---- Complex numbers as pairs ------------------------------------------- */

static dt_status real_meta(dt_operation *operation)
{
    dt_meta meta = *operation->metas[0];
    if (meta.dtype != DT_C64)
        return dt_operation_fail(operation, DT_ERR_UNSUPPORTED,
                                 "self is %s; expected c64",
                                 dt_dtype_name(meta.dtype));
    if (meta.shape.ndim == DT_MAX_NDIM)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "self already has %d dimensions, the maximum",
                                 meta.shape.ndim);
    for (int i = 0; i < meta.shape.ndim; i++)
        meta.strides[i] *= 2;
    meta.strides[meta.shape.ndim] = 1;
    meta.shape.dims[meta.shape.ndim++] = 2;
    meta.dtype = DT_F32;
    return dt_operation_add_result(operation, &meta);
}

static dt_status real_kernel(dt_operation *operation)
{
    dt_array *in = operation->in[0];
    dt_shape shape = in->shape;
    int64_t strides[DT_MAX_NDIM];
    for (int i = 0; i < shape.ndim; i++)
        strides[i] = 2 * in->strides[i];
    strides[shape.ndim] = 1;
    shape.dims[shape.ndim++] = 2;
    return dti_array_view_as(operation->world, in, DT_F32, shape, strides,
                             2 * in->offset, &operation->out[0]);
}

/* The strides of pairs, counted in pairs; false if pairs lie apart. */
static bool pair_strides(dt_shape shape, const int64_t *in, int64_t *out)
{
    int last = shape.ndim - 1;
    bool whole = in[last] == 1;
    for (int i = 0; i < last; i++) {
        whole = whole && in[i] % 2 == 0;
        out[i] = in[i] / 2;
    }
    return whole || dt_shape_count(shape) == 0;
}

static dt_status complex_meta(dt_operation *operation)
{
    dt_meta meta = *operation->metas[0];
    int last = meta.shape.ndim - 1;
    if (meta.dtype != DT_F32)
        return dt_operation_fail(
            operation, DT_ERR_UNSUPPORTED,
            "self is %s; expected f32, because c64 elements are pairs of f32",
            dt_dtype_name(meta.dtype));
    if (last < 0 || meta.shape.dims[last] != 2)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "self has shape %s; the last dimension must have extent 2",
            dti_shape_show(meta.shape).text);
    bool paired =
        pair_strides(meta.shape, operation->metas[0]->strides, meta.strides);
    meta.shape.dims[last] = 0;
    meta.strides[last] = 0;
    meta.shape.ndim = last;
    if (!paired)
        return dti_meta_add(operation, DT_C64, meta.shape);
    meta.dtype = DT_C64;
    return dt_operation_add_result(operation, &meta);
}

static bool complex_copies(const dt_operation *operation)
{
    const dt_meta *in = operation->metas[0];
    int64_t strides[DT_MAX_NDIM] = {0};
    return !pair_strides(in->shape, in->strides, strides);
}

static dt_status complex_kernel(dt_operation *operation)
{
    dt_array *in = operation->in[0];
    dt_shape shape = operation->out_specs[0]->local_shape;
    int64_t strides[DT_MAX_NDIM] = {0};
    const bool is_view = !complex_copies(operation);
    if (is_view && pair_strides(in->shape, in->strides, strides) &&
        in->offset % 2 == 0)
        dt_array_retain(in);
    else
        DTI_TRY(is_view ? dti_view_copy(operation, &in)
                        : dt_array_clone(operation->world, in, &in));
    pair_strides(in->shape, in->strides, strides);
    dt_status status =
        dti_array_view_as(operation->world, in, DT_C64, shape, strides,
                          in->offset / 2, &operation->out[0]);
    dt_array_release(in);
    return status;
}

/* ---- Rows --------------------------------------------------------------- */

const dt_op dti_ops_alias[] = {
    {
        .schema = "alias(Tensor self) -> Tensor",
        .aten = "alias view_of",
        .about = "View a tensor with the same shape.",
        .rule = "...->...",
        .permutes = "self",
        .flags = DT_OP_VIEW,
        .meta = alias_meta,
        .kernel = alias_kernel,
        .gradient = "self: grad",
        .samples = "(T[m,n]); (T[m,3,n]); (T[])",
    },
    {
        .schema = "detach(Tensor self) -> Tensor",
        .about = "View a tensor with the same shape, without a gradient.",
        .rule = "...->...",
        .permutes = "self",
        .flags = DT_OP_VIEW | DT_OP_IN_PLACE,
        .meta = alias_meta,
        .kernel = alias_kernel,
        .gradient = "none",
        .samples = "(T[m,n]); (T[m,3,n]); (T[])",
    },
    {
        .schema = "contiguous(Tensor self) -> Tensor",
        .about = "Return a contiguous tensor: the tensor itself if it is "
                 "contiguous, otherwise a copy.",
        .rule = "...->...",
        .permutes = "self",
        .flags = DT_OP_VIEW,
        .meta = dti_meta_like_first,
        .kernel = contiguous_kernel,
        .copies = contiguous_copies,
        .gradient = "self: grad",
        .samples = "(T[m,n]); (T[m,3,n]); (T[])",
    },
    {
        .schema = "view_as(Tensor self, Tensor other) -> Tensor",
        .about = "View a tensor with the shape of another.",
        .flags = DT_OP_VIEW,
        .compose = view_as,
        .samples = "(T[m,n], f32[m,n]); (T[], f32[1,1])",
    },
    {
        .schema = "expand_as(Tensor self, Tensor other) -> Tensor",
        .about =
            "Expand dimensions of extent 1 to the shape of another tensor.",
        .flags = DT_OP_VIEW,
        .compose = expand_as,
        .samples = "(T[m,1], f32[m,n]); (T[n], f32[m,n]); (T[], f32[m])",
    },
    {
        .schema = "movedim(Tensor self, Dims source, Dims destination) -> "
                  "Tensor",
        .aten = "movedim.intlist moveaxis.intlist",
        .about =
            "Move dimensions to other positions; the others keep their order.",
        .flags = DT_OP_VIEW,
        .compose = movedim,
        .samples = "(T[m,n,3], [0], [2]); (T[m,n,3], [0,-1], [1,0]); "
                   "(T[m,n], [], [])",
    },
    {
        .schema = "view_as_real(Tensor self) -> Tensor",
        .about = "View complex numbers as pairs along a last dimension.",
        .rule = "...->...z; z whole",
        .linear = "self",
        .flags = DT_OP_VIEW,
        .meta = real_meta,
        .kernel = real_kernel,
        .gradient = "self: view_as_complex(grad)",
        .samples = "(c64[m,n]); (c64[])",
    },
    {
        .schema = "view_as_complex(Tensor self) -> Tensor",
        .about = "View pairs along the last dimension as complex numbers; a "
                 "copy is viewed if the strides do not allow it.",
        .rule = "...z->...; z gone",
        .linear = "self",
        .flags = DT_OP_VIEW,
        .meta = complex_meta,
        .kernel = complex_kernel,
        .copies = complex_copies,
        .gradient = "self: view_as_real(grad)",
        .samples = "(f32[m,n,2]); (f32[2])",
    },
    {0},
};
