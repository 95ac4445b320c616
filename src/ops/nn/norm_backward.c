/* ops/nn/norm_backward.c - what comes back through layer norm and rms norm. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <dtensor/create.h>
#include <dtensor/ops.h>
#include <dtensor/sys/ops_internal.h>

#include "array/array.h"
#include "array/cast.h"
#include "base/error.h"
#include "kernel/norm/norm.h"
#include "layout/spec.h"
#include "op/meta.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/comm.h"
#include "ops/helpers/recorded.h"
#include "ops/helpers/rows.h"
#include "ops/helpers/tables.h"
#include "ops/nn/norm.h"

/*
 * Inputs: grad_out, input, of layer norm mean, rstd, weight, and of layer norm
 * bias.  Where rows are cut, ranks combine two sums for each; where they are
 * spread, gradients of weight and bias are partial sums.
 */
enum { GRAD_OUT, INPUT, NORMALIZED_SHAPE };

typedef struct form {
    bool centred;
    int mean, rstd, weight, bias; /* numbers of inputs; -1: there is none */
    int mask;                     /* number of the argument */
    int results;
} form;

static const form layer_form = {.centred = true,
                                .mean = 2,
                                .rstd = 3,
                                .weight = 4,
                                .bias = 5,
                                .mask = 7,
                                .results = 3};
static const form rms_form = {.centred = false,
                              .mean = -1,
                              .rstd = 2,
                              .weight = 3,
                              .bias = -1,
                              .mask = 5,
                              .results = 2};

static int first_dim(const dt_operation *operation)
{
    return operation->metas[INPUT]->shape.ndim -
           dti_argument(operation, "normalized_shape")->count;
}

static bool is_wanted(const dt_operation *operation, const form *of, int result)
{
    return operation->arguments[of->mask].as.integers[result] != 0;
}

/* ---- Results ------------------------------------------------------------ */

static dt_status check_lists(const dt_operation *operation, const form *of)
{
    const dt_argument *list = dti_argument(operation, "normalized_shape");
    const dt_shape shape = operation->metas[INPUT]->shape;
    const int first = shape.ndim - list->count;
    bool fits = list->count > 0 && first >= 0;
    for (int i = 0; fits && i < list->count; i++)
        fits = list->as.integers[i] == shape.dims[first + i];
    if (!fits)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "input has shape %s, which does not end with normalized_shape, %s",
            dti_shape_show(shape).text,
            dti_shape_show(dt_shape_make(list->count, list->as.integers)).text);
    if (operation->arguments[of->mask].count != of->results)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "output_mask has %d elements; expected %d, one per result",
            operation->arguments[of->mask].count, of->results);
    return DT_OK;
}

static dt_status check_shape(const dt_operation *operation, int input,
                             const char *name, dt_shape wanted)
{
    const dt_meta *meta = input < 0 ? NULL : operation->metas[input];
    if (!meta)
        return DT_OK;
    if (dt_dtype_kind_of(meta->dtype) != DT_KIND_FLOAT)
        return dt_operation_fail(operation, DT_ERR_UNSUPPORTED,
                                 "%s is %s; expected a floating-point dtype",
                                 name, dt_dtype_name(meta->dtype));
    if (dt_shape_equal(meta->shape, wanted))
        return DT_OK;
    return dt_operation_fail(operation, DT_ERR_INVALID, "%s is %s; expected %s",
                             name, dti_shape_show(meta->shape).text,
                             dti_shape_show(wanted).text);
}

/* The dtype of the gradient of weight, or bias. */
static dt_dtype factor_dtype(const dt_operation *operation, const form *of,
                             int input)
{
    if (input >= 0 && operation->metas[input])
        return operation->metas[input]->dtype;
    return operation->metas[operation->metas[of->weight] ? of->weight : INPUT]
        ->dtype;
}

/* Results that are not wanted have no elements. */
static dt_status add_result(dt_operation *operation, const form *of,
                            dt_dtype dtype, dt_shape shape)
{
    const bool wanted = is_wanted(operation, of, operation->result_count);
    return dti_meta_add(operation, dtype, wanted ? shape : DT_SHAPE(0));
}

