/* bench/support/timing.c - how a call is timed, the same for us and for peers.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/support/timing.h"

#include <stdlib.h>
#include <time.h>

/* Seconds that a round should last, and all rounds together. */
#define ROUND 0.5e-3
#define TOTAL 20e-3
#define MAX_BATCH 2048
#define MIN_ROUNDS 5

double bench_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int clamp(double value, int low, int high)
{
    return value < low ? low : value > high ? high : (int)value;
}

int bench_warm_up_batch(double seconds)
{
    return clamp(0.1 * ROUND / seconds, 1, MAX_BATCH);
}

bench_plan bench_plan_for(double seconds)
{
    if (seconds < 1e-9)
        seconds = 1e-9;
    bench_plan plan = {.batch = clamp(ROUND / seconds, 1, MAX_BATCH)};
    plan.rounds =
        clamp(TOTAL / (seconds * plan.batch), MIN_ROUNDS, BENCH_MAX_ROUNDS);
    return plan;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare);
    size_t half = count / 2;
    return count % 2 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}
