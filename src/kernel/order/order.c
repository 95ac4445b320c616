/* kernel/order/order.c - elements of a dimension in order. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/order/order.h"

#include <assert.h>
#include <string.h>

#include "base/attributes.h"
#include "base/dtype.h"
#include "kernel/fold/bring.h"
#include "kernel/order/key.h"
#include "kernel/order/lines.h"
#include "kernel/order/order_level.h"

/*
 * Elements become entries: a key that is ordered as they are, and an index.
 * Keys of 32 bits, and indexes that fit as many, are one number; others are
 * pairs.  In the end keys become elements again, but for zeros and NaN, of
 * which one key does not tell which: these are looked up.
 */
enum {
    DTI_ORDER_FEW = 512,      /* entries that are merged */
    DTI_ORDER_MANY = 1 << 12, /* for which more counters pay */
    DIGIT = 8,
    WIDE_DIGIT = 11,
    BATCH_ENTRIES = 1 << 20 /* most of several lines together */
};

dti_rank dti_rank_of(dti_cpu_level level)
{
#if defined(__x86_64__)
    static const dti_rank ranks[DTI_CPU_LEVELS] = {
        [DTI_CPU_AVX2] = dti_rank_avx2, [DTI_CPU_AVX512] = dti_rank_avx512};
    return ranks[level];
#else
    (void)level;
    return NULL;
#endif
}

typedef struct pair {
    uint64_t key;
    uint64_t index;
} pair;

#define E uint64_t
#define KEY(e) ((e) >> 32)
#define LESS(a, b) ((a) < (b))
#define LAST UINT64_MAX
#define BITS 32
#define MERGE merge_short
#define SORT_FEW sort_few_short
#define COUNT count_short
#define DEAL deal_short
#define SORT sort_short
#define SELECT select_short
#include "kernel/order/order_tmpl.h"

#define E pair
#define KEY(e) ((e).key)
#define LESS(a, b)                                                             \
    ((a).key < (b).key || ((a).key == (b).key && (a).index < (b).index))
#define LAST ((pair){UINT64_MAX, UINT64_MAX})
#define BITS 64
#define MERGE merge_long
#define SORT_FEW sort_few_long
#define COUNT count_long
#define DEAL deal_long
#define SORT sort_long
#define SELECT select_long
#include "kernel/order/order_tmpl.h"

/* ---- Entries of lines ---------------------------------------------------- */

typedef struct work {
    dti_lines lines;
    dti_line_batch batch;
    dt_dtype carrier;
    bool floats;
    bool wide; /* entries are pairs */
    bool descending;
    int most; /* lines at a time */
    int64_t pitch;
    char *entries[DTI_LINES]; /* of each line, and then sorted */
    char *scratch;
    dti_rank rank; /* of entries that are ranked; NULL: they are not */
} work;

static bool is_wide(dt_dtype dtype, int64_t count)
{
    return dti_dtype_size(dti_order_carrier(dtype)) == 8 ||
           count >= INT64_C(0xffffffff);
}

/* How many lines go together, of so many elements. */
static int batch_of(const dti_lines *lines)
{
    const int64_t fit = BATCH_ENTRIES / (lines->count ? lines->count : 1);
    const int64_t most = fit < DTI_LINES ? fit : DTI_LINES;
    const int64_t least = most < 1 ? 1 : most;
    return (int)(lines->extent < least ? lines->extent : least);
}

/* Entries of a line, with room for those that fill up a short one. */
static int64_t pitch_of(int64_t count)
{
    return count > DTI_ORDER_FEW ? count : DTI_ORDER_FEW;
}

size_t dti_order_room(const dt_array *in, int dim)
{
    dti_lines lines;
    dti_lines_open(&lines, in, dim, 1);
    const int64_t item = is_wide(lines.dtype, lines.count)
                             ? (int64_t)sizeof(pair)
                             : (int64_t)sizeof(uint64_t);
    return (size_t)((batch_of(&lines) + 1) * pitch_of(lines.count) * item);
}

