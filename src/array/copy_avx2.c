/* array/copy_avx2.c - streaming stores and transposed tiles with AVX2. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "array/copy_kernels.h"

#include <immintrin.h>

static inline void stream_line(char *to, const char *from)
{
    __m256i low = _mm256_loadu_si256((const __m256i *)from);
    __m256i high = _mm256_loadu_si256((const __m256i *)(from + 32));
    _mm256_stream_si256((__m256i *)to, low);
    _mm256_stream_si256((__m256i *)(to + 32), high);
}

/* A line takes two stores, which are combined before they leave the core: with
 * lines of several pages in between that is undone (on Zen 3 half as fast). */
enum { pages_at_once = 1 };

#include "array/copy_stream_tmpl.h"

/* Read row `row` of a tile, 16 bytes wide. */
static inline __m128i read_row(const char *from, int64_t from_row, int row)
{
    return _mm_loadu_si128((const __m128i *)(from + row * from_row));
}

/* Transpose 16 rows of 16 bytes: each round interleaves rows that lie eight
 * apart, and four rounds bring every byte to its place. */
static inline void transpose_16x16_bytes(__m128i *rows)
{
    for (int round = 0; round < 4; round++) {
        __m128i mixed[16];
        for (int i = 0; i < 8; i++) {
            mixed[2 * i] = _mm_unpacklo_epi8(rows[i], rows[i + 8]);
            mixed[2 * i + 1] = _mm_unpackhi_epi8(rows[i], rows[i + 8]);
        }
        for (int i = 0; i < 16; i++)
            rows[i] = mixed[i];
    }
}

/* The same for 8 rows of 8 two-byte elements, in three rounds. */
static inline void transpose_8x8_words(__m128i *rows)
{
    for (int round = 0; round < 3; round++) {
        __m128i mixed[8];
        for (int i = 0; i < 4; i++) {
            mixed[2 * i] = _mm_unpacklo_epi16(rows[i], rows[i + 4]);
            mixed[2 * i + 1] = _mm_unpackhi_epi16(rows[i], rows[i + 4]);
        }
        for (int i = 0; i < 8; i++)
            rows[i] = mixed[i];
    }
}

/* 64 rows of 16 one-byte elements. */
void dti_copy_tile_1_avx2(char *to, int64_t to_row, const char *from,
                          int64_t from_row)
{
    for (int part = 0; part < 4; part++) {
        __m128i rows[16];
        for (int i = 0; i < 16; i++)
            rows[i] = read_row(from, from_row, part * 16 + i);
        transpose_16x16_bytes(rows);
        for (int i = 0; i < 16; i++)
            _mm_storeu_si128((__m128i *)(to + i * to_row + part * 16), rows[i]);
    }
}

/* 32 rows of 8 two-byte elements. */
void dti_copy_tile_2_avx2(char *to, int64_t to_row, const char *from,
                          int64_t from_row)
{
    for (int part = 0; part < 4; part++) {
        __m128i rows[8];
        for (int i = 0; i < 8; i++)
            rows[i] = read_row(from, from_row, part * 8 + i);
        transpose_8x8_words(rows);
        for (int i = 0; i < 8; i++)
            _mm_storeu_si128((__m128i *)(to + i * to_row + part * 16), rows[i]);
    }
}

/* Store lines that were gathered in the nearest cache. */
static void stream_gathered(char *to, int64_t to_row, const char *gathered,
                            int count)
{
    for (int i = 0; i < count; i++)
        stream_line(to + i * to_row, gathered + i * DTI_COPY_LINE);
}

void dti_copy_stream_1_avx2(char *to, int64_t to_row, const char *from,
                            int64_t from_row)
{
    _Alignas(DTI_COPY_LINE) char gathered[16 * DTI_COPY_LINE];
    dti_copy_tile_1_avx2(gathered, DTI_COPY_LINE, from, from_row);
    stream_gathered(to, to_row, gathered, 16);
}

void dti_copy_stream_2_avx2(char *to, int64_t to_row, const char *from,
                            int64_t from_row)
{
    _Alignas(DTI_COPY_LINE) char gathered[8 * DTI_COPY_LINE];
    dti_copy_tile_2_avx2(gathered, DTI_COPY_LINE, from, from_row);
    stream_gathered(to, to_row, gathered, 8);
}

