/* ops/reduce/histogram.c - how often elements, or ranges of them, occur. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <dtensor/ops.h>
#include <dtensor/redistribute.h>

#include "array/array.h"
#include "array/cast.h"
#include "base/dtype.h"
#include "base/error.h"
#include "base/scope.h"
#include "kernel/fold/histogram.h"
#include "kernel/index/put.h"
#include "layout/layout.h"
#include "layout/spec.h"
#include "op/call/scratch.h"
#include "op/fail.h"
#include "op/meta.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/comm.h"
#include "ops/helpers/gradient.h"
#include "ops/helpers/rows.h"
#include "ops/helpers/settle.h"
#include "ops/helpers/tables.h"
#include "ops/index/compact.h"
#include "tensor/tensor.h"

/* Ranks count what they have: counts are partial sums. */

/* ---- Reading ------------------------------------------------------------- */

/* The least and the greatest element of all ranks; nothing is changed if there
 * is none. */
static dt_status read_extremes(dt_tensor *self, dt_number *low, dt_number *high)
{
    dt_tensor *least = NULL, *most = NULL;
    if (dt_tensor_count(self) == 0)
        return DT_OK;
    DTI_TRY(dt_aminmax(self, DT_DIMS(), false, &least, &most));
    dt_status status = dt_tensor_item(least, low);
    if (status == DT_OK)
        status = dt_tensor_item(most, high);
    dt_tensor_release_early(least);
    dt_tensor_release_early(most);
    return status;
}

/* ---- histc --------------------------------------------------------------- */

/* A bound as elements are compared with it. */
static double bound_of(dt_number bound, dt_dtype dtype)
{
    const double given = dt_number_real(bound);
    return dti_rows_carrier(dtype) == DT_F32 ? (double)(float)given : given;
}

static double low_of(const dt_operation *operation, dt_dtype dtype)
{
    return bound_of(dti_argument_number(operation, "min"), dtype);
}

static double high_of(const dt_operation *operation, dt_dtype dtype)
{
    return bound_of(dti_argument_number(operation, "max"), dtype);
}

static dt_status histc_meta(dt_operation *operation)
{
    const dt_dtype dtype = operation->metas[0]->dtype;
    const int64_t bins = dti_argument_int(operation, "bins");
    if (!dti_is_float(dtype))
        return dti_fail_dtype(operation, dtype);
    if (bins < 1)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "bins is %" PRId64 "; must be at least 1",
                                 bins);
    return dti_meta_add(operation, dtype, DT_SHAPE(bins));
}

static dt_status check_bounds(const dt_operation *operation, double low,
                              double high)
{
    if (isfinite(low) && isfinite(high) && low < high)
        return DT_OK;
    return dt_operation_fail(
        operation, DT_ERR_INVALID,
        "min is %g and max is %g; expected finite numbers with min <= max", low,
        high);
}

static dt_status histc_check(const dt_operation *operation)
{
    const dt_dtype dtype = operation->metas[0]->dtype;
    return check_bounds(operation, low_of(operation, dtype),
                        high_of(operation, dtype));
}

static dt_status count_elements(dt_operation *operation, dt_array *x,
                                dt_array *counts)
{
    dt_array *out = operation->out[0];
    const dt_dtype dtype = dt_array_dtype(x);
    const int64_t bins = dt_array_count(counts);
    memset(dt_array_data(counts), 0, dt_array_bytes(counts));
    dti_histogram(dt_array_const_data(x), dtype, dt_array_count(x),
                  low_of(operation, dtype), high_of(operation, dtype), bins,
                  dt_array_data(counts));
    dti_cast(dt_array_const_data(counts), DT_I64, dt_array_data(out),
             dt_array_dtype(out), bins);
    return DT_OK;
}

static dt_status histc_kernel(dt_operation *operation)
{
    dt_array *in = operation->in[0], *x = NULL, *counts = NULL;
    DTI_TRY(dti_scratch_cast(operation, in,
                             dti_rows_carrier(dt_array_dtype(in)), &x));
    DTI_TRY(dti_scratch_create(operation, DT_I64,
                               dt_array_shape(operation->out[0]), &counts));
    return count_elements(operation, x, counts);
}

/* Equal bounds stand for those of the elements. */
static bool histc_composes(const dt_operation *operation)
{
    const dt_dtype dtype = dt_tensor_dtype(operation->inputs[0]);
    return dti_is_float(dtype) &&
           low_of(operation, dtype) == high_of(operation, dtype);
}

/* Bounds that are equal in spite of what is added would be looked for over and
 * over. */
