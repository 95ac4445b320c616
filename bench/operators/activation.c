/* bench/operators/activation.c - activations and their gradients, timed. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/operators/operators.h"

#include <dtensor/sys/ops_internal.h>

static bool call_clamp(dt_tensor *const *in)
{
    return bench_drop(dt_clamp(in[0], DT_NUMBER(-1.0), DT_NUMBER(1.0)));
}

static bool call_lerp(dt_tensor *const *in)
{
    return bench_drop(dt_lerp_scalar(in[0], in[1], DT_NUMBER(0.3)));
}

static bool call_addcmul(dt_tensor *const *in)
{
    return bench_drop(dt_addcmul(in[0], in[1], in[2]));
}

static bool call_addcdiv(dt_tensor *const *in)
{
    return bench_drop(dt_addcdiv(in[0], in[1], in[2]));
}

static bool call_masked_fill(dt_tensor *const *in)
{
    return bench_drop(dt_masked_fill(in[0], in[1], DT_NUMBER(1.5)));
}

static bool call_floor_division(dt_tensor *const *in)
{
    return bench_drop(dt_div_mode(in[0], in[1], DT_ROUNDING_FLOOR));
}

static bool call_threshold_backward(dt_tensor *const *in)
{
    return bench_drop(dt_threshold_backward(in[0], in[1], DT_NUMBER(0)));
}

static bool call_leaky_relu_backward(dt_tensor *const *in)
{
    return bench_drop(dt_leaky_relu_backward(in[0], in[1], 0.01, false));
}

static bool call_elu_backward(dt_tensor *const *in)
{
    return bench_drop(dt_elu_backward(in[0], 1, 1, 1, false, in[1]));
}

static bool call_softplus_backward(dt_tensor *const *in)
{
    return bench_drop(dt_softplus_backward(in[0], in[1], 1, 20));
}

static bool call_gelu_tanh_backward(dt_tensor *const *in)
{
    dt_gelu_backward_options options = DT_GELU_BACKWARD_OPTIONS_INIT;
    options.approximate = DT_APPROXIMATE_TANH;
    return bench_drop(dt_gelu_backward_with(in[0], in[1], &options));
}

const bench_operator bench_mixed[] = {
    {"clamp", {OPERAND_A}, .call = call_clamp},
    {"lerp", {OPERAND_A, OPERAND_B}, .call = call_lerp},
    {"addcmul", {OPERAND_A, OPERAND_B, OPERAND_C}, .call = call_addcmul},
    {"addcdiv", {OPERAND_A, OPERAND_B, OPERAND_POSITIVE}, .call = call_addcdiv},
    {"masked_fill", {OPERAND_A, OPERAND_MASK}, .call = call_masked_fill},
    {"div floor", {OPERAND_A, OPERAND_POSITIVE}, .call = call_floor_division},
    {"remainder", {OPERAND_A, OPERAND_POSITIVE}, .two = dt_remainder},
    {"floor", .one = dt_floor},
    {"round", .one = dt_round},
    {"sign", .one = dt_sign},
    {"isnan", .one = dt_isnan},
    {"nan_to_num", .one = dt_nan_to_num},
    {"bitwise_and", {OPERAND_INDEX, OPERAND_INDEX}, .two = dt_bitwise_and},
    {0},
};

const bench_operator bench_activation[] = {
    {"leaky_relu", .one = dt_leaky_relu},
    {"elu", .one = dt_elu},
    {"softplus", .one = dt_softplus},
    {"mish", .one = dt_mish},
    {"hardswish", .one = dt_hardswish},
    {"log_sigmoid", .one = dt_log_sigmoid},
    {"gelu backward", .two = dt_gelu_backward},
    {"gelu tanh backward",
     {OPERAND_A, OPERAND_B},
     .call = call_gelu_tanh_backward},
    {"silu backward", .two = dt_silu_backward},
    {"sigmoid backward", {OPERAND_A, OPERAND_UNIT}, .two = dt_sigmoid_backward},
    {"tanh backward", {OPERAND_A, OPERAND_UNIT}, .two = dt_tanh_backward},
    {"relu backward", {OPERAND_A, OPERAND_B}, .call = call_threshold_backward},
    {"leaky_relu backward",
     {OPERAND_A, OPERAND_B},
     .call = call_leaky_relu_backward},
    {"elu backward", {OPERAND_A, OPERAND_B}, .call = call_elu_backward},
    {"softplus backward",
     {OPERAND_A, OPERAND_B},
     .call = call_softplus_backward},
    {"mish backward", .two = dt_mish_backward},
    {"hardswish backward", .two = dt_hardswish_backward},
    {0},
};
