/* redistribute/search.c - the cheapest way from one layout to another. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "redistribute/plan.h"

/*
 * A* (Hart, Nilsson and Raphael 1968) over layouts with their orders.  What is
 * still to be paid is guessed as what some rank still has to receive, at the
 * price of a byte: no step gives a rank more than it is charged for, so the
 * guess is never too high, and what is found first is cheapest.
 *
 * From every layout whose partial values are those of the target, one edge
 * leads straight there.  So there is always a way, and the search only looks at
 * layouts from which a cheaper one could follow.
 */

typedef struct node {
    dt_layout layout;
    uint64_t hash;
    dti_holdings holdings;
    dt_step_kind kind; /* of the step that leads here */
    dti_volume volume;
    double cost;  /* from the source to here */
    double guess; /* of the whole way through here */
    int parent;
    bool done;
} node;

/*
 * What the search may take; beyond, it goes on without new layouts but those of
 * the target.  With many mesh dimensions there are more layouts than time to
 * look at them.
 */
#define MAX_NODES 2000
#define MAX_BYTES ((size_t)64 << 20)
#define TABLE_SIZE 4096 /* a power of two, more than the nodes */

typedef struct search {
    const dti_planning *at;
    node *nodes;
    int count;
    int capacity;
    dti_prices lowest;
    double limit;          /* what the target costs so far */
    int goal;              /* -1 until it is reached */
    size_t bytes;          /* of what nodes hold */
    int table[TABLE_SIZE]; /* nodes by hash, and 1: open addressing; 0: free */
} search;

/* ---- Nodes -------------------------------------------------------------- */

/* The cell of a layout, or the free one where it would go. */
static int *find_cell(search *s, const dt_layout *layout, uint64_t hash)
{
    size_t i = (size_t)hash % TABLE_SIZE;
    for (;; i = (i + 1) % TABLE_SIZE) {
        const node *n = s->table[i] ? &s->nodes[s->table[i] - 1] : NULL;
        if (!n || (n->hash == hash && dt_layout_equal(&n->layout, layout)))
            return &s->table[i];
    }
}

/* Tell whether all partial values are as the target has them. */
static bool is_combined(const search *s, const dt_layout *layout)
{
    for (int i = 0; i < layout->ndim; i++)
        if (dti_is_partial(&layout->placements[i]) &&
            !dt_placement_equal(layout->placements[i], s->at->to.placements[i]))
            return false;
    return true;
}

static bool is_sum(const dt_placement *placement)
{
    return placement->kind == DT_PARTIAL && placement->op == DT_SUM;
}

/* Tell whether some values are still to become parts of a sum: they can stay
 * where they are. */
static bool makes_sum(const search *s, const dt_layout *layout)
{
    for (int i = 0; i < layout->ndim; i++) {
        const dt_placement *wanted = &s->at->to.placements[i];
        if (is_sum(wanted) &&
            !dt_placement_equal(layout->placements[i], *wanted))
            return true;
    }
    return false;
}

/* What is at least still to be paid. */
static double guess_rest(const search *s, const node *n)
{
    const dti_planning *at = s->at;
    if (makes_sum(s, &n->layout))
        return 0;
    int64_t missing =
        is_combined(s, &n->layout)
            ? dti_holdings_missing(&at->space, &n->holdings, &at->target)
            : at->target.largest;
    double bytes = (double)(missing * at->space.item);
    double fetched = is_combined(s, &n->layout) ? bytes : bytes / 2;
    if (at->objective == DT_OBJECTIVE_BYTES || missing == 0)
        return at->objective == DT_OBJECTIVE_BYTES ? bytes : 0;
    return s->lowest.call + s->lowest.message + s->lowest.remote * fetched;
}

/* Bytes decide; among equal ones, time does. */
static double price(const search *s, const dti_volume *volume)
{
    double seconds = dti_cost_of(s->at->costs, s->at->space.mesh, volume);
    if (s->at->objective == DT_OBJECTIVE_TIME)
        return seconds;
    return (double)volume->remote + seconds * 1e-3;
}

