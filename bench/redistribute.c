/* bench/redistribute.c - tensors in another layout, against bare collectives,
 * other plans and peers. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/support/changes.h"
#include "bench/support/openmpi.h"
#include "bench/support/orders.h"
#include "bench/support/peer.h"
#include "bench/support/ranks.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define KIBIBYTE ((size_t)1 << 10)
#define MEBIBYTE ((size_t)1 << 20)
#define LAUNCHES 3

/* How the ranks of a launch are arranged. */
typedef struct arrangement {
    int ranks;
    const char *mesh;
    const char *name; /* "2 ranks" */
    double gain;      /* how much faster than PyTorch's plans, together */
} arrangement;

static const arrangement flat_two = {2, "a=2", "2 ranks", 0};
static const arrangement flat_four = {4, "a=4", "4 ranks", 0};
static const arrangement square = {4, "a=2,b=2", "2x2 ranks", 1.3};

/* Name a case: the subject, with its size, ranks and transport. */
static void write_name(const bench_run *run, const arrangement *on,
                       const char *subject, char *text, size_t size)
{
    snprintf(text, size, "%s %s %s", subject, on->name, run->transport);
}

static dt_status fail(bench_run *run, const char *what)
{
    run->error.code = DT_ERR_COMM;
    snprintf(run->error.message, sizeof run->error.message, "%s", what);
    return DT_ERR_COMM;
}

/* Let fresh ranks time changes. */
static dt_status launch(bench_run *run, const arrangement *on,
                        bench_change *changes, size_t count, int launches)
{
    bench_ranks ranks;
    if (!bench_ranks_prepare(run->suite->name, run->transport, on->ranks, NULL,
                             &ranks))
        return fail(run, "ranks cannot be started");
    for (int i = 0; i < launches; i++) {
        char text[64];
        snprintf(text, sizeof text, "%s: launch %d of %d", on->name, i + 1,
                 launches);
        bench_progress(text);
        if (!bench_changes_launch(&ranks, changes, count))
            return fail(run, "the ranks failed");
    }
    return DT_OK;
}

/* ---- Against the collective that it comes to ------------------------------
 */

/* What lies in order may cost a little more than the collective alone, what
 * does not, the copies as well. */
static const struct {
    const char *name;
    const char *from;
    const char *to;
    double bar;
    const char *reference;
} bare[] = {
    {"S(0) to R 64 MiB", "S(0)", "R", 0.85, "all-gather"},
    {"P to S(0) 64 MiB", "P(sum)", "S(0)", 0.85, "reduce-scatter"},
    {"P to R 64 MiB", "P(sum)", "R", 0.85, "all-reduce"},
    {"S(0) to S(1) 64 MiB", "S(0)", "S(1)", 0.60, "all-to-all"},
    {"S(1) to R 64 MiB", "S(1)", "R", 0.60, "all-gather"},
    {"P to S(1) 64 MiB", "P(sum)", "S(1)", 0.60, "reduce-scatter"},
};

static dt_status run_bare(bench_run *run, const arrangement *on)
{
    bench_change changes[COUNT_OF(bare)];
    char names[COUNT_OF(bare)][64];
    size_t rows[COUNT_OF(bare)], count = 0;
    for (size_t i = 0; i < COUNT_OF(bare); i++) {
        write_name(run, on, bare[i].name, names[count], sizeof names[count]);
        if (!bench_wanted(run, names[count]))
            continue;
        changes[count] = (bench_change){.mesh = on->mesh,
                                        .from = bare[i].from,
                                        .to = bare[i].to,
                                        .bytes = 64 * MEBIBYTE,
                                        .against = BENCH_BARE};
        rows[count++] = i;
    }
    if (count == 0)
        return DT_OK;
    DT_TRY(launch(run, on, changes, count, LAUNCHES));
    for (size_t i = 0; i < count; i++)
        bench_report(
            run, &(bench_result){
                     .name = names[i],
                     .ours = bench_samples_median(&changes[i].times[0]),
                     .reference = bench_samples_median(&changes[i].times[1]),
                     .reference_name = bare[rows[i]].reference,
                     .bar = bare[rows[i]].bar});
    return DT_OK;
}

