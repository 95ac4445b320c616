/* nn/train/schedule.c - learning rates by the number of the step. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include <dtensor/optim.h>

/* How far a step is on its way from the end of the warm-up to the last one: 0
 * to 1. */
static double progress(const dt_schedule *schedule, int64_t step)
{
    const int64_t length = schedule->steps - schedule->warmup;
    if (step >= schedule->steps || length <= 0)
        return 1;
    return (double)(step - schedule->warmup) / (double)length;
}

double dt_schedule_lr(const dt_schedule *schedule, int64_t step)
{
    const double pi = 3.14159265358979323846;
    if (step < schedule->warmup)
        return schedule->peak * (double)(step + 1) / (double)schedule->warmup;
    const double height = schedule->peak - schedule->end;
    switch (schedule->kind) {
    case DT_SCHEDULE_LINEAR:
        return schedule->end + height * (1 - progress(schedule, step));
    case DT_SCHEDULE_COSINE:
        return schedule->end +
               height * 0.5 * (1 + cos(pi * progress(schedule, step)));
    case DT_SCHEDULE_CONSTANT:
        break;
    }
    return schedule->peak;
}
