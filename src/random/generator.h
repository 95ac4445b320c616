/* random/generator.h - what a generator is, and those that a world keeps. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_RANDOM_GENERATOR_H
#define DTI_RANDOM_GENERATOR_H

#include <dtensor/random.h>

#include "base/map.h"
#include "base/reference.h"
#include "random/key.h"

struct dt_generator {
    dti_reference reference;
    dt_generator_state state;
};

/* What a world keeps of generators, from the first use on. */
typedef struct dti_generators {
    uint64_t seed; /* to which they return */
    dt_generator *world;
    dti_map meshes;        /* of dti_mesh_generator, by mesh */
    struct dti_keys *keys; /* that are noted or repeated (keys.h); or NULL */
} dti_generators;

/* Take the key of the next operation, which is counted. */
dti_random_key dti_generator_next(dt_generator *generator);

#endif
