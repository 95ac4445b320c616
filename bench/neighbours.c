/* bench/neighbours.c - ranks on cores that other programs use, pinned and
 * not. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <dtensor/dtensor.h>

#include "base/machine/cpu.h"
#include "bench/bench.h"
#include "bench/support/peer.h"
#include "bench/support/ranks.h"
#include "bench/support/samples.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define LAUNCHES 3
#define LIMIT 120 /* seconds, of a launch */

/* ---- In a rank ---------------------------------------------------------- */

#define SECONDS 1.5 /* that a launch is timed, after it was warmed up */
#define WARM_UP 0.5
#define BATCH 50

enum { SIDE = 96, ELEMENTS = 1024 };

/* What ranks do again and again: compute for some microseconds, and add up
 * 4 KiB. */
static dt_status do_batch(dt_world *world, dt_tensor *matrix, dt_array *sum)
{
    for (int i = 0; i < BATCH; i++) {
        dt_scope *scope = dt_scope_open(world);
        dt_mm(matrix, matrix);
        DT_TRY(dt_scope_close(scope));
        DT_TRY(dt_group_all_reduce(dt_world_group(world), DT_MAX, sum, sum));
    }
    return DT_OK;
}

/* Rank 0 tells the others, through the sum, when it is over. */
static dt_status do_batches(dt_world *world, dt_tensor *matrix, dt_array *sum,
                            double *seconds)
{
    float *flag = dt_array_data(sum);
    double begin = bench_now(), start = begin;
    long done = 0;
    bool warm = false;
    for (flag[0] = 0; flag[0] == 0;) {
        DT_TRY(do_batch(world, matrix, sum));
        done += BATCH;
        const double now = bench_now();
        if (!warm && now - begin > WARM_UP) {
            warm = true;
            start = now;
            done = 0;
        }
        *seconds = (now - start) / (double)(done ? done : 1);
        if (dt_world_rank(world) == 0 && warm && now - start > SECONDS)
            flag[0] = 1;
        DT_TRY(dt_group_all_reduce(dt_world_group(world), DT_MAX, sum, sum));
    }
    return DT_OK;
}

/* Pin this rank and never let go: what the library does not do. */
static void pin(int rank, int ranks)
{
    dti_cpu_place(rank, ranks);
}

static dt_status time_rank(dt_world *world, void *arg)
{
    const int *for_good = arg;
    dt_array *sum = NULL;
    double seconds = 0;
    if (*for_good)
        pin(dt_world_rank(world), dt_world_size(world));
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *matrix =
        dt_rand(dt_world_own_mesh(world), "R", DT_F32, DT_SHAPE(SIDE, SIDE));
    dt_status status = dt_array_create(world, DT_F32, DT_SHAPE(ELEMENTS), &sum);
    if (status == DT_OK)
        status = dt_array_fill(world, sum, 0);
    if (status == DT_OK)
        status = do_batches(world, matrix, sum, &seconds);
    dt_array_release(sum);
    dt_status closed = dt_scope_close(scope);
    if (status == DT_OK && dt_world_rank(world) == 0)
        printf("= %.9g\n", seconds);
    return status == DT_OK ? closed : status;
}

static int worker(int argc, char **argv)
{
    int for_good = argc > 1 && strcmp(argv[1], "pinned") == 0;
    return dt_main(argc, argv, time_rank, &for_good);
}

/* ---- Neighbours --------------------------------------------------------- */

enum { MOST_CORES = 256 };

typedef struct neighbours {
    pid_t pids[MOST_CORES];
    int count;
} neighbours;

/* A program that uses one core, and ends with this one. */
static void be_busy(int core)
{
    cpu_set_t set;
    volatile unsigned long count = 0;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    sched_setaffinity(0, sizeof set, &set);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;)
        count++;
}

