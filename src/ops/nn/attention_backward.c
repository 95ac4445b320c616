/* ops/nn/attention_backward.c - gradients of scaled dot-product attention. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include <dtensor/create.h>
#include <dtensor/ops.h>
#include <dtensor/sys/ops_internal.h>

#include "array/cast.h"
#include "base/error.h"
#include "op/meta.h"
#include "op/schema.h"
#include "ops/helpers/recorded.h"
#include "ops/helpers/tables.h"
#include "ops/nn/attention.h"
#include "work/work.h"

static const dti_attention_numbering in_backward = {1, 2, 3, 7};

/* Tensors beside those of attention, and results. */
enum { TAKES_GRAD, TAKES_OUT = 4, TAKES_LOGSUMEXP, TAKES_KEY };
enum { GRAD_QUERY, GRAD_KEY, GRAD_VALUE };

/* ---- Checks and results ------------------------------------------------- */

static dt_status check_backward(const dt_operation *operation)
{
    const double p =
        dti_attention_option(operation, &in_backward, DTI_DROPOUT_P)->as.real;
    DTI_TRY(dti_attention_check_values(operation, &in_backward));
    if (p == 0 || operation->metas[TAKES_KEY])
        return DT_OK;
    return dt_operation_fail(operation, DT_ERR_INVALID,
                             "dropout_p is %g but dropout_key is missing", p);
}

static dt_status check_one(const dt_operation *operation, int tensor,
                           const char *name, dt_dtype dtype, dt_shape shape)
{
    const dt_meta *meta = operation->metas[tensor];
    if (meta->dtype == dtype && dt_shape_equal(meta->shape, shape))
        return DT_OK;
    return dt_operation_fail(
        operation, DT_ERR_INVALID, "%s is %s%s; expected %s%s", name,
        dt_dtype_name(meta->dtype), dti_shape_show(meta->shape).text,
        dt_dtype_name(dtype), dti_shape_show(shape).text);
}

static dt_status check_tensors(const dt_operation *operation)
{
    const dti_attention_numbering *at = &in_backward;
    DTI_TRY(dti_attention_check(operation, at));
    const dt_dtype dtype = operation->metas[at->query]->dtype;
    const dt_shape value = dti_attention_shape(operation, at->value);
    dt_shape out = dti_attention_shape(operation, at->query);
    out.dims[out.ndim - 1] = value.dims[value.ndim - 1];
    DTI_TRY(check_one(operation, TAKES_GRAD, "grad_out", dtype, out));
    DTI_TRY(check_one(operation, TAKES_OUT, "out", dtype, out));
    out.ndim--;
    DTI_TRY(check_one(operation, TAKES_LOGSUMEXP, "logsumexp",
                      dti_attention_sums(dtype), out));
    if (operation->metas[TAKES_KEY])
        DTI_TRY(check_one(operation, TAKES_KEY, "dropout_key", DT_I64,
                          DT_SHAPE(2)));
    return DT_OK;
}

static dt_status backward_meta(dt_operation *operation)
{
    const dti_attention_numbering *at = &in_backward;
    const dt_dtype dtype = operation->metas[at->query]->dtype;
    DTI_TRY(check_tensors(operation));
    for (int i = at->query; i <= at->value; i++)
        DTI_TRY(
            dti_meta_add(operation, dtype, dti_attention_shape(operation, i)));
    return DT_OK;
}

/* ---- Rules -------------------------------------------------------------- */

/* Write down the tensors that are given; gives what queries are made of. */
static dti_query_factors put_tensors(const dt_operation *operation,
                                     dt_factors *out)
{
    const dti_attention_numbering *at = &in_backward;
    const int ndim = dti_attention_shape(operation, at->query).ndim;
    memset(out, 0, sizeof *out);
    const dti_query_factors factors =
        dti_attention_add_factors(operation, at, out);
    dti_attention_put_inputs(operation, at, &factors, out);
    dti_attention_put_query(&factors, ndim - 1, &out->in[TAKES_GRAD]);
    dti_attention_put_query(&factors, ndim - 1, &out->in[TAKES_OUT]);
    dti_attention_put_query(&factors, ndim - 1, &out->in[TAKES_LOGSUMEXP]);
    out->near_only = true;
    return factors;
}

