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
 * Nothing is agreed on between lines: ranks may begin calls of two of them in
 * different orders.
 */
typedef struct dt_channel {
    dt_world *world;
    const int *ranks; /* world ranks of the members, in order */
    int size;
    int rank;    /* this rank's place among them */
    uint64_t id; /* a hash of the members in order and, of a pair, of
                    its group and direction: the same on each member,
                    and on two lines only by accident */
    struct dt_channel *parent; /* of a pair: the line of its group; else NULL */
    uint64_t sequence;         /* number of the latest call, from 1 */
    uint64_t fingerprint;      /* of all calls so far */
    void *state;               /* the transport's own */
    char label[32];            /* such as "ranks 0-3", for sentences */
} dt_channel;

/*
 * A box that goes from a member's input into this rank's output.  Offsets and
 * strides are in bytes; the slowest dimension comes first.
 */
typedef struct dt_call_tile {
    int member; /* -1 in a reduce-scatter: the same box of all, combined */
    int ndim;
    int64_t source;      /* from the start of the member's input */
    int64_t destination; /* from the start of the output */
    int64_t dims[DT_MAX_NDIM];
    int64_t source_strides[DT_MAX_NDIM];
    int64_t destination_strides[DT_MAX_NDIM];
} dt_call_tile;

/* What a call moves, where that is not blocks one after another. */
typedef struct dt_tiling {
    const dt_call_tile *tiles; /* what this rank takes */
    int64_t count;
    int64_t sent;     /* elements that go to other members */
    int64_t received; /* elements that come from other members */
    uint64_t tag;     /* the same on all members that mean the same */
} dt_tiling;

/*
 * One call of this rank on a line.  Arguments were checked: arrays are
 * contiguous, counts fit.  Pointers stay valid until the call is complete.
 *
 * A barrier has no arrays and no count, a send has an input, a receive an
 * output.  The root of a broadcast has only an input, the others only an
 * output.  The root alone has the input of a scatter, and the output of a
 * gather.  All else has both; they are the same in an all-reduce in place.
 * Reductions combine members in order 0, 1, 2, ...
 */
typedef struct dt_call {
    dt_collective kind;
    dt_reduce op; /* of reductions */
    dt_dtype dtype;
    int root;          /* member; of a send or receive, the other rank's number
                          in the group, not in the line, where it is member
                          1 - rank; -1: there is none */
    const void *input; /* NULL if this rank has none or it is empty */
    void *output;      /* NULL if this rank has none or it is empty */
    int64_t count;     /* elements: of an all-reduce, broadcast, send or
                          receive; otherwise of all blocks together */
    /* Elements of each member's block; NULL: count / size each.  An all-to-all
     * has two lists and two totals, one for what it sends and one for what it
     * receives, which are set and equal without lists; other kinds use the
     * first alone. */
    const int64_t *counts;
    const int64_t *receive_counts;
    int64_t receive_count;
    /* An all-gather, all-to-all or reduce-scatter of boxes; NULL: of blocks.
     * `count` is then that of this rank's input, and there are no lists. */
    const dt_tiling *tiling;
    const char *origin; /* who asked for it, for sentences; may be NULL */
    /* What this rank called on the mesh that the call serves, and the word of
     * all that when the call was begun; NULL and 0 if it serves none.  The
     * fingerprint has the word in it. */
    struct dti_history *history;
    uint64_t word;
    int64_t sent;     /* elements that this rank must at least send to others */
    int64_t received; /* and receive from them */
    uint64_t sequence;
    uint64_t fingerprint;
    uint64_t scratch[4]; /* the transport's own, zero at the start */
    bool complete;       /* set by a start that leaves nothing to be advanced */
    bool given_up;       /* set by an advance that fails though others may go on
                            using the arrays: these are kept until the world
                            recovers or closes */
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
 * Entries that are not called optional must be there.
 *
 * A failure is recorded in the world (dti_fail).  If only this rank knows of
 * it, it poisons, as `poison` does, before it is returned.  From then on
 *
 * - calls of this rank fail with its own code and sentence;
 * - calls of others that need it fail with DT_ERR_PEER and "rank N failed:
 *   sentence", which poisons them too.  N is the rank that failed first, also
 *   where the news came by a third; what is DT_ERR_PEER or DT_ERR_DIVERGED
 *   already is passed on as it is;
 * - a rank is told the same until it recovers;
 * - calls that this rank had completed before are completed by the others: they
 *   look for what it sent first and for its failure second;
 * - a rank that ended without a word is DT_ERR_PEER: "rank N is gone".
 *
 * A wait for another rank ends after the world's time limit (settings.timeout,
 * in seconds; 0 is none) with DT_ERR_PEER: the transport sees to that.
 */
