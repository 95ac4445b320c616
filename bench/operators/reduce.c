/* bench/operators/reduce.c - operators that reduce and order, timed. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/operators/operators.h"

static bool call_sum(dt_tensor *const *in)
{
    return bench_drop(dt_sum(in[0], DT_DIMS(), false));
}

static bool call_sum_last(dt_tensor *const *in)
{
    return bench_drop(dt_sum(in[0], DT_DIMS(-1), false));
}

static bool call_sum_first(dt_tensor *const *in)
{
    return bench_drop(dt_sum(in[0], DT_DIMS(0), false));
}

static bool call_mean_last(dt_tensor *const *in)
{
    return bench_drop(dt_mean(in[0], DT_DIMS(-1), true));
}

static bool call_amax(dt_tensor *const *in)
{
    return bench_drop(dt_amax(in[0], DT_DIMS(), false));
}

static bool call_amax_last(dt_tensor *const *in)
{
    return bench_drop(dt_amax(in[0], DT_DIMS(-1), false));
}

static bool call_amax_first(dt_tensor *const *in)
{
    return bench_drop(dt_amax(in[0], DT_DIMS(0), false));
}

static bool call_prod_last(dt_tensor *const *in)
{
    return bench_drop(dt_prod(in[0], DT_DIMS(-1), false));
}

static bool call_norm(dt_tensor *const *in)
{
    return bench_drop(dt_norm(in[0], 2, DT_DIMS(), false));
}

static bool call_norm_last(dt_tensor *const *in)
{
    return bench_drop(dt_norm(in[0], 2, DT_DIMS(-1), false));
}

static bool call_any(dt_tensor *const *in)
{
    return bench_drop(dt_any(in[0], DT_DIMS(-1), false));
}

static bool call_max_last(dt_tensor *const *in)
{
    dt_tensor *values = NULL, *indices = NULL;
    DT_IGNORE(dt_max_dim(in[0], -1, false, &values, &indices));
    return bench_drop(values) && bench_drop(indices);
}

static bool call_argmax_last(dt_tensor *const *in)
{
    return bench_drop(dt_argmax(in[0], -1, false));
}

static bool call_argmax_first(dt_tensor *const *in)
{
    return bench_drop(dt_argmax(in[0], 0, false));
}

static bool call_var_last(dt_tensor *const *in)
{
    return bench_drop(dt_var(in[0], DT_DIMS(-1), false));
}

static bool call_var_first(dt_tensor *const *in)
{
    return bench_drop(dt_var(in[0], DT_DIMS(0), false));
}

static bool call_std(dt_tensor *const *in)
{
    return bench_drop(dt_std(in[0], DT_DIMS(), false));
}

static bool call_logsumexp(dt_tensor *const *in)
{
    return bench_drop(dt_logsumexp(in[0], DT_DIMS(-1), false));
}

static bool call_cumsum_last(dt_tensor *const *in)
{
    return bench_drop(dt_cumsum(in[0], -1));
}

static bool call_cumsum_first(dt_tensor *const *in)
{
    return bench_drop(dt_cumsum(in[0], 0));
}

static bool call_cummax(dt_tensor *const *in)
{
    dt_tensor *values = NULL, *indices = NULL;
    DT_IGNORE(dt_cummax(in[0], -1, &values, &indices));
    return bench_drop(values) && bench_drop(indices);
}

static bool call_sort(dt_tensor *const *in)
{
    dt_tensor *values = NULL, *indices = NULL;
    DT_IGNORE(dt_sort(in[0], -1, false, &values, &indices));
    return bench_drop(values) && bench_drop(indices);
}

static bool call_kthvalue(dt_tensor *const *in)
{
    dt_tensor *values = NULL, *indices = NULL;
    DT_IGNORE(dt_kthvalue(in[0], 8, -1, false, &values, &indices));
    return bench_drop(values) && bench_drop(indices);
}

static bool call_median(dt_tensor *const *in)
{
    dt_tensor *values = NULL, *indices = NULL;
    DT_IGNORE(dt_median_dim(in[0], -1, false, &values, &indices));
    return bench_drop(values) && bench_drop(indices);
}

static bool call_topk(dt_tensor *const *in)
{
    dt_tensor *values = NULL, *indices = NULL;
    DT_IGNORE(dt_topk(in[0], 8, -1, true, true, &values, &indices));
    return bench_drop(values) && bench_drop(indices);
}

const bench_operator bench_reduce[] = {
    {"sum", {OPERAND_A}, .call = call_sum},
    {"sum last dim", {OPERAND_A}, .call = call_sum_last},
    {"sum dim 0", {OPERAND_A}, .call = call_sum_first},
    {"sum short rows", {OPERAND_SHORT}, .call = call_sum_last},
    {"mean last dim", {OPERAND_A}, .call = call_mean_last},
    {"amax", {OPERAND_A}, .call = call_amax},
    {"amax last dim", {OPERAND_A}, .call = call_amax_last},
    {"amax dim 0", {OPERAND_A}, .call = call_amax_first},
    {"max last dim", {OPERAND_A}, .call = call_max_last},
    {"argmax last dim", {OPERAND_A}, .call = call_argmax_last},
    {"argmax dim 0", {OPERAND_A}, .call = call_argmax_first},
    {"prod last dim", {OPERAND_POSITIVE}, .call = call_prod_last},
    {"norm", {OPERAND_A}, .call = call_norm},
    {"norm last dim", {OPERAND_A}, .call = call_norm_last},
    {"any last dim", {OPERAND_MASK}, .call = call_any},
    {"var last dim", {OPERAND_A}, .call = call_var_last},
    {"var dim 0", {OPERAND_A}, .call = call_var_first},
    {"std", {OPERAND_A}, .call = call_std},
    {"logsumexp", {OPERAND_A}, .call = call_logsumexp},
    {0},
};

const bench_operator bench_order[] = {
    {"topk 8", {OPERAND_A}, .call = call_topk},
    {"sort", {OPERAND_A}, .call = call_sort},
    {"sort short rows", {OPERAND_SHORT}, .call = call_sort},
    {"kthvalue 8", {OPERAND_A}, .call = call_kthvalue},
    {"median", {OPERAND_A}, .call = call_median},
    {"cumsum", {OPERAND_A}, .call = call_cumsum_last},
    {"cumsum dim 0", {OPERAND_A}, .call = call_cumsum_first},
    {"cummax", {OPERAND_A}, .call = call_cummax},
    {0},
};
