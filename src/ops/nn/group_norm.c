/* ops/nn/group_norm.c - group norm, and what comes back through it. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <string.h>

#include <dtensor/sys/ops_internal.h>

#include "array/array.h"
#include "array/cast.h"
#include "base/error.h"
#include "kernel/norm/group_norm.h"
#include "kernel/norm/norm.h"
#include "op/call/scratch.h"
#include "op/meta.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/comm.h"
#include "ops/helpers/factors.h"
#include "ops/helpers/recorded.h"
#include "ops/helpers/rows.h"
#include "ops/helpers/tables.h"
#include "ops/nn/norm.h"

/*
 * Inputs are (batch, channel, ...); a row is a group of channels of one batch.
 * Batches and groups may be cut, and what rows are made of, channels of groups
 * and the dimensions behind: ranks tell one another what they know of their
 * parts of rows then.
 */

/* Where inputs and arguments of both operators are; -1: there is none. */
typedef struct form {
    int input, mean, rstd, weight, bias; /* numbers of inputs */
    int extents; /* the argument n, before c, hxw and group */
} form;

static const form forward = {
    .input = 0, .mean = -1, .rstd = -1, .weight = 1, .bias = 2, .extents = 3};
static const form backward = {
    .input = 1, .mean = 2, .rstd = 3, .weight = 4, .bias = -1, .extents = 5};

enum { EPS = 7, GRAD_OUT = 0, OUTPUT_MASK = 9 };

static int64_t group_count(const dt_operation *operation, const form *of)
{
    return operation->arguments[of->extents + 3].as.integer;
}

static bool is_wanted(const dt_operation *operation, int result)
{
    return dti_argument(operation, "output_mask")->as.integers[result] != 0;
}

/* ---- Results ------------------------------------------------------------- */

static int64_t inner_count(dt_shape shape)
{
    int64_t count = 1;
    for (int i = 2; i < shape.ndim; i++)
        count *= shape.dims[i];
    return count;
}

static dt_status check_extents(const dt_operation *operation, const form *of)
{
    static const char *const names[] = {"n", "c", "hxw"};
    const dt_argument *given = operation->arguments + of->extents;
    const dt_shape shape = operation->metas[of->input]->shape;
    if (shape.ndim < 2)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "input has shape %s; expected at least 2 "
                                 "dimensions, batch and channels",
                                 dti_shape_show(shape).text);
    const int64_t wanted[] = {shape.dims[0], shape.dims[1], inner_count(shape)};
    for (int i = 0; i < 3; i++)
        if (given[i].as.integer != wanted[i])
            return dt_operation_fail(operation, DT_ERR_INVALID,
                                     "%s is %" PRId64 "; expected %" PRId64
                                     " for an input of shape %s",
                                     names[i], given[i].as.integer, wanted[i],
                                     dti_shape_show(shape).text);
    const int64_t groups = given[3].as.integer;
    if (groups > 0 && shape.dims[1] % groups == 0)
        return DT_OK;
    return dt_operation_fail(operation, DT_ERR_INVALID,
                             "%" PRId64
                             " channels cannot be divided into %" PRId64
                             " groups of equal size",
                             shape.dims[1], groups);
}

static dt_status check_floats(const dt_operation *operation)
{
    for (int i = 0; i < operation->input_count; i++)
        if (operation->metas[i] &&
            dt_dtype_kind_of(operation->metas[i]->dtype) != DT_KIND_FLOAT)
            return dt_operation_fail(operation, DT_ERR_UNSUPPORTED,
                                     "not supported for dtype %s",
                                     dt_dtype_name(operation->metas[i]->dtype));
    return DT_OK;
}

static dt_status check_shape(const dt_operation *operation, int input,
                             const char *name, dt_shape wanted)
{
    const dt_meta *meta = input < 0 ? NULL : operation->metas[input];
    if (!meta || dt_shape_equal(meta->shape, wanted))
        return DT_OK;
    return dt_operation_fail(operation, DT_ERR_INVALID, "%s is %s; expected %s",
                             name, dti_shape_show(meta->shape).text,
                             dti_shape_show(wanted).text);
}

