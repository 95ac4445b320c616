/* redistribute/cost.h - what a step costs. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_REDISTRIBUTE_COST_H
#define DTI_REDISTRIBUTE_COST_H

#include <stdbool.h>
#include <stdint.h>

#include <dtensor/mesh.h>

/* Seconds. */
typedef struct dti_prices {
    double call;    /* once for a step that communicates */
    double message; /* for each peer that a rank hears from */
    double remote;  /* for each byte that comes from another rank */
    double local;   /* for each byte that is copied from where it lay */
    double combine; /* for each byte that is combined, beside `remote` */
} dti_prices;

/* Mesh dimensions that can have prices of their own. */
#define DTI_PRICED_DIMS 16

/*
 * What steps are taken to cost, the same on all ranks: usually, and along mesh
 * dimensions that are named.  Flat, so that it can be sent.
 */
typedef struct dti_costs {
    dti_prices usual;
    int32_t count;
    int32_t shared; /* ranks write into the memory of others */
    struct {
        char name[DT_MESH_NAME_SIZE];
        dti_prices prices;
    } dims[DTI_PRICED_DIMS];
} dti_costs;

/* The costs of a transport; those of shm for one that has none. */
const dti_costs *dti_costs_of(const char *transport);

/* The costs that a world was told last; NULL if it was told none. */
const dti_costs *dti_costs_told(const dt_world *world);

/* The costs that a world was told, or those of its transport. */
const dti_costs *dti_costs_of_world(const dt_world *world);

/* Read costs, starting from what `out` has. */
dt_status dti_costs_parse(dt_world *world, const char *text, dti_costs *out);

/* A word that differs where costs most likely do; the same on every rank. */
uint64_t dti_costs_hash(const dti_costs *costs);

/* The lowest prices: no step is cheaper. */
dti_prices dti_costs_lowest(const dti_costs *costs);

/* What a step moves, on the rank where it is most. */
typedef struct dti_volume {
    int64_t remote;   /* bytes from other ranks */
    int64_t local;    /* bytes from this one */
    int64_t pushed;   /* of those from others, what others can write here */
    int64_t unread;   /* of what they write, memory that nobody has just read */
    int messages;     /* 0: it does not communicate */
    int64_t waited;   /* bytes that others copy while they are waited for */
    int64_t combined; /* of the bytes from others, those that are combined */
    int64_t rows;     /* runs of bytes that are combined one by one */
    unsigned dims;    /* the mesh dimensions along which it communicates */
} dti_volume;

/* The seconds of a step. */
double dti_cost_of(const dti_costs *costs, const dt_mesh *mesh,
                   const dti_volume *volume);

#endif
