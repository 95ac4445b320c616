/* bench/support/openmpi.h - the collectives of Open MPI, timed. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_SUPPORT_OPENMPI_H
#define BENCH_SUPPORT_OPENMPI_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/support/orders.h"

/* The ways to run it that are tried; the first is as it comes. */
#define BENCH_OPENMPI_SETTINGS 6

/* A call, as bench/peers/mpi_collectives.c names it, and what it took. */
typedef struct bench_openmpi_call {
    const char *name;
    const char *other_name; /* another call that does the same; may be NULL */
    size_t bytes;
    bench_samples times[BENCH_OPENMPI_SETTINGS];
    bench_samples other_times[BENCH_OPENMPI_SETTINGS];
} bench_openmpi_call;

/* Where Open MPI is; found once. */
typedef struct bench_openmpi {
    char mpirun[512];
    char program[512];
    char overhead[512]; /* the program that times us beside it */
} bench_openmpi;

/* Find Open MPI; false, with a note, if it is not there. */
bool bench_openmpi_find(bench_openmpi *out);

/*
 * Write down how a program is started in a setting, up to its own name: into
 * `argv`, which ends with NULL and has room for BENCH_MAX_ARGUMENTS.  Gives
 * their count.  `number` is the ranks as text, to which they point.
 */
size_t bench_openmpi_command(const bench_openmpi *mpi, int setting, int ranks,
                             const char *number, const char **argv);

/* Time the calls, once in every setting, or in the first one alone. */
void bench_openmpi_launch(const bench_openmpi *mpi, int ranks,
                          bench_openmpi_call *calls, size_t count);
void bench_openmpi_launch_stock(const bench_openmpi *mpi, int ranks,
                                bench_openmpi_call *calls, size_t count);

/* Seconds as it comes, and in the best of all settings for this call. */
double bench_openmpi_stock(bench_openmpi_call *call);
double bench_openmpi_best(bench_openmpi_call *call);

#endif
