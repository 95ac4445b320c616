/* kernel/softmax/logsumexp.h - logarithms of sums of exponentials. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_SOFTMAX_LOGSUMEXP_H
#define DTI_KERNEL_SOFTMAX_LOGSUMEXP_H

#include <stdint.h>

#include <dtensor/array.h>

#include "base/machine/cpu.h"

/* What is known of some numbers: the largest, or NaN, and the sum of exp(x -
 * largest), which counts only if that is finite. */
typedef struct dti_exponentials {
    double *most;
    double *sums;
} dti_exponentials;

/*
 * Work out the exponentials of the dimensions whose bits are set, of floats, in
 * f64.  Results lie in row-major order of the other dimensions; of no elements
 * the largest is -infinity and the sum 0.
 */
void dti_exponentials_array(const dt_array *in, unsigned dims, int64_t results,
                            dti_exponentials out);

/* The same with an instruction set, which the processor must have. */
void dti_exponentials_array_at(dti_cpu_level level, const dt_array *in,
                               unsigned dims, int64_t results,
                               dti_exponentials out);

/* Let exponentials take in others. */
void dti_exponentials_merge(dti_exponentials to, dti_exponentials from,
                            int64_t results);

/* Turn exponentials into logarithms of the whole sums, where the largest are.
 */
void dti_exponentials_end(dti_exponentials both, int64_t results);

#endif
