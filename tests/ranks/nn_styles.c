/* ranks: 1 2 3 4 7 */
/* tests/ranks/nn_styles.c - parallel styles: layouts, values and what is sent.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <dtensor/dtensor.h>

#include "support/check.h"
#include "support/tensors.h"

/* ---- One layer ---------------------------------------------------------- */

/* Collectives of one kind. */
typedef struct sent {
    uint64_t calls[DT_COLLECTIVE_COUNT];
} sent;

static sent count_sent(const dt_world *world)
{
    sent out;
    for (int i = 0; i < DT_COLLECTIVE_COUNT; i++)
        out.calls[i] = dt_trace_count(world, (dt_collective)i).calls;
    return out;
}

/* Check how often ranks reduced, gathered and scattered since `before`; on one
 * rank never.  A gather of uneven shards is an exchange on some transports, and
 * where little is scattered an all-reduce and a slice are as fast. */
static void check_calls(dt_world *world, const sent *before, int reduces,
                        int gathers, int scatters, int line)
{
    const sent now = count_sent(world);
    const int several = dt_world_size(world) > 1;
    long long made[DT_COLLECTIVE_COUNT], others = 0;
    for (int i = 0; i < DT_COLLECTIVE_COUNT; i++) {
        made[i] = (long long)(now.calls[i] - before->calls[i]);
        others += made[i];
    }
    made[DT_ALL_GATHER] += made[DT_ALL_TO_ALL];
    others -=
        made[DT_ALL_REDUCE] + made[DT_ALL_GATHER] + made[DT_REDUCE_SCATTER];
    CHECKF(made[DT_ALL_REDUCE] + made[DT_REDUCE_SCATTER] ==
                   several * (reduces + scatters) &&
               made[DT_REDUCE_SCATTER] <= several * scatters &&
               made[DT_ALL_GATHER] == several * gathers && others == 0,
           "line %d: %lld all-reduces, %lld all-gathers, %lld "
           "reduce-scatters, %lld others",
           line, made[DT_ALL_REDUCE], made[DT_ALL_GATHER],
           made[DT_REDUCE_SCATTER], others);
}

#define CHECK_CALLS(world, before, reduces, gathers, scatters)                 \
    check_calls(world, before, reduces, gathers, scatters, __LINE__)

/* What a styled layer sends, and must compute: as the same layer on this rank
 * alone. */
typedef struct layer_case {
    dt_module *(*create)(dt_world *world);
    dt_parallel_rule rule;
    const char *layout; /* of the input */
    dt_shape shape;
    dt_dtype dtype;          /* i64: tokens */
    int forward[3], back[3]; /* all-reduces, gathers, scatters */
    const char *result;      /* layout */
} layer_case;

static dt_tensor *make_input(const layer_case *given, dt_mesh *mesh,
                             const char *layout)
{
    double values[ELEMENTS_MAX];
    const int64_t count = dt_shape_count(given->shape);
    for (int64_t i = 0; i < count; i++)
        values[i] =
            given->dtype == DT_I64 ? (double)((i * 7) % 13) : value_at(i) / 8;
    return tensor_of(mesh, layout, given->dtype, given->shape, values);
}

/* The layer's output, by which its parameters and its input have gradients. */
static dt_tensor *run_layer(dt_module *layer, dt_tensor *input, bool leaf)
{
    if (leaf)
        dt_requires_grad(input);
    return dt_module_call(layer, input);
}

static void check_same_values(dt_tensor *tensor, dt_tensor *wanted)
{
    double values[ELEMENTS_MAX];
    if (CHECK(tensor && wanted) && CHECK(read_tensor(wanted, values)))
        check_values(tensor, values, dt_tensor_count(wanted));
}

static void check_gradients(dt_module *layer, dt_module *alone)
{
    int count;
    const dt_named_parameter *some = dt_module_parameters(layer, &count);
    const dt_named_parameter *more = dt_module_parameters(alone, &count);
    for (int i = 0; i < count; i++)
        check_same_values(
            dt_tensor_grad(dt_parameter_tensor(some[i].parameter)),
            dt_tensor_grad(dt_parameter_tensor(more[i].parameter)));
}

