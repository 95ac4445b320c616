/* tests/unit/kernel/norm/norm.c - layer norm and rms norm against plain loops.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/norm/norm.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "unit/kernel/fold/values.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

enum { MOST = 8192 };

static double unit_of(dt_dtype dtype)
{
    return dtype == DT_F64    ? DBL_EPSILON
           : dtype == DT_F16  ? 0x1p-10
           : dtype == DT_BF16 ? 0x1p-7
                              : (double)FLT_EPSILON;
}

/* A dense copy of an array, as numbers. */
static int64_t numbers_of(const dt_array *in, double *out)
{
    int64_t index[DT_MAX_NDIM] = {0}, count = 0;
    if (dt_array_count(in) > 0)
        do
            out[count++] = element(in, index);
        while (next_index(index, dt_array_shape(in)));
    return count;
}

static void check_close(const char *what, const void *results, dt_dtype dtype,
                        int64_t at, double wanted, double size)
{
    /* What is wanted was computed with more digits, but not under valgrind. */
    volatile long double one = 1;
    const double steps = one + LDBL_EPSILON != one ? 4 : 64;
    const double value = number_at(results, dtype, at);
    CHECKF(fabs(value - wanted) <=
               steps * unit_of(dtype) * (fabs(wanted) + size),
           "%s %lld of %s is %.9g, not %.9g", what, (long long)at,
           dt_dtype_name(dtype), value, wanted);
}

static void check_norm(const dti_norm *norm, const dt_array *in, int first)
{
    static double numbers[MOST], weights[MOST], biases[MOST];
    const dt_dtype dtype = dt_array_dtype(in);
    int64_t length = 1;
    for (int d = first; d < dt_array_ndim(in); d++)
        length *= dt_array_extent(in, d);
    const int64_t rows = numbers_of(in, numbers) / length;
    if (norm->weight)
        numbers_of(norm->weight, weights);
    if (norm->bias)
        numbers_of(norm->bias, biases);
    for (int64_t r = 0; r < rows; r++) {
        const double *row = numbers + r * length;
        long double sum = 0, squares = 0;
        for (int64_t i = 0; norm->centred && i < length; i++)
            sum += row[i];
        const double mean = (double)(sum / length);
        for (int64_t i = 0; i < length; i++)
            squares += (row[i] - sum / length) * (row[i] - sum / length);
        const double rstd = 1 / sqrt((double)(squares / length) + norm->eps);
        for (int64_t i = 0; i < length; i++) {
            const double weight = norm->weight ? weights[i] : 1;
            const double bias = norm->bias ? biases[i] : 0;
            check_close("result", norm->out, dtype, r * length + i,
                        (row[i] - mean) * rstd * weight + bias,
                        fabs(mean * rstd * weight) + fabs(bias));
        }
        if (norm->mean)
            check_close("mean", norm->mean, norm->dtype, r, mean, 1e-3);
        check_close("rstd", norm->rstd, norm->dtype, r, rstd, 0);
    }
}

/* Normalise with and without weight and bias, centred and not. */
static void check_forms(dt_world *world, const dt_array *in, int first,
                        dt_dtype factors)
{
    static double out[MOST], mean[MOST], rstd[MOST]; /* of any dtype */
    unsigned long long state = dt_test_seed();
    dt_shape shape = DT_SHAPE();
    for (int d = first; d < dt_array_ndim(in); d++)
        shape.dims[shape.ndim++] = dt_array_extent(in, d);
    dt_array *weight = new_array(world, factors, shape);
    dt_array *bias = new_array(world, factors, shape);
    fill_small(weight, &state, 9);
    fill_small(bias, &state, 9);
    for (int form = 0; form < 8; form++) {
        const bool centred = form & 4;
        const dti_norm norm = {.centred = centred,
                               .eps = 0.01,
                               .weight = form & 1 ? weight : NULL,
                               .bias = form & 2 ? bias : NULL,
                               .out = out,
                               .mean = centred ? mean : NULL,
                               .rstd = rstd,
                               .dtype = factors};
        memset(out, 0xee, sizeof out);
        dti_norm_array(&norm, in, first);
        check_norm(&norm, in, first);
        CHECKF(isnan(number_at(out, dt_array_dtype(in), MOST - 1)) ||
                   number_at(out, dt_array_dtype(in), MOST - 1) < 0,
               "writes past the end");
    }
    dt_array_release(weight);
    dt_array_release(bias);
}

