/* ops/reduce/sort.c - elements in order: sorted, the first of them, the middle
 * one. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <string.h>

#include <dtensor/ops.h>

#include "array/array.h"
#include "base/error.h"
#include "kernel/order/order.h"
#include "kernel/order/topk.h"
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

/* What sorting gives, `data` of rows: values and indexes, or these alone. */
enum { VALUES, INDEXES };

/* ---- Sorting ------------------------------------------------------------- */

static dt_status sort_meta(dt_operation *operation)
{
    const dt_meta *in = operation->metas[0];
    int dim;
    DTI_TRY(dti_argument_dim(operation, "dim", in->shape.ndim, &dim));
    if (in->dtype == DT_C64)
        return dti_fail_dtype(operation, in->dtype);
    if (dti_kind(operation) == VALUES)
        DTI_TRY(dti_meta_add(operation, in->dtype, in->shape));
    return dti_meta_add(operation, DT_I64, in->shape);
}

static dt_status sort_kernel(dt_operation *operation)
{
    const bool both = dti_kind(operation) == VALUES;
    const dt_array *in = operation->in[0];
    dt_array *values = both ? operation->out[0] : NULL;
    dt_array *indexes = operation->out[both];
    const int dim = dti_argument_dim_of_first(operation, "dim");
    void *room = NULL;
    DTI_TRY(dti_scratch_memory(operation, dti_order_room(in, dim), &room));
    dti_sort_array(in, dim, dti_argument_bool(operation, "descending"),
                   dt_array_ndim(in) ? dt_array_extent(in, dim) : 1,
                   values ? dt_array_data(values) : NULL,
                   dt_array_data(indexes), room);
    return DT_OK;
}

/* ---- One element --------------------------------------------------------- */

/* Of numbers, or bool for mode, along a dimension that has some. */
static dt_status choice_meta(dt_operation *operation)
{
    const dt_meta *in = operation->metas[0];
    const dt_shape shape = in->shape;
    int dim;
    DTI_TRY(dti_argument_dim(operation, "dim", shape.ndim, &dim));
    if (in->dtype == DT_C64 ||
        (in->dtype == DT_BOOL && dti_kind(operation) != DTI_CHOOSE_MODE))
        return dti_fail_dtype(operation, in->dtype);
    if (shape.ndim && shape.dims[dim] == 0)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "dimension %d of self, of shape %s, is empty",
                                 dim, dti_shape_show(shape).text);
    const dt_shape out = dti_dims_reduce(
        shape, 1u << dim, dti_argument_bool(operation, "keepdim"));
    DTI_TRY(dti_meta_add(operation, in->dtype, out));
    return dti_meta_add(operation, DT_I64, out);
}

static dt_status kthvalue_meta(dt_operation *operation)
{
    const dt_shape shape = operation->metas[0]->shape;
    const int64_t k = dti_argument_int(operation, "k");
    DTI_TRY(choice_meta(operation));
    const int dim = dti_argument_dim_of_first(operation, "dim");
    const int64_t extent = shape.ndim ? shape.dims[dim] : 1;
    if (k < 1 || k > extent)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "k is %" PRId64 "; expected 1 to %" PRId64
                                 ", the extent of dimension %d",
                                 k, extent, dim);
    return DT_OK;
}

static dt_status choice_kernel(dt_operation *operation)
{
    const dt_array *in = operation->in[0];
    const dti_choice choice = (dti_choice)dti_kind(operation);
    const int dim = dti_argument_dim_of_first(operation, "dim");
    const int64_t k =
        choice == DTI_CHOOSE_KTH ? dti_argument_int(operation, "k") - 1 : 0;
    void *room = NULL;
    DTI_TRY(dti_scratch_memory(operation, dti_order_room(in, dim), &room));
    dti_choose_array(choice, in, dim, k, dt_array_data(operation->out[0]),
                     dt_array_data(operation->out[1]), room);
    return DT_OK;
}

/* The middle element of a whole tensor, which is gathered as it is: shards that
 * are flattened may have to be redistributed for it. */
