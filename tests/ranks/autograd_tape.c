/* ranks: 1 2 3 4 7 */
/* tests/ranks/autograd_tape.c - recording calls, and gradients of leaves. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/autograd.h>
#include <dtensor/redistribute.h>

#include "support/tensors.h"

enum { ROWS = 7, COLUMNS = 3, COUNT = ROWS * COLUMNS };

static dt_shape shape(void)
{
    return DT_SHAPE(ROWS, COLUMNS);
}

/* A leaf of the values that make_operand has. */
static dt_tensor *make_leaf(fixture *f, const char *layout, int salt)
{
    return dt_requires_grad(make_operand(f, layout, DT_F32, shape(), salt));
}

static dt_tensor *sum_of(dt_tensor *tensor)
{
    return dt_sum(tensor, DT_DIMS(), false);
}

static void check_product(dt_tensor *gradient, int salt, double factor)
{
    double wanted[COUNT];
    for (int i = 0; i < COUNT; i++)
        wanted[i] = factor * operand_at(salt, i);
    check_values(gradient, wanted, COUNT);
}

/* ---- Leaves ------------------------------------------------------------- */

static void gradients_have_the_layout_of_leaves(dt_world *world)
{
    static const char *const layouts[] = {"S(0)", "S(1)", "R", "P"};
    for (size_t i = 0; i < COUNT_OF(layouts); i++)
        for (size_t k = 0; k < COUNT_OF(layouts); k++) {
            fixture f = open_fixture(world);
            dt_tensor *x = make_leaf(&f, layouts[i], 0);
            dt_tensor *y = make_leaf(&f, layouts[k], 1);
            CHECK_OK(world, dt_backward(sum_of(dt_mul(x, y))));
            check_layout(dt_tensor_grad(x), i == 3 ? "R" : layouts[i]);
            check_layout(dt_tensor_grad(y), k == 3 ? "R" : layouts[k]);
            check_product(dt_tensor_grad(x), 1, 1);
            check_product(dt_tensor_grad(y), 0, 1);
            close_without_errors(&f);
        }
}

/* A replicated factor of sharded tensors gets a partial gradient of each use;
 * these are added before they are reduced. */
static void partial_gradients_are_reduced_once(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *w =
        dt_requires_grad(dt_full(f.mesh, "R", DT_F32, DT_SHAPE(1, COLUMNS), 2));
    dt_tensor *x = make_tensor(&f, "S(0)", DT_F32, shape());
    dt_tensor *y = make_operand(&f, "S(0)", DT_F32, shape(), 1);
    dt_tensor *both = dt_mul(dt_mul(x, w), dt_mul(y, w));
    dt_tensor *loss = sum_of(both);
    start_counting(&f);
    CHECK_OK(world, dt_backward(loss));
    check_collectives(&f, DT_ALL_REDUCE, 1);
    double wanted[COLUMNS] = {0};
    for (int i = 0; i < COUNT; i++)
        wanted[i % COLUMNS] += 4 * value_at(i) * operand_at(1, i);
    check_values(dt_tensor_grad(w), wanted, COLUMNS);
    close_without_errors(&f);
}

static void gradients_accumulate(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *x = make_leaf(&f, "S(0)", 0);
    dt_tensor *y = make_operand(&f, "R", DT_F32, shape(), 1);
    for (int pass = 1; pass <= 3; pass++) {
        CHECK_OK(world, dt_backward(sum_of(dt_mul(x, y))));
        check_product(dt_tensor_grad(x), 1, pass);
    }
    CHECK_OK(world, dt_tensor_set_grad(x, NULL));
    CHECK(dt_tensor_grad(x) == NULL);
    CHECK_OK(world, dt_backward(sum_of(dt_mul(x, y))));
    check_product(dt_tensor_grad(x), 1, 1);
    close_without_errors(&f);
}

