/* kernel/gemm/gemm.c - products of matrices: which way each is computed. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/gemm/gemm.h"

#include <assert.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>

#include "array/cast.h"
#include "base/attributes.h"
#include "base/dtype.h"
#include "kernel/gemm/blas.h"
#include "kernel/gemm/vector.h"
#include "work/work.h"

/*
 * A product is put into the order that suits what computes it (`arrange`), then
 * its batch is gone through.  Each matrix goes to plain loops if it is small or
 * of integers, to BLAS if memory is as BLAS wants it, and otherwise by blocks
 * that are copied first: halves are widened, strides straightened.
 */

const dti_gemm_limits dti_gemm_usual = {
    .tiny = 32,
    .extent = 1 << 30,
    /* Copies that the second cache holds. */
    .block_m = 256,
    .block_n = 256,
    .block_k = 256,
};

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static bool is_half(dt_dtype dtype)
{
    return dtype == DT_F16 || dtype == DT_BF16;
}

/* The dtype that sums are made in. */
static dt_dtype computed_in(dt_dtype dtype)
{
    return is_half(dtype) ? DT_F32 : dtype;
}

static bool is_zero(dt_number number)
{
    return dt_number_real(number) == 0;
}

static const void *step_in(const dti_gemm *g, const void *from,
                           int64_t elements)
{
    return (const char *)from + elements * (int64_t)dti_dtype_size(g->dtype);
}

static void *step_out(const dti_gemm *g, void *from, int64_t elements)
{
    return (char *)from + elements * (int64_t)dti_dtype_size(g->dtype);
}

/* ---- In order ----------------------------------------------------------- */

static void swap_strides(dti_gemm_strides *strides)
{
    const int64_t row = strides->row;
    strides->row = strides->column;
    strides->column = row;
}

/* Compute the transposed product instead. */
static void transpose(dti_gemm *g)
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

static void settle_all(dti_gemm *g)
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
        transpose(g);
        folded = fold_into_m(g);
        transpose(g);
    }
    g->batch_ndim -= folded;
    return folded;
}

/* Without terms to add, alpha is of no concern, nor where terms would lie:
 * there may be no memory. */
static void drop_terms(dti_gemm *g)
{
    if (g->k != 0 && !is_zero(g->alpha))
        return;
    g->k = 0;
    g->alpha = dt_integer(1);
    g->a = g->b = g->c;
    memset(&g->a_strides, 0, sizeof g->a_strides);
    memset(&g->b_strides, 0, sizeof g->b_strides);
}

static dti_gemm arrange(const dti_gemm *product)
{
    dti_gemm g = *product;
    drop_terms(&g);
    while (g.batch_ndim > 0 && fold_batch(&g))
        ;
    settle_all(&g);
    if (g.c_strides.column != 1 && g.c_strides.row == 1)
        transpose(&g);
    return g;
}

/* ---- By BLAS ------------------------------------------------------------ */

/* Tell whether BLAS can read or write a matrix where it lies. */
static bool fits(const dti_gemm_strides *strides, int64_t rows, int64_t columns)
{
    if (strides->row > INT_MAX || strides->column > INT_MAX)
        return false;
    return (strides->column == 1 && strides->row >= columns) ||
           (strides->row == 1 && strides->column >= rows);
}

