/* nn/layers/layers.h - what layers know of each other. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_NN_LAYERS_LAYERS_H
#define DTI_NN_LAYERS_LAYERS_H

#include <dtensor/nn.h>

#include "base/options.h"
#include "nn/module.h"

/* Give the options of a layer, or its defaults; NULL on failure. */
static inline const dt_nn_options *
dti_nn_options_read(dt_world *world, const dt_nn_options *options,
                    dt_nn_options *usual)
{
    return dti_options_read(world, options, usual, sizeof *usual,
                            "DT_NN_OPTIONS_INIT");
}

/* ---- Linear layers whose features are heads ----------------------------- */

/* Which side of a linear layer consists of heads. */
typedef enum dti_side {
    DTI_SIDE_NONE,
    DTI_SIDE_OUT, /* weight is (heads width) in */
    DTI_SIDE_IN   /* weight is out (heads width) */
} dti_side;

/*
 * Heads of a linear layer.  A rank must store entire heads: where chunks of
 * features do not end between heads, parallel styles store the weight with a
 * dimension for heads, "heads width in" or "out heads width", and shard that.
 * Then the layer's output, or its input, has a dimension for heads too:
 * (..., heads, width).
 */
typedef struct dti_heads {
    dti_side side;
    int64_t count;   /* of this layer */
    int64_t queries; /* heads of queries, of which each of these serves a group
                      */
} dti_heads;

/* Tell whether a module is a linear layer, or an embedding. */
bool dti_is_linear(const dt_module *module);
bool dti_is_embedding(const dt_module *module);

/* The heads of a linear layer; side DTI_SIDE_NONE of others. */
dti_heads dti_linear_heads(const dt_module *module);
void dti_linear_set_heads(dt_module *module, dti_heads heads);

/* Tell whether the weight is stored with a dimension for heads. */
bool dti_linear_is_split(const dt_module *module);

/* ---- Transformers ------------------------------------------------------- */

/* Read a shape, with defaults filled in; NULL after an error. */
const dt_transformer *dti_transformer_read(dt_world *world,
                                           const dt_transformer *given,
                                           dt_transformer *out);

/* Names of the four linear layers of attention. */
typedef struct dti_attention_names {
    const char *query, *key, *value, *output;
} dti_attention_names;

dt_module *dti_attention_create(dt_world *world, const dt_transformer *shape,
                                const dti_attention_names *names,
                                double output_deviation);

/* A linear layer of a transformer: normal, biases 0. */
dt_module *dti_projection(dt_world *world, const dt_transformer *shape,
                          int64_t in, int64_t out, double deviation);

/* The deviation of layers that add to the stream in a GPT. */
double dti_residual_deviation(const dt_transformer *shape);

#endif
