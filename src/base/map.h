/* base/map.h - a hash map from keys that the caller compares to pointers. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_BASE_MAP_H
#define DTI_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dtensor/status.h>

/* Tell whether `value`, found under an equal hash, has this key. */
typedef bool (*dti_map_matches)(const void *value, const void *key);

/*
 * Open addressing with linear probing; values are borrowed and carry their own
 * keys.  Zeroed memory is an empty map.
 */
typedef struct dti_map {
    struct dti_map_cell *cells;
    size_t capacity; /* zero or a power of two */
    size_t count;
} dti_map;

/* Find the value with this key; NULL if there is none. */
void *dti_map_find(const dti_map *map, uint64_t hash, const void *key,
                   dti_map_matches matches);

/* Add a value whose key is not in the map.  DT_ERR_NO_MEMORY changes nothing.
 */
dt_status dti_map_add(dti_map *map, uint64_t hash, void *value);

/* Take a value out; NULL if it is not there. */
void *dti_map_remove(dti_map *map, uint64_t hash, const void *key,
                     dti_map_matches matches);

/* Give each value in turn: start with *cursor = 0; NULL at the end. */
void *dti_map_next(const dti_map *map, size_t *cursor);

/* Take out the value that dti_map_next has just given; going on from the cursor
 * misses none. */
void dti_map_drop(dti_map *map, size_t *cursor);

/* Free the map's own memory; it is empty again. */
void dti_map_clear(dti_map *map);

#endif
