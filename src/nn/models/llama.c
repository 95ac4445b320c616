/* nn/models/llama.c - a Llama, with Hugging Face's names. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include <dtensor/ops/math.h>

#include "nn/layers/layers.h"

static const dti_attention_names names = {"q_proj", "k_proj", "v_proj",
                                          "o_proj"};

/* ---- Blocks ------------------------------------------------------------- */

typedef struct block {
    dt_module *norm1, *attention, *norm2, *mlp;
} block;

static dt_tensor *block_forward(dt_module *module, dt_tensor *x)
{
    const block *self = dt_module_state(module);
    dt_tensor *y = dt_module_call(self->norm1, x);
    x = dt_add(x, dt_module_call(self->attention, y));
    y = dt_module_call(self->norm2, x);
    return dt_add(x, dt_module_call(self->mlp, y));
}

static const dt_module_class block_class = {
    .size = sizeof(dt_module_class),
    .name = "LlamaBlock",
    .state_size = sizeof(block),
    .forward = block_forward,
};

static dt_module *norm(dt_world *world, const dt_transformer *shape)
{
    dt_nn_options options = DT_NN_OPTIONS_INIT;
    options.dtype = shape->dtype;
    options.eps = shape->eps;
    return dt_nn_rms_norm(world, DT_SHAPE(shape->width), &options);
}

static dt_module *create_block(dt_world *world, const dt_transformer *shape)
{
    dt_module *module = dt_module_create(world, &block_class);
    if (!module)
        return NULL;
    block *self = dt_module_state(module);
    self->norm1 = dt_module_add(module, "input_layernorm", norm(world, shape));
    self->attention = dt_module_add(
        module, "self_attn", dti_attention_create(world, shape, &names, 0.02));
    self->norm2 =
        dt_module_add(module, "post_attention_layernorm", norm(world, shape));
    self->mlp = dt_module_add(module, "mlp", dt_nn_swiglu(world, shape));
    return module->broken ? NULL : module;
}

/* ---- The body ----------------------------------------------------------- */

typedef struct body {
    dt_module *tokens, *layers, *norm;
} body;

static dt_tensor *body_forward(dt_module *module, dt_tensor *tokens)
{
    const body *self = dt_module_state(module);
    dt_tensor *x = dt_module_call(self->tokens, tokens);
    for (int i = 0; i < dt_module_child_count(self->layers); i++)
        x = dt_module_call(dt_module_child(self->layers, i), x);
    return dt_module_call(self->norm, x);
}

static const dt_module_class body_class = {
    .size = sizeof(dt_module_class),
    .name = "LlamaModel",
    .state_size = sizeof(body),
    .forward = body_forward,
};

/* All layers rotate by the tables of the first. */
static void tie_tables(dt_module *module, int64_t layers)
{
    static const char *const tables[] = {"cos", "sin"};
    char name[80], first[80];
    for (int64_t i = 1; i < layers && !module->broken; i++)
        for (int j = 0; j < 2; j++) {
            snprintf(first, sizeof first, "layers.0.self_attn.rotary.%s",
                     tables[j]);
            snprintf(name, sizeof name, "layers.%lld.self_attn.rotary.%s",
                     (long long)i, tables[j]);
            if (dt_module_tie(module, name, first) != DT_OK)
                module->broken = true;
        }
}

static dt_module *create_body(dt_world *world, const dt_transformer *shape)
{
    dt_nn_options options = DT_NN_OPTIONS_INIT;
    const dt_init weight = {DT_INIT_NORMAL, 0, 0.02, NULL};
    dt_module *module = dt_module_create(world, &body_class);
    if (!module)
        return NULL;
    body *self = dt_module_state(module);
    options.dtype = shape->dtype;
    options.weight = &weight;
    self->tokens = dt_module_add(
        module, "embed_tokens",
        dt_nn_embedding(world, shape->vocabulary, shape->width, &options));
    self->layers = dt_module_add(module, "layers", dt_nn_list(world, NULL, 0));
    for (int64_t i = 0; i < shape->layers && !module->broken; i++)
        if (!dt_module_add(self->layers, NULL, create_block(world, shape)))
            module->broken = true;
    tie_tables(module, shape->layers);
    self->norm = dt_module_add(module, "norm", norm(world, shape));
    return module->broken ? NULL : module;
}

/* ---- The model ---------------------------------------------------------- */

typedef struct llama {
    dt_module *model, *head;
} llama;

static dt_tensor *llama_forward(dt_module *module, dt_tensor *tokens)
{
    const llama *self = dt_module_state(module);
    return dt_module_call(self->head, dt_module_call(self->model, tokens));
}

static const dt_module_class llama_class = {
    .size = sizeof(dt_module_class),
    .name = "Llama",
    .state_size = sizeof(llama),
    .forward = llama_forward,
};

dt_module *dt_nn_llama(dt_world *world, const dt_transformer *shape)
{
    dt_transformer all;
    if (!dti_transformer_read(world, shape, &all))
        return NULL;
    all.no_bias = true;
    if (!(all.rotary_base > 0))
        all.rotary_base = 10000;
    dt_module *module = dt_module_create(world, &llama_class);
    if (!module)
        return NULL;
    llama *self = dt_module_state(module);
    self->model = dt_module_add(module, "model", create_body(world, &all));
    self->head = dt_module_add(
        module, "lm_head",
        dti_projection(world, &all, all.width, all.vocabulary, 0.02));
    if (all.tied && !module->broken &&
        dt_module_tie(module, "lm_head.weight", "model.embed_tokens.weight") !=
            DT_OK)
        module->broken = true;
    return module->broken ? NULL : module;
}
