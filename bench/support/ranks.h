/* bench/support/ranks.h - this command, started again as the ranks of a suite.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_SUPPORT_RANKS_H
#define BENCH_SUPPORT_RANKS_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/support/openmpi.h"

/*
 * What to run, up to the arguments of the suite's worker; both lists end with
 * NULL.  Points into itself: it is not to be copied.
 */
typedef struct bench_ranks {
    const char *argv[BENCH_MAX_ARGUMENTS];
    const char *environment[8];
    char self[512];
    char number[16];
} bench_ranks;

/* The transports that ranks can be started over, in words. */
#define BENCH_TRANSPORTS "threads, shm and mpi"

/* Tell whether ranks can be started over a transport. */
bool bench_ranks_can(const char *transport);

/* Write down how ranks of a suite's worker are started over a transport; on
 * mpi, which needs Open MPI, how those of bench/peers/mpi_overhead.c are.
 * False, with a note, if this command cannot be found. */
bool bench_ranks_prepare(const char *suite, const char *transport, int ranks,
                         const bench_openmpi *mpi, bench_ranks *out);

#endif
