/* tests/unit/ops/older.c - programs compiled against an older header: every
 * structure that programs fill, without its last field. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <dtensor/autograd.h>
#include <dtensor/launch.h>
#include <dtensor/local_map.h>
#include <dtensor/nn.h>
#include <dtensor/parallel.h>
#include <dtensor/plan.h>
#include <dtensor/sys/op.h>
#include <dtensor/sys/ops_internal.h>
#include <dtensor/sys/ops_training.h>
#include <dtensor/sys/pass.h>
#include <dtensor/sys/verify.h>

#include "ops/helpers/call.h"
#include "support/check.h"

/* Let a structure be one without its last field: no byte of that may be read.
 * tests/tree/older.py looks for every structure here. */
#define AGE(structure, type, last)                                             \
    age(&(structure), sizeof(type), offsetof(type, last))

/* Sizes are whole words, so what begins in the word of the field goes too. */
static void age(void *structure, size_t size, size_t last)
{
    last -= last % sizeof last;
    memset((char *)structure + last, 0xff, size - last);
    memcpy(structure, &last, sizeof last);
}

/* ---- Options of operators ----------------------------------------------- */

/* Written from the rows of operators, as these structures are. */
static const struct {
    const char *name;
    const void *usual; /* its DT_..._OPTIONS_INIT */
    size_t size;
    size_t last; /* offset of the last field */
} options[] = {
#include "ops/older.inc"
};

static void of_every_operator(dt_world *world)
{
    const size_t count = sizeof options / sizeof *options;
    (void)world;
    CHECK(count > 90);
    for (size_t i = 0; i < count; i++) {
        _Alignas(max_align_t) unsigned char given[512], usual[512];
        if (!CHECK(options[i].size <= sizeof given))
            continue;
        memcpy(given, options[i].usual, options[i].size);
        memcpy(usual, options[i].usual, options[i].size);
        age(given, options[i].size, options[i].last);
        const void *read =
            dti_op_options(NULL, given, usual, options[i].size, "");
        CHECKF(read == usual &&
                   memcmp(usual, options[i].usual, options[i].size) == 0,
               "options of %s", options[i].name);
    }
}

/* By the functions, one of each kind of results. */
static void of_some_calls(dt_world *world)
{
    dt_mesh *own = dt_world_own_mesh(world);
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *x = dt_arange(own, NULL, DT_F32, 0, 6, 1);
    bool equal = false;
    dt_gelu_options gelu = DT_GELU_OPTIONS_INIT;
    AGE(gelu, dt_gelu_options, approximate);
    CHECK_OK(world,
             dt_tensor_equal(dt_gelu_with(x, &gelu), dt_gelu(x), &equal));
    CHECK(equal);
    dt_hardtanh_options clip = DT_HARDTANH_OPTIONS_INIT;
    clip.min_val = DT_NUMBER(0.5);
    AGE(clip, dt_hardtanh_options, max_val);
    dt_tensor *clipped = dt_hardtanh_with_(dt_clone(x), &clip);
    CHECK_OK(world,
             dt_tensor_equal(clipped, dt_clamp(x, dt_real(0.5), dt_real(1)),
                             &equal));
    CHECK(equal);
    CHECK_OK(world, dt_scope_close(scope));
}

/* ---- Other options ------------------------------------------------------ */

static void of_arrays_and_plans(dt_world *world)
{
    float data[6] = {0};
    dt_mesh *own = dt_world_own_mesh(world);
    dt_wrap_options wrap = DT_WRAP_OPTIONS_INIT;
    dt_plan_options plan = DT_PLAN_OPTIONS_INIT;
    dt_array *array = NULL;
    dt_plan *found = NULL;
    dt_spec *spec = NULL;
    wrap.data = data;
    wrap.shape = DT_SHAPE(6);
    AGE(wrap, dt_wrap_options, read_only);
    CHECK_OK(world, dt_array_wrap(world, &wrap, &array));
    CHECK(dt_array_data(array) == data); /* it can be written */
    AGE(plan, dt_plan_options, transport);
    CHECK_OK(world, dt_spec_create(own, "R", DT_F32, DT_SHAPE(6), &spec));
    CHECK_OK(world, dt_plan_create(spec, spec, &plan, &found));
    dt_plan_release(found);
    dt_spec_release(spec);
    dt_array_release(array);
}

