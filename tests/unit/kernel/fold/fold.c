/* tests/unit/kernel/fold/fold.c - reductions of dimensions against plain loops.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/fold/fold.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "unit/kernel/fold/values.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

enum { MOST = 10000 };

/* ---- What is expected ---------------------------------------------------- */

static double nothing_of(dti_fold_kind kind, dt_dtype dtype)
{
    const bool real = dt_dtype_kind_of(dtype) == DT_KIND_FLOAT;
    const double bits = 8.0 * (double)dt_dtype_size(dtype);
    switch (kind) {
    case DTI_FOLD_PRODUCT:
    case DTI_FOLD_ALL:
        return 1;
    case DTI_FOLD_MAX:
        if (dtype == DT_U8 || dtype == DT_BOOL)
            return 0;
        return real ? -(double)INFINITY : -ldexp(1, (int)bits - 1);
    case DTI_FOLD_MIN:
        if (dtype == DT_BOOL)
            return 1;
        if (dtype == DT_U8)
            return 255;
        return real ? (double)INFINITY : ldexp(1, (int)bits - 1) - 1;
    case DTI_FOLD_ABS_MIN:
        return (double)INFINITY;
    default:
        return 0;
    }
}

static double combine(dti_fold_kind kind, double power, double sum, double x)
{
    switch (kind) {
    case DTI_FOLD_SUM:
        return sum + x;
    case DTI_FOLD_NUMBER_SUM:
        return isnan(x) ? sum : sum + x;
    case DTI_FOLD_PRODUCT:
        return sum * x;
    case DTI_FOLD_ABS_MAX:
        x = fabs(x);
        /* fall through */
    case DTI_FOLD_MAX:
        return x > sum || isnan(x) ? x : sum;
    case DTI_FOLD_ABS_MIN:
        x = fabs(x);
        /* fall through */
    case DTI_FOLD_MIN:
        return x < sum || isnan(x) ? x : sum;
    case DTI_FOLD_ALL:
        return sum != 0 && x != 0;
    case DTI_FOLD_ANY:
        return sum != 0 || x != 0;
    case DTI_FOLD_NONZERO:
        return sum + (x != 0);
    case DTI_FOLD_ABS_SUM:
        return sum + fabs(x);
    case DTI_FOLD_SQUARE_SUM:
        return sum + x * x;
    default:
        return sum + pow(fabs(x), power);
    }
}

/* Reduce by plain loops; gives how many results there are. */
static int64_t expect(const dti_fold *fold, const dt_array *in, unsigned dims,
                      double *out)
{
    const dt_shape shape = dt_array_shape(in);
    int64_t index[DT_MAX_NDIM] = {0}, strides[DT_MAX_NDIM], count = 1;
    for (int d = shape.ndim - 1; d >= 0; d--) {
        strides[d] = dims >> d & 1 ? 0 : count;
        count *= dims >> d & 1 ? 1 : shape.dims[d];
    }
    for (int64_t i = 0; i < count; i++)
        out[i] = nothing_of(fold->kind, dt_array_dtype(in));
    if (dt_array_count(in) > 0)
        do {
            int64_t at = 0;
            for (int d = 0; d < shape.ndim; d++)
                at += index[d] * strides[d];
            out[at] =
                combine(fold->kind, fold->power, out[at], element(in, index));
        } while (next_index(index, shape));
    for (int64_t i = 0; fold->divides && i < count; i++)
        out[i] /= fold->divisor;
    return count;
}

/* ---- Every kind, dtype, shape and way to lie ----------------------------- */

static bool is_close(double value, double wanted, dt_dtype dtype)
{
    const double unit = dtype == DT_F64    ? DBL_EPSILON
                        : dtype == DT_F16  ? 0x1p-10
                        : dtype == DT_BF16 ? 0x1p-7
                                           : (double)FLT_EPSILON;
    if (isnan(wanted) || isinf(wanted))
        return isnan(wanted) ? (bool)isnan(value) : value == wanted;
    return fabs(value - wanted) <= 4 * unit * fabs(wanted);
}

