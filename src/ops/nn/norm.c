/* ops/nn/norm.c - layer norm and rms norm. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/nn/norm.h"

#include <math.h>
#include <stddef.h>

#include <dtensor/ops.h>
#include <dtensor/sys/ops_internal.h>

#include "array/array.h"
#include "base/error.h"
#include "kernel/norm/norm.h"
#include "op/call/scratch.h"
#include "op/meta.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/chain.h"
#include "ops/helpers/comm.h"
#include "ops/helpers/tables.h"

/* Arguments: input, normalized_shape, weight, and of layer norm bias, eps. */
enum { INPUT, NORMALIZED_SHAPE, WEIGHT, BIAS };

/* `data` of rows. */
enum { LAYER, RMS };

/* The first dimension that is normalised. */
static int first_dim(const dt_operation *operation)
{
    return operation->metas[INPUT]->shape.ndim -
           dti_argument(operation, "normalized_shape")->count;
}

/* ---- Results ------------------------------------------------------------ */

static dt_status check_shape(const dt_operation *operation)
{
    const dt_argument *list = dti_argument(operation, "normalized_shape");
    const dt_shape shape = operation->metas[INPUT]->shape;
    const int first = shape.ndim - list->count;
    bool fits = list->count > 0 && first >= 0;
    for (int i = 0; fits && i < list->count; i++)
        fits = list->as.integers[i] == shape.dims[first + i];
    if (fits)
        return DT_OK;
    return dt_operation_fail(
        operation, DT_ERR_INVALID,
        "input has shape %s, which does not end with normalized_shape, %s",
        dti_shape_show(shape).text,
        dti_shape_show(dt_shape_make(list->count, list->as.integers)).text);
}

/* Weight, or bias: of the normalised shape. */
static dt_status check_factors(const dt_operation *operation, int input,
                               const char *name)
{
    const dt_meta *meta = operation->metas[input];
    const dt_argument *list = dti_argument(operation, "normalized_shape");
    if (!meta)
        return DT_OK;
    const dt_shape wanted = dt_shape_make(list->count, list->as.integers);
    if (!dt_shape_equal(meta->shape, wanted))
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "%s has shape %s; expected normalized_shape, %s", name,
            dti_shape_show(meta->shape).text, dti_shape_show(wanted).text);
    if (!dti_norm_goes_with(operation->metas[INPUT]->dtype, meta->dtype))
        return dt_operation_fail(
            operation, DT_ERR_UNSUPPORTED,
            "input is %s but %s is %s; these dtypes cannot be combined",
            dt_dtype_name(operation->metas[INPUT]->dtype), name,
            dt_dtype_name(meta->dtype));
    return DT_OK;
}

/* Statistics of layer norm are f32 if weight or bias is; of rms norm, they are
 * so for every half type. */
static dt_dtype statistics_dtype(const dt_operation *operation, bool centred)
{
    dt_dtype dtype = operation->metas[INPUT]->dtype;
    if (!centred)
        return dti_norm_is_half(dtype) ? DT_F32 : dtype;
    for (int i = 1; i < operation->input_count; i++)
        if (operation->metas[i])
            dtype = operation->metas[i]->dtype;
    return dtype;
}

static dt_status norm_meta(dt_operation *operation)
{
    const bool centred = dti_kind(operation) == LAYER;
    const dt_meta *in = operation->metas[INPUT];
    DTI_TRY(check_shape(operation));
    if (dt_dtype_kind_of(in->dtype) != DT_KIND_FLOAT)
        return dt_operation_fail(operation, DT_ERR_UNSUPPORTED,
                                 "not supported for dtype %s",
                                 dt_dtype_name(in->dtype));
    DTI_TRY(check_factors(operation, 1, "weight"));
    if (centred) {
        DTI_TRY(check_factors(operation, 2, "bias"));
        if (operation->metas[1] && operation->metas[2] &&
            operation->metas[1]->dtype != operation->metas[2]->dtype)
            return dt_operation_fail(
                operation, DT_ERR_UNSUPPORTED,
                "weight is %s but bias is %s; the dtypes must be equal",
                dt_dtype_name(operation->metas[1]->dtype),
                dt_dtype_name(operation->metas[2]->dtype));
    }
    dt_shape rows = in->shape;
    for (int i = first_dim(operation); i < rows.ndim; i++)
        rows.dims[i] = 1;
    const dt_dtype dtype = statistics_dtype(operation, centred);
    DTI_TRY(dti_meta_add(operation, in->dtype, in->shape));
    if (centred)
        DTI_TRY(dti_meta_add(operation, dtype, rows));
    return dti_meta_add(operation, dtype, rows);
}

