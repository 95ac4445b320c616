/* ops/reduce/arg.c - where the largest and the least elements lie. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "array/array.h"
#include "base/error.h"
#include "kernel/fold/arg.h"
#include "op/call/scratch.h"
#include "op/fail.h"
#include "op/meta.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/comm.h"
#include "ops/helpers/dims.h"
#include "ops/helpers/tables.h"

/*
 * Where the dimension is cut, every rank finds the best of its part, with its
 * index in the whole; pairs of value and index are gathered among the ranks
 * that have the other parts, and each of them takes the best pair: of equal
 * values the one with the smallest index, as one rank alone would find.
 */

/* What is looked for: `data` of rows. */
enum { LARGEST, SMALLEST };

/* ---- Results ------------------------------------------------------------ */

static dt_status reduced_dim(const dt_operation *operation, dt_shape *out)
{
    const dt_shape shape = operation->metas[0]->shape;
    int dim;
    DTI_TRY(dti_argument_dim(operation, "dim", shape.ndim, &dim));
    if (shape.ndim && shape.dims[dim] == 0)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "dimension %d of self, of shape %s, is empty",
                                 dim, dti_shape_show(shape).text);
    *out = dti_dims_reduce(shape, 1u << dim,
                           dti_argument_bool(operation, "keepdim"));
    return DT_OK;
}

static dt_status max_dim_meta(dt_operation *operation)
{
    const dt_dtype dtype = operation->metas[0]->dtype;
    dt_shape shape;
    if (dtype == DT_C64)
        return dti_fail_dtype(operation, dtype);
    DTI_TRY(reduced_dim(operation, &shape));
    DTI_TRY(dti_meta_add(operation, dtype, shape));
    return dti_meta_add(operation, DT_I64, shape);
}

static dt_status argmax_meta(dt_operation *operation)
{
    const dt_dtype dtype = operation->metas[0]->dtype;
    dt_shape shape;
    if (dtype == DT_C64 || dtype == DT_BOOL)
        return dti_fail_dtype(operation, dtype);
    DTI_TRY(reduced_dim(operation, &shape));
    return dti_meta_add(operation, DT_I64, shape);
}

static dt_status argmax_all_meta(dt_operation *operation)
{
    const dt_meta *in = operation->metas[0];
    if (in->dtype == DT_C64 || in->dtype == DT_BOOL)
        return dti_fail_dtype(operation, in->dtype);
    if (dt_shape_count(in->shape) == 0)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "self, %s, is empty",
                                 dti_shape_show(in->shape).text);
    return dti_meta_add(operation, DT_I64, DT_SHAPE());
}

/* ---- Indexes of the whole ------------------------------------------------ */

/* The global index of a local one along a dimension. */
static int64_t global_index(const dt_spec *spec, int rank, int dim,
                            int64_t local)
{
    dt_run run = {.local = local, .global = local};
    dt_spec_run(spec, rank, dim, local, &run);
    return run.global + (local - run.local);
}

static void globalise(const dt_spec *spec, int rank, int dim, int64_t *indexes,
                      int64_t count)
{
    dt_run run;
    const int64_t extent = dt_spec_local_shape(spec, rank).dims[dim];
    const bool one =
        dt_spec_run(spec, rank, dim, 0, &run) && run.length >= extent;
    for (int64_t i = 0; i < count; i++)
        indexes[i] = one ? run.global + indexes[i]
                         : global_index(spec, rank, dim, indexes[i]);
}

/* The index in the whole tensor, counted in row-major order, of a local one. */
static int64_t globalise_flat(const dt_spec *spec, int rank, int64_t local)
{
    const dt_shape whole = dt_spec_shape(spec);
    const dt_shape part = dt_spec_local_shape(spec, rank);
    int64_t indexes[DT_MAX_NDIM], flat = 0;
    for (int d = part.ndim - 1; d >= 0; d--) {
        indexes[d] = local % part.dims[d];
        local /= part.dims[d];
    }
    for (int d = 0; d < part.ndim; d++)
        flat = flat * whole.dims[d] + global_index(spec, rank, d, indexes[d]);
    return flat;
}

/* ---- Pairs of all ranks -------------------------------------------------- */

/* What is looked for, and where it goes. */
typedef struct search {
    dt_operation *operation;
    bool largest;
    const dt_array *in; /* this rank's part; flat if all dimensions count */
    int dim;
    bool flat;
    dt_dtype dtype;
    int64_t count;    /* of results on this rank */
    dt_array *values; /* may be NULL */
    dt_array *indexes;
} search;

