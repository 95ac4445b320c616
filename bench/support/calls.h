/* bench/support/calls.h - our own collectives, by name, and ranks timing them.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_SUPPORT_CALLS_H
#define BENCH_SUPPORT_CALLS_H

#include <stdbool.h>
#include <stddef.h>

#include <dtensor/array.h>
#include <dtensor/comm.h>
#include <dtensor/world.h>

/* From here on a call is compared with a copy of as many bytes. */
#define BENCH_CALLS_LARGE ((size_t)1 << 20)

/* What a call works on: `whole` has the bytes of the case, `block` a rank's. */
typedef struct bench_operands {
    dt_world *world;
    dt_group *group;
    dt_array *whole_in, *whole_out;
    dt_array *block_in, *block_out;
} bench_operands;

/* A call, and what it is called in bench/peers/mpi_collectives.c. */
typedef struct bench_call {
    const char *name;
    dt_status (*call)(const bench_operands *operands);
    const char *other_peer; /* another way to call it there */
    bool reduces;           /* adds f32; the others move bytes */
    bool divides;           /* a rank's block is a part of the whole */
    bool sizeless;
} bench_call;

extern const bench_call bench_calls[];
extern const size_t bench_call_count;

/* Find the call that NAME:BYTES names; NULL if there is none. */
const bench_call *bench_call_find(const char *text, size_t *bytes);

/* See two buffers of so many bytes as what a call works on.  Releasing it
 * leaves them alone, and does nothing where there is nothing. */
dt_status bench_operands_wrap(dt_world *world, const bench_call *call,
                              size_t bytes, void *in, void *out,
                              bench_operands *operands);
void bench_operands_release(bench_operands *operands);

/*
 * Be one rank, or all ranks that are threads: time the calls that argv[1] on
 * name as NAME:BYTES.  Rank 0 prints NAME:BYTES and the seconds that one call
 * takes and, for a large one, that a copy takes which every rank makes at once.
 * Gives the exit status.
 */
int bench_calls_worker(int argc, char **argv);

#endif