/* ---- Kernels ------------------------------------------------------------ */

/* What arrays are given to the kernel as: neighbours where it needs them. */
typedef struct inputs {
    dt_array *in;
    dt_array *weight;
    dt_array *bias;
} inputs;

static dt_status make_contiguous(dt_operation *operation, int input,
                                 dt_array **out)
{
    dt_array *array = operation->in[input];
    return array ? dti_scratch_contiguous(operation, array, out) : DT_OK;
}

static dt_status take_inputs(dt_operation *operation, int first, bool centred,
                             inputs *out)
{
    if (dti_norm_takes(operation->in[INPUT], first))
        out->in = operation->in[INPUT];
    else
        DTI_TRY(make_contiguous(operation, INPUT, &out->in));
    DTI_TRY(make_contiguous(operation, 1, &out->weight));
    return centred ? make_contiguous(operation, 2, &out->bias) : DT_OK;
}

/* Put together what ranks know of a row: counts, means and squares of two parts
 * give those of both. */
static void merge(const double *one, int64_t rows, double *count, double *mean,
                  double *squares)
{
    const double n = one[0], both = *count + n;
    const double apart = one[rows] - *mean;
    if (n == 0)
        return;
    /* Two infinite means have no distance, but may have the same sign. */
    *mean += isfinite(apart) ? apart * n / both : one[rows];
    *squares += one[2 * rows] + apart * apart * *count * n / both;
    *count = both;
}

static void merge_all(const double *all, int ranks, int64_t rows, double eps,
                      double *out)
{
    for (int64_t i = 0; i < rows; i++) {
        double count = 0, mean = 0, squares = 0;
        for (int r = 0; r < ranks; r++)
            merge(all + 3 * rows * r + i, rows, &count, &mean, &squares);
        out[i] = mean;
        out[rows + i] = 1 / sqrt((squares < 0 ? 0 : squares / count) + eps);
    }
}

dt_status dti_norm_agree(const dt_operation *operation, dt_group *group,
                         double eps, dt_array *numbers)
{
    dt_array *all = numbers;
    const int64_t rows = dt_array_count(numbers) / 3;
    if (rows == 0)
        return DT_OK;
    if (group)
        DTI_TRY(dti_comm_gather(operation, group, numbers, &all));
    if (!dt_array_is_meta(numbers))
        merge_all(dt_array_const_data(all), group ? dt_group_size(group) : 1,
                  rows, eps, dt_array_data(numbers));
    return DT_OK;
}

static void count_elements(const dt_array *in, int first, int64_t rows,
                           double *counts)
{
    int64_t count = 1;
    for (int d = first; d < dt_array_ndim(in); d++)
        count *= dt_array_extent(in, d);
    for (int64_t i = 0; i < rows; i++)
        counts[i] = (double)count;
}

static dt_status norm_together(dt_operation *operation, const dti_norm *norm,
                               const dt_array *in, int first, dt_group *group)
{
    dt_array *numbers = NULL;
    int64_t rows = 1;
    for (int i = 0; i < first; i++)
        rows *= dt_array_extent(in, i);
    DTI_TRY(dti_comm_numbers(operation, 3 * rows, &numbers));
    const bool meta = dt_array_is_meta(numbers);
    double *own = meta ? NULL : dt_array_data(numbers);
    if (!meta) {
        count_elements(in, first, rows, own);
        dti_norm_measure(norm, in, first, own + rows, own + 2 * rows);
    }
    DTI_TRY(dti_norm_agree(operation, group, norm->eps, numbers));
    if (!meta)
        dti_norm_put(norm, in, first, own, own + rows);
    return DT_OK;
}

