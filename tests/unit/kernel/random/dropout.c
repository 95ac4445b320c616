/* tests/unit/kernel/random/dropout.c - elements dropped at random. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "array/cast.h"
#include "kernel/random/dropout.h"
#include "support/check.h"

enum { COUNT = 9 };

static const double values[COUNT] = {0,        -0.0,      1,   -3.5,   1e-3,
                                     INFINITY, -INFINITY, NAN, 1.0 / 3};

static const dt_dtype floats[] = {DT_F32, DT_F64, DT_F16, DT_BF16};

/* A number rounded to a dtype. */
static double rounded(dt_dtype dtype, double value)
{
    double bits = 0, back = 0;
    dti_cast(&value, DT_F64, &bits, dtype, 1);
    dti_cast(&bits, dtype, &back, DT_F64, 1);
    return back;
}

/* The factor is rounded, then the product: one of f32 is exact in f64. */
static double expected(dt_dtype dtype, double value, int keep, double kept)
{
    double divided = dtype == DT_F64 ? 1 / kept : (double)(1 / (float)kept);
    double factor = keep ? rounded(dtype, divided) : 0;
    double product = rounded(dtype, value) * factor;
    if (dtype == DT_F16 || dtype == DT_BF16)
        product = (double)(float)product;
    return rounded(dtype, product);
}

static void check_dtype(dt_dtype dtype, double kept)
{
    _Alignas(8) char in[COUNT * 8], out[COUNT * 8];
    unsigned char keep[COUNT];
    double got[COUNT];
    for (int drop = 0; drop < 2; drop++) {
        dti_cast(values, DT_F64, in, dtype, COUNT);
        for (int i = 0; i < COUNT; i++)
            keep[i] = (unsigned char)((i + drop) % 2);
        dti_dropout(dtype, in, keep, kept, out, COUNT);
        dti_cast(out, dtype, got, DT_F64, COUNT);
        for (int i = 0; i < COUNT; i++) {
            double wanted = expected(dtype, values[i], keep[i], kept);
            CHECKF(isnan(wanted) ? isnan(got[i])
                                 : got[i] == wanted &&
                                       !signbit(got[i]) == !signbit(wanted),
                   "%s: %g becomes %g, not %g", dt_dtype_name(dtype), values[i],
                   got[i], wanted);
        }
        dti_dropout(dtype, in, keep, kept, in, COUNT);
        CHECK(memcmp(in, out, COUNT * dt_dtype_size(dtype)) == 0);
    }
}

static void scales_what_is_kept(dt_world *world)
{
    (void)world;
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++) {
        check_dtype(floats[i], 0.5);
        check_dtype(floats[i], 0.9);
        check_dtype(floats[i], 1);
    }
}

/* 1 / 0 is not used where nothing is kept. */
static void keeps_nothing(dt_world *world)
{
    float in[2] = {5, -5}, out[2] = {1, 1};
    const unsigned char keep[2] = {0, 0};
    (void)world;
    dti_dropout(DT_F32, in, keep, 0, out, 2);
    CHECK(out[0] == 0 && out[1] == 0);
}

const dt_test dt_tests[] = {
    {"what is kept is divided, what is dropped is multiplied by zero",
     scales_what_is_kept},
    {"nothing is kept with probability 0", keeps_nothing},
    {NULL, NULL},
};