/* A value, in the first bytes of a word, and its index; -1: there is none. */
typedef struct pair {
    int64_t value;
    int64_t index;
} pair;

/* Find the best of this rank's part, which is not empty. */
static void find_here(const search *s, void *values, int64_t *indexes)
{
    const dt_spec *spec = s->operation->in_specs[0];
    const int rank = dt_world_rank(s->operation->world);
    dti_arg_array(s->largest, s->in, s->dim, values, indexes);
    if (s->flat)
        indexes[0] = globalise_flat(spec, rank, indexes[0]);
    else if (dt_spec_ndim(spec) > 0)
        globalise(spec, rank, s->dim, indexes, s->count);
}

static dt_status fill_pairs(const search *s, pair *pairs)
{
    const size_t item = dt_dtype_size(s->dtype);
    dt_array *values = NULL, *indexes = NULL;
    for (int64_t i = 0; i < s->count; i++)
        pairs[i] = (pair){0, -1};
    if (dt_array_count(s->in) == 0)
        return DT_OK;
    const dt_shape shape = DT_SHAPE(s->count);
    DTI_TRY(dti_scratch_create(s->operation, s->dtype, shape, &values));
    DTI_TRY(dti_scratch_create(s->operation, DT_I64, shape, &indexes));
    const char *from = dt_array_data(values);
    const int64_t *at = dt_array_data(indexes);
    find_here(s, dt_array_data(values), dt_array_data(indexes));
    for (int64_t i = 0; i < s->count; i++) {
        memcpy(&pairs[i].value, from + (size_t)i * item, item);
        pairs[i].index = at[i];
    }
    return DT_OK;
}

/* Whether a pair comes before another. */
static bool is_before(const search *s, const pair *a, const pair *b)
{
    if (a->index < 0 || b->index < 0)
        return a->index >= 0;
    if (dti_arg_beats(s->largest, s->dtype, &a->value, &b->value))
        return true;
    return a->index < b->index &&
           !dti_arg_beats(s->largest, s->dtype, &b->value, &a->value);
}

/* Put out the best of the pairs of all ranks. */
static void put_best(const search *s, const pair *pairs, int ranks)
{
    const size_t item = dt_dtype_size(s->dtype);
    char *values = s->values ? dt_array_data(s->values) : NULL;
    int64_t *indexes = dt_array_data(s->indexes);
    for (int64_t i = 0; i < s->count; i++) {
        const pair *best = &pairs[i];
        for (int r = 1; r < ranks; r++)
            if (is_before(s, &pairs[r * s->count + i], best))
                best = &pairs[r * s->count + i];
        indexes[i] = best->index;
        if (values)
            memcpy(values + (size_t)i * item, &best->value, item);
    }
}

/* Gather the pairs of a group and take the best. */
static dt_status find_together(const search *s, dt_group *group)
{
    const bool meta = dt_array_is_meta(s->in);
    dt_array *mine = NULL, *all = NULL;
    DTI_TRY(dti_scratch_create(s->operation, DT_I64, DT_SHAPE(2 * s->count),
                               &mine));
    if (!meta)
        DTI_TRY(fill_pairs(s, dt_array_data(mine)));
    DTI_TRY(dti_comm_gather(s->operation, group, mine, &all));
    if (!meta)
        put_best(s, dt_array_const_data(all), dt_group_size(group));
    return DT_OK;
}

/* ---- Kernels ------------------------------------------------------------ */

static dt_status run_search(search *s)
{
    dt_group *group = NULL;
    s->dtype = dt_array_dtype(s->in);
    s->count = dt_array_count(s->indexes);
    if (s->count == 0)
        return DT_OK; /* on all ranks of the group */
    DTI_TRY(dti_comm_group(s->operation->in_specs[0],
                           s->flat ? ~0u : 1u << s->dim, &group));
    if (group)
        return find_together(s, group);
    if (!dt_array_is_meta(s->in))
        find_here(s, s->values ? dt_array_data(s->values) : NULL,
                  dt_array_data(s->indexes));
    return DT_OK;
}

/* Values, if wanted, and indexes: of max_dim and argmax. */
static dt_status search_dim(dt_operation *operation)
{
    const bool both = operation->result_count == 2;
    search s = {.operation = operation,
                .largest = dti_kind(operation) == LARGEST,
                .in = operation->in[0],
                .values = both ? operation->out[0] : NULL,
                .indexes = operation->out[both]};
    DTI_TRY(dti_argument_dim(operation, "dim", dt_array_ndim(s.in), &s.dim));
    return run_search(&s);
}