static dt_status check_dtype(const dt_operation *operation, int input,
                             const form *of, const char *name)
{
    const dt_dtype dtype = operation->metas[of->input]->dtype;
    const dt_meta *meta = input < 0 ? NULL : operation->metas[input];
    if (!meta || dti_norm_goes_with(dtype, meta->dtype))
        return DT_OK;
    return dt_operation_fail(
        operation, DT_ERR_UNSUPPORTED,
        "input is %s but %s is %s; these dtypes cannot be combined",
        dt_dtype_name(dtype), name, dt_dtype_name(meta->dtype));
}

/* What both operators need. */
static dt_status check_call(const dt_operation *operation, const form *of)
{
    DTI_TRY(check_floats(operation));
    DTI_TRY(check_extents(operation, of));
    const dt_shape shape = operation->metas[of->input]->shape;
    const dt_shape rows = DT_SHAPE(shape.dims[0], group_count(operation, of));
    const dt_shape channels = DT_SHAPE(shape.dims[1]);
    DTI_TRY(check_shape(operation, of->weight, "weight", channels));
    DTI_TRY(check_shape(operation, of->bias, "bias", channels));
    DTI_TRY(check_shape(operation, of->mean, "mean", rows));
    DTI_TRY(check_shape(operation, of->rstd, "rstd", rows));
    DTI_TRY(check_dtype(operation, of->weight, of, "weight"));
    DTI_TRY(check_dtype(operation, of->bias, of, "bias"));
    DTI_TRY(check_dtype(operation, of->mean, of, "mean"));
    return check_dtype(operation, of->rstd, of, "rstd");
}

/* Fail unless two inputs, if both are there, have one dtype. */
static dt_status check_same(const dt_operation *operation, int a,
                            const char *name, int b, const char *other)
{
    const dt_meta *one = operation->metas[a], *two = operation->metas[b];
    if (!one || !two || one->dtype == two->dtype)
        return DT_OK;
    return dt_operation_fail(operation, DT_ERR_UNSUPPORTED,
                             "%s is %s but %s is %s; the dtypes must be equal",
                             name, dt_dtype_name(one->dtype), other,
                             dt_dtype_name(two->dtype));
}

static dt_status group_norm_meta(dt_operation *operation)
{
    DTI_TRY(check_call(operation, &forward));
    DTI_TRY(check_same(operation, 1, "weight", 2, "bias"));
    const dt_meta *in = operation->metas[0];
    const dt_meta *factors = operation->metas[operation->metas[1] ? 1 : 2];
    const dt_dtype dtype = factors ? factors->dtype : in->dtype;
    const dt_shape rows =
        DT_SHAPE(in->shape.dims[0], group_count(operation, &forward));
    DTI_TRY(dti_meta_add(operation, in->dtype, in->shape));
    DTI_TRY(dti_meta_add(operation, dtype, rows));
    return dti_meta_add(operation, dtype, rows);
}

/* Results that are not wanted have no elements. */
static dt_status add_result(dt_operation *operation, dt_dtype dtype,
                            dt_shape shape)
{
    const bool wanted = is_wanted(operation, operation->result_count);
    return dti_meta_add(operation, dtype, wanted ? shape : DT_SHAPE(0));
}

