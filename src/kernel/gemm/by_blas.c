/* kernel/gemm/by_blas.c - products by BLAS, from any strides. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/gemm/by_blas.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

#include "base/attributes.h"
#include "base/dtype.h"
#include "kernel/fold/bring.h"
#include "kernel/gemm/blas.h"
#include "kernel/gemm/shape.h"

/* Tell whether BLAS can read or write a matrix where it lies. */
static bool fits(const dti_gemm_strides *strides, int64_t rows, int64_t columns)
{
    if (strides->row > INT_MAX || strides->column > INT_MAX)
        return false;
    return (strides->column == 1 && strides->row >= columns) ||
           (strides->row == 1 && strides->column >= rows);
}

/* Vectors are given to BLAS as columns, with any step that is positive. */
bool dti_by_blas_reads(const dti_gemm *g)
{
    const bool a = fits(&g->a_strides, g->m, g->k);
    const bool b = fits(&g->b_strides, g->k, g->n);
    if (g->n == 1 && a)
        return g->b_strides.row > 0 && g->b_strides.row <= INT_MAX;
    if (g->m == 1 && b)
        return g->a_strides.column > 0 && g->a_strides.column <= INT_MAX;
    return a && b;
}

bool dti_by_blas_can(const dti_gemm *g)
{
    return dti_blas_exists() && g->k > 0 &&
           (g->dtype == DT_F32 || g->dtype == DT_F64 || g->dtype == DT_C64) &&
           g->c_strides.column == 1 && fits(&g->c_strides, g->m, g->n);
}

static dti_blas_matrix matrix_of(const void *data,
                                 const dti_gemm_strides *strides, int64_t rows,
                                 int64_t columns)
{
    const bool turned = strides->column != 1 || strides->row < columns;
    const int64_t step = turned ? strides->column : strides->row;
    const int64_t least_step = turned ? rows : columns;
    assert(step >= least_step);
    (void)least_step;
    return (dti_blas_matrix){data, (int)step, turned};
}

/* c is a column. */
static void apply(const dti_gemm *g)
{
    /* What BLAS multiplies by 0 may be NaN: set it, and add. */
    if (dti_shape_is_zero(g->beta))
        for (int64_t i = 0; i < g->m; i++)
            memset(dti_shape_out(g, g->c, i * g->c_strides.row), 0,
                   dti_dtype_size(g->dtype));
    dti_blas_apply(&(dti_blas_image){
        .dtype = g->dtype,
        .m = (int)g->m,
        .k = (int)g->k,
        .alpha = dt_number_real(g->alpha),
        .beta = dti_shape_is_zero(g->beta) ? 1 : dt_number_real(g->beta),
        .a = matrix_of(g->a, &g->a_strides, g->m, g->k),
        .b = g->b,
        .b_step = (int)g->b_strides.row,
        .c = g->c,
        .c_step = (int)g->c_strides.row,
    });
}

static void multiply(const dti_gemm *g)
{
    dti_blas_multiply(&(dti_blas_product){
        .dtype = g->dtype,
        .m = (int)g->m,
        .n = (int)g->n,
        .k = (int)g->k,
        .alpha = dt_number_real(g->alpha),
        .beta = dt_number_real(g->beta),
        .a = matrix_of(g->a, &g->a_strides, g->m, g->k),
        .b = matrix_of(g->b, &g->b_strides, g->k, g->n),
        .c = g->c,
        .c_step = (int)g->c_strides.row,
    });
}

/* A product of rows with a matrix, or of a matrix with a column, is a vector:
 * BLAS is several times faster if it knows.  As columns, vectors have their
 * steps in `row`. */
static void by_blas_once(const dti_gemm *g)
{
    dti_gemm turned = *g;
    if (g->n == 1) {
        apply(g);
    } else if (g->m == 1) {
        dti_shape_transpose(&turned);
        apply(&turned);
    } else {
        multiply(g);
    }
}

/* BLAS counts in ints: longer products are cut. */
void dti_by_blas(const dti_gemm *g, int64_t extent)
{
    dti_gemm part = *g;
    for (int64_t i = 0; i < g->m; i += extent)
        for (int64_t j = 0; j < g->n; j += extent)
            for (int64_t p = 0; p < g->k; p += extent) {
                part.m = dti_shape_least(extent, g->m - i);
                part.n = dti_shape_least(extent, g->n - j);
                part.k = dti_shape_least(extent, g->k - p);
                part.a = dti_shape_in(
                    g, g->a, i * g->a_strides.row + p * g->a_strides.column);
                part.b = dti_shape_in(
                    g, g->b, p * g->b_strides.row + j * g->b_strides.column);
                part.c = dti_shape_out(
                    g, g->c, i * g->c_strides.row + j * g->c_strides.column);
                part.beta = p == 0 ? g->beta : dt_integer(1);
                by_blas_once(&part);
            }
}

