/* kernel/gemm/own.c - products of f32 and halves: blocks, panels, tiles. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/gemm/own.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "base/attributes.h"
#include "base/dtype.h"
#include "kernel/gemm/shape.h"
#include "kernel/gemm/skinny.h"
#include "kernel/gemm/store.h"
#include "kernel/gemm/tile_level.h"

/*
 * The method is that of Goto and van de Geijn (Anatomy of high-performance
 * matrix multiplication, 2008): a block of b that the last cache holds is
 * packed into panels as wide as a tile, a block of a that the second cache
 * holds into panels as high as a tile, and tiles read both from end to end.
 *
 *     for rows that c is kept for        OUTER_M
 *       for columns                      BLOCK_N
 *         for terms                      DTI_OWN_TERMS: pack b
 *           for rows                     BLOCK_M:       pack a
 *             for panels of b, for panels of a: one tile
 *
 * What is small is read where it is.  Products of few rows (SKINNY) read b once
 * and pack no more of it than a panel: see skinny.c.
 */

enum { OUTER_M = 1024, BLOCK_M = 112, BLOCK_N = 1024 };

typedef struct own {
    const dti_gemm *g;
    const dti_tile_kernels *kernels;
    bool direct; /* sums go to c */
    bool packs_a, packs_b;
    int64_t m, n, k; /* of blocks */
    float *a, *b, *c;
} own;

static const dti_tile_kernels *const tables[DTI_CPU_LEVELS] = {
    [DTI_CPU_PORTABLE] = &dti_tile_portable,
#if defined(__x86_64__)
    [DTI_CPU_AVX2] = &dti_tile_avx2,
    [DTI_CPU_AVX512] = &dti_tile_avx512,
#endif
};

const dti_tile_kernels *dti_tile_at(dti_cpu_level level)
{
    return tables[level];
}

/* ---- Memory ------------------------------------------------------------- */

/* Bytes that the second cache holds beside the rest. */
enum { NEAR_BYTES = 1 << 17 };

/* A panel is read once for each tile of the other matrix: what is near and read
 * a few times stays where it is. */
static own plan(const dti_gemm *g, dti_cpu_level level)
{
    own w = {.g = g, .kernels = tables[level]};
    const int64_t rows = w.kernels->rows, columns = w.kernels->columns;
    const bool f32 = g->dtype == DT_F32;
    const int64_t item = (int64_t)sizeof(float);
    w.direct = f32 && g->c_strides.column == 1;
    w.packs_b = !f32 || g->b_strides.column != 1 ||
                (g->m > 2 * rows && g->k * g->n * item > NEAR_BYTES);
    w.packs_a =
        !f32 || (g->n > 2 * columns && g->m * g->k * item > NEAR_BYTES / 8);
    w.m = dti_shape_least(g->m, BLOCK_M);
    w.n = dti_shape_least(g->n, BLOCK_N);
    w.k = dti_shape_least(g->k, DTI_OWN_TERMS);
    return w;
}

static size_t aligned(int64_t floats)
{
    const size_t bytes = (size_t)floats * sizeof(float);
    return (bytes + DTI_CACHE_LINE - 1) & ~(size_t)(DTI_CACHE_LINE - 1);
}

static int64_t panels_of(int64_t n, int64_t columns)
{
    return (n + columns - 1) / columns;
}

/* Packing writes up to a vector further. */
static size_t a_bytes(const own *w)
{
    return w->packs_a ? aligned(w->m * w->k + w->kernels->width) : 0;
}

static size_t b_bytes(const own *w)
{
    const int64_t columns = w->kernels->columns;
    return w->packs_b ? aligned(panels_of(w->n, columns) * columns * w->k) : 0;
}

static size_t c_bytes(const own *w)
{
    return w->direct ? 0 : aligned(dti_shape_least(w->g->m, OUTER_M) * w->n);
}

/* ---- Packing ------------------------------------------------------------ */