static void open_work(work *w, const dt_array *in, int dim, int64_t results,
                      void *room)
{
    dti_lines_open(&w->lines, in, dim, results);
    w->carrier = dti_order_carrier(w->lines.dtype);
    w->floats = dti_order_is_float(w->lines.dtype);
    w->wide = is_wide(w->lines.dtype, w->lines.count);
    w->most = batch_of(&w->lines);
    w->pitch = pitch_of(w->lines.count) * (w->wide ? 16 : 8);
    w->scratch = room;
    if (!w->wide && w->lines.count <= DTI_RANKED)
        w->rank = dti_rank_of(dti_cpu_level_used());
    assert(w->lines.dtype != DT_C64);
}

static void add_short(uint64_t *to, const uint32_t *keys, int64_t first,
                      int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        to[i] = (uint64_t)keys[i] << 32 | (uint64_t)(first + i);
}

static void add_long(pair *to, const void *keys, bool narrow, int64_t first,
                     int64_t count)
{
    const uint32_t *short_keys = keys;
    const uint64_t *long_keys = keys;
    for (int64_t i = 0; i < count; i++)
        to[i] = (pair){narrow ? short_keys[i] : long_keys[i],
                       (uint64_t)(first + i)};
}

/* The entries of f32 that are neighbours, straight from where they lie. */
static void take_f32(uint64_t *to, const float *from, uint32_t flip,
                     int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        to[i] =
            (uint64_t)(dti_order_of_f32(from[i]) ^ flip) << 32 | (uint64_t)i;
}

/* Make the entries of the next lines; false after the last. */
static bool take_lines(work *w)
{
    _Alignas(DTI_CACHE_LINE) char keys[DTI_LINES * DTI_LINES_PIECE * 8];
    const bool narrow = dti_dtype_size(w->carrier) == 4;
    const int64_t size = narrow ? 4 : 8;
    if (!dti_lines_next(&w->lines, w->most, &w->batch))
        return false;
    for (int j = 0; j < w->batch.lines; j++)
        w->entries[j] = w->scratch + (j + 1) * w->pitch;
    if (!w->wide && w->batch.lines == 1 && w->lines.stride == 1 &&
        w->lines.dtype == DT_F32) {
        take_f32((uint64_t *)(void *)w->entries[0],
                 (const float *)(const void *)w->batch.from,
                 w->descending ? ~0u : 0, w->lines.count);
        return true;
    }
    for (int64_t start = 0; start < w->lines.count; start += DTI_LINES_PIECE) {
        const int64_t left = w->lines.count - start;
        const int64_t count = left < DTI_LINES_PIECE ? left : DTI_LINES_PIECE;
        dti_lines_bring(&w->lines, &w->batch, start, count, w->carrier, keys);
        for (int j = 0; j < w->batch.lines; j++) {
            char *here = keys + j * DTI_LINES_PIECE * size;
            char *to = w->entries[j];
            if (narrow)
                dti_order_keys32(w->floats, here, w->descending ? ~0u : 0,
                                 count);
            else
                dti_order_keys64(w->floats, here,
                                 w->descending ? ~UINT64_C(0) : 0, count);
            if (w->wide)
                add_long((pair *)(void *)to + start, here, narrow, start,
                         count);
            else
                add_short((uint64_t *)(void *)to + start, (void *)here, start,
                          count);
        }
    }
    return true;
}

/* Sort a line, and give where it is then. */
static void *sort_line(const work *w, void *entries, void *scratch)
{
    if (w->wide)
        return sort_long(entries, scratch, w->lines.count);
    if (!w->rank)
        return sort_short(entries, scratch, w->lines.count);
    w->rank(entries, scratch, (int)w->lines.count);
    return scratch;
}

static void sort_lines(work *w)
{
    for (int j = 0; j < w->batch.lines; j++) {
        void *entries = w->entries[j], *scratch = w->scratch;
        void *sorted = sort_line(w, entries, scratch);
        if (sorted == scratch) { /* what was there is the next scratch */
            w->entries[j] = sorted;
            w->scratch = entries;
        }
    }
}

