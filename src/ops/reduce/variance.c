/* ops/reduce/variance.c - variances and standard deviations over dimensions. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "array/array.h"
#include "array/cast.h"
#include "base/error.h"
#include "kernel/fold/moments.h"
#include "op/call/scratch.h"
#include "op/fail.h"
#include "op/meta.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/comm.h"
#include "ops/helpers/dims.h"
#include "ops/helpers/reduce_backward.h"
#include "ops/helpers/tables.h"

/*
 * Where a dimension is cut, every rank works out the moments of its part: the
 * sum of the elements, and of the squares of what they differ from their own
 * mean.  These two numbers are gathered among the ranks that have the other
 * parts, and merged with the counts of the parts, which specs know.
 */

/* What is computed: `data` of rows. */
enum { VARIANCE, DEVIATION };

/* ---- Results ------------------------------------------------------------ */

static dt_status variance_meta(dt_operation *operation)
{
    const dt_meta *in = operation->metas[0];
    const dt_dtype_kind kind = dt_dtype_kind_of(in->dtype);
    if (kind != DT_KIND_FLOAT && kind != DT_KIND_COMPLEX)
        return dti_fail_dtype(operation, in->dtype);
    return dti_dims_add_reduced(operation,
                                in->dtype == DT_C64 ? DT_F32 : in->dtype);
}

static dt_status variance_mean_meta(dt_operation *operation)
{
    DTI_TRY(variance_meta(operation));
    return dti_meta_add(operation, operation->metas[0]->dtype,
                        operation->results[0].shape);
}

/* ---- Moments ------------------------------------------------------------- */

typedef struct work {
    dt_operation *operation;
    unsigned dims;
    int64_t numbers; /* moments of one kind: two for a complex result */
} work;

/* The two halves of a list. */
static dti_moments moments_of(const work *w, dt_array *list, int number)
{
    double *first = dt_array_data(list);
    first += 2 * w->numbers * number;
    return (dti_moments){first, first + w->numbers};
}

/* Merge the moments of all ranks into those of the first. */
static void merge_all(const work *w, dt_group *group, dt_array *all)
{
    const dt_spec *spec = w->operation->in_specs[0];
    const int *ranks = dt_group_ranks(group);
    int64_t count = 0;
    for (int i = 0; i < dt_group_size(group); i++) {
        const int64_t more =
            dti_dims_count(dt_spec_local_shape(spec, ranks[i]), w->dims);
        if (i > 0)
            dti_moments_merge(moments_of(w, all, 0), count,
                              moments_of(w, all, i), more, w->numbers);
        count += more;
    }
}

/* Find the moments of all parts, as a list that begins with them. */
static dt_status find_moments(const work *w, dt_array **out)
{
    const dt_operation *operation = w->operation;
    const dt_array *in = operation->in[0];
    const bool meta = dt_array_is_meta(in);
    dt_group *group = NULL;
    DTI_TRY(dti_comm_group(operation->in_specs[0], w->dims, &group));
    DTI_TRY(dti_comm_numbers(operation, 2 * w->numbers, out));
    if (!meta)
        dti_moments_array(in, w->dims, w->numbers, moments_of(w, *out, 0));
    if (!group)
        return DT_OK;
    DTI_TRY(dti_comm_gather(operation, group, *out, out));
    if (!meta)
        merge_all(w, group, *out);
    return DT_OK;
}

/* ---- Kernels ------------------------------------------------------------- */

/* Turn squares into variances, and sums into means; complex numbers differ from
 * their mean by both parts. */
static void finish(const work *w, dti_moments m)
{
    const dt_operation *operation = w->operation;
    const double count =
        (double)dti_dims_count(operation->metas[0]->shape, w->dims);
    const double less = count - dti_argument_real(operation, "correction");
    const double divisor = less > 0 ? less : 0;
    const bool root = dti_kind(operation) == DEVIATION;
    const int64_t results = dt_array_count(operation->out[0]);
    const int64_t parts = w->numbers / results;
    for (int64_t i = 0; i < results; i++) {
        double squares = m.squares[i * parts];
        if (parts == 2)
            squares += m.squares[i * parts + 1];
        const double variance = count > 0 ? squares / divisor : (double)NAN;
        m.squares[i] = root ? sqrt(variance) : variance;
    }
    for (int64_t i = 0; i < w->numbers; i++)
        m.sums[i] /= count;
}

