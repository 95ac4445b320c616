/* bench/support/sides.h - several ways to do one thing, timed in turns. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_SUPPORT_SIDES_H
#define BENCH_SUPPORT_SIDES_H

/* One way: a call and what it is given. */
typedef struct bench_side {
    void (*call)(void *arg);
    void *arg;
} bench_side;

#define BENCH_MAX_SIDES 4

/*
 * Time each side; `seconds` has the median of one call.  Sides take turns, so
 * that a machine which slows down is slow for all of them, and before each
 * round its side runs once untimed, so that none finds caches as another side
 * left them.
 */
void bench_time_sides(const bench_side *sides, int count, double *seconds);

#endif
