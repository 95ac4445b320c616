/* tests/unit/random/math.c - log, sin, cos, exp and quantile against libm. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "random/lanes_portable.h"
#include "random/math_tmpl.h"
#include "unit/random/draws.h"

/* The largest error of a function, in units of the last place. */
typedef struct worst {
    double error;
    double at;
} worst;

static void note_error(worst *w, double at, double value, long double exact,
                       int digits)
{
    int exponent;
    frexpl(exact, &exponent);
    const long double unit = ldexpl(1, exponent - digits);
    const double error = (double)fabsl((value - exact) / unit);
    if (!(error <= w->error)) {
        w->error = error;
        w->at = at;
    }
}

static void check_worst(worst w, const char *name, double bound)
{
    CHECKF(w.error <= bound, "%s: %.3f units at %.17g, not %.3f", name, w.error,
           w.at, bound);
}

/* ---- 32 bits ------------------------------------------------------------ */

/* Every float from 1/4 to 1, and some of each power of 2 below that a word can
 * become. */
static void takes_logarithms_in_32_bits(dt_world *world)
{
    worst w = {0, 0};
    (void)world;
    for (uint32_t bits = 0x3e800000; bits <= 0x3f800000; bits++) {
        const float x = real32_of_bits(bits);
        note_error(&w, (double)x, (double)log32(x), logl((long double)x), 24);
    }
    for (uint32_t bits = 0x2f000000; bits < 0x3e800000; bits += 101) {
        const float x = real32_of_bits(bits);
        note_error(&w, (double)x, (double)log32(x), logl((long double)x), 24);
    }
    check_worst(w, "log", 1.2);
    CHECK(log32(1.0f) == 0);
}

/* The angle is not 0 at 0 but half a step on. */
static void takes_sines_in_32_bits(dt_world *world)
{
    const long double step = 2 * 3.14159265358979323846264338327950288L;
    worst s = {0, 0}, c = {0, 0};
    (void)world;
    for (uint32_t i = 0; i < UINT32_C(1) << 24; i++) {
        /* All upper bits; lower ones of all kinds. */
        const uint32_t turns = i << 8 | (i * 181 & 0xff);
        const long double angle = ldexpl((long double)turns + 0.5L, -32) * step;
        float sine, cosine;
        sin_cos32(turns, &sine, &cosine);
        note_error(&s, turns, (double)sine, sinl(angle), 24);
        note_error(&c, turns, (double)cosine, cosl(angle), 24);
    }
    check_worst(s, "sin", 3);
    check_worst(c, "cos", 3);
}

static void meets_the_quarters(dt_world *world)
{
    (void)world;
    for (uint32_t quarter = 0; quarter < 4; quarter++) {
        static const float sines[] = {0, 1, 0, -1};
        float sine, cosine;
        double sine64, cosine64;
        sin_cos32(quarter << 30, &sine, &cosine);
        CHECK(fabsf(sine - sines[quarter]) < 1e-9f);
        CHECK(fabsf(cosine - sines[(quarter + 1) % 4]) < 1e-9f);
        CHECK(sine != 0 && cosine != 0);
        sin_cos64((uint64_t)quarter << 62, &sine64, &cosine64);
        CHECK(fabs(sine64 - (double)sines[quarter]) < 1e-15);
        CHECK(fabs(cosine64 - (double)sines[(quarter + 1) % 4]) < 1e-15);
        CHECK(sine64 != 0 && cosine64 != 0);
    }
}

/* ---- 64 bits ------------------------------------------------------------ */

enum { SAMPLES = 1 << 21 };

static void takes_logarithms_in_64_bits(dt_world *world)
{
    unsigned long long random = dt_test_seed();
    worst w = {0, 0};
    (void)world;
    for (int i = 0; i < SAMPLES; i++) {
        /* Of all powers of 2, most near 1. */
        const int power = i % 4 ? 0 : (int)(dt_test_random(&random) % 900);
        const double x =
            ldexp(1 + (double)(dt_test_random(&random) >> 11), -53 - power);
        note_error(&w, x, log64(x), logl((long double)x), 53);
    }
    for (int i = 1; i < 10000; i++) {
        const double x = 1 - i * 0x1p-53;
        note_error(&w, x, log64(x), logl((long double)x), 53);
    }
    check_worst(w, "log", 1);
}

