/* ops/talk.h - kernels that ask the ranks that have the other parts. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OPS_TALK_H
#define DTI_OPS_TALK_H

#include <dtensor/comm.h>
#include <dtensor/mesh.h>
#include <dtensor/sys/op.h>

#include "base/error.h"

/* The group of ranks that have the other parts of some dimensions, a bit each;
 * NULL if there are none. */
static inline dt_status dti_talk_group(const dt_spec *spec, unsigned dims,
                                       dt_group **out)
{
    bool cuts[DT_MAX_NDIM] = {false};
    int list[DT_MAX_NDIM], count = 0, parts = 1;
    dt_mesh *mesh = dt_spec_mesh(spec);
    for (int d = 0; d < dt_spec_ndim(spec); d++) {
        int cutting[DT_MAX_NDIM];
        const int n = dims >> d & 1 ? dt_spec_cuts(spec, d, cutting) : 0;
        for (int i = 0; i < n; i++)
            cuts[cutting[i]] = true;
    }
    for (int i = 0; i < dt_mesh_ndim(mesh); i++)
        if (cuts[i]) {
            list[count++] = i;
            parts *= dt_mesh_dim_size(mesh, i);
        }
    *out = NULL;
    return parts > 1 ? dt_mesh_group_of(mesh, list, count, out) : DT_OK;
}

/* A list of numbers of one rank; without storage in a dry run. */
static inline dt_status dti_talk_list(dt_world *world, bool meta,
                                      dt_dtype dtype, int64_t count,
                                      dt_array **out)
{
    const dt_shape shape = DT_SHAPE(count);
    return meta ? dt_array_create_meta(world, dtype, shape, out)
                : dt_array_create(world, dtype, shape, out);
}

/* Put the lists of all ranks one after another, on every rank; all are equally
 * long.  Collective over the group. */
static inline dt_status dti_talk_gather(dt_world *world, dt_group *group,
                                        const dt_array *mine, dt_array **out)
{
    const int64_t count = dt_array_count(mine) * dt_group_size(group);
    dt_array *all = NULL;
    DTI_TRY(dti_talk_list(world, dt_array_is_meta(mine), dt_array_dtype(mine),
                          count, &all));
    const dt_status status = dt_group_all_gather(group, mine, NULL, all);
    if (status != DT_OK)
        dt_array_release(all);
    else
        *out = all;
    return status;
}

#endif