static dt_status grow(search *s)
{
    int capacity = s->capacity ? 2 * s->capacity : 32;
    size_t bytes = (size_t)capacity * sizeof *s->nodes;
    node *nodes = realloc(s->nodes, bytes);
    if (!nodes)
        return dti_fail_memory(s->at->world, bytes, "a plan");
    s->nodes = nodes;
    s->capacity = capacity;
    return DT_OK;
}

static bool is_goal(const search *s, const dt_layout *layout)
{
    return dt_layout_equal(layout, &s->at->to);
}

/* Give a layout a node, with what ranks have in it. */
static dt_status add_node(search *s, const dt_layout *layout, uint64_t hash,
                          int *out)
{
    if (s->count == s->capacity)
        DTI_TRY(grow(s));
    node *n = &s->nodes[s->count];
    *n = (node){.layout = *layout, .hash = hash, .cost = -1, .parent = -1};
    DTI_TRY(dti_holdings_set(&n->holdings, &s->at->space, layout));
    s->bytes += dti_holdings_bytes(&n->holdings, &s->at->space);
    *find_cell(s, layout, hash) = s->count + 1;
    *out = s->count++;
    return DT_OK;
}

/* Tell whether a layout is the target but for partial values that are made in
 * place: it takes no memory of its own. */
static bool is_value_of_goal(const search *s, const dt_layout *layout)
{
    dt_layout made = *layout;
    for (int i = 0; i < made.ndim; i++)
        if (made.placements[i].kind == DT_REPLICATE &&
            dti_is_partial(&s->at->to.placements[i]))
            made.placements[i] = s->at->to.placements[i];
    return is_goal(s, &made);
}

/* Tell whether a step takes more than it may beside source and target: there
 * is what it starts from and what it makes, and until that is the target, room
 * for it. */
static bool needs_too_much(const search *s, const node *a, const node *b,
                           dt_step_kind kind)
{
    bool arrives = is_value_of_goal(s, &b->layout);
    bool in_place = dti_step_is_in_place(kind, &a->layout, &b->layout);
    int64_t held = 0;
    if (a->parent >= 0 && !in_place)
        held += a->holdings.largest;
    if (!arrives)
        held += b->holdings.largest - s->at->target.largest;
    return held > s->at->limit;
}

/* ---- Steps -------------------------------------------------------------- */

/* Tell whether all partial values may be combined in any order. */
static bool is_orderless(const dt_layout *layout)
{
    const dt_placement *first = NULL;
    for (int i = 0; i < layout->ndim; i++) {
        const dt_placement *p = &layout->placements[i];
        if (!dti_is_partial(p))
            continue;
        if (first && !dti_partials_mix(first, p))
            return false;
        first = p;
    }
    return true;
}

/* Consider a step from a node to a layout. */
static dt_status offer(search *s, int from, const dt_layout *layout,
                       dt_step_kind kind)
{
    bool makes = kind == DT_STEP_MAKE_PARTIAL ||
                 dti_layouts_parted(&s->nodes[from].layout, layout);
    if (makes && !is_orderless(layout))
        return DT_OK;
    uint64_t hash = dti_layout_hash(0, layout);
    int to = *find_cell(s, layout, hash) - 1;
    bool full = s->count >= MAX_NODES || s->bytes > MAX_BYTES;
    if (to < 0 && full && !is_value_of_goal(s, layout))
        return DT_OK;
    if (to < 0)
        DTI_TRY(add_node(s, layout, hash, &to));
    node *a = &s->nodes[from], *b = &s->nodes[to];
    if (b->done || needs_too_much(s, a, b, kind))
        return DT_OK;
    dti_volume volume = dti_step_volume(s->at, kind, a->parent >= 0,
                                        (dti_stage){&a->layout, &a->holdings},
                                        (dti_stage){layout, &b->holdings});
    double cost = a->cost + price(s, &volume);
    if (b->parent >= 0 && cost >= b->cost)
        return DT_OK;
    b->parent = from;
    b->kind = kind;
    b->volume = volume;
    b->cost = cost;
    b->guess = cost + guess_rest(s, b);
    if (is_goal(s, layout) && cost < s->limit)
        s->limit = cost;
    return DT_OK;
}

/* Tell whether all values that are still to become partial become sums. */
static bool makes_only_sums(const search *s, const dt_layout *here)
{
    for (int i = 0; i < here->ndim; i++)
        if (dti_is_partial(&s->at->to.placements[i]) &&
            !dti_is_partial(&here->placements[i]) &&
            !is_sum(&s->at->to.placements[i]))
            return false;
    return true;
}

