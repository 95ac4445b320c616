/* tests/mpi/own.c - worlds on communicators of the program's own. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include <dtensor/dtensor.h>
#include <dtensor/mpi.h>

/* The sum of the ranks from 1 must be what the size says; 0 if it is. */
static int check_sum(dt_world *world)
{
    dt_array *array;
    if (dt_array_create(world, DT_I64, DT_SHAPE(1), &array) != DT_OK)
        return 1;
    int64_t *value = dt_array_data(array);
    int64_t size = dt_world_size(world);
    *value = dt_world_rank(world) + 1;
    dt_status status =
        dt_group_all_reduce(dt_world_group(world), DT_SUM, array, array);
    int wrong = status != DT_OK || *value != size * (size + 1) / 2;
    dt_array_release(array);
    return wrong;
}

/* A world of all ranks in reverse, and one of this rank's parity, at once. */
int main(int argc, char **argv)
{
    MPI_Comm reverse, parity;
    dt_world *all = NULL, *half = NULL;
    dt_error error = {DT_OK, ""};
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reverse);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &parity);
    if (dt_world_open_mpi(reverse, NULL, &all, &error) != DT_OK ||
        dt_world_open_mpi(parity, NULL, &half, &error) != DT_OK) {
        fprintf(stderr, "%s\n", error.message);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Comm_free(&reverse);
    MPI_Comm_free(&parity);
    int wrong = dt_world_size(all) != size ||
                dt_world_rank(all) != size - 1 - rank ||
                dt_world_rank(half) != rank / 2 || check_sum(all) ||
                check_sum(half) || check_sum(all);
    DT_IGNORE(dt_world_close(half));
    DT_IGNORE(dt_world_close(all));
    MPI_Barrier(MPI_COMM_WORLD); /* MPI is still the program's */
    MPI_Finalize();
    if (rank == 0 && !wrong)
        printf("own communicators: ok\n");
    return wrong;
}
