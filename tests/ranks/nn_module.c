/* ranks: 1 2 3 4 7 */
/* tests/ranks/nn_module.c - modules on a mesh: where elements come from, and
 * what ranks learn of each other. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <dtensor/dtensor.h>

#include "support/check.h"
#include "support/tensors.h"

/* Modules one after another. */
static dt_tensor *chain_forward(dt_module *module, dt_tensor *x)
{
    for (int i = 0; i < dt_module_child_count(module); i++)
        x = dt_module_call(dt_module_child(module, i), x);
    return x;
}

static const dt_module_class chain_class = {
    .size = sizeof(dt_module_class),
    .name = "Chain",
    .forward = chain_forward,
};

/* Layers of 5 to 7 to 3, built in one order or in the other. */
static dt_module *make_chain(dt_world *world, dt_dtype dtype, bool reversed)
{
    dt_nn_options options = DT_NN_OPTIONS_INIT;
    options.dtype = dtype;
    dt_module *chain = dt_module_create(world, &chain_class);
    dt_module *last = reversed ? dt_nn_linear(world, 7, 3, &options) : NULL;
    dt_module_add(chain, "first", dt_nn_linear(world, 5, 7, &options));
    if (!last)
        last = dt_nn_linear(world, 7, 3, &options);
    dt_module_add(chain, "last", last);
    return chain;
}

/* Layers in turn by columns and by rows. */
static dt_status shard(const dt_distribution *at, const char *name,
                       dt_module *module)
{
    const char *layout = strcmp(name, "last") == 0 ? "S(1)" : "S(0)";
    if (!strcmp(name, "first") || !strcmp(name, "last"))
        DT_TRY(dt_distribute_parameter(at, module, "weight", layout));
    return DT_OK;
}

static void check_same(dt_module *a, dt_module *b)
{
    int count, others;
    const dt_named_parameter *some = dt_module_parameters(a, &count);
    const dt_named_parameter *more = dt_module_parameters(b, &others);
    CHECK_INT(count, others);
    for (int i = 0; i < count && i < others; i++) {
        dt_array *wanted = read_global(dt_parameter_tensor(more[i].parameter));
        CHECKF(check_equals(dt_parameter_tensor(some[i].parameter), wanted),
               "%s", some[i].name);
    }
}

/* Check a chain in some distribution against one on this rank alone. */
static void check_drawn(dt_world *world, const char *grid, dt_dtype dtype)
{
    dt_distribute_module_options options = DT_DISTRIBUTE_MODULE_OPTIONS_INIT;
    dt_mesh *mesh = NULL;
    dt_scope *scope = dt_scope_open(world);
    CHECK_OK(world, dt_mesh_create(world, grid, &mesh));
    dt_module *alone = make_chain(world, dtype, true);
    dt_module *whole = make_chain(world, dtype, false);
    dt_module *parts = make_chain(world, dtype, false);
    CHECK_OK(world,
             dt_distribute_module(alone, dt_world_own_mesh(world), NULL));
    CHECK_OK(world, dt_distribute_module(whole, mesh, NULL));
    options.partition = shard;
    uint64_t before = calls_so_far(world);
    CHECK_OK(world, dt_distribute_module(parts, mesh, &options));
    CHECK_INT((long long)(calls_so_far(world) - before), 0);
    check_same(whole, alone);
    check_same(parts, alone);
    dt_mesh_release(mesh);
    CHECK_OK(world, dt_scope_close(scope));
}

static void draws_the_same_everywhere(dt_world *world)
{
    static const dt_dtype dtypes[] = {DT_F32, DT_F64, DT_F16, DT_BF16};
    for (int i = 0; i < 4; i++)
        check_drawn(world, "tp", dtypes[i]);
    if (dt_world_size(world) == 4)
        check_drawn(world, "dp=2,tp=2", DT_F32);
}

/* Another seed, and another name, draw other numbers; uniform ones within
 * 1 / sqrt(in_features). */
