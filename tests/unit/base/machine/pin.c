/* tests/unit/base/machine/pin.c - when ranks let go of their cores, and take
 * them again. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <sched.h>

#include "base/machine/cpu.h"
#include "base/machine/pin.h"
#include "support/check.h"

static const int64_t ms = 1000000;

static int count_cores(void)
{
    cpu_set_t set;
    CHECK(sched_getaffinity(0, sizeof set, &set) == 0);
    return CPU_COUNT(&set);
}

/* A thread of its own, so that the test's keeps its cores. */
static void *let_go(void *arg)
{
    const int all = count_cores();
    int64_t now = 1000 * ms, ran = 0, waited = 0;
    dti_pin pin;
    (void)arg;
    dti_pin_take(&pin, 0, all);
    CHECK(pin.pinned && pin.held);
    CHECK_INT(count_cores(), 1);
    /* The first look only reads what was before. */
    CHECK(!dti_pin_judge(&pin, now, ran += 10 * ms, waited += 90 * ms));
    /* It ran for most of the time that it wanted to, or hardly wanted to. */
    CHECK(!dti_pin_judge(&pin, now += 100 * ms, ran += 90 * ms,
                         waited += 10 * ms));
    CHECK(!dti_pin_judge(&pin, now += 100 * ms, ran += ms, waited += 2 * ms));
    CHECK_INT(count_cores(), 1);
    /* It had half of its core. */
    for (int64_t pause = 1000; pause <= 4000; pause *= 2) {
        CHECK(dti_pin_judge(&pin, now += 100 * ms, ran += 50 * ms,
                            waited += 50 * ms));
        CHECK(!pin.held);
        CHECK_INT(count_cores(), all);
        CHECK(!dti_pin_judge(&pin, now += (pause - 100) * ms, ran += 10 * ms,
                             waited));
        CHECK(dti_pin_judge(&pin, now += 100 * ms, ran += 10 * ms, waited));
        CHECK(pin.held);
        CHECK_INT(count_cores(), 1);
    }
    return NULL;
}

static void lets_go_of_busy_cores(dt_world *world)
{
    pthread_t thread;
    (void)world;
    if (dti_cpu_cores() < 2)
        return;
    CHECK(pthread_create(&thread, NULL, let_go, NULL) == 0);
    pthread_join(thread, NULL);
}

/* Two ranks on each core have half of it each. */
static void *share(void *arg)
{
    const int all = count_cores();
    int64_t now = 1000 * ms;
    dti_pin pin;
    (void)arg;
    dti_pin_take(&pin, 0, 2 * all);
    CHECK(pin.held || all == 1);
    CHECK_INT(pin.pinned ? pin.sharing : 2, 2);
    if (!pin.pinned)
        return NULL;
    dti_pin_judge(&pin, now, 0, 0);
    CHECK(!dti_pin_judge(&pin, now += 100 * ms, 50 * ms, 50 * ms));
    CHECK(dti_pin_judge(&pin, now += 100 * ms, 75 * ms, 125 * ms));
    CHECK_INT(count_cores(), all);
    return NULL;
}

static void ranks_that_share_are_no_crowd(dt_world *world)
{
    pthread_t thread;
    (void)world;
    CHECK(pthread_create(&thread, NULL, share, NULL) == 0);
    pthread_join(thread, NULL);
}

/* One rank is not pinned, and looks at nothing. */
static void one_rank_is_left_alone(dt_world *world)
{
    dti_pin pin;
    const int before = count_cores();
    (void)world;
    dti_pin_take(&pin, 0, 1);
    CHECK(!pin.pinned && !dti_pin_look(&pin));
    CHECK_INT(count_cores(), before);
}

const dt_test dt_tests[] = {
    {"lets go of busy cores", lets_go_of_busy_cores},
    {"ranks that share are no crowd", ranks_that_share_are_no_crowd},
    {"one rank is left alone", one_rank_is_left_alone},
    {NULL, NULL},
};
