/* random/draw_kernels.h - what draws are made of, by instruction set. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_RANDOM_DRAW_KERNELS_H
#define DTI_RANDOM_DRAW_KERNELS_H

#include <stdint.h>

#include "base/machine/cpu.h"
#include "random/draw.h"

/* Kernels that make numbers out of blocks. */
typedef enum dti_draw_source {
    DTI_SOURCE_UNIFORM32, /* f32, four of a block */
    DTI_SOURCE_NORMAL32,  /* f32, four of a block */
    DTI_SOURCE_UNIFORM64, /* f64, two of a block */
    DTI_SOURCE_NORMAL64,  /* f64, two of a block */
    DTI_SOURCE_CHANCE,    /* i32, 0 or 1, four of a block */
    DTI_SOURCE_INTEGER,   /* i64, two of a block, up to 2^32 values */
    DTI_SOURCE_WIDE,      /* i64, one of a block, more values */
    DTI_SOURCE_WORDS32,   /* 32 bits and 1/2, in the upper bits of a word of 64;
                             four of a block */
    DTI_SOURCE_WORDS64,   /* words of 64 bits, two of a block */
    DTI_SOURCE_COUNT
} dti_draw_source;

/* Kernels that make a distribution, in f64, of words or of numbers. */
typedef enum dti_draw_form {
    DTI_FORM_NONE, /* the source is the distribution */
    DTI_FORM_EXPONENTIAL,
    DTI_FORM_GEOMETRIC,
    DTI_FORM_CAUCHY,
    DTI_FORM_TRUNCATED,
    DTI_FORM_EXP, /* of f64, not of words */
    DTI_FORM_COUNT
} dti_draw_form;

/* Write what comes of `blocks` blocks, the first of which is `block` and the
 * others `stride` apart, at any address. */
typedef void (*dti_draw_fill)(const dti_draw *draw, uint64_t block,
                              uint64_t stride, int64_t blocks, void *out);

/* Change `count` numbers of 64 bits in place.  Their room is a multiple of
 * DTI_DRAW_PAD numbers, and they are set up to there. */
typedef void (*dti_draw_change)(const dti_draw *draw, void *numbers,
                                int64_t count);

#define DTI_DRAW_PAD 8

typedef struct dti_draw_kernels {
    dti_draw_fill fill[DTI_SOURCE_COUNT];
    dti_draw_change change[DTI_FORM_COUNT];
} dti_draw_kernels;

/* The same at every level. */
void dti_draw_fill_wide(const dti_draw *draw, uint64_t block, uint64_t stride,
                        int64_t blocks, void *out);

extern const dti_draw_kernels dti_draw_portable;
extern const dti_draw_kernels dti_draw_avx2;
extern const dti_draw_kernels dti_draw_avx512;

/* dti_draw_run and dti_draw_rows with an instruction set, which the processor
 * must have. */
void dti_draw_run_at(dti_cpu_level level, const dti_draw *draw, int64_t first,
                     int64_t count, void *out);
void dti_draw_rows_at(dti_cpu_level level, const dti_draw *draw, int64_t first,
                      int64_t count, int64_t stride, int64_t rows, void *out);

#endif
