/* redistribute/partial.c - values made partial, and combined again. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "redistribute/partial.h"

#include <math.h>
#include <string.h>

#include "array/cast.h"
#include "base/error.h"
#include "kernel/reduce/reduce.h"

/* What changes nothing: -0.0 in a sum, so that -0.0 stays what it is. */
static const struct {
    bool one_holder;
    double neutral;
} kinds[DT_REDUCE_COUNT] = {
    [DT_SUM] = {true, -0.0},
    [DT_PRODUCT] = {true, 1},
    [DT_BXOR] = {true, 0},
};

bool dti_partial_has_one_holder(const dt_placement *placement)
{
    return dti_is_partial(placement) && kinds[placement->op].one_holder;
}

bool dti_partial_holds_new(const dt_layout *before, const dt_layout *after,
                           const int *coordinate, double *neutral)
{
    bool holds = true;
    for (int i = 0; i < after->ndim; i++) {
        const dt_placement *placement = &after->placements[i];
        if (!dti_partial_has_one_holder(placement) ||
            (before && dti_is_partial(&before->placements[i])))
            continue;
        *neutral = kinds[placement->op].neutral;
        holds = holds && coordinate[i] == 0;
    }
    return holds;
}

bool dti_partial_holds(const dt_layout *layout, const int *coordinate,
                       double *neutral)
{
    return dti_partial_holds_new(NULL, layout, coordinate, neutral);
}

dt_status dti_partial_fill(dt_world *world, double neutral, dt_array *array)
{
    dt_wrap_options options = DT_WRAP_OPTIONS_INIT;
    dti_c64 element = {-0.0F, -0.0F};
    dt_array *one = NULL;
    if (!array->storage)
        return DT_OK;
    if (array->dtype != DT_C64 || !signbit(neutral))
        return dt_array_fill(world, array, neutral);
    options.data = &element;
    options.dtype = DT_C64;
    DTI_TRY(dt_array_wrap(world, &options, &one));
    dt_status status = dt_array_copy(world, one, array);
    dt_array_release(one);
    return status;
}

dt_status dti_partial_apply(const dt_spec *spec, dt_array *local)
{
    double neutral = 0;
    if (!spec->partial || !spec->member ||
        dti_partial_holds(&spec->layout, spec->mesh->coordinate, &neutral))
        return DT_OK;
    return dti_partial_fill(spec->mesh->world, neutral, local);
}

dt_status dti_partial_check(const dt_spec *spec)
{
    for (int i = 0; spec->partial && i < spec->layout.ndim; i++) {
        const dt_placement *placement = &spec->layout.placements[i];
        if (dti_is_partial(placement) &&
            !dti_reduce_supports(placement->op, spec->meta.dtype))
            return dti_fail(spec->mesh->world, DT_ERR_INVALID,
                            "%s: dtype %s does not support partial(%s)",
                            dti_spec_show(spec).text,
                            dt_dtype_name(spec->meta.dtype),
                            dt_reduce_name(placement->op));
    }
    return DT_OK;
}

/* ---- Combining ---------------------------------------------------------- */

static dt_status combine_in_place(const dt_spec *spec, dt_array *dense)
{
    const dt_layout *layout = &spec->layout;
    for (int i = 0; i < layout->ndim; i++) {
        dt_group *group = NULL;
        if (!dti_is_partial(&layout->placements[i]))
            continue;
        DTI_TRY(dt_mesh_group(spec->mesh, i, &group));
        DTI_TRY(
            dt_group_all_reduce(group, layout->placements[i].op, dense, dense));
    }
    return DT_OK;
}

dt_status dti_partial_combine(const dt_spec *spec, dt_array *local,
                              dt_array **out)
{
    dt_array *dense = NULL;
    if (!spec->partial) {
        *out = dt_array_retain(local);
        return DT_OK;
    }
    DTI_TRY(dt_array_clone(spec->mesh->world, local, &dense));
    dt_status status = combine_in_place(spec, dense);
    if (status == DT_OK)
        *out = dense;
    else
        dt_array_release(dense);
    return status;
}
