/* kernel/attention/attention.c - scaled dot-product attention, in blocks. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/attention/attention.h"

#include <math.h>
#include <string.h>

#include "base/dtype.h"
#include "kernel/attention/tile.h"
#include "kernel/fold/bring.h"

/*
 * Scores are worked out for a block of queries and a block of keys at a time,
 * and never all of them: for each query the largest score so far, the sum of
 * exp(score - largest) and the sum of values by these weights are kept.  Where
 * a later block has a larger score, both sums are multiplied by exp(former -
 * larger).  This is the method of Milakov and Gimelshein (Online normalizer
 * calculation for softmax, 2018), and of FlashAttention (Dao et al., 2022).
 */

/* Memory of the forward pass. */
typedef struct forward {
    dti_tiling tiling;
    char *scores;
    char *sums; /* of values: NULL, where they go to the results */
    double *most, *totals;
    char *queries, *keys, *values; /* copies, or NULL */
} forward;

/* Sums of values: a row for each query of a block. */
typedef struct summed {
    char *data;
    int64_t row;
} summed;

static forward begin(const dti_attention *a, const dti_attention_way *way,
                     dti_pieces *pieces)
{
    forward w = {0};
    const dti_tiling *t = &w.tiling;
    dti_tiling_begin(&w.tiling, a, way, pieces);
    w.scores =
        dti_pieces_take(pieces, t->block_queries * t->block_keys, t->item);
    if (a->dtype != t->carrier)
        w.sums =
            dti_pieces_take(pieces, t->block_queries * a->value_width, t->item);
    w.most = dti_pieces_take(pieces, t->block_queries, sizeof(double));
    w.totals = dti_pieces_take(pieces, t->block_queries, sizeof(double));
    w.queries =
        dti_tiling_take(t, pieces, &a->query, t->block_queries, a->width);
    w.keys = dti_tiling_take(t, pieces, &a->key, t->block_keys, a->width);
    w.values =
        dti_tiling_take(t, pieces, &a->value, t->block_keys, a->value_width);
    return w;
}

/* ---- Weights ------------------------------------------------------------ */

/* exp(former - most), where both may be -infinity. */
static double shrink(const dti_tiling *t, double former, double most)
{
    double wide = former;
    float near = (float)former;
    if (former == most)
        return 1;
    return t->carrier == DT_F64 ? t->loops->weigh(&wide, most, 1)
                                : t->loops->weigh(&near, most, 1);
}

/* Make weights of a row of scores; what was summed before shrinks. */
static void weigh_row(const forward *w, const dti_tile *tile, int64_t row,
                      char *sums)
{
    const dti_tiling *t = &w->tiling;
    char *scores = w->scores + row * t->block_keys * t->item;
    const int64_t seen = dti_tile_seen(t, tile, row);
    const double former = w->most[row];
    const double here = t->loops->most(scores, seen);
    const double most = here > former ? here : former;
    /* Of scores that are all -infinity, exponentials are 0; of NaN, NaN. */
    const double shift = most == -(double)INFINITY ? 0 : most;
    const double total = t->loops->weigh(scores, shift, seen);
    memset(scores + seen * t->item, 0, (size_t)((tile->keys - seen) * t->item));
    if (most != former && tile->key > 0) {
        const double by = shrink(t, former, most);
        t->loops->scale(sums, by, t->attention->value_width);
        w->totals[row] *= by;
    }
    w->most[row] = most;
    w->totals[row] += total;
}

static void drop_weights(const forward *w, const dti_tile *tile)
{
    const dti_tiling *t = &w->tiling;
    const double kept = t->attention->kept;
    const double factor = kept > 0 ? 1 / kept : 0;
    dti_tile_keep(t, tile);
    for (int64_t i = 0; i < tile->queries; i++)
        t->loops->drop(w->scores + i * t->block_keys * t->item,
                       t->keep + i * tile->keys, factor, tile->keys);
}

/* ---- Blocks ------------------------------------------------------------- */

/* Tell whether weights of 0 leave out all values: 0 times NaN is NaN. */
static bool zero_leaves_out(const dti_tiling *t, const dti_tile *tile,
                            dti_carriers values)
{
    const int64_t width = t->attention->value_width;
    double sum = 0;
    for (int64_t i = 0; i < tile->keys; i++)
        sum += t->loops->nought(values.data + i * values.row * t->item, width);
    return sum == 0;
}

/* Add the values of a tile by their weights, for some of its queries. */
static void add_values(const forward *w, const dti_tile *tile,
                       dti_carriers values, int64_t row, int64_t rows,
                       int64_t keys, const summed *to)
{
    const dti_tiling *t = &w->tiling;
    const dti_tile_product product = {
        .m = rows,
        .n = t->attention->value_width,
        .k = keys,
        .alpha = 1,
        .beta = tile->key > 0,
        .a = {w->scores + row * t->block_keys * t->item, t->block_keys},
        .b = values,
        .c = to->data + row * to->row * t->item,
        .c_row = to->row};
    dti_tile_multiply(t, &product);
}

