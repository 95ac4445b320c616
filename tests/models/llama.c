/* tests/models/llama.c - RMS norms, rotary positions, grouped queries, SwiGLU.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "models/model.h"

enum {
    BATCH = 3,
    TIME = 7,
    VOCABULARY = 61,
    WIDTH = 40,
    HEADS = 24,
    GROUPS = 12, /* heads of keys and values */
    HEAD = 4,
    HIDDEN = 50,
    LAYERS = 2
};

static const double epsilon = 1e-5, base = 10000;

/* Cosines and sines of the angles by which pairs are turned: (TIME, HEAD / 2),
 * and a dimension for heads. */
typedef struct angles {
    dt_tensor *cosines, *sines;
} angles;

static dt_tensor *norm(dt_tensor *x, dt_tensor *weight)
{
    dt_tensor *out = NULL;
    DT_IGNORE(dt_rms_norm(x, DT_SHAPE(WIDTH), weight, epsilon, &out, NULL));
    return out;
}

/* Turn the pairs of a head, which are half of it apart. */
static dt_tensor *rotate(dt_tensor *x, const angles *by)
{
    dt_tensor *a = dt_narrow(x, -1, 0, HEAD / 2);
    dt_tensor *b = dt_narrow(x, -1, HEAD / 2, HEAD / 2);
    dt_tensor *halves[] = {
        dt_sub(dt_mul(a, by->cosines), dt_mul(b, by->sines)),
        dt_add(dt_mul(a, by->sines), dt_mul(b, by->cosines)),
    };
    return dt_cat(halves, 2, -1);
}

/* Heads of a projection: (batch, heads, time, width of a head). */
static dt_tensor *project(dt_tensor *x, dt_tensor *weight, int heads,
                          const angles *turn)
{
    dt_tensor *y =
        dt_unflatten(dt_linear(x, weight, NULL), -1, DT_SHAPE(heads, HEAD));
    return dt_transpose(turn ? rotate(y, turn) : y, 1, 2);
}

static dt_tensor *attend(const model_setup *model, int layer, dt_tensor *x,
                         const angles *turn)
{
    dt_tensor *wq = model_layer_weight(model, layer, "wq", "RS(0)",
                                       DT_SHAPE(HEADS * HEAD, WIDTH));
    dt_tensor *wk = model_layer_weight(model, layer, "wk", "RS(0)",
                                       DT_SHAPE(GROUPS * HEAD, WIDTH));
    dt_tensor *wv = model_layer_weight(model, layer, "wv", "RS(0)",
                                       DT_SHAPE(GROUPS * HEAD, WIDTH));
    dt_tensor *wo = model_layer_weight(model, layer, "wo", "RS(1)",
                                       DT_SHAPE(WIDTH, HEADS * HEAD));
    dt_tensor *y = model_attention(project(x, wq, HEADS, turn),
                                   project(x, wk, GROUPS, turn),
                                   project(x, wv, GROUPS, NULL));
    return dt_linear(dt_flatten(dt_transpose(y, 1, 2), 2, 3), wo, NULL);
}

static dt_tensor *feed(const model_setup *model, int layer, dt_tensor *x)
{
    dt_tensor *gate = model_layer_weight(model, layer, "gate", "RS(0)",
                                         DT_SHAPE(HIDDEN, WIDTH));
    dt_tensor *up = model_layer_weight(model, layer, "up", "RS(0)",
                                       DT_SHAPE(HIDDEN, WIDTH));
    dt_tensor *down = model_layer_weight(model, layer, "down", "RS(1)",
                                         DT_SHAPE(WIDTH, HIDDEN));
    dt_tensor *hidden =
        dt_mul(dt_silu(dt_linear(x, gate, NULL)), dt_linear(x, up, NULL));
    return dt_linear(hidden, down, NULL);
}

static dt_tensor *block(const model_setup *model, int layer, dt_tensor *x,
                        const angles *turn)
{
    const char *stream = model_stream(model);
    dt_tensor *before = model_layer_weight(model, layer, "attention_norm", "RR",
                                           DT_SHAPE(WIDTH));
    dt_tensor *between =
        model_layer_weight(model, layer, "feed_norm", "RR", DT_SHAPE(WIDTH));
    dt_tensor *y = dt_redistribute(norm(x, before), "S(0)R");
    y = attend(model, layer, y, turn);
    x = dt_add(x, dt_redistribute(y, stream));
    y = dt_redistribute(norm(x, between), "S(0)R");
    y = feed(model, layer, y);
    return dt_add(x, dt_redistribute(y, stream));
}

/* Pair i of time t is turned by t / base^(2i / HEAD). */
static angles make_angles(const model_setup *model)
{
    dt_tensor *time = dt_arange(model->mesh, "RR", DT_F64, 0, TIME, 1);
    dt_tensor *pairs = dt_arange(model->mesh, "RR", DT_F64, 0, HEAD / 2, 1);
    dt_tensor *speeds =
        dt_exp(dt_mul_scalar(pairs, DT_NUMBER(-2 * log(base) / HEAD)));
    dt_tensor *turn = dt_unsqueeze(dt_mul(dt_unsqueeze(time, 1), speeds), 1);
    return (angles){dt_cast(dt_cos(turn), model->dtype),
                    dt_cast(dt_sin(turn), model->dtype)};
}

static model_output forward(const model_setup *model, dt_tensor *tokens,
                            dt_tensor *targets)
{
    const angles turn = make_angles(model);
    dt_tensor *table =
        model->weight(model, "embedding", "RS(0)", DT_SHAPE(VOCABULARY, WIDTH));
    dt_tensor *head =
        model->weight(model, "head", "RS(0)", DT_SHAPE(VOCABULARY, WIDTH));
    dt_tensor *last = model->weight(model, "norm", "RR", DT_SHAPE(WIDTH));
    dt_tensor *x =
        dt_redistribute(dt_embedding(table, tokens), model_stream(model));
    for (int i = 0; i < LAYERS; i++)
        x = block(model, i, x, &turn);
    x = dt_redistribute(norm(x, last), "S(0)R");
    model_output out = {.logits = dt_linear(x, head, NULL)};
    out.loss = model_loss(out.logits, targets);
    return out;
}

const model_kind model_llama = {
    .name = "llama",
    .batch = BATCH,
    .time = TIME,
    .vocabulary = VOCABULARY,
    .forward = forward,
};
