/* tests/mpi/program.c - a program that is run, and run wrongly, by mpirun. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <dtensor/dtensor.h>

/* Add up the ranks from 1 and say so once. */
static dt_status add_ranks(dt_world *world)
{
    dt_array *array;
    DT_TRY(dt_array_create(world, DT_I64, DT_SHAPE(1), &array));
    int64_t *value = dt_array_data(array);
    *value = dt_world_rank(world) + 1;
    dt_status status =
        dt_group_all_reduce(dt_world_group(world), DT_SUM, array, array);
    if (status == DT_OK && dt_world_rank(world) == 0)
        printf("%d ranks on %s: %lld\n", dt_world_size(world),
               dt_world_transport(world), (long long)*value);
    dt_array_release(array);
    return status;
}

/* A process that a rank forks ends while the rank goes on. */
static dt_status fork_child(int status)
{
    pid_t child = fork();
    if (child == 0)
        exit(status);
    return waitpid(child, NULL, 0) == child ? DT_OK : DT_ERR_IO;
}

/* The last rank expects more than the first one sends, and goes on with what
 * never came; nobody else knows. */
static dt_status lose_array(dt_world *world, int last)
{
    dt_group *group = dt_world_group(world);
    dt_array *array;
    dt_handle *handle;
    int rank = dt_world_rank(world);
    DT_TRY(
        dt_array_create(world, DT_F32, DT_SHAPE(rank == last ? 8 : 4), &array));
    DT_TRY(dt_array_fill(world, array, 1));
    if (rank == 0)
        DT_TRY(dt_group_send(group, last, array));
    if (rank == last) {
        DT_TRY(dt_group_receive_async(group, 0, array, &handle));
        DT_IGNORE(dt_handle_wait(handle));
        dt_handle_release(handle);
    }
    DT_IGNORE(dt_group_all_reduce(group, DT_SUM, array, array));
    dt_array_release(array);
    return dt_group_barrier(group);
}

static dt_status program(dt_world *world, void *arg)
{
    const char *what = arg;
    int last = dt_world_size(world) - 1;
    DT_TRY(add_ranks(world));
    if (strcmp(what, "fork") == 0) {
        DT_TRY(fork_child(0));
        DT_TRY(fork_child(1));
    }
    if (strcmp(what, "lose") == 0)
        return lose_array(world, last);
    if (dt_world_rank(world) == last) {
        dt_group *group;
        if (strcmp(what, "fail") == 0)
            return dt_group_create(world, &last, -3, &group);
        if (strcmp(what, "exit") == 0)
            exit(3);
        if (strcmp(what, "poison") == 0)
            dt_world_poison(world);
    }
    return dt_group_barrier(dt_world_group(world));
}

int main(int argc, char **argv)
{
    static char nothing[] = "";
    char *what = argc > 1 ? argv[1] : nothing;
    dt_error error;
    dt_world *world;
    /* Several worlds, one after another, in a program with its own main. */
    if (strcmp(what, "worlds") == 0) {
        for (int i = 0; i < 3; i++) {
            if (dt_world_open(NULL, &world, &error) != DT_OK)
                return 1;
            if (add_ranks(world) != DT_OK)
                return 1;
            DT_IGNORE(dt_world_close(world));
        }
        return 0;
    }
    return dt_main(argc, argv, program, what);
}