static void of_graphs(dt_world *world)
{
    dt_graph_load_options load = DT_GRAPH_LOAD_OPTIONS_INIT;
    dt_graph_value value = {.size = sizeof value};
    dt_graph_node node = {.size = sizeof node};
    dt_graph *graph = NULL;
    AGE(load, dt_graph_load_options, keep_unsupported);
    CHECK_OK(world,
             dt_graph_load(world, GOLDEN "/mlp-core.pt2", &load, &graph));
    AGE(value, dt_graph_value, bytes);
    value.bytes = 77;
    CHECK_OK(world, dt_graph_input(graph, 0, &value));
    CHECK_TEXT(value.name, "x");
    CHECK_INT((long long)value.bytes, 77); /* not written */
    AGE(node, dt_graph_node, module);
    CHECK_OK(world, dt_graph_node_at(graph, 0, &node));
    CHECK_TEXT(node.row_name, "permute");
    dt_pass pass = DT_PASS_INIT;
    AGE(pass, dt_pass, run);
    dt_graph *changed = NULL;
    CHECK_FAILS(world, dt_graph_apply(graph, &pass, &changed), DT_ERR_INVALID,
                "the pass has no function");
    dt_graph_release(graph);
}

static void of_factories(dt_world *world)
{
    dt_mesh *own = dt_world_own_mesh(world);
    dt_scope *scope = dt_scope_open(world);
    dt_logspace_options powers = DT_LOGSPACE_OPTIONS_INIT;
    dt_randint_options range = DT_RANDINT_OPTIONS_INIT;
    powers.end = 2;
    powers.steps = 3;
    AGE(powers, dt_logspace_options, base);
    dt_tensor *tens = dt_logspace(own, NULL, DT_F64, &powers);
    if (CHECK(tens != NULL)) {
        const double *data = dt_array_const_data(dt_tensor_local(tens));
        CHECK(data[0] == 1 && data[1] == 10 && data[2] == 100);
    }
    range.high = 5;
    AGE(range, dt_randint_options, generator);
    CHECK(dt_randint(own, NULL, DT_I64, DT_SHAPE(9), &range) != NULL);
    CHECK_OK(world, dt_scope_close(scope));
}

static dt_status pass_on(dt_world *world, dt_tensor *const *inputs,
                         int input_count, dt_tensor **outputs, int output_count,
                         void *arg)
{
    (void)world, (void)input_count, (void)output_count;
    CHECK(arg == NULL);
    outputs[0] = inputs[0];
    return DT_OK;
}

static void of_the_boundary(dt_world *world)
{
    static const char *const layouts[] = {"R"};
    dt_mesh *own = dt_world_own_mesh(world);
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *x = dt_ones(own, NULL, DT_F32, DT_SHAPE(4)), *out = NULL;
    dt_redistribute_options change = DT_REDISTRIBUTE_OPTIONS_INIT;
    dt_from_local_options parts = DT_FROM_LOCAL_OPTIONS_INIT;
    dt_local_map_options map = DT_LOCAL_MAP_OPTIONS_INIT;
    change.layout = "S(0)";
    AGE(change, dt_redistribute_options, memory_cap);
    CHECK(dt_redistribute_with(x, &change) != NULL);
    AGE(parts, dt_from_local_options, grad_layout);
    CHECK(dt_from_local_with(own, NULL, dt_tensor_local(x), &parts) != NULL);
    dt_to_local_options local = DT_TO_LOCAL_OPTIONS_INIT;
    AGE(local, dt_to_local_options, grad_layout);
    CHECK(dt_to_local_with(x, &local) != NULL);
    map.out_layouts = layouts;
    AGE(map, dt_local_map_options, in_grad_layouts);
    CHECK_OK(world, dt_local_map(pass_on, &x, 1, &out, 1, &map));
    CHECK_OK(world, dt_scope_close(scope));
}

static void of_scopes_and_worlds(dt_world *world)
{
    dt_scope_options scope = DT_SCOPE_OPTIONS_INIT;
    dt_world_options options_of_world = DT_WORLD_OPTIONS_INIT;
    dt_launch_options launch = DT_LAUNCH_OPTIONS_INIT;
    dt_world *simulated = NULL;
    dt_error error;
    int code = 0;
    AGE(scope, dt_scope_options, packing);
    CHECK_OK(world, dt_scope_close(dt_scope_open_with(world, &scope)));
    options_of_world.transport = "sim";
    options_of_world.ranks = 3;
    AGE(options_of_world, dt_world_options, pin);
    CHECK_INT(dt_world_open(&options_of_world, &simulated, &error), DT_OK);
    CHECK_INT(dt_world_size(simulated), 3);
    CHECK_INT(dt_world_close(simulated), DT_OK);
    /* The size passes, and what is wrong with the rest is told. */
    AGE(launch, dt_launch_options, log_arg);
    CHECK_INT(dt_launch(&launch, &code, &error), DT_ERR_INVALID);
    CHECKF(!strstr(error.message, "size"), "%s", error.message);
}

