/* ranks: 1 2 3 4 7 */
/* tests/ranks/autograd_checkpoint.c - parts of a program that run again in the
 * backward pass. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/autograd.h>
#include <dtensor/memory.h>

#include "support/tensors.h"

enum { ROWS = 7, COLUMNS = 3, COUNT = ROWS * COLUMNS, LAYERS = 4 };

/* What the function is given besides its input. */
typedef struct layer {
    dt_tensor *weight;
    int runs;
    bool draws;   /* it multiplies by random numbers */
    bool differs; /* it makes other calls the second time */
    bool forgets; /* to set its output */
} layer;

static dt_tensor *random_factor(dt_tensor *like)
{
    return dt_rand(dt_tensor_mesh(like), NULL, DT_F32, dt_tensor_shape(like));
}

static dt_status run_layer(dt_world *world, dt_tensor *const *inputs,
                           int input_count, dt_tensor **outputs,
                           int output_count, void *arg)
{
    layer *at = arg;
    (void)world;
    CHECK_INT(input_count, 1);
    CHECK_INT(output_count, 1);
    at->runs++;
    dt_tensor *y = dt_tanh(dt_mul(inputs[0], at->weight));
    if (at->draws)
        y = dt_mul(y, random_factor(y));
    if (at->differs && at->runs > 1)
        y = dt_mul(y, y);
    outputs[0] = at->forgets ? NULL : dt_tanh(y);
    return DT_OK;
}

static dt_tensor *make_weight(fixture *f, const char *layout, int salt)
{
    return dt_requires_grad(dt_mul_scalar(
        make_operand(f, layout, DT_F32, DT_SHAPE(ROWS, COLUMNS), salt),
        DT_NUMBER(0.125)));
}

/* The loss of layers, each a section or not. */
static dt_tensor *forward(dt_tensor *x, layer *layers, bool sections)
{
    for (int i = 0; i < LAYERS; i++) {
        dt_tensor *next = NULL;
        if (sections)
            CHECK_OK(dt_tensor_world(x),
                     dt_checkpoint(run_layer, &x, 1, &next, 1, &layers[i]));
        else
            CHECK_OK(dt_tensor_world(x), run_layer(dt_tensor_world(x), &x, 1,
                                                   &next, 1, &layers[i]));
        x = next;
    }
    return dt_sum(x, DT_DIMS(), false);
}

static void make_layers(fixture *f, const char *layout, bool draws,
                        layer *layers)
{
    for (int i = 0; i < LAYERS; i++)
        layers[i] =
            (layer){.weight = make_weight(f, layout, i), .draws = draws};
}

/* Gradients are those of a program without sections, random numbers included.
 */
static void check_same(dt_world *world, const char *layout, bool draws)
{
    fixture f = open_fixture(world);
    layer layers[LAYERS];
    double wanted[LAYERS][COUNT];
    make_layers(&f, layout, draws, layers);
    dt_tensor *x = make_tensor(&f, "S(0)", DT_F32, DT_SHAPE(ROWS, COLUMNS));
    CHECK_OK(world, dt_seed(world, 5));
    CHECK_OK(world, dt_backward(forward(x, layers, false)));
    for (int i = 0; i < LAYERS; i++) {
        CHECK(read_tensor(dt_tensor_grad(layers[i].weight), wanted[i]));
        CHECK_OK(world, dt_tensor_set_grad(layers[i].weight, NULL));
        CHECK_INT(layers[i].runs, 1);
    }
    CHECK_OK(world, dt_seed(world, 5));
    CHECK_OK(world, dt_backward(forward(x, layers, true)));
    for (int i = 0; i < LAYERS; i++) {
        check_values(dt_tensor_grad(layers[i].weight), wanted[i], COUNT);
        CHECK_INT(layers[i].runs, 3);
    }
    close_without_errors(&f);
}

static void gives_the_same_gradients(dt_world *world)
{
    check_same(world, "S(0)", false);
    check_same(world, "S(1)", false);
    check_same(world, "R", false);
}

static void draws_the_same_numbers(dt_world *world)
{
    check_same(world, "S(0)", true);
    check_same(world, "R", true);
}

