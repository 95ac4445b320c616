/* ranks: 1 2 3 4 7 */
/* tests/ranks/autograd_failures.c - backward passes that fail: ranks that
 * diverge or are lost, limits of scopes. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include <dtensor/autograd.h>

#include "array/array.h"
#include "ranks/lost.h"
#include "support/tensors.h"

enum { ROWS = 7, COLUMNS = 3, COUNT = ROWS * COLUMNS };

static dt_shape shape(void)
{
    return DT_SHAPE(ROWS, COLUMNS);
}

/* tanh(x v) w, added up: the gradient of w is complete before that of v. */
typedef struct model {
    fixture f;
    dt_tensor *v, *w; /* (1, COLUMNS), replicated */
    dt_tensor *hidden;
    dt_tensor *loss;
} model;

static model open_model(dt_world *world)
{
    model m = {.f = open_fixture(world)};
    const dt_shape row = DT_SHAPE(1, COLUMNS);
    dt_tensor *x = make_operand(&m.f, "S(0)", DT_F32, shape(), 0);
    m.v = dt_requires_grad(dt_full(m.f.mesh, "R", DT_F32, row, 0));
    m.w = dt_requires_grad(dt_full(m.f.mesh, "R", DT_F32, row, 2));
    dt_world_set_module(world, "layers.0");
    m.hidden = dt_tanh(dt_mul(x, m.v));
    dt_world_set_module(world, "layers.1");
    m.loss = dt_sum(dt_mul(m.hidden, m.w), DT_DIMS(), false);
    dt_world_set_module(world, NULL);
    return m;
}

/* That of v is 2 x; that of w is 0. */
static void check_gradients(const model *m)
{
    double by_v[COLUMNS] = {0}, by_w[COLUMNS] = {0};
    for (int i = 0; i < COUNT; i++)
        by_v[i % COLUMNS] += 2 * operand_at(0, i);
    check_values(dt_tensor_grad(m->v), by_v, COLUMNS);
    check_values(dt_tensor_grad(m->w), by_w, COLUMNS);
}

static void close_model(model *m)
{
    close_fixture(&m->f);
    CHECK_OK(m->f.world, dt_world_recover(m->f.world));
}

/* A gradient is complete or is not there. */
static void check_whole(dt_world *world, dt_tensor *leaf)
{
    dt_tensor *grad = dt_tensor_grad(leaf);
    if (grad)
        CHECK_OK(world, dti_array_settle(world, dt_tensor_local(grad)));
}

static void check_message(dt_world *world, dt_status code, const char *text)
{
    const dt_error *error = dt_world_error(world);
    CHECKF(error->code == code && strstr(error->message, text), "%s: %s",
           dt_status_name(error->code), error->message);
}

/* ---- Divergence --------------------------------------------------------- */

static dt_tensor *scale(dt_tensor *gradient, void *arg)
{
    const dt_world *world = arg;
    return dt_mul_scalar(gradient, dt_integer(is_failing(world) ? 3 : 2));
}

/* Both calls are named with the operator whose gradient they belong to. */
static void divergence_names_the_forward(dt_world *world)
{
    if (dt_world_size(world) == 1 || dt_test_skip_uncompared(world))
        return;
    model m = open_model(world);
    char odd[96];
    CHECK_OK(world, dt_tensor_add_hook(m.hidden, scale, world, NULL));
    CHECK_INT(dt_backward(m.loss), DT_ERR_DIVERGED);
    check_message(world, DT_ERR_DIVERGED, "dt_backward: the gradient of ");
    check_message(world, DT_ERR_DIVERGED, "gradients are complete");
    snprintf(odd, sizeof odd,
             "rank %d called mul_scalar(other=3) in layers.0, the gradient of "
             "tanh",
             dt_world_size(world) - 1);
    check_message(world, DT_ERR_DIVERGED, odd);
    check_whole(world, m.v);
    check_whole(world, m.w);
    close_model(&m);
}

/* ---- Lost ranks --------------------------------------------------------- */

