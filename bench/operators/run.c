/* bench/operators/run.c - timing operators with some threads, against PyTorch
 * with as many. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <dtensor/dtensor.h>

#include "bench/bench.h"
#include "bench/operators/operators.h"
#include "bench/support/partner.h"
#include "bench/support/peer.h"
#include "bench/support/samples.h"
#include "bench/support/timing.h"
#include "work/work.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define TURNS 5

/* Seconds that a turn should last, and above which there are fewer turns. */
#define TURN 3e-3
#define SLOW 20e-3
#define SLOW_TURNS 3
#define LIMIT 60 /* to wait for the peer */

static const struct {
    size_t bytes;
    const char *name;
    double bar, mean_bar;
} sizes[] = {{4096, "4 KiB", 3, 3},
             {(size_t)256 << 10, "256 KiB", 0.5, 0},
             {(size_t)64 << 20, "64 MiB", 0.5, 0}};

enum { SIZES = COUNT_OF(sizes) };

/* Ratios of several cases, for their geometric mean. */
typedef struct ratios {
    double logarithms;
    int count;
} ratios;

/* The processor's time, or with several threads the time that passes. */
static double cpu_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct ops_state {
    const bench_threads *threads;
    double (*now)(void);
    char peer_name[48];
    bench_run *run;
    dt_world *world;
    dt_mesh *mesh;
    bool compared; /* there is a peer */
    bench_partner peer;
    ratios all, by_size[SIZES];
} ops_state;

/* ---- Our side ----------------------------------------------------------- */

/* A call with its operands. */
typedef struct ops_call {
    const bench_operator *op;
    dt_tensor *in[BENCH_MAX_OPERANDS];
    double (*now)(void);
    bool failed;
} ops_call;

static void call_once(ops_call *call)
{
    const bench_operator *op = call->op;
    if (op->one)
        call->failed |= !bench_drop(op->one(call->in[0]));
    else if (op->two)
        call->failed |= !bench_drop(op->two(call->in[0], call->in[1]));
    else if (op->number)
        call->failed |= !bench_drop(op->number(call->in[0], DT_NUMBER(1.5)));
    else
        call->failed |= !op->call(call->in);
}

static double time_batch(ops_call *call, int batch)
{
    double begin = call->now();
    for (int i = 0; i < batch; i++)
        call_once(call);
    return (call->now() - begin) / batch;
}

/* What a call takes, about, once caches are filled and things decided. */
static double warm_up(ops_call *call)
{
    double estimate = time_batch(call, 1);
    if (estimate > SLOW)
        return estimate;
    for (int i = 0; i < BENCH_WARM_UPS; i++)
        estimate = time_batch(call, bench_warm_up_batch(estimate));
    return estimate;
}

/* The median of a few rounds. */
static double time_turn(ops_call *call, double estimate)
{
    double times[BENCH_MAX_ROUNDS];
    bench_plan plan = bench_plan_for(estimate);
    int rounds = (int)(TURN / (estimate * plan.batch));
    rounds = rounds < 1 ? 1 : rounds < plan.rounds ? rounds : plan.rounds;
    for (int i = 0; i < rounds; i++)
        times[i] = time_batch(call, plan.batch);
    return bench_median(times, (size_t)rounds);
}

/* ---- Both sides in turns ------------------------------------------------ */

static bench_operand operand_of(const bench_operator *op, int i)
{
    if (op->takes[0] != OPERAND_NONE)
        return op->takes[i];
    return i == 0 ? OPERAND_A : i == 1 && op->two ? OPERAND_B : OPERAND_NONE;
}

static dt_status make_operands(ops_state *state, ops_call *call, size_t bytes)
{
    for (int i = 0; i < BENCH_MAX_OPERANDS; i++) {
        bench_operand which = operand_of(call->op, i);
        if (which == OPERAND_NONE)
            continue;
        call->in[i] = bench_operand_make(state->mesh, which, bytes);
        if (!call->in[i])
            return dt_world_error(state->world)->code;
    }
    return DT_OK;
}

