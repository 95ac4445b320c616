/* ops/reduce/reduce.c - sums, products, extremes and norms over dimensions. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include <dtensor/ops.h>
#include <dtensor/sys/ops_internal.h>

#include "array/array.h"
#include "array/cast.h"
#include "base/dtype.h"
#include "base/error.h"
#include "kernel/fold/count.h"
#include "kernel/fold/fold.h"
#include "op/call/scratch.h"
#include "op/fail.h"
#include "op/meta.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/comm.h"
#include "ops/helpers/dims.h"
#include "ops/helpers/reduce_backward.h"
#include "ops/helpers/settle.h"
#include "ops/helpers/tables.h"

/* ---- Results ------------------------------------------------------------ */

/* Nothing has no largest element, whichever rank has it. */
static dt_status refuse_empty(dt_operation *operation)
{
    const dt_shape shape = operation->metas[0]->shape;
    if (dti_dims_count(shape, dti_dims_of(operation)) > 0)
        return DT_OK;
    return dt_operation_fail(operation, DT_ERR_INVALID,
                             "self, of shape %s, is empty, and this reduction "
                             "has no neutral element",
                             dti_shape_show(shape).text);
}

static dt_status sum_meta(dt_operation *operation)
{
    const dt_dtype dtype = operation->metas[0]->dtype;
    return dti_dims_add_reduced(
        operation, dti_argument_dtype(operation, "dtype",
                                      dti_is_whole(dtype) ? DT_I64 : dtype));
}

/* Which complex numbers are NaN nobody says: they are neither read nor made. */
static dt_status refuse_complex(dt_operation *operation)
{
    const dt_dtype dtype = operation->metas[0]->dtype;
    if (dtype == DT_C64 ||
        dti_argument_dtype(operation, "dtype", dtype) == DT_C64)
        return dti_fail_dtype(operation, DT_C64);
    return DT_OK;
}

static dt_status nansum_meta(dt_operation *operation)
{
    DTI_TRY(refuse_complex(operation));
    return sum_meta(operation);
}

static dt_status count_nonzero_meta(dt_operation *operation)
{
    const dt_shape shape = operation->metas[0]->shape;
    unsigned dims = 0;
    DTI_TRY(dti_dims_read(operation, shape.ndim, &dims));
    return dti_meta_add(operation, DT_I64, dti_dims_reduce(shape, dims, false));
}

static dt_status mean_meta(dt_operation *operation)
{
    const dt_dtype dtype =
        dti_argument_dtype(operation, "dtype", operation->metas[0]->dtype);
    if (dti_is_whole(dtype))
        return dt_operation_fail(
            operation, DT_ERR_UNSUPPORTED,
            "not supported for dtype %s; pass a floating-point dtype",
            dt_dtype_name(dtype));
    return dti_dims_add_reduced(operation, dtype);
}

static dt_status nanmean_meta(dt_operation *operation)
{
    const dt_dtype dtype = operation->metas[0]->dtype;
    if (!dti_is_float(dtype))
        return dti_fail_dtype(operation, dtype);
    DTI_TRY(refuse_complex(operation));
    return mean_meta(operation);
}

static dt_status extreme_meta(dt_operation *operation)
{
    const dt_dtype dtype = operation->metas[0]->dtype;
    if (dtype == DT_C64)
        return dti_fail_dtype(operation, dtype);
    DTI_TRY(dti_dims_add_reduced(operation, dtype));
    return refuse_empty(operation);
}

/* As PyTorch has it, u8 stays u8. */
static dt_status truth_meta(dt_operation *operation)
{
    const bool byte = operation->metas[0]->dtype == DT_U8;
    return dti_dims_add_reduced(operation, byte ? DT_U8 : DT_BOOL);
}

static dt_dtype real_of(dt_dtype dtype)
{
    return dtype == DT_C64 ? DT_F32 : dtype;
}

