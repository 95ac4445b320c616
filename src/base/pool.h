/* base/pool.h - memory for storage, kept and used again. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_BASE_POOL_H
#define DTI_BASE_POOL_H

#include <stdbool.h>
#include <stddef.h>

#include <dtensor/memory.h>

/* Every block is aligned to this many bytes. */
#define DTI_POOL_ALIGNMENT 64

/* Blocks of up to this many bytes are carved from larger pieces. */
#define DTI_POOL_SMALL ((size_t)64 << 10)

/*
 * A pool hands out blocks by size class and keeps what comes back.  It is
 * reference-counted: its world holds one reference and every block in use
 * another, so blocks may come back after the world is gone, from any thread.
 */
typedef struct dti_pool dti_pool;

/* A block in use.  `data` is never NULL, even for 0 bytes. */
typedef struct dti_block {
    void *data;
    size_t bytes; /* what the size class holds: at least what was asked for */
} dti_block;

/*
 * Where a pool gets its memory instead of from the system.  Called under the
 * pool's lock.
 */
typedef struct dti_pool_source {
    /* Give `bytes` on a multiple of `alignment`; NULL if there are none. */
    void *(*take)(void *arg, size_t bytes, size_t alignment);
    void (*give)(void *arg, void *data, size_t bytes);
    /* Get memory of a block ready: all of it is about to be read or written.
     * May be NULL. */
    void (*prepare)(void *arg, void *data, size_t bytes);
    /* The pool is gone, and all its blocks. */
    void (*close)(void *arg);
    void *arg;
} dti_pool_source;

/* Create a pool; `limit` 0 means none.  NULL if memory is short. */
dti_pool *dti_pool_create(size_t limit, bool huge_pages);

/* Take all memory from a source, which the pool closes.  Only while no block
 * was taken yet. */
void dti_pool_set_source(dti_pool *pool, const dti_pool_source *source);

void dti_pool_retain(dti_pool *pool);
void dti_pool_release(dti_pool *pool);

/*
 * Take a block of at least `bytes`, contents not set.  DT_ERR_NO_MEMORY if the
 * system or the limit refuses, after giving back what was kept; the caller
 * words the sentence.
 */
dt_status dti_pool_take(dti_pool *pool, size_t bytes, dti_block *out);

/* Say that some memory of a block, all of which the library is about to read or
 * write, is worth larger pages.  Only a wish. */
void dti_pool_prepare(dti_pool *pool, void *data, size_t bytes);

/* Give a block back. */
void dti_pool_give(dti_pool *pool, dti_block block);

/*
 * Count a block as in use that is not there, as a dry run does: at most what
 * the limit allows, rounded up as others.  Its size goes to `out`, to be given
 * back by dti_pool_unclaim.
 */
dt_status dti_pool_claim(dti_pool *pool, size_t bytes, size_t *out);
void dti_pool_unclaim(dti_pool *pool, size_t bytes);

/* Call `asked` when somebody wants the elements of memory that is only claimed,
 * which he then finds missing; NULL ends that. */
typedef void (*dti_pool_watcher)(void *arg);
void dti_pool_watch(dti_pool *pool, dti_pool_watcher asked, void *arg);

/* Say that somebody does. */
void dti_pool_ask(dti_pool *pool);

void dti_pool_read(dti_pool *pool, dt_memory_stats *out);
void dti_pool_trim(dti_pool *pool);
void dti_pool_reset_peak(dti_pool *pool);

#endif
