/* unit/base/pool.c - blocks are kept, counted, limited and given back. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "base/pool.h"
#include "base/reference.h"

static dt_memory_stats stats_of(dti_pool *pool)
{
    dt_memory_stats stats;
    dti_pool_read(pool, &stats);
    return stats;
}

static void rounds_sizes_up(dt_world *world)
{
    (void)world;
    static const size_t sizes[] = {0,
                                   1,
                                   63,
                                   64,
                                   65,
                                   192,
                                   256,
                                   257,
                                   320,
                                   321,
                                   1000,
                                   4096,
                                   4097,
                                   9999,
                                   65536,
                                   65537,
                                   1 << 20,
                                   2 << 20,
                                   (2 << 20) + 1,
                                   5000000,
                                   33554432};
    dti_pool *pool = dti_pool_create(0, true);
    CHECK(pool != NULL);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        dti_block block = {0};
        CHECK(dti_pool_take(pool, sizes[i], &block) == DT_OK);
        CHECK(block.data != NULL);
        CHECKF((uintptr_t)block.data % DTI_POOL_ALIGNMENT == 0,
               "%zu bytes at %p", sizes[i], block.data);
        CHECKF(block.bytes >= sizes[i] &&
                   block.bytes <= sizes[i] + sizes[i] / 4 + 64,
               "%zu bytes in a block of %zu", sizes[i], block.bytes);
        if (block.bytes >= (size_t)2 << 20)
            CHECK((uintptr_t)block.data % ((size_t)2 << 20) == 0);
        memset(block.data, 1, block.bytes);
        CHECK_INT((long long)stats_of(pool).used, (long long)block.bytes);
        dti_pool_give(pool, block);
    }
    CHECK_INT((long long)stats_of(pool).used, 0);
    dti_pool_release(pool);
}

static void reuses_what_was_given(dt_world *world)
{
    (void)world;
    dti_pool *pool = dti_pool_create(0, false);
    dti_block first = {0}, second = {0}, third = {0};
    CHECK(dti_pool_take(pool, 1000, &first) == DT_OK);
    dti_pool_give(pool, first);
    CHECK_INT((long long)stats_of(pool).kept, (long long)first.bytes);
    CHECK(dti_pool_take(pool, 1010, &second) == DT_OK);
    CHECK(second.data == first.data);
    CHECK(dti_pool_take(pool, 1010, &third) == DT_OK);
    CHECK(third.data != second.data);
    dt_memory_stats stats = stats_of(pool);
    CHECK_INT((long long)stats.taken, 3);
    CHECK_INT((long long)stats.reused, 1);
    CHECK_INT((long long)stats.kept, 0);
    CHECK_INT((long long)stats.used, (long long)(2 * first.bytes));
    CHECK_INT((long long)stats.peak, (long long)(2 * first.bytes));
    dti_pool_give(pool, second);
    dti_pool_reset_peak(pool);
    CHECK_INT((long long)stats_of(pool).peak, (long long)first.bytes);
    dti_pool_give(pool, third);
    dti_pool_trim(pool);
    CHECK_INT((long long)stats_of(pool).kept, 0);
    dti_pool_release(pool);
}

static void keeps_within_its_limit(dt_world *world)
{
    (void)world;
    const size_t unit = (size_t)1 << 20;
    dti_pool *pool = dti_pool_create(4 * unit, false);
    dti_block a = {0}, b = {0}, c = {0};
    CHECK(dti_pool_take(pool, 5 * unit, &a) == DT_ERR_NO_MEMORY);
    CHECK(dti_pool_take(pool, (size_t)-1, &a) == DT_ERR_NO_MEMORY);
    CHECK(dti_pool_take(pool, 2 * unit, &a) == DT_OK);
    CHECK(dti_pool_take(pool, 2 * unit, &b) == DT_OK);
    CHECK(dti_pool_take(pool, 1, &c) == DT_ERR_NO_MEMORY);
    CHECK(c.data == NULL);
    CHECK_INT((long long)stats_of(pool).taken, 2);
    dti_pool_give(pool, b);
    /* Too much with what is kept, but what is kept can go. */
    CHECK(dti_pool_take(pool, unit, &c) == DT_OK);
    CHECK_INT((long long)stats_of(pool).kept, 0);
    CHECK_INT((long long)stats_of(pool).used, (long long)(3 * unit));
    dti_pool_give(pool, a);
    dti_pool_give(pool, c);
    CHECK_INT((long long)stats_of(pool).limit, (long long)(4 * unit));
    dti_pool_release(pool);
}

static void outlives_its_owner(dt_world *world)
{
    (void)world;
    int64_t before = dti_live_count(DTI_LIVE_POOL);
    dti_pool *pool = dti_pool_create(0, false);
    dti_block block = {0};
    CHECK(dti_pool_take(pool, 100, &block) == DT_OK);
    dti_pool_retain(pool);
    dti_pool_release(pool);
    dti_pool_release(pool);
    memset(block.data, 7, block.bytes);
    if (before >= 0)
        CHECK_INT(dti_live_count(DTI_LIVE_POOL), before + 1);
    dti_pool_give(pool, block);
    CHECK_INT(dti_live_count(DTI_LIVE_POOL), before);
    dti_pool_release(NULL);
}

