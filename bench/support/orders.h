/* bench/support/orders.h - calls that another program is told to time. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_SUPPORT_ORDERS_H
#define BENCH_SUPPORT_ORDERS_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/support/samples.h"

/* Arguments that a program has before its orders, and the orders it takes. */
#define BENCH_MAX_ARGUMENTS 32
#define BENCH_MAX_ORDERS 96

/* A call, as the program names it, and where its seconds go. */
typedef struct bench_order {
    const char *name;
    size_t bytes;
    bench_samples *times;
    bench_samples *beside; /* of what is timed beside it; or NULL */
} bench_order;

/*
 * Run a program that is told NAME:BYTES for each order, after the arguments
 * `argv`, and prints NAME:BYTES SECONDS, perhaps with the seconds of something
 * that is timed beside it.
 * False, with a note, if it did not end well.
 */
bool bench_orders_run(const char *const *argv, const char *const *environment,
                      const bench_order *orders, size_t count);

#endif
