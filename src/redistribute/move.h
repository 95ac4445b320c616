/* redistribute/move.h - one step as this rank takes part in it. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_REDISTRIBUTE_MOVE_H
#define DTI_REDISTRIBUTE_MOVE_H

#include <dtensor/sys/transport.h>

#include "redistribute/exchange.h"
#include "redistribute/gaps.h"
#include "redistribute/plan.h"

/* A layout on a mesh: one end of a step. */
typedef struct dti_end {
    dt_mesh *mesh;
    dt_layout layout;
    dti_cuts cuts[DT_MAX_NDIM];
} dti_end;

/* One step: what is the same on all ranks, and what this rank takes. */
typedef struct dti_move {
    dt_step_kind kind;
    dt_world *world;
    dt_dtype dtype;
    dt_shape shape; /* of the tensor */
    dti_end from;
    dti_end to;
    dt_reduce op;        /* of steps that combine */
    int divisor;         /* of what they combined; 1: none */
    dt_group *group;     /* NULL: nobody else takes part */
    size_t cap;          /* bytes of staging; 0: as much as it takes */
    dt_shape local;      /* what this rank has afterwards */
    dt_call_tile *tiles; /* what it takes */
    dt_tiling tiling;    /* the same, for the transport */
    dti_gaps gaps;       /* what else there is of its output */
} dti_move;

/*
 * Work out a step.  Collective over its group the first time.  The specs are
 * those of the plan, whose meshes and tensor it is about.
 */
dt_status dti_move_open(dti_move *move, const dt_plan *plan, int step);
void dti_move_close(dti_move *move);

/* The part of a world rank at one end; false if it is not in that mesh. */
bool dti_end_part(const dti_end *end, dt_shape shape, int rank, dti_part *out);

/* What a member of the group gives to another; false if it gives nothing. */
bool dti_move_meet(const void *move, int number, int from, int to,
                   dti_meeting *out);

/* Carry it out: the array of this rank before, which may be changed if it is
 * `owned`, and after.  The caller releases `out`.  Does not wait at the end if
 * `asynchronous`. */
dt_status dti_move_run(const dti_move *move, dt_array *input, bool owned,
                       bool asynchronous, dt_array **out);

#endif
