/* ranks: 1 2 3 4 7 */
/* tests/ranks/nn_optimizer.c - optimisers on parameters in any layout. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include <dtensor/autograd.h>
#include <dtensor/nn.h>
#include <dtensor/optim.h>
#include <dtensor/parallel.h>

#include "support/tensors.h"

/* A linear layer, whose weight is (3, 5). */
enum { ROWS = 3, COLUMNS = 5, COUNT = ROWS * COLUMNS, STEPS = 4 };

typedef struct layer {
    fixture f;
    dt_module *module;
} layer;

/* ---- A layer with given gradients --------------------------------------- */

static dt_status partition(const dt_distribution *at, const char *name,
                           dt_module *module)
{
    (void)name;
    return dt_distribute_parameter(at, module, "weight",
                                   *(const char **)at->arg);
}

/* In f64, so that sums in another order do not matter. */
static layer open_layer(dt_world *world, const char *layout)
{
    layer l = {.f = open_fixture(world)};
    dt_nn_options linear = DT_NN_OPTIONS_INIT;
    linear.dtype = DT_F64;
    l.module = dt_nn_linear(world, COLUMNS, ROWS, &linear);
    dt_distribute_module_options options = DT_DISTRIBUTE_MODULE_OPTIONS_INIT;
    options.partition = partition;
    options.arg = &layout;
    CHECK_OK(world, dt_distribute_module(l.module, l.f.mesh, &options));
    return l;
}

static dt_tensor *weight_of(layer *l)
{
    return dt_parameter_tensor(dt_module_parameter(l->module, "weight"));
}

/* The gradient of an element in a step: no two are alike. */
static double grad_at(int step, int64_t i)
{
    return sin(1.0 + (double)i + 3.0 * step) * (step == 1 ? 20 : 1);
}

static void set_grad(layer *l, const char *layout, int step)
{
    double values[COUNT];
    for (int i = 0; i < COUNT; i++)
        values[i] = grad_at(step, i);
    dt_tensor *grad =
        tensor_of(l->f.mesh, layout, DT_F64, DT_SHAPE(ROWS, COLUMNS), values);
    CHECK_OK(l->f.world, dt_tensor_set_grad(weight_of(l), grad));
}

static void check_weight(layer *l, const double *wanted)
{
    double values[COUNT];
    read_tensor(weight_of(l), values);
    for (int i = 0; i < COUNT; i++)
        CHECKF(fabs(values[i] - wanted[i]) < 1e-12, "element %d: %g, not %g", i,
               values[i], wanted[i]);
}

/* ---- By the definition --------------------------------------------------- */

typedef struct adam_element {
    double weight, mean, square, largest;
} adam_element;

static void adam_by_definition(adam_element *e, const dt_adamw_options *o,
                               double grad, int step)
{
    const double g = o->maximize ? -grad : grad;
    e->weight *= 1 - o->lr * o->weight_decay;
    e->mean = o->beta1 * e->mean + (1 - o->beta1) * g;
    e->square = o->beta2 * e->square + (1 - o->beta2) * g * g;
    e->largest = fmax(e->largest, e->square);
    const double square = o->amsgrad ? e->largest : e->square;
    const double root = sqrt(square / (1 - pow(o->beta2, step)));
    e->weight -= o->lr * e->mean / (1 - pow(o->beta1, step)) / (root + o->eps);
}

static void run_adam(dt_world *world, const char *layout,
                     const dt_adamw_options *options)
{
    layer l = open_layer(world, layout);
    dt_optimizer *optimizer = NULL;
    double wanted[COUNT];
    adam_element elements[COUNT] = {{0}};
    read_tensor(weight_of(&l), wanted);
    for (int i = 0; i < COUNT; i++)
        elements[i].weight = wanted[i];
    CHECK_OK(world, dt_adamw_create(l.module, options, &optimizer));
    for (int step = 1; step <= STEPS; step++) {
        set_grad(&l, layout, step);
        start_counting(&l.f);
        CHECK_OK(world, dt_optimizer_step(optimizer));
        check_silent(&l.f);
        for (int i = 0; i < COUNT; i++) {
            adam_by_definition(&elements[i], options, grad_at(step, i), step);
            wanted[i] = elements[i].weight;
        }
        check_weight(&l, wanted);
    }
    CHECK_OK(world, dt_optimizer_zero_grad(optimizer));
    CHECK(dt_tensor_grad(weight_of(&l)) == NULL);
    dt_optimizer_release(optimizer);
    close_without_errors(&l.f);
}

