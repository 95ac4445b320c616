/* kernel/gemm/skinny.c - products of few rows with a large matrix. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/gemm/skinny.h"

#include <stdbool.h>
#include <string.h>

#include "base/attributes.h"
#include "base/dtype.h"
#include "kernel/gemm/own.h"
#include "kernel/gemm/shape.h"
#include "kernel/gemm/store.h"

/*
 * Such a product takes as long as reading b, so b is read once, in the order of
 * its memory, and sums of all columns are kept: there are few.
 *
 *     rows of b are neighbours      a few rows at a time, from end to end:
 * tiles of STRIP terms continue the sums columns of b are neighbours   as many
 * columns as a tile has are turned into a panel; of one row, each is a dot
 *
 * Example: 16 rows by (4096,
 * 4096) keep 16 x 4096 sums, 256 KiB, and read 16 rows of b, as much, between
 * two visits of a sum.
 */
enum {
    STRIP = 16,
    STRIP_COLUMNS = 2048,
    FAR_BYTES = 1 << 19 /* that the second cache may not hold */
};

typedef struct skinny {
    const dti_gemm *g;
    const dti_tile_kernels *kernels;
    const float *a;
    int64_t a_row, a_step;
    bool turned; /* columns of b are neighbours */
    float *sums; /* m x n, of a block of terms */
    float *c;    /* m x n, of all: where results go, or beside them */
    int64_t c_row;
    bool direct;
    float *panel; /* of b */
    float *rows;  /* a, if it is packed */
} skinny;

/* ---- Memory ------------------------------------------------------------- */

static float *take(char **memory, int64_t floats)
{
    const size_t bytes = (size_t)floats * sizeof(float);
    char *piece = *memory;
    *memory =
        piece + ((bytes + DTI_CACHE_LINE - 1) & ~(size_t)(DTI_CACHE_LINE - 1));
    return (float *)(void *)piece;
}

/* Sums of a row are whole panels, and one more: rows whose distance is a power
 * of 2 would drive each other out of the cache. */
static int64_t sums_row(const skinny *w)
{
    const int64_t columns = w->kernels->columns;
    return (w->g->n + columns - 1) / columns * columns + columns;
}

/* For the same reason rows are packed, unless there is one. */
static bool packs_a(const skinny *w)
{
    const dti_gemm *g = w->g;
    return g->dtype != DT_F32 || g->m > 1 || g->a_strides.column != 1;
}

/* Few rows read b by terms. */
static bool by_terms(const skinny *w)
{
    return w->g->m <= DTI_TILE_FEW && w->g->b_strides.column == 1;
}

/* Terms of b that are packed at a time. */
static int64_t panel_terms(const skinny *w)
{
    if (w->turned)
        return w->g->m == 1 ? 0 : dti_shape_least(w->g->k, DTI_OWN_TERMS);
    return by_terms(w) ? 0 : STRIP;
}

static skinny plan(const dti_gemm *g, const dti_tile_kernels *kernels,
                   char **memory)
{
    skinny w = {.g = g, .kernels = kernels};
    w.turned = g->b_strides.row == 1 && (g->b_strides.column != 1 || g->n == 1);
    w.sums = take(memory, g->m * sums_row(&w));
    w.direct = g->dtype == DT_F32 && g->c_strides.column == 1;
    w.c = w.direct ? g->c : take(memory, g->m * g->n);
    w.c_row = w.direct ? g->c_strides.row : g->n;
    w.panel = take(memory, panel_terms(&w) * kernels->columns);
    w.a = g->a;
    w.a_row = g->a_strides.row;
    w.a_step = g->a_strides.column;
    if (packs_a(&w)) {
        w.a = w.rows = take(memory, g->m * g->k + kernels->width);
        w.a_row = 1;
        w.a_step = g->m;
    }
    return w;
}

static void pack_rows(const skinny *w)
{
    const dti_gemm *g = w->g;
    const dti_tile_lines lines = {.from = g->a,
                                  .dtype = g->dtype,
                                  .line = g->a_strides.row,
                                  .step = g->a_strides.column,
                                  .lines = g->m,
                                  .count = g->k,
                                  .apart = g->m};
    w->kernels->pack(&lines, w->rows);
}

/* ---- Terms -------------------------------------------------------------- */

static dti_tile_lines lines_of(const skinny *w, int64_t p, int64_t terms,
                               int64_t j)
{
    const dti_gemm *g = w->g;
    const int64_t at = p * g->b_strides.row + j * g->b_strides.column;
    return (dti_tile_lines){.from = dti_shape_in(g, g->b, at),
                            .dtype = g->dtype,
                            .line = g->b_strides.column,
                            .step = g->b_strides.row,
                            .lines =
                                dti_shape_least(w->kernels->columns, g->n - j),
                            .count = terms,
                            .apart = w->kernels->columns};
}

/* All rows by one panel of b, whose rows are `step` apart. */
static void add_panel(const skinny *w, const float *b, int64_t step, int64_t p,
                      int64_t terms, int64_t j, bool continues)
{
    const int64_t m = w->g->m, most = w->kernels->rows;
    const int64_t tiles = (m + most - 1) / most;
    dti_tile_terms t = {
        .count = terms,
        .a_row = w->a_row,
        .a_step = w->a_step,
        .b = b,
        .b_step = step,
        .c_row = sums_row(w),
        .alpha = 1,
        .continues = continues,
        .columns = (int)dti_shape_least(w->kernels->columns, w->g->n - j)};
    for (int64_t q = 0; q < tiles; q++) {
        const int64_t row = m * q / tiles;
        t.rows = (int)(m * (q + 1) / tiles - row);
        t.a = w->a + row * w->a_row + p * w->a_step;
        t.c = w->sums + row * t.c_row + j;
        w->kernels->multiply(&t);
    }
}

