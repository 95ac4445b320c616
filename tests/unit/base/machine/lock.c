/* tests/unit/base/machine/lock.c - one thread at a time, also when many wait.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <sched.h>

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

const dt_test dt_tests[] = {
    {"one at a time", one_at_a_time},
    {NULL, NULL},
};
