/* base/machine/event.c - waiting for other threads without wasting the core. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/machine/event.h"

#include <sched.h>

#include "base/attributes.h"
#include "base/machine/clock.h"
#include "base/machine/futex.h"

enum {
    LOOKS = 200,            /* with a pause between: some microseconds */
    LONG_TURN = 200 * 1000, /* nanoseconds that only others take */
    LONGEST_SLEEP = 1000 * 1000000, /* at a time; nothing depends on it */
};

/* Waits that sleep at once: the first time, and at most. */
static const uint32_t first_skips = 64, most_skips = 1 << 16;

bool dti_waiter_begin(dti_waiter *waiter)
{
    const uint32_t skips =
        atomic_load_explicit(&waiter->skips, memory_order_relaxed);
    if (DTI_LIKELY(skips == 0))
        return true;
    atomic_store_explicit(&waiter->skips, skips - 1, memory_order_relaxed);
    return false;
}

static DTI_COLD void note_crowd(dti_waiter *waiter)
{
    uint32_t again =
        2 * atomic_load_explicit(&waiter->again, memory_order_relaxed);
    if (again < first_skips)
        again = first_skips;
    if (again > most_skips)
        again = most_skips;
    atomic_store_explicit(&waiter->again, again, memory_order_relaxed);
    atomic_store_explicit(&waiter->skips, again, memory_order_relaxed);
}

bool dti_waiter_yield(dti_waiter *waiter, int64_t *now)
{
    const int64_t before = *now;
    sched_yield();
    *now = dti_clock_now();
    if (DTI_UNLIKELY(*now - before >= LONG_TURN)) {
        note_crowd(waiter);
        return false;
    }
    const uint32_t again =
        atomic_load_explicit(&waiter->again, memory_order_relaxed);
    if (DTI_UNLIKELY(again))
        atomic_store_explicit(&waiter->again, again / 2, memory_order_relaxed);
    return true;
}

/* Tell whether an event has happened so often; counts wrap around. */
static bool has_happened(const dti_event *event, uint32_t count)
{
    return (int32_t)(dti_event_count(event) - count) >= 0;
}

void dti_event_raise(dti_event *event)
{
    /* This and the load are sequentially consistent, as are the sleeper's count
     * and its look at the event: one of them sees the other. */
    atomic_fetch_add(&event->count, 1);
    if (DTI_UNLIKELY(atomic_load(&event->sleepers)))
        dti_futex_wake(&event->count);
}

static bool yield_until(const dti_event *event, uint32_t count,
                        dti_waiter *waiter)
{
    const int64_t start = dti_clock_now();
    int64_t now = start;
    while (now - start < waiter->patience) {
        const bool goes_on = dti_waiter_yield(waiter, &now);
        if (has_happened(event, count))
            return true;
        if (!goes_on)
            return false;
    }
    return false;
}

static void sleep_until(dti_event *event, uint32_t count)
{
    atomic_fetch_add(&event->sleepers, 1);
    for (;;) {
        const uint32_t seen = atomic_load(&event->count);
        if ((int32_t)(seen - count) >= 0)
            break;
        dti_futex_wait(&event->count, seen, LONGEST_SLEEP);
    }
    atomic_fetch_sub(&event->sleepers, 1);
}

void dti_event_await(dti_event *event, uint32_t count, dti_waiter *waiter)
{
    if (has_happened(event, count))
        return;
    for (int i = 0; waiter->spins && i < LOOKS; i++) {
        DTI_PAUSE();
        if (has_happened(event, count))
            return;
    }
    if (waiter->patience && dti_waiter_begin(waiter) &&
        yield_until(event, count, waiter))
        return;
    sleep_until(event, count);
}
