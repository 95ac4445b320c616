/* tests/unit/kernel/gemm/gemm.c - products against sums by the definition. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/gemm/gemm.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array/number.h"
#include "base/attributes.h"
#include "kernel/gemm/blas.h"
#include "support/check.h"

/* Operands are small integers, so that every sum is exact in f32 and has one
 * right result, whatever the order of its terms. */

static const dt_dtype dtypes[] = {DT_F32, DT_F64, DT_F16, DT_BF16, DT_I8,
                                  DT_I16, DT_I32, DT_I64, DT_U8,   DT_C64};

static bool is_integer(dt_dtype dtype)
{
    const dt_dtype_kind kind = dt_dtype_kind_of(dtype);
    return kind == DT_KIND_SIGNED || kind == DT_KIND_UNSIGNED;
}

/* ---- Numbers of any dtype, as a real and an imaginary part --------------- */

typedef struct value {
    double re, im;
} value;

static value read_value(dt_dtype dtype, const void *data, int64_t i)
{
    switch (dtype) {
    case DT_F32:
        return (value){((const float *)data)[i], 0};
    case DT_F64:
        return (value){((const double *)data)[i], 0};
    case DT_F16:
        return (value){dti_widen_f16(((const uint16_t *)data)[i]), 0};
    case DT_BF16:
        return (value){dti_widen_bf16(((const uint16_t *)data)[i]), 0};
    case DT_I8:
        return (value){((const int8_t *)data)[i], 0};
    case DT_I16:
        return (value){((const int16_t *)data)[i], 0};
    case DT_I32:
        return (value){((const int32_t *)data)[i], 0};
    case DT_I64:
        return (value){(double)((const int64_t *)data)[i], 0};
    case DT_U8:
        return (value){((const uint8_t *)data)[i], 0};
    default:
        return (value){((const float *)data)[2 * i],
                       ((const float *)data)[2 * i + 1]};
    }
}

/* Integers wrap around: what is written fits 64 bits. */
static void write_value(dt_dtype dtype, void *data, int64_t i, value v)
{
    switch (dtype) {
    case DT_F32:
        ((float *)data)[i] = (float)v.re;
        break;
    case DT_F64:
        ((double *)data)[i] = v.re;
        break;
    case DT_F16:
        ((uint16_t *)data)[i] = dti_f16_of_float((float)v.re);
        break;
    case DT_BF16:
        ((uint16_t *)data)[i] = dti_bf16_of_float((float)v.re);
        break;
    case DT_I8:
    case DT_U8:
        ((uint8_t *)data)[i] = (uint8_t)(int64_t)v.re;
        break;
    case DT_I16:
        ((uint16_t *)data)[i] = (uint16_t)(int64_t)v.re;
        break;
    case DT_I32:
        ((uint32_t *)data)[i] = (uint32_t)(int64_t)v.re;
        break;
    case DT_I64:
        ((int64_t *)data)[i] = (int64_t)v.re;
        break;
    default:
        ((float *)data)[2 * i] = (float)v.re;
        ((float *)data)[2 * i + 1] = (float)v.im;
    }
}

/* ---- A product, with room around its operands ----------------------------
 */

enum { ROOM = 1 << 13 };

typedef struct operands {
    _Alignas(64) char a[8 * ROOM], b[8 * ROOM], c[8 * ROOM], expected[8 * ROOM];
} operands;

static unsigned long long seed = 1;

static value small_value(dt_dtype dtype)
{
    const int re = (int)(dt_test_random(&seed) % 5) - 2;
    const int im = (int)(dt_test_random(&seed) % 5) - 2;
    return (value){re, dtype == DT_C64 ? im : 0};
}

static void fill(dt_dtype dtype, void *data)
{
    for (int64_t i = 0; i < ROOM; i++)
        write_value(dtype, data, i, small_value(dtype));
}

