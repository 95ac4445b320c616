/* layout/placement.c - placements, and layouts made of them. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>

#include "base/error.h"
#include "layout/layout.h"

/* ---- Placements --------------------------------------------------------- */

bool dt_placement_equal(dt_placement a, dt_placement b)
{
    if (a.kind != b.kind)
        return false;
    if (dti_is_shard(&a) && a.dim != b.dim)
        return false;
    if (a.kind == DT_STRIDED_SHARD && a.factor != b.factor)
        return false;
    return a.kind != DT_PARTIAL || a.op == b.op;
}

bool dt_placement_is_shard(dt_placement placement)
{
    return dti_is_shard(&placement);
}

bool dt_placement_is_partial(dt_placement placement)
{
    return dti_is_partial(&placement);
}

/* ---- Layouts ------------------------------------------------------------ */

dt_layout dt_layout_of(const dt_placement *placements, int ndim)
{
    dt_layout layout = {.ndim = ndim};
    for (int i = 0; i < ndim && i < DT_MAX_NDIM; i++)
        layout.placements[i] = placements[i];
    dti_layout_default_order(&layout);
    return layout;
}

dt_layout dti_layout_replicated(int ndim)
{
    dt_layout layout = {.ndim = ndim};
    for (int i = 0; i < ndim; i++)
        layout.placements[i] = dt_replicate();
    return layout;
}

dt_layout dti_layout_unmasked(const dt_layout *layout)
{
    dt_layout out = *layout;
    for (int i = 0; i < dti_layout_ndim(&out); i++)
        if (out.placements[i].kind == DT_MASKED_PARTIAL)
            out.placements[i] = dt_partial(DT_SUM);
    return out;
}

dt_layout dti_layout_reduced(const dt_layout *layout)
{
    dt_layout out = *layout;
    for (int i = 0; i < dti_layout_ndim(&out); i++)
        if (out.placements[i].kind == DT_PARTIAL ||
            out.placements[i].kind == DT_MASKED_PARTIAL)
            out.placements[i] = dt_replicate();
    return out;
}

bool dt_layout_equal(const dt_layout *a, const dt_layout *b)
{
    if (a->ndim != b->ndim)
        return false;
    for (int i = 0; i < dti_layout_ndim(a); i++)
        if (!dt_placement_equal(a->placements[i], b->placements[i]) ||
            a->order[i] != b->order[i])
            return false;
    return true;
}

/* ---- Checking ----------------------------------------------------------- */

static dt_status check_shard(dt_world *world, const dt_layout *layout, int i,
                             int tensor_ndim)
{
    const dt_placement *placement = &layout->placements[i];
    if (placement->dim < -tensor_ndim || placement->dim >= tensor_ndim)
        return dti_fail(world, DT_ERR_INVALID,
                        "%s shards dimension %d of a tensor that has %d",
                        dti_layout_show(layout).text, placement->dim,
                        tensor_ndim);
    if (placement->kind == DT_STRIDED_SHARD && placement->factor < 1)
        return dti_fail(world, DT_ERR_INVALID,
                        "%s has a strided shard with a factor below 1",
                        dti_layout_show(layout).text);
    return DT_OK;
}

static dt_status check_placement(dt_world *world, const dt_layout *layout,
                                 int i, int tensor_ndim)
{
    const dt_placement *placement = &layout->placements[i];
    if (dti_is_shard(placement))
        return check_shard(world, layout, i, tensor_ndim);
    if ((unsigned)placement->kind > DT_MASKED_PARTIAL)
        return dti_fail(world, DT_ERR_INVALID, "invalid placement kind %d",
                        (int)placement->kind);
    if (placement->kind == DT_PARTIAL &&
        (unsigned)placement->op >= DT_REDUCE_COUNT)
        return dti_fail(world, DT_ERR_INVALID, "invalid reduction %d",
                        (int)placement->op);
    return DT_OK;
}

/* Sums and averages are linear, so they may be taken in any order; no two
 * others may. */
bool dti_partials_mix(const dt_placement *a, const dt_placement *b)
{
    bool linear = (a->op == DT_SUM || a->op == DT_AVG) &&
                  (b->op == DT_SUM || b->op == DT_AVG);
    return a->op == b->op || linear;
}

static dt_status check_partial(dt_world *world, const dt_layout *layout)
{
    const dt_placement *first = NULL;
    for (int i = 0; i < layout->ndim; i++) {
        const dt_placement *placement = &layout->placements[i];
        if (!dti_is_partial(placement))
            continue;
        if (first && !dti_partials_mix(first, placement))
            return dti_fail(world, DT_ERR_INVALID,
                            "%s mixes partial(%s) and partial(%s), which "
                            "cannot be combined",
                            dti_layout_show(layout).text,
                            dt_reduce_name(first->op),
                            dt_reduce_name(placement->op));
        first = first ? first : placement;
    }
    return DT_OK;
}

/* Count a placement's dimension from the front, and leave nothing in it that
 * does not matter to its kind. */
static dt_placement tidy(const dt_placement *placement, int tensor_ndim)
{
    int dim = placement->dim + (placement->dim < 0 ? tensor_ndim : 0);
    switch (placement->kind) {
    case DT_SHARD:
        return dt_shard(dim);
    case DT_STRIDED_SHARD:
        return dt_strided_shard(dim, placement->factor);
    case DT_PARTIAL:
        return dt_partial(placement->op);
    case DT_MASKED_PARTIAL:
        return dt_masked_partial();
    case DT_REPLICATE:
        break;
    }
    return dt_replicate();
}

dt_status dt_layout_check(const dt_mesh *mesh, int tensor_ndim,
                          dt_layout *layout)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_layout checked = *layout;
    bool negative = false;
    if (layout->ndim != dt_mesh_ndim(mesh)) {
        char text[256];
        dt_mesh_format(mesh, text, sizeof text);
        return dti_fail(world, DT_ERR_INVALID,
                        "%s has %d placement%s; expected one for each of the "
                        "%d dimension%s of %s",
                        dti_layout_show(layout).text, layout->ndim,
                        layout->ndim == 1 ? "" : "s", dt_mesh_ndim(mesh),
                        dt_mesh_ndim(mesh) == 1 ? "" : "s", text);
    }
    for (int i = 0; i < layout->ndim; i++) {
        DTI_TRY(check_placement(world, layout, i, tensor_ndim));
        checked.placements[i] = tidy(&layout->placements[i], tensor_ndim);
        negative |= layout->placements[i].dim < 0;
    }
    DTI_TRY(check_partial(world, &checked));
    if (negative)
        dti_layout_join_orders(layout, &checked);
    DTI_TRY(dti_layout_check_order(world, &checked));
    *layout = checked;
    return DT_OK;
}
