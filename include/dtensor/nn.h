/* dtensor/nn.h - layers and models. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_NN_H
#define DTENSOR_NN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dtensor/dtype.h>
#include <dtensor/module.h>
#include <dtensor/shape.h>
#include <dtensor/tensor.h>
#include <dtensor/world.h>

DT_EXTERN_C_BEGIN

/*
 * Rules for all functions of this header.
 *
 * - They create a module, as dt_module_create does.  None is collective, but
 *   ranks that use a module must build it alike.
 * - `options` may be NULL; zeros are the defaults.
 * - Parameters have PyTorch's names and shapes, and its initial distributions
 *   unless a comment says otherwise.
 */

/* Options of layers; each layer says which it uses. */
typedef struct dt_nn_options {
    size_t size;           /* sizeof(dt_nn_options) */
    dt_dtype dtype;        /* of the parameters; default f32 */
    bool no_bias;          /* leave out the bias */
    double eps;            /* added to a denominator; 0: the layer's default */
    const dt_init *weight; /* initial weight; NULL: PyTorch's */
    const dt_init *bias;   /* initial bias; NULL: PyTorch's */
} dt_nn_options;

#define DT_NN_OPTIONS_INIT                                                     \
    {                                                                          \
        sizeof(dt_nn_options), DT_F32, false, 0, 0, 0                          \
    }

/*
 * Multiply the last dimension by a matrix and add a bias.
 *
 * Not collective.  Parameters: weight (out_features, in_features), bias
 * (out_features), both uniform between -1/sqrt(in_features) and
 * 1/sqrt(in_features).  Options: dtype, no_bias, weight, bias.
 */
DT_API dt_module *dt_nn_linear(dt_world *world, int64_t in_features,
                               int64_t out_features,
                               const dt_nn_options *options);

/*
 * Look up rows of a table.
 *
 * Not collective.  Parameters: weight (count, width), normal with mean 0 and
 * deviation 1.  Options: dtype, weight.
 */
DT_API dt_module *dt_nn_embedding(dt_world *world, int64_t count, int64_t width,
                                  const dt_nn_options *options);

/*
 * Normalise the last dimensions, whose extents are `shape`, to mean 0 and
 * variance 1; dt_nn_rms_norm to a mean square of 1.
 *
 * Not collective.  Parameters: weight, ones, and bias, zeros, which RMS norm
 * has not.  Options: dtype, no_bias, eps (default 1e-5, RMS norm 1e-6).
 */
DT_API dt_module *dt_nn_layer_norm(dt_world *world, dt_shape shape,
                                   const dt_nn_options *options);
DT_API dt_module *dt_nn_rms_norm(dt_world *world, dt_shape shape,
                                 const dt_nn_options *options);

/* Set elements to 0 with probability p and divide the others by 1 - p, in
 * training; the same elements on any mesh.  Not collective. */
DT_API dt_module *dt_nn_dropout(dt_world *world, double p);

/* Apply a function without parameters, for example an activation:
 * dt_nn_function(world, "ReLU", dt_relu).  Not collective.  The name is for
 * messages and must stay valid. */
DT_API dt_module *dt_nn_function(dt_world *world, const char *name,
                                 dt_tensor *(*function)(dt_tensor *));

/* ---- Containers --------------------------------------------------------- */

/*
 * Call modules one after another.  Children are named "0", "1", ...
 *
 * Not collective.  More can be added with dt_module_add.
 */
DT_API dt_module *dt_nn_sequential(dt_world *world, dt_module *const *modules,
                                   int count);

/*
 * Hold modules, named "0", "1", ..., which the parent calls.
 *
 * Not collective.
 */
DT_API dt_module *dt_nn_list(dt_world *world, dt_module *const *modules,
                             int count);

/* ---- Transformers ------------------------------------------------------- */

