/* tests/unit/mesh/sim.h - worlds of many ranks, seen by one of them. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_MESH_SIM_H
#define DT_TESTS_MESH_SIM_H

#include "support/check.h"

/* Open a world of `ranks` ranks as `rank` sees it; NULL if that fails. */
static inline dt_world *open_sim(int ranks, int rank)
{
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    dt_world *world = NULL;
    dt_error error;
    options.transport = "sim";
    options.ranks = ranks;
    options.rank = rank;
    CHECK_ERROR(&error, dt_world_open(&options, &world, &error), DT_OK, NULL);
    return world;
}

#endif
