/* ops/helpers/shift.h - elements that go elsewhere, all by the same way. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OPS_HELPERS_SHIFT_H
#define DTI_OPS_HELPERS_SHIFT_H

#include <dtensor/sys/op.h>

/* Where the elements of a tensor go: each as far along every dimension, and
 * nowhere if it gets outside. */
typedef struct dti_way {
    dt_spec *to;   /* of as many dimensions */
    int64_t start; /* bytes before this rank's part of that, if it is dense */
    int64_t by[DT_MAX_NDIM];
} dti_way;

/*
 * A tensor, some ways, and this rank's parts of where they lead to: one array,
 * or several that lie densely in one.  Mesh dimensions that shard it there and
 * not in the tensor let each rank keep what it has already; that needs one
 * array of its own.
 */
typedef struct dti_shift {
    dt_world *world;
    dt_spec *spec;
    dt_array *from;
    dt_array *to;
    const dti_way *ways;
    int way_count; /* at least 1 */
} dti_shift;

/*
 * Carry it out; elements that nothing comes to stay.
 *
 * Collective over the ranks that have the other parts of dimensions along which
 * something moves, whose extents differ or that are cut otherwise afterwards,
 * if there are any; one exchange, in which only what changes ranks is sent.
 * Elements are converted if dtypes differ.
 */
dt_status dti_shift_run(const dti_shift *slide);

/* The same of arrays of this rank, as they are, on one way. */
dt_status dti_shift_copy(dt_world *world, dt_array *from, dt_array *to,
                         const dti_way *way);

#endif
