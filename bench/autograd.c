/* bench/autograd.c - what gradients cost: recording calls, and backward. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <dtensor/autograd.h>
#include <dtensor/create.h>
#include <dtensor/ops.h>

#include "bench/bench.h"
#include "bench/support/orders.h"
#include "bench/support/peer.h"
#include "bench/support/timing.h"

/*
 * A chain of small operators: mul by a parameter and tanh in turn, on 4x4 f32.
 * The time of one chain is long enough for the clock, so that its parts are
 * timed apart: forward with parameters that are no leaves, forward with leaves,
 * and backward.
 */
enum { CALLS = 1000, PARAMETERS = CALLS / 2, LAUNCHES = 5, WARM_UPS = 3 };

static const double nanosecond = 1e-9;

static const char record_name[] = "record mul and tanh 4x4 f32 1 rank";
static const char backward_name[] = "backward of 1000 calls 4x4 f32 1 rank";
static const char both_name[] =
    "forward and backward of 1000 calls 4x4 f32 1 rank";

typedef struct chain {
    dt_tensor *input, *grad;
    dt_tensor *plain[PARAMETERS], *leaves[PARAMETERS];
} chain;

/* The parts of one chain, in seconds. */
typedef struct parts {
    bench_samples plain, forward, backward;
    bench_samples torch, torch_dtensor; /* forward and backward */
} parts;

static dt_status open_chain(dt_mesh *mesh, chain *out)
{
    dt_world *world = dt_mesh_world(mesh);
    const dt_shape shape = DT_SHAPE(4, 4);
    out->input = dt_full(mesh, "S(0)", DT_F32, shape, 0.5);
    out->grad = dt_ones(mesh, "S(0)", DT_F32, shape);
    for (int i = 0; i < PARAMETERS; i++) {
        out->plain[i] = dt_ones(mesh, "S(0)", DT_F32, shape);
        out->leaves[i] = dt_requires_grad(dt_ones(mesh, "S(0)", DT_F32, shape));
        if (!out->plain[i] || !out->leaves[i])
            return dt_world_error(world)->code;
    }
    return out->input && out->grad ? DT_OK : dt_world_error(world)->code;
}

/* Call the chain; the result belongs to the scope. */
static dt_tensor *run_forward(const chain *at, dt_tensor *const *parameters)
{
    dt_tensor *value = at->input;
    for (int i = 0; i < PARAMETERS; i++) {
        dt_tensor *product = dt_mul(value, parameters[i]);
        if (i > 0)
            dt_tensor_release_early(value);
        value = dt_tanh(product);
        dt_tensor_release_early(product);
    }
    return value;
}

/* Time the parts of one chain. */
static dt_status time_once(chain *at, double *plain, double *forward,
                           double *backward)
{
    dt_backward_options options = DT_BACKWARD_OPTIONS_INIT;
    options.grads = &at->grad;
    const double start = bench_now();
    dt_tensor_release_early(run_forward(at, at->plain));
    const double recorded = bench_now();
    dt_tensor *result = run_forward(at, at->leaves);
    const double turned = bench_now();
    const dt_status status = dt_backward_with(&result, 1, &options);
    dt_tensor_release_early(result);
    *plain = recorded - start;
    *forward = turned - recorded;
    *backward = bench_now() - turned;
    return status;
}

/* The medians of many rounds in one world. */
static dt_status time_chain(dt_mesh *mesh, parts *to)
{
    double plain[BENCH_MAX_ROUNDS], forward[BENCH_MAX_ROUNDS],
        backward[BENCH_MAX_ROUNDS];
    chain at;
    DT_TRY(open_chain(mesh, &at));
    for (int i = -WARM_UPS; i < BENCH_MAX_ROUNDS; i++) {
        const int to_round = i < 0 ? 0 : i;
        DT_TRY(time_once(&at, &plain[to_round], &forward[to_round],
                         &backward[to_round]));
    }
    bench_samples_add(&to->plain, bench_median(plain, BENCH_MAX_ROUNDS));
    bench_samples_add(&to->forward, bench_median(forward, BENCH_MAX_ROUNDS));
    bench_samples_add(&to->backward, bench_median(backward, BENCH_MAX_ROUNDS));
    return DT_OK;
}