/* Batch and heads may be cut.  What heads of queries have in common sums up
 * in the gradients of keys, and so does what queries have. */
static dt_status backward_factors(const dt_operation *operation,
                                  dt_factors *out)
{
    const int ndim = dti_attention_shape(operation, in_backward.query).ndim;
    const dti_query_factors factors = put_tensors(operation, out);
    out->out_count = operation->result_count;
    dti_attention_put_query(&factors, ndim - 1, &out->out[GRAD_QUERY]);
    dti_attention_put_key(&factors, ndim, &out->out[GRAD_KEY]);
    dti_attention_put_key(&factors, ndim, &out->out[GRAD_VALUE]);
    return DT_OK;
}

/* ---- Kernel ------------------------------------------------------------- */

/* What the backward form has beside a call. */
typedef struct backward {
    const dt_operation *operation;
    dti_attention_call call;
    dt_array *logsumexp; /* dense */
    dt_array *sums; /* of gradients of a head of keys; NULL for f32 and f64 */
    dt_array *scratch;    /* of all threads */
    size_t scratch_bytes; /* of one */
} backward;

/* A head of a tensor that lies as queries do. */
static dti_attention_matrix take_rows(const dti_attention_call *c,
                                      const dt_array *array, int64_t head)
{
    const int last = array->shape.ndim - 1;
    int64_t index[DT_MAX_NDIM], at = 0;
    dti_attention_index(c, head, index);
    for (int d = 0; d < last - 1; d++)
        at += index[d] * array->strides[d];
    return (dti_attention_matrix){dti_attention_element(array, at),
                                  array->strides[last - 1],
                                  array->strides[last]};
}

/* An element of a dense array, to write to. */
static void *place(dt_array *array, int64_t at)
{
    return (char *)dt_array_data(array) +
           at * (int64_t)dt_dtype_size(array->dtype);
}

/* What is known of the results of a head. */
static dti_attention_gradients take_gradients(const backward *w, int64_t head)
{
    const dti_attention_call *c = &w->call;
    const int64_t length = c->query->shape.dims[c->query->shape.ndim - 2];
    return (dti_attention_gradients){
        .grad_out = take_rows(c, w->operation->in[TAKES_GRAD], head),
        .out = take_rows(c, w->operation->in[TAKES_OUT], head),
        .logsumexp = dti_attention_element(w->logsumexp, head * length)};
}

/* The scratch memory of a thread. */
static void *scratch_of(const backward *w, int slot)
{
    return (char *)dt_array_data(w->scratch) + (size_t)slot * w->scratch_bytes;
}

/* Heads of queries that one of keys serves follow one another: its gradients
 * are sums over these, in the results or, of halves, beside them. */
static void run_backward_head(const backward *w, int64_t head, int slot)
{
    const dti_attention_call *c = &w->call;
    const int64_t length = c->query->shape.dims[c->query->shape.ndim - 2];
    dti_attention a;
    const int64_t keys = dti_attention_take_head(c, head, &a);
    const int64_t in_key = a.keys * a.width, in_value = a.keys * a.value_width;
    const dt_dtype sums = dti_attention_sums(a.dtype);
    void *key = place(w->operation->out[GRAD_KEY], keys * in_key);
    void *value = place(w->operation->out[GRAD_VALUE], keys * in_value);
    dti_attention_gradients to = take_gradients(w, head);
    to.grad_query =
        place(w->operation->out[GRAD_QUERY], head * length * a.width);
    to.grad_query_row = a.width;
    const int64_t first = slot * (in_key + in_value);
    to.grad_key = w->sums ? place(w->sums, first) : key;
    to.grad_value = w->sums ? place(w->sums, first + in_key) : value;
    if (head % c->group == 0) {
        memset(to.grad_key, 0, (size_t)in_key * dt_dtype_size(sums));
        memset(to.grad_value, 0, (size_t)in_value * dt_dtype_size(sums));
    }
    a.queries = length;
    dti_attention_backward(&a, &to, scratch_of(w, slot));
    if (w->sums && head % c->group == c->group - 1) {
        dti_cast(to.grad_key, sums, key, a.dtype, in_key);
        dti_cast(to.grad_value, sums, value, a.dtype, in_value);
    }
}

