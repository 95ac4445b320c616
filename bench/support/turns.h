/* bench/support/turns.h - several ways that ranks do one thing, in turns. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_SUPPORT_TURNS_H
#define BENCH_SUPPORT_TURNS_H

#include <dtensor/comm.h>

/* One way: a call that all ranks of a group make, and what it is given. */
typedef struct bench_turn {
    dt_status (*call)(void *arg);
    void *arg;
} bench_turn;

#define BENCH_MAX_TURNS 4

/*
 * Time each way as bench_time_sides does, on every rank; `seconds` has the
 * median of the slowest rank's times, the same on all ranks.
 *
 * Collective over the group.
 */
dt_status bench_time_turns(dt_group *group, const bench_turn *turns, int count,
                           double *seconds);

#endif
