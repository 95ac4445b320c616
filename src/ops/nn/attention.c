/* ops/nn/attention.c - scaled dot-product attention. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/nn/attention.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include <dtensor/ops.h>

#include "base/error.h"
#include "op/meta.h"
#include "op/schema.h"
#include "ops/helpers/factors.h"
#include "ops/helpers/recorded.h"
#include "ops/helpers/tables.h"
#include "work/work.h"

static const dti_attention_numbering in_forward = {0, 1, 2, 3};

enum { OUTPUT, LOGSUMEXP, DROPOUT_KEY };

/* ---- Checks ------------------------------------------------------------- */

static dt_status fail_shapes(const dt_operation *operation, int a,
                             const char *a_name, int b, const char *b_name,
                             const char *why)
{
    return dt_operation_fail(
        operation, DT_ERR_INVALID, "%s has shape %s, %s has shape %s; %s",
        a_name, dti_shape_show(dti_attention_shape(operation, a)).text, b_name,
        dti_shape_show(dti_attention_shape(operation, b)).text, why);
}

/* Heads of queries for each head of keys; 0 if they do not fit. */
static int64_t group_of(dt_shape query, dt_shape key)
{
    const int heads = query.ndim - 3;
    if (heads < 0 || query.dims[heads] == key.dims[heads])
        return 1;
    if (key.dims[heads] == 0 || query.dims[heads] % key.dims[heads] != 0)
        return 0;
    return query.dims[heads] / key.dims[heads];
}

static dt_status check_batch(const dt_operation *operation,
                             const dti_attention_numbering *at, int tensor,
                             const char *name)
{
    const dt_shape query = dti_attention_shape(operation, at->query),
                   other = dti_attention_shape(operation, tensor);
    const bool grouped =
        dti_attention_option(operation, at, DTI_ENABLE_GQA)->as.integer;
    if (other.ndim != query.ndim)
        return fail_shapes(operation, at->query, "query", tensor, name,
                           "they must have the same number of dimensions");
    for (int d = 0; d < query.ndim - 2; d++)
        if (query.dims[d] != other.dims[d] && !(grouped && d == query.ndim - 3))
            return fail_shapes(operation, at->query, "query", tensor, name,
                               "all but the last two dimensions must be equal "
                               "(set enable_gqa for groups of heads)");
    if (group_of(query, other) == 0)
        return fail_shapes(
            operation, at->query, "query", tensor, name,
            "the number of query heads must be a multiple of the other");
    return DT_OK;
}

static dt_status check_shapes(const dt_operation *operation,
                              const dti_attention_numbering *at)
{
    const dt_shape query = dti_attention_shape(operation, at->query),
                   key = dti_attention_shape(operation, at->key),
                   value = dti_attention_shape(operation, at->value);
    const int last = query.ndim - 1;
    if (query.ndim < 2)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "query has shape %s; expected at least 2 dimensions",
            dti_shape_show(query).text);
    DTI_TRY(check_batch(operation, at, at->key, "key"));
    DTI_TRY(check_batch(operation, at, at->value, "value"));
    if (query.dims[last] != key.dims[last])
        return fail_shapes(operation, at->query, "query", at->key, "key",
                           "their last dimensions must be equal");
    if (key.dims[last - 1] != value.dims[last - 1] ||
        (last >= 2 && key.dims[last - 2] != value.dims[last - 2]))
        return fail_shapes(
            operation, at->key, "key", at->value, "value",
            "the number of values must equal the number of keys");
    return DT_OK;
}

/* One dtype of floats. */
static dt_status check_dtypes(const dt_operation *operation,
                              const dti_attention_numbering *at)
{
    const dt_dtype dtype = operation->metas[at->query]->dtype;
    if (dt_dtype_kind_of(dtype) != DT_KIND_FLOAT)
        return dt_operation_fail(operation, DT_ERR_UNSUPPORTED,
                                 "query is %s; expected a floating-point dtype",
                                 dt_dtype_name(dtype));
    for (int i = at->key; i <= at->value; i++)
        if (operation->metas[i]->dtype != dtype)
            return dt_operation_fail(
                operation, DT_ERR_INVALID,
                "query is %s but %s is %s; the dtypes must be equal",
                dt_dtype_name(dtype), i == at->key ? "key" : "value",
                dt_dtype_name(operation->metas[i]->dtype));
    return DT_OK;
}