/* What the peer is asked: "add:4096:a,b". */
static void write_question(const bench_operator *op, size_t bytes, char *text,
                           size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%s:%zu:", op->name, bytes);
    for (int i = 0; i < BENCH_MAX_OPERANDS && used < size; i++)
        if (operand_of(op, i) != OPERAND_NONE)
            used +=
                (size_t)snprintf(text + used, size - used, "%s%s", i ? "," : "",
                                 bench_operand_names[operand_of(op, i)]);
}

static void time_theirs(ops_state *state, const char *question,
                        bench_samples *times)
{
    char answer[128];
    if (!state->compared)
        return;
    if (!bench_partner_ask(&state->peer, question, LIMIT, answer,
                           sizeof answer)) {
        bench_note("PyTorch does not answer to \"%s\" and is left out from "
                   "here on",
                   question);
        state->compared = false;
        return;
    }
    double seconds = strtod(answer, NULL);
    if (seconds > 0)
        bench_samples_add(times, seconds);
    else if (!times->count)
        bench_note("PyTorch: %s", answer);
}

/* What a case took: with all threads, with one, and the peer. */
typedef struct ops_times {
    bench_samples ours, alone, theirs;
} ops_times;

static dt_status time_case(ops_state *state, ops_call *call, size_t bytes,
                           ops_times *times)
{
    char question[128];
    DT_TRY(make_operands(state, call, bytes));
    write_question(call->op, bytes, question, sizeof question);
    double estimate = warm_up(call);
    int turns = estimate > SLOW ? SLOW_TURNS : TURNS;
    for (int i = 0; i < turns && !call->failed; i++) {
        /* Threads of the peer go on looking for work for a while. */
        if (state->threads->count > 1)
            usleep(10000);
        bench_samples_add(&times->ours, time_turn(call, estimate));
        if (state->threads->count > 1) {
            dti_work_use(state->world, 1);
            bench_samples_add(&times->alone, time_turn(call, estimate));
            dti_work_use(state->world, state->threads->count);
        }
        time_theirs(state, question, &times->theirs);
    }
    return call->failed ? dt_world_error(state->world)->code : DT_OK;
}

/* ---- Reports ------------------------------------------------------------ */

static void add_ratio(ratios *to, double ratio)
{
    to->logarithms += log(ratio);
    to->count++;
}

static void report_mean(ops_state *state, const char *name, const ratios *of,
                        double bar)
{
    if (of->count)
        bench_report(
            state->run,
            &(bench_result){.name = name,
                            .ours = 1,
                            .reference = exp(of->logarithms / of->count),
                            .reference_name = state->peer_name,
                            .unit = BENCH_TIMES,
                            .bar = bar});
}

static void report_alone(ops_state *state, const bench_family *family,
                         const char *name, ops_times *times)
{
    double us, alone;
    if (!times->alone.count)
        return;
    bench_samples_pair(&times->ours, &times->alone, &us, &alone);
    bench_report(state->run, &(bench_result){.name = name,
                                             .ours = us,
                                             .reference = alone,
                                             .reference_name = "one thread",
                                             .bar = state->threads->bar(
                                                 family->name, name)});
}

static void report_case(ops_state *state, ratios *family, int size,
                        const char *name, ops_times *times)
{
    double us, them;
    if (!times->theirs.count) {
        bench_report_alone(state->run, name,
                           bench_samples_median(&times->ours));
        return;
    }
    bench_samples_pair(&times->ours, &times->theirs, &us, &them);
    bench_report(state->run, &(bench_result){.name = name,
                                             .ours = us,
                                             .reference = them,
                                             .reference_name = state->peer_name,
                                             .bar = sizes[size].bar});
    add_ratio(&family[size], them / us);
    add_ratio(&state->by_size[size], them / us);
    add_ratio(&state->all, them / us);
}

