/* unit/kernel/pointwise/complex.c - pointwise functions of complex numbers. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "kernel/pointwise/pointwise.h"

static void check_complex(dt_world *world, dti_pointwise function,
                          const float *x, const float *y, const float *expected)
{
    dt_array *in[2] = {NULL}, *out = NULL;
    for (int k = 0; k < 2; k++) {
        CHECK_OK(world, dt_array_create(world, DT_C64, DT_SHAPE(1), &in[k]));
        memcpy(dt_array_data(in[k]), k ? y : x, 8);
    }
    CHECK_OK(world, dt_array_create(world, DT_C64, DT_SHAPE(1), &out));
    const dti_pointwise_input inputs[] = {
        {in[0], dt_integer(0)}, {in[1], dt_integer(0)}, {NULL, dt_integer(2)}};
    dti_pointwise_apply(function, DT_C64, inputs, out);
    const float *found = dt_array_const_data(out);
    for (int i = 0; i < 2; i++)
        CHECKF((isnan(found[i]) && isnan(expected[i])) ||
                   found[i] == expected[i] ||
                   fabsf(found[i] - expected[i]) < 1e-6f,
               "function %d: part %d is %g, not %g", (int)function, i,
               (double)found[i], (double)expected[i]);
    dt_array_release(in[0]);
    dt_array_release(in[1]);
    dt_array_release(out);
}

/* A function whose results are real. */
static void check_real(dt_world *world, dti_pointwise function, const float *x,
                       float expected)
{
    float found = 0;
    dt_array *in = NULL, *out = NULL;
    CHECK_OK(world, dt_array_create(world, DT_C64, DT_SHAPE(1), &in));
    CHECK_OK(world, dt_array_create(world, DT_F32, DT_SHAPE(1), &out));
    memcpy(dt_array_data(in), x, 8);
    dti_pointwise_apply(function, DT_C64,
                        &(dti_pointwise_input){in, dt_integer(0)}, out);
    memcpy(&found, dt_array_const_data(out), sizeof found);
    CHECKF(found == expected, "function %d gives %.9g, not %.9g", (int)function,
           (double)found, (double)expected);
    dt_array_release(in);
    dt_array_release(out);
}