/* Two leaves whose gradient is the same tensor do not share its memory. */
static void leaves_own_their_gradients(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *x = make_leaf(&f, "S(0)", 0), *y = make_leaf(&f, "S(0)", 1);
    dt_tensor *ones = dt_ones(f.mesh, "S(0)", DT_F32, shape());
    dt_backward_options options = DT_BACKWARD_OPTIONS_INIT;
    options.grads = &ones;
    dt_tensor *sum = dt_add(x, y);
    CHECK_OK(world, dt_backward_with(&sum, 1, &options));
    CHECK(dt_zero_(dt_tensor_grad(x)) != NULL);
    double zeros[COUNT] = {0}, wanted[COUNT];
    for (int i = 0; i < COUNT; i++)
        wanted[i] = 1;
    check_values(dt_tensor_grad(x), zeros, COUNT);
    check_values(dt_tensor_grad(y), wanted, COUNT);
    check_values(ones, wanted, COUNT);
    close_without_errors(&f);
}

/* Meshes of the same ranks are one to gradients. */
static void gradients_may_be_of_an_equal_mesh(dt_world *world)
{
    fixture f = open_fixture(world), same = open_fixture(world);
    dt_tensor *x = make_leaf(&f, "S(0)", 0);
    dt_tensor *ones = dt_ones(same.mesh, "R", DT_F32, shape());
    dt_backward_options options = DT_BACKWARD_OPTIONS_INIT;
    options.grads = &ones;
    dt_tensor *sum = dt_add(x, x);
    CHECK_OK(world, dt_backward_with(&sum, 1, &options));
    CHECK_OK(world, dt_tensor_set_grad(x, ones));
    close_without_errors(&same);
    close_without_errors(&f);
}

static void gradients_outlive_scopes(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *x = make_leaf(&f, "S(0)", 0);
    dt_scope *inner = dt_scope_open(world);
    dt_tensor *y = make_operand(&f, "S(0)", DT_F32, shape(), 1);
    dt_tensor *loss = dt_scope_keep(sum_of(dt_tanh(dt_mul(x, y))));
    CHECK_OK(world, dt_scope_close(inner));
    CHECK_OK(world, dt_backward(loss));
    CHECK(dt_tensor_grad(x) != NULL);
    close_without_errors(&f);
}

/* ---- What is recorded --------------------------------------------------- */

static void scopes_turn_recording_off(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_scope_options options = DT_SCOPE_OPTIONS_INIT;
    options.gradients = DT_TRISTATE_OFF;
    dt_tensor *x = make_leaf(&f, "S(0)", 0);
    dt_scope *off = dt_scope_open_with(world, &options);
    dt_tensor *y = dt_mul(x, x);
    CHECK(!dt_tensor_requires_grad(y));
    CHECK(dt_mul_(x, x) == x); /* as an optimizer does */
    CHECK(dt_tensor_is_leaf(x));
    CHECK_OK(world, dt_scope_close(off));
    CHECK(dt_tensor_requires_grad(dt_mul(x, x)));
    CHECK(!dt_tensor_is_leaf(dt_mul(x, x)));
    close_without_errors(&f);
}

static void mistakes_are_named(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *x = make_leaf(&f, "S(0)", 0);
    dt_tensor *plain = make_operand(&f, "S(0)", DT_F32, shape(), 1);
    dt_tensor *whole = dt_ones(f.mesh, "S(0)", DT_I64, shape());
    CHECK_FAILS(world, dt_backward(NULL), DT_ERR_INVALID,
                "dt_backward: tensor is NULL");
    CHECK_FAILS(world, dt_backward(dt_mul(x, x)), DT_ERR_INVALID,
                "needs a gradient");
    CHECK_FAILS(world, dt_backward(sum_of(plain)), DT_ERR_INVALID,
                "depends on no leaf");
    CHECK_FAILS(world, status_of(world, dt_requires_grad(whole)),
                DT_ERR_INVALID, "i64");
    CHECK_FAILS(world, status_of(world, dt_requires_grad(dt_mul(x, x))),
                DT_ERR_INVALID, "dt_detach");
    CHECK_FAILS(world, status_of(world, dt_mul_(x, plain)), DT_ERR_INVALID,
                "cannot be written in place");
    CHECK_FAILS(world, status_of(world, dt_mul_out(x, plain, plain)),
                DT_ERR_INVALID, "use dt_mul");
    CHECK_FAILS(world, dt_tensor_set_grad(plain, NULL), DT_ERR_INVALID,
                "no leaf");
    close_fixture(&f);
}

