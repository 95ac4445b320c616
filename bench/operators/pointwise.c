/* bench/operators/pointwise.c - operators of single elements, timed. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/operators/operators.h"

#include <dtensor/sys/ops_training.h>

static bool call_add_in_place(dt_tensor *const *in)
{
    return dt_add_(in[0], in[1]) != NULL;
}

static bool call_mul_in_place(dt_tensor *const *in)
{
    return dt_mul_scalar_(in[0], DT_NUMBER(1.0)) != NULL;
}

static bool call_add_alpha(dt_tensor *const *in)
{
    dt_add_options options = DT_ADD_OPTIONS_INIT;
    options.alpha = DT_NUMBER(0.5);
    return bench_drop(dt_add_with(in[0], in[1], &options));
}

static bool call_add_lists(dt_tensor *const *in)
{
    dt_tensor *results[2] = {NULL};
    int count = 0;
    DT_IGNORE(dt_foreach_add(in, 2, in + 2, 2, results, 2, &count));
    return bench_drop(results[0]) && bench_drop(results[1]);
}

static bool call_mul_lists(dt_tensor *const *in)
{
    dt_tensor *results[2] = {NULL};
    int count = 0;
    DT_IGNORE(dt_foreach_mul(in, 2, in + 2, 2, results, 2, &count));
    return bench_drop(results[0]) && bench_drop(results[1]);
}

static bool call_norm_lists(dt_tensor *const *in)
{
    dt_tensor *results[4] = {NULL};
    int count = 0;
    bool well = true;
    DT_IGNORE(dt_foreach_norm(in, 4, 2, results, 4, &count));
    for (int i = 0; i < 4; i++)
        well &= bench_drop(results[i]);
    return well;
}

static bool call_square_power(dt_tensor *const *in)
{
    return bench_drop(dt_pow_scalar(in[0], DT_NUMBER(2)));
}

static bool call_gelu_tanh(dt_tensor *const *in)
{
    dt_gelu_options options = DT_GELU_OPTIONS_INIT;
    options.approximate = DT_APPROXIMATE_TANH;
    return bench_drop(dt_gelu_with(in[0], &options));
}

static bool call_where(dt_tensor *const *in)
{
    return bench_drop(dt_where(in[0], in[1], in[2]));
}

static bool call_to_f32(dt_tensor *const *in)
{
    return bench_drop(dt_cast(in[0], DT_F32));
}

static bool call_to_bf16(dt_tensor *const *in)
{
    return bench_drop(dt_cast(in[0], DT_BF16));
}

static bool call_to_f16(dt_tensor *const *in)
{
    return bench_drop(dt_cast(in[0], DT_F16));
}

static bool call_to_f64(dt_tensor *const *in)
{
    return bench_drop(dt_cast(in[0], DT_F64));
}

static bool call_to_i32(dt_tensor *const *in)
{
    return bench_drop(dt_cast(in[0], DT_I32));
}

static bool call_to_i64(dt_tensor *const *in)
{
    return bench_drop(dt_cast(in[0], DT_I64));
}

const bench_operator bench_arithmetic[] = {
    {"add", .two = dt_add},
    {"add alpha", {OPERAND_A, OPERAND_B}, .call = call_add_alpha},
    {"add row", {OPERAND_A, OPERAND_ROW}, .two = dt_add},
    {"add in place", {OPERAND_A, OPERAND_B}, .call = call_add_in_place},
    {"add number", .number = dt_add_scalar},
    {"add lists",
     {OPERAND_A, OPERAND_B, OPERAND_C, OPERAND_D},
     .call = call_add_lists},
    {"mul lists",
     {OPERAND_A, OPERAND_B, OPERAND_C, OPERAND_D},
     .call = call_mul_lists},
    {"norm lists",
     {OPERAND_A, OPERAND_B, OPERAND_C, OPERAND_D},
     .call = call_norm_lists},
    {"sub", .two = dt_sub},
    {"mul", .two = dt_mul},
    {"mul column", {OPERAND_A, OPERAND_COLUMN}, .two = dt_mul},
    {"mul number", .number = dt_mul_scalar},
    {"mul number in place", {OPERAND_A}, .call = call_mul_in_place},
    {"div", {OPERAND_A, OPERAND_POSITIVE}, .two = dt_div},
    {"maximum", .two = dt_maximum},
    {"neg", .one = dt_neg},
    {"abs", .one = dt_abs},
    {"square", .one = dt_square},
    {"reciprocal", {OPERAND_POSITIVE}, .one = dt_reciprocal},
    {"sqrt", {OPERAND_POSITIVE}, .one = dt_sqrt},
    {"rsqrt", {OPERAND_POSITIVE}, .one = dt_rsqrt},
    {0},
};

const bench_operator bench_functions[] = {
    {"exp", .one = dt_exp},
    {"log", {OPERAND_POSITIVE}, .one = dt_log},
    {"tanh", .one = dt_tanh},
    {"sigmoid", .one = dt_sigmoid},
    {"silu", .one = dt_silu},
    {"gelu", .one = dt_gelu},
    {"gelu tanh", {OPERAND_A}, .call = call_gelu_tanh},
    {"relu", .one = dt_relu},
    {"pow 2", {OPERAND_A}, .call = call_square_power},
    {"pow 1.5", {OPERAND_POSITIVE}, .number = dt_pow_scalar},
    {"pow", {OPERAND_POSITIVE, OPERAND_B}, .two = dt_pow},
    {"exp2", .one = dt_exp2},
    {"expm1", .one = dt_expm1},
    {"log2", {OPERAND_POSITIVE}, .one = dt_log2},
    {"log1p", {OPERAND_POSITIVE}, .one = dt_log1p},
    {"sin", .one = dt_sin},
    {"cos", .one = dt_cos},
    {"tan", .one = dt_tan},
    {"atan", .one = dt_atan},
    {"atan2", .two = dt_atan2},
    {"asin", {OPERAND_UNIT}, .one = dt_asin},
    {"sinh", .one = dt_sinh},
    {"asinh", .one = dt_asinh},
    {"erf", .one = dt_erf},
    {"erfc", .one = dt_erfc},
    {0},
};

const bench_operator bench_compare[] = {
    {"eq", .two = dt_eq},
    {"lt", .two = dt_lt},
    {"gt number", .number = dt_gt_scalar},
    {"logical_and", .two = dt_logical_and},
    {"where", {OPERAND_MASK, OPERAND_A, OPERAND_B}, .call = call_where},
    {0},
};

const bench_operator bench_cast[] = {
    {"f32 to bf16", {OPERAND_A}, .call = call_to_bf16},
    {"bf16 to f32", {OPERAND_BF16}, .call = call_to_f32},
    {"f32 to f16", {OPERAND_A}, .call = call_to_f16},
    {"f16 to f32", {OPERAND_F16}, .call = call_to_f32},
    {"f32 to f64", {OPERAND_A}, .call = call_to_f64},
    {"f64 to f32", {OPERAND_F64}, .call = call_to_f32},
    {"f64 to bf16", {OPERAND_F64}, .call = call_to_bf16},
    {"f32 to i32", {OPERAND_A}, .call = call_to_i32},
    {"i32 to f32", {OPERAND_I32}, .call = call_to_f32},
    {"f32 to i64", {OPERAND_A}, .call = call_to_i64},
    {"i64 to f32", {OPERAND_INDEX}, .call = call_to_f32},
    {"i64 to bf16", {OPERAND_INDEX}, .call = call_to_bf16},
    {"bool to f32", {OPERAND_MASK}, .call = call_to_f32},
    {0},
};