static dt_status powsum_meta(dt_operation *operation)
{
    const dt_dtype dtype = operation->metas[0]->dtype;
    const dt_dtype out = dti_argument_dtype(operation, "dtype", real_of(dtype));
    if (dti_is_whole(dtype))
        return dti_fail_dtype(operation, dtype);
    if (!dti_is_float(out))
        return dt_operation_fail(
            operation, DT_ERR_UNSUPPORTED,
            "not supported for dtype %s; pass a floating-point dtype",
            dt_dtype_name(out));
    return dti_dims_add_reduced(operation, out);
}

static dt_status abs_meta(dt_operation *operation)
{
    const dt_dtype dtype = operation->metas[0]->dtype;
    if (dti_is_whole(dtype))
        return dti_fail_dtype(operation, dtype);
    DTI_TRY(dti_dims_add_reduced(operation, real_of(dtype)));
    return refuse_empty(operation);
}

/* ---- Kernels ------------------------------------------------------------ */

/* Whether the carrier of a fold gives a dtype without elements being converted
 * to it first. */
static bool is_direct(const dti_fold *fold, dt_dtype from, dt_dtype to)
{
    if (from == to)
        return true;
    if (dti_is_whole(from))
        return dti_is_whole(to) && to != DT_BOOL;
    return dti_is_float(to) && to != DT_F64 && from != DT_F64 &&
           (from != DT_C64 || dti_fold_carrier(fold->kind, from) == DT_F32);
}

/* Reduce this rank's part in the dtype of the result. */
static dt_status fold_in_dtype(dt_operation *operation, const dti_fold *fold,
                               unsigned dims)
{
    dt_array *in = operation->in[0], *out = operation->out[0];
    const dt_dtype dtype = dt_array_dtype(out);
    if (!is_direct(fold, dt_array_dtype(in), dtype))
        DTI_TRY(dti_scratch_cast(operation, in, dtype, &in));
    dti_fold_array(fold, in, dims, dt_array_data(out), dtype);
    return DT_OK;
}

/* Reduce this rank's part; every dtype goes to that of the result. */
static dt_status fold_kernel(dt_operation *operation)
{
    const dti_fold fold = {.kind = (dti_fold_kind)dti_kind(operation)};
    dt_array *out = operation->out[0];
    dti_fold_array(&fold, operation->in[0], dti_dims_of(operation),
                   dt_array_data(out), dt_array_dtype(out));
    return DT_OK;
}

/* The same in the dtype of the result. */
static dt_status sum_kernel(dt_operation *operation)
{
    const dti_fold fold = {.kind = (dti_fold_kind)dti_kind(operation)};
    return fold_in_dtype(operation, &fold, dti_dims_of(operation));
}

/* The elements of all ranks are counted, so that means of parts add up. */
static dt_status mean_kernel(dt_operation *operation)
{
    const unsigned dims = dti_dims_of(operation);
    const dti_fold fold = {
        .kind = DTI_FOLD_SUM,
        .divides = true,
        .divisor = (double)dti_dims_count(operation->metas[0]->shape, dims)};
    return fold_in_dtype(operation, &fold, dims);
}

/* What becomes an integer first becomes 0 if it is NaN. */
static dt_status nansum_kernel(dt_operation *operation)
{
    const bool whole = dti_is_whole(dt_array_dtype(operation->in[0])) ||
                       dti_is_whole(dt_array_dtype(operation->out[0]));
    const dti_fold fold = {.kind = whole ? DTI_FOLD_SUM : DTI_FOLD_NUMBER_SUM};
    return fold_in_dtype(operation, &fold, dti_dims_of(operation));
}

static dt_status count_nonzero_kernel(dt_operation *operation)
{
    dt_array *out = operation->out[0];
    if (dt_array_count(out) > 0)
        dti_count_array(operation->in[0], dti_dims_of(operation),
                        dt_array_count(out), dt_array_data(out));
    return DT_OK;
}