static dt_status backward_meta(dt_operation *operation)
{
    const form *of = operation->op->data;
    DTI_TRY(check_lists(operation, of));
    const dt_meta *in = operation->metas[INPUT];
    const int first = first_dim(operation);
    const dt_shape row =
        dt_shape_make(in->shape.ndim - first, in->shape.dims + first);
    dt_shape rows = in->shape;
    for (int i = first; i < rows.ndim; i++)
        rows.dims[i] = 1;
    DTI_TRY(check_shape(operation, INPUT, "input", in->shape));
    DTI_TRY(check_shape(operation, GRAD_OUT, "grad_out", in->shape));
    DTI_TRY(check_shape(operation, of->mean, "mean", rows));
    DTI_TRY(check_shape(operation, of->rstd, "rstd", rows));
    DTI_TRY(check_shape(operation, of->weight, "weight", row));
    DTI_TRY(check_shape(operation, of->bias, "bias", row));
    if (operation->metas[GRAD_OUT]->dtype != in->dtype)
        return dt_operation_fail(
            operation, DT_ERR_UNSUPPORTED,
            "grad_out is %s but input is %s; they must match",
            dt_dtype_name(operation->metas[GRAD_OUT]->dtype),
            dt_dtype_name(in->dtype));
    DTI_TRY(add_result(operation, of, in->dtype, in->shape));
    DTI_TRY(add_result(operation, of, factor_dtype(operation, of, of->weight),
                       row));
    if (of->results == 2)
        return DT_OK;
    return add_result(operation, of, factor_dtype(operation, of, of->bias),
                      row);
}

/* ---- Kernels ------------------------------------------------------------ */

typedef struct gradient {
    dti_norm_grad grad;
    dt_array *g;
    dt_array *x;
    dt_array *weight;
    dt_array *means; /* f64 */
    dt_array *rstds; /* f64 */
    dt_array *sums;  /* two for each row */
    dt_array *room;
    dt_array *factors; /* f64, of weight, and of bias behind them */
} gradient;

static dt_status count_rows(dt_operation *operation, const form *of,
                            gradient *at)
{
    const dt_array *in = operation->in[INPUT];
    const int first = first_dim(operation);
    dti_norm_grad *grad = &at->grad;
    *grad = (dti_norm_grad){.centred = of->centred,
                            .dtype = dti_rows_carrier(dt_array_dtype(in)),
                            .rows = 1,
                            .count = 1,
                            .whole = 1,
                            .level = dti_cpu_level_used()};
    for (int i = 0; i < dt_array_ndim(in); i++) {
        *(i < first ? &grad->rows : &grad->count) *= dt_array_extent(in, i);
        if (i >= first)
            grad->whole *= operation->metas[INPUT]->shape.dims[i];
    }
    return dti_comm_numbers(operation, 2 * grad->rows, &at->sums);
}

/* Dense elements of an input, of a dtype. */
static dt_status bring(dt_operation *operation, int input, dt_dtype dtype,
                       dt_array **out)
{
    dt_array *array = operation->in[input];
    if (!array)
        return DT_OK;
    return dti_rows_bring(operation, array, dt_array_ndim(array), dtype, out);
}

static dt_status open_means(dt_operation *operation, const form *of,
                            gradient *at)
{
    if (of->mean >= 0)
        return bring(operation, of->mean, DT_F64, &at->means);
    DTI_TRY(dti_comm_numbers(operation, at->grad.rows, &at->means));
    return dt_array_fill(operation->world, at->means, 0);
}

static dt_status open_gradient(dt_operation *operation, const form *of,
                               gradient *at)
{
    dti_norm_grad *grad = &at->grad;
    DTI_TRY(bring(operation, GRAD_OUT, grad->dtype, &at->g));
    DTI_TRY(bring(operation, INPUT, grad->dtype, &at->x));
    DTI_TRY(bring(operation, of->weight, grad->dtype, &at->weight));
    DTI_TRY(bring(operation, of->rstd, DT_F64, &at->rstds));
    DTI_TRY(open_means(operation, of, at));
    DTI_TRY(dti_comm_numbers(operation, 2 * grad->count, &at->factors));
    grad->g = dt_array_const_data(at->g);
    grad->x = dt_array_const_data(at->x);
    grad->weight = at->weight ? dt_array_const_data(at->weight) : NULL;
    grad->means = dt_array_const_data(at->means);
    grad->rstds = dt_array_const_data(at->rstds);
    return DT_OK;
}

