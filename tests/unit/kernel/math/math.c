/* unit/kernel/math/math.c - functions of elements, over all numbers there are.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/pointwise/pointwise.h"
#include "kernel/pointwise/pointwise_level.h"

/*
 * Bit patterns of f32 are taken at even distances, all of them if DT_TEST_FULL
 * is set; patterns of f64 are drawn.  What is expected is computed with more
 * bits: f32 in f64, f64 in long double, both by the C library.
 */
enum { MANY = 4096, STEP_F32 = 2503, ROUNDS_F64 = 6 };

/* ---- What is expected ---------------------------------------------------- */

static long double sigmoid_l(long double x)
{
    return 1 / (1 + expl(-x));
}

static long double silu_l(long double x)
{
    return x / (1 + expl(-x));
}

static long double gelu_l(long double x)
{
    return x * (erfcl(-x * sqrtl(0.5L)) / 2);
}

static long double gelu_tanh_l(long double x)
{
    /* 0.044715 is what it is in double. */
    const long double cube = (long double)0.044715 * x * x * x;
    const long double u = sqrtl(2 / acosl(-1)) * (x + cube);
    return x / (1 + expl(-2 * u));
}

static long double ndtr_l(long double x)
{
    return erfcl(-x * sqrtl(0.5L)) / 2;
}

static double ndtr_d(double x)
{
    return (double)ndtr_l((long double)x);
}

static double sigmoid_d(double x)
{
    return 1 / (1 + exp(-x));
}

static double silu_d(double x)
{
    return x / (1 + exp(-x));
}

static double gelu_d(double x)
{
    return x * (erfc(-x * sqrt(0.5)) / 2);
}

static double gelu_tanh_d(double x)
{
    return (double)gelu_tanh_l((long double)x);
}

/* A function, and how many units in the last place it may be off.  Far out, the
 * last bit of the argument of exp shows x^2 times in f64's gelu_tanh. */
typedef struct row {
    const char *name;
    dti_pointwise function;
    double (*expect)(double x);
    long double (*expect_long)(long double x);
    double limit_f32;
    double limit_f64;
} row;

static const row rows[] = {
    {"exp", DTI_EXP, exp, expl, 1.0, 1.0},
    {"exp2", DTI_EXP2, exp2, exp2l, 1.4, 1.2},
    {"expm1", DTI_EXPM1, expm1, expm1l, 1.2, 1.2},
    {"log", DTI_LOG, log, logl, 0.95, 1.0},
    {"log2", DTI_LOG2, log2, log2l, 1.45, 1.4},
    {"log10", DTI_LOG10, log10, log10l, 1.15, 1.5},
    {"log1p", DTI_LOG1P, log1p, log1pl, 1.05, 1.2},
    {"sin", DTI_SIN, sin, sinl, 1.6, 1.0},
    {"cos", DTI_COS, cos, cosl, 1.6, 1.0},
    {"tan", DTI_TAN, tan, tanl, 1.6, 1.0},
    {"asin", DTI_ASIN, asin, asinl, 0.7, 1.0},
    {"acos", DTI_ACOS, acos, acosl, 0.7, 1.0},
    {"atan", DTI_ATAN, atan, atanl, 1.5, 1.0},
    {"sinh", DTI_SINH, sinh, sinhl, 1.65, 2.0},
    {"cosh", DTI_COSH, cosh, coshl, 1.5, 2.0},
    {"tanh", DTI_TANH, tanh, tanhl, 1.45, 2.5},
    {"asinh", DTI_ASINH, asinh, asinhl, 0.75, 2.0},
    {"acosh", DTI_ACOSH, acosh, acoshl, 1.0, 2.0},
    {"atanh", DTI_ATANH, atanh, atanhl, 1.4, 2.0},
    {"erf", DTI_ERF, erf, erfl, 1.3, 1.8},
    {"erfc", DTI_ERFC, erfc, erfcl, 4.8, 5.5},
    {"ndtr", DTI_NDTR, ndtr_d, ndtr_l, 10, 2000},
    {"log_gamma", DTI_LOG_GAMMA, lgamma, lgammal, 8, 8},
    {"sigmoid", DTI_SIGMOID, sigmoid_d, sigmoid_l, 2.4, 2.4},
    {"silu", DTI_SILU, silu_d, silu_l, 3.1, 3.5},
    {"gelu", DTI_GELU, gelu_d, gelu_l, 10, 7.0},
    {"gelu_tanh", DTI_GELU_TANH, gelu_tanh_d, gelu_tanh_l, 3.2, 2000},
};