static dt_status search_all(dt_operation *operation)
{
    dt_array *dense = NULL, *flat = NULL;
    DTI_TRY(dti_scratch_contiguous(operation, operation->in[0], &dense));
    DTI_TRY(dti_scratch_reshape(operation, dense,
                                DT_SHAPE(dt_array_count(dense)), &flat));
    search s = {.operation = operation,
                .largest = dti_kind(operation) == LARGEST,
                .in = flat,
                .flat = true,
                .indexes = operation->out[0]};
    return run_search(&s);
}

/* ---- Rows --------------------------------------------------------------- */

#define SAMPLES_OF_DIM                                                         \
    "(T[m,5], -1, false); (T[7,n], 0, true); (T[m,3,n], 1, false); "           \
    "(T[], 0, false)"

const dt_op dti_ops_arg[] = {
    {
        .schema = "max_dim(Tensor self, Dim dim, bool keepdim) "
                  "-> (Tensor values, Tensor indices)",
        .aten = "max.dim",
        .about = "Largest elements along a dimension and their indexes: NaN if "
                 "any element is NaN, the first of equal elements.",
        .rule = "...->..., ...; dim inside",
        .flags = DT_OP_COMMUNICATES,
        .meta = max_dim_meta,
        .kernel = search_dim,
        .data = DTI_KIND(LARGEST),
        .gradient = "self: value_selecting_reduction_backward(grad_values, "
                    "dim, indices, shape(self), keepdim)",
        .samples = SAMPLES_OF_DIM,
        .dtypes = "float int bool",
    },
    {
        .schema = "min_dim(Tensor self, Dim dim, bool keepdim) "
                  "-> (Tensor values, Tensor indices)",
        .aten = "min.dim",
        .about = "Smallest elements along a dimension and their indexes: NaN "
                 "if any element is NaN, the first of equal elements.",
        .rule = "...->..., ...; dim inside",
        .flags = DT_OP_COMMUNICATES,
        .meta = max_dim_meta,
        .kernel = search_dim,
        .data = DTI_KIND(SMALLEST),
        .gradient = "self: value_selecting_reduction_backward(grad_values, "
                    "dim, indices, shape(self), keepdim)",
        .samples = SAMPLES_OF_DIM,
        .dtypes = "float int bool",
    },
    {
        .schema = "argmax(Tensor self, Dim dim, bool keepdim) -> Tensor",
        .about = "Indexes of the largest elements along a dimension: the first "
                 "NaN, or the first of equal elements.",
        .rule = "...->...; dim inside",
        .flags = DT_OP_COMMUNICATES,
        .meta = argmax_meta,
        .kernel = search_dim,
        .data = DTI_KIND(LARGEST),
        .gradient = "none",
        .samples = SAMPLES_OF_DIM,
        .dtypes = "float int",
    },
    {
        .schema = "argmin(Tensor self, Dim dim, bool keepdim) -> Tensor",
        .about = "Indexes of the smallest elements along a dimension: the "
                 "first NaN, or the first of equal elements.",
        .rule = "...->...; dim inside",
        .flags = DT_OP_COMMUNICATES,
        .meta = argmax_meta,
        .kernel = search_dim,
        .data = DTI_KIND(SMALLEST),
        .gradient = "none",
        .samples = SAMPLES_OF_DIM,
        .dtypes = "float int",
    },
    {
        .schema = "argmax_all(Tensor self) -> Tensor",
        .aten = "",
        .about = "Index of the largest element of a tensor in row-major order: "
                 "argmax without a dimension.",
        .rule = "...->; ... inside",
        .flags = DT_OP_COMMUNICATES,
        .meta = argmax_all_meta,
        .kernel = search_all,
        .data = DTI_KIND(LARGEST),
        .gradient = "none",
        .samples = "(T[m]); (T[m,3]); (T[2,m,n]); (T[])",
        .dtypes = "float int",
    },
    {
        .schema = "argmin_all(Tensor self) -> Tensor",
        .aten = "",
        .about = "Index of the smallest element of a tensor in row-major "
                 "order: argmin without a dimension.",
        .rule = "...->; ... inside",
        .flags = DT_OP_COMMUNICATES,
        .meta = argmax_all_meta,
        .kernel = search_all,
        .data = DTI_KIND(SMALLEST),
        .gradient = "none",
        .samples = "(T[m]); (T[m,3]); (T[2,m,n]); (T[])",
        .dtypes = "float int",
    },
    {0},
};
