/* kernel/norm/norm_level.h - the loops of norms, by level. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_NORM_NORM_LEVEL_H
#define DTI_KERNEL_NORM_NORM_LEVEL_H

#include <stdint.h>

/* Loops over neighbours of one type.  All levels give the same bits. */
typedef struct dti_norm_loops {
    double (*sum)(const void *x, int64_t count);

    /* The sum of squares of what x differs from `mean`, rounded, by. */
    double (*squares)(const void *x, double mean, int64_t count);

    /* (x - mean) rstd, times weight, plus bias; these may be NULL. */
    void (*scale)(const void *x, double mean, double rstd, const void *weight,
                  const void *bias, void *out, int64_t count);

    /* The same of a run that has one weight and one bias. */
    void (*scale_run)(const void *x, double mean, double rstd, double weight,
                      double bias, void *out, int64_t count);

    /* The sums of g w and g w (x - mean) rstd; w may be NULL. */
    void (*grad_sums)(const void *g, const void *x, const void *weight,
                      double mean, double rstd, int64_t count, double *sums);

    /* rstd (g w - first - second (x - mean) rstd). */
    void (*grad_row)(const void *g, const void *x, const void *weight,
                     double mean, double rstd, double first, double second,
                     void *out, int64_t count);

    /* The same of a run that has one weight. */
    void (*grad_run)(const void *g, const void *x, double weight, double mean,
                     double rstd, double first, double second, void *out,
                     int64_t count);

    /* Add g (x - mean) rstd, and g, to sums of columns; either may be NULL. */
    void (*grad_columns)(const void *g, const void *x, double mean, double rstd,
                         void *products, void *sums, int64_t count);
} dti_norm_loops;

extern const dti_norm_loops dti_norm_portable;
extern const dti_norm_loops dti_norm_avx2;
extern const dti_norm_loops dti_norm_avx512;
extern const dti_norm_loops dti_norm_f64;

#endif
