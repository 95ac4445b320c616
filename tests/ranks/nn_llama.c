/* ranks: 1 2 3 4 5 7 8 */
/* tests/ranks/nn_llama.c - a Llama, distributed in every way. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "nn_models.h"

/* 6 heads share 3 heads of keys: on 2 ranks, and on 4, each rank's queries need
 * keys that it does not store. */
static const model_kind llama = {
    .name = "llama",
    .create = dt_nn_llama,
    .rules = dt_llama_rules,
    .shape = {.size = sizeof(dt_transformer),
              .width = 18,
              .layers = 2,
              .vocabulary = 61,
              .positions = 9,
              .heads = 6,
              .kv_heads = 3,
              .head_width = 4,
              .hidden = 22},
    .batch = 3,
    .time = 6,
};

static void tensor_parallel(dt_world *world)
{
    check_losses_on(world, &llama, "tp", true, false);
}

static void sequence_parallel(dt_world *world)
{
    check_losses_on(world, &llama, "tp", true, true);
}

static void data_parallel(dt_world *world)
{
    check_losses_on(world, &llama, "dp,tp=1", false, false);
}

static void several_mesh_dimensions(dt_world *world)
{
    if (dt_world_size(world) % 2 == 0)
        for (int i = 0; i < 2; i++)
            check_losses_on(world, &llama, "dp=2,tp", true, i);
    if (dt_world_size(world) == 8)
        for (int i = 0; i < 2; i++)
            check_losses_on(world, &llama, "pod=2,dp=2,tp=2", true, i);
}

/* The same elements are dropped on any mesh. */
static void drops_the_same(dt_world *world)
{
    model_kind dropping = llama;
    dropping.shape.dropout = 0.25;
    check_losses_on(world, &dropping, "tp", true, true);
    check_losses_on(world, &dropping, "dp,tp=1", false, false);
}

static void draws_the_same_weights(dt_world *world)
{
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "tp", &mesh));
    const model_use f32 = {mesh, DT_F32, true, false, NULL, 0};
    const model_use bf16 = {mesh, DT_BF16, true, true, NULL, 0};
    check_weights(&llama, &f32);
    check_weights(&llama, &bf16);
    dt_mesh_release(mesh);
}

/* Ranks outside of the mesh make the same calls, and have nothing. */
static void leaves_ranks_out(dt_world *world)
{
    static const int ranks[] = {0, 1, 2, 3, 4, 5, 6};
    const int count = dt_world_size(world) - 1;
    dt_mesh *mesh = NULL;
    double losses[4];
    if (count < 1)
        return;
    CHECK_OK(world, dt_mesh_create_from(world, "tp", ranks, count, &mesh));
    const model_use use = {mesh, DT_F64, true, false, NULL, 0};
    if (dt_mesh_is_member(mesh))
        check_losses(&llama, &use, 4);
    else
        train(&llama, &use, 4, losses);
    dt_mesh_release(mesh);
}

/* Hugging Face's plan, which prepares nothing. */
static void takes_the_plan_of_hugging_face(dt_world *world)
{
    static const dt_parallel_rule rules[] = {
        {.pattern = "model.layers.*.self_attn.[qkv]_proj",
         .style = &dt_colwise},
        {.pattern = "model.layers.*.self_attn.o_proj", .style = &dt_rowwise},
        {.pattern = "model.layers.*.mlp.gate_proj", .style = &dt_colwise},
        {.pattern = "model.layers.*.mlp.up_proj", .style = &dt_colwise},
        {.pattern = "model.layers.*.mlp.down_proj", .style = &dt_rowwise},
        {.pattern = "lm_head", .style = &dt_colwise, .outputs = "R"},
    };
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "tp", &mesh));
    const model_use use = {mesh, DT_F64, true, false, rules, 6};
    check_losses(&llama, &use, 4);
    dt_mesh_release(mesh);
}

/* The layout of a parameter in a model of its rules. */
static void check_layout_of(dt_module *model, const char *name,
                            const char *layout)
{
    dt_tensor *tensor = dt_parameter_tensor(dt_module_parameter(model, name));
    CHECK_TEXT(dt_layout_text(dt_module_world(model), dt_tensor_layout(tensor)),
               layout);
}

/* 6 queries on 4 ranks are 2, 2, 2 and 0, and 3 keys go with them; on 2 ranks 3
 * and 3, and no 2 and 1 keys.  Then every rank has all keys. */
static void shares_heads_of_keys(dt_world *world)
{
    const int ranks = dt_world_size(world);
    const bool fits = ranks == 1 || (ranks >= 3 && ranks <= 5);
    dt_mesh *mesh = NULL;
    dt_scope *scope = dt_scope_open(world);
    CHECK_OK(world, dt_mesh_create(world, "tp", &mesh));
    const model_use use = {mesh, DT_F32, true, false, NULL, 0};
    dt_module *model = make_model(&llama, &use);
    check_layout_of(model, "model.layers.0.self_attn.q_proj.weight", "S(0)");
    check_layout_of(model, "model.layers.0.self_attn.k_proj.weight",
                    fits ? "S(0)" : "R");
    check_layout_of(model, "model.layers.1.self_attn.o_proj.weight", "S(1)");
    check_layout_of(model, "model.embed_tokens.weight", "S(0)");
    check_layout_of(model, "model.norm.weight", "R");
    dt_mesh_release(mesh);
    CHECK_OK(world, dt_scope_close(scope));
}

const dt_test dt_tests[] = {
    {"takes the plan of Hugging Face", takes_the_plan_of_hugging_face},
    {"shares heads of keys", shares_heads_of_keys},
    {"tensor parallel", tensor_parallel},
    {"sequence parallel", sequence_parallel},
    {"data parallel", data_parallel},
    {"several mesh dimensions", several_mesh_dimensions},
    {"drops the same", drops_the_same},
    {"draws the same weights", draws_the_same_weights},
    {"leaves ranks out", leaves_ranks_out},
    {NULL, NULL},
};