/* ---- Against other plans ------------------------------------------------- */

/* Layouts, and every pair of them.  Of the square's pairs, which are many, each
 * size takes one of several, by a step that no number of layouts divides. */
static const char *const flat_layouts[] = {"R", "S(0)", "S(1)", "P(sum)",
                                           "P(max)"};
static const char *const square_layouts[] = {
    "RR",           "RS(0)",          "RS(1)",
    "RP(sum)",      "S(0)R",          "S(0)S(0)",
    "S(0)S(1)",     "S(0)P(sum)",     "S(1)R",
    "S(1)S(0)",     "S(1)S(1)",       "S(1)P(sum)",
    "P(sum)R",      "P(sum)S(0)",     "P(sum)S(1)",
    "P(sum)P(sum)", "S(0)[1]S(0)[0]", "S(1)[1]S(1)[0]",
};

static const struct {
    size_t bytes;
    size_t step; /* one pair of so many */
} plan_sizes[] = {{4 * KIBIBYTE, 5},
                  {256 * KIBIBYTE, 5},
                  {4 * MEBIBYTE, 5},
                  {64 * MEBIBYTE, 11}};

#define MOST_PLANS (COUNT_OF(square_layouts) * COUNT_OF(square_layouts))

static size_t list_plans(const arrangement *on, bench_change *out)
{
    bool flat = on != &square;
    const char *const *layouts = flat ? flat_layouts : square_layouts;
    size_t count = flat ? COUNT_OF(flat_layouts) : COUNT_OF(square_layouts);
    size_t used = 0;
    for (size_t i = 0; i < COUNT_OF(plan_sizes); i++) {
        size_t step = flat ? 1 : plan_sizes[i].step;
        for (size_t j = i % step; j < count * count; j += step)
            if (j / count != j % count)
                out[used++] = (bench_change){.mesh = on->mesh,
                                             .from = layouts[j / count],
                                             .to = layouts[j % count],
                                             .bytes = plan_sizes[i].bytes,
                                             .against = BENCH_PLANS};
    }
    return used;
}

/* What was found out about the plans of one launch. */
typedef struct plan_figures {
    double worst, worst_ours, worst_other;
    double ours_log, greedy_log; /* sums over those that PyTorch plans */
    int count;
} plan_figures;

/* Remark on a plan that is not as good as another one. */
static void note_plan(const bench_change *change, double ours, double greedy,
                      double direct)
{
    bench_note("%s to %s on %s, %zu KiB: searched %.1f us, PyTorch's %.1f us, "
               "direct %.1f us",
               change->from, change->to, change->mesh, change->bytes / KIBIBYTE,
               1e6 * ours, isfinite(greedy) ? 1e6 * greedy : 0, 1e6 * direct);
}

static const double least_ratio = 1 / 1.1;

static void add_plan(bench_change *change, plan_figures *out)
{
    double ours = bench_samples_median(&change->times[0]);
    double greedy = bench_samples_median(&change->times[1]);
    double direct = bench_samples_median(&change->times[2]);
    double other = fmin(greedy, direct), ratio = other / ours;
    if (ratio < out->worst) {
        out->worst = ratio;
        out->worst_ours = ours;
        out->worst_other = other;
    }
    if (ratio < least_ratio)
        note_plan(change, ours, greedy, direct);
    if (!isfinite(greedy))
        return;
    out->ours_log += log(ours);
    out->greedy_log += log(greedy);
    out->count++;
}

static void report_plans(bench_run *run, const arrangement *on,
                         const char *const *names, const bool *wanted,
                         const plan_figures *figures)
{
    if (wanted[0])
        bench_report(run, &(bench_result){.name = names[0],
                                          .ours = figures->worst_ours,
                                          .reference = figures->worst_other,
                                          .reference_name = "better of two",
                                          .bar = least_ratio});
    if (wanted[1])
        bench_report(run,
                     &(bench_result){
                         .name = names[1],
                         .ours = exp(figures->ours_log / figures->count),
                         .reference = exp(figures->greedy_log / figures->count),
                         .reference_name = "PyTorch's plans",
                         .bar = on->gain});
}