static dt_status begin_backward(dt_operation *operation, backward *w)
{
    const dt_array *drawn = operation->in[TAKES_KEY];
    dt_world *world = operation->world;
    dti_random_key key = {0, 0};
    if (drawn) {
        const int64_t *numbers = dt_array_const_data(drawn);
        key.seed = (uint64_t)numbers[0];
        key.offset = (uint64_t)numbers[drawn->strides[0]];
    }
    w->operation = operation;
    DTI_TRY(dti_attention_begin(operation, &in_backward, key, &w->call));
    DTI_TRY(dt_array_contiguous(world, operation->in[TAKES_LOGSUMEXP],
                                &w->logsumexp));
    const dti_attention *a = &w->call.attention;
    const dti_attention_gradients first = {
        .grad_out = take_rows(&w->call, operation->in[TAKES_GRAD], 0),
        .out = take_rows(&w->call, operation->in[TAKES_OUT], 0)};
    if (a->dtype != dti_attention_sums(a->dtype))
        DTI_TRY(dt_array_create(
            world, DT_F32,
            DT_SHAPE(dti_work_slots(), a->keys, a->width + a->value_width),
            &w->sums));
    w->scratch_bytes = dti_attention_backward_scratch(a, &first);
    return dti_attention_make_scratch(
        world, w->scratch_bytes * (size_t)dti_work_slots(), &w->scratch);
}

static void end_backward(backward *w)
{
    dt_array_release(w->scratch);
    dt_array_release(w->sums);
    dt_array_release(w->logsumexp);
}

static int64_t count_heads(const dt_operation *operation)
{
    const dt_array *query = operation->in[in_backward.query];
    int64_t heads = 1;
    for (int d = 0; d < query->shape.ndim - 2; d++)
        heads *= query->shape.dims[d];
    return heads;
}

/* The heads that one head of keys serves. */
static void backward_piece(void *context, int64_t piece, int slot)
{
    const backward *w = context;
    const int64_t group = w->call.group;
    for (int64_t head = piece * group; head < (piece + 1) * group; head++)
        run_backward_head(w, head, slot);
}

static dt_status backward_kernel(dt_operation *operation)
{
    backward w = {0};
    const int64_t heads = count_heads(operation);
    if (heads == 0)
        return DT_OK;
    dt_status status = begin_backward(operation, &w);
    if (status == DT_OK)
        dti_work_run(heads / w.call.group, 2 * dti_attention_bytes(&w.call),
                     backward_piece, &w);
    end_backward(&w);
    return status;
}

/* ---- Of the mask -------------------------------------------------------- */

static dt_status mask_meta(dt_operation *operation)
{
    const dt_meta *mask = operation->metas[in_backward.mask];
    DTI_TRY(check_tensors(operation));
    if (!mask || mask->dtype == DT_BOOL)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "attn_mask is %s; only a floating-point mask has a gradient",
            mask ? "bool" : "absent");
    return dti_meta_add(operation, mask->dtype, mask->shape);
}

/* What the mask has not is summed.  Queries are whole, as above. */
static dt_status mask_factors(const dt_operation *operation, dt_factors *out)
{
    put_tensors(operation, out);
    out->out_count = 1;
    out->out[0] = out->in[in_backward.mask];
    for (int f = 0; f < out->count; f++)
        out->factors[f].kind = DT_FACTOR_REDUCED;
    const int ndim = dti_attention_shape(operation, in_backward.query).ndim;
    const dt_factor_dim *queries = &out->in[in_backward.query].dims[ndim - 2];
    out->factors[queries->factors[0]].kind = DT_FACTOR_WHOLE;
    return DT_OK;
}