static void draws_by_seed_and_name(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_distribute_module_options options = DT_DISTRIBUTE_MODULE_OPTIONS_INIT;
    const uint64_t seed = 5;
    dt_module *modules[3];
    bool equal = true;
    dt_number most;
    for (int i = 0; i < 3; i++) {
        modules[i] = dt_nn_linear(world, 16, 50, NULL);
        if (i == 2)
            dt_module_add(dt_module_create(world, &chain_class), "x",
                          modules[i]);
        options.seed = i == 1 ? &seed : NULL;
        CHECK_OK(world, dt_distribute_module(modules[i], f.mesh, &options));
    }
    for (int i = 1; i < 3; i++) {
        CHECK_OK(world,
                 dt_tensor_equal(dt_module_tensor(modules[0], 0),
                                 dt_module_tensor(modules[i], 0), &equal));
        CHECK(!equal);
    }
    dt_tensor *size = dt_abs(dt_module_tensor(modules[0], 0));
    CHECK_OK(world, dt_tensor_item(dt_amax(size, DT_DIMS(), false), &most));
    CHECK(dt_number_real(most) <= 0.25 && dt_number_real(most) > 0.24);
    close_without_errors(&f);
}

/* Set the parameters of a chain on this rank; numbers depend on `salt`. */
static void set_all(dt_module *module, int salt)
{
    int count;
    const dt_named_parameter *all = dt_module_parameters(module, &count);
    for (int i = 0; i < count; i++) {
        dt_tensor *ones =
            dt_ones(dt_world_own_mesh(dt_module_world(module)), NULL, DT_F32,
                    dt_parameter_shape(all[i].parameter));
        CHECK_OK(dt_module_world(module),
                 dt_parameter_set(all[i].parameter,
                                  dt_mul_scalar(ones, dt_real(salt + i))));
    }
}

static void check_values_of(dt_module *module, int salt)
{
    int count;
    const dt_named_parameter *all = dt_module_parameters(module, &count);
    for (int i = 0; i < count; i++) {
        double values[40];
        for (int j = 0; j < 40; j++)
            values[j] = salt + i;
        dt_tensor *tensor = dt_parameter_tensor(all[i].parameter);
        check_values(tensor, values, dt_tensor_count(tensor));
        CHECK(dt_tensor_is_leaf(tensor));
    }
}

static void takes_weights_from_one_rank(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_distribute_module_options options = DT_DISTRIBUTE_MODULE_OPTIONS_INIT;
    const int source = dt_world_size(world) - 1;
    dt_module *module = make_chain(world, DT_F32, false);
    if (dt_world_rank(world) == source)
        set_all(module, 3);
    options.partition = shard;
    options.weights = DT_WEIGHTS_FROM_RANK;
    options.source = source;
    CHECK_OK(world, dt_distribute_module(module, f.mesh, &options));
    check_values_of(module, 3);
    close_without_errors(&f);
}

static void takes_weights_from_every_rank(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_distribute_module_options options = DT_DISTRIBUTE_MODULE_OPTIONS_INIT;
    dt_module *module = make_chain(world, DT_F32, false);
    set_all(module, 4);
    options.partition = shard;
    options.weights = DT_WEIGHTS_EVERYWHERE;
    start_counting(&f);
    CHECK_OK(world, dt_distribute_module(module, f.mesh, &options));
    check_silent(&f);
    check_values_of(module, 4);
    close_without_errors(&f);
}

static void tells_all_ranks_of_missing_weights(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_distribute_module_options options = DT_DISTRIBUTE_MODULE_OPTIONS_INIT;
    dt_module *module = make_chain(world, DT_F32, false);
    if (SKIP_ON(world, "mpi", "a rank that fails alone ends the job")) {
        close_fixture(&f);
        return;
    }
    options.partition = shard;
    options.weights = DT_WEIGHTS_FROM_RANK;
    CHECK_FAILS(world, dt_distribute_module(module, f.mesh, &options),
                dt_world_rank(world) ? DT_ERR_PEER : DT_ERR_INVALID,
                "\"first.weight\" has no elements on rank 0");
    CHECK_OK(world, dt_world_recover(world));
    close_fixture(&f);
}

