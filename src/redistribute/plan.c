/* redistribute/plan.c - plans: making, keeping, reading. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "redistribute/plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/handles.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/options.h"
#include "comm/comm.h"
#include "kernel/reduce/reduce.h"

/* ---- Bounds ------------------------------------------------------------- */

/* Ranks along the mesh dimensions that are partial in `a`; `same` says whether
 * those count that are so in `b` too, or the others. */
static int64_t partial_ranks(const dti_planning *at, const dt_layout *a,
                             const dt_layout *b, bool same)
{
    unsigned dims = 0;
    for (int i = 0; i < a->ndim; i++)
        if (dti_is_partial(&a->placements[i]) &&
            dt_placement_equal(a->placements[i], b->placements[i]) == same)
            dims |= 1u << i;
    return dti_mesh_ranks_along(at->space.mesh, dims);
}

/* Ranks that have an element in a layout. */
static int64_t holders(const dti_planning *at, const dt_layout *layout)
{
    unsigned dims = 0;
    for (int i = 0; i < layout->ndim; i++)
        if (!dti_is_shard(&layout->placements[i]))
            dims |= 1u << i;
    return dti_mesh_ranks_along(at->space.mesh, dims);
}

/*
 * The fewest elements that some rank has to receive.  Without partial values,
 * what it lacks.  Where values of p ranks are combined, something for every
 * element of its part; and p - 1 of each element have to meet, and the value
 * has to come to all who have it but one: divided among all ranks.  Values that
 * become partial can stay where they are.
 */
static int64_t lower_bound(const dti_planning *at)
{
    int64_t combined = partial_ranks(at, &at->from, &at->to, false);
    int64_t kept = partial_ranks(at, &at->from, &at->to, true);
    int64_t ranks = at->space.mesh->places->count;
    int64_t count = dt_shape_count(at->space.shape);
    if (partial_ranks(at, &at->to, &at->from, false) > 1)
        return 0;
    if (combined == 1)
        return dti_holdings_missing(&at->space, &at->source, &at->target);
    int64_t each = kept * (combined - 2) + holders(at, &at->to);
    int64_t share = count / ranks * each + count % ranks * each / ranks;
    return share > at->target.largest ? share : at->target.largest;
}

/* ---- Making ------------------------------------------------------------- */

static dt_status open_planning(dti_planning *at, const dt_plan *plan)
{
    *at = (dti_planning){.world = plan->from->mesh->world,
                         .objective = plan->objective,
                         .planner = plan->planner,
                         .costs = plan->costs};
    at->divides = dti_reduce_divides(plan->from->meta.dtype);
    at->from = dti_layout_without_ones(plan->from->mesh, &plan->from->layout);
    at->to = dti_layout_without_ones(plan->from->mesh, &plan->to->layout);
    DTI_TRY(dti_space_open(&at->space, plan->from));
    DTI_TRY(dti_holdings_set(&at->source, &at->space, &at->from));
    DTI_TRY(dti_holdings_set(&at->target, &at->space, &at->to));
    at->limit = at->source.largest > at->target.largest ? at->source.largest
                                                        : at->target.largest;
    /* It combines sums and averages one after the other, and cannot cut first.
     */
    if (plan->planner == DT_PLANNER_DIRECT)
        at->limit *= 2;
    at->capped = plan->memory_cap > 0;
    if (at->capped)
        at->limit = (int64_t)(plan->memory_cap / (size_t)at->space.item);
    return DT_OK;
}

static void close_planning(dti_planning *at)
{
    dti_holdings_free(&at->source);
    dti_holdings_free(&at->target);
    dti_space_close(&at->space);
}

/* What a rank holds at most: the source, and before and after each step. */
static dt_status find_peak(const dti_planning *at, dt_plan *plan)
{
    int64_t before = 0, most = at->source.largest + at->target.largest;
    if (plan->count == 0)
        most = at->source.largest;
    for (int i = 0; i < plan->count; i++) {
        dti_holdings after;
        DTI_TRY(dti_holdings_set(&after, &at->space, &plan->steps[i].to));
        const dt_plan_step *step = &plan->steps[i];
        bool in_place =
            i > 0 && dti_step_is_in_place(step->kind, &step->from, &step->to);
        int64_t held =
            at->source.largest + (in_place ? 0 : before) + after.largest;
        if (held > most)
            most = held;
        before = after.largest;
        dti_holdings_free(&after);
    }
    plan->peak = most * at->space.item;
    return DT_OK;
}

