/* dtensor/sys/transport.h - the interface of transports, which carry
 * collectives. */
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
 * A channel: a fixed list of ranks that make collectives in one order.  Its
 * members are those of a group or, for send and receive, two of them: member 0
 * sends, member 1 receives.  Calls on different channels are independent: ranks
 * may start them in different orders.
 */
typedef struct dt_channel {
    dt_world *world;  /* of this rank */
    const int *ranks; /* world ranks of the members, in order */
    int size;         /* number of members */
    int rank;         /* number of this rank among the members */
    /* Hash of the members in order and, for a pair, of its group and direction.
     * The same on each member; distinct channels have distinct values except
     * for hash collisions. */
    uint64_t id;
    struct dt_channel
        *parent;       /* of a pair: the channel of its group; otherwise NULL */
    uint64_t sequence; /* number of the latest call, from 1 */
    uint64_t fingerprint; /* hash of all calls so far */
    void *state;          /* owned by the transport */
    char label[32];       /* for messages, for example "ranks 0-3" */
} dt_channel;

/*
 * A box that is copied from the input of a member to the output of this rank.
 * Offsets and strides are in bytes; the slowest dimension comes first.
 */
typedef struct dt_call_tile {
    int member; /* -1 in a reduce-scatter: reduce the box of all members */
    int ndim;
    int64_t source;      /* offset in the member's input */
    int64_t destination; /* offset in the output */
    int64_t dims[DT_MAX_NDIM];
    int64_t source_strides[DT_MAX_NDIM];
    int64_t destination_strides[DT_MAX_NDIM];
} dt_call_tile;

/* The elements that a call moves, if they are not consecutive blocks. */
typedef struct dt_tiling {
    const dt_call_tile *tiles; /* boxes that this rank receives */
    int64_t count;
    int64_t sent;     /* elements sent to other members */
    int64_t received; /* elements received from other members */
    uint64_t tag;     /* identifies the tiling, equal on all members */
} dt_tiling;

/*
 * One call of this rank on a channel.  Arguments are checked: arrays are
 * contiguous and counts match.  Pointers stay valid until the call is complete.
 *
 * A barrier has no arrays and no count, a send has an input, a receive an
 * output.  In a broadcast the root has only an input, the others only an
 * output.  Only the root has the input of a scatter and the output of a gather.
 * All other calls have both; in an in-place all-reduce they are the same.
 * Reductions combine members in the order 0, 1, 2, ...
 */
typedef struct dt_call {
    dt_collective kind;
    dt_reduce op; /* of a reduction */
    dt_dtype dtype;
    /* Member.  Of a send or receive: the number of the other rank in the group,
     * not in the channel, where it is member 1 - rank. -1: none. */
    int root;
    const void *input; /* NULL if absent or empty */
    void *output;      /* NULL if absent or empty */
    /* Elements: of the array for an all-reduce, broadcast, send or receive;
     * otherwise of all blocks together. */
    int64_t count;
    /* Elements of each member's block; NULL: count / size each.  An all-to-all
     * has two lists and two totals, for sending and receiving; without lists
     * both totals are set and equal.  Other kinds use `counts` only. */
    const int64_t *counts;
    const int64_t *receive_counts;
    int64_t receive_count;
    /* The boxes of an all-gather, all-to-all or reduce-scatter; NULL: blocks.
     * `count` is then the number of elements of this rank's input, and there
     * are no lists. */
    const dt_tiling *tiling;
    const char *origin; /* what the call is for, for messages; may be NULL */
    /* What this rank has called on the mesh that the call is for, and a hash of
     * all that at the start of the call; NULL and 0 if it is for no mesh.  The
     * hash is included in the fingerprint. */
    void *history;
    uint64_t word;
    int64_t sent;     /* minimum of elements sent to others */
    int64_t received; /* minimum of elements received from others */
    uint64_t sequence;
    uint64_t fingerprint;
    uint64_t scratch[4]; /* owned by the transport, zero at the start */
    bool complete;       /* set by a start that has completed the call */
    /* Set by an advance that fails while other ranks may still use the arrays:
     * these are kept until the world recovers or closes. */
    bool given_up;
} dt_call;

/* Return the number of elements of a member's block.  Not collective. */
static inline int64_t dt_call_block(const int64_t *counts, int64_t total,
                                    int size, int member)
{
    return counts ? counts[member] : total / size;
}