/* The target before its values are made partial. */
static dt_layout value_of_goal(const search *s, const dt_layout *here)
{
    dt_layout there = s->at->to;
    for (int i = 0; i < there.ndim; i++)
        if (dti_is_partial(&there.placements[i]) &&
            !dti_is_partial(&here->placements[i]))
            there.placements[i] = dt_replicate();
    return there;
}

/* Straight to the target; partial values that it has are made afterwards. */
static dt_status offer_direct(search *s, int from)
{
    const dt_layout here = s->nodes[from].layout;
    const dt_layout there = value_of_goal(s, &here);
    if (!is_combined(s, &here) || dt_layout_equal(&there, &here))
        return DT_OK;
    return offer(s, from, &there, dti_move_kind(s->at, &here, &there));
}

/* Straight to the target, where values become parts of sums on the way. */
static dt_status offer_sums(search *s, int from)
{
    const dt_layout here = s->nodes[from].layout;
    const dt_layout *to = &s->at->to;
    if (!is_combined(s, &here) || !makes_only_sums(s, &here) ||
        !dti_layouts_parted(&here, to))
        return DT_OK;
    return offer(s, from, to, dti_move_kind(s->at, &here, to));
}

/* A cut is undone, or becomes one of another dimension. */
static dt_status offer_uncut(search *s, int from, int mesh_dim)
{
    dt_layout here = s->nodes[from].layout;
    const dt_placement was = here.placements[mesh_dim];
    if (!dti_layout_is_last(&here, mesh_dim))
        return DT_OK;
    dti_layout_uncut(&here, mesh_dim);
    DTI_TRY(offer(s, from, &here, DT_STEP_ALL_GATHER));
    for (int dim = 0; dim < s->at->space.shape.ndim; dim++) {
        dt_layout there = here;
        dt_placement as = dt_shard(dim);
        if (dim == was.dim)
            continue;
        dti_layout_cut(&there, mesh_dim, &as);
        DTI_TRY(offer(s, from, &there, DT_STEP_ALL_TO_ALL));
    }
    const dt_placement *wanted = &s->at->to.placements[mesh_dim];
    if (!is_sum(wanted))
        return DT_OK;
    here.placements[mesh_dim] = *wanted;
    return offer(s, from, &here, DT_STEP_MAKE_PARTIAL);
}

/* Offer steps to layouts that have one cut more than the one given, of a mesh
 * dimension that is not to be replicated: who combines takes only what it
 * keeps. */
static dt_status offer_with_cut(search *s, int from, const dt_layout *there)
{
    for (int i = 0; i < there->ndim; i++) {
        if (s->nodes[from].layout.placements[i].kind != DT_REPLICATE ||
            there->placements[i].kind != DT_REPLICATE ||
            s->at->to.placements[i].kind == DT_REPLICATE)
            continue;
        for (int dim = 0; dim < s->at->space.shape.ndim; dim++) {
            dt_layout cut = *there;
            dt_placement as = dt_shard(dim);
            dti_layout_cut(&cut, i, &as);
            DTI_TRY(offer(s, from, &cut, DT_STEP_REDUCE_SCATTER));
        }
    }
    return DT_OK;
}

/* Offer a step, and if it combines those that cut as well. */
static dt_status offer_and_cut(search *s, int from, const dt_layout *there,
                               dt_step_kind kind)
{
    DTI_TRY(offer(s, from, there, kind));
    return kind == DT_STEP_REDUCE_SCATTER ? offer_with_cut(s, from, there)
                                          : DT_OK;
}

/* A mesh dimension that does not cut cuts some dimension last: what is
 * replicated is sliced, what is partial is reduced and scattered. */
static dt_status offer_cut(search *s, int from, int mesh_dim, dt_step_kind kind)
{
    const dt_placement *wanted = &s->at->to.placements[mesh_dim];
    dt_layout there;
    for (int dim = 0; dim < s->at->space.shape.ndim; dim++) {
        dt_placement as = dt_shard(dim);
        there = s->nodes[from].layout;
        dti_layout_cut(&there, mesh_dim, &as);
        DTI_TRY(offer_and_cut(s, from, &there, kind));
    }
    if (wanted->kind != DT_STRIDED_SHARD)
        return DT_OK;
    there = s->nodes[from].layout;
    dti_layout_cut(&there, mesh_dim, wanted);
    return offer_and_cut(s, from, &there, kind);
}

