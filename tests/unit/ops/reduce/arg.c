/* tests/unit/ops/reduce/arg.c - places of extremes where there are no elements.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/dtensor.h>

#include <stdlib.h>

#include "support/check.h"

enum { RANKS = 6 };

/* A world of several ranks in a dry run, seen by one of them. */
static dt_world *open_dry(int rank)
{
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    dt_world *world = NULL;
    dt_error error;
    options.transport = "sim";
    options.ranks = RANKS;
    options.rank = rank;
    setenv("DT_DRY_RUN", "on", 1);
    CHECK_ERROR(&error, dt_world_open(&options, &world, &error), DT_OK, NULL);
    unsetenv("DT_DRY_RUN");
    return world;
}

/* Every rank gathers pairs of 16 bytes, also one whose part is empty. */
static void pairs_are_gathered(dt_world *unused)
{
    (void)unused;
    for (int rank = 0; rank < RANKS; rank += RANKS - 1) {
        dt_world *world = open_dry(rank);
        dt_mesh *mesh = NULL;
        CHECK_OK(world, dt_mesh_create(world, "a=2,b=3", &mesh));
        dt_scope *scope = dt_scope_open(world);
        dt_tensor *x = dt_empty(mesh, "S(0)S(0)", DT_F32, DT_SHAPE(4, 10));
        dt_tensor *values = NULL, *indices = NULL;
        CHECK_OK(world, dt_max_dim(x, 0, false, &values, &indices));
        CHECK(indices && dt_array_is_meta(dt_tensor_local(indices)));
        const dt_trace_counter sent = dt_trace_count(world, DT_ALL_GATHER);
        CHECK_INT((long long)sent.calls, 1);
        CHECK_INT((long long)sent.bytes_received, (RANKS - 1) * 10 * 16);
        CHECK(dt_argmax(x, 1, false) != NULL);
        CHECK_INT((long long)dt_trace_count(world, DT_ALL_GATHER).calls, 1);
        CHECK(dt_argmin_all(x) != NULL);
        CHECK_INT((long long)dt_trace_count(world, DT_ALL_GATHER).calls, 2);
        CHECK_OK(world, dt_scope_close(scope));
        dt_mesh_release(mesh);
        CHECK_INT(dt_world_close(world), DT_OK);
    }
}

const dt_test dt_tests[] = {
    {"pairs are gathered", pairs_are_gathered},
    {NULL, NULL},
};
