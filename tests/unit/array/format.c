/* unit/array/format.c - arrays as text, against what NumPy 2.4 printed. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Values, part by part for complex numbers, and str() of them. */
typedef struct golden_row {
    dt_dtype dtype;
    dt_shape shape;
    double values[8];
    const char *text;
} golden_row;

/* clang-format off */
static const golden_row golden_rows[] = {
    {DT_F32, {0, {0}}, {1.5},
     "1.5"},
    {DT_F64, {0, {0}}, {1e+16},
     "1e+16"},
    {DT_F32, {0, {0}}, {1000000.0},
     "1e+06"},
    {DT_F64, {0, {0}}, {-0.0},
     "-0.0"},
    {DT_F16, {0, {0}}, {1000.0},
     "1e+03"},
    {DT_F32, {0, {0}}, {9.999999747378752e-05},
     "1e-04"},
    {DT_BOOL, {0, {0}}, {1.0},
     "True"},
    {DT_I64, {0, {0}}, {-7.0},
     "-7"},
    {DT_F64, {0, {0}}, {NAN},
     "nan"},
    {DT_F64, {0, {0}}, {0.1},
     "0.1"},
    {DT_F32, {1, {3}}, {1.0, 2.0, 3.0},
     "[1. 2. 3.]"},
    {DT_F32, {1, {3}}, {0.10000000149011612, 0.25, 100.0},
     "[  0.1    0.25 100.  ]"},
    {DT_F32, {1, {2}}, {9.999999747378752e-06, 1.2345678442216013e-05},
     "[9.9999997e-06 1.2345678e-05]"},
    {DT_F64, {1, {2}}, {1e-05, 1.2345678e-05},
     "[1.0000000e-05 1.2345678e-05]"},
    {DT_F64, {1, {3}}, {0.3333333333333333, 0.6666666666666666, 333.3333333333333},
     "[  0.33333333   0.66666667 333.33333333]"},
    {DT_F64, {1, {2}}, {100000000.0, 1.0},
     "[1.e+08 1.e+00]"},
    {DT_F64, {1, {2}}, {99999999.0, 100000.0},
     "[99999999.   100000.]"},
    {DT_F64, {1, {3}}, {0.0, 0.0, 0.0},
     "[0. 0. 0.]"},
    {DT_F64, {1, {3}}, {0.0, -0.0, 1e-300},
     "[ 0.e+000 -0.e+000  1.e-300]"},
    {DT_F32, {1, {4}}, {NAN, INFINITY, -INFINITY, 1.0},
     "[ nan  inf -inf   1.]"},
    {DT_F32, {1, {2}}, {NAN, INFINITY},
     "[nan inf]"},
    {DT_F32, {1, {2}}, {NAN, -INFINITY},
     "[ nan -inf]"},
    {DT_F32, {1, {3}}, {NAN, 10000000000.0, -INFINITY},
     "[   nan 1.e+10   -inf]"},
    {DT_F32, {1, {2}}, {1.5474250491067253e+26, 1.262177448353619e-29},
     "[1.5474251e+26 1.2621775e-29]"},
    {DT_F16, {1, {3}}, {0.0999755859375, 6.097555160522461e-05, 1.0},
     "[1.0e-01 6.1e-05 1.0e+00]"},
    {DT_F16, {1, {2}}, {999.0, 1.0},
     "[999.   1.]"},
    {DT_F16, {1, {3}}, {0.0999755859375, 0.199951171875, 0.300048828125},
     "[0.1 0.2 0.3]"},
    {DT_F32, {1, {3}}, {0.0010000000474974513, 1.0, 0.5},
     "[0.001 1.    0.5  ]"},
    {DT_F32, {1, {2}}, {999999.0, 1000.0},
     "[999999.   1000.]"},
    {DT_F64, {2, {2, 2}}, {-1.5, 2.0, 3.25, -400.0},
     "[[  -1.5     2.  ]\n"
     " [   3.25 -400.  ]]"},
    {DT_I32, {2, {2, 3}}, {1.0, -20.0, 3.0, 400.0, 5.0, 6.0},
     "[[  1 -20   3]\n"
     " [400   5   6]]"},
    {DT_U8, {1, {2}}, {0.0, 255.0},
     "[  0 255]"},
    {DT_I64, {1, {2}}, {-0x1p63, 0x1p63},
     "[-9223372036854775808  9223372036854775807]"},
    {DT_BOOL, {2, {2, 2}}, {1.0, 0.0, 0.0, 1.0},
     "[[ True False]\n"
     " [False  True]]"},
    {DT_C64, {1, {2}}, {1.0, 2.0, -1.5, -0.25},
     "[ 1. +2.j   -1.5-0.25j]"},
    {DT_C64, {1, {2}}, {NAN, INFINITY, 10000000000.0, -1.0},
     "[   nan+infj 1.e+10 -1.j]"},
    {DT_C64, {0, {0}}, {1.0, 2.0},
     "(1+2j)"},
    {DT_C64, {0, {0}}, {0.0, 1.5},
     "1.5j"},
    {DT_C64, {0, {0}}, {-0.0, 1.0},
     "(-0+1j)"},
    {DT_C64, {0, {0}}, {NAN, -INFINITY},
     "(nan-infj)"},
    {DT_F32, {1, {0}}, {0},
     "[]"},
    {DT_F32, {3, {2, 0, 3}}, {0},
     "[]"},
    {DT_F32, {3, {1, 1, 1}}, {5.0},
     "[[[5.]]]"},
    {DT_F64, {1, {1}}, {123456.789},
     "[123456.789]"},
};
/* clang-format on */

