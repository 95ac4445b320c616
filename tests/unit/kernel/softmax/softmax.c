/* tests/unit/kernel/softmax/softmax.c - softmax against plain loops in f64. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/softmax/softmax.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "unit/kernel/fold/values.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

enum { MOST = 10000 };

static double unit_of(dt_dtype dtype)
{
    return dtype == DT_F64    ? DBL_EPSILON
           : dtype == DT_F16  ? 0x1p-10
           : dtype == DT_BF16 ? 0x1p-7
                              : (double)FLT_EPSILON;
}

/* Half of the smallest number that is not 0. */
static double least_of(dt_dtype dtype)
{
    return dtype == DT_F16 ? 0x1p-25 : dtype == DT_F64 ? 0 : 0x1p-130;
}

/* What a run along a dimension is and gives. */
typedef struct expected {
    double most;
    double sum;
    int64_t count;
} expected;

static expected expect(const dt_array *in, int dim, int64_t *index,
                       int64_t count)
{
    expected out = {-(double)INFINITY, 0, count};
    long double sum = 0;
    for (index[dim] = 0; index[dim] < count; index[dim]++)
        out.most = fmax(out.most, element(in, index));
    for (index[dim] = 0; index[dim] < count; index[dim]++)
        sum += expl((long double)element(in, index) - out.most);
    out.sum = (double)sum;
    return out;
}

static bool is_close(bool logarithm, double value, double x, expected run,
                     dt_dtype dtype, double *wanted)
{
    const double below = x - run.most;
    *wanted = logarithm ? below - log(run.sum) : exp(below) / run.sum;
    const double size =
        logarithm ? fabs(below) + log(run.sum) + 1 : fabs(*wanted);
    /* Sums are f64: of few numbers at a time, by turns. */
    const double units = dtype == DT_F64 ? 4 + (double)run.count / 16 : 4;
    return fabs(value - *wanted) <=
           units * unit_of(dtype) * size + least_of(dtype);
}

static void check_results(bool logarithm, const dt_array *in, int dim,
                          const double *results, dt_dtype dtype, int way)
{
    const dt_shape shape = dt_array_shape(in);
    dt_shape rows = shape;
    int64_t where[DT_MAX_NDIM] = {0};
    const int64_t count = shape.ndim ? shape.dims[dim] : 1;
    if (shape.ndim)
        rows.dims[dim] = 1;
    do {
        int64_t index[DT_MAX_NDIM];
        memcpy(index, where, sizeof index);
        const expected run = expect(in, dim, index, count);
        for (index[dim] = 0; index[dim] < count; index[dim]++) {
            int64_t at = 0;
            double wanted = 0;
            for (int d = 0; d < shape.ndim; d++)
                at = at * shape.dims[d] + index[d];
            const double value = number_at(results, dtype, at);
            const bool close = is_close(logarithm, value, element(in, index),
                                        run, dtype, &wanted);
            if (!CHECKF(close,
                        "%s of %s in %s along %d, way %d: result %lld is %.9g, "
                        "not %.9g",
                        logarithm ? "log_softmax" : "softmax",
                        dt_dtype_name(dt_array_dtype(in)), dt_dtype_name(dtype),
                        dim, way, (long long)at, value, wanted))
                return;
        }
    } while (next_index(where, rows));
}

static void check_dim(bool logarithm, const dt_array *in, int dim,
                      dt_dtype dtype, int way)
{
    static double first[MOST], results[MOST]; /* of any dtype */
    for (int level = 0; level <= (int)dti_cpu_detect(); level++) {
        memset(results, 0xee, sizeof results);
        dti_softmax_array_at((dti_cpu_level)level, logarithm, in, dim, results,
                             dtype);
        if (level == 0)
            memcpy(first, results, sizeof first);
        CHECKF(memcmp(first, results, sizeof first) == 0,
               "level %d gives other bits, or writes elsewhere", level);
    }
    if (dt_array_count(in) > 0)
        check_results(logarithm, in, dim, results, dtype, way);
}

