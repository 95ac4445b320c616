/* kernel/fold/moments_level.h - the loops of moments, by level. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_FOLD_MOMENTS_LEVEL_H
#define DTI_KERNEL_FOLD_MOMENTS_LEVEL_H

#include <stdint.h>

#include "kernel/fold/blocks.h"

/* Loops over carriers.  All levels give the same bits. */
typedef struct dti_moments_loops {
    /* Give the sum of neighbours; of the squares of x - mean. */
    double (*sum_run)(const void *x, int64_t count);
    double (*squares_run)(const void *x, double mean, int64_t count);

    /* The same for each column of a block; sums are set. */
    void (*sum_rows)(const dti_block *block, double *sums);
    void (*squares_rows)(const dti_block *block, const double *means,
                         double *sums);

    /* dti_moments_merge. */
    void (*merge)(double *sums, double *squares, double count,
                  const double *more_sums, const double *more_squares,
                  double more, int64_t results);
} dti_moments_loops;

extern const dti_moments_loops dti_moments_portable[2]; /* f32, f64 */
extern const dti_moments_loops dti_moments_avx2[2];
extern const dti_moments_loops dti_moments_avx512[2];

#endif
