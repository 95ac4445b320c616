/* random/draw.c - runs of random numbers, put together from whole blocks. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "random/draw.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "array/cast.h"
#include "base/attributes.h"
#include "base/dtype.h"
#include "base/machine/float.h"
#include "random/draw_kernels.h"
#include "random/philox.h"
#include "work/work.h"

/*
 * Element i of a draw comes from block i / n of its key, where n elements come
 * of a block.  A run is cut into whole blocks, which are made in place where
 * nothing is left to do with them, and what goes through a buffer: the ragged
 * ends, and everything that is computed in another dtype than it is wanted in.
 */

enum {
    CHUNK = 512,      /* elements that go through the buffer at a time */
    SHORT_BLOCKS = 4, /* are made faster one by one than as a vector */
    LONG_ROW = 64,    /* elements of a run that needs no company */
    FEW_ROWS = 4
};

static const unsigned char per_block[DTI_SOURCE_COUNT] = {
    [DTI_SOURCE_UNIFORM32] = 4, [DTI_SOURCE_NORMAL32] = 4,
    [DTI_SOURCE_UNIFORM64] = 2, [DTI_SOURCE_NORMAL64] = 2,
    [DTI_SOURCE_CHANCE] = 4,    [DTI_SOURCE_INTEGER] = 2,
    [DTI_SOURCE_WIDE] = 1,      [DTI_SOURCE_WORDS32] = 4,
    [DTI_SOURCE_WORDS64] = 2,
};

/* Room for a chunk of any source, and for what a vector reads past its end. */
typedef struct buffer {
    _Alignas(DTI_CACHE_LINE) uint64_t numbers[CHUNK + DTI_DRAW_PAD];
} buffer;

/* What is drawn, and how. */
typedef struct work {
    const dti_draw *draw;
    dti_cpu_level level;
    dt_dtype dtype; /* wanted; f32 for c64 */
    int64_t parts;  /* of an element: 2 for c64 */
    int64_t per;    /* elements, or parts of such, that come of a block */
    size_t item;    /* bytes of one */
} work;

static work begin_work(dti_cpu_level level, const dti_draw *draw)
{
    const bool complex = draw->dtype == DT_C64;
    const dt_dtype dtype = complex ? DT_F32 : draw->dtype;
    return (work){.draw = draw,
                  .level = level,
                  .dtype = dtype,
                  .parts = complex ? 2 : 1,
                  .per = per_block[draw->made.source],
                  .item = dti_dtype_size(dtype)};
}

static const dti_draw_kernels *kernels_for(const work *w, int64_t blocks)
{
#if defined(__x86_64__)
    if (blocks > SHORT_BLOCKS && w->level == DTI_CPU_AVX512)
        return &dti_draw_avx512;
    if (blocks > SHORT_BLOCKS && w->level == DTI_CPU_AVX2)
        return &dti_draw_avx2;
#endif
    (void)w;
    (void)blocks;
    return &dti_draw_portable;
}

/* ---- Blocks ------------------------------------------------------------- */

/* Make a chunk of blocks; gives where its numbers, of made.dtype, are: in one
 * of two buffers. */
static const char *make_blocks(const work *w, uint64_t block, uint64_t stride,
                               int64_t blocks, buffer *first, buffer *second)
{
    const dti_draw *draw = w->draw;
    const dti_draw_kernels *kernels = kernels_for(w, blocks);
    const int64_t count = blocks * w->per;
    buffer *at = first;
    kernels->fill[draw->made.source](draw, block, stride, blocks, first);
    if (draw->made.form == DTI_FORM_NONE)
        return (const char *)first;
    if (draw->made.source == DTI_SOURCE_NORMAL32) {
        dti_cast_runs_of(w->level)[DT_F32](first, second, DT_F64, count);
        at = second;
    }
    memset(at->numbers + count, 0, DTI_DRAW_PAD * sizeof *at->numbers);
    kernels->change[draw->made.form](draw, at, count);
    return (const char *)at;
}

/* Write numbers of made.dtype as the dtype that is wanted. */
static void write_numbers(const work *w, const char *from, int64_t count,
                          char *out)
{
    const dt_dtype made = w->draw->made.dtype;
    if (made == w->dtype)
        memcpy(out, from, (size_t)count * w->item);
    else
        dti_cast_runs_of(w->level)[made](from, out, w->dtype, count);
}