/* Tell whether ranks have just what they need: the same elements, whole or
 * partial in the same way. */
static bool is_there(const dti_planning *at)
{
    for (int i = 0; i < at->from.ndim; i++) {
        const dt_placement *a = &at->from.placements[i];
        const dt_placement *b = &at->to.placements[i];
        if ((dti_is_partial(a) || dti_is_partial(b)) &&
            !dt_placement_equal(*a, *b))
            return false;
    }
    return dti_holdings_equal(&at->space, &at->source, &at->target);
}

static dt_status find_steps(const dti_planning *at, dt_plan *plan)
{
    if (dt_layout_equal(&at->from, &at->to) || is_there(at))
        return DT_OK;
    if (plan->planner == DT_PLANNER_GREEDY)
        return dti_plan_greedy(at, plan->steps, &plan->count);
    return dti_plan_search(at, plan->steps, &plan->count);
}

/* The search keeps within the cap; PyTorch's steps are what they are. */
static dt_status check_cap(const dti_planning *at, const dt_plan *plan)
{
    int64_t ends = (at->source.largest + at->target.largest) * at->space.item;
    if (!plan->memory_cap || plan->peak - ends <= (int64_t)plan->memory_cap)
        return DT_OK;
    return dti_fail(
        at->world, DT_ERR_UNSUPPORTED,
        "redistributing %s to %s needs %" PRId64
        " bytes of temporary memory, more than the memory cap of %zu",
        dti_layout_show(&at->from).text, dti_layout_show(&at->to).text,
        plan->peak - ends, plan->memory_cap);
}

static dt_status plan_on_one_mesh(dt_plan *plan)
{
    dti_planning at;
    dt_status status = open_planning(&at, plan);
    if (status == DT_OK)
        status = find_steps(&at, plan);
    if (status == DT_OK)
        status = find_peak(&at, plan);
    if (status == DT_OK)
        status = check_cap(&at, plan);
    if (status == DT_OK)
        plan->lower_bound = lower_bound(&at) * at.space.item;
    close_planning(&at);
    return status;
}

static dt_status make_plan(dt_plan *plan)
{
    if (plan->from->mesh == plan->to->mesh ||
        dt_mesh_equal(plan->from->mesh, plan->to->mesh))
        DTI_TRY(plan_on_one_mesh(plan));
    else
        DTI_TRY(dti_plan_across(plan));
    for (int i = 0; i < plan->count; i++) {
        plan->bytes += plan->steps[i].bytes;
        plan->seconds += plan->steps[i].seconds;
    }
    return DT_OK;
}

/* ---- Keeping ------------------------------------------------------------ */

/* Plans that nobody uses are kept until there are this many. */
#define IDLE_PLANS 1024

/* Costs that the world was told.  Plans name them, so they stay. */
typedef struct told_costs {
    struct told_costs *before;
    dti_costs costs;
} told_costs;

typedef struct plans {
    dti_map map;
    size_t sweep_at;
    uint64_t hits, misses; /* of plans that were looked for */
    told_costs *told;      /* the latest; NULL if there are none */
} plans;

/* Drop a reference; the last one frees the plan. */
static void drop(dt_plan *plan)
{
    if (!dti_reference_release(&plan->reference))
        return;
    dti_program_free(plan->program);
    dt_spec_release(plan->from);
    dt_spec_release(plan->to);
    dti_handle_free(plan);
    dti_live_add(DTI_LIVE_PLAN, -1);
}

/* Tell whether a plan has so many references besides that of its world: a
 * handle is closed when there is none. */
static bool is_held(const dt_plan *plan, int times)
{
    return atomic_load(&plan->reference.count) >= times + plan->kept;
}

