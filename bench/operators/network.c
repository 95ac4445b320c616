/* bench/operators/network.c - what networks are made of, timed. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/operators/operators.h"

#include <dtensor/sys/ops_internal.h>

static dt_shape row_of(dt_tensor *tensor)
{
    return DT_SHAPE(dt_tensor_extent(tensor, dt_tensor_ndim(tensor) - 1));
}

static bool call_softmax(dt_tensor *const *in)
{
    return bench_drop(dt_softmax(in[0], -1));
}

static bool call_softmax_first(dt_tensor *const *in)
{
    return bench_drop(dt_softmax(in[0], 0));
}

static bool call_log_softmax(dt_tensor *const *in)
{
    return bench_drop(dt_log_softmax(in[0], -1));
}

static bool call_softmax_backward(dt_tensor *const *in)
{
    return bench_drop(dt_softmax_backward(in[0], in[1], -1, DT_F32));
}

static bool call_log_softmax_backward(dt_tensor *const *in)
{
    return bench_drop(dt_log_softmax_backward(in[0], in[1], -1, DT_F32));
}

static bool call_layer_norm(dt_tensor *const *in)
{
    dt_tensor *out = NULL, *mean = NULL, *rstd = NULL;
    DT_IGNORE(dt_layer_norm(in[0], row_of(in[0]), in[1], in[2], 1e-5, &out,
                            &mean, &rstd));
    return bench_drop(out) && bench_drop(mean) && bench_drop(rstd);
}

static bool call_rms_norm(dt_tensor *const *in)
{
    dt_tensor *out = NULL, *rstd = NULL;
    DT_IGNORE(dt_rms_norm(in[0], row_of(in[0]), in[1], 1e-5, &out, &rstd));
    return bench_drop(out) && bench_drop(rstd);
}

static bool call_layer_norm_backward(dt_tensor *const *in)
{
    dt_tensor *grads[3] = {NULL};
    DT_IGNORE(dt_layer_norm_backward(in[0], in[1], row_of(in[1]), in[2], in[2],
                                     in[3], in[4], (int64_t[]){1, 1, 1}, 3,
                                     &grads[0], &grads[1], &grads[2]));
    return bench_drop(grads[0]) && bench_drop(grads[1]) && bench_drop(grads[2]);
}

/* PyTorch has no function for the gradient alone. */
static bool call_rms_norm_both(dt_tensor *const *in)
{
    dt_tensor *out = NULL, *rstd = NULL, *grads[2] = {NULL};
    DT_IGNORE(dt_rms_norm(in[1], row_of(in[1]), in[2], 1e-5, &out, &rstd));
    DT_IGNORE(dt_rms_norm_backward(in[0], in[1], row_of(in[1]), rstd, in[2],
                                   (int64_t[]){1, 1}, 2, &grads[0], &grads[1]));
    return bench_drop(out) && bench_drop(rstd) && bench_drop(grads[0]) &&
           bench_drop(grads[1]);
}

static bool call_linear(dt_tensor *const *in)
{
    return bench_drop(dt_linear(in[0], in[1], NULL));
}

static bool call_addmm(dt_tensor *const *in)
{
    return bench_drop(dt_addmm(in[0], in[1], in[2]));
}

static bool call_einsum(dt_tensor *const *in)
{
    return bench_drop(dt_einsum("bij,bkj->bik", in, 2));
}

static bool call_dropout(dt_tensor *const *in)
{
    return bench_drop(dt_dropout(in[0], 0.1, true));
}

static bool call_rand(dt_tensor *const *in)
{
    return bench_drop(
        dt_rand(dt_tensor_mesh(in[0]), "R", DT_F32, dt_tensor_shape(in[0])));
}

static bool call_randn(dt_tensor *const *in)
{
    return bench_drop(
        dt_randn(dt_tensor_mesh(in[0]), "R", DT_F32, dt_tensor_shape(in[0])));
}

static bool call_normal(dt_tensor *const *in)
{
    return dt_normal_(in[0], 0, 1) != NULL;
}

