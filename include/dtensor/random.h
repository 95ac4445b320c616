/* dtensor/random.h - where random numbers come from. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_RANDOM_H
#define DTENSOR_RANDOM_H

#include <stdint.h>

#include <dtensor/mesh.h>
#include <dtensor/status.h>
#include <dtensor/world.h>

DT_EXTERN_C_BEGIN

/*
 * Counts random operations and gives each a key of its own.  The numbers of an
 * operation depend on that key and on the global index of each element, so they
 * are the same on every mesh, in every layout and on any number of ranks, and
 * nothing is sent.  For this, ranks that share a tensor must use generators in
 * the same state, in the same order; no lock is taken.
 */
typedef struct dt_generator dt_generator;

/*
 * All there is to a generator: the same state gives the same numbers.
 *
 * The key of operation number `count` is Philox4x32-10 with the words of `seed`
 * as key, at counter offset + count with `stream` in its upper half.  Different
 * streams have nothing to do with each other.
 */
typedef struct dt_generator_state {
    uint64_t seed;
    uint64_t offset; /* 0 unless the state was set */
    uint64_t stream;
    uint64_t count; /* operations so far */
} dt_generator_state;

/*
 * Create a generator with a seed and a stream.
 *
 * Not collective; nothing is sent.  The caller releases it.  It may outlive the
 * world, which is told of a failure: DT_ERR_NO_MEMORY is the only one.
 */
DT_API DT_MUST_USE dt_status dt_generator_create(dt_world *world, uint64_t seed,
                                                 uint64_t stream,
                                                 dt_generator **out);

/* Add a reference; gives its argument.  Not collective.  NULL is allowed. */
DT_API dt_generator *dt_generator_retain(dt_generator *generator);

/* Drop a reference.  Not collective.  NULL is allowed. */
DT_API void dt_generator_release(dt_generator *generator);

/*
 * Start again with a seed: count and offset become 0, the stream stays.
 *
 * Not collective; do the same on all ranks that share tensors.
 */
DT_API void dt_generator_seed(dt_generator *generator, uint64_t seed);

/*
 * Read a generator's state, and put it back: in a checkpoint, or to repeat an
 * operation.
 *
 * Not collective; set the same on all ranks that share tensors.
 */
DT_API dt_generator_state dt_generator_get_state(const dt_generator *generator);
DT_API void dt_generator_set_state(dt_generator *generator,
                                   dt_generator_state state);

/*
 * Seed the generator of a world, and those of its meshes, as dt_generator_seed
 * does.  Until then the seed is the setting DT_SEED, 0 if that is silent.
 *
 * Not collective; do the same on all ranks.  Between two programs of a team
 * generators return to this seed and count 0.
 */
DT_API DT_MUST_USE dt_status dt_seed(dt_world *world, uint64_t seed);

/*
 * Give the generator of a world.
 *
 * Not collective.  Borrowed from the world.  NULL if there is no memory.
 */
DT_API dt_generator *dt_world_generator(dt_world *world);

/*
 * Give the generator that tensors on a mesh use unless they are given another.
 *
 * Not collective.  Borrowed from the world.  It is that of the world if the
 * mesh holds all ranks; operations on a smaller mesh, which other ranks do not
 * see, must not be counted there: equal meshes share one of their own, with the
 * world's seed and stream 0.  NULL if there is no memory.
 */
DT_API dt_generator *dt_mesh_generator(dt_mesh *mesh);

/*
 * Give a mesh a stream, and with it a generator of its own in any case, so that
 * meshes side by side draw different numbers, whatever the number of ranks.
 *
 * Not collective; do the same on all ranks of the mesh.  What was counted stays
 * counted.
 */
DT_API DT_MUST_USE dt_status dt_mesh_set_stream(dt_mesh *mesh, uint64_t stream);

DT_EXTERN_C_END

#endif