/* Numbers 0, step, 2 step, ... and str() of them. */
typedef struct range_row {
    dt_dtype dtype;
    dt_shape shape;
    double step;
    const char *text;
} range_row;

/* clang-format off */
static const range_row range_rows[] = {
    {DT_I32, {1, {1001}}, 1,
     "[   0    1    2 ...  998  999 1000]"},
    {DT_I64, {2, {40, 30}}, 1,
     "[[   0    1    2 ...   27   28   29]\n"
     " [  30   31   32 ...   57   58   59]\n"
     " [  60   61   62 ...   87   88   89]\n"
     " ...\n"
     " [1110 1111 1112 ... 1137 1138 1139]\n"
     " [1140 1141 1142 ... 1167 1168 1169]\n"
     " [1170 1171 1172 ... 1197 1198 1199]]"},
    {DT_I32, {1, {30}}, 1,
     "[ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23\n"
     " 24 25 26 27 28 29]"},
    {DT_F32, {3, {2, 2, 2}}, 0.25,
     "[[[0.   0.25]\n"
     "  [0.5  0.75]]\n"
     "\n"
     " [[1.   1.25]\n"
     "  [1.5  1.75]]]"},
    {DT_F32, {2, {3, 25}}, 0.25,
     "[[ 0.    0.25  0.5   0.75  1.    1.25  1.5   1.75  2.    2.25  2.5   2.75\n"
     "   3.    3.25  3.5   3.75  4.    4.25  4.5   4.75  5.    5.25  5.5   5.75\n"
     "   6.  ]\n"
     " [ 6.25  6.5   6.75  7.    7.25  7.5   7.75  8.    8.25  8.5   8.75  9.\n"
     "   9.25  9.5   9.75 10.   10.25 10.5  10.75 11.   11.25 11.5  11.75 12.\n"
     "  12.25]\n"
     " [12.5  12.75 13.   13.25 13.5  13.75 14.   14.25 14.5  14.75 15.   15.25\n"
     "  15.5  15.75 16.   16.25 16.5  16.75 17.   17.25 17.5  17.75 18.   18.25\n"
     "  18.5 ]]"},
    {DT_F32, {3, {2, 8, 70}}, 0.25,
     "[[[0.0000e+00 2.5000e-01 5.0000e-01 ... 1.6750e+01 1.7000e+01 1.7250e+01]\n"
     "  [1.7500e+01 1.7750e+01 1.8000e+01 ... 3.4250e+01 3.4500e+01 3.4750e+01]\n"
     "  [3.5000e+01 3.5250e+01 3.5500e+01 ... 5.1750e+01 5.2000e+01 5.2250e+01]\n"
     "  ...\n"
     "  [8.7500e+01 8.7750e+01 8.8000e+01 ... 1.0425e+02 1.0450e+02 1.0475e+02]\n"
     "  [1.0500e+02 1.0525e+02 1.0550e+02 ... 1.2175e+02 1.2200e+02 1.2225e+02]\n"
     "  [1.2250e+02 1.2275e+02 1.2300e+02 ... 1.3925e+02 1.3950e+02 1.3975e+02]]\n"
     "\n"
     " [[1.4000e+02 1.4025e+02 1.4050e+02 ... 1.5675e+02 1.5700e+02 1.5725e+02]\n"
     "  [1.5750e+02 1.5775e+02 1.5800e+02 ... 1.7425e+02 1.7450e+02 1.7475e+02]\n"
     "  [1.7500e+02 1.7525e+02 1.7550e+02 ... 1.9175e+02 1.9200e+02 1.9225e+02]\n"
     "  ...\n"
     "  [2.2750e+02 2.2775e+02 2.2800e+02 ... 2.4425e+02 2.4450e+02 2.4475e+02]\n"
     "  [2.4500e+02 2.4525e+02 2.4550e+02 ... 2.6175e+02 2.6200e+02 2.6225e+02]\n"
     "  [2.6250e+02 2.6275e+02 2.6300e+02 ... 2.7925e+02 2.7950e+02 2.7975e+02]]]"},
    {DT_F32, {4, {2, 1, 2, 2}}, 0.25,
     "[[[[0.   0.25]\n"
     "   [0.5  0.75]]]\n"
     "\n"
     "\n"
     " [[[1.   1.25]\n"
     "   [1.5  1.75]]]]"},
    {DT_BOOL, {1, {20}}, 1,
     "[False  True  True  True  True  True  True  True  True  True  True  True\n"
     "  True  True  True  True  True  True  True  True]"},
};
/* clang-format on */

