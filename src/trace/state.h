/* trace/state.h - what a world remembers of its calls; for this room alone. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_TRACE_STATE_H
#define DTI_TRACE_STATE_H

#include "base/world.h"
#include "trace/trace.h"

/* Operators inside one another that are told apart; those deeper count as the
 * last. */
#define DTI_TRACE_DEPTH 64

/* No span is open: nobody keeps time. */
#define DTI_NO_SPAN SIZE_MAX

/* An operator that runs. */
typedef struct dti_trace_frame {
    uint32_t operation; /* in `operators` */
    size_t span;        /* in `spans`, or DTI_NO_SPAN */
} dti_trace_frame;

/* A stretch of time in an operator. */
typedef struct dti_trace_span {
    uint32_t operation;
    int64_t began;
    int64_t ended; /* 0 while it runs */
} dti_trace_span;

/* Where an operator with a name at this address is counted. */
typedef struct dti_trace_place {
    const char *name; /* NULL: free */
    uint32_t operation;
} dti_trace_place;

typedef struct dti_trace {
    /* What every call touches comes first, in one cache line. */
    dti_trace_switches switches;
    dt_trace_operator *current; /* the innermost that runs, in `operators` */
    bool lost;                  /* something could not be kept */

    dt_trace_event *events;
    size_t event_count, event_room;
    size_t forgotten; /* events before the first that is kept */

    /* The first, without a name, is what happens outside operators. */
    dt_trace_operator *operators;
    size_t operator_count, operator_room;

    dti_trace_place *places; /* open addressing, by address; a power of two */
    size_t place_count, place_room;

    dt_trace_module *modules;
    const char **module_names; /* by which they are found */
    size_t module_count, module_room;
    size_t module_at; /* found last */

    dti_trace_frame frames[DTI_TRACE_DEPTH];
    size_t depth; /* may be above DTI_TRACE_DEPTH */

    /* Where a report lies that was written before the world closed. */
    int64_t report_began, report_ended;

    dti_trace_span *spans; /* in the order in which they began */
    size_t span_count, span_room;
} dti_trace;

static inline dti_trace *dti_trace_of(const dt_world *world)
{
    return dti_world_room(world, DTI_ROOM_TRACE);
}

/* Make room for one more item in a list.  Without memory a warning says so,
 * once: a trace never makes a call fail. */
bool dti_trace_make_room(dt_world *world, void **list, size_t count,
                         size_t *room, size_t item);

/* Free the names of all operators. */
void dti_trace_free_names(dti_trace *trace);

/* Forget all operators but those that run. */
void dti_trace_forget_operators(dti_trace *trace);

/* Forget all modules. */
void dti_trace_forget_modules(dti_trace *trace);

#endif
