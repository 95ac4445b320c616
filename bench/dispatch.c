/* bench/dispatch.c - what an operator costs beside what it computes. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dtensor/create.h>
#include <dtensor/ops.h>
#include <dtensor/redistribute.h>

#include "bench/bench.h"
#include "bench/support/orders.h"
#include "bench/support/peer.h"
#include "bench/support/sides.h"
#include "bench/support/timing.h"
#include "op/registry.h"

#define LAUNCHES 5

static const double microsecond = 1e-6, nanosecond = 1e-9;

/* ---- A call that was decided before ------------------------------------- */

/* Two small tensors, and what the kernel of `add` gets of them. */
typedef struct small_add {
    dt_tensor *a, *b;
    dt_argument arguments[3];
    dt_meta meta;
    const dt_meta *metas[2];
    dt_array *in[2];
    dt_array *out[1];
    dt_operation operation;
} small_add;

static void call_operator(void *arg)
{
    small_add *add = arg;
    dt_tensor_release_early(dt_add(add->a, add->b));
}

static void call_kernel(void *arg)
{
    small_add *add = arg;
    add->operation.op->kernel(&add->operation);
}

static dt_status open_add(dt_mesh *mesh, small_add *add)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_shape shape = DT_SHAPE(4, 4);
    dti_operator *op = NULL;
    memset(add, 0, sizeof *add);
    add->a = dt_ones(mesh, "S(0)", DT_F32, shape);
    add->b = dt_ones(mesh, "S(0)", DT_F32, shape);
    DT_TRY(dti_operator_find(world, "add", &op));
    if (!add->a || !add->b)
        return dt_world_error(world)->code;
    DT_TRY(dt_array_create(world, DT_F32, shape, &add->out[0]));
    add->in[0] = dt_tensor_local(add->a);
    add->in[1] = dt_tensor_local(add->b);
    add->arguments[2] =
        (dt_argument){.kind = DT_ARG_NUMBER, .as.number = dt_integer(1)};
    add->meta = dt_meta_of(DT_F32, shape);
    add->metas[0] = add->metas[1] = &add->meta;
    add->operation = (dt_operation){.world = world,
                                    .op = op->op,
                                    .schema = &op->schema,
                                    .arguments = add->arguments,
                                    .input_count = 2,
                                    .metas = add->metas,
                                    .result_count = 1,
                                    .results = &add->meta,
                                    .in = add->in,
                                    .out = add->out};
    return DT_OK;
}

static void report_limit(bench_run *run, const char *name, double ours,
                         double limit)
{
    bench_report(run, &(bench_result){.name = name,
                                      .ours = ours,
                                      .reference = limit,
                                      .reference_name = "limit",
                                      .bar = 1});
}

static const char add_name[] = "add 4x4 f32 1 rank";
static const char over_name[] = "add 4x4 f32 1 rank over its kernel";

static void time_torch(bench_samples *theirs)
{
    char python[PATH_MAX], script[PATH_MAX];
    if (!bench_peer_python("torch_dispatch.py", python, script,
                           sizeof python)) {
        bench_note("PyTorch is not installed and is left out; --setup "
                   "installs it");
        return;
    }
    const char *const argv[] = {python, script, NULL};
    bench_order order = {.name = "add", .bytes = 64, .times = theirs};
    bench_orders_run(argv, NULL, &order, 1);
}

static void report_add(bench_run *run, bench_samples *ours,
                       bench_samples *kernel, bench_samples *theirs)
{
    double whole = bench_samples_median(ours);
    double torch = bench_samples_median(theirs);
    if (bench_wanted(run, add_name)) {
        report_limit(run, add_name, whole, 250 * nanosecond);
        if (isfinite(torch))
            bench_report(run, &(bench_result){.name = add_name,
                                              .ours = whole,
                                              .reference = torch,
                                              .reference_name = "PyTorch 2.13",
                                              .bar = 60});
    }
    if (bench_wanted(run, over_name))
        report_limit(run, over_name, whole - bench_samples_median(kernel),
                     250 * nanosecond);
}