/* Where the gradient of a head's mask is among sums that are dense. */
static void take_mask(const backward *w, int64_t head, dt_array *sums,
                      dti_attention_gradients *to)
{
    const int ndim = w->call.query->shape.ndim;
    const int before = ndim - sums->shape.ndim;
    int64_t index[DT_MAX_NDIM] = {0}, strides[DT_MAX_NDIM] = {0}, at = 0;
    for (int d = 0; d < sums->shape.ndim; d++)
        if (sums->shape.dims[d] > 1)
            strides[before + d] = sums->strides[d];
    dti_attention_index(&w->call, head, index);
    for (int d = 0; d < ndim - 2; d++)
        at += index[d] * strides[d];
    to->grad_mask = place(sums, at);
    to->grad_mask_row = strides[ndim - 2];
    to->grad_mask_column = strides[ndim - 1];
}

static void run_mask_head(const backward *w, int64_t head, dt_array *sums)
{
    dti_attention a;
    dti_attention_gradients to = take_gradients(w, head);
    dti_attention_take_head(&w->call, head, &a);
    a.queries = w->call.query->shape.dims[w->call.query->shape.ndim - 2];
    take_mask(w, head, sums, &to);
    dti_attention_backward(&a, &to, scratch_of(w, 0));
}

static dt_status sum_masks(dt_operation *operation, backward *w, dt_array *sums)
{
    DTI_TRY(dt_array_fill_int(operation->world, sums, 0));
    const int64_t heads = count_heads(operation);
    if (heads == 0 || sums->count == 0)
        return DT_OK;
    DTI_TRY(begin_backward(operation, w));
    for (int64_t head = 0; head < heads; head++)
        run_mask_head(w, head, sums);
    return DT_OK;
}

static dt_status mask_kernel(dt_operation *operation)
{
    backward w = {0};
    dt_array *sums = NULL, *out = operation->out[0];
    const dt_dtype dtype =
        dti_attention_sums(operation->metas[in_backward.query]->dtype);
    DTI_TRY(dt_array_create(operation->world, dtype, out->shape, &sums));
    dt_status status = sum_masks(operation, &w, sums);
    if (status == DT_OK)
        status = dt_array_copy(operation->world, sums, out);
    end_backward(&w);
    dt_array_release(sums);
    return status;
}

/* ---- Gradients of gradients --------------------------------------------- */

/*
 * The same by operators that have gradients: with the scores s, the weights
 * p = softmax(s), the factors d of dropout and g = grad_out,
 *
 *     grad_value = (d p)^T g
 *     grad_p     = d (g value^T)
 *     grad_s     = p (grad_p - sum(p grad_p))
 *     grad_query = scale grad_s key         grad_key = scale grad_s^T query
 *
 * `out` and `logsumexp` are not read: what they depend on is computed again, so
 * that it is differentiated.  Heads of keys are repeated for the heads of
 * queries that they serve.
 */
typedef struct recorded {
    dt_dtype dtype; /* in which all is computed */
    dt_tensor *g, *query, *key, *value;
    dt_tensor *masked;      /* bool, true where a key takes no part; or NULL */
    dt_tensor *p, *dropped; /* weights, and d p */
    dt_tensor *factors;     /* d; NULL: no dropout */
    dt_tensor *grad_s;
    double scale;
} recorded;

static dt_tensor *turned(dt_tensor *tensor)
{
    return dt_transpose(tensor, -2, -1);
}

static dt_tensor *as(dt_tensor *tensor, dt_dtype dtype)
{
    return tensor && dt_tensor_dtype(tensor) != dtype ? dt_cast(tensor, dtype)
                                                      : tensor;
}

static int64_t heads_of(const dt_tensor *tensor)
{
    const dt_shape shape = dt_tensor_shape(tensor);
    return shape.ndim < 3 ? 1 : shape.dims[shape.ndim - 3];
}

/* Repeat heads of keys: (.., heads, n, d) to (.., heads * group, n, d). */
static dt_tensor *repeat_heads(dt_tensor *tensor, int64_t heads)
{
    dt_shape shape = dt_tensor_shape(tensor);
    const int at = shape.ndim - 3;
    if (heads_of(tensor) == heads)
        return tensor;
    dt_shape wide = shape;
    wide.ndim++;
    wide.dims[at + 1] = heads / shape.dims[at];
    for (int i = at + 1; i < shape.ndim; i++)
        wide.dims[i + 1] = shape.dims[i];
    shape.dims[at] = heads;
    return dt_reshape(dt_expand(dt_unsqueeze(tensor, -3), wide), shape);
}