typedef struct dt_transport {
    const char *name;
    const char *summary;

    /* Begin a call: note it for the others, and do what needs no other rank.
     * Calls of a line are begun in order.  May wait for room.  A collective may
     * be carried out here; then ranks that begin calls of two groups in
     * different orders hang.  A receive must not wait for its send, nor a send
     * for its receive. */
    dt_status (*start)(void *carrier, dt_channel *line, dt_call *call);

    /* Do what can be done for the oldest call of a line that is not complete;
     * if `wait`, until it is complete.  Once it is, or has failed, nobody uses
     * its arrays any more, unless it was given up.  A send may wait here for
     * its receiver.  A call that is complete reaches the others without the
     * help of this rank, which may close its world next.  Optional if start
     * completes every call. */
    dt_status (*advance)(void *carrier, dt_channel *line, dt_call *call,
                         bool wait, bool *complete);

    /* False if calls move nothing: arrays may then be without storage. */
    bool moves_data;

    /* True if the transport poisons by itself whenever a call fails with
     * DT_ERR_PEER, DT_ERR_DIVERGED or DT_ERR_COMM.  Else a rank that cannot go
     * on for that poisons once more, which does no harm. */
    bool spreads_failures;

    /* True if calls may have a tiling.  Else boxes are packed, and what would
     * be an all-gather of boxes is an all-to-all. */
    bool takes_tiles;

    /* Calls of one line that may be under way at once; 0: any number.  The
     * oldest is completed before one more is begun. */
    int depth;

    /* Give the transport that carries the calls, if it lives in a library that
     * is loaded when needed (sys/plugin.h); nothing below is used of this one
     * then.  Optional. */
    dt_status (*load)(const struct dt_transport **out, dt_error *error);

    /* Say which rank of how many this process is.  The transport was chosen
     * before: a launcher sets DT_TRANSPORT.  Optional: the settings and options
     * say it then. */
    dt_status (*locate)(int *rank, int *size, dt_error *error);

    /* Make the carrier of this rank; the world's rank and size are known.
     * Collective over the world: it may wait for all ranks.  In a process that
     * has opened a world before, makes another or fails with a sentence. */
    dt_status (*open)(dt_world *world, void **carrier, dt_error *error);

    /* Tell whether the carrier compares the calls of different ranks; if not,
     * calls are given no fingerprint.  Optional: without it they are. */
    bool (*compares)(const void *carrier);

    /* Free the carrier; every line is closed.  Not collective. */
    void (*close)(void *carrier);

    /* Make line->state.  Collective over the members of the line; but in the
     * line of a pair it must not wait, for each of the two opens that when it
     * first sends or receives.  Optional. */
    dt_status (*line_open)(void *carrier, dt_channel *line);

    /* Free line->state.  Not collective.  Optional. */
    void (*line_close)(void *carrier, dt_channel *line);

    /* Tell the members of all lines that this rank failed.  Not collective.
     * From then on start fails with this error at once, and so does advance,
     * also with `wait`, of any call that another rank is missing in: to recover
     * or to close a world is to poison it and to advance what is under way.
     * The first error stays if there is another.  Optional if no call is
     * incomplete after start. */
    void (*poison)(void *carrier, const dt_error *error);

    /* Clear all poison and forget all calls; lines begin at sequence 0.
     * Collective over the world: it waits for all ranks, and poisons first, for
     * others may be waiting for this one.  Some may be through, call, fail and
     * begin to recover again while others are inside; some may have waited in
     * vain and try again, which is the same recovery.  What was sent before
     * must not be taken for what is sent after, which has the same numbers. */
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
