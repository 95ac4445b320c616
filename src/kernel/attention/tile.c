/* kernel/attention/tile.c - the scores of some queries and some keys. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/attention/tile.h"

#include <string.h>

#include "base/attributes.h"
#include "base/dtype.h"
#include "kernel/fold/bring.h"
#include "kernel/gemm/gemm.h"

static const dti_attention_loops *const tables[DTI_CPU_LEVELS] = {
    [DTI_CPU_PORTABLE] = dti_attention_portable,
#if defined(__x86_64__)
    [DTI_CPU_AVX2] = dti_attention_avx2,
    [DTI_CPU_AVX512] = dti_attention_avx512,
#endif
};

/* Blocks whose scores the second cache holds: copies that BLAS makes are worth
 * it from about as many queries on.  Where later keys are not seen, smaller
 * blocks have less to leave out. */
enum {
    QUERIES = 128,
    CAUSAL_QUERIES = 64,
    KEYS = 256,
    MOST_KEYS = 2048 /* where queries are few */
};

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* ---- Memory ------------------------------------------------------------- */

void *dti_pieces_take(dti_pieces *pieces, int64_t count, int64_t item)
{
    const size_t line = DTI_CACHE_LINE;
    const size_t bytes = ((size_t)(count * item) + line - 1) & ~(line - 1);
    void *piece = pieces->base ? pieces->base + pieces->used : NULL;
    pieces->used += bytes;
    return piece;
}

static bool is_wide(dt_dtype dtype)
{
    return dtype == DT_F64;
}

/* More keys at a time where there are few queries. */
static int64_t keys_for(int64_t queries)
{
    const int64_t room = (int64_t)QUERIES * KEYS / (queries > 0 ? queries : 1);
    return room < KEYS ? KEYS : least(room, MOST_KEYS);
}

/* What products of a tile need, forward and backward. */
static size_t product_bytes(const dti_tiling *t)
{
    const dti_attention *a = t->attention;
    const int64_t wide = a->width > a->value_width ? a->width : a->value_width;
    const int64_t extents[][3] = {{t->block_queries, t->block_keys, wide},
                                  {t->block_queries, wide, t->block_keys},
                                  {t->block_keys, wide, t->block_queries}};
    size_t most = 0;
    for (size_t i = 0; i < DTI_COUNT_OF(extents); i++) {
        const int64_t *e = extents[i];
        const size_t bytes =
            dti_gemm_scratch_most(t->carrier, e[0], e[1], e[2]);
        most = bytes > most ? bytes : most;
    }
    return most;
}

void dti_tiling_begin(dti_tiling *out, const dti_attention *attention,
                      const dti_attention_way *way, dti_pieces *pieces)
{
    const dti_attention *a = attention;
    const bool wide = is_wide(a->dtype);
    *out = (dti_tiling){.attention = a,
                        .loops = &tables[way->level][wide],
                        .carrier = wide ? DT_F64 : DT_F32,
                        .item = wide ? 8 : 4};
    const int64_t queries = a->causal ? CAUSAL_QUERIES : QUERIES;
    out->block_queries =
        least(a->of_queries, way->block_queries ? way->block_queries : queries);
    out->block_keys =
        least(a->keys,
              way->block_keys ? way->block_keys : keys_for(out->block_queries));
    out->products = dti_pieces_take(pieces, (int64_t)product_bytes(out), 1);
    if (a->mask.data)
        out->line = dti_pieces_take(pieces, out->block_keys, out->item);
    if (a->keep)
        out->keep =
            dti_pieces_take(pieces, out->block_queries * out->block_keys, 1);
}

/* ---- Rows --------------------------------------------------------------- */

static bool lies_well(const dti_tiling *tiling,
                      const dti_attention_matrix *matrix, int64_t width)
{
    return tiling->attention->dtype == tiling->carrier && matrix->column == 1 &&
           matrix->row >= width;
}

char *dti_tiling_take(const dti_tiling *tiling, dti_pieces *pieces,
                      const dti_attention_matrix *matrix, int64_t rows,
                      int64_t width)
{
    if (lies_well(tiling, matrix, width))
        return NULL;
    return dti_pieces_take(pieces, rows * width, tiling->item);
}

/* A row of any length. */
static void bring_row(const char *from, dt_dtype dtype, int64_t stride,
                      char *to, dt_dtype carrier, int64_t count)
{
    const int64_t from_item = (int64_t)dti_dtype_size(dtype);
    const int64_t to_item = (int64_t)dti_dtype_size(carrier);
    for (int64_t i = 0; i < count; i += DTI_BRING_MOST)
        dti_bring(from + i * stride * from_item, dtype, stride,
                  to + i * to_item, carrier, least(DTI_BRING_MOST, count - i));
}

