/* comm/shm/heap.c - memory for arrays from a rank's part of the segment. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/pool.h"
#include "base/world.h"
#include "comm/shm/segment.h"

/* A stretch of the heap that nobody uses. */
typedef struct extent {
    size_t begin;
    size_t end;
} extent;

/* The free stretches of one rank's heap, in order and never touching.  The
 * pool calls under its lock. */
typedef struct rank_heap {
    dti_segment *segment;
    char *base;
    extent *free;
    size_t count;
    size_t capacity;
    uint64_t *huge; /* a bit for each huge page that was made; NULL: none is */
} rank_heap;

static const size_t page = 4096;
static const size_t huge_page = (size_t)2 << 20;

/* Younger than some C libraries; kernels that do not know it refuse it. */
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

static size_t round_up(size_t bytes, size_t to)
{
    return (bytes + to - 1) / to * to;
}

/* Make room for one more extent at a place of the list. */
static bool insert(rank_heap *heap, size_t place, extent added)
{
    if (heap->count == heap->capacity) {
        size_t capacity = 2 * heap->capacity + 1;
        extent *larger = realloc(heap->free, capacity * sizeof *larger);
        if (!larger)
            return false;
        heap->free = larger;
        heap->capacity = capacity;
    }
    memmove(heap->free + place + 1, heap->free + place,
            (heap->count - place) * sizeof *heap->free);
    heap->free[place] = added;
    heap->count++;
    return true;
}

static void drop(rank_heap *heap, size_t place)
{
    heap->count--;
    memmove(heap->free + place, heap->free + place + 1,
            (heap->count - place) * sizeof *heap->free);
}

/* Take [begin, end) out of a free stretch that contains it. */
static bool carve(rank_heap *heap, size_t place, size_t begin, size_t end)
{
    extent *from = &heap->free[place];
    extent after = {end, from->end};
    if (from->begin < begin && after.begin < after.end) {
        if (!insert(heap, place + 1, after))
            return false;
        heap->free[place].end = begin;
    } else if (from->begin < begin) {
        from->end = begin;
    } else if (after.begin < after.end) {
        *from = after;
    } else {
        drop(heap, place);
    }
    return true;
}

static bool is_huge(const rank_heap *heap, size_t number)
{
    return heap->huge[number / 64] >> number % 64 & 1;
}

static void set_huge(rank_heap *heap, size_t number, bool huge)
{
    const uint64_t bit = UINT64_C(1) << number % 64;
    if (huge)
        heap->huge[number / 64] |= bit;
    else
        heap->huge[number / 64] &= ~bit;
}

/*
 * Make huge pages of a stretch that begins and ends with one.  Most systems
 * give shared memory none by themselves, but make one of the small pages of a
 * stretch when asked, if there is any: so the first of each is touched.  Only a
 * wish, that takes half the time of touching small pages one by one.
 */
static void collapse(char *data, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += huge_page)
        if (madvise(data + at, page, MADV_POPULATE_WRITE) != 0)
            return;
    madvise(data, bytes, MADV_COLLAPSE);
}

/* Make huge pages of those that are not, from one page to before another. */
static void make_huge(rank_heap *heap, size_t from, size_t to)
{
    while (from < to) {
        size_t next = from;
        while (next < to && !is_huge(heap, next))
            set_huge(heap, next++, true);
        if (from < next)
            collapse(heap->base + from * huge_page, (next - from) * huge_page);
        from = next + 1;
    }
}

/*
 * Put memory that is about to be filled or read into huge pages: those inside
 * it, so that what a large block has of its last one stays small.  A block that
 * has none inside gets those that it shares with its neighbours: small pages
 * here and there in memory would compete for the same lines of a cache.
 */
