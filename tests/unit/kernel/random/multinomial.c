/* tests/unit/kernel/random/multinomial.c - places drawn by their weights. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/random/multinomial.h"

#include <math.h>

#include "support/check.h"

static void counts_weights(dt_world *world)
{
    const double weights[] = {0, 2, 0.5, 0}, negative[] = {1, -1};
    const double nan[] = {NAN, 1}, infinite[] = {1, INFINITY};
    (void)world;
    CHECK_INT(dti_weights_count(weights, 4), 2);
    CHECK_INT(dti_weights_count(weights, 1), 0);
    CHECK_INT(dti_weights_count(negative, 2), -1);
    CHECK_INT(dti_weights_count(nan, 2), -1);
    CHECK_INT(dti_weights_count(infinite, 2), -1);
}

static void picks_by_sums(dt_world *world)
{
    double weights[] = {0, 1, 0, 2, 1, 0};
    const double numbers[] = {0,      0.2499, 0.25,
                              0.7499, 0.75,   0x1.fffffffffffffp-1};
    const int64_t wanted[] = {1, 1, 3, 3, 4, 4};
    int64_t places[6];
    (void)world;
    dti_pick_by_sums(weights, 6, numbers, places, 6);
    for (int i = 0; i < 6; i++)
        CHECK_INT(places[i], wanted[i]);
    /* A product that is rounded up to the sum stays within. */
    double tiny[] = {0x1p-1074, 0};
    dti_pick_by_sums(tiny, 2, numbers + 5, places, 1);
    CHECK_INT(places[0], 0);
}

/* Those of least time / weight, in that order; equal ones by their place. */
static void picks_by_times(dt_world *world)
{
    const double weights[] = {1, 0, 2, 4, 1, 1, 0.5, 8};
    (void)world;
    for (int64_t picks = 1; picks <= 7; picks++) {
        double times[] = {3, 0, 4, 4, 5, 3, 1, 80};
        const int64_t wanted[] = {3, 2, 6, 0, 5, 4, 7};
        int64_t places[7];
        dti_pick_by_times(weights, times, 8, places, picks);
        for (int64_t i = 0; i < picks; i++)
            CHECK_INT(places[i], wanted[i]);
    }
}

const dt_test dt_tests[] = {
    {"counts weights", counts_weights},
    {"picks by sums", picks_by_sums},
    {"picks by times", picks_by_times},
    {NULL, NULL},
};