static void check_text(const dt_array *array, const char *expected)
{
    size_t length = dt_array_format(array, NULL, 0);
    char *text = malloc(length + 1);
    CHECK_INT((long long)dt_array_format(array, text, length + 1),
              (long long)length);
    CHECK_TEXT(text, expected);
    free(text);
}

/* Make an array from doubles; pairs of them if it is complex. */
static dt_array *make_array(dt_world *world, dt_dtype dtype, dt_shape shape,
                            double *values)
{
    dt_dtype part = dtype;
    if (dtype == DT_C64) {
        part = DT_F32;
        shape.dims[shape.ndim++] = 2;
    }
    dt_wrap_options options = DT_WRAP_OPTIONS_INIT;
    options.data = values;
    options.dtype = DT_F64;
    options.shape = shape;
    dt_array *wide = NULL, *array = NULL;
    CHECK_OK(world, dt_array_wrap(world, &options, &wide));
    CHECK_OK(world, dt_array_cast(world, wide, part, &array));
    dt_array_release(wide);
    if (dtype != DT_C64)
        return array;
    dt_array *complex = NULL;
    shape.ndim--;
    CHECK_OK(world, dt_array_create(world, DT_C64, shape, &complex));
    memcpy(dt_array_data(complex), dt_array_data(array), dt_array_bytes(array));
    dt_array_release(array);
    return complex;
}

static void prints_as_numpy(dt_world *world)
{
    for (size_t i = 0; i < sizeof golden_rows / sizeof *golden_rows; i++) {
        golden_row row = golden_rows[i];
        dt_array *array = make_array(world, row.dtype, row.shape, row.values);
        check_text(array, row.text);
        dt_array_release(array);
    }
}

static void summarises_as_numpy(dt_world *world)
{
    for (size_t i = 0; i < sizeof range_rows / sizeof *range_rows; i++) {
        const range_row *row = &range_rows[i];
        int64_t count = dt_shape_count(row->shape);
        double *values = malloc((size_t)count * sizeof *values);
        for (int64_t k = 0; k < count; k++)
            values[k] = (double)k * row->step;
        dt_array *array = make_array(world, row->dtype, row->shape, values);
        check_text(array, row->text);
        dt_array_release(array);
        free(values);
    }
}

/* NumPy has no bf16; it prints as a float with so many digits would. */
static void prints_bf16(dt_world *world)
{
    double values[] = {0.1, 1.5, 3.140625, -2};
    dt_array *array = make_array(world, DT_BF16, DT_SHAPE(4), values);
    check_text(array, "[ 0.1   1.5   3.14 -2.  ]");
    dt_array_release(array);
}

static void prints_views(dt_world *world)
{
    double values[] = {1, 2, 3, 4, 5, 6};
    dt_array *array = make_array(world, DT_I32, DT_SHAPE(2, 3), values);
    dt_array *turned = NULL, *column = NULL, *meta = NULL;
    CHECK_OK(world,
             dt_array_permute(world, array, (const int[]){1, 0}, &turned));
    check_text(turned, "[[1 4]\n [2 5]\n [3 6]]");
    CHECK_OK(world, dt_array_select(world, array, 1, 1, &column));
    check_text(column, "[2 5]");
    CHECK_OK(world, dt_array_create_meta(world, DT_F16, DT_SHAPE(2, 3), &meta));
    check_text(meta, "<meta f16 (2, 3)>");
    dt_array_release(meta);
    dt_array_release(column);
    dt_array_release(turned);
    dt_array_release(array);
}

static void cuts_text_to_the_buffer(dt_world *world)
{
    double values[] = {1, 2, 3};
    dt_array *array = make_array(world, DT_I32, DT_SHAPE(3), values);
    char text[] = "xxxxxxxx";
    CHECK_INT((long long)dt_array_format(array, text, 4), 7);
    CHECK_TEXT(text, "[1 ");
    CHECK(text[4] == 'x');
    CHECK_INT((long long)dt_array_format(array, text, 1), 7);
    CHECK_TEXT(text, "");
    CHECK_INT((long long)dt_array_format(array, text, 8), 7);
    CHECK_TEXT(text, "[1 2 3]");
    dt_array_release(array);
}

/* A program may have asked for a decimal comma. */
static void does_not_follow_the_locale(dt_world *world)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (setlocale(LC_NUMERIC, names[i]))
            break;
    double values[] = {0.1, 2.5, 1e10};
    dt_array *array = make_array(world, DT_F32, DT_SHAPE(2), values);
    check_text(array, "[0.1 2.5]");
    dt_array_release(array);
    array = make_array(world, DT_F64, DT_SHAPE(3), values);
    check_text(array, "[1.0e-01 2.5e+00 1.0e+10]");
    dt_array_release(array);
    setlocale(LC_NUMERIC, "C");
}

const dt_test dt_tests[] = {
    {"prints as numpy", prints_as_numpy},
    {"summarises as numpy", summarises_as_numpy},
    {"prints bf16", prints_bf16},
    {"prints views", prints_views},
    {"cuts text to the buffer", cuts_text_to_the_buffer},
    {"does not follow the locale", does_not_follow_the_locale},
    {NULL, NULL},
};
