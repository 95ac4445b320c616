/* tests/fault/verify.c - verifying rules without memory. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "fault/fault_loop.h"

#include <dtensor/sys/verify.h>

static void take_line(void *arg, const char *line)
{
    (void)line;
    ++*(int *)arg;
}

/* The rule is right; the search finds something missing, which is explained. */
static dt_status verify_flip(void *arg, dt_error *error)
{
    dt_world *world = arg;
    int lines = 0;
    dt_verify_options options = DT_VERIFY_OPTIONS_INIT;
    options.report = take_line;
    options.arg = &lines;
    options.explained = "flip: S(0) -> S(0): on purpose";
    dt_status status = dt_op_verify(world, NULL, &options);
    *error = *dt_world_error(world);
    CHECKF((lines > 0) == (status == DT_OK), "%d lines, %s", lines,
           dt_status_name(status));
    return status;
}

/* There are too many requests to let each fail. */
static void verifies(dt_world *world)
{
    CHECK_OK(world, dt_op_set_rule(world, "flip", "...->...; dims whole"));
    for (int for_good = 0; for_good < 2; for_good++) {
        long nth = 1;
        while (
            run_with_fault("dt_op_verify", verify_flip, world, nth, for_good))
            nth += 1 + nth / 3;
        CHECKF(nth > 300, "%ld requests", nth);
    }
}

const dt_test dt_tests[] = {
    {"verifies a rule", verifies},
    {NULL, NULL},
};
