/* base/machine/lock.h - a lock for a few instructions, taken without a call. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_BASE_MACHINE_LOCK_H
#define DTI_BASE_MACHINE_LOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/attributes.h"

/*
 * Between the threads of one process.  Zeroed memory is a free lock, and
 * nothing has to be closed.
 *
 * Dispatch takes one twice per call, so it has to be cheap.  A thread that
 * finds the lock taken looks again a few times, and then sleeps for 20 us at a
 * time, because the thread that holds it does not run.  So nobody has to be
 * woken, and giving the lock back is a store; the atomic exchange of a lock
 * that wakes others takes longer than all that is done under this one.
 */
typedef struct dti_lock {
    _Atomic uint32_t taken; /* 0 or 1 */
} dti_lock;

void dti_lock_wait(dti_lock *lock) DTI_COLD;

/* Take the lock if it is free. */
static inline bool dti_lock_try(dti_lock *lock)
{
    return atomic_load_explicit(&lock->taken, memory_order_relaxed) == 0 &&
           atomic_exchange_explicit(&lock->taken, 1, memory_order_acquire) == 0;
}

static inline void dti_lock_take(dti_lock *lock)
{
    if (DTI_UNLIKELY(!dti_lock_try(lock)))
        dti_lock_wait(lock);
}

static inline void dti_lock_give(dti_lock *lock)
{
    atomic_store_explicit(&lock->taken, 0, memory_order_release);
}

#endif
