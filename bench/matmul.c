/* bench/matmul.c - products of matrices, against BLAS alone, against one rank
 * and against ScaLAPACK. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dtensor/blas.h>
#include <dtensor/create.h>
#include <dtensor/ops.h>
#include <dtensor/redistribute.h>
#include <dtensor/scope.h>

#include "base/machine/cpu.h"
#include "bench/bench.h"
#include "bench/support/openmpi.h"
#include "bench/support/peer.h"
#include "bench/support/ranks.h"
#include "bench/support/samples.h"
#include "bench/support/turns.h"
#include "work/work.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define LAUNCHES 3
#define LIMIT 300 /* seconds, of a launch */

/* CBLAS as the library has loaded it, if it has; in its numbers. */
enum { ROW_MAJOR = 101, AS_IT_IS = 111, TRANSPOSED = 112 };
typedef struct cblas {
    void (*sgemm)(int order, int a_turned, int b_turned, int m, int n, int k,
                  float alpha, const float *a, int a_step, const float *b,
                  int b_step, float beta, float *c, int c_step);
    void (*sgemv)(int order, int a_turned, int rows, int columns, float alpha,
                  const float *a, int a_step, const float *x, int x_step,
                  float beta, float *y, int y_step);
} cblas;

static bool find_cblas(cblas *out)
{
    const char *file = dt_blas_used()->library;
    void *handle = *file ? dlopen(file, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    if (!handle)
        return false;
    *(void **)&out->sgemm = dlsym(handle, "cblas_sgemm");
    *(void **)&out->sgemv = dlsym(handle, "cblas_sgemv");
    return out->sgemm && out->sgemv;
}

/* ---- In a rank ---------------------------------------------------------- */

/* A product as an argument: "M N K A B TO", where TO is the layout that the
 * result is brought to, or "-". */
#define TEXT_SIZE 96

/* A product under way. */
typedef struct timed_product {
    dt_world *world;
    int m, n, k;
    char a_layout[16], b_layout[16], to[16];
    dt_tensor *a, *b;
    dt_array *direct; /* the result of BLAS alone */
    cblas blas;
} timed_product;

static dt_status multiply(void *arg)
{
    timed_product *of = arg;
    dt_scope *scope = dt_scope_open(of->world);
    dt_tensor *result = dt_matmul(of->a, of->b);
    if (of->to[0] != '-')
        dt_redistribute(result, of->to);
    return dt_scope_close(scope);
}

static dt_status multiply_directly(void *arg)
{
    timed_product *of = arg;
    const float *a = dt_array_const_data(dt_tensor_local(of->a));
    const float *b = dt_array_const_data(dt_tensor_local(of->b));
    float *c = dt_array_data(of->direct);
    if (of->m == 1)
        of->blas.sgemv(ROW_MAJOR, TRANSPOSED, of->k, of->n, 1, b, of->n, a, 1,
                       0, c, 1);
    else
        of->blas.sgemm(ROW_MAJOR, AS_IT_IS, AS_IT_IS, of->m, of->n, of->k, 1, a,
                       of->k, b, of->n, 0, c, of->n);
    return DT_OK;
}

/* The same with all threads of the rank. */
static dt_status multiply_together(void *arg)
{
    timed_product *of = arg;
    dti_work_use(of->world, INT_MAX);
    dt_status status = multiply(arg);
    dti_work_use(of->world, 1);
    return status;
}

/* What is timed, of one rank alone; of several, the first. */
enum { OURS, DIRECTLY, TOGETHER, WAYS };

/* Ours, and on one rank BLAS alone and all threads in turn with it. */
static dt_status time_product(timed_product *of, dt_mesh *mesh, double *seconds)
{
    const bench_turn turns[WAYS] = {[OURS] = {multiply, of},
                                    [DIRECTLY] = {multiply_directly, of},
                                    [TOGETHER] = {multiply_together, of}};
    const bool alone = dt_world_size(of->world) == 1 && find_cblas(&of->blas);
    of->a = dt_rand(mesh, of->a_layout, DT_F32, DT_SHAPE(of->m, of->k));
    of->b = dt_rand(mesh, of->b_layout, DT_F32, DT_SHAPE(of->k, of->n));
    if (!of->a || !of->b)
        return dt_world_error(of->world)->code;
    DT_TRY(dt_array_create(of->world, DT_F32, DT_SHAPE(of->m, of->n),
                           &of->direct));
    DT_TRY(dt_array_fill(of->world, of->direct, 0));
    dti_work_use(of->world, 1);
    return bench_time_turns(dt_world_group(of->world), turns, alone ? WAYS : 1,
                            seconds);
}

static dt_status time_text(dt_world *world, const char *text)
{
    timed_product of = {.world = world};
    double seconds[WAYS] = {0};
    dt_mesh *mesh = NULL;
    if (sscanf(text, "%d %d %d %15s %15s %15s", &of.m, &of.n, &of.k,
               of.a_layout, of.b_layout, of.to) != 6) {
        fprintf(stderr, "there is no product \"%s\"\n", text);
        return DT_ERR_INVALID;
    }
    dt_scope *scope = dt_scope_open(world);
    dt_status status = dt_mesh_create(world, "x", &mesh);
    if (status == DT_OK)
        status = time_product(&of, mesh, seconds);
    dt_array_release(of.direct);
    dt_status closed = dt_scope_close(scope);
    dt_mesh_release(mesh);
    if (status == DT_OK && dt_world_rank(world) == 0)
        printf("%s = %.9g %.9g %.9g\n", text, seconds[OURS], seconds[DIRECTLY],
               seconds[TOGETHER]);
    return status == DT_OK ? closed : status;
}

/* Runs on every rank; the argument is a list of texts that ends with NULL. */
static dt_status time_all(dt_world *world, void *arg)
{
    for (char **text = arg; *text; text++)
        DT_TRY(time_text(world, *text));
    return DT_OK;
}

/* One rank has all threads, of which it uses one unless it is told to. */
static int worker(int argc, char **argv)
{
    const char *ranks = getenv("DT_RANKS");
    if (ranks && strcmp(ranks, "1") == 0)
        unsetenv("DT_THREADS");
    return dt_main(argc, argv, time_all, argv + 1);
}

/* ---- In the command ----------------------------------------------------- */

/* A product and what it took. */
typedef struct product {
    char text[TEXT_SIZE];
    bench_samples times[WAYS];
} product;

static void read_times(void *arg, char *line)
{
    product *of = arg;
    char *sign = strstr(line, " = ");
    if (!sign || strncmp(line, of->text, strlen(of->text)) != 0)
        return;
    char *at = sign + 3;
    for (int i = 0; i < WAYS; i++) {
        double seconds = strtod(at, &at);
        if (seconds > 0)
            bench_samples_add(&of->times[i], seconds);
    }
}

static dt_status fail(bench_run *run, const char *what)
{
    run->error.code = DT_ERR_COMM;
    snprintf(run->error.message, sizeof run->error.message, "%s", what);
    return DT_ERR_COMM;
}

/* Let fresh ranks time a product, once. */
static dt_status launch(bench_run *run, int count, product *of)
{
    bench_ranks ranks;
    if (!bench_ranks_prepare(run->suite->name, run->transport, count, NULL,
                             &ranks))
        return fail(run, "ranks cannot be started");
    size_t used = 0;
    while (ranks.argv[used])
        used++;
    ranks.argv[used] = of->text;
    ranks.argv[used + 1] = NULL;
    return bench_peer_run(&(bench_peer){.argv = ranks.argv,
                                        .environment = ranks.environment,
                                        .limit = LIMIT,
                                        .line = read_times,
                                        .arg = of})
               ? DT_OK
               : fail(run, "the ranks failed");
}

/* ---- One rank ----------------------------------------------------------- */

static const struct {
    const char *name;
    int m, n, k;
    const char *reference;
    double threads; /* how many times faster with two threads or more */
} alone[] = {
    {"matmul 512 f32 1 rank", 512, 512, 512, "sgemm", 1.7},
    {"matmul 1024 f32 1 rank", 1024, 1024, 1024, "sgemm", 1.85},
    {"matmul 2048 f32 1 rank", 2048, 2048, 2048, "sgemm", 1.85},
    {"matmul 4096 f32 1 rank", 4096, 4096, 4096, "sgemm", 1.85},
    {"matmul 1x4096 by 4096x4096 f32 1 rank", 1, 4096, 4096, "sgemv", 0},
};

static void report_together(bench_run *run, size_t index, product *of)
{
    char name[96];
    double together, one;
    snprintf(name, sizeof name, "%s all cores", alone[index].name);
    bench_samples_pair(&of->times[TOGETHER], &of->times[OURS], &together, &one);
    if (isfinite(one) && dti_cpu_cores() > 1)
        bench_report(run, &(bench_result){.name = name,
                                          .ours = together,
                                          .reference = one,
                                          .reference_name = "one thread",
                                          .bar = alone[index].threads});
}

static dt_status run_alone(bench_run *run)
{
    for (size_t i = 0; i < COUNT_OF(alone); i++) {
        product of = {.times = {{.count = 0}}};
        double ours, blas;
        if (!bench_wanted(run, alone[i].name))
            continue;
        bench_progress(alone[i].name);
        snprintf(of.text, sizeof of.text, "%d %d %d R R -", alone[i].m,
                 alone[i].n, alone[i].k);
        for (int j = 0; j < (alone[i].m > 2048 ? 1 : LAUNCHES); j++)
            DT_TRY(launch(run, 1, &of));
        bench_samples_pair(&of.times[OURS], &of.times[DIRECTLY], &ours, &blas);
        if (isfinite(blas))
            bench_report(run,
                         &(bench_result){.name = alone[i].name,
                                         .ours = ours,
                                         .reference = blas,
                                         .reference_name = alone[i].reference,
                                         .bar = 0.95});
        report_together(run, i, &of);
        if (!isfinite(blas)) {
            bench_note("there is no BLAS library: plain loops are timed");
            bench_report_alone(run, alone[i].name,
                               bench_samples_median(&of.times[0]));
        }
    }
    return DT_OK;
}

/* ---- Two ranks ---------------------------------------------------------- */

/* How two square matrices are cut.  "By terms" leaves partial sums, which is
 * the result that was asked for; "summed" brings them together.  "Rows by rows"
 * has to gather the second matrix, as ScaLAPACK has to send what it cuts. */
static const struct {
    const char *name;
    const char *a, *b, *to;
    double bar; /* how many times faster than one rank */
    bool peer;  /* does what ScaLAPACK does */
} cuts[] = {
    {"by columns", "R", "S(1)", "-", 1.85, false},
    {"by terms", "S(1)", "S(0)", "-", 1.85, false},
    {"by terms, summed", "S(1)", "S(0)", "R", 0, false},
    {"rows by rows", "S(0)", "S(0)", "-", 0, true},
};

static const int sides[] = {2048, 4096};

/* Blocks and grids that are tried, of which the best counts. */
static const char *const peer_names[] = {"psgemm-64-1x2", "psgemm-64-2x1",
                                         "psgemm-128-1x2", "psgemm-256-1x2"};

typedef struct peers {
    bench_openmpi mpi;
    bool there;
    bench_openmpi_call calls[COUNT_OF(peer_names)];
} peers;

static void find_peers(peers *out, int side)
{
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < COUNT_OF(peer_names); i++)
        out->calls[i] = (bench_openmpi_call){
            .name = peer_names[i],
            .bytes = sizeof(float) * (size_t)side * (size_t)side};
    out->there = bench_openmpi_find(&out->mpi);
    if (out->there && !bench_peer_built("scalapack_matmul", out->mpi.program,
                                        sizeof out->mpi.program)) {
        bench_note("ScaLAPACK is not installed and is left out; --setup "
                   "installs it");
        out->there = false;
    }
    /* A process of theirs has one thread, as a rank of ours has. */
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
}

