/* random/keys.c - keys that are noted, to draw the same numbers again. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "random/keys.h"

#include <stdlib.h>

#include "base/world.h"
#include "random/generator.h"

dt_status dti_keys_begin(dt_world *world, dti_keys *keys)
{
    if (!dt_world_generator(world)) /* opens the room */
        return DT_ERR_NO_MEMORY;
    dti_generators *generators = dti_world_room(world, DTI_ROOM_RANDOM);
    keys->around = generators->keys;
    generators->keys = keys;
    return DT_OK;
}

void dti_keys_end(dt_world *world, dti_keys *keys)
{
    dti_generators *generators = dti_world_room(world, DTI_ROOM_RANDOM);
    generators->keys = keys->around;
    keys->around = NULL;
}

void dti_keys_free(dti_keys *keys)
{
    free(keys->list);
    *keys = (dti_keys){0};
}

static void add(dti_keys *keys, dti_random_key key)
{
    if (keys->count == keys->capacity) {
        const int capacity = keys->capacity ? 2 * keys->capacity : 8;
        dti_random_key *list =
            realloc(keys->list, (size_t)capacity * sizeof *list);
        if (!list) {
            keys->failed = true;
            return;
        }
        keys->list = list;
        keys->capacity = capacity;
    }
    keys->list[keys->count++] = key;
}

/* Take a key that is repeated; without one, the next of the generator. */
static dti_random_key repeat(dti_keys *keys, dt_generator *generator)
{
    if (keys->next < keys->count)
        return keys->list[keys->next++];
    keys->failed = true;
    return dti_generator_next(generator);
}

/* What is noted comes from what is around: keys of a part that runs again, or
 * the generator.  All that lie between note it, too. */
static dti_random_key next(dti_keys *keys, dt_generator *generator)
{
    dti_keys *source = keys;
    while (source && !source->repeats)
        source = source->around;
    const dti_random_key key =
        source ? repeat(source, generator) : dti_generator_next(generator);
    for (dti_keys *noting = keys; noting != source; noting = noting->around)
        add(noting, key);
    return key;
}

dti_random_key dti_keys_next(const dt_world *world, dt_generator *generator)
{
    const dti_generators *generators = dti_world_room(world, DTI_ROOM_RANDOM);
    return next(generators ? generators->keys : NULL, generator);
}
