/* kernel/fold/arg_level.h - the loops that find extremes of f32, by level. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_FOLD_ARG_LEVEL_H
#define DTI_KERNEL_FOLD_ARG_LEVEL_H

#include <stdint.h>

/* Elements are compared by keys, of which the best is the largest. */
typedef struct dti_arg_loops {
    /* Give the best key of neighbours. */
    int32_t (*most)(const float *x, int64_t count);

    /* Give where a key is first; there is one. */
    int64_t (*find)(const float *x, int64_t count, int32_t key);

    /* Keep the best key of each column, and the number of its row, of which the
     * first is 0. */
    void (*rows)(const float *x, int64_t rows, int64_t stride, int64_t width,
                 int32_t *best, int32_t *numbers);
} dti_arg_loops;

extern const dti_arg_loops dti_arg_portable[2]; /* the least, the largest */
extern const dti_arg_loops dti_arg_avx2[2];
extern const dti_arg_loops dti_arg_avx512[2];

#endif