dti_carriers dti_tiling_bring(const dti_tiling *tiling,
                              const dti_attention_matrix *matrix, int64_t first,
                              int64_t rows, int64_t width, char *copy)
{
    const dt_dtype dtype = tiling->attention->dtype;
    const int64_t item = (int64_t)dti_dtype_size(dtype);
    const char *from = (const char *)matrix->data + first * matrix->row * item;
    if (lies_well(tiling, matrix, width))
        return (dti_carriers){from, matrix->row};
    if (matrix->column == 1 && matrix->row == width) {
        bring_row(from, dtype, 1, copy, tiling->carrier, rows * width);
        return (dti_carriers){copy, width};
    }
    for (int64_t i = 0; i < rows; i++)
        bring_row(from + i * matrix->row * item, dtype, matrix->column,
                  copy + i * width * tiling->item, tiling->carrier, width);
    return (dti_carriers){copy, width};
}

/* ---- Products ----------------------------------------------------------- */

static dti_gemm_strides strides_of(dti_carriers matrix, bool turned)
{
    return turned ? (dti_gemm_strides){.row = 1, .column = matrix.row}
                  : (dti_gemm_strides){.row = matrix.row, .column = 1};
}

void dti_tile_multiply(const dti_tiling *tiling, const dti_tile_product *p)
{
    const dti_gemm product = {.dtype = tiling->carrier,
                              .m = p->m,
                              .n = p->n,
                              .k = p->k,
                              .alpha = dt_real(p->alpha),
                              .beta = dt_real(p->beta),
                              .a = p->a.data,
                              .b = p->b.data,
                              .c = p->c,
                              .a_strides = strides_of(p->a, p->a_turned),
                              .b_strides = strides_of(p->b, p->b_turned),
                              .c_strides = {.row = p->c_row, .column = 1}};
    dti_gemm_run_alone(&product, tiling->products);
}

/* ---- Scores ------------------------------------------------------------- */

int64_t dti_tiling_keys(const dti_tiling *tiling, int64_t query,
                        int64_t queries)
{
    const dti_attention *a = tiling->attention;
    return a->causal ? least(a->keys, a->position + query + queries) : a->keys;
}

int64_t dti_tile_seen(const dti_tiling *tiling, const dti_tile *tile,
                      int64_t row)
{
    const dti_attention *a = tiling->attention;
    if (!a->causal)
        return tile->keys;
    const int64_t seen = a->position + tile->query + row + 1 - tile->key;
    return seen < 0 ? 0 : least(seen, tile->keys);
}

static void mask_row(const dti_tiling *tiling, const char *from, char *scores,
                     int64_t count)
{
    const dti_attention *a = tiling->attention;
    const bool together = a->mask.column == 1;
    const dt_dtype to = a->mask_dtype == DT_BOOL ? DT_BOOL : tiling->carrier;
    if (!together || a->mask_dtype != to) {
        bring_row(from, a->mask_dtype, a->mask.column, tiling->line, to, count);
        from = tiling->line;
    }
    if (to == DT_BOOL)
        tiling->loops->hide(scores, (const unsigned char *)from, count);
    else
        tiling->loops->add(scores, from, count);
}

static void mask_tile(const dti_tiling *tiling, const dti_tile *tile,
                      char *scores)
{
    const dti_attention *a = tiling->attention;
    const int64_t item = (int64_t)dti_dtype_size(a->mask_dtype);
    for (int64_t i = 0; i < tile->queries; i++) {
        const int64_t at =
            (tile->query + i) * a->mask.row + tile->key * a->mask.column;
        mask_row(tiling, (const char *)a->mask.data + at * item,
                 scores + i * tiling->block_keys * tiling->item, tile->keys);
    }
}

void dti_tile_scores(const dti_tiling *tiling, const dti_tile *tile,
                     char *scores)
{
    const dti_tile_product product = {.m = tile->queries,
                                      .n = tile->keys,
                                      .k = tiling->attention->width,
                                      .alpha = tiling->attention->scale,
                                      .a = tile->rows,
                                      .b = tile->columns,
                                      .b_turned = true,
                                      .c = scores,
                                      .c_row = tiling->block_keys};
    dti_tile_multiply(tiling, &product);
    if (tiling->attention->mask.data)
        mask_tile(tiling, tile, scores);
}

void dti_tile_keep(const dti_tiling *tiling, const dti_tile *tile)
{
    const dti_attention *a = tiling->attention;
    a->keep(a->keep_arg, a->first + tile->query * a->step + tile->key,
            tile->keys, a->step, tile->queries, tiling->keep);
}