static dt_tensor *lose_rank(dt_tensor *gradient, void *arg)
{
    dt_world *world = arg;
    fail_last(world);
    return is_failing(world) ? NULL : gradient;
}

/* The last rank fails in the middle of a pass, the others learn why. */
static void lost_ranks_are_named(dt_world *world)
{
    if (SKIP_ON(world, "mpi", "a rank that fails ends the job") ||
        dt_world_size(world) == 1)
        return;
    for (int synchronous = 0; synchronous < 2; synchronous++) {
        model m = open_model(world);
        dt_backward_options options = DT_BACKWARD_OPTIONS_INIT;
        options.synchronous = synchronous;
        CHECK_OK(world, dt_tensor_add_hook(m.hidden, lose_rank, world, NULL));
        const dt_status status = dt_backward_with(&m.loss, 1, &options);
        if (!is_failing(world)) {
            CHECK_INT(status, DT_ERR_PEER);
            check_message(world, DT_ERR_PEER, SENTENCE);
            check_message(world, DT_ERR_PEER, "the gradient of ");
        } else {
            CHECK(status != DT_OK);
        }
        CHECK(!dt_tensor_grad(m.v));
        check_whole(world, m.w);
        close_model(&m);
        model again = open_model(world);
        CHECK_OK(world, dt_backward(again.loss));
        check_gradients(&again);
        close_without_errors(&again.f);
    }
}

/* ---- Limits of scopes --------------------------------------------------- */

static void budgets_name_the_forward(dt_world *world)
{
    if (SKIP_ON(world, "mpi", "a rank that fails ends the job") ||
        dt_world_size(world) == 1)
        return;
    model m = open_model(world);
    dt_scope_options options = DT_SCOPE_OPTIONS_INIT;
    options.budget = "all_reduce<=1";
    dt_scope *scope = dt_scope_open_with(world, &options);
    const dt_status status = dt_backward(m.loss);
    /* Ranks that were told of the failure first fail with DT_ERR_PEER. */
    CHECK(status == DT_ERR_INVALID || status == DT_ERR_PEER);
    check_message(world, status, "dt_backward: the gradient of mul in layers.");
    check_message(world, status, "the budget \"all_reduce<=1\"");
    CHECK(!dt_tensor_grad(m.v));
    check_whole(world, m.w);
    DT_IGNORE(dt_scope_close(scope));
    close_model(&m);
}

static void strict_scopes_name_the_forward(dt_world *world)
{
    if (dt_world_size(world) == 1)
        return;
    fixture f = open_fixture(world);
    dt_tensor *x =
        dt_requires_grad(make_operand(&f, "S(0)", DT_F32, shape(), 0));
    dt_tensor *y = dt_mul(x, make_operand(&f, "S(0)", DT_F32, shape(), 1));
    dt_tensor *grad = make_operand(&f, "S(1)", DT_F32, shape(), 2);
    dt_backward_options options = DT_BACKWARD_OPTIONS_INIT;
    options.grads = &grad;
    dt_scope_options strict = DT_SCOPE_OPTIONS_INIT;
    strict.mode = DT_SCOPE_STRICT;
    dt_scope *scope = dt_scope_open_with(world, &strict);
    CHECK_INT(dt_backward_with(&y, 1, &options), DT_ERR_INVALID);
    check_message(world, DT_ERR_INVALID,
                  "dt_backward_with: the gradient of mul; 0 of 1 gradients are "
                  "complete, the others unchanged: mul: ");
    check_message(world, DT_ERR_INVALID, "redistributed implicitly");
    DT_IGNORE(dt_scope_close(scope));
    close_fixture(&f);
}

const dt_test dt_tests[] = {
    {"divergence names the forward", divergence_names_the_forward},
    {"lost ranks are named", lost_ranks_are_named},
    {"budgets name the forward", budgets_name_the_forward},
    {"strict scopes name the forward", strict_scopes_name_the_forward},
    {NULL, NULL},
};