static void expect_one(const dti_gemm *g, const int64_t *at, int64_t i,
                       int64_t j, void *expected)
{
    int64_t a = i * g->a_strides.row, b = j * g->b_strides.column;
    int64_t c = i * g->c_strides.row + j * g->c_strides.column;
    const double alpha = dt_number_real(g->alpha),
                 beta = dt_number_real(g->beta);
    value sum = {0, 0};
    for (int dim = 0; dim < g->batch_ndim; dim++) {
        a += at[dim] * g->a_strides.batch[dim];
        b += at[dim] * g->b_strides.batch[dim];
        c += at[dim] * g->c_strides.batch[dim];
    }
    for (int64_t p = 0; p < g->k; p++) {
        const value x = read_value(g->dtype, g->a, a + p * g->a_strides.column);
        const value y = read_value(g->dtype, g->b, b + p * g->b_strides.row);
        sum.re += x.re * y.re - x.im * y.im;
        sum.im += x.re * y.im + x.im * y.re;
    }
    const value old = read_value(g->dtype, g->c, c);
    sum.re = alpha * sum.re + (beta != 0 ? beta * old.re : 0);
    sum.im = alpha * sum.im + (beta != 0 ? beta * old.im : 0);
    write_value(g->dtype, expected, c, sum);
}

static void expect_all(const dti_gemm *g, int dim, int64_t *at, void *expected)
{
    if (dim < g->batch_ndim) {
        for (at[dim] = 0; at[dim] < g->batch[dim]; at[dim]++)
            expect_all(g, dim + 1, at, expected);
        return;
    }
    for (int64_t i = 0; i < g->m; i++)
        for (int64_t j = 0; j < g->n; j++)
            expect_one(g, at, i, j, expected);
}

/* Compute and compare all of the room: what lies between and behind the
 * elements of c must stay as it was. */
static void check_product(dti_gemm *g, operands *o,
                          const dti_gemm_limits *limits, const char *what)
{
    int64_t at[DT_MAX_NDIM] = {0};
    g->a = o->a;
    g->b = o->b;
    g->c = o->c;
    memcpy(o->expected, o->c, sizeof o->c);
    expect_all(g, 0, at, o->expected);
    const size_t bytes = dti_gemm_scratch_with(g, limits);
    void *scratch = malloc(bytes + 1);
    dti_gemm_run_with(g, limits, scratch);
    free(scratch);
    int64_t wrong = 0, first = -1;
    for (int64_t i = 0; i < ROOM; i++) {
        const value x = read_value(g->dtype, o->c, i);
        const value y = read_value(g->dtype, o->expected, i);
        if (x.re == y.re && x.im == y.im)
            continue;
        if (wrong++ == 0)
            first = i;
    }
    CHECKF(wrong == 0,
           "%s %s: %lld x %lld x %lld, %lld wrong, the first at %lld: %g, "
           "not %g",
           dt_dtype_name(g->dtype), what, (long long)g->m, (long long)g->n,
           (long long)g->k, (long long)wrong, (long long)first,
           wrong ? read_value(g->dtype, o->c, first).re : 0,
           wrong ? read_value(g->dtype, o->expected, first).re : 0);
}

/* Room for a test, filled once per dtype: results are small enough not to spoil
 * the exactness of what follows only if c is filled again. */
static operands *room_for(dt_dtype dtype)
{
    operands *o = malloc(sizeof *o);
    if (!CHECK(o != NULL))
        return NULL;
    fill(dtype, o->a);
    fill(dtype, o->b);
    fill(dtype, o->c);
    return o;
}

/* Limits that send small products all ways there are. */
static const dti_gemm_limits ways[] = {
    /* no loops where BLAS will do */
    {0, 1 << 30, 512, 1024, 512, DTI_GEMM_F32_OTHERS},
    /* BLAS in pieces */
    {0, 3, 512, 1024, 512, DTI_GEMM_F32_OTHERS},
    /* many blocks */
    {0, 1 << 30, 4, 5, 3, DTI_GEMM_F32_OTHERS},
    /* loops */
    {1 << 20, 1 << 30, 7, 4, 6, DTI_GEMM_F32_OTHERS},
    /* our own kernels */
    {0, 1 << 30, 512, 1024, 512, DTI_GEMM_F32_OWN},
};

static dti_gemm plain(dt_dtype dtype, int64_t m, int64_t n, int64_t k)
{
    return (dti_gemm){.dtype = dtype,
                      .m = m,
                      .n = n,
                      .k = k,
                      .alpha = dt_integer(1),
                      .beta = dt_integer(0),
                      .a_strides = {.row = k, .column = 1},
                      .b_strides = {.row = n, .column = 1},
                      .c_strides = {.row = n, .column = 1}};
}

static void check_all_ways(dti_gemm *g, operands *o, const char *what)
{
    for (size_t i = 0; i < DTI_COUNT_OF(ways); i++) {
        fill(g->dtype, o->c);
        check_product(g, o, &ways[i], what);
    }
    fill(g->dtype, o->c);
    check_product(g, o, &dti_gemm_usual, what);
}

