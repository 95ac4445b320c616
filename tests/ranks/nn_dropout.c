/* ranks: 1 2 3 4 7 */
/* tests/ranks/nn_dropout.c - gradients of a model with dropout. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include <dtensor/autograd.h>
#include <dtensor/nn.h>
#include <dtensor/parallel.h>

#include "support/tensors.h"

enum { BATCH = 2, TIME = 6, WORDS = 11 };

static dt_module *make_gpt(fixture *f)
{
    dt_transformer shape = DT_TRANSFORMER_INIT;
    shape.width = 12;
    shape.layers = 2;
    shape.heads = 3;
    shape.vocabulary = WORDS;
    shape.positions = TIME;
    shape.dropout = 0.3;
    shape.dtype = DT_F64;
    int count = 0;
    const dt_parallel_rule *rules = dt_gpt_rules(false, &count);
    dt_module *model = dt_nn_gpt(f->world, &shape);
    CHECK_OK(f->world, dt_parallelize(model, f->mesh, rules, count, NULL));
    return model;
}

static dt_tensor *make_tokens(fixture *f, int salt)
{
    double values[BATCH * TIME];
    for (int i = 0; i < BATCH * TIME; i++)
        values[i] = (i * 7 + salt * 3 + i * i) % WORDS;
    return tensor_of(f->mesh, "R", DT_I64, DT_SHAPE(BATCH, TIME), values);
}

/* The loss with one set of dropped elements, whatever the parameters. */
static dt_tensor *loss_of(fixture *f, dt_module *model)
{
    CHECK_OK(f->world, dt_seed(f->world, 5));
    return dt_token_loss(dt_module_call(model, make_tokens(f, 0)),
                         make_tokens(f, 1));
}

static double value_of(fixture *f, dt_tensor *loss)
{
    dt_number value = dt_real(0);
    CHECK_OK(f->world, dt_tensor_item(loss, &value));
    return dt_number_real(value);
}

/* Move a parameter along its gradient, without recording it. */
static void move(fixture *f, dt_parameter *parameter, double distance)
{
    dt_scope_options options = DT_SCOPE_OPTIONS_INIT;
    options.gradients = DT_TRISTATE_OFF;
    dt_scope *scope = dt_scope_open_with(f->world, &options);
    dt_tensor *tensor = dt_parameter_tensor(parameter);
    dt_add_(tensor, dt_mul_scalar(dt_tensor_grad(tensor), dt_real(distance)));
    CHECK_OK(f->world, dt_scope_close(scope));
}

/* The loss changes by the square of the gradient times the distance: the
 * gradient drops what the forward pass dropped. */
static void agrees_with_differences(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_module *model = make_gpt(&f);
    dt_tensor *loss = loss_of(&f, model);
    CHECK(value_of(&f, loss) !=
          value_of(&f, dt_token_loss(dt_module_call(model, make_tokens(&f, 0)),
                                     make_tokens(&f, 1))));
    CHECK_OK(world, dt_backward(loss));
    int count = 0;
    const dt_named_parameter *all = dt_module_parameters(model, &count);
    for (int i = 0; i < count; i++) {
        dt_tensor *grad = dt_tensor_grad(dt_parameter_tensor(all[i].parameter));
        if (!CHECK(grad != NULL))
            continue;
        const double square =
            value_of(&f, dt_sum(dt_square(grad), DT_DIMS(), false));
        const double step = 1e-5 / fmax(sqrt(square), 1e-3);
        move(&f, all[i].parameter, step);
        const double above = value_of(&f, loss_of(&f, model));
        move(&f, all[i].parameter, -2 * step);
        const double below = value_of(&f, loss_of(&f, model));
        move(&f, all[i].parameter, step);
        const double slope = (above - below) / (2 * step);
        CHECKF(fabs(slope - square) < 1e-6 * square + 1e-9,
               "%s: %.9g, not %.9g", all[i].name, slope, square);
    }
    close_without_errors(&f);
}

const dt_test dt_tests[] = {
    {"gradients with dropout agree with differences", agrees_with_differences},
    {0},
};