/* The shape of a transformer and of its parts.  Zeros are the defaults. */
typedef struct dt_transformer {
    size_t size;        /* sizeof(dt_transformer) */
    int64_t width;      /* of the stream between blocks */
    int64_t layers;     /* number of blocks */
    int64_t vocabulary; /* number of tokens */
    int64_t positions;  /* longest sequence */
    int64_t heads;      /* attention heads */
    int64_t kv_heads; /* heads of keys and values, each of which serves a group
                         of heads; 0: as many as heads */
    int64_t head_width; /* 0: width / heads */
    int64_t hidden;     /* width of the inner layer of an MLP; 0: 4 * width */
    double eps;         /* of norms; 0: 1e-5 */
    double dropout;     /* probability, in training */
    double rotary_base; /* of rotary positions; 0: 10000 for Llama, none
                           elsewhere */
    bool no_bias;       /* linear layers of a GPT have no bias; those of a Llama
                           never have one */
    bool not_causal;    /* attend to later positions too */
    bool
        untied; /* GPT: the head has a weight of its own, not the embedding's */
    bool tied;  /* Llama: the head has the weight of the embedding */
    bool exact_gelu; /* GELU by the error function instead of tanh */
    dt_dtype dtype;  /* of the parameters */
} dt_transformer;

#define DT_TRANSFORMER_INIT                                                    \
    {                                                                          \
        sizeof(dt_transformer), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, false, false, \
            false, false, false, DT_F32                                        \
    }

/*
 * Attention of a sequence to itself: input and output are (batch, time, width).
 *
 * Not collective.  Children: wq, wk, wv and wo, linear layers, drawn as
 * GPT-2's: normal with deviation 0.02, that of wo divided by sqrt(2 * layers)
 * if layers is set; biases are 0.  With rotary_base, positions are rotated in
 * halves as Hugging Face's Llama does.
 */
DT_API dt_module *dt_nn_attention(dt_world *world, const dt_transformer *shape);

/* Two linear layers, fc and proj, with GELU between them.  Not collective.
 * Drawn as attention is. */
DT_API dt_module *dt_nn_mlp(dt_world *world, const dt_transformer *shape);

/* down_proj(silu(gate_proj(x)) * up_proj(x)).  Not collective.  Drawn as
 * attention is, but down_proj with deviation 0.02. */
DT_API dt_module *dt_nn_swiglu(dt_world *world, const dt_transformer *shape);

/* A block of a GPT: x + attn(ln_1(x)), then x + mlp(ln_2(x)).
 * Not collective. */
DT_API dt_module *dt_nn_block(dt_world *world, const dt_transformer *shape);

/*
 * A GPT: from tokens, i64 (batch, time), to logits (batch, time, vocabulary).
 *
 * Not collective.  Children: wte and wpe, embeddings of tokens and positions,
 * drop, layers, ln_f and lm_head, which has no bias and, unless untied, the
 * weight of wte.  Drawn as GPT-2: normal with deviation 0.02.
 */
DT_API dt_module *dt_nn_gpt(dt_world *world, const dt_transformer *shape);

/*
 * A Llama: from tokens, i64 (batch, time), to logits (batch, time, vocabulary).
 *
 * Not collective.  Parameters have Hugging Face's names and shapes:
 * model.embed_tokens.weight, model.layers.0.self_attn.q_proj.weight,
 * model.layers.0.mlp.gate_proj.weight, model.layers.0.input_layernorm.weight,
 * ..., model.norm.weight and lm_head.weight.  Drawn as there: normal with
 * deviation 0.02.
 */
DT_API dt_module *dt_nn_llama(dt_world *world, const dt_transformer *shape);

/*
 * Mean cross-entropy of logits (batch, time, vocabulary) and targets, i64
 * (batch, time); targets of -100 are left out.
 *
 * Collective over the mesh.  Logits may be sharded along the vocabulary: they
 * are not gathered, three small all-reduces are sent.  The result is
 * replicated.
 */
DT_API dt_tensor *dt_token_loss(dt_tensor *logits, dt_tensor *targets);

DT_EXTERN_C_END

#endif
