/* kernel/gemm/tile_level.h - tiles of products of f32, by level. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_GEMM_TILE_LEVEL_H
#define DTI_KERNEL_GEMM_TILE_LEVEL_H

#include <stdbool.h>
#include <stdint.h>

#include <dtensor/dtype.h>

#include "base/machine/cpu.h"

/*
 * c = alpha a b + beta c of a tile: `rows` rows, and columns that fill a few
 * vectors.  c is not read where beta is 0.  Every sum begins with 0, or with
 * what is in c if it `continues` (beta is 0 then), and adds its terms one after
 * the other, each by a fused multiplication: c = fma(alpha, sum, beta c).  So
 * all levels and all tiles that an element may be in give the same bits.
 *
 * b has rows of neighbours; a has any strides.  Neighbours of c are neighbours.
 */
typedef struct dti_tile_terms {
    int64_t count; /* of terms */
    const float *a;
    int64_t a_row, a_step; /* from row to row, from term to term */
    const float *b;
    int64_t b_step; /* from term to term */
    float *c;
    int64_t c_row;
    float alpha, beta;
    bool continues;
    int rows, columns; /* 1 to those of the table */
} dti_tile_terms;

/* Lines of elements to be packed: element p of line i goes to to[p * apart +
 * i]. */
typedef struct dti_tile_lines {
    const void *from;
    dt_dtype dtype;     /* f32, f16 or bf16 */
    int64_t line, step; /* from line to line, from element to element */
    int64_t lines, count;
    int64_t apart; /* at least the number of lines */
    int64_t ahead; /* bytes to lines that are read next; 0: not known */
} dti_tile_lines;

enum { DTI_TILE_FEW = 4 };

typedef struct dti_tile_kernels {
    int rows, columns; /* of the largest tile */
    int width;         /* elements of a vector */

    void (*multiply)(const dti_tile_terms *terms);

    /* Lines up to `apart` are set to 0.  Writes up to a vector further. */
    void (*pack)(const dti_tile_lines *lines, float *to);

    /* The sum of products of each line and a row, both of neighbours: element
     * p is added to lane p % 32, lanes are added up by halves. */
    void (*dots)(const dti_tile_lines *lines, const float *row, float *sums);

    /* Up to DTI_TILE_FEW rows by terms, which are the elements of lines: so
     * many lines of neighbours, `step` apart.  Elements of a are dense, those
     * of a term together.  Terms continue what is in `sums`. */
    void (*by_terms)(const dti_tile_lines *lines, int rows, const float *a,
                     float *sums, int64_t sums_row);

    /* c = alpha sums + beta c, as tiles end; c is not read if beta is 0. */
    void (*add)(const float *sums, float alpha, float beta, float *c,
                int64_t count);
} dti_tile_kernels;

const dti_tile_kernels *dti_tile_at(dti_cpu_level level);

extern const dti_tile_kernels dti_tile_portable;
extern const dti_tile_kernels dti_tile_avx2;
extern const dti_tile_kernels dti_tile_avx512;

#endif