static void check_layer(dt_world *world, const layer_case *given)
{
    fixture f = open_fixture(world);
    const bool leaf = given->dtype != DT_I64;
    dt_module *layer = given->create(world), *alone = given->create(world);
    CHECK_OK(world, dt_parallelize(layer, f.mesh, &given->rule, 1, NULL));
    CHECK_OK(world,
             dt_distribute_module(alone, dt_world_own_mesh(world), NULL));
    dt_tensor *x = make_input(given, f.mesh, given->layout);
    dt_tensor *x1 = make_input(given, dt_world_own_mesh(world), "R");
    sent before = count_sent(world);
    dt_tensor *y = run_layer(layer, x, leaf);
    CHECK_CALLS(world, &before, given->forward[0], given->forward[1],
                given->forward[2]);
    CHECK_TEXT(dt_layout_text(world, dt_tensor_layout(y)), given->result);
    dt_backward_options options = DT_BACKWARD_OPTIONS_INIT;
    dt_tensor *ones = dt_ones_like(y);
    options.grads = &ones;
    before = count_sent(world);
    CHECK_OK(world, dt_backward_with(&y, 1, &options));
    CHECK_CALLS(world, &before, given->back[0], given->back[1], given->back[2]);
    dt_tensor *y1 = run_layer(alone, x1, leaf);
    dt_tensor *ones1 = dt_ones_like(y1);
    options.grads = &ones1;
    CHECK_OK(world, dt_backward_with(&y1, 1, &options));
    check_same_values(y, y1);
    if (leaf)
        check_same_values(dt_tensor_grad(x), dt_tensor_grad(x1));
    check_gradients(layer, alone);
    close_without_errors(&f);
}

static const dt_nn_options f64 = {.size = sizeof f64, .dtype = DT_F64};

static dt_module *linear(dt_world *world)
{
    return dt_nn_linear(world, 10, 16, &f64);
}

static dt_module *embedding(dt_world *world)
{
    return dt_nn_embedding(world, 13, 6, &f64);
}

static dt_module *layer_norm(dt_world *world)
{
    return dt_nn_layer_norm(world, DT_SHAPE(6), &f64);
}

static dt_module *rms_norm(dt_world *world)
{
    return dt_nn_rms_norm(world, DT_SHAPE(6), &f64);
}

static void colwise_linear(dt_world *world)
{
    layer_case given = {.create = linear,
                        .rule = {.pattern = "", .style = &dt_colwise},
                        .layout = "R",
                        .shape = DT_SHAPE(9, 10),
                        .dtype = DT_F64,
                        .back = {1, 0, 0},
                        .result = "S(1)"};
    check_layer(world, &given);
    given.layout = "S(0)";
    given.forward[1] = 1;
    given.back[0] = 0;
    given.back[2] = 1;
    check_layer(world, &given);
}

static void rowwise_linear(dt_world *world)
{
    layer_case given = {.create = linear,
                        .rule = {.pattern = "", .style = &dt_rowwise},
                        .layout = "S(1)",
                        .shape = DT_SHAPE(9, 10),
                        .dtype = DT_F64,
                        .forward = {1, 0, 0},
                        .result = "R"};
    check_layer(world, &given);
    given.rule.outputs = "S(0)";
    given.forward[0] = 0;
    given.forward[2] = 1;
    given.back[1] = 1;
    given.result = "S(0)";
    check_layer(world, &given);
}

static void embeddings(dt_world *world)
{
    layer_case given = {.create = embedding,
                        .rule = {.pattern = "", .style = &dt_colwise},
                        .layout = "R",
                        .shape = DT_SHAPE(3, 8),
                        .dtype = DT_I64,
                        .result = "S(2)"};
    check_layer(world, &given);
    given.rule.style = &dt_rowwise;
    given.forward[0] = 1;
    given.result = "R";
    check_layer(world, &given);
    given.rule.outputs = "S(1)";
    given.forward[0] = 0;
    given.forward[2] = 1;
    given.back[1] = 1;
    given.result = "S(1)";
    check_layer(world, &given);
}

/* The gradients of replicated parameters are reduced when they are complete:
 * one for each parameter. */
static void sequence_norms(dt_world *world)
{
    layer_case given = {.create = layer_norm,
                        .rule = {.pattern = "", .style = &dt_sequence_parallel},
                        .layout = "S(1)",
                        .shape = DT_SHAPE(3, 8, 6),
                        .dtype = DT_F64,
                        .back = {2, 0, 0},
                        .result = "S(1)"};
    check_layer(world, &given);
    given.create = rms_norm;
    given.back[0] = 1;
    check_layer(world, &given);
    given.layout = "S(0)";
    given.forward[1] = given.back[1] = 1;
    check_layer(world, &given);
}

