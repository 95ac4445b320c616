/* base/machine/lock.c - waiting for a lock. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/machine/lock.h"

#include "base/machine/futex.h"

/* How often a thread looks before it sleeps. */
enum { LOOKS = 100 };

/* How long it sleeps at a time, in nanoseconds. */
static const int64_t nap = 20000;

void dti_lock_wait(dti_lock *lock)
{
    for (int looks = 0; !dti_lock_try(lock); looks++) {
        if (looks < LOOKS)
            DTI_PAUSE();
        else
            dti_futex_wait(&lock->taken, 1, nap);
    }
}