/* ---- Results ------------------------------------------------------------- */

static uint64_t key_at(const work *w, const char *entries, int64_t i)
{
    const uint64_t flip = w->descending ? ~UINT64_C(0) : 0;
    if (w->wide)
        return ((const pair *)(const void *)entries)[i].key ^ flip;
    return (((const uint64_t *)(const void *)entries)[i] >> 32) ^
           (uint32_t)flip;
}

static int64_t index_at(const work *w, const char *entries, int64_t i)
{
    if (w->wide)
        return (int64_t)((const pair *)(const void *)entries)[i].index;
    return (uint32_t)((const uint64_t *)(const void *)entries)[i];
}

/* Bring the carrier of one element of a line. */
static void look_up(const work *w, int line, int64_t index, void *out)
{
    const char *from =
        w->batch.from +
        (line * w->lines.apart + index * w->lines.stride) * w->lines.item;
    if (w->carrier == w->lines.dtype)
        memcpy(out, from, (size_t)w->lines.item);
    else
        dti_bring(from, w->lines.dtype, 1, out, w->carrier, 1);
}

/* Turn the keys of entries into carriers. */
static void put_values32(const work *w, int line, int64_t start, int64_t count,
                         uint32_t *out)
{
    const char *entries = w->entries[line];
    for (int64_t i = 0; i < count; i++) {
        const uint32_t key = (uint32_t)key_at(w, entries, start + i);
        out[i] = w->floats ? dti_f32_of_order(key) : key ^ DTI_ORDER_ZERO32;
        if (w->floats && (key == DTI_ORDER_NAN32 || key == DTI_ORDER_ZERO32))
            look_up(w, line, index_at(w, entries, start + i), &out[i]);
    }
}

static void put_values64(const work *w, int line, int64_t start, int64_t count,
                         uint64_t *out)
{
    const char *entries = w->entries[line];
    for (int64_t i = 0; i < count; i++) {
        const uint64_t key = key_at(w, entries, start + i);
        out[i] = w->floats ? dti_f64_of_order(key) : key ^ DTI_ORDER_ZERO64;
        if (w->floats && (key == DTI_ORDER_NAN64 || key == DTI_ORDER_ZERO64))
            look_up(w, line, index_at(w, entries, start + i), &out[i]);
    }
}

/* Tell whether the results of a line are neighbours. */
static bool is_direct(const work *w)
{
    return w->batch.lines == 1 && w->lines.to_stride == 1;
}

static void put_values(const work *w, int64_t start, int64_t count, void *out)
{
    _Alignas(DTI_CACHE_LINE) char values[DTI_LINES * DTI_LINES_PIECE * 8];
    if (is_direct(w) && w->lines.dtype == w->carrier && w->lines.item == 4) {
        put_values32(w, 0, start, count, (uint32_t *)out + w->batch.to + start);
        return;
    }
    for (int j = 0; j < w->batch.lines; j++)
        if (dti_dtype_size(w->carrier) == 4)
            put_values32(w, j, start, count,
                         (uint32_t *)(void *)values + j * DTI_LINES_PIECE);
        else
            put_values64(w, j, start, count,
                         (uint64_t *)(void *)values + j * DTI_LINES_PIECE);
    dti_lines_put(&w->lines, &w->batch, start, count, values, w->carrier, out,
                  w->lines.dtype);
}

static void put_indexes(const work *w, int64_t start, int64_t count,
                        int64_t *out)
{
    int64_t indexes[DTI_LINES * DTI_LINES_PIECE];
    if (is_direct(w)) {
        for (int64_t i = 0; i < count; i++)
            out[w->batch.to + start + i] =
                index_at(w, w->entries[0], start + i);
        return;
    }
    for (int j = 0; j < w->batch.lines; j++)
        for (int64_t i = 0; i < count; i++)
            indexes[j * DTI_LINES_PIECE + i] =
                index_at(w, w->entries[j], start + i);
    dti_lines_put(&w->lines, &w->batch, start, count, indexes, DT_I64, out,
                  DT_I64);
}