/* Return the number of elements in the blocks before a member's.
 * Not collective. */
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
 * A transport.  `carrier` is the object that `open` created for this rank.
 * Entries that are not marked optional are required.
 *
 * An error is recorded in the world (dti_fail).  If only this rank knows of it,
 * the transport poisons, as `poison` does, before it returns the error.  From
 * then on:
 *
 * - calls of this rank fail with its own code and message;
 * - calls of other ranks that need this rank fail with DT_ERR_PEER and the
 *   message "rank N failed: ...", which poisons them too.  N is the rank that
 *   failed first, even if a third rank reported it; an error that is
 *   DT_ERR_PEER or DT_ERR_DIVERGED already is passed on unchanged;
 * - a rank receives the same error until it recovers;
 * - calls that this rank completed before are completed by the others: they
 *   look for its data first and for its error second;
 * - if a rank ended without an error, the others fail with DT_ERR_PEER: "rank N
 *   is gone".
 *
 * A wait for another rank ends after the world's time limit (settings.timeout
 * in seconds; 0: none) with DT_ERR_PEER.  The transport enforces this.
 */
typedef struct dt_transport {
    const char *name;    /* value of DT_TRANSPORT */
    const char *summary; /* one line for `dtensor info` */

    /* Start a call: announce it to the other members, and do what needs no
     * other rank.  Calls of a channel are started in order.  May wait for
     * buffer space.  A collective may be completed here; ranks that start calls
     * of two groups in different orders then hang.  A receive must not wait for
     * its send, nor a send for its receive. */
    dt_status (*start)(void *carrier, dt_channel *line, dt_call *call);

    /* Make progress on the oldest incomplete call of a channel; if `wait`,
     * until it is complete.  When the call is complete or has failed, no rank
     * uses its arrays any more, unless `given_up` is set.  A send may wait here
     * for its receiver.  A complete call reaches the other ranks without
     * further calls of this rank, which may close its world next.  Optional if
     * start completes every call. */
    dt_status (*advance)(void *carrier, dt_channel *line, dt_call *call,
                         bool wait, bool *complete);

    /* False if calls move no data: arrays may then have no storage. */
    bool moves_data;

    /* True if the transport itself poisons when a call fails with DT_ERR_PEER,
     * DT_ERR_DIVERGED or DT_ERR_COMM.  Otherwise the library poisons after such
     * an error; doing so twice is harmless. */
    bool spreads_failures;

    /* True if calls may have a tiling.  Otherwise boxes are packed, and an
     * all-gather of boxes becomes an all-to-all. */
    bool takes_tiles;

    /* Maximum number of pending calls of one channel; 0: unlimited.  The oldest
     * is completed before another is started. */
    int depth;

    /* Return the transport to use instead, if it is in a library that is loaded
     * on demand (sys/plugin.h); the entries below are then not used.
     * Optional. */
    dt_status (*load)(const struct dt_transport **out, dt_error *error);

    /* Return the rank of this process and the number of ranks.  The transport
     * has been chosen before: a launcher sets DT_TRANSPORT.  Optional: by
     * default settings and options have the numbers. */
    dt_status (*locate)(int *rank, int *size, dt_error *error);

    /* Create the carrier of this rank; rank and size of the world are known.
     * Collective over the world: it may wait for all ranks.  In a process that
     * has opened a world before, it creates another one or fails with a
     * message. */
    dt_status (*open)(dt_world *world, void **carrier, dt_error *error);

    /* Test whether the carrier compares the calls of different ranks; if not,
     * fingerprints are not computed.  Optional: true by default. */
    bool (*compares)(const void *carrier);

    /* Free the carrier after all channels are closed.  Not collective. */
    void (*close)(void *carrier);

    /* Create line->state.  Collective over the members of the channel, except
     * that for the channel of a pair it must not wait, because each of the two
     * opens it when it first sends or receives.  Optional. */
    dt_status (*line_open)(void *carrier, dt_channel *line);

    /* Free line->state.  Not collective.  Optional. */
    void (*line_close)(void *carrier, dt_channel *line);

    /* Tell the members of all channels that this rank failed.  Not collective.
     * From then on start fails with this error immediately, and so does
     * advance, also with `wait`, for any call that needs another rank:
     * recovering and closing a world poison it and then advance the pending
     * calls.  The first error is kept if there is another.  Optional if no call
     * is incomplete after start. */
    void (*poison)(void *carrier, const dt_error *error);

    /* Clear all poison and forget all calls; channels restart at sequence 0.
     * Collective over the world: it waits for all ranks, and poisons first,
     * because other ranks may be waiting for this one.  Some ranks may return,
     * call, fail and start to recover again while others are still inside; some
     * may time out and try again, which is the same recovery.  Data sent before
     * must not be mistaken for data sent after, which has the same sequence
     * numbers. */
    dt_status (*recover)(void *carrier);
} dt_transport;

/*
 * Return a transport of this build by number, from 0; NULL after the last.
 *
 * Not collective.  The transport is static.
 */
DT_API const dt_transport *dt_transport_at(size_t index);

DT_EXTERN_C_END

#endif
