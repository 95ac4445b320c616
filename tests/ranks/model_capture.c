/* ranks: 1 2 3 4 7 */
/* ranks/model_capture.c - calls of C programs as graphs. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "models/model.h"
#include "support/tensors.h"

/* ---- A function of operators -------------------------------------------- */

typedef struct layer {
    dt_tensor *up, *down;
} layer;

static dt_status compute(dt_world *world, dt_tensor *const *inputs, int count,
                         dt_tensor **outputs, int output_count, void *arg)
{
    const layer *net = arg;
    (void)world;
    (void)count;
    (void)output_count;
    dt_tensor *hidden = dt_relu(dt_matmul(inputs[0], net->up));
    dt_tensor *sum = dt_redistribute(dt_matmul(hidden, net->down), "R");
    outputs[0] = dt_add(sum, inputs[1]);
    outputs[1] = dt_softmax(sum, -1);
    return outputs[1] ? DT_OK : DT_ERR_INVALID;
}

static layer make_layer(fixture *f)
{
    return (layer){make_operand(f, "S(1)", DT_F32, DT_SHAPE(6, 9), 1),
                   make_operand(f, "S(0)", DT_F32, DT_SHAPE(9, 5), 2)};
}

/* Check that two tensors have the same bits and layout. */
static void check_same(dt_tensor *got, dt_tensor *wanted)
{
    dt_array *array = wanted ? read_global(wanted) : NULL;
    if (CHECK(got && array)) {
        CHECK(dt_tensor_spec(got) == dt_tensor_spec(wanted));
        check_global_equals(got, array, NULL);
    }
    dt_array_release(array);
}

static void replays(dt_world *world)
{
    fixture f = open_fixture(world);
    layer net = make_layer(&f);
    dt_graph *graph = NULL;
    dt_executor *executor = NULL;
    dt_tensor *inputs[2], *outputs[2] = {NULL}, *wanted[2], *got[2] = {NULL};
    for (int i = 0; i < 2; i++)
        inputs[i] = make_operand(&f, i ? "R" : "S(0)", DT_F32,
                                 i ? DT_SHAPE(5) : DT_SHAPE(7, 6), 3 + i);
    CHECK_OK(world,
             dt_graph_capture(compute, inputs, 2, outputs, 2, &net, &graph));
    CHECK_INT(dt_graph_input_count(graph), 2);
    CHECK_INT(dt_graph_state_count(graph), 2);
    CHECK_INT(dt_graph_output_count(graph), 2);
    CHECK_OK(world, dt_executor_create(graph, f.mesh, &executor));
    for (int round = 0; round < 3; round++) {
        inputs[0] = make_operand(&f, "S(0)", DT_F32, DT_SHAPE(7, 6), round);
        CHECK_OK(world, compute(world, inputs, 2, wanted, 2, &net));
        CHECK_OK(world, dt_executor_run(executor, inputs, 2, got, 2));
        for (int i = 0; i < 2; i++)
            check_same(got[i], wanted[i]);
    }
    /* An input in another layout is redistributed to that of the capture. */
    dt_tensor *other[] = {dt_redistribute(inputs[0], "R"), inputs[1]};
    CHECK_OK(world, dt_executor_run(executor, other, 2, got, 2));
    for (int i = 0; i < 2; i++)
        check_same(got[i], wanted[i]);
    dt_executor_release(executor);
    dt_graph_release(graph);
    close_without_errors(&f);
}

/* What a run computes with is the memory of the captured tensors. */
static void sees_new_weights(dt_world *world)
{
    fixture f = open_fixture(world);
    layer net = make_layer(&f);
    dt_graph *graph = NULL;
    dt_executor *executor = NULL;
    dt_tensor *inputs[] = {make_operand(&f, "R", DT_F32, DT_SHAPE(3, 6), 1),
                           make_operand(&f, "R", DT_F32, DT_SHAPE(5), 2)};
    dt_tensor *outputs[2], *wanted[2], *got[2] = {NULL};
    CHECK_OK(world,
             dt_graph_capture(compute, inputs, 2, outputs, 2, &net, &graph));
    CHECK_OK(world, dt_executor_create(graph, f.mesh, &executor));
    dt_mul_scalar_(net.up, dt_real(0.5));
    CHECK_OK(world, compute(world, inputs, 2, wanted, 2, &net));
    CHECK_OK(world, dt_executor_run(executor, inputs, 2, got, 2));
    check_same(got[0], wanted[0]);
    dt_executor_release(executor);
    dt_graph_release(graph);
    close_without_errors(&f);
}

/* ---- What cannot be captured --------------------------------------------- */

typedef enum wrong {
    READS_ITEM,
    READS_LOCAL,
    READS_BOX,
    COMPARES,
    PRINTS,
    OVERWRITES,
    WRITES_OUT,
    SETS_NOTHING,
    CAPTURES
} wrong;

static dt_status misbehave(dt_world *world, dt_tensor *const *inputs, int count,
                           dt_tensor **outputs, int output_count, void *arg)
{
    dt_tensor *x = inputs[0], *sum = dt_sum(x, DT_DIMS(), false);
    dt_number number;
    bool same;
    dt_graph *graph = NULL;
    outputs[0] = sum;
    switch (*(wrong *)arg) {
    case READS_ITEM:
        return dt_tensor_item(sum, &number);
    case READS_LOCAL:
        return dt_tensor_local(x) ? DT_OK : dt_world_error(world)->code;
    case READS_BOX:
        return dt_tensor_get(x, NULL, NULL);
    case COMPARES:
        return dt_tensor_equal(x, x, &same);
    case PRINTS:
        dt_tensor_print(x);
        return dt_world_error(world)->code;
    case OVERWRITES:
        return dt_relu_(x) ? DT_OK : dt_world_error(world)->code;
    case WRITES_OUT:
        return dt_relu_out(x, x) ? DT_OK : dt_world_error(world)->code;
    case SETS_NOTHING:
        outputs[0] = NULL;
        return DT_OK;
    default:
        return dt_graph_capture(misbehave, inputs, count, outputs, output_count,
                                arg, &graph);
    }
}

