/* array/half_avx2.h - 8 floats at a time, as f32 and as halves, with AVX2 and
 * F16C. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_ARRAY_HALF_AVX2_H
#define DTI_ARRAY_HALF_AVX2_H

#include <immintrin.h>
#include <stdint.h>
#include <string.h>

typedef __m256 vector;
enum { WIDTH = 8 };

/* A vector of equal floats. */
static inline vector spread(float x)
{
    return _mm256_set1_ps(x);
}

/* The first `count` lanes. */
static inline __m256i first_lanes(int count)
{
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(count),
                              _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

/* Elements past `count`, 1 to 8, are neither read nor written. */
static inline vector load_f32(const void *from, int count)
{
    if (count == WIDTH)
        return _mm256_loadu_ps(from);
    return _mm256_maskload_ps(from, first_lanes(count));
}

static inline void store_f32(void *to, vector values, int count)
{
    if (count == WIDTH) {
        _mm256_storeu_ps(to, values);
        return;
    }
    _mm256_maskstore_ps(to, first_lanes(count), values);
}

static inline __m128i load_halves(const void *from, int count)
{
    if (count == WIDTH)
        return _mm_loadu_si128(from);
    uint16_t part[WIDTH] = {0};
    for (int i = 0; i < count; i++)
        memcpy(&part[i], (const char *)from + 2 * i, 2);
    return _mm_loadu_si128((const void *)part);
}

static inline void store_halves(void *to, __m128i halves, int count)
{
    if (count == WIDTH) {
        _mm_storeu_si128(to, halves);
        return;
    }
    uint16_t part[WIDTH];
    _mm_storeu_si128((void *)part, halves);
    for (int i = 0; i < count; i++)
        memcpy((char *)to + 2 * i, &part[i], 2);
}

static inline vector load_f16(const void *from, int count)
{
    return _mm256_cvtph_ps(load_halves(from, count));
}

static inline void store_f16(void *to, vector values, int count)
{
    store_halves(to, _mm256_cvtps_ph(values, _MM_FROUND_TO_NEAREST_INT), count);
}

static inline vector load_bf16(const void *from, int count)
{
    const __m256i bits = _mm256_cvtepu16_epi32(load_halves(from, count));
    return _mm256_castsi256_ps(_mm256_slli_epi32(bits, 16));
}

/* As dti_bf16_of_float. */
static inline void store_bf16(void *to, vector values, int count)
{
    const __m256i bits = _mm256_castps_si256(values);
    const __m256i upper = _mm256_srli_epi32(bits, 16);
    const __m256i odd = _mm256_and_si256(upper, _mm256_set1_epi32(1));
    const __m256i bias = _mm256_add_epi32(odd, _mm256_set1_epi32(0x7fff));
    const __m256i rounded = _mm256_srli_epi32(_mm256_add_epi32(bits, bias), 16);
    const __m256i quiet = _mm256_or_si256(upper, _mm256_set1_epi32(0x0040));
    const vector nan = _mm256_cmp_ps(values, values, _CMP_UNORD_Q);
    const __m256i result =
        _mm256_blendv_epi8(rounded, quiet, _mm256_castps_si256(nan));
    store_halves(to,
                 _mm_packus_epi32(_mm256_castsi256_si128(result),
                                  _mm256_extracti128_si256(result, 1)),
                 count);
}

#endif
