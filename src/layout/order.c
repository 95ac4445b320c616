/* layout/order.c - which mesh dimension cuts a tensor dimension first. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "layout/layout.h"

/* ---- Reading ------------------------------------------------------------ */

static bool cuts(const dt_layout *layout, int mesh_dim, int tensor_dim)
{
    return dti_is_shard(&layout->placements[mesh_dim]) &&
           layout->placements[mesh_dim].dim == tensor_dim;
}

int dti_layout_shards(const dt_layout *layout, int tensor_dim, int *out)
{
    int count = 0;
    for (int i = 0; i < dti_layout_ndim(layout); i++)
        if (cuts(layout, i, tensor_dim))
            out[count++] = i;
    return count;
}

int dti_layout_cuts(const dt_layout *layout, int tensor_dim, int *out)
{
    int count = 0;
    for (int i = 0; i < layout->ndim; i++)
        if (cuts(layout, i, tensor_dim)) {
            out[layout->order[i]] = i;
            count++;
        }
    return count;
}

/* How many mesh dimensions to the left cut the same tensor dimension. */
static int count_before(const dt_layout *layout, int mesh_dim)
{
    int count = 0;
    for (int i = 0; i < mesh_dim; i++)
        count += cuts(layout, i, layout->placements[mesh_dim].dim);
    return count;
}

void dti_layout_default_order(dt_layout *layout)
{
    for (int i = 0; i < dti_layout_ndim(layout); i++)
        layout->order[i] =
            dti_is_shard(&layout->placements[i]) ? count_before(layout, i) : 0;
}

/* Tell whether the mesh dimensions that cut a tensor dimension in `layout` were
 * numbered from left to right in `given`. */
static bool were_in_order(const dt_layout *given, const dt_layout *layout,
                          int tensor_dim)
{
    for (int i = 0; i < layout->ndim; i++)
        if (cuts(layout, i, tensor_dim) &&
            given->order[i] != count_before(given, i))
            return false;
    return true;
}

void dti_layout_join_orders(const dt_layout *given, dt_layout *layout)
{
    for (int i = 0; i < layout->ndim; i++)
        if (dti_is_shard(&layout->placements[i]) &&
            were_in_order(given, layout, layout->placements[i].dim))
            layout->order[i] = count_before(layout, i);
}

bool dt_layout_has_default_order(const dt_layout *layout)
{
    for (int i = 0; i < dti_layout_ndim(layout); i++)
        if (dti_is_shard(&layout->placements[i]) &&
            layout->order[i] != count_before(layout, i))
            return false;
    return true;
}

/* ---- Checking and setting ----------------------------------------------- */

static dt_status check_order_of(dt_world *world, const dt_layout *layout,
                                int tensor_dim)
{
    int dims[DT_MAX_NDIM];
    int count = dti_layout_shards(layout, tensor_dim, dims);
    unsigned seen = 0;
    bool strided = false, moved = false;
    for (int i = 0; i < count; i++) {
        int place = layout->order[dims[i]];
        if (place < 0 || place >= count || seen >> place & 1)
            return dti_fail(
                world, DT_ERR_INVALID,
                "invalid order in %s: dimension %d is sharded %d time%s and "
                "must be numbered from 0 to %d, each once",
                dti_layout_show(layout).text, tensor_dim, count,
                count == 1 ? "" : "s", count - 1);
        seen |= 1u << place;
        strided |= layout->placements[dims[i]].kind == DT_STRIDED_SHARD;
        moved |= place != i;
    }
    if (strided && moved)
        return dti_fail(world, DT_ERR_INVALID,
                        "%s has an order for strided shards of dimension %d; "
                        "these are always applied from left to right",
                        dti_layout_show(layout).text, tensor_dim);
    return DT_OK;
}

dt_status dti_layout_check_order(dt_world *world, const dt_layout *layout)
{
    for (int i = 0; i < layout->ndim; i++)
        if (dti_is_shard(&layout->placements[i]))
            DTI_TRY(check_order_of(world, layout, layout->placements[i].dim));
        else if (layout->order[i] != 0)
            return dti_fail(
                world, DT_ERR_INVALID,
                "%s has an order for a placement that is not a shard",
                dti_layout_show(layout).text);
    return DT_OK;
}

