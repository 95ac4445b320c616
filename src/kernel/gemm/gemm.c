/* kernel/gemm/gemm.c - products of matrices: which way each is computed. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/gemm/gemm.h"

#include <assert.h>
#include <stdbool.h>

#include "base/attributes.h"
#include "base/dtype.h"
#include "base/machine/cpu.h"
#include "kernel/gemm/blas.h"
#include "kernel/gemm/by_blas.h"
#include "kernel/gemm/own.h"
#include "kernel/gemm/shape.h"
#include "work/work.h"

/*
 * A product is put into the order that suits what computes it (`arrange`), then
 * its batch is gone through.  f32 and halves go to kernels of our own (own.h),
 * which have one order of sums; f64 and c64 to BLAS, where there is one, as
 * they are or by blocks that are copied first; the rest, and what is tiny, to
 * plain loops.  f32 goes to BLAS too if a program asks for a library by name,
 * and where fused multiplications are functions.
 */

const dti_gemm_limits dti_gemm_usual = {
    .tiny = 32,
    .extent = 1 << 30,
    /* Copies that the second cache holds. */
    .block_m = 256,
    .block_n = 256,
    .block_k = 256,
    .f32 = DTI_GEMM_F32_USUAL,
};

/* ---- Which way ---------------------------------------------------------- */

typedef enum way {
    WAY_LOOPS,
    WAY_BLAS,   /* where matrices are */
    WAY_BLOCKS, /* copied first */
    WAY_OWN     /* kernels of our own */
} way;

static bool is_tiny(const dti_gemm *g, int64_t limit)
{
    return g->m <= limit && g->n <= limit && g->k <= limit &&
           g->m * g->n <= limit && g->m * g->n * g->k <= limit;
}

static bool is_own(dt_dtype dtype, const dti_gemm_limits *limits)
{
    if (dtype != DT_F32)
        return dtype == DT_F16 || dtype == DT_BF16;
    if (limits->f32 == DTI_GEMM_F32_USUAL && dti_blas_exists())
        return !dti_blas_named() && dti_cpu_level_used() != DTI_CPU_PORTABLE;
    return limits->f32 != DTI_GEMM_F32_OTHERS;
}

static way way_of(const dti_gemm *g, const dti_gemm_limits *limits)
{
    if (is_own(g->dtype, limits))
        return WAY_OWN;
    if (is_tiny(g, limits->tiny) || !dti_by_blas_can(g))
        return WAY_LOOPS;
    return dti_by_blas_reads(g) ? WAY_BLAS : WAY_BLOCKS;
}

/* Our own kernels want few rows rather than few columns, and results whose rows
 * are neighbours if there are many; BLAS wants the latter always. */
static dti_gemm arrange(const dti_gemm *product, const dti_gemm_limits *limits)
{
    dti_gemm g = dti_shape_fold(product);
    const bool own = is_own(g.dtype, limits);
    const bool narrow = own && g.n <= DTI_OWN_FEW && g.n < g.m;
    const bool low = own && g.m <= DTI_OWN_FEW && g.m <= g.n;
    if (narrow || (!low && g.c_strides.column != 1 && g.c_strides.row == 1))
        dti_shape_transpose(&g);
    return g;
}

/* What our own kernels need little of is in the caller's stack. */
enum { NEAR = 1 << 14 };

static DTI_NOINLINE void run_near(const dti_gemm *g)
{
    _Alignas(DTI_CACHE_LINE) char near[NEAR];
    dti_own_run(g, dti_cpu_level_used(), near);
}

static size_t own_bytes(const dti_gemm *g)
{
    const size_t bytes = dti_own_scratch(g, dti_cpu_level_used());
    return bytes <= NEAR ? 0 : bytes;
}

static void run_own(const dti_gemm *g, void *scratch)
{
    if (own_bytes(g) > 0)
        dti_own_run(g, dti_cpu_level_used(), scratch);
    else
        run_near(g);
}

/* ---- One product of a batch --------------------------------------------- */

