/* ranks: 1 2 3 4 6 7 */
/* tests/ranks/nn_data_parallel.c - gradients reduced in buckets. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <dtensor/autograd.h>
#include <dtensor/data_parallel.h>
#include <dtensor/nn.h>
#include <dtensor/parallel.h>

#include "support/tensors.h"

/* Two linear layers, whose widths no number of ranks divides. */
enum { IN = 5, HIDDEN = 7, OUT = 3, BATCH = 11, PARAMETERS = 4 };

typedef struct pair {
    dt_module *up, *down;
} pair;

static dt_tensor *forward(dt_module *module, dt_tensor *input)
{
    const pair *self = dt_module_state(module);
    return dt_module_call(self->down, dt_tanh(dt_module_call(self->up, input)));
}

static const dt_module_class pair_class = {
    .size = sizeof(dt_module_class),
    .name = "Pair",
    .state_size = sizeof(pair),
    .forward = forward,
};

/* The first is sharded by columns along the last mesh dimension, the second by
 * rows, if there are two dimensions. */
static dt_status partition(const dt_distribution *at, const char *name,
                           dt_module *module)
{
    if (dt_mesh_ndim(at->mesh) == 1 || !*name)
        return DT_OK;
    const bool is_up = strcmp(name, "up") == 0;
    DT_TRY(dt_distribute_parameter(at, module, "weight",
                                   is_up ? "RS(0)" : "RS(1)"));
    return is_up ? dt_distribute_parameter(at, module, "bias", "RS(0)") : DT_OK;
}

static dt_module *make_pair(dt_mesh *mesh)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_module *module = dt_module_create(world, &pair_class);
    dt_nn_options linear = DT_NN_OPTIONS_INIT;
    linear.dtype = DT_F64;
    pair *self = dt_module_state(module);
    self->up =
        dt_module_add(module, "up", dt_nn_linear(world, IN, HIDDEN, &linear));
    self->down = dt_module_add(module, "down",
                               dt_nn_linear(world, HIDDEN, OUT, &linear));
    dt_distribute_module_options options = DT_DISTRIBUTE_MODULE_OPTIONS_INIT;
    options.partition = partition;
    CHECK_OK(world, dt_distribute_module(module, mesh, &options));
    return module;
}

/* A mesh dp=n, or dp=n/2,tp=2. */
static dt_mesh *make_mesh(dt_world *world, bool both)
{
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, both ? "dp,tp=2" : "dp", &mesh));
    return mesh;
}

static dt_status go_back(dt_module *module, dt_mesh *mesh, bool unreduced)
{
    double values[BATCH * IN];
    for (int i = 0; i < BATCH * IN; i++)
        values[i] = 0.1 * value_at(i);
    const char *layout = dt_mesh_ndim(mesh) == 1 ? "S(0)" : "S(0)R";
    dt_tensor *input =
        tensor_of(mesh, layout, DT_F64, DT_SHAPE(BATCH, IN), values);
    dt_tensor *output = dt_redistribute(dt_module_call(module, input), layout);
    dt_tensor *loss = dt_sum(dt_square(output), DT_DIMS(), false);
    dt_backward_options options = DT_BACKWARD_OPTIONS_INIT;
    options.unreduced = unreduced;
    return dt_backward_with(&loss, 1, &options);
}

/* Gradients of all parameters, one after another. */
enum { ELEMENTS = HIDDEN * IN + HIDDEN + OUT * HIDDEN + OUT };

static void read_grads(dt_module *module, double *values)
{
    int count = 0;
    const dt_named_parameter *named = dt_module_parameters(module, &count);
    CHECK_INT(count, PARAMETERS);
    for (int i = 0; i < count; i++) {
        dt_tensor *leaf = dt_parameter_tensor(named[i].parameter);
        dt_tensor *grad = dt_tensor_grad(leaf);
        if (!CHECK(grad != NULL))
            return;
        CHECK(dt_layout_equal(dt_tensor_layout(grad), dt_tensor_layout(leaf)));
        read_tensor(grad, values);
        values += dt_tensor_count(leaf);
    }
}

