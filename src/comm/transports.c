/* comm/transports.c - the transports of this build. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "comm/comm.h"
#include "comm/mpi/mpi.h"
#include "comm/shm/shm.h"
#include "comm/sim/sim.h"
#include "comm/threads/threads.h"

static const dt_transport *const transports[] = {
    &dti_transport_threads,
    &dti_transport_shm,
    &dti_transport_mpi,
    &dti_transport_sim,
};

const dt_transport *dti_transport_find(const char *name)
{
    for (size_t i = 0; i < DTI_COUNT_OF(transports); i++)
        if (strcmp(transports[i]->name, name) == 0)
            return transports[i];
    return NULL;
}

const dt_transport *dt_transport_at(size_t index)
{
    return index < DTI_COUNT_OF(transports) ? transports[index] : NULL;
}
