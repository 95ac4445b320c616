/* ops/helpers/comm.c - kernels that ask the ranks that have the other parts. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/helpers/comm.h"

#include "base/error.h"
#include "op/call/scratch.h"

unsigned dti_comm_cuts(const dt_spec *spec, unsigned dims)
{
    unsigned cutting = 0;
    for (int d = 0; d < dt_spec_ndim(spec); d++) {
        int cuts[DT_MAX_NDIM];
        const int n = dims >> d & 1 ? dt_spec_cuts(spec, d, cuts) : 0;
        for (int i = 0; i < n; i++)
            cutting |= 1u << cuts[i];
    }
    return cutting;
}

dt_status dti_comm_over(dt_mesh *mesh, unsigned mesh_dims, dt_group **out)
{
    int list[DT_MAX_NDIM], count = 0, parts = 1;
    for (int i = 0; i < dt_mesh_ndim(mesh); i++)
        if (mesh_dims >> i & 1) {
            list[count++] = i;
            parts *= dt_mesh_dim_size(mesh, i);
        }
    *out = NULL;
    return parts > 1 ? dt_mesh_group_of(mesh, list, count, out) : DT_OK;
}

dt_status dti_comm_group(const dt_spec *spec, unsigned dims, dt_group **out)
{
    return dti_comm_over(dt_spec_mesh(spec), dti_comm_cuts(spec, dims), out);
}

dt_status dti_comm_numbers(const dt_operation *operation, int64_t count,
                           dt_array **out)
{
    return dti_scratch_create(operation, DT_F64, DT_SHAPE(count), out);
}

dt_status dti_comm_gather(const dt_operation *operation, dt_group *group,
                          const dt_array *mine, dt_array **out)
{
    const int64_t count = dt_array_count(mine) * dt_group_size(group);
    dt_array *all = NULL;
    DTI_TRY(dti_scratch_create(operation, dt_array_dtype(mine), DT_SHAPE(count),
                               &all));
    *out = all;
    return dt_group_all_gather(group, mine, NULL, all);
}

dt_status dti_comm_combine(dt_group *group, dt_reduce op, dt_array *numbers)
{
    return group ? dt_group_all_reduce(group, op, numbers, numbers) : DT_OK;
}
