/* kernel/gemm/tile_tmpl.h - tiles of products, with one instruction set. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: LOOPS, the name of the table, and what
 * tile_avx2.h defines.
 *
 * A tile keeps ROWS x VECTORS vectors of sums in registers.  For each term it
 * loads VECTORS vectors of a row of b and multiplies them by one element of a
 * for each row, so that
 *
 *     sums[i][v] += a[i][p] b[p][v]        2 loads and 14 elements: 28 sums
 *
 * Functions are made for every number of rows; of columns there are whole
 * tiles, and parts of one vector and of all.
 */
#include "array/number.h"
#include "kernel/gemm/tile_level.h"

enum {
    ROWS = TILE_MOST_ROWS,
    COLUMNS = VECTORS * WIDTH,
    AT_ONCE = 4,
    DOT_LINES = 4,
    LANES = 32,
    LANE_VECTORS = LANES / WIDTH
};

/* ---- Tiles -------------------------------------------------------------- */

/* How many elements of vector v are columns. */
static DTI_INLINE int part_of(int columns, int v)
{
    const int rest = columns - v * WIDTH;
    return rest > WIDTH ? WIDTH : rest < 0 ? 0 : rest;
}

static DTI_INLINE vector load_part(const float *from, bool whole, int columns,
                                   int v)
{
    const int part = whole ? WIDTH : part_of(columns, v);
    return VECTORS > 2 && part == 0 ? spread(0)
                                    : load_f32(from + v * WIDTH, part);
}

static DTI_INLINE void store_sums(const dti_tile_terms *t, int i, vector *sums,
                                  int vectors, bool whole)
{
    float *to = t->c + i * t->c_row;
    const vector alpha = spread(t->alpha), beta = spread(t->beta);
#pragma GCC unroll 4
    for (int v = 0; v < vectors; v++) {
        const int part = whole ? WIDTH : part_of(t->columns, v);
        if (VECTORS > 2 && part == 0)
            continue;
        vector sum = alpha * sums[v];
        if (t->beta != 0)
            sum = fused(alpha, sums[v],
                        beta * load_part(to, whole, t->columns, v));
        store_f32(to + v * WIDTH, sum, part);
    }
}

static DTI_INLINE void multiply_tile(const dti_tile_terms *t, const int rows,
                                     const int vectors, const bool whole,
                                     const int64_t a_row, const int64_t a_step)
{
    vector sums[ROWS][VECTORS];
    const float *a = t->a, *b = t->b;
    const int columns = t->columns;
#pragma GCC unroll 16
    for (int i = 0; i < rows; i++) {
        DTI_PREFETCH((uintptr_t)(t->c + i * t->c_row));
        DTI_PREFETCH((uintptr_t)(t->c + i * t->c_row + WIDTH));
#pragma GCC unroll 4
        for (int v = 0; v < vectors; v++)
            sums[i][v] = spread(0);
    }
    if (t->continues) {
#pragma GCC unroll 16
        for (int i = 0; i < rows; i++)
#pragma GCC unroll 4
            for (int v = 0; v < vectors; v++)
                sums[i][v] = load_part(t->c + i * t->c_row, whole, columns, v);
    }
    for (int64_t p = 0; p < t->count; p++) {
        vector row[VECTORS];
#pragma GCC unroll 4
        for (int v = 0; v < vectors; v++)
            row[v] = load_part(b, whole, columns, v);
#pragma GCC unroll 16
        for (int i = 0; i < rows; i++) {
            const vector by = spread(a[i * a_row]);
#pragma GCC unroll 4
            for (int v = 0; v < vectors; v++)
                sums[i][v] = fused(by, row[v], sums[i][v]);
        }
        a += a_step;
        b += t->b_step;
    }
#pragma GCC unroll 16
    for (int i = 0; i < rows; i++)
        store_sums(t, i, sums[i], vectors, whole);
}

