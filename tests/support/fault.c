/* tests/support/fault.c - memory that runs out at the Nth request. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/fault.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>

/* Whose requests are counted: one word, so that a thread that is not meant
 * never sees a half of what another one sets. */
enum { NOBODY, EVERYBODY, WHO_ARMED };

static atomic_int counted;
static atomic_long left; /* requests until one fails */
static atomic_long refused;
static atomic_bool for_good; /* every request from then on */
static _Thread_local bool armed_here;

static void arm(long nth, bool on, int whose)
{
    atomic_store(&refused, 0);
    atomic_store(&left, nth);
    atomic_store(&for_good, on);
    armed_here = true;
    atomic_store(&counted, whose);
}

void dt_fault_arm(long nth)
{
    arm(nth, false, EVERYBODY);
}

void dt_fault_arm_from(long nth)
{
    arm(nth, true, EVERYBODY);
}

void dt_fault_arm_here(long nth)
{
    arm(nth, false, WHO_ARMED);
}

long dt_fault_disarm(void)
{
    atomic_store(&counted, NOBODY);
    armed_here = false;
    return atomic_load(&refused);
}

/* Is this the request that fails? */
static bool refuse(void)
{
    int whose = atomic_load(&counted);
    if (whose == NOBODY || (whose == WHO_ARMED && !armed_here))
        return false;
    long now = atomic_fetch_sub(&left, 1);
    if (now > 1 || (now < 1 && !atomic_load(&for_good)))
        return false;
    atomic_fetch_add(&refused, 1);
    errno = ENOMEM;
    return true;
}

/* The linker sends calls of malloc to __wrap_malloc, and those of __real_malloc
 * to malloc (--wrap).  Other programs never call these. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
int __real_posix_memalign(void **out, size_t alignment, size_t size);
void *__real_mmap(void *address, size_t size, int protection, int flags,
                  int file, off_t offset);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
int __wrap_posix_memalign(void **out, size_t alignment, size_t size);
void *__wrap_mmap(void *address, size_t size, int protection, int flags,
                  int file, off_t offset);

void *__wrap_malloc(size_t size)
{
    return refuse() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return refuse() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    return refuse() ? NULL : __real_realloc(memory, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return refuse() ? NULL : __real_aligned_alloc(alignment, size);
}

int __wrap_posix_memalign(void **out, size_t alignment, size_t size)
{
    return refuse() ? ENOMEM : __real_posix_memalign(out, alignment, size);
}

void *__wrap_mmap(void *address, size_t size, int protection, int flags,
                  int file, off_t offset)
{
    if (file < 0 && refuse())
        return MAP_FAILED;
    return __real_mmap(address, size, protection, flags, file, offset);
}