/* Panels of b: each has the columns of a tile, of all terms of the block. */
static void pack_b(const own *w, int64_t p, int64_t terms, int64_t j, int64_t n)
{
    const dti_gemm *g = w->g;
    const int64_t columns = w->kernels->columns;
    for (int64_t q = 0; q < n; q += columns) {
        const int64_t at = p * g->b_strides.row + (j + q) * g->b_strides.column;
        const dti_tile_lines lines = {.from = dti_shape_in(g, g->b, at),
                                      .dtype = g->dtype,
                                      .line = g->b_strides.column,
                                      .step = g->b_strides.row,
                                      .lines = dti_shape_least(columns, n - q),
                                      .count = terms,
                                      .apart = columns};
        w->kernels->pack(&lines, w->b + q * terms);
    }
}

/* Heights of panels differ by one at most, so that none is low. */
static int64_t first_row(int64_t m, int64_t panels, int64_t panel)
{
    return m * panel / panels;
}

static void pack_a(const own *w, int64_t p, int64_t terms, int64_t i, int64_t m)
{
    const dti_gemm *g = w->g;
    const int64_t panels = panels_of(m, w->kernels->rows);
    for (int64_t q = 0; q < panels; q++) {
        const int64_t row = first_row(m, panels, q),
                      rows = first_row(m, panels, q + 1) - row;
        const int64_t at =
            (i + row) * g->a_strides.row + p * g->a_strides.column;
        const dti_tile_lines lines = {.from = dti_shape_in(g, g->a, at),
                                      .dtype = g->dtype,
                                      .line = g->a_strides.row,
                                      .step = g->a_strides.column,
                                      .lines = rows,
                                      .count = terms,
                                      .apart = rows};
        w->kernels->pack(&lines, w->a + row * terms);
    }
}

/* ---- Blocks ------------------------------------------------------------- */

/* A block of c, of some terms. */
typedef struct block {
    int64_t i, m, j, n, p, terms;
    float *c; /* of element (i, j) */
    int64_t c_row;
    float alpha, beta;
} block;

/* One panel of b by all panels of a. */
static void multiply_panel(const own *w, const block *at, int64_t j)
{
    const dti_gemm *g = w->g;
    const int64_t panels = panels_of(at->m, w->kernels->rows);
    const float *b =
        w->packs_b ? w->b + j * at->terms
                   : (const float *)g->b + at->p * g->b_strides.row + at->j + j;
    dti_tile_terms t = {
        .count = at->terms,
        .b = b,
        .b_step = w->packs_b ? w->kernels->columns : g->b_strides.row,
        .c_row = at->c_row,
        .alpha = at->alpha,
        .beta = at->beta,
        .columns = (int)dti_shape_least(w->kernels->columns, at->n - j)};
    for (int64_t q = 0; q < panels; q++) {
        const int64_t row = first_row(at->m, panels, q);
        t.rows = (int)(first_row(at->m, panels, q + 1) - row);
        t.c = at->c + row * at->c_row + j;
        if (w->packs_a) {
            t.a = w->a + row * at->terms;
            t.a_row = 1;
            t.a_step = t.rows;
        } else {
            t.a = (const float *)g->a + (at->i + row) * g->a_strides.row +
                  at->p * g->a_strides.column;
            t.a_row = g->a_strides.row;
            t.a_step = g->a_strides.column;
        }
        w->kernels->multiply(&t);
    }
}

/* All terms of some rows and columns of c. */
static void multiply_block(const own *w, const block *whole)
{
    const dti_gemm *g = w->g;
    block at = *whole;
    at.p = 0;
    do { /* once even if there is nothing to add */
        at.terms = dti_shape_least(w->k, g->k - at.p);
        at.beta = at.p == 0 ? whole->beta : 1;
        if (w->packs_b)
            pack_b(w, at.p, at.terms, at.j, at.n);
        for (int64_t i = 0; i < whole->m; i += w->m) {
            at.i = whole->i + i;
            at.m = dti_shape_least(w->m, whole->m - i);
            at.c = whole->c + i * whole->c_row;
            if (w->packs_a)
                pack_a(w, at.p, at.terms, at.i, at.m);
            for (int64_t j = 0; j < at.n; j += w->kernels->columns)
                multiply_panel(w, &at, j);
        }
        at.p += w->k;
    } while (at.p < g->k);
}

