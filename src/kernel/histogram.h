/* kernel/histogram.h - how many elements lie in bins of one width. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_HISTOGRAM_H
#define DTI_KERNEL_HISTOGRAM_H

#include <stdint.h>

#include <dtensor/dtype.h>

/*
 * Add the elements from `low` to `high`, which are different, to the counts of
 * their bins; `high` belongs to the last bin, and what is outside and NaN to
 * none.  Of f32 or f64, which bins are worked out in.
 */
void dti_histogram(const void *x, dt_dtype dtype, int64_t count, double low,
                   double high, int64_t bins, int64_t *counts);

#endif