static void a_graph_is_used_once_unless_retained(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *x = make_leaf(&f, "S(0)", 0);
    dt_tensor *loss = sum_of(dt_mul(x, x));
    dt_backward_options options = DT_BACKWARD_OPTIONS_INIT;
    options.retain = true;
    CHECK_OK(world, dt_backward_with(&loss, 1, &options));
    CHECK_OK(world, dt_backward(loss));
    check_product(dt_tensor_grad(x), 0, 4);
    CHECK_FAILS(world, dt_backward(loss), DT_ERR_INVALID, "retain");
    check_product(dt_tensor_grad(x), 0, 4);
    close_fixture(&f);
}

/* A graph that saved nothing can be used again. */
static void a_graph_without_values_stays(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *x = make_leaf(&f, "S(0)", 0);
    dt_tensor *loss = sum_of(dt_redistribute(dt_add(x, x), "R"));
    double wanted[COUNT];
    for (int pass = 1; pass <= 2; pass++) {
        CHECK_OK(world, dt_backward(loss));
        for (int i = 0; i < COUNT; i++)
            wanted[i] = 2 * pass;
        check_values(dt_tensor_grad(x), wanted, COUNT);
    }
    close_without_errors(&f);
}

/* What a gradient needs and somebody overwrote is an error that names both. */
static void overwritten_values_are_noticed(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *x = make_leaf(&f, "S(0)", 0);
    dt_tensor *y = make_operand(&f, "S(0)", DT_F32, shape(), 1);
    dt_tensor *loss = sum_of(dt_mul(x, y));
    CHECK(dt_zero_(y) != NULL);
    CHECK_FAILS(world, dt_backward(loss), DT_ERR_INVALID,
                "the gradient of mul needs other");
    CHECK(strstr(dt_world_error(world)->message, "zero has overwritten") !=
          NULL);
    CHECK(dt_tensor_grad(x) == NULL);
    close_fixture(&f);
}

/* What is overwritten depends on what was written alone, be it by an operator
 * that is not differentiable. */
static void writes_replace_what_a_tensor_depends_on(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *x = make_leaf(&f, "S(0)", 0), *y = make_leaf(&f, "R", 1);
    dt_tensor *copied = dt_mul(x, x), *drawn = dt_mul(x, x);
    CHECK(dt_copy_(copied, y) == copied);
    CHECK(dt_normal_(drawn, 0, 1) == drawn);
    CHECK(dt_tensor_requires_grad(copied));
    CHECK(!dt_tensor_requires_grad(drawn));
    CHECK_OK(world, dt_backward(sum_of(dt_mul(copied, dt_add(drawn, x)))));
    check_layout(dt_tensor_grad(x), "S(0)");
    check_product(dt_tensor_grad(x), 1, 1);
    CHECK(dt_tensor_grad(y) != NULL);
    close_without_errors(&f);
}

/* Whether dropout is recorded or not, the same elements are dropped; the
 * gradient is that of the others. */
static void dropout_has_the_gradient_of_what_it_keeps(dt_world *world)
{
    static const char *const layouts[] = {"S(0)", "S(1)", "R", "P"};
    for (int i = 0; i < 2 * (int)COUNT_OF(layouts); i++) {
        fixture f = open_fixture(world);
        const char *layout = layouts[i / 2];
        dt_tensor *x = make_leaf(&f, layout, 0);
        dt_tensor *plain = dt_detach(x), *own = dt_mul_scalar(x, DT_NUMBER(1));
        dt_dropout_options options = DT_DROPOUT_OPTIONS_INIT;
        double wanted[COUNT];
        CHECK_OK(world, dt_generator_create(world, 7, 0, &options.generator));
        dt_tensor *alone = dt_dropout_with(plain, 0.5, true, &options);
        dt_generator_seed(options.generator, 7);
        dt_tensor *kept = i % 2 ? dt_dropout_with_(own, 0.5, true, &options)
                                : dt_dropout_with(own, 0.5, true, &options);
        dt_generator_release(options.generator);
        CHECK(read_tensor(alone, wanted));
        check_values(kept, wanted, COUNT);
        CHECK_OK(world, dt_backward(sum_of(kept)));
        for (int k = 0; k < COUNT; k++)
            wanted[k] /= operand_at(0, k);
        check_values(dt_tensor_grad(x), wanted, COUNT);
        close_without_errors(&f);
    }
}

