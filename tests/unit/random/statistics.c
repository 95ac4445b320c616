/* tests/unit/random/statistics.c - the numbers follow their distributions. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "array/cast.h"
#include "random/generator.h"
#include "unit/random/draws.h"

/*
 * Seeds are fixed, so a test either always passes or always fails.  Bounds are
 * such that numbers which follow the distribution fail one in a thousand tests
 * at most: 5 standard deviations of a mean or a chi-square, 2 for the distance
 * of Kolmogorov and Smirnov times the root of the count (1 in 1500).
 */

enum { N = 1 << 18 };

static double numbers[4 * N];

/* Draw, as doubles. */
static void draw_doubles(const dti_draw *draw, int64_t first, int64_t count,
                         double *out)
{
    enum { CHUNK = 4096 };
    static unsigned char part[CHUNK * DRAW_ITEM];
    for (int64_t i = 0; i < count; i += CHUNK) {
        const int64_t now = count - i < CHUNK ? count - i : CHUNK;
        dti_draw_run(draw, first + i, now, part);
        dti_cast(part, draw->dtype, out + i, DT_F64, now);
    }
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* ---- Against the exact distribution ------------------------------------- */

typedef double (*distribution)(const dti_draw *draw, double x);

static double normal_cdf(double x)
{
    return 0.5 * erfc(-x * sqrt(0.5));
}

static double cdf_uniform(const dti_draw *draw, double x)
{
    return (x - draw->low) / (draw->high - draw->low);
}

static double cdf_normal(const dti_draw *draw, double x)
{
    return normal_cdf((x - draw->mean) / draw->std);
}

static double cdf_log_normal(const dti_draw *draw, double x)
{
    return normal_cdf((log(x) - draw->mean) / draw->std);
}

static double cdf_truncated(const dti_draw *draw, double x)
{
    const double low = cdf_normal(draw, draw->low);
    const double high = cdf_normal(draw, draw->high);
    return (cdf_normal(draw, x) - low) / (high - low);
}

static double cdf_exponential(const dti_draw *draw, double x)
{
    return -expm1(-x * draw->rate);
}

static double cdf_cauchy(const dti_draw *draw, double x)
{
    return 0.5 + atan((x - draw->mean) / draw->std) / 3.14159265358979323846;
}

/* The largest distance between the exact distribution and that of the numbers,
 * times the root of their count; sorts them. */
static double distance(const dti_draw *draw, distribution cdf, int count)
{
    double most = 0;
    qsort(numbers, (size_t)count, sizeof *numbers, compare);
    for (int i = 0; i < count; i++) {
        const double exact = cdf(draw, numbers[i]);
        most = fmax(most, fabs(exact - (double)i / count));
        most = fmax(most, fabs(exact - (double)(i + 1) / count));
    }
    return most * sqrt(count);
}

static void follows_distributions(dt_world *world)
{
    static const struct {
        dti_draw draw;
        distribution cdf;
    } cases[] = {
        {{.kind = DTI_UNIFORM, .low = 0, .high = 1}, cdf_uniform},
        {{.kind = DTI_UNIFORM, .low = -3, .high = 40}, cdf_uniform},
        {{.kind = DTI_NORMAL, .mean = 0, .std = 1}, cdf_normal},
        {{.kind = DTI_NORMAL, .mean = 5, .std = 0.1}, cdf_normal},
        {{.kind = DTI_LOG_NORMAL, .mean = -1, .std = 0.7}, cdf_log_normal},
        {{.kind = DTI_TRUNCATED_NORMAL, .std = 1, .low = -2, .high = 2},
         cdf_truncated},
        {{.kind = DTI_TRUNCATED_NORMAL, .std = 1, .low = -6, .high = -3},
         cdf_truncated},
        {{.kind = DTI_TRUNCATED_NORMAL,
          .mean = 3,
          .std = 2,
          .low = 4,
          .high = 9},
         cdf_truncated},
        {{.kind = DTI_EXPONENTIAL, .rate = 0.25}, cdf_exponential},
        {{.kind = DTI_CAUCHY, .mean = -2, .std = 3}, cdf_cauchy},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int dtype = DT_F32; dtype <= DT_F64; dtype++) {
            dti_draw draw = cases[i].draw;
            draw.key = (dti_random_key){i + 21, (uint64_t)dtype};
            draw.dtype = (dt_dtype)dtype;
            draw = draw_ready(world, draw);
            draw_doubles(&draw, 0, N, numbers);
            const double found = distance(&draw, cases[i].cdf, N);
            CHECKF(found < 2 && found > 0.3, "case %zu, %s: %g", i,
                   draw_name(&draw), found);
        }
    }
}