static dt_status median_compose(dt_operation *operation)
{
    const bool skips_nan = dti_kind(operation) == DTI_CHOOSE_NANMEDIAN;
    dt_tensor *self = operation->inputs[0], *whole = NULL, *indexes = NULL;
    const dt_dtype dtype = dt_tensor_dtype(self);
    const dt_shape shape = dt_tensor_shape(self);
    if (dtype == DT_C64 || dtype == DT_BOOL)
        return dti_fail_dtype(operation, dtype);
    if (dt_shape_count(shape) == 0)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "self, %s, is empty",
                                 dti_shape_show(shape).text);
    DTI_TRY(dti_settle(operation, self, DTI_SETTLE_ALL, &whole));
    dt_tensor *flat = dt_reshape(whole, DT_SHAPE(-1));
    const dt_status status =
        !flat ? dti_failure_of(operation->world)
        : skips_nan
            ? dt_nanmedian_dim(flat, 0, false, &operation->outputs[0], &indexes)
            : dt_median_dim(flat, 0, false, &operation->outputs[0], &indexes);
    dt_tensor_release_early(indexes);
    if (flat != whole)
        dt_tensor_release_early(flat);
    dti_settle_end(whole, self);
    return status;
}

/* ---- The first k --------------------------------------------------------- */

/*
 * Where the dimension is cut, every rank finds the first k of its part, with
 * their indexes in the whole; these are gathered among the ranks that have the
 * other parts, and each of them takes the first k of all.
 */

static dt_status topk_meta(dt_operation *operation)
{
    const dt_meta *in = operation->metas[0];
    const int64_t k = dti_argument_int(operation, "k");
    dt_shape shape = in->shape;
    int dim;
    DTI_TRY(dti_argument_dim(operation, "dim", shape.ndim, &dim));
    if (in->dtype == DT_C64 || in->dtype == DT_BOOL)
        return dti_fail_dtype(operation, in->dtype);
    const int64_t extent = shape.ndim ? shape.dims[dim] : 1;
    if (k < 0 || k > extent)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "k is %" PRId64
                                 ", but dimension %d has extent %" PRId64,
                                 k, dim, extent);
    if (shape.ndim == 0 && k == 0)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "k is 0; expected 1 for a 0-d tensor");
    if (shape.ndim)
        shape.dims[dim] = k;
    DTI_TRY(dti_meta_add(operation, in->dtype, shape));
    return dti_meta_add(operation, DT_I64, shape);
}

/* A few of many are found where they lie. */
static dt_status topk_factors(const dt_operation *operation, dt_factors *out)
{
    const dt_shape shape = operation->metas[0]->shape;
    const int64_t k = dti_argument_int(operation, "k");
    const int dim = dti_argument_dim_of_first(operation, "dim");
    if (shape.ndim == 0 || k == 0 || 2 * k > shape.dims[dim])
        return DT_OK;
    const dt_factor_dim *cut = &out->in[0].dims[dim];
    if (cut->count == 1)
        out->factors[cut->factors[0]].kind = DT_FACTOR_INSIDE;
    for (int i = 0; i < out->out_count; i++)
        out->out[i].dims[dim].count = 0;
    return DT_OK;
}

typedef struct search {
    dt_operation *operation;
    const dt_array *in;
    int dim;
    int64_t k;
    bool largest;
    int64_t lines;
    int64_t most;   /* candidates of a line on one rank */
    int64_t stride; /* of results along the dimension */
} search;

/* Candidates of one rank: values of a line after another, and then indexes. */
static int64_t value_words(const search *s)
{
    const int64_t item = (int64_t)dt_dtype_size(dt_array_dtype(s->in));
    return (s->lines * s->most * item + 7) / 8;
}

static int64_t words_of(const search *s)
{
    return value_words(s) + s->lines * s->most;
}

/* Turn indexes of this rank's part into those of the whole. */
static void globalise(const search *s, int64_t *indexes, int64_t count)
{
    const dt_spec *spec = s->operation->in_specs[0];
    const int rank = dt_world_rank(s->operation->world);
    dt_run run = {.length = 0};
    for (int64_t i = 0; i < count; i++) {
        if (indexes[i] < run.local || indexes[i] >= run.local + run.length)
            dt_spec_run(spec, rank, s->dim, indexes[i], &run);
        indexes[i] += run.global - run.local;
    }
}

/* Lay found elements out as candidates: of results of this rank, which has
 * `found` of each line. */