static size_t bytes_of(const dti_gemm *g, const dti_gemm_limits *limits,
                       way taken)
{
    return taken == WAY_OWN      ? own_bytes(g)
           : taken == WAY_BLOCKS ? dti_by_blas_bytes(g, limits)
                                 : 0;
}

static void run_one(const dti_gemm *g, const dti_gemm_limits *limits, way taken,
                    void *scratch)
{
    switch (taken) {
    case WAY_LOOPS:
        dti_gemm_loops(g);
        break;
    case WAY_BLAS:
        dti_by_blas(g, limits->extent);
        break;
    case WAY_BLOCKS:
        dti_by_blas_blocks(g, limits, scratch);
        break;
    case WAY_OWN:
        run_own(g, scratch);
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
    way taken;               /* by all pieces, for which memory is provided */
    int64_t rows, columns;   /* of a piece */
    int64_t down, across;    /* pieces of a product */
    int64_t batch, together; /* products in all, and in a piece */
    int64_t bytes;           /* that could be moved in the time of all */
    char *scratch;
    size_t scratch_bytes; /* of a thread */
} cutting;

/* What is worth a piece: edges, terms, bytes. */
static const int64_t least_edge[] = {
    [WAY_LOOPS] = 64, [WAY_BLAS] = 256, [WAY_BLOCKS] = 128, [WAY_OWN] = 256};
static const double terms_per_byte[] = {
    [WAY_LOOPS] = 0.125, [WAY_BLAS] = 8, [WAY_BLOCKS] = 4, [WAY_OWN] = 16};
static const int64_t least_terms = 1 << 18;
static const int64_t least_bytes = 1 << 20;
enum { MOST_PIECES = 64, PIECE_UNIT = 64, LONG_UNIT = 1024 };

/* Products of few rows or columns take as long as reading the other matrix. */
static bool is_thin(const dti_gemm *g, way taken)
{
    return g->n == 1 || g->m == 1 || (taken == WAY_OWN && g->m <= DTI_OWN_FEW);
}

/* Pieces of a matrix that is read along its rows have long ones. */
static int64_t unit_of(const cutting *c, way taken)
{
    const dti_gemm *g = c->g;
    if (taken == WAY_BLOCKS)
        return c->limits->block_m;
    return is_thin(g, taken) && g->b_strides.column == 1 ? LONG_UNIT
                                                         : PIECE_UNIT;
}

/* How many pieces a product should have. */
static int64_t count_pieces(const dti_gemm *g, way taken)
{
    const double terms = (double)g->m * (double)g->n * (double)g->k;
    const int64_t size = (int64_t)dti_dtype_size(g->dtype);
    int64_t count = 1, edge = least_edge[taken];
    if (is_thin(g, taken) && terms < 1e15) {
        count = g->k * (g->m > g->n ? g->m : g->n) * size / least_bytes;
        return dti_shape_least(count > 1 ? count : 1, MOST_PIECES);
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
    const int64_t unit = unit_of(c, taken);
    int64_t down = 1, across = 1;
    while (down * across < count) {
        const int64_t high = g->m / down, wide = g->n / across;
        if (dti_shape_least(2 * unit, high > wide ? high : wide) < 2 * unit)
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
        g->a = dti_shape_in(g, g->a, at * g->a_strides.batch[i]);
        g->b = dti_shape_in(g, g->b, at * g->b_strides.batch[i]);
        g->c = dti_shape_out(g, g->c, at * g->c_strides.batch[i]);
    }
}

/* One block of c of the first product. */
static void take_block(const cutting *c, int64_t block, dti_gemm *part)
{
    const dti_gemm *g = c->g;
    const int64_t i = block / c->across * c->rows;
    const int64_t j = block % c->across * c->columns;
    part->m = dti_shape_least(c->rows, g->m - i);
    part->n = dti_shape_least(c->columns, g->n - j);
    part->a = dti_shape_in(g, part->a, i * g->a_strides.row);
    part->b = dti_shape_in(g, part->b, j * g->b_strides.column);
    part->c = dti_shape_out(g, part->c,
                            i * g->c_strides.row + j * g->c_strides.column);
    dti_shape_settle(part);
}

static void run_piece(void *context, int64_t piece, int slot)
{
    const cutting *c = context;
    char *scratch =
        c->scratch ? c->scratch + (size_t)slot * c->scratch_bytes : NULL;
    const int64_t blocks = c->down * c->across;
    const int64_t first = piece / blocks * c->together;
    const int64_t end = dti_shape_least(c->batch, first + c->together);
    for (int64_t i = first; i < end; i++) {
        dti_gemm part = *c->g;
        step_batch(&part, i);
        if (blocks > 1)
            take_block(c, piece % blocks, &part);
        run_one(&part, c->limits, c->taken, scratch);
    }
}

/* The most that a piece needs: they differ at the ends. */
static size_t most_bytes(const cutting *c, way taken)
{
    const int64_t rows[] = {c->rows, c->g->m - (c->down - 1) * c->rows};
    const int64_t columns[] = {c->columns,
                               c->g->n - (c->across - 1) * c->columns};
    size_t most = 0;
    if (c->down * c->across == 1)
        return bytes_of(c->g, c->limits, taken);
    for (int i = 0; i < 4; i++) {
        dti_gemm part = *c->g;
        part.m = dti_shape_least(rows[i / 2], part.m);
        part.n = dti_shape_least(columns[i % 2], part.n);
        dti_shape_settle(&part);
        const size_t bytes = bytes_of(&part, c->limits, taken);
        most = bytes > most ? bytes : most;
    }
    return most;
}

static cutting cut(const dti_gemm *g, const dti_gemm_limits *limits)
{
    cutting c = {.g = g, .limits = limits};
    const way taken = c.taken = way_of(g, limits);
    cut_batch(&c, taken);
    cut_product(&c, taken);
    c.scratch_bytes = most_bytes(&c, taken);
    return c;
}

static int64_t pieces_of(const cutting *c)
{
    return ((c->batch - 1) / c->together + 1) * c->down * c->across;
}

size_t dti_gemm_scratch_with(const dti_gemm *product,
                             const dti_gemm_limits *limits)
{
    const dti_gemm g = arrange(product, limits);
    if (g.m <= 0 || g.n <= 0)
        return 0;
    const cutting c = cut(&g, limits);
    /* Any of the threads may take a piece, however few there are. */
    const int threads = pieces_of(&c) > 1 ? dti_work_slots() : 1;
    return c.scratch_bytes * (size_t)threads;
}

size_t dti_gemm_scratch_most(dt_dtype dtype, int64_t m, int64_t n, int64_t k)
{
    const dti_gemm g = {.dtype = dtype, .m = m, .n = n, .k = k};
    const dti_cpu_level level = dti_cpu_level_used();
    const size_t own = dti_own_scratch_most(m, n, k, level),
                 turned = dti_own_scratch_most(n, m, k, level),
                 copies = dti_by_blas_bytes(&g, &dti_gemm_usual);
    const size_t most = own > turned ? own : turned;
    return most > copies ? most : copies;
}

void dti_gemm_run_with(const dti_gemm *product, const dti_gemm_limits *limits,
                       void *scratch)
{
    const dti_gemm g = arrange(product, limits);
    if (g.m <= 0 || g.n <= 0)
        return;
    cutting c = cut(&g, limits);
    c.scratch = scratch;
    if (c.batch > 0)
        dti_work_run(pieces_of(&c), c.bytes, run_piece, &c);
}

void dti_gemm_run_alone(const dti_gemm *product, void *scratch)
{
    const dti_gemm g = arrange(product, &dti_gemm_usual);
    assert(g.batch_ndim == 0);
    if (g.m > 0 && g.n > 0)
        run_one(&g, &dti_gemm_usual, way_of(&g, &dti_gemm_usual), scratch);
}

size_t dti_gemm_scratch(const dti_gemm *product)
{
    return dti_gemm_scratch_with(product, &dti_gemm_usual);
}

void dti_gemm_run(const dti_gemm *product, void *scratch)
{
    dti_gemm_run_with(product, &dti_gemm_usual, scratch);
}
