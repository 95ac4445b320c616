/* ranks: 1 2 3 4 7 */
/* tests/ranks/nn_state.c - state dicts of modules on any mesh. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <dtensor/dtensor.h>

#include "support/check.h"
#include "support/tensors.h"

/* 7 heads of width 4, which are stored by heads on some numbers of ranks. */
static dt_module *make_gpt(dt_world *world)
{
    dt_transformer shape = DT_TRANSFORMER_INIT;
    shape.width = 28;
    shape.heads = 7;
    shape.layers = 1;
    shape.vocabulary = 13;
    shape.positions = 5;
    return dt_nn_gpt(world, &shape);
}

/* A GPT by its rules, drawn with a seed. */
static dt_module *make_parallel(dt_world *world, dt_mesh *mesh, uint64_t seed)
{
    dt_parallelize_options options = DT_PARALLELIZE_OPTIONS_INIT;
    int count;
    const dt_parallel_rule *rules = dt_gpt_rules(false, &count);
    dt_module *model = make_gpt(world);
    options.seed = &seed;
    CHECK_OK(world, dt_parallelize(model, mesh, rules, count, &options));
    return model;
}

static dt_state *state_of(dt_world *world, dt_module *model)
{
    dt_state *state = NULL;
    CHECK_OK(world, dt_state_create(world, &state));
    CHECK_OK(world, dt_module_get_state(model, state));
    return state;
}

/* Check that two models compute the same. */
static void check_equal(dt_world *world, dt_module *a, dt_mesh *on_a,
                        dt_module *b, dt_mesh *on_b, bool wanted)
{
    double values[5 * 13], others[5 * 13];
    dt_tensor *x = dt_arange_int(on_a, NULL, DT_I64, 0, 5, 1);
    dt_tensor *y = dt_arange_int(on_b, NULL, DT_I64, 0, 5, 1);
    CHECK(read_tensor(dt_module_call(a, dt_unsqueeze(x, 0)), values));
    CHECK(read_tensor(dt_module_call(b, dt_unsqueeze(y, 0)), others));
    bool same = true;
    for (int i = 0; i < 5 * 13; i++)
        same &= is_close(1 + values[i], 1 + others[i]);
    CHECK(same == wanted);
    CHECK_INT(dt_world_error(world)->code, DT_OK);
}

static void goes_to_another_layout(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_mesh *own = dt_world_own_mesh(world);
    const uint64_t seed = 1;
    dt_distribute_module_options options = DT_DISTRIBUTE_MODULE_OPTIONS_INIT;
    dt_module *parts = make_parallel(world, f.mesh, 0);
    dt_module *whole = make_gpt(world), *alone = make_gpt(world);
    options.seed = &seed;
    CHECK_OK(world, dt_distribute_module(whole, f.mesh, &options));
    CHECK_OK(world, dt_distribute_module(alone, own, NULL));
    check_equal(world, parts, f.mesh, whole, f.mesh, false);
    dt_state *state = state_of(world, parts);
    CHECK_OK(world, dt_module_set_state(whole, state, true));
    check_equal(world, parts, f.mesh, whole, f.mesh, true);
    dt_state_release(state);
    /* From one rank's own mesh, which has all elements, to shards. */
    parts = make_parallel(world, f.mesh, 5);
    state = state_of(world, alone);
    CHECK_OK(world, dt_module_set_state(parts, state, true));
    check_equal(world, parts, f.mesh, alone, own, true);
    dt_state_release(state);
    close_without_errors(&f);
}

/* Names and shapes are PyTorch's, whatever is stored; tied weights are there
 * once. */
static void lists_what_pytorch_does(dt_world *world)
{
    static const char *const names[] = {"wte.weight",
                                        "wpe.weight",
                                        "layers.0.ln_1.weight",
                                        "layers.0.ln_1.bias",
                                        "layers.0.attn.wq.weight",
                                        "layers.0.attn.wq.bias"};
    fixture f = open_fixture(world);
    dt_module *model = make_parallel(world, f.mesh, 0);
    dt_state *state = state_of(world, model);
    for (int i = 0; i < 6; i++)
        CHECK_TEXT(dt_state_at(state, i)->name, names[i]);
    CHECK(!dt_state_find(state, "lm_head.weight"));
    dt_tensor *weight = dt_state_tensor(state, "layers.0.attn.wq.weight");
    CHECK(dt_shape_equal(dt_tensor_shape(weight), DT_SHAPE(28, 28)));
    CHECK_INT(dt_tensor_ndim(dt_state_tensor(state, "layers.0.attn.wq.bias")),
              1);
    dt_state_release(state);
    close_without_errors(&f);
}