static dt_status time_in_world(bench_run *run, parts *to)
{
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    dt_world *world;
    dt_mesh *mesh = NULL;
    options.transport = "threads";
    options.ranks = 1;
    DT_TRY(dt_world_open(&options, &world, &run->error));
    dt_status status = dt_mesh_create(world, "x", &mesh);
    if (status == DT_OK)
        status = time_chain(mesh, to);
    if (status != DT_OK) {
        run->error = *dt_world_error(world);
        run->error.code = status;
    }
    dt_mesh_release(mesh);
    DT_IGNORE(dt_world_close(world));
    return status;
}

static void time_torch(parts *to)
{
    char python[PATH_MAX], script[PATH_MAX];
    if (!bench_peer_python("torch_autograd.py", python, script,
                           sizeof python)) {
        bench_note("PyTorch is not installed and is left out; --setup "
                   "installs it");
        return;
    }
    const char *const argv[] = {python, script, NULL};
    const bench_order orders[] = {
        {.name = "plain", .bytes = 64, .times = &to->torch},
        {.name = "dtensor", .bytes = 64, .times = &to->torch_dtensor}};
    bench_orders_run(argv, NULL, orders, 2);
}

/* ---- Reporting ---------------------------------------------------------- */

/* What the second part of a chain took beyond the first, in the launch where
 * their ratio is the median; for each call. */
static double added_by(const bench_samples *more, const bench_samples *less)
{
    double whole, part;
    bench_samples_pair(more, less, &whole, &part);
    return (whole - part) / CALLS;
}

static void report_backward(bench_run *run, const parts *times)
{
    double backward, forward;
    bench_samples_pair(&times->backward, &times->forward, &backward, &forward);
    bench_report(run, &(bench_result){.name = backward_name,
                                      .ours = backward,
                                      .reference = forward,
                                      .reference_name = "its forward",
                                      .bar = 1 / 2.5});
}

static void report_torch(bench_run *run, double ours, bench_samples *theirs,
                         const char *name, double bar)
{
    const double seconds = bench_samples_median(theirs);
    if (isfinite(seconds))
        bench_report(run, &(bench_result){.name = both_name,
                                          .ours = ours,
                                          .reference = seconds,
                                          .reference_name = name,
                                          .bar = bar});
}

static void report_both(bench_run *run, parts *times)
{
    const double ours = bench_samples_median(&times->forward) +
                        bench_samples_median(&times->backward);
    if (!times->torch.count)
        bench_report_alone(run, both_name, ours);
    report_torch(run, ours, &times->torch_dtensor, "PyTorch DTensor 2.13", 20);
    report_torch(run, ours, &times->torch, "PyTorch 2.13", 3);
}

static dt_status run_autograd(bench_run *run)
{
    parts times = {0};
    const bool record = bench_wanted(run, record_name);
    const bool backward = bench_wanted(run, backward_name);
    const bool both = bench_wanted(run, both_name);
    if (run->list || (!record && !backward && !both))
        return DT_OK;
    for (int i = 0; i < LAUNCHES; i++) {
        DT_TRY(time_in_world(run, &times));
        if (both)
            time_torch(&times);
    }
    if (record)
        bench_report(
            run, &(bench_result){.name = record_name,
                                 .ours = added_by(&times.forward, &times.plain),
                                 .reference = 150 * nanosecond,
                                 .reference_name = "limit",
                                 .bar = 1});
    if (backward)
        report_backward(run, &times);
    if (both)
        report_both(run, &times);
    return DT_OK;
}

const bench_suite bench_suite_autograd = {
    .name = "autograd",
    .summary = "what gradients cost: recording calls, and backward",
    .run = run_autograd,
    .setup = bench_peer_setup_python,
};
