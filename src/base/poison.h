/* base/poison.h - telling the address sanitizer what must not be touched. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_BASE_POISON_H
#define DTI_BASE_POISON_H

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define DTI_ADDRESS_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) && !defined(DTI_ADDRESS_SANITIZER)
#define DTI_ADDRESS_SANITIZER 1
#endif

/* Forbid or allow touching memory, where somebody watches. */
#ifdef DTI_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#define DTI_POISON(address, bytes) __asan_poison_memory_region(address, bytes)
#define DTI_UNPOISON(address, bytes)                                           \
    __asan_unpoison_memory_region(address, bytes)
#else
#define DTI_POISON(address, bytes) ((void)(address), (void)(bytes))
#define DTI_UNPOISON(address, bytes) ((void)(address), (void)(bytes))
#endif

#endif
