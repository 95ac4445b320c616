/* tests/support/world_run.c - ranks that are threads, one run per test. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/runner.h"

dt_status dt_test_run(int ranks, dt_program program, void *arg, dt_error *error)
{
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    options.transport = "threads";
    options.ranks = ranks;
    return dt_world_run(&options, program, arg, error);
}