/* Write `count` elements, all but the first `skip` ones of some blocks. */
static void write_blocks(const work *w, uint64_t block, int64_t blocks,
                         int64_t skip, int64_t count, char *out)
{
    buffer first, second;
    const char *made = make_blocks(w, block, 1, blocks, &first, &second);
    made += (size_t)skip * dti_dtype_size(w->draw->made.dtype);
    write_numbers(w, made, count, out);
}

/* ---- Runs --------------------------------------------------------------- */

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Write some of the elements from `first` on, at least one; gives how many. */
static int64_t write_some(const work *w, int64_t first, int64_t count,
                          char *out)
{
    const dti_draw *draw = w->draw;
    const bool in_place =
        draw->made.form == DTI_FORM_NONE && draw->made.dtype == w->dtype;
    const uint64_t block = (uint64_t)(first / w->per);
    const int64_t skip = first % w->per;
    int64_t blocks = (skip + count + w->per - 1) / w->per;
    if (in_place && skip == 0 && blocks > SHORT_BLOCKS) {
        blocks = count / w->per;
        kernels_for(w, blocks)->fill[draw->made.source](draw, block, 1, blocks,
                                                        out);
        return blocks * w->per;
    }
    /* What follows a ragged beginning can be made in place. */
    if (in_place && blocks > SHORT_BLOCKS)
        blocks = 1;
    blocks = lesser(blocks, CHUNK / w->per);
    const int64_t written = lesser(blocks * w->per - skip, count);
    write_blocks(w, block, blocks, skip, written, out);
    return written;
}

static void run(const work *w, int64_t first, int64_t count, char *out)
{
    while (count > 0) {
        const int64_t written = write_some(w, first, count, out);
        first += written;
        count -= written;
        out += (size_t)written * w->item;
    }
}

/* A run or rows, of which threads take ranges of elements or of rows. */
typedef struct shared {
    const work *work;
    int64_t first, length, apart; /* in elements, or parts of such */
    char *out;
} shared;

/* Making a number takes as long as moving it four times. */
static int64_t bytes_of(const work *w, int64_t count)
{
    return 4 * count * (int64_t)w->item + 1;
}

static void run_range(void *context, int64_t begin, int64_t end, int slot)
{
    const shared *s = context;
    const dti_float_state before = dti_float_begin();
    (void)slot;
    run(s->work, s->first + begin, end - begin,
        s->out + (size_t)begin * s->work->item);
    dti_float_end(before);
}

void dti_draw_run_at(dti_cpu_level level, const dti_draw *draw, int64_t first,
                     int64_t count, void *out)
{
    const work w = begin_work(level, draw);
    shared s = {.work = &w, .first = first * w.parts, .out = out};
    assert(first >= 0 && count >= 0);
    dti_work_ranges(count * w.parts, CHUNK, bytes_of(&w, 1), run_range, &s);
}

void dti_draw_run(const dti_draw *draw, int64_t first, int64_t count, void *out)
{
    dti_draw_run_at(dti_cpu_level_used(), draw, first, count, out);
}

/* ---- Rows --------------------------------------------------------------- */

/*
 * Rows that begin at the same place in a block have their blocks at one
 * distance from each other: a vector takes as many rows as it has lanes.
 */
typedef struct rows {
    int64_t first, count, stride; /* in elements, or parts of such */
    int64_t rows;
    char *out;
    size_t apart; /* bytes from one row of the output to the next */
} rows;

/* Write the elements that one block of each row holds, `at` elements after the
 * row's first. */
static void write_column(const work *w, const rows *r, int64_t at)
{
    const int64_t first = r->first + at;
    const int64_t skip = first % w->per;
    const size_t bytes = (size_t)lesser(w->per - skip, r->count - at) * w->item;
    const uint64_t stride = (uint64_t)(r->stride / w->per);
    const int64_t chunk = CHUNK / w->per;
    char *to = r->out + (size_t)at * w->item;
    buffer one, two, cast;
    for (int64_t row = 0; row < r->rows; row += chunk) {
        const int64_t now = lesser(r->rows - row, chunk);
        const uint64_t block =
            (uint64_t)(first / w->per) + (uint64_t)row * stride;
        const char *from = make_blocks(w, block, stride, now, &one, &two);
        if (w->draw->made.dtype != w->dtype) {
            write_numbers(w, from, now * w->per, (char *)&cast);
            from = (const char *)&cast;
        }
        from += (size_t)skip * w->item;
        for (int64_t i = 0; i < now; i++, to += r->apart)
            memcpy(to, from + (size_t)(i * w->per) * w->item, bytes);
    }
}