/* ---- Moments and tails -------------------------------------------------- */

static void check_moments(const dti_draw *draw)
{
    double sums[5] = {0};
    draw_doubles(draw, 0, 4 * N, numbers);
    for (int i = 0; i < 4 * N; i++) {
        double power = 1;
        for (int j = 0; j < 5; j++, power *= numbers[i])
            sums[j] += power;
    }
    /* Exact moments of a standard normal variable: 0, 1, 0, 3; the variances
     * of their estimates: 1, 2, 15, 96. */
    static const double exact[5] = {1, 0, 1, 0, 3};
    static const double variance[5] = {0, 1, 2, 15, 96};
    for (int j = 1; j < 5; j++) {
        const double error = sums[j] / (4 * N) - exact[j];
        const double deviation = sqrt(variance[j] / (4 * N));
        CHECKF(fabs(error) < 5 * deviation, "%s, moment %d: %g deviations",
               draw_name(draw), j, error / deviation);
    }
}

static void has_the_moments_of_normal_variables(dt_world *world)
{
    static const dt_dtype dtypes[] = {DT_F32, DT_F64, DT_F16};
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
        dti_draw draw = draw_ready(world, (dti_draw){.key = {7, i},
                                                     .kind = DTI_NORMAL,
                                                     .dtype = dtypes[i],
                                                     .std = 1});
        check_moments(&draw);
    }
}

/* Of 2^24 numbers: 531.5 beyond 4 on each side, 4.8 beyond 5; none beyond what
 * the smallest word gives, 6.77. */
static void has_the_tails_of_normal_variables(dt_world *world)
{
    int beyond4[2] = {0}, beyond5[2] = {0};
    double least = 0, most = 0;
    dti_draw draw = draw_ready(world, (dti_draw){.key = {3, 3},
                                                 .kind = DTI_NORMAL,
                                                 .dtype = DT_F32,
                                                 .std = 1});
    for (int part = 0; part < 16; part++) {
        draw_doubles(&draw, (int64_t)part * 4 * N, 4 * N, numbers);
        for (int i = 0; i < 4 * N; i++) {
            const double x = numbers[i];
            beyond4[x > 0] += fabs(x) > 4;
            beyond5[x > 0] += fabs(x) > 5;
            least = fmin(least, x);
            most = fmax(most, x);
        }
    }
    for (int side = 0; side < 2; side++) {
        CHECKF(fabs(beyond4[side] - 531.5) < 5 * sqrt(531.5), "%d beyond 4",
               beyond4[side]);
        CHECKF(beyond5[side] > 0 && beyond5[side] < 16, "%d beyond 5",
               beyond5[side]);
    }
    CHECKF(most > 4.9 && most < 6.77 && least < -4.9 && least > -6.77,
           "%g to %g", least, most);
}

/* Rounding to f16 and bf16 does not move the mean of uniform numbers. */
static void has_the_mean_of_uniform_variables(dt_world *world)
{
    static const dt_dtype dtypes[] = {DT_F32, DT_F64, DT_F16, DT_BF16};
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
        dti_draw draw = draw_ready(world, (dti_draw){.key = {8, i},
                                                     .kind = DTI_UNIFORM,
                                                     .dtype = dtypes[i],
                                                     .high = 1});
        double sum = 0;
        draw_doubles(&draw, 0, 4 * N, numbers);
        for (int j = 0; j < 4 * N; j++)
            sum += numbers[j];
        const double error = sum / (4 * N) - 0.5;
        CHECKF(fabs(error) < 5 * sqrt(1.0 / 12 / (4 * N)), "%s: %g",
               draw_name(&draw), error);
    }
}

/* ---- Counts ------------------------------------------------------------- */

/* How many deviations a chi-square is away from what it should be. */
static double chi_square(const int *counts, const double *expected, int bins)
{
    double sum = 0;
    for (int i = 0; i < bins; i++) {
        const double more = counts[i] - expected[i];
        sum += more * more / expected[i];
    }
    return (sum - (bins - 1)) / sqrt(2.0 * (bins - 1));
}

