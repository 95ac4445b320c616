/* base/lock.c - waiting for a lock. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/lock.h"

#include "base/futex.h"

/* The thread that gives the lock wakes all; the limit is only a safeguard. */
static const int64_t one_second = 1000000000;

void dti_lock_wait(dti_lock *lock)
{
    /* Who has slept takes the lock as 2: others may still sleep. */
    while (atomic_exchange_explicit(&lock->word, 2, memory_order_acquire) != 0)
        dti_futex_wait(&lock->word, 2, one_second);
}

void dti_lock_wake(dti_lock *lock)
{
    dti_futex_wake(&lock->word);
}
