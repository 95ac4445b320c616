/* ops/reduce/scan.c - running sums, products and extremes along a dimension. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "array/array.h"
#include "base/dtype.h"
#include "base/error.h"
#include "kernel/scan/scan.h"
#include "op/call/scratch.h"
#include "op/fail.h"
#include "op/meta.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/comm.h"
#include "ops/helpers/dims.h"
#include "ops/helpers/reduce_backward.h"
#include "ops/helpers/tables.h"

/*
 * Where the dimension is cut, every rank first works out what its elements come
 * to, for each of the runs of neighbouring indexes that it has (one, unless the
 * shard is strided).  These states are gathered among the ranks that have the
 * other parts; a run is then scanned from what all runs before it come to.
 */

/* ---- Results ------------------------------------------------------------ */

static dt_status check_dim(const dt_operation *operation)
{
    int dim;
    return dti_argument_dim(operation, "dim", operation->metas[0]->shape.ndim,
                            &dim);
}

static dt_status sum_meta(dt_operation *operation)
{
    const dt_meta *in = operation->metas[0];
    const dt_dtype dtype = dti_argument_dtype(
        operation, "dtype", dti_is_whole(in->dtype) ? DT_I64 : in->dtype);
    DTI_TRY(check_dim(operation));
    if (dtype == DT_BOOL)
        return dti_fail_dtype(operation, dtype);
    return dti_meta_add(operation, dtype, in->shape);
}

static dt_status extreme_meta(dt_operation *operation)
{
    const dt_meta *in = operation->metas[0];
    DTI_TRY(check_dim(operation));
    if (in->dtype == DT_C64)
        return dti_fail_dtype(operation, in->dtype);
    DTI_TRY(dti_meta_add(operation, in->dtype, in->shape));
    return dti_meta_add(operation, DT_I64, in->shape);
}

static dt_status logcumsumexp_meta(dt_operation *operation)
{
    const dt_meta *in = operation->metas[0];
    DTI_TRY(check_dim(operation));
    if (!dti_is_float(in->dtype))
        return dti_fail_dtype(operation, in->dtype);
    return dti_meta_add(operation, in->dtype, in->shape);
}

/* ---- States -------------------------------------------------------------- */

typedef struct work {
    dt_operation *operation;
    dti_scan_kind kind;
    dt_dtype carrier;
    dt_array *in; /* of the dtype that is scanned */
    dt_array *out;
    dt_array *indexes; /* may be NULL */
    int dim;
    int64_t places; /* of the other dimensions */
    int words;      /* numbers of a state that are exchanged */
} work;

/* Neighbouring indexes of one rank. */
typedef struct run {
    dt_run at;
    int place; /* of the rank in its group */
    int64_t number;
} run;

static void begin_states(const work *w, dti_scan_state *states, int64_t count)
{
    const dti_scan_state none = dti_scan_begin(w->kind, w->carrier);
    for (int64_t i = 0; i < count; i++)
        states[i] = none;
}

static dt_status slice(const work *w, dt_array *array, const dt_run *at,
                       dt_array **out)
{
    *out = NULL;
    if (!array)
        return DT_OK;
    return dt_array_slice(w->operation->world, array, w->dim, at->local,
                          at->local + at->length, 1, out);
}

/* Scan a run of this rank from states on; without results if not wanted. */
static dt_status scan_run(const work *w, const dt_run *at,
                          dti_scan_state *states, bool results)
{
    dt_array *in = NULL, *out = NULL, *indexes = NULL;
    dt_status status = slice(w, w->in, at, &in);
    if (status == DT_OK && results)
        status = slice(w, w->out, at, &out);
    if (status == DT_OK && results)
        status = slice(w, w->indexes, at, &indexes);
    if (status == DT_OK) {
        const dti_scan scan = {.kind = w->kind,
                               .in = in,
                               .dim = w->dim,
                               .states = states,
                               .out = out,
                               .indexes = indexes,
                               .first = at->global};
        dti_scan_array(&scan);
    }
    dt_array_release(in);
    dt_array_release(out);
    dt_array_release(indexes);
    return status;
}

