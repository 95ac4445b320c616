/* ops/attention.c - scaled dot-product attention. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/attention.h"

#include <math.h>
#include <string.h>

#include "array/array.h"
#include "base/error.h"
#include "layout/part.h"
#include "op/meta.h"
#include "ops/factors.h"
#include "ops/tables.h"
#include "random/draw.h"

/*
 * Queries are (batch..., heads, length, width).  Keys and values have the same
 * dimensions before the length, or fewer heads, each of which serves a group of
 * neighbouring heads of queries.  Tensors and arguments have the same numbers;
 * options follow the mask.
 */
enum { DROPOUT_P = 1, IS_CAUSAL, SCALE, ENABLE_GQA };

/* Where the tensors of an operator stand. */
typedef struct numbering {
    int query, key, value, mask;
} numbering;

static const numbering in_forward = {0, 1, 2, 3};

enum { OUTPUT, LOGSUMEXP, DROPOUT_KEY };

static const dt_argument *option(const dt_operation *operation,
                                 const numbering *at, int which)
{
    return &operation->arguments[at->mask + which];
}

static dt_shape shape_of(const dt_operation *operation, int tensor)
{
    return operation->metas[tensor]->shape;
}

/* ---- Checks ------------------------------------------------------------- */

static dt_status fail_shapes(const dt_operation *operation, int a,
                             const char *a_name, int b, const char *b_name,
                             const char *why)
{
    return dt_operation_fail(
        operation, DT_ERR_INVALID, "%s is %s, %s %s; %s", a_name,
        dti_shape_show(shape_of(operation, a)).text, b_name,
        dti_shape_show(shape_of(operation, b)).text, why);
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

static dt_status check_batch(const dt_operation *operation, const numbering *at,
                             int tensor, const char *name)
{
    const dt_shape query = shape_of(operation, at->query),
                   other = shape_of(operation, tensor);
    const bool grouped = option(operation, at, ENABLE_GQA)->as.integer;
    if (other.ndim != query.ndim)
        return fail_shapes(operation, at->query, "query", tensor, name,
                           "they must have as many dimensions");
    for (int d = 0; d < query.ndim - 2; d++)
        if (query.dims[d] != other.dims[d] && !(grouped && d == query.ndim - 3))
            return fail_shapes(operation, at->query, "query", tensor, name,
                               "all but the last two dimensions must be the "
                               "same, or enable_gqa set for groups of heads");
    if (group_of(query, other) == 0)
        return fail_shapes(operation, at->query, "query", tensor, name,
                           "the heads of queries are no multiple of these");
    return DT_OK;
}

static dt_status check_shapes(const dt_operation *operation,
                              const numbering *at)
{
    const dt_shape query = shape_of(operation, at->query),
                   key = shape_of(operation, at->key),
                   value = shape_of(operation, at->value);
    const int last = query.ndim - 1;
    if (query.ndim < 2)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "query is %s; it needs a length and a width",
                                 dti_shape_show(query).text);
    DTI_TRY(check_batch(operation, at, at->key, "key"));
    DTI_TRY(check_batch(operation, at, at->value, "value"));
    if (query.dims[last] != key.dims[last])
        return fail_shapes(operation, at->query, "query", at->key, "key",
                           "their last dimensions must be the same");
    if (key.dims[last - 1] != value.dims[last - 1] ||
        (last >= 2 && key.dims[last - 2] != value.dims[last - 2]))
        return fail_shapes(operation, at->key, "key", at->value, "value",
                           "there must be a value for each key");
    return DT_OK;
}