static void put_candidates(const search *s, int64_t found, const char *values,
                           const int64_t *indexes, int64_t *words)
{
    const int64_t item = (int64_t)dt_dtype_size(dt_array_dtype(s->in));
    int64_t *to = words + value_words(s);
    char *to_values = (char *)words;
    for (int64_t i = 0; i < s->lines * s->most; i++)
        to[i] = -1;
    for (int64_t line = 0; line < s->lines; line++)
        for (int64_t i = 0; i < found; i++) {
            const int64_t from = line / s->stride * s->stride * found +
                                 line % s->stride + i * s->stride;
            to[line * s->most + i] = indexes[from];
            memcpy(to_values + (line * s->most + i) * item,
                   values + from * item, (size_t)item);
        }
}

/* Find candidates in this rank's part. */
static dt_status find_candidates(const search *s, int64_t *words)
{
    const int64_t extent = dt_array_extent(s->in, s->dim);
    const int64_t found = extent < s->k ? extent : s->k;
    const dt_shape shape = DT_SHAPE(s->lines * found);
    dt_array *values = NULL, *indexes = NULL;
    void *room = NULL;
    memset(words, 0, (size_t)words_of(s) * sizeof *words);
    DTI_TRY(dti_scratch_create(s->operation, dt_array_dtype(s->in), shape,
                               &values));
    DTI_TRY(dti_scratch_create(s->operation, DT_I64, shape, &indexes));
    DTI_TRY(dti_scratch_memory(s->operation,
                               dti_topk_room(s->in, s->dim, found), &room));
    dti_topk_array(s->in, s->dim, found, s->largest, dt_array_data(values),
                   dt_array_data(indexes), room);
    globalise(s, dt_array_data(indexes), s->lines * found);
    put_candidates(s, found, dt_array_data(values), dt_array_data(indexes),
                   words);
    return DT_OK;
}

/* Bring together the candidates of a line from all ranks. */
static void collect(const search *s, const int64_t *words, int ranks,
                    int64_t line, char *values, int64_t *indexes)
{
    const int64_t item = (int64_t)dt_dtype_size(dt_array_dtype(s->in));
    for (int r = 0; r < ranks; r++) {
        const int64_t *block = words + r * words_of(s);
        memcpy(values + r * s->most * item,
               (const char *)block + line * s->most * item,
               (size_t)(s->most * item));
        memcpy(indexes + r * s->most, block + value_words(s) + line * s->most,
               (size_t)s->most * sizeof *indexes);
    }
}

/* Take the first k of all candidates. */
static dt_status choose_first(const search *s, const int64_t *words, int ranks)
{
    const dt_operation *operation = s->operation;
    const int64_t count = ranks * s->most;
    const int64_t item = (int64_t)dt_dtype_size(dt_array_dtype(s->in));
    void *room = NULL;
    char *to = dt_array_data(operation->out[0]);
    int64_t *to_indexes = dt_array_data(operation->out[1]);
    DTI_TRY(dti_scratch_memory(
        operation, (size_t)count * 16 + dti_topk_choose_room(s->k), &room));
    int64_t *indexes = room;
    char *values = (char *)(indexes + count);
    const dti_candidates all = {.dtype = dt_array_dtype(s->in),
                                .largest = s->largest,
                                .values = values,
                                .indexes = indexes,
                                .count = count};
    for (int64_t line = 0; line < s->lines; line++) {
        const int64_t at =
            line / s->stride * s->stride * s->k + line % s->stride;
        collect(s, words, ranks, line, values, indexes);
        dti_topk_choose(&all, s->k, to + at * item, to_indexes + at, s->stride,
                        indexes + 2 * count);
    }
    return DT_OK;
}

static dt_status find_together(search *s, dt_group *group)
{
    const dt_spec *spec = s->operation->in_specs[0];
    const bool meta = dt_array_is_meta(s->in);
    dt_array *mine = NULL, *all = NULL;
    s->most = 0;
    for (int i = 0; i < dt_group_size(group); i++) {
        const int64_t extent =
            dt_spec_local_shape(spec, dt_group_ranks(group)[i]).dims[s->dim];
        s->most = extent > s->most ? extent : s->most;
    }
    s->most = s->most < s->k ? s->most : s->k;
    DTI_TRY(
        dti_scratch_create(s->operation, DT_I64, DT_SHAPE(words_of(s)), &mine));
    if (!meta)
        DTI_TRY(find_candidates(s, dt_array_data(mine)));
    DTI_TRY(dti_comm_gather(s->operation, group, mine, &all));
    if (meta)
        return DT_OK;
    return choose_first(s, dt_array_const_data(all), dt_group_size(group));
}

