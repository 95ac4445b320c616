/* tests/unit/kernel/put.c - elements put to positions, in every mode and
 * dtype. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "array/cast.h"
#include "kernel/put.h"
#include "support/check.h"

enum { ROWS = 5, COLUMNS = 7, PUT = 4, ROOM = 64 };

static const int64_t positions[PUT] = {3, -1, 0, 3};

static double combine(dti_put_mode mode, double old, double new, bool truth)
{
    switch (mode) {
    case DTI_PUT_ADD:
        return truth ? old != 0 || new != 0 : old + new;
    case DTI_PUT_MULTIPLY:
        return old * new;
    case DTI_PUT_MAX:
        return old > new ? old : new;
    case DTI_PUT_MIN:
        return old < new ? old : new;
    default:
        return new;
    }
}

/* Small numbers that every dtype holds. */
static void fill(dt_dtype dtype, double *values, int count, int salt,
                 void *elements)
{
    for (int i = 0; i < count; i++)
        values[i] = dtype == DT_BOOL ? (i + salt) % 3 == 0 : (i * salt) % 5;
    dti_cast(values, DT_F64, elements, dtype, count);
}

static void check_elements(dt_dtype dtype, const double *want,
                           const void *elements, int count)
{
    double got[ROOM];
    dti_cast(elements, dtype, got, DT_F64, count);
    for (int i = 0; i < count; i++)
        CHECKF(got[i] == want[i], "%s: element %d is %g, not %g",
               dt_dtype_name(dtype), i, got[i], want[i]);
}

/* Whole rows share a position; `apart` is the stride of what is put. */
static void check_rows(dt_dtype dtype, dti_put_mode mode, int64_t apart)
{
    _Alignas(8) char to[ROOM * 8], from[ROOM * 16];
    double want[ROOM], put[2 * ROOM];
    fill(dtype, want, ROWS * COLUMNS, 3, to);
    fill(dtype, put, PUT * COLUMNS * (int)apart, 7, from);
    dti_putting putting = {.dtype = dtype,
                           .ndim = 2,
                           .dims = {PUT, COLUMNS},
                           .to = to,
                           .strides = {0, 1},
                           .step = COLUMNS,
                           .positions = positions,
                           .position_strides = {1, 0},
                           .from = from,
                           .from_strides = {COLUMNS * apart, apart}};
    dti_put_elements(&putting, mode);
    for (int i = 0; i < PUT * COLUMNS; i++) {
        int64_t row = positions[i / COLUMNS];
        if (row < 0)
            continue;
        double *at = &want[row * COLUMNS + i % COLUMNS];
        *at = combine(mode, *at, put[i * apart], dtype == DT_BOOL);
    }
    check_elements(dtype, want, to, ROWS * COLUMNS);
}

/* Each element has a position of its own. */
static void check_items(dt_dtype dtype, dti_put_mode mode)
{
    _Alignas(8) char to[ROOM * 8], from[ROOM * 8];
    double want[ROOM], put[ROOM];
    int64_t own[PUT * COLUMNS];
    for (int i = 0; i < PUT * COLUMNS; i++)
        own[i] = i % 6 == 5 ? -1 : i * 3 % ROWS;
    fill(dtype, want, ROWS * COLUMNS, 3, to);
    fill(dtype, put, PUT * COLUMNS, 7, from);
    dti_putting putting = {.dtype = dtype,
                           .ndim = 2,
                           .dims = {PUT, COLUMNS},
                           .to = to,
                           .strides = {0, 1},
                           .step = COLUMNS,
                           .positions = own,
                           .position_strides = {COLUMNS, 1},
                           .from = from,
                           .from_strides = {COLUMNS, 1}};
    dti_put_elements(&putting, mode);
    for (int i = 0; i < PUT * COLUMNS; i++) {
        if (own[i] < 0)
            continue;
        double *at = &want[own[i] * COLUMNS + i % COLUMNS];
        *at = combine(mode, *at, put[i], dtype == DT_BOOL);
    }
    check_elements(dtype, want, to, ROWS * COLUMNS);
}

static void puts_every_dtype(dt_world *world)
{
    (void)world;
    for (int dtype = 0; dtype < DT_DTYPE_COUNT; dtype++)
        for (int mode = DTI_PUT_SET; mode <= DTI_PUT_MIN; mode++) {
            if (dtype == DT_C64 && mode >= DTI_PUT_MAX)
                continue;
            check_rows((dt_dtype)dtype, (dti_put_mode)mode, 1);
            check_rows((dt_dtype)dtype, (dti_put_mode)mode, 2);
            check_items((dt_dtype)dtype, (dti_put_mode)mode);
        }
}

static void wraps_and_keeps_nan(dt_world *world)
{
    (void)world;
    const int64_t here[] = {0};
    int64_t most = INT64_MAX, one = 1;
    float number = 2, nan = NAN;
    dti_putting putting = {.dtype = DT_I64,
                           .ndim = 1,
                           .dims = {1},
                           .to = &most,
                           .step = 1,
                           .positions = here,
                           .position_strides = {1},
                           .from = &one};
    dti_put_elements(&putting, DTI_PUT_ADD);
    CHECK(most == INT64_MIN);
    putting.dtype = DT_F32;
    putting.to = &number;
    putting.from = &nan;
    dti_put_elements(&putting, DTI_PUT_MAX);
    CHECK(isnan(number));
    number = 2;
    putting.to = &nan;
    putting.from = &number;
    dti_put_elements(&putting, DTI_PUT_MIN);
    CHECK(isnan(nan));
}

static void divides_down(dt_world *world)
{
    (void)world;
    int64_t whole[] = {-7, 7, 5};
    float real[] = {-7, 7, 5};
    const int64_t counts[] = {2, 2, 0};
    dti_put_divide(DT_I64, whole, counts, 3);
    dti_put_divide(DT_F32, real, counts, 3);
    CHECK(whole[0] == -4 && whole[1] == 3 && whole[2] == 5);
    CHECK(real[0] == -3.5F && real[1] == 3.5F && real[2] == 5);
}

const dt_test dt_tests[] = {
    {"every dtype is put in every mode", puts_every_dtype},
    {"integers wrap around, and NaN wins", wraps_and_keeps_nan},
    {"means of integers are rounded down", divides_down},
    {NULL, NULL},
};