static void check_grads(dt_module *module, const double *wanted, double factor)
{
    double values[ELEMENTS] = {0};
    read_grads(module, values);
    for (int i = 0; i < ELEMENTS; i++)
        CHECKF(is_close(values[i], factor * wanted[i]), "%d: %g, not %g", i,
               values[i], factor * wanted[i]);
}

static void clear_grads(dt_module *module)
{
    int count = 0;
    const dt_named_parameter *named = dt_module_parameters(module, &count);
    for (int i = 0; i < count; i++) {
        dt_tensor *leaf = dt_parameter_tensor(named[i].parameter);
        CHECK_OK(dt_module_world(module), dt_tensor_set_grad(leaf, NULL));
    }
}

static uint64_t reductions(const dt_world *world)
{
    return dt_trace_count(world, DT_ALL_REDUCE).calls;
}

/* Compare buckets of a size with no buckets, and count their reductions beyond
 * the forward pass's own. */
static void compare(dt_world *world, bool both, size_t bytes, int buckets)
{
    dt_mesh *mesh = make_mesh(world, both);
    dt_scope *scope = dt_scope_open(world);
    dt_module *module = make_pair(mesh);
    double wanted[ELEMENTS] = {0};
    const int dp = dt_mesh_dim_size(mesh, 0);
    uint64_t before = reductions(world);
    CHECK_OK(world, go_back(module, mesh, false));
    const uint64_t alone = reductions(world) - before;
    read_grads(module, wanted);
    clear_grads(module);
    dt_data_parallel_options options = DT_DATA_PARALLEL_OPTIONS_INIT;
    options.bucket_bytes = bytes;
    dt_data_parallel *parallel = NULL;
    CHECK_OK(world, dt_data_parallel_create(module, &options, &parallel));
    before = reductions(world);
    CHECK_OK(world, go_back(module, mesh, false));
    const uint64_t sent = reductions(world) - before;
    if (dp > 1)
        CHECK_INT(alone - sent, PARAMETERS - buckets);
    check_grads(module, wanted, 1);
    /* A second pass is added; so is one that is not reduced at once. */
    CHECK_OK(world, go_back(module, mesh, false));
    check_grads(module, wanted, 2);
    dt_data_parallel_release(parallel);
    clear_grads(module);
    CHECK_OK(world, go_back(module, mesh, false));
    check_grads(module, wanted, 1);
    dt_mesh_release(mesh);
    CHECK_OK(world, dt_scope_close(scope));
}

static void reduces_once(dt_world *world)
{
    compare(world, false, 0, 1);
}

static void reduces_each(dt_world *world)
{
    compare(world, false, 1, PARAMETERS);
}

static void leaves_tensor_parallel(dt_world *world)
{
    if (dt_world_size(world) % 2 == 0)
        compare(world, true, 0, 1);
}

static void accumulates(dt_world *world)
{
    dt_mesh *mesh = make_mesh(world, false);
    dt_scope *scope = dt_scope_open(world);
    dt_module *module = make_pair(mesh);
    dt_data_parallel *parallel = NULL;
    double wanted[ELEMENTS] = {0};
    CHECK_OK(world, go_back(module, mesh, false));
    read_grads(module, wanted);
    clear_grads(module);
    CHECK_OK(world, dt_data_parallel_create(module, NULL, &parallel));
    const uint64_t before = reductions(world);
    CHECK_OK(world, go_back(module, mesh, true));
    CHECK_OK(world, go_back(module, mesh, true));
    CHECK_INT(reductions(world) - before, 0);
    CHECK_OK(world, go_back(module, mesh, false));
    check_grads(module, wanted, 3);
    dt_data_parallel_release(parallel);
    dt_mesh_release(mesh);
    CHECK_OK(world, dt_scope_close(scope));
}

const dt_test dt_tests[] = {
    {"all gradients in one bucket", reduces_once},
    {"a bucket for each gradient", reduces_each},
    {"parameters that are sharded too", leaves_tensor_parallel},
    {"passes that are added before they are reduced", accumulates},
    {0},
};
