/* nn/layers/norm.c - layer norm and RMS norm. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/ops/nn.h>

#include "nn/layers/layers.h"

enum { WEIGHT, BIAS };

typedef struct norm {
    dt_shape shape;
    double eps;
    bool has_bias;
} norm;

static dt_tensor *layer_forward(dt_module *module, dt_tensor *input)
{
    const norm *self = dt_module_state(module);
    dt_tensor *out = NULL, *weight = dt_module_tensor(module, WEIGHT);
    dt_tensor *bias =
        weight && self->has_bias ? dt_module_tensor(module, BIAS) : NULL;
    if (!weight || (self->has_bias && !bias))
        return NULL;
    DT_IGNORE(dt_layer_norm(input, self->shape, weight, bias, self->eps, &out,
                            NULL, NULL));
    return out;
}

static dt_tensor *rms_forward(dt_module *module, dt_tensor *input)
{
    const norm *self = dt_module_state(module);
    dt_tensor *out = NULL, *weight = dt_module_tensor(module, WEIGHT);
    if (!weight)
        return NULL;
    DT_IGNORE(dt_rms_norm(input, self->shape, weight, self->eps, &out, NULL));
    return out;
}

static const dt_module_class layer_norm_class = {
    .size = sizeof(dt_module_class),
    .name = "LayerNorm",
    .state_size = sizeof(norm),
    .forward = layer_forward,
};

static const dt_module_class rms_norm_class = {
    .size = sizeof(dt_module_class),
    .name = "RMSNorm",
    .state_size = sizeof(norm),
    .forward = rms_forward,
};

static dt_module *create(dt_world *world, const dt_module_class *kind,
                         dt_shape shape, bool has_bias, double eps,
                         const dt_nn_options *options)
{
    dt_nn_options usual = DT_NN_OPTIONS_INIT;
    const dt_init ones = {DT_INIT_ONES, 0, 0, NULL};
    const dt_init zeros = {DT_INIT_ZEROS, 0, 0, NULL};
    options = dti_nn_options_read(world, options, &usual);
    dt_module *module = options ? dt_module_create(world, kind) : NULL;
    if (!module)
        return NULL;
    norm *self = dt_module_state(module);
    self->shape = shape;
    self->eps = options->eps > 0 ? options->eps : eps;
    self->has_bias = has_bias && !options->no_bias;
    dt_module_add_parameter(module, "weight", DT_PARAMETER, options->dtype,
                            shape, ones);
    if (self->has_bias)
        dt_module_add_parameter(module, "bias", DT_PARAMETER, options->dtype,
                                shape, zeros);
    return module->broken ? NULL : module;
}

dt_module *dt_nn_layer_norm(dt_world *world, dt_shape shape,
                            const dt_nn_options *options)
{
    return create(world, &layer_norm_class, shape, true, 1e-5, options);
}

dt_module *dt_nn_rms_norm(dt_world *world, dt_shape shape,
                          const dt_nn_options *options)
{
    return create(world, &rms_norm_class, shape, false, 1e-6, options);
}