static dt_status norm_of(dt_operation *operation, const dti_norm *norm,
                         const dt_array *in, int first)
{
    const unsigned rows = (1u << first) - 1;
    dt_group *group = NULL;
    DTI_TRY(dti_comm_group(operation->in_specs[INPUT], ~rows, &group));
    if (group)
        return norm_together(operation, norm, in, first, group);
    if (!dt_array_is_meta(in))
        dti_norm_array(norm, in, first);
    return DT_OK;
}

static void *data_of(dt_array *array)
{
    return dt_array_is_meta(array) ? NULL : dt_array_data(array);
}

static dt_status norm_kernel(dt_operation *operation)
{
    const bool centred = dti_kind(operation) == LAYER;
    const int first = first_dim(operation);
    inputs from = {NULL, NULL, NULL};
    DTI_TRY(take_inputs(operation, first, centred, &from));
    dt_array *rstd = operation->out[centred ? 2 : 1];
    const dti_norm norm = {.centred = centred,
                           .eps = dti_argument_real(operation, "eps"),
                           .weight = from.weight,
                           .bias = from.bias,
                           .out = data_of(operation->out[0]),
                           .mean = centred ? data_of(operation->out[1]) : NULL,
                           .rstd = data_of(rstd),
                           .dtype = dt_array_dtype(rstd)};
    return norm_of(operation, &norm, from.in, first);
}

/* ---- Complex numbers ---------------------------------------------------- */

static bool is_complex(const dt_operation *operation)
{
    return dt_tensor_dtype(operation->inputs[INPUT]) == DT_C64;
}

/* As PyTorch's, by the mean of squares, not of squared absolute values: rstd is
 * complex. */
static dt_status rms_norm_complex(dt_operation *operation)
{
    dt_tensor *input = operation->inputs[INPUT], *weight = operation->inputs[1];
    const dt_argument *sizes = dti_argument(operation, "normalized_shape");
    const dt_shape shape = dt_tensor_shape(input);
    const int first = shape.ndim - sizes->count;
    dt_dims dims = DT_DIMS();
    bool fits = sizes->count > 0 && first >= 0;
    for (int i = 0; fits && i < sizes->count; i++) {
        fits = shape.dims[first + i] == sizes->as.integers[i];
        dims.dims[dims.ndim++] = first + i;
    }
    if (!fits)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "input has shape %s, which does not end with normalized_shape",
            dti_shape_show(shape).text);
    const dt_number eps = dt_real(dti_argument_real(operation, "eps"));
    dt_tensor *rstd = dt_mul(input, input);
    rstd = dti_chain(dt_mean(rstd, dims, true), rstd);
    rstd = dti_chain(dt_add_scalar(rstd, eps), rstd);
    rstd = dti_chain(dt_rsqrt(rstd), rstd);
    dt_tensor *out = dt_mul(input, rstd);
    operation->outputs[0] = weight ? dti_chain(dt_mul(out, weight), out) : out;
    operation->outputs[1] = rstd;
    return DT_OK;
}

/* ---- Gradients ---------------------------------------------------------- */

static dt_shape normalized_shape(const dt_backward_call *call)
{
    const dt_argument *list = &call->arguments[NORMALIZED_SHAPE];
    return dt_shape_make(list->count, list->as.integers);
}

/* Keep gradients that are wanted; others have no elements. */
static void keep_wanted(dt_backward_call *call, dt_tensor *const *gradients)
{
    for (int i = 0; i < call->input_count; i++)
        call->gradients[i] = call->wanted[i] ? gradients[i] : NULL;
}

static dt_status layer_norm_gradient(dt_backward_call *call)
{
    const int64_t mask[] = {call->wanted[0], call->wanted[1], call->wanted[2]};
    dt_tensor *found[3] = {NULL, NULL, NULL};
    DTI_TRY(dt_layer_norm_backward(call->grads[0], call->inputs[0],
                                   normalized_shape(call), call->results[1],
                                   call->results[2], call->inputs[1], NULL,
                                   mask, 3, &found[0], &found[1], &found[2]));
    keep_wanted(call, found);
    return DT_OK;
}

/* The gradient of x is g w conj(r) - conj(x r^3) mean(g w conj(x)), where w is
 * conjugated too. */