/* Add up what repeated heads have. */
static dt_tensor *add_heads(dt_tensor *tensor, const dt_tensor *like)
{
    dt_shape shape = dt_tensor_shape(tensor);
    const int at = shape.ndim - 3;
    const int64_t heads = heads_of(like);
    if (!tensor || heads_of(tensor) == heads)
        return tensor;
    dt_shape wide = shape;
    wide.ndim++;
    wide.dims[at] = heads;
    wide.dims[at + 1] = shape.dims[at] / heads;
    for (int i = at + 1; i < shape.ndim; i++)
        wide.dims[i + 1] = shape.dims[i];
    return dt_sum(dt_reshape(tensor, wide), DT_DIMS(-3), false);
}

static const char *replicated(const dt_tensor *like)
{
    const dt_layout layout =
        dti_layout_replicated(dt_tensor_spec(like)->layout.ndim);
    return dt_layout_text(like->world, &layout);
}

/* The scores, with a mask that is added, and the mask that is not. */
static dt_tensor *find_scores(const dt_operation *operation, recorded *at)
{
    dt_tensor *mask = operation->inputs[in_backward.mask];
    dt_tensor *scores = dt_mul_scalar(dt_matmul(at->query, turned(at->key)),
                                      dt_real(at->scale));
    if (mask && dt_tensor_dtype(mask) == DT_BOOL)
        at->masked = dt_logical_not(mask);
    else if (mask)
        scores = dt_add(scores, as(mask, at->dtype));
    if (dti_attention_option(operation, &in_backward, DTI_IS_CAUSAL)
            ->as.integer) {
        const dt_shape shape = dt_tensor_shape(scores);
        dt_tensor *ones = dt_ones(
            dt_tensor_mesh(scores), replicated(scores), DT_BOOL,
            DT_SHAPE(shape.dims[shape.ndim - 2], shape.dims[shape.ndim - 1]));
        at->masked = dt_triu(ones, 1);
    }
    /* A row without keys has weights that are set to 0 afterwards. */
    return at->masked ? dt_masked_fill(scores, at->masked, dt_real(-1e30))
                      : scores;
}

/* The factors of dropout: with the unit matrix as the gradient, the operator
 * gives d p as that of the value. */
static dt_tensor *find_factors(const dt_operation *operation,
                               const recorded *at, double dropout)
{
    dt_argument arguments[DTI_MAX_ARGUMENTS];
    dt_tensor *found[3] = {NULL, NULL, NULL};
    dt_tensor *query = operation->inputs[in_backward.query];
    dt_shape shape = dt_tensor_shape(query);
    const int64_t rows = shape.dims[shape.ndim - 2];
    shape.dims[shape.ndim - 1] = rows;
    dt_shape values = dt_tensor_shape(at->value);
    values.dims[values.ndim - 1] = rows;
    const dt_dtype dtype = dt_tensor_dtype(query);
    dt_mesh *mesh = dt_tensor_mesh(query);
    const char *whole = replicated(query);
    dt_tensor *unit = dt_expand(dt_eye(mesh, whole, dtype, rows, rows), shape);
    memcpy(arguments, operation->arguments,
           (size_t)operation->schema->count * sizeof *arguments);
    arguments[TAKES_GRAD].as.tensor = arguments[TAKES_OUT].as.tensor = unit;
    arguments[TAKES_LOGSUMEXP].as.tensor =
        dt_detach(operation->inputs[TAKES_LOGSUMEXP]);
    arguments[TAKES_KEY].as.tensor = dt_detach(operation->inputs[TAKES_KEY]);
    arguments[in_backward.query].as.tensor = dt_detach(query);
    arguments[in_backward.key].as.tensor = as(dt_detach(at->key), dtype);
    arguments[in_backward.value].as.tensor =
        dt_zeros(mesh, whole, dtype, values);
    if (arguments[in_backward.mask].kind == DT_ARG_TENSOR)
        arguments[in_backward.mask].as.tensor =
            dt_detach(operation->inputs[in_backward.mask]);
    if (dt_op_call(operation->world, "scaled_dot_product_attention_backward",
                   DT_VARIANT_NEW, arguments, operation->schema->count, found,
                   3, NULL) != DT_OK)
        return NULL;
    dt_tensor *kept = dt_ne_scalar(turned(found[GRAD_VALUE]), dt_integer(0));
    return dt_mul_scalar(as(kept, at->dtype), dt_real(1 / (1 - dropout)));
}

