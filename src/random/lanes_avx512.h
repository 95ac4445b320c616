/* random/lanes_avx512.h - vectors of 512 bits; see lanes_portable.h. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_RANDOM_LANES_AVX512_H
#define DTI_RANDOM_LANES_AVX512_H

#include <immintrin.h>
#include <stdint.h>

#include "base/attributes.h"

typedef uint32_t word32 DTI_VECTOR(64);
typedef uint64_t word64 DTI_VECTOR(64);
typedef float real32 DTI_VECTOR(64);
typedef double real64 DTI_VECTOR(64);
enum { LANES32 = 16, LANES64 = 8 };

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
    return (real32)_mm512_cvtepi32_ps((__m512i)word);
}

static inline real32 real32_of_unsigned(word32 word)
{
    return (real32)_mm512_cvtepu32_ps((__m512i)word);
}

static inline real32 root32(real32 value)
{
    return (real32)_mm512_sqrt_ps((__m512)value);
}

static inline real64 root64(real64 value)
{
    return (real64)_mm512_sqrt_pd((__m512d)value);
}

static inline real64 ceil64(real64 value)
{
    return (real64)_mm512_roundscale_pd((__m512d)value, _MM_FROUND_TO_POS_INF |
                                                            _MM_FROUND_NO_EXC);
}

static inline real32 lesser32(real32 a, real32 b)
{
    return (real32)_mm512_min_ps((__m512)a, (__m512)b);
}

static inline real64 lesser64(real64 a, real64 b)
{
    return (real64)_mm512_min_pd((__m512d)a, (__m512d)b);
}

static inline real64 greater64(real64 a, real64 b)
{
    return (real64)_mm512_max_pd((__m512d)a, (__m512d)b);
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
    return (word64)_mm512_mul_epu32((__m512i)a, (__m512i)b);
}

static inline word32 every_word32(uint32_t value)
{
    return (word32)_mm512_set1_epi32((int)value);
}

static inline word64 every_word64(uint64_t value)
{
    return (word64)_mm512_set1_epi64((long long)value);
}

static inline real32 every_real32(float value)
{
    return (real32)_mm512_set1_ps(value);
}

static inline real64 every_real64(double value)
{
    return (real64)_mm512_set1_pd(value);
}

static inline word64 load64(const void *from)
{
    return (word64)_mm512_loadu_si512(from);
}

static inline void store64(void *to, word64 words)
{
    _mm512_storeu_si512(to, (__m512i)words);
}

/*
 * The instructions that store a step transpose within each 128 bits.  Blocks
 * are dealt out to lanes so that this alone puts them in order.
 */
static inline word64 even_blocks(void)
{
    return (word64){0, 8, 1, 9, 2, 10, 3, 11};
}

static inline word64 odd_blocks(void)
{
    return (word64){4, 12, 5, 13, 6, 14, 7, 15};
}

static inline word64 plain_blocks(void)
{
    return (word64){0, 4, 1, 5, 2, 6, 3, 7};
}

static inline word32 join_blocks(word64 even, word64 odd)
{
    return (word32)_mm512_mask_mov_epi32((__m512i)even, 0xaaaa,
                                         (__m512i)(odd << 32));
}

static inline void store_blocks32(void *to, const word32 *words)
{
    char *out = to;
    const __m512i a =
        _mm512_unpacklo_epi32((__m512i)words[0], (__m512i)words[1]);
    const __m512i b =
        _mm512_unpackhi_epi32((__m512i)words[0], (__m512i)words[1]);
    const __m512i c =
        _mm512_unpacklo_epi32((__m512i)words[2], (__m512i)words[3]);
    const __m512i d =
        _mm512_unpackhi_epi32((__m512i)words[2], (__m512i)words[3]);
    _mm512_storeu_si512(out, _mm512_unpacklo_epi64(a, c));
    _mm512_storeu_si512(out + 64, _mm512_unpackhi_epi64(a, c));
    _mm512_storeu_si512(out + 128, _mm512_unpacklo_epi64(b, d));
    _mm512_storeu_si512(out + 192, _mm512_unpackhi_epi64(b, d));
}

static inline void store_blocks64(void *to, const word64 *words)
{
    char *out = to;
    const __m512i a = (__m512i)words[0], b = (__m512i)words[1];
    _mm512_storeu_si512(out, _mm512_unpacklo_epi64(a, b));
    _mm512_storeu_si512(out + 64, _mm512_unpackhi_epi64(a, b));
}

#endif
