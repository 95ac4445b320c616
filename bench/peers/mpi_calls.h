/* bench/peers/mpi_calls.h - the collectives of an MPI library, by name. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_PEERS_MPI_CALLS_H
#define BENCH_PEERS_MPI_CALLS_H

#include <stddef.h>

/* Where a call finds its data.  Counts are of the whole, blocks of one rank. */
typedef struct mpi_buffers {
    float *in;
    float *out;
    int bytes, byte_block;
    int count, block;
} mpi_buffers;

typedef struct mpi_call {
    const char *name;
    void (*call)(const mpi_buffers *buffers);
} mpi_call;

/* Find the call that NAME:BYTES names; NULL if there is none. */
const mpi_call *mpi_call_find(const char *text, size_t *bytes);

/* Buffers of all ranks for a call of so many bytes.  Ends the job without
 * memory. */
mpi_buffers mpi_buffers_take(size_t bytes);
void mpi_buffers_release(mpi_buffers *buffers);

/* Put the slowest rank's times in place of this rank's. */
void mpi_agree(double *seconds, int count);

/* The seconds that one call takes: the slowest rank of each round, the median
 * of the rounds.  The same on all ranks. */
double mpi_call_time(const mpi_call *call, const mpi_buffers *buffers);

#endif
