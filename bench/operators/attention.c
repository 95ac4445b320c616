/* bench/operators/attention.c - attention and its gradient, timed. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/operators/operators.h"

#include <dtensor/sys/ops_internal.h>

static bool call_attention(dt_tensor *const *in)
{
    return bench_drop(dt_scaled_dot_product_attention(in[0], in[1], in[2]));
}

static bool call_causal(dt_tensor *const *in)
{
    dt_scaled_dot_product_attention_options options =
        DT_SCALED_DOT_PRODUCT_ATTENTION_OPTIONS_INIT;
    options.is_causal = true;
    return bench_drop(
        dt_scaled_dot_product_attention_with(in[0], in[1], in[2], &options));
}

/* Forward and backward, as a step of training has both. */
static bool call_both(dt_tensor *const *in)
{
    dt_scaled_dot_product_attention_forward_options options =
        DT_SCALED_DOT_PRODUCT_ATTENTION_FORWARD_OPTIONS_INIT;
    dt_scaled_dot_product_attention_backward_options back =
        DT_SCALED_DOT_PRODUCT_ATTENTION_BACKWARD_OPTIONS_INIT;
    dt_tensor *out = NULL, *sums = NULL, *key = NULL, *grads[3] = {NULL};
    options.is_causal = back.is_causal = true;
    DT_IGNORE(dt_scaled_dot_product_attention_forward_with(
        in[0], in[1], in[2], &options, &out, &sums, &key));
    DT_IGNORE(dt_scaled_dot_product_attention_backward_with(
        in[3], in[0], in[1], in[2], out, sums, key, &back, &grads[0], &grads[1],
        &grads[2]));
    bool well = bench_drop(out) && bench_drop(sums) && bench_drop(key);
    for (int i = 0; i < 3; i++)
        well &= bench_drop(grads[i]);
    return well;
}

const bench_operator bench_attention[] = {
    {"attention",
     {OPERAND_QUERY, OPERAND_KEY, OPERAND_VALUE},
     .call = call_attention},
    {"attention causal",
     {OPERAND_QUERY, OPERAND_KEY, OPERAND_VALUE},
     .call = call_causal},
    {"attention of one query",
     {OPERAND_LATEST, OPERAND_KEY, OPERAND_VALUE},
     .call = call_attention},
    {"attention causal and gradient",
     {OPERAND_QUERY, OPERAND_KEY, OPERAND_VALUE, OPERAND_QUERY},
     .call = call_both},
    {0},
};
