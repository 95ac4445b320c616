/* redistribute/across.c - plans from one mesh to another. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "redistribute/plan.h"

#include "base/error.h"

/*
 * Partial values are combined on the first mesh; then every rank of the second
 * one gets what it lacks at once; then values are made partial there.
 */

/* A layout in which partial values are combined. */
static dt_layout combine(const dt_layout *layout)
{
    dt_layout out = *layout;
    for (int i = 0; i < out.ndim; i++)
        if (dti_is_partial(&out.placements[i]))
            out.placements[i] = dt_replicate();
    return out;
}

/* What ranks of the second mesh lack. */
typedef struct lack {
    int64_t most;   /* elements, of the rank that lacks most */
    bool something; /* some rank has not just what it needs */
} lack;

static lack find_lack(const dt_plan *plan)
{
    const dt_spec *from = plan->from, *to = plan->to;
    lack out = {0, false};
    for (int i = 0; i < to->mesh->places->count; i++) {
        dti_part has, wants;
        int rank = to->mesh->places->ranks[i];
        int place = dti_places_find(from->mesh->places, rank);
        dti_part_set(&wants, to, i);
        int64_t missing = dti_part_count(&wants);
        out.something |= place < 0;
        if (place >= 0) {
            dti_part_set(&has, from, place);
            out.something |=
                !dt_shape_equal(dti_part_shape(&has), dti_part_shape(&wants));
            missing -= dti_overlap_count(&has, &wants);
        }
        out.something |= missing > 0;
        if (missing > out.most)
            out.most = missing;
    }
    return out;
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
static void add_combining(dt_plan *plan, dt_layout *here, int64_t count,
                          int64_t item)
{
    for (int i = 0; i < here->ndim; i++) {
        int ranks = plan->from->mesh->dims.sizes[i];
        dt_layout there = *here;
        dti_volume volume =
            dti_all_reduce_volume(count, ranks, item, plan->count > 0);
        volume.dims = 1u << i;
        if (!dti_is_partial(&here->placements[i]))
            continue;
        there.placements[i] = dt_replicate();
        add_step(plan, DT_STEP_ALL_REDUCE, here, &there, &volume);
        plan->steps[plan->count - 1].group_size = ranks;
        *here = there;
    }
}

static void add_making(dt_plan *plan, dt_layout *here, const dt_layout *wanted,
                       int64_t bytes)
{
    for (int i = 0; i < here->ndim; i++) {
        dt_layout there = *here;
        dti_volume volume = {.local = bytes};
        if (!dti_is_partial(&wanted->placements[i]))
            continue;
        there.placements[i] = wanted->placements[i];
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

/* From mesh to mesh.  Ranks that have all they need keep it, or a part. */
static void add_crossing(dt_plan *plan, const dt_layout *here,
                         const dt_layout *there, int64_t bytes)
{
    int64_t item = (int64_t)dt_dtype_size(plan->from->meta.dtype);
    int ranks = count_union(plan->from->mesh, plan->to->mesh);
    lack of = find_lack(plan);
    dti_volume volume = {.remote = of.most * item, .local = bytes};
    plan->lower_bound = volume.remote;
    if (!of.something && !plan->to->partial)
        return;
    if (of.most > 0)
        volume.messages = ranks - 1;
    add_step(plan, of.most > 0 ? DT_STEP_DIRECT : DT_STEP_SLICE, here, there,
             &volume);
    plan->steps[plan->count - 1].crosses = true;
    plan->steps[plan->count - 1].group_size = of.most > 0 ? ranks : 1;
}

/* The elements of the rank that has most: the first one. */
static int64_t largest_part(const dt_spec *spec)
{
    dti_part first;
    dti_part_set(&first, spec, 0);
    return dti_part_count(&first);
}

/* What a rank holds at most: the source, and before and after each step. */
static int64_t find_peak(const dt_plan *plan, int64_t source, int64_t target)
{
    int64_t before = 0, most = plan->count ? source + target : source;
    bool crossed = false;
    for (int i = 0; i < plan->count; i++) {
        bool in_place = i > 0 && plan->steps[i].kind == DT_STEP_MAKE_PARTIAL;
        crossed |= plan->steps[i].crosses;
        int64_t after = crossed ? target : source;
        int64_t held = source + (in_place ? 0 : before) + after;
        if (held > most)
            most = held;
        before = after;
    }
    return most;
}

dt_status dti_plan_across(dt_plan *plan)
{
    const dt_spec *from = plan->from, *to = plan->to;
    int64_t item = (int64_t)dt_dtype_size(from->meta.dtype);
    int64_t source = largest_part(from), target = largest_part(to) * item;
    dt_layout here = dti_layout_without_ones(from->mesh, &from->layout);
    dt_layout wanted = dti_layout_without_ones(to->mesh, &to->layout);
    dt_layout there = combine(&wanted);
    add_combining(plan, &here, source, item);
    add_crossing(plan, &here, &there, target);
    add_making(plan, &there, &wanted, target);
    plan->peak = find_peak(plan, source * item, target);
    int64_t beside = plan->peak - source * item - target;
    if (plan->memory_cap && beside > (int64_t)plan->memory_cap)
        return dti_fail(from->mesh->world, DT_ERR_UNSUPPORTED,
                        "redistributing %s to %s on another mesh needs %lld "
                        "bytes of temporary memory, more than the memory cap",
                        dti_spec_show(from).text, dti_spec_show(to).text,
                        (long long)beside);
    return DT_OK;
}
