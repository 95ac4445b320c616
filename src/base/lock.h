/* base/lock.h - a lock for a few instructions, taken without a call. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_BASE_LOCK_H
#define DTI_BASE_LOCK_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/attributes.h"

/*
 * Between the threads of one process.  Zeroed memory is a free lock, and
 * nothing has to be closed.  A pthread mutex does the same in three times as
 * many instructions, which counts where dispatch takes one twice per call.
 */
typedef struct dti_lock {
    _Atomic uint32_t word; /* 0: free; 1: taken; 2: taken, and threads sleep */
} dti_lock;

void dti_lock_wait(dti_lock *lock) DTI_COLD;
void dti_lock_wake(dti_lock *lock) DTI_COLD;

static inline void dti_lock_take(dti_lock *lock)
{
    uint32_t was_free = 0;
    if (DTI_UNLIKELY(!atomic_compare_exchange_strong_explicit(
            &lock->word, &was_free, 1, memory_order_acquire,
            memory_order_relaxed)))
        dti_lock_wait(lock);
}

static inline void dti_lock_give(dti_lock *lock)
{
    if (DTI_UNLIKELY(atomic_exchange_explicit(&lock->word, 0,
                                              memory_order_release) == 2))
        dti_lock_wake(lock);
}

#endif
