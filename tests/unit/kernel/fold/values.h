/* tests/unit/kernel/fold/values.h - arrays whose elements are read as numbers.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_FOLD_VALUES_H
#define DT_TESTS_FOLD_VALUES_H

#include <math.h>
#include <string.h>

#include "array/cast.h"
#include "support/check.h"

/* Step to the next index of a shape, in row-major order. */
static inline bool next_index(int64_t *index, dt_shape shape)
{
    for (int i = shape.ndim - 1; i >= 0; i--) {
        if (++index[i] < shape.dims[i])
            return true;
        index[i] = 0;
    }
    return false;
}

static inline int64_t place_of(const dt_array *array, const int64_t *index)
{
    int64_t at = 0;
    for (int i = 0; i < dt_array_ndim(array); i++)
        at += index[i] * dt_array_stride(array, i);
    return at;
}

static inline double number_at(const void *data, dt_dtype dtype, int64_t at)
{
    double value;
    const size_t item = dt_dtype_size(dtype);
    dti_cast((const char *)data + (size_t)at * item, dtype, &value, DT_F64, 1);
    return value;
}

/* An element, of complex numbers the real part. */
static inline double element(const dt_array *array, const int64_t *index)
{
    return number_at(dt_array_const_data(array), dt_array_dtype(array),
                     place_of(array, index));
}

static inline void set_element(dt_array *array, const int64_t *index,
                               double value)
{
    const dt_dtype dtype = dt_array_dtype(array);
    const size_t item = dt_dtype_size(dtype);
    char *data = dt_array_data(array);
    dti_cast(&value, DT_F64, data + (size_t)place_of(array, index) * item,
             dtype, 1);
}

static inline dt_array *new_array(dt_world *world, dt_dtype dtype,
                                  dt_shape shape)
{
    dt_array *array = NULL;
    CHECK_OK(world, dt_array_create(world, dtype, shape, &array));
    return array;
}

/* Set all elements to small numbers, of which some are equal. */
static inline void fill_small(dt_array *array, unsigned long long *state,
                              int range)
{
    int64_t index[DT_MAX_NDIM] = {0};
    const dt_dtype_kind kind = dt_dtype_kind_of(dt_array_dtype(array));
    const bool negative = kind != DT_KIND_UNSIGNED && kind != DT_KIND_BOOLEAN;
    if (dt_array_count(array) == 0)
        return;
    do {
        int value = (int)(dt_test_random(state) >> 33) % range;
        set_element(array, index, (double)(value - (negative ? range / 2 : 0)));
    } while (next_index(index, dt_array_shape(array)));
}

/* The ways in which an array of a shape may lie. */
enum {
    LIE_DENSE,
    LIE_PERMUTED, /* dimensions in the opposite order */
    LIE_APART,    /* every second element of the last dimension */
    LIE_REPEATED, /* one element along the first dimension */
    LIE_COUNT
};

/* An array that lies in one of these ways, its elements not set. */
static inline dt_array *new_lying(dt_world *world, dt_dtype dtype,
                                  dt_shape shape, int way)
{
    dt_array *base = NULL, *out = NULL;
    dt_shape whole = shape;
    const int last = shape.ndim - 1;
    int order[DT_MAX_NDIM];
    if (way == LIE_DENSE || shape.ndim == 0)
        return new_array(world, dtype, shape);
    for (int i = 0; i <= last; i++) {
        order[i] = last - i;
        if (way == LIE_PERMUTED)
            whole.dims[i] = shape.dims[last - i];
    }
    if (way == LIE_APART)
        whole.dims[last] = 2 * shape.dims[last];
    if (way == LIE_REPEATED)
        whole.dims[0] = 1;
    base = new_array(world, dtype, whole);
    if (way == LIE_PERMUTED)
        CHECK_OK(world, dt_array_permute(world, base, order, &out));
    else if (way == LIE_APART)
        CHECK_OK(world, dt_array_slice(world, base, last, 0, whole.dims[last],
                                       2, &out));
    else
        CHECK_OK(world, dt_array_expand(world, base, shape, &out));
    dt_array_release(base);
    return out;
}

#endif