/* The sums that whole rows need. */
static dt_status add_sums(dt_operation *operation, gradient *at)
{
    const unsigned rows = (1u << first_dim(operation)) - 1;
    dt_group *group = NULL;
    if (!dt_array_is_meta(at->sums))
        dti_norm_grad_sums(&at->grad, dt_array_data(at->sums));
    DTI_TRY(dti_comm_group(operation->in_specs[INPUT], ~rows, &group));
    return dti_comm_combine(group, DT_SUM, at->sums);
}

static dt_status put_rows(dt_operation *operation, gradient *at)
{
    dt_array *out = operation->out[0];
    DTI_TRY(dti_rows_room(operation, out, dt_array_ndim(out), at->grad.dtype,
                          &at->room));
    if (dt_array_count(out) > 0)
        dti_norm_grad_rows(&at->grad, dt_array_const_data(at->sums),
                           dt_array_data(at->room));
    return dti_rows_settle(operation, at->room, dt_array_ndim(out), out);
}

static void put_factors(dt_operation *operation, const form *of, gradient *at)
{
    const int64_t count = at->grad.count;
    double *numbers = dt_array_data(at->factors);
    const bool weighs = is_wanted(operation, of, 1);
    const bool adds = of->results > 2 && is_wanted(operation, of, 2);
    if (count == 0 || (!weighs && !adds))
        return;
    dti_norm_grad_factors(&at->grad, weighs ? numbers : NULL,
                          adds ? numbers + count : NULL);
    for (int i = 1; i < of->results; i++) {
        dt_array *out = operation->out[i];
        if (is_wanted(operation, of, i))
            dti_cast(numbers + (i - 1) * count, DT_F64, dt_array_data(out),
                     dt_array_dtype(out), count);
    }
}

static dt_status backward_kernel(dt_operation *operation)
{
    const form *of = operation->op->data;
    gradient at = {.g = NULL};
    DTI_TRY(count_rows(operation, of, &at));
    const bool meta = dt_array_is_meta(at.sums);
    if (!meta)
        DTI_TRY(open_gradient(operation, of, &at));
    if (is_wanted(operation, of, 0) && at.grad.rows > 0) {
        DTI_TRY(add_sums(operation, &at));
        if (!meta)
            DTI_TRY(put_rows(operation, &at));
    }
    if (!meta)
        put_factors(operation, of, &at);
    return DT_OK;
}

/* ---- Gradients of gradients --------------------------------------------- */

dt_tensor *dti_follow_rstd(dt_tensor *centred, dt_tensor *rstd, dt_dims dims)
{
    dt_tensor *variance = dt_mean(dt_square(centred), dims, true);
    dt_tensor *eps =
        dt_detach(dt_sub(dt_reciprocal(dt_square(rstd)), variance));
    return dt_rsqrt(dt_add(variance, eps));
}

dt_tensor *dti_norm_result(const dt_tensor *input, bool wanted,
                           dt_tensor *found, dt_dtype dtype)
{
    const dt_spec *spec = dt_tensor_spec(input);
    const dt_layout whole = dti_layout_replicated(spec->layout.ndim);
    if (!wanted)
        return dt_zeros(spec->mesh, dt_layout_text(spec->mesh->world, &whole),
                        dtype, DT_SHAPE(0));
    return found && dt_tensor_dtype(found) != dtype ? dt_cast(found, dtype)
                                                    : found;
}

static dt_tensor *finish(dt_operation *operation, const form *of, int result,
                         dt_tensor *found, dt_dtype dtype)
{
    return dti_norm_result(operation->inputs[INPUT],
                           is_wanted(operation, of, result), found, dtype);
}

