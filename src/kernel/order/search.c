/* kernel/order/search.c - where numbers belong among sorted ones. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/order/search.h"

#include "array/cast.h"
#include "base/dtype.h"
#include "kernel/order/key.h"

enum { PIECE = 256 };

/* Keys of numbers, all of 64 bits. */
static void make_keys(dt_dtype dtype, const void *from, uint64_t *keys,
                      int64_t count)
{
    const bool floats = dti_order_is_float(dtype);
    dti_cast(from, dtype, keys, floats ? DT_F64 : DT_I64, count);
    dti_order_keys64(floats, keys, 0, count);
}

static uint64_t key_at(dt_dtype dtype, const char *sorted, int64_t i)
{
    uint64_t key;
    make_keys(dtype, sorted + i * (int64_t)dti_dtype_size(dtype), &key, 1);
    return key;
}

/* How many of the list have a key below a bound, which is not 0. */
static int64_t count_below(dt_dtype dtype, const char *sorted, int64_t length,
                           uint64_t bound)
{
    int64_t first = 0;
    while (length > 0) {
        const int64_t half = length / 2;
        if (key_at(dtype, sorted, first + half) < bound) {
            first += half + 1;
            length -= half + 1;
        } else {
            length = half;
        }
    }
    return first;
}

void dti_search_sorted(dt_dtype dtype, const void *sorted, int64_t length,
                       const void *values, int64_t count, bool right,
                       int64_t *out)
{
    uint64_t keys[PIECE];
    const int64_t item = (int64_t)dti_dtype_size(dtype);
    for (int64_t start = 0; start < count; start += PIECE) {
        const int64_t left = count - start;
        const int64_t part = left < PIECE ? left : PIECE;
        make_keys(dtype, (const char *)values + start * item, keys, part);
        for (int64_t i = 0; i < part; i++) {
            const bool last = right && keys[i] == UINT64_MAX;
            out[start + i] = last ? length
                                  : count_below(dtype, sorted, length,
                                                keys[i] + (right ? 1 : 0));
        }
    }
}