static dt_status time_add(bench_run *run, dt_world *world)
{
    bench_samples ours = {0}, kernel = {0}, theirs = {0};
    dt_mesh *mesh = NULL;
    small_add add;
    if (run->list) {
        report_add(run, &ours, &kernel, &theirs);
        return DT_OK;
    }
    if (run->only && !strstr(over_name, run->only))
        return DT_OK;
    DT_TRY(dt_mesh_create(world, "x", &mesh));
    dt_status status = open_add(mesh, &add);
    for (int i = 0; status == DT_OK && i < LAUNCHES; i++) {
        double seconds[2];
        bench_side sides[] = {{call_operator, &add}, {call_kernel, &add}};
        bench_time_sides(sides, 2, seconds);
        bench_samples_add(&ours, seconds[0]);
        bench_samples_add(&kernel, seconds[1]);
        time_torch(&theirs);
    }
    if (status == DT_OK)
        report_add(run, &ours, &kernel, &theirs);
    dt_array_release(add.out[0]);
    dt_mesh_release(mesh);
    return status;
}

/* ---- Calls that move nothing -------------------------------------------- */

static void call_to_local(void *arg)
{
    dt_tensor_release_early(dt_to_local(arg));
}

static void call_redistribute(void *arg)
{
    dt_tensor_release_early(dt_redistribute(arg, "S(0)"));
}

static void call_zeros(void *arg)
{
    dt_tensor_release_early(
        dt_zeros(dt_tensor_mesh(arg), "S(0)", DT_F32, DT_SHAPE(4, 4)));
}

static dt_status time_boundary(bench_run *run, dt_world *world)
{
    static const struct {
        const char *name;
        void (*call)(void *arg);
        double limit; /* 0: none */
    } cases[] = {
        {"to_local 4x4 f32 1 rank", call_to_local, 0.25},
        {"redistribute to the same layout 1 rank", call_redistribute, 0.25},
        {"zeros 4x4 f32 1 rank", call_zeros, 0},
    };
    dt_mesh *mesh = NULL;
    DT_TRY(dt_mesh_create(world, "x", &mesh));
    dt_tensor *x = dt_ones(mesh, "S(0)", DT_F32, DT_SHAPE(4, 4));
    for (size_t i = 0; x && i < sizeof cases / sizeof *cases; i++) {
        bench_side side = {cases[i].call, x};
        double seconds = 0;
        if (!bench_wanted(run, cases[i].name))
            continue;
        if (!run->list)
            bench_time_sides(&side, 1, &seconds);
        if (cases[i].limit > 0)
            report_limit(run, cases[i].name, seconds,
                         cases[i].limit * microsecond);
        else
            bench_report_alone(run, cases[i].name, seconds);
    }
    dt_mesh_release(mesh);
    return x ? DT_OK : dt_world_error(world)->code;
}

/* ---- Long lists --------------------------------------------------------- */

enum { FEW = 100, MANY = 1000 };

typedef struct join {
    dt_tensor *(*call)(dt_tensor *const *tensors, int count, int dim);
    dt_tensor **tensors;
    int count;
} join;

static void call_join(void *arg)
{
    join *one = arg;
    dt_tensor_release_early(one->call(one->tensors, one->count, 0));
}

static void time_join(bench_run *run, const char *name,
                      dt_tensor *(*call)(dt_tensor *const *, int, int),
                      dt_tensor **tensors)
{
    double seconds[2];
    join few = {call, tensors, FEW}, many = {call, tensors, MANY};
    bench_side sides[] = {{call_join, &few}, {call_join, &many}};
    if (!bench_wanted(run, name))
        return;
    bench_time_sides(sides, 2, seconds);
    bench_report(run, &(bench_result){.name = name,
                                      .ours = seconds[1],
                                      .reference = seconds[0] * MANY / FEW,
                                      .reference_name = "10 times 100",
                                      .bar = 0.67});
}

static dt_status time_joins(bench_run *run, dt_world *world)
{
    dt_mesh *mesh = NULL;
    dt_tensor *tensors[MANY];
    DT_TRY(dt_mesh_create(world, "x", &mesh));
    for (int i = 0; i < MANY; i++)
        tensors[i] = dt_ones(mesh, "S(1)", DT_F32, DT_SHAPE(4, 4));
    time_join(run, "cat 1000 tensors 1 rank", dt_cat, tensors);
    time_join(run, "stack 1000 tensors 1 rank", dt_stack, tensors);
    dt_mesh_release(mesh);
    return DT_OK;
}

/* ---- A call that is decided --------------------------------------------- */

enum { MESH_NDIM = 3, KINDS = 3, LAYOUTS = 27, PAIRS = LAYOUTS * LAYOUTS };

