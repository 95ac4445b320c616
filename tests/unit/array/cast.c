/* unit/array/cast.c - conversions against arithmetic that shares no code. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "array/cast.h"

/* The best level of this processor, asked for once: it is slow to tell. */
static int best_level(void)
{
    static int known = -1;
    if (known < 0)
        known = (int)dti_cpu_detect();
    return known;
}

/* A 16-bit format: how many bits the mantissa has, and the smallest exponent
 * of a normal number. */
typedef struct half_format {
    dt_dtype dtype;
    int mantissa;
    int smallest;
} half_format;

static const half_format formats[] = {{DT_F16, 10, -14}, {DT_BF16, 7, -126}};

/* The value of a bit pattern that is not NaN, from the definition. */
static double work_out(const half_format *format, unsigned bits)
{
    int fraction = (int)(bits & ((1u << format->mantissa) - 1));
    int exponent = (int)((bits & 0x7fff) >> format->mantissa);
    int top = 0x7fff >> format->mantissa;
    double sign = bits & 0x8000 ? -1 : 1;
    if (exponent == top)
        return sign * (double)INFINITY;
    if (exponent == 0)
        return sign * ldexp(fraction, format->smallest - format->mantissa);
    return sign * ldexp(fraction + (1 << format->mantissa),
                        exponent - 1 + format->smallest - format->mantissa);
}

/* The same, remembered: it is asked for millions of times. */
static double value_of(const half_format *format, unsigned bits)
{
    static double known[2][65536];
    double *values = known[format - formats];
    if (values[0x0001] == 0)
        for (unsigned i = 0; i < 65536; i++)
            values[i] = work_out(format, i);
    return values[bits];
}

static bool is_nan(const half_format *format, unsigned bits)
{
    return (bits & 0x7fff) > (0x7fffu >> format->mantissa << format->mantissa);
}

/* Find the nearest pattern by bisection over all; ties go to the even one.
 * Patterns of positive numbers are in the order of their values. */
static unsigned nearest(const half_format *format, double value)
{
    unsigned sign = signbit(value) ? 0x8000 : 0;
    double magnitude = fabs(value);
    unsigned infinity = 0x7fffu >> format->mantissa << format->mantissa;
    unsigned low = 0, high = infinity;
    while (high - low > 1) {
        unsigned middle = (low + high) / 2;
        if (value_of(format, middle) <= magnitude)
            low = middle;
        else
            high = middle;
    }
    if (isinf(magnitude))
        return infinity | sign;
    /* Beyond the largest number, rounding goes on as if there were another. */
    double above = high == infinity
                       ? 2 * value_of(format, low) - value_of(format, low - 1)
                       : value_of(format, high);
    double to_low = magnitude - value_of(format, low);
    double to_high = above - magnitude;
    unsigned found = to_low < to_high   ? low
                     : to_high < to_low ? high
                     : low % 2          ? high
                                        : low;
    return found | sign;
}

static void widens_every_pattern(dt_world *world)
{
    (void)world;
    for (int f = 0; f < 2; f++)
        for (int level = 0; level <= best_level(); level++) {
            const dti_cast_run run =
                dti_cast_runs_of((dti_cpu_level)level)[formats[f].dtype];
            static uint16_t in[65536];
            static float wide[65536];
            static double wider[65536];
            for (int i = 0; i < 65536; i++)
                in[i] = (uint16_t)i;
            run(in, wide, DT_F32, 65536);
            run(in, wider, DT_F64, 65536);
            for (unsigned i = 0; i < 65536; i++) {
                if (is_nan(&formats[f], i)) {
                    CHECK(isnan(wide[i]) && isnan(wider[i]));
                    continue;
                }
                double expected = value_of(&formats[f], i);
                CHECKF((double)wide[i] == expected && wider[i] == expected &&
                           !signbit(wide[i]) == !signbit(expected),
                       "%s pattern %04x gives %a",
                       dt_dtype_name(formats[f].dtype), i, (double)wide[i]);
            }
        }
}

/* Narrow a double at every level, also as a float if it is one. */
static void check_narrow(const half_format *format, double value)
{
    for (int level = 0; level <= best_level(); level++) {
        const dti_cast_run *runs = dti_cast_runs_of((dti_cpu_level)level);
        uint16_t found = 0;
        runs[DT_F64](&value, &found, format->dtype, 1);
        if (isnan(value)) {
            CHECK(is_nan(format, found));
        } else {
            unsigned expected = nearest(format, value);
            CHECKF(found == expected, "%a to %s gives %04x instead of %04x",
                   value, dt_dtype_name(format->dtype), found, expected);
        }
        float narrow = (float)value;
        if ((double)narrow == value) {
            uint16_t again = 0;
            runs[DT_F32](&narrow, &again, format->dtype, 1);
            CHECK_INT(again, found);
        }
    }
}