/* ---- Frozen parameters, numbers of inputs ------------------------------- */

static dt_status sum_forward(dt_module *module, dt_tensor *const *inputs,
                             int input_count, dt_tensor **outputs,
                             int output_count)
{
    (void)module;
    outputs[0] = inputs[0];
    for (int i = 1; i < input_count; i++)
        outputs[0] = dt_add(outputs[0], inputs[i]);
    for (int i = 1; i < output_count; i++)
        outputs[i] = inputs[0];
    return outputs[0] ? DT_OK : DT_ERR_INVALID;
}

static const dt_module_class sum_class = {
    .size = sizeof(dt_module_class),
    .name = "Sum",
    .forward_all = sum_forward,
};

static void keeps_frozen(dt_world *world)
{
    static const dt_parallel_rule rules[] = {
        {.pattern = "0", .style = &dt_colwise},
        {.pattern = "1", .style = &dt_rowwise}};
    fixture f = open_fixture(world);
    dt_module *parts[] = {linear(world), dt_nn_linear(world, 16, 10, NULL)};
    dt_module *model = dt_nn_sequential(world, parts, 2);
    dt_parameter *weight = dt_module_parameter(model, "0.weight");
    CHECK_OK(world, dt_parameter_freeze(weight, true));
    CHECK_OK(world, dt_parallelize(model, f.mesh, rules, 2, NULL));
    CHECK(!dt_tensor_requires_grad(dt_parameter_tensor(weight)));
    CHECK(dt_tensor_is_leaf(
        dt_parameter_tensor(dt_module_parameter(model, "1.weight"))));
    close_without_errors(&f);
}

static void counts_inputs(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_parallel_rule rule = {.pattern = "",
                             .style = &dt_prepare_input,
                             .inputs = "R; -",
                             .inputs_from = "S(0)"};
    dt_module *sum = dt_module_create(world, &sum_class);
    CHECK_FAILS(world, dt_parallelize(sum, f.mesh, &rule, 1, NULL),
                DT_ERR_INVALID, "1 layouts in inputs_from but 2 in inputs");
    rule.inputs_from = NULL;
    CHECK_OK(world, dt_parallelize(sum, f.mesh, &rule, 1, NULL));
    dt_tensor *x = make_tensor(&f, "S(0)", DT_F32, DT_SHAPE(8, 3));
    dt_tensor *inputs[] = {x, x, x}, *output;
    CHECK_FAILS(world, dt_module_call_all(sum, inputs, 3, &output, 1),
                DT_ERR_INVALID, "has layouts for 2 inputs, but Sum has 3");
    CHECK_OK(world, dt_module_call_all(sum, inputs, 2, &output, 1));
    close_fixture(&f);
}

/* Inputs and outputs that are local tensors, and lists of layouts. */
static void prepares_inputs_and_outputs(dt_world *world)
{
    fixture f = open_fixture(world);
    const dt_parallel_rule rule = {.pattern = "",
                                   .style = &dt_prepare_input_output,
                                   .inputs_from = "S(0); -",
                                   .inputs = "R; -",
                                   .outputs = "S(1); -",
                                   .local_outputs = true};
    dt_module *sum = dt_module_create(world, &sum_class);
    CHECK_OK(world, dt_parallelize(sum, f.mesh, &rule, 1, NULL));
    dt_tensor *x = make_tensor(&f, "S(0)", DT_F32, DT_SHAPE(4 * f.ranks, 7));
    dt_tensor *y = make_tensor(&f, "R", DT_F32, DT_SHAPE(4 * f.ranks, 7));
    dt_tensor *inputs[] = {dt_to_local(x), y}, *outputs[2];
    CHECK_OK(world, dt_module_call_all(sum, inputs, 2, outputs, 2));
    for (int i = 0; i < 2; i++)
        CHECK(dt_tensor_mesh(outputs[i]) == dt_world_own_mesh(world));
    dt_from_local_options options = DT_FROM_LOCAL_OPTIONS_INIT;
    const dt_shape shape = dt_tensor_shape(y);
    const int64_t strides[] = {7, 1};
    options.shape = &shape;
    options.strides = strides;
    dt_tensor *sum_of =
        dt_from_local_tensor(f.mesh, "S(1)", outputs[0], &options);
    check_same_values(sum_of, dt_add(y, y));
    close_without_errors(&f);
}