static dt_status histc_of_extremes(dt_operation *operation)
{
    dt_tensor *self = operation->inputs[0];
    const dt_dtype dtype = dt_tensor_dtype(self);
    dt_number low = dti_argument_number(operation, "min"), high = low;
    DTI_TRY(dti_compact_check(operation, self));
    DTI_TRY(read_extremes(self, &low, &high));
    const bool one = bound_of(low, dtype) == bound_of(high, dtype);
    low = dt_real(dt_number_real(low) - one);
    high = dt_real(dt_number_real(high) + one);
    DTI_TRY(
        check_bounds(operation, bound_of(low, dtype), bound_of(high, dtype)));
    const dt_histc_options options = {.size = sizeof options,
                                      .bins =
                                          dti_argument_int(operation, "bins"),
                                      .min = low,
                                      .max = high};
    operation->outputs[0] = dt_histc_with(self, &options);
    return DT_OK;
}

/* ---- bincount ------------------------------------------------------------ */

enum { SELF, WEIGHTS };

/* Of any dtype that counts have. */
#define MOST_COUNTS (INT64_MAX / (int64_t)sizeof(int64_t))

static dt_status check_numbers(const dt_operation *operation)
{
    const dt_tensor *self = operation->inputs[SELF];
    const int64_t least = dti_argument_int(operation, "minlength");
    const dt_dtype dtype = dt_tensor_dtype(self);
    if (!dti_is_integer(dtype))
        return dti_fail_dtype(operation, dtype);
    if (dt_tensor_ndim(self) != 1)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "self has %d dimensions; expected 1",
                                 dt_tensor_ndim(self));
    if (least < 0)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "minlength is %" PRId64 "; must not be negative", least);
    if (least > MOST_COUNTS)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "minlength is %" PRId64
                                 "; the maximum is %" PRId64,
                                 least, MOST_COUNTS);
    return dti_compact_check(operation, self);
}

static dt_status check_weights(const dt_operation *operation)
{
    const dt_tensor *self = operation->inputs[SELF];
    const dt_tensor *weights = operation->inputs[WEIGHTS];
    if (!weights)
        return DT_OK;
    if (!dt_shape_equal(dt_tensor_shape(weights), dt_tensor_shape(self)))
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "weights has shape %s, but self has shape %s",
                                 dti_shape_show(dt_tensor_shape(weights)).text,
                                 dti_shape_show(dt_tensor_shape(self)).text);
    if (dt_dtype_kind_of(dt_tensor_dtype(weights)) == DT_KIND_COMPLEX)
        return dt_operation_fail(operation, DT_ERR_UNSUPPORTED, "weights is %s",
                                 dt_dtype_name(dt_tensor_dtype(weights)));
    DTI_TRY(dti_compact_beside(operation, self, weights, "weights"));
    return dti_compact_check(operation, weights);
}

/* What is counted, the layout in which ranks do so, and that of what they
 * counted. */
typedef struct counting {
    const dt_operation *operation;
    dt_tensor *self, *weights;
    const char *parts, *sums;
} counting;

/* Ranks count where numbers are cut; what is partial is brought together. */
static dt_status find_layouts(counting *by)
{
    const dt_spec *spec = by->self->spec;
    const bool moves = spec->partial && !spec->default_order;
    dt_layout cut = spec->layout, sums = {.ndim = cut.ndim};
    if (moves)
        cut = sums;
    for (int i = 0; i < cut.ndim; i++) {
        const bool whole = moves || !dti_is_shard(&spec->layout.placements[i]);
        if (whole)
            cut.placements[i] = dt_replicate();
        sums.placements[i] = whole ? dt_replicate() : dt_partial(DT_SUM);
    }
    by->parts = dt_layout_text(by->self->world, &cut);
    by->sums = dt_layout_text(by->self->world, &sums);
    return by->parts && by->sums ? DT_OK : dti_failure_of(by->self->world);
}

/* All that every rank knows before anything is sent. */
static dt_status prepare(const dt_operation *operation, counting *by)
{
    DTI_TRY(check_numbers(operation));
    DTI_TRY(check_weights(operation));
    DTI_TRY(find_layouts(by));
    DTI_TRY(dti_settle_mode(operation, by->self, by->parts));
    return by->weights ? dti_settle_mode(operation, by->weights, by->parts)
                       : DT_OK;
}

/* As many counts as the greatest number says, which ranks outside the mesh do
 * not know. */
static dt_status find_length(const dt_operation *operation, dt_tensor *self,
                             int64_t *out)
{
    dt_number low = dt_integer(0), high = dt_integer(-1);
    int64_t length = dti_argument_int(operation, "minlength");
    DTI_TRY(read_extremes(self, &low, &high));
    if (low.as.integer < 0)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "self has the element %" PRId64
                                 "; expected no negative ones",
                                 low.as.integer);
    if (high.as.integer >= MOST_COUNTS)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "self has the element %" PRId64
                                 "; the result can have at most %" PRId64
                                 " elements",
                                 high.as.integer, MOST_COUNTS);
    if (high.as.integer >= length)
        length = high.as.integer + 1;
    *out = self->spec->member || dt_tensor_count(self) == 0 ? length : 0;
    return DT_OK;
}

