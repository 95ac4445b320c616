/* op/propagate/propagate.c - choosing layouts, one mesh dimension after
 * another. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "op/propagate/propagate.h"

#include <string.h>

#include "mesh/mesh.h"
#include "redistribute/cost.h"

/* ---- Estimates ---------------------------------------------------------- */

/* Along a mesh dimension of one rank nothing is sent; among equals, layouts are
 * chosen as if there were two, so that a program has the same ones on any
 * number of ranks. */
#define WEIGHT_OF_ONE 1e-9

/* The bytes of an input that ranks along a mesh dimension have together: what
 * the other mesh dimensions, as chosen before and as they lie after, leave. */
static int64_t bytes_along(const dti_propagation *at,
                           const dti_proposal *chosen, int mesh_dim, int input)
{
    const dti_question *q = &at->question;
    const dt_meta *meta = q->operation->metas[input];
    int64_t bytes =
        dt_shape_count(meta->shape) * (int64_t)dt_dtype_size(meta->dtype);
    for (int i = 0; i < q->mesh->dims.ndim; i++) {
        dt_placement lies = q->layouts[input].placements[i];
        if (i == mesh_dim)
            continue;
        if (i < mesh_dim)
            lies = dti_candidate_in(
                at, chosen, i, &at->candidates[i][chosen->choice[i]], input);
        if (dti_is_shard(&lies))
            bytes /= q->mesh->dims.sizes[i];
    }
    return bytes;
}

/* What has to be sent for one placement to become another.  Who has all and
 * keeps a part copies nothing, unless it `copies`. */
static dti_volume volume_of(const dt_placement *from, const dt_placement *to,
                            int64_t bytes, int ranks, bool copies)
{
    int64_t part = bytes / ranks;
    dti_volume volume = {0};
    if (from->kind == DT_REPLICATE) {
        if (dti_is_partial(to) || copies)
            volume.local = dti_is_partial(to) ? bytes : part;
        return volume;
    }
    if (dti_is_shard(from)) {
        volume.local = dti_is_partial(to) ? bytes : part;
        if (dti_is_partial(to))
            return volume;
        volume.remote = dti_is_shard(to) ? part - part / ranks : bytes - part;
        volume.messages = ranks - 1;
        return volume;
    }
    volume.combined = bytes - part;
    volume.remote = dti_is_shard(to) ? bytes - part : 2 * (bytes - part);
    volume.messages = ranks - 1;
    return volume;
}

/* All-reduces of as much as there is in results without the factor that is cut.
 */
static dti_volume volume_of_numbers(const dti_propagation *at,
                                    const dti_candidate *candidate, int ranks)
{
    const dti_question *q = &at->question;
    const dt_factor *factor = &q->factors->factors[candidate->factor];
    const dt_placement from = dt_partial(DT_SUM), to = dt_replicate();
    int64_t bytes = 0;
    for (int i = 0; i < q->operation->result_count; i++) {
        const dt_meta *result = &q->operation->results[i];
        const int64_t size = dt_shape_count(result->shape) *
                             (int64_t)dt_dtype_size(result->dtype);
        bytes += dti_candidate_has(q, i, candidate->factor) && factor->size
                     ? size / factor->size
                     : size;
    }
    return volume_of(&from, &to, bytes, ranks, false);
}

/* An exchange of all inputs: what is cut in one way is cut in another. */
static dti_volume volume_of_elements(const dti_propagation *at,
                                     const dti_proposal *chosen, int mesh_dim,
                                     int ranks)
{
    const dti_question *q = &at->question;
    const dt_placement from = dt_shard(0), to = dt_shard(1);
    int64_t bytes = 0;
    for (int i = 0; i < q->operation->input_count; i++)
        if (q->operation->metas[i])
            bytes += bytes_along(at, chosen, mesh_dim, i);
    return volume_of(&from, &to, bytes, ranks, false);
}

/* What the kernel sends where it talks. */
static double talking_of(const dti_propagation *at, const dti_proposal *chosen,
                         const dti_candidate *candidate, int mesh_dim)
{
    const dti_question *q = &at->question;
    const dt_factor *factor = NULL;
    const int size = q->mesh->dims.sizes[mesh_dim], ranks = size > 1 ? size : 2;
    if (candidate->kind == DTI_CUT)
        factor = &q->factors->factors[candidate->factor];
    if (!factor || factor->kind != DT_FACTOR_INSIDE)
        return 0;
    dti_volume volume = factor->exchanges
                            ? volume_of_elements(at, chosen, mesh_dim, ranks)
                            : volume_of_numbers(at, candidate, ranks);
    volume.dims = 1u << mesh_dim;
    const dti_costs *costs = dti_costs_of_world(q->mesh->world);
    return (factor->calls ? factor->calls : 1) *
           dti_cost_of(costs, q->mesh, &volume);
}