/* What is on the mesh already stays. */
static void leaves_parameters_on_the_mesh(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_module *module = make_chain(world, DT_F32, false);
    dt_parameter *weight = dt_module_parameter(module, "last.weight");
    dt_tensor *given = dt_zeros(f.mesh, "S(1)", DT_F32, DT_SHAPE(3, 7));
    CHECK_OK(world, dt_parameter_set(weight, given));
    CHECK_OK(world, dt_distribute_module(module, f.mesh, NULL));
    CHECK(dt_parameter_tensor(weight) == given || f.ranks == 1);
    close_without_errors(&f);
}

/* ---- Boundaries --------------------------------------------------------- */

static dt_status gather_inputs(dt_module *module, dt_tensor **inputs, int count,
                               dt_mesh *mesh, void *arg)
{
    (void)module, (void)mesh;
    for (int i = 0; i < count; i++)
        inputs[i] = dt_redistribute(inputs[i], "R");
    ++*(int *)arg;
    return DT_OK;
}

static dt_status reduce_outputs(dt_module *module, dt_tensor **outputs,
                                int count, dt_mesh *mesh, void *arg)
{
    (void)module, (void)mesh;
    for (int i = 0; i < count; i++)
        outputs[i] = dt_redistribute(outputs[i], "R");
    ++*(int *)arg;
    return DT_OK;
}

/* Behaviour 4.8: input and output functions run in every call, and parameters
 * that the partition function leaves alone are replicated. */
static void calls_input_and_output_functions(dt_world *world)
{
    fixture f = open_fixture(world);
    int called = 0;
    dt_distribute_module_options options = DT_DISTRIBUTE_MODULE_OPTIONS_INIT;
    options.partition = shard;
    options.input = gather_inputs;
    options.output = reduce_outputs;
    options.arg = &called;
    dt_module *module = make_chain(world, DT_F32, false);
    dt_module *alone = make_chain(world, DT_F32, false);
    CHECK_OK(world, dt_distribute_module(module, f.mesh, &options));
    CHECK_OK(world,
             dt_distribute_module(alone, dt_world_own_mesh(world), NULL));
    CHECK(dt_spec_is_replicated(dt_tensor_spec(
        dt_parameter_tensor(dt_module_parameter(module, "first.bias")))));
    dt_tensor *x = make_tensor(&f, "S(0)", DT_F32, DT_SHAPE(6, 5));
    dt_tensor *y = dt_module_call(module, x);
    dt_tensor *z = dt_module_call(alone, dt_full_tensor(x));
    CHECK_INT(called, 2);
    CHECK(dt_spec_is_replicated(dt_tensor_spec(y)));
    double wanted[18];
    CHECK(read_tensor(z, wanted));
    check_values(y, wanted, 18);
    close_without_errors(&f);
}

/* ---- Ranks that differ -------------------------------------------------- */

/* A rank that skips a layer is told, with the layer. */
static void names_the_layer_that_diverged(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_module *module = make_chain(world, DT_F32, false);
    CHECK_OK(world, dt_distribute_module(module, f.mesh, NULL));
    if (f.ranks == 1 || dt_test_skip_uncompared(world)) {
        close_without_errors(&f);
        return;
    }
    dt_tensor *x = make_tensor(&f, "R", DT_F32, DT_SHAPE(6, 5));
    if (dt_world_rank(world) != 1)
        DT_IGNORE(dt_module_call(dt_module_find(module, "first"), x) != NULL);
    dt_tensor *y = make_tensor(&f, "R", DT_F32, DT_SHAPE(6, 7));
    DT_IGNORE(dt_module_call(dt_module_find(module, "last"), y) != NULL);
    CHECK_FAILS(world, dt_world_check(world), DT_ERR_DIVERGED, "in first");
    CHECK_OK(world, dt_world_recover(world));
    close_fixture(&f);
}

const dt_test dt_tests[] = {
    {"draws the same everywhere", draws_the_same_everywhere},
    {"draws by seed and name", draws_by_seed_and_name},
    {"takes weights from one rank", takes_weights_from_one_rank},
    {"takes weights from every rank", takes_weights_from_every_rank},
    {"tells all ranks of missing weights", tells_all_ranks_of_missing_weights},
    {"leaves parameters on the mesh", leaves_parameters_on_the_mesh},
    {"calls input and output functions", calls_input_and_output_functions},
    {"names the layer that diverged", names_the_layer_that_diverged},
    {NULL, NULL},
};