static void sweep(plans *kept)
{
    size_t cursor = 0;
    for (dt_plan *plan; (plan = dti_map_next(&kept->map, &cursor));)
        if (!is_held(plan, 1)) {
            dti_map_drop(&kept->map, &cursor);
            drop(plan);
        }
    kept->sweep_at = kept->map.count + IDLE_PLANS;
}

static void close_plans(dt_world *world, void *state)
{
    plans *kept = state;
    size_t cursor = 0;
    (void)world;
    for (dt_plan *plan; (plan = dti_map_next(&kept->map, &cursor));) {
        plan->kept = false;
        drop(plan);
    }
    dti_map_clear(&kept->map);
    while (kept->told) {
        told_costs *told = kept->told;
        kept->told = told->before;
        free(told);
    }
    free(kept);
}

static dt_cache_counter count_plans(const void *state)
{
    const plans *kept = state;
    return (dt_cache_counter){kept->map.count, kept->hits, kept->misses};
}

static dt_status clear_plans(dt_world *world, void *state)
{
    plans *kept = state;
    (void)world;
    sweep(kept);
    kept->hits = kept->misses = 0;
    return DT_OK;
}

static const dti_room_functions functions = {
    .close = close_plans, .count = count_plans, .clear = clear_plans};

static plans *open_plans(dt_world *world)
{
    plans *kept = dti_world_room(world, DTI_ROOM_REDISTRIBUTE);
    if (kept)
        return kept;
    kept = calloc(1, sizeof *kept);
    if (kept) {
        kept->sweep_at = IDLE_PLANS;
        dti_world_attach(world, DTI_ROOM_REDISTRIBUTE, kept, &functions);
    } else {
        dti_fail_memory(world, sizeof *kept, "the plans of a world");
    }
    return kept;
}

const dti_costs *dti_costs_told(const dt_world *world)
{
    const plans *kept = dti_world_room(world, DTI_ROOM_REDISTRIBUTE);
    return kept && kept->told ? &kept->told->costs : NULL;
}

const dti_costs *dti_costs_of_world(const dt_world *world)
{
    const dti_costs *told = dti_costs_told(world);
    return told ? told : dti_costs_of(world->transport);
}

dt_status dti_plans_set_costs(dt_world *world, const dti_costs *costs)
{
    plans *kept = open_plans(world);
    told_costs *told = kept ? malloc(sizeof *told) : NULL;
    if (!kept)
        return DT_ERR_NO_MEMORY;
    if (!told)
        return dti_fail_memory(world, sizeof *told, "costs");
    told->costs = *costs;
    told->before = kept->told;
    kept->told = told;
    return DT_OK;
}

static bool plan_matches(const void *value, const void *key)
{
    const dt_plan *a = value, *b = key;
    return a->from == b->from && a->to == b->to &&
           a->objective == b->objective && a->planner == b->planner &&
           a->memory_cap == b->memory_cap && a->costs == b->costs;
}

static dt_status keep(dt_world *world, plans *kept, dt_plan *plan)
{
    if (kept->map.count >= kept->sweep_at)
        sweep(kept);
    if (dti_map_add(&kept->map, plan->hash, plan) != DT_OK)
        return dti_fail_memory(world, sizeof plan, "the plans of a world");
    dti_reference_retain(&plan->reference);
    plan->kept = true;
    return DT_OK;
}

static uint64_t hash_key(const dt_plan *key)
{
    uint64_t hash = dti_hash_mix(key->from->hash, key->to->hash);
    hash = dti_hash_mix(hash,
                        (uint64_t)key->objective | (uint64_t)key->planner << 8);
    return dti_hash_mix(hash, key->memory_cap ^ dti_costs_hash(key->costs));
}

/* A plan like the key, with its steps. */
static dt_status create(const dt_plan *key, dt_plan **out)
{
    dt_plan *plan = malloc(sizeof *plan);
    if (!plan)
        return dti_fail_memory(key->from->mesh->world, sizeof *plan, "a plan");
    *plan = *key;
    dti_reference_init(&plan->reference);
    dt_spec_retain(plan->from);
    dt_spec_retain(plan->to);
    dti_live_add(DTI_LIVE_PLAN, 1);
    snprintf(plan->origin, sizeof plan->origin, "%.18s -> %.17s",
             dti_layout_show(&plan->from->layout).text,
             dti_layout_show(&plan->to->layout).text);
    dt_status status = make_plan(plan);
    if (status == DT_OK)
        *out = plan;
    else
        drop(plan);
    return status;
}