static dti_fold_kind power_kind(double p)
{
    return p == 0   ? DTI_FOLD_NONZERO
           : p == 1 ? DTI_FOLD_ABS_SUM
           : p == 2 ? DTI_FOLD_SQUARE_SUM
                    : DTI_FOLD_POWER_SUM;
}

static dt_status check_power(const dt_operation *operation)
{
    const double p = dti_argument_real(operation, "p");
    if (!isfinite(p))
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "p is %g; expected a finite number", p);
    return DT_OK;
}

static dt_status powsum_kernel(dt_operation *operation)
{
    const double p = dti_argument_real(operation, "p");
    const dti_fold fold = {.kind = power_kind(p), .power = p};
    return fold_in_dtype(operation, &fold, dti_dims_of(operation));
}

/* ---- Means of numbers ---------------------------------------------------- */

/*
 * Two numbers of each result, as f64: what the elements that are not NaN add up
 * to, and how many there are.  They are added up over the ranks that have the
 * other parts.
 */
static dt_status sum_numbers(const dt_operation *operation, unsigned dims,
                             int64_t results, dt_array *list)
{
    const dti_fold fold = {.kind = DTI_FOLD_NUMBER_SUM};
    dt_array *in = operation->in[0], *counts = NULL;
    double *sums = dt_array_data(list);
    DTI_TRY(dti_scratch_create(operation, DT_I64, DT_SHAPE(results), &counts));
    if (dt_array_dtype(operation->out[0]) == DT_F64)
        DTI_TRY(dti_scratch_cast(operation, in, DT_F64, &in));
    int64_t *count = dt_array_data(counts);
    dti_fold_array(&fold, in, dims, sums, DT_F64);
    dti_count_numbers(in, dims, results, count);
    for (int64_t i = 0; i < results; i++)
        sums[results + i] = (double)count[i];
    return DT_OK;
}

static void put_means(dt_array *list, dt_array *out)
{
    const int64_t results = dt_array_count(out);
    double *sums = dt_array_data(list);
    for (int64_t i = 0; i < results; i++)
        sums[i] /= sums[results + i];
    dti_cast(sums, DT_F64, dt_array_data(out), dt_array_dtype(out), results);
}

static dt_status nanmean_kernel(dt_operation *operation)
{
    const unsigned dims = dti_dims_of(operation);
    const bool meta = dt_array_is_meta(operation->in[0]);
    const int64_t results = dt_array_count(operation->out[0]);
    dt_group *group = NULL;
    dt_array *list = NULL;
    if (results == 0)
        return DT_OK; /* on all ranks that have the other parts */
    DTI_TRY(dti_comm_group(operation->in_specs[0], dims, &group));
    DTI_TRY(dti_comm_numbers(operation, 2 * results, &list));
    if (!meta)
        DTI_TRY(sum_numbers(operation, dims, results, list));
    DTI_TRY(dti_comm_combine(group, DT_SUM, list));
    if (!meta)
        put_means(list, operation->out[0]);
    return DT_OK;
}

/* ---- Compositions ------------------------------------------------------- */

/* Sums are reduced once for both. */
static dt_status aminmax_compose(dt_operation *operation)
{
    const dt_argument *list = dti_argument(operation, "dims");
    const dt_dims dims = dt_shape_make(list->count, list->as.integers);
    const bool keepdim = dti_argument_bool(operation, "keepdim");
    dt_tensor *self = operation->inputs[0], *settled = NULL;
    unsigned bits = 0;
    DTI_TRY(dti_dims_read(operation, dt_tensor_ndim(self), &bits));
    DTI_TRY(dti_settle(operation, self, DTI_SETTLE_SUMS, &settled));
    operation->outputs[0] = dt_amin(settled, dims, keepdim);
    operation->outputs[1] =
        operation->outputs[0] ? dt_amax(settled, dims, keepdim) : NULL;
    dti_settle_end(settled, self);
    return DT_OK;
}

/* ---- Norms -------------------------------------------------------------- */

