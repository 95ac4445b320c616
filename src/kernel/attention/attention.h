/* kernel/attention/attention.h - scaled dot-product attention, in blocks. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_ATTENTION_ATTENTION_H
#define DTI_KERNEL_ATTENTION_ATTENTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dtensor/dtype.h>

#include "base/machine/cpu.h"

/* A matrix of any strides, in elements; 0 where it is broadcast. */
typedef struct dti_attention_matrix {
    const void *data;
    int64_t row, column;
} dti_attention_matrix;

/* Set `rows` runs of `count` bytes, side by side: 1 where the weight of that
 * index is kept.  The first indexes of two runs are `stride` apart. */
typedef void (*dti_attention_keep)(const void *arg, int64_t first,
                                   int64_t count, int64_t stride, int64_t rows,
                                   unsigned char *out);

/*
 * Attention of one head.  Query i gives each key j a score, scale * query_i .
 * key_j plus what the mask says; weights are exp(score - logsumexp of the
 * query's scores), and the result is the sum of values by weights.
 *
 * f32, f64, f16 and bf16; halves are worked out in f32.  A query that sees no
 * key gives 0, and a logsumexp of -infinity.
 */
typedef struct dti_attention {
    dt_dtype dtype; /* of all but the mask */
    int64_t queries, keys;
    int64_t of_queries;  /* that these are some of: blocks suit so many */
    int64_t width;       /* of a query and a key */
    int64_t value_width; /* of a value and a result */
    double scale;
    bool causal;      /* query i sees the keys up to position + i */
    int64_t position; /* not negative */
    dti_attention_matrix query, key, value;
    dti_attention_matrix mask; /* data is NULL if there is none */
    dt_dtype mask_dtype; /* bool: what may be seen; floats: added to scores */

    /* Weights that are dropped, after they were worked out: the others are
     * divided by `kept`.  NULL: none.  The weight of query i and key j has the
     * index first + i * step + j. */
    dti_attention_keep keep;
    const void *keep_arg;
    double kept;
    int64_t first, step;
} dti_attention;

/* Where results go: rows of neighbours.  The logsumexp is f64 for f64 and f32
 * for the others; NULL if nobody wants it. */
typedef struct dti_attention_results {
    void *out;
    int64_t out_row;
    void *logsumexp;
} dti_attention_results;

/* Bytes of memory, aligned as malloc's, that it needs. */
size_t dti_attention_scratch(const dti_attention *attention);

void dti_attention_forward(const dti_attention *attention,
                           const dti_attention_results *results, void *scratch);

/*
 * Gradients, from those of the results and what these were.  `grad_query` has
 * rows of neighbours, grad_query_row apart, and is set.  `grad_key` and
 * `grad_value` are dense, of f64 for f64 and f32 for the others, and are added
 * to: several heads may have one key.
 *
 * If there is a `grad_mask`, that of scores is added to it, of the same dtype
 * and of any strides, 0 where the mask is broadcast, and to nothing else.
 */
typedef struct dti_attention_gradients {
    dti_attention_matrix grad_out, out;
    const void *logsumexp;
    void *grad_query;
    int64_t grad_query_row;
    void *grad_key, *grad_value;
    void *grad_mask; /* NULL: the others */
    int64_t grad_mask_row, grad_mask_column;
} dti_attention_gradients;

/* Bytes as above; the strides of the gradients matter, not what is there. */
size_t dti_attention_backward_scratch(const dti_attention *attention,
                                      const dti_attention_gradients *gradients);

void dti_attention_backward(const dti_attention *attention,
                            const dti_attention_gradients *gradients,
                            void *scratch);

/* ---- For tests ---------------------------------------------------------- */

/* The same with an instruction set, which the processor must have, and blocks
 * of so many queries and keys; 0: as usual. */
typedef struct dti_attention_way {
    dti_cpu_level level;
    int64_t block_queries, block_keys;
} dti_attention_way;

size_t dti_attention_scratch_with(const dti_attention *attention,
                                  const dti_attention_way *way);
void dti_attention_forward_with(const dti_attention *attention,
                                const dti_attention_results *results,
                                const dti_attention_way *way, void *scratch);
size_t
dti_attention_backward_scratch_with(const dti_attention *attention,
                                    const dti_attention_gradients *gradients,
                                    const dti_attention_way *way);
void dti_attention_backward_with(const dti_attention *attention,
                                 const dti_attention_gradients *gradients,
                                 const dti_attention_way *way, void *scratch);

#endif
