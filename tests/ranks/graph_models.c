/* ranks: 1 2 3 4 7 */
/* ranks/graph_models.c - models that PyTorch exported, run as it runs them. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/tensors.h"

enum { inputs_max = 2, outputs_max = 2 };

/* A model of tests/golden/graph. */
typedef struct model {
    const char *name;
    int inputs, outputs;
    int calls;
    const char *dialects; /* separated by spaces */
} model;

static const model models[] = {
    {"mlp", 1, 1, 1, "functional core training"},
    {"gpt2", 1, 1, 1, "functional core"},
    {"gpt2-dynamic", 1, 1, 3, "functional core"},
    {"llama", 1, 1, 1, "functional core"},
    {"llama-dynamic", 1, 1, 3, "functional core"},
    {"llama-decode", 2, 1, 4, "functional core"},
    {"bert", 2, 2, 1, "functional core training"},
    {"buffers", 2, 2, 3, "functional core"},
    {"mutate", 1, 1, 1, "functional core"},
};

static dt_array *load_array(dt_world *world, const model *of, int call,
                            const char *kind, int number)
{
    char path[300];
    dt_array *array = NULL;
    snprintf(path, sizeof path, "%s/%s.%d.%s%d.npy", GOLDEN, of->name, call,
             kind, number);
    CHECK_OK(world, dt_array_load_npy(world, path, &array));
    return array;
}

static dt_tensor *load_input(dt_mesh *mesh, const char *layout, const model *of,
                             int call, int number)
{
    dt_array *array = load_array(dt_mesh_world(mesh), of, call, "in", number);
    if (!array)
        return NULL;
    /* A vector that every rank needs is not sharded. */
    dt_tensor *tensor =
        dt_distribute(mesh, dt_array_ndim(array) > 1 ? layout : "R",
                      dt_array_dtype(array), dt_array_shape(array), array, 0);
    dt_array_release(array);
    return tensor;
}

/* Rounding of f32, for sums of some dozen terms. */
static void check_output(dt_tensor *tensor, const dt_array *wanted,
                         const char *what)
{
    dt_array *got = tensor ? read_global(tensor) : NULL;
    if (!CHECK(got && wanted) ||
        !CHECK(dt_shape_equal(dt_array_shape(got), dt_array_shape(wanted)))) {
        dt_array_release(got);
        return;
    }
    const float *a = dt_array_const_data(got), *b = dt_array_const_data(wanted);
    double worst = 0, largest = 0;
    for (int64_t i = 0; i < dt_array_count(got); i++) {
        worst = fmax(worst, fabs((double)a[i] - (double)b[i]));
        largest = fmax(largest, fabs((double)b[i]));
        CHECK(isfinite(a[i]));
    }
    CHECKF(worst <= 4e-6 * largest, "%s differs by %g, largest element %g",
           what, worst, largest);
    dt_array_release(got);
}

static void run_call(dt_executor *executor, dt_mesh *mesh, const char *layout,
                     const model *of, int call, const char *what)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *inputs[inputs_max] = {NULL}, *outputs[outputs_max] = {NULL};
    for (int i = 0; i < of->inputs; i++)
        inputs[i] = load_input(mesh, layout, of, call, i);
    if (CHECK_OK(world, dt_executor_run(executor, inputs, of->inputs, outputs,
                                        outputs_max)))
        for (int i = 0; i < of->outputs; i++) {
            dt_array *wanted = load_array(world, of, call, "out", i);
            check_output(outputs[i], wanted, what);
            dt_array_release(wanted);
        }
    /* What the program leaves in its input. */
    if (strcmp(of->name, "mutate") == 0) {
        dt_array *wanted = load_array(world, of, call, "after", 0);
        check_output(inputs[0], wanted, what);
        dt_array_release(wanted);
    }
    CHECK_OK(world, dt_scope_close(scope));
}