/* A rank may receive all of a tensor from every other one, in runs that count
 * four times: this keeps sums of steps below 2^63. */
#define MOST_BYTES (INT64_C(1) << 60)

static dt_status check_bytes(const dt_spec *spec)
{
    const int ranks = spec->mesh->places->count;
    const int64_t item = (int64_t)dt_dtype_size(spec->meta.dtype);
    if (dt_spec_count(spec) <= MOST_BYTES / (item * ranks))
        return DT_OK;
    return dti_fail(spec->mesh->world, DT_ERR_UNSUPPORTED,
                    "%s: too large to plan: bytes times %d ranks exceed 2^60",
                    dti_spec_show(spec).text, ranks);
}

static dt_status check_specs(const dt_spec *from, const dt_spec *to)
{
    dt_world *world = from->mesh->world;
    if (to->mesh->world != world)
        return dti_fail(world, DT_ERR_INVALID,
                        "dt_plan_create: the specs belong to different worlds");
    if (from->meta.dtype != to->meta.dtype ||
        !dt_shape_equal(from->meta.shape, to->meta.shape))
        return dti_fail(
            world, DT_ERR_INVALID,
            "%s cannot be redistributed to %s: shape or dtype differ",
            dti_spec_show(from).text, dti_spec_show(to).text);
    DTI_TRY(check_bytes(from));
    for (int i = 0; i < to->layout.ndim; i++)
        if (to->layout.placements[i].kind == DT_MASKED_PARTIAL && from != to)
            return dti_fail(world, DT_ERR_UNSUPPORTED,
                            "%s cannot be redistributed to %s: only operators "
                            "create masked partial tensors",
                            dti_spec_show(from).text, dti_spec_show(to).text);
    return DT_OK;
}

static dt_status check_options(dt_world *world, const dt_plan_options *options)
{
    if ((unsigned)options->objective > DT_OBJECTIVE_BYTES ||
        (unsigned)options->planner > DT_PLANNER_GREEDY)
        return dti_fail(world, DT_ERR_INVALID,
                        "invalid plan options: objective=%d, planner=%d",
                        (int)options->objective, (int)options->planner);
    if (options->transport && !dti_transport_find(options->transport))
        return dti_fail(world, DT_ERR_INVALID,
                        "invalid plan options: there is no transport \"%.60s\"",
                        options->transport);
    return DT_OK;
}

dt_status dt_plan_create(dt_spec *from, dt_spec *to,
                         const dt_plan_options *options, dt_plan **out)
{
    DTI_ENTRY();
    dt_plan_options usual = DT_PLAN_OPTIONS_INIT;
    DTI_TRY(dti_given(from, __func__, "from"));
    DTI_TRY(dti_given(to, __func__, "to"));
    dt_world *world = from->mesh->world;
    const dt_plan_options *o = dti_options_read(
        world, options, &usual, sizeof usual, "DT_PLAN_OPTIONS_INIT");
    if (!o)
        return DT_ERR_INVALID;
    DTI_TRY(check_specs(from, to));
    DTI_TRY(check_options(world, o));
    plans *kept = open_plans(world);
    if (!kept)
        return DT_ERR_NO_MEMORY;
    dt_plan key;
    key.from = from;
    key.to = to;
    key.objective = o->objective;
    key.planner = o->planner;
    key.memory_cap = o->memory_cap;
    key.costs =
        o->transport ? dti_costs_of(o->transport) : dti_costs_of_world(world);
    key.hash = hash_key(&key);
    dt_plan *plan = dti_map_find(&kept->map, key.hash, &key, plan_matches);
    if (plan) {
        if (!is_held(plan, 1))
            dti_handle_made(world, DTI_LIVE_PLAN, plan);
        dti_reference_retain(&plan->reference);
        kept->hits++;
        *out = plan;
        return DT_OK;
    }
    kept->misses++;
    key.count = 0;
    key.bytes = key.lower_bound = key.peak = 0;
    key.seconds = 0;
    key.kept = false;
    key.program = NULL;
    DTI_TRY(create(&key, &plan));
    dt_status status = keep(world, kept, plan);
    if (status != DT_OK) {
        drop(plan);
        return status;
    }
    dti_handle_made(world, DTI_LIVE_PLAN, plan);
    *out = plan;
    return DT_OK;
}

