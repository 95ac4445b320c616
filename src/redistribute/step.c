/* redistribute/step.c - what one step is called and what it moves. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "redistribute/plan.h"

static const char *const names[DT_STEP_COUNT] = {
    [DT_STEP_SLICE] = "slice",
    [DT_STEP_ALL_GATHER] = "all-gather",
    [DT_STEP_ALL_TO_ALL] = "all-to-all",
    [DT_STEP_PERMUTE] = "permute",
    [DT_STEP_DIRECT] = "direct",
    [DT_STEP_ALL_REDUCE] = "all-reduce",
    [DT_STEP_REDUCE_SCATTER] = "reduce-scatter",
    [DT_STEP_MAKE_PARTIAL] = "make partial",
};

const char *dt_step_name(dt_step_kind kind)
{
    return (unsigned)kind < DT_STEP_COUNT ? names[kind] : "invalid";
}

/* The mesh dimensions that are partial before and not after. */
static unsigned combined_dims(const dt_layout *from, const dt_layout *to)
{
    unsigned dims = 0;
    for (int i = 0; i < from->ndim; i++)
        if (dti_is_partial(&from->placements[i]) &&
            !dti_is_partial(&to->placements[i]))
            dims |= 1u << i;
    return dims;
}

/* Parts are combined, then the value goes to all. */
dti_volume dti_all_reduce_volume(int64_t count, int ranks, int64_t item)
{
    int64_t half = (count - count / ranks) * item;
    return (dti_volume){
        .remote = 2 * half, .combined = half, .messages = ranks - 1};
}

static dti_volume reduce_scatter_volume(int64_t count, int ranks, int64_t item)
{
    int64_t others = (ranks - 1) * count * item;
    return (dti_volume){.remote = others,
                        .combined = others,
                        .local = count * item,
                        .messages = ranks - 1};
}

static dti_volume combine_volume(const dti_planning *at, dt_step_kind kind,
                                 const dt_layout *from, const dti_holdings *a,
                                 const dt_layout *to, const dti_holdings *b)
{
    int64_t item = at->space.item;
    unsigned dims = combined_dims(from, to);
    int ranks = dti_mesh_ranks_along(at->space.mesh, dims);
    dti_volume volume = kind == DT_STEP_ALL_REDUCE
                            ? dti_all_reduce_volume(a->largest, ranks, item)
                            : reduce_scatter_volume(b->largest, ranks, item);
    volume.dims = dims;
    return volume;
}

dti_volume dti_step_volume(const dti_planning *at, dt_step_kind kind,
                           const dt_layout *from, const dti_holdings *a,
                           const dt_layout *to, const dti_holdings *b)
{
    dti_volume volume = {.local = b->largest * at->space.item};
    if (kind == DT_STEP_ALL_REDUCE || kind == DT_STEP_REDUCE_SCATTER)
        return combine_volume(at, kind, from, a, to, b);
    if (kind == DT_STEP_SLICE || kind == DT_STEP_MAKE_PARTIAL)
        return volume;
    volume.remote = dti_holdings_missing(&at->space, a, b) * at->space.item;
    volume.local -= volume.remote;
    if (volume.remote == 0)
        return volume;
    volume.dims =
        dti_layouts_apart(at->space.mesh, from, to, at->space.shape.ndim);
    volume.messages = dti_layouts_messages(&at->space, from, to);
    if (volume.messages == 0)
        volume.messages = 1;
    return volume;
}

dt_step_kind dti_move_kind(const dti_planning *at, const dt_layout *from,
                           const dt_layout *to)
{
    const dt_mesh *mesh = at->space.mesh;
    int ndim = at->space.shape.ndim, gathers = 0, cuts = 0, turns = 0;
    unsigned apart = dti_layouts_apart(mesh, from, to, ndim);
    if (!apart)
        return DT_STEP_SLICE;
    /* What is left of the cuts is what there was. */
    if (!dti_layouts_apart(mesh, to, from, ndim))
        return DT_STEP_ALL_GATHER;
    for (int i = 0; i < from->ndim; i++) {
        bool before = dti_is_shard(&from->placements[i]);
        bool after = dti_is_shard(&to->placements[i]);
        gathers += before && !after;
        cuts += !before && after;
        turns += apart >> i & 1;
    }
    if (gathers || cuts)
        return DT_STEP_DIRECT;
    return turns == 1 ? DT_STEP_ALL_TO_ALL : DT_STEP_PERMUTE;
}

/* Ranks that call each other in a step. */
static int group_size(const dti_planning *at, dt_step_kind kind,
                      const dt_layout *from, const dt_layout *to)
{
    const dt_mesh *mesh = at->space.mesh;
    if (kind == DT_STEP_ALL_REDUCE || kind == DT_STEP_REDUCE_SCATTER)
        return dti_mesh_ranks_along(mesh, combined_dims(from, to));
    if (kind == DT_STEP_SLICE || kind == DT_STEP_MAKE_PARTIAL)
        return 1;
    return dti_mesh_ranks_along(
        mesh, dti_layouts_apart(mesh, from, to, at->space.shape.ndim));
}

dt_plan_step dti_step_make(const dti_planning *at, dt_step_kind kind,
                           const dt_layout *from, const dt_layout *to,
                           const dti_volume *volume)
{
    return (dt_plan_step){.kind = kind,
                          .from = *from,
                          .to = *to,
                          .group_size = group_size(at, kind, from, to),
                          .bytes = volume->remote,
                          .messages = volume->messages,
                          .seconds =
                              dti_cost_of(at->costs, at->space.mesh, volume)};
}
