/* dtensor/trace.h - what was sent: counters and records of collectives. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_TRACE_H
#define DTENSOR_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dtensor/comm.h>
#include <dtensor/dtype.h>
#include <dtensor/world.h>

DT_EXTERN_C_BEGIN

/* The kinds of calls between ranks. */
typedef enum dt_collective {
    DT_BARRIER,
    DT_ALL_REDUCE,
    DT_ALL_GATHER,
    DT_REDUCE_SCATTER,
    DT_ALL_TO_ALL,
    DT_BROADCAST,
    DT_SCATTER,
    DT_GATHER,
    DT_SEND,
    DT_RECEIVE,
    DT_COLLECTIVE_COUNT
} dt_collective;

/*
 * Give the name of a kind of call, such as "all-reduce".
 *
 * Not collective.  Static.
 */
DT_API const char *dt_collective_name(dt_collective kind);

/*
 * One call, as this rank made it.  Bytes are what a rank must at least send
 * and receive for it, whatever the algorithm: an all-reduce of n bytes on p
 * ranks sends and receives 2n(p-1)/p.
 */
typedef struct dt_trace_event {
    dt_collective kind;
    dt_reduce op; /* of reductions */
    dt_dtype dtype;
    int root; /* root, to or from; -1 where there is none */
    int group_size;
    uint64_t group;    /* the same number for the same group on every rank */
    uint64_t sequence; /* number of the call in its group, from 1 */
    int64_t count;     /* elements of this rank's larger side */
    size_t bytes_sent;
    size_t bytes_received;
} dt_trace_event;

/* How often a kind was called, and what that sent and received. */
typedef struct dt_trace_counter {
    uint64_t calls;
    uint64_t bytes_sent;
    uint64_t bytes_received;
} dt_trace_counter;

/*
 * Give the counter of one kind of call in this world.
 *
 * Not collective.
 */
DT_API dt_trace_counter dt_trace_count(const dt_world *world,
                                       dt_collective kind);

/*
 * Keep every event from here on, or stop; what was kept stays until cleared.
 *
 * Not collective.  On sim events are kept from the start.
 */
DT_API void dt_trace_record(dt_world *world, bool on);

/*
 * Give the events that were kept, in order.
 *
 * Not collective.  Borrowed until the next call between ranks.
 */
DT_API const dt_trace_event *dt_trace_events(const dt_world *world,
                                             size_t *count);

/*
 * Forget the events that were kept and set the counters to zero.
 *
 * Not collective.
 */
DT_API void dt_trace_clear(dt_world *world);

DT_EXTERN_C_END

#endif
