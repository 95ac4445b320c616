/* kernel/fold/blocks.c - reducing dimensions of an array, block by block. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/fold/blocks.h"

#include <stdbool.h>

#include "base/attributes.h"
#include "base/dtype.h"
#include "kernel/fold/bring.h"
#include "kernel/fold/walk.h"

enum {
    ITEM = 8,   /* most bytes of a carrier */
    FEWEST = 16 /* elements that are worth a run */
};

/* Blocks are at most as large as what is brought at a time, row by row. */
enum { BUFFER = DTI_BLOCK_ROWS * DTI_BLOCK_WIDTH };

typedef struct work {
    const dti_blocks *blocks;
    dt_dtype from;
    int64_t from_item;
    int64_t item; /* bytes of carriers */
    const char *in;
    dti_walk kept;    /* dimensions of the results */
    dti_walk reduced; /* the others, but for ... */
    int64_t count;    /* the one of the smallest stride */
    int64_t stride;
} work;

typedef struct column {
    int64_t extent;
    int64_t in; /* strides */
    int64_t out;
} column;

/* ---- Runs ---------------------------------------------------------------- */

static void take_run(const work *w, const char *run, dti_block *b, void *buffer)
{
    for (int64_t start = 0; start < w->count; start += DTI_BLOCK_RUN) {
        const int64_t left = w->count - start;
        const char *piece = run + start * w->stride * w->from_item;
        b->width = left < DTI_BLOCK_RUN ? left : DTI_BLOCK_RUN;
        b->x = piece;
        if (w->from != w->blocks->carrier || w->stride != 1) {
            dti_bring(piece, w->from, w->stride, buffer, w->blocks->carrier,
                      b->width);
            b->x = buffer;
        }
        w->blocks->run(w->blocks->context, b);
        b->had += b->width;
    }
}

static void take_runs(work *w)
{
    _Alignas(DTI_CACHE_LINE) char buffer[DTI_BLOCK_RUN * ITEM];
    do {
        const char *from = w->in + w->kept.in_at * w->from_item;
        dti_block b = {.rows = 1, .to = w->kept.out_at};
        do
            take_run(w, from + w->reduced.in_at * w->from_item, &b, buffer);
        while (dti_walk_next(&w->reduced));
    } while (dti_walk_next(&w->kept));
}

/* ---- Columns ------------------------------------------------------------- */

static void take_rows(const work *w, const char *from, int64_t stride,
                      dti_block *b, char *buffer)
{
    const bool direct =
        w->from == w->blocks->carrier && (stride == 1 || b->width == 1);
    for (int64_t row = 0; row < w->count; row += DTI_BLOCK_ROWS) {
        const int64_t left = w->count - row;
        const char *first = from + row * w->stride * w->from_item;
        b->rows = left < DTI_BLOCK_ROWS ? left : DTI_BLOCK_ROWS;
        b->x = direct ? first : buffer;
        b->stride = direct ? w->stride : b->width;
        for (int64_t i = 0; !direct && i < b->rows; i++)
            dti_bring(first + i * w->stride * w->from_item, w->from, stride,
                      buffer + i * b->width * w->item, w->blocks->carrier,
                      b->width);
        w->blocks->columns(w->blocks->context, b);
        b->had += b->rows;
    }
}

static void take_columns(work *w, column c)
{
    _Alignas(DTI_CACHE_LINE) char buffer[BUFFER * ITEM];
    do {
        const char *from = w->in + w->kept.in_at * w->from_item;
        for (int64_t start = 0; start < c.extent; start += DTI_BLOCK_WIDTH) {
            const int64_t left = c.extent - start;
            const char *first = from + start * c.in * w->from_item;
            dti_block b = {.width =
                               left < DTI_BLOCK_WIDTH ? left : DTI_BLOCK_WIDTH,
                           .to = w->kept.out_at + start * c.out,
                           .step = c.out};
            do
                take_rows(w, first + w->reduced.in_at * w->from_item, c.in, &b,
                          buffer);
            while (dti_walk_next(&w->reduced));
        }
    } while (dti_walk_next(&w->kept));
}

/* Reduce to some of the results. */
static void take_part(void *context, dti_walk *kept)
{
    work w = *(const work *)context;
    w.kept = *kept;
    const int dim = dti_walk_nearest(&w.kept);
    if (dim < 0 || (w.count >= FEWEST && w.stride < w.kept.in[dim])) {
        take_runs(&w);
        return;
    }
    const column c = {w.kept.extent[dim], w.kept.in[dim], w.kept.out[dim]};
    dti_walk_remove(&w.kept, dim);
    take_columns(&w, c);
}

void dti_blocks_take(const dti_blocks *blocks, const dt_array *in,
                     unsigned dims)
{
    const dt_dtype_kind kind = dt_dtype_kind_of(blocks->carrier);
    const bool parts = dt_array_dtype(in) == DT_C64 && kind == DT_KIND_FLOAT;
    work w = {.blocks = blocks,
              .from = parts ? DT_F32 : dt_array_dtype(in),
              .item = (int64_t)dti_dtype_size(blocks->carrier)};
    if (dt_array_count(in) == 0)
        return;
    w.from_item = (int64_t)dti_dtype_size(w.from);
    w.in = dt_array_const_data(in);
    dti_walk_sort(in, dims, parts ? DTI_PARTS_KEPT : DTI_WHOLE, &w.kept,
                  &w.reduced);
    const int64_t of_result =
        dt_array_count(in) * (parts ? 2 : 1) / dti_walk_count(&w.kept);
    dti_walk_take(&w.reduced, &w.count, &w.stride);
    dti_walk_share(&w.kept, 2 * of_result * w.from_item, take_part, &w);
}
