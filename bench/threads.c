/* bench/threads.c - operators with all cores, against one thread and against
 * PyTorch with all cores. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/machine/cpu.h"
#include "bench/bench.h"
#include "bench/operators/operators.h"
#include "bench/support/peer.h"

/*
 * Two threads should be 1.85 times as fast as one where they compute, and 1.7
 * times where they move memory, as far as that can keep up.  With more cores
 * the bars stay: they are what two give.
 */
static double bar_of(const char *family, const char *name)
{
    const bool large = strstr(name, "64 MiB") != NULL;
    if (strcmp(family, "product") == 0)
        return large && strstr(name, ": mm ") ? 1.85 : 0;
    if (strcmp(family, "attention") == 0)
        return large ? 1.85 : 0;
    return large && strcmp(family, "functions") == 0 ? 1.7 : 0;
}

static dt_status run_threads(bench_run *run)
{
    const int cores = dti_cpu_cores();
    if (cores < 2) {
        bench_note("there is one core");
        return DT_OK;
    }
    return bench_operators_run(run, &(bench_threads){.count = cores,
                                                     .least_bytes = 256 << 10,
                                                     .bar = bar_of});
}

const bench_suite bench_suite_threads = {
    .name = "threads",
    .summary = "operators with all cores, against one thread and PyTorch",
    .run = run_threads,
    .setup = bench_peer_setup_python,
};
