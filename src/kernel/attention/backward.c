/* kernel/attention/backward.c - gradients of attention, in blocks. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "base/dtype.h"
#include "kernel/attention/attention.h"
#include "kernel/attention/tile.h"
#include "kernel/fold/bring.h"

/*
 * Weights P are worked out again from scores and their logsumexp.  With D for
 * the gradient of the results O, and d for the sums of D O by rows:
 *
 *     of values   P' D
 *     of weights  W = D V'
 *     of scores   S = P (W - d), element by element
 *     of queries  scale S K
 *     of keys     scale S' Q
 *
 * The mask is added to scores: its gradient is theirs, summed where it is
 * broadcast.  Where weights were dropped, P in the first line and W are
 * multiplied by what was drawn; d is the same.
 */

typedef struct backward {
    dti_tiling tiling;
    const dti_attention_gradients *to;
    char *weights;      /* a tile */
    char *slopes;       /* a tile */
    double *shifts;     /* d, for each query of a block */
    double *logs;       /* logsumexp of these */
    char *grad_queries; /* a block: NULL, where they go to the results */
    char *queries, *keys, *values, *grads, *outs; /* copies, or NULL */
} backward;

static backward begin(const dti_attention *a, const dti_attention_gradients *to,
                      const dti_attention_way *way, dti_pieces *pieces)
{
    backward w = {.to = to};
    const dti_tiling *t = &w.tiling;
    const int64_t wide = a->value_width;
    dti_tiling_begin(&w.tiling, a, way, pieces);
    const int64_t tile = t->block_queries * t->block_keys;
    w.weights = dti_pieces_take(pieces, tile, t->item);
    w.slopes = dti_pieces_take(pieces, tile, t->item);
    w.shifts = dti_pieces_take(pieces, t->block_queries, sizeof(double));
    w.logs = dti_pieces_take(pieces, t->block_queries, sizeof(double));
    if (a->dtype != t->carrier)
        w.grad_queries =
            dti_pieces_take(pieces, t->block_queries * a->width, t->item);
    w.queries =
        dti_tiling_take(t, pieces, &a->query, t->block_queries, a->width);
    w.keys = dti_tiling_take(t, pieces, &a->key, t->block_keys, a->width);
    w.values = dti_tiling_take(t, pieces, &a->value, t->block_keys, wide);
    w.grads = dti_tiling_take(t, pieces, &to->grad_out, t->block_queries, wide);
    w.outs = dti_tiling_take(t, pieces, &to->out, t->block_queries, wide);
    return w;
}

/* ---- Tiles -------------------------------------------------------------- */

/* Turn scores and gradients of weights into weights and gradients of scores. */
static void slope_row(const backward *w, const dti_tile *tile, int64_t row)
{
    const dti_tiling *t = &w->tiling;
    const int64_t at = row * t->block_keys * t->item;
    char *weights = w->weights + at, *slopes = w->slopes + at;
    const bool blind = w->logs[row] == -(double)INFINITY;
    const int64_t seen = blind ? 0 : dti_tile_seen(t, tile, row);
    const size_t rest = (size_t)((tile->keys - seen) * t->item);
    const double kept = t->attention->kept;
    t->loops->weigh(weights, w->logs[row], seen);
    if (t->attention->keep)
        t->loops->drop(slopes, t->keep + row * tile->keys,
                       kept > 0 ? 1 / kept : 0, seen);
    t->loops->slope(slopes, weights, w->shifts[row], seen);
    if (t->attention->keep)
        t->loops->drop(weights, t->keep + row * tile->keys,
                       kept > 0 ? 1 / kept : 0, seen);
    memset(weights + seen * t->item, 0, rest);
    memset(slopes + seen * t->item, 0, rest);
}

