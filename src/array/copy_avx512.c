/* array/copy_avx512.c - streaming stores and transposed tiles with AVX-512. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "array/copy_kernels.h"

#include <immintrin.h>

static inline void stream_line(char *to, const char *from)
{
    _mm512_stream_si512((__m512i *)to, _mm512_loadu_si512(from));
}

enum { pages_at_once = 4 };

#include "array/copy_stream_tmpl.h"

/* Pieces of 16 bytes of four rows, which lie `step` bytes apart. */
static inline __m512 join(const char *from, int64_t step)
{
    __m512 all = _mm512_castps128_ps512(_mm_loadu_ps((const float *)from));
    all =
        _mm512_insertf32x4(all, _mm_loadu_ps((const float *)(from + step)), 1);
    all = _mm512_insertf32x4(all,
                             _mm_loadu_ps((const float *)(from + 2 * step)), 2);
    return _mm512_insertf32x4(
        all, _mm_loadu_ps((const float *)(from + 3 * step)), 3);
}

/*
 * Transpose 16 rows of 16 four-byte elements.  Loading rows i, i + 4, i + 8
 * and i + 12 as the quarters of a register leaves a transposition of 4 by 4 in
 * each quarter.
 */
static inline void transpose_16x16(const char *from, int64_t from_row,
                                   __m512 *out)
{
    for (int quarter = 0; quarter < 4; quarter++) {
        __m512 in[4];
        for (int i = 0; i < 4; i++)
            in[i] = join(from + i * from_row + quarter * 16, 4 * from_row);
        __m512 a = _mm512_unpacklo_ps(in[0], in[1]);
        __m512 b = _mm512_unpackhi_ps(in[0], in[1]);
        __m512 c = _mm512_unpacklo_ps(in[2], in[3]);
        __m512 d = _mm512_unpackhi_ps(in[2], in[3]);
        out[quarter * 4] = _mm512_shuffle_ps(a, c, 0x44);
        out[quarter * 4 + 1] = _mm512_shuffle_ps(a, c, 0xee);
        out[quarter * 4 + 2] = _mm512_shuffle_ps(b, d, 0x44);
        out[quarter * 4 + 3] = _mm512_shuffle_ps(b, d, 0xee);
    }
}

static void tile_4(char *to, int64_t to_row, const char *from, int64_t from_row)
{
    __m512 out[16];
    transpose_16x16(from, from_row, out);
    for (int i = 0; i < 16; i++)
        _mm512_storeu_ps((float *)(to + i * to_row), out[i]);
}

static void stream_4(char *to, int64_t to_row, const char *from,
                     int64_t from_row)
{
    __m512 out[16];
    transpose_16x16(from, from_row, out);
    for (int i = 0; i < 16; i++)
        _mm512_stream_ps((float *)(to + i * to_row), out[i]);
}

/* Transpose 8 rows of 8 eight-byte elements, in the same way. */
static inline void transpose_8x8(const char *from, int64_t from_row,
                                 __m512d *out)
{
    for (int quarter = 0; quarter < 4; quarter++) {
        const char *row = from + quarter * 16;
        __m512d a = _mm512_castps_pd(join(row, 2 * from_row));
        __m512d b = _mm512_castps_pd(join(row + from_row, 2 * from_row));
        out[quarter * 2] = _mm512_unpacklo_pd(a, b);
        out[quarter * 2 + 1] = _mm512_unpackhi_pd(a, b);
    }
}

static void tile_8(char *to, int64_t to_row, const char *from, int64_t from_row)
{
    __m512d out[8];
    transpose_8x8(from, from_row, out);
    for (int i = 0; i < 8; i++)
        _mm512_storeu_pd((double *)(to + i * to_row), out[i]);
}

static void stream_8(char *to, int64_t to_row, const char *from,
                     int64_t from_row)
{
    __m512d out[8];
    transpose_8x8(from, from_row, out);
    for (int i = 0; i < 8; i++)
        _mm512_stream_pd((double *)(to + i * to_row), out[i]);
}

const dti_copy_kernels dti_copy_kernels_avx512 = {
    .stream_lines = stream_lines,
    .fence = fence,
    .transpose =
        {
            {64, 16, dti_copy_tile_1_avx2, dti_copy_stream_1_avx2},
            {32, 8, dti_copy_tile_2_avx2, dti_copy_stream_2_avx2},
            {16, 16, tile_4, stream_4},
            {8, 8, tile_8, stream_8},
            {4, 4, dti_copy_tile_16, NULL},
        },
};