void dti_candidate_price(const dti_propagation *at, const dti_proposal *chosen,
                         int mesh_dim, const dti_candidate *candidate,
                         dti_proposal *to)
{
    const dti_question *q = &at->question;
    const dti_costs *costs = dti_costs_of_world(q->mesh->world);
    int ranks = q->mesh->dims.sizes[mesh_dim];
    double weight = ranks > 1 ? 1 : WEIGHT_OF_ONE;
    /* What is copied shares no memory with the view. */
    const bool view = q->operation->op->flags & DT_OP_VIEW;
    for (int i = 0; i < q->operation->input_count; i++) {
        const dt_placement *from = &q->layouts[i].placements[mesh_dim];
        if (!q->operation->metas[i])
            continue;
        dt_placement want =
            dti_candidate_wish(at, chosen, mesh_dim, candidate, i);
        if (dt_placement_equal(*from, want))
            continue;
        if (dti_is_unread(q, i)) {
            to->astray++;
            continue;
        }
        to->changed++;
        dti_volume volume =
            volume_of(from, &want, bytes_along(at, chosen, mesh_dim, i),
                      ranks > 1 ? ranks : 2, view);
        volume.dims = 1u << mesh_dim;
        if (volume.messages || volume.local)
            to->seconds += weight * dti_cost_of(costs, q->mesh, &volume);
    }
    to->talking += weight * talking_of(at, chosen, candidate, mesh_dim);
    if (q->operation->result_count) {
        dt_placement out =
            dti_candidate_out(at, chosen, mesh_dim, candidate, 0);
        to->partial += dti_is_partial(&out);
    }
}

/* ---- Proposals ---------------------------------------------------------- */

double dti_proposal_cost(const dti_proposal *proposal)
{
    return proposal->seconds > 0 ? proposal->seconds + proposal->talking : 0;
}

/* Less sent, then nearer to what is not read, then less changed, then fewer
 * partial results. */
static bool is_better(const dti_proposal *a, const dti_proposal *b)
{
    const double one = dti_proposal_cost(a), other = dti_proposal_cost(b);
    if (one != other)
        return one < other;
    if (a->astray != b->astray)
        return a->astray < b->astray;
    if (a->changed != b->changed)
        return a->changed < b->changed;
    return a->partial < b->partial;
}

/* Put a proposal where it belongs among the best; equal ones stay in order. */
static void insert(dti_proposal *best, int *count, const dti_proposal *one)
{
    int place = *count;
    while (place > 0 && is_better(one, &best[place - 1]))
        place--;
    if (place == DTI_PROPOSALS)
        return;
    if (*count < DTI_PROPOSALS)
        (*count)++;
    for (int i = *count - 1; i > place; i--)
        best[i] = best[i - 1];
    best[place] = *one;
}

/* Go on with every proposal by every candidate of the next mesh dimension. */
static void extend(dti_propagation *at, int mesh_dim)
{
    dti_proposal best[DTI_PROPOSALS];
    int count = 0;
    for (int p = 0; p < at->proposal_count; p++)
        for (int c = 0; c < at->counts[mesh_dim]; c++) {
            dti_proposal next = at->proposals[p];
            next.choice[mesh_dim] = c;
            const dti_candidate *candidate = &at->candidates[mesh_dim][c];
            if (dti_candidate_misfit(at, &next, mesh_dim, candidate))
                continue;
            dti_candidate_price(at, &next, mesh_dim, candidate, &next);
            insert(best, &count, &next);
        }
    memcpy(at->proposals, best, sizeof *best * (size_t)count);
    at->proposal_count = count;
}

void dti_propagate(const dti_question *question, dti_propagation *out)
{
    out->question = *question;
    out->proposal_count = 1;
    memset(&out->proposals[0], 0, sizeof out->proposals[0]);
    for (int i = 0; i < question->mesh->dims.ndim; i++) {
        dti_candidates_list(question, i, out->candidates[i], &out->counts[i]);
        extend(out, i);
    }
}

/* ---- Layouts ------------------------------------------------------------ */

/* The mesh dimensions that cut a factor, from left to right. */
static int cutters(const dti_propagation *at, const dti_proposal *proposal,
                   int factor, int *out)
{
    int count = 0;
    for (int i = 0; i < at->question.mesh->dims.ndim; i++) {
        const dti_candidate *taken = &at->candidates[i][proposal->choice[i]];
        if (taken->kind == DTI_CUT && taken->factor == factor)
            out[count++] = i;
    }
    return count;
}

/* The factor that all cuts of a dimension cut, plainly; -1 if they differ. */
static int common_factor(const dti_propagation *at,
                         const dti_proposal *proposal, const dt_layout *layout,
                         const int *dims, int count)
{
    int factor = -1;
    for (int i = 0; i < count; i++) {
        const dti_candidate *taken =
            &at->candidates[dims[i]][proposal->choice[dims[i]]];
        if (layout->placements[dims[i]].kind != DT_SHARD ||
            (factor >= 0 && taken->factor != factor))
            return -1;
        factor = taken->factor;
    }
    return factor;
}

