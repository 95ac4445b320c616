/* nn/models/gpt.c - a GPT. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/create.h>
#include <dtensor/ops/math.h>

#include "base/error.h"
#include "nn/layers/layers.h"

/* ---- Blocks ------------------------------------------------------------- */

typedef struct block {
    dt_module *norm1, *attention, *norm2, *mlp, *drop;
} block;

static dt_tensor *block_forward(dt_module *module, dt_tensor *x)
{
    const block *self = dt_module_state(module);
    dt_tensor *y =
        dt_module_call(self->attention, dt_module_call(self->norm1, x));
    x = dt_add(x, dt_module_call(self->drop, y));
    y = dt_module_call(self->mlp, dt_module_call(self->norm2, x));
    return dt_add(x, dt_module_call(self->drop, y));
}

static const dt_module_class block_class = {
    .size = sizeof(dt_module_class),
    .name = "Block",
    .state_size = sizeof(block),
    .forward = block_forward,
};

static dt_module *norm(dt_world *world, const dt_transformer *shape)
{
    dt_nn_options options = DT_NN_OPTIONS_INIT;
    options.dtype = shape->dtype;
    options.eps = shape->eps;
    options.no_bias = shape->no_bias;
    return dt_nn_layer_norm(world, DT_SHAPE(shape->width), &options);
}

dt_module *dt_nn_block(dt_world *world, const dt_transformer *shape)
{
    dt_transformer all;
    if (!dti_transformer_read(world, shape, &all))
        return NULL;
    dt_module *module = dt_module_create(world, &block_class);
    if (!module)
        return NULL;
    block *self = dt_module_state(module);
    self->norm1 = dt_module_add(module, "ln_1", norm(world, &all));
    self->attention =
        dt_module_add(module, "attn", dt_nn_attention(world, &all));
    self->norm2 = dt_module_add(module, "ln_2", norm(world, &all));
    self->mlp = dt_module_add(module, "mlp", dt_nn_mlp(world, &all));
    self->drop =
        dt_module_add(module, "drop", dt_nn_dropout(world, all.dropout));
    return module->broken ? NULL : module;
}

/* ---- The model ---------------------------------------------------------- */

typedef struct gpt {
    dt_module *tokens, *positions, *drop, *layers, *norm, *head;
    int64_t longest;
} gpt;

/* Positions of a sequence, on the mesh of the tokens. */
static dt_tensor *number_positions(const gpt *self, dt_tensor *tokens)
{
    const int64_t time = dt_tensor_extent(tokens, 1);
    if (dt_tensor_ndim(tokens) == 2 && time <= self->longest)
        return dt_arange_int(dt_tensor_mesh(tokens), NULL, DT_I64, 0, time, 1);
    dti_fail(dt_tensor_world(tokens), DT_ERR_INVALID,
             "GPT: tokens must be (batch, time) with at most %lld positions, "
             "not %d-d with %lld",
             (long long)self->longest, dt_tensor_ndim(tokens), (long long)time);
    return NULL;
}

static dt_tensor *gpt_forward(dt_module *module, dt_tensor *tokens)
{
    const gpt *self = dt_module_state(module);
    dt_tensor *numbers = number_positions(self, tokens);
    if (!numbers)
        return NULL;
    dt_tensor *positions = dt_module_call(self->positions, numbers);
    dt_tensor *x = dt_add(dt_module_call(self->tokens, tokens), positions);
    x = dt_module_call(self->drop, x);
    for (int i = 0; i < dt_module_child_count(self->layers); i++)
        x = dt_module_call(dt_module_child(self->layers, i), x);
    return dt_module_call(self->head, dt_module_call(self->norm, x));
}

static const dt_module_class gpt_class = {
    .size = sizeof(dt_module_class),
    .name = "GPT",
    .state_size = sizeof(gpt),
    .forward = gpt_forward,
};

static dt_module *embedding(dt_world *world, const dt_transformer *shape,
                            int64_t count)
{
    dt_nn_options options = DT_NN_OPTIONS_INIT;
    const dt_init weight = {DT_INIT_NORMAL, 0, 0.02, NULL};
    options.dtype = shape->dtype;
    options.weight = &weight;
    return dt_nn_embedding(world, count, shape->width, &options);
}

static void add_head(dt_module *module, const dt_transformer *shape)
{
    gpt *self = dt_module_state(module);
    dt_transformer plain = *shape;
    plain.no_bias = true;
    self->head =
        dt_module_add(module, "lm_head",
                      dti_projection(module->world, &plain, shape->width,
                                     shape->vocabulary, 0.02));
    if (!shape->untied && !module->broken &&
        dt_module_tie(module, "lm_head.weight", "wte.weight") != DT_OK)
        module->broken = true;
}

dt_module *dt_nn_gpt(dt_world *world, const dt_transformer *shape)
{
    dt_transformer all;
    if (!dti_transformer_read(world, shape, &all))
        return NULL;
    dt_module *module = dt_module_create(world, &gpt_class);
    if (!module)
        return NULL;
    gpt *self = dt_module_state(module);
    self->longest = all.positions;
    self->tokens =
        dt_module_add(module, "wte", embedding(world, &all, all.vocabulary));
    self->positions =
        dt_module_add(module, "wpe", embedding(world, &all, all.positions));
    self->drop =
        dt_module_add(module, "drop", dt_nn_dropout(world, all.dropout));
    self->layers = dt_module_add(module, "layers", dt_nn_list(world, NULL, 0));
    for (int64_t i = 0; i < all.layers && !module->broken; i++)
        if (!dt_module_add(self->layers, NULL, dt_nn_block(world, &all)))
            module->broken = true;
    self->norm = dt_module_add(module, "ln_f", norm(world, &all));
    add_head(module, &all);
    return module->broken ? NULL : module;
}
