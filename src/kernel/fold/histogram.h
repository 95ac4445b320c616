/* kernel/fold/histogram.h - how often elements, or ranges of them, occur. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_FOLD_HISTOGRAM_H
#define DTI_KERNEL_FOLD_HISTOGRAM_H

#include <stdint.h>

#include <dtensor/dtype.h>

/*
 * Add the elements from `low` to `high` to the counts of their bins; `high`
 * belongs to the last bin, and what is outside and NaN to none.  Of f32 or f64,
 * which bins are worked out in, and in which the bounds are finite and differ.
 */
void dti_histogram(const void *x, dt_dtype dtype, int64_t count, double low,
                   double high, int64_t bins, int64_t *counts);

/* Add numbers, each of which names a count, to the counts. */
void dti_histogram_numbers(const int64_t *numbers, int64_t count,
                           int64_t *counts);

#endif
