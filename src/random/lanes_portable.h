/* random/lanes_portable.h - vectors of one number, for any processor. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_RANDOM_LANES_PORTABLE_H
#define DTI_RANDOM_LANES_PORTABLE_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/bits.h"

/*
 * What math_tmpl.h and draw_tmpl.h are written in: numbers of 32 and 64 bits,
 * here one in each vector.  lanes_avx2.h and lanes_avx512.h have the same names
 * for more; on those and on these, C's operators mean the same.
 */
typedef uint32_t word32;
typedef uint64_t word64;
typedef float real32;
typedef double real64;
enum { LANES32 = 1, LANES64 = 1 };

static inline real32 real32_of_bits(word32 bits)
{
    return dti_f32_of_bits(bits);
}

static inline word32 bits_of_real32(real32 value)
{
    return dti_bits_of_f32(value);
}

static inline real64 real64_of_bits(word64 bits)
{
    return dti_f64_of_bits(bits);
}

static inline word64 bits_of_real64(real64 value)
{
    return dti_bits_of_f64(value);
}

/* Words as signed and as unsigned numbers, rounded to nearest even. */
static inline real32 real32_of_signed(word32 word)
{
    return (real32)(int32_t)word;
}

static inline real32 real32_of_unsigned(word32 word)
{
    return (real32)word;
}

static inline real32 root32(real32 value)
{
    return sqrtf(value);
}

static inline real64 root64(real64 value)
{
    return sqrt(value);
}

static inline real64 ceil64(real64 value)
{
    return ceil(value);
}

static inline real32 lesser32(real32 a, real32 b)
{
    return a < b ? a : b;
}

static inline real64 lesser64(real64 a, real64 b)
{
    return a < b ? a : b;
}

static inline real64 greater64(real64 a, real64 b)
{
    return a > b ? a : b;
}

/* All bits where it is so, none elsewhere. */
static inline word32 at_most32(word32 a, word32 b)
{
    return a <= b ? ~(word32)0 : 0;
}

static inline word64 less64(real64 a, real64 b)
{
    return a < b ? ~(word64)0 : 0;
}

/* The products of the low halves. */
static inline word64 multiply_low(word64 a, word64 b)
{
    return (a & UINT32_MAX) * (b & UINT32_MAX);
}

/* The same number in every lane. */
static inline word32 every_word32(uint32_t value)
{
    return value;
}

static inline word64 every_word64(uint64_t value)
{
    return value;
}

static inline real32 every_real32(float value)
{
    return value;
}

static inline real64 every_real64(double value)
{
    return value;
}

static inline word64 load64(const void *from)
{
    word64 words;
    memcpy(&words, from, sizeof words);
    return words;
}

static inline void store64(void *to, word64 words)
{
    memcpy(to, &words, sizeof words);
}

/* Which blocks a step works on, counted from its first. */
static inline word64 even_blocks(void)
{
    return 0;
}

static inline word64 odd_blocks(void)
{
    return 0;
}

static inline word64 plain_blocks(void)
{
    return 0;
}

/* Join the low halves of even and odd blocks; there are no odd ones here. */
static inline word32 join_blocks(word64 even, word64 odd)
{
    (void)odd;
    return (word32)even;
}

/* Store four words, or two, of each block of a step in the blocks' order. */
static inline void store_blocks32(void *to, const word32 *words)
{
    memcpy(to, words, 4 * sizeof *words);
}

static inline void store_blocks64(void *to, const word64 *words)
{
    memcpy(to, words, 2 * sizeof *words);
}

#endif
