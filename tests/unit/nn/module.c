/* tests/unit/nn/module.c - trees of modules: names, calls, hooks. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/dtensor.h>

#include <string.h>

#include "support/check.h"

/* Two layers with a function between them, as a program writes it. */
typedef struct pair {
    dt_module *up, *down;
} pair;

static dt_tensor *pair_forward(dt_module *module, dt_tensor *x)
{
    const pair *self = dt_module_state(module);
    return dt_module_call(self->down, dt_relu(dt_module_call(self->up, x)));
}

static const dt_module_class pair_class = {
    .size = sizeof(dt_module_class),
    .name = "Pair",
    .state_size = sizeof(pair),
    .forward = pair_forward,
};

static dt_module *make_pair(dt_world *world)
{
    dt_module *module = dt_module_create(world, &pair_class);
    pair *self = dt_module_state(module);
    if (!self)
        return NULL;
    self->up = dt_module_add(module, "up", dt_nn_linear(world, 3, 4, NULL));
    self->down = dt_module_add(module, "down", dt_nn_linear(world, 4, 2, NULL));
    return module;
}

/* A module that adds its inputs, and returns the sum and the first. */
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

static dt_tensor *ones(dt_world *world, int64_t rows, int64_t columns)
{
    return dt_ones(dt_world_own_mesh(world), NULL, DT_F32,
                   DT_SHAPE(rows, columns));
}

static double first_of(dt_tensor *tensor)
{
    const float *data = dt_array_const_data(dt_tensor_local(tensor));
    return data ? (double)data[0] : -1e9;
}

static void names_parameters_as_pytorch(dt_world *world)
{
    dt_scope *scope = dt_scope_open(world);
    dt_module *list = dt_module_create(world, &sum_class);
    int count;
    for (int i = 0; i < 2; i++)
        dt_module_add(list, NULL, make_pair(world));
    static const char *const names[] = {
        "0.up.weight", "0.up.bias", "0.down.weight", "0.down.bias",
        "1.up.weight", "1.up.bias", "1.down.weight", "1.down.bias",
    };
    const dt_named_parameter *all = dt_module_parameters(list, &count);
    CHECK_INT(count, 8);
    for (int i = 0; i < count; i++)
        CHECK_TEXT(all[i].name, names[i]);
    CHECK_TEXT(dt_module_path(dt_module_find(list, "1.down")), "1.down");
    CHECK_TEXT(dt_module_path(list), "");
    CHECK_TEXT(dt_module_name(dt_module_child(list, 1)), "1");
    CHECK(dt_module_find(list, "") == list);
    CHECK(dt_module_parameter(list, "1.down.bias") == all[7].parameter);
    /* Names are those below the module that is asked. */
    all = dt_module_parameters(dt_module_child(list, 1), &count);
    CHECK_INT(count, 4);
    CHECK_TEXT(all[2].name, "down.weight");
    dt_module_buffers(list, &count);
    CHECK_INT(count, 0);
    CHECK_OK(world, dt_scope_close(scope));
}

static void says_which_name_was_meant(dt_world *world)
{
    dt_scope *scope = dt_scope_open(world);
    dt_module *module = make_pair(world);
    CHECK(!dt_module_find(module, "dwn"));
    CHECK(strstr(dt_world_error(world)->message,
                 "Pair has no module \"dwn\"; did you mean \"down\"?"));
    CHECK(!dt_module_parameter(module, "up.weigth"));
    CHECK(strstr(dt_world_error(world)->message,
                 "no parameter \"up.weigth\"; did you mean \"up.weight\"?"));
    CHECK_INT(dt_scope_close(scope), DT_ERR_NOT_FOUND);
}

static void refuses_names_that_are_taken(dt_world *world)
{
    dt_scope *scope = dt_scope_open(world);
    dt_module *module = make_pair(world);
    const dt_init zeros = {DT_INIT_ZEROS, 0, 0, NULL};
    CHECK(!dt_module_add(module, "up", dt_nn_linear(world, 1, 1, NULL)));
    CHECK(strstr(dt_world_error(world)->message, "already has a part"));
    CHECK(!dt_module_add(module, "a.b", dt_nn_linear(world, 1, 1, NULL)));
    CHECK(!dt_module_add_parameter(module, "up", DT_PARAMETER, DT_F32,
                                   DT_SHAPE(1), zeros));
    CHECK(!dt_module_add(module, "x", ((pair *)dt_module_state(module))->up));
    CHECK(strstr(dt_world_error(world)->message, "dt_module_tie"));
    dt_module *up = dt_module_find(module, "up");
    CHECK(!dt_module_add(up, "above", module));
    CHECK(strstr(dt_world_error(world)->message, "below itself"));
    CHECK(!dt_module_call(module, ones(world, 1, 3)));
    CHECK(strstr(dt_world_error(world)->message, "incomplete"));
    CHECK_INT(dt_scope_close(scope), DT_ERR_INVALID);
}