/* Two pieces of 16 bytes as one register. */
static inline __m256 join(const char *low, const char *high)
{
    __m256 half = _mm256_castps128_ps256(_mm_loadu_ps((const float *)low));
    return _mm256_insertf128_ps(half, _mm_loadu_ps((const float *)high), 1);
}

/*
 * Transpose 8 rows of 8 four-byte elements.  Loading rows i and i + 4 as the
 * halves of a register leaves two transpositions of 4 by 4 in each half.
 */
static inline void transpose_8x8(const char *from, int64_t from_row,
                                 __m256 *out)
{
    for (int half = 0; half < 2; half++) {
        __m256 in[4];
        for (int i = 0; i < 4; i++) {
            const char *row = from + i * from_row + half * 16;
            in[i] = join(row, row + 4 * from_row);
        }
        __m256 a = _mm256_unpacklo_ps(in[0], in[1]);
        __m256 b = _mm256_unpackhi_ps(in[0], in[1]);
        __m256 c = _mm256_unpacklo_ps(in[2], in[3]);
        __m256 d = _mm256_unpackhi_ps(in[2], in[3]);
        out[half * 4] = _mm256_shuffle_ps(a, c, 0x44);
        out[half * 4 + 1] = _mm256_shuffle_ps(a, c, 0xee);
        out[half * 4 + 2] = _mm256_shuffle_ps(b, d, 0x44);
        out[half * 4 + 3] = _mm256_shuffle_ps(b, d, 0xee);
    }
}

/* 16 rows of 8 four-byte elements. */
static void tile_4(char *to, int64_t to_row, const char *from, int64_t from_row)
{
    for (int part = 0; part < 2; part++) {
        __m256 out[8];
        transpose_8x8(from + part * 8 * from_row, from_row, out);
        for (int i = 0; i < 8; i++)
            _mm256_storeu_ps((float *)(to + i * to_row + part * 32), out[i]);
    }
}

static void stream_4(char *to, int64_t to_row, const char *from,
                     int64_t from_row)
{
    __m256 low[8], high[8];
    transpose_8x8(from, from_row, low);
    transpose_8x8(from + 8 * from_row, from_row, high);
    for (int i = 0; i < 8; i++) {
        _mm256_stream_ps((float *)(to + i * to_row), low[i]);
        _mm256_stream_ps((float *)(to + i * to_row + 32), high[i]);
    }
}

/* Transpose 4 rows of 4 eight-byte elements, in the same way. */
static inline void transpose_4x4(const char *from, int64_t from_row,
                                 __m256d *out)
{
    for (int half = 0; half < 2; half++) {
        const char *row = from + half * 16;
        __m256d a = _mm256_castps_pd(join(row, row + 2 * from_row));
        __m256d b = _mm256_castps_pd(join(row + from_row, row + 3 * from_row));
        out[half * 2] = _mm256_unpacklo_pd(a, b);
        out[half * 2 + 1] = _mm256_unpackhi_pd(a, b);
    }
}

/* 8 rows of 4 eight-byte elements. */
static void tile_8(char *to, int64_t to_row, const char *from, int64_t from_row)
{
    for (int part = 0; part < 2; part++) {
        __m256d out[4];
        transpose_4x4(from + part * 4 * from_row, from_row, out);
        for (int i = 0; i < 4; i++)
            _mm256_storeu_pd((double *)(to + i * to_row + part * 32), out[i]);
    }
}

static void stream_8(char *to, int64_t to_row, const char *from,
                     int64_t from_row)
{
    __m256d low[4], high[4];
    transpose_4x4(from, from_row, low);
    transpose_4x4(from + 4 * from_row, from_row, high);
    for (int i = 0; i < 4; i++) {
        _mm256_stream_pd((double *)(to + i * to_row), low[i]);
        _mm256_stream_pd((double *)(to + i * to_row + 32), high[i]);
    }
}

const dti_copy_kernels dti_copy_kernels_avx2 = {
    .stream_lines = stream_lines,
    .fence = fence,
    .transpose =
        {
            {64, 16, dti_copy_tile_1_avx2, dti_copy_stream_1_avx2},
            {32, 8, dti_copy_tile_2_avx2, dti_copy_stream_2_avx2},
            {16, 8, tile_4, stream_4},
            {8, 4, tile_8, stream_8},
            {4, 4, dti_copy_tile_16, NULL},
        },
};
