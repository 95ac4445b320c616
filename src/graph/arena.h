/* graph/arena.h - memory that is freed all at once. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_GRAPH_ARENA_H
#define DTI_GRAPH_ARENA_H

#include <stdbool.h>
#include <stddef.h>

/* Zeroed memory is an empty arena. */
typedef struct dti_arena {
    struct dti_arena_block *blocks; /* the latest first */
    size_t used;                    /* of the latest */
    size_t total;                   /* bytes of all blocks */
} dti_arena;

/* Get zeroed memory, aligned for every type; NULL if there is none. */
void *dti_arena_get(dti_arena *arena, size_t size);

/* Copy `length` bytes and end them with a zero; NULL without memory. */
char *dti_arena_text(dti_arena *arena, const char *text, size_t length);

/*
 * Make room for one more item in a list of `count` items of `size` bytes, which
 * begins at *items: the list moves when it is full.  False without memory.
 */
bool dti_arena_grow(dti_arena *arena, void *items, int count, int *capacity,
                    size_t size);

void dti_arena_free(dti_arena *arena);

#endif
