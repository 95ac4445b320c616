/* tests/unit/random/check.c - parameters that make no sense are refused. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "unit/random/draws.h"

static void refuses_dtypes(dt_world *world)
{
    static const struct {
        dti_distribution kind;
        dt_dtype dtype;
    } cases[] = {
        {DTI_UNIFORM, DT_I32},          {DTI_UNIFORM, DT_BOOL},
        {DTI_NORMAL, DT_I64},           {DTI_NORMAL, DT_U8},
        {DTI_LOG_NORMAL, DT_C64},       {DTI_LOG_NORMAL, DT_I8},
        {DTI_TRUNCATED_NORMAL, DT_C64}, {DTI_TRUNCATED_NORMAL, DT_I16},
        {DTI_EXPONENTIAL, DT_C64},      {DTI_EXPONENTIAL, DT_I32},
        {DTI_CAUCHY, DT_C64},           {DTI_CAUCHY, DT_BOOL},
        {DTI_GEOMETRIC, DT_C64},        {DTI_GEOMETRIC, DT_BOOL},
        {DTI_BERNOULLI, DT_C64},        {DTI_RANDINT, DT_C64},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dti_draw draw = {.kind = cases[i].kind,
                         .dtype = cases[i].dtype,
                         .low = 0,
                         .high = 1,
                         .std = 1,
                         .rate = 1,
                         .p = 0.5,
                         .end = 2};
        CHECK_FAILS(world, dti_draw_check(world, &draw), DT_ERR_UNSUPPORTED,
                    dti_distribution_name(cases[i].kind));
        CHECK(strstr(dt_world_error(world)->message,
                     dt_dtype_name(cases[i].dtype)) != NULL);
    }
    dti_draw draw = {.dtype = DT_DTYPE_COUNT};
    CHECK_FAILS(world, dti_draw_check(world, &draw), DT_ERR_INVALID, "dtype");
    draw = (dti_draw){.kind = DTI_DISTRIBUTION_COUNT};
    CHECK_FAILS(world, dti_draw_check(world, &draw), DT_ERR_INVALID,
                "distribution");
    CHECK_TEXT(dti_distribution_name(DTI_DISTRIBUTION_COUNT), "invalid");
}

static void refuses_values(dt_world *world)
{
    const struct {
        dti_draw draw;
        const char *text;
    } cases[] = {
        {{.kind = DTI_UNIFORM, .low = 2, .high = 1}, "from 2 to 1"},
        {{.kind = DTI_UNIFORM, .low = NAN, .high = 1}, "nan"},
        {{.kind = DTI_UNIFORM, .low = 0, .high = INFINITY}, "inf"},
        {{.kind = DTI_UNIFORM, .low = -3e38, .high = 3e38}, "3e+38"},
        {{.kind = DTI_UNIFORM, .low = 0, .high = 1e39}, "1e+39"},
        {{.kind = DTI_UNIFORM, .dtype = DT_F16, .high = 1e5}, "100000"},
        {{.kind = DTI_UNIFORM, .dtype = DT_F64, .low = -1e308, .high = 1e308},
         "1e+308"},
        {{.kind = DTI_NORMAL, .std = -1}, "standard deviation is -1"},
        {{.kind = DTI_NORMAL, .std = NAN}, "nan"},
        {{.kind = DTI_NORMAL, .std = 1, .mean = INFINITY}, "inf"},
        {{.kind = DTI_NORMAL, .std = 1, .mean = 1e39},
         "cannot be represented in f32"},
        {{.kind = DTI_LOG_NORMAL, .std = -0.5}, "-0.5"},
        {{.kind = DTI_TRUNCATED_NORMAL, .std = 1, .low = 2, .high = 1},
         "in ascending order"},
        {{.kind = DTI_TRUNCATED_NORMAL, .std = 1, .low = NAN},
         "in ascending order"},
        {{.kind = DTI_TRUNCATED_NORMAL, .std = -1, .high = 1}, "negative"},
        {{.kind = DTI_TRUNCATED_NORMAL, .std = 1, .low = 40, .high = 50},
         "too far from the mean"},
        {{.kind = DTI_TRUNCATED_NORMAL, .std = 1, .low = -50, .high = -40},
         "too far from the mean"},
        {{.kind = DTI_TRUNCATED_NORMAL,
          .dtype = DT_BF16,
          .std = 1,
          .low = 1.001,
          .high = 1.002},
         "no number of the dtype"},
        {{.kind = DTI_EXPONENTIAL, .rate = 0}, "rate is 0"},
        {{.kind = DTI_EXPONENTIAL, .rate = -2}, "rate is -2"},
        {{.kind = DTI_EXPONENTIAL, .rate = NAN}, "nan"},
        {{.kind = DTI_CAUCHY, .std = -1}, "scale is -1"},
        {{.kind = DTI_CAUCHY, .std = 1, .mean = NAN}, "median"},
        {{.kind = DTI_GEOMETRIC, .p = 0}, "above 0"},
        {{.kind = DTI_GEOMETRIC, .p = 1.5}, "1.5"},
        {{.kind = DTI_BERNOULLI, .p = -0.1}, "-0.1"},
        {{.kind = DTI_BERNOULLI, .p = 1.01}, "1.01"},
        {{.kind = DTI_BERNOULLI, .p = NAN}, "nan"},
        {{.kind = DTI_RANDINT, .least = 3, .end = 3}, "low is 3 and high is 3"},
        {{.kind = DTI_RANDINT, .least = 4, .end = 3}, "expected low < high"},
        {{.kind = DTI_RANDINT, .dtype = DT_I8, .end = 129}, "i8"},
        {{.kind = DTI_RANDINT, .dtype = DT_U8, .least = -1, .end = 5}, "u8"},
        {{.kind = DTI_RANDINT, .dtype = DT_BOOL, .end = 3}, "bool"},
        {{.kind = DTI_RANDINT, .dtype = DT_BF16, .end = 258}, "bf16"},
        {{.kind = DTI_RANDINT, .dtype = DT_F32, .end = (1 << 24) + 2}, "f32"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dti_draw draw = cases[i].draw;
        CHECK_FAILS(world, dti_draw_check(world, &draw), DT_ERR_INVALID,
                    cases[i].text);
    }
}

static void accepts_what_just_fits(dt_world *world)
{
    const dti_draw cases[] = {
        {.kind = DTI_UNIFORM, .dtype = DT_F16, .low = -65504, .high = 65504},
        {.kind = DTI_UNIFORM, .low = -1.7e38, .high = 1.7e38},
        {.kind = DTI_NORMAL, .std = 0},
        {.kind = DTI_NORMAL, .dtype = DT_F64, .std = 1e300, .mean = 1e300},
        {.kind = DTI_RANDINT, .dtype = DT_I8, .least = -128, .end = 128},
        {.kind = DTI_RANDINT, .dtype = DT_U8, .end = 256},
        {.kind = DTI_RANDINT, .dtype = DT_BOOL, .end = 2},
        {.kind = DTI_RANDINT, .dtype = DT_F32, .end = (1 << 24) + 1},
        {.kind = DTI_BERNOULLI, .dtype = DT_I16, .p = 1},
        {.kind = DTI_GEOMETRIC, .dtype = DT_F64, .p = 1e-300},
        {.kind = DTI_TRUNCATED_NORMAL, .std = 1, .low = 36, .high = 40},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dti_draw draw = cases[i];
        CHECK_OK(world, dti_draw_check(world, &draw));
    }
}

const dt_test dt_tests[] = {
    {"refuses dtypes", refuses_dtypes},
    {"refuses values", refuses_values},
    {"accepts what just fits", accepts_what_just_fits},
    {NULL, NULL},
};
