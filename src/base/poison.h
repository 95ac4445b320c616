/* base/poison.h - telling the address sanitizer what must not be touched. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_BASE_POISON_H
#define DTI_BASE_POISON_H

#include <stddef.h>

#include "base/attributes.h"

/* There where the program runs under the address sanitizer, whether or not the
 * library was built with it. */
void __asan_poison_memory_region(const volatile void *address,
                                 size_t bytes) DTI_WEAK;
void __asan_unpoison_memory_region(const volatile void *address,
                                   size_t bytes) DTI_WEAK;

/* Forbid touching memory, where somebody watches. */
static inline void dti_poison(const void *address, size_t bytes)
{
    if (__asan_poison_memory_region)
        __asan_poison_memory_region(address, bytes);
}

/* Allow it again. */
static inline void dti_unpoison(const void *address, size_t bytes)
{
    if (__asan_unpoison_memory_region)
        __asan_unpoison_memory_region(address, bytes);
}

#endif
