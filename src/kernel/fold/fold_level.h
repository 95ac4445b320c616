/* kernel/fold/fold_level.h - the loops that reductions are made of, by level.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_FOLD_FOLD_LEVEL_H
#define DTI_KERNEL_FOLD_FOLD_LEVEL_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/fold/fold.h"

enum {
    DTI_FOLD_LANES = 32 /* accumulators that one run of elements is dealt to */
};

/*
 * Loops over carriers.  An accumulator takes as many bytes as a carrier, and
 * may be another number: floats are compared as integers.
 */
typedef struct dti_fold_loops {
    /* Add `rows` rows of `width` neighbours, `stride` elements apart, to as
     * many accumulators. */
    void (*rows)(void *sums, const void *from, int64_t rows, int64_t stride,
                 int64_t width);

    /* Add accumulators to others. */
    void (*merge)(void *sums, const void *others, int64_t count);

    /* Add up DTI_FOLD_LANES accumulators into the first one. */
    void (*across)(void *sums);

    /* Reduce runs of neighbours, `stride` elements apart and too short for more
     * than one level, to an accumulator each. */
    void (*runs)(const void *from, int64_t runs, int64_t stride, int64_t count,
                 const void *identity, void *sums);

    /* Raise absolute values to a power, where sums of these are wanted. */
    void (*power)(void *values, double power, int64_t count);
} dti_fold_loops;

/* What an instruction set offers, by carrier; NULL where there is nothing. */
typedef dti_fold_loops dti_fold_table[DTI_FOLD_KINDS][DT_DTYPE_COUNT];

extern const dti_fold_table dti_fold_portable;
extern const dti_fold_table dti_fold_avx2;
extern const dti_fold_table dti_fold_avx512;

#endif
