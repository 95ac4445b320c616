/* kernel/softmax/logsumexp_level.h - the loops of sums of exponentials, by
 * level. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_SOFTMAX_LOGSUMEXP_LEVEL_H
#define DTI_KERNEL_SOFTMAX_LOGSUMEXP_LEVEL_H

#include <stdint.h>

#include "kernel/fold/blocks.h"

/* Loops over carriers.  All levels give the same bits. */
typedef struct dti_logsumexp_loops {
    /* Give the largest of neighbours, but for NaN; the sum of exp(x - most). */
    double (*most_run)(const void *x, int64_t count);
    double (*exp_run)(const void *x, double most, int64_t count);

    /* The same for each column of a block: keep the larger of what was there;
     * set sums. */
    void (*most_rows)(const dti_block *block, double *most);
    void (*exp_rows)(const dti_block *block, const double *most, double *sums);
} dti_logsumexp_loops;

extern const dti_logsumexp_loops dti_logsumexp_portable[2]; /* f32, f64 */
extern const dti_logsumexp_loops dti_logsumexp_avx2[2];
extern const dti_logsumexp_loops dti_logsumexp_avx512[2];

#endif