/* Add to gradients of keys or values: a tile, turned, by rows of queries. */
static void add_columns(const backward *w, const dti_tile *tile, const char *by,
                        double alpha, dti_carriers rows, int64_t width,
                        void *to)
{
    const dti_tiling *t = &w->tiling;
    const dti_tile_product product = {.m = tile->keys,
                                      .n = width,
                                      .k = tile->queries,
                                      .alpha = alpha,
                                      .beta = 1,
                                      .a = {by, t->block_keys},
                                      .a_turned = true,
                                      .b = rows,
                                      .c = (char *)to +
                                           tile->key * width * t->item,
                                      .c_row = width};
    dti_tile_multiply(t, &product);
}

/* Add gradients of scores to those of the mask. */
static void add_slopes_f32(const backward *w, const dti_tile *tile, int64_t row)
{
    const dti_attention_gradients *to = w->to;
    const float *from =
        (const float *)(const void *)w->slopes + row * w->tiling.block_keys;
    float *sums = (float *)to->grad_mask +
                  (tile->query + row) * to->grad_mask_row +
                  tile->key * to->grad_mask_column;
    for (int64_t j = 0; j < tile->keys; j++)
        sums[j * to->grad_mask_column] += from[j];
}

static void add_slopes_f64(const backward *w, const dti_tile *tile, int64_t row)
{
    const dti_attention_gradients *to = w->to;
    const double *from =
        (const double *)(const void *)w->slopes + row * w->tiling.block_keys;
    double *sums = (double *)to->grad_mask +
                   (tile->query + row) * to->grad_mask_row +
                   tile->key * to->grad_mask_column;
    for (int64_t j = 0; j < tile->keys; j++)
        sums[j * to->grad_mask_column] += from[j];
}

static void add_slopes(const backward *w, const dti_tile *tile)
{
    for (int64_t i = 0; i < tile->queries; i++) {
        if (w->tiling.carrier == DT_F64)
            add_slopes_f64(w, tile, i);
        else
            add_slopes_f32(w, tile, i);
    }
}

/* What a block of queries has beside its tiles. */
typedef struct block {
    dti_carriers grads; /* of results */
    char *grad_queries;
    int64_t grad_queries_row;
} block;

static void run_tile(const backward *w, dti_tile *tile, const block *of)
{
    const dti_tiling *t = &w->tiling;
    const dti_attention *a = t->attention;
    const dti_carriers values = dti_tiling_bring(
        t, &a->value, tile->key, tile->keys, a->value_width, w->values);
    tile->columns =
        dti_tiling_bring(t, &a->key, tile->key, tile->keys, a->width, w->keys);
    dti_tile_scores(t, tile, w->weights);
    const dti_tile_product by_value = {.m = tile->queries,
                                       .n = tile->keys,
                                       .k = a->value_width,
                                       .alpha = 1,
                                       .a = of->grads,
                                       .b = values,
                                       .b_turned = true,
                                       .c = w->slopes,
                                       .c_row = t->block_keys};
    dti_tile_multiply(t, &by_value);
    if (a->keep)
        dti_tile_keep(t, tile);
    for (int64_t i = 0; i < tile->queries; i++)
        slope_row(w, tile, i);
    if (w->to->grad_mask) {
        add_slopes(w, tile);
        return;
    }
    const dti_tile_product by_key = {.m = tile->queries,
                                     .n = a->width,
                                     .k = tile->keys,
                                     .alpha = a->scale,
                                     .beta = tile->key > 0,
                                     .a = {w->slopes, t->block_keys},
                                     .b = tile->columns,
                                     .c = of->grad_queries,
                                     .c_row = of->grad_queries_row};
    dti_tile_multiply(t, &by_key);
    add_columns(w, tile, w->weights, 1, of->grads, a->value_width,
                w->to->grad_value);
    add_columns(w, tile, w->slopes, a->scale, tile->rows, a->width,
                w->to->grad_key);
}

/* ---- Blocks of queries -------------------------------------------------- */

static double log_of(const backward *w, int64_t query)
{
    return w->tiling.carrier == DT_F64
               ? ((const double *)w->to->logsumexp)[query]
               : (double)((const float *)w->to->logsumexp)[query];
}