/* ---- Runs of all ranks --------------------------------------------------- */

static int64_t count_runs(const work *w, int rank)
{
    const dt_spec *spec = w->operation->in_specs[0];
    int64_t count = 0;
    dt_run at;
    for (int64_t i = 0; dt_spec_run(spec, rank, w->dim, i, &at); i += at.length)
        count++;
    return count;
}

static int compare_runs(const void *a, const void *b)
{
    const run *x = a, *y = b;
    return (x->at.global > y->at.global) - (x->at.global < y->at.global);
}

/* List the runs of a group in the order of their indexes. */
static int64_t list_runs(const work *w, dt_group *group, run *runs)
{
    const dt_spec *spec = w->operation->in_specs[0];
    int64_t count = 0;
    for (int place = 0; place < dt_group_size(group); place++) {
        run one = {.place = place};
        const int rank = dt_group_ranks(group)[place];
        for (int64_t i = 0; dt_spec_run(spec, rank, w->dim, i, &one.at);
             i += one.at.length, one.number++)
            runs[count++] = one;
    }
    qsort(runs, (size_t)count, sizeof *runs, compare_runs);
    return count;
}

/* What was said of runs, and what is known so far. */
typedef struct exchange {
    dt_group *group;
    int64_t most; /* runs of one rank */
    run *runs;    /* of all */
    int64_t run_count;
    dt_array *mine; /* words of states: of each run, of each place */
    dt_array *all;
    dt_array *states; /* before the run that comes next */
} exchange;

static void pack(const work *w, const dti_scan_state *states, int64_t *words)
{
    for (int64_t i = 0; i < w->places; i++) {
        words[i * w->words] = states[i].value.i64;
        if (w->words == 2)
            words[i * 2 + 1] = states[i].more.i64;
    }
}

static void merge(const work *w, dti_scan_state *states, const int64_t *words)
{
    for (int64_t i = 0; i < w->places; i++) {
        dti_scan_state later = {.value.i64 = words[i * w->words]};
        later.more.i64 = w->words == 2 ? words[i * 2 + 1] : 0;
        dti_scan_merge(w->kind, w->carrier, &states[i], &later);
    }
}

/* Work out what each run of this rank comes to. */
static dt_status find_mine(const work *w, const exchange *e)
{
    dti_scan_state *states = dt_array_data(e->states);
    int64_t *words = dt_array_data(e->mine);
    const int64_t block = w->places * w->words;
    memset(words, 0, dt_array_bytes(e->mine));
    for (int64_t i = 0; i < e->run_count; i++) {
        const run *one = &e->runs[i];
        if (one->place != dt_group_rank(e->group))
            continue;
        begin_states(w, states, w->places);
        DTI_TRY(scan_run(w, &one->at, states, false));
        pack(w, states, words + one->number * block);
    }
    return DT_OK;
}

/* Scan the runs of this rank, each from what is before it. */
static dt_status scan_mine(const work *w, const exchange *e)
{
    dti_scan_state *states = dt_array_data(e->states);
    dti_scan_state *own = states + w->places;
    const int64_t *words = dt_array_const_data(e->all);
    const int64_t block = w->places * w->words;
    begin_states(w, states, w->places);
    for (int64_t i = 0; i < e->run_count; i++) {
        const run *one = &e->runs[i];
        if (one->place == dt_group_rank(e->group)) {
            memcpy(own, states, (size_t)w->places * sizeof *own);
            DTI_TRY(scan_run(w, &one->at, own, true));
        }
        merge(w, states, words + (one->place * e->most + one->number) * block);
    }
    return DT_OK;
}

