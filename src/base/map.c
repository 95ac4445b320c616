/* base/map.c - a hash map with linear probing. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/map.h"

#include <stdlib.h>

/* A cell without a value is free. */
struct dti_map_cell {
    uint64_t hash;
    void *value;
};

static const size_t first_capacity = 16;

/* The cell that holds the key, or the free cell where it would go. */
static size_t find_cell(const dti_map *map, uint64_t hash, const void *key,
                        dti_map_matches matches)
{
    size_t mask = map->capacity - 1;
    size_t i = (size_t)hash & mask;
    for (;; i = (i + 1) & mask) {
        const struct dti_map_cell *cell = &map->cells[i];
        if (!cell->value)
            return i;
        if (cell->hash == hash && matches && matches(cell->value, key))
            return i;
    }
}

void *dti_map_find(const dti_map *map, uint64_t hash, const void *key,
                   dti_map_matches matches)
{
    if (map->count == 0)
        return NULL;
    return map->cells[find_cell(map, hash, key, matches)].value;
}

/* Put a value into the first free cell of its run. */
static void place(dti_map *map, uint64_t hash, void *value)
{
    size_t i = find_cell(map, hash, NULL, NULL);
    map->cells[i] = (struct dti_map_cell){hash, value};
}

static dt_status grow(dti_map *map)
{
    dti_map larger = {
        .capacity = map->capacity ? map->capacity * 2 : first_capacity,
        .count = map->count,
    };
    larger.cells = calloc(larger.capacity, sizeof *larger.cells);
    if (!larger.cells)
        return DT_ERR_NO_MEMORY;
    for (size_t i = 0; i < map->capacity; i++)
        if (map->cells[i].value)
            place(&larger, map->cells[i].hash, map->cells[i].value);
    free(map->cells);
    *map = larger;
    return DT_OK;
}

dt_status dti_map_add(dti_map *map, uint64_t hash, void *value)
{
    if ((map->count + 1) * 4 > map->capacity * 3)
        DT_TRY(grow(map));
    place(map, hash, value);
    map->count++;
    return DT_OK;
}

/* Close the gap at cell i: move back what could not go there before. */
static void close_gap(dti_map *map, size_t i)
{
    size_t mask = map->capacity - 1;
    size_t gap = i;
    for (;;) {
        i = (i + 1) & mask;
        if (!map->cells[i].value)
            break;
        size_t home = (size_t)map->cells[i].hash & mask;
        if (((i - home) & mask) >= ((i - gap) & mask)) {
            map->cells[gap] = map->cells[i];
            gap = i;
        }
    }
    map->cells[gap].value = NULL;
}

void *dti_map_remove(dti_map *map, uint64_t hash, const void *key,
                     dti_map_matches matches)
{
    if (map->count == 0)
        return NULL;
    size_t i = find_cell(map, hash, key, matches);
    void *value = map->cells[i].value;
    if (value) {
        close_gap(map, i);
        map->count--;
    }
    return value;
}

void *dti_map_next(const dti_map *map, size_t *cursor)
{
    while (*cursor < map->capacity) {
        void *value = map->cells[(*cursor)++].value;
        if (value)
            return value;
    }
    return NULL;
}

/* What follows may move into the gap, so that is looked at again.  What comes
 * round from the end to there is not lost either: the end is still to come. */
void dti_map_drop(dti_map *map, size_t *cursor)
{
    close_gap(map, --*cursor);
    map->count--;
}

void dti_map_clear(dti_map *map)
{
    free(map->cells);
    *map = (dti_map){0};
}
