/* nn/layers/embedding.c - rows of a table. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/ops/nn.h>

#include "nn/layers/layers.h"

static dt_tensor *forward(dt_module *module, dt_tensor *input)
{
    return dt_embedding(dt_module_tensor(module, 0), input);
}

static const dt_module_class embedding_class = {
    .size = sizeof(dt_module_class),
    .name = "Embedding",
    .forward = forward,
};

bool dti_is_embedding(const dt_module *module)
{
    return module->given == &embedding_class;
}

dt_module *dt_nn_embedding(dt_world *world, int64_t count, int64_t width,
                           const dt_nn_options *options)
{
    dt_nn_options usual = DT_NN_OPTIONS_INIT;
    const dt_init drawn = {DT_INIT_NORMAL, 0, 1, NULL};
    options = dti_nn_options_read(world, options, &usual);
    dt_module *module =
        options ? dt_module_create(world, &embedding_class) : NULL;
    if (!module)
        return NULL;
    dt_module_add_parameter(module, "weight", DT_PARAMETER, options->dtype,
                            DT_SHAPE(count, width),
                            options->weight ? *options->weight : drawn);
    return module->broken ? NULL : module;
}
