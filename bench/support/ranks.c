/* bench/support/ranks.c - this command, started again as the ranks of a suite.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/support/ranks.h"

#include <stdio.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/support/peer.h"

bool bench_ranks_can(const char *transport)
{
    return strcmp(transport, "threads") == 0 || strcmp(transport, "shm") == 0 ||
           strcmp(transport, "mpi") == 0;
}

/* Append a list that ends with NULL. */
static size_t append(const char **argv, size_t used, const char *const *more)
{
    for (; *more && used + 1 < BENCH_MAX_ARGUMENTS; more++)
        argv[used++] = *more;
    argv[used] = NULL;
    return used;
}

bool bench_ranks_prepare(const char *suite, const char *transport, int ranks,
                         const bench_openmpi *mpi, bench_ranks *out)
{
    size_t used = 0;
    bool as_threads = strcmp(transport, "threads") == 0;
    *out = (bench_ranks){.environment = {"DT_TRANSPORT", transport}};
    if (!bench_peer_self(out->self, sizeof out->self)) {
        bench_note("this command does not find itself");
        return false;
    }
    snprintf(out->number, sizeof out->number, "%d", ranks);
    if (as_threads) {
        out->environment[2] = "DT_RANKS";
        out->environment[3] = out->number;
    } else if (strcmp(transport, "shm") == 0) {
        used = append(out->argv, used,
                      (const char *const[]){out->self, "run", "-n", out->number,
                                            "--", NULL});
    } else {
        used = bench_openmpi_command(mpi, 0, ranks, out->number, out->argv);
        out->argv[used++] = mpi->overhead;
        out->argv[used] = NULL;
        return true;
    }
    append(out->argv, used,
           (const char *const[]){out->self, "bench", "--worker", suite, NULL});
    return true;
}
