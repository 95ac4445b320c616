/* kernel/attention/attention_level.h - the loops of attention, by level. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_ATTENTION_ATTENTION_LEVEL_H
#define DTI_KERNEL_ATTENTION_ATTENTION_LEVEL_H

#include <stdint.h>

/* Loops over neighbours of one dtype, f32 or f64.  All levels give the same
 * bits. */
typedef struct dti_attention_loops {
    /* Give the largest, NaN aside; -infinity if there is none. */
    double (*most)(const void *values, int64_t count);

    /* Turn x into exp(x - most), and give the sum of these. */
    double (*weigh)(void *values, double most, int64_t count);

    /* Multiply by a number. */
    void (*scale)(void *values, double by, int64_t count);

    /* Add one to the other. */
    void (*add)(void *values, const void *others, int64_t count);

    /* Set to -infinity what is not to be seen. */
    void (*hide)(void *values, const unsigned char *seen, int64_t count);

    /* Set to 0 what is not kept, multiply the others by a number. */
    void (*drop)(void *values, const unsigned char *keep, double by,
                 int64_t count);

    /* Turn x into weight (x - shift). */
    void (*slope)(void *values, const void *weights, double shift,
                  int64_t count);

    /* Give 0; NaN if one of them is not finite. */
    double (*nought)(const void *values, int64_t count);

    /* Give the sum of products. */
    double (*dot)(const void *a, const void *b, int64_t count);
} dti_attention_loops;

/* Those of f32, then those of f64. */
extern const dti_attention_loops dti_attention_portable[2];
extern const dti_attention_loops dti_attention_avx2[2];
extern const dti_attention_loops dti_attention_avx512[2];

#endif
