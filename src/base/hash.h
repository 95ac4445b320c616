/* base/hash.h - mixing words into hashes. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_BASE_HASH_H
#define DTI_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Fold a word into a hash.  Every bit of both matters to every bit of the
 * result: two rounds of multiply and shift with odd constants. */
static inline uint64_t dti_hash_mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    hash ^= hash >> 32;
    hash *= UINT64_C(0xD6E8FEB86659FD93);
    return hash ^ (hash >> 29);
}

/* Fold a word into a hash in fewer instructions: no bit is lost, but only a
 * final dti_hash_mix makes all bits matter to all others. */
static inline uint64_t dti_hash_fold(uint64_t hash, uint64_t word)
{
    const uint64_t turned = hash << 5 | hash >> 59;
    return (turned ^ word) * UINT64_C(0x9E3779B97F4A7C15);
}

uint64_t dti_hash_bytes(const void *bytes, size_t size);
uint64_t dti_hash_text(const char *text);

#endif