/* Ask for a part of the next strip, from end to end of its rows: memory is
 * fastest in order. */
static void ask_ahead(const dti_tile_lines *strip, int64_t columns,
                      int64_t tile, int64_t tiles)
{
    const int64_t item = (int64_t)dti_dtype_size(strip->dtype);
    const int64_t lines =
        (columns * item + DTI_CACHE_LINE - 1) / DTI_CACHE_LINE;
    const int64_t first = tile * lines * STRIP / tiles,
                  last = (tile + 1) * lines * STRIP / tiles;
    for (int64_t i = first; i < last; i++)
        DTI_PREFETCH_FAR((uintptr_t)strip->from +
                         (uintptr_t)((STRIP + i / lines) * strip->step * item +
                                     i % lines * DTI_CACHE_LINE));
}

/* Columns of b are few enough that a strip of them stays near. */
static void add_strips(const skinny *w, int64_t p, int64_t terms, int64_t first,
                       int64_t last)
{
    const dti_gemm *g = w->g;
    const int64_t columns = w->kernels->columns;
    const bool packs = g->dtype != DT_F32 || g->b_strides.column != 1;
    for (int64_t q = 0; q < terms; q += STRIP) {
        const int64_t part = dti_shape_least(STRIP, terms - q);
        const dti_tile_lines strip = lines_of(w, p + q, part, first);
        for (int64_t j = first; j < last; j += columns) {
            const dti_tile_lines lines = lines_of(w, p + q, part, j);
            ask_ahead(&strip, last - first, (j - first) / columns,
                      (last - first + columns - 1) / columns);
            if (packs)
                w->kernels->pack(&lines, w->panel);
            add_panel(w, packs ? w->panel : lines.from,
                      packs ? columns : g->b_strides.row, p + q, part, j,
                      q > 0);
        }
    }
}

/* Few rows: from end to end of the columns. */
static void add_terms(const skinny *w, int64_t p, int64_t terms)
{
    const int64_t row = sums_row(w);
    dti_tile_lines lines = lines_of(w, p, terms, 0);
    lines.lines = w->g->n;
    for (int64_t i = 0; i < w->g->m; i++)
        memset(w->sums + i * row, 0, (size_t)w->g->n * sizeof(float));
    w->kernels->by_terms(&lines, (int)w->g->m, w->a + p * w->a_step, w->sums,
                         row);
}

/* One row: lines of b from end to end. */
static void add_dots(const skinny *w, int64_t p, int64_t terms)
{
    dti_tile_lines lines = lines_of(w, p, terms, 0);
    lines.lines = w->g->n;
    w->kernels->dots(&lines, w->a + p, w->sums);
}

static void add_turned(const skinny *w, int64_t p, int64_t terms)
{
    const dti_gemm *g = w->g;
    const int64_t columns = w->kernels->columns;
    const int64_t item = (int64_t)dti_dtype_size(g->dtype);
    const int64_t ahead = g->n * g->k * item > FAR_BYTES
                              ? g->b_strides.column * columns * item
                              : 0;
    for (int64_t j = 0; j < g->n; j += columns) {
        dti_tile_lines lines = lines_of(w, p, terms, j);
        lines.ahead = ahead;
        w->kernels->pack(&lines, w->panel);
        add_panel(w, w->panel, columns, p, terms, j, false);
    }
}

/* c = alpha sums + beta c, as tiles do it. */
static void add_sums(const skinny *w, float beta)
{
    const dti_gemm *g = w->g;
    const float alpha = (float)dt_number_real(g->alpha);
    const int64_t from_row = sums_row(w);
    for (int64_t i = 0; i < g->m; i++)
        w->kernels->add(w->sums + i * from_row, alpha, beta,
                        w->c + i * w->c_row, g->n);
}

void dti_skinny_run(const dti_gemm *product, const dti_tile_kernels *kernels,
                    void *scratch)
{
    const dti_gemm *g = product;
    char *memory = scratch;
    const skinny w = plan(g, kernels, &memory);
    const dti_store_block c = {.dtype = g->dtype,
                               .data = g->c,
                               .strides = g->c_strides,
                               .rows = g->m,
                               .columns = g->n};
    const float beta = (float)dt_number_real(g->beta);
    if (w.rows)
        pack_rows(&w);
    if (beta != 0 && !w.direct)
        dti_store_read(&c, w.c);
    const bool dots = w.turned && g->m == 1;
    const int64_t block = dots ? DTI_OWN_DOT_TERMS : DTI_OWN_TERMS;
    for (int64_t p = 0; p < g->k; p += block) {
        const int64_t terms = dti_shape_least(block, g->k - p);
        if (dots)
            add_dots(&w, p, terms);
        else if (w.turned)
            add_turned(&w, p, terms);
        else if (by_terms(&w))
            add_terms(&w, p, terms);
        else
            for (int64_t j = 0; j < g->n; j += STRIP_COLUMNS)
                add_strips(&w, p, terms, j,
                           dti_shape_least(j + STRIP_COLUMNS, g->n));
        add_sums(&w, p == 0 ? beta : 1);
    }
    if (!w.direct)
        dti_store_write(&c, w.c);
}

size_t dti_skinny_scratch(const dti_gemm *product,
                          const dti_tile_kernels *kernels)
{
    char *memory = NULL;
    plan(product, kernels, &memory);
    return (size_t)(uintptr_t)memory;
}
