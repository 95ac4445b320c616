/* random/draw_tmpl.h - the kernels of draws with one instruction set. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: LOOPS, the name of the table, and what
 * lanes_portable.h defines.  All levels give the same bits; see math_tmpl.h.
 */
#include <string.h>

#include "random/draw_kernels.h"
#include "random/math_tmpl.h"
#include "random/philox.h"

/* What stays the same from step to step; a copy, which stores cannot touch. */
typedef struct steady {
    word64 round_keys[DTI_PHILOX_ROUNDS][2];
    word64 even, odd,
        plain; /* from the first counter of a step to the others */
    dti_draw_made made;
} steady;

static inline steady begin(const dti_draw *draw, uint64_t stride)
{
    steady state = {.made = draw->made};
    state.even = even_blocks() * stride;
    state.odd = odd_blocks() * stride;
    state.plain = plain_blocks() * stride;
    uint32_t k0 = (uint32_t)draw->key.seed;
    uint32_t k1 = (uint32_t)(draw->key.seed >> 32);
    for (int i = 0; i < DTI_PHILOX_ROUNDS; i++) {
        state.round_keys[i][0] = every_word64(k0);
        state.round_keys[i][1] = every_word64(k1);
        k0 += DTI_PHILOX_W0;
        k1 += DTI_PHILOX_W1;
    }
    return state;
}

/* ---- Blocks ------------------------------------------------------------- */

/*
 * Philox of several counters, whose upper half is 0.  Each word has 64 bits to
 * itself: a product is then one instruction, and both of its halves are where
 * they are wanted.  What is left in the upper bits of a word is garbage, which
 * products do not see.
 */
