/* mesh/places.c - which world rank stands at which place of a grid. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "mesh/places.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

/* Places in memory, their ranks not set; NULL without memory. */
static dti_places *allocate(dt_world *world, int count)
{
    dti_places *places = NULL;
    size_t bytes = sizeof *places + (size_t)count * sizeof places->ranks[0];
    places = malloc(bytes);
    if (!places) {
        dti_fail_memory(world, bytes, "the ranks of a mesh");
        return NULL;
    }
    dti_reference_init(&places->reference);
    places->count = count;
    places->step = 1;
    places->table = NULL;
    places->mask = 0;
    return places;
}

/* The distance from each rank to the next; 0 if they differ. */
static int find_step(const int *ranks, int count)
{
    int step = count > 1 ? ranks[1] - ranks[0] : 1;
    for (int i = 2; i < count; i++)
        if (ranks[i] - ranks[i - 1] != step)
            return 0;
    return step;
}

/* Evenly spaced ranks are hashed by their rule, so that it costs nothing. */
static uint64_t hash_ranks(const dti_places *places)
{
    if (!places->step)
        return dti_hash_bytes(places->ranks,
                              (size_t)places->count * sizeof(int));
    uint64_t hash =
        dti_hash_mix((uint64_t)places->count, (uint64_t)(int64_t)places->step);
    return dti_hash_mix(hash, (uint64_t)places->ranks[0]);
}

/* The cell of the table that holds a rank, or the empty one for it. */
static int *find_cell(const dti_places *places, int rank)
{
    size_t cell = (size_t)dti_hash_mix(0, (uint64_t)(int64_t)rank);
    for (;; cell++) {
        int *place = &places->table[cell & places->mask];
        if (*place < 0 || places->ranks[*place] == rank)
            return place;
    }
}

static dt_status fill_table(dt_world *world, dti_places *places)
{
    size_t cells = 4;
    while (cells < 2 * (size_t)places->count)
        cells *= 2;
    places->mask = cells - 1;
    places->table = malloc(cells * sizeof(int));
    if (!places->table)
        return dti_fail_memory(world, cells * sizeof(int),
                               "the ranks of a mesh");
    for (size_t i = 0; i < cells; i++)
        places->table[i] = -1;
    for (int i = 0; i < places->count; i++) {
        int *place = find_cell(places, places->ranks[i]);
        if (*place >= 0)
            return dti_fail(
                world, DT_ERR_INVALID,
                "rank %d is listed twice in a mesh, at positions %d and %d",
                places->ranks[i], *place, i);
        *place = i;
    }
    return DT_OK;
}

static dt_status check_ranks(dt_world *world, const int *ranks, int count)
{
    for (int i = 0; i < count; i++)
        if (ranks[i] < 0 || ranks[i] >= world->size)
            return dti_fail(world, DT_ERR_INVALID,
                            "rank %d at position %d of a mesh is out of range "
                            "for a world of %d ranks",
                            ranks[i], i, world->size);
    return DT_OK;
}

dt_status dti_places_create(dt_world *world, const int *ranks, int count,
                            dti_places **out)
{
    assert(count > 0);
    DTI_TRY(check_ranks(world, ranks, count));
    dti_places *places = allocate(world, count);
    if (!places)
        return DT_ERR_NO_MEMORY;
    memcpy(places->ranks, ranks, (size_t)count * sizeof *ranks);
    places->step = find_step(ranks, count);
    places->hash = hash_ranks(places);
    if (!places->step) {
        dt_status status = fill_table(world, places);
        if (status != DT_OK) {
            dti_places_release(places);
            return status;
        }
    }
    *out = places;
    return DT_OK;
}

dt_status dti_places_create_first(dt_world *world, int count, dti_places **out)
{
    dti_places *places = allocate(world, count);
    if (!places)
        return DT_ERR_NO_MEMORY;
    for (int i = 0; i < count; i++)
        places->ranks[i] = i;
    places->hash = hash_ranks(places);
    *out = places;
    return DT_OK;
}

dti_places *dti_places_retain(dti_places *places)
{
    dti_reference_retain(&places->reference);
    return places;
}

void dti_places_release(dti_places *places)
{
    if (!places || !dti_reference_release(&places->reference))
        return;
    free(places->table);
    free(places);
}

int dti_places_find(const dti_places *places, int rank)
{
    if (!places->step)
        return *find_cell(places, rank);
    int64_t distance = (int64_t)rank - places->ranks[0];
    if (distance % places->step != 0)
        return -1;
    int64_t place = distance / places->step;
    return place >= 0 && place < places->count ? (int)place : -1;
}

bool dti_places_equal(const dti_places *a, const dti_places *b)
{
    if (a == b)
        return true;
    if (a->hash != b->hash || a->count != b->count || a->step != b->step)
        return false;
    if (a->step)
        return a->ranks[0] == b->ranks[0];
    return memcmp(a->ranks, b->ranks, (size_t)a->count * sizeof(int)) == 0;
}
