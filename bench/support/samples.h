/* bench/support/samples.h - one figure, taken several times. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_SUPPORT_SAMPLES_H
#define BENCH_SUPPORT_SAMPLES_H

#include <math.h>

#include "bench/support/timing.h"

#define BENCH_MAX_SAMPLES 16

/* Seconds that one call took, of one launch each.  Start from zeros. */
typedef struct bench_samples {
    double values[BENCH_MAX_SAMPLES];
    int count;
} bench_samples;

static inline void bench_samples_add(bench_samples *samples, double seconds)
{
    if (samples->count < BENCH_MAX_SAMPLES)
        samples->values[samples->count++] = seconds;
}

/* The median; infinite if there are none. */
static inline double bench_samples_median(bench_samples *samples)
{
    if (!samples->count)
        return INFINITY;
    return bench_median(samples->values, (size_t)samples->count);
}

/* Of two that were taken side by side, the pair whose ratio is the median;
 * infinite if there are none. */
static inline void bench_samples_pair(const bench_samples *a,
                                      const bench_samples *b, double *a_out,
                                      double *b_out)
{
    int count = a->count < b->count ? a->count : b->count;
    *a_out = *b_out = INFINITY;
    for (int i = 0; i < count; i++) {
        int smaller = 0;
        for (int j = 0; j < count; j++) {
            double here = a->values[i] * b->values[j];
            double there = a->values[j] * b->values[i];
            smaller += there < here || (there == here && j < i);
        }
        if (smaller == count / 2) {
            *a_out = a->values[i];
            *b_out = b->values[i];
        }
    }
}

#endif
