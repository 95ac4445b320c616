/* nn/layers/linear.c - multiplication by a matrix. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include <dtensor/ops/linalg.h>
#include <dtensor/ops/math.h>

#include "nn/layers/layers.h"

enum { WEIGHT, BIAS };

typedef struct linear {
    bool has_bias;
    dti_heads heads;
} linear;

/* The weight has three dimensions, and the input or the output a dimension for
 * heads. */
static dt_tensor *multiply_split(const linear *self, dt_tensor *input,
                                 dt_tensor *weight, dt_tensor *bias)
{
    dt_tensor *operands[] = {input, weight};
    const char *equation = self->heads.side == DTI_SIDE_OUT ? "...d,hed->...he"
                                                            : "...he,dhe->...d";
    dt_tensor *product = dt_einsum(equation, operands, 2);
    return bias ? dt_add(product, bias) : product;
}

static dt_tensor *forward(dt_module *module, dt_tensor *input)
{
    const linear *self = dt_module_state(module);
    dt_tensor *weight = dt_module_tensor(module, WEIGHT);
    dt_tensor *bias =
        weight && self->has_bias ? dt_module_tensor(module, BIAS) : NULL;
    if (self->has_bias && !bias)
        return NULL;
    if (dt_tensor_ndim(weight) == 3)
        return multiply_split(self, input, weight, bias);
    return dt_linear(input, weight, bias);
}

static const dt_module_class linear_class = {
    .size = sizeof(dt_module_class),
    .name = "Linear",
    .state_size = sizeof(linear),
    .forward = forward,
};

bool dti_is_linear(const dt_module *module)
{
    return module->given == &linear_class;
}

dti_heads dti_linear_heads(const dt_module *module)
{
    return dti_is_linear(module) ? ((const linear *)module->state)->heads
                                 : (dti_heads){.side = DTI_SIDE_NONE};
}

void dti_linear_set_heads(dt_module *module, dti_heads heads)
{
    if (module)
        ((linear *)module->state)->heads = heads;
}

bool dti_linear_is_split(const dt_module *module)
{
    return dti_is_linear(module) &&
           dt_tensor_ndim(module->slots[WEIGHT].parameter->tensor) == 3;
}

dt_module *dt_nn_linear(dt_world *world, int64_t in_features,
                        int64_t out_features, const dt_nn_options *options)
{
    dt_nn_options usual = DT_NN_OPTIONS_INIT;
    options = dti_nn_options_read(world, options, &usual);
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