static void refuses(dt_world *world)
{
    static const char *const messages[] = {
        [READS_ITEM] = "dt_tensor_item: reads elements while a graph is "
                       "captured",
        [READS_LOCAL] = "dt_tensor_local: reads elements while a graph is "
                        "captured",
        [READS_BOX] = "dt_tensor_get: reads elements while a graph is captured",
        [COMPARES] = "dt_tensor_equal: reads elements while a graph is "
                     "captured",
        [PRINTS] = "dt_tensor_format: reads elements while a graph is captured",
        [OVERWRITES] = "dt_graph_capture: relu_ overwrites a tensor",
        [WRITES_OUT] = "dt_graph_capture: relu writes to `out`",
        [SETS_NOTHING] = "the function did not set output 0",
        [CAPTURES] = "another graph is being captured",
    };
    fixture f = open_fixture(world);
    dt_tensor *x = make_operand(&f, "R", DT_F32, DT_SHAPE(4), 1), *y = NULL;
    for (wrong i = READS_ITEM; i <= CAPTURES; i++) {
        dt_graph *graph = NULL;
        CHECK_FAILS(world,
                    dt_graph_capture(misbehave, &x, 1, &y, 1, &i, &graph),
                    i == OVERWRITES || i == WRITES_OUT ? DT_ERR_UNSUPPORTED
                                                       : DT_ERR_INVALID,
                    messages[i]);
        CHECK(graph == NULL);
    }
    /* Afterwards everything can be read again. */
    CHECK(dt_tensor_local(x) != NULL);
    close_fixture(&f);
}

/* ---- Models -------------------------------------------------------------- */

enum { weights_max = 64 };

/* Weights by name, made once. */
typedef struct weights {
    int count;
    char names[weights_max][64];
    dt_tensor *tensors[weights_max];
} weights;

static dt_tensor *find_weight(const model_setup *model, const char *name,
                              const char *layout, dt_shape shape)
{
    weights *all = model->arg;
    for (int i = 0; i < all->count; i++)
        if (strcmp(all->names[i], name) == 0)
            return all->tensors[i];
    dt_tensor *made = dt_mul_scalar(
        dt_randn(model->mesh, layout, model->dtype, shape), dt_real(0.2));
    if (CHECK(all->count < weights_max)) {
        snprintf(all->names[all->count], sizeof all->names[0], "%s", name);
        all->tensors[all->count++] = dt_tensor_retain(made);
    }
    return made;
}

typedef struct model_call {
    const model_kind *kind;
    model_setup *setup;
} model_call;

static dt_status call_model(dt_world *world, dt_tensor *const *inputs,
                            int count, dt_tensor **outputs, int output_count,
                            void *arg)
{
    const model_call *call = arg;
    (void)world;
    (void)count;
    (void)output_count;
    model_output output =
        call->kind->forward(call->setup, inputs[0], inputs[1]);
    outputs[0] = output.logits;
    outputs[1] = output.loss;
    return output.loss ? DT_OK : DT_ERR_INVALID;
}

static void replay_model(dt_world *world, const model_kind *kind, bool sequence)
{
    dt_mesh *mesh = NULL;
    weights all = {.count = 0};
    const bool even = dt_world_size(world) % 2 == 0;
    dt_scope *scope = dt_scope_open(world);
    CHECK_OK(world, dt_mesh_create(world, even ? "dp,tp=2" : "dp,tp=1", &mesh));
    model_setup setup = {mesh, DT_F32, sequence, find_weight, &all};
    model_call call = {kind, &setup};
    dt_randint_options range = DT_RANDINT_OPTIONS_INIT;
    dt_graph *graph = NULL;
    dt_executor *executor = NULL;
    range.high = kind->vocabulary;
    dt_tensor *inputs[2], *wanted[2] = {NULL}, *got[2] = {NULL}, *outputs[2];
    for (int i = 0; i < 2; i++)
        inputs[i] = dt_randint(mesh, "S(0)R", DT_I64,
                               DT_SHAPE(kind->batch, kind->time), &range);
    CHECK_OK(world, call_model(world, inputs, 2, wanted, 2, &call));
    if (CHECK_OK(world, dt_graph_capture(call_model, inputs, 2, outputs, 2,
                                         &call, &graph)) &&
        CHECK_OK(world, dt_executor_create(graph, mesh, &executor)))
        for (int round = 0; round < 2; round++) {
            CHECK_OK(world, dt_executor_run(executor, inputs, 2, got, 2));
            for (int i = 0; i < 2; i++)
                check_same(got[i], wanted[i]);
        }
    dt_executor_release(executor);
    dt_graph_release(graph);
    for (int i = 0; i < all.count; i++)
        dt_tensor_release(all.tensors[i]);
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
}

static void replays_gpt(dt_world *world)
{
    replay_model(world, &model_gpt, false);
    replay_model(world, &model_gpt, true);
}

static void replays_llama(dt_world *world)
{
    replay_model(world, &model_llama, false);
    replay_model(world, &model_llama, true);
}

const dt_test dt_tests[] = {
    {"replays with the same bits", replays},
    {"sees new weights", sees_new_weights},
    {"refuses what a graph cannot do", refuses},
    {"replays a GPT", replays_gpt},
    {"replays a Llama", replays_llama},
    {NULL, NULL},
};
