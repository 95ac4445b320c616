/* tests/unit/kernel/index/put.c - elements put to positions, in every mode and
 * dtype. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "array/cast.h"
#include "kernel/index/put.h"
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

enum { PLACES = 4096, MOST = 4 };

/* Put by the definition, one element after another. */
static void put_slowly(const dti_putting *of, float *to, bool adds)
{
    const float *from = of->from;
    int64_t count = 1;
    for (int i = 0; i < of->ndim; i++)
        count *= of->dims[i];
    for (int64_t number = 0; number < count; number++) {
        int64_t at = 0, source = 0, which = 0, left = number;
        for (int i = of->ndim - 1; i >= 0; i--) {
            const int64_t index = left % of->dims[i];
            left /= of->dims[i];
            at += index * of->strides[i];
            source += index * of->from_strides[i];
            which += index * of->position_strides[i];
        }
        if (of->positions[which] < 0)
            continue;
        at += of->positions[which] * of->step;
        to[at] = adds ? to[at] + from[source] : from[source];
    }
}

/* Shapes of 0 to 4 dimensions, some of one index; positions that many share;
 * elements side by side, apart and repeated.  Sums depend on their order. */
static void puts_by_definition(dt_world *world)
{
    (void)world;
    unsigned long long state = dt_test_seed();
    static float to[PLACES], want[PLACES], from[PLACES];
    static int64_t places[PLACES];
    for (int round = 0; round < 600; round++) {
        dti_putting of = {.dtype = DT_F32,
                          .ndim = (int)(dt_test_random(&state) % (MOST + 1)),
                          .to = to,
                          .step = 1 + (int64_t)(dt_test_random(&state) % 3),
                          .positions = places,
                          .from = from};
        int64_t dense = 1, own = 1;
        for (int i = of.ndim - 1; i >= 0; i--) {
            const unsigned long long drawn = dt_test_random(&state);
            const bool shares = drawn % 2;
            of.dims[i] = drawn % 3 == 0 ? 1 : (int64_t)(drawn >> 8) % 6;
            of.strides[i] =
                drawn >> 16 & 1 ? dense : (int64_t)(drawn >> 17) % 4;
            of.from_strides[i] = drawn >> 20 & 3 ? dense : 0;
            of.position_strides[i] = shares ? 0 : own;
            dense *= of.dims[i] ? of.dims[i] : 1;
            own *= shares || of.dims[i] == 0 ? 1 : of.dims[i];
        }
        for (int i = 0; i < PLACES; i++) {
            const unsigned long long drawn = dt_test_random(&state);
            from[i] = ldexpf((float)(drawn >> 40), (int)(drawn % 30) - 15);
            to[i] = want[i] = (float)i;
            places[i] = (int64_t)(drawn >> 8) % 9 - (round % 2);
        }
        put_slowly(&of, want, round % 4 < 2);
        dti_put_elements(&of, round % 4 < 2 ? DTI_PUT_ADD : DTI_PUT_SET);
        CHECKF(memcmp(to, want, sizeof to) == 0, "round %d", round);
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
    {"elements come one after another", puts_by_definition},
    {"integers wrap around, and NaN wins", wraps_and_keeps_nan},
    {"means of integers are rounded down", divides_down},
    {NULL, NULL},
};
