/* kernel/norm_level.h - the loops of norms, by level. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_NORM_LEVEL_H
#define DTI_KERNEL_NORM_LEVEL_H

#include <stdint.h>

/* Loops over f32.  All levels give the same bits. */
typedef struct dti_norm_loops {
    double (*sum)(const float *values, int64_t count);

    /* The sum of squares of what values differ from `mean` by. */
    double (*squares)(const float *values, double mean, int64_t count);

    /* (x - mean) * rstd, times weight, plus bias; these may be NULL. */
    void (*scale)(const float *values, float mean, float rstd,
                  const float *weight, const float *bias, float *out,
                  int64_t count);
} dti_norm_loops;

extern const dti_norm_loops dti_norm_portable;
extern const dti_norm_loops dti_norm_avx2;
extern const dti_norm_loops dti_norm_avx512;

#endif
