/* bench/collectives.c - what ranks do together, against Open MPI and a copy. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A launch starts fresh ranks, which time one case after another: this command
 * again (bench/support/ranks.h), as threads, as processes or under mpirun.
 * Those that are compared are launched in turn and time in the same way
 * (bench/support/timing.h).  The figure of a case is the median of its
 * launches: small calls come out 2 to 3 times slower in some launches than in
 * others, on either side.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/support/calls.h"
#include "bench/support/loss.h"
#include "bench/support/openmpi.h"
#include "bench/support/peer.h"
#include "bench/support/ranks.h"
#include "bench/support/samples.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define KIBIBYTE ((size_t)1 << 10)
#define MEBIBYTE ((size_t)1 << 20)
#define LAUNCHES 5
#define LOSS_LAUNCHES 7

static const size_t sizes[] = {4, 4 * KIBIBYTE, 64 * KIBIBYTE, MEBIBYTE,
                               64 * MEBIBYTE};

/* How much faster than Open MPI at its best some cases must be. */
static const struct {
    const char *call;
    size_t bytes;
    int ranks;
    double ratio;
    const char *transport; /* NULL: threads and shm */
} bars[] = {
    {"all-reduce", 4, 2, 1.5, NULL},
    {"all-reduce", 4 * KIBIBYTE, 2, 3, NULL},
    {"all-reduce", 64 * MEBIBYTE, 2, 3, NULL},
    {"all-gather", 64 * MEBIBYTE, 2, 1.6, NULL},
    {"reduce-scatter", 64 * MEBIBYTE, 2, 3, "shm"},
    {"all-to-all", 64 * MEBIBYTE, 2, 1.6, "shm"},
    {"broadcast", 64 * MEBIBYTE, 2, 1.6, "shm"},
    {"all-reduce", 4, 4, 1, NULL},
    {"all-reduce", 4 * KIBIBYTE, 4, 2, NULL},
    {"all-reduce", 64 * MEBIBYTE, 4, 5, NULL},
};

/* Processes may be a tenth slower than threads, from this size on. */
static const size_t threads_from = 64 * KIBIBYTE;
static const double threads_bar = 1 / 1.1;

/* The library may cost a twentieth of a call of MPI, from this size on. */
static const size_t direct_from = 4 * KIBIBYTE;
static const double direct_bar = 1 / 1.05;

/* An all-gather writes as many bytes as the copy; two processes may take a
 * third longer for it. */
static const double copy_bar = 0.75;

/* A killed rank is an error on the others within a second. */
static const double loss_limit = 1;

/* ---- The cases ---------------------------------------------------------- */

#define MAX_CASES (BENCH_MAX_ORDERS / 2)

typedef struct bench_case {
    char name[64];
    const bench_call *call;
    size_t bytes;
    bench_samples ours;
    bench_samples threads; /* ranks that are threads, beside processes */
    bench_samples beside;  /* a copy of as many bytes, if they are many; on mpi
                              MPI called directly */
} bench_case;

typedef struct bench_cases {
    int ranks;
    size_t count;
    bench_case cases[MAX_CASES];
    bench_openmpi_call peers[MAX_CASES]; /* one for each case */
} bench_cases;

static bool is_over(const bench_run *run, const char *transport)
{
    return strcmp(run->transport, transport) == 0;
}

/* The least bytes from `wanted` on that the ranks can share. */
static size_t fit_bytes(const bench_call *call, size_t wanted, int ranks)
{
    size_t unit = call->reduces ? sizeof(float) : 1;
    if (call->divides)
        unit *= (size_t)ranks;
    return (wanted + unit - 1) / unit * unit;
}

static void write_size(char *text, size_t size, size_t wanted, size_t bytes)
{
    if (wanted >= MEBIBYTE)
        snprintf(text, size, "%zu MiB", wanted / MEBIBYTE);
    else if (wanted >= KIBIBYTE)
        snprintf(text, size, "%zu KiB", wanted / KIBIBYTE);
    else
        snprintf(text, size, "%zu B", bytes);
}

/* Name a case: the subject, ranks and transport. */
static void write_name(const bench_run *run, int ranks, const char *subject,
                       char *text, size_t size)
{
    snprintf(text, size, "%s %d rank%s %s", subject, ranks,
             ranks == 1 ? "" : "s", run->transport);
}

static void add_case(bench_run *run, const bench_call *call, size_t wanted,
                     bench_cases *out)
{
    bench_case *row = &out->cases[out->count];
    size_t bytes = fit_bytes(call, wanted, out->ranks);
    char size[32] = "", subject[48];
    if (!call->sizeless)
        write_size(size, sizeof size, wanted, bytes);
    snprintf(subject, sizeof subject, "%s%s%s", call->name, *size ? " " : "",
             size);
    *row = (bench_case){.call = call, .bytes = call->sizeless ? 0 : bytes};
    write_name(run, out->ranks, subject, row->name, sizeof row->name);
    if (!bench_wanted(run, row->name))
        return;
    out->peers[out->count++] =
        (bench_openmpi_call){.name = call->name,
                             .other_name = call->other_peer,
                             .bytes = row->bytes};
}

