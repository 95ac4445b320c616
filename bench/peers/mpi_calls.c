/* bench/peers/mpi_calls.c - the collectives of an MPI library, by name. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/peers/mpi_calls.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "bench/support/timing.h"

#define HUGE_PAGE ((size_t)2 << 20)

static void barrier(const mpi_buffers *b)
{
    (void)b;
    MPI_Barrier(MPI_COMM_WORLD);
}

static void all_reduce(const mpi_buffers *b)
{
    MPI_Allreduce(b->in, b->out, b->count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}

static void all_reduce_in_place(const mpi_buffers *b)
{
    MPI_Allreduce(MPI_IN_PLACE, b->out, b->count, MPI_FLOAT, MPI_SUM,
                  MPI_COMM_WORLD);
}

static void all_gather(const mpi_buffers *b)
{
    MPI_Allgather(b->in, b->byte_block, MPI_BYTE, b->out, b->byte_block,
                  MPI_BYTE, MPI_COMM_WORLD);
}

static void reduce_scatter(const mpi_buffers *b)
{
    MPI_Reduce_scatter_block(b->in, b->out, b->block, MPI_FLOAT, MPI_SUM,
                             MPI_COMM_WORLD);
}

/* The same with a count per rank, which takes other algorithms. */
static void reduce_scatter_counts(const mpi_buffers *b)
{
    static int counts[1024];
    if (counts[0] != b->block)
        for (int i = 0; i < 1024; i++)
            counts[i] = b->block;
    MPI_Reduce_scatter(b->in, b->out, counts, MPI_FLOAT, MPI_SUM,
                       MPI_COMM_WORLD);
}

static void all_to_all(const mpi_buffers *b)
{
    MPI_Alltoall(b->in, b->byte_block, MPI_BYTE, b->out, b->byte_block,
                 MPI_BYTE, MPI_COMM_WORLD);
}

static void broadcast(const mpi_buffers *b)
{
    MPI_Bcast(b->out, b->bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static const mpi_call calls[] = {
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
    if (!memory) {
        MPI_Abort(MPI_COMM_WORLD, 1);
        return NULL;
    }
    madvise(memory, rounded, MADV_HUGEPAGE);
    for (size_t i = 0; i < rounded / sizeof *memory; i++)
        memory[i] = 1;
    return memory;
}

const mpi_call *mpi_call_find(const char *text, size_t *bytes)
{
    size_t length = strcspn(text, ":");
    if (!text[length])
        return NULL;
    *bytes = (size_t)strtoull(text + length + 1, NULL, 10);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strlen(calls[i].name) == length &&
            strncmp(calls[i].name, text, length) == 0)
            return &calls[i];
    return NULL;
}

mpi_buffers mpi_buffers_take(size_t bytes)
{
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return (mpi_buffers){.in = take_buffer(bytes),
                         .out = take_buffer(bytes),
                         .bytes = (int)bytes,
                         .byte_block = (int)bytes / size,
                         .count = (int)(bytes / sizeof(float)),
                         .block = (int)(bytes / sizeof(float)) / size};
}

void mpi_buffers_release(mpi_buffers *buffers)
{
    free(buffers->in);
    free(buffers->out);
}

void mpi_agree(double *seconds, int count)
{
    MPI_Allreduce(MPI_IN_PLACE, seconds, count, MPI_DOUBLE, MPI_MAX,
                  MPI_COMM_WORLD);
}

/* ---- Timing ------------------------------------------------------------- */

static double time_round(const mpi_call *call, const mpi_buffers *b, int batch)
{
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = bench_now();
    for (int i = 0; i < batch; i++)
        call->call(b);
    return (bench_now() - begin) / batch;
}

double mpi_call_time(const mpi_call *call, const mpi_buffers *b)
{
    double slowest[BENCH_MAX_ROUNDS], estimate;
    int batch = 1;
    for (int i = 0; i <= BENCH_WARM_UPS; i++) {
        estimate = time_round(call, b, batch);
        /* The ranks must agree on how often to call. */
        mpi_agree(&estimate, 1);
        batch = bench_warm_up_batch(estimate);
    }
    bench_plan plan = bench_plan_for(estimate);
    for (int i = 0; i < plan.rounds; i++)
        slowest[i] = time_round(call, b, plan.batch);
    mpi_agree(slowest, plan.rounds);
    return bench_median(slowest, (size_t)plan.rounds);
}
