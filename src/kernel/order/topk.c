/* kernel/order/topk.c - the largest or least elements along a dimension. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/order/topk.h"

#include <assert.h>
#include <string.h>

#include "base/attributes.h"
#include "base/dtype.h"
#include "kernel/fold/bring.h"
#include "kernel/order/key.h"
#include "kernel/order/lines.h"
#include "kernel/order/order.h"

/*
 * Elements become entries of a key and an index.  Few of many are kept in a
 * heap; where many are wanted, all are sorted.
 */
enum { FEW_OF = 16 /* one of so many elements is few */ };

typedef struct entry {
    uint64_t key;
    int64_t index;
    int64_t place; /* where the value is */
} entry;

#define E uint64_t /* a key of 32 bits and an index */
#define LESS(a, b) ((a) < (b))
#define SINK sink_short
#define OFFER offer_short
#define DRAIN drain_short
#include "kernel/order/heap_tmpl.h"

#define E entry
#define LESS(a, b)                                                             \
    ((a).key < (b).key || ((a).key == (b).key && (a).index < (b).index))
#define SINK sink_long
#define OFFER offer_long
#define DRAIN drain_long
#include "kernel/order/heap_tmpl.h"

/* ---- Heaps of lines ------------------------------------------------------ */

typedef struct work {
    dti_lines lines;
    dti_line_batch batch;
    dt_dtype carrier;
    bool floats;
    bool wide; /* entries are not one number */
    bool largest;
    int64_t k;
    int64_t count; /* in each heap */
    int64_t pitch; /* bytes from heap to heap */
    char *heaps;
} work;

static bool is_wide(dt_dtype dtype, int64_t count)
{
    return dti_dtype_size(dti_order_carrier(dtype)) == 8 ||
           count >= INT64_C(0xffffffff);
}

static uint64_t *short_heap(const work *w, int line)
{
    return (uint64_t *)(void *)(w->heaps + line * w->pitch);
}

static entry *long_heap(const work *w, int line)
{
    return (entry *)(void *)(w->heaps + line * w->pitch);
}

/* Tell whether some key is less than a bound. */
static bool any_less(const uint32_t *keys, uint32_t bound, int64_t count)
{
    uint32_t any = 0;
    for (int64_t i = 0; i < count; i++)
        any |= keys[i] < bound;
    return any;
}

/* Offer elements, later ones than all before: an equal one comes behind. */
static void offer_keys32(const work *w, int line, const uint32_t *keys,
                         int64_t first, int64_t count)
{
    uint64_t *heap = short_heap(w, line);
    int64_t had = w->count;
    if (had == w->k && !any_less(keys, (uint32_t)(heap[0] >> 32), count))
        return;
    for (int64_t i = 0; i < count; i++)
        offer_short(heap, &had, w->k,
                    (uint64_t)keys[i] << 32 | (uint64_t)(first + i));
}

static void offer_keys(const work *w, int line, const void *keys, bool narrow,
                       int64_t first, int64_t count)
{
    const uint32_t *short_keys = keys;
    const uint64_t *long_keys = keys;
    int64_t had = w->count;
    for (int64_t i = 0; i < count; i++)
        offer_long(long_heap(w, line), &had, w->k,
                   (entry){narrow ? short_keys[i] : long_keys[i], first + i,
                           first + i});
}

/* Offer a piece of each line. */
static void offer_piece(work *w, int64_t start, int64_t count)
{
    _Alignas(DTI_CACHE_LINE) char keys[DTI_LINES * DTI_LINES_PIECE * 8];
    const bool narrow = dti_dtype_size(w->carrier) == 4;
    const int64_t size = narrow ? 4 : 8;
    dti_lines_bring(&w->lines, &w->batch, start, count, w->carrier, keys);
    for (int j = 0; j < w->batch.lines; j++) {
        void *here = keys + j * DTI_LINES_PIECE * size;
        if (narrow)
            dti_order_keys32(w->floats, here, w->largest ? ~0u : 0, count);
        else
            dti_order_keys64(w->floats, here, w->largest ? ~UINT64_C(0) : 0,
                             count);
        if (w->wide)
            offer_keys(w, j, here, narrow, start, count);
        else
            offer_keys32(w, j, here, start, count);
    }
    w->count = w->count + count < w->k ? w->count + count : w->k;
}

