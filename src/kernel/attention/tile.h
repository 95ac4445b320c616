/* kernel/attention/tile.h - the scores of some queries and some keys. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_ATTENTION_TILE_H
#define DTI_KERNEL_ATTENTION_TILE_H

#include "kernel/attention/attention.h"
#include "kernel/attention/attention_level.h"

/*
 * Tiles are of carriers: f64 for f64, f32 for the others.  A tile has
 * `block_keys` columns in memory, whatever it has in use.
 */
typedef struct dti_tiling {
    const dti_attention *attention;
    const dti_attention_loops *loops;
    dt_dtype carrier;
    int64_t item; /* bytes of a carrier */
    int64_t block_queries, block_keys;
    char *products;      /* scratch memory of these */
    char *line;          /* a row of the mask */
    unsigned char *keep; /* a tile */
} dti_tiling;

/* Rows of carriers, each of neighbours. */
typedef struct dti_carriers {
    const char *data;
    int64_t row; /* elements from row to row */
} dti_carriers;

/* What is worked on at a time. */
typedef struct dti_tile {
    int64_t query, key;    /* the first ones */
    int64_t queries, keys; /* how many */
    dti_carriers rows;     /* of queries */
    dti_carriers columns;  /* of keys */
} dti_tile;

/* Memory by pieces: `base` may be NULL, to find out how much is needed. */
typedef struct dti_pieces {
    char *base;
    size_t used;
} dti_pieces;

/* The next piece; NULL if there is no base. */
void *dti_pieces_take(dti_pieces *pieces, int64_t count, int64_t item);

/* Set up all but memory, then take that. */
void dti_tiling_begin(dti_tiling *out, const dti_attention *attention,
                      const dti_attention_way *way, dti_pieces *pieces);

/* Take memory for a copy of rows of a matrix, if it has to be copied. */
char *dti_tiling_take(const dti_tiling *tiling, dti_pieces *pieces,
                      const dti_attention_matrix *matrix, int64_t rows,
                      int64_t width);

/* Give rows of a matrix as carriers: where they are, or copied. */
dti_carriers dti_tiling_bring(const dti_tiling *tiling,
                              const dti_attention_matrix *matrix, int64_t first,
                              int64_t rows, int64_t width, char *copy);

/* How many keys, from the first one on, some query of a block sees. */
int64_t dti_tiling_keys(const dti_tiling *tiling, int64_t query,
                        int64_t queries);

/* How many keys of a tile a query sees, the mask aside. */
int64_t dti_tile_seen(const dti_tiling *tiling, const dti_tile *tile,
                      int64_t row);

/* Work out all scores of a tile, with what the mask says; those of keys that a
 * query does not see are anything. */
void dti_tile_scores(const dti_tiling *tiling, const dti_tile *tile,
                     char *scores);

/* Find out which weights are kept; the tile is dense. */
void dti_tile_keep(const dti_tiling *tiling, const dti_tile *tile);

/* A product of carriers: c = alpha a b + beta c; `turned` ones are transposed
 * in memory. */
typedef struct dti_tile_product {
    int64_t m, n, k;
    double alpha, beta;
    dti_carriers a, b;
    bool a_turned, b_turned;
    char *c;
    int64_t c_row;
} dti_tile_product;

void dti_tile_multiply(const dti_tiling *tiling,
                       const dti_tile_product *product);

#endif
