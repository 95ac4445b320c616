/* tensor/partial.c - values made partial, and combined again. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tensor/partial.h"

#include "base/error.h"
#include "kernel/reduce.h"

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

bool dti_partial_holds(const dt_layout *layout, const int *coordinate,
                       double *neutral)
{
    for (int i = 0; i < layout->ndim; i++)
        if (dti_partial_has_one_holder(&layout->placements[i]) &&
            coordinate[i] != 0) {
            *neutral = kinds[layout->placements[i].op].neutral;
            return false;
        }
    return true;
}

dt_status dti_partial_apply(const dt_spec *spec, dt_array *local)
{
    double neutral = 0;
    if (!spec->partial || !spec->member ||
        dti_partial_holds(&spec->layout, spec->mesh->coordinate, &neutral))
        return DT_OK;
    return dt_array_fill(spec->mesh->world, local, neutral);
}

dt_status dti_partial_check(const dt_spec *spec)
{
    for (int i = 0; spec->partial && i < spec->layout.ndim; i++) {
        const dt_placement *placement = &spec->layout.placements[i];
        if (dti_is_partial(placement) &&
            !dti_reduce_supports(placement->op, spec->meta.dtype))
            return dti_fail(spec->mesh->world, DT_ERR_INVALID,
                            "%s: %s has no %s", dti_spec_show(spec).text,
                            dt_dtype_name(spec->meta.dtype),
                            dt_reduce_name(placement->op));
    }
    return DT_OK;
}

/* ---- Combining ---------------------------------------------------------- */

/* Set what the mask covers to zero, in a copy. */
static dt_status apply_mask(const dt_tensor *tensor, dt_array *copy)
{
    dt_world *world = tensor->world;
    const dt_array *mask = tensor->mask;
    int64_t rows = dt_array_count(mask);
    if (rows == 0 || copy->count == 0)
        return DT_OK;
    size_t row = dt_array_bytes(copy) / (size_t)rows;
    char *data = dt_array_data(copy);
    dt_array *dense = NULL;
    DTI_TRY(dt_array_clone(world, mask, &dense));
    const char *covered = dt_array_const_data(dense);
    for (int64_t i = 0; i < rows; i++)
        if (covered[i])
            for (size_t j = 0; j < row; j++)
                data[(size_t)i * row + j] = 0;
    dt_array_release(dense);
    return DT_OK;
}

static dt_status combine_in_place(const dt_tensor *tensor, dt_array *copy)
{
    const dt_layout *layout = &tensor->spec->layout;
    if (tensor->mask)
        DTI_TRY(apply_mask(tensor, copy));
    for (int i = 0; i < layout->ndim; i++) {
        dt_group *group = NULL;
        if (!dti_is_partial(&layout->placements[i]))
            continue;
        DTI_TRY(dt_mesh_group(tensor->spec->mesh, i, &group));
        DTI_TRY(
            dt_group_all_reduce(group, layout->placements[i].op, copy, copy));
    }
    return DT_OK;
}

dt_status dti_partial_combine(const dt_tensor *tensor, dt_array **out)
{
    dt_array *copy = NULL;
    if (!tensor->spec->partial) {
        *out = dt_array_retain(tensor->local);
        return DT_OK;
    }
    DTI_TRY(dt_array_clone(tensor->world, tensor->local, &copy));
    dt_status status = combine_in_place(tensor, copy);
    if (status == DT_OK)
        *out = copy;
    else
        dt_array_release(copy);
    return status;
}