static void put(const work *w, dti_moments m)
{
    dt_operation *operation = w->operation;
    dt_array *out = operation->out[0];
    dti_cast(m.squares, DT_F64, dt_array_data(out), dt_array_dtype(out),
             dt_array_count(out));
    if (operation->result_count < 2)
        return;
    out = operation->out[1];
    const dt_dtype dtype = dt_array_dtype(out);
    dti_cast(m.sums, DT_F64, dt_array_data(out),
             dtype == DT_C64 ? DT_F32 : dtype, w->numbers);
}

static dt_status variance_kernel(dt_operation *operation)
{
    const int64_t results = dt_array_count(operation->out[0]);
    const bool complex = dt_array_dtype(operation->in[0]) == DT_C64;
    const work w = {operation, dti_dims_of(operation),
                    complex ? 2 * results : results};
    dt_array *list = NULL;
    if (results == 0)
        return DT_OK; /* on all ranks that have the other parts */
    DTI_TRY(find_moments(&w, &list));
    if (!dt_array_is_meta(list)) {
        const dti_moments m = moments_of(&w, list, 0);
        finish(&w, m);
        put(&w, m);
    }
    return DT_OK;
}

/* ---- Rows --------------------------------------------------------------- */

#define SAMPLES                                                                \
    "(T[m,n], [0], false); (T[m,n], [-1], true); "                             \
    "(T[m,3,n], [0,-1], false); (T[m,n], [], false, correction=0.0); "         \
    "(T[m,n], [0,1], true, correction=0.5); (T[], [], false)"

const dt_op dti_ops_variance[] = {
    {
        .schema = "var(Tensor self, Dims dims, bool keepdim, *, "
                  "float correction=1) -> Tensor",
        .aten = "var.correction var var.dim",
        .about = "Variance over dimensions: the sum of squared deviations from "
                 "the mean, divided by count - correction.  Sharded dimensions "
                 "need one collective with two numbers per rank.",
        .rule = "...->...; dims inside",
        .flags = DT_OP_OUT | DT_OP_COMMUNICATES,
        .meta = variance_meta,
        .kernel = variance_kernel,
        .data = DTI_KIND(VARIANCE),
        .gradient = "self: function(self)",
        .backward = dti_var_backward,
        .samples = SAMPLES,
        .dtypes = "float complex",
    },
    {
        .schema = "std(Tensor self, Dims dims, bool keepdim, *, "
                  "float correction=1) -> Tensor",
        .aten = "std.correction std std.dim",
        .about = "Standard deviation over dimensions, the square root of the "
                 "variance.",
        .rule = "...->...; dims inside",
        .flags = DT_OP_OUT | DT_OP_COMMUNICATES,
        .meta = variance_meta,
        .kernel = variance_kernel,
        .data = DTI_KIND(DEVIATION),
        .gradient = "self: function(self, result)",
        .backward = dti_std_backward,
        .samples = SAMPLES,
        .dtypes = "float complex",
    },
    {
        .schema = "var_mean(Tensor self, Dims dims, bool keepdim, *, "
                  "float correction=1) -> (Tensor var, Tensor mean)",
        .aten = "var_mean.correction var_mean var_mean.dim",
        .about = "Variance over dimensions, and the mean.",
        .rule = "...->..., ...; dims inside",
        .flags = DT_OP_COMMUNICATES,
        .meta = variance_mean_meta,
        .kernel = variance_kernel,
        .data = DTI_KIND(VARIANCE),
        .gradient = "self: function(self, mean)",
        .backward = dti_var_backward,
        .samples = SAMPLES,
        .dtypes = "float complex",
    },
    {
        .schema = "std_mean(Tensor self, Dims dims, bool keepdim, *, "
                  "float correction=1) -> (Tensor std, Tensor mean)",
        .aten = "std_mean.correction std_mean std_mean.dim",
        .about = "Standard deviation over dimensions, and the mean.",
        .rule = "...->..., ...; dims inside",
        .flags = DT_OP_COMMUNICATES,
        .meta = variance_mean_meta,
        .kernel = variance_kernel,
        .data = DTI_KIND(DEVIATION),
        .gradient = "self: function(self, std, mean)",
        .backward = dti_std_backward,
        .samples = SAMPLES,
        .dtypes = "float complex",
    },
    {0},
};
