/* tests/models/model.h - small transformers, written with operators as a
 * program would. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_MODEL_H
#define DT_TESTS_MODEL_H

#include <dtensor/dtensor.h>

/*
 * Where a model runs and what its weights are.  The mesh has two dimensions:
 * the batch is cut along the first, weights along the second.  Activations
 * between blocks are replicated along the second, or cut by time if `sequence`
 * is set.
 */
typedef struct model_setup {
    dt_mesh *mesh;
    dt_dtype dtype;
    bool sequence;
    /* Give a weight by its name, in a layout; it belongs to the scope. */
    dt_tensor *(*weight)(const struct model_setup *model, const char *name,
                         const char *layout, dt_shape shape);
    void *arg; /* of `weight` */
} model_setup;

/* What a model gives. */
typedef struct model_output {
    dt_tensor *logits; /* (batch, time, vocabulary), cut by the last */
    dt_tensor *loss;   /* (), replicated */
} model_output;

/* A model by its name, and how large it is. */
typedef struct model_kind {
    const char *name;
    int64_t batch, time, vocabulary;
    /* Compute from tokens and targets, i64 (batch, time) of layout "S(0)R". */
    model_output (*forward)(const model_setup *model, dt_tensor *tokens,
                            dt_tensor *targets);
} model_kind;

extern const model_kind model_llama, model_gpt;

/* ---- Parts that both have ----------------------------------------------- */

/* The layout of activations between blocks. */
const char *model_stream(const model_setup *model);

/* A weight of one layer: its name is "layers.<layer>.<name>". */
dt_tensor *model_layer_weight(const model_setup *model, int layer,
                              const char *name, const char *layout,
                              dt_shape shape);

/* Attend to what came before; all are (batch, heads, time, width), those of
 * keys and values perhaps of fewer heads. */
dt_tensor *model_attention(dt_tensor *query, dt_tensor *key, dt_tensor *value);

/* The mean cross-entropy, from logits that are cut by the vocabulary. */
dt_tensor *model_loss(dt_tensor *logits, dt_tensor *targets);

#endif
