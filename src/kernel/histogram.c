/* kernel/histogram.c - how often elements, or ranges of them, occur. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/histogram.h"

#include <assert.h>

#include "base/attributes.h"

static void count_f32(const float *x, int64_t count, float low, float high,
                      int64_t bins, int64_t *counts)
{
    const float width = high - low, by = (float)bins;
    for (int64_t i = 0; i < count; i++) {
        if (!(x[i] >= low && x[i] <= high))
            continue;
        const int64_t bin = (int64_t)((x[i] - low) * by / width);
        counts[bin < bins ? bin : bins - 1]++;
    }
}

static void count_f64(const double *x, int64_t count, double low, double high,
                      int64_t bins, int64_t *counts)
{
    const double width = high - low, by = (double)bins;
    for (int64_t i = 0; i < count; i++) {
        if (!(x[i] >= low && x[i] <= high))
            continue;
        const int64_t bin = (int64_t)((x[i] - low) * by / width);
        counts[bin < bins ? bin : bins - 1]++;
    }
}

void dti_histogram(const void *x, dt_dtype dtype, int64_t count, double low,
                   double high, int64_t bins, int64_t *counts)
{
    assert(dtype == DT_F32 || dtype == DT_F64);
    if (dtype == DT_F64)
        count_f64(x, count, low, high, bins, counts);
    else
        count_f32(x, count, (float)low, (float)high, bins, counts);
}

void dti_histogram_numbers(const int64_t *numbers, int64_t count,
                           int64_t *counts)
{
    const int64_t *DTI_RESTRICT from = numbers;
    int64_t *DTI_RESTRICT to = counts;
    for (int64_t i = 0; i < count; i++)
        to[from[i]]++;
}