static void start_neighbours(neighbours *all)
{
    cpu_set_t set;
    all->count = 0;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return;
    for (int core = 0; core < CPU_SETSIZE && all->count < MOST_CORES; core++) {
        if (!CPU_ISSET(core, &set))
            continue;
        const pid_t pid = fork();
        if (pid == 0)
            be_busy(core);
        if (pid > 0)
            all->pids[all->count++] = pid;
    }
}

static void end_neighbours(neighbours *all)
{
    for (int i = 0; i < all->count; i++) {
        kill(all->pids[i], SIGKILL);
        waitpid(all->pids[i], NULL, 0);
    }
}

/* ---- In the command ----------------------------------------------------- */

/* How ranks are started: as usual, pinned for good, not pinned. */
enum { USUAL, PINNED, FREE, WAYS };

static const struct {
    const char *argument; /* of the worker */
    const char *setting;  /* DT_PIN */
} ways[WAYS] = {[USUAL] = {"usual", "auto"},
                [PINNED] = {"pinned", "off"},
                [FREE] = {"free", "off"}};

static void read_time(void *arg, char *line)
{
    bench_samples *to = arg;
    if (strncmp(line, "= ", 2) == 0)
        bench_samples_add(to, strtod(line + 2, NULL));
}

static dt_status launch(bench_run *run, int count, int way, bench_samples *to)
{
    bench_ranks ranks;
    size_t used = 0, variables = 0;
    if (!bench_ranks_prepare(run->suite->name, run->transport, count, NULL,
                             &ranks))
        return DT_ERR_COMM;
    while (ranks.argv[used])
        used++;
    ranks.argv[used] = ways[way].argument;
    ranks.argv[used + 1] = NULL;
    while (ranks.environment[variables])
        variables++;
    ranks.environment[variables] = "DT_PIN";
    ranks.environment[variables + 1] = ways[way].setting;
    const bench_peer peer = {.argv = ranks.argv,
                             .environment = ranks.environment,
                             .limit = LIMIT,
                             .line = read_time,
                             .arg = to};
    return bench_peer_run(&peer) ? DT_OK : DT_ERR_COMM;
}

static dt_status run_case(bench_run *run, int ranks, bool busy)
{
    char name[96];
    bench_samples times[WAYS] = {{.count = 0}};
    neighbours all = {.count = 0};
    dt_status status = DT_OK;
    snprintf(name, sizeof name, "product and all-reduce %d ranks %s, %s cores",
             ranks, run->transport, busy ? "busy" : "quiet");
    if (!bench_wanted(run, name))
        return DT_OK;
    bench_progress(name);
    if (busy)
        start_neighbours(&all);
    for (int i = 0; i < LAUNCHES && status == DT_OK; i++)
        for (int way = 0; way < WAYS && status == DT_OK; way++)
            status = launch(run, ranks, way, &times[way]);
    end_neighbours(&all);
    DT_TRY(status);
    const double ours = bench_samples_median(&times[USUAL]);
    const double pinned = bench_samples_median(&times[PINNED]);
    const double unpinned = bench_samples_median(&times[FREE]);
    const double better = fmin(pinned, unpinned);
    const double references[] = {pinned, unpinned};
    static const char *const names[] = {"pinned", "not pinned"};
    for (size_t i = 0; i < COUNT_OF(references); i++)
        bench_report(
            run, &(bench_result){.name = name,
                                 .ours = ours,
                                 .reference = references[i],
                                 .reference_name = names[i],
                                 .bar = references[i] == better ? 1 / 1.5 : 0});
    return DT_OK;
}

static dt_status run_neighbours(bench_run *run)
{
    const int ranks = run->ranks ? run->ranks : dti_cpu_cores();
    DT_TRY(run_case(run, ranks, false));
    return run_case(run, ranks, true);
}

const bench_suite bench_suite_neighbours = {
    .name = "neighbours",
    .summary = "ranks beside other programs, against pinned and unpinned ranks",
    .run = run_neighbours,
    .worker = worker,
};
