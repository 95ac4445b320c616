/* kernel/softmax/softmax_level.h - the loops of softmax, by level. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_SOFTMAX_SOFTMAX_LEVEL_H
#define DTI_KERNEL_SOFTMAX_SOFTMAX_LEVEL_H

#include <stdint.h>

enum {
    DTI_SOFTMAX_LANES = 16 /* sums that elements are dealt to, by turns */
};

/* Loops over f32.  All levels give the same bits. */
typedef struct dti_softmax_loops {
    /* Give the largest of neighbours, or NaN. */
    float (*most_run)(const float *values, int64_t count);

    /* Turn x into exp(x - most), and add these to DTI_SOFTMAX_LANES sums, the
     * first one to the first. */
    void (*exp_run)(float *values, float most, double *lanes, int64_t count);

    /* Keep the larger of two numbers, or NaN. */
    void (*most_row)(float *most, const float *values, int64_t count);

    /* Turn x into exp(x - most) where each has its own, and add each to its
     * own sum. */
    void (*exp_row)(float *values, const float *most, double *sums,
                    int64_t count);

    /* Multiply each by its own factor. */
    void (*scale_row)(float *values, const float *by, int64_t count);

    /* Subtract two numbers of its own from each. */
    void (*subtract_row)(float *values, const float *most, const float *logs,
                         int64_t count);
} dti_softmax_loops;

extern const dti_softmax_loops dti_softmax_portable;
extern const dti_softmax_loops dti_softmax_avx2;
extern const dti_softmax_loops dti_softmax_avx512;

#endif