static dt_status take_gradient(dt_tensor *gradient, void *leaf, void *arg)
{
    (void)gradient, (void)leaf, (void)arg;
    return DT_OK;
}

static void of_checkpoints(dt_world *world)
{
    dt_save_options save = DT_SAVE_OPTIONS_INIT;
    dt_load_options load = DT_LOAD_OPTIONS_INIT;
    dt_state *state = NULL;
    CHECK_OK(world, dt_state_create(world, &state));
    AGE(save, dt_save_options, buffered);
    CHECK_FAILS(world, dt_save(world, "/nonexistent/x", 0, state, &save),
                DT_ERR_IO, "/nonexistent/x");
    AGE(load, dt_load_options, rename_count);
    CHECK_FAILS(world, dt_load(world, "/nonexistent/x", state, &load),
                DT_ERR_NOT_FOUND, "/nonexistent/x");
    dt_world_clear_error(world);
    dt_state_release(state);
}

static void of_a_backward_pass(dt_world *world)
{
    dt_scope *scope = dt_scope_open(world);
    dt_backward_options backward = DT_BACKWARD_OPTIONS_INIT;
    dt_tensor *x = dt_requires_grad(
        dt_ones(dt_world_own_mesh(world), NULL, DT_F32, DT_SHAPE(1)));
    dt_tensor *y = dt_mul(x, x);
    AGE(backward, dt_backward_options, unreduced);
    CHECK_OK(world, dt_backward_with(&y, 1, &backward));
    CHECK(dt_tensor_grad(x) != NULL);
    dt_reducer reducer = DT_REDUCER_INIT;
    reducer.take = take_gradient;
    AGE(reducer, dt_reducer, arg);
    CHECK_OK(world, dt_tensor_set_reducer(x, &reducer, NULL));
    dt_packing packing = DT_PACKING_INIT;
    AGE(packing, dt_packing, arg);
    dt_scope_options options_of_scope = DT_SCOPE_OPTIONS_INIT;
    options_of_scope.packing = &packing;
    dt_scope *inner = dt_scope_open_with(world, &options_of_scope);
    CHECK(dt_exp(dt_mul(x, x)) != NULL);
    CHECK_OK(world, dt_scope_close(inner));
    CHECK_OK(world, dt_scope_close(scope));
}

static void of_a_verification(dt_world *world)
{
    dt_verify_options verify = DT_VERIFY_OPTIONS_INIT;
    verify.seed = 3;
    AGE(verify, dt_verify_options, arg);
    CHECK_OK(world, dt_op_verify(world, "outer", &verify));
}

/* ---- Modules ------------------------------------------------------------ */

static dt_tensor *same(dt_module *module, dt_tensor *input)
{
    (void)module;
    return input;
}

static void of_modules(dt_world *world)
{
    dt_module_class same_class = {
        .size = sizeof same_class, .name = "Same", .forward = same};
    dt_module_hook hook = DT_MODULE_HOOK_INIT;
    dt_nn_options layer = DT_NN_OPTIONS_INIT;
    dt_distribute_module_options spread = DT_DISTRIBUTE_MODULE_OPTIONS_INIT;
    dt_scope *scope = dt_scope_open(world);
    dt_mesh *own = dt_world_own_mesh(world);
    AGE(same_class, dt_module_class, release);
    dt_module *module = dt_module_create(world, &same_class);
    dt_tensor *x = dt_ones(own, NULL, DT_F32, DT_SHAPE(4));
    CHECK(dt_module_call(module, x) == x);
    AGE(hook, dt_module_hook, arg);
    CHECK_OK(world, dt_module_add_hook(module, &hook, NULL));
    layer.no_bias = true;
    AGE(layer, dt_nn_options, bias);
    dt_module *linear = dt_nn_linear(world, 4, 2, &layer);
    CHECK(linear && !dt_module_parameter(linear, "bias"));
    AGE(spread, dt_distribute_module_options, seed);
    CHECK_OK(world, dt_distribute_module(linear, own, &spread));
    const dt_parallel_rule rule = {.pattern = "", .style = &dt_colwise};
    dt_parallelize_options parallel = DT_PARALLELIZE_OPTIONS_INIT;
    AGE(parallel, dt_parallelize_options, seed);
    CHECK_OK(world, dt_parallelize(linear, own, &rule, 1, &parallel));
    dt_transformer shape = DT_TRANSFORMER_INIT;
    shape.width = shape.heads = 2;
    AGE(shape, dt_transformer, dtype);
    CHECK(dt_nn_mlp(world, &shape) != NULL);
    CHECK_INT(dt_scope_close(scope), DT_ERR_NOT_FOUND);
}

