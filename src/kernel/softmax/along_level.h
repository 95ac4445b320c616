/* kernel/softmax/along_level.h - the loops over runs, by level. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_SOFTMAX_ALONG_LEVEL_H
#define DTI_KERNEL_SOFTMAX_ALONG_LEVEL_H

#include <stdbool.h>
#include <stdint.h>

/* Short runs are worked on several at a time: how many, and what is short. */
enum { DTI_ALONG_PANEL = 32, DTI_ALONG_SHORT = 32 };

/*
 * Loops over a run: neighbours of one type, f32 or f64.  All levels give the
 * same bits.  Outputs may be inputs, element for element.
 */
typedef struct dti_along_loops {
    /* The largest, or NaN; -infinity of none. */
    double (*most)(const void *x, int64_t count);

    /* The sum of exp(x - most). */
    double (*exp_sum)(const void *x, double most, int64_t count);

    /* The same, and what is summed goes to out. */
    double (*exp_run)(const void *x, double most, void *out, int64_t count);

    /* The softmax of DTI_ALONG_PANEL runs of up to DTI_ALONG_SHORT elements
     * that lie one behind another, or its logarithm; the bits are those of
     * most, exp_run and scale, or most, exp_sum and shifted. */
    void (*softmax_panel)(const void *x, bool logarithm, void *out, int count);

    /* The sum of a b, or of a if b is NULL. */
    double (*dot)(const void *a, const void *b, int64_t count);

    /* exp(x - most) by. */
    void (*exp_scaled)(const void *x, double most, double by, void *out,
                       int64_t count);

    /* x - most - log. */
    void (*shifted)(const void *x, double most, double log, void *out,
                    int64_t count);

    /* (g - dot) y. */
    void (*softmax_grad)(const void *g, const void *y, double dot, void *out,
                         int64_t count);

    /* g - exp(y) sum. */
    void (*log_softmax_grad)(const void *g, const void *y, double sum,
                             void *out, int64_t count);

    /* out by. */
    void (*scale)(void *out, double by, int64_t count);

    /* out + by x. */
    void (*add)(void *out, const void *x, double by, int64_t count);

    /* out - by w, or out - by if w is NULL. */
    void (*take_off)(void *out, const void *w, double by, int64_t count);
} dti_along_loops;

extern const dti_along_loops dti_along_portable;
extern const dti_along_loops dti_along_avx2;
extern const dti_along_loops dti_along_avx512;
extern const dti_along_loops dti_along_f64;

#endif
