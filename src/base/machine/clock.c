/* base/machine/clock.c - the system's monotonic clock. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/machine/clock.h"

#include <time.h>

int64_t dti_clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}