static const char *const layouts[] = {"R", "S(0)", "S(1)"};

static void steps_adamw(dt_world *world)
{
    for (int i = 0; i < 3; i++) {
        dt_adamw_options options = DT_ADAMW_OPTIONS_INIT;
        options.lr = 0.05;
        options.weight_decay = 0.1;
        run_adam(world, layouts[i], &options);
        options.amsgrad = true;
        options.maximize = true;
        run_adam(world, layouts[i], &options);
    }
}

static void sgd_by_definition(double *weight, double *momentum,
                              const dt_sgd_options *o, double grad, int step)
{
    double g = (o->maximize ? -grad : grad) + o->weight_decay * *weight;
    if (o->momentum != 0) {
        *momentum =
            step == 1 ? g : o->momentum * *momentum + (1 - o->dampening) * g;
        g = o->nesterov ? g + o->momentum * *momentum : *momentum;
    }
    *weight -= o->lr * g;
}

static void run_sgd(dt_world *world, const char *layout,
                    const dt_sgd_options *options)
{
    layer l = open_layer(world, layout);
    dt_optimizer *optimizer = NULL;
    double wanted[COUNT], momenta[COUNT] = {0};
    read_tensor(weight_of(&l), wanted);
    CHECK_OK(world, dt_sgd_create(l.module, options, &optimizer));
    for (int step = 1; step <= STEPS; step++) {
        set_grad(&l, layout, step);
        CHECK_OK(world, dt_optimizer_step(optimizer));
        for (int i = 0; i < COUNT; i++)
            sgd_by_definition(&wanted[i], &momenta[i], options,
                              grad_at(step, i), step);
        check_weight(&l, wanted);
    }
    dt_optimizer_release(optimizer);
    close_without_errors(&l.f);
}

static void steps_sgd(dt_world *world)
{
    for (int i = 0; i < 3; i++) {
        dt_sgd_options options = DT_SGD_OPTIONS_INIT;
        options.lr = 0.1;
        run_sgd(world, layouts[i], &options);
        options.momentum = 0.9;
        options.dampening = 0.3;
        options.weight_decay = 0.02;
        run_sgd(world, layouts[i], &options);
        options.dampening = 0;
        options.nesterov = true;
        options.maximize = true;
        run_sgd(world, layouts[i], &options);
    }
}

/* ---- What belongs to it -------------------------------------------------- */

/* Moments follow a parameter that gets another layout, and the steps go on as
 * if it had had that from the beginning. */
static void follows_parameters(dt_world *world)
{
    layer l = open_layer(world, "S(0)");
    dt_parameter *weight = dt_module_parameter(l.module, "weight");
    dt_adamw_options options = DT_ADAMW_OPTIONS_INIT;
    dt_optimizer *optimizer = NULL;
    adam_element elements[COUNT] = {{0}};
    double wanted[COUNT];
    read_tensor(weight_of(&l), wanted);
    for (int i = 0; i < COUNT; i++)
        elements[i].weight = wanted[i];
    CHECK_OK(world, dt_adamw_create(l.module, &options, &optimizer));
    for (int step = 1; step <= 2; step++) {
        const char *layout = step == 1 ? "S(0)" : "S(1)";
        set_grad(&l, layout, step);
        CHECK_OK(world, dt_optimizer_step(optimizer));
        for (int i = 0; i < COUNT; i++) {
            adam_by_definition(&elements[i], &options, grad_at(step, i), step);
            wanted[i] = elements[i].weight;
        }
        check_weight(&l, wanted);
        CHECK_OK(world, dt_parameter_set(
                            weight,
                            dt_redistribute(dt_detach(weight_of(&l)), "S(1)")));
    }
    dt_optimizer_release(optimizer);
    close_without_errors(&l.f);
}