/* One dtype of floats. */
static dt_status check_dtypes(const dt_operation *operation,
                              const numbering *at)
{
    const dt_dtype dtype = operation->metas[at->query]->dtype;
    if (dt_dtype_kind_of(dtype) != DT_KIND_FLOAT)
        return dt_operation_fail(operation, DT_ERR_UNSUPPORTED,
                                 "query is %s; only floats have attention",
                                 dt_dtype_name(dtype));
    for (int i = at->key; i <= at->value; i++)
        if (operation->metas[i]->dtype != dtype)
            return dt_operation_fail(operation, DT_ERR_INVALID,
                                     "query is %s, %s %s", dt_dtype_name(dtype),
                                     i == at->key ? "key" : "value",
                                     dt_dtype_name(operation->metas[i]->dtype));
    return DT_OK;
}

/* What scores are as a whole: (batch..., heads, length, keys). */
static dt_shape scores_shape(const dt_operation *operation, const numbering *at)
{
    dt_shape shape = shape_of(operation, at->query);
    const dt_shape key = shape_of(operation, at->key);
    shape.dims[shape.ndim - 1] = key.dims[key.ndim - 2];
    return shape;
}

static dt_status check_mask(const dt_operation *operation, const numbering *at)
{
    const dt_meta *mask = operation->metas[at->mask];
    const dt_shape scores = scores_shape(operation, at);
    if (!mask)
        return DT_OK;
    if (option(operation, at, IS_CAUSAL)->as.integer)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "attn_mask and is_causal; give one of them");
    if (mask->dtype != DT_BOOL && mask->dtype != DT_F32 &&
        mask->dtype != operation->metas[at->query]->dtype)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "attn_mask is %s; it must be bool, f32 or that of query, %s",
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
        operation, DT_ERR_INVALID, "attn_mask is %s, scores are %s",
        dti_shape_show(mask->shape).text, dti_shape_show(scores).text);
}

static dt_status check_call(const dt_operation *operation, const numbering *at)
{
    DTI_TRY(check_shapes(operation, at));
    DTI_TRY(check_dtypes(operation, at));
    return check_mask(operation, at);
}

static dt_status check_values(const dt_operation *operation,
                              const numbering *at)
{
    const double p = option(operation, at, DROPOUT_P)->as.real;
    const double scale = option(operation, at, SCALE)->as.real;
    if (!(p >= 0 && p <= 1))
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "dropout_p is %g; a probability lies between 0 and 1", p);
    if (isnan(scale) || scale == -HUGE_VAL)
        return dt_operation_fail(operation, DT_ERR_INVALID, "scale is %g",
                                 scale);
    return DT_OK;
}

static dt_status check_forward(const dt_operation *operation)
{
    return check_values(operation, &in_forward);
}

/* ---- Results ------------------------------------------------------------ */

static dt_dtype sum_dtype(dt_dtype dtype)
{
    return dtype == DT_F64 ? DT_F64 : DT_F32;
}

static dt_status attention_meta(dt_operation *operation)
{
    const numbering *at = &in_forward;
    DTI_TRY(check_call(operation, at));
    const dt_shape value = shape_of(operation, at->value);
    dt_shape out = shape_of(operation, at->query);
    out.dims[out.ndim - 1] = value.dims[value.ndim - 1];
    return dti_meta_add(operation, operation->metas[at->query]->dtype, out);
}

static dt_status forward_meta(dt_operation *operation)
{
    DTI_TRY(attention_meta(operation));
    dt_shape rows = operation->results[OUTPUT].shape;
    rows.ndim--;
    DTI_TRY(dti_meta_add(operation, sum_dtype(operation->results[OUTPUT].dtype),
                         rows));
    return dti_meta_add(operation, DT_I64, DT_SHAPE(2));
}

/* ---- Rules -------------------------------------------------------------- */

/* The factors of the dimensions of queries: of the heads two, if they are
 * grouped. */
typedef struct query_factors {
    dt_factor_dim dims[DT_MAX_NDIM]; /* all but the last */
    int heads;                       /* the factor that keys have; -1 */
} query_factors;