/* Packed tiles: elements of a are neighbours, rows apart from term to term. */
static DTI_INLINE void multiply_rows(const dti_tile_terms *t, const int rows)
{
    const bool packed = t->a_row == 1 && t->a_step == rows;
    if (t->columns == COLUMNS && packed)
        multiply_tile(t, rows, VECTORS, true, 1, rows);
    else if (t->columns == COLUMNS)
        multiply_tile(t, rows, VECTORS, true, t->a_row, t->a_step);
    else if (t->columns <= WIDTH)
        multiply_tile(t, rows, 1, false, t->a_row, t->a_step);
    else
        multiply_tile(t, rows, VECTORS, false, t->a_row, t->a_step);
}

#define TILE_ROWS 1
#define TILE_NAME multiply_1
#include "kernel/gemm/tile_rows_tmpl.h"
#define TILE_ROWS 2
#define TILE_NAME multiply_2
#include "kernel/gemm/tile_rows_tmpl.h"
#define TILE_ROWS 3
#define TILE_NAME multiply_3
#include "kernel/gemm/tile_rows_tmpl.h"
#define TILE_ROWS 4
#define TILE_NAME multiply_4
#include "kernel/gemm/tile_rows_tmpl.h"
#define TILE_ROWS 5
#define TILE_NAME multiply_5
#include "kernel/gemm/tile_rows_tmpl.h"
#define TILE_ROWS 6
#define TILE_NAME multiply_6
#include "kernel/gemm/tile_rows_tmpl.h"
#if TILE_MOST_ROWS > 6
#define TILE_ROWS 7
#define TILE_NAME multiply_7
#include "kernel/gemm/tile_rows_tmpl.h"
#define TILE_ROWS 8
#define TILE_NAME multiply_8
#include "kernel/gemm/tile_rows_tmpl.h"
#define TILE_ROWS 9
#define TILE_NAME multiply_9
#include "kernel/gemm/tile_rows_tmpl.h"
#define TILE_ROWS 10
#define TILE_NAME multiply_10
#include "kernel/gemm/tile_rows_tmpl.h"
#define TILE_ROWS 11
#define TILE_NAME multiply_11
#include "kernel/gemm/tile_rows_tmpl.h"
#define TILE_ROWS 12
#define TILE_NAME multiply_12
#include "kernel/gemm/tile_rows_tmpl.h"
#define TILE_ROWS 13
#define TILE_NAME multiply_13
#include "kernel/gemm/tile_rows_tmpl.h"
#define TILE_ROWS 14
#define TILE_NAME multiply_14
#include "kernel/gemm/tile_rows_tmpl.h"
#endif

static void multiply(const dti_tile_terms *terms)
{
    static void (*const functions[])(const dti_tile_terms *) = {
        NULL,
        multiply_1,
        multiply_2,
        multiply_3,
        multiply_4,
        multiply_5,
        multiply_6,
#if TILE_MOST_ROWS > 6
        multiply_7,
        multiply_8,
        multiply_9,
        multiply_10,
        multiply_11,
        multiply_12,
        multiply_13,
        multiply_14,
#endif
    };
    functions[terms->rows](terms);
}

static void add(const float *sums, float alpha, float beta, float *c,
                int64_t count)
{
    const vector a = spread(alpha), b = spread(beta);
    for (int64_t j = 0; j < count; j += WIDTH) {
        const int part = count - j < WIDTH ? (int)(count - j) : WIDTH;
        const vector sum = load_f32(sums + j, part);
        vector value = a * sum;
        if (beta != 0)
            value = fused(a, sum, b * load_f32(c + j, part));
        store_f32(c + j, value, part);
    }
}

/* ---- Packing ------------------------------------------------------------ */

/* So many lines are more than processors read ahead on their own.  While
 * element p of all is packed, ask for one of the lines that come next, from end
 * to end: memory is fastest in order. */
