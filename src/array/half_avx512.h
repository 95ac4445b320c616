/* array/half_avx512.h - 16 floats at a time, as f32 and as halves, with
 * AVX-512. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_ARRAY_HALF_AVX512_H
#define DTI_ARRAY_HALF_AVX512_H

#include <immintrin.h>

typedef __m512 vector;
enum { WIDTH = 16 };

/* A vector of equal floats. */
static inline vector spread(float x)
{
    return _mm512_set1_ps(x);
}

/* The first lanes; `count` is 0 to 16. */
static inline __mmask16 lanes(int count)
{
    return (__mmask16)((1u << count) - 1);
}

/* Elements past `count` are neither read nor written. */
static inline vector load_f32(const void *from, int count)
{
    return _mm512_maskz_loadu_ps(lanes(count), from);
}

static inline void store_f32(void *to, vector values, int count)
{
    _mm512_mask_storeu_ps(to, lanes(count), values);
}

static inline vector load_f16(const void *from, int count)
{
    return _mm512_cvtph_ps(_mm256_maskz_loadu_epi16(lanes(count), from));
}

static inline void store_f16(void *to, vector values, int count)
{
    _mm256_mask_storeu_epi16(
        to, lanes(count), _mm512_cvtps_ph(values, _MM_FROUND_TO_NEAREST_INT));
}

static inline vector load_bf16(const void *from, int count)
{
    const __m256i halves = _mm256_maskz_loadu_epi16(lanes(count), from);
    const __m512i bits = _mm512_slli_epi32(_mm512_cvtepu16_epi32(halves), 16);
    return _mm512_castsi512_ps(bits);
}

/* As dti_bf16_of_float.  The instruction of AVX512_BF16 would take subnormal
 * numbers for zero. */
static inline void store_bf16(void *to, vector values, int count)
{
    const __m512i bits = _mm512_castps_si512(values);
    const __m512i upper = _mm512_srli_epi32(bits, 16);
    const __m512i odd = _mm512_and_si512(upper, _mm512_set1_epi32(1));
    const __m512i bias = _mm512_add_epi32(odd, _mm512_set1_epi32(0x7fff));
    const __m512i rounded = _mm512_srli_epi32(_mm512_add_epi32(bits, bias), 16);
    const __mmask16 nan = _mm512_cmp_ps_mask(values, values, _CMP_UNORD_Q);
    const __m512i result =
        _mm512_mask_or_epi32(rounded, nan, upper, _mm512_set1_epi32(0x0040));
    _mm256_mask_storeu_epi16(to, lanes(count), _mm512_cvtepi32_epi16(result));
}

#endif