/* What the calls of a section save is released when it returns. */
static void keeps_the_inputs_alone(dt_world *world)
{
    enum { SIZE = 1 << 16 };
    size_t used[2];
    for (int sections = 0; sections < 2; sections++) {
        fixture f = open_fixture(world);
        dt_memory_stats before, after;
        layer layers[LAYERS] = {{0}};
        dt_tensor *x = dt_ones(f.mesh, "R", DT_F32, DT_SHAPE(SIZE));
        for (int i = 0; i < LAYERS; i++)
            layers[i].weight =
                dt_requires_grad(dt_ones(f.mesh, "R", DT_F32, DT_SHAPE(1)));
        dt_memory_read(world, &before);
        dt_scope *scope = dt_scope_open(world);
        dt_tensor *loss = dt_scope_keep(forward(x, layers, sections == 1));
        CHECK_OK(world, dt_scope_close(scope));
        dt_memory_read(world, &after);
        used[sections] = after.used - before.used;
        CHECK_OK(world, dt_backward(loss));
        close_without_errors(&f);
    }
    CHECKF(used[1] * 3 < used[0] * 2, "%zu bytes with sections, %zu without",
           used[1], used[0]);
}

static void names_missing_outputs(dt_world *world)
{
    fixture f = open_fixture(world);
    layer at = {.weight = make_weight(&f, "S(0)", 1), .forgets = true};
    dt_tensor *x = make_tensor(&f, "S(0)", DT_F32, DT_SHAPE(ROWS, COLUMNS));
    dt_tensor *y = NULL;
    CHECK_FAILS(world, dt_checkpoint(run_layer, &x, 1, &y, 1, &at),
                DT_ERR_INVALID, "output of the function");
    close_fixture(&f);
}

static void names_mistakes(dt_world *world)
{
    fixture f = open_fixture(world);
    layer at = {.weight = make_weight(&f, "S(0)", 1), .differs = true};
    dt_tensor *x = make_tensor(&f, "S(0)", DT_F32, DT_SHAPE(ROWS, COLUMNS));
    dt_tensor *y = NULL;
    CHECK_OK(world, dt_checkpoint(run_layer, &x, 1, &y, 1, &at));
    CHECK_FAILS(world, dt_backward(dt_sum(y, DT_DIMS(), false)), DT_ERR_INVALID,
                "must make the same calls");
    CHECK(dt_tensor_grad(at.weight) == NULL);
    at = (layer){.weight = at.weight};
    CHECK_OK(world, dt_checkpoint(run_layer, &x, 1, &y, 1, &at));
    CHECK(dt_mul_(x, x) != NULL);
    CHECK_FAILS(world, dt_backward(dt_sum(y, DT_DIMS(), false)), DT_ERR_INVALID,
                "was overwritten");
    close_fixture(&f);
}

/* ---- Sections inside sections ------------------------------------------- */

static dt_status run_pair(dt_world *world, dt_tensor *const *inputs,
                          int input_count, dt_tensor **outputs,
                          int output_count, void *arg)
{
    layer *pair = arg;
    dt_tensor *between = NULL;
    DT_TRY(
        dt_checkpoint(run_layer, inputs, input_count, &between, 1, &pair[0]));
    between = dt_mul(between, random_factor(between));
    return run_layer(world, &between, 1, outputs, output_count, &pair[1]);
}

static void sections_nest(dt_world *world)
{
    fixture f = open_fixture(world);
    layer layers[LAYERS];
    double wanted[2][COUNT];
    dt_tensor *x = make_tensor(&f, "S(0)", DT_F32, DT_SHAPE(ROWS, COLUMNS));
    dt_tensor *y = NULL;
    make_layers(&f, "S(1)", true, layers);
    CHECK_OK(world, dt_seed(world, 7));
    CHECK_OK(world, run_layer(world, &x, 1, &y, 1, &layers[0]));
    y = dt_mul(y, random_factor(y));
    CHECK_OK(world, run_layer(world, &y, 1, &y, 1, &layers[1]));
    CHECK_OK(world, dt_backward(dt_sum(y, DT_DIMS(), false)));
    for (int i = 0; i < 2; i++) {
        CHECK(read_tensor(dt_tensor_grad(layers[i].weight), wanted[i]));
        CHECK_OK(world, dt_tensor_set_grad(layers[i].weight, NULL));
    }
    CHECK_OK(world, dt_seed(world, 7));
    CHECK_OK(world, dt_checkpoint(run_pair, &x, 1, &y, 1, layers));
    CHECK_OK(world, dt_backward(dt_sum(y, DT_DIMS(), false)));
    for (int i = 0; i < 2; i++)
        check_values(dt_tensor_grad(layers[i].weight), wanted[i], COUNT);
    close_without_errors(&f);
}

const dt_test dt_tests[] = {
    {"gives the same gradients", gives_the_same_gradients},
    {"draws the same numbers", draws_the_same_numbers},
    {"keeps the inputs alone", keeps_the_inputs_alone},
    {"names missing outputs", names_missing_outputs},
    {"names mistakes", names_mistakes},
    {"sections nest", sections_nest},
    {NULL, NULL},
};
