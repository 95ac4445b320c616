/* tests/unit/random/draw.c - an element depends on its index, nothing else. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "array/cast.h"
#include "base/hash.h"
#include "unit/random/draws.h"

enum { MOST = 2000 };

static unsigned char expected[MOST * DRAW_ITEM];
static unsigned char actual[MOST * DRAW_ITEM + 64];

/* The reference: one element at a time, portable. */
static void draw_singly(const dti_draw *draw, int64_t first, int64_t count)
{
    const size_t item = dt_dtype_size(draw->dtype);
    for (int64_t i = 0; i < count; i++)
        dti_draw_run_at(DTI_CPU_PORTABLE, draw, first + i, 1,
                        expected + i * (int64_t)item);
}

/* A run at every level and at some alignment gives the reference, and touches
 * nothing else. */
static void check_run(const dti_draw *draw, int64_t first, int64_t start,
                      int64_t count, int shift)
{
    const size_t item = dt_dtype_size(draw->dtype);
    const size_t bytes = (size_t)count * item;
    const size_t at = (size_t)shift * item;
    for (int level = 0; level <= (int)dti_cpu_detect(); level++) {
        memset(actual, 0xa5, at + bytes + 1);
        dti_draw_run_at((dti_cpu_level)level, draw, first + start, count,
                        actual + at);
        CHECKF(memcmp(actual + at, expected + (size_t)start * item, bytes) == 0,
               "%s, %s: %lld from %lld on", draw_name(draw),
               dti_cpu_level_name((dti_cpu_level)level), (long long)count,
               (long long)(first + start));
        CHECKF((at == 0 || actual[at - 1] == 0xa5) &&
                   actual[at + bytes] == 0xa5,
               "%s: %lld from %lld on: written beside", draw_name(draw),
               (long long)count, (long long)(first + start));
    }
}

/* All the ways to begin and to end around blocks and vectors, and some that
 * pass through several chunks. */
static void check_runs(const dti_draw *draw, int64_t first,
                       unsigned long long *random)
{
    draw_singly(draw, first, MOST);
    for (int start = 0; start < 5; start++)
        for (int count = 0; count < 24; count++)
            check_run(draw, first, start, count, start % 3);
    for (int i = 0; i < 12; i++) {
        const int64_t start = (int64_t)(dt_test_random(random) % MOST);
        const int64_t left = MOST - start + 1;
        const int64_t count = (int64_t)(dt_test_random(random) % left);
        check_run(draw, first, start, count, i % 4);
    }
    check_run(draw, first, 0, MOST, 0);
}

static void depends_on_the_index_alone(dt_world *world)
{
    unsigned long long random = dt_test_seed();
    dti_draw draw;
    int cursor = 0, found = 0;
    while (draw_next(world, &cursor, &draw)) {
        check_runs(&draw, 0, &random);
        found++;
    }
    CHECKF(found > 80, "%d draws", found);
}

static void has_large_indexes(dt_world *world)
{
    static const int64_t firsts[] = {
        (INT64_C(1) << 34) - 100, (INT64_C(1) << 34) + 12345,
        (INT64_C(1) << 40) + 7,   INT64_MAX / 2 - MOST,
        (INT64_C(1) << 33) - 3,
    };
    unsigned long long random = dt_test_seed();
    dti_draw draw;
    int cursor = 0;
    while (draw_next(world, &cursor, &draw)) {
        check_runs(&draw, firsts[cursor % 5], &random);
        /* The numbers there are others. */
        draw_singly(&draw, firsts[cursor % 5], 200);
        dti_draw_run(&draw, 0, 200, actual);
        bool constant = (draw.kind == DTI_GEOMETRIC && draw.p == 1) ||
                        (draw.kind == DTI_BERNOULLI && draw.p == 0);
        bool same =
            memcmp(actual, expected, 200 * dt_dtype_size(draw.dtype)) == 0;
        CHECKF(same == constant, "%s", draw_name(&draw));
    }
}

/* The counter of 64 bits wraps, in the middle of a run. */
static void wraps_around(dt_world *world)
{
    unsigned long long random = dt_test_seed();
    dti_draw draw;
    int cursor = 0;
    while (draw_next(world, &cursor, &draw)) {
        draw.key.offset = UINT64_MAX - 50;
        check_runs(&draw, 0, &random);
    }
}

/* The bits themselves: the same with every compiler, on every machine, in every
 * version.  A hash of 1000 elements of each dtype that there is. */
