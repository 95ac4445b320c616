/* ops/nn/softmax.c - softmax and its logarithm, and what comes back. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include <dtensor/sys/op.h>

#include "array/array.h"
#include "base/error.h"
#include "kernel/softmax/softmax.h"
#include "op/call/scratch.h"
#include "op/meta.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/comm.h"
#include "ops/helpers/rows.h"
#include "ops/helpers/tables.h"

/*
 * Where the dimension is sharded, ranks combine what they know of each run: its
 * largest element and the sum of exponentials, or one sum on the way back.  The
 * loops of kernel/softmax/along.h are used then, and also along the last
 * dimension of a contiguous array whose dtype needs no conversion
 * (softmax_here); otherwise those of kernel/softmax/softmax.h.
 */

/* ---- Results ------------------------------------------------------------ */

static bool is_float(dt_dtype dtype)
{
    return dt_dtype_kind_of(dtype) == DT_KIND_FLOAT;
}

static dt_status refuse_dtype(const dt_operation *operation, dt_dtype dtype)
{
    return dt_operation_fail(
        operation, DT_ERR_UNSUPPORTED,
        "not supported for dtype %s; pass a floating-point dtype",
        dt_dtype_name(dtype));
}

static dt_status softmax_meta(dt_operation *operation)
{
    const dt_meta *in = operation->metas[0];
    const dt_argument *option = dti_argument(operation, "dtype");
    const dt_dtype dtype =
        option->kind == DT_ARG_NONE ? in->dtype : (dt_dtype)option->as.integer;
    int dim;
    DTI_TRY(dti_argument_dim(operation, "dim", in->shape.ndim, &dim));
    if (!is_float(dtype))
        return refuse_dtype(operation, dtype);
    return dti_meta_add(operation, dtype, in->shape);
}

static dt_status softmax_backward_meta(dt_operation *operation)
{
    const dt_meta *grad = operation->metas[0], *out = operation->metas[1];
    const dt_dtype dtype = (dt_dtype)dti_argument_int(operation, "input_dtype");
    int dim;
    DTI_TRY(dti_argument_dim(operation, "dim", out->shape.ndim, &dim));
    if (!dt_shape_equal(grad->shape, out->shape))
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "grad_output is %s but output is %s; they must match",
            dti_shape_show(grad->shape).text, dti_shape_show(out->shape).text);
    if (grad->dtype != out->dtype)
        return dt_operation_fail(
            operation, DT_ERR_UNSUPPORTED,
            "grad_output is %s but output is %s; they must match",
            dt_dtype_name(grad->dtype), dt_dtype_name(out->dtype));
    if (!is_float(grad->dtype) || !is_float(dtype))
        return refuse_dtype(operation, is_float(dtype) ? grad->dtype : dtype);
    return dti_meta_add(operation, dtype, grad->shape);
}

/* ---- Kernels ------------------------------------------------------------ */

/* Runs along a dimension of an array. */
static int64_t rows_of(const dt_array *in, int dim)
{
    int64_t rows = 1;
    for (int i = 0; i < dt_array_ndim(in); i++)
        rows *= i == dim ? 1 : dt_array_extent(in, i);
    return rows;
}

/* ---- Forward ------------------------------------------------------------ */

/* Whether every number of a dtype is one of another. */
static bool holds(dt_dtype to, dt_dtype from)
{
    return to == from || to == DT_F64 || (to == DT_F32 && from != DT_F64);
}

typedef enum kind {
    PLAIN,
    LOGARITHM,
    SAFE /* runs of -infinity alone give 0 */
} kind;

/* A dimension that other ranks may have parts of. */
typedef struct shared {
    kind kind;
    int dim;
    dt_group *group;
    dt_array *x;
    dt_array *most;
    dt_array *sums;
    dt_array *room;
} shared;

static dt_status open_shared(dt_operation *operation, dt_array *in, shared *at)
{
    dt_array *out = operation->out[0];
    const dt_dtype carrier = dti_rows_carrier(dt_array_dtype(out));
    const int64_t rows = rows_of(in, at->dim);
    DTI_TRY(dti_comm_numbers(operation, rows, &at->most));
    DTI_TRY(dti_comm_numbers(operation, rows, &at->sums));
    if (dt_array_is_meta(in))
        return DT_OK;
    DTI_TRY(dti_rows_bring(operation, in, at->dim, carrier, &at->x));
    return dti_rows_room(operation, out, at->dim, carrier, &at->room);
}

/* Replace one number in a list. */
static void replace(dt_array *list, double from, double to)
{
    double *numbers = dt_array_data(list);
    for (int64_t i = 0; i < dt_array_count(list); i++)
        if (numbers[i] == from)
            numbers[i] = to;
}

