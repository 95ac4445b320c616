/* random/key.c - keys: where a sequence of random numbers begins. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "random/key.h"

#include "base/hash.h"
#include "random/philox.h"

/* The stream of named keys; programs count theirs from 0. */
#define NAMES UINT64_MAX

dti_random_key dti_random_fold(dti_random_key key, uint64_t number,
                               uint64_t stream)
{
    const dti_philox_block block =
        dti_philox(key.seed, key.offset + number, stream);
    return (dti_random_key){
        .seed = block.words[0] | (uint64_t)block.words[1] << 32,
        .offset = block.words[2] | (uint64_t)block.words[3] << 32,
    };
}

dti_random_key dti_random_named_key(uint64_t seed, const char *qualified_name)
{
    return dti_random_fold((dti_random_key){.seed = seed},
                           dti_hash_text(qualified_name), NAMES);
}