static int64_t index_at(const work *w, int line, int64_t i)
{
    return w->wide ? long_heap(w, line)[i].index
                   : (int64_t)(uint32_t)short_heap(w, line)[i];
}

static void put_line(const work *w, int line, char *values, int64_t *indexes)
{
    const int64_t item = w->lines.item;
    const char *from = w->batch.from + line * w->lines.apart * item;
    int64_t to = w->batch.to + line * w->lines.to_apart;
    for (int64_t i = 0; i < w->k; i++, to += w->lines.to_stride) {
        indexes[to] = index_at(w, line, i);
        memcpy(values + to * item, from + indexes[to] * w->lines.stride * item,
               (size_t)item);
    }
}

static void find_few(work *w, void *values, int64_t *indexes)
{
    while (dti_lines_next(&w->lines, DTI_LINES, &w->batch)) {
        w->count = 0;
        for (int64_t start = 0; start < w->lines.count;
             start += DTI_LINES_PIECE) {
            const int64_t left = w->lines.count - start;
            offer_piece(w, start,
                        left < DTI_LINES_PIECE ? left : DTI_LINES_PIECE);
        }
        for (int j = 0; j < w->batch.lines; j++) {
            if (w->wide)
                drain_long(long_heap(w, j), w->k);
            else
                drain_short(short_heap(w, j), w->k);
            put_line(w, j, values, indexes);
        }
    }
}

/* ---- Dimensions ---------------------------------------------------------- */

static int64_t count_of(const dt_array *in, int dim)
{
    return dt_array_ndim(in) ? dt_array_extent(in, dim) : 1;
}

static bool is_few(int64_t k, int64_t count)
{
    return k * FEW_OF <= count || k <= 2;
}

size_t dti_topk_room(const dt_array *in, int dim, int64_t k)
{
    if (is_few(k, count_of(in, dim)))
        return DTI_LINES * (size_t)k * sizeof(entry);
    return dti_order_room(in, dim);
}

void dti_topk_array(const dt_array *in, int dim, int64_t k, bool largest,
                    void *values, int64_t *indexes, void *room)
{
    const dt_dtype dtype = dt_array_dtype(in);
    const int64_t count = count_of(in, dim);
    assert(dtype != DT_C64 && k >= 0 && k <= count);
    if (!is_few(k, count)) {
        dti_sort_array(in, dim, largest, k, values, indexes, room);
        return;
    }
    work w = {.carrier = dti_order_carrier(dtype),
              .floats = dti_order_is_float(dtype),
              .wide = is_wide(dtype, count),
              .largest = largest,
              .k = k,
              .heaps = room};
    w.pitch = k * (int64_t)(w.wide ? sizeof(entry) : sizeof(uint64_t));
    dti_lines_open(&w.lines, in, dim, k);
    find_few(&w, values, indexes);
}

/* ---- Candidates ---------------------------------------------------------- */

size_t dti_topk_choose_room(int64_t k)
{
    return (size_t)k * sizeof(entry);
}

static uint64_t key_of(const dti_candidates *from, int64_t i)
{
    const int64_t item = (int64_t)dti_dtype_size(from->dtype);
    const dt_dtype carrier = dti_order_carrier(from->dtype);
    const bool floats = dti_order_is_float(from->dtype);
    union {
        uint32_t narrow;
        uint64_t wide;
    } key = {0};
    dti_bring((const char *)from->values + i * item, from->dtype, 1, &key,
              carrier, 1);
    if (dti_dtype_size(carrier) == 4) {
        dti_order_keys32(floats, &key, from->largest ? ~0u : 0, 1);
        return key.narrow;
    }
    dti_order_keys64(floats, &key, from->largest ? ~UINT64_C(0) : 0, 1);
    return key.wide;
}

void dti_topk_choose(const dti_candidates *from, int64_t k, void *values,
                     int64_t *indexes, int64_t stride, void *room)
{
    const int64_t item = (int64_t)dti_dtype_size(from->dtype);
    const char *data = from->values;
    entry *heap = room;
    int64_t count = 0;
    for (int64_t i = 0; i < from->count; i++)
        if (from->indexes[i] >= 0)
            offer_long(heap, &count, k,
                       (entry){key_of(from, i), from->indexes[i], i});
    assert(count == k);
    drain_long(heap, count);
    for (int64_t i = 0; i < count; i++) {
        indexes[i * stride] = heap[i].index;
        memcpy((char *)values + i * stride * item, data + heap[i].place * item,
               (size_t)item);
    }
}