/* A call in place whose gradient reads what it overwrites keeps a copy. */
static void calls_in_place_keep_what_they_overwrite(dt_world *world)
{
    static const char *const layouts[] = {"S(0)", "S(1)", "R"};
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        fixture f = open_fixture(world);
        dt_tensor *x = make_leaf(&f, layouts[i], 0);
        dt_tensor *w = make_leaf(&f, layouts[i], 1);
        dt_tensor *y = dt_mul_scalar(x, DT_NUMBER(3));
        CHECK(dt_mul_(y, w) == y);
        CHECK(dt_abs_(y) == y);
        CHECK_OK(world, dt_backward(sum_of(y)));
        double by_x[COUNT], by_w[COUNT];
        for (int k = 0; k < COUNT; k++) {
            const double a = operand_at(0, k), b = operand_at(1, k);
            const double sign = a * b > 0 ? 1 : -1;
            by_x[k] = 3 * b * sign;
            by_w[k] = 3 * a * sign;
        }
        check_values(dt_tensor_grad(x), by_x, COUNT);
        check_values(dt_tensor_grad(w), by_w, COUNT);
        close_without_errors(&f);
    }
}

/* ---- Chosen gradients --------------------------------------------------- */

/* The gradient of x^3 is 3 x^2, and of that 6 x. */
static void gradients_of_gradients(dt_world *world)
{
    static const char *const layouts[] = {"S(0)", "S(1)", "R"};
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        fixture f = open_fixture(world);
        dt_tensor *x = make_leaf(&f, layouts[i], 0);
        dt_tensor *loss = sum_of(dt_mul(x, dt_mul(x, x))), *first = NULL,
                  *second = NULL;
        dt_backward_options options = DT_BACKWARD_OPTIONS_INIT;
        options.differentiable = true;
        CHECK_OK(world, dt_grad(&loss, 1, &x, 1, &options, &first));
        double wanted[COUNT];
        for (int k = 0; k < COUNT; k++)
            wanted[k] = 3 * operand_at(0, k) * operand_at(0, k);
        check_values(first, wanted, COUNT);
        dt_tensor *again = sum_of(first);
        CHECK_OK(world, dt_grad(&again, 1, &x, 1, NULL, &second));
        check_product(second, 0, 6);
        check_layout(second, layouts[i]);
        CHECK(dt_tensor_grad(x) == NULL);
        close_without_errors(&f);
    }
}

/* Any tensor may be asked for, and only what leads there is computed. */
static void gradients_of_results(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *x = make_leaf(&f, "S(0)", 0), *y = make_leaf(&f, "R", 1);
    dt_tensor *between = dt_mul(x, x), *alone = dt_mul(y, y), *found[2];
    dt_tensor *loss = sum_of(dt_mul(between, y)), *inputs[] = {between, alone};
    dt_backward_options options = DT_BACKWARD_OPTIONS_INIT;
    CHECK_FAILS(world, dt_grad(&loss, 1, inputs, 2, &options, found),
                DT_ERR_INVALID, "input 1");
    options.allow_unused = true;
    CHECK_OK(world, dt_grad(&loss, 1, inputs, 2, &options, found));
    check_product(found[0], 1, 1);
    CHECK(found[1] == NULL);
    close_fixture(&f);
}

/* ---- Hooks -------------------------------------------------------------- */

static dt_tensor *twice(dt_tensor *gradient, void *arg)
{
    ++*(int *)arg;
    return dt_mul_scalar(gradient, DT_NUMBER(2));
}

static dt_tensor *look(dt_tensor *gradient, void *arg)
{
    ++*(int *)arg;
    return gradient;
}

/* A pass in a pass would disturb the sums of the first. */
static dt_tensor *go_back_again(dt_tensor *gradient, void *arg)
{
    dt_tensor *loss = arg;
    dt_world *world = dt_tensor_world(loss);
    CHECK_FAILS(world, dt_backward(loss), DT_ERR_INVALID, "not in a hook");
    return gradient;
}