enum { ROWS = sizeof rows / sizeof *rows };

static void apply(dti_cpu_level level, dti_pointwise function, dt_dtype dtype,
                  void *out, const void *left, const void *right, int64_t count)
{
    const void *in[] = {left, right};
    const int steps[] = {1, 1};
    const dti_pointwise_loop loop =
        dti_pointwise_loop_of(level, function, dtype);
    CHECK(loop && loop(function, out, in, steps, count));
}

/* ---- Distances ----------------------------------------------------------- */

/* How far a result is off, in units of its last place; 0 where infinity, NaN or
 * a zero with its sign is expected and found, infinity where it is not. */
static double distance_f32(float found, double expected)
{
    int exponent;
    const float rounded = (float)expected;
    if (isnan(expected) || isnan(found))
        return isnan(expected) && isnan(found) ? 0 : (double)INFINITY;
    if (found == rounded)
        return signbit(found) == signbit(rounded) ? 0 : (double)INFINITY;
    frexp(expected, &exponent);
    if (isinf(found)) /* the next number is beyond them all */
        return exponent > 128 ||
                       fabs(expected) > (double)FLT_MAX * (1 - 0x1p-23)
                   ? 1
                   : (double)INFINITY;
    return fabs((double)found - expected) /
           ldexp(1, exponent < -125 ? -149 : exponent - 24);
}

static double distance_f64(double found, long double expected)
{
    int exponent;
    const double rounded = (double)expected;
    if (isnan(expected) || isnan(found))
        return isnan(expected) && isnan(found) ? 0 : (double)INFINITY;
    if (found == rounded)
        return signbit(found) == signbit(rounded) ? 0 : (double)INFINITY;
    frexpl(expected, &exponent);
    if (isinf(found))
        return fabsl(expected) > (long double)DBL_MAX * (1 - 0x1p-52L)
                   ? 1
                   : (double)INFINITY;
    return (double)(fabsl((long double)found - expected) /
                    ldexpl(1, exponent < -1021 ? -1074 : exponent - 53));
}