/* Against the rest after whole quarters, which integers give exactly. */
static void takes_sines_in_64_bits(dt_world *world)
{
    const long double step = 2 * 3.14159265358979323846264338327950288L;
    unsigned long long random = dt_test_seed();
    worst s = {0, 0}, c = {0, 0};
    (void)world;
    for (int i = 0; i < SAMPLES; i++) {
        uint64_t word = dt_test_random(&random);
        if (i % 8 == 0) /* near a quarter */
            word = (word & UINT64_C(3) << 62) + word % (UINT64_C(1) << 20) -
                   (UINT64_C(1) << 19);
        const uint64_t turns = word >> 11;
        const uint64_t quarter = (turns + (UINT64_C(1) << 50)) >> 51;
        const int64_t rest = (int64_t)(turns - (quarter << 51));
        const long double angle = ldexpl((long double)rest + 0.5L, -53) * step;
        const long double quarters[] = {sinl(angle),  cosl(angle), -sinl(angle),
                                        -cosl(angle), sinl(angle), cosl(angle)};
        double sine, cosine;
        sin_cos64(word, &sine, &cosine);
        note_error(&s, (double)turns, sine, quarters[quarter], 53);
        note_error(&c, (double)turns, cosine, quarters[quarter + 1], 53);
    }
    check_worst(s, "sin", 2);
    check_worst(c, "cos", 2);
}

static void takes_exponentials(dt_world *world)
{
    unsigned long long random = dt_test_seed();
    worst w = {0, 0};
    (void)world;
    for (int i = 0; i < SAMPLES; i++) {
        const double unit = (double)(dt_test_random(&random) >> 11) * 0x1p-53;
        const double x = i % 2 ? (unit - 0.5) * 1400 : (unit - 0.5) * 4;
        note_error(&w, x, exp64(x), expl((long double)x), 53);
    }
    check_worst(w, "exp", 1);
    CHECK(exp64(0) == 1);
    CHECK(isinf(exp64(710)) && isinf(exp64(1e300)) && isinf(exp64(INFINITY)));
    CHECK(exp64(-746) == 0 && exp64(-1e300) == 0 && exp64(-INFINITY) == 0);
    CHECK(exp64(-740) > 0 && exp64(-740) < 1e-320);
}

/* The error in x is that of the probability over the density. */
static void finds_quantiles(dt_world *world)
{
    unsigned long long random = dt_test_seed();
    const long double root = 0.70710678118654752440084436210484904L;
    double worst_error = 0, worst_p = 0;
    (void)world;
    for (int i = 0; i < SAMPLES / 8; i++) {
        const int power = i % 3 ? 0 : (int)(dt_test_random(&random) % 960);
        const double p =
            ldexp((double)(dt_test_random(&random) >> 12) + 0.5, -52 - power);
        const double x = normal_quantile64(p);
        const long double below = erfcl(-(long double)x * root) / 2;
        const long double density =
            expl(-(long double)x * x / 2) * 0.39894228040143267793994606L;
        const double error = (double)fabsl((below - p) / density) /
                             fmax(fabs(x), 0x1p-53 / (double)density);
        if (fabs(x) > 1e-6 && error > worst_error) {
            worst_error = error;
            worst_p = p;
        }
    }
    CHECKF(worst_error < 1e-15, "%g at %.17g", worst_error, worst_p);
    CHECK(normal_quantile64(0.5) == 0);
}

/* The probabilities that truncated normal draws are made with. */
static void knows_probabilities(dt_world *world)
{
    static const double bounds[][2] = {
        {-2, 2},   {-1, 0.5}, {0, 3},   {2.9, 3.1},     {3, 4},
        {-30, -5}, {7, 30},   {20, 25}, {-INFINITY, 1}, {-0.001, 0.001},
    };
    const long double root = 0.70710678118654752440084436210484904L;
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        dti_draw draw =
            draw_ready(world, (dti_draw){.kind = DTI_TRUNCATED_NORMAL,
                                         .dtype = DT_F64,
                                         .std = 1,
                                         .low = bounds[i][0],
                                         .high = bounds[i][1]});
        const bool turned = bounds[i][0] + bounds[i][1] > 0;
        const long double low = turned ? -bounds[i][1] : bounds[i][0];
        const long double high = turned ? -bounds[i][0] : bounds[i][1];
        const long double below = erfcl(-low * root) / 2;
        const long double inside = erfcl(-high * root) / 2 - below;
        CHECKF(fabsl(draw.made.below - below) <= 2e-13L * below,
               "below %g: %.17g, not %.17Lg", bounds[i][0], draw.made.below,
               below);
        CHECKF(fabsl(draw.made.inside - inside) <= 2e-13L * inside,
               "%g to %g: %.17g, not %.17Lg", bounds[i][0], bounds[i][1],
               draw.made.inside, inside);
    }
}

const dt_test dt_tests[] = {
    {"takes logarithms in 32 bits", takes_logarithms_in_32_bits},
    {"takes sines in 32 bits", takes_sines_in_32_bits},
    {"meets the quarters", meets_the_quarters},
    {"takes logarithms in 64 bits", takes_logarithms_in_64_bits},
    {"takes sines in 64 bits", takes_sines_in_64_bits},
    {"takes exponentials", takes_exponentials},
    {"finds quantiles", finds_quantiles},
    {"knows probabilities", knows_probabilities},
    {NULL, NULL},
};
