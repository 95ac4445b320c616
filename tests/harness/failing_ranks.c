/* tests/harness/failing_ranks.c - tests that fail on one of several ranks. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <unistd.h>

#include "support/check.h"

static void passes(dt_world *world)
{
    CHECK_OK(world, dt_group_barrier(dt_world_group(world)));
}

static void fails_on_one_rank(dt_world *world)
{
    CHECK_OK(world, dt_group_barrier(dt_world_group(world)));
    CHECK(dt_world_rank(world) != 2);
}

static void hangs_on_one_rank(dt_world *world)
{
    if (dt_world_rank(world) == 1)
        sleep(1000);
    CHECK_OK(world, dt_group_barrier(dt_world_group(world)));
}

/* Names of transports are whole words. */
static void is_skipped(dt_world *world)
{
    CHECK(!SKIP_ON(world, "thread mpi,threads threads2", "parts of words"));
    if (SKIP_ON(world, "mpi threads sim", "it cannot hold"))
        return;
    CHECK(false);
}

const dt_test dt_tests[] = {
    {"passes", passes},
    {"fails on one rank", fails_on_one_rank},
    {"hangs on one rank", hangs_on_one_rank},
    {"is skipped", is_skipped},
    {NULL, NULL},
};
