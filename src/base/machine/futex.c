/* base/machine/futex.c - sleeping until a word changes, by Linux's futex. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/machine/futex.h"

#include <limits.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void dti_futex_wait(_Atomic uint32_t *word, uint32_t expected,
                    int64_t nanoseconds)
{
    struct timespec limit = {.tv_sec = (time_t)(nanoseconds / 1000000000),
                             .tv_nsec = (long)(nanoseconds % 1000000000)};
    syscall(SYS_futex, word, FUTEX_WAIT, expected, &limit, NULL, 0);
}

void dti_futex_wake(_Atomic uint32_t *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}
