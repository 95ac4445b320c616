/* tests/models/block.c - linear layers, attention, MLP, embedding, norm, loss,
 * and what is made of them. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "models/block.h"

#include <string.h>

/* Widths are multiples of the width of a head, so that ranks that the heads do
 * not divide by have whole heads. */
enum {
    BATCH = 4,
    TIME = 8,
    HEADS = 12,
    HEAD = 2,
    WIDTH = HEADS * HEAD,
    HIDDEN = 36,
    ITEMS = BATCH * TIME
};

#define STREAM                                                                 \
    DT_F64,                                                                    \
    {                                                                          \
        3,                                                                     \
        {                                                                      \
            BATCH, TIME, WIDTH                                                 \
        }                                                                      \
    }
#define MATRIX(rows, columns)                                                  \
    DT_F64,                                                                    \
    {                                                                          \
        2,                                                                     \
        {                                                                      \
            rows, columns                                                      \
        }                                                                      \
    }
#define VECTOR(size)                                                           \
    DT_F64,                                                                    \
    {                                                                          \
        1,                                                                     \
        {                                                                      \
            size                                                               \
        }                                                                      \
    }

/* ---- Computations ------------------------------------------------------- */

static dt_tensor *enter(const model_block *of, dt_tensor *x)
{
    return dt_redistribute(x, of->inside);
}

static dt_tensor *leave(const model_block *of, dt_tensor *x)
{
    return dt_redistribute(x, of->stream);
}

/* x, weight, bias */
static dt_tensor *run_linear(const model_block *of, dt_tensor *const *in)
{
    return leave(of, dt_linear(enter(of, in[0]), in[1], in[2]));
}

/* w1, b1, w2, b2 */
static dt_tensor *feed(const model_block *of, dt_tensor *x,
                       dt_tensor *const *in)
{
    dt_tensor *hidden = dt_gelu(dt_linear(enter(of, x), in[0], in[1]));
    return leave(of, dt_linear(hidden, in[2], in[3]));
}

static dt_tensor *run_mlp(const model_block *of, dt_tensor *const *in)
{
    return feed(of, in[0], in + 1);
}

/* (batch, time, width) to (batch, heads, time, width of a head) */
static dt_tensor *split_heads(dt_tensor *x)
{
    return dt_transpose(dt_view(x, DT_SHAPE(BATCH, TIME, HEADS, HEAD)), 1, 2);
}

/* wq, wk, wv, wo */
static dt_tensor *attend(const model_block *of, dt_tensor *x,
                         dt_tensor *const *in)
{
    dt_scaled_dot_product_attention_options options =
        DT_SCALED_DOT_PRODUCT_ATTENTION_OPTIONS_INIT;
    dt_tensor *parts[3];
    options.is_causal = true;
    x = enter(of, x);
    for (int i = 0; i < 3; i++)
        parts[i] = split_heads(dt_linear(x, in[i], NULL));
    dt_tensor *y = dt_scaled_dot_product_attention_with(parts[0], parts[1],
                                                        parts[2], &options);
    y = dt_reshape(dt_transpose(y, 1, 2), DT_SHAPE(BATCH, TIME, WIDTH));
    return leave(of, dt_linear(y, in[3], NULL));
}

static dt_tensor *run_attention(const model_block *of, dt_tensor *const *in)
{
    return attend(of, in[0], in + 1);
}

/* weight, bias */
static dt_tensor *normalize(dt_tensor *x, dt_tensor *const *in)
{
    dt_tensor *out = NULL;
    DT_IGNORE(dt_layer_norm(x, DT_SHAPE(WIDTH), in[0], in[1], 1e-5, &out, NULL,
                            NULL));
    return out;
}

static dt_tensor *run_norm(const model_block *of, dt_tensor *const *in)
{
    return leave(of, normalize(enter(of, in[0]), in + 1));
}

static dt_tensor *run_transformer(const model_block *of, dt_tensor *const *in)
{
    dt_tensor *x = dt_add(in[0], attend(of, normalize(in[0], in + 1), in + 3));
    return dt_add(x, feed(of, normalize(x, in + 7), in + 9));
}