static void hooks_begin_no_pass(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *x = make_leaf(&f, "S(0)", 0);
    dt_tensor *y = make_operand(&f, "R", DT_F32, shape(), 1);
    dt_tensor *product = dt_mul(x, y), *loss = sum_of(product);
    CHECK_OK(world, dt_tensor_add_hook(product, go_back_again, loss, NULL));
    CHECK_OK(world, dt_backward(loss));
    check_product(dt_tensor_grad(x), 1, 1);
    close_fixture(&f);
}

static void hooks_see_gradients(dt_world *world)
{
    fixture f = open_fixture(world);
    int results = 0, leaves = 0, after = 0;
    uint64_t number = 0;
    dt_tensor *x = make_leaf(&f, "S(0)", 0);
    dt_tensor *y = make_operand(&f, "R", DT_F32, shape(), 1);
    CHECK_OK(world, dt_tensor_add_hook(x, twice, &leaves, &number));
    CHECK_OK(world, dt_tensor_add_leaf_hook(x, look, &after, NULL));
    dt_tensor *product = dt_mul(x, y);
    CHECK_OK(world, dt_tensor_add_hook(product, twice, &results, NULL));
    CHECK_OK(world, dt_backward(sum_of(product)));
    check_product(dt_tensor_grad(x), 1, 4);
    CHECK_INT(results, 1);
    CHECK_INT(leaves, 1);
    CHECK_INT(after, 1);
    CHECK_OK(world, dt_tensor_remove_hook(x, number));
    CHECK_FAILS(world, dt_tensor_remove_hook(x, number), DT_ERR_NOT_FOUND,
                "no hook");
    CHECK_OK(world, dt_tensor_set_grad(x, NULL));
    CHECK_OK(world, dt_backward(sum_of(dt_mul(x, y))));
    check_product(dt_tensor_grad(x), 1, 1);
    CHECK_INT(after, 2);
    close_fixture(&f);
}

/* ---- Long graphs -------------------------------------------------------- */

/* Neither a pass nor its end recurses. */
static void long_chains(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *x = dt_requires_grad(
        dt_ones(f.mesh, "S(0)", DT_F32, DT_SHAPE(dt_world_size(world))));
    dt_tensor *one =
        dt_ones(f.mesh, "S(0)", DT_F32, DT_SHAPE(dt_world_size(world)));
    dt_tensor *at = dt_tensor_retain(dt_mul(x, one));
    for (int i = 0; i < 100000; i++) {
        dt_scope *scope = dt_scope_open(world);
        dt_tensor *next = dt_tensor_retain(dt_mul(at, one));
        dt_tensor_release(at);
        at = next;
        CHECK_OK(world, dt_scope_close(scope));
    }
    CHECK_OK(world, dt_backward(sum_of(at)));
    double wanted[64];
    for (int i = 0; i < 64; i++)
        wanted[i] = 1;
    check_values(dt_tensor_grad(x), wanted, dt_world_size(world));
    dt_tensor_release(at);
    close_without_errors(&f);
}

const dt_test dt_tests[] = {
    {"gradients have the layout of leaves",
     gradients_have_the_layout_of_leaves},
    {"partial gradients are reduced once", partial_gradients_are_reduced_once},
    {"gradients accumulate", gradients_accumulate},
    {"leaves own their gradients", leaves_own_their_gradients},
    {"gradients may be of an equal mesh", gradients_may_be_of_an_equal_mesh},
    {"gradients outlive scopes", gradients_outlive_scopes},
    {"scopes turn recording off", scopes_turn_recording_off},
    {"mistakes are named", mistakes_are_named},
    {"a graph is used once unless retained",
     a_graph_is_used_once_unless_retained},
    {"a graph without values stays", a_graph_without_values_stays},
    {"overwritten values are noticed", overwritten_values_are_noticed},
    {"writes replace what a tensor depends on",
     writes_replace_what_a_tensor_depends_on},
    {"dropout has the gradient of what it keeps",
     dropout_has_the_gradient_of_what_it_keeps},
    {"calls in place keep what they overwrite",
     calls_in_place_keep_what_they_overwrite},
    {"gradients of gradients", gradients_of_gradients},
    {"gradients of results", gradients_of_results},
    {"hooks see gradients", hooks_see_gradients},
    {"hooks begin no pass", hooks_begin_no_pass},
    {"long chains", long_chains},
    {NULL, NULL},
};
