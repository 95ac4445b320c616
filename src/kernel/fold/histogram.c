/* kernel/fold/histogram.c - how often elements, or ranges of them, occur. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/fold/histogram.h"

#include <assert.h>
#include <math.h>

#include "base/attributes.h"

/*
 * Where an element lies, counted in bins.  Worked out as PyTorch does, in the
 * dtype, because rounding decides about elements on a boundary; where that
 * overflows, in double or in halves, which do not.
 */

static double place_f32(float x, float low, float high, float bins)
{
    const float width = high - low, scaled = (x - low) * bins;
    if (isfinite(width) && isfinite(scaled))
        return scaled / width;
    return ((double)x - low) * bins / ((double)high - low);
}

static double place_f64(double x, double low, double high, double bins)
{
    const double width = high - low, scaled = (x - low) * bins;
    if (isfinite(width) && isfinite(scaled))
        return scaled / width;
    return (x / 2 - low / 2) / (high / 2 - low / 2) * bins;
}

static void count_at(double place, int64_t bins, int64_t *counts)
{
    counts[place < (double)bins ? (int64_t)place : bins - 1]++;
}

static void count_f32(const float *x, int64_t count, float low, float high,
                      int64_t bins, int64_t *counts)
{
    for (int64_t i = 0; i < count; i++)
        if (x[i] >= low && x[i] <= high)
            count_at(place_f32(x[i], low, high, (float)bins), bins, counts);
}

static void count_f64(const double *x, int64_t count, double low, double high,
                      int64_t bins, int64_t *counts)
{
    for (int64_t i = 0; i < count; i++)
        if (x[i] >= low && x[i] <= high)
            count_at(place_f64(x[i], low, high, (double)bins), bins, counts);
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
