/* ops/nn/attention.h - what attention and its gradients have in common. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OPS_NN_ATTENTION_H
#define DTI_OPS_NN_ATTENTION_H

#include <dtensor/sys/op.h>

#include "array/array.h"
#include "kernel/attention/attention.h"
#include "layout/part.h"
#include "random/draw.h"

/*
 * Queries are (batch..., heads, length, width).  Keys and values have the same
 * dimensions before the length, or fewer heads, each of which serves a group of
 * neighbouring heads of queries.  Tensors and arguments have the same numbers;
 * options follow the mask.
 */
enum { DTI_DROPOUT_P = 1, DTI_IS_CAUSAL, DTI_SCALE, DTI_ENABLE_GQA };

/* Where the tensors of an operator stand. */
typedef struct dti_attention_numbering {
    int query, key, value, mask;
} dti_attention_numbering;

/* Options of both, for their schemas. */
#define DTI_ATTENTION_OPTIONS                                                  \
    "*, Tensor? attn_mask=None, float dropout_p=0, bool is_causal=false, "     \
    "float scale=inf, bool enable_gqa=false"

static inline const dt_argument *
dti_attention_option(const dt_operation *operation,
                     const dti_attention_numbering *at, int which)
{
    return &operation->arguments[at->mask + which];
}

static inline dt_shape dti_attention_shape(const dt_operation *operation,
                                           int tensor)
{
    return operation->metas[tensor]->shape;
}

/* The dtype in which sums are made. */
static inline dt_dtype dti_attention_sums(dt_dtype dtype)
{
    return dtype == DT_F64 ? DT_F64 : DT_F32;
}

static inline const void *dti_attention_element(const dt_array *array,
                                                int64_t at)
{
    return (const char *)dt_array_const_data(array) +
           at * (int64_t)dt_dtype_size(array->dtype);
}

static inline dt_status dti_attention_make_scratch(dt_world *world,
                                                   size_t bytes, dt_array **out)
{
    return dt_array_create(world, DT_U8, DT_SHAPE((int64_t)bytes), out);
}

/* ---- Checks ------------------------------------------------------------- */

/* Check shapes and dtypes of queries, keys, values and the mask. */
dt_status dti_attention_check(const dt_operation *operation,
                              const dti_attention_numbering *at);

/* Check the numbers that do not decide. */
dt_status dti_attention_check_values(const dt_operation *operation,
                                     const dti_attention_numbering *at);

/* ---- Rules -------------------------------------------------------------- */

/* The factors of the dimensions of queries: of the heads two, if they are
 * grouped. */
typedef struct dti_query_factors {
    dt_factor_dim dims[DT_MAX_NDIM]; /* all but the last */
    int heads;                       /* the factor that keys have; -1 */
} dti_query_factors;

/* Add the factors of queries. */
dti_query_factors dti_attention_add_factors(const dt_operation *operation,
                                            const dti_attention_numbering *at,
                                            dt_factors *out);

/* A tensor with the dimensions of queries, but perhaps the last. */
void dti_attention_put_query(const dti_query_factors *factors, int ndim,
                             dt_factor_map *map);

/* Keys and values: their length is whole. */
void dti_attention_put_key(const dti_query_factors *factors, int ndim,
                           dt_factor_map *map);

/* Say what queries, keys, values and the mask have of these. */
void dti_attention_put_inputs(const dt_operation *operation,
                              const dti_attention_numbering *at,
                              const dti_query_factors *factors,
                              dt_factors *out);

/* ---- Heads -------------------------------------------------------------- */

/* This rank's part of a call. */
typedef struct dti_attention_call {
    dti_attention attention; /* what is the same for all heads */
    const dt_array *query, *key, *value, *mask;
    dti_part part;  /* of queries */
    dt_shape whole; /* of queries */
    int64_t group;  /* heads of queries for one of keys */
    dti_draw draw;
} dti_attention_call;

/* Describe this rank's part; the key is for what is dropped. */
dt_status dti_attention_begin(const dt_operation *operation,
                              const dti_attention_numbering *at,
                              dti_random_key key, dti_attention_call *out);

/* The bytes that could be moved in the time of a forward pass; see
 * work/work.h. */
int64_t dti_attention_bytes(const dti_attention_call *c);

/* The indexes of a head, one for each dimension before the last two. */
void dti_attention_index(const dti_attention_call *c, int64_t head,
                         int64_t *index);

/* Turn to a head: its addresses and the index of its first weight.  Gives the
 * head of keys, by its number on this rank. */
int64_t dti_attention_take_head(const dti_attention_call *c, int64_t head,
                                dti_attention *out);

/* So many products; half of them if later keys are not seen. */
double dti_attention_work(const dt_operation *operation,
                          const dti_attention_numbering *at, int by_width,
                          int by_value_width);

#endif
