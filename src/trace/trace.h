/* trace/trace.h - where rooms report what they did. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_TRACE_TRACE_H
#define DTI_TRACE_TRACE_H

#include <dtensor/trace.h>

#include "base/world.h"

/* Give a world counters and a place for events. */
dt_status dti_trace_open(dt_world *world, dt_error *error);

/* What is asked at every call: the beginning of what a world remembers. */
typedef struct dti_trace_switches {
    bool recording; /* events are kept */
    bool timed;     /* with their times */
} dti_trace_switches;

static inline const dti_trace_switches *dti_trace_on(const dt_world *world)
{
    return dti_world_room(world, DTI_ROOM_TRACE);
}

/* ---- Calls between ranks ------------------------------------------------ */

/* Count a call between ranks, for the operator that runs. */
void dti_trace_call(dt_world *world, dt_collective kind, size_t bytes_sent,
                    size_t bytes_received);

/* Count a call for a module, in a backward pass or not.  The name stays where
 * it is until the world closes. */
void dti_trace_module_call(dt_world *world, const char *module, bool backward,
                           dt_collective kind, size_t bytes_sent,
                           size_t bytes_received);

/*
 * Keep the event of a call, for the operator that runs.  Gives a number for
 * dti_trace_ended; 0 if it is lost for lack of memory, and a warning says so
 * once.
 */
size_t dti_trace_keep(dt_world *world, const dt_trace_event *event);

/* Note that the call of an event is complete.  Nothing for 0, or without a
 * timeline. */
void dti_trace_ended(dt_world *world, size_t event);

/* ---- Operators ---------------------------------------------------------- */

/* Begin an operator: calls are its own until it ends or another begins inside
 * it.  The name stays where it is, with this text, until the world closes;
 * equal texts are one operator. */
void dti_trace_op_begin(dt_world *world, const char *name);

void dti_trace_op_end(dt_world *world);

/* Count what the operator that runs computes: arithmetic operations, and bytes
 * of memory that it reads and writes. */
void dti_trace_op_work(dt_world *world, double flops, double bytes);

/* The name of the innermost operator that runs; NULL if none does. */
const char *dti_trace_operator(const dt_world *world);

#endif