/* Write a file of eight tokens; the caller removes it. */
static void write_tokens(char *path)
{
    const int number = mkstemp(path);
    CHECK(number >= 0 && write(number, "tokens..", 8) == 8);
    close(number);
}

static void of_training(dt_world *world)
{
    dt_scope *scope = dt_scope_open(world);
    dt_mesh *own = dt_world_own_mesh(world);
    dt_module *linear = dt_nn_linear(world, 4, 2, NULL);
    CHECK_OK(world, dt_distribute_module(linear, own, NULL));
    dt_sgd_options sgd = DT_SGD_OPTIONS_INIT;
    dt_adamw_options adamw = DT_ADAMW_OPTIONS_INIT;
    dt_data_parallel_options buckets = DT_DATA_PARALLEL_OPTIONS_INIT;
    dt_loader_options loading = DT_LOADER_OPTIONS_INIT;
    dt_optimizer *first = NULL, *second = NULL;
    dt_data_parallel *parallel = NULL;
    dt_loader *loader = NULL;
    AGE(sgd, dt_sgd_options, maximize);
    CHECK_OK(world, dt_sgd_create(linear, &sgd, &first));
    AGE(adamw, dt_adamw_options, maximize);
    CHECK_OK(world, dt_adamw_create(linear, &adamw, &second));
    AGE(buckets, dt_data_parallel_options, bucket_bytes);
    CHECK_OK(world, dt_data_parallel_create(linear, &buckets, &parallel));
    char path[] = "/tmp/dtensor-older-XXXXXX";
    write_tokens(path);
    loading.length = 2;
    AGE(loading, dt_loader_options, skip);
    CHECK_OK(world, dt_loader_open(own, NULL, path, &loading, &loader));
    unlink(path);
    dt_loader_close(loader);
    dt_data_parallel_release(parallel);
    dt_optimizer_release(second);
    dt_optimizer_release(first);
    CHECK_OK(world, dt_scope_close(scope));
}

/* ---- Rows --------------------------------------------------------------- */

static dt_status same_meta(dt_operation *operation)
{
    return dt_operation_add_result(operation, operation->metas[0]);
}

static dt_status copy_kernel(dt_operation *operation)
{
    return dt_array_copy(operation->world, operation->in[0], operation->out[0]);
}

static void of_a_row(dt_world *world)
{
    dt_op row = DT_OP_INIT;
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *x = dt_ones(dt_world_own_mesh(world), NULL, DT_F32, DT_SHAPE(4));
    dt_tensor *out = NULL;
    int count = 0;
    bool equal = false;
    row.schema = "tests_older(Tensor self) -> Tensor";
    row.rule = "...->...";
    row.meta = same_meta;
    row.kernel = copy_kernel;
    AGE(row, dt_op, backward);
    CHECK_OK(world, dt_op_register(world, &row));
    const dt_argument self = {.kind = DT_ARG_TENSOR, .as.tensor = x};
    CHECK_OK(world, dt_op_call(world, "tests_older", DT_VARIANT_NEW, &self, 1,
                               &out, 1, &count));
    CHECK_OK(world, dt_tensor_equal(out, x, &equal));
    CHECK(equal);
    CHECK_OK(world, dt_scope_close(scope));
}

const dt_test dt_tests[] = {
    {"of every operator", of_every_operator},
    {"of some calls", of_some_calls},
    {"of arrays and plans", of_arrays_and_plans},
    {"of graphs", of_graphs},
    {"of factories", of_factories},
    {"of the boundary", of_the_boundary},
    {"of scopes and worlds", of_scopes_and_worlds},
    {"of checkpoints", of_checkpoints},
    {"of a backward pass", of_a_backward_pass},
    {"of a verification", of_a_verification},
    {"of modules", of_modules},
    {"of training", of_training},
    {"of a row", of_a_row},
    {NULL, NULL},
};
