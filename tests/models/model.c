/* tests/models/model.c - what the models have in common. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "models/model.h"

#include <stdio.h>

const char *model_stream(const model_setup *model)
{
    return model->sequence ? "S(0)S(1)" : "S(0)R";
}

dt_tensor *model_layer_weight(const model_setup *model, int layer,
                              const char *name, const char *layout,
                              dt_shape shape)
{
    char full[64];
    snprintf(full, sizeof full, "layers.%d.%s", layer, name);
    return model->weight(model, full, layout, shape);
}

dt_tensor *model_attention(dt_tensor *query, dt_tensor *key, dt_tensor *value)
{
    dt_scaled_dot_product_attention_options options =
        DT_SCALED_DOT_PRODUCT_ATTENTION_OPTIONS_INIT;
    options.is_causal = true;
    options.enable_gqa = true;
    return dt_scaled_dot_product_attention_with(query, key, value, &options);
}

dt_tensor *model_loss(dt_tensor *logits, dt_tensor *targets)
{
    /* Classes come second. */
    dt_tensor *loss =
        dt_cross_entropy_loss(dt_transpose(logits, 1, 2), targets, NULL);
    return dt_redistribute(loss, "RR");
}