/* Parts that could not be made are noticed at the latest when they are used. */
static void passes_failures_on(dt_world *world)
{
    dt_scope *scope = dt_scope_open(world);
    dt_module *root = dt_module_create(world, &sum_class);
    dt_module *inner = dt_module_create(world, &sum_class);
    CHECK(!dt_module_add(inner, "x", dt_nn_linear(world, -1, 2, NULL)));
    CHECK(dt_module_add(root, "inner", inner) == inner);
    CHECK_INT(dt_scope_error(scope)->code, DT_ERR_INVALID);
    CHECK(!dt_module_call(root, ones(world, 1, 1)));
    CHECK(!dt_module_call(NULL, ones(world, 1, 1)));
    CHECK(!dt_module_call(root, NULL));
    CHECK(!dt_module_retain(NULL));
    dt_module_release(NULL);
    CHECK_FAILS(world,
                dt_distribute_module(root, dt_world_own_mesh(world), NULL),
                DT_ERR_INVALID, "incomplete");
    CHECK_INT(dt_scope_close(scope), DT_ERR_INVALID);
}

static void needs_elements(dt_world *world)
{
    dt_scope *scope = dt_scope_open(world);
    dt_module *module = make_pair(world);
    CHECK(!dt_module_call(module, ones(world, 2, 3)));
    CHECK_TEXT(dt_world_error(world)->message,
               "parameter \"weight\" of up has no elements; call "
               "dt_distribute_module or dt_parallelize first [in module up]");
    CHECK_INT(dt_scope_close(scope), DT_ERR_INVALID);
}

static void computes(dt_world *world)
{
    dt_scope *scope = dt_scope_open(world);
    dt_module *module = make_pair(world);
    CHECK_OK(world,
             dt_distribute_module(module, dt_world_own_mesh(world), NULL));
    dt_tensor *x = ones(world, 2, 3);
    dt_tensor *y = dt_module_call(module, x);
    dt_tensor *hidden = dt_relu(dt_linear(
        x, dt_parameter_tensor(dt_module_parameter(module, "up.weight")),
        dt_parameter_tensor(dt_module_parameter(module, "up.bias"))));
    dt_tensor *z = dt_linear(
        hidden, dt_parameter_tensor(dt_module_parameter(module, "down.weight")),
        dt_parameter_tensor(dt_module_parameter(module, "down.bias")));
    bool equal = false;
    CHECK_OK(world, dt_tensor_equal(y, z, &equal));
    CHECK(equal);
    CHECK_FAILS(world,
                dt_distribute_module(module, dt_world_own_mesh(world), NULL),
                DT_ERR_INVALID, "distributed before");
    dt_world_clear_error(world);
    CHECK_INT(dt_scope_close(scope), DT_ERR_INVALID);
}

static void names_the_module_in_errors(dt_world *world)
{
    dt_scope *scope = dt_scope_open(world);
    dt_module *module = make_pair(world);
    CHECK_OK(world,
             dt_distribute_module(module, dt_world_own_mesh(world), NULL));
    CHECK(!dt_module_call(module, ones(world, 2, 5)));
    const char *message = dt_world_error(world)->message;
    CHECKF(strncmp(message, "linear: ", 8) == 0 &&
               strstr(message, " [in module up]") &&
               !strstr(message, "in module Pair"),
           "%s", message);
    CHECK_INT(dt_scope_close(scope), DT_ERR_INVALID);
    message = dt_world_error(world)->message;
    CHECKF(strstr(message, " [in module up]") != NULL, "%s", message);
}

/* ---- Hooks -------------------------------------------------------------- */

typedef struct seen {
    char text[64];
} seen;

static dt_status add_one(dt_module *module, dt_tensor **inputs, int count,
                         void *arg)
{
    (void)module;
    strcat(((seen *)arg)->text, "<");
    for (int i = 0; i < count; i++)
        inputs[i] = dt_add_scalar(inputs[i], dt_real(1));
    return DT_OK;
}