static dt_status group_norm_backward_meta(dt_operation *operation)
{
    const form *of = &backward;
    if (dti_argument(operation, "output_mask")->count != 3)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "output_mask has %d elements; expected 3, one per result",
            dti_argument(operation, "output_mask")->count);
    DTI_TRY(check_call(operation, of));
    const dt_meta *in = operation->metas[of->input];
    DTI_TRY(check_shape(operation, GRAD_OUT, "grad_out", in->shape));
    DTI_TRY(check_same(operation, GRAD_OUT, "grad_out", of->input, "input"));
    DTI_TRY(check_same(operation, of->mean, "mean", of->rstd, "rstd"));
    const dt_meta *weight = operation->metas[of->weight];
    const dt_dtype dtype = weight ? weight->dtype : in->dtype;
    const dt_shape channels = DT_SHAPE(in->shape.dims[1]);
    DTI_TRY(add_result(operation, in->dtype, in->shape));
    DTI_TRY(add_result(operation, dtype, channels));
    return add_result(operation, dtype, channels);
}

/* ---- Rules --------------------------------------------------------------- */

/* The factors of a call; -1: there is none, as it would have one index. */
typedef struct parts {
    int batch, group, channel;
    int inner[DT_MAX_NDIM];
} parts;

static void put(dt_factor_map *map, int dim, int factor)
{
    if (factor >= 0)
        dti_factor_put(&map->dims[dim], factor);
}

static void put_elements(const parts *of, int ndim, dt_factor_map *map)
{
    put(map, 0, of->batch);
    put(map, 1, of->group);
    put(map, 1, of->channel);
    for (int i = 2; i < ndim; i++)
        put(map, i, of->inner[i]);
}

static void put_channels(const parts *of, dt_factor_map *map)
{
    put(map, 0, of->group);
    put(map, 0, of->channel);
}

static void put_rows(const parts *of, dt_factor_map *map)
{
    put(map, 0, of->batch);
    put(map, 1, of->group);
}

static parts add_parts(const dt_operation *operation, const form *of,
                       dt_factor_kind batch, dt_factor_kind channel,
                       dt_factor_kind inner, dt_factors *out)
{
    const dt_shape shape = operation->metas[of->input]->shape;
    const int64_t groups = group_count(operation, of);
    const int64_t channels = shape.dims[1] / groups;
    parts made = {.group = -1, .channel = -1};
    made.batch = dti_factor_add(out, batch, shape.dims[0]);
    if (groups > 1)
        made.group = dti_factor_add(out, DT_FACTOR_FREE, groups);
    if (channels != 1 || groups == 1)
        made.channel = dti_factor_add(out, channel, channels);
    for (int i = 2; i < shape.ndim; i++)
        made.inner[i] = dti_factor_add(out, inner, shape.dims[i]);
    return made;
}

/* Where the gradient of the input is not wanted, nobody talks: sums of parts of
 * channels are partial. */
static dt_status group_norm_backward_factors(const dt_operation *operation,
                                             dt_factors *out)
{
    const int ndim = operation->metas[backward.input]->shape.ndim;
    const bool talks = is_wanted(operation, 0);
    *out = (dt_factors){.in_count = 5, .out_count = 3};
    const parts made =
        add_parts(operation, &backward, DT_FACTOR_REDUCED,
                  talks ? DT_FACTOR_INSIDE : DT_FACTOR_FREE,
                  talks ? DT_FACTOR_INSIDE : DT_FACTOR_REDUCED, out);
    for (int i = 2; talks && i < ndim; i++)
        out->factors[made.inner[i]].calls =
            is_wanted(operation, 1) || is_wanted(operation, 2) ? 2 : 1;
    put_elements(&made, ndim, &out->in[GRAD_OUT]);
    put_elements(&made, ndim, &out->in[backward.input]);
    put_rows(&made, &out->in[backward.mean]);
    put_rows(&made, &out->in[backward.rstd]);
    put_channels(&made, &out->in[backward.weight]);
    if (talks)
        put_elements(&made, ndim, &out->out[0]);
    for (int i = 1; i < 3; i++)
        if (is_wanted(operation, i))
            put_channels(&made, &out->out[i]);
    for (int i = 0; i < 3; i++)
        if (!is_wanted(operation, i))
            out->whole |= 1u << i;
    return DT_OK;
}