/* What scores are as a whole: (batch..., heads, length, keys). */
static dt_shape scores_shape(const dt_operation *operation,
                             const dti_attention_numbering *at)
{
    dt_shape shape = dti_attention_shape(operation, at->query);
    const dt_shape key = dti_attention_shape(operation, at->key);
    shape.dims[shape.ndim - 1] = key.dims[key.ndim - 2];
    return shape;
}

static dt_status check_mask(const dt_operation *operation,
                            const dti_attention_numbering *at)
{
    const dt_meta *mask = operation->metas[at->mask];
    const dt_shape scores = scores_shape(operation, at);
    if (!mask)
        return DT_OK;
    if (dti_attention_option(operation, at, DTI_IS_CAUSAL)->as.integer)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "attn_mask and is_causal cannot be combined");
    if (mask->dtype != DT_BOOL && mask->dtype != DT_F32 &&
        mask->dtype != operation->metas[at->query]->dtype)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "attn_mask is %s; expected bool, f32 or the dtype of query, %s",
            dt_dtype_name(mask->dtype),
            dt_dtype_name(operation->metas[at->query]->dtype));
    bool fits = mask->shape.ndim <= scores.ndim;
    for (int d = 1; fits && d <= mask->shape.ndim; d++) {
        const int64_t extent = mask->shape.dims[mask->shape.ndim - d];
        fits = extent == 1 || extent == scores.dims[scores.ndim - d];
    }
    if (fits)
        return DT_OK;
    return dt_operation_fail(
        operation, DT_ERR_INVALID,
        "attn_mask of shape %s cannot be broadcast to the scores, %s",
        dti_shape_show(mask->shape).text, dti_shape_show(scores).text);
}

dt_status dti_attention_check(const dt_operation *operation,
                              const dti_attention_numbering *at)
{
    DTI_TRY(check_shapes(operation, at));
    DTI_TRY(check_dtypes(operation, at));
    return check_mask(operation, at);
}

dt_status dti_attention_check_values(const dt_operation *operation,
                                     const dti_attention_numbering *at)
{
    const double p =
        dti_attention_option(operation, at, DTI_DROPOUT_P)->as.real;
    const double scale =
        dti_attention_option(operation, at, DTI_SCALE)->as.real;
    if (!(p >= 0 && p <= 1))
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "dropout_p is %g; expected a probability from 0 to 1", p);
    if (isnan(scale) || scale == -HUGE_VAL)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "scale is %g; expected a finite number",
                                 scale);
    return DT_OK;
}

static dt_status check_forward(const dt_operation *operation)
{
    return dti_attention_check_values(operation, &in_forward);
}

/* ---- Results ------------------------------------------------------------ */

static dt_status attention_meta(dt_operation *operation)
{
    const dti_attention_numbering *at = &in_forward;
    DTI_TRY(dti_attention_check(operation, at));
    const dt_shape value = dti_attention_shape(operation, at->value);
    dt_shape out = dti_attention_shape(operation, at->query);
    out.dims[out.ndim - 1] = value.dims[value.ndim - 1];
    return dti_meta_add(operation, operation->metas[at->query]->dtype, out);
}

static dt_status forward_meta(dt_operation *operation)
{
    DTI_TRY(attention_meta(operation));
    dt_shape rows = operation->results[OUTPUT].shape;
    rows.ndim--;
    DTI_TRY(dti_meta_add(
        operation, dti_attention_sums(operation->results[OUTPUT].dtype), rows));
    return dti_meta_add(operation, DT_I64, DT_SHAPE(2));
}

/* ---- Rules -------------------------------------------------------------- */

