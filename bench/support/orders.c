/* bench/support/orders.c - calls that another program is told to time. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/support/orders.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/support/peer.h"

#define LIMIT 120 /* seconds */

/* Orders that are being carried out. */
typedef struct order_list {
    const bench_order *orders;
    size_t count;
} order_list;

/* Read "NAME:BYTES SECONDS" or "NAME:BYTES SECONDS SECONDS". */
static void read_times(void *arg, char *line)
{
    const order_list *list = arg;
    char *colon = strchr(line, ':'), *end;
    if (!colon)
        return;
    *colon = 0;
    size_t bytes = (size_t)strtoull(colon + 1, &end, 10);
    double seconds = strtod(end, &end);
    double beside = strtod(end, NULL);
    for (size_t i = 0; i < list->count && seconds > 0; i++) {
        const bench_order *order = &list->orders[i];
        if (order->bytes != bytes || strcmp(order->name, line) != 0)
            continue;
        bench_samples_add(order->times, seconds);
        if (order->beside && beside > 0)
            bench_samples_add(order->beside, beside);
    }
}

bool bench_orders_run(const char *const *argv, const char *const *environment,
                      const bench_order *orders, size_t count)
{
    const char *all[BENCH_MAX_ARGUMENTS + BENCH_MAX_ORDERS + 1];
    char texts[BENCH_MAX_ORDERS][64];
    size_t used = 0;
    order_list list = {.orders = orders, .count = count};
    for (; argv[used] && used < BENCH_MAX_ARGUMENTS; used++)
        all[used] = argv[used];
    for (size_t i = 0; i < count && i < BENCH_MAX_ORDERS; i++) {
        snprintf(texts[i], sizeof texts[i], "%s:%zu", orders[i].name,
                 orders[i].bytes);
        all[used++] = texts[i];
    }
    all[used] = NULL;
    return bench_peer_run(&(bench_peer){.argv = all,
                                        .environment = environment,
                                        .limit = LIMIT,
                                        .line = read_times,
                                        .arg = &list});
}
