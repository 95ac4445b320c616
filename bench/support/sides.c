/* bench/support/sides.c - several ways to do one thing, timed in turns. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/support/sides.h"

#include <stddef.h>

#include "bench/support/timing.h"

#define MIN_TURNS 9

static double time_round(const bench_side *side, int batch)
{
    double begin = bench_now();
    for (int i = 0; i < batch; i++)
        side->call(side->arg);
    return (bench_now() - begin) / batch;
}

void bench_time_sides(const bench_side *sides, int count, double *seconds)
{
    double rounds[BENCH_MAX_SIDES][BENCH_MAX_ROUNDS];
    bench_plan plans[BENCH_MAX_SIDES];
    int turns = BENCH_MAX_ROUNDS;
    for (int i = 0; i < count; i++) {
        double estimate = time_round(&sides[i], 1);
        for (int j = 0; j < BENCH_WARM_UPS; j++)
            estimate = time_round(&sides[i], bench_warm_up_batch(estimate));
        plans[i] = bench_plan_for(estimate);
        if (plans[i].rounds < turns)
            turns = plans[i].rounds;
    }
    if (turns < MIN_TURNS)
        turns = MIN_TURNS;
    for (int j = 0; j < turns; j++) {
        for (int i = 0; i < count; i++) {
            sides[i].call(sides[i].arg);
            rounds[i][j] = time_round(&sides[i], plans[i].batch);
        }
    }
    for (int i = 0; i < count; i++)
        seconds[i] = bench_median(rounds[i], (size_t)turns);
}
