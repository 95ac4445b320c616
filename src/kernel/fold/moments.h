/* kernel/fold/moments.h - sums of elements, and of squares of their
 * differences. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_FOLD_MOMENTS_H
#define DTI_KERNEL_FOLD_MOMENTS_H

#include <stdint.h>

#include <dtensor/array.h>

#include "base/machine/cpu.h"

/* What is known of some numbers: their sum, and the sum of the squares of what
 * they differ from their mean. */
typedef struct dti_moments {
    double *sums;
    double *squares;
} dti_moments;

/*
 * Work out the moments of the dimensions whose bits are set, in f64.  Results
 * lie in row-major order of the other dimensions, and are 0 of no elements.  Of
 * complex numbers, both parts have moments of their own, side by side.
 */
void dti_moments_array(const dt_array *in, unsigned dims, int64_t results,
                       dti_moments out);

/* The same with an instruction set, which the processor must have. */
void dti_moments_array_at(dti_cpu_level level, const dt_array *in,
                          unsigned dims, int64_t results, dti_moments out);

/* Let moments of `count` numbers take in those of `more` others. */
void dti_moments_merge(dti_moments to, int64_t count, dti_moments from,
                       int64_t more, int64_t results);

#endif