dti_query_factors dti_attention_add_factors(const dt_operation *operation,
                                            const dti_attention_numbering *at,
                                            dt_factors *out)
{
    const dt_shape query = dti_attention_shape(operation, at->query);
    const int64_t group =
        group_of(query, dti_attention_shape(operation, at->key));
    assert(group > 0);
    dti_query_factors factors = {.heads = -1};
    for (int d = 0; d < query.ndim - 1; d++) {
        const bool grouped = d == query.ndim - 3 && group != 1;
        const int64_t size = grouped ? query.dims[d] / group : query.dims[d];
        const int factor = dti_factor_add(out, DT_FACTOR_FREE, size);
        dti_factor_put(&factors.dims[d], factor);
        if (d == query.ndim - 3)
            factors.heads = factor;
        if (grouped)
            dti_factor_put(&factors.dims[d],
                           dti_factor_add(out, DT_FACTOR_FREE, group));
    }
    return factors;
}

void dti_attention_put_query(const dti_query_factors *factors, int ndim,
                             dt_factor_map *map)
{
    for (int d = 0; d < ndim; d++)
        map->dims[d] = factors->dims[d];
}

void dti_attention_put_key(const dti_query_factors *factors, int ndim,
                           dt_factor_map *map)
{
    dti_attention_put_query(factors, ndim - 2, map);
    if (factors->heads >= 0)
        map->dims[ndim - 3] =
            (dt_factor_dim){.count = 1, .factors = {factors->heads}};
}

/* Dimensions that are not broadcast. */
static void put_mask(const dti_query_factors *factors, dt_shape mask,
                     dt_shape scores, dt_factor_map *map)
{
    const int before = scores.ndim - mask.ndim;
    for (int d = 0; d < mask.ndim - 1; d++)
        if (mask.dims[d] == scores.dims[before + d])
            map->dims[d] = factors->dims[before + d];
}

void dti_attention_put_inputs(const dt_operation *operation,
                              const dti_attention_numbering *at,
                              const dti_query_factors *factors, dt_factors *out)
{
    const int ndim = dti_attention_shape(operation, at->query).ndim;
    out->in_count = operation->input_count;
    dti_attention_put_query(factors, ndim - 1, &out->in[at->query]);
    dti_attention_put_key(factors, ndim, &out->in[at->key]);
    dti_attention_put_key(factors, ndim, &out->in[at->value]);
    if (operation->metas[at->mask])
        put_mask(factors, dti_attention_shape(operation, at->mask),
                 scores_shape(operation, at), &out->in[at->mask]);
}

/* Batch, heads and queries may be cut; of grouped heads the keys' and what
 * belongs to each of them. */
static dt_status forward_factors(const dt_operation *operation, dt_factors *out)
{
    const dti_attention_numbering *at = &in_forward;
    const int ndim = dti_attention_shape(operation, at->query).ndim;
    memset(out, 0, sizeof *out);
    const dti_query_factors factors =
        dti_attention_add_factors(operation, at, out);
    dti_attention_put_inputs(operation, at, &factors, out);
    out->out_count = operation->result_count;
    out->near_only = true;
    out->whole = 1u << DROPOUT_KEY;
    dti_attention_put_query(&factors, ndim - 1, &out->out[OUTPUT]);
    if (operation->result_count > 1)
        dti_attention_put_query(&factors, ndim - 1, &out->out[LOGSUMEXP]);
    return DT_OK;
}

/* ---- Heads -------------------------------------------------------------- */

static void keep_weights(const void *arg, int64_t first, int64_t count,
                         int64_t stride, int64_t rows, unsigned char *out)
{
    dti_draw_rows(arg, first, count, stride, rows, out);
}

static double scale_of(const dt_operation *operation,
                       const dti_attention_numbering *at)
{
    const dt_shape query = dti_attention_shape(operation, at->query);
    const double scale =
        dti_attention_option(operation, at, DTI_SCALE)->as.real;
    const int64_t width = query.dims[query.ndim - 1];
    if (scale != HUGE_VAL)
        return scale;
    return width > 0 ? 1 / sqrt((double)width) : 1;
}