/* ---- Tests -------------------------------------------------------------- */

static const int64_t extents[] = {0, 1, 2, 3, 17, 65};

static void multiplies_every_extent(dt_world *world)
{
    (void)world;
    for (size_t d = 0; d < DTI_COUNT_OF(dtypes); d++) {
        operands *o = room_for(dtypes[d]);
        for (size_t i = 0; o && i < DTI_COUNT_OF(extents); i++)
            for (size_t j = 0; j < DTI_COUNT_OF(extents); j++)
                for (size_t p = 0; p < DTI_COUNT_OF(extents); p++) {
                    dti_gemm g =
                        plain(dtypes[d], extents[i], extents[j], extents[p]);
                    check_all_ways(&g, o, "plain");
                }
        free(o);
    }
}

/* How a matrix of rows x columns may lie. */
typedef enum lay {
    ROWS,         /* row-major */
    COLUMNS,      /* column-major */
    WIDE_ROWS,    /* with gaps between rows */
    WIDE_COLUMNS, /* with gaps between columns */
    APART,        /* with gaps everywhere */
    SAME_ROWS,    /* one row repeated */
    SAME_COLUMNS, /* one column repeated */
    SAME,         /* one element repeated */
    LAYS
} lay;

static void lay_out(dti_gemm_strides *s, lay how, int64_t rows, int64_t columns)
{
    const dti_gemm_strides all[LAYS] = {
        [ROWS] = {.row = columns, .column = 1},
        [COLUMNS] = {.row = 1, .column = rows},
        [WIDE_ROWS] = {.row = columns + 3, .column = 1},
        [WIDE_COLUMNS] = {.row = 1, .column = rows + 2},
        [APART] = {.row = 2 * columns + 1, .column = 2},
        [SAME_ROWS] = {.row = 0, .column = 1},
        [SAME_COLUMNS] = {.row = 1, .column = 0},
        [SAME] = {.row = 0, .column = 0},
    };
    *s = all[how];
}

static void reads_any_strides(dt_world *world)
{
    static const int64_t sizes[][3] = {{5, 7, 6},  {1, 7, 6}, {5, 1, 6},
                                       {5, 7, 1},  {1, 1, 9}, {1, 9, 1},
                                       {34, 3, 33}};
    (void)world;
    for (size_t d = 0; d < DTI_COUNT_OF(dtypes); d++) {
        operands *o = room_for(dtypes[d]);
        for (size_t s = 0; o && s < DTI_COUNT_OF(sizes); s++)
            for (int a = 0; a < LAYS; a++)
                for (int b = 0; b < LAYS; b++)
                    for (int c = 0; c <= APART; c++) {
                        char what[64];
                        dti_gemm g = plain(dtypes[d], sizes[s][0], sizes[s][1],
                                           sizes[s][2]);
                        lay_out(&g.a_strides, (lay)a, g.m, g.k);
                        lay_out(&g.b_strides, (lay)b, g.k, g.n);
                        lay_out(&g.c_strides, (lay)c, g.m, g.n);
                        snprintf(what, sizeof what, "lays %d %d %d", a, b, c);
                        const dti_gemm_limits *way =
                            &ways[(size_t)(a + b + c) % DTI_COUNT_OF(ways)];
                        fill(g.dtype, o->c);
                        check_product(&g, o, way, what);
                    }
        free(o);
    }
}

static void scales_and_adds(dt_world *world)
{
    static const double factors[] = {0, 1, -1, 2, 0.5};
    static const int64_t sizes[][3] = {
        {4, 5, 6}, {1, 5, 6}, {4, 1, 6}, {4, 5, 0}, {20, 20, 20}};
    (void)world;
    for (size_t d = 0; d < DTI_COUNT_OF(dtypes); d++) {
        operands *o = room_for(dtypes[d]);
        for (size_t s = 0; o && s < DTI_COUNT_OF(sizes); s++)
            for (size_t i = 0; i < 25; i++) {
                const double alpha = factors[i / 5], beta = factors[i % 5];
                const bool whole = alpha != 0.5 && beta != 0.5;
                dti_gemm g =
                    plain(dtypes[d], sizes[s][0], sizes[s][1], sizes[s][2]);
                if (!whole && is_integer(g.dtype))
                    continue;
                g.alpha = whole ? dt_integer((int64_t)alpha) : dt_real(alpha);
                g.beta = whole ? dt_integer((int64_t)beta) : dt_real(beta);
                check_all_ways(&g, o, "scaled");
            }
        free(o);
    }
}