static void complex_numbers(dt_world *world)
{
    static const struct {
        dti_pointwise function;
        float x[2], y[2], expected[2];
    } rows[] = {
        {DTI_ADD, {1, 2}, {3, -5}, {4, -3}},
        {DTI_SUB, {1, 2}, {3, -5}, {-2, 7}},
        {DTI_MUL, {1, 2}, {3, -5}, {13, 1}},
        {DTI_DIV, {13, 1}, {3, -5}, {1, 2}},
        {DTI_DIV, {1, 0}, {0, 0}, {INFINITY, NAN}},
        {DTI_ADD_SCALED, {1, 2}, {3, -5}, {7, -8}},
        {DTI_NEG, {1, 2}, {0, 0}, {-1, -2}},
        {DTI_RECIPROCAL, {0, 2}, {0, 0}, {0, -0.5f}},
        {DTI_EXP, {0, 3.1415927f}, {0, 0}, {-1, 0}},
        {DTI_SQRT, {-4, 0}, {0, 0}, {0, 2}},
        {DTI_RSQRT, {-4, 0}, {0, 0}, {0, -0.5f}},
        {DTI_SIGMOID, {0, 0}, {0, 0}, {0.5f, 0}},
        {DTI_POW, {0, 1}, {2, 0}, {-1, 0}},
        {DTI_CONJ, {1, 2}, {0, 0}, {1, -2}},
        {DTI_COMPLEX, {3, 0}, {NAN, 0}, {3, NAN}},
        {DTI_POLAR, {2, 0}, {1.5707963f, 0}, {0, 2}},
        {DTI_POLAR, {INFINITY, 0}, {3, 0}, {-INFINITY, INFINITY}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_complex(world, rows[i].function, rows[i].x, rows[i].y,
                      rows[i].expected);
    check_real(world, DTI_ABS, (const float[]){3, 4}, 5);
    check_real(world, DTI_ANGLE, (const float[]){0, -4}, -1.5707964f);
    check_real(world, DTI_ANGLE, (const float[]){-2, 0}, 3.1415927f);
}

/* By their definitions, in more digits; of 0.5 - 1.25i. */
static void complex_functions(dt_world *world)
{
    static const struct {
        dti_pointwise function;
        float y[2], expected[2];
    } rows[] = {
        {DTI_SILU, {0, 0}, {-0.07076101f, -1.01512535f}},
        {DTI_SIGN, {0, 0}, {0.37139068f, -0.92847669f}},
        {DTI_EXP2, {0, 0}, {0.91577124f, -1.07766555f}},
        {DTI_EXPM1, {0, 0}, {-0.48012131f, -1.56461113f}},
        {DTI_LOG1P, {0, 0}, {0.66914257f, -0.69473828f}},
        {DTI_SINC, {0, 0}, {2.22921073f, 5.57302683f}},
        {DTI_LOGADDEXP, {0.25f, 0.75f}, {0.47872351f, -0.44130006f}},
        {DTI_SOFTSIGN, {0, 0}, {0.21310228f, -0.53275570f}},
        {DTI_SIGMOID_BACKWARD, {1, 2}, {4.5f, -4}},
        {DTI_TANH_BACKWARD, {1, 2}, {7, -3}},
    };
    const float x[2] = {0.5f, -1.25f}, grad[2] = {1, 2}, none[2] = {0, 0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_complex(world, rows[i].function, x, rows[i].y, rows[i].expected);
    check_complex(world, DTI_SILU_BACKWARD, grad, x,
                  (const float[]){2.34451047f, 1.30717410f});
    check_complex(world, DTI_SIGN, none, none, none);
    check_complex(world, DTI_SINC, none, none, (const float[]){1, 0});
    /* Nothing cancels. */
    const float small[2] = {1e-7f, 2e-7f};
    check_complex(world, DTI_EXPM1, small, none, small);
    check_complex(world, DTI_LOG1P, small, none, small);
    const float least[2] = {-INFINITY, 0};
    check_complex(world, DTI_LOGADDEXP, least, least, least);
}

/* Quotients of numbers that are not finite, and by 0, as PyTorch has them. */
static void complex_quotients(dt_world *world)
{
    const float inf = INFINITY, nan = NAN;
    const float rows[][6] = {
        {1, 2, inf, 0, 0, 0},           {1, 2, -inf, 0, 0, 0},
        {1, 2, 0, inf, 0, 0},           {1, 2, 3, -inf, 0, 0},
        {-3e38f, 1, inf, 3e38f, 0, 0},  {1, 2, inf, inf, nan, nan},
        {1, 2, -inf, inf, nan, nan},    {1, 2, inf, nan, nan, nan},
        {1, 2, nan, 1, nan, nan},       {inf, 1, inf, 1, nan, nan},
        {inf, 1, 2, 0, inf, nan},       {inf, 1, 0, 2, nan, -inf},
        {inf, inf, 1, 1, inf, nan},     {nan, 1, inf, 0, nan, nan},
        {1, -1, 0, 0, inf, -inf},       {1, 0, -0.0f, 0, inf, nan},
        {inf, -2, 0, -0.0f, inf, -inf}, {0, 0, 0, 0, nan, nan},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_complex(world, DTI_DIV, rows[i], rows[i] + 2, rows[i] + 4);
    const float none[2] = {0, 0}, whole[2] = {-inf, 5};
    check_complex(world, DTI_RECIPROCAL, whole, none, none);

    const float x[2] = {1, 2};
    float found[2];
    dt_array *in = NULL;
    CHECK_OK(world, dt_array_create(world, DT_C64, DT_SHAPE(1), &in));
    memcpy(dt_array_data(in), x, sizeof x);
    const dti_pointwise_input inputs[] = {{in, dt_integer(0)},
                                          {NULL, dt_real((double)inf)}};
    dti_pointwise_apply(DTI_DIV, DT_C64, inputs, in);
    memcpy(found, dt_array_const_data(in), sizeof found);
    CHECKF(found[0] == 0 && found[1] == 0, "%g, %g", (double)found[0],
           (double)found[1]);
    dt_array_release(in);
}

const dt_test dt_tests[] = {
    {"complex numbers", complex_numbers},
    {"complex functions", complex_functions},
    {"complex quotients", complex_quotients},
    {NULL, NULL},
};
