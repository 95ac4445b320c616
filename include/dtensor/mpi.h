/* dtensor/mpi.h - worlds on an MPI communicator of the program. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_MPI_H
#define DTENSOR_MPI_H

#include <mpi.h>

#include <dtensor/sys/plugin.h>

DT_EXTERN_C_BEGIN

#if defined(OPEN_MPI)
#define DT_MPI_LIBRARY_ "openmpi"
#elif defined(MPICH) || defined(MPICH_VERSION)
#define DT_MPI_LIBRARY_ "mpich"
#else
#error "dtensor/mpi.h knows Open MPI and MPICH"
#endif

/*
 * Open a world whose ranks are the ranks of a communicator.
 *
 * Collective over the communicator, which is duplicated: the program may
 * continue to use it, or free it.  MPI must be initialised and is not finalised
 * when the world is closed; all worlds must be closed before MPI is finalised.
 * `options` may be NULL.  On failure `error`, which may be NULL, receives the
 * error.
 */
DT_MUST_USE static inline dt_status
dt_world_open_mpi(MPI_Comm communicator, const dt_world_options *options,
                  dt_world **out, dt_error *error)
{
    return dt_world_open_on(options, DT_MPI_LIBRARY_, &communicator, out,
                            error);
}

DT_EXTERN_C_END

#endif
