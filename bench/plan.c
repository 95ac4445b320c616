/* bench/plan.c - how soon a redistribution is planned, and how well. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <dtensor/mesh.h>
#include <dtensor/plan.h>
#include <dtensor/world.h>

#include "bench/bench.h"
#include "bench/support/sides.h"
#include "bench/support/timing.h"

/* Every layout of a 3-d tensor on a 3-d mesh that replicates or cuts, and every
 * pair of them: those that need no messages are left out. */
enum { MESH_NDIM = 3, KINDS = 4, LAYOUTS = 64, PAIRS = LAYOUTS * LAYOUTS };

static const char mesh_text[] = "a=2,b=4,c=8";
static const int mesh_size = 64;
static const dt_shape shape = {3, {256, 256, 256}};

/* Fresh worlds that plan each pair: the time of a pair is their median. */
#define WORLDS 5

static const double microsecond = 1e-6, nanosecond = 1e-9;

/* What was found out about all pairs. */
typedef struct plan_figures {
    double times[PAIRS][WORLDS];
    double medians[PAIRS];
    int count;       /* of pairs that need messages */
    double ours_log; /* sums of the logarithms of bytes over the bound */
    double greedy_log;
    double cached;
} plan_figures;

/* ---- One world ---------------------------------------------------------- */

static void release_specs(dt_spec **specs)
{
    for (int i = 0; i < LAYOUTS; i++)
        dt_spec_release(specs[i]);
}

static dt_status create_specs(dt_mesh *mesh, dt_spec **specs)
{
    const dt_meta meta = dt_meta_of(DT_F32, shape);
    for (int i = 0; i < LAYOUTS; i++) {
        dt_placement placements[MESH_NDIM];
        for (int j = 0, rest = i; j < MESH_NDIM; j++, rest /= KINDS)
            placements[j] = rest % KINDS < MESH_NDIM ? dt_shard(rest % KINDS)
                                                     : dt_replicate();
        dt_layout layout = dt_layout_of(placements, MESH_NDIM);
        DT_TRY(dt_spec_create_with(mesh, &layout, &meta, &specs[i]));
    }
    return DT_OK;
}

/* Add the bytes of the best plan and of PyTorch's, over the least. */
static dt_status add_bytes(dt_spec *from, dt_spec *to, plan_figures *out)
{
    dt_plan_options options = DT_PLAN_OPTIONS_INIT;
    dt_plan *ours = NULL, *greedy = NULL;
    options.objective = DT_OBJECTIVE_BYTES;
    dt_status status = dt_plan_create(from, to, &options, &ours);
    options.planner = DT_PLANNER_GREEDY;
    if (status == DT_OK)
        status = dt_plan_create(from, to, &options, &greedy);
    if (status == DT_OK) {
        double least = (double)dt_plan_lower_bound(ours);
        out->ours_log += log((double)dt_plan_bytes(ours) / least);
        out->greedy_log += log((double)dt_plan_bytes(greedy) / least);
    }
    dt_plan_release(ours);
    dt_plan_release(greedy);
    return status;
}

/* Plan one pair for the first time in this world. */
static dt_status plan_pair(dt_spec *from, dt_spec *to, int world,
                           plan_figures *out)
{
    dt_plan *plan = NULL;
    double begin = bench_now();
    DT_TRY(dt_plan_create(from, to, NULL, &plan));
    double seconds = bench_now() - begin;
    bool needs = dt_plan_lower_bound(plan) > 0;
    dt_plan_release(plan);
    if (!needs)
        return DT_OK;
    out->times[out->count++][world] = seconds;
    return world == 0 ? add_bytes(from, to, out) : DT_OK;
}

/* A plan that the world knows. */
typedef struct known_pair {
    dt_spec *from;
    dt_spec *to;
    dt_status status;
} known_pair;

static void find_plan(void *arg)
{
    known_pair *pair = arg;
    dt_plan *plan = NULL;
    dt_status status = dt_plan_create(pair->from, pair->to, NULL, &plan);
    if (status != DT_OK)
        pair->status = status;
    dt_plan_release(plan);
}

