/* tests/unit/nn/train/schedule.c - learning rates, and scales of losses. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include <dtensor/optim.h>

#include "support/check.h"

static void check_lr(const dt_schedule *schedule, int64_t step, double wanted)
{
    const double lr = dt_schedule_lr(schedule, step);
    CHECKF(fabs(lr - wanted) < 1e-12, "step %lld: %g, expected %g",
           (long long)step, lr, wanted);
}

static void warms_up_and_falls(dt_world *world)
{
    (void)world;
    dt_schedule schedule = {DT_SCHEDULE_LINEAR, 1.0, 0.2, 4, 12};
    check_lr(&schedule, 0, 0.25);
    check_lr(&schedule, 3, 1.0);
    check_lr(&schedule, 4, 1.0);
    check_lr(&schedule, 8, 0.6);
    check_lr(&schedule, 12, 0.2);
    check_lr(&schedule, 100, 0.2);
    schedule.kind = DT_SCHEDULE_COSINE;
    check_lr(&schedule, 3, 1.0);
    check_lr(&schedule, 6, 0.2 + 0.4 * (1 + sqrt(0.5)));
    check_lr(&schedule, 8, 0.6);
    check_lr(&schedule, 12, 0.2);
    schedule.kind = DT_SCHEDULE_CONSTANT;
    check_lr(&schedule, 100, 1.0);
}

static void has_no_length(dt_world *world)
{
    (void)world;
    const dt_schedule none = {DT_SCHEDULE_COSINE, 1.0, 0.5, 0, 0};
    check_lr(&none, 0, 0.5);
    const dt_schedule warm = {DT_SCHEDULE_LINEAR, 1.0, 0.5, 2, 2};
    check_lr(&warm, 1, 1.0);
    check_lr(&warm, 2, 0.5);
}

static void adapts_its_scale(dt_world *world)
{
    (void)world;
    dt_scaler scaler = {0};
    dt_scaler_update(&scaler, true);
    CHECK(scaler.scale == 32768);
    scaler.interval = 3;
    dt_scaler_update(&scaler, false);
    dt_scaler_update(&scaler, false);
    CHECK(scaler.scale == 32768);
    dt_scaler_update(&scaler, true);
    CHECK(scaler.scale == 16384);
    for (int i = 0; i < 6; i++)
        dt_scaler_update(&scaler, false);
    CHECK(scaler.scale == 65536);
    dt_scaler own = {.scale = 10, .growth = 3, .backoff = 0.1, .interval = 1};
    dt_scaler_update(&own, false);
    CHECK(own.scale == 30);
    dt_scaler_update(&own, true);
    CHECK(own.scale == 3);
}

const dt_test dt_tests[] = {
    {"warm-up, then linear, cosine or constant", warms_up_and_falls},
    {"schedules without steps", has_no_length},
    {"scales grow and shrink", adapts_its_scale},
    {0},
};