static DTI_INLINE void ask_ahead(const dti_tile_lines *l, int64_t p,
                                 size_t item)
{
    const int64_t bytes = l->count * (int64_t)item;
    const int64_t first = p * l->lines / l->count,
                  last = (p + WIDTH) * l->lines / l->count;
    if (l->ahead == 0)
        return;
    for (int64_t i = first; i < last; i++) {
        const uintptr_t line = (uintptr_t)l->from + (uintptr_t)l->ahead +
                               (uintptr_t)(i * l->line) * item;
        for (int64_t at = 0; at < bytes; at += DTI_CACHE_LINE)
            DTI_PREFETCH_FAR(line + (uintptr_t)at);
    }
}

static inline float total_of(const vector *sums)
{
    float lanes_of[LANES];
    for (int v = 0; v < LANE_VECTORS; v++)
        store_f32(lanes_of + v * WIDTH, sums[v], WIDTH);
    for (int half = LANES / 2; half > 0; half /= 2)
        for (int j = 0; j < half; j++)
            lanes_of[j] += lanes_of[j + half];
    return lanes_of[0];
}

#define LOAD load_f32
#define TYPE float
#define WIDEN(x) (x)
#define PACK pack_f32
#define PACK_TURNED pack_turned_f32
#define PACK_ALONG pack_along_f32
#define PACK_APART pack_apart_f32
#define TURNED turned_f32
#define ADD_LANES add_lanes_f32
#define DOT_SOME dot_some_f32
#define DOTS dots_f32
#define ONE_VECTOR one_vector_f32
#define SOME_TERMS some_terms_f32
#define ALL_TERMS all_terms_f32
#define BY_TERMS by_terms_f32
#include "kernel/gemm/tile_pack_tmpl.h"

#define LOAD load_f16
#define TYPE uint16_t
#define WIDEN(x) dti_widen_f16(x)
#define PACK pack_f16
#define PACK_TURNED pack_turned_f16
#define PACK_ALONG pack_along_f16
#define PACK_APART pack_apart_f16
#define TURNED turned_f16
#define ADD_LANES add_lanes_f16
#define DOT_SOME dot_some_f16
#define DOTS dots_f16
#define ONE_VECTOR one_vector_f16
#define SOME_TERMS some_terms_f16
#define ALL_TERMS all_terms_f16
#define BY_TERMS by_terms_f16
#include "kernel/gemm/tile_pack_tmpl.h"

#define LOAD load_bf16
#define TYPE uint16_t
#define WIDEN(x) dti_widen_bf16(x)
#define PACK pack_bf16
#define PACK_TURNED pack_turned_bf16
#define PACK_ALONG pack_along_bf16
#define PACK_APART pack_apart_bf16
#define TURNED turned_bf16
#define ADD_LANES add_lanes_bf16
#define DOT_SOME dot_some_bf16
#define DOTS dots_bf16
#define ONE_VECTOR one_vector_bf16
#define SOME_TERMS some_terms_bf16
#define ALL_TERMS all_terms_bf16
#define BY_TERMS by_terms_bf16
#include "kernel/gemm/tile_pack_tmpl.h"

static void pack(const dti_tile_lines *lines, float *to)
{
    if (lines->dtype == DT_F32)
        pack_f32(lines, to);
    else if (lines->dtype == DT_F16)
        pack_f16(lines, to);
    else
        pack_bf16(lines, to);
}

static void dots(const dti_tile_lines *lines, const float *row, float *sums)
{
    if (lines->dtype == DT_F32)
        dots_f32(lines, row, sums);
    else if (lines->dtype == DT_F16)
        dots_f16(lines, row, sums);
    else
        dots_bf16(lines, row, sums);
}

static void by_terms(const dti_tile_lines *lines, int rows, const float *a,
                     float *sums, int64_t sums_row)
{
    if (lines->dtype == DT_F32)
        by_terms_f32(lines, rows, a, sums, sums_row);
    else if (lines->dtype == DT_F16)
        by_terms_f16(lines, rows, a, sums, sums_row);
    else
        by_terms_bf16(lines, rows, a, sums, sums_row);
}

const dti_tile_kernels LOOPS = {
    .rows = ROWS,
    .columns = COLUMNS,
    .width = WIDTH,
    .multiply = multiply,
    .pack = pack,
    .dots = dots,
    .by_terms = by_terms,
    .add = add,
};
