/* ops/norm.c - layer norm and rms norm. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "array/array.h"
#include "base/error.h"
#include "kernel/norm.h"
#include "op/meta.h"
#include "ops/factors.h"
#include "ops/tables.h"

/* Arguments: input, normalized_shape, weight, and of layer norm bias, eps. */
enum { INPUT, NORMALIZED_SHAPE, WEIGHT, BIAS };

/* The first dimension that is normalised. */
static int first_dim(const dt_operation *operation)
{
    return operation->metas[INPUT]->shape.ndim -
           operation->arguments[NORMALIZED_SHAPE].count;
}

/* ---- Results ------------------------------------------------------------ */

static dt_status check_shape(const dt_operation *operation)
{
    const dt_argument *list = &operation->arguments[NORMALIZED_SHAPE];
    const dt_shape shape = operation->metas[INPUT]->shape;
    const int first = shape.ndim - list->count;
    bool fits = list->count > 0 && first >= 0;
    for (int i = 0; fits && i < list->count; i++)
        fits = list->as.integers[i] == shape.dims[first + i];
    if (fits)
        return DT_OK;
    return dt_operation_fail(
        operation, DT_ERR_INVALID,
        "input is %s, which does not end with normalized_shape, %s",
        dti_shape_show(shape).text,
        dti_shape_show(dt_shape_make(list->count, list->as.integers)).text);
}

static bool is_half(dt_dtype dtype)
{
    return dtype == DT_F16 || dtype == DT_BF16;
}

/* Whether factors of a dtype go with an input: its own, or f32 with a half. */
static bool goes_with(dt_dtype input, dt_dtype factors)
{
    return factors == input || (factors == DT_F32 && is_half(input));
}

/* Weight, or bias: of the normalised shape. */
static dt_status check_factors(const dt_operation *operation, int input,
                               const char *name)
{
    const dt_meta *meta = operation->metas[input];
    const dt_argument *list = &operation->arguments[NORMALIZED_SHAPE];
    if (!meta)
        return DT_OK;
    const dt_shape wanted = dt_shape_make(list->count, list->as.integers);
    if (!dt_shape_equal(meta->shape, wanted))
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "%s is %s, not %s as normalized_shape is",
                                 name, dti_shape_show(meta->shape).text,
                                 dti_shape_show(wanted).text);
    if (!goes_with(operation->metas[INPUT]->dtype, meta->dtype))
        return dt_operation_fail(operation, DT_ERR_UNSUPPORTED,
                                 "input is %s, %s is %s",
                                 dt_dtype_name(operation->metas[INPUT]->dtype),
                                 name, dt_dtype_name(meta->dtype));
    return DT_OK;
}

/* Statistics of layer norm are f32 if weight or bias is; of rms norm, they are
 * so for every half type. */
static dt_dtype statistics_dtype(const dt_operation *operation, bool centred)
{
    dt_dtype dtype = operation->metas[INPUT]->dtype;
    if (!centred)
        return is_half(dtype) ? DT_F32 : dtype;
    for (int i = 1; i < operation->input_count; i++)
        if (operation->metas[i])
            dtype = operation->metas[i]->dtype;
    return dtype;
}

