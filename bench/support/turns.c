/* bench/support/turns.c - several ways that ranks do one thing, in turns. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/support/turns.h"

#include "bench/support/timing.h"

#define MIN_ROUNDS 9

/* A rank that ends without waiting for others may have left them no core yet:
 * the round ends when all have ended. */
static dt_status time_round(dt_group *group, const bench_turn *turn, int batch,
                            double *seconds)
{
    DT_TRY(dt_group_barrier(group));
    double begin = bench_now();
    for (int i = 0; i < batch; i++)
        DT_TRY(turn->call(turn->arg));
    DT_TRY(dt_group_barrier(group));
    *seconds = (bench_now() - begin) / batch;
    return DT_OK;
}

/* The times of the slowest rank, on every rank. */
static dt_status agree(dt_group *group, double *times, int count)
{
    dt_wrap_options options = DT_WRAP_OPTIONS_INIT;
    dt_array *array;
    options.data = times;
    options.dtype = DT_F64;
    options.shape = DT_SHAPE(count);
    DT_TRY(dt_array_wrap(dt_group_world(group), &options, &array));
    dt_status status = dt_group_all_reduce(group, DT_MAX, array, array);
    dt_array_release(array);
    return status;
}

/* Warm up, and find out how often to call. */
static dt_status choose_plan(dt_group *group, const bench_turn *turn,
                             bench_plan *out)
{
    double estimate;
    int batch = 1;
    for (int i = 0; i <= BENCH_WARM_UPS; i++) {
        DT_TRY(time_round(group, turn, batch, &estimate));
        DT_TRY(agree(group, &estimate, 1));
        batch = bench_warm_up_batch(estimate);
    }
    *out = bench_plan_for(estimate);
    return DT_OK;
}

dt_status bench_time_turns(dt_group *group, const bench_turn *turns, int count,
                           double *seconds)
{
    double times[BENCH_MAX_TURNS][BENCH_MAX_ROUNDS];
    bench_plan plans[BENCH_MAX_TURNS];
    int rounds = BENCH_MAX_ROUNDS;
    for (int i = 0; i < count; i++) {
        DT_TRY(choose_plan(group, &turns[i], &plans[i]));
        if (plans[i].rounds < rounds)
            rounds = plans[i].rounds;
    }
    if (rounds < MIN_ROUNDS)
        rounds = MIN_ROUNDS;
    for (int j = 0; j < rounds; j++)
        for (int i = 0; i < count; i++) {
            DT_TRY(turns[i].call(turns[i].arg));
            DT_TRY(time_round(group, &turns[i], plans[i].batch, &times[i][j]));
        }
    for (int i = 0; i < count; i++) {
        DT_TRY(agree(group, times[i], rounds));
        seconds[i] = bench_median(times[i], (size_t)rounds);
    }
    return DT_OK;
}