/* Each number, each middle between two, and what lies just beside them. */
static void rounds_to_every_pattern(dt_world *world)
{
    (void)world;
    for (int f = 0; f < 2; f++) {
        unsigned infinity = 0x7fffu >> formats[f].mantissa
                                           << formats[f].mantissa;
        for (unsigned i = 0; i < infinity; i++) {
            double value = value_of(&formats[f], i);
            double above = i + 1 == infinity
                               ? 2 * value - value_of(&formats[f], i - 1)
                               : value_of(&formats[f], i + 1);
            double middle = (value + above) / 2;
            check_narrow(&formats[f], i % 2 ? value : -value);
            check_narrow(&formats[f], middle);
            check_narrow(&formats[f], -nextafter(middle, 0));
            check_narrow(&formats[f], nextafter(middle, 1e300));
            /* As floats see it. */
            check_narrow(&formats[f], (double)nextafterf((float)middle, 0));
        }
    }
}

static void rounds_random_numbers(dt_world *world)
{
    (void)world;
    unsigned long long state = dt_test_seed();
    for (int f = 0; f < 2; f++) {
        for (int i = 0; i < 20000; i++) {
            uint64_t bits = dt_test_random(&state);
            double value;
            if (i % 2) /* exponents near those of the format */
                bits = (bits & ~(UINT64_C(0x7ff) << 52)) |
                       (1023 - 30 + (bits >> 52) % 50) << 52;
            memcpy(&value, &bits, sizeof value);
            check_narrow(&formats[f], value);
        }
        static const double special[] = {0,       -0.0,    1e300,    -1e300,
                                         5e-324,  1e-40,   65519.99, 65520,
                                         FLT_MAX, DBL_MAX, FLT_MIN};
        for (size_t i = 0; i < sizeof special / sizeof *special; i++)
            check_narrow(&formats[f], special[i]);
        check_narrow(&formats[f], (double)INFINITY);
        check_narrow(&formats[f], -(double)INFINITY);
        check_narrow(&formats[f], (double)NAN);
    }
}

static void keeps_every_nan(dt_world *world)
{
    (void)world;
    for (uint32_t bits = 0x7f800001; bits < 0x80000000u; bits += 4093) {
        float nan;
        uint16_t half = 0, brain = 0;
        double wide = 0;
        memcpy(&nan, &bits, sizeof nan);
        dti_cast(&nan, DT_F32, &half, DT_F16, 1);
        dti_cast(&nan, DT_F32, &brain, DT_BF16, 1);
        dti_cast(&nan, DT_F32, &wide, DT_F64, 1);
        CHECK(is_nan(&formats[0], half) && is_nan(&formats[1], brain) &&
              isnan(wide));
    }
}

