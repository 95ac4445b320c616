/* bench/peers/mpi_collectives.c - the collectives of an MPI library, timed. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Run as `mpirun -n N mpi_collectives NAME:BYTES ...`.  For each argument rank
 * 0 prints NAME:BYTES and the seconds that one call takes: the slowest rank of
 * each round, the median of the rounds.  The suite `collectives` of the command
 * times our calls in the same way.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "bench/support/timing.h"

#define HUGE_PAGE ((size_t)2 << 20)

/* Where a call finds its data.  Counts are of the whole, blocks of one rank. */
typedef struct buffers {
    float *in;
    float *out;
    int bytes, byte_block;
    int count, block;
} buffers;

static void barrier(const buffers *b)
{
    (void)b;
    MPI_Barrier(MPI_COMM_WORLD);
}

static void all_reduce(const buffers *b)
{
    MPI_Allreduce(b->in, b->out, b->count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}

static void all_reduce_in_place(const buffers *b)
{
    MPI_Allreduce(MPI_IN_PLACE, b->out, b->count, MPI_FLOAT, MPI_SUM,
                  MPI_COMM_WORLD);
}

static void all_gather(const buffers *b)
{
    MPI_Allgather(b->in, b->byte_block, MPI_BYTE, b->out, b->byte_block,
                  MPI_BYTE, MPI_COMM_WORLD);
}

static void reduce_scatter(const buffers *b)
{
    MPI_Reduce_scatter_block(b->in, b->out, b->block, MPI_FLOAT, MPI_SUM,
                             MPI_COMM_WORLD);
}

/* The same with a count per rank, which takes other algorithms. */
static void reduce_scatter_counts(const buffers *b)
{
    static int counts[1024];
    if (counts[0] != b->block)
        for (int i = 0; i < 1024; i++)
            counts[i] = b->block;
    MPI_Reduce_scatter(b->in, b->out, counts, MPI_FLOAT, MPI_SUM,
                       MPI_COMM_WORLD);
}

static void all_to_all(const buffers *b)
{
    MPI_Alltoall(b->in, b->byte_block, MPI_BYTE, b->out, b->byte_block,
                 MPI_BYTE, MPI_COMM_WORLD);
}

static void broadcast(const buffers *b)
{
    MPI_Bcast(b->out, b->bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static const struct {
    const char *name;
    void (*call)(const buffers *buffers);
} calls[] = {
    {"barrier", barrier},
    {"all-reduce", all_reduce},
    {"all-reduce in place", all_reduce_in_place},
    {"all-gather", all_gather},
    {"reduce-scatter", reduce_scatter},
    {"reduce-scatter counts", reduce_scatter_counts},
    {"all-to-all", all_to_all},
    {"broadcast", broadcast},
};

/* Memory that is touched and, where it helps, in huge pages: as ours is. */
static float *take_buffer(size_t bytes)
{
    size_t rounded = (bytes + HUGE_PAGE) / HUGE_PAGE * HUGE_PAGE;
    float *memory = aligned_alloc(HUGE_PAGE, rounded);
    if (!memory)
        MPI_Abort(MPI_COMM_WORLD, 1);
    madvise(memory, rounded, MADV_HUGEPAGE);
    for (size_t i = 0; i < rounded / sizeof *memory; i++)
        memory[i] = 1;
    return memory;
}

static double time_round(void (*call)(const buffers *), const buffers *b,
                         int batch)
{
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = bench_now();
    for (int i = 0; i < batch; i++)
        call(b);
    return (bench_now() - begin) / batch;
}

/* The slowest rank's time; the ranks must agree on how often to call. */
static double agree(double seconds)
{
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX,
                  MPI_COMM_WORLD);
    return seconds;
}

static double time_call(void (*call)(const buffers *), const buffers *b)
{
    double slowest[BENCH_MAX_ROUNDS];
    double estimate = agree(time_round(call, b, 1));
    for (int i = 0; i < BENCH_WARM_UPS; i++)
        estimate = agree(time_round(call, b, bench_warm_up_batch(estimate)));
    bench_plan plan = bench_plan_for(estimate);
    for (int i = 0; i < plan.rounds; i++)
        slowest[i] = time_round(call, b, plan.batch);
    MPI_Allreduce(MPI_IN_PLACE, slowest, plan.rounds, MPI_DOUBLE, MPI_MAX,
                  MPI_COMM_WORLD);
    return bench_median(slowest, (size_t)plan.rounds);
}

/* Read NAME:BYTES, time it, print it; 0 if there is no such call. */
static int run(const char *text, int rank, int size)
{
    const char *colon = strchr(text, ':');
    size_t length = colon ? (size_t)(colon - text) : 0;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (!length || strlen(calls[i].name) != length ||
            strncmp(calls[i].name, text, length) != 0)
            continue;
        size_t bytes = (size_t)strtoull(colon + 1, NULL, 10);
        buffers b = {.in = take_buffer(bytes),
                     .out = take_buffer(bytes),
                     .bytes = (int)bytes,
                     .byte_block = (int)bytes / size,
                     .count = (int)(bytes / sizeof(float)),
                     .block = (int)(bytes / sizeof(float)) / size};
        double seconds = time_call(calls[i].call, &b);
        if (rank == 0)
            printf("%s %.9g\n", text, seconds);
        free(b.in);
        free(b.out);
        return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    int rank, size, known = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 1; i < argc && known; i++) {
        known = run(argv[i], rank, size);
        if (!known && rank == 0)
            fprintf(stderr, "mpi_collectives: no call \"%s\"\n", argv[i]);
    }
    MPI_Finalize();
    return known ? 0 : 2;
}