static void gives_the_same_bits_for_ever(dt_world *world)
{
    static const uint64_t hashes[DRAW_SAMPLES] = {
        UINT64_C(0x7af6791f07a36c03), UINT64_C(0x5d18ced637815ba9),
        UINT64_C(0x044538f94c73cedb), UINT64_C(0x1c172141aee11d80),
        UINT64_C(0x792b4b41e804143e), UINT64_C(0x8d1908b6d77f483c),
        UINT64_C(0x13312e5572fb7625), UINT64_C(0xb5fa99819f9a3553),
        UINT64_C(0x39fc571dae0c89b9), UINT64_C(0x3bf6dad0b4ee3ea5),
        UINT64_C(0xdec8670df223003f), UINT64_C(0x02d4085301fbe1ee),
        UINT64_C(0x744aa5faa2881ae6), UINT64_C(0xa911d9c6c3227342),
        UINT64_C(0xbf3ad5f876387e06), UINT64_C(0xc86bcd7cbede47fa),
        UINT64_C(0x66d3a1b70985f2ce), UINT64_C(0xf0f1a2b4c3bb8e06),
        UINT64_C(0xe452eb3688c62c8d),
    };
    uint64_t hash[DRAW_SAMPLES] = {0};
    dti_draw draw;
    int cursor = 0;
    while (draw_next(world, &cursor, &draw)) {
        const int sample = (cursor - 1) / DT_DTYPE_COUNT;
        dti_draw_run(&draw, 1, 1000, actual);
        hash[sample] = dti_hash_mix(
            hash[sample],
            dti_hash_bytes(actual, 1000 * dt_dtype_size(draw.dtype)));
    }
    for (int i = 0; i < DRAW_SAMPLES; i++)
        CHECKF(hash[i] == hashes[i], "sample %d: UINT64_C(0x%016llx)", i,
               (unsigned long long)hash[i]);
}

static void depends_on_seed_and_offset(dt_world *world)
{
    dti_draw draw = draw_ready(
        world, (dti_draw){.kind = DTI_NORMAL, .dtype = DT_F32, .std = 1});
    float a[100], b[100];
    dti_draw_run(&draw, 0, 100, a);
    draw.key.seed = UINT64_C(1) << 63;
    dti_draw_run(&draw, 0, 100, b);
    CHECK(memcmp(a, b, sizeof a) != 0);
    /* An offset is blocks. */
    draw.key = (dti_random_key){0, 3};
    dti_draw_run(&draw, 0, 88, b);
    CHECK(memcmp(a + 12, b, 88 * sizeof *b) == 0);
}

/* ---- Rows --------------------------------------------------------------- */

static void check_rows(const dti_draw *draw, int64_t first, int64_t count,
                       int64_t stride, int64_t rows)
{
    const size_t item = dt_dtype_size(draw->dtype);
    const size_t bytes = (size_t)(rows * count) * item;
    for (int64_t i = 0; i < rows; i++)
        dti_draw_run_at(DTI_CPU_PORTABLE, draw, first + i * stride, count,
                        expected + (size_t)(i * count) * item);
    for (int level = 0; level <= (int)dti_cpu_detect(); level++) {
        memset(actual, 0xa5, bytes + 1);
        dti_draw_rows_at((dti_cpu_level)level, draw, first, count, stride, rows,
                         actual);
        CHECKF(memcmp(actual, expected, bytes) == 0 && actual[bytes] == 0xa5,
               "%s, %s: %lld rows of %lld, %lld apart, from %lld on",
               draw_name(draw), dti_cpu_level_name((dti_cpu_level)level),
               (long long)rows, (long long)count, (long long)stride,
               (long long)first);
    }
}

static void has_rows(dt_world *world)
{
    unsigned long long random = dt_test_seed();
    dti_draw draw;
    int cursor = 0;
    while (draw_next(world, &cursor, &draw)) {
        for (int i = 0; i < 40; i++) {
            const int64_t count = (int64_t)(dt_test_random(&random) % 20);
            const int64_t stride =
                count + (int64_t)(dt_test_random(&random) % 9);
            const int64_t rows =
                (int64_t)(dt_test_random(&random) % (MOST / (count + 1)));
            const int64_t first = (int64_t)(dt_test_random(&random) % 1000);
            check_rows(&draw, first, count, stride, rows);
        }
        check_rows(&draw, 5, 1, 4, MOST - 1);
        check_rows(&draw, 5, 70, 1000, 20);
        check_rows(&draw, 3, 4, 0, 100);
        check_rows(&draw, INT64_C(1) << 36, 5, (INT64_C(1) << 33) + 1, 100);
    }
}