static double best_peer(peers *with)
{
    double best = INFINITY;
    for (size_t i = 0; i < COUNT_OF(peer_names); i++)
        best = fmin(best, bench_openmpi_best(&with->calls[i]));
    return best;
}

static void report_cut(bench_run *run, const char *name, size_t cut,
                       double ours, double one, peers *with)
{
    bench_report(run, &(bench_result){.name = name,
                                      .ours = ours,
                                      .reference = one,
                                      .reference_name = "one rank",
                                      .bar = cuts[cut].bar});
    double peer = cuts[cut].peer ? best_peer(with) : INFINITY;
    if (isfinite(peer))
        bench_report(run, &(bench_result){.name = name,
                                          .ours = ours,
                                          .reference = peer,
                                          .reference_name = "ScaLAPACK best",
                                          .bar = 1.2});
}

/* All cuts of one size, in turn with one rank. */
static dt_status run_cuts(bench_run *run, int side)
{
    product of[COUNT_OF(cuts)] = {{.text = ""}}, one = {.text = ""};
    char names[COUNT_OF(cuts)][64];
    bool wanted[COUNT_OF(cuts)], any = false, peer = false;
    static peers with;
    for (size_t i = 0; i < COUNT_OF(cuts); i++) {
        snprintf(names[i], sizeof names[i], "matmul %d f32 %s 2 ranks %s", side,
                 cuts[i].name, run->transport);
        any |= wanted[i] = bench_wanted(run, names[i]);
        peer |= wanted[i] && cuts[i].peer;
        snprintf(of[i].text, sizeof of[i].text, "%d %d %d %s %s %s", side, side,
                 side, cuts[i].a, cuts[i].b, cuts[i].to);
    }
    if (!any)
        return DT_OK;
    snprintf(one.text, sizeof one.text, "%d %d %d R R -", side, side, side);
    if (peer)
        find_peers(&with, side);
    for (int j = 0; j < (side > 2048 ? 1 : LAUNCHES); j++) {
        bench_progress("one rank");
        DT_TRY(launch(run, 1, &one));
        for (size_t i = 0; i < COUNT_OF(cuts); i++) {
            bench_progress(names[i]);
            if (wanted[i])
                DT_TRY(launch(run, 2, &of[i]));
        }
        bench_progress("ScaLAPACK");
        if (peer && with.there && side > 2048)
            bench_openmpi_launch_stock(&with.mpi, 2, with.calls,
                                       COUNT_OF(peer_names));
        else if (peer && with.there && j == 0)
            bench_openmpi_launch(&with.mpi, 2, with.calls,
                                 COUNT_OF(peer_names));
    }
    for (size_t i = 0; i < COUNT_OF(cuts); i++)
        if (wanted[i])
            report_cut(run, names[i], i, bench_samples_median(&of[i].times[0]),
                       bench_samples_median(&one.times[0]), &with);
    return DT_OK;
}

/* ---- The suite ---------------------------------------------------------- */

static dt_status run_matmul(bench_run *run)
{
    if (strcmp(run->transport, "threads") != 0 &&
        strcmp(run->transport, "shm") != 0) {
        run->error.code = DT_ERR_NOT_FOUND;
        snprintf(run->error.message, sizeof run->error.message,
                 "products are timed over threads and shm, not over \"%s\"",
                 run->transport);
        return DT_ERR_NOT_FOUND;
    }
    if (!run->ranks || run->ranks == 1)
        DT_TRY(run_alone(run));
    for (size_t i = 0; i < COUNT_OF(sides); i++)
        if (!run->ranks || run->ranks == 2)
            DT_TRY(run_cuts(run, sides[i]));
    return DT_OK;
}

const bench_suite bench_suite_matmul = {
    .name = "matmul",
    .summary = "products of matrices, against BLAS and ScaLAPACK",
    .run = run_matmul,
    .worker = worker,
    .setup = bench_peer_setup,
};