/* ---- Plans -------------------------------------------------------------- */

static dt_module *make_mlp(dt_world *world)
{
    dt_module *parts[] = {dt_nn_linear(world, 10, 16, NULL),
                          dt_nn_function(world, "ReLU", dt_relu),
                          dt_nn_linear(world, 16, 12, NULL)};
    return dt_nn_sequential(world, parts, 3);
}

static const dt_parallel_rule mlp_rules[] = {
    {.pattern = "0", .style = &dt_colwise},
    {.pattern = "2", .style = &dt_rowwise}};

static const dt_parallel_rule mlp_sequence_rules[] = {
    {.pattern = "0", .style = &dt_colwise},
    {.pattern = "2", .style = &dt_rowwise, .outputs = "S(0)"}};

/* In PyTorch 1 all-reduce each way, or 2 all-gathers and 1 reduce-scatter. */
static void mlp_sends(dt_world *world)
{
    fixture f = open_fixture(world);
    for (int i = 0; i < 2; i++) {
        dt_module *mlp = make_mlp(world);
        CHECK_OK(world,
                 dt_parallelize(mlp, f.mesh, i ? mlp_sequence_rules : mlp_rules,
                                2, NULL));
        dt_tensor *x = dt_requires_grad(
            make_tensor(&f, i ? "S(0)" : "R", DT_F32, DT_SHAPE(8, 10)));
        sent before = count_sent(world);
        dt_tensor *y = dt_module_call(mlp, x);
        CHECK_CALLS(world, &before, !i, i, i);
        before = count_sent(world);
        dt_backward_options options = DT_BACKWARD_OPTIONS_INIT;
        dt_tensor *ones = dt_ones_like(y);
        options.grads = &ones;
        CHECK_OK(world, dt_backward_with(&y, 1, &options));
        CHECK_CALLS(world, &before, !i, i, i);
    }
    close_without_errors(&f);
}

static void names_patterns_without_a_module(dt_world *world)
{
    static const dt_parallel_rule rules[] = {
        {.pattern = "0", .style = &dt_colwise},
        {.pattern = "2.x", .style = &dt_rowwise},
        {.pattern = "layers.*", .style = &dt_rowwise}};
    fixture f = open_fixture(world);
    dt_module *mlp = make_mlp(world);
    CHECK_FAILS(world, dt_parallelize(mlp, f.mesh, rules, 3, NULL),
                DT_ERR_NOT_FOUND,
                "no module of Sequential matches \"2.x\", \"layers.*\"");
    CHECK(!dt_parameter_is_created(dt_module_parameter(mlp, "0.weight")));
    const dt_parallel_rule wrong = {.pattern = "1", .style = &dt_colwise};
    CHECK_FAILS(world, dt_parallelize(mlp, f.mesh, &wrong, 1, NULL),
                DT_ERR_UNSUPPORTED,
                "style colwise is for Linear and Embedding; 1 is a ReLU");
    dt_parallelize_options options = DT_PARALLELIZE_OPTIONS_INIT;
    options.dim = "pp";
    CHECK_FAILS(world, dt_parallelize(mlp, f.mesh, rules, 1, &options),
                DT_ERR_NOT_FOUND, "no dimension \"pp\"");
    close_fixture(&f);
}

/* Tied weights are one parameter, sharded once, with one gradient. */
static void ties_embedding_and_head(dt_world *world)
{
    static const dt_parallel_rule rules[] = {
        {.pattern = "0", .style = &dt_rowwise},
        {.pattern = "1", .style = &dt_colwise}};
    fixture f = open_fixture(world);
    dt_nn_options options = f64;
    dt_module *models[2];
    options.no_bias = true;
    for (int i = 0; i < 2; i++) {
        dt_module *parts[] = {dt_nn_embedding(world, 13, 6, &f64),
                              dt_nn_linear(world, 6, 13, &options)};
        models[i] = dt_nn_sequential(world, parts, 2);
        CHECK_OK(world, dt_module_tie(models[i], "1.weight", "0.weight"));
    }
    CHECK_OK(world, dt_parallelize(models[0], f.mesh, rules, 2, NULL));
    CHECK_OK(world,
             dt_distribute_module(models[1], dt_world_own_mesh(world), NULL));
    const layer_case input = {.shape = DT_SHAPE(3, 8), .dtype = DT_I64};
    dt_tensor *grads[2];
    for (int i = 0; i < 2; i++) {
        dt_mesh *mesh = i ? dt_world_own_mesh(world) : f.mesh;
        dt_tensor *x = make_input(&input, mesh, "R");
        CHECK_OK(world,
                 dt_backward(dt_token_loss(dt_module_call(models[i], x), x)));
        dt_parameter *weight = dt_module_parameter(models[i], "1.weight");
        CHECK(weight == dt_module_parameter(models[i], "0.weight"));
        grads[i] = dt_tensor_grad(dt_parameter_tensor(weight));
    }
    check_same_values(grads[0], grads[1]);
    close_without_errors(&f);
}