/* Batches that stay batches, that become part of m, or of n, and empty ones. */
static void goes_through_batches(dt_world *world)
{
    static const struct {
        const char *what;
        int ndim;
        int64_t batch[3];
        int64_t a[3], b[3], c[3]; /* strides, of (m, n, k) = (3, 4, 5) */
    } cases[] = {
        {"one batch", 1, {6}, {15}, {20}, {12}},
        {"a shared", 1, {6}, {0}, {20}, {12}},
        {"b shared", 1, {6}, {15}, {0}, {12}},
        {"all shared", 1, {6}, {0}, {0}, {12}},
        {"outer b shared", 2, {2, 3}, {45, 15}, {0, 20}, {36, 12}},
        {"two, b shared", 2, {2, 3}, {45, 15}, {0, 0}, {36, 12}},
        {"backwards", 2, {2, 3}, {15, 30}, {60, 20}, {36, 12}},
        {"three", 3, {2, 1, 3}, {45, 7, 15}, {60, 9, 20}, {36, 5, 12}},
        {"gaps", 1, {4}, {17}, {0}, {13}},
        {"empty", 2, {2, 0}, {15, 15}, {20, 20}, {12, 12}},
    };
    (void)world;
    for (size_t d = 0; d < DTI_COUNT_OF(dtypes); d++) {
        operands *o = room_for(dtypes[d]);
        for (size_t i = 0; o && i < DTI_COUNT_OF(cases); i++) {
            dti_gemm g = plain(dtypes[d], 3, 4, 5);
            g.batch_ndim = cases[i].ndim;
            for (int dim = 0; dim < g.batch_ndim; dim++) {
                g.batch[dim] = cases[i].batch[dim];
                g.a_strides.batch[dim] = cases[i].a[dim];
                g.b_strides.batch[dim] = cases[i].b[dim];
                g.c_strides.batch[dim] = cases[i].c[dim];
            }
            check_all_ways(&g, o, cases[i].what);
        }
        free(o);
    }
}

/* Columns of b and c in a batch, which a is shared by: part of n. */
static void folds_columns(dt_world *world)
{
    (void)world;
    for (size_t d = 0; d < DTI_COUNT_OF(dtypes); d++) {
        operands *o = room_for(dtypes[d]);
        for (int64_t n = 1; o && n <= 4; n += 3) {
            dti_gemm g = plain(dtypes[d], 3, n, 5);
            g.batch_ndim = 1;
            g.batch[0] = 6;
            g.b_strides =
                (dti_gemm_strides){.row = 6 * n, .column = 1, .batch = {n}};
            g.c_strides = g.b_strides;
            check_all_ways(&g, o, "columns");
        }
        free(o);
    }
}

/* What c holds does not matter where beta is 0, nor a and b where alpha is;
 * elsewhere NaN and infinity spread as sums do. */
static void spreads_nan_as_sums_do(dt_world *world)
{
    enum { N = 9 };
    float a[N * N], b[N * N], c[N * N];
    (void)world;
    for (int m = 1; m <= N; m += N - 1)
        for (int n = 1; n <= N; n += N - 1)
            for (size_t way = 0; way < DTI_COUNT_OF(ways); way++) {
                dti_gemm g = plain(DT_F32, m, n, N);
                _Alignas(64) static char scratch[1 << 16];
                for (int i = 0; i < N * N; i++) {
                    a[i] = b[i] = 0;
                    c[i] = NAN;
                }
                g.a = a;
                g.b = b;
                g.c = c;
                CHECK(dti_gemm_scratch_with(&g, &ways[way]) <= sizeof scratch);
                dti_gemm_run_with(&g, &ways[way], scratch);
                for (int i = 0; i < m * n; i++)
                    CHECKF(c[i] == 0, "%d x %d, way %zu: %g was read", m, n,
                           way, (double)c[i]);
                /* 0 times NaN, and 0 times infinity, are NaN. */
                b[0] = NAN;
                b[(N - 1) * n + n - 1] = INFINITY;
                dti_gemm_run_with(&g, &ways[way], scratch);
                for (int i = 0; i < m; i++)
                    CHECKF(isnan(c[i * n]) && isnan(c[i * n + n - 1]),
                           "%d x %d, way %zu: NaN got lost", m, n, way);
                g.alpha = dt_integer(0);
                dti_gemm_run_with(&g, &ways[way], scratch);
                for (int i = 0; i < m * n; i++)
                    CHECKF(c[i] == 0, "%d x %d, way %zu: alpha is 0", m, n,
                           way);
            }
}

