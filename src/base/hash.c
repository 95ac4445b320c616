/* base/hash.c - hashes of bytes and texts. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/hash.h"

#include <string.h>

uint64_t dti_hash_bytes(const void *bytes, size_t size)
{
    const unsigned char *from = bytes;
    uint64_t hash = dti_hash_mix(0, size);
    for (; size >= sizeof(uint64_t); size -= sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, from, sizeof word);
        hash = dti_hash_mix(hash, word);
        from += sizeof word;
    }
    uint64_t rest = 0;
    memcpy(&rest, from, size);
    return dti_hash_mix(hash, rest);
}

uint64_t dti_hash_text(const char *text)
{
    return dti_hash_bytes(text, strlen(text));
}
