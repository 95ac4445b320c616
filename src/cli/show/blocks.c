/* cli/show/blocks.c - a tensor as blocks, each with the ranks that have it. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show/blocks.h"

#include <stdlib.h>

#include "cli/memory.h"

/* ---- Where dimensions are cut ------------------------------------------- */

/*
 * Step a coordinate through all values along the listed mesh dimensions, the
 * last one fastest; false when all were there, and it is 0 again.
 */
static bool step(const dt_mesh *mesh, const int *dims, int count,
                 int *coordinate)
{
    for (int i = count - 1; i >= 0; i--) {
        if (++coordinate[dims[i]] < dt_mesh_dim_size(mesh, dims[i]))
            return true;
        coordinate[dims[i]] = 0;
    }
    return false;
}

/* Add what a rank has of a dimension. */
static void add_runs(const dt_spec *spec, int rank, dti_axis *axis, int *room)
{
    dt_run run;
    int first = axis->count;
    for (int64_t at = 0; dt_spec_run(spec, rank, axis->dim, at, &run);
         at += run.length) {
        dti_block *last =
            axis->count > first ? &axis->list[axis->count - 1] : NULL;
        if (last && last->begin + last->size == run.global) {
            last->size += run.length;
            continue;
        }
        axis->too_many = axis->count == DTI_BLOCKS_MOST;
        if (axis->too_many)
            return;
        if (axis->count == *room) {
            *room = *room ? 2 * *room : 16;
            axis->list =
                dti_grow(axis->list, (size_t)*room, sizeof *axis->list);
        }
        axis->list[axis->count++] = (dti_block){run.global, run.length};
    }
}

static int compare(const void *a, const void *b)
{
    int64_t left = ((const dti_block *)a)->begin;
    int64_t right = ((const dti_block *)b)->begin;
    return (left > right) - (left < right);
}

/* Ranks that agree along the mesh dimensions that cut have the same; one of
 * each kind is asked. */
static void make_axis(dti_axis *axis, const dt_spec *spec, int dim)
{
    const dt_mesh *mesh = dt_spec_mesh(spec);
    int coordinate[DT_MAX_NDIM] = {0}, cuts[DT_MAX_NDIM], room = 0;
    int count = dt_spec_cuts(spec, dim, cuts);
    *axis = (dti_axis){.dim = dim, .extent = dt_spec_shape(spec).dims[dim]};
    do
        add_runs(spec, dt_mesh_rank_at(mesh, coordinate), axis, &room);
    while (!axis->too_many && step(mesh, cuts, count, coordinate));
    if (axis->count > 1)
        qsort(axis->list, (size_t)axis->count, sizeof *axis->list, compare);
}

void dti_blocks_make(dti_blocks *out, const dt_spec *spec)
{
    *out = (dti_blocks){.spec = spec, .ndim = dt_spec_ndim(spec)};
    for (int i = 0; i < out->ndim; i++)
        make_axis(&out->axes[i], spec, i);
}

void dti_blocks_free(dti_blocks *blocks)
{
    for (int i = 0; i < blocks->ndim; i++)
        free(blocks->axes[i].list);
}

/* ---- Who has a cell ----------------------------------------------------- */

/* List the mesh dimensions of one kind: partial, or whole. */
static int list_free(const dt_layout *layout, bool partial, int *out)
{
    int count = 0;
    for (int i = 0; i < layout->ndim; i++)
        if (!dt_placement_is_shard(layout->placements[i]) &&
            dt_placement_is_partial(layout->placements[i]) == partial)
            out[count++] = i;
    return count;
}

static int count_free(const dti_blocks *blocks, bool partial)
{
    int dims[DT_MAX_NDIM], places = 1;
    int count = list_free(dt_spec_layout(blocks->spec), partial, dims);
    for (int i = 0; i < count; i++)
        places *= dt_mesh_dim_size(dt_spec_mesh(blocks->spec), dims[i]);
    return places;
}

int dti_blocks_copies(const dti_blocks *blocks)
{
    return count_free(blocks, false) * count_free(blocks, true);
}

void dti_blocks_owners(const dti_blocks *blocks, const int *cell,
                       dti_ranks *out)
{
    const dt_spec *spec = blocks->spec;
    const dt_mesh *mesh = dt_spec_mesh(spec);
    int64_t index[DT_MAX_NDIM] = {0};
    int coordinate[DT_MAX_NDIM], whole[DT_MAX_NDIM], partial[DT_MAX_NDIM];
    int wholes = list_free(dt_spec_layout(spec), false, whole);
    int partials = list_free(dt_spec_layout(spec), true, partial);
    int first;
    for (int i = 0; i < blocks->ndim; i++)
        index[i] = blocks->axes[i].list[cell[i]].begin;
    if (dt_spec_owners(spec, index, &first, 1) < 1 ||
        !dt_mesh_coordinate_of(mesh, first, coordinate))
        return;
    out->together = count_free(blocks, true);
    do
        do
            dti_ranks_add(out, dt_mesh_rank_at(mesh, coordinate));
        while (step(mesh, partial, partials, coordinate));
    while (step(mesh, whole, wholes, coordinate));
}
