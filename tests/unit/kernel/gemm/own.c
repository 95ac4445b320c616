/* tests/unit/kernel/gemm/own.c - products of any numbers: how far from exact
 * sums, and the same bits at every level. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/gemm/own.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array/cast.h"
#include "base/attributes.h"
#include "base/dtype.h"
#include "base/machine/cpu.h"
#include "kernel/gemm/blas.h"
#include "kernel/gemm/gemm.h"
#include "support/check.h"

static unsigned long long seed = 7;

/* ---- Operands ----------------------------------------------------------- */

/* How a matrix is stored. */
typedef enum lay { ROWS, COLUMNS, WIDE_ROWS, WIDE_COLUMNS, APART, LAYS } lay;

static dti_gemm_strides strides_of(lay how, int64_t rows, int64_t columns)
{
    const dti_gemm_strides all[LAYS] = {
        [ROWS] = {.row = columns, .column = 1},
        [COLUMNS] = {.row = 1, .column = rows},
        [WIDE_ROWS] = {.row = columns + 3, .column = 1},
        [WIDE_COLUMNS] = {.row = 1, .column = rows + 5},
        [APART] = {.row = 2 * columns + 1, .column = 2},
    };
    return all[how];
}

static int64_t elements_of(const dti_gemm_strides *s, int64_t rows,
                           int64_t columns)
{
    return (rows - 1) * s->row + (columns - 1) * s->column + 1;
}

static dti_gemm describe(int64_t m, int64_t n, int64_t k, lay a, lay b, lay c)
{
    return (dti_gemm){.dtype = DT_F32,
                      .m = m,
                      .n = n,
                      .k = k,
                      .alpha = dt_integer(1),
                      .beta = dt_integer(0),
                      .a_strides = strides_of(a, m, k),
                      .b_strides = strides_of(b, k, n),
                      .c_strides = strides_of(c, m, n)};
}

static float *numbers(int64_t count)
{
    float *all = malloc((size_t)count * sizeof *all);
    for (int64_t i = 0; all && i < count; i++)
        all[i] = (float)((double)(dt_test_random(&seed) % 20001) / 10000 - 1);
    return all;
}

/* ---- How far from exact sums -------------------------------------------- */

/* Every term is rounded at most once where it is multiplied and added, and sums
 * of blocks a few times more: the bound holds for any order. */
static bool is_near(const dti_gemm *g, int64_t i, int64_t j, float before)
{
    const float *a = g->a, *b = g->b, *c = g->c;
    long double sum = 0, size = 0;
    for (int64_t p = 0; p < g->k; p++) {
        const long double x = a[i * g->a_strides.row + p * g->a_strides.column];
        const long double y = b[p * g->b_strides.row + j * g->b_strides.column];
        sum += x * y;
        size += fabsl(x * y);
    }
    const long double alpha = dt_number_real(g->alpha),
                      beta = dt_number_real(g->beta);
    sum = alpha * sum + beta * before;
    size = fabsl(alpha) * size + fabsl(beta * before);
    const float got = c[i * g->c_strides.row + j * g->c_strides.column];
    const long double roundings = (long double)(g->k + 4);
    return fabsl(got - sum) <= roundings * (FLT_EPSILON / 2) * size;
}

static void check_near(dti_gemm *g, dti_gemm_f32 f32)
{
    dti_gemm_limits limits = dti_gemm_usual;
    limits.f32 = f32;
    const int64_t in_c = elements_of(&g->c_strides, g->m, g->n);
    float *a = numbers(elements_of(&g->a_strides, g->m, g->k));
    float *b = numbers(elements_of(&g->b_strides, g->k, g->n));
    float *c = numbers(in_c), *before = malloc((size_t)in_c * sizeof *before);
    void *scratch = malloc(dti_gemm_scratch_with(g, &limits) + 1);
    if (CHECK(a && b && c && before && scratch)) {
        memcpy(before, c, (size_t)in_c * sizeof *c);
        g->a = a;
        g->b = b;
        g->c = c;
        dti_gemm_run_with(g, &limits, scratch);
        int64_t wrong = 0;
        for (int64_t i = 0; i < g->m; i++)
            for (int64_t j = 0; j < g->n; j++)
                wrong += !is_near(
                    g, i, j,
                    before[i * g->c_strides.row + j * g->c_strides.column]);
        CHECKF(wrong == 0, "%lld x %lld x %lld by %s: %lld wrong",
               (long long)g->m, (long long)g->n, (long long)g->k,
               f32 == DTI_GEMM_F32_OWN ? "us" : "others", (long long)wrong);
    }
    free(a);
    free(b);
    free(c);
    free(before);
    free(scratch);
}

static int64_t some(int64_t most)
{
    return 1 + (int64_t)(dt_test_random(&seed) % (unsigned long long)most);
}

/* One size is given, the others are drawn; which one, goes round. */
static void check_size(int64_t size, int64_t which, int lays)
{
    const int64_t m = which == 0 || which == 3 ? size : some(130),
                  n = which == 1 || which == 3 ? size : some(130),
                  k = which == 2 || which == 3 ? size : some(130);
    dti_gemm g =
        describe(m, n, k, (lay)(lays % LAYS), (lay)(lays / LAYS % LAYS),
                 (lay)(lays / LAYS / LAYS % LAYS));
    if (lays % 3 == 1)
        g.alpha = dt_real(-0.75);
    if (lays % 2 == 1)
        g.beta = dt_real(0.5);
    check_near(&g, DTI_GEMM_F32_OWN);
    check_near(&g, DTI_GEMM_F32_OTHERS);
}