static dt_status begin_recorded(const dt_operation *operation, recorded *at)
{
    const dt_tensor *query = operation->inputs[in_backward.query];
    const int64_t heads = heads_of(query);
    const dt_shape shape = dt_tensor_shape(query);
    const double dropout =
        dti_attention_option(operation, &in_backward, DTI_DROPOUT_P)->as.real;
    at->dtype = dti_attention_sums(dt_tensor_dtype(query));
    at->scale =
        dti_attention_option(operation, &in_backward, DTI_SCALE)->as.real;
    if (isinf(at->scale))
        at->scale = 1 / sqrt((double)shape.dims[shape.ndim - 1]);
    at->g = as(operation->inputs[TAKES_GRAD], at->dtype);
    at->query = as(operation->inputs[in_backward.query], at->dtype);
    at->key =
        repeat_heads(as(operation->inputs[in_backward.key], at->dtype), heads);
    at->value = repeat_heads(
        as(operation->inputs[in_backward.value], at->dtype), heads);
    at->p = dt_softmax(find_scores(operation, at), -1);
    if (at->masked)
        at->p = dt_masked_fill(at->p, at->masked, dt_integer(0));
    if (dropout > 0)
        at->factors = find_factors(operation, at, dropout);
    if (dropout > 0 && !at->factors)
        return dti_failure_of(operation->world);
    at->dropped = at->factors ? dt_mul(at->p, at->factors) : at->p;
    dt_tensor *grad_p = dt_matmul(at->g, turned(at->value));
    if (at->factors)
        grad_p = dt_mul(grad_p, at->factors);
    at->grad_s = dt_mul(at->p, dt_sub(grad_p, dt_sum(dt_mul(at->p, grad_p),
                                                     DT_DIMS(-1), true)));
    return DT_OK;
}

static dt_status backward_recorded(dt_operation *operation)
{
    recorded at = {.g = NULL};
    const dt_tensor *key = operation->inputs[in_backward.key];
    const dt_dtype dtype = dt_tensor_dtype(key);
    DTI_TRY(begin_recorded(operation, &at));
    dt_tensor *scaled = dt_mul_scalar(at.grad_s, dt_real(at.scale));
    operation->outputs[GRAD_QUERY] = as(dt_matmul(scaled, at.key), dtype);
    operation->outputs[GRAD_KEY] =
        as(add_heads(dt_matmul(turned(scaled), at.query), key), dtype);
    operation->outputs[GRAD_VALUE] =
        as(add_heads(dt_matmul(turned(at.dropped), at.g), key), dtype);
    return DT_OK;
}

static dt_status mask_recorded(dt_operation *operation)
{
    recorded at = {.g = NULL};
    const dt_tensor *mask = operation->inputs[in_backward.mask];
    DTI_TRY(begin_recorded(operation, &at));
    operation->outputs[0] = as(dt_sum_to_size(at.grad_s, dt_tensor_shape(mask)),
                               dt_tensor_dtype(mask));
    return DT_OK;
}

static double backward_work(const dt_operation *operation)
{
    return dti_attention_work(operation, &in_backward, 3, 2);
}

static double mask_work(const dt_operation *operation)
{
    return dti_attention_work(operation, &in_backward, 1, 1);
}

/* ---- Rows --------------------------------------------------------------- */

