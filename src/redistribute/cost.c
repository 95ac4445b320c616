/* redistribute/cost.c - what a step costs. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <string.h>

#include "redistribute/cost.h"

/* Measured on two cores: `dtensor bench collectives`. */
static const dti_cost_table tables[] = {
    {.transport = "shm",
     .call = 0.6e-6,
     .message = 0.15e-6,
     .remote = 0.13e-9,
     .local = 0.11e-9,
     .combine = 0.08e-9},
    {.transport = "mpi",
     .call = 2e-6,
     .message = 1e-6,
     .remote = 0.30e-9,
     .local = 0.11e-9,
     .combine = 0.15e-9},
};

const dti_cost_table *dti_cost_table_of(const char *transport)
{
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (strcmp(tables[i].transport, transport) == 0)
            return &tables[i];
    return &tables[0];
}

double dti_cost_of(const dti_cost_table *table, const dti_volume *volume)
{
    double seconds = table->local * (double)volume->local;
    if (volume->messages == 0)
        return seconds;
    double byte = table->remote + (volume->combines ? table->combine : 0);
    return seconds + table->call + table->message * volume->messages +
           byte * (double)volume->remote;
}
