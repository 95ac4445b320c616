/* bench/support/timing.h - how a call is timed, the same for us and for peers.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_SUPPORT_TIMING_H
#define BENCH_SUPPORT_TIMING_H

#include <stddef.h>

/*
 * A call is timed in rounds of several calls each: what is under the clock is
 * long enough for it to be read, and the median leaves out the rounds that the
 * machine disturbed.
 */
typedef struct bench_plan {
    int batch;  /* calls in one round */
    int rounds; /* at most BENCH_MAX_ROUNDS */
} bench_plan;

#define BENCH_MAX_ROUNDS 41
#define BENCH_WARM_UPS 3 /* rounds that are not counted */

/* Seconds since some moment. */
double bench_now(void);

/* Choose how often to call in a round that warms up. */
int bench_warm_up_batch(double seconds);

/* Choose a plan for a call that takes about so many seconds. */
bench_plan bench_plan_for(double seconds);

/* Give the median; sorts its argument. */
double bench_median(double *values, size_t count);

#endif