/* ---- Kernels ------------------------------------------------------------- */

/* This rank's parts, of carriers where the kernel wants these. */
typedef struct work {
    dti_group_norm norm;
    dt_array *x;
    dt_array *g;
    dt_array *weight;
    dt_array *bias;
    dt_array *means;
    dt_array *rstds;
    dt_array *numbers; /* of rows */
    dt_array *sums;    /* of channels of batches */
    dt_array *factors; /* of channels */
    dt_array *room;
} work;

/* Dense elements of an input, of a dtype; NULL of an absent one. */
static dt_status bring(const dt_operation *operation, int input, dt_dtype dtype,
                       dt_array **out)
{
    dt_array *array = input < 0 ? NULL : operation->in[input];
    if (!array)
        return DT_OK;
    return dti_rows_bring(operation, array, dt_array_ndim(array), dtype, out);
}

static const void *data_of(const dt_array *array)
{
    return array ? dt_array_const_data(array) : NULL;
}

/* Extents of this rank's parts; `rows` is its part of a mean. */
static dti_group_norm measure_parts(const dt_operation *operation,
                                    const form *of, const dt_array *rows)
{
    const dt_array *in = operation->in[of->input];
    dti_group_norm norm = {.carrier = dti_rows_carrier(dt_array_dtype(in)),
                           .batch = dt_array_extent(in, 0),
                           .groups = dt_array_extent(rows, 1),
                           .inner = inner_count(in->shape),
                           .level = dti_cpu_level_used()};
    norm.channels =
        norm.groups ? dt_array_extent(in, 1) / norm.groups : norm.groups;
    return norm;
}

/* The ranks that have other parts of the same rows. */
static dt_status row_group(const dt_operation *operation, const form *of,
                           const dt_spec *rows, dt_group **out)
{
    const dt_spec *spec = operation->in_specs[of->input];
    return dti_comm_over(dt_spec_mesh(spec),
                         dti_comm_cuts(spec, ~1u) & ~dti_comm_cuts(rows, ~0u),
                         out);
}

/* ---- Forward ------------------------------------------------------------- */

/* Counts, means and squares of this rank's parts of rows. */
static dt_status measure_rows(const dt_operation *operation, work *w)
{
    dt_array *rows = NULL;
    const dti_group_norm *norm = &w->norm;
    const dti_norm how = {.centred = true};
    const int64_t count = norm->batch * norm->groups;
    const int64_t length = norm->channels * norm->inner;
    double *numbers = dt_array_data(w->numbers);
    DTI_TRY(
        dti_scratch_reshape(operation, w->x, DT_SHAPE(count, length), &rows));
    for (int64_t i = 0; i < count; i++)
        numbers[i] = (double)length;
    dti_norm_measure(&how, rows, 1, numbers + count, numbers + 2 * count);
    return DT_OK;
}

static void put_results(dt_operation *operation, work *w)
{
    const int64_t rows = w->norm.batch * w->norm.groups;
    dt_array *out = operation->out[0];
    w->norm.weight = data_of(w->weight);
    w->norm.bias = data_of(w->bias);
    w->norm.means = dt_array_const_data(w->numbers);
    w->norm.rstds = w->norm.means + rows;
    dti_group_norm_put(&w->norm, dt_array_dtype(out), dt_array_const_data(w->x),
                       dt_array_data(out));
    for (int i = 1; i < 3; i++)
        dti_cast(i == 1 ? w->norm.means : w->norm.rstds, DT_F64,
                 dt_array_data(operation->out[i]),
                 dt_array_dtype(operation->out[i]), rows);
}

