/* tests/models/gpt.c - layer norms, learned positions, heads that need not
 * divide by the ranks, GELU, one table for tokens and logits. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "models/model.h"

enum {
    BATCH = 3,
    TIME = 6,
    VOCABULARY = 53,
    WIDTH = 35,
    HEADS = 7,
    HEAD = 5,
    HIDDEN = 4 * WIDTH,
    POSITIONS = 9,
    LAYERS = 2
};

static const double epsilon = 1e-5;

static dt_tensor *norm(dt_tensor *x, dt_tensor *weight, dt_tensor *bias)
{
    dt_tensor *out = NULL;
    DT_IGNORE(dt_layer_norm(x, DT_SHAPE(WIDTH), weight, bias, epsilon, &out,
                            NULL, NULL));
    return out;
}

/* Queries, keys and values of all heads at once, then one by one: each
 * (batch, heads, time, width of a head). */
static bool project(const model_setup *model, int layer, dt_tensor *x,
                    dt_tensor *out[3])
{
    dt_tensor *weight = model_layer_weight(model, layer, "qkv", "RS(0)",
                                           DT_SHAPE(HEADS, 3 * HEAD, WIDTH));
    dt_tensor *bias = model_layer_weight(model, layer, "qkv_bias", "RS(0)",
                                         DT_SHAPE(HEADS, 3 * HEAD));
    dt_tensor *operands[] = {x, weight};
    int count = 0;
    dt_tensor *all = dt_add(dt_einsum("btd,hed->bthe", operands, 2), bias);
    return dt_split(dt_transpose(all, 1, 2), HEAD, -1, out, 3, &count) == DT_OK;
}

static dt_tensor *attend(const model_setup *model, int layer, dt_tensor *x)
{
    dt_tensor *heads[3] = {NULL};
    dt_tensor *weight = model_layer_weight(model, layer, "out", "RS(0)",
                                           DT_SHAPE(HEADS, HEAD, WIDTH));
    if (!project(model, layer, x, heads))
        return NULL;
    dt_tensor *operands[] = {model_attention(heads[0], heads[1], heads[2]),
                             weight};
    return dt_einsum("bhte,hed->btd", operands, 2);
}

static dt_tensor *feed(const model_setup *model, int layer, dt_tensor *x)
{
    dt_gelu_options options = DT_GELU_OPTIONS_INIT;
    dt_tensor *up = model_layer_weight(model, layer, "up", "RS(0)",
                                       DT_SHAPE(HIDDEN, WIDTH));
    dt_tensor *bias =
        model_layer_weight(model, layer, "up_bias", "RS(0)", DT_SHAPE(HIDDEN));
    dt_tensor *down = model_layer_weight(model, layer, "down", "RS(1)",
                                         DT_SHAPE(WIDTH, HIDDEN));
    options.approximate = DT_APPROXIMATE_TANH;
    return dt_linear(dt_gelu_with(dt_linear(x, up, bias), &options), down,
                     NULL);
}

/* Norm, one half of a block, and what it adds to the stream; a bias is added
 * once, after the ranks' shares. */
static dt_tensor *half(const model_setup *model, int layer, dt_tensor *x,
                       dt_tensor *(*compute)(const model_setup *, int,
                                             dt_tensor *),
                       const char *const names[3])
{
    dt_tensor *parts[3];
    for (int i = 0; i < 3; i++)
        parts[i] =
            model_layer_weight(model, layer, names[i], "RR", DT_SHAPE(WIDTH));
    dt_tensor *y = dt_redistribute(norm(x, parts[0], parts[1]), "S(0)R");
    y = dt_redistribute(compute(model, layer, y), model_stream(model));
    return dt_add(x, dt_add(y, parts[2]));
}

static dt_tensor *block(const model_setup *model, int layer, dt_tensor *x)
{
    static const char *const first[] = {"norm1", "norm1_bias", "out_bias"};
    static const char *const second[] = {"norm2", "norm2_bias", "down_bias"};
    x = half(model, layer, x, attend, first);
    return half(model, layer, x, feed, second);
}

/* Tokens and positions.  What every rank has is cut without sending. */
static dt_tensor *embed(const model_setup *model, dt_tensor *table,
                        dt_tensor *tokens)
{
    dt_tensor *positions =
        model->weight(model, "positions", "RR", DT_SHAPE(POSITIONS, WIDTH));
    dt_tensor *at = dt_narrow(positions, 0, 0, TIME);
    dt_tensor *x =
        dt_redistribute(dt_embedding(table, tokens), model_stream(model));
    return dt_add(x, dt_redistribute(at, model->sequence ? "RS(0)" : "RR"));
}

static model_output forward(const model_setup *model, dt_tensor *tokens,
                            dt_tensor *targets)
{
    dt_tensor *table =
        model->weight(model, "embedding", "RS(0)", DT_SHAPE(VOCABULARY, WIDTH));
    dt_tensor *weight = model->weight(model, "norm", "RR", DT_SHAPE(WIDTH));
    dt_tensor *bias = model->weight(model, "norm_bias", "RR", DT_SHAPE(WIDTH));
    dt_tensor *x = embed(model, table, tokens);
    for (int i = 0; i < LAYERS; i++)
        x = block(model, i, x);
    x = dt_redistribute(norm(x, weight, bias), "S(0)R");
    model_output out = {.logits = dt_linear(x, table, NULL)};
    out.loss = model_loss(out.logits, targets);
    return out;
}

const model_kind model_gpt = {
    .name = "gpt",
    .batch = BATCH,
    .time = TIME,
    .vocabulary = VOCABULARY,
    .forward = forward,
};
