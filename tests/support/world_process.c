/* tests/support/world_process.c - a rank that is a process, all of whose tests
 * share one world. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/runner.h"

#include <stdint.h>

#include <dtensor/array.h>
#include <dtensor/comm.h>
#include <dtensor/trace.h>

#include "base/world.h"
#include "comm/comm.h"

dt_status dt_process_run(dt_world *world, dt_program program, void *arg,
                         dt_error *error)
{
    dti_world_reset(world);
    dt_trace_clear(world);
    dt_trace_record(world, false);
    dt_status status = program(world, arg);
    if (status == DT_OK)
        status = dti_comm_settle(world);
    if (status != DT_OK)
        *error = world->latest;
    dti_world_reset(world);
    return status;
}

/* Add up a number over all ranks. */
static dt_status add_up(dt_world *world, int64_t *number)
{
    dt_array *array;
    DT_TRY(dt_array_create(world, DT_I64, DT_SHAPE(1), &array));
    int64_t *value = dt_array_data(array);
    *value = *number;
    dt_status status =
        dt_group_all_reduce(dt_world_group(world), DT_SUM, array, array);
    if (status == DT_OK)
        *number = *value;
    dt_array_release(array);
    return status;
}

/* A test may leave the world failed: then no rank can add up. */
bool dt_process_agree(dt_world *world, int *failures)
{
    int64_t sum = *failures;
    if (add_up(world, &sum) != DT_OK &&
        (dt_world_recover(world) != DT_OK || add_up(world, &sum) != DT_OK))
        return false;
    *failures = (int)sum;
    return true;
}