static void run_tile(const forward *w, dti_tile *tile, const summed *to)
{
    const dti_tiling *t = &w->tiling;
    const dti_attention *a = t->attention;
    tile->columns =
        dti_tiling_bring(t, &a->key, tile->key, tile->keys, a->width, w->keys);
    dti_tile_scores(t, tile, w->scores);
    for (int64_t i = 0; i < tile->queries; i++)
        weigh_row(w, tile, i, to->data + i * to->row * t->item);
    if (a->keep)
        drop_weights(w, tile);
    const dti_carriers values = dti_tiling_bring(
        t, &a->value, tile->key, tile->keys, a->value_width, w->values);
    if (dti_tile_seen(t, tile, 0) == tile->keys ||
        zero_leaves_out(t, tile, values)) {
        add_values(w, tile, values, 0, tile->queries, tile->keys, to);
        return;
    }
    for (int64_t i = 0; i < tile->queries; i++)
        add_values(w, tile, values, i, 1, dti_tile_seen(t, tile, i), to);
}

/* Divide the sums of a row by the sum of its weights. */
static void finish_row(const forward *w, int64_t query, int64_t row, char *sums,
                       const dti_attention_results *to)
{
    const dti_tiling *t = &w->tiling;
    const dti_attention *a = t->attention;
    const double total = w->totals[row];
    const int64_t item = (int64_t)dti_dtype_size(a->dtype);
    char *out = (char *)to->out + (query + row) * to->out_row * item;
    if (total != 0)
        t->loops->scale(sums, 1 / total, a->value_width);
    for (int64_t i = 0; out != sums && i < a->value_width; i += DTI_BRING_MOST)
        dti_spread(sums + i * t->item, t->carrier, out + i * item, a->dtype, 1,
                   a->value_width - i < DTI_BRING_MOST ? a->value_width - i
                                                       : DTI_BRING_MOST);
    const double log_sum = w->most[row] + log(total);
    if (to->logsumexp && t->carrier == DT_F64)
        ((double *)to->logsumexp)[query + row] = log_sum;
    else if (to->logsumexp)
        ((float *)to->logsumexp)[query + row] = (float)log_sum;
}

static void run_queries(const forward *w, dti_tile *tile,
                        const dti_attention_results *results)
{
    const dti_tiling *t = &w->tiling;
    const dti_attention *a = t->attention;
    summed to = {w->sums, a->value_width};
    if (!w->sums)
        to = (summed){(char *)results->out +
                          tile->query * results->out_row * t->item,
                      results->out_row};
    const int64_t keys = dti_tiling_keys(t, tile->query, tile->queries);
    tile->rows = dti_tiling_bring(t, &a->query, tile->query, tile->queries,
                                  a->width, w->queries);
    for (int64_t i = 0; i < tile->queries; i++) {
        w->most[i] = -(double)INFINITY;
        w->totals[i] = 0;
        if (keys == 0)
            memset(to.data + i * to.row * t->item, 0,
                   (size_t)(a->value_width * t->item));
    }
    for (tile->key = 0; tile->key < keys; tile->key += t->block_keys) {
        const int64_t rest = keys - tile->key;
        tile->keys = rest < t->block_keys ? rest : t->block_keys;
        run_tile(w, tile, &to);
    }
    for (int64_t i = 0; i < tile->queries; i++)
        finish_row(w, tile->query, i, to.data + i * to.row * t->item, results);
}

void dti_attention_forward_with(const dti_attention *attention,
                                const dti_attention_results *results,
                                const dti_attention_way *way, void *scratch)
{
    dti_pieces pieces = {.base = scratch};
    const forward w = begin(attention, way, &pieces);
    dti_tile tile = {0};
    for (; tile.query < attention->queries;
         tile.query += w.tiling.block_queries) {
        const int64_t rest = attention->queries - tile.query;
        tile.queries =
            rest < w.tiling.block_queries ? rest : w.tiling.block_queries;
        run_queries(&w, &tile, results);
    }
}

size_t dti_attention_scratch_with(const dti_attention *attention,
                                  const dti_attention_way *way)
{
    dti_pieces pieces = {0};
    begin(attention, way, &pieces);
    return pieces.used;
}

void dti_attention_forward(const dti_attention *attention,
                           const dti_attention_results *results, void *scratch)
{
    const dti_attention_way way = {.level = dti_cpu_level_used()};
    dti_attention_forward_with(attention, results, &way, scratch);
}

size_t dti_attention_scratch(const dti_attention *attention)
{
    const dti_attention_way way = {.level = dti_cpu_level_used()};
    return dti_attention_scratch_with(attention, &way);
}