/* What is replicated becomes partial wherever it is to be, at once. */
static dt_status offer_partial(search *s, int from)
{
    dt_layout there = s->nodes[from].layout;
    bool any = false;
    for (int i = 0; i < there.ndim; i++)
        if (there.placements[i].kind == DT_REPLICATE &&
            dti_is_partial(&s->at->to.placements[i])) {
            there.placements[i] = s->at->to.placements[i];
            any = true;
        }
    return any ? offer(s, from, &there, DT_STEP_MAKE_PARTIAL) : DT_OK;
}

/* ---- Several mesh dimensions at once ------------------------------------ */

/* Tell whether all of some mesh dimensions are partial in one way that the
 * target does not have.  Sums and averages are one: what is summed along all
 * of them is divided by the ranks of the averages. */
static bool can_combine(const search *s, const dt_layout *here, unsigned dims)
{
    const dt_placement *first = NULL;
    for (int i = 0; i < here->ndim; i++) {
        const dt_placement *p = &here->placements[i];
        if (!(dims >> i & 1))
            continue;
        if (!dti_is_partial(p) ||
            dt_placement_equal(*p, s->at->to.placements[i]))
            return false;
        if (first && first->op != p->op &&
            !(s->at->divides && dti_partials_mix(first, p)))
            return false;
        first = p;
    }
    return true;
}

/* Replicate partial mesh dimensions; false if that takes more than a step. */
static bool combine(const search *s, dt_layout *layout, unsigned dims)
{
    if (!can_combine(s, layout, dims))
        return false;
    for (int i = 0; i < layout->ndim; i++)
        if (dims >> i & 1)
            layout->placements[i] = dt_replicate();
    return true;
}

static dt_status offer_combined(search *s, int from, unsigned dims, bool all)
{
    dt_layout there = s->nodes[from].layout;
    if (!combine(s, &there, dims))
        return DT_OK;
    DTI_TRY(offer(s, from, &there, DT_STEP_ALL_REDUCE));
    return all ? offer_with_cut(s, from, &there) : DT_OK;
}

/* Let mesh dimensions that do not cut do so as in the target, in its order;
 * false if it has other placements there. */
static bool cut_as_target(const search *s, unsigned dims, dt_layout *there)
{
    const dt_layout *to = &s->at->to;
    for (int i = 0; i < to->ndim; i++)
        if (dims >> i & 1 && !dti_is_shard(&to->placements[i]))
            return false;
    for (int turn = 0; turn < to->ndim; turn++)
        for (int i = 0; i < to->ndim; i++)
            if (dims >> i & 1 && to->order[i] == turn)
                dti_layout_cut(there, i, &to->placements[i]);
    return true;
}

/* The most ways to scatter over several tensor dimensions that are looked at.
 */
#define MAX_WAYS 64

/* How often mesh dimensions can choose among tensor dimensions; the number of
 * tensor dimensions if that is too often: then all choose the same. */
static int count_ways(const search *s, unsigned dims)
{
    int ndim = s->at->space.shape.ndim, ways = 1;
    for (; dims; dims &= dims - 1)
        if ((ways *= ndim) > MAX_WAYS)
            return ndim;
    return ways;
}

/* Let mesh dimensions that do not cut do so in one of those ways; first those
 * that do the same in the target. */
static void cut_in_way(const search *s, unsigned dims, int way,
                       dt_layout *there)
{
    const dt_layout *to = &s->at->to;
    int ndim = s->at->space.shape.ndim, rest = way;
    bool same = count_ways(s, dims) == ndim;
    dt_placement as[DT_MAX_NDIM];
    for (int i = 0; i < to->ndim; i++) {
        as[i] = dt_shard(same ? way : rest % ndim);
        if (dims >> i & 1)
            rest /= ndim;
    }
    for (int turn = 0; turn <= to->ndim; turn++)
        for (int i = 0; i < to->ndim; i++)
            if (dims >> i & 1 && dt_placement_equal(to->placements[i], as[i])
                    ? to->order[i] == turn
                    : dims >> i & 1 && turn == to->ndim)
                dti_layout_cut(there, i, &as[i]);
}

