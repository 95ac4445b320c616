/* random/permutation.c - a random order. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>
#include <stdlib.h>

#include "base/error.h"
#include "random/draw_kernels.h"

/*
 * Numbers are sorted by 64 random bits each: three stable passes by 11 bits,
 * the upper 33 together, then insertion, which has next to nothing left to do.
 */

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, PASSES = 3 };
enum { FEW = 64 }; /* are inserted at once */

typedef struct entry {
    uint64_t bits;
    int64_t number;
} entry;

/* Number the entries and give each the bits of its element. */
static void draw_bits(dti_random_key key, entry *entries, int64_t count)
{
    enum { CHUNK = 512 };
    const dti_draw draw = {
        .key = key,
        .dtype = DT_I64,
        .made = {.source = DTI_SOURCE_WORDS64, .dtype = DT_I64}};
    uint64_t bits[CHUNK];
    for (int64_t first = 0; first < count; first += CHUNK) {
        const int64_t part = count - first < CHUNK ? count - first : CHUNK;
        dti_draw_run(&draw, first, part, bits);
        for (int64_t i = 0; i < part; i++)
            entries[first + i] = (entry){bits[i], first + i};
    }
}

static unsigned digit_of(uint64_t bits, int pass)
{
    const int shift = 64 - (PASSES - pass) * DIGIT_BITS;
    return (unsigned)(bits >> shift) & (DIGITS - 1);
}

static void sort_by_digit(const entry *from, entry *to, int64_t count, int pass)
{
    int64_t starts[DIGITS] = {0};
    int64_t sum = 0;
    for (int64_t i = 0; i < count; i++)
        starts[digit_of(from[i].bits, pass)]++;
    for (int i = 0; i < DIGITS; i++) {
        const int64_t here = starts[i];
        starts[i] = sum;
        sum += here;
    }
    for (int64_t i = 0; i < count; i++)
        to[starts[digit_of(from[i].bits, pass)]++] = from[i];
}

/* Equal bits keep their order, which is that of the numbers. */
static void insert_all(entry *entries, int64_t count)
{
    for (int64_t i = 1; i < count; i++) {
        const entry this = entries[i];
        int64_t at = i;
        for (; at > 0 && entries[at - 1].bits > this.bits; at--)
            entries[at] = entries[at - 1];
        entries[at] = this;
    }
}

dt_status dti_random_permutation(dt_world *world, dti_random_key key,
                                 int64_t count, int64_t *out)
{
    assert(count >= 0);
    const size_t bytes = (size_t)count * sizeof(entry);
    entry *entries = malloc(bytes ? bytes : 1);
    entry *others = malloc(bytes ? bytes : 1);
    if (!entries || !others) {
        free(entries);
        free(others);
        return dti_fail_memory(world, 2 * bytes, "a random order");
    }
    draw_bits(key, entries, count);
    for (int pass = 0; count > FEW && pass < PASSES; pass++) {
        sort_by_digit(entries, others, count, pass);
        entry *sorted = others;
        others = entries;
        entries = sorted;
    }
    insert_all(entries, count);
    for (int64_t i = 0; i < count; i++)
        out[i] = entries[i].number;
    free(entries);
    free(others);
    return DT_OK;
}