/* Sums go to a copy of c, which is brought first if it counts. */
static void multiply_aside(const own *w, block *at)
{
    const dti_gemm *g = w->g;
    dti_store_block c = {.dtype = g->dtype,
                         .strides = g->c_strides,
                         .rows = at->m,
                         .columns = at->n};
    c.data = dti_shape_out(
        g, g->c, at->i * g->c_strides.row + at->j * g->c_strides.column);
    at->c = w->c;
    at->c_row = at->n;
    if (at->beta != 0)
        dti_store_read(&c, w->c);
    multiply_block(w, at);
    dti_store_write(&c, w->c);
}

static void multiply_all(const own *w)
{
    const dti_gemm *g = w->g;
    block at = {.alpha = (float)dt_number_real(g->alpha),
                .beta = (float)dt_number_real(g->beta)};
    const float beta = at.beta;
    for (at.i = 0; at.i < g->m; at.i += OUTER_M)
        for (at.j = 0; at.j < g->n; at.j += w->n) {
            at.m = dti_shape_least(OUTER_M, g->m - at.i);
            at.n = dti_shape_least(w->n, g->n - at.j);
            at.beta = beta;
            if (!w->direct) {
                multiply_aside(w, &at);
                continue;
            }
            at.c = (float *)g->c + at.i * g->c_strides.row + at.j;
            at.c_row = g->c_strides.row;
            multiply_block(w, &at);
        }
}

/* ---- Which way ---------------------------------------------------------- */

/* Few rows, and a matrix that is not near. */
static bool is_skinny(const dti_gemm *g)
{
    return g->m <= DTI_OWN_FEW && g->n >= g->m && g->k > 0 &&
           (g->m == 1 || g->n * g->k * (int64_t)sizeof(float) > NEAR_BYTES);
}

size_t dti_own_scratch(const dti_gemm *product, dti_cpu_level level)
{
    if (is_skinny(product))
        return dti_skinny_scratch(product, tables[level]);
    const own w = plan(product, level);
    return a_bytes(&w) + b_bytes(&w) + c_bytes(&w);
}

size_t dti_own_scratch_most(int64_t m, int64_t n, int64_t k,
                            dti_cpu_level level)
{
    own w = {.kernels = tables[level], .packs_a = true, .packs_b = true};
    const dti_gemm g = {.m = m, .n = n, .k = k, .dtype = DT_F16};
    dti_gemm few = g;
    few.m = dti_shape_least(m, DTI_OWN_FEW);
    few.b_strides.row = 1; /* needs most */
    w.g = &g;
    w.m = dti_shape_least(m, BLOCK_M);
    w.n = dti_shape_least(n, BLOCK_N);
    w.k = dti_shape_least(k, DTI_OWN_TERMS);
    const size_t much = a_bytes(&w) + b_bytes(&w) + c_bytes(&w);
    const size_t little = dti_skinny_scratch(&few, tables[level]);
    return much > little ? much : little;
}

void dti_own_run(const dti_gemm *product, dti_cpu_level level, void *scratch)
{
    if (is_skinny(product)) {
        dti_skinny_run(product, tables[level], scratch);
        return;
    }
    own w = plan(product, level);
    char *memory = scratch;
    w.a = (float *)(void *)memory;
    w.b = (float *)(void *)(memory + a_bytes(&w));
    w.c = (float *)(void *)(memory + a_bytes(&w) + b_bytes(&w));
    multiply_all(&w);
}
