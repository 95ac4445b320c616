/* nn/layers/mlp.c - the feed-forward parts of transformers. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/ops/math.h>
#include <dtensor/ops/nn.h>

#include "nn/layers/layers.h"

/* ---- GELU --------------------------------------------------------------- */

typedef struct mlp {
    dt_module *up, *down;
    dt_gelu_options gelu;
} mlp;

static dt_tensor *mlp_forward(dt_module *module, dt_tensor *x)
{
    const mlp *self = dt_module_state(module);
    x = dt_gelu_with(dt_module_call(self->up, x), &self->gelu);
    return dt_module_call(self->down, x);
}

static const dt_module_class mlp_class = {
    .size = sizeof(dt_module_class),
    .name = "MLP",
    .state_size = sizeof(mlp),
    .forward = mlp_forward,
};

dt_module *dt_nn_mlp(dt_world *world, const dt_transformer *shape)
{
    const dt_gelu_options gelu = DT_GELU_OPTIONS_INIT;
    dt_transformer all;
    if (!dti_transformer_read(world, shape, &all))
        return NULL;
    dt_module *module = dt_module_create(world, &mlp_class);
    if (!module)
        return NULL;
    mlp *self = dt_module_state(module);
    self->gelu = gelu;
    if (!all.exact_gelu)
        self->gelu.approximate = DT_APPROXIMATE_TANH;
    self->up = dt_module_add(
        module, "fc", dti_projection(world, &all, all.width, all.hidden, 0.02));
    self->down =
        dt_module_add(module, "proj",
                      dti_projection(world, &all, all.hidden, all.width,
                                     dti_residual_deviation(&all)));
    return module->broken ? NULL : module;
}

/* ---- SwiGLU ------------------------------------------------------------- */

typedef struct swiglu {
    dt_module *gate, *up, *down;
} swiglu;

static dt_tensor *swiglu_forward(dt_module *module, dt_tensor *x)
{
    const swiglu *self = dt_module_state(module);
    dt_tensor *gate = dt_silu(dt_module_call(self->gate, x));
    return dt_module_call(self->down,
                          dt_mul(gate, dt_module_call(self->up, x)));
}

static const dt_module_class swiglu_class = {
    .size = sizeof(dt_module_class),
    .name = "SwiGLU",
    .state_size = sizeof(swiglu),
    .forward = swiglu_forward,
};

dt_module *dt_nn_swiglu(dt_world *world, const dt_transformer *shape)
{
    dt_transformer all;
    if (!dti_transformer_read(world, shape, &all))
        return NULL;
    dt_module *module = dt_module_create(world, &swiglu_class);
    if (!module)
        return NULL;
    swiglu *self = dt_module_state(module);
    const int64_t width = all.width, hidden = all.hidden;
    self->gate = dt_module_add(
        module, "gate_proj", dti_projection(world, &all, width, hidden, 0.02));
    self->up = dt_module_add(module, "up_proj",
                             dti_projection(world, &all, width, hidden, 0.02));
    self->down = dt_module_add(
        module, "down_proj", dti_projection(world, &all, hidden, width, 0.02));
    return module->broken ? NULL : module;
}