static dt_status times_two(dt_module *module, dt_tensor *const *inputs,
                           int input_count, dt_tensor **outputs,
                           int output_count, void *arg)
{
    (void)module, (void)inputs, (void)input_count;
    strcat(((seen *)arg)->text, ">");
    for (int i = 0; i < output_count; i++)
        outputs[i] = dt_mul_scalar(outputs[i], dt_real(2));
    return DT_OK;
}

static void note_release(void *arg)
{
    strcat(((seen *)arg)->text, "x");
}

static dt_status fails(dt_module *module, dt_tensor **inputs, int count,
                       void *arg)
{
    (void)module, (void)count, (void)arg;
    inputs[0] = NULL;
    return DT_OK;
}

static void runs_hooks(dt_world *world)
{
    seen said = {""};
    uint64_t number = 0, other = 0;
    dt_scope *scope = dt_scope_open(world);
    dt_module *module = dt_module_create(world, &sum_class);
    dt_module_hook hook = DT_MODULE_HOOK_INIT;
    hook.before = add_one;
    hook.after = times_two;
    hook.release = note_release;
    hook.arg = &said;
    CHECK_OK(world, dt_module_add_hook(module, &hook, &number));
    dt_tensor *x = ones(world, 1, 1), *inputs[] = {x, x}, *outputs[2];
    CHECK_OK(world, dt_module_call_all(module, inputs, 2, outputs, 2));
    CHECK_INT((int)first_of(outputs[0]), 8);
    CHECK_INT((int)first_of(outputs[1]), 4);
    CHECK_TEXT(said.text, "<>");
    CHECK_OK(world, dt_module_add_hook(module, &hook, &other));
    CHECK_INT((int)first_of(dt_module_call(module, x)), 12);
    CHECK_OK(world, dt_module_remove_hook(module, number));
    CHECK_TEXT(said.text, "<><<>>x");
    CHECK_INT((int)first_of(dt_module_call(module, x)), 4);
    CHECK_FAILS(world, dt_module_remove_hook(module, number), DT_ERR_NOT_FOUND,
                "has no hook");
    hook.before = fails;
    hook.release = NULL;
    CHECK_OK(world, dt_module_add_hook(module, &hook, NULL));
    CHECK(!dt_module_call(module, x));
    CHECK_INT(dt_scope_close(scope), DT_ERR_NOT_FOUND);
    CHECK_TEXT(said.text, "<><<>>x<><x");
}

static void checks_numbers_of_tensors(dt_world *world)
{
    dt_scope *scope = dt_scope_open(world);
    dt_module *module = make_pair(world);
    dt_tensor *x = ones(world, 1, 3), *inputs[] = {x, x, NULL}, *outputs[40];
    CHECK_FAILS(world, dt_module_call_all(module, inputs, 2, outputs, 1),
                DT_ERR_INVALID, "Pair takes 1 input");
    CHECK(!outputs[0]);
    CHECK_FAILS(world, dt_module_call_all(module, inputs, 1, outputs, 40),
                DT_ERR_INVALID, "at most 16");
    CHECK_INT(dt_module_call_all(module, inputs, 3, outputs, 1),
              DT_ERR_INVALID);
    CHECK_INT(dt_scope_close(scope), DT_ERR_INVALID);
}

/* What a module creates besides its outputs is gone when it returns. */
static void releases_what_is_between(dt_world *world)
{
    dt_scope_options options = DT_SCOPE_OPTIONS_INIT;
    options.gradients = DT_TRISTATE_OFF;
    dt_scope *scope = dt_scope_open_with(world, &options);
    dt_module *module = make_pair(world);
    CHECK_OK(world,
             dt_distribute_module(module, dt_world_own_mesh(world), NULL));
    dt_tensor *x = ones(world, 1000, 3);
    dt_memory_stats before, after;
    dt_memory_read(world, &before);
    CHECK(dt_module_call(module, x) != NULL);
    dt_memory_read(world, &after);
    CHECKF(after.used - before.used <= 1000 * 2 * sizeof(float) + 4096,
           "%zu bytes are kept", after.used - before.used);
    CHECK_OK(world, dt_scope_close(scope));
}

/* ---- Parameters --------------------------------------------------------- */