static void begin_queries(const backward *w, dti_tile *tile, block *of)
{
    const dti_tiling *t = &w->tiling;
    const dti_attention *a = t->attention;
    tile->rows = dti_tiling_bring(t, &a->query, tile->query, tile->queries,
                                  a->width, w->queries);
    of->grads = dti_tiling_bring(t, &w->to->grad_out, tile->query,
                                 tile->queries, a->value_width, w->grads);
    const dti_carriers outs = dti_tiling_bring(
        t, &w->to->out, tile->query, tile->queries, a->value_width, w->outs);
    for (int64_t i = 0; i < tile->queries; i++) {
        w->shifts[i] =
            t->loops->dot(of->grads.data + i * of->grads.row * t->item,
                          outs.data + i * outs.row * t->item, a->value_width);
        w->logs[i] = log_of(w, tile->query + i);
    }
    of->grad_queries = w->grad_queries;
    of->grad_queries_row = a->width;
    if (!w->grad_queries && !w->to->grad_mask) {
        of->grad_queries_row = w->to->grad_query_row;
        of->grad_queries = (char *)w->to->grad_query +
                           tile->query * of->grad_queries_row * t->item;
    }
}

/* Gradients that were summed in carriers are rounded. */
static void end_queries(const backward *w, const dti_tile *tile)
{
    const dti_tiling *t = &w->tiling;
    const dti_attention *a = t->attention;
    const int64_t item = (int64_t)dti_dtype_size(a->dtype);
    for (int64_t i = 0; w->grad_queries && i < tile->queries; i++)
        for (int64_t j = 0; j < a->width; j += DTI_BRING_MOST) {
            const int64_t rest = a->width - j;
            dti_spread(
                w->grad_queries + (i * a->width + j) * t->item, t->carrier,
                (char *)w->to->grad_query +
                    ((tile->query + i) * w->to->grad_query_row + j) * item,
                a->dtype, 1, rest < DTI_BRING_MOST ? rest : DTI_BRING_MOST);
        }
}

static void run_queries(const backward *w, dti_tile *tile)
{
    const dti_tiling *t = &w->tiling;
    const int64_t keys = dti_tiling_keys(t, tile->query, tile->queries);
    const bool masks = w->to->grad_mask != NULL;
    block of;
    begin_queries(w, tile, &of);
    for (int64_t i = 0; keys == 0 && !masks && i < tile->queries; i++)
        memset(of.grad_queries + i * of.grad_queries_row * t->item, 0,
               (size_t)(t->attention->width * t->item));
    for (tile->key = 0; tile->key < keys; tile->key += t->block_keys) {
        const int64_t rest = keys - tile->key;
        tile->keys = rest < t->block_keys ? rest : t->block_keys;
        run_tile(w, tile, &of);
    }
    if (!masks)
        end_queries(w, tile);
}

void dti_attention_backward_with(const dti_attention *attention,
                                 const dti_attention_gradients *gradients,
                                 const dti_attention_way *way, void *scratch)
{
    dti_pieces pieces = {.base = scratch};
    const backward w = begin(attention, gradients, way, &pieces);
    dti_tile tile = {0};
    for (; tile.query < attention->queries;
         tile.query += w.tiling.block_queries) {
        const int64_t rest = attention->queries - tile.query;
        tile.queries =
            rest < w.tiling.block_queries ? rest : w.tiling.block_queries;
        run_queries(&w, &tile);
    }
}

size_t
dti_attention_backward_scratch_with(const dti_attention *attention,
                                    const dti_attention_gradients *gradients,
                                    const dti_attention_way *way)
{
    dti_pieces pieces = {0};
    begin(attention, gradients, way, &pieces);
    return pieces.used;
}

void dti_attention_backward(const dti_attention *attention,
                            const dti_attention_gradients *gradients,
                            void *scratch)
{
    const dti_attention_way way = {.level = dti_cpu_level_used()};
    dti_attention_backward_with(attention, gradients, &way, scratch);
}

size_t dti_attention_backward_scratch(const dti_attention *attention,
                                      const dti_attention_gradients *gradients)
{
    const dti_attention_way way = {.level = dti_cpu_level_used()};
    return dti_attention_backward_scratch_with(attention, gradients, &way);
}
