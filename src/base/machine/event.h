/* base/machine/event.h - waiting for other threads without wasting the core. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_BASE_MACHINE_EVENT_H
#define DTI_BASE_MACHINE_EVENT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * How threads wait that belong together.  A thread looks for what it needs for
 * a moment, then gives its core away again and again, and sleeps once that has
 * taken longer than waking up would.
 *
 * A thread that gives its core to a program that has much to do gets it back
 * after milliseconds, whereas one that sleeps gets it as soon as it is woken.
 * So where others use the core, threads sleep at once, for a number of waits
 * that doubles as long as that is so.  Several threads may share a waiter: what
 * it remembers is a guess.
 */
typedef struct dti_waiter {
    bool spins;             /* the threads fit the cores */
    int64_t patience;       /* nanoseconds until a thread sleeps */
    _Atomic uint32_t skips; /* waits that sleep at once */
    _Atomic uint32_t again; /* how many it was last time */
} dti_waiter;

/* Tell whether to give the core away in this wait, or to sleep at once. */
bool dti_waiter_begin(dti_waiter *waiter);

/* Give the core away; `now` is the time before and after.  False if another
 * program used it for long: then it is time to sleep. */
bool dti_waiter_yield(dti_waiter *waiter, int64_t *now);

/* Something that happens again and again.  Zeroed memory is one that has not
 * happened. */
typedef struct dti_event {
    _Atomic uint32_t count; /* how often it has happened, modulo 2^32 */
    _Atomic uint32_t sleepers;
} dti_event;

/* Let it happen once more, and wake those that sleep. */
void dti_event_raise(dti_event *event);

static inline uint32_t dti_event_count(const dti_event *event)
{
    return atomic_load_explicit(&event->count, memory_order_acquire);
}

/* Wait until it has happened `count` times or more. */
void dti_event_await(dti_event *event, uint32_t count, dti_waiter *waiter);

#endif
