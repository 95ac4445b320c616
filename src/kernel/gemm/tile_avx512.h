/* kernel/gemm/tile_avx512.h - what tiles of products are made of, with AVX-512.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_GEMM_TILE_AVX512_H
#define DTI_KERNEL_GEMM_TILE_AVX512_H

#include "array/half_avx512.h"
#include "base/attributes.h"

/* 28 sums, two vectors of b and one element of a fill 31 of 32 registers. */
#define TILE_MOST_ROWS 14
enum { VECTORS = 2 };

/* a b + c, rounded once. */
static DTI_INLINE vector fused(vector a, vector b, vector c)
{
    return _mm512_fmadd_ps(a, b, c);
}

/* Interleave pairs of lines, of halves of lines, of quarters: the first two
 * steps transpose blocks of 4 x 4, the others blocks of these. */
static DTI_INLINE void turn(vector *v)
{
    vector pairs[WIDTH], fours[WIDTH];
#pragma GCC unroll 16
    for (int i = 0; i < WIDTH; i += 2) {
        pairs[i] = _mm512_unpacklo_ps(v[i], v[i + 1]);
        pairs[i + 1] = _mm512_unpackhi_ps(v[i], v[i + 1]);
    }
#pragma GCC unroll 16
    for (int i = 0; i < WIDTH; i += 4) {
        const __m512d a = _mm512_castps_pd(pairs[i]),
                      b = _mm512_castps_pd(pairs[i + 1]),
                      c = _mm512_castps_pd(pairs[i + 2]),
                      d = _mm512_castps_pd(pairs[i + 3]);
        fours[i] = _mm512_castpd_ps(_mm512_unpacklo_pd(a, c));
        fours[i + 1] = _mm512_castpd_ps(_mm512_unpackhi_pd(a, c));
        fours[i + 2] = _mm512_castpd_ps(_mm512_unpacklo_pd(b, d));
        fours[i + 3] = _mm512_castpd_ps(_mm512_unpackhi_pd(b, d));
    }
#pragma GCC unroll 16
    for (int i = 0; i < 4; i++) {
        const vector low = _mm512_shuffle_f32x4(fours[i], fours[i + 4], 0x88),
                     odd = _mm512_shuffle_f32x4(fours[i], fours[i + 4], 0xdd),
                     far = _mm512_shuffle_f32x4(fours[i + 8], fours[i + 12],
                                                0x88),
                     end = _mm512_shuffle_f32x4(fours[i + 8], fours[i + 12],
                                                0xdd);
        v[i] = _mm512_shuffle_f32x4(low, far, 0x88);
        v[i + 4] = _mm512_shuffle_f32x4(odd, end, 0x88);
        v[i + 8] = _mm512_shuffle_f32x4(low, far, 0xdd);
        v[i + 12] = _mm512_shuffle_f32x4(odd, end, 0xdd);
    }
}

#endif
