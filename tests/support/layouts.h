/* tests/support/layouts.h - meshes that fit a world; random layouts and shapes.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_LAYOUTS_H
#define DT_TESTS_LAYOUTS_H

#include "support/check.h"
#include "unit/layout/oracle.h"

/* ---- Meshes ------------------------------------------------------------- */

enum { MESHES_MAX = 8 };

/* Meshes that fit a world; all of them are released together. */
typedef struct mesh_list {
    int count;
    dt_mesh *meshes[MESHES_MAX];
} mesh_list;

/* One dimension, two and three, some of size 1; ranks in another order, and a
 * mesh that one rank is outside of. */
mesh_list make_meshes(dt_world *world);
void release_meshes(mesh_list *meshes);

/* A mesh of all ranks along one dimension, x. */
dt_mesh *mesh_of_all(dt_world *world);

/* A mesh over the first `count` ranks, the last one first. */
dt_mesh *reversed_mesh(dt_world *world, const char *text, int count);

/* A mesh of all ranks but the last; NULL if there is no other. */
dt_mesh *mesh_without_last(dt_world *world);

/* ---- Random choices, the same on all ranks ------------------------------ */

/* A number from 0, less than a limit. */
int below(unsigned long long *state, int limit);

/* A shape of up to three dimensions: even, uneven, less than the ranks, 1, 0.
 */
dt_shape draw_shape(unsigned long long *state);
dt_dtype draw_dtype(unsigned long long *state);

/* Tell whether a dtype has a reduction. */
bool has_reduction(dt_reduce op, dt_dtype dtype);

/* What a random layout may have besides replicas and shards. */
enum { DRAW_PARTIAL = 1, DRAW_STRIDED = 2 };

dt_placement draw_placement(unsigned long long *state, int ndim, dt_reduce op,
                            int kinds);

/* A layout for tensors of `ndim` dimensions and a dtype. */
dt_layout draw_layout(const dt_mesh *mesh, int ndim, dt_dtype dtype,
                      unsigned long long *state, int kinds);

/* ---- Shards ------------------------------------------------------------- */

bool layout_is_partial(const dt_layout *layout);

/* The indexes that this rank has of each dimension, by the oracle. */
typedef struct local_lists {
    dt_shape shape; /* of the local shard */
    list dims[3];
} local_lists;

local_lists lists_of(const dt_mesh *mesh, const dt_layout *layout,
                     dt_shape shape);

#endif
