/* bench/peers/mpi_redistribute.c - row blocks to column blocks by MPI, timed.
 */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Run as `mpirun -n N mpi_redistribute alltoallw:BYTES ...`.  A square matrix
 * of f32, of so many bytes, lies in row blocks, one for each rank; each rank
 * gets its column block.  Rank 0 prints alltoallw:BYTES and the seconds that
 * MPI_Alltoallw takes: datatypes say where the pieces lie.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/peers/mpi_calls.h"

#define MAX_RANKS 64

/* What is sent to each rank and received from it. */
static struct {
    int counts[MAX_RANKS];
    int offsets[MAX_RANKS];
    MPI_Datatype sent[MAX_RANKS];
    MPI_Datatype received[MAX_RANKS];
} pieces;

/* A piece of the row block goes to each rank; it comes to lie densely. */
static void make_pieces(int side, int ranks)
{
    int block = side / ranks;
    for (int i = 0; i < ranks; i++) {
        MPI_Type_create_subarray(2, (const int[]){block, side},
                                 (const int[]){block, block},
                                 (const int[]){0, i * block}, MPI_ORDER_C,
                                 MPI_FLOAT, &pieces.sent[i]);
        MPI_Type_create_subarray(2, (const int[]){side, block},
                                 (const int[]){block, block},
                                 (const int[]){i * block, 0}, MPI_ORDER_C,
                                 MPI_FLOAT, &pieces.received[i]);
        MPI_Type_commit(&pieces.sent[i]);
        MPI_Type_commit(&pieces.received[i]);
        pieces.counts[i] = 1;
    }
}

static void free_pieces(int ranks)
{
    for (int i = 0; i < ranks; i++) {
        MPI_Type_free(&pieces.sent[i]);
        MPI_Type_free(&pieces.received[i]);
    }
}

static void alltoallw(const mpi_buffers *b)
{
    MPI_Alltoallw(b->in, pieces.counts, pieces.offsets, pieces.sent, b->out,
                  pieces.counts, pieces.offsets, pieces.received,
                  MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    const mpi_call call = {"alltoallw", alltoallw};
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 1; i < argc && ranks <= MAX_RANKS; i++) {
        const char *colon = strchr(argv[i], ':');
        size_t bytes = colon ? (size_t)strtoull(colon + 1, NULL, 10) : 0;
        int side = (int)lround(sqrt((double)(bytes / sizeof(float))));
        mpi_buffers buffers = mpi_buffers_take(bytes / (size_t)ranks);
        make_pieces(side, ranks);
        double seconds = mpi_call_time(&call, &buffers);
        if (rank == 0)
            printf("%s %.9g\n", argv[i], seconds);
        free_pieces(ranks);
        mpi_buffers_release(&buffers);
    }
    MPI_Finalize();
    return 0;
}
