/* bench/peers/mpi_overhead.c - our calls over MPI, and MPI called directly. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Run as `mpirun -n N mpi_overhead NAME:BYTES ...`.  For each argument rank 0
 * prints NAME:BYTES, the seconds that our call takes and those of the same call
 * of MPI.  They take turns, round by round, in the same processes and on the
 * same buffers: from one launch to the next MPI's small calls differ by more
 * than our share of them.  MPI is started by the library, as for any program.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/peers/mpi_calls.h"
#include "bench/support/calls.h"
#include "bench/support/timing.h"

#define MIN_ROUNDS 15 /* a few percent are looked for */

/* One call in two ways. */
typedef struct two_ways {
    const bench_call *ours;
    bench_operands operands;
    const mpi_call *direct;
    mpi_buffers buffers;
} two_ways;

static dt_status time_ours(const two_ways *ways, int batch, double *seconds)
{
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = bench_now();
    for (int i = 0; i < batch; i++)
        DT_TRY(ways->ours->call(&ways->operands));
    *seconds = (bench_now() - begin) / batch;
    return DT_OK;
}

static double time_direct(const two_ways *ways, int batch)
{
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = bench_now();
    for (int i = 0; i < batch; i++)
        ways->direct->call(&ways->buffers);
    return (bench_now() - begin) / batch;
}

static dt_status time_both(const two_ways *ways, double *ours, double *direct)
{
    double slowest[2][BENCH_MAX_ROUNDS], estimate;
    int batch = 1;
    for (int i = 0; i <= BENCH_WARM_UPS; i++) {
        DT_TRY(time_ours(ways, batch, &estimate));
        estimate = time_direct(ways, batch);
        mpi_agree(&estimate, 1);
        batch = bench_warm_up_batch(estimate);
    }
    bench_plan plan = bench_plan_for(estimate);
    if (plan.rounds < MIN_ROUNDS)
        plan.rounds = MIN_ROUNDS;
    for (int i = 0; i < plan.rounds; i++) {
        DT_TRY(time_ours(ways, plan.batch, &slowest[0][i]));
        slowest[1][i] = time_direct(ways, plan.batch);
    }
    mpi_agree(slowest[0], plan.rounds);
    mpi_agree(slowest[1], plan.rounds);
    *ours = bench_median(slowest[0], (size_t)plan.rounds);
    *direct = bench_median(slowest[1], (size_t)plan.rounds);
    return DT_OK;
}

static dt_status run(dt_world *world, const char *text)
{
    size_t bytes;
    double ours, direct;
    two_ways ways = {.ours = bench_call_find(text, &bytes),
                     .direct = mpi_call_find(text, &bytes)};
    if (!ways.ours || !ways.direct) {
        fprintf(stderr, "mpi_overhead: no call \"%s\"\n", text);
        return DT_ERR_NOT_FOUND;
    }
    ways.buffers = mpi_buffers_take(bytes);
    dt_status status =
        bench_operands_wrap(world, ways.ours, bytes, ways.buffers.in,
                            ways.buffers.out, &ways.operands);
    if (status == DT_OK)
        status = time_both(&ways, &ours, &direct);
    if (status == DT_OK && dt_world_rank(world) == 0)
        printf("%s %.9g %.9g\n", text, ours, direct);
    bench_operands_release(&ways.operands);
    mpi_buffers_release(&ways.buffers);
    return status;
}

/* The argument is a list of texts that ends with NULL. */
static dt_status run_all(dt_world *world, void *arg)
{
    for (char **text = arg; *text; text++)
        DT_TRY(run(world, *text));
    return DT_OK;
}

int main(int argc, char **argv)
{
    return dt_main(argc, argv, run_all, argv + 1);
}
