/* random/philox.h - Philox4x32-10: a function from a counter to four words. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_RANDOM_PHILOX_H
#define DTI_RANDOM_PHILOX_H

#include <stdint.h>

/*
 * Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3"
 * (2011).  Ten rounds of two products of 32 by 32 bits: the halves of each are
 * mixed with the rest of the counter and with a key that grows every round.
 */
#define DTI_PHILOX_ROUNDS 10
#define DTI_PHILOX_M0 UINT32_C(0xD2511F53)
#define DTI_PHILOX_M1 UINT32_C(0xCD9E8D57)
#define DTI_PHILOX_W0 UINT32_C(0x9E3779B9)
#define DTI_PHILOX_W1 UINT32_C(0xBB67AE85)

/* Four words: a counter, or what comes of it. */
typedef struct dti_philox_block {
    uint32_t words[4];
} dti_philox_block;

/* The key's words are the low and the high half of `key`, the counter's those
 * of `low` and then those of `high`. */
static inline dti_philox_block dti_philox(uint64_t key, uint64_t low,
                                          uint64_t high)
{
    uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
    uint32_t c0 = (uint32_t)low, c1 = (uint32_t)(low >> 32);
    uint32_t c2 = (uint32_t)high, c3 = (uint32_t)(high >> 32);
    for (int i = 0; i < DTI_PHILOX_ROUNDS; i++) {
        const uint64_t p0 = (uint64_t)DTI_PHILOX_M0 * c0;
        const uint64_t p1 = (uint64_t)DTI_PHILOX_M1 * c2;
        c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
        c1 = (uint32_t)p1;
        c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c3 = (uint32_t)p0;
        k0 += DTI_PHILOX_W0;
        k1 += DTI_PHILOX_W1;
    }
    return (dti_philox_block){{c0, c1, c2, c3}};
}

#endif