static dt_status group_norm_kernel(dt_operation *operation)
{
    work w = {.x = NULL};
    dt_group *group = NULL;
    w.norm = measure_parts(operation, &forward, operation->out[1]);
    const int64_t rows = w.norm.batch * w.norm.groups;
    DTI_TRY(dti_comm_numbers(operation, 3 * rows, &w.numbers));
    const bool meta = dt_array_is_meta(w.numbers);
    if (!meta) {
        DTI_TRY(dti_scratch_contiguous(operation, operation->in[0], &w.x));
        DTI_TRY(bring(operation, 1, w.norm.carrier, &w.weight));
        DTI_TRY(bring(operation, 2, w.norm.carrier, &w.bias));
        DTI_TRY(measure_rows(operation, &w));
    }
    DTI_TRY(row_group(operation, &forward, operation->out_specs[1], &group));
    DTI_TRY(dti_norm_agree(operation, group,
                           dti_argument_real(operation, "eps"), w.numbers));
    if (!meta && rows > 0)
        put_results(operation, &w);
    return DT_OK;
}

/* ---- Backward ------------------------------------------------------------ */

static dt_status open_backward(const dt_operation *operation, work *w)
{
    dti_group_norm *norm = &w->norm;
    DTI_TRY(bring(operation, GRAD_OUT, norm->carrier, &w->g));
    DTI_TRY(bring(operation, backward.input, norm->carrier, &w->x));
    DTI_TRY(bring(operation, backward.weight, norm->carrier, &w->weight));
    DTI_TRY(bring(operation, backward.mean, DT_F64, &w->means));
    DTI_TRY(bring(operation, backward.rstd, DT_F64, &w->rstds));
    DTI_TRY(dti_comm_numbers(
        operation, 2 * norm->batch * norm->groups * norm->channels, &w->sums));
    norm->weight = data_of(w->weight);
    norm->means = dt_array_const_data(w->means);
    norm->rstds = dt_array_const_data(w->rstds);
    dti_group_norm_sums(norm, dt_array_const_data(w->g),
                        dt_array_const_data(w->x), dt_array_data(w->sums));
    return DT_OK;
}

static dt_status put_gradient(dt_operation *operation, work *w)
{
    dt_array *out = operation->out[0];
    const dt_meta *in = operation->metas[backward.input];
    const int64_t whole = in->shape.dims[1] /
                          group_count(operation, &backward) *
                          inner_count(in->shape);
    DTI_TRY(dti_rows_room(operation, out, dt_array_ndim(out), w->norm.carrier,
                          &w->room));
    if (dt_array_count(out) > 0)
        dti_group_norm_grad(
            &w->norm, dt_array_const_data(w->g), dt_array_const_data(w->x),
            dt_array_const_data(w->numbers), whole, dt_array_data(w->room));
    return dti_rows_settle(operation, w->room, dt_array_ndim(out), out);
}

static dt_status run_gradient(dt_operation *operation, work *w)
{
    dt_group *group = NULL;
    const int64_t rows = w->norm.batch * w->norm.groups;
    DTI_TRY(dti_comm_numbers(operation, 2 * rows, &w->numbers));
    const bool meta = dt_array_is_meta(w->numbers);
    if (!meta)
        dti_group_norm_rows(&w->norm, dt_array_const_data(w->sums),
                            dt_array_data(w->numbers));
    DTI_TRY(row_group(operation, &backward, operation->in_specs[backward.mean],
                      &group));
    if (rows > 0)
        DTI_TRY(dti_comm_combine(group, DT_SUM, w->numbers));
    return meta ? DT_OK : put_gradient(operation, w);
}

/* Where the kernel talks, gradients of weights are those of all ranks that have
 * parts of the channels. */
static dt_status run_factors(dt_operation *operation, work *w)
{
    dt_group *group = NULL;
    const int64_t count = w->norm.groups * w->norm.channels;
    DTI_TRY(dti_comm_numbers(operation, 2 * count, &w->factors));
    const bool meta = dt_array_is_meta(w->factors);
    if (!meta)
        dti_group_norm_factors(&w->norm, dt_array_const_data(w->sums),
                               dt_array_data(w->factors));
    if (is_wanted(operation, 0))
        DTI_TRY(
            dti_comm_group(operation->in_specs[backward.input], ~3u, &group));
    if (count > 0)
        DTI_TRY(dti_comm_combine(group, DT_SUM, w->factors));
    for (int i = 1; i < 3 && !meta; i++) {
        dt_array *out = operation->out[i];
        if (is_wanted(operation, i))
            dti_cast((const double *)dt_array_const_data(w->factors) +
                         (i - 1) * count,
                     DT_F64, dt_array_data(out), dt_array_dtype(out), count);
    }
    return DT_OK;
}

