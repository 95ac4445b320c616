/* base/machine/lock.c - waiting for a lock. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/machine/lock.h"

#include <linux/membarrier.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/machine/futex.h"

/* How often a thread looks before it sleeps. */
enum { LOOKS = 100 };

/* How long it sleeps at most, in nanoseconds: until it is woken, or for a short
 * time where the system has no barriers and a wake may be missed. */
static const int64_t long_sleep = 1000000000, nap = 20000;

_Atomic uint32_t dti_lock_sleepers;

/* Whether the system has them, asked once for the process. */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool has_barriers;

static void register_barriers(void)
{
    has_barriers =
        syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0,
                0) == 0;
}

static bool put_barriers(void)
{
    pthread_once(&once, register_barriers);
    return has_barriers &&
           syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
}

/* Whoever gives the lock back from here on sees that somebody sleeps, or is
 * seen to have given it back. */
static void sleep_on(dti_lock *lock)
{
    atomic_fetch_add(&dti_lock_sleepers, 1);
    const bool safe = put_barriers();
    dti_futex_wait(&lock->taken, 1, safe ? long_sleep : nap);
    atomic_fetch_sub(&dti_lock_sleepers, 1);
}

void dti_lock_wait(dti_lock *lock)
{
    for (int looks = 0; !dti_lock_try(lock); looks++) {
        if (looks < LOOKS)
            DTI_PAUSE();
        else
            sleep_on(lock);
    }
}

void dti_lock_wake(dti_lock *lock)
{
    dti_futex_wake(&lock->taken);
}