/* Of several rows, how many pass until one begins at the same place again. */
static int64_t period_of(const work *w, int64_t stride)
{
    int64_t period = 1;
    while (period * stride % w->per != 0)
        period++;
    return period;
}

/* Write rows of `length`, which begin `apart` from each other. */
static void run_rows(const work *w, int64_t first, int64_t length,
                     int64_t apart, int64_t row_count, char *out)
{
    const size_t bytes = (size_t)length * w->item;
    const int64_t period = period_of(w, apart);
    if (length > LONG_ROW || row_count < period * FEW_ROWS) {
        for (int64_t i = 0; i < row_count; i++)
            run(w, first + i * apart, length, out + (size_t)i * bytes);
        return;
    }
    for (int64_t i = 0; i < period; i++) {
        const rows these = {.first = first + i * apart,
                            .count = length,
                            .stride = apart * period,
                            .rows = (row_count - i + period - 1) / period,
                            .out = out + (size_t)i * bytes,
                            .apart = bytes * (size_t)period};
        for (int64_t at = 0; at < length;
             at += w->per - (these.first + at) % w->per)
            write_column(w, &these, at);
    }
}

static void row_range(void *context, int64_t begin, int64_t end, int slot)
{
    const shared *s = context;
    const dti_float_state before = dti_float_begin();
    (void)slot;
    run_rows(s->work, s->first + begin * s->apart, s->length, s->apart,
             end - begin, s->out + (size_t)(begin * s->length) * s->work->item);
    dti_float_end(before);
}

void dti_draw_rows_at(dti_cpu_level level, const dti_draw *draw, int64_t first,
                      int64_t count, int64_t stride, int64_t row_count,
                      void *out)
{
    const work w = begin_work(level, draw);
    shared s = {.work = &w,
                .first = first * w.parts,
                .length = count * w.parts,
                .apart = stride * w.parts,
                .out = out};
    assert(first >= 0 && count >= 0 && stride >= 0 && row_count >= 0);
    dti_work_ranges(row_count, 64, bytes_of(&w, s.length), row_range, &s);
}

void dti_draw_rows(const dti_draw *draw, int64_t first, int64_t count,
                   int64_t stride, int64_t row_count, void *out)
{
    dti_draw_rows_at(dti_cpu_level_used(), draw, first, count, stride,
                     row_count, out);
}

/* ---- Integers of large ranges ------------------------------------------- */

/* The upper half of a product, and its lower half. */
static uint64_t multiply_high(uint64_t a, uint64_t b, uint64_t *low)
{
    const uint64_t a0 = a & UINT32_MAX, a1 = a >> 32;
    const uint64_t b0 = b & UINT32_MAX, b1 = b >> 32;
    const uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
    const uint64_t other = a0 * b1 + (middle & UINT32_MAX);
    *low = a * b;
    return a1 * b1 + (middle >> 32) + (other >> 32);
}

/* A block is a number of 128 bits; it is multiplied by the range, and the part
 * past 128 bits taken. */
void dti_draw_fill_wide(const dti_draw *draw, uint64_t block, uint64_t stride,
                        int64_t blocks, void *out)
{
    int64_t *to = out;
    for (int64_t i = 0; i < blocks; i++) {
        const uint64_t counter =
            draw->key.offset + block + (uint64_t)i * stride;
        const dti_philox_block b = dti_philox(draw->key.seed, counter, 0);
        const uint64_t upper = (uint64_t)b.words[0] << 32 | b.words[1];
        const uint64_t lower = (uint64_t)b.words[2] << 32 | b.words[3];
        uint64_t sum, unused;
        uint64_t high = multiply_high(upper, draw->made.range, &sum);
        const uint64_t more = multiply_high(lower, draw->made.range, &unused);
        high += sum + more < sum; /* the carry */
        const uint64_t value = draw->made.base + high;
        memcpy(&to[i], &value, sizeof value);
    }
}