static dt_tensor *run_embedding(const model_block *of, dt_tensor *const *in)
{
    return leave(of, dt_embedding(in[1], in[0]));
}

static dt_tensor *cross_entropy(dt_tensor *logits, dt_tensor *targets,
                                dt_reduction reduction)
{
    dt_cross_entropy_loss_options options = DT_CROSS_ENTROPY_LOSS_OPTIONS_INIT;
    options.reduction = reduction;
    return dt_cross_entropy_loss_with(logits, targets, NULL, &options);
}

static dt_tensor *run_mean_loss(const model_block *of, dt_tensor *const *in)
{
    return leave(of, cross_entropy(in[0], in[1], DT_REDUCTION_MEAN));
}

static dt_tensor *run_sum_loss(const model_block *of, dt_tensor *const *in)
{
    return leave(of, cross_entropy(in[0], in[1], DT_REDUCTION_SUM));
}

/* One table for tokens and logits, and an MLP between. */
static dt_tensor *run_model(const model_block *of, dt_tensor *const *in)
{
    dt_tensor *x = leave(of, dt_embedding(in[2], in[0]));
    x = dt_add(x, feed(of, x, in + 3));
    dt_tensor *logits = dt_linear(enter(of, x), in[2], NULL);
    logits = dt_view(logits, DT_SHAPE(ITEMS, BLOCK_CLASSES));
    dt_tensor *loss = cross_entropy(logits, in[1], DT_REDUCTION_SUM);
    return dt_redistribute(loss, strcmp(of->mesh, "tp") == 0 ? "R" : "RR");
}

/* ---- Kinds -------------------------------------------------------------- */

static const block_kind linear = {.name = "linear",
                                  .inputs = {{"x", STREAM},
                                             {"weight", MATRIX(WIDTH, WIDTH)},
                                             {"bias", VECTOR(WIDTH)},
                                             {"grad", STREAM}},
                                  .run = run_linear};
static const block_kind mlp = {.name = "mlp",
                               .inputs = {{"x", STREAM},
                                          {"w1", MATRIX(HIDDEN, WIDTH)},
                                          {"b1", VECTOR(HIDDEN)},
                                          {"w2", MATRIX(WIDTH, HIDDEN)},
                                          {"b2", VECTOR(WIDTH)},
                                          {"grad", STREAM}},
                               .run = run_mlp};
static const block_kind attention = {.name = "attention",
                                     .inputs = {{"x", STREAM},
                                                {"wq", MATRIX(WIDTH, WIDTH)},
                                                {"wk", MATRIX(WIDTH, WIDTH)},
                                                {"wv", MATRIX(WIDTH, WIDTH)},
                                                {"wo", MATRIX(WIDTH, WIDTH)},
                                                {"grad", STREAM}},
                                     .run = run_attention};
static const block_kind norm = {.name = "norm",
                                .inputs = {{"x", STREAM},
                                           {"weight", VECTOR(WIDTH)},
                                           {"bias", VECTOR(WIDTH)},
                                           {"grad", STREAM}},
                                .run = run_norm};
static const block_kind transformer = {.name = "transformer",
                                       .inputs = {{"x", STREAM},
                                                  {"norm1", VECTOR(WIDTH)},
                                                  {"norm1_bias", VECTOR(WIDTH)},
                                                  {"wq", MATRIX(WIDTH, WIDTH)},
                                                  {"wk", MATRIX(WIDTH, WIDTH)},
                                                  {"wv", MATRIX(WIDTH, WIDTH)},
                                                  {"wo", MATRIX(WIDTH, WIDTH)},
                                                  {"norm2", VECTOR(WIDTH)},
                                                  {"norm2_bias", VECTOR(WIDTH)},
                                                  {"w1", MATRIX(HIDDEN, WIDTH)},
                                                  {"b1", VECTOR(HIDDEN)},
                                                  {"w2", MATRIX(WIDTH, HIDDEN)},
                                                  {"b2", VECTOR(WIDTH)},
                                                  {"grad", STREAM}},
                                       .run = run_transformer};