/* All plans of all arrangements that were timed, together. */
static void report_all_plans(bench_run *run, const plan_figures *all)
{
    char name[64];
    snprintf(name, sizeof name, "searched plans in all %s", run->transport);
    if (!bench_wanted(run, name) || !all->count)
        return;
    bench_report(run,
                 &(bench_result){.name = name,
                                 .ours = exp(all->ours_log / all->count),
                                 .reference = exp(all->greedy_log / all->count),
                                 .reference_name = "PyTorch's plans",
                                 .bar = 1.3});
}

static dt_status run_plans(bench_run *run, const arrangement *on,
                           plan_figures *all)
{
    char worst[64], usual[64];
    const char *const names[] = {worst, usual};
    plan_figures figures = {.worst = INFINITY};
    write_name(run, on, "searched plans at worst", worst, sizeof worst);
    write_name(run, on, "searched plans", usual, sizeof usual);
    const bool wanted[] = {bench_wanted(run, worst), bench_wanted(run, usual)};
    if (!wanted[0] && !wanted[1])
        return DT_OK;
    bench_change *changes = malloc(MOST_PLANS * sizeof *changes);
    if (!changes)
        return fail(run, "no memory for the cases");
    size_t count = list_plans(on, changes);
    dt_status status = launch(run, on, changes, count, 1);
    for (size_t i = 0; i < count && status == DT_OK; i++)
        add_plan(&changes[i], &figures);
    if (status == DT_OK)
        report_plans(run, on, names, wanted, &figures);
    all->ours_log += figures.ours_log;
    all->greedy_log += figures.greedy_log;
    all->count += figures.count;
    free(changes);
    return status;
}

/* ---- Against peers ------------------------------------------------------- */

/* Row blocks of a matrix become column blocks. */
static const size_t matrix_bytes = 256 * MEBIBYTE;

/* What they took. */
typedef struct peer_times {
    bench_openmpi_call scalapack;
    bench_openmpi_call alltoallw;
    bench_samples torch;
} peer_times;

/* Those that are there. */
typedef struct peers {
    bench_openmpi mpi;
    bool has_mpi;
    bool has_torch;
    char python[PATH_MAX];
    char script[PATH_MAX];
} peers;

static void find_peers(peers *out)
{
    char path[PATH_MAX];
    out->has_mpi = bench_openmpi_find(&out->mpi);
    out->has_torch = bench_peer_python("torch_redistribute.py", out->python,
                                       out->script, sizeof out->python);
    if (out->has_mpi &&
        !bench_peer_built("scalapack_redistribute", path, sizeof path))
        bench_note("ScaLAPACK is not installed and is left out; --setup "
                   "installs it");
    if (!out->has_torch)
        bench_note("PyTorch is not installed and is left out; --setup "
                   "installs it");
}

static void launch_program(const char *name, const bench_openmpi *mpi,
                           bench_openmpi_call *call)
{
    bench_openmpi with = *mpi;
    if (bench_peer_built(name, with.program, sizeof with.program))
        bench_openmpi_launch(&with, 2, call, 1);
}

static void launch_torch(const peers *with, bench_samples *times)
{
    const char *const argv[] = {with->python, with->script, NULL};
    const char *const environment[] = {"GLIBC_TUNABLES",
                                       "glibc.malloc.hugetlb=1", NULL};
    const bench_order order = {
        .name = "redistribute", .bytes = matrix_bytes, .times = times};
    bench_progress("PyTorch");
    bench_orders_run(argv, environment, &order, 1);
}

/* Time them once; PyTorch, which takes long to start and is far behind, in the
 * first launch alone. */