static query_factors add_factors(const dt_operation *operation,
                                 const numbering *at, dt_factors *out)
{
    const dt_shape query = shape_of(operation, at->query);
    const int64_t group = group_of(query, shape_of(operation, at->key));
    query_factors factors = {.heads = -1};
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

/* A tensor with the dimensions of queries, but perhaps the last. */
static void put_query(const query_factors *factors, int ndim,
                      dt_factor_map *map)
{
    for (int d = 0; d < ndim; d++)
        map->dims[d] = factors->dims[d];
}

/* Keys and values: their length is whole. */
static void put_key(const query_factors *factors, int ndim, dt_factor_map *map)
{
    put_query(factors, ndim - 2, map);
    if (factors->heads >= 0)
        map->dims[ndim - 3] =
            (dt_factor_dim){.count = 1, .factors = {factors->heads}};
}

/* Dimensions that are not broadcast. */
static void put_mask(const query_factors *factors, dt_shape mask,
                     dt_shape scores, dt_factor_map *map)
{
    const int before = scores.ndim - mask.ndim;
    for (int d = 0; d < mask.ndim - 1; d++)
        if (mask.dims[d] == scores.dims[before + d])
            map->dims[d] = factors->dims[before + d];
}

static void put_inputs(const dt_operation *operation, const numbering *at,
                       const query_factors *factors, dt_factors *out)
{
    const int ndim = shape_of(operation, at->query).ndim;
    out->in_count = operation->input_count;
    put_query(factors, ndim - 1, &out->in[at->query]);
    put_key(factors, ndim, &out->in[at->key]);
    put_key(factors, ndim, &out->in[at->value]);
    if (operation->metas[at->mask])
        put_mask(factors, shape_of(operation, at->mask),
                 scores_shape(operation, at), &out->in[at->mask]);
}

/* Batch, heads and queries may be cut; of grouped heads the keys' and what
 * belongs to each of them. */
static dt_status forward_factors(const dt_operation *operation, dt_factors *out)
{
    const numbering *at = &in_forward;
    const int ndim = shape_of(operation, at->query).ndim;
    memset(out, 0, sizeof *out);
    const query_factors factors = add_factors(operation, at, out);
    put_inputs(operation, at, &factors, out);
    out->out_count = operation->result_count;
    out->near_only = true;
    out->whole_results = 1u << DROPOUT_KEY;
    put_query(&factors, ndim - 1, &out->out[OUTPUT]);
    if (operation->result_count > 1)
        put_query(&factors, ndim - 1, &out->out[LOGSUMEXP]);
    return DT_OK;
}

/* ---- Heads -------------------------------------------------------------- */

/* This rank's part of a call. */
typedef struct call {
    dti_attention attention; /* what is the same for all heads */
    const dt_array *query, *key, *value, *mask;
    dti_part part;  /* of queries */
    dt_shape whole; /* of queries */
    int64_t group;  /* heads of queries for one of keys */
    dti_draw draw;
} call;

static void keep_weights(const void *arg, int64_t first, int64_t count,
                         int64_t stride, int64_t rows, unsigned char *out)
{
    dti_draw_rows(arg, first, count, stride, rows, out);
}

static double scale_of(const dt_operation *operation, const numbering *at)
{
    const dt_shape query = shape_of(operation, at->query);
    const double scale = option(operation, at, SCALE)->as.real;
    const int64_t width = query.dims[query.ndim - 1];
    if (scale != HUGE_VAL)
        return scale;
    return width > 0 ? 1 / sqrt((double)width) : 1;
}

static dti_attention describe(const dt_operation *operation,
                              const numbering *at, const call *c)
{
    const int last = c->query->shape.ndim - 1;
    dti_attention a = {
        .dtype = c->query->dtype,
        .of_queries = c->whole.dims[last - 1],
        .keys = c->key->shape.dims[last - 1],
        .width = c->query->shape.dims[last],
        .value_width = c->value->shape.dims[last],
        .scale = scale_of(operation, at),
        .causal = option(operation, at, IS_CAUSAL)->as.integer != 0,
        .query = {NULL, c->query->strides[last - 1], c->query->strides[last]},
        .key = {NULL, c->key->strides[last - 1], c->key->strides[last]},
        .value = {NULL, c->value->strides[last - 1], c->value->strides[last]},
        .kept = 1 - option(operation, at, DROPOUT_P)->as.real,
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

static dt_status begin(const dt_operation *operation, const numbering *at,
                       dti_random_key key, call *out)
{
    const dt_spec *spec = operation->in_specs[at->query];
    *out = (call){.query = operation->in[at->query],
                  .key = operation->in[at->key],
                  .value = operation->in[at->value],
                  .mask = operation->in[at->mask],
                  .whole = shape_of(operation, at->query)};
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

static int64_t count_heads(const call *c)
{
    int64_t count = 1;
    for (int d = 0; d < c->query->shape.ndim - 2; d++)
        count *= c->query->shape.dims[d];
    return count;
}

static const void *element(const dt_array *array, int64_t at)
{
    return (const char *)dt_array_const_data(array) +
           at * (int64_t)dt_dtype_size(array->dtype);
}

/* Turn to a head: its addresses and the index of its first weight.  Gives the
 * head of keys, by its number on this rank. */
static int64_t take_head(const call *c, int64_t head, dti_attention *out)
{
    const int ndim = c->query->shape.ndim;
    int64_t query = 0, key = 0, value = 0, mask = 0, global = 0, keys = 0;
    int64_t index[DT_MAX_NDIM], run;
    for (int d = ndim - 3; d >= 0; d--) {
        index[d] = head % c->query->shape.dims[d];
        head /= c->query->shape.dims[d];
    }
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
    out->query.data = element(c->query, query);
    out->key.data = element(c->key, key);
    out->value.data = element(c->value, value);
    out->mask.data = c->mask ? element(c->mask, mask) : NULL;
    out->keep_arg = &c->draw;
    out->first = global * c->whole.dims[ndim - 2] * out->step;
    return keys;
}

/* Go on to the queries of a head from one of this rank's on, up to where those
 * that follow are no neighbours in the whole. */
static void take_queries(const call *c, int64_t from, dti_attention *a)
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

static dt_status make_scratch(dt_world *world, size_t bytes, dt_array **out)
{
    return dt_array_create(world, DT_U8, DT_SHAPE((int64_t)bytes), out);
}

/* ---- Forward ------------------------------------------------------------ */

static void forward_head(const call *c, int64_t head, char *out,
                         char *logsumexp, void *scratch)
{
    const int ndim = c->query->shape.ndim;
    const int64_t length = c->query->shape.dims[ndim - 2];
    dti_attention a = c->attention;
    const int64_t row = a.value_width * (int64_t)dt_dtype_size(a.dtype);
    const int64_t item = (int64_t)dt_dtype_size(sum_dtype(a.dtype));
    for (int64_t at = 0; at < length; at += a.queries) {
        take_head(c, head, &a);
        take_queries(c, at, &a);
        const int64_t first = head * length + at;
        const dti_attention_results to = {
            .out = out + first * row,
            .out_row = a.value_width,
            .logsumexp = logsumexp ? logsumexp + first * item : NULL};
        dti_attention_forward(&a, &to, scratch);
    }
}

static dt_status run_forward(dt_operation *operation, dt_array *logsumexp)
{
    const dti_random_key key = {operation->random_seed,
                                operation->random_offset};
    dt_array *scratch = NULL;
    call c;
    DTI_TRY(begin(operation, &in_forward, key, &c));
    if (c.query->shape.dims[c.query->shape.ndim - 2] == 0 ||
        count_heads(&c) == 0)
        return DT_OK;
    DTI_TRY(make_scratch(operation->world, dti_attention_scratch(&c.attention),
                         &scratch));
    char *out = dt_array_data(operation->out[OUTPUT]);
    char *sums = logsumexp ? dt_array_data(logsumexp) : NULL;
    for (int64_t head = 0; head < count_heads(&c); head++)
        forward_head(&c, head, out, sums, dt_array_data(scratch));
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

/* Two products; half of them if later keys are not seen. */
static double attention_work(const dt_operation *operation)
{
    const numbering *at = &in_forward;
    const dt_shape query = operation->in[at->query]->shape,
                   value = operation->in[at->value]->shape;
    const int last = query.ndim - 1;
    double work = 2;
    for (int d = 0; d < last; d++)
        work *= (double)query.dims[d];
    work *= (double)value.dims[last - 1] *
            (double)(query.dims[last] + value.dims[last]);
    return option(operation, at, IS_CAUSAL)->as.integer ? work / 2 : work;
}

/* ---- Rows --------------------------------------------------------------- */

#define OPTIONS                                                                \
    "*, Tensor? attn_mask=None, float dropout_p=0, bool is_causal=false, "     \
    "float scale=inf, bool enable_gqa=false"
#define SAMPLES                                                                \
    "(T[b,h,m,4], T[b,h,n,4], T[b,h,n,3]); "                                   \
    "(T[b,h,m,4], T[b,h,n,4], T[b,h,n,4], is_causal=true, scale=0.25); "       \
    "(T[b,h,m,2], T[b,h,n,2], T[b,h,n,2], attn_mask=bool[m,n]); "              \
    "(T[b,h,m,2], T[b,h,n,2], T[b,h,n,2], attn_mask=T[b,1,m,n]); "             \
    "(T[b,h,m,2], T[b,h,n,2], T[b,h,n,2], attn_mask=f32[h,1,n]); "             \
    "(T[b,h*2,m,2], T[b,h,n,2], T[b,h,n,2], enable_gqa=true); "                \
    "(T[h*3,m,2], T[h,n,2], T[h,n,2], attn_mask=bool[h*3,m,n], "               \
    "enable_gqa=true); "                                                       \
    "(T[b,h,m,2], T[b,h,n,2], T[b,h,n,2], dropout_p=0.5); "                    \
    "(T[m,3], T[n,3], T[n,2])"

const dt_op dti_ops_attention[] = {
    {
        .schema =
            "scaled_dot_product_attention(Tensor query, Tensor key, "
            "Tensor value, " OPTIONS ", Generator? generator=None) -> Tensor",
        .aten = "scaled_dot_product_attention",
        .about = "Give each query the values, weighted by softmax(scale * "
                 "query key + mask), in blocks.  `attn_mask` is bool, true "
                 "where a key is seen, or is added; `scale` is 1 / sqrt(width) "
                 "if it is infinity; with `enable_gqa` heads of keys serve "
                 "groups of queries' heads.",
        .linear = "value",
        .flags = DT_OP_RANDOM,
        .meta = attention_meta,
        .check = check_forward,
        .factors = forward_factors,
        .kernel = attention_kernel,
        .work = attention_work,
        .samples = SAMPLES,
        .dtypes = "float",
    },
    {
        .schema = "scaled_dot_product_attention_forward(Tensor query, "
                  "Tensor key, Tensor value, " OPTIONS
                  ", Generator? generator=None) -> (Tensor output, "
                  "Tensor logsumexp, Tensor dropout_key)",
        .aten = "_scaled_dot_product_flash_attention_for_cpu "
                "_scaled_dot_product_flash_attention "
                "_scaled_dot_product_efficient_attention "
                "_scaled_dot_product_cudnn_attention",
        .about = "The same with what its backward form needs: the logarithm of "
                 "the sum of exponentials of each query, and the key by which "
                 "weights were dropped.",
        .flags = DT_OP_RANDOM,
        .meta = forward_meta,
        .check = check_forward,
        .factors = forward_factors,
        .kernel = forward_kernel,
        .work = attention_work,
        .samples = SAMPLES,
        .dtypes = "float",
    },
    {0},
};
