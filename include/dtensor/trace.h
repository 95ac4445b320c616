/* dtensor/trace.h - counting and recording collectives. */
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

/* The kinds of collectives, including point-to-point messages. */
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
 * Return the name of a kind of collective, for example "all-reduce".
 *
 * Not collective.  The text is static.
 */
DT_API const char *dt_collective_name(dt_collective kind);

/* Size of the text that says what a collective was for. */
#define DT_TRACE_ORIGIN_SIZE 40

/*
 * One collective, as this rank made it.  Bytes are the minimum that a rank has
 * to send and receive, whatever the algorithm: for an all-reduce of n bytes on
 * p ranks they are 2n(p-1)/p each.
 */
typedef struct dt_trace_event {
    dt_collective kind; /* kind of collective */
    dt_reduce op;       /* of a reduction */
    dt_dtype dtype;     /* of the elements */
    int root;           /* root, to or from; -1: none */
    int group_size;     /* ranks in the group */
    int peers;      /* ranks that this one receives from; 1 if it only sends */
    uint64_t group; /* number of the group, the same on every rank */
    uint64_t sequence; /* number of the collective in its group, from 1 */
    int64_t count;     /* elements of the larger of input and output */
    size_t bytes_sent;
    size_t bytes_received;
    const char *operator_name; /* operator that made the call, valid until
                                  events are cleared; NULL: none */
    char origin[DT_TRACE_ORIGIN_SIZE]; /* "S(0) -> R"; "" if unknown */
    bool asynchronous;                 /* started by an _async function */
    /* Start and end in nanoseconds of the monotonic clock.  Both are 0 without
     * a timeline; `ended` is 0 while the collective is pending. */
    int64_t began;
    int64_t ended;
} dt_trace_event;

/* Totals of one kind of collective. */
typedef struct dt_trace_counter {
    uint64_t calls;
    uint64_t bytes_sent;
    uint64_t bytes_received;
} dt_trace_counter;

/*
 * Return the totals of one kind of collective in this world.
 *
 * Not collective.
 */
DT_API dt_trace_counter dt_trace_count(const dt_world *world,
                                       dt_collective kind);

/*
 * Totals of one operator on this rank.  Collectives of an operator that is
 * called by another count for the inner one only.
 */
typedef struct dt_trace_operator {
    const char *name; /* of the operator */
    uint64_t calls;   /* number of calls of the operator */
    dt_trace_counter collectives[DT_COLLECTIVE_COUNT]; /* by dt_collective */
    double flops; /* floating-point operations, as the operator reports */
    double bytes; /* memory read and written, as the operator reports */
    int64_t nanoseconds; /* time in the operator including its callees; 0
                            without a timeline */
} dt_trace_operator;

/*
 * List the operators that were called in this world, in the order of their
 * first calls.
 *
 * Not collective.  Borrowed until the next operator call; names until the
 * totals are cleared.  Collectives made outside operators are only in
 * dt_trace_count.
 */
DT_API const dt_trace_operator *dt_trace_operators(const dt_world *world,
                                                   size_t *count);

/*
 * Totals of one module (dtensor/module.h), or of another part of the program
 * that dt_world_set_module names, on this rank.  A collective counts for the
 * innermost module; one of a backward pass for the module whose operator it
 * computes the gradient of.
 */
typedef struct dt_trace_module {
    const char *name; /* for example "layers.0.attn.wo" */
    dt_trace_counter forward[DT_COLLECTIVE_COUNT];  /* by dt_collective */
    dt_trace_counter backward[DT_COLLECTIVE_COUNT]; /* in backward passes */
} dt_trace_module;

/*
 * List the modules that communicated in this world, in the order of their first
 * collectives.
 *
 * Not collective.  Borrowed until the next collective; names until the totals
 * are cleared.
 */
DT_API const dt_trace_module *dt_trace_modules(const dt_world *world,
                                               size_t *count);

/*
 * Start or stop recording events.  Recorded events are kept until
 * dt_trace_clear.
 *
 * Not collective.  On sim, recording is on from the start.
 */
DT_API void dt_trace_record(dt_world *world, bool on);

/*
 * Return the recorded events, in order.
 *
 * Not collective.  Borrowed until the next collective.
 */
DT_API const dt_trace_event *dt_trace_events(const dt_world *world,
                                             size_t *count);

/*
 * Return the predicted seconds of a collective, by the cost table of a
 * transport such as "shm" (also for NULL) or "mpi".
 *
 * Not collective.  Uses the kind, the number of peers and the bytes of the
 * event, and assumes that all ranks arrive at the same time and have the links
 * to themselves.
 */
DT_API double dt_trace_predict(const char *transport,
                               const dt_trace_event *event);

/*
 * Start or stop recording a timeline: events and operators with start and end
 * times.
 *
 * Not collective.  Events are recorded while a timeline is, whatever
 * dt_trace_record says.
 */
DT_API void dt_trace_timeline(dt_world *world, bool on);

/*
 * Write the timeline of this rank to a file in the Chrome trace format, for
 * chrome://tracing, Perfetto and others.
 *
 * Not collective.  An existing file is replaced.  Operators and synchronous
 * collectives are complete events and nest as they ran; asynchronous
 * collectives have a begin and an end event.  Ranks are threads of one process.
 * Times are those of the monotonic clock.  DT_ERR_IO if the file cannot be
 * written.
 */
DT_API DT_MUST_USE dt_status dt_trace_save(dt_world *world, const char *path);

/*
 * Write the timelines of all ranks to one file.
 *
 * Collective over the world.  Rank 0 writes the file; the path of the other
 * ranks is ignored.  If rank 0 fails, all ranks fail.  The collectives of this
 * function are counted but are not in the file.  Clocks of different machines
 * are not synchronised.  On sim the file has one rank.
 */
DT_API DT_MUST_USE dt_status dt_trace_save_all(dt_world *world,
                                               const char *path);

/*
 * Delete the recorded events and set all totals to zero, including those of
 * operators and modules.
 *
 * Not collective.
 */
DT_API void dt_trace_clear(dt_world *world);

DT_EXTERN_C_END

#endif