dt_status dt_layout_set_order(dt_world *world, dt_layout *layout,
                              int tensor_dim, const int *mesh_dims, int count)
{
    dt_layout changed = *layout;
    int dims[DT_MAX_NDIM];
    int wanted = dti_layout_shards(layout, tensor_dim, dims);
    unsigned seen = 0;
    if (count != wanted)
        return dti_fail(world, DT_ERR_INVALID,
                        "dt_layout_set_order: %d mesh dimensions for dimension "
                        "%d, which is sharded by %d in %s",
                        count, tensor_dim, wanted,
                        dti_layout_show(layout).text);
    for (int i = 0; i < count; i++) {
        int dim = mesh_dims[i];
        if (dim < 0 || dim >= dti_layout_ndim(layout) ||
            !cuts(layout, dim, tensor_dim))
            return dti_fail(world, DT_ERR_INVALID,
                            "dt_layout_set_order: mesh dimension %d does not "
                            "shard dimension %d in %s",
                            dim, tensor_dim, dti_layout_show(layout).text);
        if (seen >> dim & 1)
            return dti_fail(world, DT_ERR_INVALID,
                            "dt_layout_set_order: the order of dimension %d "
                            "lists mesh dimension %d twice",
                            tensor_dim, dim);
        seen |= 1u << dim;
        changed.order[dim] = i;
    }
    DTI_TRY(check_order_of(world, &changed, tensor_dim));
    *layout = changed;
    return DT_OK;
}

/* ---- Strided shards ----------------------------------------------------- */

/*
 * A mesh dimension that cuts late although it stands early sees pieces that the
 * ones to its right have made: as many as their sizes multiplied.  That is
 * its factor when all cut from left to right.
 */

static bool has_strided(const dt_layout *layout)
{
    for (int i = 0; i < layout->ndim; i++)
        if (layout->placements[i].kind == DT_STRIDED_SHARD)
            return true;
    return false;
}

dt_status dt_layout_to_strided(const dt_mesh *mesh, const dt_layout *layout,
                               dt_layout *out)
{
    dt_layout result = *layout;
    if (has_strided(layout) && !dt_layout_has_default_order(layout))
        return dti_fail(dt_mesh_world(mesh), DT_ERR_UNSUPPORTED,
                        "%s has both strided shards and an order",
                        dti_layout_show(layout).text);
    for (int i = 0; i < layout->ndim; i++) {
        int64_t factor = 1;
        if (layout->placements[i].kind != DT_SHARD)
            continue;
        for (int j = i + 1; j < layout->ndim; j++)
            if (cuts(layout, j, layout->placements[i].dim) &&
                layout->order[j] < layout->order[i])
                factor *= dt_mesh_dim_size(mesh, j);
        if (factor > 1)
            result.placements[i] =
                dt_strided_shard(layout->placements[i].dim, factor);
    }
    dti_layout_default_order(&result);
    *out = result;
    return DT_OK;
}

/* Put a mesh dimension where the ones before it make as many pieces as its
 * factor; false if that is nowhere. */
static bool insert_by_factor(const dt_mesh *mesh, int64_t factor, int mesh_dim,
                             int *order, int *count)
{
    int64_t pieces = 1;
    int place = 0;
    while (pieces != factor && place < *count)
        pieces *= dt_mesh_dim_size(mesh, order[place++]);
    if (pieces != factor)
        return false;
    memmove(order + place + 1, order + place,
            (size_t)(*count - place) * sizeof *order);
    order[place] = mesh_dim;
    ++*count;
    return true;
}

/* From right to left, each takes the place that its factor says. */
bool dti_layout_decode(const dt_mesh *mesh, const dt_layout *layout,
                       int tensor_dim, dt_layout *result)
{
    int order[DT_MAX_NDIM], count = 0;
    for (int i = layout->ndim - 1; i >= 0; i--) {
        const dt_placement *placement = &layout->placements[i];
        if (!cuts(layout, i, tensor_dim))
            continue;
        int64_t factor =
            placement->kind == DT_STRIDED_SHARD ? placement->factor : 1;
        if (!insert_by_factor(mesh, factor, i, order, &count))
            return false;
    }
    for (int i = 0; i < count; i++) {
        result->placements[order[i]] = dt_shard(tensor_dim);
        result->order[order[i]] = i;
    }
    return true;
}

dt_status dt_layout_from_strided(const dt_mesh *mesh, const dt_layout *layout,
                                 dt_layout *out)
{
    dt_layout result = *layout;
    for (int i = 0; i < layout->ndim; i++)
        if (layout->placements[i].kind == DT_STRIDED_SHARD &&
            !dti_layout_decode(mesh, layout, layout->placements[i].dim,
                               &result))
            return dti_fail(dt_mesh_world(mesh), DT_ERR_NOT_FOUND,
                            "%s has no equivalent order: the factors of "
                            "dimension %d do not match the mesh",
                            dti_layout_show(layout).text,
                            layout->placements[i].dim);
    *out = result;
    return DT_OK;
}