/* ---- The suite ---------------------------------------------------------- */

static dt_status run_case(ops_state *state, const bench_family *family,
                          const bench_operator *op, int size, ratios *means)
{
    char name[96];
    ops_times times = {.ours = {.count = 0}};
    ops_call call = {.op = op, .now = state->now};
    if (sizes[size].bytes < state->threads->least_bytes ||
        (op->at_most && sizes[size].bytes > op->at_most))
        return DT_OK;
    snprintf(name, sizeof name, "%s: %s %s", family->name, op->name,
             sizes[size].name);
    if (!bench_wanted(state->run, name))
        return DT_OK;
    bench_progress(name);
    dt_scope *scope = dt_scope_open(state->world);
    dt_status status = time_case(state, &call, sizes[size].bytes, &times);
    DT_IGNORE(dt_scope_close(scope));
    if (status == DT_OK) {
        report_case(state, means, size, name, &times);
        report_alone(state, family, name, &times);
    }
    return status;
}

static dt_status run_family(ops_state *state, const bench_family *family)
{
    ratios means[SIZES] = {{0}};
    for (int size = 0; size < SIZES; size++)
        for (const bench_operator *op = family->operators; op->name; op++)
            DT_TRY(run_case(state, family, op, size, means));
    for (int size = 0; size < SIZES; size++) {
        char name[96];
        snprintf(name, sizeof name, "%s: geometric mean %s", family->name,
                 sizes[size].name);
        report_mean(state, name, &means[size], 0);
    }
    return DT_OK;
}

static dt_status run_families(ops_state *state)
{
    for (const bench_family *family = bench_families; family->name; family++)
        DT_TRY(run_family(state, family));
    for (int size = 0; size < SIZES; size++) {
        char name[96];
        snprintf(name, sizeof name, "geometric mean %s", sizes[size].name);
        report_mean(state, name, &state->by_size[size], sizes[size].mean_bar);
    }
    report_mean(state, "geometric mean", &state->all, 1);
    return DT_OK;
}

/* Huge pages for them too. */
static bool start_peer(bench_partner *peer, int threads)
{
    char python[PATH_MAX], script[PATH_MAX], number[16];
    const char *const argv[] = {python, script, number, NULL};
    const char *const environment[] = {"GLIBC_TUNABLES",
                                       "glibc.malloc.hugetlb=1", NULL};
    snprintf(number, sizeof number, "%d", threads);
    if (bench_peer_python("torch_ops.py", python, script, sizeof python))
        return bench_partner_start(argv, environment, peer);
    bench_note("PyTorch is not installed and is left out; --setup installs it");
    return false;
}

static dt_status run_in(ops_state *state)
{
    DT_TRY(dt_mesh_create(state->world, "x", &state->mesh));
    if (!state->run->list)
        state->compared = start_peer(&state->peer, state->threads->count);
    dt_status status = run_families(state);
    if (!state->run->list)
        bench_partner_stop(&state->peer);
    dt_mesh_release(state->mesh);
    return status;
}

dt_status bench_operators_run(bench_run *run, const bench_threads *threads)
{
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    ops_state state = {.run = run,
                       .threads = threads,
                       .now = threads->count > 1 ? bench_now : cpu_now,
                       .peer = {.from = -1}};
    snprintf(state.peer_name, sizeof state.peer_name, "PyTorch 2.13%s",
             threads->count > 1 ? ", all cores" : "");
    options.transport = "threads";
    options.ranks = 1;
    options.threads = threads->count;
    DT_TRY(dt_world_open(&options, &state.world, &run->error));
    dt_status status = run_in(&state);
    if (status != DT_OK) {
        run->error = *dt_world_error(state.world);
        run->error.code = status;
    }
    DT_IGNORE(dt_world_close(state.world));
    return status;
}