static void launch_peers(const peers *with, peer_times *times, bool first)
{
    bench_progress("Open MPI");
    if (with->has_mpi) {
        launch_program("openmpi_redistribute", &with->mpi, &times->alltoallw);
        launch_program("scalapack_redistribute", &with->mpi, &times->scalapack);
    }
    if (with->has_torch && first)
        launch_torch(with, &times->torch);
}

static void report_peers(bench_run *run, const char *name, double ours,
                         peer_times *times)
{
    const struct {
        const char *name;
        double seconds;
        double bar;
    } references[] = {
        {"ScaLAPACK stock", bench_openmpi_stock(&times->scalapack), 0},
        {"ScaLAPACK best", bench_openmpi_best(&times->scalapack), 5},
        {"MPI_Alltoallw stock", bench_openmpi_stock(&times->alltoallw), 0},
        {"MPI_Alltoallw best", bench_openmpi_best(&times->alltoallw), 1.5},
        {"PyTorch 2.13 gloo", bench_samples_median(&times->torch), 10},
    };
    bool alone = true;
    for (size_t i = 0; i < COUNT_OF(references); i++) {
        if (!isfinite(references[i].seconds))
            continue;
        bench_report(run, &(bench_result){.name = name,
                                          .ours = ours,
                                          .reference = references[i].seconds,
                                          .reference_name = references[i].name,
                                          .bar = references[i].bar});
        alone = false;
    }
    if (alone)
        bench_report_alone(run, name, ours);
}

static dt_status run_peers(bench_run *run)
{
    char name[64];
    peers with;
    peer_times times = {
        .scalapack = {.name = "psgemr2d", .bytes = matrix_bytes},
        .alltoallw = {.name = "alltoallw", .bytes = matrix_bytes}};
    bench_change change = {.mesh = flat_two.mesh,
                           .from = "S(0)",
                           .to = "S(1)",
                           .bytes = matrix_bytes,
                           .against = BENCH_BARE};
    write_name(run, &flat_two, "row blocks to column blocks 256 MiB", name,
               sizeof name);
    if (!bench_wanted(run, name))
        return DT_OK;
    find_peers(&with);
    for (int i = 0; i < LAUNCHES; i++) {
        DT_TRY(launch(run, &flat_two, &change, 1, 1));
        launch_peers(&with, &times, i == 0);
    }
    report_peers(run, name, bench_samples_median(&change.times[0]), &times);
    return DT_OK;
}

/* ---- The suite ----------------------------------------------------------- */

static dt_status check_transport(bench_run *run)
{
    if (strcmp(run->transport, "threads") == 0 ||
        strcmp(run->transport, "shm") == 0)
        return DT_OK;
    run->error.code = DT_ERR_NOT_FOUND;
    snprintf(run->error.message, sizeof run->error.message,
             "redistribution is timed over threads and shm, not over \"%s\"",
             run->transport);
    return DT_ERR_NOT_FOUND;
}

static dt_status run_redistribute(bench_run *run)
{
    static const arrangement *const flats[] = {&flat_two, &flat_four};
    plan_figures plans = {0};
    DT_TRY(check_transport(run));
    for (size_t i = 0; i < COUNT_OF(flats); i++)
        if (!run->ranks || run->ranks == flats[i]->ranks)
            DT_TRY(run_bare(run, flats[i]));
    if (!run->ranks || run->ranks == flat_two.ranks)
        DT_TRY(run_peers(run));
    for (size_t i = 0; i < COUNT_OF(flats); i++)
        if (!run->ranks || run->ranks == flats[i]->ranks)
            DT_TRY(run_plans(run, flats[i], &plans));
    if (!run->ranks || run->ranks == square.ranks)
        DT_TRY(run_plans(run, &square, &plans));
    report_all_plans(run, &plans);
    return DT_OK;
}

static bool set_up(void)
{
    return bench_peer_setup() && bench_peer_setup_python();
}

const bench_suite bench_suite_redistribute = {
    .name = "redistribute",
    .summary = "tensors in another layout, against bare collectives and peers",
    .run = run_redistribute,
    .worker = bench_changes_worker,
    .setup = set_up,
};