/* Several partial mesh dimensions become the cuts that the target has there; or
 * they cut other tensor dimensions, for some to be undone later. */
static dt_status offer_scattered(search *s, int from, unsigned dims, bool all)
{
    dt_layout here = s->nodes[from].layout;
    if (!combine(s, &here, dims))
        return DT_OK;
    dt_layout there = here;
    if (cut_as_target(s, dims, &there))
        DTI_TRY(offer(s, from, &there, DT_STEP_REDUCE_SCATTER));
    for (int way = 0; all && way < count_ways(s, dims); way++) {
        there = here;
        cut_in_way(s, dims, way, &there);
        DTI_TRY(offer_and_cut(s, from, &there, DT_STEP_REDUCE_SCATTER));
    }
    return DT_OK;
}

/* Partial values are combined and, if all that is left are cuts, each rank
 * takes only what it has in the target. */
static dt_status offer_sliced(search *s, int from, unsigned dims)
{
    dt_layout here = s->nodes[from].layout;
    if (!can_combine(s, &here, dims))
        return DT_OK;
    for (int i = 0; i < here.ndim; i++)
        if (dims >> i & 1)
            here.placements[i] = dt_replicate();
    const dt_layout there = value_of_goal(s, &here);
    const dti_space *space = &s->at->space;
    if (!is_combined(s, &here) || dt_layout_equal(&here, &there) ||
        dti_layouts_apart(space->mesh, &here, &there, space->shape.ndim))
        return DT_OK;
    return offer(s, from, &there, DT_STEP_REDUCE_SCATTER);
}

/* Cuts of several mesh dimensions are undone, the last ones first. */
static dt_status offer_gathered(search *s, int from, unsigned dims)
{
    dt_layout there = s->nodes[from].layout;
    unsigned left = dims;
    for (int round = 0; left && round < there.ndim; round++)
        for (int i = 0; i < there.ndim; i++)
            if (left >> i & 1 && dti_is_shard(&there.placements[i]) &&
                dti_layout_is_last(&there, i)) {
                dti_layout_uncut(&there, i);
                left &= ~(1u << i);
            }
    return left ? DT_OK : offer(s, from, &there, DT_STEP_ALL_GATHER);
}

/* Cuts of mesh dimensions become those that the target has there. */
static dt_status offer_turned(search *s, int from, unsigned dims)
{
    const dt_layout here = s->nodes[from].layout;
    dt_layout there = here;
    for (int i = 0; i < there.ndim; i++)
        if (dims >> i & 1) {
            if (!dti_is_shard(&there.placements[i]))
                return DT_OK;
            dti_layout_uncut(&there, i);
        }
    if (!cut_as_target(s, dims, &there) || dt_layout_equal(&here, &there))
        return DT_OK;
    return offer(s, from, &there, dti_move_kind(s->at, &here, &there));
}

static dt_status offer_merged(search *s, int from)
{
    int ndim = s->at->from.ndim;
    for (unsigned dims = 1; dims < 1u << ndim; dims++) {
        bool several = dims & (dims - 1);
        DTI_TRY(offer_combined(s, from, dims, true));
        DTI_TRY(offer_sliced(s, from, dims));
        DTI_TRY(offer_turned(s, from, dims));
        if (!several)
            continue;
        DTI_TRY(offer_scattered(s, from, dims, true));
        DTI_TRY(offer_gathered(s, from, dims));
    }
    return DT_OK;
}

/* ---- The search --------------------------------------------------------- */

static dt_status expand(search *s, int from)
{
    DTI_TRY(offer_direct(s, from));
    DTI_TRY(offer_sums(s, from));
    DTI_TRY(offer_partial(s, from));
    DTI_TRY(offer_merged(s, from));
    for (int i = 0; i < s->at->from.ndim; i++) {
        const dt_placement p = s->nodes[from].layout.placements[i];
        if (s->at->space.mesh->dims.sizes[i] == 1)
            continue;
        if (dti_is_shard(&p))
            DTI_TRY(offer_uncut(s, from, i));
        else if (p.kind == DT_REPLICATE)
            DTI_TRY(offer_cut(s, from, i, DT_STEP_SLICE));
        else if (!dt_placement_equal(p, s->at->to.placements[i]))
            DTI_TRY(offer_cut(s, from, i, DT_STEP_REDUCE_SCATTER));
    }
    return DT_OK;
}