static void check_fold(const dti_fold *fold, const dt_array *in, unsigned dims,
                       int way)
{
    static const char *const names[] = {"portable", "avx2", "avx512"};
    const dt_dtype dtype = dt_array_dtype(in);
    const dt_dtype carrier = dti_fold_carrier(fold->kind, dtype);
    static double wanted[MOST], first[MOST], results[MOST]; /* of any dtype */
    const int64_t count = expect(fold, in, dims, wanted);
    for (int level = 0; level <= (int)dti_cpu_detect(); level++) {
        memset(results, 0xee, sizeof results);
        dti_fold_array_at((dti_cpu_level)level, fold, in, dims, results,
                          carrier);
        for (int64_t i = 0; i < count; i++) {
            const double value = number_at(results, carrier, i);
            if (!CHECKF(is_close(value, wanted[i], carrier),
                        "%s: fold %d of %s, dims %x of %d, way %d: result "
                        "%lld is %.17g, not %.17g",
                        names[level], (int)fold->kind, dt_dtype_name(dtype),
                        dims, dt_array_ndim(in), way, (long long)i, value,
                        wanted[i]))
                return;
        }
        if (level == 0)
            memcpy(first, results, sizeof first);
        CHECKF(memcmp(first, results, sizeof first) == 0,
               "fold %d of %s: %s gives other bits, or writes elsewhere",
               (int)fold->kind, dt_dtype_name(dtype), names[level]);
    }
}

/* Few enough elements, and small, so that products stay exact. */
static int range_of(dti_fold_kind kind)
{
    return kind == DTI_FOLD_PRODUCT ? 3 : 9;
}

static void check_shape(dt_world *world, dti_fold_kind kind, dt_dtype dtype,
                        dt_shape shape)
{
    unsigned long long state = dt_test_seed();
    const dti_fold fold = {.kind = kind, .power = 3};
    for (int way = 0; way < LIE_COUNT; way++) {
        dt_array *in = new_lying(world, dtype, shape, way);
        fill_small(in, &state, range_of(kind));
        for (unsigned dims = 0; dims < 1u << shape.ndim; dims++)
            check_fold(&fold, in, dims, way);
        dt_array_release(in);
    }
}

static void folds_small_arrays(dt_world *world)
{
    const dt_shape shapes[] = {
        DT_SHAPE(),           DT_SHAPE(0),       DT_SHAPE(1),
        DT_SHAPE(7),          DT_SHAPE(33),      DT_SHAPE(4, 5),
        DT_SHAPE(3, 40),      DT_SHAPE(40, 3),   DT_SHAPE(0, 3),
        DT_SHAPE(3, 0),       DT_SHAPE(2, 3, 4), DT_SHAPE(5, 1, 7),
        DT_SHAPE(2, 3, 2, 5),
    };
    for (int kind = 0; kind < DTI_FOLD_KINDS; kind++)
        for (int dtype = 0; dtype < DT_DTYPE_COUNT; dtype++)
            for (size_t i = 0; i < COUNT_OF(shapes); i++)
                if (dti_fold_carrier((dti_fold_kind)kind, (dt_dtype)dtype) !=
                    DT_DTYPE_COUNT)
                    check_shape(world, (dti_fold_kind)kind, (dt_dtype)dtype,
                                shapes[i]);
}

/* Longer than pieces and wider than blocks. */
static void folds_large_arrays(dt_world *world)
{
    const dt_shape shapes[] = {DT_SHAPE(3, 2100), DT_SHAPE(70, 30),
                               DT_SHAPE(9, 530), DT_SHAPE(530, 9),
                               DT_SHAPE(4, 33, 65)};
    static const dt_dtype dtypes[] = {DT_F32, DT_F64, DT_BF16, DT_I32, DT_U8};
    static const dti_fold_kind kinds[] = {DTI_FOLD_SUM, DTI_FOLD_MAX,
                                          DTI_FOLD_SQUARE_SUM};
    for (size_t k = 0; k < COUNT_OF(kinds); k++)
        for (size_t t = 0; t < COUNT_OF(dtypes); t++)
            for (size_t i = 0; i < COUNT_OF(shapes); i++)
                if (dti_fold_carrier(kinds[k], dtypes[t]) != DT_DTYPE_COUNT)
                    check_shape(world, kinds[k], dtypes[t], shapes[i]);
}

/* ---- Numbers ------------------------------------------------------------- */

static dt_array *array_of(dt_world *world, const float *values, int count)
{
    dt_array *array = new_array(world, DT_F32, DT_SHAPE(count));
    memcpy(dt_array_data(array), values, (size_t)count * sizeof *values);
    return array;
}

static float fold_floats(dt_world *world, dti_fold_kind kind,
                         const float *values, int count)
{
    dt_array *array = array_of(world, values, count);
    const dti_fold fold = {.kind = kind};
    float out = 0;
    dti_fold_array(&fold, array, 1, &out, DT_F32);
    dt_array_release(array);
    return out;
}