static dt_status plan_all(dt_spec **specs, int world, plan_figures *out)
{
    out->count = 0;
    for (int i = 0; i < LAYOUTS; i++)
        for (int j = 0; j < LAYOUTS; j++)
            if (i != j)
                DT_TRY(plan_pair(specs[i], specs[j], world, out));
    known_pair known = {.from = specs[0], .to = specs[LAYOUTS - 1]};
    if (world == 0)
        bench_time_sides(&(bench_side){find_plan, &known}, 1, &out->cached);
    return known.status;
}

static dt_status plan_in_world(bench_run *run, int index, plan_figures *out)
{
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    dt_spec *specs[LAYOUTS] = {NULL};
    dt_mesh *mesh = NULL;
    dt_world *world;
    options.transport = "sim";
    options.ranks = mesh_size;
    DT_TRY(dt_world_open(&options, &world, &run->error));
    dt_status status = dt_mesh_create(world, mesh_text, &mesh);
    if (status == DT_OK)
        status = create_specs(mesh, specs);
    if (status == DT_OK)
        status = plan_all(specs, index, out);
    if (status != DT_OK) {
        run->error = *dt_world_error(world);
        run->error.code = status;
    }
    release_specs(specs);
    dt_mesh_release(mesh);
    DT_IGNORE(dt_world_close(world));
    return status;
}

/* ---- The suite ---------------------------------------------------------- */

static const struct {
    const char *name;
    enum { USUAL, WORST, CACHED, BYTES } what;
} cases[] = {
    {"plan 2x4x8 mesh", USUAL},
    {"plan 2x4x8 mesh at worst", WORST},
    {"known plan", CACHED},
    {"bytes over the least 2x4x8 mesh", BYTES},
};

static void report_limit(bench_run *run, const char *name, double ours,
                         double limit, bench_unit unit)
{
    bench_report(run, &(bench_result){.name = name,
                                      .ours = ours,
                                      .reference = limit,
                                      .reference_name = "limit",
                                      .unit = unit,
                                      .bar = 1});
}

static void report_bytes(bench_run *run, const char *name,
                         const plan_figures *figures)
{
    double ours = exp(figures->ours_log / figures->count);
    bench_report(run, &(bench_result){.name = name,
                                      .ours = ours,
                                      .reference = exp(figures->greedy_log /
                                                       figures->count),
                                      .reference_name = "PyTorch's default",
                                      .unit = BENCH_TIMES});
    report_limit(run, name, ours, 1.05, BENCH_TIMES);
}

static void report(bench_run *run, size_t index, plan_figures *figures)
{
    const char *name = cases[index].name;
    int count = figures->count;
    /* Sorted by now: the last is the worst. */
    double usual = bench_median(figures->medians, (size_t)count);
    double worst = figures->medians[count - 1];
    switch (cases[index].what) {
    case USUAL:
        report_limit(run, name, usual, 100 * microsecond, BENCH_MICROSECONDS);
        break;
    case WORST:
        report_limit(run, name, worst, 2000 * microsecond, BENCH_MICROSECONDS);
        break;
    case CACHED:
        report_limit(run, name, figures->cached, 100 * nanosecond,
                     BENCH_MICROSECONDS);
        break;
    case BYTES:
        report_bytes(run, name, figures);
    }
}

static dt_status run_plan(bench_run *run)
{
    enum { CASES = sizeof cases / sizeof *cases };
    bool wanted[CASES], any = false;
    dt_status status = DT_OK;
    for (size_t i = 0; i < CASES; i++)
        any |= wanted[i] = bench_wanted(run, cases[i].name);
    if (!any)
        return DT_OK;
    plan_figures *figures = calloc(1, sizeof *figures);
    if (!figures) {
        run->error = (dt_error){DT_ERR_NO_MEMORY, "no memory for the figures"};
        return DT_ERR_NO_MEMORY;
    }
    bench_progress("planning");
    for (int i = 0; i < WORLDS && status == DT_OK; i++)
        status = plan_in_world(run, i, figures);
    for (int i = 0; i < figures->count; i++)
        figures->medians[i] = bench_median(figures->times[i], WORLDS);
    for (size_t i = 0; i < CASES && status == DT_OK; i++)
        if (wanted[i])
            report(run, i, figures);
    free(figures);
    return status;
}

const bench_suite bench_suite_plan = {
    .name = "plan",
    .summary = "how soon a redistribution is planned, and how well",
    .run = run_plan,
};
