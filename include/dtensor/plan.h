/* dtensor/plan.h - redistribution plans: the steps and their cost, computed
 * without communicating. */
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
 * The steps that redistribute a tensor from one spec to another.  A plan is
 * computed without communicating, is the same on every rank, and never changes.
 */
typedef struct dt_plan dt_plan;

/* What the planner minimises. */
typedef enum dt_objective {
    DT_OBJECTIVE_TIME, /* predicted time by the transport's cost table */
    DT_OBJECTIVE_BYTES /* bytes received by the rank that receives most */
} dt_objective;

/* The planning algorithm. */
typedef enum dt_planner {
    DT_PLANNER_SEARCH, /* the best of all sequences of steps */
    DT_PLANNER_DIRECT, /* one exchange in which every rank receives the elements
                          that it does not store; partial values are reduced
                          first */
    DT_PLANNER_GREEDY  /* one mesh dimension at a time, as PyTorch does by
                          default */
} dt_planner;

/* Options of dt_plan_create.  Zeros are the defaults. */
typedef struct dt_plan_options {
    size_t size;            /* sizeof(dt_plan_options) */
    dt_objective objective; /* what is minimised */
    dt_planner planner;     /* the algorithm */
    /* Bytes that a rank may allocate in addition to source and target; 0: the
     * size of the larger of the two. */
    size_t memory_cap;
    const char *transport; /* for its cost table; NULL: that of the world */
} dt_plan_options;

#define DT_PLAN_OPTIONS_INIT                                                   \
    {                                                                          \
        sizeof(dt_plan_options), DT_OBJECTIVE_TIME, DT_PLANNER_SEARCH, 0, 0    \
    }

/*
 * Plan the redistribution from one spec to another of the same shape and dtype.
 *
 * Not collective.  The world caches plans.  The caller releases the plan.
 * `options` may be NULL.  DT_ERR_UNSUPPORTED if no sequence of steps stays
 * within the memory cap, or if the tensor has more than 2^56 bytes.
 */
DT_API DT_MUST_USE dt_status dt_plan_create(dt_spec *from, dt_spec *to,
                                            const dt_plan_options *options,
                                            dt_plan **out);

/* Add a reference; returns its argument.  Not collective.  NULL is allowed. */
DT_API dt_plan *dt_plan_retain(dt_plan *plan);

/* Drop a reference.  Not collective.  NULL is allowed. */
DT_API void dt_plan_release(dt_plan *plan);

/*
 * Load a cost table from a file on rank 0 and use it for all later plans.
 *
 * Collective over the world.  Each line has a price and seconds, for example
 * "remote 1e-10", optionally preceded by the name of a mesh dimension.  Prices
 * are `call` (per step that communicates), `message` (per peer that a rank
 * receives from), `remote` and `local` (per byte from another rank and from
 * this rank) and `combine` (per byte that is reduced).  "#" begins a comment.
 * Prices that are not listed keep their built-in values.  DT_ERR_IO or
 * DT_ERR_FORMAT on rank 0; DT_ERR_PEER on the other ranks.
 */
DT_API DT_MUST_USE dt_status dt_costs_load(dt_world *world, const char *path);

/* The kinds of steps. */
typedef enum dt_step_kind {
    DT_STEP_SLICE,      /* each rank keeps part of its shard; nothing is sent */
    DT_STEP_ALL_GATHER, /* shards are replicated */
    DT_STEP_ALL_TO_ALL, /* the sharded dimension changes */
    DT_STEP_PERMUTE,    /* shards move to other ranks */
    DT_STEP_DIRECT, /* every rank receives the elements that it does not store
                     */
    DT_STEP_ALL_REDUCE,     /* partial values are reduced and replicated */
    DT_STEP_REDUCE_SCATTER, /* partial values are reduced and sharded */
    DT_STEP_MAKE_PARTIAL,   /* a replicated tensor becomes partial; nothing is
                               sent */
    DT_STEP_COUNT           /* number of kinds */
} dt_step_kind;

/* Return the name of a kind of step, for example "all-gather".  Not collective.
 * The text is static. */
DT_API const char *dt_step_name(dt_step_kind kind);

/* One step of a plan.  Bytes are those of the rank that receives most. */
typedef struct dt_plan_step {
    dt_step_kind kind; /* what the step does */
    dt_layout from;    /* layout before the step */
    dt_layout to;      /* layout after the step */
    bool crosses;      /* moves from the source mesh to the target mesh */
    int group_size;    /* ranks that communicate with each other */
    int64_t bytes;     /* bytes received */
    int messages;      /* messages received, one per peer */
    double seconds;    /* predicted time */
} dt_plan_step;

/*
 * Properties of a plan.
 *
 * Not collective.  Returned pointers are borrowed.  A NULL plan returns 0 or
 * NULL.  The lower bound is the number of bytes that some rank has to receive
 * under any plan.  The peak is the maximum number of bytes that a rank stores
 * at once, including source and target.
 */
DT_API dt_spec *dt_plan_from(const dt_plan *plan);
DT_API dt_spec *dt_plan_to(const dt_plan *plan);
DT_API int dt_plan_steps(const dt_plan *plan);
DT_API const dt_plan_step *dt_plan_step_at(const dt_plan *plan, int index);
DT_API int64_t dt_plan_bytes(const dt_plan *plan); /* sum over the steps */
DT_API int64_t dt_plan_lower_bound(const dt_plan *plan);
DT_API int64_t dt_plan_peak(const dt_plan *plan);
DT_API double dt_plan_seconds(const dt_plan *plan);

/* Test whether two plans have the same steps.  Not collective. */
DT_API bool dt_plan_same_steps(const dt_plan *a, const dt_plan *b);

/*
 * Write a plan as text, one line per step and one for the total: at most `size`
 * bytes including the terminating zero.  Returns the length of the full text.
 *
 * Not collective.
 */
DT_API size_t dt_plan_format(const dt_plan *plan, char *text, size_t size);

DT_EXTERN_C_END

#endif
