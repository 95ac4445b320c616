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
 * Dispatch takes one twice per call, so it has to be cheap.  Giving the lock
 * back is a store and a load: the atomic exchange of other locks takes longer
 * than all that is done under this one.  The store may become visible after the
 * load, so that a thread that gives the lock back misses one that goes to sleep
 * just then.  Therefore it is the latter that pays: it counts itself, lets the
 * system put a barrier into all running threads, and looks once more.
 */
typedef struct dti_lock {
    _Atomic uint32_t taken; /* 0 or 1 */
} dti_lock;

/* Threads of the process that sleep on any lock, seldom more than 0.  It is not
 * in the lock, which others may free as soon as it is given back. */
extern _Atomic uint32_t dti_lock_sleepers;

void dti_lock_wait(dti_lock *lock) DTI_COLD;
void dti_lock_wake(dti_lock *lock) DTI_COLD;

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
    if (DTI_UNLIKELY(
            atomic_load_explicit(&dti_lock_sleepers, memory_order_relaxed)))
        dti_lock_wake(lock);
}

#endif