/* Queries for which blocks are chosen, whatever this rank has of them. */
static int64_t queries_together(const dt_operation *operation,
                                const dti_attention_numbering *at)
{
    const dt_shape query = dti_attention_shape(operation, at->query);
    const int64_t length = query.dims[query.ndim - 2];
    return length == 1
               ? group_of(query, dti_attention_shape(operation, at->key))
               : length;
}

static dti_attention describe(const dt_operation *operation,
                              const dti_attention_numbering *at,
                              const dti_attention_call *c)
{
    const int last = c->query->shape.ndim - 1;
    dti_attention a = {
        .dtype = c->query->dtype,
        .of_queries = queries_together(operation, at),
        .keys = c->key->shape.dims[last - 1],
        .width = c->query->shape.dims[last],
        .value_width = c->value->shape.dims[last],
        .scale = scale_of(operation, at),
        .causal =
            dti_attention_option(operation, at, DTI_IS_CAUSAL)->as.integer != 0,
        .query = {NULL, c->query->strides[last - 1], c->query->strides[last]},
        .key = {NULL, c->key->strides[last - 1], c->key->strides[last]},
        .value = {NULL, c->value->strides[last - 1], c->value->strides[last]},
        .kept = 1 - dti_attention_option(operation, at, DTI_DROPOUT_P)->as.real,
        .step = c->key->shape.dims[last - 1],
    };
    return a;
}

/* The stride of a mask along a dimension of scores. */
static int64_t mask_stride(const dt_array *mask, int ndim, int dim)
{
    const int own = dim - (ndim - mask->shape.ndim);
    return own < 0 || mask->shape.dims[own] == 1 ? 0 : mask->strides[own];
}

dt_status dti_attention_begin(const dt_operation *operation,
                              const dti_attention_numbering *at,
                              dti_random_key key, dti_attention_call *out)
{
    const dt_spec *spec = operation->in_specs[at->query];
    *out = (dti_attention_call){.query = operation->in[at->query],
                                .key = operation->in[at->key],
                                .value = operation->in[at->value],
                                .mask = operation->in[at->mask],
                                .whole =
                                    dti_attention_shape(operation, at->query)};
    const int ndim = out->whole.ndim;
    dti_part_set(&out->part, spec, spec->mesh->place);
    out->group = group_of(out->query->shape, out->key->shape);
    out->attention = describe(operation, at, out);
    if (out->mask) {
        out->attention.mask.data = dt_array_const_data(out->mask);
        out->attention.mask.row = mask_stride(out->mask, ndim, ndim - 2);
        out->attention.mask.column = mask_stride(out->mask, ndim, ndim - 1);
        out->attention.mask_dtype = out->mask->dtype;
    }
    if (out->attention.kept == 1)
        return DT_OK;
    out->draw = (dti_draw){.key = key,
                           .kind = DTI_BERNOULLI,
                           .dtype = DT_BOOL,
                           .p = out->attention.kept};
    out->attention.keep = keep_weights;
    return dti_draw_check(operation->world, &out->draw);
}

static int64_t count_heads(const dti_attention_call *c)
{
    int64_t count = 1;
    for (int d = 0; d < c->query->shape.ndim - 2; d++)
        count *= c->query->shape.dims[d];
    return count;
}

int64_t dti_attention_bytes(const dti_attention_call *c)
{
    const double terms_per_byte = 4, most = 1e15;
    const dti_attention *a = &c->attention;
    const double rows = (double)count_heads(c) *
                        (double)c->query->shape.dims[c->query->shape.ndim - 2];
    const double terms =
        rows * (double)a->keys * (double)(a->width + a->value_width);
    return (int64_t)((terms < most ? terms : most) / terms_per_byte);
}