static dt_status find_here(const search *s)
{
    const dt_operation *operation = s->operation;
    void *room = NULL;
    if (dt_array_is_meta(s->in))
        return DT_OK;
    DTI_TRY(dti_scratch_memory(operation, dti_topk_room(s->in, s->dim, s->k),
                               &room));
    dti_topk_array(s->in, s->dim, s->k, s->largest,
                   dt_array_data(operation->out[0]),
                   dt_array_data(operation->out[1]), room);
    return DT_OK;
}

static dt_status topk_kernel(dt_operation *operation)
{
    search s = {.operation = operation,
                .in = operation->in[0],
                .dim = dti_argument_dim_of_first(operation, "dim"),
                .k = dti_argument_int(operation, "k"),
                .largest = dti_argument_bool(operation, "largest"),
                .lines = 1,
                .stride = 1};
    const dt_shape shape = dt_array_shape(s.in);
    dt_group *group = NULL;
    for (int d = 0; d < shape.ndim; d++) {
        s.lines *= d == s.dim ? 1 : shape.dims[d];
        s.stride *= d > s.dim ? shape.dims[d] : 1;
    }
    if (s.lines == 0 || s.k == 0)
        return DT_OK; /* on all ranks that have the other parts */
    DTI_TRY(dti_comm_group(operation->in_specs[0], 1u << s.dim, &group));
    return group ? find_together(&s, group) : find_here(&s);
}

/* ---- Rows --------------------------------------------------------------- */

#define SAMPLES_OF_SORT                                                        \
    "(T[m,7], -1, false); (T[5,n], 0, true); "                                 \
    "(T[m,4,n], 1, false, stable=true); (T[], 0, true)"
#define SAMPLES_OF_DIM                                                         \
    "(T[m,7], -1, false); (T[6,n], 0, true); (T[m,4,n], 1, false); "           \
    "(T[], 0, true)"