static void check_bins(const dti_draw *draw, double origin, double width,
                       int bins)
{
    static int counts[1000];
    static double expected[1000];
    memset(counts, 0, sizeof counts);
    draw_doubles(draw, 0, N, numbers);
    for (int i = 0; i < N; i++) {
        const int bin = (int)floor((numbers[i] - origin) / width);
        if (CHECKF(bin >= 0 && bin < bins, "%s: %.17g", draw_name(draw),
                   numbers[i]))
            counts[bin]++;
    }
    for (int i = 0; i < bins; i++)
        expected[i] = (double)N / bins;
    const double found = chi_square(counts, expected, bins);
    CHECKF(fabs(found) < 5, "%s of %d bins: %g deviations", draw_name(draw),
           bins, found);
}

static void has_uniform_integers(dt_world *world)
{
    static const int ranges[] = {2, 3, 6, 7, 10, 100, 641, 1000};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        dti_draw draw = draw_ready(world, (dti_draw){.key = {9, i},
                                                     .kind = DTI_RANDINT,
                                                     .dtype = DT_I32,
                                                     .least = -17,
                                                     .end = ranges[i] - 17});
        check_bins(&draw, -17, 1, ranges[i]);
    }
    static const int64_t huge[] = {INT64_C(3) << 30, INT64_C(1) << 32,
                                   INT64_C(5) << 31, INT64_C(3) << 61};
    for (size_t i = 0; i < sizeof huge / sizeof *huge; i++) {
        dti_draw draw = draw_ready(world, (dti_draw){.key = {10, i},
                                                     .kind = DTI_RANDINT,
                                                     .dtype = DT_I64,
                                                     .end = huge[i]});
        check_bins(&draw, 0, (double)huge[i] / 600, 600);
    }
    dti_draw draw = draw_ready(world, (dti_draw){.key = {11, 0},
                                                 .kind = DTI_RANDINT,
                                                 .dtype = DT_I64,
                                                 .least = INT64_MIN,
                                                 .end = INT64_MAX});
    check_bins(&draw, -0x1p63, 0x1p64 / 1000, 1000);
}

/* The lowest bits of large ranges are random too. */
static void has_random_low_bits(dt_world *world)
{
    static const int64_t ends[] = {INT64_C(1) << 32, INT64_C(1) << 40,
                                   INT64_MAX};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        static int64_t integers[N];
        int counts[64] = {0};
        double expected[64];
        dti_draw draw = draw_ready(world, (dti_draw){.key = {12, i},
                                                     .kind = DTI_RANDINT,
                                                     .dtype = DT_I64,
                                                     .end = ends[i]});
        dti_draw_run(&draw, 0, N, integers);
        for (int j = 0; j < N; j++)
            counts[integers[j] & 63]++;
        for (int j = 0; j < 64; j++)
            expected[j] = N / 64.0;
        CHECK(fabs(chi_square(counts, expected, 64)) < 5);
    }
}

static void has_chances(dt_world *world)
{
    static const double chances[] = {0.5, 0.1, 0.001, 0.9, 1 - 1e-4};
    for (size_t i = 0; i < sizeof chances / sizeof *chances; i++) {
        const double p = chances[i];
        double sum = 0;
        dti_draw draw = draw_ready(world, (dti_draw){.key = {13, i},
                                                     .kind = DTI_BERNOULLI,
                                                     .dtype = DT_BOOL,
                                                     .p = p});
        draw_doubles(&draw, 0, 4 * N, numbers);
        for (int j = 0; j < 4 * N; j++)
            sum += numbers[j];
        const double deviation = sqrt(p * (1 - p) * 4 * N);
        CHECKF(fabs(sum - p * 4 * N) < 5 * deviation, "%g: %g deviations", p,
               (sum - p * 4 * N) / deviation);
    }
}

static void counts_trials(dt_world *world)
{
    static const double chances[] = {0.5, 0.2, 0.03};
    enum { BINS = 60 };
    for (size_t i = 0; i < sizeof chances / sizeof *chances; i++) {
        static const dt_dtype dtypes[] = {DT_I64, DT_F32, DT_I16};
        int counts[BINS] = {0};
        double expected[BINS];
        const double p = chances[i];
        dti_draw draw = draw_ready(world, (dti_draw){.key = {14, i},
                                                     .kind = DTI_GEOMETRIC,
                                                     .dtype = dtypes[i],
                                                     .p = p});
        draw_doubles(&draw, 0, N, numbers);
        int bins = 0;
        for (; bins < BINS - 1 && N * p * pow(1 - p, bins) > 20; bins++)
            expected[bins] = N * p * pow(1 - p, bins);
        expected[bins] = N * pow(1 - p, bins); /* the rest */
        for (int j = 0; j < N; j++) {
            CHECK(numbers[j] >= 1 && numbers[j] == floor(numbers[j]));
            const int trials = (int)fmin(numbers[j], bins + 1);
            counts[trials - 1]++;
        }
        const double found = chi_square(counts, expected, bins + 1);
        CHECKF(fabs(found) < 5, "%g: %g deviations", p, found);
    }
}