static void ties_parameters(dt_world *world)
{
    int count;
    dt_scope *scope = dt_scope_open(world);
    dt_module *module = dt_module_create(world, &sum_class);
    dt_module_add(module, "a", dt_nn_linear(world, 3, 2, NULL));
    dt_module_add(module, "b", dt_nn_linear(world, 3, 2, NULL));
    dt_module_add(module, "c", dt_nn_linear(world, 2, 3, NULL));
    CHECK_OK(world, dt_module_tie(module, "b.weight", "a.weight"));
    CHECK(dt_module_parameter(module, "a.weight") ==
          dt_module_parameter(module, "b.weight"));
    const dt_named_parameter *all = dt_module_parameters(module, &count);
    CHECK_INT(count, 5);
    CHECK_TEXT(all[2].name, "b.bias");
    CHECK_FAILS(world, dt_module_tie(module, "c.weight", "a.weight"),
                DT_ERR_INVALID, "differ");
    CHECK_FAILS(world, dt_module_tie(module, "c.wait", "a.weight"),
                DT_ERR_NOT_FOUND, "c.weight");
    CHECK_INT(dt_scope_close(scope), DT_ERR_INVALID);
}

static void freezes_parameters(dt_world *world)
{
    dt_scope *scope = dt_scope_open(world);
    dt_module *module = dt_nn_linear(world, 3, 2, NULL);
    dt_parameter *weight = dt_module_parameter(module, "weight");
    dt_parameter *bias = dt_module_parameter(module, "bias");
    CHECK_OK(world, dt_parameter_freeze(bias, true));
    CHECK_OK(world,
             dt_distribute_module(module, dt_world_own_mesh(world), NULL));
    CHECK(dt_tensor_is_leaf(dt_parameter_tensor(weight)));
    CHECK(!dt_tensor_requires_grad(dt_parameter_tensor(bias)));
    CHECK_OK(world, dt_parameter_freeze(weight, true));
    CHECK(!dt_tensor_requires_grad(dt_parameter_tensor(weight)));
    CHECK(!dt_tensor_requires_grad(dt_module_call(module, ones(world, 1, 3))));
    CHECK_OK(world, dt_parameter_freeze(weight, false));
    CHECK(dt_tensor_is_leaf(dt_parameter_tensor(weight)));
    CHECK_OK(world, dt_parameter_set(weight, ones(world, 2, 3)));
    CHECK_INT((int)first_of(dt_parameter_tensor(weight)), 1);
    CHECK_FAILS(world, dt_parameter_set(weight, ones(world, 3, 2)),
                DT_ERR_INVALID, "another shape");
    dt_world_clear_error(world);
    CHECK_INT(dt_scope_close(scope), DT_ERR_INVALID);
}

static void trains_and_evaluates(dt_world *world)
{
    dt_scope *scope = dt_scope_open(world);
    dt_module *module = make_pair(world);
    CHECK(dt_module_is_training(dt_module_find(module, "up")));
    dt_module_train(module, false);
    CHECK(!dt_module_is_training(dt_module_find(module, "up")));
    dt_module_train(module, true);
    CHECK(dt_module_is_training(module));
    CHECK_OK(world, dt_scope_close(scope));
}

/* A scope owns a module until a parent or the program does. */
static void belongs_to_one(dt_world *world)
{
    dt_scope *scope = dt_scope_open(world);
    dt_module *kept = dt_module_retain(make_pair(world));
    dt_module *up = dt_module_retain(dt_module_find(kept, "up"));
    dt_parameter *weight =
        dt_parameter_retain(dt_module_parameter(kept, "up.weight"));
    CHECK_OK(world, dt_scope_close(scope));
    CHECK_INT(dt_module_child_count(kept), 2);
    dt_module_release(kept);
    CHECK(!dt_module_parent(up));
    CHECK_TEXT(dt_module_path(up), "");
    dt_module_release(up);
    CHECK_INT((int)dt_parameter_shape(weight).dims[1], 3);
    dt_parameter_release(weight);
}

const dt_test dt_tests[] = {
    {"names parameters as PyTorch", names_parameters_as_pytorch},
    {"says which name was meant", says_which_name_was_meant},
    {"refuses names that are taken", refuses_names_that_are_taken},
    {"passes failures on", passes_failures_on},
    {"needs elements", needs_elements},
    {"computes", computes},
    {"names the module in errors", names_the_module_in_errors},
    {"runs hooks", runs_hooks},
    {"checks numbers of tensors", checks_numbers_of_tensors},
    {"releases what is between", releases_what_is_between},
    {"ties parameters", ties_parameters},
    {"freezes parameters", freezes_parameters},
    {"trains and evaluates", trains_and_evaluates},
    {"belongs to one", belongs_to_one},
    {NULL, NULL},
};