/* A parameter that has several names needs one of them. */
static void takes_any_name(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_module *model = make_parallel(world, f.mesh, 0);
    dt_state *state = state_of(world, model);
    dt_tensor *table = dt_full(f.mesh, NULL, DT_F32, DT_SHAPE(13, 28), 3);
    CHECK_OK(world, dt_state_remove(state, "wte.weight"));
    CHECK_OK(world, dt_state_set_tensor(state, "lm_head.weight", table));
    CHECK_OK(world, dt_module_set_state(model, state, true));
    double values[13 * 28];
    CHECK(read_tensor(
        dt_parameter_tensor(dt_module_parameter(model, "wte.weight")), values));
    CHECK(values[0] == 3 && values[13 * 28 - 1] == 3);
    dt_state_release(state);
    close_without_errors(&f);
}

static void names_all_that_is_wrong(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_module *model = make_parallel(world, f.mesh, 0);
    dt_state *state = state_of(world, model);
    dt_tensor *small = dt_full(f.mesh, NULL, DT_F32, DT_SHAPE(2), 7);
    CHECK_OK(world, dt_state_remove(state, "ln_f.weight"));
    CHECK_OK(world, dt_state_remove(state, "layers.0.mlp.fc.bias"));
    CHECK_OK(world, dt_state_set_tensor(state, "ln_g.weight", small));
    CHECK_OK(world, dt_state_set_integer(state, "step", 3));
    CHECK_FAILS(world, dt_module_set_state(model, state, true), DT_ERR_INVALID,
                "missing \"layers.0.mlp.fc.bias\", \"ln_f.weight\"; "
                "unexpected \"ln_g.weight\", \"step\"");
    CHECK_OK(world, dt_module_set_state(model, state, false));
    CHECK_OK(world, dt_state_set_tensor(state, "ln_f.bias", small));
    CHECK_FAILS(world, dt_module_set_state(model, state, false), DT_ERR_INVALID,
                "of another shape \"ln_f.bias\"");
    dt_state_release(state);
    close_fixture(&f);
}

/* Arrays and tensors of this rank give elements to a module that has none. */
static void fills_modules_without_elements(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_state *state = NULL;
    dt_array *weight = NULL;
    dt_distribute_module_options options = DT_DISTRIBUTE_MODULE_OPTIONS_INIT;
    dt_module *layer = dt_nn_linear(world, 3, 2, NULL);
    CHECK_OK(world, dt_state_create(world, &state));
    CHECK_FAILS(world, dt_module_get_state(layer, state), DT_ERR_INVALID,
                "\"weight\" has no elements");
    CHECK_OK(world, dt_array_create(world, DT_F32, DT_SHAPE(2, 3), &weight));
    for (int i = 0; i < 6; i++)
        ((float *)dt_array_data(weight))[i] = 2;
    CHECK_OK(world, dt_state_set_array(state, "weight", weight));
    CHECK_OK(world, dt_state_set_tensor(state, "bias",
                                        dt_full(dt_world_own_mesh(world), NULL,
                                                DT_F64, DT_SHAPE(2), 5)));
    CHECK_OK(world, dt_module_set_state(layer, state, true));
    options.weights = DT_WEIGHTS_EVERYWHERE;
    CHECK_OK(world, dt_distribute_module(layer, f.mesh, &options));
    double values[6];
    CHECK(read_tensor(dt_module_tensor(layer, 0), values) && values[5] == 2);
    CHECK(read_tensor(dt_module_tensor(layer, 1), values) && values[1] == 5);
    CHECK(dt_tensor_is_leaf(dt_module_tensor(layer, 0)));
    dt_array_release(weight);
    dt_state_release(state);
    close_fixture(&f);
}

const dt_test dt_tests[] = {
    {"goes to another layout", goes_to_another_layout},
    {"lists what PyTorch does", lists_what_pytorch_does},
    {"takes any name", takes_any_name},
    {"names all that is wrong", names_all_that_is_wrong},
    {"fills modules without elements", fills_modules_without_elements},
    {NULL, NULL},
};