static dt_status share_softmax(dt_operation *operation, shared *at)
{
    const bool meta = !at->x;
    const dti_along runs = meta ? (dti_along){.rows = 0} : dti_rows_runs(at->x);
    const void *x = meta ? NULL : dt_array_const_data(at->x);
    if (!meta)
        dti_along_most(&runs, x, dt_array_data(at->most));
    DTI_TRY(dti_comm_combine(at->group, DT_MAX, at->most));
    if (!meta && at->kind == SAFE)
        replace(at->most, -(double)INFINITY, 0);
    if (!meta)
        dti_along_exp_sum(&runs, x, dt_array_const_data(at->most),
                          dt_array_data(at->sums));
    DTI_TRY(dti_comm_combine(at->group, DT_SUM, at->sums));
    if (meta)
        return DT_OK;
    if (at->kind == SAFE)
        replace(at->sums, 0, 1);
    dti_along_softmax(&runs, at->kind == LOGARITHM, x,
                      dt_array_const_data(at->most),
                      dt_array_const_data(at->sums), dt_array_data(at->room));
    return dti_rows_settle(operation, at->room, at->dim, operation->out[0]);
}

static dt_status softmax_here(dt_operation *operation, dt_array *in, int dim,
                              bool logarithm)
{
    dt_array *out = operation->out[0];
    const dt_dtype dtype = dt_array_dtype(out);
    if (dt_array_is_meta(in) || dt_array_count(in) == 0)
        return DT_OK;
    const dti_along runs = dti_rows_runs(in);
    if (dim >= dt_array_ndim(in) - 1 && dt_array_is_contiguous(in) &&
        dt_array_dtype(in) == dtype && dti_rows_carrier(dtype) == dtype)
        dti_along_softmax_whole(&runs, logarithm, dt_array_const_data(in),
                                dt_array_data(out));
    else
        dti_softmax_array(logarithm, in, dim, dt_array_data(out),
                          dt_array_dtype(out));
    return DT_OK;
}

static dt_status softmax_of(dt_operation *operation, dt_array *in, int dim,
                            kind of)
{
    shared at = {.kind = of, .dim = dim};
    DTI_TRY(dti_comm_group(operation->in_specs[0], 1u << dim, &at.group));
    if (!at.group && of != SAFE)
        return softmax_here(operation, in, dim, of == LOGARITHM);
    DTI_TRY(open_shared(operation, in, &at));
    return dt_array_count(at.most) > 0 ? share_softmax(operation, &at) : DT_OK;
}

/* Elements that the dtype does not hold are converted first. */
static dt_status softmax_kernel(dt_operation *operation)
{
    dt_array *in = operation->in[0];
    const dt_dtype dtype = dt_array_dtype(operation->out[0]);
    int dim;
    DTI_TRY(dti_argument_dim(operation, "dim", dt_array_ndim(in), &dim));
    if (!dt_array_is_meta(in) &&
        !(is_float(dt_array_dtype(in)) && holds(dtype, dt_array_dtype(in))))
        DTI_TRY(dti_scratch_cast(operation, in, dtype, &in));
    return softmax_of(operation, in, dim, (kind)dti_kind(operation));
}

/* ---- Backward ----------------------------------------------------------- */

typedef struct gradient {
    int dim;
    dt_array *grad;
    dt_array *output;
    dt_array *sums;
    dt_array *room;
} gradient;

static dt_status open_gradient(dt_operation *operation, gradient *at)
{
    dt_array *in = operation->in[0];
    const dt_dtype carrier = dti_rows_carrier(dt_array_dtype(in));
    const int64_t rows = rows_of(in, at->dim);
    DTI_TRY(dti_comm_numbers(operation, rows, &at->sums));
    if (dt_array_is_meta(at->sums))
        return DT_OK;
    DTI_TRY(dti_rows_bring(operation, in, at->dim, carrier, &at->grad));
    DTI_TRY(dti_rows_bring(operation, operation->in[1], at->dim, carrier,
                           &at->output));
    return dti_rows_room(operation, operation->out[0], at->dim, carrier,
                         &at->room);
}

static dt_status run_gradient(dt_operation *operation, gradient *at)
{
    const bool logarithm = dti_kind(operation) == LOGARITHM;
    const bool meta = !at->grad;
    const dti_along runs =
        meta ? (dti_along){.rows = 0} : dti_rows_runs(at->grad);
    dt_group *group = NULL;
    if (!meta)
        dti_along_dot(&runs, dt_array_const_data(at->grad),
                      logarithm ? NULL : dt_array_const_data(at->output),
                      dt_array_data(at->sums));
    DTI_TRY(dti_comm_group(operation->in_specs[0], 1u << at->dim, &group));
    DTI_TRY(dti_comm_combine(group, DT_SUM, at->sums));
    if (meta)
        return DT_OK;
    dti_along_softmax_grad(&runs, logarithm, dt_array_const_data(at->grad),
                           dt_array_const_data(at->output),
                           dt_array_const_data(at->sums),
                           dt_array_data(at->room));
    return dti_rows_settle(operation, at->room, at->dim, operation->out[0]);
}

