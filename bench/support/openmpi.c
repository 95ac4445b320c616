/* bench/support/openmpi.c - the collectives of Open MPI, timed. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/support/openmpi.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/support/peer.h"

/*
 * Its temporary buffers come from malloc, which by default returns large ones
 * to the system after every call: kept, and in huge pages, they are faster.
 */
#define KEEP_MEMORY                                                            \
    "MALLOC_MMAP_THRESHOLD_", "4294967296", "MALLOC_TRIM_THRESHOLD_",          \
        "68719476736", "MALLOC_TOP_PAD_", "268435456"
#define HUGE_PAGES "GLIBC_TUNABLES", "glibc.malloc.hugetlb=1"

/* A way to run it: arguments of mpirun, then of the environment in pairs. */
static const struct {
    bool crowded; /* only where ranks outnumber cores */
    const char *arguments[8];
    const char *environment[10];
} settings[BENCH_OPENMPI_SETTINGS] = {
    {false, {NULL}, {NULL}},
    {false, {NULL}, {KEEP_MEMORY, HUGE_PAGES}},
    /* Large messages through shared memory instead of process_vm_readv. */
    {false,
     {"--mca", "btl_vader_single_copy_mechanism", "none"},
     {KEEP_MEMORY, HUGE_PAGES}},
    /* All-reduce as a ring. */
    {false,
     {"--mca", "coll_tuned_use_dynamic_rules", "1", "--mca",
      "coll_tuned_allreduce_algorithm", "4"},
     {KEEP_MEMORY, HUGE_PAGES}},
    /* Its collectives for one machine. */
    {false, {"--mca", "coll_sm_priority", "90"}, {KEEP_MEMORY, HUGE_PAGES}},
    /* Several ranks tied to each core, instead of going where they like. */
    {true, {"--bind-to", "core:overload-allowed"}, {KEEP_MEMORY, HUGE_PAGES}},
};

/* Sets its argument to true if the line names Open MPI. */
static void look_for_name(void *arg, char *line)
{
    bool *found = arg;
    if (strstr(line, "Open MPI") || strstr(line, "OpenRTE") ||
        strstr(line, "open-mpi"))
        *found = true;
}

static bool is_openmpi(const char *mpirun)
{
    bool found = false;
    const char *const argv[] = {mpirun, "--version", NULL};
    return bench_peer_run(&(bench_peer){.argv = argv,
                                        .limit = 10,
                                        .line = look_for_name,
                                        .arg = &found}) &&
           found;
}

bool bench_openmpi_find(bench_openmpi *out)
{
    bool runs =
        bench_peer_find("mpirun.openmpi", out->mpirun, sizeof out->mpirun) ||
        (bench_peer_find("mpirun", out->mpirun, sizeof out->mpirun) &&
         is_openmpi(out->mpirun));
    if (!runs) {
        bench_note("Open MPI is not installed and is left out; --setup "
                   "installs it");
        return false;
    }
    if (!bench_peer_built("openmpi_collectives", out->program,
                          sizeof out->program) ||
        !bench_peer_built("openmpi_overhead", out->overhead,
                          sizeof out->overhead)) {
        bench_note("Open MPI is left out: this build has no program that times "
                   "it; --setup builds it");
        return false;
    }
    return true;
}

static int count_cores(void)
{
    cpu_set_t cores;
    return sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores)
                                                           : 1;
}

size_t bench_openmpi_command(const bench_openmpi *mpi, int setting, int ranks,
                             const char *number, const char **argv)
{
    /* A core for each rank; ranks that outnumber cores must yield. */
    const char *const fitting[] = {"--bind-to", "core", NULL};
    const char *const crowded[] = {"--bind-to",           "none", "--mca",
                                   "mpi_yield_when_idle", "1",    NULL};
    const char *const common[] = {
        mpi->mpirun, "--allow-run-as-root", "--oversubscribe", "-n", number,
        NULL};
    const char *const *const parts[] = {
        common, ranks <= count_cores() ? fitting : crowded,
        settings[setting].arguments};
    size_t used = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (size_t j = 0; parts[i][j]; j++)
            argv[used++] = parts[i][j];
    argv[used] = NULL;
    return used;
}

/* Both ways to make each call. */
static size_t list_orders(int setting, bench_openmpi_call *calls, size_t count,
                          bench_order *orders)
{
    size_t used = 0;
    for (size_t i = 0; i < count && used + 2 <= BENCH_MAX_ORDERS; i++) {
        bench_openmpi_call *call = &calls[i];
        orders[used++] = (bench_order){.name = call->name,
                                       .bytes = call->bytes,
                                       .times = &call->times[setting]};
        if (call->other_name)
            orders[used++] =
                (bench_order){.name = call->other_name,
                              .bytes = call->bytes,
                              .times = &call->other_times[setting]};
    }
    return used;
}

static void launch_setting(const bench_openmpi *mpi, int setting, int ranks,
                           bench_openmpi_call *calls, size_t count)
{
    const char *argv[BENCH_MAX_ARGUMENTS];
    bench_order orders[BENCH_MAX_ORDERS];
    char number[16];
    snprintf(number, sizeof number, "%d", ranks);
    size_t used = bench_openmpi_command(mpi, setting, ranks, number, argv);
    argv[used++] = mpi->program;
    argv[used] = NULL;
    bench_orders_run(argv, settings[setting].environment, orders,
                     list_orders(setting, calls, count, orders));
}

void bench_openmpi_launch(const bench_openmpi *mpi, int ranks,
                          bench_openmpi_call *calls, size_t count)
{
    for (int i = 0; i < BENCH_OPENMPI_SETTINGS; i++)
        if (!settings[i].crowded || ranks > count_cores())
            launch_setting(mpi, i, ranks, calls, count);
}

void bench_openmpi_launch_stock(const bench_openmpi *mpi, int ranks,
                                bench_openmpi_call *calls, size_t count)
{
    launch_setting(mpi, 0, ranks, calls, count);
}

double bench_openmpi_stock(bench_openmpi_call *call)
{
    return bench_samples_median(&call->times[0]);
}

double bench_openmpi_best(bench_openmpi_call *call)
{
    double best = INFINITY;
    for (int i = 0; i < BENCH_OPENMPI_SETTINGS; i++)
        best = fmin(best, fmin(bench_samples_median(&call->times[i]),
                               bench_samples_median(&call->other_times[i])));
    return best;
}
