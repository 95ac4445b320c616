/* tests/unit/kernel/fold/arg.c - places of extremes against plain loops. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/fold/arg.h"

#include <math.h>
#include <string.h>

#include "unit/kernel/fold/values.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

enum { MOST = 8192 };

/* The first index along a dimension that no other beats. */
static int64_t expect(bool largest, const dt_array *in, int dim,
                      const int64_t *where)
{
    int64_t index[DT_MAX_NDIM], best = 0;
    double most = 0;
    memcpy(index, where, sizeof index);
    const int64_t count = dt_array_ndim(in) ? dt_array_extent(in, dim) : 1;
    for (int64_t i = 0; i < count; i++) {
        index[dim] = i;
        const double x = element(in, index);
        if (i == 0 || (isnan(x) && !isnan(most)) ||
            (largest ? x > most : x < most)) {
            most = x;
            best = i;
        }
    }
    return best;
}

static void check_dim(bool largest, const dt_array *in, int dim, int way)
{
    static int64_t indexes[MOST], others[MOST];
    static double values[MOST]; /* of any dtype */
    const dt_dtype dtype = dt_array_dtype(in);
    dt_shape shape = dt_array_shape(in);
    int64_t where[DT_MAX_NDIM] = {0}, at = 0;
    memset(indexes, 0xee, sizeof indexes);
    memset(values, 0xee, sizeof values);
    dti_arg_array(largest, in, dim, values, indexes);
    if (shape.ndim)
        shape.dims[dim] = 1;
    if (dt_shape_count(shape) > 0)
        do {
            int64_t index[DT_MAX_NDIM];
            memcpy(index, where, sizeof index);
            const int64_t wanted = expect(largest, in, dim, where);
            index[dim] = wanted;
            const double value = number_at(values, dtype, at);
            const double best = element(in, index);
            if (!CHECKF(indexes[at] == wanted &&
                            (value == best || (isnan(value) && isnan(best))),
                        "%s of %s along %d, way %d: result %lld is %g at %lld, "
                        "not %g at %lld",
                        largest ? "max" : "min", dt_dtype_name(dtype), dim, way,
                        (long long)at, value, (long long)indexes[at], best,
                        (long long)wanted))
                return;
            at++;
        } while (next_index(where, shape));
    CHECKF(indexes[at] == (int64_t)0xeeeeeeeeeeeeeeee, "writes past the end");
    memset(values, 0, sizeof values);
    dti_arg_array(largest, in, dim, NULL, indexes);
    for (int level = 0; level <= (int)dti_cpu_detect(); level++) {
        memset(others, 0xee, sizeof others);
        dti_arg_array_at((dti_cpu_level)level, largest, in, dim, NULL, others);
        CHECKF(memcmp(others, indexes, sizeof others) == 0,
               "level %d finds others", level);
    }
}

/* Put NaN into some rows. */
static void spoil(dt_array *in, unsigned long long *state)
{
    int64_t index[DT_MAX_NDIM] = {0};
    do
        if (dt_test_random(state) >> 33 & 1)
            set_element(in, index, (double)NAN);
    while (next_index(index, dt_array_shape(in)));
}

static void check_array(dt_array *in, int way)
{
    const int ndim = dt_array_ndim(in);
    for (int dim = 0; dim < (ndim ? ndim : 1); dim++)
        if (!ndim || dt_array_extent(in, dim) > 0) {
            check_dim(true, in, dim, way);
            check_dim(false, in, dim, way);
        }
}

static void finds_the_first(dt_world *world)
{
    const dt_shape shapes[] = {
        DT_SHAPE(),       DT_SHAPE(1),         DT_SHAPE(7),
        DT_SHAPE(3000),   DT_SHAPE(4, 5),      DT_SHAPE(3, 1100),
        DT_SHAPE(50, 40), DT_SHAPE(3, 300),    DT_SHAPE(300, 3),
        DT_SHAPE(0, 3),   DT_SHAPE(2, 3, 4),   DT_SHAPE(5, 1, 7),
        DT_SHAPE(4, 0),   DT_SHAPE(2, 9, 2, 5)};
    unsigned long long state = dt_test_seed();
    for (int dtype = 0; dtype < DT_C64; dtype++)
        for (size_t i = 0; i < COUNT_OF(shapes); i++)
            for (int way = 0; way < LIE_COUNT; way++) {
                dt_array *in =
                    new_lying(world, (dt_dtype)dtype, shapes[i], way);
                fill_small(in, &state, 90);
                check_array(in, way);
                if (dt_dtype_kind_of((dt_dtype)dtype) == DT_KIND_FLOAT &&
                    dt_array_count(in) > 0) {
                    spoil(in, &state);
                    check_array(in, way);
                }
                dt_array_release(in);
            }
}

/* -0 and 0 are the same, and what comes out is the first of them. */
static void zeros_are_equal(dt_world *world)
{
    const double zeros[] = {-0.0, 0.0, -1.0};
    dt_array *in = new_array(world, DT_F32, DT_SHAPE(3));
    int64_t index = 9;
    float value = 1;
    for (int64_t i = 0; i < 3; i++)
        set_element(in, &i, zeros[i]);
    dti_arg_array(true, in, 0, &value, &index);
    CHECK_INT(index, 0);
    CHECK(value == 0 && signbit(value));
    dt_array_release(in);
}

/* Integers that doubles cannot tell apart. */
static void large_integers(dt_world *world)
{
    dt_array *in = new_array(world, DT_I64, DT_SHAPE(3, 8));
    int64_t *x = dt_array_data(in), value[8], index[8];
    for (int i = 0; i < 24; i++)
        x[i] = INT64_MAX - 5;
    x[8 + 3] = INT64_MAX - 4;
    x[16 + 2] = INT64_MIN;
    dti_arg_array(true, in, 0, value, index);
    CHECK(index[3] == 1 && value[3] == INT64_MAX - 4 && index[2] == 0);
    dti_arg_array(false, in, 0, value, index);
    CHECK(index[2] == 2 && value[2] == INT64_MIN && index[3] == 0);
    dti_arg_array(true, in, 1, value, index);
    CHECK(index[1] == 3 && index[0] == 0);
    dt_array_release(in);
}

const dt_test dt_tests[] = {
    {"finds the first", finds_the_first},
    {"zeros are equal", zeros_are_equal},
    {"large integers", large_integers},
    {NULL, NULL},
};
