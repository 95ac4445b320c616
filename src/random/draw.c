/* random/draw.c - runs of random numbers, put together from whole blocks. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "random/draw.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "array/cast.h"
#include "base/attributes.h"
#include "base/dtype.h"
#include "random/draw_kernels.h"
#include "random/philox.h"

/*
 * Element i of a draw comes from block i / n of its key, where n elements come
 * of a block.  A run is cut into whole blocks, which are made in place where
 * nothing is left to do with them, and what goes through a buffer: the ragged
 * ends, and everything that is computed in another dtype than it is wanted in.
 */

enum {
    CHUNK = 512,     /* elements that go through the buffer at a time */
    SHORT_BLOCKS = 4 /* are made faster one by one than as a vector */
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

/* A run under way. */
typedef struct run {
    const dti_draw *draw;
    dti_cpu_level level;
    dt_dtype dtype; /* wanted; f32 for c64 */
    size_t item;    /* its bytes */
    int per;        /* elements of a block */
    char *out;
} run;

static const dti_draw_kernels *kernels_for(const run *r, int64_t blocks)
{
#if defined(__x86_64__)
    if (blocks > SHORT_BLOCKS && r->level == DTI_CPU_AVX512)
        return &dti_draw_avx512;
    if (blocks > SHORT_BLOCKS && r->level == DTI_CPU_AVX2)
        return &dti_draw_avx2;
#endif
    (void)r;
    (void)blocks;
    return &dti_draw_portable;
}

/* Make the distribution of `count` numbers of the source; gives where it is. */
static void *apply_form(const run *r, const dti_draw_kernels *kernels,
                        buffer *from, buffer *wide, int64_t count)
{
    const dti_draw *draw = r->draw;
    buffer *at = from;
    if (draw->made.source == DTI_SOURCE_NORMAL32) {
        dti_cast_runs_of(r->level)[DT_F32](from, wide, DT_F64, count);
        at = wide;
    }
    memset(at->numbers + count, 0, DTI_DRAW_PAD * sizeof *at->numbers);
    kernels->change[draw->made.form](draw, at, count);
    return at;
}

/* Write `count` elements, all but the first `skip` ones of some blocks. */
static void write_blocks(run *r, uint64_t block, int64_t blocks, int skip,
                         int64_t count)
{
    const dti_draw *draw = r->draw;
    const dti_draw_kernels *kernels = kernels_for(r, blocks);
    buffer numbers, wide;
    void *made = &numbers;
    kernels->fill[draw->made.source](draw, block, blocks, &numbers);
    if (draw->made.form != DTI_FORM_NONE)
        made = apply_form(r, kernels, &numbers, &wide, blocks * r->per);
    const char *from =
        (const char *)made + (size_t)skip * dti_dtype_size(draw->made.dtype);
    if (draw->made.dtype == r->dtype)
        memcpy(r->out, from, (size_t)count * r->item);
    else
        dti_cast_runs_of(r->level)[draw->made.dtype](from, r->out, r->dtype,
                                                     count);
    r->out += (size_t)count * r->item;
}

/* Make whole blocks where they are wanted. */
static void fill_blocks(run *r, uint64_t block, int64_t blocks)
{
    const dti_draw_kernels *kernels = kernels_for(r, blocks);
    kernels->fill[r->draw->made.source](r->draw, block, blocks, r->out);
    r->out += (size_t)(blocks * r->per) * r->item;
}

static void run_elements(run *r, uint64_t first, int64_t count)
{
    const bool in_place =
        r->draw->made.form == DTI_FORM_NONE && r->draw->made.dtype == r->dtype;
    const int64_t chunk = CHUNK / r->per;
    uint64_t block = first / (unsigned)r->per;
    int skip = (int)(first % (unsigned)r->per);
    while (count > 0) {
        int64_t blocks = (count + skip + r->per - 1) / r->per;
        int64_t taken;
        if (in_place && skip == 0 && count >= r->per && blocks > SHORT_BLOCKS) {
            blocks = count / r->per;
            taken = blocks * r->per;
            fill_blocks(r, block, blocks);
        } else {
            if (blocks > chunk)
                blocks = chunk;
            /* What follows a ragged beginning can be made in place. */
            if (in_place && blocks > SHORT_BLOCKS)
                blocks = 1;
            taken = blocks * r->per - skip;
            if (taken > count)
                taken = count;
            write_blocks(r, block, blocks, skip, taken);
        }
        block += (uint64_t)blocks;
        count -= taken;
        skip = 0;
    }
}

void dti_draw_run_at(dti_cpu_level level, const dti_draw *draw, int64_t first,
                     int64_t count, void *out)
{
    assert(first >= 0 && count >= 0);
    const int parts = draw->dtype == DT_C64 ? 2 : 1;
    run r = {.draw = draw,
             .level = level,
             .dtype = parts == 2 ? DT_F32 : draw->dtype,
             .per = per_block[draw->made.source],
             .out = out};
    r.item = dti_dtype_size(r.dtype);
    run_elements(&r, (uint64_t)first * (unsigned)parts, count * parts);
}

void dti_draw_run(const dti_draw *draw, int64_t first, int64_t count, void *out)
{
    dti_draw_run_at(dti_cpu_level_used(), draw, first, count, out);
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
void dti_draw_fill_wide(const dti_draw *draw, uint64_t block, int64_t blocks,
                        void *out)
{
    int64_t *to = out;
    for (int64_t i = 0; i < blocks; i++) {
        const dti_philox_block b = dti_philox(
            draw->key.seed, draw->key.offset + block + (uint64_t)i, 0);
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