static void loss_parallel(dt_world *world)
{
    fixture f = open_fixture(world);
    const layer_case input = {.shape = DT_SHAPE(3, 8), .dtype = DT_I64};
    dt_tensor *targets = make_input(&input, f.mesh, "R");
    dt_tensor *logits =
        dt_requires_grad(make_tensor(&f, "S(2)", DT_F64, DT_SHAPE(3, 8, 13)));
    dt_tensor *whole =
        dt_requires_grad(dt_detach(dt_redistribute(logits, "R")));
    sent before = count_sent(world);
    dt_tensor *loss = dt_token_loss(logits, targets);
    CHECK_CALLS(world, &before, 3, 0, 0);
    before = count_sent(world);
    CHECK_OK(world, dt_backward(loss));
    CHECK_CALLS(world, &before, 0, 0, 0);
    CHECK_OK(world, dt_backward(dt_token_loss(whole, targets)));
    check_same_values(dt_tensor_grad(logits), dt_tensor_grad(whole));
    close_without_errors(&f);
}

/* ---- Styles of programs ------------------------------------------------- */

/* Shards the first parameter of a module along dimension 0, and doubles
 * inputs. */
static dt_status own_partition(const dt_style_use *use, dt_module *module)
{
    return dt_distribute_parameter(&use->at, module, "weight", "S(0)");
}

static dt_status own_input(const dt_style_use *use, dt_module *module,
                           dt_tensor **inputs, int count)
{
    (void)module, (void)count;
    ++*(int *)use->rule.arg;
    inputs[0] = dt_mul_scalar(
        dt_redistribute_along(&use->at, inputs[0], NULL, "R"), dt_real(2));
    return inputs[0] ? DT_OK : DT_ERR_INVALID;
}

static void takes_own_styles(dt_world *world)
{
    fixture f = open_fixture(world);
    int called = 0;
    const dt_style own = {.size = sizeof own,
                          .name = "own",
                          .partition = own_partition,
                          .input = own_input};
    const dt_parallel_rule rule = {
        .pattern = "", .style = &own, .arg = &called};
    dt_module *layer = linear(world), *alone = linear(world);
    CHECK_OK(world, dt_parallelize(layer, f.mesh, &rule, 1, NULL));
    CHECK_OK(world,
             dt_distribute_module(alone, dt_world_own_mesh(world), NULL));
    dt_tensor *x = make_tensor(&f, "S(0)", DT_F64, DT_SHAPE(9, 10));
    dt_tensor *twice = dt_mul_scalar(dt_full_tensor(x), dt_real(2));
    check_same_values(dt_module_call(layer, x), dt_module_call(alone, twice));
    CHECK_INT(called, 1);
    close_without_errors(&f);
}

const dt_test dt_tests[] = {
    {"4.8.93: colwise linear", colwise_linear},
    {"4.8.94: rowwise linear", rowwise_linear},
    {"4.8.95: embeddings", embeddings},
    {"4.8.96: sequence parallel norms", sequence_norms},
    {"4.8.97: keeps parameters frozen", keeps_frozen},
    {"4.8.97: counts inputs", counts_inputs},
    {"prepares inputs and outputs", prepares_inputs_and_outputs},
    {"4.8.98: what an MLP sends", mlp_sends},
    {"names patterns without a module", names_patterns_without_a_module},
    {"4.8.99: ties embedding and head", ties_embedding_and_head},
    {"4.8.100: loss parallel", loss_parallel},
    {"takes own styles", takes_own_styles},
    {NULL, NULL},
};