static dt_status group_norm_backward_kernel(dt_operation *operation)
{
    work w = {.x = NULL};
    w.norm = measure_parts(operation, &backward, operation->in[backward.mean]);
    if (!dt_array_is_meta(operation->in[backward.input]))
        DTI_TRY(open_backward(operation, &w));
    if (is_wanted(operation, 0))
        DTI_TRY(run_gradient(operation, &w));
    if (is_wanted(operation, 1) || is_wanted(operation, 2))
        DTI_TRY(run_factors(operation, &w));
    return DT_OK;
}

/* ---- Gradients of gradients ---------------------------------------------- */

/* A result of a shape and dtype; one that is not wanted has no elements. */
static dt_tensor *finish(const dt_operation *operation, int result,
                         dt_tensor *found, dt_shape shape, dt_dtype dtype)
{
    return dti_norm_result(operation->inputs[backward.input],
                           is_wanted(operation, result),
                           dt_reshape(found, shape), dtype);
}

/* The same by operators that have gradients, on (batch, group, channel of the
 * group, place). */
static dt_status group_norm_backward_recorded(dt_operation *operation)
{
    dt_tensor *x = operation->inputs[backward.input];
    dt_tensor *w = operation->inputs[backward.weight];
    const int64_t n = dti_argument_int(operation, "n"),
                  groups = dti_argument_int(operation, "group"),
                  channels = dti_argument_int(operation, "c"),
                  size = groups ? channels / groups : 0;
    const dt_shape rows =
        DT_SHAPE(n, groups, size, dti_argument_int(operation, "hxw"));
    const dt_shape each = DT_SHAPE(1, groups, size, 1);
    const dt_dims dims = DT_DIMS(2, 3), others = DT_DIMS(0, 3);
    const dt_dtype dtype = dt_tensor_dtype(x),
                   factors = w ? dt_tensor_dtype(w) : dtype;
    dt_tensor *g = dt_reshape(operation->inputs[0], rows);
    dt_tensor *input = dt_reshape(x, rows);
    dt_tensor *c = dt_sub(input, dt_mean(input, dims, true));
    dt_tensor *r = dti_follow_rstd(
        c,
        dt_reshape(operation->inputs[backward.rstd], DT_SHAPE(n, groups, 1, 1)),
        dims);
    dt_tensor *h = dt_mul(c, r);
    dt_tensor *part = w ? dt_mul(g, dt_reshape(w, each)) : g;
    dt_tensor *rest =
        dt_sub(dt_sub(part, dt_mul(h, dt_mean(dt_mul(part, h), dims, true))),
               dt_mean(part, dims, true));
    operation->outputs[0] =
        finish(operation, 0, dt_mul(rest, r), dt_tensor_shape(x), dtype);
    operation->outputs[1] =
        finish(operation, 1, dt_sum(dt_mul(g, h), others, false),
               DT_SHAPE(channels), factors);
    operation->outputs[2] = finish(operation, 2, dt_sum(g, others, false),
                                   DT_SHAPE(channels), factors);
    return DT_OK;
}

/* ---- Gradients ----------------------------------------------------------- */