static dt_status backward_kernel(dt_operation *operation)
{
    gradient at = {0};
    DTI_TRY(dti_argument_dim(operation, "dim", dt_array_ndim(operation->in[0]),
                             &at.dim));
    DTI_TRY(open_gradient(operation, &at));
    return dt_array_count(at.sums) > 0 ? run_gradient(operation, &at) : DT_OK;
}

/* ---- Rows --------------------------------------------------------------- */

#define SOFTMAX(kind)                                                          \
    .rule = "...->...; dim across calls 2", .flags = DT_OP_COMMUNICATES,       \
    .meta = softmax_meta, .kernel = softmax_kernel, .data = DTI_KIND(kind),    \
    .samples = "(T[m,n], -1); (T[m,n], 0); (T[m,3,n], 1); (T[], 0); "          \
               "(T[m,n], -1, dtype=f32)",                                      \
    .dtypes = "float"

const dt_op dti_ops_softmax[] = {
    {
        .schema = "softmax(Tensor self, Dim dim, *, Dtype? dtype=None) "
                  "-> Tensor",
        .aten = "_softmax softmax.int",
        .about = "exp(x) / sum(exp(x)) along a dimension.",
        SOFTMAX(PLAIN),
        .gradient = "self: softmax_backward(grad, result, dim, dtype(result))",
    },
    {
        .schema = "safe_softmax(Tensor self, Dim dim, *, Dtype? dtype=None) "
                  "-> Tensor",
        .aten = "_safe_softmax",
        .about = "Softmax along a dimension, with zeros where all elements are "
                 "minus infinity.",
        SOFTMAX(SAFE),
        .gradient = "self: softmax_backward(grad, result, dim, dtype(result))",
    },
    {
        .schema = "log_softmax(Tensor self, Dim dim, *, Dtype? dtype=None) "
                  "-> Tensor",
        .aten = "_log_softmax log_softmax.int",
        .about = "x - log(sum(exp(x))) along a dimension.",
        SOFTMAX(LOGARITHM),
        .gradient =
            "self: log_softmax_backward(grad, result, dim, dtype(result))",
    },
    {
        .schema = "softmax_backward(Tensor grad_output, Tensor output, "
                  "Dim dim, Dtype input_dtype) -> Tensor",
        .aten = "_softmax_backward_data",
        .about = "Gradient of softmax with respect to its input, from "
                 "grad_output and the forward output.",
        .rule = "...,...->...; dim across",
        .linear = "grad_output",
        .flags = DT_OP_COMMUNICATES,
        .meta = softmax_backward_meta,
        .kernel = backward_kernel,
        .data = DTI_KIND(PLAIN),
        .gradient = "grad_output: softmax_backward(cast(grad, dtype(output)), "
                    "output, dim, dtype(output)); output: cast(grad, "
                    "dtype(output)) * (grad_output - sum(output * grad_output, "
                    "dim, true)) - grad_output * sum(grad * output, dim, true)",
        .samples = "(T[m,n], T[m,n], -1, T); (T[m,n], T[m,n], 0, T); "
                   "(T[m,3,n], T[m,3,n], 1, T); (T[], T[], 0, T); "
                   "(f32[m,n], f32[m,n], -1, T)",
        .dtypes = "float",
    },
    {
        .schema = "log_softmax_backward(Tensor grad_output, Tensor output, "
                  "Dim dim, Dtype input_dtype) -> Tensor",
        .aten = "_log_softmax_backward_data",
        .about = "Gradient of log_softmax with respect to its input, from "
                 "grad_output and the forward output.",
        .rule = "...,...->...; dim across",
        .linear = "grad_output",
        .flags = DT_OP_COMMUNICATES,
        .meta = softmax_backward_meta,
        .kernel = backward_kernel,
        .data = DTI_KIND(LOGARITHM),
        .gradient = "grad_output: grad - sum(grad * exp(output), dim, true); "
                    "output: -(grad * exp(output) * sum(grad_output, dim, "
                    "true))",
        .samples = "(T[m,n], T[m,n], -1, T); (T[m,n], T[m,n], 0, T); "
                   "(T[m,3,n], T[m,3,n], 1, T); (T[], T[], 0, T); "
                   "(f32[m,n], f32[m,n], -1, T)",
        .dtypes = "float",
    },
    {0},
};
