/* redistribute/across.c - plans from one mesh to another. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "redistribute/across.h"

#include "base/error.h"

/*
 * Partial values are combined on the first mesh; then every rank of the second
 * one gets what it lacks at once; then values are made partial there.
 */

dt_layout dti_layout_combined(const dt_layout *layout)
{
    dt_layout out = *layout;
    for (int i = 0; i < out.ndim; i++)
        if (dti_is_partial(&out.placements[i]))
            out.placements[i] = dt_replicate();
    return out;
}

/* What the rank that lacks most of its part lacks. */
static int64_t most_missing(const dt_plan *plan)
{
    const dt_spec *from = plan->from, *to = plan->to;
    int64_t most = 0;
    for (int i = 0; i < to->mesh->places->count; i++) {
        dti_part has, wants;
        int rank = to->mesh->places->ranks[i];
        int place = dti_places_find(from->mesh->places, rank);
        dti_part_set(&wants, to, i);
        int64_t missing = dti_part_count(&wants);
        if (place >= 0) {
            dti_part_set(&has, from, place);
            missing -= dti_overlap_count(&has, &wants);
        }
        if (missing > most)
            most = missing;
    }
    return most;
}

static void add_step(dt_plan *plan, dt_step_kind kind, const dt_layout *from,
                     const dt_layout *to, const dti_volume *volume)
{
    plan->steps[plan->count++] = (dt_plan_step){
        .kind = kind,
        .from = *from,
        .to = *to,
        .bytes = volume->remote,
        .messages = volume->messages,
        .seconds = dti_cost_of(plan->costs, plan->from->mesh, volume)};
}

/* Combine the partial values of each mesh dimension. */
static void add_combining(dt_plan *plan, dt_layout *here, int64_t bytes)
{
    for (int i = 0; i < here->ndim; i++) {
        int ranks = plan->from->mesh->dims.sizes[i];
        dt_layout there = *here;
        dti_volume volume = {.remote = 2 * (bytes - bytes / ranks),
                             .local = bytes,
                             .messages = ranks - 1,
                             .combines = true};
        if (!dti_is_partial(&here->placements[i]))
            continue;
        there.placements[i] = dt_replicate();
        add_step(plan, DT_STEP_ALL_REDUCE, here, &there, &volume);
        plan->steps[plan->count - 1].group_size = ranks;
        *here = there;
    }
}

static void add_making(dt_plan *plan, dt_layout *here, int64_t bytes)
{
    for (int i = 0; i < here->ndim; i++) {
        dt_layout there = *here;
        dti_volume volume = {.local = bytes};
        if (!dti_is_partial(&plan->to->layout.placements[i]))
            continue;
        there.placements[i] = plan->to->layout.placements[i];
        add_step(plan, DT_STEP_MAKE_PARTIAL, here, &there, &volume);
        plan->steps[plan->count - 1].group_size = 1;
        *here = there;
    }
}

/* Ranks that are in one of the meshes, or in both. */
static int count_union(const dt_mesh *a, const dt_mesh *b)
{
    int count = a->places->count;
    for (int i = 0; i < b->places->count; i++)
        count += dti_places_find(a->places, b->places->ranks[i]) < 0;
    return count;
}

dt_status dti_plan_across(dt_plan *plan)
{
    int64_t item = (int64_t)dt_dtype_size(plan->from->meta.dtype);
    dt_layout here = plan->from->layout;
    dt_layout there = dti_layout_combined(&plan->to->layout);
    dti_part first;
    dti_part_set(&first, plan->from, 0);
    int64_t source = dti_part_count(&first) * item;
    dti_part_set(&first, plan->to, 0);
    int64_t target = dti_part_count(&first) * item;
    add_combining(plan, &here, source);
    int64_t missing = most_missing(plan) * item;
    int ranks = count_union(plan->from->mesh, plan->to->mesh);
    dti_volume volume = {
        .remote = missing, .local = target, .messages = ranks - 1};
    add_step(plan, DT_STEP_DIRECT, &here, &there, &volume);
    plan->steps[plan->count - 1].crosses = true;
    plan->steps[plan->count - 1].group_size = ranks;
    add_making(plan, &there, target);
    plan->lower_bound = missing;
    plan->peak = source + target + (source > target ? source : target);
    return DT_OK;
}