static dt_status open_exchange(const work *w, exchange *e)
{
    const dt_operation *operation = w->operation;
    int64_t runs = 0;
    e->most = 0;
    for (int i = 0; i < dt_group_size(e->group); i++) {
        const int64_t count = count_runs(w, dt_group_ranks(e->group)[i]);
        e->most = count > e->most ? count : e->most;
        runs += count;
    }
    const int64_t words = e->most * w->places * w->words;
    void *list = NULL;
    DTI_TRY(dti_scratch_create(operation, DT_I64, DT_SHAPE(words), &e->mine));
    DTI_TRY(dti_scratch_create(operation, DT_I64, DT_SHAPE(4 * w->places),
                               &e->states));
    DTI_TRY(
        dti_scratch_memory(operation, (size_t)runs * sizeof *e->runs, &list));
    e->runs = list;
    e->run_count = list_runs(w, e->group, e->runs);
    return DT_OK;
}

static dt_status scan_together(const work *w, dt_group *group)
{
    const bool meta = dt_array_is_meta(w->in);
    exchange e = {.group = group};
    DTI_TRY(open_exchange(w, &e));
    if (!meta)
        DTI_TRY(find_mine(w, &e));
    DTI_TRY(dti_comm_gather(w->operation, group, e.mine, &e.all));
    return meta ? DT_OK : scan_mine(w, &e);
}

/* ---- Kernels ------------------------------------------------------------- */

static dt_status scan_alone(const work *w)
{
    dt_array *states = NULL;
    if (dt_array_is_meta(w->in))
        return DT_OK;
    DTI_TRY(dti_scratch_create(w->operation, DT_I64, DT_SHAPE(2 * w->places),
                               &states));
    const dti_scan scan = {.kind = w->kind,
                           .in = w->in,
                           .dim = w->dim,
                           .states = dt_array_data(states),
                           .out = w->out,
                           .indexes = w->indexes};
    begin_states(w, scan.states, w->places);
    dti_scan_array(&scan);
    return DT_OK;
}

static dt_status run_scan(work *w)
{
    dt_operation *operation = w->operation;
    dt_group *group = NULL;
    w->kind = (dti_scan_kind)dti_kind(operation);
    const dt_shape shape = dt_array_shape(w->in);
    DTI_TRY(dti_argument_dim(operation, "dim", shape.ndim, &w->dim));
    const unsigned others = dti_dims_all(shape.ndim) & ~(1u << w->dim);
    w->places = dti_dims_count(shape, others);
    w->carrier = dti_scan_carrier(dt_array_dtype(w->in));
    w->words = w->kind <= DTI_SCAN_PRODUCT && w->carrier != DT_C64 ? 1 : 2;
    if (w->places == 0)
        return DT_OK; /* on all ranks that have the other parts */
    DTI_TRY(dti_comm_group(operation->in_specs[0], 1u << w->dim, &group));
    return group ? scan_together(w, group) : scan_alone(w);
}

/* Sums and products are worked out in the dtype of the result, halves and f32
 * in f64. */
static dt_status scan_in_dtype(dt_operation *operation)
{
    dt_array *in = operation->in[0], *out = operation->out[0];
    const dt_dtype from = dt_array_dtype(in), to = dt_array_dtype(out);
    work w = {.operation = operation, .in = in, .out = out};
    const bool direct = from == to || (dti_is_whole(from) && dti_is_whole(to));
    if (!direct)
        DTI_TRY(dti_scratch_cast(operation, in, to, &w.in));
    return run_scan(&w);
}

static dt_status scan_extremes(dt_operation *operation)
{
    work w = {.operation = operation,
              .in = operation->in[0],
              .out = operation->out[0],
              .indexes = operation->out[1]};
    return run_scan(&w);
}

/* ---- Rows --------------------------------------------------------------- */

