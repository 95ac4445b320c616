/* tests/unit/base/machine/event.c - events, and threads that wait for them. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <unistd.h>

#include "base/machine/clock.h"
#include "base/machine/event.h"
#include "support/check.h"

enum { TURNS = 3000, THREADS = 3 };

/* Two threads that answer each other. */
typedef struct answers {
    dti_event asked, answered;
    dti_waiter waiter;
    uint32_t first; /* count of both events when they begin */
    long long sum;  /* passed from one to the other without a lock */
} answers;

static void *answer(void *arg)
{
    answers *a = arg;
    for (uint32_t i = 1; i <= TURNS; i++) {
        dti_event_await(&a->asked, a->first + i, &a->waiter);
        a->sum++;
        if (i % 1000 == 0)
            usleep(1000); /* so that the other sleeps */
        dti_event_raise(&a->answered);
    }
    return NULL;
}

static void take_turns(bool spins, int64_t patience, uint32_t first)
{
    answers a = {.asked.count = first,
                 .answered.count = first,
                 .waiter = {.spins = spins, .patience = patience},
                 .first = first};
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, answer, &a) == 0);
    for (uint32_t i = 1; i <= TURNS; i++) {
        a.sum++;
        dti_event_raise(&a.asked);
        dti_event_await(&a.answered, first + i, &a.waiter);
    }
    pthread_join(thread, NULL);
    CHECK_INT(a.sum, 2 * TURNS);
    CHECK_INT(a.asked.sleepers, 0);
}

static void threads_answer_each_other(dt_world *world)
{
    (void)world;
    take_turns(true, 100000, 0);
    take_turns(false, 100000, 0);
    take_turns(false, 0, 0);
    take_turns(true, 0, UINT32_MAX - TURNS / 2); /* counts wrap around */
}

typedef struct crowd {
    dti_event event;
    dti_waiter waiter;
} crowd;

static void *wait_once(void *arg)
{
    crowd *c = arg;
    dti_event_await(&c->event, 1, &c->waiter);
    return NULL;
}

static void all_are_woken(dt_world *world)
{
    crowd c = {.waiter = {.patience = 1000}};
    pthread_t threads[THREADS];
    (void)world;
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, wait_once, &c) == 0);
    usleep(20000);
    dti_event_raise(&c.event);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    CHECK_INT(c.event.sleepers, 0);
}

/* After a turn that took long, some waits do not yield; more each time. */
static void gives_way(dt_world *world)
{
    dti_waiter waiter = {.patience = 1000};
    (void)world;
    CHECK(dti_waiter_begin(&waiter));
    int64_t now = dti_clock_now() - 1000000; /* as if it had begun then */
    CHECK(!dti_waiter_yield(&waiter, &now));
    int skipped = 0;
    while (!dti_waiter_begin(&waiter))
        skipped++;
    CHECK(skipped > 10);
    now = dti_clock_now() - 1000000;
    CHECK(!dti_waiter_yield(&waiter, &now));
    int again = 0;
    while (!dti_waiter_begin(&waiter))
        again++;
    CHECK_INT(again, 2 * skipped);
}

const dt_test dt_tests[] = {
    {"threads answer each other", threads_answer_each_other},
    {"all are woken", all_are_woken},
    {"gives way", gives_way},
    {NULL, NULL},
};
