/* bench/peers/scalapack_matmul.c - products of matrices by ScaLAPACK, timed. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Run as `mpirun -n N scalapack_matmul psgemm-BLOCK-ROWSxCOLUMNS:BYTES ...`:
 * square matrices of f32, of so many bytes each, cut into square blocks that
 * are dealt out to a grid of processes.
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
void psgemm_(const char *a_turned, const char *b_turned, const int *m,
             const int *n, const int *k, const float *alpha, const float *a,
             const int *a_row, const int *a_column, const int *a_desc,
             const float *b, const int *b_row, const int *b_column,
             const int *b_desc, const float *beta, float *c, const int *c_row,
             const int *c_column, const int *c_desc);

/* What describes a matrix: its kind, grid, size, blocks, first process and the
 * distance between columns. */
enum { DESC_SIZE = 9 };

/* All three matrices lie alike; `in` has two of them, one after another. */
static struct {
    int side;
    int desc[DESC_SIZE];
    size_t count; /* elements of a process */
} matrix;

static void psgemm(const mpi_buffers *b)
{
    const int one = 1, *side = &matrix.side, *desc = matrix.desc;
    const float alpha = 1, beta = 0;
    psgemm_("N", "N", side, side, side, &alpha, b->in, &one, &one, desc,
            b->in + matrix.count, &one, &one, desc, &beta, b->out, &one, &one,
            desc);
}

static double time_order(int block, int rows, int columns, size_t bytes)
{
    const mpi_call call = {"psgemm", psgemm};
    int context;
    matrix.side = (int)lround(sqrt((double)(bytes / sizeof(float))));
    matrix.count = bytes / sizeof(float) / (size_t)(rows * columns);
    Cblacs_get(-1, 0, &context);
    Cblacs_gridinit(&context, "Row", rows, columns);
    const int desc[DESC_SIZE] = {1,           context, matrix.side,
                                 matrix.side, block,   block,
                                 0,           0,       matrix.side / rows};
    memcpy(matrix.desc, desc, sizeof desc);
    mpi_buffers buffers = mpi_buffers_take(2 * matrix.count * sizeof(float));
    for (size_t i = 0; i < 2 * matrix.count; i++)
        buffers.in[i] = (float)(i % 7) - 3;
    double seconds = mpi_call_time(&call, &buffers);
    mpi_buffers_release(&buffers);
    Cblacs_gridexit(context);
    return seconds;
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 1; i < argc; i++) {
        int block, rows, columns;
        size_t bytes;
        if (sscanf(argv[i], "psgemm-%d-%dx%d:%zu", &block, &rows, &columns,
                   &bytes) != 4 ||
            rows * columns != ranks)
            continue;
        double seconds = time_order(block, rows, columns, bytes);
        if (rank == 0)
            printf("%s %.9g\n", argv[i], seconds);
    }
    MPI_Finalize();
    return 0;
}
