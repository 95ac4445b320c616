/* kernel/gemm/shape.c - products in the order that suits what computes them. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/gemm/shape.h"

#include <string.h>

static void swap_strides(dti_gemm_strides *strides)
{
    const int64_t row = strides->row;
    strides->row = strides->column;
    strides->column = row;
}

void dti_shape_transpose(dti_gemm *g)
{
    const dti_gemm before = *g;
    g->m = before.n;
    g->n = before.m;
    g->a = before.b;
    g->b = before.a;
    g->a_strides = before.b_strides;
    g->b_strides = before.a_strides;
    swap_strides(&g->a_strides);
    swap_strides(&g->b_strides);
    swap_strides(&g->c_strides);
}

/* Where a dimension has one index, or none, its stride is what suits. */
static void settle(dti_gemm_strides *strides, int64_t rows, int64_t columns)
{
    if (rows <= 1 && columns <= 1)
        strides->row = strides->column = 1;
    else if (rows <= 1)
        strides->row = strides->column == 1 ? columns : 1;
    else if (columns <= 1)
        strides->column = strides->row == 1 ? rows : 1;
}

void dti_shape_settle(dti_gemm *g)
{
    settle(&g->a_strides, g->m, g->k);
    settle(&g->b_strides, g->k, g->n);
    settle(&g->c_strides, g->m, g->n);
}

/* Tell whether a dimension of the batch goes on where `count` steps of another
 * one end. */
static bool continues(int64_t batch, int64_t stride, int64_t count)
{
    return count == 1 || batch == stride * count;
}

/* Make the last dimension of the batch part of m, where b is the same for all
 * of it. */
static bool fold_into_m(dti_gemm *g)
{
    const int last = g->batch_ndim - 1;
    const int64_t a = g->a_strides.batch[last], c = g->c_strides.batch[last];
    if (g->b_strides.batch[last] != 0 ||
        !continues(a, g->a_strides.row, g->m) ||
        !continues(c, g->c_strides.row, g->m))
        return false;
    if (g->m == 1) {
        g->a_strides.row = a;
        g->c_strides.row = c;
    }
    g->m *= g->batch[last];
    return true;
}

/* A batch of one is none; or it is part of m, or of n. */
static bool fold_batch(dti_gemm *g)
{
    bool folded = g->batch[g->batch_ndim - 1] == 1 || fold_into_m(g);
    if (!folded) {
        dti_shape_transpose(g);
        folded = fold_into_m(g);
        dti_shape_transpose(g);
    }
    g->batch_ndim -= folded;
    return folded;
}

/* Without terms to add, alpha is of no concern, nor where terms would lie:
 * there may be no memory. */
static void drop_terms(dti_gemm *g)
{
    if (g->k != 0 && !dti_shape_is_zero(g->alpha))
        return;
    g->k = 0;
    g->alpha = dt_integer(1);
    g->a = g->b = g->c;
    memset(&g->a_strides, 0, sizeof g->a_strides);
    memset(&g->b_strides, 0, sizeof g->b_strides);
}

dti_gemm dti_shape_fold(const dti_gemm *product)
{
    dti_gemm g = *product;
    drop_terms(&g);
    while (g.batch_ndim > 0 && fold_batch(&g))
        ;
    dti_shape_settle(&g);
    return g;
}
