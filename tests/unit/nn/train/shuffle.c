/* tests/unit/nn/train/shuffle.c - random orders without lists of them. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "nn/train/shuffle.h"

#include <stdlib.h>

#include "support/check.h"

/* Every number is at exactly one place. */
static void takes_each_once(dt_world *world)
{
    (void)world;
    static const int64_t counts[] = {1, 2, 3, 4, 5, 16, 17, 100, 1000, 65537};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        bool *seen = calloc((size_t)counts[i], sizeof *seen);
        int64_t twice = 0;
        for (int64_t j = 0; j < counts[i]; j++) {
            const int64_t number = dti_shuffle(7, 3, counts[i], j);
            twice += seen[number];
            seen[number] = true;
        }
        CHECKF(twice == 0, "%lld numbers of %lld twice", (long long)twice,
               (long long)counts[i]);
        free(seen);
    }
}

/* The places that have the same number in two orders: one on average. */
static int64_t count_equal(uint64_t key, uint64_t order, uint64_t other_key,
                           uint64_t other_order)
{
    int64_t equal = 0;
    for (int64_t i = 0; i < 1000; i++)
        equal += dti_shuffle(key, order, 1000, i) ==
                 dti_shuffle(other_key, other_order, 1000, i);
    return equal;
}

static void has_many_orders(dt_world *world)
{
    (void)world;
    CHECK_INT(count_equal(1, 0, 1, 0), 1000);
    CHECK(count_equal(1, 0, 1, 1) < 10);
    CHECK(count_equal(1, 0, 2, 0) < 10);
    /* Not the order of the numbers themselves, nor a shift of it. */
    int64_t steps = 0;
    for (int64_t i = 0; i + 1 < 1000; i++)
        steps +=
            dti_shuffle(1, 0, 1000, i + 1) - dti_shuffle(1, 0, 1000, i) == 1;
    CHECK(steps < 10);
}

static void takes_large_ranges(dt_world *world)
{
    (void)world;
    const int64_t count = INT64_C(3) << 40;
    for (int64_t i = 0; i < 100; i++) {
        const int64_t number = dti_shuffle(5, 1, count, count - 1 - i);
        CHECK(number >= 0 && number < count);
    }
}

const dt_test dt_tests[] = {
    {"every number is taken once", takes_each_once},
    {"orders differ by key and number", has_many_orders},
    {"large ranges", takes_large_ranges},
    {0},
};
