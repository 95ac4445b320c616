/* bench/layout.c - specs from text, and who has what. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/mesh.h>
#include <dtensor/spec.h>
#include <dtensor/world.h>

#include "bench/bench.h"
#include "bench/support/sides.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* The ranks of the large mesh, and a number that has no divisor in common with
 * them: steps of it reach every rank, and no two in a row are neighbours. */
enum { RANKS = 100000, STEP = 31337 };

static const double nanosecond = 1e-9;

/* What a case needs. */
typedef struct layout_arg {
    dt_mesh *mesh;
    const char *layout;
    dt_shape shape;
    dt_spec *spec; /* of all that */
    int rank;      /* whose turn it is */
    int64_t sum;   /* of what was given, so that it is asked for */
    dt_status status;
} layout_arg;

static void read_box(layout_arg *of, const dt_spec *spec, int rank)
{
    int64_t offset[DT_MAX_NDIM] = {0};
    dt_shape box = dt_spec_local_shape(spec, rank);
    if (!dt_spec_offset(spec, rank, offset))
        of->status = DT_ERR_NOT_FOUND;
    of->sum += box.dims[0] + offset[0];
}

/* As an operator does that is given a layout in text: the spec is there
 * already, and this rank asks for its own box. */
static void find_spec(void *arg)
{
    layout_arg *of = arg;
    dt_spec *spec = NULL;
    dt_status status =
        dt_spec_create(of->mesh, of->layout, DT_F32, of->shape, &spec);
    if (status != DT_OK) {
        of->status = status;
        return;
    }
    read_box(of, spec, of->rank);
    dt_spec_release(spec);
}

/* As a plan does that looks at every rank. */
static void find_box(void *arg)
{
    layout_arg *of = arg;
    of->rank = (of->rank + STEP) % RANKS;
    read_box(of, of->spec, of->rank);
}

/* A case: what is asked for, on which mesh, and how long it may take. */
typedef struct layout_case {
    const char *name;
    void (*call)(void *arg);
    int ranks;
    const char *mesh;
    const char *layout;
    dt_shape shape;
    double limit;
} layout_case;

static dt_status time_on(bench_run *run, const layout_case *row, dt_mesh *mesh)
{
    layout_arg arg = {.mesh = mesh,
                      .layout = row->layout,
                      .shape = row->shape,
                      .rank = row->ranks / 2};
    double seconds;
    DT_TRY(dt_spec_create(mesh, row->layout, DT_F32, row->shape, &arg.spec));
    bench_time_sides(&(bench_side){row->call, &arg}, 1, &seconds);
    dt_spec_release(arg.spec);
    DT_TRY(arg.status);
    bench_report(run, &(bench_result){.name = row->name,
                                      .ours = seconds,
                                      .reference = row->limit,
                                      .reference_name = "limit",
                                      .bar = 1});
    return DT_OK;
}

static dt_status time_case(bench_run *run, const layout_case *row)
{
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    dt_world *world;
    dt_mesh *mesh = NULL;
    if (!bench_wanted(run, row->name))
        return DT_OK;
    bench_progress(row->name);
    options.transport = "sim";
    options.ranks = row->ranks;
    options.rank = row->ranks / 2;
    DT_TRY(dt_world_open(&options, &world, &run->error));
    dt_status status = dt_mesh_create(world, row->mesh, &mesh);
    if (status == DT_OK)
        status = time_on(run, row, mesh);
    if (status != DT_OK) {
        run->error = *dt_world_error(world);
        run->error.code = status;
    }
    dt_mesh_release(mesh);
    DT_IGNORE(dt_world_close(world));
    return status;
}

static dt_status run_layout(bench_run *run)
{
    const dt_shape matrix = {2, {1024, 4096}};
    const dt_shape large = {2, {1000003, 999983}};
    const layout_case rows[] = {
        {"known spec from text, own box", find_spec, 4, "dp=2,tp=2", "S(0)R",
         matrix, 100 * nanosecond},
        {"known spec from text, own box, order", find_spec, 8, "dp=2,cp=2,tp=2",
         "S(0)[1]S(0)[0]S(1)", matrix, 100 * nanosecond},
        {"any box of 100000 ranks", find_box, RANKS, "dp=2500,pp=5,tp=8",
         "S(0)RS(1)", large, 1000 * nanosecond},
        {"any box of 100000 ranks, all cut one dimension", find_box, RANKS,
         "dp=2500,pp=5,tp=8", "S(0)[2]S(0)[1]S(0)[0]", large,
         1000 * nanosecond},
        {"any box of 100000 ranks, strided", find_box, RANKS,
         "dp=2500,pp=5,tp=8", "_S(0,8)S(1)S(0)", large, 1000 * nanosecond},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        DT_TRY(time_case(run, &rows[i]));
    return DT_OK;
}

const bench_suite bench_suite_layout = {
    .name = "layout",
    .summary = "specs from text, the boxes of ranks",
    .run = run_layout,
};
