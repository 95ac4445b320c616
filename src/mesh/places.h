/* mesh/places.h - which world rank stands at which place of a grid. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_MESH_PLACES_H
#define DTI_MESH_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/reference.h"
#include "base/world.h"

/*
 * Different world ranks in a row; place i is the i-th of them in row-major
 * order of the grid.  Never changes; meshes of the same ranks share it.
 *
 * Where ranks are evenly spaced, as in every mesh over the world and along
 * every dimension of one, arithmetic finds the place of a rank.  Elsewhere a
 * table does, with open addressing and linear probing, at most half full.
 */
typedef struct dti_places {
    dti_reference reference;
    int count;
    int step;      /* ranks[i] is ranks[0] + i * step; 0 if it is not so */
    int *table;    /* places, -1 where there is none; NULL unless step is 0 */
    size_t mask;   /* cells of the table - 1; their number is a power of two */
    uint64_t hash; /* of the ranks */
    int ranks[];
} dti_places;

/* Check and copy a list of at least one rank.  The caller releases the result.
 */
dt_status dti_places_create(dt_world *world, const int *ranks, int count,
                            dti_places **out);

/* The ranks 0, 1, 2, ... below `count`, which is at least 1. */
dt_status dti_places_create_first(dt_world *world, int count, dti_places **out);

dti_places *dti_places_retain(dti_places *places);
void dti_places_release(dti_places *places);

/* The place of a world rank; -1 if it has none. */
int dti_places_find(const dti_places *places, int rank);

bool dti_places_equal(const dti_places *a, const dti_places *b);

#endif
