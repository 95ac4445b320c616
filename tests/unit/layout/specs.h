/* tests/unit/layout/specs.h - meshes of simulated ranks and specs on them. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_LAYOUT_SPECS_H
#define DT_TESTS_LAYOUT_SPECS_H

#include "unit/mesh/sim.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* A world and a mesh over all its ranks, as one of them sees both. */
typedef struct grid {
    dt_world *world;
    dt_mesh *mesh;
} grid;

static inline grid open_grid(int ranks, int rank, const char *text)
{
    grid made = {open_sim(ranks, rank), NULL};
    CHECK_OK(made.world, dt_mesh_create(made.world, text, &made.mesh));
    return made;
}

static inline void close_grid(grid *made)
{
    dt_mesh_release(made->mesh);
    CHECK_INT(dt_world_close(made->world), DT_OK);
}

/* A spec of f32; NULL, and a failed check, if there is none. */
static inline dt_spec *spec_of(dt_mesh *mesh, const char *layout,
                               dt_shape shape)
{
    dt_spec *spec = NULL;
    CHECK_OK(dt_mesh_world(mesh),
             dt_spec_create(mesh, layout, DT_F32, shape, &spec));
    return spec;
}

/* Check how many rows each rank has, one after another, and where they begin;
 * `offsets` may be NULL. */
static inline void check_rows(const dt_spec *spec, const int *sizes,
                              const int *offsets, int ranks)
{
    for (int rank = 0; rank < ranks; rank++) {
        int64_t offset[DT_MAX_NDIM] = {-1};
        long long size = dt_spec_local_shape(spec, rank).dims[0];
        CHECK(dt_spec_offset(spec, rank, offset));
        CHECKF(size == sizes[rank], "rank %d has %lld rows, not %d", rank, size,
               sizes[rank]);
        CHECKF(!offsets || offset[0] == offsets[rank],
               "the rows of rank %d begin at %lld, not %d", rank,
               (long long)offset[0], offsets ? offsets[rank] : 0);
    }
}

/* Check which rows a rank has, by its runs. */
static inline void check_indexes(const dt_spec *spec, int rank, int dim,
                                 const int *indexes, int count)
{
    dt_run run;
    int64_t local = 0;
    for (; dt_spec_run(spec, rank, dim, local, &run); local += run.length) {
        CHECK_INT(run.local, local);
        if (!CHECKF(run.length > 0 && local + run.length <= count,
                    "rank %d: a run of %lld at %lld", rank,
                    (long long)run.length, (long long)local))
            return;
        for (int64_t i = 0; i < run.length; i++)
            CHECKF(run.global + i == indexes[local + i],
                   "rank %d has index %lld at %lld, not %d", rank,
                   (long long)(run.global + i), (long long)(local + i),
                   indexes[local + i]);
    }
    CHECK_INT(local, count);
}

#endif
