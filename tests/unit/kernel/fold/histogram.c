/* tests/unit/kernel/fold/histogram.c - which bins elements are counted in. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/fold/histogram.h"

#include <float.h>
#include <math.h>

#include "support/check.h"

enum { BINS = 4, MOST = 8 };

/* Count the same numbers as f32, where they fit, and as f64. */
static void check_bins(bool both, const double *x, int count, double low,
                       double high, const int64_t *wanted)
{
    float narrow[MOST];
    int64_t f32[BINS] = {0}, f64[BINS] = {0};
    for (int i = 0; both && i < count; i++)
        narrow[i] = (float)x[i];
    if (both)
        dti_histogram(narrow, DT_F32, count, low, high, BINS, f32);
    dti_histogram(x, DT_F64, count, low, high, BINS, f64);
    for (int i = 0; i < BINS; i++) {
        if (both)
            CHECK_INT(f32[i], wanted[i]);
        CHECK_INT(f64[i], wanted[i]);
    }
}

static void counts_between_bounds(dt_world *world)
{
    (void)world;
    const double x[] = {-1, 0, 0.5, 1, 2.5, 4, 4.5, NAN};
    const int64_t wanted[] = {2, 1, 1, 1};
    check_bins(true, x, 8, 0, 4, wanted);
}

/* As PyTorch does, also for elements that double puts into other bins. */
static void rounds_in_the_dtype(dt_world *world)
{
    (void)world;
    enum { COUNT = 71, PARTS = 7 };
    float x[COUNT];
    int64_t counts[PARTS] = {0}, wanted[PARTS] = {0};
    int others = 0;
    const float high = 0.7f;
    for (int i = 0; i < COUNT; i++) {
        x[i] = fminf(0.01f * (float)i, high);
        const int bin = (int)(x[i] * PARTS / high);
        const int wide = (int)((double)x[i] * PARTS / (double)high);
        wanted[bin < PARTS ? bin : PARTS - 1]++;
        others += bin != wide;
    }
    dti_histogram(x, DT_F32, COUNT, 0, (double)high, PARTS, counts);
    for (int i = 0; i < PARTS; i++)
        CHECK_INT(counts[i], wanted[i]);
    CHECK(others > 0);
}

/* Products that f32 or f64 does not hold, and a width that neither does. */
static void holds_large_numbers(dt_world *world)
{
    (void)world;
    const double f32[] = {0, 1e37, 1.9e38, 2e38, 1.2e38};
    check_bins(true, f32, 5, 0, 2e38, (const int64_t[]){2, 0, 1, 2});
    const double wide[] = {-3e38, -1e38, 0, 1e37, 3e38};
    check_bins(true, wide, 5, -3e38, 3e38, (const int64_t[]){1, 1, 2, 1});
    const double f64[] = {-DBL_MAX, -1e307, 1e307, 1.7e308, DBL_MAX};
    check_bins(false, f64, 5, -DBL_MAX, DBL_MAX, (const int64_t[]){1, 1, 1, 2});
    const double high[] = {1e300, 1.3e308, 1.7e308};
    check_bins(false, high, 3, 0, 1.7e308, (const int64_t[]){1, 0, 0, 2});
}

static void holds_small_numbers(dt_world *world)
{
    (void)world;
    const double tiny = (double)FLT_TRUE_MIN;
    const double x[] = {0, tiny, 2 * tiny, 3 * tiny, 4 * tiny};
    check_bins(true, x, 5, 0, 4 * tiny, (const int64_t[]){1, 1, 1, 2});
    const double one[] = {0, 5e-324};
    check_bins(false, one, 2, 0, 5e-324, (const int64_t[]){1, 0, 0, 1});
}

const dt_test dt_tests[] = {
    {"counts between bounds", counts_between_bounds},
    {"rounds in the dtype", rounds_in_the_dtype},
    {"holds large numbers", holds_large_numbers},
    {"holds small numbers", holds_small_numbers},
    {NULL, NULL},
};