/* ---- By blocks ---------------------------------------------------------- */

typedef struct block_plan {
    int64_t m, n, k; /* what blocks are at most */
    void *a, *b;     /* the memory that copies are in */
} block_plan;

/* The same for every product of the same extents. */
static block_plan plan_blocks(const dti_gemm *g, const dti_gemm_limits *limits)
{
    return (block_plan){.m = dti_shape_least(g->m, limits->block_m),
                        .n = dti_shape_least(g->n, limits->block_n),
                        .k = dti_shape_least(g->k, limits->block_k)};
}

/* Bytes of a copied block, so that the next begins on a line of the cache. */
static size_t block_bytes(const dti_gemm *g, int64_t rows, int64_t columns)
{
    const size_t size = dti_dtype_size(g->dtype);
    const size_t bytes = (size_t)rows * (size_t)columns * size;
    return (bytes + DTI_CACHE_LINE - 1) & ~(size_t)(DTI_CACHE_LINE - 1);
}

size_t dti_by_blas_bytes(const dti_gemm *g, const dti_gemm_limits *limits)
{
    const block_plan plan = plan_blocks(g, limits);
    return block_bytes(g, plan.m, plan.k) + block_bytes(g, plan.k, plan.n);
}

/* Copy a block, along its rows or its columns, whichever is closer together;
 * gives the strides of the copy. */
static dti_gemm_strides copy_block(const dti_gemm *g, void *out, const void *in,
                                   const dti_gemm_strides *strides,
                                   int64_t rows, int64_t columns)
{
    const bool by_rows = strides->column <= strides->row || rows == 1;
    const int64_t lines = by_rows ? rows : columns;
    const int64_t count = by_rows ? columns : rows;
    const int64_t line = by_rows ? strides->row : strides->column;
    const int64_t stride = by_rows ? strides->column : strides->row;
    for (int64_t i = 0; i < lines; i++)
        dti_bring_raw(dti_shape_in(g, in, i * line), g->dtype, stride,
                      dti_shape_out(g, out, i * count), count);
    if (by_rows)
        return (dti_gemm_strides){.row = columns, .column = 1};
    return (dti_gemm_strides){.row = 1, .column = rows};
}

/* One block of c, of which `part` has the extents. */
static void run_block(const dti_gemm *g, const dti_gemm_limits *limits,
                      const block_plan *plan, dti_gemm *part, int64_t i,
                      int64_t j)
{
    part->c =
        dti_shape_out(g, g->c, i * g->c_strides.row + j * g->c_strides.column);
    part->c_strides = g->c_strides;
    for (int64_t p = 0; p < g->k; p += plan->k) {
        const int64_t a = i * g->a_strides.row + p * g->a_strides.column;
        const int64_t b = p * g->b_strides.row + j * g->b_strides.column;
        part->k = dti_shape_least(plan->k, g->k - p);
        part->a = plan->a;
        part->b = plan->b;
        part->a_strides = copy_block(g, plan->a, dti_shape_in(g, g->a, a),
                                     &g->a_strides, part->m, part->k);
        part->b_strides = copy_block(g, plan->b, dti_shape_in(g, g->b, b),
                                     &g->b_strides, part->k, part->n);
        part->beta = p == 0 ? g->beta : dt_integer(1);
        dti_gemm once = *part;
        dti_shape_settle(&once);
        dti_by_blas(&once, limits->extent);
    }
}

void dti_by_blas_blocks(const dti_gemm *g, const dti_gemm_limits *limits,
                        void *scratch)
{
    block_plan plan = plan_blocks(g, limits);
    dti_gemm part = *g;
    plan.a = scratch;
    plan.b = (char *)scratch + block_bytes(g, plan.m, plan.k);
    for (int64_t i = 0; i < g->m; i += plan.m)
        for (int64_t j = 0; j < g->n; j += plan.n) {
            part.m = dti_shape_least(plan.m, g->m - i);
            part.n = dti_shape_least(plan.n, g->n - j);
            run_block(g, limits, &plan, &part, i, j);
        }
}
