/* tests/ranks/lost.h - a rank that fails while calls of others are under way.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_LOST_H
#define DT_TESTS_LOST_H

#include <dtensor/comm.h>

#include "base/error.h"
#include "support/check.h"

/* What the rank says that fails. */
#define SENTENCE "the disk is full"

static inline bool is_failing(const dt_world *world)
{
    return dt_world_rank(world) == dt_world_size(world) - 1;
}

/* The last rank fails once all others have come here. */
static inline void fail_last(dt_world *world)
{
    dt_group *group = dt_world_group(world);
    int last = dt_world_size(world) - 1;
    dt_array *token = NULL;
    CHECK_OK(world, dt_array_create(world, DT_U8, DT_SHAPE(1), &token));
    CHECK_OK(world, dt_array_fill(world, token, 1));
    if (!is_failing(world)) {
        CHECK_OK(world, dt_group_send(group, last, token));
    } else {
        for (int i = 0; i < last; i++)
            CHECK_OK(world, dt_group_receive(group, i, token));
        (void)dti_fail(world, DT_ERR_IO, SENTENCE);
        dt_world_poison(world);
    }
    dt_array_release(token);
}

#endif
