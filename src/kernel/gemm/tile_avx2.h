/* kernel/gemm/tile_avx2.h - what tiles of products are made of, with AVX2. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_GEMM_TILE_AVX2_H
#define DTI_KERNEL_GEMM_TILE_AVX2_H

#include "array/half_avx2.h"
#include "base/attributes.h"

/* 12 sums, two vectors of b and one element of a fill 15 of 16 registers. */
#define TILE_MOST_ROWS 6
enum { VECTORS = 2 };

/* a b + c, rounded once. */
static DTI_INLINE vector fused(vector a, vector b, vector c)
{
    return _mm256_fmadd_ps(a, b, c);
}

/* Transpose blocks of 4 x 4 by pairs and pairs of pairs, then swap blocks. */
static DTI_INLINE void turn(vector *v)
{
    vector pairs[WIDTH], fours[WIDTH];
#pragma GCC unroll 8
    for (int i = 0; i < WIDTH; i += 2) {
        pairs[i] = _mm256_unpacklo_ps(v[i], v[i + 1]);
        pairs[i + 1] = _mm256_unpackhi_ps(v[i], v[i + 1]);
    }
#pragma GCC unroll 8
    for (int i = 0; i < WIDTH; i += 4) {
        fours[i] = _mm256_shuffle_ps(pairs[i], pairs[i + 2], 0x44);
        fours[i + 1] = _mm256_shuffle_ps(pairs[i], pairs[i + 2], 0xee);
        fours[i + 2] = _mm256_shuffle_ps(pairs[i + 1], pairs[i + 3], 0x44);
        fours[i + 3] = _mm256_shuffle_ps(pairs[i + 1], pairs[i + 3], 0xee);
    }
#pragma GCC unroll 8
    for (int i = 0; i < 4; i++) {
        v[i] = _mm256_permute2f128_ps(fours[i], fours[i + 4], 0x20);
        v[i + 4] = _mm256_permute2f128_ps(fours[i], fours[i + 4], 0x31);
    }
}

#endif