/* Undo the power that was taken of each element. */
static dt_tensor *take_root(dt_tensor *sum, double p)
{
    if (p == 0 || p == 1)
        return sum;
    return p == 2 ? dt_sqrt(sum) : dt_pow_scalar(sum, dt_real(1 / p));
}

static dt_status refuse_empty_norm(dt_operation *operation, double p)
{
    const dt_shape shape = dt_tensor_shape(operation->inputs[0]);
    unsigned dims = 0;
    DTI_TRY(dti_dims_read(operation, shape.ndim, &dims));
    if (p >= 0 || dti_dims_count(shape, dims) > 0)
        return DT_OK;
    return dt_operation_fail(operation, DT_ERR_INVALID,
                             "p is %g, but self, of shape %s, is empty", p,
                             dti_shape_show(shape).text);
}

/* The sum of powers, and its root.  Halves are summed up and raised in f32:
 * squares of large ones do not fit. */
static dt_tensor *power_norm(dt_tensor *self, double p, dt_dims dims,
                             bool keepdim)
{
    const dt_dtype dtype = dt_tensor_dtype(self), wide = DT_F32;
    const bool half = dti_is_half(dtype);
    dt_powsum_options options = DT_POWSUM_OPTIONS_INIT;
    options.dtype = half ? &wide : NULL;
    dt_tensor *sum = dt_powsum_with(self, p, dims, keepdim, &options);
    dt_tensor *root = take_root(sum, p);
    dt_tensor *out = half ? dt_cast(root, dtype) : root;
    if (root != sum)
        dt_tensor_release_early(sum);
    if (out != root)
        dt_tensor_release_early(root);
    return out;
}

/* Tell whether a dimension that stays can be sharded evenly, so that the powers
 * of partial values are summed up where these are reduced. */
static bool keeps_shards(const dt_tensor *self, unsigned dims)
{
    const dt_shape shape = dt_tensor_shape(self);
    for (int i = 0; i < shape.ndim; i++)
        if (!(dims >> i & 1) && shape.dims[i] > 0 &&
            shape.dims[i] % dt_mesh_size(dt_tensor_mesh(self)) == 0)
            return true;
    return false;
}

/* A small partial tensor is reduced at once, before its powers are taken: parts
 * of it would be, and then the sum of their powers. */
static dt_status settle_norm(const dt_operation *operation, dt_tensor *self,
                             dt_tensor **out)
{
    const dt_shape shape = dt_tensor_shape(self);
    unsigned dims = 0;
    *out = self;
    DTI_TRY(dti_dims_read(operation, shape.ndim, &dims));
    const int64_t length = dti_dims_count(shape, dims);
    if (length == 0 || keeps_shards(self, dims))
        return DT_OK;
    const int64_t bytes = dt_shape_count(shape) / length *
                          (int64_t)dt_dtype_size(dt_tensor_dtype(self));
    return dti_settle_pays(self, bytes)
               ? dti_settle(operation, self, DTI_SETTLE_PARTIAL, out)
               : DT_OK;
}

static dt_status norm_compose(dt_operation *operation)
{
    const double p = dti_argument_real(operation, "p");
    const dt_argument *list = dti_argument(operation, "dims");
    const dt_dims dims = dt_shape_make(list->count, list->as.integers);
    const bool keepdim = dti_argument_bool(operation, "keepdim");
    dt_tensor *given = operation->inputs[0], *self = NULL;
    if (isnan(p))
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "p is NaN; expected a number");
    DTI_TRY(refuse_empty_norm(operation, p));
    DTI_TRY(settle_norm(operation, given, &self));
    operation->outputs[0] = !isinf(p) ? power_norm(self, p, dims, keepdim)
                            : p > 0   ? dt_amax_abs(self, dims, keepdim)
                                      : dt_amin_abs(self, dims, keepdim);
    dti_settle_end(self, given);
    return DT_OK;
}

/* ---- Rows --------------------------------------------------------------- */

