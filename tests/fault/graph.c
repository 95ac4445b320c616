/* tests/fault/graph.c - exported programs and captured calls, without memory.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"

#include "support/fault.h"

enum { FAULTS_MAX = 100000 };

/* Something that needs memory; what it makes, it releases. */
typedef dt_status (*attempt)(dt_world *world, dt_mesh *mesh);

static dt_status load(dt_world *world, const char *path, dt_graph **out)
{
    return dt_graph_load(world, path, NULL, out);
}

static dt_status loads(dt_world *world, dt_mesh *mesh)
{
    dt_graph *graph = NULL;
    (void)mesh;
    dt_status status =
        load(world, GOLDEN "/gpt2-dynamic-functional.pt2", &graph);
    dt_graph_release(graph);
    return status;
}

static dt_status run(dt_graph *graph, dt_mesh *mesh)
{
    dt_executor *executor = NULL;
    dt_tensor *inputs[2], *outputs[2];
    DT_TRY(dt_executor_create(graph, mesh, &executor));
    inputs[0] = dt_ones(mesh, "R", DT_F32, DT_SHAPE(2));
    inputs[1] = dt_arange_int(mesh, "R", DT_I64, 0, 2, 1);
    dt_status status = inputs[0] && inputs[1]
                           ? dt_executor_run(executor, inputs, 2, outputs, 2)
                           : DT_ERR_NO_MEMORY;
    dt_executor_release(executor);
    return status;
}

/* Buffers are read, replaced and returned. */
static dt_status runs(dt_world *world, dt_mesh *mesh)
{
    dt_graph *graph = NULL;
    DT_TRY(load(world, GOLDEN "/buffers-functional.pt2", &graph));
    dt_status status = run(graph, mesh);
    dt_graph_release(graph);
    return status;
}

static dt_status optimizes(dt_world *world, dt_mesh *mesh)
{
    dt_graph *graph = NULL, *better = NULL;
    (void)mesh;
    DT_TRY(load(world, GOLDEN "/mlp-core.pt2", &graph));
    dt_status status = dt_graph_optimize(graph, NULL, &better);
    dt_graph_release(better);
    dt_graph_release(graph);
    return status;
}

static dt_status compute(dt_world *world, dt_tensor *const *inputs, int count,
                         dt_tensor **outputs, int output_count, void *arg)
{
    (void)count;
    (void)output_count;
    outputs[0] = dt_relu(dt_add(inputs[0], arg));
    return outputs[0] ? DT_OK : dt_world_error(world)->code;
}

static dt_status captures(dt_world *world, dt_mesh *mesh)
{
    dt_graph *graph = NULL;
    dt_tensor *x = dt_ones(mesh, "R", DT_F32, DT_SHAPE(4)), *y;
    dt_tensor *w = dt_ones(mesh, "R", DT_F32, DT_SHAPE(4));
    if (!x || !w)
        return dt_world_error(world)->code;
    dt_status status = dt_graph_capture(compute, &x, 1, &y, 1, w, &graph);
    dt_graph_release(graph);
    return status;
}

/* Let one request after another fail. */
static void try_all(dt_world *world, attempt body)
{
    dt_mesh *mesh = NULL;
    long nth = 1;
    if (!CHECK_OK(world, dt_mesh_create(world, "tp", &mesh)))
        return;
    CHECK_OK(world, body(world, mesh)); /* rows are read, caches filled */
    for (; nth <= FAULTS_MAX; nth++) {
        dt_scope *scope = dt_scope_open(world);
        dt_fault_arm(nth);
        const dt_status status = body(world, mesh);
        const long failures = dt_fault_disarm();
        DT_IGNORE(dt_scope_close(scope));
        if (failures == 0) {
            CHECK(status == DT_OK);
            break;
        }
        /* A cache that cannot grow is no failure. */
        CHECKF(status == DT_OK || status == DT_ERR_NO_MEMORY,
               "request %ld: status %d", nth, (int)status);
    }
    CHECK(nth > 1 && nth < FAULTS_MAX);
    dt_mesh_release(mesh);
}

static void load_fails(dt_world *world)
{
    try_all(world, loads);
}

static void run_fails(dt_world *world)
{
    try_all(world, runs);
}

static void optimize_fails(dt_world *world)
{
    try_all(world, optimizes);
}

static void capture_fails(dt_world *world)
{
    try_all(world, captures);
}

const dt_test dt_tests[] = {
    {"loading", load_fails},
    {"running", run_fails},
    {"passes", optimize_fails},
    {"capturing", capture_fails},
    {NULL, NULL},
};
