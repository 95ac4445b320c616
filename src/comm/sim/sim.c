/* comm/sim/sim.c - one rank of a world of any size, in which nothing moves. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "comm/sim/sim.h"

/*
 * Every call is complete as soon as it is begun.  What would have been sent is
 * in the trace, which comm keeps for every transport; outputs keep what they
 * held.
 */

static dt_status open_sim(dt_world *world, void **carrier, dt_error *error)
{
    (void)error;
    *carrier = world;
    return DT_OK;
}

static void close_sim(void *carrier)
{
    (void)carrier;
}

static dt_status start(void *carrier, dt_channel *line, dt_call *call)
{
    (void)carrier;
    (void)line;
    call->complete = true;
    return DT_OK;
}

static dt_status recover(void *carrier)
{
    (void)carrier;
    return DT_OK;
}

const dt_transport dti_transport_sim = {
    .name = "sim",
    .summary = "any number of ranks seen by one; nothing is sent",
    .moves_data = false,
    .takes_tiles = true,
    .open = open_sim,
    .close = close_sim,
    .start = start,
    .recover = recover,
};