static void sets_by_pattern(dt_world *world)
{
    layer l = open_layer(world, "S(0)");
    dt_sgd_options options = DT_SGD_OPTIONS_INIT;
    options.lr = 0.5;
    options.weight_decay = 0.1;
    dt_optimizer *optimizer = NULL;
    double wanted[COUNT];
    read_tensor(weight_of(&l), wanted);
    CHECK_OK(world, dt_sgd_create(l.module, &options, &optimizer));
    CHECK_FAILS(world, dt_optimizer_set(optimizer, "*.weight", 0, 1),
                DT_ERR_NOT_FOUND, "no parameter matches *.weight");
    CHECK_FAILS(world, dt_optimizer_set(optimizer, "weight", -1, 1),
                DT_ERR_INVALID, "weight_decay is -1");
    CHECK_OK(world, dt_optimizer_set(optimizer, "w*", 0.3, 2));
    CHECK_OK(world, dt_optimizer_set_lr(optimizer, 0.25));
    CHECK(dt_optimizer_lr(optimizer) == 0.25);
    CHECK_FAILS(world, dt_optimizer_set_lr(optimizer, NAN), DT_ERR_INVALID,
                "lr is");
    set_grad(&l, "S(0)", 1);
    CHECK_OK(world, dt_optimizer_step(optimizer));
    for (int i = 0; i < COUNT; i++)
        wanted[i] -= 0.25 * 2 * (grad_at(1, i) + 0.3 * wanted[i]);
    check_weight(&l, wanted);
    dt_optimizer_release(optimizer);
    close_fixture(&l.f);
}

static void clips_gradients(dt_world *world)
{
    layer l = open_layer(world, "S(1)");
    dt_optimizer *optimizer = NULL;
    double norm = -1, sum = 0, wanted[COUNT];
    CHECK_OK(world, dt_sgd_create(l.module, NULL, &optimizer));
    CHECK_OK(world, dt_optimizer_clip(optimizer, 1, &norm));
    CHECK(norm == 0);
    set_grad(&l, "S(1)", 1);
    for (int i = 0; i < COUNT; i++)
        sum += grad_at(1, i) * grad_at(1, i);
    CHECK_OK(world, dt_optimizer_clip(optimizer, 2, &norm));
    CHECK(is_close(norm, sqrt(sum)));
    for (int i = 0; i < COUNT; i++)
        wanted[i] = grad_at(1, i) * 2 / sqrt(sum);
    check_values(dt_tensor_grad(weight_of(&l)), wanted, COUNT);
    CHECK_FAILS(world, dt_optimizer_clip(optimizer, 0, NULL), DT_ERR_INVALID,
                "max_norm is 0");
    dt_optimizer_release(optimizer);
    close_fixture(&l.f);
}

/* An overflow on one rank alone skips the step on all. */
static void skips_overflows(dt_world *world)
{
    layer l = open_layer(world, "S(0)");
    dt_optimizer *optimizer = NULL;
    dt_scaler scaler = {.scale = 8};
    double before[COUNT], values[COUNT];
    bool stepped = true;
    CHECK_OK(world, dt_sgd_create(l.module, NULL, &optimizer));
    read_tensor(weight_of(&l), before);
    for (int i = 0; i < COUNT; i++)
        values[i] = i == COUNT - 1 ? HUGE_VAL : i;
    dt_tensor *grad =
        tensor_of(l.f.mesh, "S(0)", DT_F64, DT_SHAPE(ROWS, COLUMNS), values);
    CHECK_OK(world, dt_tensor_set_grad(weight_of(&l), grad));
    CHECK_OK(world, dt_scaler_step(&scaler, optimizer, &stepped));
    CHECK(!stepped && scaler.scale == 4);
    check_weight(&l, before);
    set_grad(&l, "S(0)", 1);
    CHECK_OK(world, dt_scaler_step(&scaler, optimizer, &stepped));
    CHECK(stepped && scaler.scale == 4 && scaler.good == 1);
    for (int i = 0; i < COUNT; i++)
        before[i] -= 1e-3 * grad_at(1, i) / 4;
    check_weight(&l, before);
    dt_optimizer_release(optimizer);
    close_without_errors(&l.f);
}