/* This rank's part of a tensor in the layout of the parts, dense and of a
 * dtype. */
static dt_status bring(const counting *by, dt_tensor *tensor, dt_dtype dtype,
                       dt_array **out)
{
    dt_tensor *moved = dt_redistribute(tensor, by->parts);
    if (!moved)
        return dti_failure_of(tensor->world);
    dt_status status =
        dti_scratch_cast(by->operation, moved->local, dtype, out);
    if (moved != tensor)
        dt_tensor_release_early(moved);
    return status;
}

static void add_up(const dt_array *by, const dt_array *weights, dt_array *out)
{
    const int64_t count = dt_array_count(by);
    if (dt_array_count(out) == 0)
        return;
    memset(dt_array_data(out), 0, dt_array_bytes(out));
    if (!weights) {
        dti_histogram_numbers(dt_array_const_data(by), count,
                              dt_array_data(out));
        return;
    }
    dti_put_elements(&(dti_putting){.dtype = dt_array_dtype(out),
                                    .ndim = 1,
                                    .dims = {count},
                                    .to = dt_array_data(out),
                                    .step = 1,
                                    .positions = dt_array_const_data(by),
                                    .position_strides = {1},
                                    .from = dt_array_const_data(weights),
                                    .from_strides = {1}},
                     DTI_PUT_ADD);
}

static dt_status make_counts(const counting *by, const dt_array *numbers,
                             const dt_array *weights, int64_t length,
                             dt_tensor **out)
{
    dt_array *made = NULL;
    DTI_TRY(dti_scratch_create(by->operation,
                               weights ? dt_array_dtype(weights) : DT_I64,
                               DT_SHAPE(length), &made));
    add_up(numbers, weights, made);
    *out = dt_from_local(by->self->spec->mesh, by->sums, made);
    return *out ? DT_OK : dti_failure_of(by->self->world);
}

/* Weights are added up in f32 or f64; without any, ones are counted. */
static dt_status count_values(const counting *by, int64_t length,
                              dt_tensor **out)
{
    dt_array *numbers = NULL, *weights = NULL;
    DTI_TRY(bring(by, by->self, DT_I64, &numbers));
    if (by->weights)
        DTI_TRY(bring(by, by->weights,
                      dt_tensor_dtype(by->weights) == DT_F32 ? DT_F32 : DT_F64,
                      &weights));
    return dti_collective_end_on(
        by->self->spec->mesh, make_counts(by, numbers, weights, length, out));
}

/* Nothing has counts of i64, whatever its weights are. */
static dt_status bincount(dt_operation *operation)
{
    counting by = {.operation = operation, .self = operation->inputs[SELF]};
    int64_t length = 0;
    if (dt_tensor_count(by.self) > 0)
        by.weights = operation->inputs[WEIGHTS];
    DTI_TRY(prepare(operation, &by));
    DTI_TRY(find_length(operation, by.self, &length));
    return count_values(&by, length, &operation->outputs[0]);
}

/* Each weight was added to the count of its number. */
static dt_status bincount_backward(dt_backward_call *call)
{
    dt_tensor *numbers = dt_cast(call->inputs[0], DT_I64);
    return dti_give_gradient(call, 1,
                             dt_index_select(call->grads[0], 0, numbers));
}

/* ---- Rows ---------------------------------------------------------------- */

const dt_op dti_ops_histogram[] = {
    {
        .schema = "histc(Tensor self, *, int bins=100, Number min=0, "
                  "Number max=0) -> Tensor",
        .about =
            "Histogram with bins of equal width between two bounds; if the "
            "bounds are equal, between the smallest and the largest element.",
        .arguments = "min: lower edge of the first bin; max: upper edge of the "
                     "last bin, or min to use the range of self",
        .rule = "...->n; ... sum, n whole",
        .meta = histc_meta,
        .check = histc_check,
        .kernel = histc_kernel,
        .compose = histc_of_extremes,
        .composes = histc_composes,
        .gradient = "none",
        .samples =
            "(T[m,n], bins=4, min=-2, max=3); (T[m], bins=2, min=-50, max=50); "
            "(T[], bins=3, min=-5, max=5.5)",
        .dtypes = "float",
    },
    {
        .schema = "bincount(Tensor self, Tensor? weights, *, int minlength=0) "
                  "-> Tensor",
        .about = "Count the occurrences of each integer from 0, or sum the "
                 "weights of its occurrences in f32 or f64.",
        .compose = bincount,
        .gradient = "self: none; weights: function(self)",
        .backward = bincount_backward,
        .samples = "(i64[m]<5, None); (i32[m]<3, f32[m], minlength=6); "
                   "(u8[m]<4, f64[m]); (i64[m]<2, i32[m])",
    },
    {0},
};