void dti_attention_index(const dti_attention_call *c, int64_t head,
                         int64_t *index)
{
    for (int d = c->query->shape.ndim - 3; d >= 0; d--) {
        index[d] = head % c->query->shape.dims[d];
        head /= c->query->shape.dims[d];
    }
}

int64_t dti_attention_take_head(const dti_attention_call *c, int64_t head,
                                dti_attention *out)
{
    const int ndim = c->query->shape.ndim;
    int64_t query = 0, key = 0, value = 0, mask = 0, global = 0, keys = 0;
    int64_t index[DT_MAX_NDIM], run;
    dti_attention_index(c, head, index);
    for (int d = 0; d < ndim - 2; d++) {
        const int64_t shared = d == ndim - 3 ? index[d] / c->group : index[d];
        query += index[d] * c->query->strides[d];
        key += shared * c->key->strides[d];
        value += shared * c->value->strides[d];
        if (c->mask)
            mask += index[d] * mask_stride(c->mask, ndim, d);
        keys = keys * c->key->shape.dims[d] + shared;
        global = global * c->whole.dims[d] +
                 dti_indexes_at(&c->part.dims[d], index[d], &run);
    }
    *out = c->attention;
    out->query.data = dti_attention_element(c->query, query);
    out->key.data = dti_attention_element(c->key, key);
    out->value.data = dti_attention_element(c->value, value);
    out->mask.data = c->mask ? dti_attention_element(c->mask, mask) : NULL;
    out->keep_arg = &c->draw;
    out->first = global * c->whole.dims[ndim - 2] * out->step;
    return keys;
}

/* Go on to the queries of a head from one of this rank's on, up to where those
 * that follow are no neighbours in the whole. */
static void take_queries(const dti_attention_call *c, int64_t from,
                         dti_attention *a)
{
    const int ndim = c->query->shape.ndim;
    const int64_t item = (int64_t)dt_dtype_size(a->dtype);
    a->position = dti_indexes_at(&c->part.dims[ndim - 2], from, &a->queries);
    a->first += a->position * a->step;
    a->query.data = (const char *)a->query.data + from * a->query.row * item;
    if (c->mask)
        a->mask.data =
            (const char *)a->mask.data +
            from * a->mask.row * (int64_t)dt_dtype_size(a->mask_dtype);
}

/*
 * Where there is one query, the heads that a head of keys serves can be rows of
 * one call, so that keys are read once; if they are neighbours in the whole.
 */
static bool joins_heads(const dti_attention_call *c)
{
    const int ndim = c->query->shape.ndim;
    return c->group > 1 && c->whole.dims[ndim - 2] == 1 &&
           dti_indexes_are_range(&c->part.dims[ndim - 3]);
}

static void join_heads(const dti_attention_call *c, dti_attention *a)
{
    const int ndim = c->query->shape.ndim;
    a->queries = c->group;
    a->query.row = c->query->strides[ndim - 3];
    if (c->mask)
        a->mask.row = mask_stride(c->mask, ndim, ndim - 3);
    if (a->causal && a->keys > 1)
        a->keys = 1;
    a->causal = false;
}

/* ---- Forward ------------------------------------------------------------ */

/* A forward pass, of which threads take some queries of a head at a time. */
typedef struct forward {
    const dti_attention_call *call;
    int64_t heads_together; /* in one call */
    int64_t chunks;         /* pieces of a head */
    char *out, *logsumexp, *scratch;
    size_t scratch_bytes; /* of a thread */
} forward;

/* Queries of a piece: whole blocks of the kernel. */
enum { CHUNK = 256 };