enum { thread_count = 4, rounds = 2000, slots = 16 };

/* Blocks on their way between threads. */
typedef struct market {
    dti_pool *pool;
    pthread_mutex_t lock;
    dti_block waiting[slots];
    unsigned long long seed;
} market;

static void *take_and_give(void *arg)
{
    market *exchange = arg;
    pthread_mutex_lock(&exchange->lock);
    unsigned long long state = exchange->seed++;
    pthread_mutex_unlock(&exchange->lock);
    for (int i = 0; i < rounds; i++) {
        dti_block block = {0};
        size_t bytes = dt_test_random(&state) % (i % 50 ? 3000 : 300000);
        if (dti_pool_take(exchange->pool, bytes, &block) != DT_OK)
            return arg;
        memset(block.data, i, block.bytes < 64 ? block.bytes : 64);
        size_t slot = dt_test_random(&state) % slots;
        pthread_mutex_lock(&exchange->lock);
        dti_block other = exchange->waiting[slot];
        exchange->waiting[slot] = block;
        pthread_mutex_unlock(&exchange->lock);
        if (other.data)
            dti_pool_give(exchange->pool, other);
        if (i % 500 == 0)
            dti_pool_trim(exchange->pool);
    }
    return NULL;
}

static void takes_blocks_back_from_any_thread(dt_world *world)
{
    (void)world;
    market exchange = {.pool = dti_pool_create(0, false),
                       .lock = PTHREAD_MUTEX_INITIALIZER,
                       .seed = dt_test_seed()};
    pthread_t threads[thread_count];
    for (int i = 0; i < thread_count; i++)
        CHECK(pthread_create(&threads[i], NULL, take_and_give, &exchange) == 0);
    for (int i = 0; i < thread_count; i++) {
        void *failed = NULL;
        CHECK(pthread_join(threads[i], &failed) == 0);
        CHECK(failed == NULL);
    }
    for (int i = 0; i < slots; i++)
        if (exchange.waiting[i].data)
            dti_pool_give(exchange.pool, exchange.waiting[i]);
    dt_memory_stats stats = stats_of(exchange.pool);
    CHECK_INT((long long)stats.used, 0);
    CHECK_INT((long long)stats.taken, thread_count * rounds);
    dti_pool_release(exchange.pool);
}

static void is_read_through_the_world(dt_world *world)
{
    dt_memory_stats before, during, after;
    dt_memory_read(world, &before);
    dt_array *array = NULL;
    CHECK_OK(world, dt_array_create(world, DT_F32, DT_SHAPE(1000), &array));
    dt_memory_read(world, &during);
    CHECK_INT((long long)(during.used - before.used), 4096);
    dt_array_release(array);
    dt_memory_trim(world);
    dt_memory_reset_peak(world);
    dt_memory_read(world, &after);
    CHECK_INT((long long)after.used, (long long)before.used);
    CHECK_INT((long long)after.kept, 0);
    CHECK_INT((long long)after.peak, (long long)after.used);
}

/* What is claimed counts as if it were there. */
static void counts_claims(dt_world *world)
{
    (void)world;
    dti_pool *pool = dti_pool_create((size_t)1 << 40, false);
    size_t large = 0, small = 0, none = 0;
    dti_block block;
    CHECK_INT(dti_pool_claim(pool, (size_t)1 << 39, &large), DT_OK);
    CHECK_INT(large, (int64_t)1 << 39);
    CHECK_INT(dti_pool_claim(pool, 65, &small), DT_OK);
    CHECK_INT(small, 128);
    CHECK_INT(stats_of(pool).used, (int64_t)(large + small));
    CHECK_INT(stats_of(pool).taken, 2);
    /* The limit holds for both kinds together. */
    CHECK_INT(dti_pool_claim(pool, (size_t)1 << 39, &none), DT_ERR_NO_MEMORY);
    CHECK_INT(dti_pool_claim(pool, (size_t)1 << 62, &none), DT_ERR_NO_MEMORY);
    CHECK_INT(dti_pool_take(pool, (size_t)1 << 39, &block), DT_ERR_NO_MEMORY);
    dti_pool_unclaim(pool, large);
    CHECK_INT(stats_of(pool).used, (int64_t)small);
    CHECK_INT(stats_of(pool).kept, 0);
    CHECK_INT(stats_of(pool).peak, (int64_t)(large + small));
    /* The pool lives until all is given back. */
    dti_pool_release(pool);
    dti_pool_unclaim(pool, small);
}

const dt_test dt_tests[] = {
    {"rounds sizes up", rounds_sizes_up},
    {"reuses what was given", reuses_what_was_given},
    {"keeps within its limit", keeps_within_its_limit},
    {"outlives its owner", outlives_its_owner},
    {"takes blocks back from any thread", takes_blocks_back_from_any_thread},
    {"is read through the world", is_read_through_the_world},
    {"counts claims", counts_claims},
    {NULL, NULL},
};
