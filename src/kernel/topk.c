/* kernel/topk.c - the largest or least elements along a dimension. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/topk.h"

#include <assert.h>
#include <string.h>

#include "base/attributes.h"
#include "base/dtype.h"
#include "kernel/fold_bring.h"
#include "kernel/fold_key.h"
#include "kernel/fold_walk.h"

/*
 * Elements become integers that are ordered as they are.  The best k so far are
 * a heap whose root is the worst of them; most elements lose to it at once.  In
 * the end the heap is taken apart, the worst first.
 */
enum { PIECE = 512 };

typedef struct heap {
    int64_t count;
    int64_t *keys; /* larger ones are better */
    int64_t *indexes;
} heap;

/* Whether place i is worse than place j; of equal keys, that of the larger
 * index. */
static bool is_worse(const heap *h, int64_t i, int64_t j)
{
    return h->keys[i] < h->keys[j] ||
           (h->keys[i] == h->keys[j] && h->indexes[i] > h->indexes[j]);
}

static void swap(heap *h, int64_t i, int64_t j)
{
    const int64_t key = h->keys[i], index = h->indexes[i];
    h->keys[i] = h->keys[j];
    h->indexes[i] = h->indexes[j];
    h->keys[j] = key;
    h->indexes[j] = index;
}

static void sift_down(heap *h)
{
    for (int64_t i = 0, worst = 0;; i = worst) {
        const int64_t left = 2 * i + 1, right = left + 1;
        if (left < h->count && is_worse(h, left, worst))
            worst = left;
        if (right < h->count && is_worse(h, right, worst))
            worst = right;
        if (worst == i)
            return;
        swap(h, i, worst);
    }
}

static void push(heap *h, int64_t key, int64_t index)
{
    int64_t i = h->count++;
    h->keys[i] = key;
    h->indexes[i] = index;
    for (; i > 0 && is_worse(h, i, (i - 1) / 2); i = (i - 1) / 2)
        swap(h, i, (i - 1) / 2);
}

/* Take the heap apart: what was in it is left in order, the best first. */
static void sort(heap *h)
{
    const int64_t count = h->count;
    while (h->count > 1) {
        swap(h, 0, h->count - 1);
        h->count--;
        sift_down(h);
    }
    h->count = count;
}

/* Offer elements, later ones than all before: an equal one is not better. */
static void offer(heap *h, const int64_t *keys, int64_t first, int64_t count,
                  int64_t k)
{
    for (int64_t i = 0; i < count; i++) {
        if (h->count < k) {
            push(h, keys[i], first + i);
        } else if (keys[i] > h->keys[0]) {
            h->keys[0] = keys[i];
            h->indexes[0] = first + i;
            sift_down(h);
        }
    }
}

/* The keys of elements that lie `stride` apart. */
static void make_keys(const void *from, dt_dtype dtype, int64_t stride,
                      bool largest, int64_t *keys, int64_t count)
{
    double values[PIECE];
    const int64_t flip = largest ? 0 : -1; /* turns the order round */
    if (dt_dtype_kind_of(dtype) == DT_KIND_FLOAT) {
        dti_bring(from, dtype, stride, values, DT_F64, count);
        for (int64_t i = 0; i < count; i++) /* 0 for -0 */
            keys[i] = dti_key_max_f64(values[i] + 0.0) ^ flip;
    } else {
        dti_bring(from, dtype, stride, keys, DT_I64, count);
        for (int64_t i = 0; i < count; i++)
            keys[i] ^= flip;
    }
}

void dti_topk_array(const dt_array *in, int dim, int64_t k, bool largest,
                    void *values, int64_t *indexes, int64_t *scratch)
{
    const dt_shape shape = dt_array_shape(in);
    const dt_dtype dtype = dt_array_dtype(in);
    const int64_t item = (int64_t)dti_dtype_size(dtype);
    const int64_t count = shape.ndim ? shape.dims[dim] : 1;
    const int64_t stride = shape.ndim ? dt_array_stride(in, dim) : 1;
    dti_walk kept = {.ndim = 0};
    int64_t out = 1, outs[DT_MAX_NDIM], out_stride = 1;
    assert(dtype != DT_C64 && k >= 0 && k <= count);
    for (int d = shape.ndim - 1; d >= 0; d--) {
        outs[d] = out;
        out *= d == dim ? k : shape.dims[d];
    }
    if (out == 0)
        return;
    for (int d = 0; d < shape.ndim; d++)
        if (d == dim)
            out_stride = outs[d];
        else
            dti_walk_add(&kept, shape.dims[d], dt_array_stride(in, d), outs[d]);
    const char *data = dt_array_const_data(in);
    do {
        heap h = {.keys = scratch, .indexes = scratch + k};
        int64_t keys[PIECE];
        const char *run = data + kept.in_at * item;
        for (int64_t start = 0; start < count; start += PIECE) {
            const int64_t left = count - start;
            const int64_t part = left < PIECE ? left : PIECE;
            make_keys(run + start * stride * item, dtype, stride, largest, keys,
                      part);
            offer(&h, keys, start, part, k);
        }
        sort(&h);
        for (int64_t i = 0; i < k; i++) {
            const int64_t at = kept.out_at + i * out_stride;
            indexes[at] = h.indexes[i];
            memcpy((char *)values + at * item,
                   run + h.indexes[i] * stride * item, (size_t)item);
        }
    } while (dti_walk_next(&kept));
}
