/* kernel/order/topk.h - the largest or least elements along a dimension. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_ORDER_TOPK_H
#define DTI_KERNEL_ORDER_TOPK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dtensor/array.h>

/* Bytes that dti_topk_array needs beside its results. */
size_t dti_topk_room(const dt_array *in, int dim, int64_t k);

/*
 * Find the `k` first elements of a dimension, in the order largest first, or
 * least first.  NaN is larger than every number, -0 and 0 are the same; of
 * equal elements, the one with the smaller index comes first.  Values and
 * indexes are laid out as the array would be if it were row-major and the
 * dimension had `k` elements.  Not of complex numbers.
 */
void dti_topk_array(const dt_array *in, int dim, int64_t k, bool largest,
                    void *values, int64_t *indexes, void *room);

/* Elements that were found by several, in one line. */
typedef struct dti_candidates {
    dt_dtype dtype;
    bool largest;
    const void *values;
    const int64_t *indexes; /* none are equal; negative: there is none */
    int64_t count;
} dti_candidates;

/* Bytes that dti_topk_choose needs beside its results. */
size_t dti_topk_choose_room(int64_t k);

/* Find the `k` first of candidates, of which there are as many at least.
 * Results lie `stride` elements apart. */
void dti_topk_choose(const dti_candidates *from, int64_t k, void *values,
                     int64_t *indexes, int64_t stride, void *room);

#endif