/* Integers of 64 bits have more digits than a double. */
static void rounds_integers_once(dt_world *world)
{
    (void)world;
    static const struct {
        int64_t value;
        uint16_t bf16;
        float f32;
    } rows[] = {
        {(INT64_C(1) << 62) + (INT64_C(1) << 54), 0x5e80, 0x1.01p62f},
        {(INT64_C(1) << 62) + (INT64_C(1) << 54) + 1, 0x5e81, 0x1.01p62f},
        {(INT64_C(1) << 62) + (INT64_C(3) << 54) - 1, 0x5e81, 0x1.03p62f},
        {INT64_MAX, 0x5f00, 0x1p63f},
        {INT64_MIN, 0xdf00, -0x1p63f},
        {-1, 0xbf80, -1},
        {257, 0x4380, 257},
        {259, 0x4382, 259},
        {0, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint16_t bf16 = 1;
        float f32 = 1;
        dti_cast(&rows[i].value, DT_I64, &bf16, DT_BF16, 1);
        dti_cast(&rows[i].value, DT_I64, &f32, DT_F32, 1);
        CHECKF(bf16 == rows[i].bf16, "%lld gives %04x",
               (long long)rows[i].value, bf16);
        CHECK(f32 == rows[i].f32);
    }
    for (int64_t value = -70000; value < 70000; value++) {
        uint16_t f16 = 0;
        dti_cast(&value, DT_I64, &f16, DT_F16, 1);
        CHECK_INT(f16, nearest(&formats[0], (double)value));
    }
}

/* Integers around powers of two, which few floats hold, among small ones:
 * whole blocks of these go another way. */
static void fill_integers(int64_t *values, int count, unsigned long long *state)
{
    for (int i = 0; i < count; i++) {
        const uint64_t random = dt_test_random(state);
        const int64_t power = (int64_t)(UINT64_C(1) << (random >> 32) % 64);
        const int64_t beside =
            (int64_t)((uint64_t)power + (uint64_t)(random % 7) - 3);
        const int64_t small = (int64_t)(random % 2000) - 1000;
        const bool far = i / 300 % 2 == 1 && random % 3 == 0;
        values[i] = !far ? small : random & 64 ? beside : (int64_t)random;
    }
    values[count - 1] = INT64_MIN;
    values[count - 2] = INT64_MAX;
}

static void rounds_runs_of_integers(dt_world *world)
{
    (void)world;
    enum { count = 1300 };
    unsigned long long state = dt_test_seed();
    int64_t values[count];
    int32_t shorter[count];
    float f32[count];
    double f64[count];
    uint16_t halves[2][count], of_shorter[2][count];
    fill_integers(values, count, &state);
    for (int level = 0; level <= best_level(); level++) {
        const dti_cast_run *runs = dti_cast_runs_of((dti_cpu_level)level);
        runs[DT_I64](values, shorter, DT_I32, count);
        runs[DT_I64](values, f32, DT_F32, count);
        runs[DT_I64](values, f64, DT_F64, count);
        for (int f = 0; f < 2; f++) {
            runs[DT_I64](values, halves[f], formats[f].dtype, count);
            runs[DT_I32](shorter, of_shorter[f], formats[f].dtype, count);
        }
        for (int i = 0; i < count; i++) {
            const volatile int64_t value = values[i];
            const bool exact = value > -(INT64_C(1) << 53) && value < 1LL << 53;
            CHECKF(f32[i] == (float)value && f64[i] == (double)value,
                   "%lld gives %a and %a", (long long)value, (double)f32[i],
                   f64[i]);
            for (int f = 0; f < 2; f++) {
                CHECK_INT(of_shorter[f][i],
                          nearest(&formats[f], (double)shorter[i]));
                if (exact)
                    CHECK_INT(halves[f][i],
                              nearest(&formats[f], (double)value));
            }
        }
    }
}

static void saturates(dt_world *world)
{
    (void)world;
    static const struct {
        double value;
        int64_t i8, i16, i32, i64, u8;
    } rows[] = {
        {1.9, 1, 1, 1, 1, 1},
        {-1.9, -1, -1, -1, -1, 0},
        {-0.5, 0, 0, 0, 0, 0},
        {127.9, 127, 127, 127, 127, 127},
        {128, 127, 128, 128, 128, 128},
        {255.99, 127, 255, 255, 255, 255},
        {256, 127, 256, 256, 256, 255},
        {-129, -128, -129, -129, -129, 0},
        {1e10, 127, INT16_MAX, INT32_MAX, 10000000000, 255},
        {1e30, 127, INT16_MAX, INT32_MAX, INT64_MAX, 255},
        {-1e30, -128, INT16_MIN, INT32_MIN, INT64_MIN, 0},
        {0x1p63, 127, INT16_MAX, INT32_MAX, INT64_MAX, 255},
        {0x1.fffffffffffffp62, 127, INT16_MAX, INT32_MAX,
         INT64_C(0x7ffffffffffffc00), 255},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int8_t i8;
        int16_t i16;
        int32_t i32;
        int64_t i64;
        uint8_t u8;
        dti_cast(&rows[i].value, DT_F64, &i8, DT_I8, 1);
        dti_cast(&rows[i].value, DT_F64, &i16, DT_I16, 1);
        dti_cast(&rows[i].value, DT_F64, &i32, DT_I32, 1);
        dti_cast(&rows[i].value, DT_F64, &i64, DT_I64, 1);
        dti_cast(&rows[i].value, DT_F64, &u8, DT_U8, 1);
        CHECK_INT(i8, rows[i].i8);
        CHECK_INT(i16, rows[i].i16);
        CHECK_INT(i32, rows[i].i32);
        CHECK_INT(i64, rows[i].i64);
        CHECK_INT(u8, rows[i].u8);
    }
    float nan = NAN, infinite = INFINITY;
    int64_t from_nan = 1, from_infinite = 1;
    dti_cast(&nan, DT_F32, &from_nan, DT_I64, 1);
    dti_cast(&infinite, DT_F32, &from_infinite, DT_I64, 1);
    CHECK_INT(from_nan, 0);
    CHECK_INT(from_infinite, INT64_MAX);
}

static void converts_bool_and_complex(dt_world *world)
{
    (void)world;
    static const double reals[] = {0, -0.0, 5e-324, 3};
    const dti_c64 complex[] = {{0, 0}, {0, 2}, {3, 0}, {-1.5f, 4}};
    uint8_t truth[4] = {9, 9, 9, 9};
    dti_cast(reals, DT_F64, truth, DT_BOOL, 4);
    CHECK(truth[0] == 0 && truth[1] == 0 && truth[2] == 1 && truth[3] == 1);
    dti_cast(complex, DT_C64, truth, DT_BOOL, 4);
    CHECK(truth[0] == 0 && truth[1] == 1 && truth[2] == 1 && truth[3] == 1);
    int32_t whole[4];
    dti_cast(complex, DT_C64, whole, DT_I32, 4);
    CHECK_INT(whole[3], -1);
    dti_c64 back[4];
    dti_cast(truth, DT_BOOL, back, DT_C64, 4);
    CHECK(back[1].real == 1 && back[1].imaginary == 0);
    int64_t wide = 0x1234567f80;
    int8_t low = 0;
    dti_cast(&wide, DT_I64, &low, DT_I8, 1);
    CHECK_INT(low, -128);
}

/* Small whole numbers survive every pair of dtypes, at every level and in runs
 * of every length. */
static void converts_every_pair(dt_world *world)
{
    (void)world;
    enum { count = 67 };
    double wide[count], back[count];
    _Alignas(8) char a[count * 8], b[count * 8];
    for (int i = 0; i < count; i++)
        wide[i] = i;
    for (int level = 0; level <= best_level(); level++) {
        const dti_cast_run *runs = dti_cast_runs_of((dti_cpu_level)level);
        for (int from = 0; from < DT_DTYPE_COUNT; from++)
            for (int to = 0; to < DT_DTYPE_COUNT; to++) {
                bool truth = from == DT_BOOL || to == DT_BOOL;
                runs[DT_F64](wide, a, (dt_dtype)from, count);
                runs[from](a, b, (dt_dtype)to, count);
                runs[to](b, back, DT_F64, count);
                for (int i = 0; i < count; i++)
                    CHECKF(back[i] == (truth ? i != 0 : i),
                           "%d from %s to %s gives %g", i,
                           dt_dtype_name((dt_dtype)from),
                           dt_dtype_name((dt_dtype)to), back[i]);
            }
    }
}

/* Any bits, in runs and one at a time, at every level. */
static void converts_runs_as_single_elements(dt_world *world)
{
    (void)world;
    enum { count = 1037 };
    unsigned long long state = dt_test_seed();
    static _Alignas(8) char in[count * 8], out[count * 8], single[count * 8];
    for (int from = 0; from < DT_DTYPE_COUNT; from++) {
        const size_t size = dt_dtype_size((dt_dtype)from);
        for (size_t i = 0; i < count; i++) {
            const uint64_t bits = dt_test_random(&state);
            const int64_t small = (int64_t)(bits % 999);
            if (i / 256 % 2 && i % 5)
                dti_cast(&small, DT_I64, in + i * size, (dt_dtype)from, 1);
            else
                memcpy(in + i * size, &bits, size);
        }
        for (int to = 0; to < DT_DTYPE_COUNT; to++)
            for (int level = 0; level <= best_level(); level++) {
                const size_t wide = dt_dtype_size((dt_dtype)to);
                for (size_t i = 0; i < count; i++)
                    dti_cast_runs_portable[from](
                        in + i * size, single + i * wide, (dt_dtype)to, 1);
                dti_cast_runs_of((dti_cpu_level)level)[from](
                    in, out, (dt_dtype)to, count);
                CHECKF(memcmp(out, single, count * wide) == 0,
                       "%s to %s at level %d", dt_dtype_name((dt_dtype)from),
                       dt_dtype_name((dt_dtype)to), level);
            }
    }
}

static void casts_strided_arrays(dt_world *world)
{
    unsigned long long state = dt_test_seed();
    for (int round = 0; round < 200; round++) {
        int64_t rows = 1 + (int64_t)(dt_test_random(&state) % 6);
        int64_t columns = 1 + (int64_t)(dt_test_random(&state) % 700);
        dt_array *array = NULL, *part = NULL, *turned = NULL, *cast = NULL;
        CHECK_OK(world, dt_array_create(world, DT_I32, DT_SHAPE(columns, rows),
                                        &array));
        int32_t *data = dt_array_data(array);
        for (int64_t i = 0; i < rows * columns; i++)
            data[i] = (int32_t)i;
        int64_t step = 1 + (int64_t)(dt_test_random(&state) % 3);
        CHECK_OK(world,
                 dt_array_slice(world, array, 0, 0, columns, step, &part));
        CHECK_OK(world,
                 dt_array_permute(world, part, (const int[]){1, 0}, &turned));
        CHECK_OK(world, dt_array_cast(world, turned, DT_F64, &cast));
        const double *found = dt_array_const_data(cast);
        int64_t wide = dt_array_extent(turned, 1);
        bool right = true;
        for (int64_t i = 0; i < rows; i++)
            for (int64_t j = 0; j < wide; j++)
                right &= found[i * wide + j] == (double)(j * step * rows + i);
        CHECK(right);
        /* And back into strided memory. */
        CHECK_OK(world, dt_array_fill_int(world, array, -1));
        CHECK_OK(world, dt_array_copy(world, cast, turned));
        for (int64_t i = 0; i < rows * columns; i++)
            right &= data[i] == (i / rows % step ? -1 : (int32_t)i);
        CHECK(right);
        dt_array_release(cast);
        dt_array_release(turned);
        dt_array_release(part);
        dt_array_release(array);
    }
}

static void fills(dt_world *world)
{
    dt_array *array = NULL, *column = NULL;
    CHECK_OK(world, dt_array_create(world, DT_F16, DT_SHAPE(300, 5), &array));
    CHECK_OK(world, dt_array_fill(world, array, 0.1));
    const uint16_t *data = dt_array_const_data(array);
    for (int i = 0; i < 1500; i++)
        CHECK_INT(data[i], 0x2e66);
    CHECK_OK(world, dt_array_select(world, array, 1, 2, &column));
    CHECK_OK(world, dt_array_fill(world, column, -2));
    for (int i = 0; i < 1500; i++)
        CHECK_INT(data[i], i % 5 == 2 ? 0xc000 : 0x2e66);
    dt_array_release(column);
    dt_array_release(array);
    CHECK_OK(world, dt_array_create(world, DT_I64, DT_SHAPE(), &array));
    CHECK_OK(world, dt_array_fill_int(world, array, INT64_MAX - 1));
    CHECK(*(int64_t *)dt_array_data(array) == INT64_MAX - 1);
    dt_array_release(array);
    CHECK_OK(world, dt_array_create(world, DT_I64, DT_SHAPE(0), &array));
    CHECK_OK(world, dt_array_fill(world, array, 1));
    dt_array_release(array);
}

static void compares(dt_world *world)
{
    dt_array *a = NULL, *b = NULL, *c = NULL;
    CHECK_OK(world, dt_array_create(world, DT_F32, DT_SHAPE(2000), &a));
    CHECK_OK(world, dt_array_create(world, DT_F32, DT_SHAPE(2000), &b));
    CHECK_OK(world, dt_array_fill(world, a, 0));
    CHECK_OK(world, dt_array_fill(world, b, -0.0));
    CHECK(dt_array_equal(a, b));
    float *data = dt_array_data(b);
    data[1999] = 1e-40f;
    CHECK(!dt_array_equal(a, b));
    data[1999] = NAN;
    CHECK(!dt_array_equal(b, b));
    CHECK_OK(world, dt_array_reshape(world, a, DT_SHAPE(2, 1000), &c));
    CHECK(!dt_array_equal(a, c));
    dt_array_release(c);
    CHECK_OK(world, dt_array_cast(world, a, DT_F64, &c));
    CHECK(!dt_array_equal(a, c));
    dt_array_release(c);
    dt_array_release(b);
    CHECK_OK(world, dt_array_create(world, DT_I64, DT_SHAPE(2), &b));
    CHECK_OK(world, dt_array_create(world, DT_I64, DT_SHAPE(2), &c));
    CHECK_OK(world, dt_array_fill_int(world, b, INT64_MAX));
    CHECK_OK(world, dt_array_fill_int(world, c, INT64_MAX - 1));
    CHECK(!dt_array_equal(b, c));
    CHECK(dt_array_equal(b, b));
    dt_array_release(c);
    dt_array_release(b);
    dt_array_release(a);
}

const dt_test dt_tests[] = {
    {"widens every pattern", widens_every_pattern},
    {"rounds to every pattern", rounds_to_every_pattern},
    {"rounds random numbers", rounds_random_numbers},
    {"keeps every nan", keeps_every_nan},
    {"rounds integers once", rounds_integers_once},
    {"rounds runs of integers", rounds_runs_of_integers},
    {"saturates", saturates},
    {"converts bool and complex", converts_bool_and_complex},
    {"converts every pair", converts_every_pair},
    {"converts runs as single elements", converts_runs_as_single_elements},
    {"casts strided arrays", casts_strided_arrays},
    {"fills", fills},
    {"compares", compares},
    {NULL, NULL},
};