static void add_cases(bench_run *run, bench_cases *out)
{
    for (size_t i = 0; i < bench_call_count; i++)
        for (size_t j = 0; j < COUNT_OF(sizes); j++)
            if (j == 0 || !bench_calls[i].sizeless)
                add_case(run, &bench_calls[i], sizes[j], out);
}

/* ---- Launches ----------------------------------------------------------- */

/* How ranks are started: those that are timed and, beside processes, threads.
 */
typedef struct bench_starts {
    const bench_openmpi *mpi; /* NULL: not installed */
    bench_ranks ours;
    bench_ranks threads;
} bench_starts;

static dt_status fail(bench_run *run, const char *what)
{
    run->error.code = DT_ERR_COMM;
    snprintf(run->error.message, sizeof run->error.message, "%s", what);
    return DT_ERR_COMM;
}

/* Let fresh ranks time the cases. */
static dt_status launch_ours(bench_run *run, const bench_ranks *ranks,
                             bench_cases *cases, bool as_threads)
{
    bench_order orders[MAX_CASES];
    for (size_t i = 0; i < cases->count; i++) {
        bench_case *row = &cases->cases[i];
        orders[i] =
            (bench_order){.name = row->call->name,
                          .bytes = row->bytes,
                          .times = as_threads ? &row->threads : &row->ours,
                          .beside = as_threads ? NULL : &row->beside};
    }
    if (bench_orders_run(ranks->argv, ranks->environment, orders, cases->count))
        return DT_OK;
    return fail(run, "the ranks failed");
}

static void launch_peers(const bench_run *run, const bench_openmpi *mpi,
                         bench_cases *cases)
{
    if (is_over(run, "mpi"))
        bench_openmpi_launch_stock(mpi, cases->ranks, cases->peers,
                                   cases->count);
    else
        bench_openmpi_launch(mpi, cases->ranks, cases->peers, cases->count);
}

static dt_status launch_all(bench_run *run, const bench_starts *starts,
                            bench_cases *cases)
{
    for (int i = 0; i < LAUNCHES; i++) {
        char text[64];
        snprintf(text, sizeof text, "%d ranks: launch %d of %d", cases->ranks,
                 i + 1, LAUNCHES);
        bench_progress(text);
        DT_TRY(launch_ours(run, &starts->ours, cases, false));
        if (is_over(run, "shm"))
            DT_TRY(launch_ours(run, &starts->threads, cases, true));
        if (starts->mpi)
            launch_peers(run, starts->mpi, cases);
    }
    return DT_OK;
}

/* ---- Reports ------------------------------------------------------------ */

static double find_bar(const bench_run *run, const bench_case *row, int ranks)
{
    for (size_t i = 0; i < COUNT_OF(bars); i++)
        if (strcmp(bars[i].call, row->call->name) == 0 &&
            bars[i].bytes == row->bytes && bars[i].ranks == ranks &&
            (!bars[i].transport || is_over(run, bars[i].transport)))
            return bars[i].ratio;
    return 0;
}

/* Tell whether a case must come near a copy. */
static bool is_near_copy(const bench_run *run, const bench_case *row, int ranks)
{
    return is_over(run, "shm") && ranks == 2 && row->bytes == 64 * MEBIBYTE &&
           strcmp(row->call->name, "all-gather") == 0;
}

static void report(bench_run *run, bench_case *row, bench_openmpi_call *peer,
                   int ranks)
{
    bool over_mpi = is_over(run, "mpi");
    bool near_copy = is_near_copy(run, row, ranks);
    bench_result result = {.name = row->name};
    double beside;
    /* Both come from the same processes, so that a launch is slow for both. */
    bench_samples_pair(&row->ours, &row->beside, &result.ours, &beside);
    if (!over_mpi) {
        result.ours = bench_samples_median(&row->ours);
        beside = bench_samples_median(&row->beside);
    }
    const struct {
        const char *name;
        double seconds;
        double bar;
    } references[] = {
        {"MPI called directly", over_mpi ? beside : INFINITY,
         row->bytes >= direct_from ? direct_bar : 0},
        {"Open MPI stock", bench_openmpi_stock(peer), 0},
        {"Open MPI best", over_mpi ? INFINITY : bench_openmpi_best(peer),
         find_bar(run, row, ranks)},
        {"threads", bench_samples_median(&row->threads),
         row->bytes >= threads_from ? threads_bar : 0},
        {near_copy ? "plain copy" : "copy", over_mpi ? INFINITY : beside,
         near_copy ? copy_bar : 0},
    };
    bool alone = true;
    for (size_t i = 0; i < COUNT_OF(references); i++) {
        result.reference = references[i].seconds;
        result.reference_name = references[i].name;
        result.bar = references[i].bar;
        if (isfinite(result.reference)) {
            bench_report(run, &result);
            alone = false;
        }
    }
    if (alone)
        bench_report_alone(run, row->name, result.ours);
}

