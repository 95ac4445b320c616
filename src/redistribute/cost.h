/* redistribute/cost.h - what a step costs. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_REDISTRIBUTE_COST_H
#define DTI_REDISTRIBUTE_COST_H

#include <stdbool.h>
#include <stdint.h>

/* What a transport is taken to cost, in seconds; the same on all ranks. */
typedef struct dti_cost_table {
    const char *transport;
    double call;    /* once for a step that communicates */
    double message; /* for each peer that a rank hears from */
    double remote;  /* for each byte that comes from another rank */
    double local;   /* for each byte that is copied from where it lay */
    double combine; /* for each byte that is combined, beside `remote` */
} dti_cost_table;

/* The table of a transport; that of shm for one that has none. */
const dti_cost_table *dti_cost_table_of(const char *transport);

/* What a step moves, on the rank where it is most. */
typedef struct dti_volume {
    int64_t remote; /* bytes from other ranks */
    int64_t local;  /* bytes from this one */
    int messages;
    bool combines;
} dti_volume;

/* The seconds of a step; one without messages does not communicate. */
double dti_cost_of(const dti_cost_table *table, const dti_volume *volume);

#endif
