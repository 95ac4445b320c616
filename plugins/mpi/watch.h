/* plugins/mpi/watch.h - a thread that ends the job when a rank waits in vain.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_PLUGINS_MPI_WATCH_H
#define DTI_PLUGINS_MPI_WATCH_H

#include "mpi/seat.h"

/* The watch of a world; there is none without a time limit (DT_TIMEOUT). */
typedef struct dti_mpi_watch dti_mpi_watch;

/* Start a watch for a rank; `out` is NULL if there is no time limit. */
dt_status dti_mpi_watch_start(dt_world *world, int rank, int size,
                              dti_mpi_watch **out, dt_error *error);

/* Let the ranks of this machine see one another.  Collective over `comm`;
 * NULL does nothing. */
void dti_mpi_watch_share(dti_mpi_watch *watch, MPI_Comm comm, bool check);

/* Show the others that this rank makes no more calls; NULL does nothing. */
void dti_mpi_watch_leave(dti_mpi_watch *watch);

/* End the watch; NULL does nothing. */
void dti_mpi_watch_stop(dti_mpi_watch *watch);

/* Follow the calls of a line: its track, or -1 if it is not followed. */
int dti_mpi_watch_add_line(dti_mpi_watch *watch, const dt_channel *line);

/* Wait until the watch does not look at a line, which is about to be freed. */
void dti_mpi_watch_drop_line(dti_mpi_watch *watch);

/* Show that this rank begins a call. */
void dti_mpi_watch_begin(dti_mpi_watch *watch, const dt_channel *line,
                         int track, const dt_call *call);

/* Show that this rank waits, or may wait, in a call that it has begun. */
void dti_mpi_watch_enter(dti_mpi_watch *watch, const dt_channel *line,
                         int track, const dt_call *call);

/* Show that this rank waits for the members of a line to make its communicator,
 * or for all ranks to open or recover their world, if `line` is NULL. */
void dti_mpi_watch_enter_meeting(dti_mpi_watch *watch, const dt_channel *line,
                                 dti_mpi_activity activity);

/* Show that the wait is over. */
void dti_mpi_watch_exit(dti_mpi_watch *watch);

/* Forget all calls: lines begin anew. */
void dti_mpi_watch_reset(dti_mpi_watch *watch);

#endif
