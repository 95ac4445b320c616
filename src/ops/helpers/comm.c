/* ops/helpers/comm.c - kernels that ask the ranks that have the other parts. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/helpers/comm.h"

#include "base/error.h"

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

dt_status dti_comm_list(dt_world *world, bool meta, dt_dtype dtype,
                        int64_t count, dt_array **out)
{
    const dt_shape shape = DT_SHAPE(count);
    return meta ? dt_array_create_meta(world, dtype, shape, out)
                : dt_array_create(world, dtype, shape, out);
}

static bool computes_nothing(const dt_operation *operation)
{
    for (int i = 0; i < operation->input_count; i++)
        if (operation->in[i] && dt_array_is_meta(operation->in[i]))
            return true;
    return false;
}

dt_status dti_comm_numbers(const dt_operation *operation, int64_t count,
                           dt_array **out)
{
    return dti_comm_list(operation->world, computes_nothing(operation), DT_F64,
                         count, out);
}

dt_status dti_comm_gather(dt_world *world, dt_group *group,
                          const dt_array *mine, dt_array **out)
{
    const int64_t count = dt_array_count(mine) * dt_group_size(group);
    dt_array *all = NULL;
    DTI_TRY(dti_comm_list(world, dt_array_is_meta(mine), dt_array_dtype(mine),
                          count, &all));
    const dt_status status = dt_group_all_gather(group, mine, NULL, all);
    if (status != DT_OK)
        dt_array_release(all);
    else
        *out = all;
    return status;
}

dt_status dti_comm_combine(dt_group *group, dt_reduce op, dt_array *numbers)
{
    return group ? dt_group_all_reduce(group, op, numbers, numbers) : DT_OK;
}
