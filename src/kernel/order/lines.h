/* kernel/order/lines.h - the lines of elements along a dimension, brought and
 * put. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_ORDER_LINES_H
#define DTI_KERNEL_ORDER_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include <dtensor/array.h>

#include "kernel/fold/walk.h"

enum {
    DTI_LINES = 16,       /* most that are taken together */
    DTI_LINES_PIECE = 256 /* most elements of each at a time */
};

/*
 * The lines along a dimension of an array, and where results go: to an array
 * that is row-major and has `results` elements along it.  Where neighbours
 * belong to different lines, several lines are taken together, so that memory
 * is read and written in whole cache lines.
 */
typedef struct dti_lines {
    dt_dtype dtype;
    int64_t item; /* bytes */
    const char *in;
    int64_t count; /* elements of a line */
    int64_t stride;
    int64_t to_stride;
    dti_walk kept;  /* the other dimensions, but for ... */
    int64_t extent; /* one whose lines are neighbours, 1 if there is none */
    int64_t apart;
    int64_t to_apart;
    int64_t start; /* the next line of it */
    bool done;
} dti_lines;

/* Lines that are taken together. */
typedef struct dti_line_batch {
    int lines;
    const char *from; /* the first element */
    int64_t to;       /* the place of the first result */
} dti_line_batch;

/* Begin; lines of no elements, or without results, are none. */
void dti_lines_open(dti_lines *lines, const dt_array *in, int dim,
                    int64_t results);

/* Give the next lines, at most so many; false after the last. */
bool dti_lines_next(dti_lines *lines, int most, dti_line_batch *out);

/* Bring elements from `start` on, as another dtype: those of line i begin at
 * element i * DTI_LINES_PIECE.  Of an item of 4 or 8 bytes. */
void dti_lines_bring(const dti_lines *lines, const dti_line_batch *batch,
                     int64_t start, int64_t count, dt_dtype as, void *out);

/* Put results from `start` on, which lie as dti_lines_bring lays them. */
void dti_lines_put(const dti_lines *lines, const dti_line_batch *batch,
                   int64_t start, int64_t count, const void *values,
                   dt_dtype as, void *out, dt_dtype dtype);

#endif