static void forward_queries(const forward *w, int64_t head, int64_t from,
                            int64_t to_query, void *scratch)
{
    const dti_attention_call *c = w->call;
    const int64_t length = c->query->shape.dims[c->query->shape.ndim - 2];
    dti_attention a = c->attention;
    const int64_t row = a.value_width * (int64_t)dt_dtype_size(a.dtype);
    const int64_t item = (int64_t)dt_dtype_size(dti_attention_sums(a.dtype));
    char *out = w->out, *logsumexp = w->logsumexp;
    for (int64_t at = from; at < to_query; at += a.queries) {
        dti_attention_take_head(c, head, &a);
        take_queries(c, at, &a);
        if (a.queries > to_query - at)
            a.queries = to_query - at;
        if (joins_heads(c))
            join_heads(c, &a);
        const int64_t first = head * length + at;
        const dti_attention_results to = {
            .out = out + first * row,
            .out_row = a.value_width,
            .logsumexp = logsumexp ? logsumexp + first * item : NULL};
        dti_attention_forward(&a, &to, scratch);
    }
}

static void forward_piece(void *context, int64_t piece, int slot)
{
    const forward *w = context;
    const dt_array *query = w->call->query;
    const int64_t length = query->shape.dims[query->shape.ndim - 2];
    const int64_t from = piece % w->chunks * CHUNK;
    forward_queries(w, piece / w->chunks * w->heads_together, from,
                    from + CHUNK < length ? from + CHUNK : length,
                    w->scratch + (size_t)slot * w->scratch_bytes);
}

static dt_status run_forward(dt_operation *operation, dt_array *logsumexp)
{
    const dti_random_key key = {operation->random_seed,
                                operation->random_offset};
    dt_array *scratch = NULL;
    dti_attention_call c;
    DTI_TRY(dti_attention_begin(operation, &in_forward, key, &c));
    if (c.query->shape.dims[c.query->shape.ndim - 2] == 0 ||
        count_heads(&c) == 0)
        return DT_OK;
    dti_attention sized = c.attention;
    if (joins_heads(&c))
        join_heads(&c, &sized);
    const int64_t length = c.query->shape.dims[c.query->shape.ndim - 2];
    forward w = {.call = &c,
                 .heads_together = joins_heads(&c) ? c.group : 1,
                 .chunks = (length - 1) / CHUNK + 1,
                 .out = dt_array_data(operation->out[OUTPUT]),
                 .logsumexp = logsumexp ? dt_array_data(logsumexp) : NULL,
                 .scratch_bytes = dti_attention_scratch(&sized)};
    DTI_TRY(dti_attention_make_scratch(
        operation->world, w.scratch_bytes * (size_t)dti_work_slots(),
        &scratch));
    w.scratch = dt_array_data(scratch);
    dti_work_run(count_heads(&c) / w.heads_together * w.chunks,
                 dti_attention_bytes(&c), forward_piece, &w);
    dt_array_release(scratch);
    return DT_OK;
}

static dt_status attention_kernel(dt_operation *operation)
{
    return run_forward(operation, NULL);
}

static dt_status forward_kernel(dt_operation *operation)
{
    int64_t *key = dt_array_data(operation->out[DROPOUT_KEY]);
    key[0] = (int64_t)operation->random_seed;
    key[1] = (int64_t)operation->random_offset;
    return run_forward(operation, operation->out[LOGSUMEXP]);
}

/* ---- Broadcast batches -------------------------------------------------- */

/*
 * The dimensions before the last two are broadcast, with enable_gqa those
 * before the heads: query (4, 5, 8) and key (2, 4, 7, 8) have the batch (2, 4).
 * Tensors that lack some of it are expanded, which copies nothing, and the call
 * is made with these.
 */
typedef struct batch {
    dt_shape shape;
    int own; /* dimensions behind it that each tensor has for itself */
} batch;

static bool join_batch(batch *to, dt_shape shape)
{
    const int ndim = shape.ndim - to->own, more = ndim - to->shape.ndim;
    if (ndim < 0)
        return false;
    if (more > 0) {
        dt_shape wider = shape;
        wider.ndim = ndim;
        for (int d = 0; d < to->shape.ndim; d++)
            wider.dims[more + d] = to->shape.dims[d];
        to->shape = wider;
    }
    for (int d = 0; d < ndim; d++) {
        int64_t *extent = &to->shape.dims[to->shape.ndim - ndim + d];
        if (*extent != shape.dims[d] && *extent != 1 && shape.dims[d] != 1)
            return false;
        *extent = *extent == 1 ? shape.dims[d] : *extent;
    }
    return true;
}