static const block_kind embedding = {
    .name = "embedding",
    .inputs = {{"tokens", DT_I64, {2, {BATCH, TIME}}},
               {"table", MATRIX(BLOCK_CLASSES, WIDTH)},
               {"grad", STREAM}},
    .run = run_embedding};
static const block_kind mean_loss = {
    .name = "mean_loss",
    .inputs = {{"logits", MATRIX(ITEMS, BLOCK_CLASSES)},
               {"targets", DT_I64, {1, {ITEMS}}}},
    .run = run_mean_loss};
static const block_kind sum_loss = {
    .name = "sum_loss",
    .inputs = {{"logits", MATRIX(ITEMS, BLOCK_CLASSES)},
               {"targets", DT_I64, {1, {ITEMS}}}},
    .run = run_sum_loss};
static const block_kind model = {
    .name = "model",
    .inputs = {{"tokens", DT_I64, {2, {BATCH, TIME}}},
               {"targets", DT_I64, {1, {ITEMS}}},
               {"table", MATRIX(BLOCK_CLASSES, WIDTH)},
               {"w1", MATRIX(HIDDEN, WIDTH)},
               {"b1", VECTOR(HIDDEN)},
               {"w2", MATRIX(WIDTH, HIDDEN)},
               {"b2", VECTOR(WIDTH)}},
    .run = run_model};

int block_input_count(const block_kind *kind)
{
    int count = 0;
    while (count < BLOCK_INPUTS && kind->inputs[count].name)
        count++;
    return count;
}

int block_grad(const block_kind *kind)
{
    const int last = block_input_count(kind) - 1;
    return strcmp(kind->inputs[last].name, "grad") == 0 ? last : -1;
}

bool block_is_leaf(const block_kind *kind, int input)
{
    return kind->inputs[input].dtype == DT_F64 && input != block_grad(kind);
}

/* ---- Layouts ------------------------------------------------------------ */

/* clang-format off */
#define COLUMNS_ROWS "S(0)", "S(0)", "S(1)", "R"
#define COLUMNS_ROWS_2D "RS(0)", "RS(0)", "RS(1)", "RR"
#define HEADS_1D "S(0)", "S(0)", "S(0)", "S(1)"
#define HEADS_2D "RS(0)", "RS(0)", "RS(0)", "RS(1)"

