/* tests/mpi/stray.c - a program whose ranks wait in vain, run by mpirun. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <dtensor/dtensor.h>

static dt_status reduce(dt_group *group, int64_t count)
{
    dt_array *array;
    dt_world *world = dt_group_world(group);
    DT_TRY(dt_array_create(world, DT_F32, DT_SHAPE(count), &array));
    dt_status status = dt_array_fill(world, array, 1);
    if (status == DT_OK)
        status = dt_group_all_reduce(group, DT_SUM, array, array);
    dt_array_release(array);
    return status;
}

/* Send to a rank, or receive from it. */
static dt_status pass(dt_group *group, int rank, bool sends, int64_t count)
{
    dt_array *array;
    dt_world *world = dt_group_world(group);
    DT_TRY(dt_array_create(world, DT_F32, DT_SHAPE(count), &array));
    dt_status status = dt_array_fill(world, array, 1);
    if (status == DT_OK)
        status = sends ? dt_group_send(group, rank, array)
                       : dt_group_receive(group, rank, array);
    dt_array_release(array);
    return status;
}

/* Longer than any test. */
static dt_status compute(void)
{
    struct timespec long_time = {1000, 0};
    nanosleep(&long_time, NULL);
    return DT_OK;
}

/* ---- What ranks do wrong ------------------------------------------------ */

/* The last rank computes while the others wait for it. */
static dt_status stall(dt_world *world, int rank, int last)
{
    return rank == last ? compute() : reduce(dt_world_group(world), 4);
}

/* Rank 0 waits for rank 1, which waits for the last one, which computes. */
static dt_status stall_behind(dt_world *world, int rank, int last)
{
    dt_group *group = dt_world_group(world);
    if (rank == last)
        return compute();
    return pass(group, rank + 1, false, 4);
}

/* The last rank is done before the others are. */
static dt_status leave(dt_world *world, int rank, int last)
{
    return rank == last ? DT_OK : reduce(dt_world_group(world), 4);
}

static dt_status exit_early(dt_world *world, int rank, int last)
{
    if (rank == last)
        exit(0);
    return reduce(dt_world_group(world), 4);
}

/* Nobody receives what rank 0 sends. */
static dt_status send_to_nobody(dt_world *world, int rank, int last)
{
    return rank == 0 ? pass(dt_world_group(world), last, true, 1000000) : DT_OK;
}

/* Ranks call in two groups in different orders. */
static dt_status cross_groups(dt_world *world, int rank, int last)
{
    dt_group *all = dt_world_group(world), *pair;
    const int members[] = {last, 0};
    if (rank != 0 && rank != last)
        return dt_group_barrier(all);
    DT_TRY(dt_group_create(world, members, 2, &pair));
    dt_group *first = rank == last ? pair : all;
    dt_group *second = rank == last ? all : pair;
    DT_TRY(reduce(first, 4));
    return reduce(second, 4);
}

/* One receives, the other calls a collective. */
static dt_status cross_messages(dt_world *world, int rank, int last)
{
    dt_group *group = dt_world_group(world);
    return rank == last ? pass(group, 0, false, 5) : reduce(group, 4);
}

/* One of two ranks makes a group that the other does not. */
static dt_status miss_group(dt_world *world, int rank, int last)
{
    dt_group *pair;
    const int members[] = {last, 0};
    return rank == 0 ? dt_group_create(world, members, 2, &pair) : DT_OK;
}

/* Ranks call differently; without DT_CHECK that is found by waiting. */
static dt_status differ(dt_world *world, int rank, int last)
{
    dt_group *group = dt_world_group(world);
    DT_TRY(dt_group_barrier(group));
    return rank == last ? dt_group_barrier(group) : reduce(group, 100000);
}

/* In a process of its own: stop all ranks for a while. */
static void stop_all(const int64_t *processes, int size)
{
    const struct timespec before = {0, 200000000}, stopped = {3, 0};
    nanosleep(&before, NULL);
    for (int i = 0; i < size; i++)
        kill((pid_t)processes[i], SIGSTOP);
    nanosleep(&stopped, NULL);
    for (int i = 0; i < size; i++)
        kill((pid_t)processes[i], SIGCONT);
    _exit(0);
}

/* All ranks are stopped for longer than the time limit while they wait. */
static dt_status suspend(dt_world *world, int rank, int last)
{
    const struct timespec late = {0, 500000000};
    dt_group *group = dt_world_group(world);
    dt_array *mine, *all;
    DT_TRY(dt_array_create(world, DT_I64, DT_SHAPE(1), &mine));
    DT_TRY(dt_array_create(world, DT_I64, DT_SHAPE(last + 1), &all));
    *(int64_t *)dt_array_data(mine) = getpid();
    dt_status status = dt_group_all_gather(group, mine, NULL, all);
    if (status == DT_OK && rank == last) {
        if (fork() == 0)
            stop_all(dt_array_data(all), last + 1);
        nanosleep(&late, NULL);
    }
    dt_array_release(mine);
    dt_array_release(all);
    if (status == DT_OK)
        status = reduce(group, 4);
    if (status == DT_OK && rank == 0)
        printf("went on\n");
    return status;
}

/* Say whether a thread of the watch runs. */
static dt_status show_watch(dt_world *world, int rank, int last)
{
    DIR *tasks = opendir("/proc/self/task");
    const struct dirent *task;
    bool watched = false;
    (void)last;
    while (tasks && (task = readdir(tasks))) {
        char path[300], name[32] = "";
        snprintf(path, sizeof path, "/proc/self/task/%s/comm", task->d_name);
        FILE *file = fopen(path, "r");
        if (file && fgets(name, sizeof name, file))
            watched |= strcmp(name, "dt-mpi-watch\n") == 0;
        if (file)
            fclose(file);
    }
    if (tasks)
        closedir(tasks);
    if (rank == 0)
        printf("%s\n", watched ? "watched" : "not watched");
    return dt_group_barrier(dt_world_group(world));
}

static const struct {
    const char *name;
    dt_status (*stray)(dt_world *world, int rank, int last);
} ways[] = {
    {"stall", stall},
    {"stall-behind", stall_behind},
    {"leave", leave},
    {"exit", exit_early},
    {"send", send_to_nobody},
    {"groups", cross_groups},
    {"messages", cross_messages},
    {"group", miss_group},
    {"differ", differ},
    {"suspend", suspend},
    {"watch", show_watch},
};

static dt_status program(dt_world *world, void *arg)
{
    int rank = dt_world_rank(world), last = dt_world_size(world) - 1;
    const char *name = arg;
    DT_TRY(dt_group_barrier(dt_world_group(world)));
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp(ways[i].name, name) == 0)
            return ways[i].stray(world, rank, last);
    return DT_ERR_INVALID;
}

/* Rank 0 opens another world, the others do not. */
static int open_alone(void)
{
    dt_world *world;
    dt_error error;
    if (dt_world_open(NULL, &world, &error) != DT_OK)
        return 1;
    int rank = dt_world_rank(world);
    if (dt_world_close(world) != DT_OK)
        return 1;
    if (rank != 0)
        return compute() != DT_OK;
    return dt_world_open(NULL, &world, &error) != DT_OK;
}

int main(int argc, char **argv)
{
    static char nothing[] = "";
    char *what = argc > 1 ? argv[1] : nothing;
    if (strcmp(what, "open") == 0)
        return open_alone();
    return dt_main(argc, argv, program, what);
}