/* ---- Independence ------------------------------------------------------- */

/* The correlation of two lists of standard normal numbers, in deviations. */
static double correlation(const double *a, const double *b, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum / sqrt(count);
}

static dti_draw normal_with(dt_world *world, dti_random_key key, dt_dtype dtype)
{
    return draw_ready(
        world,
        (dti_draw){.key = key, .kind = DTI_NORMAL, .dtype = dtype, .std = 1});
}

/* Lags 1 to 9 are other lanes and other blocks. */
static void has_independent_neighbours(dt_world *world)
{
    for (int dtype = DT_F32; dtype <= DT_F64; dtype++) {
        dti_draw draw =
            normal_with(world, (dti_random_key){15, 0}, (dt_dtype)dtype);
        draw_doubles(&draw, 0, 2 * N, numbers);
        for (int lag = 1; lag < 10; lag++) {
            const double found = correlation(numbers, numbers + lag, N);
            CHECKF(fabs(found) < 5, "lag %d: %g deviations", lag, found);
        }
        /* Sizes: the two of a pair share a radius. */
        for (int i = 0; i < 2 * N; i++)
            numbers[i] = (numbers[i] * numbers[i] - 1) * sqrt(0.5);
        for (int lag = 1; lag < 10; lag++) {
            const double found = correlation(numbers, numbers + lag, N);
            CHECKF(fabs(found) < 5, "sizes, lag %d: %g deviations", lag, found);
        }
    }
}

/* Keys of neighbouring seeds, counts and streams, and of names. */
static void has_independent_keys(dt_world *world)
{
    const dti_random_key root = {1, 0};
    const dti_random_key keys[] = {
        {1, 0},
        {2, 0},
        {UINT64_C(1) << 32, 0},
        dti_random_fold(root, 0, 0),
        dti_random_fold(root, 1, 0),
        dti_random_fold(root, 2, 0),
        dti_random_fold(root, 0, 1),
        dti_random_fold(root, 1, 1),
        dti_random_fold((dti_random_key){2, 0}, 0, 0),
        dti_random_named_key(1, "a"),
        dti_random_named_key(1, "b"),
    };
    enum { KEYS = sizeof keys / sizeof *keys, COUNT = N / 4 };
    for (int i = 0; i < KEYS; i++) {
        dti_draw draw = normal_with(world, keys[i], DT_F32);
        draw_doubles(&draw, 0, COUNT, numbers + i * COUNT);
    }
    for (int i = 0; i < KEYS; i++) {
        for (int j = 0; j < i; j++) {
            const double found =
                correlation(numbers + i * COUNT, numbers + j * COUNT, COUNT);
            CHECKF(fabs(found) < 5, "keys %d and %d: %g deviations", i, j,
                   found);
        }
    }
}

/* The first element of each of many operations of one generator. */
static void has_independent_operations(dt_world *world)
{
    dt_generator *generator = NULL;
    CHECK_OK(world, dt_generator_create(world, 77, 5, &generator));
    dti_draw draw = normal_with(world, (dti_random_key){0, 0}, DT_F64);
    for (int i = 0; i < N; i++) {
        draw.key = dti_generator_next(generator);
        dti_draw_run(&draw, 0, 1, &numbers[i]);
    }
    for (int lag = 1; lag < 6; lag++) {
        const double found = correlation(numbers, numbers + lag, N - lag);
        CHECKF(fabs(found) < 5, "lag %d: %g deviations", lag, found);
    }
    const double found = distance(&draw, cdf_normal, N);
    CHECKF(found < 2, "%g", found);
    dt_generator_release(generator);
}

const dt_test dt_tests[] = {
    {"follows distributions", follows_distributions},
    {"has the moments of normal variables",
     has_the_moments_of_normal_variables},
    {"has the tails of normal variables", has_the_tails_of_normal_variables},
    {"has the mean of uniform variables", has_the_mean_of_uniform_variables},
    {"has uniform integers", has_uniform_integers},
    {"has random low bits", has_random_low_bits},
    {"has chances", has_chances},
    {"counts trials", counts_trials},
    {"has independent neighbours", has_independent_neighbours},
    {"has independent keys", has_independent_keys},
    {"has independent operations", has_independent_operations},
    {NULL, NULL},
};