/* Only what cannot be done in one go: partial values are combined first. */
static dt_status expand_direct(search *s, int from)
{
    DTI_TRY(offer_direct(s, from));
    DTI_TRY(offer_partial(s, from));
    for (unsigned dims = 1; dims < 1u << s->at->to.ndim; dims++) {
        DTI_TRY(offer_combined(s, from, dims, false));
        DTI_TRY(offer_scattered(s, from, dims, false));
    }
    return DT_OK;
}

/* The node that may lead to the cheapest way; -1 if there is none left. */
static int choose(const search *s)
{
    int best = -1;
    for (int i = 0; i < s->count; i++) {
        const node *n = &s->nodes[i];
        if (n->done || n->cost < 0 || n->guess > s->limit)
            continue;
        if (best < 0 || n->guess < s->nodes[best].guess)
            best = i;
    }
    return best;
}

static dt_status run(search *s)
{
    int start;
    DTI_TRY(
        add_node(s, &s->at->from, dti_layout_hash(0, &s->at->from), &start));
    s->nodes[start].cost = 0;
    for (int i; (i = choose(s)) >= 0;) {
        s->nodes[i].done = true;
        if (is_goal(s, &s->nodes[i].layout)) {
            s->goal = i;
            return DT_OK;
        }
        if (s->at->planner == DT_PLANNER_DIRECT)
            DTI_TRY(expand_direct(s, i));
        else
            DTI_TRY(expand(s, i));
    }
    return DT_OK;
}

/* Write down the steps that lead to the goal. */
static dt_status trace_back(const search *s, dt_plan_step *out, int *count)
{
    int length = 0;
    for (int i = s->goal; s->nodes[i].parent >= 0; i = s->nodes[i].parent)
        length++;
    if (length > DTI_MAX_STEPS)
        return dti_fail(s->at->world, DT_ERR_UNSUPPORTED, "a plan of %d steps",
                        length);
    *count = length;
    for (int i = s->goal; s->nodes[i].parent >= 0; i = s->nodes[i].parent) {
        const node *n = &s->nodes[i];
        out[--length] =
            dti_step_make(s->at, n->kind, &s->nodes[n->parent].layout,
                          &n->layout, &n->volume);
    }
    return DT_OK;
}

static dt_status refuse(const dti_planning *at)
{
    return dti_fail(at->world, DT_ERR_UNSUPPORTED,
                    "no plan from %s to %s needs at most %" PRId64
                    " elements of temporary memory; raise memory_cap",
                    dti_layout_show(&at->from).text,
                    dti_layout_show(&at->to).text, at->limit);
}

static void reset(search *s)
{
    for (int i = 0; i < s->count; i++)
        dti_holdings_free(&s->nodes[i].holdings);
    s->count = 0;
    s->bytes = 0;
    s->limit = 1e300;
    s->goal = -1;
    memset(s->table, 0, sizeof s->table);
}

/* Without a cap of the user's, what cannot be done within the usual memory is
 * done with more. */
static dt_status run_with_limits(search *s, dti_planning *at)
{
    reset(s);
    DTI_TRY(run(s));
    if (s->goal >= 0)
        return DT_OK;
    if (at->capped)
        return refuse(at);
    at->limit = INT64_MAX;
    reset(s);
    DTI_TRY(run(s));
    return s->goal >= 0 ? DT_OK : refuse(at);
}

dt_status dti_plan_search(const dti_planning *given, dt_plan_step *out,
                          int *count)
{
    dti_planning at = *given;
    search *s = calloc(1, sizeof *s);
    if (!s)
        return dti_fail_memory(at.world, sizeof *s, "a plan");
    s->at = &at;
    s->lowest = dti_costs_lowest(at.costs);
    dt_status status = run_with_limits(s, &at);
    if (status == DT_OK)
        status = trace_back(s, out, count);
    reset(s);
    free(s->nodes);
    free(s);
    return status;
}