/* A sum of halves that no half holds on the way is rounded once. */
static void rounds_halves_once(dt_world *world)
{
    enum { K = 2000 };
    uint16_t a[K], b[K], c;
    _Alignas(64) static char scratch[1 << 20];
    (void)world;
    for (int i = 0; i < K; i++) {
        a[i] = dti_f16_of_float(1);
        b[i] = dti_f16_of_float(i == 0 ? 2048 : 0.5f);
    }
    dti_gemm g = plain(DT_F16, 1, 1, K);
    g.a = a;
    g.b = b;
    g.c = &c;
    for (size_t way = 0; way < DTI_COUNT_OF(ways); way++) {
        CHECK(dti_gemm_scratch_with(&g, &ways[way]) <= sizeof scratch);
        dti_gemm_run_with(&g, &ways[way], scratch);
        /* 2048 + 999.5, to the nearest multiple of 2. */
        CHECKF(dti_widen_f16(c) == 3048, "%g", (double)dti_widen_f16(c));
    }
}

static void wraps_integers_around(dt_world *world)
{
    int8_t a[] = {100, 100}, b[] = {3, 1}, c = 0;
    int64_t wide_a = INT64_MAX, wide_b = 2, wide_c = 0;
    (void)world;
    dti_gemm g = plain(DT_I8, 1, 1, 2);
    g.a = a;
    g.b = b;
    g.c = &c;
    dti_gemm_run(&g, NULL);
    CHECK_INT(c, (int8_t)(uint8_t)400);
    g = plain(DT_I64, 1, 1, 1);
    g.a = &wide_a;
    g.b = &wide_b;
    g.c = &wide_c;
    dti_gemm_run(&g, NULL);
    CHECK_INT(wide_c, -2);
}

/* ---- Threads ------------------------------------------------------------ */

enum { SIDE = 60, CALLS = 60, THREADS = 150 };

/* Every thread multiplies matrices of its own, as ranks that are threads do. */
static void *multiply_often(void *arg)
{
    const float number = (float)*(int *)arg;
    float *a = malloc(3 * SIDE * SIDE * sizeof *a);
    if (!a)
        return arg;
    float *b = a + SIDE * SIDE, *c = b + SIDE * SIDE;
    dti_gemm g = plain(DT_F32, SIDE, SIDE, SIDE);
    void *scratch = malloc(dti_gemm_scratch(&g) + 1);
    bool right = true;
    g.a = a;
    g.b = b;
    g.c = c;
    for (int i = 0; i < SIDE * SIDE; i++) {
        a[i] = number;
        b[i] = 1;
    }
    for (int call = 0; call < CALLS; call++) {
        memset(c, 0, SIDE * SIDE * sizeof *c);
        dti_gemm_run(&g, scratch);
        for (int i = 0; i < SIDE * SIDE; i++)
            right = right && c[i] == SIDE * number;
    }
    free(scratch);
    free(a);
    return right ? NULL : arg;
}

static void multiplies_in_many_threads(dt_world *world)
{
    static pthread_t threads[THREADS];
    static int numbers[THREADS];
    int started = 0, wrong = 0;
    (void)world;
    for (; started < THREADS; started++) {
        numbers[started] = started + 1;
        if (pthread_create(&threads[started], NULL, multiply_often,
                           &numbers[started]) != 0)
            break;
    }
    for (int i = 0; i < started; i++) {
        void *result = NULL;
        pthread_join(threads[i], &result);
        wrong += result != NULL;
    }
    CHECKF(wrong == 0, "%d of %d threads got wrong results from %s", wrong,
           started, dt_blas_used()->library);
}

const dt_test dt_tests[] = {
    {"multiplies every extent", multiplies_every_extent},
    {"reads any strides", reads_any_strides},
    {"scales and adds", scales_and_adds},
    {"goes through batches", goes_through_batches},
    {"folds columns", folds_columns},
    {"spreads NaN as sums do", spreads_nan_as_sums_do},
    {"rounds halves once", rounds_halves_once},
    {"wraps integers around", wraps_integers_around},
    {"multiplies in many threads", multiplies_in_many_threads},
    {NULL, NULL},
};