static void nan_wins(dt_world *world)
{
    float values[40] = {1, -NAN, -INFINITY, INFINITY};
    for (int kind = DTI_FOLD_SUM; kind <= DTI_FOLD_MIN; kind++) {
        const float out = fold_floats(world, (dti_fold_kind)kind, values, 40);
        CHECKF(isnan(out) && !signbit(out), "kind %d gives %g", kind,
               (double)out);
    }
    CHECK(isnan(fold_floats(world, DTI_FOLD_ABS_MAX, values, 40)));
    CHECK(isnan(fold_floats(world, DTI_FOLD_ABS_MIN, values, 40)));
    CHECK(isnan(fold_floats(world, DTI_FOLD_ABS_SUM, values, 40)));
    CHECK(fold_floats(world, DTI_FOLD_NONZERO, values, 40) == 4);
    CHECK(fold_floats(world, DTI_FOLD_MAX, values + 2, 2) == INFINITY);
    CHECK(fold_floats(world, DTI_FOLD_MIN, values + 2, 2) == -INFINITY);
}

static void zeros_have_signs(dt_world *world)
{
    const float zeros[] = {0.0f, -0.0f}, others[] = {-0.0f, 0.0f};
    CHECK(!signbit(fold_floats(world, DTI_FOLD_MAX, zeros, 2)));
    CHECK(!signbit(fold_floats(world, DTI_FOLD_MAX, others, 2)));
    CHECK(signbit(fold_floats(world, DTI_FOLD_MIN, zeros, 2)));
    CHECK(signbit(fold_floats(world, DTI_FOLD_MIN, others, 2)));
    CHECK(!signbit(fold_floats(world, DTI_FOLD_ABS_MIN, others, 2)));
}

/* Added up one by one, 2^24 ones and more stay 2^24. */
static void sums_are_trees(dt_world *world)
{
    const int64_t count = (1 << 24) + 4099;
    dt_array *one = new_array(world, DT_F32, DT_SHAPE(1)), *many = NULL;
    const dti_fold fold = {.kind = DTI_FOLD_SUM};
    const int64_t first = 0;
    float out = 0;
    set_element(one, &first, 1);
    CHECK_OK(world, dt_array_expand(world, one, DT_SHAPE(count), &many));
    dti_fold_array(&fold, many, 1, &out, DT_F32);
    CHECKF(fabs((double)out - (double)count) <= 4, "%.9g", (double)out);
    dt_array_release(many);

    /* Down a column, too. */
    CHECK_OK(world, dt_array_expand(world, one, DT_SHAPE(1 << 20, 17), &many));
    dt_array *tenth = NULL;
    set_element(one, &first, 0.1);
    CHECK_OK(world, dt_array_clone(world, many, &tenth));
    float sums[17];
    dti_fold_array(&fold, tenth, 1, sums, DT_F32);
    for (int i = 0; i < 17; i++)
        CHECKF(fabs((double)sums[i] / ((double)0.1f * (1 << 20)) - 1) < 1e-6,
               "column %d is %.9g", i, (double)sums[i]);
    dt_array_release(tenth);
    dt_array_release(many);
    dt_array_release(one);
}

/* The same values at any address give the same bits. */
static void alignment_does_not_matter(dt_world *world)
{
    enum { N = 1000, SHIFTS = 17 };
    dt_array *whole = new_array(world, DT_F32, DT_SHAPE(N + SHIFTS));
    const dti_fold fold = {.kind = DTI_FOLD_SUM};
    float values[N], first = 0;
    unsigned long long state = dt_test_seed();
    for (int i = 0; i < N; i++)
        values[i] = (float)(dt_test_random(&state) >> 40) * 0x1p-20f;
    for (int shift = 0; shift < SHIFTS; shift++) {
        dt_array *part = NULL;
        float out = 0;
        memcpy((float *)dt_array_data(whole) + shift, values, sizeof values);
        CHECK_OK(world,
                 dt_array_slice(world, whole, 0, shift, shift + N, 1, &part));
        dti_fold_array(&fold, part, 1, &out, DT_F32);
        first = shift == 0 ? out : first;
        CHECKF(out == first, "at %d %.9g, not %.9g", shift, (double)out,
               (double)first);
        dt_array_release(part);
    }
    dt_array_release(whole);
}