/* Tell whether bits are the same; all NaN are. */
static bool same_f32(float a, float b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static bool same_f64(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

/* ---- f32, everywhere ----------------------------------------------------- */

/* Fill with patterns from one on; gives the next one. */
static uint64_t fill_patterns(uint64_t pattern, uint64_t step, float *in)
{
    for (int i = 0; i < MANY; i++) {
        const uint32_t bits = (uint32_t)pattern;
        memcpy(&in[i], &bits, sizeof bits);
        pattern += step;
    }
    return pattern;
}

static void check_f32(const row *of, uint64_t step)
{
    static float in[MANY], out[MANY], other[MANY];
    double worst = 0;
    float where = 0;
    bool same = true;
    for (uint64_t pattern = 0; pattern <= UINT32_MAX;) {
        pattern = fill_patterns(pattern, step, in);
        apply(DTI_CPU_PORTABLE, of->function, DT_F32, out, in, NULL, MANY);
        for (int i = 0; i < MANY; i++) {
            const double distance =
                distance_f32(out[i], of->expect((double)in[i]));
            if (distance > worst) {
                worst = distance;
                where = in[i];
            }
        }
        for (int level = 1; level <= (int)dti_cpu_detect(); level++) {
            apply((dti_cpu_level)level, of->function, DT_F32, other, in, NULL,
                  MANY);
            for (int i = 0; i < MANY && same; i++)
                same = CHECKF(same_f32(out[i], other[i]),
                              "%s of %.9g at level %d: %.9g, not %.9g",
                              of->name, (double)in[i], level, (double)other[i],
                              (double)out[i]);
        }
    }
    CHECKF(worst <= of->limit_f32, "%s of %.9g is off by %.3f", of->name,
           (double)where, worst);
}

static void f32_functions_are_close(dt_world *world)
{
    const uint64_t step = getenv("DT_TEST_FULL") ? 1 : STEP_F32;
    (void)world;
    for (int r = 0; r < ROWS; r++)
        check_f32(&rows[r], step);
}

/* ---- f64 ----------------------------------------------------------------- */

/* Numbers of all sizes, many of them between -100 and 100. */
static void draw_f64(unsigned long long *state, double *in)
{
    for (int i = 0; i < MANY; i++) {
        const uint64_t bits = dt_test_random(state);
        const double unit = (double)(dt_test_random(state) >> 11) * 0x1p-52 - 1;
        const int exponent = (int)(dt_test_random(state) % 27) - 20;
        if (i % 4 == 0)
            memcpy(&in[i], &bits, sizeof bits);
        else
            in[i] = ldexp(unit, exponent);
    }
}

/* Valgrind computes with no more digits than double has: too few to judge. */
static bool has_more_digits(void)
{
    volatile long double one = 1;
    return one + LDBL_EPSILON != one;
}

static void check_f64(const row *of, int rounds)
{
    static double in[MANY], out[MANY], other[MANY];
    unsigned long long state = dt_test_seed();
    double worst = 0, where = 0;
    for (int round = 0; round < rounds; round++) {
        draw_f64(&state, in);
        apply(DTI_CPU_PORTABLE, of->function, DT_F64, out, in, NULL, MANY);
        for (int i = 0; i < MANY; i++) {
            const double distance =
                distance_f64(out[i], of->expect_long((long double)in[i]));
            if (distance > worst) {
                worst = distance;
                where = in[i];
            }
        }
        for (int level = 1; level <= (int)dti_cpu_detect(); level++) {
            bool same = true;
            apply((dti_cpu_level)level, of->function, DT_F64, other, in, NULL,
                  MANY);
            for (int i = 0; i < MANY && same; i++)
                same = CHECKF(same_f64(out[i], other[i]),
                              "%s of %.17g at level %d: %.17g, not %.17g",
                              of->name, in[i], level, other[i], out[i]);
        }
    }
    CHECKF(worst <= of->limit_f64 || !has_more_digits(),
           "%s of %.17g is off by %.3f", of->name, where, worst);
}

static void f64_functions_are_close(dt_world *world)
{
    const int rounds = getenv("DT_TEST_FULL") ? 1000 : ROUNDS_F64;
    (void)world;
    for (int r = 0; r < ROWS; r++)
        check_f64(&rows[r], rounds);
}

/* ---- Special values ------------------------------------------------------ */

static void special_values_are_exact(dt_world *world)
{
    const double inf = (double)INFINITY, nan = (double)NAN;
    const double pi = acos(-1);
    const struct {
        dti_pointwise function;
        double in, out;
    } cases[] = {
        {DTI_EXP, 0, 1},           {DTI_EXP, -inf, 0},
        {DTI_EXP, inf, inf},       {DTI_EXP, 1000, inf},
        {DTI_EXP, -1000, 0},       {DTI_EXP2, 10, 1024},
        {DTI_EXP2, -3, 0.125},     {DTI_EXP2, inf, inf},
        {DTI_EXP2, -inf, 0},       {DTI_EXPM1, -0.0, -0.0},
        {DTI_EXPM1, -inf, -1},     {DTI_EXPM1, inf, inf},
        {DTI_LOG, 1, 0},           {DTI_LOG, 0, -inf},
        {DTI_LOG, -0.0, -inf},     {DTI_LOG, -1, nan},
        {DTI_LOG, inf, inf},       {DTI_LOG, -inf, nan},
        {DTI_LOG2, 8, 3},          {DTI_LOG2, 0x1p-140, -140},
        {DTI_LOG10, 1, 0},         {DTI_LOG10, 1000, 3},
        {DTI_LOG1P, -0.0, -0.0},   {DTI_LOG1P, -1, -inf},
        {DTI_LOG1P, -2, nan},      {DTI_LOG1P, inf, inf},
        {DTI_SIN, -0.0, -0.0},     {DTI_SIN, inf, nan},
        {DTI_COS, 0, 1},           {DTI_COS, -inf, nan},
        {DTI_TAN, -0.0, -0.0},     {DTI_TAN, inf, nan},
        {DTI_ASIN, -0.0, -0.0},    {DTI_ASIN, 1, pi / 2},
        {DTI_ASIN, 2, nan},        {DTI_ACOS, 1, 0},
        {DTI_ACOS, -1, pi},        {DTI_ACOS, -2, nan},
        {DTI_ATAN, -0.0, -0.0},    {DTI_ATAN, -inf, -pi / 2},
        {DTI_SINH, -0.0, -0.0},    {DTI_SINH, -inf, -inf},
        {DTI_COSH, 0, 1},          {DTI_COSH, -inf, inf},
        {DTI_TANH, -0.0, -0.0},    {DTI_TANH, -inf, -1},
        {DTI_ASINH, -0.0, -0.0},   {DTI_ASINH, -inf, -inf},
        {DTI_ACOSH, 1, 0},         {DTI_ACOSH, 0.5, nan},
        {DTI_ACOSH, inf, inf},     {DTI_ATANH, -0.0, -0.0},
        {DTI_ATANH, 1, inf},       {DTI_ATANH, -1, -inf},
        {DTI_ATANH, 2, nan},       {DTI_ERF, -0.0, -0.0},
        {DTI_ERF, inf, 1},         {DTI_ERF, -inf, -1},
        {DTI_ERFC, 0, 1},          {DTI_ERFC, inf, 0},
        {DTI_ERFC, -inf, 2},       {DTI_SIGMOID, 0, 0.5},
        {DTI_SIGMOID, inf, 1},     {DTI_SIGMOID, -inf, 0},
        {DTI_SILU, -0.0, -0.0},    {DTI_SILU, inf, inf},
        {DTI_SILU, -inf, nan},     {DTI_GELU, -0.0, -0.0},
        {DTI_GELU, inf, inf},      {DTI_GELU, -inf, nan},
        {DTI_GELU, -1000, -0.0},   {DTI_GELU_TANH, -0.0, -0.0},
        {DTI_GELU_TANH, inf, inf}, {DTI_GELU_TANH, -inf, nan},
        {DTI_LOG_GAMMA, 1, 0},     {DTI_LOG_GAMMA, 2, 0},
        {DTI_LOG_GAMMA, 0, inf},   {DTI_LOG_GAMMA, -3, inf},
        {DTI_LOG_GAMMA, inf, inf}, {DTI_LOG_GAMMA, -inf, inf},
        {DTI_DIGAMMA, 0, -inf},    {DTI_DIGAMMA, -0.0, inf},
        {DTI_DIGAMMA, -1, nan},    {DTI_DIGAMMA, inf, inf},
        {DTI_TRIGAMMA, 0, inf},    {DTI_TRIGAMMA, -1, inf},
        {DTI_TRIGAMMA, inf, 0},    {DTI_ERFINV, -0.0, -0.0},
        {DTI_ERFINV, 1, inf},      {DTI_ERFINV, -1, -inf},
        {DTI_ERFINV, 2, nan},      {DTI_NDTR, 0, 0.5},
        {DTI_NDTR, inf, 1},        {DTI_NDTR, -inf, 0},
        {DTI_ENTROPY, 0, 0},       {DTI_ENTROPY, -1, -inf},
    };
    (void)world;
    for (int level = 0; level <= (int)dti_cpu_detect(); level++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            const float narrow = (float)cases[i].in;
            float found_f32 = 7;
            double found_f64 = 7;
            apply((dti_cpu_level)level, cases[i].function, DT_F32, &found_f32,
                  &narrow, NULL, 1);
            apply((dti_cpu_level)level, cases[i].function, DT_F64, &found_f64,
                  &cases[i].in, NULL, 1);
            CHECKF(same_f32(found_f32, (float)cases[i].out),
                   "f32 function %d of %g gives %.9g", (int)cases[i].function,
                   cases[i].in, (double)found_f32);
            CHECKF(same_f64(found_f64, cases[i].out),
                   "f64 function %d of %g gives %.17g", (int)cases[i].function,
                   cases[i].in, found_f64);
        }
}

static void nan_stays_nan(dt_world *world)
{
    const float nans[] = {NAN, -NAN};
    (void)world;
    for (int level = 0; level <= (int)dti_cpu_detect(); level++)
        for (int r = 0; r < ROWS; r++)
            for (int i = 0; i < 2; i++) {
                const double wide = (double)nans[i];
                float found_f32 = 0;
                double found_f64 = 0;
                apply((dti_cpu_level)level, rows[r].function, DT_F32,
                      &found_f32, &nans[i], NULL, 1);
                apply((dti_cpu_level)level, rows[r].function, DT_F64,
                      &found_f64, &wide, NULL, 1);
                CHECKF(isnan(found_f32) && isnan(found_f64), "%s",
                       rows[r].name);
            }
}

/* ---- Of two -------------------------------------------------------------- */

static float draw_f32(unsigned long long *state, int kind)
{
    static const float known[] = {0,
                                  -0.0f,
                                  1,
                                  -1,
                                  2,
                                  -2,
                                  3,
                                  -3,
                                  0.5f,
                                  -0.5f,
                                  -3.5f,
                                  INFINITY,
                                  -INFINITY,
                                  NAN,
                                  1e-40f,
                                  -1e-40f,
                                  FLT_MAX,
                                  -FLT_MAX,
                                  0x1p24f,
                                  16777215,
                                  8388607,
                                  -8388607,
                                  4194303.5f,
                                  1e10f,
                                  0x1.fffffep-1f,
                                  0x1.000002p+0f};
    const uint64_t random = dt_test_random(state);
    const uint32_t bits = (uint32_t)(random >> 32);
    float value;
    if (kind == 0)
        return known[random % (sizeof known / sizeof *known)];
    if (kind == 1)
        return (float)(random >> 11) * 0x1p-48f - 16;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void check_two(const char *name, dti_pointwise function,
                      double (*expect)(double, double), double limit)
{
    static float left[MANY], right[MANY], out[MANY], other[MANY];
    unsigned long long state = dt_test_seed();
    double worst = 0;
    int where = 0;
    for (int round = 0; round < 27; round++) {
        for (int i = 0; i < MANY; i++) {
            left[i] = draw_f32(&state, round % 3);
            right[i] = draw_f32(&state, round / 3 % 3);
        }
        apply(DTI_CPU_PORTABLE, function, DT_F32, out, left, right, MANY);
        for (int i = 0; i < MANY; i++) {
            const double distance =
                distance_f32(out[i], expect((double)left[i], (double)right[i]));
            if (distance > limit && distance > worst) {
                worst = distance;
                where = i;
                CHECKF(false, "%s of %.9g and %.9g is %.9g, off by %.3f", name,
                       (double)left[where], (double)right[where],
                       (double)out[where], worst);
            }
        }
        for (int level = 1; level <= (int)dti_cpu_detect(); level++) {
            bool same = true;
            apply((dti_cpu_level)level, function, DT_F32, other, left, right,
                  MANY);
            for (int i = 0; i < MANY && same; i++)
                same = CHECKF(same_f32(out[i], other[i]),
                              "%s of %.9g and %.9g at level %d", name,
                              (double)left[i], (double)right[i], level);
        }
    }
}

static void functions_of_two_are_close(dt_world *world)
{
    (void)world;
    check_two("pow", DTI_POW, pow, 0.55);
    check_two("atan2", DTI_ATAN2, atan2, 1.5);
}

/* ---- Places -------------------------------------------------------------- */

/* A result does not depend on what lies beside it, nor on where it lies. */
static void results_do_not_depend_on_their_place(dt_world *world)
{
    enum { LONGEST = 33, OFFSETS = 16 };
    static float in[LONGEST + OFFSETS], out[LONGEST + OFFSETS];
    unsigned long long state = dt_test_seed();
    (void)world;
    for (int level = 0; level <= (int)dti_cpu_detect(); level++)
        for (int r = 0; r < ROWS; r++)
            for (int count = 0; count <= LONGEST; count++) {
                const int offset = (int)(dt_test_random(&state) % OFFSETS);
                bool same = true;
                for (int i = 0; i < LONGEST + OFFSETS; i++) {
                    in[i] = draw_f32(&state, 1 + (count + i) % 2);
                    out[i] = 7;
                }
                apply((dti_cpu_level)level, rows[r].function, DT_F32,
                      &out[offset], &in[(offset + count) % OFFSETS], NULL,
                      count);
                for (int i = 0; i < count && same; i++) {
                    const float x = in[(offset + count) % OFFSETS + i];
                    float alone = 7;
                    apply(DTI_CPU_PORTABLE, rows[r].function, DT_F32, &alone,
                          &x, NULL, 1);
                    same = CHECKF(same_f32(out[offset + i], alone),
                                  "%s of %.9g, %d of %d", rows[r].name,
                                  (double)x, i, count);
                }
                CHECK(out[offset + count] == 7);
            }
}

/* Angles that are far are computed apart; so are those beside them, with the
 * same results. */
static void far_angles_change_nothing_beside_them(dt_world *world)
{
    static const dti_pointwise functions[] = {DTI_SIN, DTI_COS, DTI_TAN,
                                              DTI_SINC};
    static float near[MANY], mixed[MANY], found[MANY], expected[MANY];
    unsigned long long state = dt_test_seed();
    (void)world;
    for (int i = 0; i < MANY; i++) {
        near[i] = draw_f32(&state, 1);
        mixed[i] = i % 700 == 5 ? 1e30f : near[i];
    }
    for (int level = 0; level <= (int)dti_cpu_detect(); level++)
        for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
            bool same = true;
            apply((dti_cpu_level)level, functions[f], DT_F32, expected, near,
                  NULL, MANY);
            apply((dti_cpu_level)level, functions[f], DT_F32, found, mixed,
                  NULL, MANY);
            for (int i = 0; i < MANY && same; i++)
                same = CHECKF(i % 700 == 5 || same_f32(found[i], expected[i]),
                              "function %d of %.9g", (int)functions[f],
                              (double)near[i]);
            memcpy(found, mixed, sizeof found); /* in place */
            apply((dti_cpu_level)level, functions[f], DT_F32, found, found,
                  NULL, MANY);
            CHECK(same_f32(found[0], expected[0]) &&
                  same_f32(found[MANY - 1], expected[MANY - 1]));
        }
}

const dt_test dt_tests[] = {
    {"functions of f32 are close, at every level the same",
     f32_functions_are_close},
    {"functions of f64 are close, at every level the same",
     f64_functions_are_close},
    {"special values are exact", special_values_are_exact},
    {"NaN stays NaN", nan_stays_nan},
    {"functions of two are close", functions_of_two_are_close},
    {"results do not depend on their place",
     results_do_not_depend_on_their_place},
    {"far angles change nothing beside them",
     far_angles_change_nothing_beside_them},
    {NULL, NULL},
};
