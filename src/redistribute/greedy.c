/* redistribute/greedy.c - the steps that PyTorch takes unless told otherwise.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/error.h"
#include "redistribute/plan.h"

/*
 * First from the last mesh dimension to the first: each goes to where it should
 * be, or is replicated if the dimensions before it cut its tensor dimension
 * otherwise than they will.  Then from the first to the last: what is left.
 * PyTorch makes nothing partial; here that comes at the end, from the value,
 * when what was partial in another way has been combined.
 */

typedef struct greedy {
    const dti_planning *at;
    dt_placement placements[DT_MAX_NDIM];
    dt_plan_step *steps;
    int count;
} greedy;

static bool cuts(const dt_placement *placement, int dim)
{
    return placement->kind == DT_SHARD && placement->dim == dim;
}

/* Tell whether the dimensions before a mesh dimension cut its tensor dimension
 * as they will. */
static bool is_aligned(const greedy *g, int mesh_dim)
{
    const dt_placement *wanted = &g->at->to.placements[mesh_dim];
    for (int i = 0; wanted->kind == DT_SHARD && i < mesh_dim; i++)
        if (cuts(&g->placements[i], wanted->dim) !=
            cuts(&g->at->to.placements[i], wanted->dim))
            return false;
    return true;
}

static dt_step_kind name_step(const dt_placement *from, const dt_placement *to)
{
    if (dti_is_partial(to))
        return DT_STEP_MAKE_PARTIAL;
    if (dti_is_partial(from))
        return dti_is_shard(to) ? DT_STEP_REDUCE_SCATTER : DT_STEP_ALL_REDUCE;
    if (from->kind == DT_REPLICATE)
        return DT_STEP_SLICE;
    return dti_is_shard(to) ? DT_STEP_ALL_TO_ALL : DT_STEP_ALL_GATHER;
}

static dt_status add_step(greedy *g, int mesh_dim, dt_placement to)
{
    const dti_planning *at = g->at;
    dti_holdings a = {0}, b = {0};
    if (dt_placement_equal(g->placements[mesh_dim], to))
        return DT_OK;
    dt_step_kind kind = name_step(&g->placements[mesh_dim], &to);
    dt_layout before = dt_layout_of(g->placements, at->from.ndim);
    g->placements[mesh_dim] = to;
    dt_layout after = dt_layout_of(g->placements, at->from.ndim);
    dt_status status = dti_holdings_set(&a, &at->space, &before);
    if (status == DT_OK)
        status = dti_holdings_set(&b, &at->space, &after);
    if (status == DT_OK) {
        dti_volume volume =
            dti_step_volume(at, kind, g->count > 0, (dti_stage){&before, &a},
                            (dti_stage){&after, &b});
        g->steps[g->count++] =
            dti_step_make(at, kind, &before, &after, &volume);
    }
    dti_holdings_free(&a);
    dti_holdings_free(&b);
    return status;
}

/* Where a mesh dimension goes before values are made partial. */
static dt_placement value_of(const greedy *g, int mesh_dim)
{
    const dt_placement *to = &g->at->to.placements[mesh_dim];
    if (dti_is_partial(to) &&
        !dt_placement_equal(g->at->from.placements[mesh_dim], *to))
        return dt_replicate();
    return *to;
}

static bool is_usual(const dt_layout *layout)
{
    for (int i = 0; i < layout->ndim; i++)
        if (layout->placements[i].kind == DT_STRIDED_SHARD)
            return false;
    return dt_layout_has_default_order(layout);
}

dt_status dti_plan_greedy(const dti_planning *at, dt_plan_step *out, int *count)
{
    greedy g = {.at = at, .steps = out};
    int ndim = at->from.ndim;
    if (!is_usual(&at->from) || !is_usual(&at->to))
        return dti_fail(at->world, DT_ERR_UNSUPPORTED,
                        "the greedy planner does not support orders and "
                        "strided shards: %s to %s; use DT_PLANNER_SEARCH",
                        dti_layout_show(&at->from).text,
                        dti_layout_show(&at->to).text);
    bool sharded = false;
    for (int i = 0; i < ndim; i++) {
        g.placements[i] = at->from.placements[i];
        sharded |= dti_is_shard(&g.placements[i]);
    }
    for (int i = ndim - 1; ndim > 1 && sharded && i >= 0; i--)
        DTI_TRY(add_step(&g, i,
                         is_aligned(&g, i) ? value_of(&g, i) : dt_replicate()));
    for (int i = 0; i < ndim; i++)
        DTI_TRY(add_step(&g, i, value_of(&g, i)));
    for (int i = 0; i < ndim; i++)
        DTI_TRY(add_step(&g, i, at->to.placements[i]));
    *count = g.count;
    return DT_OK;
}
