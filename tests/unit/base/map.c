/* tests/unit/base/map.c - the hash map against a plain list. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/map.h"

#include "support/check.h"

enum { KEYS = 300 };

typedef struct item {
    int key;
    bool present; /* the plain list: one mark per key */
    bool seen;
} item;

static bool has_key(const void *value, const void *key)
{
    return ((const item *)value)->key == *(const int *)key;
}

/* Hashes that collide: many keys share one, and runs wrap around the end. */
static uint64_t hash_of(int key, int spread)
{
    return (uint64_t)(key % spread) - 2;
}

static void check_contents(const dti_map *map, item *items, int spread)
{
    size_t present = 0, cursor = 0, found = 0;
    item *one;
    for (int key = 0; key < KEYS; key++) {
        items[key].seen = false;
        present += items[key].present;
        CHECK(dti_map_find(map, hash_of(key, spread), &key, has_key) ==
              (items[key].present ? &items[key] : NULL));
    }
    CHECK_INT(map->count, (long long)present);
    while ((one = dti_map_next(map, &cursor))) {
        CHECK(one->present && !one->seen);
        one->seen = true;
        found++;
    }
    CHECK_INT(found, (long long)present);
}

static void agrees_with_a_list(dt_world *world)
{
    (void)world;
    unsigned long long random = dt_test_seed();
    const int spreads[] = {1, 3, 17, KEYS};
    for (size_t s = 0; s < sizeof spreads / sizeof *spreads; s++) {
        item items[KEYS] = {{0}};
        dti_map map = {0};
        for (int key = 0; key < KEYS; key++)
            items[key].key = key;
        for (int step = 0; step < 4000; step++) {
            int key = (int)(dt_test_random(&random) % KEYS);
            uint64_t hash = hash_of(key, spreads[s]);
            /* First mostly added, then mostly removed. */
            bool add = dt_test_random(&random) % 8 < (step < 2000 ? 6 : 2);
            if (add && !items[key].present) {
                CHECK_INT(dti_map_add(&map, hash, &items[key]), DT_OK);
                items[key].present = true;
            } else if (!add) {
                CHECK(dti_map_remove(&map, hash, &key, has_key) ==
                      (items[key].present ? &items[key] : NULL));
                items[key].present = false;
            }
            if (step % 250 == 0)
                check_contents(&map, items, spreads[s]);
        }
        check_contents(&map, items, spreads[s]);
        dti_map_clear(&map);
        CHECK_INT(map.count, 0);
    }
}

static void is_empty_at_first(dt_world *world)
{
    (void)world;
    dti_map map = {0};
    int key = 4;
    size_t cursor = 0;
    CHECK(dti_map_find(&map, 4, &key, has_key) == NULL);
    CHECK(dti_map_remove(&map, 4, &key, has_key) == NULL);
    CHECK(dti_map_next(&map, &cursor) == NULL);
    dti_map_clear(&map);
}

/* Going through and dropping every value but a few gives each at least once. */
static void drops_what_it_goes_through(dt_world *world)
{
    enum { COUNT = 1000 };
    static int values[COUNT], seen[COUNT];
    dti_map map = {0};
    size_t cursor = 0;
    (void)world;
    memset(seen, 0, sizeof seen);
    for (int i = 0; i < COUNT; i++) {
        values[i] = i;
        CHECK(dti_map_add(&map, (uint64_t)(i % 97) * 31, &values[i]) == DT_OK);
    }
    for (int *value; (value = dti_map_next(&map, &cursor));) {
        seen[*value]++;
        if (*value % 10)
            dti_map_drop(&map, &cursor);
    }
    CHECK_INT(map.count, COUNT / 10);
    for (int i = 0; i < COUNT; i++)
        CHECKF(i % 10 ? seen[i] == 1 : seen[i] >= 1, "%d: %d times", i,
               seen[i]);
    dti_map_clear(&map);
}

const dt_test dt_tests[] = {
    {"drops what it goes through", drops_what_it_goes_through},
    {"agrees with a list", agrees_with_a_list},
    {"is empty at first", is_empty_at_first},
    {NULL, NULL},
};
