/* plugins/mpi/seat.h - what ranks of one machine can see of one another. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_PLUGINS_MPI_SEAT_H
#define DTI_PLUGINS_MPI_SEAT_H

#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dtensor/sys/plugin.h>

/*
 * MPI cannot be asked what another rank does, and the thread that watches a
 * waiting rank may not call it.  So the ranks of a machine share a page each,
 * the seat, in which a rank shows what it does; it is written by that rank
 * alone and read by the watches of the others.  Ranks of other machines have no
 * seat here.
 */

/* What a rank is doing, or did last. */
typedef enum dti_mpi_activity {
    DTI_MPI_NOTHING, /* nothing yet */
    DTI_MPI_CALL,    /* the call in the record */
    DTI_MPI_OPEN,    /* opening the world */
    DTI_MPI_GROUP,   /* making the communicator of a group */
    DTI_MPI_RECOVER, /* recovering the world */
} dti_mpi_activity;

/* How far a rank has come on a line: 1 when it opens it, n + 1 when it begins
 * call n.  A rank that waits in call n waits for those below n + 1. */
typedef struct dti_mpi_track {
    _Atomic uint64_t line; /* its id; 0: unused */
    _Atomic uint64_t reached;
} dti_mpi_track;

/* Track 0 is that of the world: opening it, then each recovery.  Lines past the
 * last track are not followed. */
enum {
    DTI_MPI_TRACKS = 120,
    DTI_MPI_LABEL_WORDS = 4,
    DTI_MPI_RECORD_WORDS = 64, /* at most */
};

typedef struct dti_mpi_seat {
    _Atomic uint64_t epoch;    /* odd while the rank is inside MPI */
    _Atomic uint32_t activity; /* dti_mpi_activity */
    _Atomic uint32_t left;     /* the rank has closed its world */
    _Atomic int32_t waits_for; /* world rank; -1: none, or not known */
    _Atomic uint32_t written;  /* its watch has written why the job ends */
    _Atomic uint64_t sequence; /* of the call */
    _Atomic uint64_t label[DTI_MPI_LABEL_WORDS]; /* of the line */
    dti_mpi_track tracks[DTI_MPI_TRACKS];
    _Atomic uint64_t record[]; /* of the call, in words */
} dti_mpi_seat;

/* The seats of a machine, as one rank of it sees them. */
typedef struct dti_mpi_seats {
    char *memory;             /* a cache line for `ending`, then the seats */
    size_t shared_bytes;      /* 0: only this rank sees it */
    size_t stride;            /* bytes of a seat */
    _Atomic uint32_t *ending; /* a watch ends the job */
    int *places; /* number of each world rank's seat; -1: it has none here */
    int *ranks;  /* the world rank of each seat */
    int count;   /* seats */
    dti_mpi_seat *own;
} dti_mpi_seats;

/* Make a seat that only this rank sees; NULL without memory. */
dti_mpi_seats *dti_mpi_seats_alone(int world_rank, int world_size);

/* Share seats with the ranks of this machine.  Where that is not possible each
 * has a seat of its own; NULL without memory.  Collective over `comm`. */
dti_mpi_seats *dti_mpi_seats_share(MPI_Comm comm);

/* Not collective; NULL does nothing. */
void dti_mpi_seats_release(dti_mpi_seats *seats);

/* The seat of a world rank; NULL if it has none here. */
const dti_mpi_seat *dti_mpi_seat_of(const dti_mpi_seats *seats, int rank);

/* Give a line a track in this rank's own seat: its number, or -1 if all are
 * taken. */
int dti_mpi_seat_add_track(dti_mpi_seat *seat, uint64_t line);

/* Tell whether a rank may have come this far on a line: false if it surely has
 * not. */
bool dti_mpi_seat_reached(const dti_mpi_seat *seat, uint64_t line,
                          uint64_t value);

/* Say what a rank does: "in barrier, call #3 of ranks 0-1" or "computing after
 * ...". */
void dti_mpi_seat_describe(const dti_mpi_seat *seat, char *text, size_t size);

#endif
