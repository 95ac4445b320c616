/* tests/support/world_open.c - a world of one rank, as programs open it. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/runner.h"

dt_status dt_test_run(int ranks, dt_program program, void *arg, dt_error *error)
{
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    dt_world *world = NULL;
    options.ranks = ranks;
    DT_TRY(dt_world_open(&options, &world, error));
    dt_status status = program(world, arg);
    DT_IGNORE(dt_world_close(world));
    return status;
}
