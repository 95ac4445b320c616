/* bench/ops.c - operators, against PyTorch on one thread. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/bench.h"
#include "bench/operators/operators.h"
#include "bench/support/peer.h"

static dt_status run_ops(bench_run *run)
{
    return bench_operators_run(run, &(bench_threads){.count = 1});
}

const bench_suite bench_suite_ops = {
    .name = "ops",
    .summary = "operators on one rank, against PyTorch on one thread",
    .run = run_ops,
    .setup = bench_peer_setup_python,
};
