/* base/attributes.h - the compiler extensions that the library uses. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_BASE_ATTRIBUTES_H
#define DTI_BASE_ATTRIBUTES_H

/* Bytes that move between memory and a core at once. */
#define DTI_CACHE_LINE 64

/* Data that different cores write is kept this far apart: cores fetch lines in
 * pairs. */
#define DTI_APART 128

#if defined(__GNUC__)
#define DTI_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define DTI_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define DTI_COLD __attribute__((cold, noinline))
/* A function whose memory its callers' short way is to do without. */
#define DTI_NOINLINE __attribute__((noinline))
#define DTI_RESTRICT __restrict__
/* A function that may be missing: its address is NULL then. */
#define DTI_WEAK __attribute__((weak))
/* Call a function with the address of a variable when its block is left. */
#define DTI_AT_END(function) __attribute__((cleanup(function), unused))
/* A variable that each thread has; found without a call. */
#define DTI_THREAD_LOCAL                                                       \
    _Thread_local                                                              \
        __attribute__((tls_model("initial-exec"), visibility("hidden")))
/* A function that constants among its arguments make others of. */
#define DTI_INLINE inline __attribute__((always_inline))
/* A function into which all that it calls is put, however long it becomes. */
#define DTI_FLATTEN __attribute__((flatten))
/* Ask for the cache line of an address, a uintptr_t, that need not exist. */
#define DTI_PREFETCH(address) __builtin_prefetch((const void *)(address))
/* The same, no nearer than the second cache. */
#define DTI_PREFETCH_FAR(address)                                              \
    __builtin_prefetch((const void *)(address), 0, 2)
/* The bytes of 8 in reverse order. */
#define DTI_SWAP_BYTES(word) __builtin_bswap64(word)
#else
#define DTI_LIKELY(condition) (condition)
#define DTI_UNLIKELY(condition) (condition)
#define DTI_COLD
#define DTI_NOINLINE
#define DTI_RESTRICT
#define DTI_INLINE inline
#define DTI_FLATTEN
#define DTI_PREFETCH(address) ((void)(address))
#define DTI_PREFETCH_FAR(address) ((void)(address))
#define DTI_SWAP_BYTES(word)                                                   \
    ((word) >> 56 | ((word) >> 40 & 0xff00) | ((word) >> 24 & 0xff0000) |      \
     ((word) >> 8 & 0xff000000) | ((word)&0xff000000) << 8 |                   \
     ((word)&0xff0000) << 24 | ((word)&0xff00) << 40 | (word) << 56)
#endif

/* A type of several numbers that one instruction works on, so many bytes; C's
 * operators work on each number.  Only for files of an instruction set. */
#define DTI_VECTOR(bytes) __attribute__((vector_size(bytes)))

/* Tell the core that this is a loop that waits. */
#if defined(__x86_64__)
#define DTI_PAUSE() __builtin_ia32_pause()
#elif defined(__aarch64__)
#define DTI_PAUSE() __asm__ __volatile__("isb" ::: "memory")
#else
#define DTI_PAUSE() ((void)0)
#endif

#define DTI_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#endif