static void comes_near_exact_sums(dt_world *world)
{
    enum { SIZES = 130, ALL = LAYS * LAYS * LAYS };
    const bool full = getenv("DT_TEST_FULL") != NULL;
    (void)world;
    for (int64_t size = 1; size <= SIZES; size++)
        for (int64_t which = 0; which < 4; which++)
            for (int lays = 0; lays < ALL; lays++)
                if (full || (size * 31 + which * 7 + lays) % 211 == 0)
                    check_size(size, which, lays);
}

static void comes_near_long_sums(dt_world *world)
{
    static const int64_t sizes[][3] = {
        {1, 1, 20000},  {1, 40, 9000},   {40, 1, 9000},
        {3, 70, 1500},  {9, 70, 1500},   {30, 40, 1500},
        {16, 2100, 40}, {130, 1100, 20}, {129, 129, 129}};
    (void)world;
    for (size_t i = 0; i < DTI_COUNT_OF(sizes); i++)
        for (int b = 0; b < LAYS; b++) {
            dti_gemm g = describe(sizes[i][0], sizes[i][1], sizes[i][2],
                                  b == APART ? APART : ROWS, (lay)b, ROWS);
            g.beta = dt_integer(b % 2);
            check_near(&g, DTI_GEMM_F32_OWN);
            /* Pieces of one column are no reason to go another way. */
            g.c_strides = strides_of(APART, g.m, g.n);
            if (g.k <= 200)
                check_near(&g, DTI_GEMM_F32_OTHERS);
        }
}

/* ---- The same bits everywhere ------------------------------------------- */

typedef struct product {
    dti_gemm g;
    char *a, *b, *c, *first; /* with 64 bytes more */
    size_t c_bytes;
} product;

static char *stored(dt_dtype dtype, int64_t count)
{
    float *wide = numbers(count);
    char *all = malloc((size_t)count * sizeof(float) + 64);
    if (wide && all)
        dti_cast(wide, DT_F32, all, dtype, count);
    free(wide);
    return all;
}

/* Operands are moved by some bytes, results compared with the first ones. */
static void run_moved(product *p, dti_cpu_level level, size_t by)
{
    dti_gemm g = p->g;
    const size_t a = (size_t)elements_of(&g.a_strides, g.m, g.k),
                 b = (size_t)elements_of(&g.b_strides, g.k, g.n),
                 item = dti_dtype_size(g.dtype);
    void *scratch = malloc(dti_own_scratch(&g, level) + 64);
    if (!CHECK(scratch != NULL))
        return;
    memmove(p->a + by, p->a, a * item);
    memmove(p->b + by, p->b, b * item);
    memset(p->c, 0, p->c_bytes + 64);
    g.a = p->a + by;
    g.b = p->b + by;
    g.c = p->c + by;
    dti_own_run(&g, level, scratch);
    memmove(p->a, p->a + by, a * item);
    memmove(p->b, p->b + by, b * item);
    free(scratch);
    if (level == DTI_CPU_PORTABLE && by == 0)
        memcpy(p->first, p->c, p->c_bytes);
    CHECKF(memcmp(p->first, p->c + by, p->c_bytes) == 0,
           "%s %lld x %lld x %lld, b by %lld and %lld: %s, moved by %zu",
           dt_dtype_name(g.dtype), (long long)g.m, (long long)g.n,
           (long long)g.k, (long long)g.b_strides.row,
           (long long)g.b_strides.column, dti_cpu_level_name(level), by);
}

static void check_bits(const dti_gemm *g)
{
    const size_t item = dti_dtype_size(g->dtype);
    product p = {.g = *g};
    p.c_bytes = (size_t)elements_of(&g->c_strides, g->m, g->n) * item;
    p.a = stored(g->dtype, elements_of(&g->a_strides, g->m, g->k));
    p.b = stored(g->dtype, elements_of(&g->b_strides, g->k, g->n));
    p.c = malloc(p.c_bytes + 64);
    p.first = malloc(p.c_bytes);
    if (CHECK(p.a && p.b && p.c && p.first))
        for (int level = 0; level <= (int)dti_cpu_detect(); level++)
            for (size_t by = 0; by <= 5 * item; by += 5 * item)
                run_moved(&p, (dti_cpu_level)level, by);
    free(p.a);
    free(p.b);
    free(p.c);
    free(p.first);
}

static void gives_the_same_bits_at_every_level(dt_world *world)
{
    static const int64_t sizes[][3] = {
        {1, 1, 77},   {1, 50, 600},  {1, 1, 9000},  {2, 33, 40},
        {4, 90, 600}, {9, 70, 530},  {16, 300, 70}, {15, 17, 19},
        {64, 33, 40}, {61, 40, 520}, {115, 35, 10}, {20, 1030, 9}};
    static const dt_dtype dtypes[] = {DT_F32, DT_F16, DT_BF16};
    (void)world;
    for (size_t d = 0; d < DTI_COUNT_OF(dtypes); d++)
        for (size_t i = 0; i < DTI_COUNT_OF(sizes); i++)
            for (int lays = 0; lays < LAYS * 2; lays++) {
                dti_gemm g =
                    describe(sizes[i][0], sizes[i][1], sizes[i][2],
                             lays % 2 ? COLUMNS : ROWS, (lay)(lays / 2),
                             lays == 6 ? APART : ROWS);
                g.dtype = dtypes[d];
                g.alpha = lays == 3 ? dt_real(0.3) : dt_integer(1);
                check_bits(&g);
            }
}

const dt_test dt_tests[] = {
    {"comes near exact sums", comes_near_exact_sums},
    {"comes near long sums", comes_near_long_sums},
    {"gives the same bits at every level", gives_the_same_bits_at_every_level},
    {NULL, NULL},
};
