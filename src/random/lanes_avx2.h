/* random/lanes_avx2.h - vectors of 256 bits; see lanes_portable.h. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_RANDOM_LANES_AVX2_H
#define DTI_RANDOM_LANES_AVX2_H

#include <immintrin.h>
#include <stdint.h>

#include "base/attributes.h"

typedef uint32_t word32 DTI_VECTOR(32);
typedef uint64_t word64 DTI_VECTOR(32);
typedef float real32 DTI_VECTOR(32);
typedef double real64 DTI_VECTOR(32);
enum { LANES32 = 8, LANES64 = 4 };

static inline real32 real32_of_bits(word32 bits)
{
    return (real32)bits;
}

static inline word32 bits_of_real32(real32 value)
{
    return (word32)value;
}

static inline real64 real64_of_bits(word64 bits)
{
    return (real64)bits;
}

static inline word64 bits_of_real64(real64 value)
{
    return (word64)value;
}

static inline real32 real32_of_signed(word32 word)
{
    return (real32)_mm256_cvtepi32_ps((__m256i)word);
}

/* Both halves convert exactly; their sum is rounded once. */
static inline real32 real32_of_unsigned(word32 word)
{
    return real32_of_signed(word >> 16) * 65536.0f +
           real32_of_signed(word & UINT32_C(0xffff));
}

static inline real32 root32(real32 value)
{
    return (real32)_mm256_sqrt_ps((__m256)value);
}

static inline real64 root64(real64 value)
{
    return (real64)_mm256_sqrt_pd((__m256d)value);
}

static inline real64 ceil64(real64 value)
{
    return (real64)_mm256_ceil_pd((__m256d)value);
}

static inline real32 lesser32(real32 a, real32 b)
{
    return (real32)_mm256_min_ps((__m256)a, (__m256)b);
}

static inline real64 lesser64(real64 a, real64 b)
{
    return (real64)_mm256_min_pd((__m256d)a, (__m256d)b);
}

static inline real64 greater64(real64 a, real64 b)
{
    return (real64)_mm256_max_pd((__m256d)a, (__m256d)b);
}

static inline word32 at_most32(word32 a, word32 b)
{
    return (word32)(a <= b);
}

static inline word64 less64(real64 a, real64 b)
{
    return (word64)(a < b);
}

static inline word64 multiply_low(word64 a, word64 b)
{
    return (word64)_mm256_mul_epu32((__m256i)a, (__m256i)b);
}

static inline word32 every_word32(uint32_t value)
{
    return (word32)_mm256_set1_epi32((int)value);
}

static inline word64 every_word64(uint64_t value)
{
    return (word64)_mm256_set1_epi64x((long long)value);
}

static inline real32 every_real32(float value)
{
    return (real32)_mm256_set1_ps(value);
}

static inline real64 every_real64(double value)
{
    return (real64)_mm256_set1_pd(value);
}

static inline word64 load64(const void *from)
{
    return (word64)_mm256_loadu_si256(from);
}

static inline void store64(void *to, word64 words)
{
    _mm256_storeu_si256(to, (__m256i)words);
}

/*
 * The instructions that store a step transpose within each 128 bits.  Blocks
 * are dealt out to lanes so that this alone puts them in order.
 */
static inline word64 even_blocks(void)
{
    return (word64){0, 4, 1, 5};
}

static inline word64 odd_blocks(void)
{
    return (word64){2, 6, 3, 7};
}

static inline word64 plain_blocks(void)
{
    return (word64){0, 2, 1, 3};
}

static inline word32 join_blocks(word64 even, word64 odd)
{
    return (word32)_mm256_blend_epi32((__m256i)even, (__m256i)(odd << 32),
                                      0xaa);
}

static inline void store_blocks32(void *to, const word32 *words)
{
    __m256i *out = to;
    const __m256i a =
        _mm256_unpacklo_epi32((__m256i)words[0], (__m256i)words[1]);
    const __m256i b =
        _mm256_unpackhi_epi32((__m256i)words[0], (__m256i)words[1]);
    const __m256i c =
        _mm256_unpacklo_epi32((__m256i)words[2], (__m256i)words[3]);
    const __m256i d =
        _mm256_unpackhi_epi32((__m256i)words[2], (__m256i)words[3]);
    _mm256_storeu_si256(out, _mm256_unpacklo_epi64(a, c));
    _mm256_storeu_si256(out + 1, _mm256_unpackhi_epi64(a, c));
    _mm256_storeu_si256(out + 2, _mm256_unpacklo_epi64(b, d));
    _mm256_storeu_si256(out + 3, _mm256_unpackhi_epi64(b, d));
}

static inline void store_blocks64(void *to, const word64 *words)
{
    __m256i *out = to;
    const __m256i a = (__m256i)words[0], b = (__m256i)words[1];
    _mm256_storeu_si256(out, _mm256_unpacklo_epi64(a, b));
    _mm256_storeu_si256(out + 1, _mm256_unpackhi_epi64(a, b));
}

#endif
