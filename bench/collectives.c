/* bench/collectives.c - what ranks do together, against Open MPI and a copy. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A launch starts fresh ranks, which time one case after another; Open MPI is
 * launched in turn with us and timed in the same way (bench/support/timing.h).
 * The figure of a case is the median of its launches: small calls come out 2 to
 * 3 times slower in some launches than in others, on either side.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dtensor/array.h>
#include <dtensor/comm.h>
#include <dtensor/world.h>

#include "bench/bench.h"
#include "bench/support/openmpi.h"
#include "bench/support/peer.h"
#include "bench/support/samples.h"
#include "bench/support/timing.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define KIBIBYTE ((size_t)1 << 10)
#define MEBIBYTE ((size_t)1 << 20)
#define SMALL_LAUNCHES 5
#define LARGE_LAUNCHES 3 /* from LARGE on */
#define LARGE MEBIBYTE

/* ---- The calls ---------------------------------------------------------- */

/* What a call works on: `whole` has the bytes of the case, `block` a rank's. */
typedef struct operands {
    dt_world *world;
    dt_group *group;
    dt_array *whole_in, *whole_out;
    dt_array *block_in, *block_out;
} operands;

typedef dt_status (*call_function)(const operands *o);

static dt_status barrier(const operands *o)
{
    return dt_group_barrier(o->group);
}

static dt_status all_reduce(const operands *o)
{
    return dt_group_all_reduce(o->group, DT_SUM, o->whole_in, o->whole_out);
}

static dt_status all_reduce_in_place(const operands *o)
{
    return dt_group_all_reduce(o->group, DT_SUM, o->whole_out, o->whole_out);
}

static dt_status all_gather(const operands *o)
{
    return dt_group_all_gather(o->group, o->block_in, NULL, o->whole_out);
}

static dt_status reduce_scatter(const operands *o)
{
    return dt_group_reduce_scatter(o->group, DT_SUM, o->whole_in, NULL,
                                   o->block_out);
}

static dt_status all_to_all(const operands *o)
{
    return dt_group_all_to_all(o->group, o->whole_in, NULL, NULL, o->whole_out);
}

static dt_status broadcast(const operands *o)
{
    return dt_group_broadcast(o->group, 0, o->whole_out);
}

/* Not between ranks: what every rank's memory can do at once. */
static dt_status copy(const operands *o)
{
    return dt_array_copy(o->world, o->whole_in, o->whole_out);
}

/* A call, and what it is called in bench/peers/mpi_collectives.c. */
typedef struct call_kind {
    const char *name;
    call_function call;
    const char *other_peer; /* another way to call it there */
    bool reduces;           /* adds f32; the others move bytes */
    bool divides;           /* a rank's block is a part of the whole */
    bool sizeless;
} call_kind;

static const call_kind kinds[] = {
    {.name = "barrier", .call = barrier, .sizeless = true},
    {.name = "all-reduce", .call = all_reduce, .reduces = true},
    {.name = "all-reduce in place",
     .call = all_reduce_in_place,
     .reduces = true},
    {.name = "all-gather", .call = all_gather, .divides = true},
    {.name = "reduce-scatter",
     .call = reduce_scatter,
     .other_peer = "reduce-scatter counts",
     .reduces = true,
     .divides = true},
    {.name = "all-to-all", .call = all_to_all, .divides = true},
    {.name = "broadcast", .call = broadcast},
};

static const size_t sizes[] = {4, 4 * KIBIBYTE, 64 * KIBIBYTE, MEBIBYTE,
                               64 * MEBIBYTE};

/* How much faster than Open MPI at its best some cases must be. */
static const struct {
    const char *kind;
    size_t bytes;
    int ranks;
    double ratio;
} bars[] = {
    {"all-reduce", 4, 2, 1.5},
    {"all-reduce", 4 * KIBIBYTE, 2, 3},
    {"all-reduce", 64 * MEBIBYTE, 2, 3},
    {"all-gather", 64 * MEBIBYTE, 2, 1.6},
    {"all-reduce", 4, 4, 1},
    {"all-reduce", 4 * KIBIBYTE, 4, 2},
    {"all-reduce", 64 * MEBIBYTE, 4, 5},
};

/* ---- The cases ---------------------------------------------------------- */

#define MAX_CASES (COUNT_OF(kinds) * COUNT_OF(sizes))

