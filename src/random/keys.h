/* random/keys.h - keys that are noted, to draw the same numbers again. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_RANDOM_KEYS_H
#define DTI_RANDOM_KEYS_H

#include <stdbool.h>

#include <dtensor/random.h>
#include <dtensor/world.h>

#include "random/key.h"

/*
 * While a world notes keys, every operation that draws adds its own, from
 * whichever generator; while it repeats them, operations take these in order
 * and no generator counts.  So a part of a program that runs a second time
 * draws the same numbers.
 */
typedef struct dti_keys {
    dti_random_key *list;
    int count, capacity;
    int next;                /* of those that are repeated */
    struct dti_keys *around; /* by which keys that are noted are taken; or NULL:
                                from the generator */
    bool repeats;            /* keys are taken from the list, not added */
    bool failed; /* memory was missing, or there were not enough keys */
} dti_keys;

/* Note or repeat keys of a world from now on, inside what is noted or repeated
 * already, and end that.  DT_ERR_NO_MEMORY changes nothing. */
dt_status dti_keys_begin(dt_world *world, dti_keys *keys);
void dti_keys_end(dt_world *world, dti_keys *keys);

/* Take the key of the next operation: from the generator, which counts it, or
 * one that is repeated. */
dti_random_key dti_keys_next(const dt_world *world, dt_generator *generator);

void dti_keys_free(dti_keys *keys);

#endif