/* The batch of queries, keys and values; false if they have none in common. */
static bool find_batch(const dt_operation *operation, batch *out)
{
    const bool grouped =
        dti_attention_option(operation, &in_forward, DTI_ENABLE_GQA)
            ->as.integer;
    *out = (batch){.own = grouped ? 3 : 2};
    for (int i = in_forward.query; i <= in_forward.value; i++)
        if (!join_batch(out, dt_tensor_shape(operation->inputs[i])))
            return false;
    return true;
}

/* The shape of a tensor that has all of the batch. */
static dt_shape with_batch(const batch *of, dt_shape shape)
{
    dt_shape out = of->shape;
    for (int d = shape.ndim - of->own; d < shape.ndim; d++)
        out.dims[out.ndim++] = shape.dims[d];
    return out;
}

static bool is_broadcast(const dt_operation *operation)
{
    batch found;
    if (!find_batch(operation, &found) ||
        found.shape.ndim + found.own > DT_MAX_NDIM)
        return false;
    for (int i = in_forward.query; i <= in_forward.value; i++) {
        const dt_shape shape = dt_tensor_shape(operation->inputs[i]);
        if (!dt_shape_equal(with_batch(&found, shape), shape))
            return true;
    }
    return false;
}

static dt_status attend_broadcast(dt_operation *operation)
{
    const dti_schema *schema = operation->schema;
    dt_argument arguments[DTI_MAX_ARGUMENTS];
    batch found;
    find_batch(operation, &found);
    memcpy(arguments, operation->arguments,
           (size_t)schema->count * sizeof *arguments);
    for (int i = in_forward.query; i <= in_forward.value; i++) {
        dt_tensor *one = operation->inputs[i];
        arguments[i].as.tensor =
            dt_expand(one, with_batch(&found, dt_tensor_shape(one)));
    }
    dt_status status =
        dt_op_call(operation->world, schema->name, DT_VARIANT_NEW, arguments,
                   schema->count, operation->outputs, 1, NULL);
    for (int i = in_forward.query; i <= in_forward.value; i++)
        dt_tensor_release_early(arguments[i].as.tensor);
    return status;
}

/* Gradients need more results than the output. */
static dt_status attend_recorded(dt_operation *operation)
{
    dt_tensor *results[3] = {NULL, NULL, NULL};
    DTI_TRY(dt_op_call(operation->world, "scaled_dot_product_attention_forward",
                       DT_VARIANT_NEW, operation->arguments,
                       operation->schema->count, results, 3, NULL));
    operation->outputs[0] = results[0];
    dt_tensor_release_early(results[1]);
    dt_tensor_release_early(results[2]);
    return DT_OK;
}

static bool composes(const dt_operation *operation)
{
    return is_broadcast(operation) || dti_is_recorded(operation);
}

static dt_status attend(dt_operation *operation)
{
    return is_broadcast(operation) ? attend_broadcast(operation)
                                   : attend_recorded(operation);
}

/* ---- Work --------------------------------------------------------------- */

double dti_attention_work(const dt_operation *operation,
                          const dti_attention_numbering *at, int by_width,
                          int by_value_width)
{
    const dt_shape query = operation->in[at->query]->shape,
                   value = operation->in[at->value]->shape;
    const int last = query.ndim - 1;
    double work = 2;
    for (int d = 0; d < last; d++)
        work *= (double)query.dims[d];
    work *= (double)value.dims[last - 1] *
            (by_width * (double)query.dims[last] +
             by_value_width * (double)value.dims[last]);
    return dti_attention_option(operation, at, DTI_IS_CAUSAL)->as.integer
               ? work / 2
               : work;
}

static double forward_work(const dt_operation *operation)
{
    return dti_attention_work(operation, &in_forward, 1, 1);
}

/* ---- Rows --------------------------------------------------------------- */