const dt_op dti_ops_scan[] = {
    {
        .schema = "cumsum(Tensor self, Dim dim, *, Dtype? dtype=None) "
                  "-> Tensor",
        .about =
            "Cumulative sum along a dimension; integers and bool in i64.  A "
            "sharded dimension needs one collective with the local sums.",
        .arguments = "dtype: dtype of the result, NULL for that of self, or "
                     "i64 if self is integer or bool",
        .rule = "...->...; dim across",
        .linear = "self",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT | DT_OP_COMMUNICATES,
        .meta = sum_meta,
        .kernel = scan_in_dtype,
        .data = DTI_KIND(DTI_SCAN_SUM),
        .gradient = "self: function()",
        .backward = dti_cumsum_backward,
        .samples = "(T[m,n], 0); (T[m,n], -1); (T[m,3,n], 1); (T[], 0); "
                   "(T[m,n], 1, dtype=f32)",
    },
    {
        .schema = "cumprod(Tensor self, Dim dim, *, Dtype? dtype=None) "
                  "-> Tensor",
        .about =
            "Cumulative product along a dimension; integers and bool in i64.  "
            "A sharded dimension needs one collective with the local products.",
        .arguments = "dtype: dtype of the result, NULL for that of self, or "
                     "i64 if self is integer or bool",
        .rule = "...->...; dim across",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT | DT_OP_COMMUNICATES,
        .meta = sum_meta,
        .kernel = scan_in_dtype,
        .data = DTI_KIND(DTI_SCAN_PRODUCT),
        .gradient = "self: function(self, result)",
        .backward = dti_cumprod_backward,
        .samples = "(T[m,n], 0); (T[m,n], -1); (T[m,3,n], 1); (T[], 0); "
                   "(T[m,n], 1, dtype=f32)",
    },
    {
        .schema = "cummax(Tensor self, Dim dim) "
                  "-> (Tensor values, Tensor indices)",
        .about = "Cumulative maximum along a dimension, and its index: NaN "
                 "after the first NaN, the last of equal elements.  A sharded "
                 "dimension needs one collective with the local maxima.",
        .rule = "...->..., ...; dim across",
        .flags = DT_OP_COMMUNICATES,
        .meta = extreme_meta,
        .kernel = scan_extremes,
        .data = DTI_KIND(DTI_SCAN_MAX),
        .gradient = "self: scatter_add(zeros(self), dim, indices, grad_values)",
        .samples = "(T[m,n], 0); (T[m,n], -1); (T[m,3,n], 1); (T[], 0)",
        .dtypes = "float int bool",
    },
    {
        .schema = "cummin(Tensor self, Dim dim) "
                  "-> (Tensor values, Tensor indices)",
        .about = "Cumulative minimum along a dimension, and its index: NaN "
                 "after the first NaN, the last of equal elements.  A sharded "
                 "dimension needs one collective with the local minima.",
        .rule = "...->..., ...; dim across",
        .flags = DT_OP_COMMUNICATES,
        .meta = extreme_meta,
        .kernel = scan_extremes,
        .data = DTI_KIND(DTI_SCAN_MIN),
        .gradient = "self: scatter_add(zeros(self), dim, indices, grad_values)",
        .samples = "(T[m,n], 0); (T[m,n], -1); (T[m,3,n], 1); (T[], 0)",
        .dtypes = "float int bool",
    },
    {
        .schema = "logcumsumexp(Tensor self, Dim dim) -> Tensor",
        .about = "Cumulative log(sum(exp(x))) along a dimension.  A sharded "
                 "dimension needs one collective with two numbers per rank.",
        .rule = "...->...; dim across",
        .flags = DT_OP_OUT | DT_OP_COMMUNICATES,
        .meta = logcumsumexp_meta,
        .kernel = scan_in_dtype,
        .data = DTI_KIND(DTI_SCAN_LOGSUMEXP),
        .gradient = "self: function(self, result)",
        .backward = dti_logcumsumexp_backward,
        .samples = "(T[m,n], 0); (T[m,n], -1); (T[m,3,n], 1); (T[], 0)",
        .dtypes = "float",
    },
    {0},
};
