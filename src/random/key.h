/* random/key.h - keys: where a sequence of random numbers begins. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_RANDOM_KEY_H
#define DTI_RANDOM_KEY_H

#include <stdint.h>

/*
 * A key names a sequence of blocks, four words each: block i is Philox of the
 * seed at counter offset + i, which wraps around.  torch.func._random has the
 * same keys.
 */
typedef struct dti_random_key {
    uint64_t seed;
    uint64_t offset;
} dti_random_key;

/* Derive the key with a number from a key.  Streams are families of keys that
 * have nothing to do with each other; stream 0 is fold_in of torch. */
dti_random_key dti_random_fold(dti_random_key key, uint64_t number,
                               uint64_t stream);

/* The key of a module's parameter: by the name that it has in the whole, so
 * that the order of construction does not matter. */
dti_random_key dti_random_named_key(uint64_t seed, const char *qualified_name);

#endif