const dt_op dti_ops_reduce[] = {
    {
        .schema = "sum(Tensor self, Dims dims, bool keepdim, *, "
                  "Dtype? dtype=None) -> Tensor",
        .aten = "sum sum.dim_IntList",
        .about = "Sum over dimensions; i64 for integers and bool.",
        .arguments = "dtype: dtype of the result, NULL for that of self, or "
                     "i64 if self is integer or bool",
        .gradient = "self: expand_reduced(grad, shape(self), dims, keepdim)",
        .rule = "...->...; dims sum",
        .linear = "self",
        .flags = DT_OP_OUT,
        .meta = sum_meta,
        .kernel = sum_kernel,
        .data = DTI_KIND(DTI_FOLD_SUM),
        .samples = "(T[m,n], [0], false); (T[m,n], [-1], true); "
                   "(T[m,3,n], [0,-1], false); (T[m,n], [], false); "
                   "(T[], [], false); (T[m,n], [1], false, dtype=f32)",
    },
    {
        .schema = "mean(Tensor self, Dims dims, bool keepdim, *, "
                  "Dtype? dtype=None) -> Tensor",
        .aten = "mean mean.dim",
        .about = "Mean over dimensions.  Local sums are divided by the global "
                 "count, so shards may be uneven.",
        .rule = "...->...; dims sum",
        .linear = "self",
        .flags = DT_OP_OUT,
        .meta = mean_meta,
        .kernel = mean_kernel,
        .gradient = "self: function()",
        .backward = dti_mean_backward,
        .samples = "(T[m,n], [0], false); (T[m,n], [-1], true); "
                   "(T[m,3,n], [0,-1], false); (T[m,n], [], false); "
                   "(T[], [], false); (i32[m,n], [0], false, dtype=f32)",
        .dtypes = "float complex",
    },
    {
        .schema = "nansum(Tensor self, Dims dims, bool keepdim, *, "
                  "Dtype? dtype=None) -> Tensor",
        .about = "Sum over dimensions of elements that are not NaN; i64 for "
                 "integers and bool.",
        .arguments = "dtype: dtype of the result, NULL for that of self, or "
                     "i64 if self is integer or bool",
        .rule = "...->...; dims sum",
        .flags = DT_OP_OUT,
        .meta = nansum_meta,
        .kernel = nansum_kernel,
        .gradient = "self: expand_reduced(grad, shape(self), dims, keepdim) * "
                    "logical_not(isnan(self))",
        .samples = "(T[m,n], [0], false); (T[m,n], [-1], true); "
                   "(T[m,3,n], [0,-1], false); (T[m,n], [], false); "
                   "(T[], [], false); (T[m,n], [1], false, dtype=f32)",
        .dtypes = "float int bool",
    },
    {
        .schema = "nanmean(Tensor self, Dims dims, bool keepdim, *, "
                  "Dtype? dtype=None) -> Tensor",
        .about =
            "Mean over dimensions of elements that are not NaN; NaN if all "
            "are.  Sharded dimensions need one all-reduce of two numbers.",
        .rule = "...->...; dims inside",
        .flags = DT_OP_OUT | DT_OP_COMMUNICATES,
        .meta = nanmean_meta,
        .kernel = nanmean_kernel,
        .gradient = "self: expand_reduced(grad, shape(self), dims, keepdim) * "
                    "logical_not(isnan(self)) / "
                    "expand_reduced(sum(logical_not(isnan(self)), dims, "
                    "keepdim), shape(self), dims, keepdim)",
        .samples = "(T[m,n], [0], false); (T[m,n], [-1], true); "
                   "(T[m,3,n], [0,-1], false); (T[m,n], [], false); "
                   "(T[m,n], [1], false, dtype=f32)",
        .dtypes = "float",
    },
    {
        .schema = "count_nonzero(Tensor self, Dims dims) -> Tensor",
        .aten = "count_nonzero count_nonzero.dim_IntList",
        .about = "Number of nonzero elements over dimensions; NaN counts.",
        .rule = "...->...; dims sum",
        .flags = DT_OP_OUT,
        .meta = count_nonzero_meta,
        .kernel = count_nonzero_kernel,
        .gradient = "none",
        .samples = "(T[m,n], [0]); (T[m,n], [-1]); (T[m,3,n], [0,-1]); "
                   "(T[m,n], []); (T[], [])",
    },
    {
        .schema = "prod(Tensor self, Dims dims, bool keepdim, *, "
                  "Dtype? dtype=None) -> Tensor",
        .aten = "prod prod.dim_int",
        .about = "Product over dimensions; i64 for integers and bool.",
        .arguments = "dtype: dtype of the result, NULL for that of self, or "
                     "i64 if self is integer or bool",
        .rule = "...->...; dims product",
        .flags = DT_OP_OUT,
        .meta = sum_meta,
        .kernel = sum_kernel,
        .data = DTI_KIND(DTI_FOLD_PRODUCT),
        .gradient = "self: function(self)",
        .backward = dti_prod_backward,
        .samples = "(T[m,2], [0], false); (T[2,n], [-1], true); "
                   "(T[m,3], [], false); (T[], [], false)",
    },
    {
        .schema = "amax(Tensor self, Dims dims, bool keepdim) -> Tensor",
        .aten = "amax max",
        .about = "Largest element over dimensions; NaN if any element is NaN.",
        .rule = "...->...; dims max",
        .monotone = "self",
        .flags = DT_OP_OUT,
        .meta = extreme_meta,
        .kernel = fold_kernel,
        .data = DTI_KIND(DTI_FOLD_MAX),
        .gradient = "self: function(self, result)",
        .backward = dti_extreme_backward,
        .samples = "(T[3,n], [0], false); (T[m,5], [-1], true); "
                   "(T[2,m,3], [0,-1], false); (T[7,5], [], false); "
                   "(T[], [], false)",
        .dtypes = "float int bool",
    },
    {
        .schema = "amin(Tensor self, Dims dims, bool keepdim) -> Tensor",
        .aten = "amin min",
        .about = "Smallest element over dimensions; NaN if any element is NaN.",
        .rule = "...->...; dims min",
        .monotone = "self",
        .flags = DT_OP_OUT,
        .meta = extreme_meta,
        .kernel = fold_kernel,
        .data = DTI_KIND(DTI_FOLD_MIN),
        .gradient = "self: function(self, result)",
        .backward = dti_extreme_backward,
        .samples = "(T[3,n], [0], false); (T[m,5], [-1], true); "
                   "(T[2,m,3], [0,-1], false); (T[7,5], [], false); "
                   "(T[], [], false)",
        .dtypes = "float int bool",
    },
    {
        .schema = "aminmax(Tensor self, Dims dims, bool keepdim) "
                  "-> (Tensor min, Tensor max)",
        .about = "Smallest and largest element over dimensions; NaN if any "
                 "element is NaN.",
        .compose = aminmax_compose,
        .gradient = "self: function(self, min, max)",
        .backward = dti_extreme_backward,
        .samples = "(T[3,n], [0], false); (T[m,5], [-1], true); "
                   "(T[7,5], [], false)",
        .dtypes = "float int bool",
    },
    {
        .schema = "all(Tensor self, Dims dims, bool keepdim) -> Tensor",
        .aten = "all all.dim all.dims",
        .about = "Test whether all elements along dimensions are true; NaN is "
                 "true.  With DT_NO_DIMS, each element by itself.",
        .rule = "...->...; dims band",
        .flags = DT_OP_OUT | DT_OP_NO_DIMS,
        .meta = truth_meta,
        .kernel = fold_kernel,
        .data = DTI_KIND(DTI_FOLD_ALL),
        .gradient = "none",
        .samples = "(T[m,n], [0], false); (T[m,n], [-1], true); "
                   "(T[m,2,n], [0,2], false); (T[m,n], [], false); "
                   "(T[], [], false)",
    },
    {
        .schema = "any(Tensor self, Dims dims, bool keepdim) -> Tensor",
        .aten = "any any.dim any.dims",
        .about = "Test whether any element along dimensions is true; NaN is "
                 "true.  With DT_NO_DIMS, each element by itself.",
        .rule = "...->...; dims bor",
        .flags = DT_OP_OUT | DT_OP_NO_DIMS,
        .meta = truth_meta,
        .kernel = fold_kernel,
        .data = DTI_KIND(DTI_FOLD_ANY),
        .gradient = "none",
        .samples = "(T[m,n], [0], false); (T[m,n], [-1], true); "
                   "(T[m,2,n], [0,2], false); (T[m,n], [], false); "
                   "(T[], [], false)",
    },
    {
        .schema = "powsum(Tensor self, float p, Dims dims, bool keepdim, *, "
                  "Dtype? dtype=None) -> Tensor",
        .aten = "linalg__powsum",
        .about = "Sum of absolute values raised to a power; with power 0, the "
                 "count of nonzero elements.",
        .arguments = "p: order of the norm",
        .rule = "...->...; dims sum",
        .flags = DT_OP_HELPER,
        .meta = powsum_meta,
        .check = check_power,
        .kernel = powsum_kernel,
        .gradient = "self: function(self)",
        .backward = dti_powsum_backward,
        .samples = "(T[m,n], 2.0, [0], false); (T[m,n], 1.0, [-1], true); "
                   "(T[m,n], 0.0, [], false); (T[m,n]>0, 3.5, [1], false); "
                   "(T[], 2.0, [], false); "
                   "(T[m,n], 2.0, [0], false, dtype=f32)",
        .dtypes = "float complex",
    },
    {
        .schema = "amax_abs(Tensor self, Dims dims, bool keepdim) -> Tensor",
        .aten = "",
        .about = "Largest absolute value over dimensions; NaN if any element "
                 "is NaN.",
        .rule = "...->...; dims max",
        .flags = DT_OP_HELPER,
        .meta = abs_meta,
        .kernel = fold_kernel,
        .data = DTI_KIND(DTI_FOLD_ABS_MAX),
        .gradient = "self: function(self, result)",
        .backward = dti_extreme_abs_backward,
        .samples = "(T[3,n], [0], false); (T[m,5], [-1], true); "
                   "(T[7,5], [], false); (T[], [], false)",
        .dtypes = "float complex",
    },
    {
        .schema = "amin_abs(Tensor self, Dims dims, bool keepdim) -> Tensor",
        .aten = "",
        .about = "Smallest absolute value over dimensions; NaN if any element "
                 "is NaN.",
        .rule = "...->...; dims min",
        .flags = DT_OP_HELPER,
        .meta = abs_meta,
        .kernel = fold_kernel,
        .data = DTI_KIND(DTI_FOLD_ABS_MIN),
        .gradient = "self: function(self, result)",
        .backward = dti_extreme_abs_backward,
        .samples = "(T[3,n], [0], false); (T[m,5], [-1], true); "
                   "(T[7,5], [], false); (T[], [], false)",
        .dtypes = "float complex",
    },
    {
        .schema = "norm(Tensor self, float p, Dims dims, bool keepdim) "
                  "-> Tensor",
        .aten = "linalg_vector_norm norm.ScalarOpt_dim norm.Scalar",
        .about = "p-norm over dimensions: the root of the sum of powers; for p "
                 "= inf and -inf the largest and smallest absolute value, for "
                 "0 the number of nonzero elements.",
        .arguments = "p: order of the norm",
        .compose = norm_compose,
        .gradient = "self: function(self, result)",
        .backward = dti_norm_backward,
        .samples = "(T[m,n], 2.0, [0], false); (T[m,n], 1.0, [-1], true); "
                   "(T[m,n], 0.0, [], false); (T[m,n], 2.0, [], false); "
                   "(T[m,n]>0, 3.5, [1], false)",
        .dtypes = "float complex",
    },
    {0},
};