static void normalises_rows(dt_world *world)
{
    const struct {
        dt_shape shape;
        int first;
    } cases[] = {{DT_SHAPE(5), 0},       {DT_SHAPE(3, 6), 1},
                 {DT_SHAPE(3, 6), 0},    {DT_SHAPE(2, 2500), 1},
                 {DT_SHAPE(2, 3, 4), 1}, {DT_SHAPE(2, 3, 17), 2},
                 {DT_SHAPE(0, 3), 1},    {DT_SHAPE(4, 1), 1}};
    static const dt_dtype dtypes[][2] = {{DT_F32, DT_F32},  {DT_F64, DT_F64},
                                         {DT_F16, DT_F16},  {DT_BF16, DT_BF16},
                                         {DT_BF16, DT_F32}, {DT_F16, DT_F32}};
    unsigned long long state = dt_test_seed();
    for (size_t t = 0; t < COUNT_OF(dtypes); t++)
        for (size_t i = 0; i < COUNT_OF(cases); i++)
            for (int way = 0; way < LIE_COUNT; way++) {
                dt_array *in =
                    new_lying(world, dtypes[t][0], cases[i].shape, way);
                fill_small(in, &state, 25);
                if (dti_norm_takes(in, cases[i].first))
                    check_forms(world, in, cases[i].first, dtypes[t][1]);
                else
                    CHECK(way != LIE_DENSE);
                dt_array_release(in);
            }
}

/* A large mean leaves the digits of what differs from it. */
static void large_means(dt_world *world)
{
    dt_array *in = new_array(world, DT_F32, DT_SHAPE(1000));
    float *x = dt_array_data(in), out[1000], mean, rstd;
    for (int i = 0; i < 1000; i++)
        x[i] = 1e6f + (float)(i % 2);
    const dti_norm norm = {.centred = true,
                           .out = out,
                           .mean = &mean,
                           .rstd = &rstd,
                           .dtype = DT_F32};
    dti_norm_array(&norm, in, 0);
    CHECK(mean == 1000000.5f && rstd == 2);
    CHECK(out[0] == -1 && out[1] == 1);
    dt_array_release(in);
}

static void empty_rows(dt_world *world)
{
    dt_array *in = new_array(world, DT_F32, DT_SHAPE(2, 0));
    float mean[2] = {9, 9}, rstd[2] = {9, 9};
    const dti_norm norm = {
        .centred = true, .eps = 1, .mean = mean, .rstd = rstd, .dtype = DT_F32};
    dti_norm_array(&norm, in, 1);
    CHECK(mean[0] == 0 && mean[1] == 0 && isnan(rstd[0]) && isnan(rstd[1]));
    dt_array_release(in);
}

/* Several dimensions, wherever the one without indexes is: they lie as one, in
 * whatever way. */
static void empty_rows_of_several_dims(dt_world *world)
{
    const struct {
        dt_shape shape;
        int first;
        int rows;
    } cases[] = {{DT_SHAPE(0, 0), 0, 1},    {DT_SHAPE(0, 3, 1), 0, 1},
                 {DT_SHAPE(1, 0, 0), 1, 1}, {DT_SHAPE(2, 3, 0), 1, 2},
                 {DT_SHAPE(2, 0, 3), 1, 2}, {DT_SHAPE(2, 2, 0, 3), 2, 4}};
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        for (int way = 0; way < LIE_COUNT; way++) {
            float mean[4] = {9, 9, 9, 9}, rstd[4] = {9, 9, 9, 9};
            const dti_norm norm = {.centred = true,
                                   .eps = 1,
                                   .mean = mean,
                                   .rstd = rstd,
                                   .dtype = DT_F32};
            dt_array *in = new_lying(world, DT_F16, cases[i].shape, way);
            CHECK(dti_norm_takes(in, cases[i].first));
            dti_norm_array(&norm, in, cases[i].first);
            for (int r = 0; r < 4; r++)
                CHECKF(r < cases[i].rows ? mean[r] == 0 && isnan(rstd[r])
                                         : mean[r] == 9 && rstd[r] == 9,
                       "case %d, way %d, row %d", (int)i, way, r);
            dt_array_release(in);
        }
}

const dt_test dt_tests[] = {
    {"normalises rows", normalises_rows},
    {"large means", large_means},
    {"empty rows", empty_rows},
    {"empty rows of several dimensions", empty_rows_of_several_dims},
    {NULL, NULL},
};