#define SAMPLES                                                                \
    "(T[b,h,m,4], T[b,h,n,4], T[b,h,n,3]); "                                   \
    "(T[b,h,m,4], T[b,h,n,4], T[b,h,n,4], is_causal=true, scale=0.25); "       \
    "(T[b,h,m,2], T[b,h,n,2], T[b,h,n,2], attn_mask=bool[m,n]); "              \
    "(T[b,h,m,2], T[b,h,n,2], T[b,h,n,2], attn_mask=T[b,1,m,n]); "             \
    "(T[b,h,m,2], T[b,h,n,2], T[b,h,n,2], attn_mask=f32[h,1,n]); "             \
    "(T[b,h*2,m,2], T[b,h,n,2], T[b,h,n,2], enable_gqa=true); "                \
    "(T[h*3,m,2], T[h,n,2], T[h,n,2], attn_mask=bool[h*3,m,n], "               \
    "enable_gqa=true); "                                                       \
    "(T[b,h*3,1,2], T[b,h,n,2], T[b,h,n,2], attn_mask=T[b,h*3,1,n], "          \
    "dropout_p=0.5, enable_gqa=true); "                                        \
    "(T[b,h*2,1,2], T[b,h,n,2], T[b,h,n,2], is_causal=true, "                  \
    "enable_gqa=true); "                                                       \
    "(T[b,h,m,2], T[b,h,n,2], T[b,h,n,2], dropout_p=0.5); "                    \
    "(T[m,3], T[n,3], T[n,2])"

const dt_op dti_ops_attention[] = {
    {
        .schema = "scaled_dot_product_attention(Tensor query, Tensor key, "
                  "Tensor value, " DTI_ATTENTION_OPTIONS
                  ", Generator? generator=None) -> Tensor",
        .about = "softmax(scale * query key^T + mask) value, computed in "
                 "blocks.  `attn_mask` is bool, true where a key takes part, "
                 "or is added to the scores; `scale` is 1 / sqrt(width) if it "
                 "is infinity; with `enable_gqa` each head of keys serves a "
                 "group of query heads.  Batches are broadcast.",
        .linear = "value",
        .flags = DT_OP_RANDOM,
        .meta = attention_meta,
        .check = check_forward,
        .factors = forward_factors,
        .kernel = attention_kernel,
        .compose = attend,
        .composes = composes,
        .work = forward_work,
        .samples = SAMPLES,
        .dtypes = "float",
    },
    {
        .schema = "scaled_dot_product_attention_forward(Tensor query, "
                  "Tensor key, Tensor value, " DTI_ATTENTION_OPTIONS
                  ", Generator? generator=None) -> (Tensor output, "
                  "Tensor logsumexp, Tensor dropout_key)",
        .aten = "_scaled_dot_product_flash_attention_for_cpu "
                "_scaled_dot_product_flash_attention "
                "_scaled_dot_product_efficient_attention "
                "_scaled_dot_product_cudnn_attention",
        .about = "Attention with the additional results that its backward "
                 "operator needs: the log-sum-exp of each query, and the "
                 "random key of dropout.",
        .flags = DT_OP_HELPER | DT_OP_RANDOM,
        .meta = forward_meta,
        .check = check_forward,
        .factors = forward_factors,
        .kernel = forward_kernel,
        .work = forward_work,
        .gradient = "query, key, value: "
                    "scaled_dot_product_attention_backward(grad_output, query, "
                    "key, value, output, logsumexp, dropout_key, "
                    "attn_mask=attn_mask, dropout_p=dropout_p, "
                    "is_causal=is_causal, scale=scale, enable_gqa=enable_gqa); "
                    "attn_mask: "
                    "scaled_dot_product_attention_mask_backward(grad_output, "
                    "query, key, value, output, logsumexp, dropout_key, "
                    "attn_mask=attn_mask, dropout_p=dropout_p, "
                    "is_causal=is_causal, scale=scale, enable_gqa=enable_gqa)",
        .samples = SAMPLES,
        .dtypes = "float",
    },
    {0},
};
