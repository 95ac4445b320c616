/* plugins/mpi/plugin.h - what the files of the plug-in share. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_PLUGINS_MPI_PLUGIN_H
#define DTI_PLUGINS_MPI_PLUGIN_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dtensor/sys/plugin.h>

#include "mpi/watch.h"

/* How elements are combined. */
typedef struct dti_mpi_reduction {
    MPI_Op op;
    bool in_order; /* of ranks, by the library's kernels */
} dti_mpi_reduction;

/* The carrier of a world. */
typedef struct dti_mpi {
    dt_world *world;
    MPI_Comm comm; /* all ranks; a duplicate of the world's own */
    int size;
    int limit;            /* most elements of one call; see split.h */
    unsigned recoveries;  /* so far */
    bool check;           /* compare the calls of ranks before each */
    bool told;            /* all members know of the latest divergence */
    dt_error failure;     /* with which calls fail from then on; or DT_OK */
    dti_mpi_watch *watch; /* NULL: no time limit */
    struct dti_mpi *next; /* in the list of open worlds */
    dti_mpi_reduction reductions[DT_REDUCE_COUNT][DT_DTYPE_COUNT];
    void *scratch; /* for reductions of our own; NULL until one comes */
    size_t scratch_bytes;
} dti_mpi;

/* The state of a line.  A pair has the communicator of its group, and no
 * lists. */
typedef struct dti_mpi_line {
    MPI_Comm comm;
    bool owns_comm;
    int track;                  /* of the watch */
    struct dti_mpi_notes *owed; /* by the receiver of a pair; see message.c */
    /* Space for one number per member each. */
    int *lengths, *offsets;
    int *receive_lengths, *receive_offsets;
    const void **inputs;
    MPI_Datatype *types, *receive_types;
} dti_mpi_line;

/* What the library does for us; set when the plug-in is loaded. */
extern const dt_services *dti_mpi_services;

/* A call's line, its communicator and the type of its elements. */
static inline dti_mpi_line *dti_mpi_line_of(const dt_channel *line)
{
    return line->state;
}

MPI_Datatype dti_mpi_type(dt_dtype dtype);
size_t dti_mpi_item(dt_dtype dtype); /* bytes of an element */

/* Put what a function of MPI answered into words; not for MPI_SUCCESS. */
dt_status dti_mpi_fail(dt_world *world, int code, const char *function);

/* Turn the answer of a function of MPI into a status. */
static inline dt_status dti_mpi_check(dt_world *world, int code,
                                      const char *function)
{
    if (code == MPI_SUCCESS)
        return DT_OK;
    return dti_mpi_fail(world, code, function);
}

/* End the job: this rank cannot go on and the others would wait for it. */
void dti_mpi_end_job(dti_mpi *mpi, const dt_error *error);

/* Make the type of a block of any size, at a distance in bytes from where the
 * buffer begins.  The caller frees it. */
int dti_mpi_block_type(const dti_mpi *mpi, dt_dtype dtype, int64_t count,
                       MPI_Aint distance, MPI_Datatype *out);

/* A collective, with what the functions that carry it out have in hand. */
typedef struct dti_mpi_job {
    dti_mpi *mpi;
    const dt_channel *line;
    const dt_call *call;
    dti_mpi_line *state;
    MPI_Comm comm;
    MPI_Datatype type; /* of an element */
} dti_mpi_job;

/* Collectives; they are complete when these return. */
dt_status dti_mpi_barrier(const dti_mpi_job *job);
dt_status dti_mpi_all_gather(const dti_mpi_job *job);
dt_status dti_mpi_all_to_all(const dti_mpi_job *job);
dt_status dti_mpi_broadcast(const dti_mpi_job *job);
dt_status dti_mpi_scatter(const dti_mpi_job *job);
dt_status dti_mpi_gather(const dti_mpi_job *job);
dt_status dti_mpi_all_reduce(const dti_mpi_job *job);
dt_status dti_mpi_reduce_scatter(const dti_mpi_job *job);

/* Make the operations that MPI does not have, and free them. */
dt_status dti_mpi_reduce_begin(dt_error *error);
void dti_mpi_reduce_end(void);

/* Note how a world reduces: ranks are combined in order by all reductions that
 * round, or by those that have to. */
void dti_mpi_reduce_choose(dti_mpi *mpi, bool all_in_order);

/* Compare a collective with those of the other members, before it: all members
 * return DT_ERR_DIVERGED if one differs.  Collective over the line. */
dt_status dti_mpi_compare(const dti_mpi_job *job);

/* Forget notes that a receiver owes. */
void dti_mpi_notes_drop(dti_mpi_line *state);

/* Begin a send or receive, and advance it. */
dt_status dti_mpi_message_start(dti_mpi *mpi, const dt_channel *line,
                                dt_call *call);
dt_status dti_mpi_message_advance(dti_mpi *mpi, const dt_channel *line,
                                  dt_call *call, bool wait, bool *complete);

/* Give up a message that is not complete. */
void dti_mpi_message_abandon(const dt_channel *line, dt_call *call);

#endif
