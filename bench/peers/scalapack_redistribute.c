/* bench/peers/scalapack_redistribute.c - row blocks to column blocks by
 * ScaLAPACK, timed. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Run as `mpirun -n N scalapack_redistribute psgemr2d:BYTES ...`.  A square
 * matrix of f32, of so many bytes, changes blocks.  ScaLAPACK's matrices lie by
 * columns: its column blocks are the row blocks of one that lies by rows, so
 * that both sides move the same bytes between the same places.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/peers/mpi_calls.h"

/* Of the library, which has no header. */
void Cblacs_get(int context, int what, int *value);
void Cblacs_gridinit(int *context, const char *order, int rows, int columns);
void Cblacs_gridexit(int context);
void Cpsgemr2d(int rows, int columns, float *from, int from_row,
               int from_column, int *from_desc, float *to, int to_row,
               int to_column, int *to_desc, int context);

/* What describes a matrix: its kind, grid, size, blocks, first process and the
 * distance between columns. */
enum { DESC_SIZE = 9 };

static struct {
    int side;
    int context; /* of all processes */
    int from[DESC_SIZE];
    int to[DESC_SIZE];
} matrix;

static void describe(int *desc, int context, int rows, int columns)
{
    const int values[DESC_SIZE] = {
        1, context, matrix.side, matrix.side, rows, columns, 0, 0, rows};
    memcpy(desc, values, sizeof values);
}

static void psgemr2d(const mpi_buffers *b)
{
    Cpsgemr2d(matrix.side, matrix.side, b->in, 1, 1, matrix.from, b->out, 1, 1,
              matrix.to, matrix.context);
}

/* Time one order on a row and on a column of processes. */
static double time_order(size_t bytes, int ranks)
{
    const mpi_call call = {"psgemr2d", psgemr2d};
    int row, column;
    matrix.side = (int)lround(sqrt((double)(bytes / sizeof(float))));
    Cblacs_get(-1, 0, &matrix.context);
    row = column = matrix.context;
    Cblacs_gridinit(&row, "Row", 1, ranks);
    Cblacs_gridinit(&column, "Row", ranks, 1);
    matrix.context = row;
    describe(matrix.from, row, matrix.side, matrix.side / ranks);
    describe(matrix.to, column, matrix.side / ranks, matrix.side);
    mpi_buffers buffers = mpi_buffers_take(bytes / (size_t)ranks);
    double seconds = mpi_call_time(&call, &buffers);
    mpi_buffers_release(&buffers);
    Cblacs_gridexit(column);
    Cblacs_gridexit(row);
    return seconds;
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 1; i < argc; i++) {
        const char *colon = strchr(argv[i], ':');
        size_t bytes = colon ? (size_t)strtoull(colon + 1, NULL, 10) : 0;
        double seconds = time_order(bytes, ranks);
        if (rank == 0)
            printf("%s %.9g\n", argv[i], seconds);
    }
    MPI_Finalize();
    return 0;
}
