/* kernel/random/dropout.h - elements dropped at random. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_RANDOM_DROPOUT_H
#define DTI_KERNEL_RANDOM_DROPOUT_H

#include <stdint.h>

#include <dtensor/dtype.h>

/*
 * Multiply elements by 1 / `kept` where `keep` is 1, and by 0 where it is 0.
 *
 * f32, f64, f16 and bf16.  The factor is rounded to the dtype first, then the
 * product.  `out` may be `in`.
 */
void dti_dropout(dt_dtype dtype, const void *in, const unsigned char *keep,
                 double kept, void *out, int64_t count);

/* Multiply elements by `factor` where `keep` is not 0, and by 0 where it is; of
 * the same dtypes, and rounded alike. */
void dti_dropout_backward(dt_dtype dtype, const void *in,
                          const unsigned char *keep, double factor, void *out,
                          int64_t count);

#endif