const model_block blocks[] = {
    {"linear columns", &linear, "tp", "R", "S(2)",
     {"R", "S(0)", "S(0)", "S(2)"}, {0, 1}, 0, {0, 1}},
    {"linear columns sequence", &linear, "tp", "R", "S(2)",
     {"S(1)", "S(0)", "S(0)", "S(2)"}, {1, 1}, 0, {1, 1}},
    {"linear rows", &linear, "tp", "S(2)", "R",
     {"S(2)", "S(1)", "R", "R"}, {1, 0}, 0, {1, 0}},
    {"linear rows sequence", &linear, "tp", "S(2)", "S(1)",
     {"S(2)", "S(1)", "R", "S(1)"}, {1, 1}, 0, {1, 1}},
    {"linear data", &linear, "tp", "S(0)", "S(0)",
     {"S(0)", "R", "R", "S(0)"}, {0, 0}, 2, {0, 2}},
    {"mlp", &mlp, "tp", "R", "R",
     {"R", COLUMNS_ROWS, "R"}, {1, 1}, 0, {1, 1}},
    {"mlp sequence", &mlp, "tp", "R", "S(1)",
     {"S(1)", COLUMNS_ROWS, "S(1)"}, {2, 2}, 0, {2, 2}},
    {"mlp data", &mlp, "tp", "S(0)", "S(0)",
     {"S(0)", "R", "R", "R", "R", "S(0)"}, {0, 0}, 4, {0, 4}},
    {"mlp data tensor", &mlp, "dp=2,tp", "S(0)R", "S(0)R",
     {"S(0)R", COLUMNS_ROWS_2D, "S(0)R"}, {1, 1}, 4, {1, 5}},
    {"mlp data sequence", &mlp, "dp=2,tp", "S(0)R", "S(0)S(1)",
     {"S(0)S(1)", COLUMNS_ROWS_2D, "S(0)S(1)"}, {2, 2}, 4, {2, 6}},
    {"attention", &attention, "tp", "R", "R",
     {"R", HEADS_1D, "R"}, {1, 1}, 0, {1, 1}},
    {"attention sequence", &attention, "tp", "R", "S(1)",
     {"S(1)", HEADS_1D, "S(1)"}, {2, 2}, 0, {2, 2}},
    {"attention data", &attention, "tp", "S(0)", "S(0)",
     {"S(0)", "R", "R", "R", "R", "S(0)"}, {0, 0}, 4, {0, 4}},
    {"attention data tensor", &attention, "dp=2,tp", "S(0)R", "S(0)R",
     {"S(0)R", HEADS_2D, "S(0)R"}, {1, 1}, 4, {1, 5}},
    {"norm", &norm, "tp", "R", "R",
     {"R", "R", "R", "R"}, {0, 0}, 0, {0, 0}},
    {"norm sequence", &norm, "tp", "S(1)", "S(1)",
     {"S(1)", "R", "R", "S(1)"}, {0, 0}, 2, {0, 2}},
    {"norm of another dimension", &norm, "tp", "S(1)", "S(1)",
     {"S(0)", "R", "R", "S(1)"}, {1, 1}, 2, {1, 3}},
    {"transformer", &transformer, "tp", "R", "R",
     {"R", "R", "R", HEADS_1D, "R", "R", COLUMNS_ROWS, "R"}, {2, 2}, 0, {2, 2}},
    {"transformer sequence", &transformer, "tp", "R", "S(1)",
     {"S(1)", "R", "R", HEADS_1D, "R", "R", COLUMNS_ROWS, "S(1)"}, {4, 4}, 4, {4, 8}},
    {"transformer data tensor", &transformer, "dp=2,tp", "S(0)R", "S(0)R",
     {"S(0)R", "RR", "RR", HEADS_2D, "RR", "RR", COLUMNS_ROWS_2D, "S(0)R"},
     {2, 2}, 12, {2, 14}},
    {"transformer data sequence", &transformer, "dp=2,tp", "S(0)R", "S(0)S(1)",
     {"S(0)S(1)", "RR", "RR", HEADS_2D, "RR", "RR", COLUMNS_ROWS_2D, "S(0)S(1)"},
     {4, 4}, 12, {4, 16}},
    {"embedding columns", &embedding, "tp", "R", "S(2)",
     {"R", "S(1)", "S(2)"}, {0, 0}, 0, {0, 0}},
    {"embedding rows", &embedding, "tp", "R", "R",
     {"R", "S(0)", "R"}, {1, 0}, 0, {1, 0}},
    {"embedding rows sequence", &embedding, "tp", "R", "S(1)",
     {"R", "S(0)", "S(1)"}, {1, 1}, 0, {1, 1}},
    {"embedding data", &embedding, "dp=2,tp", "S(0)R", "S(0)R",
     {"S(0)R", "RS(0)", "S(0)R"}, {1, 0}, 1, {1, 1}},
    {"loss", &mean_loss, "tp", "R", "R",
     {"R", "R"}, {0, 0}, 0, {0, 0}},
    {"loss parallel", &mean_loss, "tp", "R", "R",
     {"S(1)", "R"}, {3, 0}, 0, {3, 0}},
    {"loss data parallel", &sum_loss, "dp=2,tp", "RR", "RR",
     {"S(0)S(1)", "S(0)R"}, {4, 0}, 0, {4, 0}},
    {"model", &model, "tp", "R", "R",
     {"R", "R", "S(0)", COLUMNS_ROWS}, {5, 2}, 0, {5, 2}},
    {"model sequence", &model, "tp", "R", "S(1)",
     {"R", "R", "S(0)", COLUMNS_ROWS}, {7, 4}, 0, {7, 4}},
    {"model data tensor", &model, "dp=2,tp", "S(0)R", "S(0)R",
     {"S(0)R", "S(0)R", "RS(0)", COLUMNS_ROWS_2D}, {6, 2}, 5, {6, 7}},
    {NULL, NULL, NULL, NULL, NULL, {NULL}, {0, 0}, 0, {0, 0}},
};
/* clang-format on */
