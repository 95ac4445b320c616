/* bench/support/openmpi.c - the collectives of Open MPI, timed. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/support/openmpi.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/support/peer.h"

#define LAUNCH_LIMIT 60 /* seconds */
#define MAX_CALLS 64
#define MAX_ARGUMENTS (2 * MAX_CALLS + 32)

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
                          sizeof out->program)) {
        bench_note("Open MPI is left out: this build has no program that times "
                   "it; --setup builds it");
        return false;
    }
    return true;
}

/* One launch under way. */
typedef struct launch {
    int setting;
    bench_openmpi_call *calls;
    size_t count;
} launch;

/* Read "NAME:BYTES SECONDS". */
static void read_time(void *arg, char *line)
{
    launch *run = arg;
    char *colon = strchr(line, ':'), *end;
    if (!colon)
        return;
    *colon = 0;
    size_t bytes = (size_t)strtoull(colon + 1, &end, 10);
    double seconds = strtod(end, NULL);
    for (size_t i = 0; i < run->count && seconds > 0; i++) {
        bench_openmpi_call *call = &run->calls[i];
        if (call->bytes != bytes)
            continue;
        if (strcmp(call->name, line) == 0)
            bench_samples_add(&call->times[run->setting], seconds);
        else if (call->other_name && strcmp(call->other_name, line) == 0)
            bench_samples_add(&call->other_times[run->setting], seconds);
    }
}

/* Append the calls as arguments, written into `texts`. */
static size_t add_calls(const launch *run, const char **argv, size_t used,
                        char (*texts)[64])
{
    size_t written = 0;
    for (size_t i = 0; i < run->count && i < MAX_CALLS; i++) {
        const bench_openmpi_call *call = &run->calls[i];
        const char *names[] = {call->name, call->other_name};
        for (int j = 0; j < 2 && names[j] && !call->skip; j++) {
            snprintf(texts[written], sizeof *texts, "%s:%zu", names[j],
                     call->bytes);
            argv[used++] = texts[written++];
        }
    }
    return used;
}

static int count_cores(void)
{
    cpu_set_t cores;
    return sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores)
                                                           : 1;
}

static void launch_setting(const bench_openmpi *mpi, int ranks, launch *run)
{
    const char *argv[MAX_ARGUMENTS];
    char texts[2 * MAX_CALLS][64], number[16];
    /* A core for each rank; ranks that outnumber cores must yield. */
    const char *const fitting[] = {"--bind-to", "core", NULL};
    const char *const crowded[] = {"--bind-to",           "none", "--mca",
                                   "mpi_yield_when_idle", "1",    NULL};
    const char *const *placing = ranks <= count_cores() ? fitting : crowded;
    const char *const *more = settings[run->setting].arguments;
    snprintf(number, sizeof number, "%d", ranks);
    const char *const common[] = {
        mpi->mpirun, "--allow-run-as-root", "--oversubscribe", "-n", number,
        NULL};
    size_t used = 0;
    for (size_t i = 0; common[i]; i++)
        argv[used++] = common[i];
    for (size_t i = 0; placing[i]; i++)
        argv[used++] = placing[i];
    for (size_t i = 0; more[i]; i++)
        argv[used++] = more[i];
    argv[used++] = mpi->program;
    size_t bare = used;
    used = add_calls(run, argv, used, texts);
    argv[used] = NULL;
    if (used > bare)
        bench_peer_run(
            &(bench_peer){.argv = argv,
                          .environment = settings[run->setting].environment,
                          .limit = LAUNCH_LIMIT,
                          .line = read_time,
                          .arg = run});
}

void bench_openmpi_launch(const bench_openmpi *mpi, int ranks,
                          bench_openmpi_call *calls, size_t count)
{
    for (int i = 0; i < BENCH_OPENMPI_SETTINGS; i++) {
        if (settings[i].crowded && ranks <= count_cores())
            continue;
        launch run = {.setting = i, .calls = calls, .count = count};
        launch_setting(mpi, ranks, &run);
    }
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