static dt_status group_norm_gradient(dt_backward_call *call)
{
    const dt_argument *given = call->arguments;
    const int64_t mask[] = {call->wanted[0], call->wanted[1], call->wanted[2]};
    dt_tensor *found[3] = {NULL, NULL, NULL};
    DTI_TRY(dt_group_norm_backward(
        call->grads[0], call->inputs[0], call->results[1], call->results[2],
        call->inputs[1], given[3].as.integer, given[4].as.integer,
        given[5].as.integer, given[6].as.integer, mask, 3, &found[0], &found[1],
        &found[2]));
    for (int i = 0; i < 3; i++)
        call->gradients[i] = call->wanted[i] ? found[i] : NULL;
    return DT_OK;
}

/* ---- Rows ---------------------------------------------------------------- */

/* Gradients multiply sums of shards by the weight, and add these up: the same
 * if it is finite. */
const dt_op dti_ops_group_norm[] = {
    {
        .schema = "group_norm(Tensor input, Tensor? weight, Tensor? bias, "
                  "int n, int c, int hxw, int group, float eps) "
                  "-> (Tensor out, Tensor mean, Tensor rstd)",
        .aten = "native_group_norm",
        .about = "Normalise groups of channels to mean 0 and variance 1, then "
                 "multiply by the weight of each channel and add its bias.  n, "
                 "c and hxw are the batch size, the number of channels and the "
                 "product of the remaining extents.  "
                 "The statistics have the dtype of weight and bias, or that of "
                 "the input.",
        .rule = "b(gk)...,(gk),(gk)->b(gk)...,bg,bg; k across, ... "
                "across, mean constant, rstd constant",
        .linear = "weight + bias if weight",
        .monotone = "bias",
        .flags = DT_OP_COMMUNICATES,
        .meta = group_norm_meta,
        .kernel = group_norm_kernel,
        .gradient = "input, weight, bias: function(grad_out, input, weight, "
                    "mean, rstd)",
        .backward = group_norm_gradient,
        .samples = "(T[m,6,n], T[6], T[6], m, 6, n, 3, 0.00001); "
                   "(T[m,4,n,3], None, None, m, 4, n*3, 1, 0.00001); "
                   "(T[m,n*2], T[n*2], None, m, n*2, 1, 2, 0.01); "
                   "(T[m,n*2,3], T[n*2], T[n*2], m, n*2, 3, n, 0.01); "
                   "(T[3,4,n], None, T[4], 3, 4, n, 4, 0.00001)",
        .dtypes = "float",
    },
    {
        .schema = "group_norm_backward(Tensor grad_out, Tensor input, "
                  "Tensor mean, Tensor rstd, Tensor? weight, int n, int c, "
                  "int hxw, int group, int[] output_mask) "
                  "-> (Tensor grad_input, Tensor grad_weight, "
                  "Tensor grad_bias)",
        .aten = "native_group_norm_backward",
        .about =
            "Gradients of group_norm with respect to its inputs.  Results "
            "whose element of output_mask is 0 are empty and not computed.",
        .factors = group_norm_backward_factors,
        .linear = "grad_out",
        .flags = DT_OP_COMMUNICATES,
        .meta = group_norm_backward_meta,
        .kernel = group_norm_backward_kernel,
        .compose = group_norm_backward_recorded,
        .composes = dti_is_recorded,
        .samples =
            "(T[m,6,n], T[m,6,n], T[m,3], T[m,3], T[6]~, m, 6, n, 3, [1,1,1]); "
            "(T[m,4,n,3], T[m,4,n,3], T[m,1], T[m,1], None, m, 4, n*3, 1, "
            "[1,0,0]); "
            "(T[m,n*2], T[m,n*2], T[m,2], T[m,2], T[n*2]~, m, n*2, 1, 2, "
            "[1,0,1]); "
            "(T[m,n*2,3], T[m,n*2,3], T[m,n], T[m,n], T[n*2]~, m, n*2, 3, n, "
            "[1,1,0]); "
            "(T[m,4,n], T[m,4,n], T[m,2], T[m,2], None, m, 4, n, 2, [0,1,1])",
        .dtypes = "float",
    },
    {0},
};