const dt_op dti_ops_sort[] = {
    {
        .schema = "sort(Tensor self, Dim dim, bool descending, *, "
                  "bool stable=false) -> (Tensor values, Tensor indices)",
        .aten = "sort sort.stable",
        .about = "Sort along a dimension, and return the index of each element "
                 "before sorting.  NaN is larger than every number; equal "
                 "elements keep their order, whether `stable` or not.",
        .rule = "...->..., ...; dim whole",
        .meta = sort_meta,
        .kernel = sort_kernel,
        .data = DTI_KIND(VALUES),
        .gradient = "self: scatter(zeros(self), dim, indices, grad_values)",
        .samples = SAMPLES_OF_SORT,
        .dtypes = "float int bool",
    },
    {
        .schema = "argsort(Tensor self, Dim dim, bool descending, *, "
                  "bool stable=false) -> Tensor",
        .aten = "argsort argsort.stable",
        .about = "Indexes that sort the elements along a dimension.  NaN is "
                 "larger than every number; equal elements keep their order, "
                 "whether `stable` or not.",
        .rule = "...->...; dim whole",
        .meta = sort_meta,
        .kernel = sort_kernel,
        .data = DTI_KIND(INDEXES),
        .gradient = "none",
        .samples = SAMPLES_OF_SORT,
        .dtypes = "float int bool",
    },
    {
        .schema = "topk(Tensor self, int k, Dim dim, bool largest, "
                  "bool sorted) -> (Tensor values, Tensor indices)",
        .about = "The k largest or smallest elements along a dimension, always "
                 "sorted.  NaN is larger than every number; of equal elements "
                 "the one with the smaller index comes first.  A sharded "
                 "dimension needs one collective with the local candidates, "
                 "unless k is more than half of a shard.",
        .rule = "...->..., ...; dim whole",
        .factors = topk_factors,
        .flags = DT_OP_COMMUNICATES,
        .meta = topk_meta,
        .kernel = topk_kernel,
        .gradient = "self: scatter(zeros(self), dim, indices, grad_values)",
        .samples = "(T[m,7], 3, -1, true, true); (T[5,n], 2, 0, false, true); "
                   "(T[m,4,n], 4, 1, true, false); (T[], 1, 0, true, true); "
                   "(T[m,n], 0, 1, true, true); (T[2,9,n], 2, 1, true, true)",
        .dtypes = "float int",
    },
    {
        .schema = "kthvalue(Tensor self, int k, Dim dim, bool keepdim) "
                  "-> (Tensor values, Tensor indices)",
        .about = "The k-th smallest element along a dimension, from 1, and its "
                 "index.  NaN is larger than every number; equal elements are "
                 "in the order of their indexes.",
        .arguments = "k: which element in ascending order, from 1",
        .rule = "...->..., ...; dim gone",
        .meta = kthvalue_meta,
        .kernel = choice_kernel,
        .data = DTI_KIND(DTI_CHOOSE_KTH),
        .gradient = "self: value_selecting_reduction_backward(grad_values, "
                    "dim, indices, shape(self), keepdim)",
        .samples = "(T[m,7], 3, -1, false); (T[5,n], 5, 0, true); "
                   "(T[m,4,n], 1, 1, false); (T[], 1, 0, true)",
        .dtypes = "float int",
    },
    {
        .schema = "median_dim(Tensor self, Dim dim, bool keepdim) "
                  "-> (Tensor values, Tensor indices)",
        .aten = "median.dim",
        .about = "Median along a dimension, the lower of two, and its index; "
                 "the first NaN if any element is NaN.",
        .rule = "...->..., ...; dim gone",
        .meta = choice_meta,
        .kernel = choice_kernel,
        .data = DTI_KIND(DTI_CHOOSE_MEDIAN),
        .gradient = "self: value_selecting_reduction_backward(grad_values, "
                    "dim, indices, shape(self), keepdim)",
        .samples = SAMPLES_OF_DIM,
        .dtypes = "float int",
    },
    {
        .schema = "nanmedian_dim(Tensor self, Dim dim, bool keepdim) "
                  "-> (Tensor values, Tensor indices)",
        .aten = "nanmedian.dim",
        .about = "Median along a dimension of elements that are not NaN, the "
                 "lower of two, and its index; NaN if all are NaN.",
        .rule = "...->..., ...; dim gone",
        .meta = choice_meta,
        .kernel = choice_kernel,
        .data = DTI_KIND(DTI_CHOOSE_NANMEDIAN),
        .gradient = "self: value_selecting_reduction_backward(grad_values, "
                    "dim, indices, shape(self), keepdim)",
        .samples = SAMPLES_OF_DIM,
        .dtypes = "float int",
    },
    {
        .schema = "median(Tensor self) -> Tensor",
        .about = "Median of all elements, the lower of two; NaN if any element "
                 "is NaN.",
        .compose = median_compose,
        .data = DTI_KIND(DTI_CHOOSE_MEDIAN),
        .gradient = "self: function(self, result)",
        .backward = dti_median_backward,
        .samples = "(T[m]); (T[m,4]); (T[])",
        .dtypes = "float int",
    },
    {
        .schema = "nanmedian(Tensor self) -> Tensor",
        .about = "Median of all elements that are not NaN, the lower of two; "
                 "NaN if all are NaN.",
        .compose = median_compose,
        .data = DTI_KIND(DTI_CHOOSE_NANMEDIAN),
        .gradient = "self: function(self, result)",
        .backward = dti_median_backward,
        .samples = "(T[m]); (T[m,4]); (T[])",
        .dtypes = "float int",
    },
    {
        .schema = "mode(Tensor self, Dim dim, bool keepdim) "
                  "-> (Tensor values, Tensor indices)",
        .about = "Most frequent element along a dimension, the smallest of "
                 "several, and its first index.  NaN is not equal to NaN.",
        .rule = "...->..., ...; dim gone",
        .meta = choice_meta,
        .kernel = choice_kernel,
        .data = DTI_KIND(DTI_CHOOSE_MODE),
        .gradient = "self: value_selecting_reduction_backward(grad_values, "
                    "dim, indices, shape(self), keepdim)",
        .samples = SAMPLES_OF_DIM,
        .dtypes = "float int bool",
    },
    {0},
};
