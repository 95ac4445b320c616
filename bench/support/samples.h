/* bench/support/samples.h - one figure, taken several times. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_SUPPORT_SAMPLES_H
#define BENCH_SUPPORT_SAMPLES_H

#include <math.h>

#include "bench/support/timing.h"

#define BENCH_MAX_SAMPLES 8

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

#endif