static const dt_dtype floats[] = {DT_F32, DT_F64, DT_F16, DT_BF16};

static void check_array(const dt_array *in, int way)
{
    const int ndim = dt_array_ndim(in);
    for (int dim = 0; dim < (ndim ? ndim : 1); dim++)
        for (size_t i = 0; i < COUNT_OF(floats); i++) {
            check_dim(false, in, dim, floats[i], way);
            check_dim(true, in, dim, floats[i], way);
        }
}

static void works_along_dimensions(dt_world *world)
{
    const dt_shape shapes[] = {
        DT_SHAPE(),        DT_SHAPE(0),     DT_SHAPE(1),     DT_SHAPE(100),
        DT_SHAPE(9000),    DT_SHAPE(4, 50), DT_SHAPE(50, 4), DT_SHAPE(3, 300),
        DT_SHAPE(7, 3, 9), DT_SHAPE(0, 3),  DT_SHAPE(3, 0),  DT_SHAPE(5, 2)};
    unsigned long long state = dt_test_seed();
    for (size_t t = 0; t < COUNT_OF(floats); t++)
        for (size_t i = 0; i < COUNT_OF(shapes); i++)
            for (int way = 0; way < LIE_COUNT; way++) {
                dt_array *in = new_lying(world, floats[t], shapes[i], way);
                fill_small(in, &state, 41);
                check_array(in, way);
                dt_array_release(in);
            }
}

/* Exponentials of all sizes, down to none. */
static void exponentials_are_close(dt_world *world)
{
    enum { N = 12000 };
    dt_array *in = new_array(world, DT_F32, DT_SHAPE(N));
    float *x = dt_array_data(in), out[N];
    for (int i = 0; i < N; i++)
        x[i] = -(float)i / 100;
    dti_softmax_array(false, in, 0, out, DT_F32);
    const double scale = (double)out[0];
    for (int i = 0; i < N; i++) {
        const double wanted = exp((double)x[i]) * scale;
        if (!CHECKF(fabs((double)out[i] - wanted) <= 4e-7 * wanted + 0x1p-148,
                    "exp(%g) is %.9g, not %.9g", (double)x[i],
                    (double)out[i] / scale, wanted / scale))
            break;
    }
    dt_array_release(in);
}

static void softmax_of(dt_world *world, bool logarithm, const double *values,
                       int count, double *out)
{
    dt_array *in = new_array(world, DT_F32, DT_SHAPE(count));
    float results[8];
    for (int64_t i = 0; i < count; i++)
        set_element(in, &i, values[i]);
    dti_softmax_array(logarithm, in, 0, results, DT_F32);
    for (int i = 0; i < count; i++)
        out[i] = (double)results[i];
    dt_array_release(in);
}

static void infinities_and_nan(dt_world *world)
{
    const double inf = (double)INFINITY, nan = (double)NAN;
    const double all[][2] = {{inf, inf}, {-inf, -inf}, {nan, 1}, {inf, 1}};
    double out[2];
    for (size_t i = 0; i < COUNT_OF(all); i++)
        for (int logarithm = 0; logarithm < 2; logarithm++) {
            softmax_of(world, logarithm, all[i], 2, out);
            CHECKF(isnan(out[0]), "case %d: %g", (int)i, out[0]);
        }
    const double one[] = {-inf, 0};
    softmax_of(world, false, one, 2, out);
    CHECK(out[0] == 0 && out[1] == 1);
    softmax_of(world, true, one, 2, out);
    CHECK(out[0] == -inf && out[1] == 0);
    const double large[] = {3e38, -3e38};
    softmax_of(world, false, large, 2, out);
    CHECK(out[0] == 1 && out[1] == 0);
}

const dt_test dt_tests[] = {
    {"works along dimensions", works_along_dimensions},
    {"exponentials are close", exponentials_are_close},
    {"infinities and NaN", infinities_and_nan},
    {NULL, NULL},
};
