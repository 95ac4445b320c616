/* graph/arena.c - memory that is freed all at once. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/arena.h"

#include <limits.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The least that is taken from the system. */
#define BLOCK_SIZE ((size_t)1 << 14)

typedef struct dti_arena_block {
    struct dti_arena_block *next;
    size_t size;
    alignas(max_align_t) char bytes[];
} dti_arena_block;

static bool add_block(dti_arena *arena, size_t size)
{
    const size_t bytes = size > BLOCK_SIZE ? size : BLOCK_SIZE;
    dti_arena_block *block = calloc(1, sizeof *block + bytes);
    if (!block)
        return false;
    block->next = arena->blocks;
    block->size = bytes;
    arena->blocks = block;
    arena->used = 0;
    arena->total += bytes;
    return true;
}

void *dti_arena_get(dti_arena *arena, size_t size)
{
    const size_t step = alignof(max_align_t);
    if (size > SIZE_MAX / 2)
        return NULL;
    const size_t rounded = (size + step - 1) / step * step;
    if (!arena->blocks || arena->blocks->size - arena->used < rounded)
        if (!add_block(arena, rounded))
            return NULL;
    void *memory = arena->blocks->bytes + arena->used;
    arena->used += rounded;
    return memory;
}

char *dti_arena_text(dti_arena *arena, const char *text, size_t length)
{
    char *copy = dti_arena_get(arena, length + 1);
    if (copy && length > 0)
        memcpy(copy, text, length);
    return copy;
}

bool dti_arena_grow(dti_arena *arena, void *items, int count, int *capacity,
                    size_t size)
{
    void *before, *larger;
    if (count < *capacity)
        return true;
    if (count > INT_MAX / 2)
        return false;
    const int wanted = count < 4 ? 8 : 2 * count;
    memcpy(&before, items, sizeof before);
    larger = dti_arena_get(arena, (size_t)wanted * size);
    if (!larger)
        return false;
    if (count > 0)
        memcpy(larger, before, (size_t)count * size);
    memcpy(items, &larger, sizeof larger);
    *capacity = wanted;
    return true;
}

void dti_arena_free(dti_arena *arena)
{
    while (arena->blocks) {
        dti_arena_block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
    memset(arena, 0, sizeof *arena);
}
