/* redistribute/plan.h - plans, inside the library. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_REDISTRIBUTE_PLAN_H
#define DTI_REDISTRIBUTE_PLAN_H

#include <dtensor/plan.h>

#include "array/array.h"
#include "redistribute/space.h"

/* More steps than any plan has. */
#define DTI_MAX_STEPS 32

struct dti_program;

/*
 * Two specs, how they were to be connected, and the steps.  A relabelled plan
 * has none: every rank has what it needs.
 */
struct dt_plan {
    dti_reference reference;
    uint64_t hash; /* of all up to `costs`; the same on every rank */
    dt_spec *from; /* retained */
    dt_spec *to;   /* retained */
    dt_objective objective;
    dt_planner planner;
    size_t memory_cap;
    const dti_costs *costs;
    int count;
    dt_plan_step steps[DTI_MAX_STEPS];
    int64_t bytes;
    int64_t lower_bound;
    int64_t peak;
    double seconds;
    char origin[40];             /* who asks for its calls, in words */
    bool kept;                   /* by its world, which has a reference */
    struct dti_program *program; /* what this rank does; made when first run */
};

/* What is to be connected, and what was found on the way. */
typedef struct dti_planning {
    dt_world *world;
    dti_space space;
    dt_layout from; /* without dimensions of one rank */
    dt_layout to;
    dti_holdings source;
    dti_holdings target;
    dt_objective objective;
    dt_planner planner;
    int64_t limit; /* elements that intermediates may have */
    bool capped;   /* the user said so: there is no plan beyond */
    bool divides;  /* sums can be divided: they are combined with averages */
    const dti_costs *costs;
} dti_planning;

/* One end of a step: a layout, and what ranks have in it. */
typedef struct dti_stage {
    const dt_layout *layout;
    const dti_holdings *holdings;
} dti_stage;

/* The volume of a step.  It may change what it starts from if that is `owned`:
 * if another step made it. */
dti_volume dti_step_volume(const dti_planning *at, dt_step_kind kind,
                           bool owned, dti_stage from, dti_stage to);

/* Tell whether a step can change an array where it lies: values are made
 * partial or combined, and the parts of ranks stay what they are. */
bool dti_step_is_in_place(dt_step_kind kind, const dt_layout *from,
                          const dt_layout *to);

/* What a step divides by after it combined sums and averages at once: the ranks
 * along the averages; 1 if it combines one kind. */
int dti_step_divisor(const dt_mesh *mesh, const dt_layout *from,
                     const dt_layout *to);

/* The volume of an all-reduce of so many elements, in place or not. */
dti_volume dti_all_reduce_volume(int64_t count, int ranks, int64_t item,
                                 bool in_place);

/* What a move between two layouts is called. */
dt_step_kind dti_move_kind(const dti_planning *at, const dt_layout *from,
                           const dt_layout *to);

/* Fill in a step. */
dt_plan_step dti_step_make(const dti_planning *at, dt_step_kind kind,
                           const dt_layout *from, const dt_layout *to,
                           const dti_volume *volume);

/* Find the best steps: `out` has room for DTI_MAX_STEPS. */
dt_status dti_plan_search(const dti_planning *at, dt_plan_step *out,
                          int *count);

/* Find PyTorch's steps. */
dt_status dti_plan_greedy(const dti_planning *at, dt_plan_step *out,
                          int *count);

/* Let a world plan with these costs from here on. */
dt_status dti_plans_set_costs(dt_world *world, const dti_costs *costs);

/* Find the steps from one mesh to another. */
dt_status dti_plan_across(dt_plan *plan);

/*
 * Carry out a plan: this rank's part of the source becomes its part of the
 * target.
 *
 * Collective over the meshes of both specs.  The caller releases `out`.  If
 * `asynchronous`, the last step may still be under way; the array knows.
 */
dt_status dti_plan_run(dt_plan *plan, dt_array *local, bool asynchronous,
                       dt_array **out);

/* Free what this rank does. */
void dti_program_free(struct dti_program *program);

#endif