static bool blas_has(dt_dtype dtype)
{
    return dti_blas_exists() &&
           (dtype == DT_F32 || dtype == DT_F64 || dtype == DT_C64);
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
    if (is_zero(g->beta))
        for (int64_t i = 0; i < g->m; i++)
            memset(step_out(g, g->c, i * g->c_strides.row), 0,
                   dti_dtype_size(g->dtype));
    dti_blas_apply(&(dti_blas_image){
        .dtype = g->dtype,
        .m = (int)g->m,
        .k = (int)g->k,
        .alpha = dt_number_real(g->alpha),
        .beta = is_zero(g->beta) ? 1 : dt_number_real(g->beta),
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
        transpose(&turned);
        apply(&turned);
    } else {
        multiply(g);
    }
}

/* BLAS counts in ints: longer products are cut. */
static void by_blas(const dti_gemm *g, int64_t extent)
{
    dti_gemm part = *g;
    for (int64_t i = 0; i < g->m; i += extent)
        for (int64_t j = 0; j < g->n; j += extent)
            for (int64_t p = 0; p < g->k; p += extent) {
                part.m = least(extent, g->m - i);
                part.n = least(extent, g->n - j);
                part.k = least(extent, g->k - p);
                part.a = step_in(
                    g, g->a, i * g->a_strides.row + p * g->a_strides.column);
                part.b = step_in(
                    g, g->b, p * g->b_strides.row + j * g->b_strides.column);
                part.c = step_out(
                    g, g->c, i * g->c_strides.row + j * g->c_strides.column);
                part.beta = p == 0 ? g->beta : dt_integer(1);
                by_blas_once(&part);
            }
}

/* ---- Which way ---------------------------------------------------------- */

typedef enum way {
    WAY_LOOPS,
    WAY_BLAS,   /* where matrices lie */
    WAY_BLOCKS, /* copied first */
    WAY_VECTOR  /* a matrix of halves, where it lies, and a vector */
} way;

/* Vectors are given to BLAS as columns, with any step that is positive. */
static bool fits_blas(const dti_gemm *g)
{
    const bool a = fits(&g->a_strides, g->m, g->k);
    const bool b = fits(&g->b_strides, g->k, g->n);
    if (g->n == 1 && a)
        return g->b_strides.row > 0 && g->b_strides.row <= INT_MAX;
    if (g->m == 1 && b)
        return g->a_strides.column > 0 && g->a_strides.column <= INT_MAX;
    return a && b;
}

/* One operand is a vector, and lines of the other are of neighbours. */
static bool fits_vector(const dti_gemm *g)
{
    if (g->k == 0 || (g->n != 1 && g->m != 1))
        return false;
    const dti_gemm_strides *matrix = g->n == 1 ? &g->a_strides : &g->b_strides;
    return matrix->row == 1 || matrix->column == 1;
}

static bool is_tiny(const dti_gemm *g, int64_t limit)
{
    return g->m <= limit && g->n <= limit && g->k <= limit &&
           g->m * g->n <= limit && g->m * g->n * g->k <= limit;
}

static way way_of(const dti_gemm *g, const dti_gemm_limits *limits)
{
    if (is_half(g->dtype))
        return fits_vector(g) ? WAY_VECTOR : WAY_BLOCKS;
    if (g->k == 0 || !blas_has(g->dtype) || is_tiny(g, limits->tiny) ||
        !fits(&g->c_strides, g->m, g->n) || g->c_strides.column != 1)
        return WAY_LOOPS;
    return fits_blas(g) ? WAY_BLAS : WAY_BLOCKS;
}

/* ---- By blocks ---------------------------------------------------------- */

/* What blocks are at most, and the memory that copies lie in. */
typedef struct block_plan {
    int64_t m, n, k;
    void *a, *b, *c; /* c for halves alone */
} block_plan;

/* The same for every product of the same extents. */
static block_plan plan_blocks(const dti_gemm *g, const dti_gemm_limits *limits)
{
    return (block_plan){.m = least(g->m, limits->block_m),
                        .n = least(g->n, limits->block_n),
                        .k = least(g->k, limits->block_k)};
}

/* Bytes of a copied block, so that the next begins on a line of the cache. */
static size_t block_bytes(const dti_gemm *g, int64_t rows, int64_t columns)
{
    const size_t size = dti_dtype_size(computed_in(g->dtype));
    const size_t bytes = (size_t)rows * (size_t)columns * size;
    return (bytes + DTI_CACHE_LINE - 1) & ~(size_t)(DTI_CACHE_LINE - 1);
}

static size_t plan_bytes(const dti_gemm *g, const block_plan *plan)
{
    const size_t c = is_half(g->dtype) ? block_bytes(g, plan->m, plan->n) : 0;
    return block_bytes(g, plan->m, plan->k) + block_bytes(g, plan->k, plan->n) +
           c;
}

static void place_blocks(const dti_gemm *g, block_plan *plan, void *scratch)
{
    plan->a = scratch;
    plan->b = (char *)plan->a + block_bytes(g, plan->m, plan->k);
    plan->c = (char *)plan->b + block_bytes(g, plan->k, plan->n);
}

/* Gather `count` elements that lie `stride` apart. */
static void gather(size_t size, void *out, const void *in, int64_t stride,
                   int64_t count)
{
    const char *from = in;
    char *to = out;
    for (int64_t i = 0; i < count; i++)
        memcpy(to + i * (int64_t)size, from + i * stride * (int64_t)size, size);
}

/* Copy one line of a block to where its elements lie side by side. */
static void copy_line(dt_dtype dtype, void *out, const void *in, int64_t stride,
                      int64_t count)
{
    enum { CHUNK = 256 };
    uint16_t halves[CHUNK];
    const size_t size = dti_dtype_size(dtype);
    if (stride == 1 && is_half(dtype)) {
        dti_cast(in, dtype, out, DT_F32, count);
    } else if (stride == 1) {
        memcpy(out, in, (size_t)count * size);
    } else if (!is_half(dtype)) {
        gather(size, out, in, stride, count);
    } else {
        for (int64_t i = 0; i < count; i += CHUNK) {
            const int64_t part = least(CHUNK, count - i);
            gather(size, halves, (const uint16_t *)in + i * stride, stride,
                   part);
            dti_cast(halves, dtype, (float *)out + i, DT_F32, part);
        }
    }
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
    const int64_t size = (int64_t)dti_dtype_size(computed_in(g->dtype));
    for (int64_t i = 0; i < lines; i++)
        copy_line(g->dtype, (char *)out + i * count * size,
                  step_in(g, in, i * line), stride, count);
    if (by_rows)
        return (dti_gemm_strides){.row = columns, .column = 1};
    return (dti_gemm_strides){.row = 1, .column = rows};
}

static void store_halves(const dti_gemm *g, void *out, const float *in,
                         int64_t rows, int64_t columns)
{
    for (int64_t i = 0; i < rows; i++) {
        uint16_t *line = step_out(g, out, i * g->c_strides.row);
        const float *from = in + i * columns;
        if (g->c_strides.column == 1) {
            dti_cast(from, DT_F32, line, g->dtype, columns);
            continue;
        }
        for (int64_t j = 0; j < columns; j++)
            dti_cast(from + j, DT_F32, line + j * g->c_strides.column, g->dtype,
                     1);
    }
}

/* The product of copies, by loops or BLAS. */
static void run_copies(dti_gemm *part, const dti_gemm_limits *limits)
{
    settle_all(part);
    if (way_of(part, limits) == WAY_BLAS)
        by_blas(part, limits->extent);
    else
        dti_gemm_loops(part);
}

/* One block of c, of which `part` has the extents: sums over k go to it
 * directly, or to a copy that is rounded at the end. */
static void run_block(const dti_gemm *g, const dti_gemm_limits *limits,
                      const block_plan *plan, dti_gemm *part, int64_t i,
                      int64_t j)
{
    const bool half = is_half(g->dtype);
    void *c = step_out(g, g->c, i * g->c_strides.row + j * g->c_strides.column);
    part->c = c;
    part->c_strides = g->c_strides;
    if (half) {
        part->c = plan->c;
        part->c_strides = (dti_gemm_strides){.row = part->n, .column = 1};
        if (!is_zero(g->beta))
            for (int64_t row = 0; row < part->m; row++)
                copy_line(g->dtype, (float *)plan->c + row * part->n,
                          step_in(g, c, row * g->c_strides.row),
                          g->c_strides.column, part->n);
    }
    int64_t p = 0;
    do { /* once even if there is nothing to add */
        part->k = least(plan->k, g->k - p);
        part->a = plan->a;
        part->b = plan->b;
        part->a_strides = copy_block(
            g, plan->a,
            step_in(g, g->a, i * g->a_strides.row + p * g->a_strides.column),
            &g->a_strides, part->m, part->k);
        part->b_strides = copy_block(
            g, plan->b,
            step_in(g, g->b, p * g->b_strides.row + j * g->b_strides.column),
            &g->b_strides, part->k, part->n);
        part->beta = p == 0 ? g->beta : dt_integer(1);
        dti_gemm once = *part;
        run_copies(&once, limits);
        p += plan->k;
    } while (p < g->k);
    if (half)
        store_halves(g, c, plan->c, part->m, part->n);
}

static void by_blocks(const dti_gemm *g, const dti_gemm_limits *limits,
                      void *scratch)
{
    block_plan plan = plan_blocks(g, limits);
    dti_gemm part = *g;
    place_blocks(g, &plan, scratch);
    part.dtype = computed_in(g->dtype);
    for (int64_t i = 0; i < g->m; i += plan.m)
        for (int64_t j = 0; j < g->n; j += plan.n) {
            part.m = least(plan.m, g->m - i);
            part.n = least(plan.n, g->n - j);
            run_block(g, limits, &plan, &part, i, j);
        }
}

/* ---- By a vector -------------------------------------------------------- */

/* Both vectors, widened. */
static size_t vector_bytes(const dti_gemm *g)
{
    return (size_t)(g->k + g->m * g->n) * sizeof(float);
}

static void store_vector(const dti_gemm *g, float *sums)
{
    enum { CHUNK = 256 };
    float before[CHUNK];
    const float alpha = (float)dt_number_real(g->alpha),
                beta = (float)dt_number_real(g->beta);
    const dti_gemm part = {.dtype = g->dtype,
                           .c_strides = {.row = 1, .column = g->c_strides.row}};
    for (int64_t i = 0; i < g->m; i += CHUNK) {
        const int64_t count = least(CHUNK, g->m - i);
        void *to = step_out(g, g->c, i * g->c_strides.row);
        float *from = sums + i;
        for (int64_t j = 0; j < count; j++)
            from[j] *= alpha;
        if (beta != 0) {
            copy_line(g->dtype, before, to, g->c_strides.row, count);
            for (int64_t j = 0; j < count; j++)
                from[j] += beta * before[j];
        }
        store_halves(&part, to, from, 1, count);
    }
}

/* A matrix by a column. */
static void by_vector_once(const dti_gemm *g, float *scratch)
{
    const dti_vector_kernels *kernels = dti_vector_at(dti_cpu_level_used());
    const bool half = g->dtype == DT_F16;
    float *sums = scratch + g->k;
    copy_line(g->dtype, scratch, g->b, g->b_strides.row, g->k);
    if (g->a_strides.column == 1)
        (half ? kernels->rows_f16 : kernels->rows_bf16)(
            g->a, g->a_strides.row, g->m, g->k, scratch, sums);
    else
        (half ? kernels->columns_f16 : kernels->columns_bf16)(
            g->a, g->a_strides.column, g->k, g->m, scratch, sums);
    store_vector(g, sums);
}

static void by_vector(const dti_gemm *g, void *scratch)
{
    dti_gemm turned = *g;
    if (g->n != 1)
        transpose(&turned);
    by_vector_once(&turned, scratch);
}

/* ---- One product of a batch --------------------------------------------- */

static void run_one(const dti_gemm *g, const dti_gemm_limits *limits,
                    void *scratch)
{
    switch (way_of(g, limits)) {
    case WAY_LOOPS:
        dti_gemm_loops(g);
        break;
    case WAY_BLAS:
        by_blas(g, limits->extent);
        break;
    case WAY_BLOCKS:
        by_blocks(g, limits, scratch);
        break;
    case WAY_VECTOR:
        by_vector(g, scratch);
    }
}

/* ---- Pieces ---------------------------------------------------------------
 */

/*
 * The threads of the rank take pieces: some products of a batch, or a block of
 * c.  A piece is a product by itself, and BLAS adds in another order if a
 * product has another size; so pieces are cut by extents alone, on one thread
 * too.  Few large pieces cost least, because each copies its rows of a and its
 * columns of b: there are as many as `edge`, the side of a cube with as many
 * terms, has multiples of a length.  For example, 1024 x 1024 x 1024 by BLAS
 * has 4 pieces of 512 x 512 x 1024, and 512 x 512 x 512 has 2.
 */
typedef struct cutting {
    const dti_gemm *g;
    const dti_gemm_limits *limits;
    int64_t rows, columns;   /* of a piece */
    int64_t down, across;    /* pieces of a product */
    int64_t batch, together; /* products in all, and in a piece */
    int64_t bytes;           /* that could be moved in the time of all */
    char *scratch;
    size_t scratch_bytes; /* of a thread */
} cutting;

/* What is worth a piece: edges, terms, bytes. */
static const int64_t least_edge[] = {
    [WAY_LOOPS] = 64, [WAY_BLAS] = 256, [WAY_BLOCKS] = 128, [WAY_VECTOR] = 128};
static const double terms_per_byte[] = {
    [WAY_LOOPS] = 0.125, [WAY_BLAS] = 8, [WAY_BLOCKS] = 4, [WAY_VECTOR] = 1};
static const int64_t least_terms = 1 << 18;
static const int64_t least_bytes = 1 << 20;
enum { MOST_PIECES = 64, PIECE_UNIT = 64 };

/* How many pieces a product should have. */
static int64_t count_pieces(const dti_gemm *g, way taken)
{
    const double terms = (double)g->m * (double)g->n * (double)g->k;
    const int64_t size = (int64_t)dti_dtype_size(g->dtype);
    int64_t count = 1, edge = least_edge[taken];
    if ((g->n == 1 || g->m == 1) && terms < 1e15) {
        count = (int64_t)terms * size / least_bytes;
        return least(count > 1 ? count : 1, MOST_PIECES);
    }
    for (; count < MOST_PIECES; count++) {
        const double next = (double)((count + 1) * edge);
        if (next * next * next > terms)
            break;
    }
    return count;
}

/* The extent of one of so many parts. */
static int64_t part_of(int64_t extent, int64_t parts, int64_t unit)
{
    const int64_t part = (extent + parts - 1) / parts;
    return (part + unit - 1) / unit * unit;
}

/* Cut the longer side in two until there are enough pieces. */
static void cut_product(cutting *c, way taken)
{
    const dti_gemm *g = c->g;
    const int64_t count = count_pieces(g, taken);
    const int64_t unit = taken == WAY_BLOCKS ? c->limits->block_m : PIECE_UNIT;
    int64_t down = 1, across = 1;
    while (down * across < count) {
        const int64_t high = g->m / down, wide = g->n / across;
        if (least(2 * unit, high > wide ? high : wide) < 2 * unit)
            break;
        if (high > wide)
            down *= 2;
        else
            across *= 2;
    }
    c->rows = part_of(g->m, down, unit);
    c->columns = part_of(g->n, across, unit);
    c->down = (g->m - 1) / c->rows + 1;
    c->across = (g->n - 1) / c->columns + 1;
}

/* Products of small matrices are taken several at a time. */
static void cut_batch(cutting *c, way taken)
{
    const double terms =
        (double)c->g->m * (double)c->g->n * (double)(c->g->k + 1);
    c->batch = c->together = 1;
    for (int i = 0; i < c->g->batch_ndim; i++)
        c->batch *= c->g->batch[i];
    if (terms < (double)least_terms)
        c->together = least_terms / (int64_t)terms;
    const double bytes = (double)c->batch * terms / terms_per_byte[taken];
    c->bytes = bytes < DTI_WORK_LEAST ? 0 : DTI_WORK_LEAST;
}

/* Step to a product of the batch. */
static void step_batch(dti_gemm *g, int64_t index)
{
    for (int i = g->batch_ndim - 1; i >= 0; i--) {
        const int64_t at = index % g->batch[i];
        index /= g->batch[i];
        g->a = step_in(g, g->a, at * g->a_strides.batch[i]);
        g->b = step_in(g, g->b, at * g->b_strides.batch[i]);
        g->c = step_out(g, g->c, at * g->c_strides.batch[i]);
    }
}

/* One block of c of the first product. */
static void take_block(const cutting *c, int64_t block, dti_gemm *part)
{
    const dti_gemm *g = c->g;
    const int64_t i = block / c->across * c->rows;
    const int64_t j = block % c->across * c->columns;
    part->m = least(c->rows, g->m - i);
    part->n = least(c->columns, g->n - j);
    part->a = step_in(g, part->a, i * g->a_strides.row);
    part->b = step_in(g, part->b, j * g->b_strides.column);
    part->c =
        step_out(g, part->c, i * g->c_strides.row + j * g->c_strides.column);
    settle_all(part);
}

static void run_piece(void *context, int64_t piece, int slot)
{
    const cutting *c = context;
    char *scratch =
        c->scratch ? c->scratch + (size_t)slot * c->scratch_bytes : NULL;
    const int64_t blocks = c->down * c->across;
    const int64_t first = piece / blocks * c->together;
    const int64_t end = least(c->batch, first + c->together);
    for (int64_t i = first; i < end; i++) {
        dti_gemm part = *c->g;
        step_batch(&part, i);
        if (blocks > 1)
            take_block(c, piece % blocks, &part);
        run_one(&part, c->limits, scratch);
    }
}

static cutting cut(const dti_gemm *g, const dti_gemm_limits *limits)
{
    cutting c = {.g = g, .limits = limits};
    const block_plan plan = plan_blocks(g, limits);
    const way taken = way_of(g, limits);
    cut_batch(&c, taken);
    cut_product(&c, taken);
    c.scratch_bytes = taken == WAY_BLOCKS   ? plan_bytes(g, &plan)
                      : taken == WAY_VECTOR ? vector_bytes(g)
                                            : 0;
    return c;
}

static int64_t pieces_of(const cutting *c)
{
    return ((c->batch - 1) / c->together + 1) * c->down * c->across;
}

size_t dti_gemm_scratch_with(const dti_gemm *product,
                             const dti_gemm_limits *limits)
{
    const dti_gemm g = arrange(product);
    if (g.m <= 0 || g.n <= 0)
        return 0;
    const cutting c = cut(&g, limits);
    const int64_t threads = dti_work_slots();
    return c.scratch_bytes
               ? c.scratch_bytes * (size_t)least(threads, pieces_of(&c))
               : 0;
}

void dti_gemm_run_with(const dti_gemm *product, const dti_gemm_limits *limits,
                       void *scratch)
{
    const dti_gemm g = arrange(product);
    if (g.m <= 0 || g.n <= 0)
        return;
    cutting c = cut(&g, limits);
    c.scratch = scratch;
    if (c.batch > 0)
        dti_work_run(pieces_of(&c), c.bytes, run_piece, &c);
}

size_t dti_gemm_scratch(const dti_gemm *product)
{
    return dti_gemm_scratch_with(product, &dti_gemm_usual);
}

void dti_gemm_run(const dti_gemm *product, void *scratch)
{
    dti_gemm_run_with(product, &dti_gemm_usual, scratch);
}