static void prepare(void *arg, void *data, size_t bytes)
{
    rank_heap *heap = arg;
    if (!heap->huge)
        return;
    const size_t begin = (size_t)((char *)data - heap->base);
    const size_t end = begin + bytes;
    const size_t from = round_up(begin, huge_page) / huge_page;
    const size_t to = end / huge_page;
    if (from < to)
        make_huge(heap, from, to);
    else
        make_huge(heap, begin / huge_page,
                  round_up(end, huge_page) / huge_page);
}

/* The first free stretch that is large enough. */
static void *take(void *arg, size_t bytes, size_t alignment)
{
    rank_heap *heap = arg;
    size_t length = round_up(bytes, page);
    for (size_t i = 0; i < heap->count; i++) {
        size_t begin = round_up(heap->free[i].begin, alignment);
        if (begin > heap->free[i].end || heap->free[i].end - begin < length)
            continue;
        return carve(heap, i, begin, begin + length) ? heap->base + begin
                                                     : NULL;
    }
    return NULL;
}

/* Put a block back among the free stretches.  Its pages go back to the system;
 * without memory for the list, only its addresses are lost. */
static void give(void *arg, void *data, size_t bytes)
{
    rank_heap *heap = arg;
    extent back = {(size_t)((char *)data - heap->base), 0};
    back.end = back.begin + round_up(bytes, page);
    madvise(data, back.end - back.begin, MADV_REMOVE);
    for (size_t i = back.begin / huge_page;
         heap->huge && i < round_up(back.end, huge_page) / huge_page; i++)
        set_huge(heap, i, false);
    size_t place = 0;
    while (place < heap->count && heap->free[place].begin < back.begin)
        place++;
    bool joins_left = place > 0 && heap->free[place - 1].end == back.begin;
    bool joins_right =
        place < heap->count && heap->free[place].begin == back.end;
    if (joins_left && joins_right) {
        heap->free[place - 1].end = heap->free[place].end;
        drop(heap, place);
    } else if (joins_left) {
        heap->free[place - 1].end = back.end;
    } else if (joins_right) {
        heap->free[place].begin = back.begin;
    } else {
        insert(heap, place, back);
    }
}

static void close_heap(void *arg)
{
    rank_heap *heap = arg;
    dti_segment_release(heap->segment);
    free(heap->free);
    free(heap->huge);
    free(heap);
}

/* Ask for huge pages in all heaps, as the pool does for memory of the system:
 * for those of others, which this process maps as it meets them. */
static void want_huge_pages(const dti_segment *segment)
{
    const dti_shm_control *control = segment->control;
    madvise(dti_segment_heap(segment, 0),
            (size_t)control->ranks * control->heap_bytes, MADV_HUGEPAGE);
}

dt_status dti_heap_attach(dti_segment *segment, dt_world *world,
                          dt_error *error)
{
    enum { FIRST_CAPACITY = 16 };
    const size_t words = segment->control->heap_bytes / huge_page / 64 + 1;
    const bool wanted = world->settings.huge_pages;
    rank_heap *made = calloc(1, sizeof *made);
    extent *list = calloc(FIRST_CAPACITY, sizeof *list);
    uint64_t *huge = wanted ? calloc(words, sizeof *huge) : NULL;
    if (!made || !list || (wanted && !huge)) {
        free(made);
        free(list);
        free(huge);
        return dti_error_set(error, DT_ERR_NO_MEMORY,
                             "out of memory for the heap of rank %d",
                             world->rank);
    }
    list[0] = (extent){0, segment->control->heap_bytes};
    dti_reference_retain(&segment->reference);
    *made = (rank_heap){.segment = segment,
                        .base = dti_segment_heap(segment, world->rank),
                        .free = list,
                        .count = 1,
                        .capacity = FIRST_CAPACITY,
                        .huge = huge};
    dti_pool_source source = {.take = take,
                              .give = give,
                              .prepare = prepare,
                              .close = close_heap,
                              .arg = made};
    dti_pool_set_source(world->pool, &source);
    if (wanted)
        want_huge_pages(segment);
    return DT_OK;
}