typedef struct bench_case {
    char name[64];
    const call_kind *kind;
    size_t bytes;
    double bar;
    bench_samples ours;
    bench_samples copy; /* of as many bytes, if they are many */
} bench_case;

typedef struct bench_cases {
    int ranks;
    size_t count;
    bench_case cases[MAX_CASES];
    bench_openmpi_call peers[MAX_CASES]; /* one for each case */
} bench_cases;

/* The least bytes from `wanted` on that the ranks can share. */
static size_t fit_bytes(const call_kind *kind, size_t wanted, int ranks)
{
    size_t unit = kind->reduces ? sizeof(float) : 1;
    if (kind->divides)
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

static double find_bar(const call_kind *kind, size_t bytes, int ranks)
{
    for (size_t i = 0; i < COUNT_OF(bars); i++)
        if (strcmp(bars[i].kind, kind->name) == 0 && bars[i].bytes == bytes &&
            bars[i].ranks == ranks)
            return bars[i].ratio;
    return 0;
}

static void add_case(bench_run *run, const call_kind *kind, size_t wanted,
                     bench_cases *out)
{
    bench_case *row = &out->cases[out->count];
    size_t bytes = fit_bytes(kind, wanted, out->ranks);
    char size[32];
    write_size(size, sizeof size, wanted, bytes);
    *row = (bench_case){.kind = kind,
                        .bytes = kind->sizeless ? 0 : bytes,
                        .bar = find_bar(kind, bytes, out->ranks)};
    snprintf(row->name, sizeof row->name, "%s%s%s %d rank%s %s", kind->name,
             kind->sizeless ? "" : " ", kind->sizeless ? "" : size, out->ranks,
             out->ranks == 1 ? "" : "s", run->transport);
    if (!bench_wanted(run, row->name))
        return;
    out->peers[out->count++] =
        (bench_openmpi_call){.name = kind->name,
                             .other_name = kind->other_peer,
                             .bytes = row->bytes};
}

static void add_cases(bench_run *run, bench_cases *out)
{
    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        for (size_t j = 0; j < COUNT_OF(sizes); j++)
            if (j == 0 || !kinds[i].sizeless)
                add_case(run, &kinds[i], sizes[j], out);
}

/* ---- Timing ours -------------------------------------------------------- */

static dt_status time_round(call_function call, const operands *o, int batch,
                            double *seconds)
{
    DT_TRY(dt_group_barrier(o->group));
    double begin = bench_now();
    for (int i = 0; i < batch; i++)
        DT_TRY(call(o));
    *seconds = (bench_now() - begin) / batch;
    return DT_OK;
}

/* The times of the slowest rank, on every rank. */
static dt_status agree(const operands *o, double *times, int count)
{
    dt_array *array;
    dt_wrap_options options = DT_WRAP_OPTIONS_INIT;
    options.data = times;
    options.dtype = DT_F64;
    options.shape = DT_SHAPE(count);
    DT_TRY(dt_array_wrap(o->world, &options, &array));
    dt_status status = dt_group_all_reduce(o->group, DT_MAX, array, array);
    dt_array_release(array);
    return status;
}

static dt_status time_call(call_function call, const operands *o, double *out)
{
    double slowest[BENCH_MAX_ROUNDS], estimate;
    int batch = 1;
    for (int i = 0; i <= BENCH_WARM_UPS; i++) {
        DT_TRY(time_round(call, o, batch, &estimate));
        DT_TRY(agree(o, &estimate, 1));
        batch = bench_warm_up_batch(estimate);
    }
    bench_plan plan = bench_plan_for(estimate);
    for (int i = 0; i < plan.rounds; i++)
        DT_TRY(time_round(call, o, plan.batch, &slowest[i]));
    DT_TRY(agree(o, slowest, plan.rounds));
    *out = bench_median(slowest, (size_t)plan.rounds);
    return DT_OK;
}

static dt_status take_array(dt_world *world, dt_dtype dtype, size_t bytes,
                            dt_array **out)
{
    int64_t count = (int64_t)(bytes / dt_dtype_size(dtype));
    DT_TRY(dt_array_create(world, dtype, DT_SHAPE(count), out));
    return dt_array_fill(world, *out, 1);
}

static dt_status take_operands(dt_world *world, const bench_case *row,
                               operands *o)
{
    dt_dtype dtype = row->kind->reduces ? DT_F32 : DT_U8;
    size_t block = row->bytes / (size_t)dt_world_size(world);
    *o = (operands){.world = world, .group = dt_world_group(world)};
    DT_TRY(take_array(world, dtype, row->bytes, &o->whole_in));
    DT_TRY(take_array(world, dtype, row->bytes, &o->whole_out));
    if (!row->kind->divides)
        return DT_OK;
    DT_TRY(take_array(world, dtype, block, &o->block_in));
    return take_array(world, dtype, block, &o->block_out);
}

static void release_operands(operands *o)
{
    dt_array_release(o->whole_in);
    dt_array_release(o->whole_out);
    dt_array_release(o->block_in);
    dt_array_release(o->block_out);
}

/* One launch under way, as all its ranks see it. */
typedef struct our_launch {
    bench_cases *cases;
    int number;
} our_launch;

static bool is_due(const bench_case *row, int launch)
{
    return row->bytes < LARGE || launch < LARGE_LAUNCHES;
}

/* Runs on every rank; the first one keeps the times. */
static dt_status time_case(dt_world *world, bench_case *row)
{
    operands o;
    double ours = 0, copied = 0;
    dt_status status = take_operands(world, row, &o);
    if (status == DT_OK)
        status = time_call(row->kind->call, &o, &ours);
    if (status == DT_OK && row->bytes >= LARGE)
        status = time_call(copy, &o, &copied);
    release_operands(&o);
    if (status != DT_OK || dt_world_rank(world) != 0)
        return status;
    bench_samples_add(&row->ours, ours);
    if (row->bytes >= LARGE)
        bench_samples_add(&row->copy, copied);
    return DT_OK;
}

static dt_status time_cases(dt_world *world, void *arg)
{
    const our_launch *run = arg;
    for (size_t i = 0; i < run->cases->count; i++)
        if (is_due(&run->cases->cases[i], run->number))
            DT_TRY(time_case(world, &run->cases->cases[i]));
    return DT_OK;
}

/* ---- The suite ---------------------------------------------------------- */

static dt_status launch_all(bench_run *run, bench_cases *cases,
                            const bench_openmpi *mpi)
{
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    options.transport = run->transport;
    options.ranks = cases->ranks;
    for (int i = 0; i < SMALL_LAUNCHES; i++) {
        char text[64];
        our_launch this = {.cases = cases, .number = i};
        snprintf(text, sizeof text, "%d ranks: launch %d of %d", cases->ranks,
                 i + 1, SMALL_LAUNCHES);
        bench_progress(text);
        DT_TRY(dt_world_run(&options, time_cases, &this, &run->error));
        for (size_t j = 0; j < cases->count; j++)
            cases->peers[j].skip = !is_due(&cases->cases[j], i);
        if (mpi)
            bench_openmpi_launch(mpi, cases->ranks, cases->peers, cases->count);
    }
    return DT_OK;
}

static void report(bench_run *run, bench_case *row, bench_openmpi_call *peer)
{
    bench_result result = {.name = row->name,
                           .ours = bench_samples_median(&row->ours)};
    const struct {
        const char *name;
        double seconds;
        double bar;
    } references[] = {
        {"Open MPI stock", bench_openmpi_stock(peer), 0},
        {"Open MPI best", bench_openmpi_best(peer), row->bar},
        {"copy", bench_samples_median(&row->copy), 0},
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

static dt_status run_ranks(bench_run *run, int ranks, const bench_openmpi *mpi,
                           bench_cases *cases)
{
    *cases = (bench_cases){.ranks = ranks};
    add_cases(run, cases);
    if (!cases->count)
        return DT_OK;
    DT_TRY(launch_all(run, cases, mpi));
    for (size_t i = 0; i < cases->count; i++)
        report(run, &cases->cases[i], &cases->peers[i]);
    return DT_OK;
}

static dt_status run_collectives(bench_run *run)
{
    static const int usual[] = {2, 4};
    bench_openmpi found;
    bool has_mpi = !run->list && bench_openmpi_find(&found);
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

const bench_suite bench_suite_collectives = {
    .name = "collectives",
    .summary = "what ranks do together, against Open MPI",
    .run = run_collectives,
    .setup = bench_peer_setup,
};