/* ---- Dtypes ------------------------------------------------------------- */

static void rounds_halves(dt_world *world)
{
    static const dti_distribution kinds[] = {DTI_NORMAL, DTI_LOG_NORMAL,
                                             DTI_EXPONENTIAL, DTI_CAUCHY};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        dti_draw draw = {
            .key = draw_key, .kind = kinds[i], .rate = 1, .std = 1};
        float full[500];
        uint16_t half[500];
        draw.dtype = DT_F32;
        draw = draw_ready(world, draw);
        dti_draw_run(&draw, 0, 500, full);
        draw.dtype = DT_BF16;
        draw = draw_ready(world, draw);
        dti_draw_run(&draw, 0, 500, half);
        for (int j = 0; j < 500; j++) {
            float back;
            dti_cast(&half[j], DT_BF16, &back, DT_F32, 1);
            CHECKF(fabsf(back - full[j]) <= fabsf(full[j]) * 0x1p-8f,
                   "%s: %g for %g", draw_name(&draw), (double)back,
                   (double)full[j]);
        }
    }
}

/* Real and imaginary parts are neighbours in the sequence of f32. */
static void has_complex_numbers(dt_world *world)
{
    float pairs[400], plain[400];
    dti_draw draw = {.key = draw_key, .kind = DTI_UNIFORM, .high = 1};
    draw.dtype = DT_C64;
    draw = draw_ready(world, draw);
    dti_draw_run(&draw, 3, 200, pairs);
    draw.dtype = DT_F32;
    draw = draw_ready(world, draw);
    dti_draw_run(&draw, 6, 400, plain);
    CHECK(memcmp(pairs, plain, sizeof pairs) == 0);

    draw = (dti_draw){.key = draw_key, .kind = DTI_NORMAL, .mean = 2, .std = 3};
    draw.dtype = DT_C64;
    draw = draw_ready(world, draw);
    dti_draw_run(&draw, 3, 200, pairs);
    draw.dtype = DT_F32;
    draw.std = 3 / sqrt(2);
    draw = draw_ready(world, draw);
    dti_draw_run(&draw, 6, 400, plain);
    CHECK(memcmp(pairs, plain, sizeof pairs) == 0);
}

/* ---- Bounds ------------------------------------------------------------- */

/* The largest word gives the largest number, below the bound in spite of
 * rounding; the smallest gives the bound itself. */
