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

int dti_step_divisor(const dt_mesh *mesh, const dt_layout *from,
                     const dt_layout *to)
{
    const unsigned dims = combined_dims(from, to);
    unsigned averages = 0;
    for (int i = 0; i < from->ndim; i++)
        if (dims >> i & 1 && from->placements[i].op == DT_AVG)
            averages |= 1u << i;
    return averages == dims ? 1 : dti_mesh_ranks_along(mesh, averages);
}

bool dti_step_is_in_place(dt_step_kind kind, const dt_layout *from,
                          const dt_layout *to)
{
    if (kind != DT_STEP_MAKE_PARTIAL && kind != DT_STEP_ALL_REDUCE)
        return false;
    for (int i = 0; i < from->ndim; i++) {
        const dt_placement *a = &from->placements[i], *b = &to->placements[i];
        if ((dti_is_shard(a) || dti_is_shard(b)) &&
            (!dt_placement_equal(*a, *b) || from->order[i] != to->order[i]))
            return false;
    }
    return true;
}

/* Parts are combined, then the value goes to all, who may have to fetch memory
 * for it that nobody has just read. */
dti_volume dti_all_reduce_volume(int64_t count, int ranks, int64_t item,
                                 bool in_place)
{
    int64_t half = (count - count / ranks) * item;
    return (dti_volume){.remote = 2 * half,
                        .combined = half,
                        .pushed = half,
                        .unread = in_place ? 0 : half,
                        .messages = ranks - 1};
}

static dti_volume reduce_scatter_volume(int64_t count, int ranks, int64_t item)
{
    int64_t others = (ranks - 1) * count * item;
    return (dti_volume){.remote = others,
                        .combined = others,
                        .local = count * item / 4,
                        .messages = ranks - 1};
}

/* What ranks wait for along some mesh dimensions: the bytes of a rank if all
 * have as many; twice that if they are more than two. */
static int64_t waited_for(const dti_planning *at, unsigned dims)
{
    const dt_mesh *mesh = at->space.mesh;
    int64_t share = dt_shape_count(at->space.shape) / mesh->places->count;
    int times = dti_mesh_ranks_along(mesh, dims) > 2 ? 2 : 1;
    return share * times * at->space.item;
}

static dti_volume combine_volume(const dti_planning *at, dt_step_kind kind,
                                 bool in_place, dti_stage from, dti_stage to)
{
    int64_t item = at->space.item;
    unsigned dims = combined_dims(from.layout, to.layout);
    int ranks = dti_mesh_ranks_along(at->space.mesh, dims);
    dti_volume volume;
    if (kind == DT_STEP_ALL_REDUCE) {
        volume = dti_all_reduce_volume(from.holdings->largest, ranks, item,
                                       in_place);
    } else {
        volume = reduce_scatter_volume(to.holdings->largest, ranks, item);
        /* Two are combined at once, each further one after that. */
        volume.rows = (2 * ranks - 3) *
                      dti_holdings_rows(&at->space, from.holdings, to.holdings);
    }
    if (dti_step_divisor(at->space.mesh, from.layout, to.layout) > 1)
        volume.local += to.holdings->largest * item;
    volume.dims = dims;
    volume.waited = waited_for(at, volume.dims);
    return volume;
}

/* A value that is made partial where it lies is overwritten on some ranks,
 * which takes a third as long as to copy it; or stays as it is. */
static dti_volume remake_volume(const dti_planning *at, dti_stage from,
                                dti_stage to)
{
    bool fills = dti_layouts_parted(from.layout, to.layout) != 0;
    int64_t bytes = to.holdings->largest * at->space.item;
    return (dti_volume){.local = fills ? bytes / 3 : 0};
}

dti_volume dti_step_volume(const dti_planning *at, dt_step_kind kind,
                           bool owned, dti_stage from, dti_stage to)
{
    const dti_holdings *a = from.holdings, *b = to.holdings;
    dti_volume volume = {.local = b->largest * at->space.item};
    bool in_place = owned && dti_step_is_in_place(kind, from.layout, to.layout);
    if (kind == DT_STEP_ALL_REDUCE || kind == DT_STEP_REDUCE_SCATTER)
        return combine_volume(at, kind, in_place, from, to);
    if (kind == DT_STEP_MAKE_PARTIAL && in_place)
        return remake_volume(at, from, to);
    if (kind == DT_STEP_SLICE || kind == DT_STEP_MAKE_PARTIAL)
        return volume;
    volume.remote =
        dti_layouts_taken(&at->space, from.layout, a, to.layout, b) *
        at->space.item;
    volume.local -= volume.remote;
    if (volume.remote == 0)
        return volume;
    volume.dims = dti_layouts_apart(at->space.mesh, from.layout, to.layout,
                                    at->space.shape.ndim);
    volume.messages = dti_layouts_messages(&at->space, from.layout, to.layout);
    if (volume.messages == 0)
        volume.messages = 1;
    volume.waited = waited_for(at, volume.dims);
    return volume;
}

dt_step_kind dti_move_kind(const dti_planning *at, const dt_layout *from,
                           const dt_layout *to)
{
    const dt_mesh *mesh = at->space.mesh;
    int ndim = at->space.shape.ndim, gathers = 0, cuts = 0, turns = 0;
    unsigned apart = dti_layouts_apart(mesh, from, to, ndim);
    bool parted = dti_layouts_parted(from, to) != 0;
    if (!apart)
        return parted ? DT_STEP_MAKE_PARTIAL : DT_STEP_SLICE;
    if (parted)
        return DT_STEP_DIRECT;
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

/* Tell whether a step that moves elements finds them all where they are wanted;
 * false where some ranks were not looked at. */
static bool finds_all(const dti_planning *at, dt_step_kind kind,
                      const dt_layout *from, const dt_layout *to,
                      const dti_volume *volume)
{
    const bool moves = kind == DT_STEP_ALL_GATHER ||
                       kind == DT_STEP_ALL_TO_ALL || kind == DT_STEP_PERMUTE ||
                       kind == DT_STEP_DIRECT;
    return moves && volume->remote == 0 && !dti_layouts_parted(from, to) &&
           dti_space_has_all(&at->space);
}

dt_plan_step dti_step_make(const dti_planning *at, dt_step_kind kind,
                           const dt_layout *from, const dt_layout *to,
                           const dti_volume *volume)
{
    if (finds_all(at, kind, from, to, volume))
        kind = DT_STEP_SLICE;
    return (dt_plan_step){.kind = kind,
                          .from = *from,
                          .to = *to,
                          .group_size = group_size(at, kind, from, to),
                          .bytes = volume->remote,
                          .messages = volume->messages,
                          .seconds =
                              dti_cost_of(at->costs, at->space.mesh, volume)};
}
