/* tests/unit/base/machine/lock.c - one thread at a time, also when many wait.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/machine/lock.h"

#include "support/check.h"

enum { THREADS = 4, TURNS = 2000 };

typedef struct shared {
    dti_lock lock;
    long long turns; /* changed under the lock alone */
    bool inside;
    bool met; /* two threads were inside at once */
} shared;

static void *take_turns(void *arg)
{
    shared *with = arg;
    for (int i = 0; i < TURNS; i++) {
        dti_lock_take(&with->lock);
        with->met |= with->inside;
        with->inside = true;
        with->turns++;
        if (i % 16 == 0)
            sched_yield(); /* so that others come and have to sleep */
        with->inside = false;
        dti_lock_give(&with->lock);
    }
    return NULL;
}

static void one_at_a_time(dt_world *world)
{
    shared with = {0};
    pthread_t threads[THREADS];
    (void)world;
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, take_turns, &with) == 0);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    CHECK(!with.met);
    CHECK_INT(with.turns, THREADS * TURNS);
    CHECK_INT(with.lock.taken, 0);
}

/* Threads that take the lock as often as they can, and hold it for a while. */
typedef struct greedy {
    dti_lock *lock;
    atomic_int *stop;
    int turns;
} greedy;

static void *take_often(void *arg)
{
    greedy *g = arg;
    while (!atomic_load(g->stop)) {
        dti_lock_take(g->lock);
        g->turns++;
        if (g->turns % 4 == 0)
            usleep(50); /* others sleep meanwhile */
        dti_lock_give(g->lock);
        sched_yield();
    }
    return NULL;
}

/* A thread that sleeps is woken, and none is left out. */
static void nobody_is_left_out(dt_world *world)
{
    enum { LEAST = 20 };
    dti_lock lock = {0};
    atomic_int stop = 0;
    greedy all[THREADS];
    pthread_t threads[THREADS];
    (void)world;
    for (int i = 0; i < THREADS; i++) {
        all[i] = (greedy){&lock, &stop, 0};
        CHECK(pthread_create(&threads[i], NULL, take_often, &all[i]) == 0);
    }
    usleep(300000);
    atomic_store(&stop, 1);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    for (int i = 0; i < THREADS; i++)
        CHECKF(all[i].turns >= LEAST, "thread %d had %d turns", i,
               all[i].turns);
}

const dt_test dt_tests[] = {
    {"one at a time", one_at_a_time},
    {"nobody is left out", nobody_is_left_out},
    {NULL, NULL},
};
