/* tests/unit/kernel/order/topk.c - the first k elements against a plain sort.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/order/topk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "unit/kernel/fold/values.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

enum { MOST = 4096 };

/* Whether an element comes before another one that lies behind it. */
static bool comes_first(bool largest, double a, double b)
{
    if (isnan(a) || isnan(b))
        return largest ? isnan(a) : isnan(b);
    return largest ? a >= b : a <= b;
}

/* The indexes along a dimension, in order, by insertion. */
static void expect(bool largest, const dt_array *in, int dim,
                   const int64_t *where, int64_t *out)
{
    int64_t index[DT_MAX_NDIM];
    double values[MOST];
    memcpy(index, where, sizeof index);
    const int64_t count = dt_array_ndim(in) ? dt_array_extent(in, dim) : 1;
    for (int64_t i = 0; i < count; i++) {
        index[dim] = i;
        const double x = element(in, index);
        int64_t at = i;
        for (; at > 0 && !comes_first(largest, values[at - 1], x); at--) {
            values[at] = values[at - 1];
            out[at] = out[at - 1];
        }
        values[at] = x;
        out[at] = i;
    }
}

static void check_dim(bool largest, const dt_array *in, int dim, int64_t k,
                      int way)
{
    static int64_t indexes[2 * MOST], wanted[MOST];
    static double values[2 * MOST]; /* of any dtype */
    const dt_dtype dtype = dt_array_dtype(in);
    dt_shape shape = dt_array_shape(in), out = shape, rows = shape;
    int64_t where[DT_MAX_NDIM] = {0}, strides[DT_MAX_NDIM], stride = 1;
    if (shape.ndim) {
        out.dims[dim] = k;
        rows.dims[dim] = 1;
    }
    for (int d = shape.ndim - 1; d >= 0; d--) {
        strides[d] = stride;
        stride *= out.dims[d];
    }
    memset(values, 0xee, sizeof values);
    memset(indexes, 0xee, sizeof indexes);
    void *room = malloc(dti_topk_room(in, dim, k) + 1);
    dti_topk_array(in, dim, k, largest, values, indexes, room);
    free(room);
    CHECKF(indexes[dt_shape_count(out)] == (int64_t)0xeeeeeeeeeeeeeeee,
           "writes past the end");
    if (dt_shape_count(rows) == 0)
        return;
    do {
        int64_t index[DT_MAX_NDIM], at = 0;
        memcpy(index, where, sizeof index);
        expect(largest, in, dim, where, wanted);
        for (int d = 0; d < shape.ndim; d++)
            at += where[d] * strides[d];
        for (int64_t i = 0; i < k; i++) {
            const int64_t here = at + (shape.ndim ? i * strides[dim] : 0);
            index[dim] = wanted[i];
            const double value = number_at(values, dtype, here);
            const double best = element(in, index);
            if (!CHECKF(indexes[here] == wanted[i] &&
                            (value == best || (isnan(value) && isnan(best))),
                        "%lld of %s along %d, way %d: number %lld is %g at "
                        "%lld, not %g at %lld",
                        (long long)k, dt_dtype_name(dtype), dim, way,
                        (long long)i, value, (long long)indexes[here], best,
                        (long long)wanted[i]))
                return;
        }
    } while (next_index(where, rows));
}

static void check_array(const dt_array *in, int way)
{
    const int ndim = dt_array_ndim(in);
    for (int dim = 0; dim < (ndim ? ndim : 1); dim++) {
        const int64_t count = ndim ? dt_array_extent(in, dim) : 1;
        const int64_t ks[] = {0, 1, count / 16, count / 2, count - 1, count};
        for (size_t i = 0; i < COUNT_OF(ks); i++)
            if (ks[i] >= 0 && ks[i] <= count) {
                check_dim(true, in, dim, ks[i], way);
                check_dim(false, in, dim, ks[i], way);
            }
    }
}

static void takes_the_first(dt_world *world)
{
    const dt_shape shapes[] = {
        DT_SHAPE(),      DT_SHAPE(1),     DT_SHAPE(9),    DT_SHAPE(700),
        DT_SHAPE(4, 15), DT_SHAPE(40, 3), DT_SHAPE(0, 3), DT_SHAPE(2, 7, 3)};
    unsigned long long state = dt_test_seed();
    for (int dtype = 0; dtype < DT_C64; dtype++)
        for (size_t i = 0; i < COUNT_OF(shapes); i++)
            for (int way = 0; way < LIE_COUNT; way++) {
                dt_array *in =
                    new_lying(world, (dt_dtype)dtype, shapes[i], way);
                fill_small(in, &state, 30); /* many are equal */
                check_array(in, way);
                dt_array_release(in);
            }
}

static void nan_is_largest(dt_world *world)
{
    const double values[] = {1, (double)NAN, 3, -(double)NAN, -0.0, 0.0};
    dt_array *in = new_array(world, DT_F32, DT_SHAPE(6));
    for (int64_t i = 0; i < 6; i++)
        set_element(in, &i, values[i]);
    check_array(in, LIE_DENSE);
    int64_t indexes[6];
    float out[6];
    void *room = malloc(dti_topk_room(in, 0, 6));
    dti_topk_array(in, 0, 6, false, out, indexes, room);
    free(room);
    static const int64_t wanted[] = {4, 5, 0, 2, 1, 3};
    for (int i = 0; i < 6; i++)
        CHECK_INT(indexes[i], wanted[i]);
    dt_array_release(in);
}

/* Of candidates in any order, as of the line that they are from. */
static void chooses_among_candidates(dt_world *world)
{
    (void)world;
    const int16_t values[] = {5, 7, 5, 0, 7, 1};
    const int64_t indexes[] = {9, 4, 2, -1, 3, 8};
    static const int64_t wanted[] = {3, 4, 2, 9};
    const dti_candidates from = {.dtype = DT_I16,
                                 .largest = true,
                                 .values = values,
                                 .indexes = indexes,
                                 .count = 6};
    int16_t best[8] = {0};
    int64_t places[8] = {0};
    void *room = malloc(dti_topk_choose_room(4));
    dti_topk_choose(&from, 4, best, places, 2, room);
    free(room);
    for (int i = 0; i < 4; i++) {
        CHECK_INT(places[2 * i], wanted[i]);
        CHECK_INT(best[2 * i], i < 2 ? 7 : 5);
        CHECK_INT(places[2 * i + 1], 0);
    }
}

const dt_test dt_tests[] = {
    {"takes the first", takes_the_first},
    {"NaN is largest", nan_is_largest},
    {"chooses among candidates", chooses_among_candidates},
    {NULL, NULL},
};
