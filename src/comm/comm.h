/* comm/comm.h - what a world knows of its groups and calls. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_COMM_COMM_H
#define DTI_COMM_COMM_H

#include <dtensor/comm.h>
#include <dtensor/sys/transport.h>

#include "array/array.h"
#include "base/map.h"
#include "base/world.h"
#include "comm/history.h"

/*
 * A line with this rank's calls on it that are not complete, oldest first.
 * A call that waits is not in the queue: it completes the queue, then itself.
 */
typedef struct dti_line {
    dt_channel line; /* what the transport sees */
    struct dti_comm *comm;
    dt_handle *oldest;
    dt_handle *newest;
    int under_way; /* calls in the queue */
    bool busy; /* this rank is inside the transport with a call of this line */
    struct dti_line *next_active; /* in dti_comm.active */
    struct dti_line *next_pair;   /* in dt_group.pairs */
} dti_line;

struct dt_group {
    dti_line main;
    dti_line *pairs; /* made by the first send or receive */
    int *ranks;
};

struct dt_handle {
    dti_reference reference; /* the caller's, and the line's while under way */
    dti_line *line;
    dt_call call;
    dt_array *input; /* retained; NULL if there is none */
    dt_array *output;
    dti_pending reads;
    dti_pending writes;
    size_t event;     /* in the trace; 0: none */
    dt_status status; /* once complete */
    bool complete;
    dt_error error;   /* the sentence of a failure */
    dt_handle *next;  /* in the line's queue */
    dt_tiling tiling; /* of the call, if it has one */
    int64_t counts[]; /* copies of the caller's lists */
};

/* For whom calls are made: who asks, in words, and on which mesh. */
typedef struct dti_service {
    const char *origin;   /* may be NULL */
    dti_history *history; /* of the mesh; NULL: of none */
} dti_service;

typedef struct dti_comm {
    dt_world *world;
    const dt_transport *transport;
    void *carrier;
    bool compares;  /* the carrier wants fingerprints */
    dti_map groups; /* by member list */
    dt_group *all;
    dti_line *active;   /* lines with calls under way */
    dti_service served; /* by the calls from here on */
    dti_map histories;  /* of meshes, by id */
    dti_doing doing;    /* the program, for messages */
    dti_map modules;    /* texts that modules were named by */
    bool failed;        /* a call has failed since ranks began or recovered */
    dt_array **kept;    /* arrays of calls that were given up */
    size_t kept_count;
    uint64_t recoveries; /* of the world; the same on all ranks */
} dti_comm;

static inline dti_comm *dti_comm_of(const dt_world *world)
{
    return dti_world_room(world, DTI_ROOM_COMM);
}

/* The transports, and the one with a name; NULL if there is none. */
const dt_transport *dti_transport_find(const char *name);

/* Do what a process does once, before its first world: load BLAS. */
dt_status dti_comm_prepare(const dti_settings *settings, dt_error *error);

/* Work out how many threads a rank has, and let its world have them. */
dt_status dti_comm_open_work(dt_world *world, const dt_transport *transport,
                             dt_error *error);

/* Log, on the first rank of the first world of the process, what its user
 * should know of how it was set up. */
void dti_comm_remark(dt_world *world);

/* Hang trace and comm off a world: an open carrier, which the world owns from
 * here on even if this fails, and the group of all ranks. */
dt_status dti_comm_attach(dt_world *world, const dt_transport *transport,
                          void *carrier, dt_error *error);

/* The line between this rank and a member, towards it or from it. */
dt_status dti_group_pair(dt_group *group, int peer, bool outward,
                         dti_line **out);

/*
 * Move or combine boxes: an all-gather, an all-to-all or, with `op`, a
 * reduce-scatter.  Input and output are contiguous.  Not waiting if `out` is
 * given.  For transports that take tiles.
 *
 * Collective over the group.
 */
dt_status dti_group_tiles(dt_group *group, dt_collective kind, dt_reduce op,
                          const dt_tiling *tiling, const dt_array *input,
                          dt_array *output, dt_handle **out);

/* Begin a call and wait until it is complete. */
dt_status dti_call_run(dti_line *line, dt_call *call);

/* Begin a call and give a handle that holds on to the arrays. */
dt_status dti_call_run_async(dti_line *line, const dt_call *call,
                             dt_array *input, dt_array *output,
                             dt_handle **out);

/* Do what can be done, without waiting, for calls under way on all lines but
 * those this rank is inside of.  Transports call it while they wait.  True if
 * something is still under way there. */
bool dti_comm_progress(dt_world *world);

/* End every call under way: this rank has failed. */
void dti_comm_abandon(dt_world *world, const dt_error *error);

/* Wait for every call under way; gives the first failure. */
dt_status dti_comm_settle(dt_world *world);

/* Run a program and wait for every call under way.  If the program returns
 * DT_OK, the first failure that it has not read is the result.  `error` gets
 * the message of a failure. */
dt_status dti_comm_run(dt_world *world, dt_program program, void *arg,
                       dt_error *error);

/* Keep an array that another rank may still use, until that is over; NULL does
 * nothing. */
void dti_comm_keep(dti_comm *comm, dt_array *array);

/* Let go of the arrays that were kept: nobody uses them any more. */
void dti_comm_let_go(dti_comm *comm);

/* Tell the others of a failure that only this rank knows of.  Gives the
 * status. */
dt_status dti_comm_tell(dt_world *world, dt_status status);

/* Start all lines at sequence 0, with nothing under way, and all histories. */
void dti_comm_restart(dt_world *world);

/* Set for whom calls are made from here on; gives for whom they were, to be set
 * again. */
static inline dti_service dti_comm_serve(dt_world *world, dti_service next)
{
    dti_comm *comm = dti_comm_of(world);
    dti_service before = comm->served;
    comm->served = next;
    return before;
}

/* The same, but for the mesh: it stays. */
static inline const char *dti_comm_set_origin(dt_world *world,
                                              const char *origin)
{
    dti_comm *comm = dti_comm_of(world);
    const char *before = comm->served.origin;
    comm->served.origin = origin;
    return before;
}

#endif