static dt_status norm_meta(dt_operation *operation, bool centred)
{
    const dt_meta *in = operation->metas[INPUT];
    DTI_TRY(check_shape(operation));
    if (dt_dtype_kind_of(in->dtype) != DT_KIND_FLOAT)
        return dt_operation_fail(operation, DT_ERR_UNSUPPORTED, "not of %s",
                                 dt_dtype_name(in->dtype));
    DTI_TRY(check_factors(operation, 1, "weight"));
    if (centred) {
        DTI_TRY(check_factors(operation, 2, "bias"));
        if (operation->metas[1] && operation->metas[2] &&
            operation->metas[1]->dtype != operation->metas[2]->dtype)
            return dt_operation_fail(operation, DT_ERR_UNSUPPORTED,
                                     "weight is %s, bias is %s",
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

static dt_status layer_norm_meta(dt_operation *operation)
{
    return norm_meta(operation, true);
}

static dt_status rms_norm_meta(dt_operation *operation)
{
    return norm_meta(operation, false);
}

/* ---- Rules -------------------------------------------------------------- */

/* Dimensions before the normalised ones may be cut; all else is whole. */
static dt_status norm_factors(const dt_operation *operation, dt_factors *out)
{
    const dt_shape shape = operation->metas[INPUT]->shape;
    *out = (dt_factors){.in_count = operation->input_count,
                        .out_count = operation->result_count};
    for (int i = 0; i < first_dim(operation); i++) {
        const int factor = dti_factor_add(out, DT_FACTOR_FREE, shape.dims[i]);
        dti_factor_put(&out->in[INPUT].dims[i], factor);
        for (int k = 0; k < operation->result_count; k++)
            dti_factor_put(&out->out[k].dims[i], factor);
    }
    return DT_OK;
}

/* ---- Kernels ------------------------------------------------------------ */

/* What arrays are given to the kernel as: neighbours where it needs them. */
typedef struct inputs {
    dt_array *in;
    dt_array *weight;
    dt_array *bias;
} inputs;

static void release_inputs(inputs *from)
{
    dt_array_release(from->in);
    dt_array_release(from->weight);
    dt_array_release(from->bias);
}

static dt_status make_contiguous(dt_operation *operation, int input,
                                 dt_array **out)
{
    dt_array *array = operation->in[input];
    return array ? dt_array_contiguous(operation->world, array, out) : DT_OK;
}

static dt_status take_inputs(dt_operation *operation, int first, bool centred,
                             inputs *out)
{
    if (dti_norm_takes(operation->in[INPUT], first))
        out->in = dt_array_retain(operation->in[INPUT]);
    else
        DTI_TRY(make_contiguous(operation, INPUT, &out->in));
    DTI_TRY(make_contiguous(operation, 1, &out->weight));
    return centred ? make_contiguous(operation, 2, &out->bias) : DT_OK;
}

static dt_status run_norm(dt_operation *operation, bool centred)
{
    const int first = first_dim(operation);
    inputs from = {NULL, NULL, NULL};
    dt_status status = take_inputs(operation, first, centred, &from);
    dt_array *rstd = operation->out[centred ? 2 : 1];
    const dti_norm norm = {
        .centred = centred,
        .eps = operation->arguments[centred ? BIAS + 1 : BIAS].as.real,
        .weight = from.weight,
        .bias = from.bias,
        .out = dt_array_data(operation->out[0]),
        .mean = centred ? dt_array_data(operation->out[1]) : NULL,
        .rstd = dt_array_data(rstd),
        .dtype = dt_array_dtype(rstd)};
    if (status == DT_OK)
        dti_norm_array(&norm, from.in, first);
    release_inputs(&from);
    return status;
}

static dt_status layer_norm_kernel(dt_operation *operation)
{
    return run_norm(operation, true);
}

static dt_status rms_norm_kernel(dt_operation *operation)
{
    return run_norm(operation, false);
}

/* ---- Rows --------------------------------------------------------------- */

const dt_op dti_ops_norm[] = {
    {
        .schema = "layer_norm(Tensor input, Shape normalized_shape, "
                  "Tensor? weight, Tensor? bias, float eps) "
                  "-> (Tensor out, Tensor mean, Tensor rstd)",
        .aten = "native_layer_norm",
        .about = "Bring the last dimensions to mean 0 and variance 1, times "
                 "weight, plus bias.  The statistics have the dtype of weight "
                 "and bias, or that of the input.",
        .factors = norm_factors,
        .meta = layer_norm_meta,
        .kernel = layer_norm_kernel,
        .samples = "(T[m,6], [6], T[6], T[6], 0.00001); "
                   "(T[m,n,4], [4], None, None, 0.00001); "
                   "(T[m,3,4], [3,4], T[3,4], None, 0.01); "
                   "(T[5], [5], None, T[5], 0.00001)",
        .dtypes = "float",
    },
    {
        .schema = "rms_norm(Tensor input, Shape normalized_shape, "
                  "Tensor? weight, float eps) -> (Tensor out, Tensor rstd)",
        .aten = "_fused_rms_norm",
        .about =
            "Bring the mean of squares of the last dimensions to 1, times "
            "weight.  rstd has the dtype of the input, or f32 if that is a "
            "half type.",
        .factors = norm_factors,
        .meta = rms_norm_meta,
        .kernel = rms_norm_kernel,
        .samples = "(T[m,6], [6], T[6], 0.00001); "
                   "(T[m,n,4], [4], None, 0.00001); "
                   "(T[m,3,4], [3,4], T[3,4], 0.01)",
        .dtypes = "float",
    },
    {0},
};
