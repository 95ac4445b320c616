/* base/pool.c - memory for storage, kept and used again. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/pool.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/machine/lock.h"
#include "base/poison.h"
#include "base/reference.h"

/*
 * Sizes are rounded up to classes, four to each power of two, all of them
 * multiples of the alignment: 64, 128, 192, 256, 320, 384, 448, 512, 640, ...
 * A block that comes back goes onto the list of its class, threaded through
 * the blocks themselves, and the last to come back, whose lines are warm, is
 * the first to go out.
 *
 * Blocks up to DTI_POOL_SMALL are carved from the heap of the C library, larger
 * ones are mapped; from `huge_page` on they begin on such a page.  A pool with
 * a source of its own takes larger blocks from that, and carves small ones from
 * slabs that it keeps to its end.
 */
enum {
    small_classes = 4,  /* up to 4 << small_shift bytes, one step each */
    small_shift = 6,    /* log2 of the alignment */
    largest_shift = 46, /* nobody has more than 64 TiB */
    class_count = small_classes + 4 * (largest_shift - small_shift - 2)
};

static const size_t slab_bytes = (size_t)256 << 10;
static const size_t huge_page = (size_t)2 << 20;

/* A kept block, written over its first bytes. */
typedef struct kept_block {
    struct kept_block *next;
} kept_block;

/* Memory that small blocks of a source are carved from; the end is free. */
typedef struct slab {
    struct slab *next;
    size_t used;
} slab;

struct dti_pool {
    dti_lock lock;      /* over everything below */
    int64_t references; /* blocks in use count among them */
    bool huge_pages;
    dt_memory_stats stats;
    dti_pool_source source; /* `take` is NULL: the system */
    dti_pool_watcher asked; /* or NULL */
    void *asked_arg;
    slab *slabs; /* the newest first */
    kept_block *kept[class_count];
};

/* The class whose blocks hold `bytes`, which must fit the largest. */
static int class_of(size_t bytes)
{
    size_t last = bytes ? bytes - 1 : 0;
    if (last < (size_t)small_classes << small_shift)
        return (int)(last >> small_shift);
    int power = 63 - __builtin_clzll((unsigned long long)last);
    int quarter = (int)(last >> (power - 2)) & 3;
    return small_classes + 4 * (power - small_shift - 2) + quarter;
}

static size_t class_bytes(int class)
{
    if (class < small_classes)
        return (size_t)(class + 1) << small_shift;
    int power = small_shift + 2 + (class - small_classes) / 4;
    size_t quarter = (size_t)(class - small_classes) % 4;
    return (5 + quarter) << (power - 2);
}

/* Round up to a multiple of a power of two. */
static uintptr_t round_up(uintptr_t value, size_t to)
{
    return (value + (to - 1)) & ~(uintptr_t)(to - 1);
}

/* Carve a block from the heap; the address to free lies just before it. */
static void *allocate_small(size_t bytes)
{
    char *base = malloc(bytes + DTI_POOL_ALIGNMENT + sizeof(void *));
    if (!base)
        return NULL;
    char *data = base + sizeof(void *);
    data += round_up((uintptr_t)data, DTI_POOL_ALIGNMENT) - (uintptr_t)data;
    memcpy(data - sizeof base, &base, sizeof base);
    return data;
}

static void free_small(void *data)
{
    char *base;
    memcpy(&base, (char *)data - sizeof base, sizeof base);
    free(base);
}

/* Map a block that begins on a multiple of `alignment`. */
static void *map_aligned(size_t bytes, size_t alignment)
{
    size_t length = bytes + alignment;
    char *base = mmap(NULL, length, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED)
        return NULL;
    size_t before = round_up((uintptr_t)base, alignment) - (uintptr_t)base;
    if (before)
        munmap(base, before);
    munmap(base + before + bytes, alignment - before);
    return base + before;
}

static void *map_block(const dti_pool *pool, size_t bytes)
{
    if (bytes < huge_page) {
        void *data = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        return data == MAP_FAILED ? NULL : data;
    }
    void *data = map_aligned(bytes, huge_page);
    /* Only a wish: the block works with small pages too. */
    if (data && pool->huge_pages)
        madvise(data, bytes, MADV_HUGEPAGE);
    return data;
}