static dt_status rms_norm_complex_gradient(dt_backward_call *call)
{
    dt_tensor *g = call->grads[0], *x = dt_conj(call->inputs[0]);
    dt_tensor *r = dt_conj(call->results[1]), *w = call->inputs[1];
    const int count = call->arguments[NORMALIZED_SHAPE].count;
    const int first = dt_tensor_ndim(x) - count;
    dt_dims dims = DT_DIMS();
    for (int i = 0; i < count; i++)
        dims.dims[dims.ndim++] = first + i;
    dt_tensor *part = w ? dt_mul(g, dt_conj(w)) : g;
    dt_tensor *mean = dt_mean(dt_mul(part, x), dims, true);
    dt_tensor *cube = dt_mul(r, dt_mul(r, r));
    dt_tensor *found[] = {
        dt_sub(dt_mul(part, r), dt_mul(x, dt_mul(cube, mean))),
        dt_mul(g, dt_mul(x, r))};
    keep_wanted(call, found);
    return found[0] && found[1] ? DT_OK : dti_failure_of(call->world);
}

static dt_status rms_norm_gradient(dt_backward_call *call)
{
    const int64_t mask[] = {call->wanted[0], call->wanted[1]};
    dt_tensor *found[2] = {NULL, NULL};
    if (dt_spec_dtype(call->in_specs[0]) == DT_C64)
        return rms_norm_complex_gradient(call);
    DTI_TRY(dt_rms_norm_backward(
        call->grads[0], call->inputs[0], normalized_shape(call),
        call->results[1], call->inputs[1], mask, 2, &found[0], &found[1]));
    keep_wanted(call, found);
    return DT_OK;
}

/* ---- Rows --------------------------------------------------------------- */

const dt_op dti_ops_norm[] = {
    {
        .schema = "layer_norm(Tensor input, Shape normalized_shape, "
                  "Tensor? weight, Tensor? bias, float eps) "
                  "-> (Tensor out, Tensor mean, Tensor rstd)",
        .aten = "native_layer_norm",
        .about = "Normalise the last dimensions to mean 0 and variance 1, then "
                 "multiply by weight and add bias.  The statistics have the "
                 "dtype of weight and bias, or that of the input.",
        .rule = "...,...,...->...,...,...; normalized_shape across, "
                "mean constant reduced, rstd constant reduced",
        .linear = "weight + bias if weight",
        .monotone = "bias",
        .flags = DT_OP_COMMUNICATES,
        .meta = norm_meta,
        .kernel = norm_kernel,
        .data = DTI_KIND(LAYER),
        .gradient = "input, weight, bias: function(grad_out, input, weight, "
                    "mean, rstd)",
        .backward = layer_norm_gradient,
        .samples = "(T[m,6], [6], T[6], T[6], 0.00001); "
                   "(T[m,n,4], [4], None, None, 0.00001); "
                   "(T[m,3,n], [3,n], T[3,n], None, 0.01); "
                   "(T[5], [5], None, T[5], 0.00001)",
        .dtypes = "float",
    },
    {
        .schema = "rms_norm(Tensor input, Shape normalized_shape, "
                  "Tensor? weight, float eps) -> (Tensor out, Tensor rstd)",
        .aten = "_fused_rms_norm",
        .about = "Normalise the last dimensions to a mean square of 1, then "
                 "multiply by weight.  rstd has the dtype of the input, or f32 "
                 "for f16 and bf16.",
        .rule =
            "...,...->...,...; normalized_shape across, rstd constant reduced",
        .linear = "weight if weight",
        .flags = DT_OP_COMMUNICATES,
        .meta = norm_meta,
        .kernel = norm_kernel,
        .data = DTI_KIND(RMS),
        .compose = rms_norm_complex,
        .composes = is_complex,
        .gradient = "input, weight: function(grad_out, input, weight, rstd)",
        .backward = rms_norm_gradient,
        .samples = "(T[m,6], [6], T[6], 0.00001); "
                   "(T[m,n,4], [4], None, 0.00001); "
                   "(T[m,3,n], [3,n], T[3,n], 0.01)",
        .dtypes = "float",
    },
    {0},
};