static bool call_uniform(dt_tensor *const *in)
{
    return dt_uniform_(in[0], 0, 1) != NULL;
}

static bool call_bernoulli(dt_tensor *const *in)
{
    return dt_bernoulli_scalar_(in[0], 0.3) != NULL;
}

static bool call_exponential(dt_tensor *const *in)
{
    return dt_exponential_(in[0], 1) != NULL;
}

static bool call_native_dropout(dt_tensor *const *in)
{
    dt_tensor *out = NULL, *mask = NULL;
    DT_IGNORE(dt_native_dropout(in[0], 0.1, true, &out, &mask));
    return bench_drop(out) && bench_drop(mask);
}

const bench_operator bench_softmax[] = {
    {"softmax", {OPERAND_A}, .call = call_softmax},
    {"softmax dim 0", {OPERAND_A}, .call = call_softmax_first},
    {"softmax short rows", {OPERAND_SHORT}, .call = call_softmax},
    {"log_softmax", {OPERAND_A}, .call = call_log_softmax},
    {"softmax backward", {OPERAND_A, OPERAND_B}, .call = call_softmax_backward},
    {"log_softmax backward",
     {OPERAND_A, OPERAND_B},
     .call = call_log_softmax_backward},
    {0},
};

const bench_operator bench_norm[] = {
    {"layer_norm",
     {OPERAND_A, OPERAND_ROW, OPERAND_ROW2},
     .call = call_layer_norm},
    {"rms_norm", {OPERAND_A, OPERAND_ROW}, .call = call_rms_norm},
    {"layer_norm backward",
     {OPERAND_A, OPERAND_B, OPERAND_COLUMN, OPERAND_ROW, OPERAND_ROW2},
     .call = call_layer_norm_backward},
    {"rms_norm and gradient",
     {OPERAND_A, OPERAND_B, OPERAND_ROW},
     .call = call_rms_norm_both},
    {0},
};

const bench_operator bench_product[] = {
    {"mm", .two = dt_mm},
    {"linear", {OPERAND_A, OPERAND_WEIGHT}, .call = call_linear},
    {"addmm", {OPERAND_ROW, OPERAND_OUTER, OPERAND_WEIGHT}, .call = call_addmm},
    {"bmm", {OPERAND_BATCH, OPERAND_BATCH2}, .two = dt_bmm},
    {"einsum", {OPERAND_BATCH, OPERAND_BATCH2}, .call = call_einsum},
    {"mm bf16", {OPERAND_BF16, OPERAND_BF16}, .two = dt_mm},
    {"mm 1 row", {OPERAND_ONE, OPERAND_A}, .two = dt_mm},
    {"mm 4 rows", {OPERAND_FOUR, OPERAND_A}, .two = dt_mm},
    {"mm 16 rows", {OPERAND_SIXTEEN, OPERAND_A}, .two = dt_mm},
    {"linear 1 row", {OPERAND_ONE, OPERAND_A}, .call = call_linear},
    {"linear 4 rows", {OPERAND_FOUR, OPERAND_A}, .call = call_linear},
    {"linear 16 rows", {OPERAND_SIXTEEN, OPERAND_A}, .call = call_linear},
    {"mv", {OPERAND_A, OPERAND_ROW}, .two = dt_mv},
    {"dot", {OPERAND_LONG, OPERAND_LONG2}, .two = dt_dot},
    {0},
};

const bench_operator bench_random[] = {
    {"dropout", {OPERAND_A}, .call = call_dropout},
    {"native_dropout", {OPERAND_A}, .call = call_native_dropout},
    {"normal in place", {OPERAND_A}, .call = call_normal},
    {"uniform in place", {OPERAND_A}, .call = call_uniform},
    {"bernoulli in place", {OPERAND_A}, .call = call_bernoulli},
    {"exponential in place", {OPERAND_A}, .call = call_exponential},
    {"rand", {OPERAND_A}, .call = call_rand},
    {"randn", {OPERAND_A}, .call = call_randn},
    {0},
};
