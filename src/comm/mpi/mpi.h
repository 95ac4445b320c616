/* comm/mpi/mpi.h - ranks that MPI started; the plug-in that talks to it. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_COMM_MPI_MPI_H
#define DTI_COMM_MPI_MPI_H

#include <stdbool.h>

#include <dtensor/sys/transport.h>

/* Known by name alone: `load` gives the transport of the plug-in. */
extern const dt_transport dti_transport_mpi;

/* Tell whether a world should be one on MPI because MPI's launcher started this
 * process.  A single rank needs no MPI, so without a plug-in that is not. */
bool dti_mpi_launched(void);

/* The ranks that the launcher started on this machine; 1 if it does not say. */
int dti_mpi_neighbours(void);

/* Set the communicator, as the address of its handle, that the next worlds of
 * this thread are opened on, and the name of its MPI library; NULL for none. */
void dti_mpi_give(const char *library, const void *communicator);

#endif