/* Carve a small block from the newest slab, or from one more. */
static void *carve_block(dti_pool *pool, size_t bytes)
{
    slab *newest = pool->slabs;
    if (!newest || slab_bytes - newest->used < bytes) {
        slab *made =
            pool->source.take(pool->source.arg, slab_bytes, DTI_POOL_ALIGNMENT);
        if (!made)
            return NULL;
        if (pool->source.prepare)
            pool->source.prepare(pool->source.arg, made, slab_bytes);
        *made = (slab){newest, DTI_POOL_ALIGNMENT};
        pool->slabs = newest = made;
    }
    void *data = (char *)newest + newest->used;
    newest->used += bytes;
    return data;
}

static void *allocate_block(dti_pool *pool, size_t bytes)
{
    const dti_pool_source *source = &pool->source;
    if (bytes <= DTI_POOL_SMALL)
        return source->take ? carve_block(pool, bytes) : allocate_small(bytes);
    if (!source->take)
        return map_block(pool, bytes);
    return source->take(source->arg, bytes,
                        bytes < huge_page ? DTI_POOL_ALIGNMENT : huge_page);
}

/* Tell whether a block of this size can be given back to where it came from. */
static bool can_free(const dti_pool *pool, size_t bytes)
{
    return !pool->source.take || bytes > DTI_POOL_SMALL;
}

static void free_block(dti_pool *pool, void *data, size_t bytes)
{
    if (pool->source.take)
        pool->source.give(pool->source.arg, data, bytes);
    else if (bytes <= DTI_POOL_SMALL)
        free_small(data);
    else
        munmap(data, bytes);
}

/* Keep a block; nobody may touch it until it goes out again. */
static void push_kept(dti_pool *pool, int class, void *data, size_t bytes)
{
    kept_block *block = data;
    block->next = pool->kept[class];
    pool->kept[class] = block;
    pool->stats.kept += bytes;
    dti_poison(block, bytes);
}

static void *pop_kept(dti_pool *pool, int class, size_t bytes)
{
    kept_block *block = pool->kept[class];
    if (!block)
        return NULL;
    dti_unpoison(block, bytes);
    pool->kept[class] = block->next;
    pool->stats.kept -= bytes;
    return block;
}

/* Free all that is kept; under the lock. */
static void trim(dti_pool *pool)
{
    if (pool->stats.kept == 0)
        return;
    for (int class = 0; class < class_count; class ++) {
        size_t bytes = class_bytes(class);
        void *data;
        if (!can_free(pool, bytes))
            continue;
        while ((data = pop_kept(pool, class, bytes)))
            free_block(pool, data, bytes);
    }
}

/* Get a block from the system within the limit; under the lock. */
static void *allocate_within_limit(dti_pool *pool, size_t bytes)
{
    size_t limit = pool->stats.limit;
    if (limit) {
        if (bytes > limit || pool->stats.used > limit - bytes)
            return NULL;
        if (pool->stats.used + pool->stats.kept > limit - bytes)
            trim(pool);
    }
    void *data = allocate_block(pool, bytes);
    if (!data && pool->stats.kept) {
        trim(pool);
        data = allocate_block(pool, bytes);
    }
    return data;
}

dti_pool *dti_pool_create(size_t limit, bool huge_pages)
{
    dti_pool *pool = calloc(1, sizeof *pool);
    if (!pool)
        return NULL;
    pool->references = 1;
    pool->huge_pages = huge_pages;
    pool->stats.limit = limit;
    dti_live_add(DTI_LIVE_POOL, 1);
    return pool;
}

void dti_pool_set_source(dti_pool *pool, const dti_pool_source *source)
{
    dti_lock_take(&pool->lock);
    assert(pool->stats.taken == 0);
    pool->source = *source;
    dti_lock_give(&pool->lock);
}

static void destroy(dti_pool *pool)
{
    assert(pool->stats.used == 0);
    trim(pool);
    /* Whoever gets the addresses of slabs next may touch them. */
    for (slab *at = pool->slabs; at; at = at->next)
        dti_unpoison(at, slab_bytes);
    if (pool->source.close)
        pool->source.close(pool->source.arg);
    free(pool);
    dti_live_add(DTI_LIVE_POOL, -1);
}