#define SAMPLES                                                                \
    "(f64[b,h,m,3], f64[b,h,m,4], f64[b,h,n,4], f64[b,h,n,3], "                \
    "f64[b,h,m,3], f64[b,h,m]>0, None, scale=0.02); "                          \
    "(f32[b,h,m,2], f32[b,h,m,2], f32[b,h,n,2], f32[b,h,n,2], "                \
    "f32[b,h,m,2], f32[b,h,m]>0, None, is_causal=true, scale=0.02); "          \
    "(bf16[b,h*2,m,2], bf16[b,h*2,m,2], bf16[b,h,n,2], bf16[b,h,n,2], "        \
    "bf16[b,h*2,m,2], f32[b,h*2,m]>0, i64[2], attn_mask=bool[b,1,m,n], "       \
    "dropout_p=0.5, scale=0.02, enable_gqa=true); "                            \
    "(bf16[h,m,2], bf16[h,m,2], bf16[h,n,2], bf16[h,n,2], bf16[h,m,2], "       \
    "f32[h,m]>0, None, attn_mask=f32[h,m,n], scale=-0.02); "                   \
    "(f16[h,m,2], f16[h,m,2], f16[h,n,2], f16[h,n,2], f16[h,m,2], "            \
    "f32[h,m]>0, None, scale=0.02); "                                          \
    "(f64[m,2], f64[m,2], f64[n,2], f64[n,2], f64[m,2], f64[m]>0, None, "      \
    "scale=0.02)"

#define MASK_SAMPLES                                                           \
    "(f64[b,h,m,3], f64[b,h,m,4], f64[b,h,n,4], f64[b,h,n,3], "                \
    "f64[b,h,m,3], f64[b,h,m]>0, None, attn_mask=f64[b,h,m,n], scale=0.02); "  \
    "(f64[b,h,m,2], f64[b,h,m,2], f64[b,h,n,2], f64[b,h,n,2], "                \
    "f64[b,h,m,2], f64[b,h,m]>0, None, attn_mask=f64[m,n], scale=0.02); "      \
    "(bf16[b,h*2,m,2], bf16[b,h*2,m,2], bf16[b,h,n,2], bf16[b,h,n,2], "        \
    "bf16[b,h*2,m,2], f32[b,h*2,m]>0, i64[2], attn_mask=f32[b,1,1,n], "        \
    "dropout_p=0.5, scale=0.02, enable_gqa=true); "                            \
    "(f16[h,m,2], f16[h,m,2], f16[h,n,2], f16[h,n,2], f16[h,m,2], "            \
    "f32[h,m]>0, None, attn_mask=f16[h,1,n], scale=0.02)"

const dt_op dti_ops_attention_backward[] = {
    {
        .schema =
            "scaled_dot_product_attention_backward(Tensor grad_out, "
            "Tensor query, Tensor key, Tensor value, Tensor out, "
            "Tensor logsumexp, Tensor? dropout_key, " DTI_ATTENTION_OPTIONS
            ") -> (Tensor grad_query, Tensor grad_key, Tensor grad_value)",
        .aten = "_scaled_dot_product_flash_attention_for_cpu_backward "
                "_scaled_dot_product_flash_attention_backward "
                "_scaled_dot_product_efficient_attention_backward "
                "_scaled_dot_product_cudnn_attention_backward",
        .about = "Gradients of attention, from grad_output and the results of "
                 "the forward operator.",
        .linear = "grad_out",
        .meta = backward_meta,
        .check = check_backward,
        .factors = backward_factors,
        .kernel = backward_kernel,
        .compose = backward_recorded,
        .composes = dti_is_recorded,
        .work = backward_work,
        .samples = SAMPLES,
        .dtypes = "float",
    },
    {
        .schema = "scaled_dot_product_attention_mask_backward("
                  "Tensor grad_out, Tensor query, Tensor key, Tensor value, "
                  "Tensor output, Tensor logsumexp, Tensor? "
                  "dropout_key, " DTI_ATTENTION_OPTIONS ") -> Tensor",
        .aten = "",
        .about = "Gradient of a floating-point attention mask, summed over "
                 "dimensions in which it is broadcast.",
        .linear = "grad_out",
        .meta = mask_meta,
        .check = check_backward,
        .factors = mask_factors,
        .kernel = mask_kernel,
        .compose = mask_recorded,
        .composes = dti_is_recorded,
        .work = mask_work,
        .samples = MASK_SAMPLES,
        .dtypes = "float",
    },
    {0},
};
