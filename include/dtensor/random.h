/* dtensor/random.h - random number generators. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_RANDOM_H
#define DTENSOR_RANDOM_H

#include <stdint.h>

#include <dtensor/mesh.h>
#include <dtensor/status.h>
#include <dtensor/world.h>

DT_EXTERN_C_BEGIN

/*
 * A generator counts random operations and derives a key for each.  The numbers
 * of an operation depend only on its key and on the global index of each
 * element.  So they are the same on every mesh, in every layout and on any
 * number of ranks, without communication.  For this, the ranks of a tensor must
 * use generators in the same state, in the same order.  Generators are not
 * locked.
 */
typedef struct dt_generator dt_generator;

/*
 * The state of a generator.  Equal states produce equal numbers.
 *
 * The key of operation number `count` is Philox4x32-10 with the words of `seed`
 * as key, at counter offset + count with `stream` in its upper half.  Different
 * streams are independent.
 */
typedef struct dt_generator_state {
    uint64_t seed;   /* chosen by the program */
    uint64_t offset; /* 0 unless set by dt_generator_set_state */
    uint64_t stream; /* number of the stream */
    uint64_t count;  /* operations so far */
} dt_generator_state;

/*
 * Create a generator with a seed and a stream.
 *
 * Not collective; nothing is sent.  The caller releases the generator, which
 * may outlive the world.  DT_ERR_NO_MEMORY, recorded in the world, is the only
 * error.
 */
DT_API DT_MUST_USE dt_status dt_generator_create(dt_world *world, uint64_t seed,
                                                 uint64_t stream,
                                                 dt_generator **out);

/* Add a reference; returns its argument.  Not collective.  NULL is allowed. */
DT_API dt_generator *dt_generator_retain(dt_generator *generator);

/* Drop a reference.  Not collective.  NULL is allowed. */
DT_API void dt_generator_release(dt_generator *generator);

/*
 * Set the seed of a generator.  Count and offset become 0; the stream is kept.
 *
 * Not collective, but all ranks that share tensors must do the same.
 */
DT_API void dt_generator_seed(dt_generator *generator, uint64_t seed);

/*
 * Read and restore the state of a generator, for example for a checkpoint or to
 * repeat an operation.
 *
 * Not collective, but all ranks that share tensors must set the same state.
 */
DT_API dt_generator_state dt_generator_get_state(const dt_generator *generator);
DT_API void dt_generator_set_state(dt_generator *generator,
                                   dt_generator_state state);

/*
 * Seed the generators of a world and of its meshes, like dt_generator_seed.
 * The initial seed is the setting DT_SEED, by default 0.
 *
 * Not collective, but all ranks must do the same.  Each program of a team
 * starts with generators at this seed and count 0.
 */
DT_API DT_MUST_USE dt_status dt_seed(dt_world *world, uint64_t seed);

/*
 * Return the generator of a world.
 *
 * Not collective.  Borrowed from the world.  NULL if memory runs out.
 */
DT_API dt_generator *dt_world_generator(dt_world *world);

/*
 * Return the generator that tensors on a mesh use by default.
 *
 * Not collective.  Borrowed from the world.  For a mesh of all ranks it is the
 * generator of the world.  Smaller meshes have their own, with the seed of the
 * world and stream 0, because the other ranks do not count the operations on
 * such a mesh; equal meshes share one.  NULL if memory runs out.
 */
DT_API dt_generator *dt_mesh_generator(dt_mesh *mesh);

/*
 * Set the stream of a mesh, which gives it its own generator in any case.
 * Meshes with different streams draw different numbers, whatever the number of
 * ranks.
 *
 * Not collective, but all ranks of the mesh must do the same.  The count of
 * operations is kept.
 */
DT_API DT_MUST_USE dt_status dt_mesh_set_stream(dt_mesh *mesh, uint64_t stream);

DT_EXTERN_C_END

#endif
