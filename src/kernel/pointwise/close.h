/* kernel/pointwise/close.h - numbers that are nearly equal. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_POINTWISE_CLOSE_H
#define DTI_KERNEL_POINTWISE_CLOSE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Numbers are close if they are equal, or if |a - b| is finite and at most
 * atol + |rtol b|; or if both are NaN, where these are equal.
 */
typedef struct dti_close {
    double rtol, atol;
    bool equal_nan;
} dti_close;

/* Tell of each of `count` pairs whether it is close: 1 or 0.  Complex numbers
 * are two floats. */
void dti_close_f64(const dti_close *how, const double *a, const double *b,
                   int64_t count, unsigned char *out);
void dti_close_i64(const dti_close *how, const int64_t *a, const int64_t *b,
                   int64_t count, unsigned char *out);
void dti_close_c64(const dti_close *how, const float *a, const float *b,
                   int64_t count, unsigned char *out);

#endif