/* The same by operators that have gradients. */
static dt_status backward_recorded(dt_operation *operation)
{
    const form *of = operation->op->data;
    const dt_argument *list = dti_argument(operation, "normalized_shape");
    dt_tensor *g = operation->inputs[GRAD_OUT], *x = operation->inputs[INPUT];
    dt_tensor *w = operation->inputs[of->weight];
    const dt_shape row = dt_shape_make(list->count, list->as.integers);
    const dt_dtype dtype = dt_tensor_dtype(x),
                   factors = w ? dt_tensor_dtype(w) : dtype;
    dt_dims dims = DT_DIMS();
    for (int i = -row.ndim; i < 0; i++)
        dims.dims[dims.ndim++] = i;
    dt_tensor *c = of->centred ? dt_sub(x, dt_mean(x, dims, true)) : x;
    dt_tensor *r = dti_follow_rstd(c, operation->inputs[of->rstd], dims);
    dt_tensor *h = dt_mul(c, r), *part = w ? dt_mul(g, w) : g;
    dt_tensor *rest =
        dt_sub(part, dt_mul(h, dt_mean(dt_mul(part, h), dims, true)));
    if (of->centred)
        rest = dt_sub(rest, dt_mean(part, dims, true));
    operation->outputs[0] = finish(operation, of, 0, dt_mul(rest, r), dtype);
    operation->outputs[1] =
        finish(operation, of, 1, dt_sum_to_size(dt_mul(g, h), row), factors);
    if (of->results > 2)
        operation->outputs[2] =
            finish(operation, of, 2, dt_sum_to_size(g, row), factors);
    return DT_OK;
}

/* ---- Rows --------------------------------------------------------------- */

const dt_op dti_ops_norm_backward[] = {
    {
        .schema = "layer_norm_backward(Tensor grad_out, Tensor input, "
                  "Shape normalized_shape, Tensor mean, Tensor rstd, "
                  "Tensor? weight, Tensor? bias, int[] output_mask) "
                  "-> (Tensor grad_input, Tensor grad_weight, "
                  "Tensor grad_bias)",
        .aten = "native_layer_norm_backward",
        .about =
            "Gradients of layer_norm with respect to its inputs.  Results "
            "whose element of output_mask is 0 are empty and not computed.",
        .rule = "...,...,...,...,...,...->...,...,...; ... sum, "
                "normalized_shape across, mean reduced, rstd reduced, "
                "bias unread, output_mask selects",
        .linear = "grad_out",
        .flags = DT_OP_COMMUNICATES,
        .meta = backward_meta,
        .kernel = backward_kernel,
        .compose = backward_recorded,
        .data = &layer_form,
        .composes = dti_is_recorded,
        .samples = "(T[m,6], T[m,6], [6], T[m,1], T[m,1], T[6], T[6], "
                   "[1,1,1]); "
                   "(T[m,n], T[m,n], [n], T[m,1], T[m,1], None, None, "
                   "[1,0,0]); "
                   "(T[m,3,n], T[m,3,n], [3,n], T[m,1,1], T[m,1,1], T[3,n], "
                   "None, [1,1,1]); "
                   "(T[m,n], T[m,n], [n], T[m,1], T[m,1], T[n], T[n], "
                   "[0,1,1]); "
                   "(T[m,n], T[m,n], [n], T[m,1], T[m,1], None, T[n], "
                   "[1,0,1])",
        .dtypes = "float",
    },
    {
        .schema = "rms_norm_backward(Tensor grad_out, Tensor input, "
                  "Shape normalized_shape, Tensor rstd, Tensor? weight, "
                  "int[] output_mask) "
                  "-> (Tensor grad_input, Tensor grad_weight)",
        .aten = "_fused_rms_norm_backward",
        .about =
            "Gradients of rms_norm with respect to its inputs.  Results whose "
            "element of output_mask is 0 are empty and not computed.",
        .rule = "...,...,...,...->...,...; ... sum, "
                "normalized_shape across, rstd reduced, output_mask selects",
        .linear = "grad_out",
        .flags = DT_OP_COMMUNICATES,
        .meta = backward_meta,
        .kernel = backward_kernel,
        .compose = backward_recorded,
        .data = &rms_form,
        .composes = dti_is_recorded,
        .samples = "(T[m,6], T[m,6], [6], T[m,1], T[6], [1,1]); "
                   "(T[m,n], T[m,n], [n], T[m,1], None, [1,0]); "
                   "(T[m,3,n], T[m,3,n], [3,n], T[m,1,1], T[3,n], [1,1]); "
                   "(T[m,n], T[m,n], [n], T[m,1], T[n], [0,1])",
        .dtypes = "float",
    },
    {0},
};