static void run_model(dt_world *world, dt_mesh *mesh, const char *layout,
                      const model *of, const char *dialect, bool better)
{
    char path[300], what[400];
    dt_graph *graph = NULL;
    dt_executor *executor = NULL;
    snprintf(path, sizeof path, "%s/%s-%s.pt2", GOLDEN, of->name, dialect);
    snprintf(what, sizeof what, "%s, inputs %s", path, layout);
    if (!CHECK_OK(world, dt_graph_load(world, path, NULL, &graph)))
        return;
    CHECK_INT(dt_graph_input_count(graph), of->inputs);
    CHECK_INT(dt_graph_output_count(graph), of->outputs);
    /* Passes change nothing. */
    if (better) {
        dt_graph *made = NULL;
        CHECK_OK(world, dt_graph_optimize(graph, NULL, &made));
        CHECK(dt_graph_node_count(made) <= dt_graph_node_count(graph));
        dt_graph_release(graph);
        graph = made;
    }
    if (CHECK_OK(world, dt_executor_create(graph, mesh, &executor)))
        for (int i = 0; i < of->calls; i++)
            run_call(executor, mesh, layout, of, i, what);
    dt_executor_release(executor);
    dt_graph_release(graph);
}

static void run_all(dt_world *world, const char *grid, const char *layout,
                    bool better)
{
    dt_mesh *mesh = NULL;
    if (!CHECK_OK(world, dt_mesh_create(world, grid, &mesh)))
        return;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        char dialects[64], *rest = dialects, *dialect;
        snprintf(dialects, sizeof dialects, "%s", models[i].dialects);
        while ((dialect = strtok_r(rest, " ", &rest)))
            run_model(world, mesh, layout, &models[i], dialect, better);
    }
    dt_mesh_release(mesh);
}

static void runs_replicated(dt_world *world)
{
    run_all(world, "dp", "R", false);
}

static void runs_sharded_batches(dt_world *world)
{
    run_all(world, "dp", "S(0)", false);
}

static void runs_sharded_time(dt_world *world)
{
    run_all(world, "dp", "S(1)", false);
}

/* A run overwrites its buffers, never a tensor that the program gave. */
static void keeps_given_state(dt_world *world)
{
    static const double given[] = {5, 4, 3, 2, 1, 0}, changed[] = {7, 7};
    fixture f = open_fixture(world);
    dt_graph *graph = NULL;
    dt_executor *executor = NULL;
    dt_tensor *outputs[outputs_max];
    dt_tensor *memory = tensor_of(f.mesh, "R", DT_F32, DT_SHAPE(6), given);
    dt_tensor *inputs[] = {tensor_of(f.mesh, "R", DT_F32, DT_SHAPE(2), changed),
                           dt_arange_int(f.mesh, "R", DT_I64, 0, 2, 1)};
    CHECK_OK(world,
             dt_graph_load(world, GOLDEN "/buffers-core.pt2", NULL, &graph));
    CHECK_OK(world, dt_executor_create(graph, f.mesh, &executor));
    CHECK_OK(world, dt_executor_set_state(executor, "memory", memory));
    for (int i = 0; i < 2; i++)
        CHECK_OK(world,
                 dt_executor_run(executor, inputs, 2, outputs, outputs_max));
    check_values(memory, given, 6);
    check_values(dt_executor_state(executor, "memory"),
                 (const double[]){7, 7, 3, 2, 1, 0}, 6);
    check_values(outputs[1], (const double[]){7, 7, 3, 2, 1, 0}, 6);
    /* What was returned is the caller's own. */
    dt_zero_(outputs[1]);
    check_values(dt_executor_state(executor, "memory"),
                 (const double[]){7, 7, 3, 2, 1, 0}, 6);
    dt_executor_release(executor);
    dt_graph_release(graph);
    close_without_errors(&f);
}

static void runs_optimized(dt_world *world)
{
    run_all(world, "dp", "R", true);
    run_all(world, "dp", "S(0)", true);
}

const dt_test dt_tests[] = {
    {"replicated inputs", runs_replicated},
    {"inputs sharded by batch", runs_sharded_batches},
    {"inputs sharded by time", runs_sharded_time},
    {"with all passes", runs_optimized},
    {"keeps a state that it was given", keeps_given_state},
    {NULL, NULL},
};
