/* tests/unit/random/draws.h - draws of every distribution and dtype. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_RANDOM_DRAWS_H
#define DT_TESTS_RANDOM_DRAWS_H

#include <stdio.h>
#include <string.h>

#include "base/dtype.h"
#include "base/machine/cpu.h"
#include "random/draw_kernels.h"
#include "support/check.h"

/* Distributions with some parameters. */
static const dti_draw draw_samples[] = {
    {.kind = DTI_UNIFORM, .low = 0, .high = 1},
    {.kind = DTI_UNIFORM, .low = -3.5, .high = 1e3},
    {.kind = DTI_NORMAL, .mean = 0, .std = 1},
    {.kind = DTI_NORMAL, .mean = -2, .std = 0.02},
    {.kind = DTI_LOG_NORMAL, .mean = 1, .std = 2},
    {.kind = DTI_TRUNCATED_NORMAL, .std = 1, .low = -2, .high = 2},
    {.kind = DTI_TRUNCATED_NORMAL, .std = 2, .low = 9, .high = 50},
    {.kind = DTI_TRUNCATED_NORMAL, .mean = 1, .std = 2, .low = -90, .high = -3},
    {.kind = DTI_EXPONENTIAL, .rate = 1.5},
    {.kind = DTI_CAUCHY, .mean = 1, .std = 0.5},
    {.kind = DTI_GEOMETRIC, .p = 0.15},
    {.kind = DTI_GEOMETRIC, .p = 1},
    {.kind = DTI_BERNOULLI, .p = 0.3},
    {.kind = DTI_BERNOULLI, .p = 0},
    {.kind = DTI_RANDINT, .least = 0, .end = 2},
    {.kind = DTI_RANDINT, .least = -100, .end = 27},
    {.kind = DTI_RANDINT, .least = -5, .end = (INT64_C(1) << 32) - 5},
    {.kind = DTI_RANDINT, .least = -5, .end = (INT64_C(1) << 32) - 4},
    {.kind = DTI_RANDINT, .least = INT64_MIN, .end = INT64_MAX},
};
enum {
    DRAW_SAMPLES = sizeof draw_samples / sizeof *draw_samples,
    DRAW_ITEM = 8 /* bytes of the largest dtype */
};

static const dti_random_key draw_key = {UINT64_C(0x0123456789abcdef),
                                        UINT64_C(0xfedcba9876543210)};

/* The name of a draw, for messages. */
static inline const char *draw_name(const dti_draw *draw)
{
    static char text[128];
    snprintf(text, sizeof text, "%s of %s", dti_distribution_name(draw->kind),
             dt_dtype_name(draw->dtype));
    return text;
}

/* The next combination of sample and dtype that there is; start with *cursor 0.
 */
static inline bool draw_next(dt_world *world, int *cursor, dti_draw *out)
{
    while (*cursor < DRAW_SAMPLES * DT_DTYPE_COUNT) {
        int i = (*cursor)++;
        *out = draw_samples[i / DT_DTYPE_COUNT];
        out->dtype = (dt_dtype)(i % DT_DTYPE_COUNT);
        out->key = draw_key;
        if (dti_draw_check(world, out) == DT_OK)
            return true;
    }
    dt_check_forget(world);
    return false;
}

/* Get a draw ready that must be right. */
static inline dti_draw draw_ready(dt_world *world, dti_draw draw)
{
    CHECK_OK(world, dti_draw_check(world, &draw));
    return draw;
}

#endif
