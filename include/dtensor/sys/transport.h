/* dtensor/sys/transport.h - what carries calls between ranks. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_SYS_TRANSPORT_H
#define DTENSOR_SYS_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dtensor/comm.h>
#include <dtensor/trace.h>

DT_EXTERN_C_BEGIN

/*
 * Fixed ranks that call each other in one order: the members of a group or,
 * for sending and receiving, two of them: member 0 sends, member 1 receives.
 */
typedef struct dt_line {
    dt_world *world;
    const int *ranks; /* world ranks of the members, in order */
    int size;
    int rank;               /* this rank's place among them */
    uint64_t id;            /* the same for the same line on every member */
    struct dt_line *parent; /* of a pair: the line of its group; else NULL */
    uint64_t sequence;      /* number of the latest call, from 1 */
    uint64_t fingerprint;   /* of all calls so far */
    char label[32];         /* such as "ranks 0-3", for sentences */
    void *state;            /* the transport's own */
} dt_line;

/*
 * One call of this rank on a line.  Arguments were checked: arrays are
 * contiguous, counts fit.  Pointers stay valid until the call is complete.
 */
typedef struct dt_call {
    dt_collective kind;
    dt_reduce op; /* of reductions */
    dt_dtype dtype;
    int root;          /* member; of a send or receive, the other rank's number
                          in the group; -1 where there is none */
    const void *input; /* NULL if this rank has none or it is empty */
    void *output;      /* NULL if this rank has none or it is empty */
    int64_t count;     /* elements: of an all-reduce, broadcast, send or
                          receive; otherwise of all blocks together */
    /* Elements of each member's block; NULL: count / size each.  An all-to-all
     * has two lists and two totals, one for what it sends and one for what it
     * receives; other kinds use the first alone. */
    const int64_t *counts;
    const int64_t *receive_counts;
    int64_t receive_count;
    const char *origin; /* who asked for it, for sentences; may be NULL */
    uint64_t sequence;
    uint64_t fingerprint;
    uint64_t scratch[4]; /* the transport's own, zero at the start */
} dt_call;

/* Elements of a member's block. */
static inline int64_t dt_call_block(const int64_t *counts, int64_t total,
                                    int size, int member)
{
    return counts ? counts[member] : total / size;
}

/* Elements of the blocks in front of a member's. */
static inline int64_t dt_call_offset(const int64_t *counts, int64_t total,
                                     int size, int member)
{
    int64_t offset = 0;
    if (!counts)
        return total / size * member;
    for (int i = 0; i < member; i++)
        offset += counts[i];
    return offset;
}

/*
 * A way for ranks to talk.  `carrier` is what `open` made for this rank.
 * Failures are recorded in the world (dti_fail) and poison what must be
 * poisoned before they are returned.
 */
typedef struct dt_transport {
    const char *name;
    const char *summary;

    /* False if calls move nothing: arrays may then be without storage. */
    bool moves_data;

    /* Calls of one line that may be under way at once; 0: any number.  The
     * oldest is completed before one more is begun. */
    int depth;

    /* Give the transport that carries the calls, if it lives in a library that
     * is loaded when needed (sys/plugin.h); nothing below is used of this one
     * then.  Optional. */
    dt_status (*load)(const struct dt_transport **out, dt_error *error);

    /* Say which rank of how many this process is.  Optional: the settings and
     * options say it then. */
    dt_status (*locate)(int *rank, int *size, dt_error *error);

    /* Make the carrier of this rank; the world's rank and size are known.
     * Collective over the world. */
    dt_status (*open)(dt_world *world, void **carrier, dt_error *error);

    /* Free the carrier; every line is closed.  Not collective. */
    void (*close)(void *carrier);

    /* Make line->state.  Collective over the members of the line. */
    dt_status (*line_open)(void *carrier, dt_line *line);

    /* Free line->state.  Not collective. */
    void (*line_close)(void *carrier, dt_line *line);

    /* Begin a call: note it for the others, and do what needs no other rank.
     * Calls of a line are begun in order.  May wait for room. */
    dt_status (*start)(void *carrier, dt_line *line, dt_call *call);

    /* Do what can be done for the oldest call of a line that is not complete;
     * if `wait`, until it is complete. */
    dt_status (*advance)(void *carrier, dt_line *line, dt_call *call, bool wait,
                         bool *complete);

    /* Tell the members of all lines that this rank failed.  Not collective.
     * Optional. */
    void (*poison)(void *carrier, const dt_error *error);

    /* Clear all poison and forget all calls; lines begin at sequence 0.
     * Collective over the world. */
    dt_status (*recover)(void *carrier);
} dt_transport;

/*
 * Give a transport of this build by number, from 0; NULL past the last.
 *
 * Not collective.  Static.
 */
DT_API const dt_transport *dt_transport_at(size_t index);

DT_EXTERN_C_END

#endif
