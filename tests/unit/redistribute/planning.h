/* tests/unit/redistribute/planning.h - plans between layouts of small meshes.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_PLANNING_H
#define DT_TESTS_PLANNING_H

#include <math.h>
#include <stdlib.h>

#include <dtensor/plan.h>

#include "unit/layout/oracle.h"
#include "unit/layout/specs.h"

enum { LISTED_MAX = 400 };

/* Specs of one tensor on one mesh. */
typedef struct spec_list {
    int count;
    dt_spec *specs[LISTED_MAX];
} spec_list;

static inline void release_specs(spec_list *of)
{
    for (int i = 0; i < of->count; i++)
        dt_spec_release(of->specs[i]);
    of->count = 0;
}

static inline void add_spec(spec_list *out, dt_mesh *mesh,
                            const dt_layout *layout, const dt_meta *meta)
{
    dt_spec *spec = NULL;
    if (!CHECK(out->count < LISTED_MAX) ||
        !CHECK_OK(dt_mesh_world(mesh),
                  dt_spec_create_with(mesh, layout, meta, &spec)))
        return;
    out->specs[out->count++] = spec;
}

/* Add a layout, in all orders from a tensor dimension on. */
static inline void add_orders(spec_list *out, dt_mesh *mesh, dt_layout *layout,
                              const dt_meta *meta, int dim)
{
    int dims[DT_MAX_NDIM], count = 0;
    if (dim == meta->shape.ndim) {
        add_spec(out, mesh, layout, meta);
        return;
    }
    for (int i = 0; i < layout->ndim; i++)
        if (layout->placements[i].kind == DT_SHARD &&
            layout->placements[i].dim == dim)
            dims[count++] = i;
    do {
        if (count > 1)
            CHECK_OK(dt_mesh_world(mesh),
                     dt_layout_set_order(dt_mesh_world(mesh), layout, dim, dims,
                                         count));
        add_orders(out, mesh, layout, meta, dim + 1);
    } while (next_arrangement(dims, count));
}

/* What specs are listed. */
enum { LIST_ORDERS = 1, LIST_SUMS = 2, LIST_MAXIMA = 4 };

/* All layouts of a mesh: replicas and shards, with what else is asked for. */
static inline void list_specs(spec_list *out, dt_mesh *mesh,
                              const dt_meta *meta, int kinds)
{
    int ndim = dt_mesh_ndim(mesh), base = meta->shape.ndim + 2, total = 1;
    out->count = 0;
    for (int i = 0; i < ndim; i++)
        total *= base;
    for (int number = 0; number < total; number++) {
        dt_placement placements[DT_MAX_NDIM];
        bool partial = false;
        int rest = number;
        for (int i = ndim - 1; i >= 0; i--, rest /= base) {
            int which = rest % base;
            partial |= which == base - 1;
            placements[i] = which == 0          ? dt_replicate()
                            : which == base - 1 ? dt_partial(DT_SUM)
                                                : dt_shard(which - 1);
        }
        dt_layout layout = dt_layout_of(placements, ndim);
        if (partial && !(kinds & (LIST_SUMS | LIST_MAXIMA)))
            continue;
        if (partial && (kinds & LIST_MAXIMA))
            for (int i = 0; i < ndim; i++)
                if (placements[i].kind == DT_PARTIAL)
                    layout.placements[i].op = DT_MAX;
        if (kinds & LIST_ORDERS)
            add_orders(out, mesh, &layout, meta, 0);
        else
            add_spec(out, mesh, &layout, meta);
    }
}

/* A plan; NULL, and a failed check, if there is none. */
static inline dt_plan *plan_with(dt_spec *from, dt_spec *to,
                                 const dt_plan_options *options)
{
    dt_plan *plan = NULL;
    CHECK_OK(dt_mesh_world(dt_spec_mesh(from)),
             dt_plan_create(from, to, options, &plan));
    return plan;
}

/* A plan between layouts of f32 as text. */
static inline dt_plan *plan_between(dt_mesh *mesh, const char *from,
                                    const char *to, dt_shape shape,
                                    const dt_plan_options *options)
{
    dt_spec *a = spec_of(mesh, from, shape), *b = spec_of(mesh, to, shape);
    dt_plan *plan = a && b ? plan_with(a, b, options) : NULL;
    dt_spec_release(a);
    dt_spec_release(b);
    return plan;
}

/* What a step is worth, as the search counts it. */
static inline double worth(dt_objective objective, int64_t bytes,
                           double seconds)
{
    return objective == DT_OBJECTIVE_BYTES ? (double)bytes : seconds;
}

static inline double worth_of(const dt_plan *plan, dt_objective objective)
{
    return worth(objective, dt_plan_bytes(plan), dt_plan_seconds(plan));
}

/* Say which plan is meant. */
static inline void show_plan(const dt_plan *plan, bool good)
{
    char text[4096];
    dt_plan_format(plan, text, sizeof text);
    CHECKF(good, "%s", text);
}

#endif