static inline void philox(const steady *state, word64 counters, word64 *out)
{
    const word64 m0 = every_word64(DTI_PHILOX_M0),
                 m1 = every_word64(DTI_PHILOX_M1);
    /* The first round, without the product that is 0. */
    const word64 first = multiply_low(counters, m0);
    word64 c0 = (counters >> 32) ^ state->round_keys[0][0];
    word64 c1 = every_word64(0);
    word64 c2 = (first >> 32) ^ state->round_keys[0][1];
    word64 c3 = first;
    for (int i = 1; i < DTI_PHILOX_ROUNDS; i++) {
        const word64 p0 = multiply_low(c0, m0);
        const word64 p1 = multiply_low(c2, m1);
        c0 = (p1 >> 32) ^ c1 ^ state->round_keys[i][0];
        c1 = p1;
        c2 = (p0 >> 32) ^ c3 ^ state->round_keys[i][1];
        c3 = p0;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

/* The four words of LANES32 blocks. */
static inline void draw_words(const steady *state, uint64_t counter,
                              word32 *out)
{
    word64 even[4], odd[4];
    philox(state, counter + state->even, even);
    philox(state, counter + state->odd, odd);
    for (int i = 0; i < 4; i++)
        out[i] = join_blocks(even[i], odd[i]);
}

/* The two words of 64 bits of LANES64 blocks: the first of two lanes is the
 * upper half. */
static inline void draw_pairs(const steady *state, uint64_t counter,
                              word64 *out)
{
    word64 words[4];
    philox(state, counter + state->plain, words);
    for (int i = 0; i < 2; i++)
        out[i] = (words[2 * i] << 32) | (words[2 * i + 1] & UINT32_MAX);
}

/* A number between 0 and 1, neither included: the middle of one of 2^52. */
static inline real64 unit64(word64 word)
{
    return real64_of_bits((word >> 12) | UINT64_C(0x3ff0000000000000)) -
           (1 - 0x1p-53);
}

/* ---- Steps -------------------------------------------------------------- */

static inline void uniform32_step(const steady *state, uint64_t counter,
                                  float *out)
{
    const float low = (float)state->made.center,
                span = (float)state->made.scale;
    const real32 largest = every_real32((float)state->made.largest);
    word32 words[4];
    draw_words(state, counter, words);
    for (int i = 0; i < 4; i++) {
        const real32 unit =
            real32_of_signed(words[i] & UINT32_C(0xffffff)) * 0x1p-24f;
        words[i] = bits_of_real32(lesser32(unit * span + low, largest));
    }
    store_blocks32(out, words);
}

static inline void uniform64_step(const steady *state, uint64_t counter,
                                  double *out)
{
    const double low = state->made.center, span = state->made.scale;
    const real64 largest = every_real64(state->made.largest);
    word64 words[2];
    draw_pairs(state, counter, words);
    for (int i = 0; i < 2; i++) {
        /* The lower 53 bits, as 2^84 + their upper part and 2^52 + the rest. */
        const real64 upper =
            real64_of_bits(((words[i] >> 32) & UINT64_C(0x1fffff)) |
                           UINT64_C(0x4530000000000000));
        const real64 rest = real64_of_bits((words[i] & UINT32_MAX) |
                                           UINT64_C(0x4330000000000000));
        const real64 unit = (upper - (0x1p84 + 0x1p52) + rest) * 0x1p-53;
        words[i] = bits_of_real64(lesser64(unit * span + low, largest));
    }
    store_blocks64(out, words);
}

/*
 * Box and Muller: two uniform numbers as a radius and an angle give two normal
 * ones.
 */
static inline void normal32_pair(const steady *state, word32 *words)
{
    const float mean = (float)state->made.center,
                std = (float)state->made.scale;
    const real32 unit = (real32_of_unsigned(words[0]) + 0.5f) * 0x1p-32f;
    const real32 radius = root32(log32(unit) * -2.0f);
    real32 sine, cosine;
    sin_cos32(words[1], &sine, &cosine);
    words[0] = bits_of_real32(radius * cosine * std + mean);
    words[1] = bits_of_real32(radius * sine * std + mean);
}

static inline void normal32_step(const steady *state, uint64_t counter,
                                 float *out)
{
    word32 words[4];
    draw_words(state, counter, words);
    normal32_pair(state, words);
    normal32_pair(state, words + 2);
    store_blocks32(out, words);
}

static inline void normal64_step(const steady *state, uint64_t counter,
                                 double *out)
{
    const double mean = state->made.center, std = state->made.scale;
    word64 words[2];
    real64 sine, cosine;
    draw_pairs(state, counter, words);
    const real64 radius = root64(log64(unit64(words[0])) * -2.0);
    sin_cos64(words[1], &sine, &cosine);
    words[0] = bits_of_real64(radius * cosine * std + mean);
    words[1] = bits_of_real64(radius * sine * std + mean);
    store_blocks64(out, words);
}

/* The range is the largest word that counts as 1. */
static inline void chance_step(const steady *state, uint64_t counter,
                               int32_t *out)
{
    const word32 largest = every_word32((uint32_t)state->made.range);
    word32 words[4];
    draw_words(state, counter, words);
    for (int i = 0; i < 4; i++)
        words[i] = at_most32(words[i], largest) & 1;
    store_blocks32(out, words);
}

/* The range is one less than the number of values, which fits 32 bits. */
static inline void integer_step(const steady *state, uint64_t counter,
                                int64_t *out)
{
    const word64 range = every_word64(state->made.range);
    word64 words[2];
    draw_pairs(state, counter, words);
    for (int i = 0; i < 2; i++) {
        /* word * (range + 1) / 2^64, by halves; no sum overflows. */
        const word64 upper = words[i] >> 32, lower = words[i] & UINT32_MAX;
        const word64 carry = (multiply_low(lower, range) + lower) >> 32;
        const word64 high = (multiply_low(upper, range) + upper + carry) >> 32;
        words[i] = high + state->made.base;
    }
    store_blocks64(out, words);
}

static inline void words32_step(const steady *state, uint64_t counter,
                                uint64_t *out)
{
    uint32_t part[4 * LANES32];
    word32 words[4];
    draw_words(state, counter, words);
    store_blocks32(part, words);
    for (int i = 0; i < 4 * LANES32; i++)
        out[i] = (uint64_t)part[i] << 32 | UINT64_C(1) << 31;
}

static inline void words64_step(const steady *state, uint64_t counter,
                                uint64_t *out)
{
    word64 words[2];
    draw_pairs(state, counter, words);
    store_blocks64(out, words);
}

#define NAME fill_uniform32
#define STEP uniform32_step
#define ITEM float
#define PER 4
#define BLOCKS LANES32
#include "random/draw_loop_tmpl.h"

#define NAME fill_normal32
#define STEP normal32_step
#define ITEM float
#define PER 4
#define BLOCKS LANES32
#include "random/draw_loop_tmpl.h"

#define NAME fill_uniform64
#define STEP uniform64_step
#define ITEM double
#define PER 2
#define BLOCKS LANES64
#include "random/draw_loop_tmpl.h"

#define NAME fill_normal64
#define STEP normal64_step
#define ITEM double
#define PER 2
#define BLOCKS LANES64
#include "random/draw_loop_tmpl.h"

#define NAME fill_chance
#define STEP chance_step
#define ITEM int32_t
#define PER 4
#define BLOCKS LANES32
#include "random/draw_loop_tmpl.h"

#define NAME fill_integer
#define STEP integer_step
#define ITEM int64_t
#define PER 2
#define BLOCKS LANES64
#include "random/draw_loop_tmpl.h"

#define NAME fill_words32
#define STEP words32_step
#define ITEM uint64_t
#define PER 4
#define BLOCKS LANES32
#include "random/draw_loop_tmpl.h"

#define NAME fill_words64
#define STEP words64_step
#define ITEM uint64_t
#define PER 2
#define BLOCKS LANES64
#include "random/draw_loop_tmpl.h"

/* ---- Forms -------------------------------------------------------------- */

static inline word64 exponential_of(const dti_draw_made *made, word64 word)
{
    return bits_of_real64(log64(unit64(word)) / made->scale);
}

static inline word64 geometric_of(const dti_draw_made *made, word64 word)
{
    const real64 trials = ceil64(log64(unit64(word)) / made->scale);
    return bits_of_real64(greater64(trials, every_real64(1)));
}

/* The cotangent of up to half a turn. */
static inline word64 cauchy_of(const dti_draw_made *made, word64 word)
{
    real64 sine, cosine;
    sin_cos64(word >> 1, &sine, &cosine);
    return bits_of_real64(cosine / sine * made->scale + made->center);
}

static inline word64 truncated_of(const dti_draw_made *made, word64 word)
{
    const real64 p = lesser64(unit64(word) * made->inside + made->below,
                              every_real64(1 - 0x1p-53));
    const real64 x = normal_quantile64(p) * made->scale + made->center;
    return bits_of_real64(lesser64(greater64(x, every_real64(made->smallest)),
                                   every_real64(made->largest)));
}

static inline word64 exp_of(const dti_draw_made *made, word64 word)
{
    (void)made;
    return bits_of_real64(exp64(real64_of_bits(word)));
}

#define NAME change_exponential
#define FORM exponential_of
#include "random/draw_form_tmpl.h"

#define NAME change_geometric
#define FORM geometric_of
#include "random/draw_form_tmpl.h"

#define NAME change_cauchy
#define FORM cauchy_of
#include "random/draw_form_tmpl.h"

#define NAME change_truncated
#define FORM truncated_of
#include "random/draw_form_tmpl.h"

#define NAME change_exp
#define FORM exp_of
#include "random/draw_form_tmpl.h"

const dti_draw_kernels LOOPS = {
    .fill =
        {
            [DTI_SOURCE_UNIFORM32] = fill_uniform32,
            [DTI_SOURCE_NORMAL32] = fill_normal32,
            [DTI_SOURCE_UNIFORM64] = fill_uniform64,
            [DTI_SOURCE_NORMAL64] = fill_normal64,
            [DTI_SOURCE_CHANCE] = fill_chance,
            [DTI_SOURCE_INTEGER] = fill_integer,
            [DTI_SOURCE_WIDE] = dti_draw_fill_wide,
            [DTI_SOURCE_WORDS32] = fill_words32,
            [DTI_SOURCE_WORDS64] = fill_words64,
        },
    .change =
        {
            [DTI_FORM_EXPONENTIAL] = change_exponential,
            [DTI_FORM_GEOMETRIC] = change_geometric,
            [DTI_FORM_CAUCHY] = change_cauchy,
            [DTI_FORM_TRUNCATED] = change_truncated,
            [DTI_FORM_EXP] = change_exp,
        },
};

#undef LOOPS