/* A state taken after two steps makes the third the same again, in another
 * optimiser and layout. */
static void saves_its_state(dt_world *world)
{
    layer l = open_layer(world, "S(0)"), other;
    dt_optimizer *optimizer = NULL, *second = NULL;
    dt_state *state = NULL;
    double wanted[COUNT], start[COUNT];
    CHECK_OK(world, dt_adamw_create(l.module, NULL, &optimizer));
    for (int step = 1; step <= 2; step++) {
        set_grad(&l, "S(0)", step);
        CHECK_OK(world, dt_optimizer_step(optimizer));
    }
    CHECK_OK(world, dt_state_create(world, &state));
    CHECK_OK(world, dt_optimizer_get_state(optimizer, state));
    CHECK_INT(dt_state_count(state), 6);
    int64_t steps = 0;
    CHECK_OK(world, dt_state_integer(state, "weight.step", &steps));
    CHECK_INT(steps, 2);
    read_tensor(weight_of(&l), start);
    other = open_layer(world, "S(1)");
    CHECK_OK(world,
             dt_parameter_set(dt_module_parameter(other.module, "weight"),
                              tensor_of(other.f.mesh, "S(1)", DT_F64,
                                        DT_SHAPE(ROWS, COLUMNS), start)));
    CHECK_OK(world, dt_adamw_create(other.module, NULL, &second));
    CHECK_OK(world, dt_optimizer_set_state(second, state));
    set_grad(&other, "S(1)", 3);
    CHECK_OK(world, dt_optimizer_step(second));
    set_grad(&l, "S(0)", 3);
    CHECK_OK(world, dt_optimizer_step(optimizer));
    read_tensor(weight_of(&l), wanted);
    check_weight(&other, wanted);
    CHECK_OK(world, dt_state_set_tensor(
                        state, "weight.exp_avg",
                        dt_zeros(l.f.mesh, NULL, DT_F64, DT_SHAPE(2, 2))));
    CHECK_FAILS(world, dt_optimizer_set_state(second, state), DT_ERR_INVALID,
                "reshape");
    CHECK_OK(world, dt_state_remove(state, "weight.exp_avg"));
    CHECK_FAILS(world, dt_optimizer_set_state(second, state), DT_ERR_NOT_FOUND,
                "weight.exp_avg");
    dt_optimizer_release(second);
    close_fixture(&other.f);
    dt_state_release(state);
    dt_optimizer_release(optimizer);
    close_fixture(&l.f);
}

static void names_wrong_options(dt_world *world)
{
    layer l = open_layer(world, "R");
    dt_optimizer *optimizer = NULL;
    dt_adamw_options adamw = DT_ADAMW_OPTIONS_INIT;
    adamw.beta2 = 1;
    CHECK_FAILS(world, dt_adamw_create(l.module, &adamw, &optimizer),
                DT_ERR_INVALID, "beta2 is 1");
    dt_sgd_options sgd = DT_SGD_OPTIONS_INIT;
    sgd.nesterov = true;
    CHECK_FAILS(world, dt_sgd_create(l.module, &sgd, &optimizer),
                DT_ERR_INVALID, "nesterov needs a momentum");
    CHECK_OK(world, dt_parameter_freeze(dt_module_parameter(l.module, "weight"),
                                        true));
    CHECK_OK(world,
             dt_parameter_freeze(dt_module_parameter(l.module, "bias"), true));
    CHECK_FAILS(world, dt_sgd_create(l.module, NULL, &optimizer),
                DT_ERR_INVALID, "no parameter to train");
    CHECK(optimizer == NULL);
    close_fixture(&l.f);
}

const dt_test dt_tests[] = {
    {"AdamW by its definition", steps_adamw},
    {"gradient descent by its definition", steps_sgd},
    {"moments follow their parameters", follows_parameters},
    {"options by patterns of names", sets_by_pattern},
    {"clipping by the norm of all gradients", clips_gradients},
    {"an overflow on one rank skips the step", skips_overflows},
    {"states go to another optimiser and layout", saves_its_state},
    {"options that are wrong", names_wrong_options},
    {0},
};