/* ---- Killed ranks ------------------------------------------------------- */

static void report_loss(bench_run *run, const char *name, double seconds)
{
    bench_report(run, &(bench_result){.name = name,
                                      .ours = seconds,
                                      .reference = loss_limit,
                                      .reference_name = "limit",
                                      .unit = BENCH_SECONDS,
                                      .bar = 1});
}

/* How long the others wait for a rank that was killed: the median of launches,
 * and the worst of them. */
static dt_status time_loss(bench_run *run, int count, const bench_ranks *ranks)
{
    char usual_name[64], worst_name[64];
    bench_samples samples = {.count = 0};
    double worst = 0;
    write_name(run, count, "kill -9 to error", usual_name, sizeof usual_name);
    write_name(run, count, "kill -9 to error at worst", worst_name,
               sizeof worst_name);
    bool usual_wanted = bench_wanted(run, usual_name);
    bool worst_wanted = bench_wanted(run, worst_name);
    if (!usual_wanted && !worst_wanted)
        return DT_OK;
    bench_progress("killing ranks");
    for (int i = 0; i < LOSS_LAUNCHES; i++) {
        double seconds;
        if (!bench_loss_launch(ranks, count, &seconds))
            return fail(run, "ranks were not told of one that was killed");
        bench_samples_add(&samples, seconds);
        worst = fmax(worst, seconds);
    }
    if (usual_wanted)
        report_loss(run, usual_name, bench_samples_median(&samples));
    if (worst_wanted)
        report_loss(run, worst_name, worst);
    return DT_OK;
}

/* ---- The suite ---------------------------------------------------------- */

static dt_status run_ranks(bench_run *run, int ranks, const bench_openmpi *mpi,
                           bench_cases *cases)
{
    const char *name = run->suite->name;
    bench_starts starts = {.mpi = mpi};
    if (!run->list &&
        (!bench_ranks_prepare(name, run->transport, ranks, mpi, &starts.ours) ||
         !bench_ranks_prepare(name, "threads", ranks, mpi, &starts.threads)))
        return fail(run, "ranks cannot be started");
    *cases = (bench_cases){.ranks = ranks};
    add_cases(run, cases);
    if (cases->count)
        DT_TRY(launch_all(run, &starts, cases));
    for (size_t i = 0; i < cases->count; i++)
        report(run, &cases->cases[i], &cases->peers[i], ranks);
    if (is_over(run, "shm") && ranks > 1)
        return time_loss(run, ranks, &starts.ours);
    return DT_OK;
}

/* Refuse a transport that is not there. */
static dt_status check_transport(bench_run *run)
{
    if (bench_ranks_can(run->transport))
        return DT_OK;
    run->error.code = DT_ERR_NOT_FOUND;
    snprintf(
        run->error.message, sizeof run->error.message,
        "there is no transport \"%s\" to time; there are " BENCH_TRANSPORTS,
        run->transport);
    return DT_ERR_NOT_FOUND;
}

static dt_status run_collectives(bench_run *run)
{
    static const int usual[] = {2, 4};
    bench_openmpi found;
    DT_TRY(check_transport(run));
    bool has_mpi = !run->list && bench_openmpi_find(&found);
    if (is_over(run, "mpi") && !run->list && !has_mpi)
        return fail(run, "over mpi there is nothing to time without Open MPI");
    bench_cases *cases = malloc(sizeof *cases);
    dt_status status = cases ? DT_OK : DT_ERR_NO_MEMORY;
    if (!cases)
        run->error = (dt_error){DT_ERR_NO_MEMORY, "no memory for the cases"};
    for (size_t i = 0; i < COUNT_OF(usual) && status == DT_OK; i++)
        if (!run->ranks || i == 0)
            status = run_ranks(run, run->ranks ? run->ranks : usual[i],
                               has_mpi ? &found : NULL, cases);
    free(cases);
    return status;
}

/* A rank: of the cases, or of those of which one is killed. */
static int work(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], BENCH_LOSS_WORD) == 0)
        return bench_loss_worker(argc, argv);
    return bench_calls_worker(argc, argv);
}

const bench_suite bench_suite_collectives = {
    .name = "collectives",
    .summary = "what ranks do together, against Open MPI",
    .run = run_collectives,
    .worker = work,
    .setup = bench_peer_setup,
};
