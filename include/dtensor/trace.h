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

/* Size of the words that say what a call was for. */
#define DT_TRACE_ORIGIN_SIZE 40

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
    int peers;      /* ranks that this one hears from; 1 where it only speaks */
    uint64_t group; /* the same number for the same group on every rank */
    uint64_t sequence; /* number of the call in its group, from 1 */
    int64_t count;     /* elements of this rank's larger side */
    size_t bytes_sent;
    size_t bytes_received;
    const char *operator_name; /* the operator that ran, until events are
                                  cleared; NULL outside */
    char origin[DT_TRACE_ORIGIN_SIZE]; /* such as "S(0) -> R"; "" if nobody said
                                        */
    bool asynchronous;                 /* it was begun and completed later */
    /* Nanoseconds of the machine's monotonic clock; 0 without a timeline, and
     * the second while the call is under way. */
    int64_t began;
    int64_t ended;
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
 * What an operator did on this rank.  Calls between ranks that were made by
 * operators inside it are theirs, not its own.
 */
typedef struct dt_trace_operator {
    const char *name;
    uint64_t calls;                                    /* of the operator */
    dt_trace_counter collectives[DT_COLLECTIVE_COUNT]; /* by kind */
    double flops;        /* arithmetic operations, as the operator reports */
    double bytes;        /* of memory read and written, likewise */
    int64_t nanoseconds; /* inside it and what it calls; 0 without a timeline */
} dt_trace_operator;

/*
 * Give the operators that were called in this world, in the order of their
 * first calls.
 *
 * Not collective.  Borrowed until the next call of an operator, names until the
 * counters are cleared.  What was called between ranks outside operators is in
 * dt_trace_count alone.
 */
DT_API const dt_trace_operator *dt_trace_operators(const dt_world *world,
                                                   size_t *count);

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
 * Give the seconds that a call is taken to last by the cost table of a
 * transport, such as "shm" (also for NULL) or "mpi".
 *
 * Not collective.  Of the event, the kind, the number of peers and the bytes
 * count; the ranks meet at the call and use the links alone.
 */
DT_API double dt_trace_predict(const char *transport,
                               const dt_trace_event *event);

/*
 * Keep a timeline from here on, or stop: events and operators, with the times
 * at which they began and ended.
 *
 * Not collective.  Events are kept meanwhile, whatever dt_trace_record says.
 */
DT_API void dt_trace_timeline(dt_world *world, bool on);

/*
 * Write the timeline of this rank to a file in the trace format of Chrome,
 * which chrome://tracing, Perfetto and others show.
 *
 * Not collective.  A file that is there is replaced.  Operators and calls
 * between ranks are complete events, inside one another as they ran;
 * asynchronous calls have a beginning and an end.  Ranks are threads of one
 * process.  Times are those of the machine's monotonic clock.  DT_ERR_IO if the
 * file cannot be written.
 */
DT_API DT_MUST_USE dt_status dt_trace_save(dt_world *world, const char *path);

/*
 * Write the timelines of all ranks to one file.
 *
 * Collective over the world.  Rank 0 writes; the path of the others is not
 * read. If it fails there, it fails on all.  Its own calls between ranks are
 * counted as any other, but are not in the file.  Clocks of different machines
 * differ. On sim the file has the one rank that is there.
 */
DT_API DT_MUST_USE dt_status dt_trace_save_all(dt_world *world,
                                               const char *path);

/*
 * Forget the events that were kept and set all counters to zero, those of
 * operators included.
 *
 * Not collective.
 */
DT_API void dt_trace_clear(dt_world *world);

DT_EXTERN_C_END

#endif