void dti_sort_array(const dt_array *in, int dim, bool descending,
                    int64_t results, void *values, int64_t *indexes, void *room)
{
    work w = {.descending = descending};
    open_work(&w, in, dim, results, room);
    assert(results <= w.lines.count);
    while (take_lines(&w)) {
        sort_lines(&w);
        for (int64_t start = 0; start < results; start += DTI_LINES_PIECE) {
            const int64_t left = results - start;
            const int64_t part =
                left < DTI_LINES_PIECE ? left : DTI_LINES_PIECE;
            if (values)
                put_values(&w, start, part, values);
            if (indexes)
                put_indexes(&w, start, part, indexes);
        }
        w.scratch = room;
    }
}

/* ---- One element --------------------------------------------------------- */

static bool is_nan(const work *w, const char *entries, int64_t i)
{
    const uint64_t nan =
        dti_dtype_size(w->carrier) == 4 ? DTI_ORDER_NAN32 : DTI_ORDER_NAN64;
    return w->floats && key_at(w, entries, i) == nan;
}

/* The index of number k. */
static int64_t find_kth(const work *w, char *entries, int64_t k)
{
    if (w->wide)
        return (int64_t)select_long((pair *)(void *)entries,
                                    (pair *)(void *)w->scratch, w->lines.count,
                                    k)
            .index;
    if (w->rank) {
        uint64_t *sorted = (void *)w->scratch;
        w->rank((void *)entries, sorted, (int)w->lines.count);
        return (uint32_t)sorted[k];
    }
    return (uint32_t)select_short((uint64_t *)(void *)entries,
                                  (uint64_t *)(void *)w->scratch,
                                  w->lines.count, k);
}

static int64_t find_median(const work *w, char *entries, bool numbers)
{
    int64_t count = 0;
    for (int64_t i = 0; w->floats && i < w->lines.count; i++) {
        const bool nan = is_nan(w, entries, i);
        if (nan && !numbers)
            return i;
        count += nan;
    }
    const int64_t left = w->lines.count - count;
    return find_kth(w, entries, left ? (left - 1) / 2 : 0);
}

/* The first of the longest run of equal elements; no NaN equals another. */
static int64_t find_mode(const work *w, const char *sorted)
{
    int64_t best = 0, most = 0;
    for (int64_t i = 0, first = 0; i < w->lines.count; i++) {
        if (is_nan(w, sorted, i) ||
            key_at(w, sorted, i) != key_at(w, sorted, first))
            first = i;
        if (i - first + 1 > most) {
            most = i - first + 1;
            best = first;
        }
    }
    return index_at(w, sorted, best);
}

void dti_choose_array(dti_choice choice, const dt_array *in, int dim, int64_t k,
                      void *values, int64_t *indexes, void *room)
{
    work w = {.descending = false};
    open_work(&w, in, dim, 1, room);
    while (take_lines(&w)) {
        if (choice == DTI_CHOOSE_MODE)
            sort_lines(&w);
        for (int j = 0; j < w.batch.lines; j++) {
            const int64_t index =
                choice == DTI_CHOOSE_MODE ? find_mode(&w, w.entries[j])
                : choice == DTI_CHOOSE_KTH
                    ? find_kth(&w, w.entries[j], k)
                    : find_median(&w, w.entries[j],
                                  choice == DTI_CHOOSE_NANMEDIAN);
            const int64_t to = w.batch.to + j * w.lines.to_apart;
            indexes[to] = index;
            memcpy((char *)values + to * w.lines.item,
                   w.batch.from + (j * w.lines.apart + index * w.lines.stride) *
                                      w.lines.item,
                   (size_t)w.lines.item);
        }
        w.scratch = room;
    }
}