/* Drop a reference and the lock. */
static void unlock_and_release(dti_pool *pool)
{
    assert(pool->references > 0);
    bool last = --pool->references == 0;
    dti_lock_give(&pool->lock);
    if (last)
        destroy(pool);
}

void dti_pool_retain(dti_pool *pool)
{
    dti_lock_take(&pool->lock);
    pool->references++;
    dti_lock_give(&pool->lock);
}

void dti_pool_release(dti_pool *pool)
{
    if (!pool)
        return;
    dti_lock_take(&pool->lock);
    unlock_and_release(pool);
}

/* Count a block that goes out; under the lock. */
static void count_taken(dti_pool *pool, size_t bytes)
{
    dt_memory_stats *stats = &pool->stats;
    stats->taken++;
    stats->used += bytes;
    if (stats->used > stats->peak)
        stats->peak = stats->used;
    pool->references++;
}

dt_status dti_pool_take(dti_pool *pool, size_t bytes, dti_block *out)
{
    if (bytes > (size_t)1 << largest_shift)
        return DT_ERR_NO_MEMORY;
    int class = class_of(bytes);
    size_t rounded = class_bytes(class);
    dti_lock_take(&pool->lock);
    void *data = pop_kept(pool, class, rounded);
    if (data)
        pool->stats.reused++;
    else
        data = allocate_within_limit(pool, rounded);
    if (data)
        count_taken(pool, rounded);
    dti_lock_give(&pool->lock);
    if (!data)
        return DT_ERR_NO_MEMORY;
    *out = (dti_block){data, rounded};
    return DT_OK;
}

void dti_pool_give(dti_pool *pool, dti_block block)
{
    dti_lock_take(&pool->lock);
    push_kept(pool, class_of(block.bytes), block.data, block.bytes);
    pool->stats.used -= block.bytes;
    unlock_and_release(pool);
}

void dti_pool_prepare(dti_pool *pool, void *data, size_t bytes)
{
    if (!pool->source.prepare) /* which is set before blocks are taken */
        return;
    dti_lock_take(&pool->lock);
    pool->source.prepare(pool->source.arg, data, bytes);
    dti_lock_give(&pool->lock);
}

dt_status dti_pool_claim(dti_pool *pool, size_t bytes, size_t *out)
{
    if (bytes > (size_t)1 << largest_shift)
        return DT_ERR_NO_MEMORY;
    size_t rounded = class_bytes(class_of(bytes));
    dti_lock_take(&pool->lock);
    size_t limit = pool->stats.limit;
    bool fits =
        !limit || (rounded <= limit && pool->stats.used <= limit - rounded);
    if (fits)
        count_taken(pool, rounded);
    dti_lock_give(&pool->lock);
    *out = rounded;
    return fits ? DT_OK : DT_ERR_NO_MEMORY;
}

void dti_pool_unclaim(dti_pool *pool, size_t bytes)
{
    dti_lock_take(&pool->lock);
    pool->stats.used -= bytes;
    unlock_and_release(pool);
}

void dti_pool_watch(dti_pool *pool, dti_pool_watcher asked, void *arg)
{
    dti_lock_take(&pool->lock);
    pool->asked = asked;
    pool->asked_arg = arg;
    dti_lock_give(&pool->lock);
}

void dti_pool_ask(dti_pool *pool)
{
    dti_lock_take(&pool->lock);
    const dti_pool_watcher asked = pool->asked;
    void *arg = pool->asked_arg;
    dti_lock_give(&pool->lock);
    if (asked)
        asked(arg);
}

void dti_pool_read(dti_pool *pool, dt_memory_stats *out)
{
    dti_lock_take(&pool->lock);
    *out = pool->stats;
    dti_lock_give(&pool->lock);
}

void dti_pool_trim(dti_pool *pool)
{
    dti_lock_take(&pool->lock);
    trim(pool);
    dti_lock_give(&pool->lock);
}

void dti_pool_reset_peak(dti_pool *pool)
{
    dti_lock_take(&pool->lock);
    pool->stats.peak = pool->stats.used;
    dti_lock_give(&pool->lock);
}
