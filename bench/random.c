/* bench/random.c - memory filled with random numbers, against PyTorch. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <dtensor/array.h>
#include <dtensor/world.h>

#include "bench/bench.h"
#include "bench/support/orders.h"
#include "bench/support/peer.h"
#include "bench/support/sides.h"
#include "random/draw.h"

#define LAUNCHES 5
#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* What is drawn; the peer knows it by `peer`. */
static const struct {
    const char *name;
    const char *peer;
    double bar;
    dti_draw draw;
} kinds[] = {
    {"normal f32",
     "normal-f32",
     1.5,
     {.kind = DTI_NORMAL, .dtype = DT_F32, .std = 1}},
    {"normal f64",
     "normal-f64",
     0,
     {.kind = DTI_NORMAL, .dtype = DT_F64, .std = 1}},
    {"normal bf16",
     "normal-bf16",
     0,
     {.kind = DTI_NORMAL, .dtype = DT_BF16, .std = 1}},
    {"uniform f32",
     "uniform-f32",
     1.2,
     {.kind = DTI_UNIFORM, .dtype = DT_F32, .high = 1}},
    {"uniform f64",
     "uniform-f64",
     0,
     {.kind = DTI_UNIFORM, .dtype = DT_F64, .high = 1}},
    {"uniform bf16",
     "uniform-bf16",
     0,
     {.kind = DTI_UNIFORM, .dtype = DT_BF16, .high = 1}},
    {"bernoulli f32",
     "bernoulli-f32",
     0,
     {.kind = DTI_BERNOULLI, .dtype = DT_F32, .p = 0.5}},
    {"randint i64",
     "randint-i64",
     0,
     {.kind = DTI_RANDINT, .dtype = DT_I64, .end = 1000}},
};

static const struct {
    size_t bytes;
    const char *name;
} sizes[] = {{4096, "4 KiB"},
             {(size_t)256 << 10, "256 KiB"},
             {(size_t)64 << 20, "64 MiB"}};

#define CASES (COUNT_OF(kinds) * COUNT_OF(sizes))

/* A case: what is drawn, where to, and the times of each launch. */
typedef struct random_case {
    char name[64];
    const char *peer;
    double bar;
    size_t bytes;
    dti_draw draw;
    void *memory;
    bench_samples ours;
    bench_samples theirs;
} random_case;

typedef struct random_cases {
    random_case cases[CASES];
    size_t count;
    char python[PATH_MAX]; /* empty: there is none */
    char script[PATH_MAX];
} random_cases;

static dt_status add_cases(bench_run *run, dt_world *world, random_cases *out)
{
    for (size_t i = 0; i < CASES; i++) {
        random_case *row = &out->cases[out->count];
        const size_t kind = i / COUNT_OF(sizes), size = i % COUNT_OF(sizes);
        *row = (random_case){.peer = kinds[kind].peer,
                             .bar = kinds[kind].bar,
                             .bytes = sizes[size].bytes,
                             .draw = kinds[kind].draw};
        snprintf(row->name, sizeof row->name, "%s %s", kinds[kind].name,
                 sizes[size].name);
        if (!bench_wanted(run, row->name))
            continue;
        DT_TRY(dti_draw_check(world, &row->draw));
        out->count++;
    }
    return DT_OK;
}

static void draw(void *arg)
{
    const random_case *row = arg;
    const size_t item = dt_dtype_size(row->draw.dtype);
    dti_draw_run(&row->draw, 0, (int64_t)(row->bytes / item), row->memory);
}

static dt_status time_ours(dt_world *world, random_cases *cases)
{
    dt_array *memory;
    const int64_t largest = (int64_t)sizes[COUNT_OF(sizes) - 1].bytes;
    DT_TRY(dt_array_create(world, DT_U8, DT_SHAPE(largest), &memory));
    dt_status status = dt_array_fill(world, memory, 1);
    for (size_t i = 0; i < cases->count && status == DT_OK; i++) {
        random_case *row = &cases->cases[i];
        double seconds;
        row->memory = dt_array_data(memory);
        bench_time_sides(&(bench_side){draw, row}, 1, &seconds);
        bench_samples_add(&row->ours, seconds);
    }
    dt_array_release(memory);
    return status;
}

/* Huge pages for them too. */
static void time_theirs(random_cases *cases)
{
    const char *const argv[] = {cases->python, cases->script, NULL};
    const char *const environment[] = {"GLIBC_TUNABLES",
                                       "glibc.malloc.hugetlb=1", NULL};
    bench_order orders[CASES];
    for (size_t i = 0; i < cases->count; i++)
        orders[i] = (bench_order){.name = cases->cases[i].peer,
                                  .bytes = cases->cases[i].bytes,
                                  .times = &cases->cases[i].theirs};
    bench_orders_run(argv, environment, orders, cases->count);
}

static void report(bench_run *run, random_case *row)
{
    const double ours = bench_samples_median(&row->ours);
    const double theirs = bench_samples_median(&row->theirs);
    if (isfinite(theirs))
        bench_report(run, &(bench_result){.name = row->name,
                                          .ours = ours,
                                          .reference = theirs,
                                          .reference_name = "PyTorch 2.13",
                                          .bar = row->bar});
    else
        bench_report_alone(run, row->name, ours);
}

static dt_status time_all(bench_run *run, dt_world *world, random_cases *cases)
{
    DT_TRY(add_cases(run, world, cases));
    if (!cases->count)
        return DT_OK;
    const bool peer = bench_peer_python("torch_random.py", cases->python,
                                        cases->script, sizeof cases->python);
    if (!peer)
        bench_note("PyTorch is not installed and is left out; --setup "
                   "installs it");
    for (int i = 0; i < LAUNCHES; i++) {
        char text[64];
        snprintf(text, sizeof text, "launch %d of %d", i + 1, LAUNCHES);
        bench_progress(text);
        DT_TRY(time_ours(world, cases));
        if (peer)
            time_theirs(cases);
    }
    for (size_t i = 0; i < cases->count; i++)
        report(run, &cases->cases[i]);
    return DT_OK;
}

static dt_status run_random(bench_run *run)
{
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    dt_world *world;
    options.transport = "threads";
    options.ranks = 1;
    random_cases *cases = calloc(1, sizeof *cases);
    if (!cases) {
        run->error = (dt_error){DT_ERR_NO_MEMORY, "no memory for the cases"};
        return DT_ERR_NO_MEMORY;
    }
    dt_status status = dt_world_open(&options, &world, &run->error);
    if (status == DT_OK) {
        status = time_all(run, world, cases);
        if (status != DT_OK) {
            run->error = *dt_world_error(world);
            run->error.code = status;
        }
        DT_IGNORE(dt_world_close(world));
    }
    free(cases);
    return status;
}

const bench_suite bench_suite_random = {
    .name = "random",
    .summary = "memory filled with random numbers, against PyTorch",
    .run = run_random,
    .setup = bench_peer_setup_python,
};