/* Layout number i of a matrix: R, S(0) or S(1) along each mesh dimension. */
static dt_tensor *make_matrix(dt_mesh *mesh, int number)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_placement placements[MESH_NDIM];
    dt_spec *spec = NULL;
    dt_array *array = NULL;
    dt_tensor *tensor = NULL;
    dt_meta meta = dt_meta_of(DT_F32, DT_SHAPE(1024, 1024));
    for (int i = 0; i < MESH_NDIM; i++, number /= KINDS)
        placements[i] =
            number % KINDS < 2 ? dt_shard(number % KINDS) : dt_replicate();
    dt_layout layout = dt_layout_of(placements, MESH_NDIM);
    if (dt_spec_create_with(mesh, &layout, &meta, &spec) == DT_OK &&
        dt_array_create_meta(world, DT_F32,
                             dt_spec_local_shape(spec, dt_world_rank(world)),
                             &array) == DT_OK)
        tensor = dt_tensor_assemble(spec, array);
    dt_array_release(array);
    dt_spec_release(spec);
    return tensor;
}

/* Multiply every layout by every other, and time each call. */
static dt_status multiply_all(dt_tensor **matrices, double *times)
{
    for (int i = 0; i < PAIRS; i++) {
        double begin = bench_now();
        dt_tensor *c = dt_matmul(matrices[i / LAYOUTS], matrices[i % LAYOUTS]);
        times[i] = bench_now() - begin;
        if (!c)
            return dt_world_error(dt_tensor_world(matrices[0]))->code;
        dt_tensor_release_early(c);
    }
    return DT_OK;
}

static void report_misses(bench_run *run, const char *name, double *times,
                          double limit)
{
    char worst[80];
    double median = bench_median(times, PAIRS); /* sorts them */
    report_limit(run, name, median, limit);
    snprintf(worst, sizeof worst, "%s at worst", name);
    bench_report_alone(run, worst, times[PAIRS - 1]);
}

static dt_status time_misses_in(bench_run *run, dt_world *world)
{
    dt_mesh *mesh = NULL;
    dt_tensor *matrices[LAYOUTS];
    double *times = malloc(PAIRS * sizeof *times);
    dt_status status =
        times ? dt_mesh_create(world, "a=2,b=4,c=8", &mesh) : DT_ERR_NO_MEMORY;
    for (int i = 0; status == DT_OK && i < LAYOUTS; i++) {
        matrices[i] = make_matrix(mesh, i);
        status = matrices[i] ? DT_OK : dt_world_error(world)->code;
    }
    if (status == DT_OK)
        status = multiply_all(matrices, times);
    if (status == DT_OK)
        report_misses(run, "matmul decided 2x4x8 mesh", times,
                      500 * microsecond);
    if (status == DT_OK) {
        dti_decisions_free(&dti_operators_of(world)->decisions);
        status = multiply_all(matrices, times);
    }
    if (status == DT_OK)
        report_misses(run, "matmul decided 2x4x8 mesh, plans known", times,
                      50 * microsecond);
    free(times);
    dt_mesh_release(mesh);
    return status;
}

/* ---- The suite ---------------------------------------------------------- */

static dt_status in_world(bench_run *run, const char *transport, int ranks,
                          dt_status (*time)(bench_run *, dt_world *))
{
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    dt_world *world;
    options.transport = transport;
    options.ranks = ranks;
    DT_TRY(dt_world_open(&options, &world, &run->error));
    dt_status status = time(run, world);
    if (status != DT_OK) {
        run->error = *dt_world_error(world);
        run->error.code = status;
    }
    DT_IGNORE(dt_world_close(world));
    return status;
}

static dt_status run_dispatch(bench_run *run)
{
    DT_TRY(in_world(run, "threads", 1, time_add));
    DT_TRY(in_world(run, "threads", 1, time_boundary));
    DT_TRY(in_world(run, "threads", 1, time_joins));
    bool wanted = bench_wanted(run, "matmul decided 2x4x8 mesh");
    wanted |= bench_wanted(run, "matmul decided 2x4x8 mesh, plans known");
    return wanted && !run->list ? in_world(run, "sim", 64, time_misses_in)
                                : DT_OK;
}

const bench_suite bench_suite_dispatch = {
    .name = "dispatch",
    .summary = "what an operator costs beside what it computes",
    .run = run_dispatch,
    .setup = bench_peer_setup_python,
};
