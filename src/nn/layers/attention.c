/* nn/layers/attention.c - attention of a sequence to itself. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/ops/nn.h>
#include <dtensor/ops/shape.h>

#include "base/error.h"
#include "nn/layers/layers.h"
#include "nn/layers/rotary.h"
#include "nn/layers/share.h"

typedef struct attention {
    dt_module *query, *key, *value, *output, *rotary;
    int64_t heads, kv_heads, head_width;
    double dropout;
    bool causal;
} attention;

/* Project to heads: (batch, time, heads, width).  A layer that is stored by
 * heads returns them so. */
static dt_tensor *project(const attention *self, dt_module *layer, dt_tensor *x,
                          int64_t heads, bool rotated)
{
    dt_tensor *y = dt_module_call(layer, x);
    if (dt_tensor_ndim(y) == dt_tensor_ndim(x))
        y = dt_unflatten(y, -1, DT_SHAPE(heads, self->head_width));
    return rotated && self->rotary ? dt_module_call(self->rotary, y) : y;
}

static dt_tensor *attend(dt_module *module, dt_tensor *query, dt_tensor *key,
                         dt_tensor *value)
{
    const attention *self = dt_module_state(module);
    dt_scaled_dot_product_attention_options options =
        DT_SCALED_DOT_PRODUCT_ATTENTION_OPTIONS_INIT;
    options.is_causal = self->causal;
    options.dropout_p = module->training ? self->dropout : 0;
    options.enable_gqa = dt_tensor_extent(key, 1) != dt_tensor_extent(query, 1);
    return dt_scaled_dot_product_attention_with(query, key, value, &options);
}

/* x is (batch, time, width). */
static dt_tensor *forward(dt_module *module, dt_tensor *x)
{
    const attention *self = dt_module_state(module);
    dt_tensor *query = project(self, self->query, x, self->heads, true);
    dt_tensor *key = project(self, self->key, x, self->kv_heads, true);
    dt_tensor *value = project(self, self->value, x, self->kv_heads, false);
    query = dt_transpose(query, 1, 2);
    key = dti_heads_for(query, dt_transpose(key, 1, 2));
    value = dti_heads_for(query, dt_transpose(value, 1, 2));
    dt_tensor *y = dt_transpose(attend(module, query, key, value), 1, 2);
    if (!dti_linear_is_split(self->output))
        y = dt_flatten(y, 2, 3);
    return dt_module_call(self->output, y);
}

static const dt_module_class attention_class = {
    .size = sizeof(dt_module_class),
    .name = "Attention",
    .state_size = sizeof(attention),
    .forward = forward,
};

/* Add the linear layers. */
static void add_layers(dt_module *module, const dt_transformer *shape,
                       const dti_attention_names *names, double deviation)
{
    attention *self = dt_module_state(module);
    dt_world *world = module->world;
    const int64_t inner = shape->heads * shape->head_width;
    const int64_t shared = shape->kv_heads * shape->head_width;
    const dti_heads queries = {DTI_SIDE_OUT, shape->heads, shape->heads};
    const dti_heads keys = {DTI_SIDE_OUT, shape->kv_heads, shape->heads};
    const dti_heads outputs = {DTI_SIDE_IN, shape->heads, shape->heads};
    self->query =
        dt_module_add(module, names->query,
                      dti_projection(world, shape, shape->width, inner, 0.02));
    self->key =
        dt_module_add(module, names->key,
                      dti_projection(world, shape, shape->width, shared, 0.02));
    self->value =
        dt_module_add(module, names->value,
                      dti_projection(world, shape, shape->width, shared, 0.02));
    self->output = dt_module_add(
        module, names->output,
        dti_projection(world, shape, inner, shape->width, deviation));
    dti_linear_set_heads(self->query, queries);
    dti_linear_set_heads(self->key, keys);
    dti_linear_set_heads(self->value, keys);
    dti_linear_set_heads(self->output, outputs);
}

dt_module *dti_attention_create(dt_world *world, const dt_transformer *shape,
                                const dti_attention_names *names,
                                double output_deviation)
{
    dt_module *module = dt_module_create(world, &attention_class);
    if (!module)
        return NULL;
    attention *self = dt_module_state(module);
    self->heads = shape->heads;
    self->kv_heads = shape->kv_heads;
    self->head_width = shape->head_width;
    self->dropout = shape->dropout;
    self->causal = !shape->not_causal;
    add_layers(module, shape, names, output_deviation);
    if (shape->rotary_base > 0)
        self->rotary =
            dt_module_add(module, "rotary", dti_rotary_create(world, shape));
    return module->broken ? NULL : module;
}

dt_module *dt_nn_attention(dt_world *world, const dt_transformer *shape)
{
    static const dti_attention_names names = {"wq", "wk", "wv", "wo"};
    dt_transformer all;
    if (!dti_transformer_read(world, shape, &all))
        return NULL;
    return dti_attention_create(world, &all, &names,
                                dti_residual_deviation(&all));
}
