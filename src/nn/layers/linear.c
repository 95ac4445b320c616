/* nn/layers/linear.c - multiplication by a matrix. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include <dtensor/nn.h>
#include <dtensor/ops/linalg.h>

#include "base/options.h"
#include "nn/module.h"

enum { WEIGHT, BIAS };

typedef struct linear {
    bool has_bias;
} linear;

static dt_tensor *forward(dt_module *module, dt_tensor *input)
{
    const linear *self = dt_module_state(module);
    dt_tensor *weight = dt_module_tensor(module, WEIGHT);
    dt_tensor *bias =
        weight && self->has_bias ? dt_module_tensor(module, BIAS) : NULL;
    if (self->has_bias && !bias)
        return NULL;
    return dt_linear(input, weight, bias);
}

static const dt_module_class linear_class = {
    .size = sizeof(dt_module_class),
    .name = "Linear",
    .state_size = sizeof(linear),
    .forward = forward,
};

dt_module *dt_nn_linear(dt_world *world, int64_t in_features,
                        int64_t out_features, const dt_nn_options *options)
{
    dt_nn_options usual = DT_NN_OPTIONS_INIT;
    options = dti_options_read(world, options, &usual, sizeof usual,
                               "DT_NN_OPTIONS_INIT");
    dt_module *module = options ? dt_module_create(world, &linear_class) : NULL;
    if (!module)
        return NULL;
    linear *self = dt_module_state(module);
    self->has_bias = !options->no_bias;
    const double bound = in_features > 0 ? 1 / sqrt((double)in_features) : 0;
    const dt_init drawn = {DT_INIT_UNIFORM, -bound, bound, NULL};
    dt_module_add_parameter(module, "weight", DT_PARAMETER, options->dtype,
                            DT_SHAPE(out_features, in_features),
                            options->weight ? *options->weight : drawn);
    if (self->has_bias)
        dt_module_add_parameter(module, "bias", DT_PARAMETER, options->dtype,
                                DT_SHAPE(out_features),
                                options->bias ? *options->bias : drawn);
    return module->broken ? NULL : module;
}