static unsigned bits_of(const int *list, int count)
{
    unsigned bits = 0;
    for (int i = 0; i < count; i++)
        bits |= 1u << list[i];
    return bits;
}

static bool is_cut_evenly(const dti_propagation *at,
                          const dti_proposal *proposal, int factor)
{
    int dims[DT_MAX_NDIM];
    int64_t parts = 1;
    const int count = cutters(at, proposal, factor, dims);
    for (int i = 0; i < count; i++)
        parts *= at->question.mesh->dims.sizes[dims[i]];
    return at->question.factors->factors[factor].size % parts == 0;
}

/* Tell whether a dimension that has a factor among others can only be cut from
 * left to right: strided shards have no order, other factors may be cut in
 * between, and uneven shards are not of the same rows in another order. */
static bool dim_fixes_order(const dti_propagation *at,
                            const dti_proposal *proposal,
                            const dt_factor_dim *dim, int factor)
{
    int dims[DT_MAX_NDIM];
    bool has = false, others = false;
    for (int i = 0; i < dim->count; i++) {
        if (dim->factors[i] == factor)
            has = true;
        else
            others |= cutters(at, proposal, dim->factors[i], dims) > 0;
    }
    return has && (others || dim->factors[0] != factor ||
                   (dim->count > 1 && !is_cut_evenly(at, proposal, factor)));
}

static bool map_fixes_order(const dti_propagation *at,
                            const dti_proposal *proposal,
                            const dt_factor_map *map, int factor)
{
    for (int d = 0; d < DT_MAX_NDIM; d++)
        if (dim_fixes_order(at, proposal, &map->dims[d], factor))
            return true;
    return false;
}

static bool is_order_fixed(const dti_propagation *at,
                           const dti_proposal *proposal, int factor)
{
    const dt_factors *factors = at->question.factors;
    for (int i = 0; i < factors->in_count; i++)
        if (map_fixes_order(at, proposal, &factors->in[i], factor))
            return true;
    for (int i = 0; i < factors->out_count; i++)
        if (map_fixes_order(at, proposal, &factors->out[i], factor))
            return true;
    return false;
}

/*
 * The order in which mesh dimensions cut a factor: that of the first input of
 * which they all cut a dimension that is this factor, so that it need not move.
 */
static void order_of(const dti_propagation *at, const dti_proposal *proposal,
                     int factor, int *dims, int count)
{
    const dti_question *q = &at->question;
    int cuts[DT_MAX_NDIM];
    if (is_order_fixed(at, proposal, factor))
        return;
    for (int i = 0; i < q->operation->input_count; i++) {
        const dt_meta *meta = q->operation->metas[i];
        const dt_factor_map *map = dti_map_in(q->factors, i);
        for (int d = 0; meta && d < meta->shape.ndim; d++) {
            if (map->dims[d].count == 0 || map->dims[d].factors[0] != factor)
                continue;
            int found = dti_layout_cuts(&q->layouts[i], d, cuts);
            if (found == count && bits_of(cuts, found) == bits_of(dims, count))
                memcpy(dims, cuts, sizeof *cuts * (size_t)count);
            else
                continue;
            return;
        }
    }
}

/* Let each dimension be cut in the order that its factor has. */
static void set_orders(const dti_propagation *at, const dti_proposal *proposal,
                       int ndim, dt_layout *layout)
{
    int dims[DT_MAX_NDIM], chain[DT_MAX_NDIM];
    dti_layout_default_order(layout);
    for (int d = 0; d < ndim; d++) {
        int count = dti_layout_shards(layout, d, dims);
        int factor = common_factor(at, proposal, layout, dims, count);
        if (count < 2 || factor < 0)
            continue;
        if (cutters(at, proposal, factor, chain) != count)
            continue;
        order_of(at, proposal, factor, chain, count);
        for (int i = 0; i < count; i++)
            layout->order[chain[i]] = i;
    }
}

dt_layout dti_proposal_in(const dti_propagation *at,
                          const dti_proposal *proposal, int input)
{
    const dti_question *q = &at->question;
    dt_layout layout = {.ndim = q->mesh->dims.ndim};
    if (dti_is_unread(q, input))
        return q->layouts[input];
    for (int i = 0; i < layout.ndim; i++)
        layout.placements[i] = dti_candidate_in(
            at, proposal, i, &at->candidates[i][proposal->choice[i]], input);
    set_orders(at, proposal, q->operation->metas[input]->shape.ndim, &layout);
    return layout;
}

dt_layout dti_proposal_out(const dti_propagation *at,
                           const dti_proposal *proposal, int result)
{
    const dti_question *q = &at->question;
    dt_layout layout = {.ndim = q->mesh->dims.ndim};
    for (int i = 0; i < layout.ndim; i++)
        layout.placements[i] = dti_candidate_out(
            at, proposal, i, &at->candidates[i][proposal->choice[i]], result);
    set_orders(at, proposal, q->operation->results[result].shape.ndim, &layout);
    return layout;
}