static void stays_below_the_upper_bound(dt_world *world)
{
    static const struct {
        dt_dtype dtype;
        double low, high;
    } cases[] = {
        {DT_F32, 0, 1},
        {DT_F32, 1, 1 + 0x1p-23},
        {DT_F32, 0x1p20, 0x1p20 + 1},
        {DT_F32, -1e-3, 1e30},
        {DT_F32, -2, -1},
        {DT_F64, 0, 1},
        {DT_F64, 1, 1 + 0x1p-52},
        {DT_F64, 0x1p60, 0x1p60 + 512},
        {DT_F16, 0, 1},
        {DT_F16, -1, 0},
        {DT_F16, 1000, 1001},
        {DT_BF16, 0, 1},
        {DT_BF16, 3, 5},
        {DT_BF16, -0.25, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        enum { N = 40000 };
        static double wide[N];
        static unsigned char numbers[N * 8];
        dti_draw draw = draw_ready(world, (dti_draw){.key = draw_key,
                                                     .kind = DTI_UNIFORM,
                                                     .dtype = cases[i].dtype,
                                                     .low = cases[i].low,
                                                     .high = cases[i].high});
        double least = INFINITY, most = -INFINITY;
        dti_draw_run(&draw, 0, N, numbers);
        dti_cast(numbers, draw.dtype, wide, DT_F64, N);
        for (int j = 0; j < N; j++) {
            least = fmin(least, wide[j]);
            most = fmax(most, wide[j]);
        }
        CHECKF(least >= cases[i].low && most < cases[i].high,
               "[%.17g, %.17g): %.17g to %.17g", cases[i].low, cases[i].high,
               least, most);
        CHECKF(draw.made.largest < cases[i].high, "%.17g is too large",
               draw.made.largest);
    }
}

static void has_intervals_of_one_number(dt_world *world)
{
    float numbers[100];
    dti_draw draw = draw_ready(world, (dti_draw){.key = draw_key,
                                                 .kind = DTI_UNIFORM,
                                                 .dtype = DT_F32,
                                                 .low = 2.5,
                                                 .high = 2.5});
    dti_draw_run(&draw, 0, 100, numbers);
    for (int i = 0; i < 100; i++)
        CHECK(numbers[i] == 2.5f);
    draw.kind = DTI_TRUNCATED_NORMAL;
    draw.std = 1;
    draw = draw_ready(world, draw);
    dti_draw_run(&draw, 0, 100, numbers);
    for (int i = 0; i < 100; i++)
        CHECK(numbers[i] == 2.5f);
    /* No deviation: the mean, as near as the interval lets it. */
    draw = draw_ready(world, (dti_draw){.key = draw_key,
                                        .kind = DTI_TRUNCATED_NORMAL,
                                        .dtype = DT_F32,
                                        .mean = 7,
                                        .low = -1,
                                        .high = 3});
    dti_draw_run(&draw, 0, 100, numbers);
    for (int i = 0; i < 100; i++)
        CHECK(numbers[i] == 3.0f);
}

static void truncates_where_it_says(dt_world *world)
{
    static const struct {
        dt_dtype dtype;
        double low, high;
    } cases[] = {
        {DT_F32, -2, 2},          {DT_F32, 0.1, 0.3},
        {DT_F64, 5, 5.001},       {DT_F64, -INFINITY, -30},
        {DT_F32, 8, INFINITY},    {DT_BF16, 0.1, 0.3},
        {DT_F16, -1.01, -1},      {DT_F32, -INFINITY, INFINITY},
        {DT_F32, 1, 1 + 0x1p-23},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        enum { N = 5000 };
        static double wide[N];
        static unsigned char numbers[N * 8];
        dti_draw draw =
            draw_ready(world, (dti_draw){.key = draw_key,
                                         .kind = DTI_TRUNCATED_NORMAL,
                                         .dtype = cases[i].dtype,
                                         .std = 1,
                                         .low = cases[i].low,
                                         .high = cases[i].high});
        dti_draw_run(&draw, 0, N, numbers);
        dti_cast(numbers, draw.dtype, wide, DT_F64, N);
        for (int j = 0; j < N; j++)
            CHECKF(wide[j] >= cases[i].low && wide[j] <= cases[i].high &&
                       isfinite(wide[j]),
                   "[%g, %g]: %.17g", cases[i].low, cases[i].high, wide[j]);
    }
}

static void knows_certainty(dt_world *world)
{
    for (int dtype = 0; dtype < DT_C64; dtype++) {
        for (int p = 0; p < 2; p++) {
            double wide[1000];
            dti_draw draw =
                draw_ready(world, (dti_draw){.key = draw_key,
                                             .kind = DTI_BERNOULLI,
                                             .dtype = (dt_dtype)dtype,
                                             .p = p});
            dti_draw_run(&draw, 0, 1000, actual);
            dti_cast(actual, draw.dtype, wide, DT_F64, 1000);
            for (int i = 0; i < 1000; i++)
                CHECK(wide[i] == p);
        }
    }
}

/* Exponential numbers are divided by: they must not be 0. */
static void is_never_zero(dt_world *world)
{
    enum { N = 1 << 20 };
    static float numbers[N];
    dti_draw draw = draw_ready(world, (dti_draw){.key = draw_key,
                                                 .kind = DTI_EXPONENTIAL,
                                                 .dtype = DT_F32,
                                                 .rate = 1});
    dti_draw_run(&draw, 0, N, numbers);
    int zeros = 0;
    for (int i = 0; i < N; i++)
        zeros += !(numbers[i] > 0 && isfinite(numbers[i]));
    CHECK_INT(zeros, 0);
}

const dt_test dt_tests[] = {
    {"depends on the index alone", depends_on_the_index_alone},
    {"has large indexes", has_large_indexes},
    {"wraps around", wraps_around},
    {"gives the same bits for ever", gives_the_same_bits_for_ever},
    {"depends on seed and offset", depends_on_seed_and_offset},
    {"has rows", has_rows},
    {"rounds halves", rounds_halves},
    {"has complex numbers", has_complex_numbers},
    {"stays below the upper bound", stays_below_the_upper_bound},
    {"has intervals of one number", has_intervals_of_one_number},
    {"truncates where it says", truncates_where_it_says},
    {"knows certainty", knows_certainty},
    {"is never zero", is_never_zero},
    {NULL, NULL},
};
