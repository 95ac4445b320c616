/* dtensor/plan.h - how a tensor changes hands, worked out before it does. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_PLAN_H
#define DTENSOR_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dtensor/layout.h>
#include <dtensor/spec.h>
#include <dtensor/status.h>

DT_EXTERN_C_BEGIN

/*
 * The steps that take a tensor from one spec to another.  Computed without
 * communicating, the same on every rank; never changes.
 */
typedef struct dt_plan dt_plan;

typedef enum dt_objective {
    DT_OBJECTIVE_TIME, /* least by the cost table of the transport */
    DT_OBJECTIVE_BYTES /* fewest bytes received by the rank that gets most */
} dt_objective;

/* How steps are chosen. */
typedef enum dt_planner {
    DT_PLANNER_SEARCH, /* the best of all sequences */
    DT_PLANNER_DIRECT, /* every rank gets what it lacks at once; partial values
                          are combined first */
    DT_PLANNER_GREEDY  /* one mesh dimension at a time, as PyTorch does unless
                          told otherwise */
} dt_planner;

typedef struct dt_plan_options {
    size_t size; /* sizeof(dt_plan_options) */
    dt_objective objective;
    dt_planner planner;
    size_t memory_cap;     /* bytes that a rank may take beside source and
                              target; 0: as much as the larger of the two */
    const char *transport; /* whose cost table; NULL: that of the world */
} dt_plan_options;

#define DT_PLAN_OPTIONS_INIT                                                   \
    {                                                                          \
        sizeof(dt_plan_options), DT_OBJECTIVE_TIME, DT_PLANNER_SEARCH, 0, 0    \
    }

/*
 * Plan the way from one spec to another of the same shape and dtype.
 *
 * Not collective.  Plans are kept by the world: a known one costs nothing.  The
 * caller releases it.  `options` may be NULL.  DT_ERR_UNSUPPORTED if no steps
 * lead there within the memory cap, or if the tensor has more than 2^56 bytes.
 */
DT_API DT_MUST_USE dt_status dt_plan_create(dt_spec *from, dt_spec *to,
                                            const dt_plan_options *options,
                                            dt_plan **out);

/* Add a reference; gives its argument.  Not collective.  NULL is allowed. */
DT_API dt_plan *dt_plan_retain(dt_plan *plan);

/* Drop a reference.  Not collective.  NULL is allowed. */
DT_API void dt_plan_release(dt_plan *plan);

/*
 * Read what steps cost from a file, on rank 0, and plan by it from here on.
 *
 * Collective over the world.  A line is a price and seconds, "remote 1e-10", or
 * a mesh dimension before them; prices are `call` (of a step that
 * communicates), `message` (of a peer that a rank hears from), `remote` and
 * `local` (of a byte from another rank and from this one) and `combine` (of a
 * byte that is combined).  "#" begins a comment.  What is not said stays as it
 * is built in. DT_ERR_IO, DT_ERR_FORMAT; DT_ERR_PEER on the other ranks.
 */
DT_API DT_MUST_USE dt_status dt_costs_load(dt_world *world, const char *path);

typedef enum dt_step_kind {
    DT_STEP_SLICE,          /* each rank keeps a part of what it has */
    DT_STEP_ALL_GATHER,     /* parts become wholes */
    DT_STEP_ALL_TO_ALL,     /* another dimension is cut */
    DT_STEP_PERMUTE,        /* parts change places */
    DT_STEP_DIRECT,         /* every rank gets what it lacks */
    DT_STEP_ALL_REDUCE,     /* partial values become the value */
    DT_STEP_REDUCE_SCATTER, /* partial values become parts of the value */
    DT_STEP_MAKE_PARTIAL,   /* a value becomes partial */
    DT_STEP_COUNT
} dt_step_kind;

/* Give the name of a kind of step, such as "all-gather".  Not collective. */
DT_API const char *dt_step_name(dt_step_kind kind);

/* One step.  Bytes are those of the rank that receives most. */
typedef struct dt_plan_step {
    dt_step_kind kind;
    dt_layout from;
    dt_layout to;
    bool crosses;   /* from the mesh of the one spec to that of the other */
    int group_size; /* ranks that call each other */
    int64_t bytes;  /* received */
    int messages;   /* peers that a rank hears from */
    double seconds; /* predicted */
} dt_plan_step;

/*
 * What a plan is.
 *
 * Not collective; borrowed.  NULL has no specs, no steps and no bytes.  The
 * lower bound is the fewest bytes that some rank has to receive, whatever the
 * plan.  The peak is what a rank holds at most at once, source and target
 * included.
 */
DT_API dt_spec *dt_plan_from(const dt_plan *plan);
DT_API dt_spec *dt_plan_to(const dt_plan *plan);
DT_API int dt_plan_steps(const dt_plan *plan);
DT_API const dt_plan_step *dt_plan_step_at(const dt_plan *plan, int index);
DT_API int64_t dt_plan_bytes(const dt_plan *plan); /* of all steps */
DT_API int64_t dt_plan_lower_bound(const dt_plan *plan);
DT_API int64_t dt_plan_peak(const dt_plan *plan);
DT_API double dt_plan_seconds(const dt_plan *plan);

/* Tell whether two plans take the same steps.  Not collective. */
DT_API bool dt_plan_same_steps(const dt_plan *a, const dt_plan *b);

/*
 * Write a plan, one line for each step and one for the sum, at most `size`
 * bytes with the final zero, and give the length that the whole text has.
 *
 * Not collective.
 */
DT_API size_t dt_plan_format(const dt_plan *plan, char *text, size_t size);

DT_EXTERN_C_END

#endif
