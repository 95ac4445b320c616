/* bench/peers/mpi_collectives.c - the collectives of an MPI library, timed. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Run as `mpirun -n N mpi_collectives NAME:BYTES ...`.  For each argument rank
 * 0 prints NAME:BYTES and the seconds that one call takes: the slowest rank of
 * each round, the median of the rounds.  The suite `collectives` of the command
 * times our calls in the same way.
 */
#include <mpi.h>
#include <stdio.h>

#include "bench/peers/mpi_calls.h"

/* Read NAME:BYTES, time it, print it; 0 if there is no such call. */
static int run(const char *text, int rank)
{
    size_t bytes;
    const mpi_call *call = mpi_call_find(text, &bytes);
    if (!call)
        return 0;
    mpi_buffers b = mpi_buffers_take(bytes);
    double seconds = mpi_call_time(call, &b);
    if (rank == 0)
        printf("%s %.9g\n", text, seconds);
    mpi_buffers_release(&b);
    return 1;
}

int main(int argc, char **argv)
{
    int rank, known = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 1; i < argc && known; i++) {
        known = run(argv[i], rank);
        if (!known && rank == 0)
            fprintf(stderr, "mpi_collectives: no call \"%s\"\n", argv[i]);
    }
    MPI_Finalize();
    return known ? 0 : 2;
}
