/* bench/operators/move.c - operators that copy and pick, timed. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/operators/operators.h"

#include <dtensor/sys/ops_internal.h>

static bool call_transposed(dt_tensor *const *in)
{
    dt_tensor *view = dt_t(in[0]);
    bool well = bench_drop(dt_contiguous(view));
    dt_tensor_release_early(view);
    return well;
}

static bool call_view(dt_tensor *const *in)
{
    return bench_drop(dt_transpose(in[0], 0, 1));
}

static bool call_cat(dt_tensor *const *in)
{
    return bench_drop(dt_cat(in, 2, 0));
}

static bool call_cat_columns(dt_tensor *const *in)
{
    return bench_drop(dt_cat(in, 2, 1));
}

static bool call_stack(dt_tensor *const *in)
{
    return bench_drop(dt_stack(in, 2, 0));
}

static bool call_split(dt_tensor *const *in)
{
    dt_tensor *pieces[4] = {NULL};
    int count = 0;
    bool well = true;
    DT_IGNORE(dt_chunk(in[0], 4, 1, pieces, 4, &count));
    for (int i = 0; i < 4; i++)
        well &= bench_drop(pieces[i]);
    return well;
}

static bool call_repeat(dt_tensor *const *in)
{
    return bench_drop(dt_repeat(in[0], (int64_t[]){2, 1}, 2));
}

static bool call_tril(dt_tensor *const *in)
{
    return bench_drop(dt_tril(in[0], 0));
}

static bool call_roll(dt_tensor *const *in)
{
    return bench_drop(dt_roll(in[0], (int64_t[]){3}, 1, DT_DIMS(1)));
}

static bool call_flip(dt_tensor *const *in)
{
    return bench_drop(dt_flip(in[0], (int64_t[]){1}, 1));
}

static bool call_fill(dt_tensor *const *in)
{
    return dt_fill_scalar_(in[0], DT_NUMBER(1.5)) != NULL;
}

static bool call_copy(dt_tensor *const *in)
{
    return dt_copy_(in[0], in[1]) != NULL;
}

static bool call_gather(dt_tensor *const *in)
{
    return bench_drop(dt_gather(in[0], 1, in[1]));
}

static bool call_gather_rows(dt_tensor *const *in)
{
    return bench_drop(dt_gather(in[0], 0, in[1]));
}

static bool call_select_rows(dt_tensor *const *in)
{
    return bench_drop(dt_index_select(in[0], 0, in[1]));
}

static bool call_select_columns(dt_tensor *const *in)
{
    return bench_drop(dt_index_select(in[0], 1, in[1]));
}

static bool call_scatter(dt_tensor *const *in)
{
    return bench_drop(dt_scatter(in[0], 1, in[1], in[2]));
}

static bool call_scatter_add(dt_tensor *const *in)
{
    return bench_drop(dt_scatter_add(in[0], 1, in[1], in[2]));
}

static bool call_scatter_add_rows(dt_tensor *const *in)
{
    return bench_drop(dt_scatter_add(in[0], 0, in[1], in[2]));
}

static bool call_index_add(dt_tensor *const *in)
{
    return bench_drop(dt_index_add(in[0], 0, in[1], in[2]));
}

static bool call_index(dt_tensor *const *in)
{
    return bench_drop(dt_index(in[0], in + 1, 1));
}

static bool call_index_put(dt_tensor *const *in)
{
    return bench_drop(dt_index_put(in[0], in[2], in + 1, 1, false));
}

static bool call_index_put_added(dt_tensor *const *in)
{
    return bench_drop(dt_index_put(in[0], in[2], in + 1, 1, true));
}

static bool call_bincount(dt_tensor *const *in)
{
    return bench_drop(dt_bincount(in[0], NULL));
}

static bool call_masked_select(dt_tensor *const *in)
{
    return bench_drop(dt_masked_select(in[0], in[1]));
}

static bool call_nonzero(dt_tensor *const *in)
{
    return bench_drop(dt_nonzero(in[0]));
}

static bool call_one_hot(dt_tensor *const *in)
{
    return bench_drop(dt_one_hot(in[0], dt_tensor_extent(in[0], 0)));
}

static bool call_embedding(dt_tensor *const *in)
{
    return bench_drop(dt_embedding(in[0], in[1]));
}

static bool call_embedding_backward(dt_tensor *const *in)
{
    return bench_drop(dt_embedding_dense_backward(
        in[0], in[1], dt_tensor_extent(in[0], 0), -1, false));
}

const bench_operator bench_copy[] = {
    {"clone", .one = dt_clone},
    {"transpose, copied", {OPERAND_A}, .call = call_transposed},
    {"transpose, a view", {OPERAND_A}, .call = call_view},
    {"cat", {OPERAND_A, OPERAND_B}, .call = call_cat},
    {"cat columns", {OPERAND_A, OPERAND_B}, .call = call_cat_columns},
    {"stack", {OPERAND_A, OPERAND_B}, .call = call_stack},
    {"split in 4", {OPERAND_A}, .call = call_split},
    {"repeat", {OPERAND_A}, .call = call_repeat},
    {"tril", {OPERAND_A}, .call = call_tril},
    {"roll", {OPERAND_A}, .call = call_roll},
    {"flip", {OPERAND_A}, .call = call_flip},
    {"fill in place", {OPERAND_A}, .call = call_fill},
    {"copy in place", {OPERAND_A, OPERAND_B}, .call = call_copy},
    {0},
};

const bench_operator bench_index[] = {
    {"gather", {OPERAND_A, OPERAND_INDEX}, .call = call_gather},
    {"gather dim 0", {OPERAND_A, OPERAND_INDEX}, .call = call_gather_rows},
    {"index_select rows", {OPERAND_A, OPERAND_ROWS}, .call = call_select_rows},
    {"index_select columns",
     {OPERAND_A, OPERAND_ROWS},
     .call = call_select_columns},
    {"scatter", {OPERAND_A, OPERAND_INDEX, OPERAND_B}, .call = call_scatter},
    {"scatter_add",
     {OPERAND_A, OPERAND_INDEX, OPERAND_B},
     .call = call_scatter_add},
    {"scatter_add dim 0",
     {OPERAND_A, OPERAND_INDEX, OPERAND_B},
     .call = call_scatter_add_rows},
    {"index_add rows",
     {OPERAND_A, OPERAND_ROWS, OPERAND_B},
     .call = call_index_add},
    {"index rows", {OPERAND_A, OPERAND_ROWS}, .call = call_index},
    {"index_put rows",
     {OPERAND_A, OPERAND_ROWS, OPERAND_B},
     .call = call_index_put},
    {"index_put, added",
     {OPERAND_ROW, OPERAND_PLACES, OPERAND_LONG},
     .call = call_index_put_added},
    {"bincount", {OPERAND_PLACES}, .call = call_bincount},
    {"masked_select", {OPERAND_A, OPERAND_MASK}, .call = call_masked_select},
    {"nonzero", {OPERAND_MASK}, .call = call_nonzero},
    {"one_hot", {OPERAND_ROWS}, .call = call_one_hot},
    {0},
};

const bench_operator bench_embedding[] = {
    {"embedding", {OPERAND_A, OPERAND_ROWS}, .call = call_embedding},
    {"embedding backward",
     {OPERAND_A, OPERAND_ROWS},
     .call = call_embedding_backward},
    {0},
};