/* 3000 numbers of f16 whose sum an f16 cannot count up to. */
static void halves_round_once(dt_world *world)
{
    dt_array *array = new_array(world, DT_F16, DT_SHAPE(3001));
    const dti_fold fold = {.kind = DTI_FOLD_SUM};
    float wide = 0;
    uint16_t half = 0;
    CHECK_OK(world, dt_array_fill(world, array, 1));
    dti_fold_array(&fold, array, 1, &wide, DT_F32);
    CHECK(wide == 3001);
    dti_fold_array(&fold, array, 1, &half, DT_F16);
    CHECK(number_at(&half, DT_F16, 0) == 3000); /* even of 3000 and 3002 */
    const dti_fold mean = {
        .kind = DTI_FOLD_SUM, .divides = true, .divisor = 3001};
    dti_fold_array(&mean, array, 1, &half, DT_F16);
    CHECK(number_at(&half, DT_F16, 0) == 1);
    dt_array_release(array);
}

static void integers_wrap_around(dt_world *world)
{
    dt_array *array = new_array(world, DT_I8, DT_SHAPE(5));
    const dti_fold sum = {.kind = DTI_FOLD_SUM};
    const dti_fold product = {.kind = DTI_FOLD_PRODUCT};
    int64_t wide = 0;
    int8_t narrow = 0;
    CHECK_OK(world, dt_array_fill_int(world, array, 100));
    dti_fold_array(&sum, array, 1, &wide, DT_I64);
    CHECK_INT(wide, 500);
    dti_fold_array(&sum, array, 1, &narrow, DT_I8);
    CHECK_INT(narrow, (int8_t)500);
    dti_fold_array(&product, array, 1, &wide, DT_I64);
    CHECK_INT(wide, INT64_C(10000000000));
    dt_array_release(array);
}

/* Any byte but 0 is true. */
static void bytes_are_truth(dt_world *world)
{
    dt_array *array = new_array(world, DT_BOOL, DT_SHAPE(40));
    unsigned char *bytes = dt_array_data(array), out = 9;
    const dti_fold all = {.kind = DTI_FOLD_ALL}, any = {.kind = DTI_FOLD_ANY};
    memset(bytes, 0x80, 40);
    dti_fold_array(&all, array, 1, &out, DT_BOOL);
    CHECK_INT(out, 1);
    bytes[39] = 0;
    dti_fold_array(&all, array, 1, &out, DT_BOOL);
    CHECK_INT(out, 0);
    dti_fold_array(&any, array, 1, &out, DT_BOOL);
    CHECK_INT(out, 1);
    memset(bytes, 0, 40);
    dti_fold_array(&any, array, 1, &out, DT_BOOL);
    CHECK_INT(out, 0);
    dt_array_release(array);
}

/* Both parts count. */
static void complex_numbers(dt_world *world)
{
    dt_array *array = new_array(world, DT_C64, DT_SHAPE(2, 3));
    dti_c64 *x = dt_array_data(array), out[3];
    float real[3];
    for (int i = 0; i < 6; i++)
        x[i] = (dti_c64){(float)i, (float)(2 * i - 3)};
    const dti_fold sum = {.kind = DTI_FOLD_SUM};
    dti_fold_array(&sum, array, 1, out, DT_C64);
    CHECK(out[1].real == 5 && out[1].imaginary == 4);
    dti_fold_array(&sum, array, 3, out, DT_C64);
    CHECK(out[0].real == 15 && out[0].imaginary == 12);
    const dti_fold product = {.kind = DTI_FOLD_PRODUCT};
    dti_fold_array(&product, array, 1, out, DT_C64);
    CHECK(out[0].real == 9 && out[0].imaginary == -9); /* -3i (3 + 3i) */
    const dti_fold squares = {.kind = DTI_FOLD_SQUARE_SUM};
    dti_fold_array(&squares, array, 2, real, DT_F32);
    CHECK(real[0] == 16 && real[1] == 133);
    const dti_fold most = {.kind = DTI_FOLD_ABS_MAX};
    dti_fold_array(&most, array, 2, real, DT_F32);
    CHECK(real[0] == 3 && fabsf(real[1] - sqrtf(74)) < 1e-5f);
    unsigned char truth = 9;
    x[4] = (dti_c64){0, 1};
    const dti_fold all = {.kind = DTI_FOLD_ALL};
    dti_fold_array(&all, array, 3, &truth, DT_BOOL);
    CHECK_INT(truth, 1);
    dt_array_release(array);
}

const dt_test dt_tests[] = {
    {"folds small arrays", folds_small_arrays},
    {"folds large arrays", folds_large_arrays},
    {"NaN wins", nan_wins},
    {"zeros have signs", zeros_have_signs},
    {"sums are trees", sums_are_trees},
    {"alignment does not matter", alignment_does_not_matter},
    {"halves round once", halves_round_once},
    {"integers wrap around", integers_wrap_around},
    {"bytes are truth", bytes_are_truth},
    {"complex numbers", complex_numbers},
    {NULL, NULL},
};