dt_plan *dt_plan_retain(dt_plan *plan)
{
    if (!dti_handle_usable(plan, __func__))
        return NULL;
    if (plan)
        dti_reference_retain(&plan->reference);
    return plan;
}

void dt_plan_release(dt_plan *plan)
{
    DTI_ENTRY();
    if (!dti_handle_usable(plan, __func__) || !plan)
        return;
    if (dti_handles_checked() && !is_held(plan, 2))
        dti_handle_gone(plan);
    drop(plan);
}

/* ---- Reading ------------------------------------------------------------ */

/* Tell whether a plan is neither NULL nor released. */
static bool is_given(const dt_plan *plan, const char *function)
{
    return dti_handle_readable(plan, function) && plan;
}

dt_spec *dt_plan_from(const dt_plan *plan)
{
    return is_given(plan, __func__) ? plan->from : NULL;
}

dt_spec *dt_plan_to(const dt_plan *plan)
{
    return is_given(plan, __func__) ? plan->to : NULL;
}

int dt_plan_steps(const dt_plan *plan)
{
    return is_given(plan, __func__) ? plan->count : 0;
}

const dt_plan_step *dt_plan_step_at(const dt_plan *plan, int index)
{
    bool has = is_given(plan, __func__) && index >= 0 && index < plan->count;
    return has ? &plan->steps[index] : NULL;
}

int64_t dt_plan_bytes(const dt_plan *plan)
{
    return is_given(plan, __func__) ? plan->bytes : 0;
}

int64_t dt_plan_lower_bound(const dt_plan *plan)
{
    return is_given(plan, __func__) ? plan->lower_bound : 0;
}

int64_t dt_plan_peak(const dt_plan *plan)
{
    return is_given(plan, __func__) ? plan->peak : 0;
}

double dt_plan_seconds(const dt_plan *plan)
{
    return is_given(plan, __func__) ? plan->seconds : 0;
}

bool dt_plan_same_steps(const dt_plan *a, const dt_plan *b)
{
    bool same =
        is_given(a, __func__) && is_given(b, __func__) && a->count == b->count;
    for (int i = 0; same && i < a->count; i++) {
        const dt_plan_step *x = &a->steps[i], *y = &b->steps[i];
        same = x->kind == y->kind && dt_layout_equal(&x->from, &y->from) &&
               dt_layout_equal(&x->to, &y->to);
    }
    return same;
}

size_t dt_plan_format(const dt_plan *plan, char *text, size_t size)
{
    dti_writer to = {text, size, 0};
    if (!is_given(plan, __func__)) {
        dti_put(&to, "NULL");
        return to.length;
    }
    dti_put(&to, "%s -> %s", dti_spec_show(plan->from).text,
            dti_layout_show(&plan->to->layout).text);
    for (int i = 0; i < plan->count; i++) {
        const dt_plan_step *step = &plan->steps[i];
        dti_put(&to, "\n  %s -> %s  %s", dti_layout_show(&step->from).text,
                dti_layout_show(&step->to).text, dt_step_name(step->kind));
        if (step->group_size > 1)
            dti_put(&to, " among %d ranks, %" PRId64 " bytes, %d message%s",
                    step->group_size, step->bytes, step->messages,
                    step->messages == 1 ? "" : "s");
    }
    dti_put(&to,
            "\n  %" PRId64 " bytes received (at least %" PRId64
            "), peak %" PRId64 ", %.3g us",
            plan->bytes, plan->lower_bound, plan->peak, plan->seconds * 1e6);
    return to.length;
}
