/* unit/kernel/pointwise/pointwise.c - pointwise functions against plain
 * arithmetic. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "kernel/pointwise/facts.h"
#include "kernel/pointwise/pointwise_level.h"
#include "unit/kernel/pointwise/expect.h"

/* ---- What is expected, one element at a time ----------------------------- */

static const dti_pointwise_facts *facts_of(dti_pointwise function)
{
    return &dti_pointwise_known[function];
}

/* `dtype` is what is computed; the product is rounded before the sum. */
static double expect(dti_pointwise function, dt_dtype dtype, const double *x)
{
    if (function == DTI_ADD_SCALED)
        return x[0] +
               (dtype == DT_F64 ? x[1] * x[2] : (double)(float)(x[1] * x[2]));
    if (function == DTI_BITWISE_NOT && dtype == DT_BOOL)
        return x[0] == 0;
    return expect_value(function, x);
}

/* Tell whether a function is rounded several times, and its errors are relative
 * to what is added up. */
static bool is_composed(dti_pointwise function)
{
    return (function >= DTI_SIGMOID_BACKWARD &&
            function != DTI_THRESHOLD_BACKWARD) ||
           (function >= DTI_MISH && function < DTI_SIGMOID_BACKWARD) ||
           (function >= DTI_LERP_NUMBER && function <= DTI_ADDCDIV) ||
           function == DTI_LOGADDEXP || function == DTI_LOGADDEXP2 ||
           function == DTI_SINC || function == DTI_LOGIT ||
           function == DTI_LOGIT_WITHIN || function == DTI_XLOGY ||
           function == DTI_XLOG1PY || function == DTI_ENTROPY ||
           function == DTI_LOG_GAMMA || function == DTI_DIGAMMA ||
           function == DTI_CUBE || function == DTI_REMAINDER;
}

/* How many distances a result may be off: none if the function is one
 * operation, which is rounded correctly. */
static double distances_of(dti_pointwise function, dt_dtype dtype)
{
    const bool rough = function == DTI_POW || function == DTI_RSQRT ||
                       facts_of(function)->family != DTI_BASIC ||
                       is_composed(function);
    if (!rough || function == DTI_SQRT || function == DTI_THRESHOLD_BACKWARD)
        return 0;
    if (dtype != DT_F64)
        return is_composed(function) || function == DTI_GELU ||
                       function == DTI_ERFC || function == DTI_NDTR
                   ? 8
                   : 2;
    /* Far out, the argument's last bit shows x^2 times. */
    return function == DTI_GELU || function == DTI_GELU_TANH ||
                   function == DTI_NDTR
               ? 2000
               : 16;
}

/* What errors are relative to, beside the result. */
static double size_of(dti_pointwise function, const double *x)
{
    double size = 0;
    if (!is_composed(function))
        return 0;
    if (function == DTI_ADDCDIV)
        return fabs(x[0]) + fabs(x[3] * x[1] / x[2]);
    if (function == DTI_ADDCMUL)
        return fabs(x[0]) + fabs(x[3] * x[1] * x[2]);
    if (function == DTI_GATE_BACKWARD)
        return fabs(x[0] * x[2]);
    if (function >= DTI_SIGMOID_BACKWARD)
        return fabs(x[0]) * (1 + fabs(x[1]) + x[1] * x[1]);
    for (int k = 0; k < facts_of(function)->inputs; k++)
        size += fabs(x[k]);
    return isfinite(size) ? 1 + size : 0;
}

static dt_dtype result_dtype(dti_pointwise function, dt_dtype dtype)
{
    return facts_of(function)->truth ? DT_BOOL : dtype;
}

/* The distance of a dtype's numbers near 1; 0 where all must be exact. */
static double distance_of(dt_dtype dtype)
{
    switch (dtype) {
    case DT_F32:
        return (double)FLT_EPSILON;
    case DT_F64:
        return DBL_EPSILON;
    case DT_F16:
        return 0x1p-10;
    case DT_BF16:
        return 0x1p-7;
    default:
        return 0;
    }
}

/* The smallest number above zero. */
static double smallest_of(dt_dtype dtype)
{
    switch (dtype) {
    case DT_F32:
        return 0x1p-149;
    case DT_F64:
        return 0x1p-1074;
    case DT_F16:
        return 0x1p-24;
    case DT_BF16:
        return 0x1p-133;
    default:
        return 0;
    }
}

static bool is_close(dt_dtype dtype, double found, double expected, double size,
                     double distances)
{
    if (isnan(expected) || isnan(found))
        return isnan(expected) && isnan(found);
    if (found == expected)
        return true;
    const double step = distance_of(dtype) * (fabs(expected) + size);
    return fabs(found - expected) <=
           distances * (step > smallest_of(dtype) ? step : smallest_of(dtype));
}

/* ---- Arrays -------------------------------------------------------------- */

/* An array of numbers converted to a dtype; all are in doubles too. */
static dt_array *array_of(dt_world *world, dt_dtype dtype, dt_shape shape,
                          const double *values)
{
    dt_array *wide = NULL, *array = NULL;
    CHECK_OK(world, dt_array_create(world, DT_F64, shape, &wide));
    if (dt_array_count(wide) > 0)
        memcpy(dt_array_data(wide), values, dt_array_bytes(wide));
    CHECK_OK(world, dt_array_cast(world, wide, dtype, &array));
    dt_array_release(wide);
    return array;
}

/* The elements of an array in row-major order, as doubles. */
static void read_values(dt_world *world, const dt_array *array, double *values)
{
    dt_array *wide = NULL;
    CHECK_OK(world, dt_array_cast(world, array, DT_F64, &wide));
    if (dt_array_count(wide) > 0)
        memcpy(values, dt_array_const_data(wide), dt_array_bytes(wide));
    dt_array_release(wide);
}

/* ---- Values -------------------------------------------------------------- */

enum { COUNT = 1237, TAME = 9 /* of the special ones */ };

static const double special[] = {0.0,
                                 -0.0,
                                 1.0,
                                 -1.0,
                                 (double)INFINITY,
                                 0.5,
                                 2.0,
                                 -(double)INFINITY,
                                 (double)NAN,
                                 1e-40,
                                 -1e-40,
                                 1e-20,
                                 100.0,
                                 -100.0,
                                 88.8,
                                 -103.5,
                                 -87.5,
                                 -17.5,
                                 3e38,
                                 6e4,
                                 6e-8,
                                 0.7071068,
                                 1.4142135,
                                 0.999999,
                                 1.000001};

/* Composed functions get those alone of which nothing overflows between. */
static double draw(unsigned long long *state, dt_dtype dtype, int index,
                   bool tame)
{
    const int specials = tame ? TAME : (int)(sizeof special / sizeof *special);
    const double unit =
        (double)(dt_test_random(state) >> 11) * 0x1p-53; /* below 1 */
    switch (dt_dtype_kind_of(dtype)) {
    case DT_KIND_BOOLEAN:
        return unit < 0.5;
    case DT_KIND_UNSIGNED:
        return floor(unit * 7);
    case DT_KIND_SIGNED:
        return floor(unit * 13) - 6;
    default:
        if (index % 3 == 0)
            return special[dt_test_random(state) % (unsigned)specials];
        return (unit - 0.5) * (index % 2 ? 8 : 60);
    }
}

/* Fill with numbers that the dtype holds. */
static void draw_values(dt_world *world, unsigned long long *state,
                        dt_dtype dtype, int count, bool tame, double *values)
{
    for (int i = 0; i < count; i++)
        values[i] = draw(state, dtype, i, tame);
    dt_array *array = array_of(world, dtype, DT_SHAPE(count), values);
    read_values(world, array, values);
    dt_array_release(array);
}

/* One input as an array, or a number in its place. */
static dt_array *make_input(dt_world *world, unsigned long long *state,
                            dti_pointwise function, dt_dtype dtype, int count,
                            int k, bool is_number, double *values)
{
    const bool condition = function == DTI_WHERE && k == 0;
    const bool whole = distance_of(dtype) == 0;
    const bool divides =
        k == 1 && function >= DTI_DIV_FLOOR && function <= DTI_FMOD && whole;
    const dt_dtype own = condition ? DT_BOOL : dtype;
    draw_values(world, state, own, count, is_composed(function), values);
    for (int i = 0; i < count; i++) {
        if (function == DTI_POW && k == 1 && whole)
            values[i] = fabs(values[i]);
        if (divides && values[i] == 0)
            values[i] = 2;
        if (is_number)
            values[i] = dtype == DT_BOOL || condition ? 1 : 3;
    }
    return array_of(world, own, DT_SHAPE(count), values);
}

/* Round what is expected to the dtype of results.  Integers wrap around, which
 * a double says by its low bits. */
static void round_values(dt_world *world, dt_dtype dtype, dt_dtype result,
                         int count, double *values)
{
    dt_array *wide = array_of(world, DT_F64, DT_SHAPE(count), values);
    dt_array *whole = NULL, *rounded = NULL;
    const bool wraps = distance_of(dtype) == 0 && dtype != DT_BOOL;
    CHECK_OK(world,
             dt_array_cast(world, wide, wraps ? DT_I64 : DT_F64, &whole));
    CHECK_OK(world, dt_array_cast(world, whole, result, &rounded));
    read_values(world, rounded, values);
    dt_array_release(wide);
    dt_array_release(whole);
    dt_array_release(rounded);
}

/* Check a function of one dtype: arrays of some length, numbers that replace
 * one of them or none (-1). */
static void check_function(dt_world *world, dti_cpu_level level,
                           dti_pointwise function, dt_dtype dtype, int count,
                           int number)
{
    static double values[DTI_POINTWISE_MOST][COUNT];
    static double found[COUNT], expected[COUNT], size[COUNT];
    unsigned long long state = dt_test_seed() + (unsigned)function * 16 + dtype;
    const dti_pointwise_facts *of = facts_of(function);
    const dt_dtype result = result_dtype(function, dtype);
    dt_array *arrays[DTI_POINTWISE_MOST] = {NULL}, *out = NULL;
    dti_pointwise_input in[DTI_POINTWISE_MOST] = {{0}};
    for (int k = 0; k < of->inputs; k++) {
        arrays[k] = make_input(world, &state, function, dtype, count, k,
                               k == number, values[k]);
        in[k].array = k == number ? NULL : arrays[k];
        in[k].number = dt_real(values[k][0]);
    }
    for (int k = 0; k < of->numbers; k++) {
        const double behind = expect_numbers(function)[k];
        in[of->inputs + k].number = dt_real(behind);
        for (int i = 0; i < count; i++)
            values[of->inputs + k][i] = dtype == DT_BOOL ? 1 : behind;
    }
    CHECK_OK(world, dt_array_create(world, result, DT_SHAPE(count), &out));
    dti_pointwise_at(level, function, dtype, in, out);
    read_values(world, out, found);
    for (int i = 0; i < count; i++) {
        double x[DTI_POINTWISE_MOST];
        for (int k = 0; k < of->inputs + of->numbers; k++)
            x[k] = values[k][i];
        expected[i] = expect(function, dtype, x);
        size[i] = size_of(function, x);
    }
    round_values(world, dtype, result, count, expected);
    for (int i = 0; i < count; i++)
        if (!is_close(result, found[i], expected[i], size[i],
                      distances_of(function, dtype))) {
            CHECKF(false,
                   "function %d of %s at level %d: (%.9g, %.9g, %.9g) gives "
                   "%.17g, not %.17g",
                   (int)function, dt_dtype_name(dtype), (int)level,
                   values[0][i], values[1][i], values[2][i], found[i],
                   expected[i]);
            break;
        }
    for (int k = 0; k < of->inputs; k++)
        dt_array_release(arrays[k]);
    dt_array_release(out);
}

/* No function has been forgotten: loops of some dtype have it, and so have
 * facts and this test, or pointwise_complex.c. */
static void knows_every_function(dt_world *world)
{
    (void)world;
    for (int f = 0; f < DTI_POINTWISE_COUNT; f++) {
        const dti_pointwise function = (dti_pointwise)f;
        const dti_pointwise_facts *of = facts_of(function);
        const double ones[DTI_POINTWISE_MOST] = {1, 1, 1, 1, 1, 1};
        bool supported = false, real = false;
        for (int d = 0; d < DT_DTYPE_COUNT && of->family; d++)
            if (dti_pointwise_supports(function, (dt_dtype)d)) {
                supported = true;
                real = real || d != DT_C64;
            }
        CHECKF(supported, "function %d is not computed", f);
        CHECKF(of->inputs >= 1 && of->inputs <= DTI_POINTWISE_MAX_INPUTS &&
                   of->numbers <= DTI_POINTWISE_MAX_NUMBERS,
               "function %d has %d inputs and %d numbers", f, of->inputs,
               of->numbers);
        CHECKF(!real || expect_value(function, ones) != EXPECT_NOTHING,
               "of function %d nothing is expected", f);
    }
}

static void computes_every_function(dt_world *world)
{
    for (int level = 0; level <= (int)dti_cpu_detect(); level++)
        for (int f = 0; f < DTI_POINTWISE_COUNT; f++)
            for (int d = 0; d < DT_C64; d++) {
                const dti_pointwise function = (dti_pointwise)f;
                if (!dti_pointwise_supports(function, (dt_dtype)d))
                    continue;
                for (int number = -1; number < facts_of(function)->inputs;
                     number++) {
                    check_function(world, (dti_cpu_level)level, function,
                                   (dt_dtype)d, COUNT, number);
                    check_function(world, (dti_cpu_level)level, function,
                                   (dt_dtype)d, 1, number);
                }
            }
}

static void knows_what_it_supports(dt_world *world)
{
    (void)world;
    CHECK(dti_pointwise_supports(DTI_ADD, DT_BF16));
    CHECK(dti_pointwise_supports(DTI_WHERE, DT_F16));
    CHECK(dti_pointwise_supports(DTI_WHERE, DT_C64));
    CHECK(dti_pointwise_supports(DTI_SILU, DT_C64));
    CHECK(!dti_pointwise_supports(DTI_DIV, DT_I32));
    CHECK(!dti_pointwise_supports(DTI_LT, DT_C64));
    CHECK(!dti_pointwise_supports(DTI_SUB, DT_BOOL));
    CHECK(!dti_pointwise_supports(DTI_EXP, DT_I64));
    CHECK(!dti_pointwise_supports(DTI_NOT, DT_F32));
    CHECK(!dti_pointwise_supports(DTI_GELU, DT_C64));
}

/* ---- Integers ------------------------------------------------------------ */

static void integers_wrap_around(dt_world *world)
{
    static const int64_t a[] = {INT64_MAX, INT64_MIN, INT64_C(1) << 62, -7};
    static const int64_t b[] = {1, -1, 4, INT64_MIN};
    dt_array *left = NULL, *right = NULL, *out = NULL;
    CHECK_OK(world, dt_array_create(world, DT_I64, DT_SHAPE(4), &left));
    CHECK_OK(world, dt_array_create(world, DT_I64, DT_SHAPE(4), &right));
    CHECK_OK(world, dt_array_create(world, DT_I64, DT_SHAPE(4), &out));
    memcpy(dt_array_data(left), a, sizeof a);
    memcpy(dt_array_data(right), b, sizeof b);
    const dti_pointwise_input in[] = {{left, dt_integer(0)},
                                      {right, dt_integer(0)}};
    const int64_t *found = dt_array_const_data(out);
    dti_pointwise_apply(DTI_ADD, DT_I64, in, out);
    CHECK(found[0] == INT64_MIN && found[1] == INT64_MAX &&
          found[3] == INT64_MAX - 6);
    dti_pointwise_apply(DTI_MUL, DT_I64, in, out);
    CHECK(found[1] == INT64_MIN && found[2] == 0);
    dti_pointwise_apply(DTI_ABS, DT_I64, in, out);
    CHECK(found[1] == INT64_MIN && found[3] == 7);
    dti_pointwise_apply(DTI_NEG, DT_I64, in, out);
    CHECK(found[1] == INT64_MIN);
    dt_array_release(left);
    dt_array_release(right);
    dt_array_release(out);
}

/* A number that a short integer does not hold keeps its low bits. */
static void numbers_wrap_around(dt_world *world)
{
    const double values[] = {44, 45};
    dt_array *bytes = array_of(world, DT_U8, DT_SHAPE(2), values);
    dt_array *out = NULL;
    CHECK_OK(world, dt_array_create(world, DT_BOOL, DT_SHAPE(2), &out));
    const dti_pointwise_input in[] = {{bytes, dt_integer(0)},
                                      {NULL, dt_integer(300)}};
    dti_pointwise_apply(DTI_EQ, DT_U8, in, out);
    const uint8_t *found = dt_array_const_data(out);
    CHECK(found[0] == 1 && found[1] == 0);
    dt_array_release(bytes);
    dt_array_release(out);
}

static void integer_powers(dt_world *world)
{
    const double bases[] = {-3, -1, 0, 1, 2, 5};
    static const struct {
        int64_t exponent, expected[6];
    } rows[] = {{0, {1, 1, 1, 1, 1, 1}},
                {3, {-27, -1, 0, 1, 8, 125}},
                {-1, {0, -1, 0, 1, 0, 0}},
                {-2, {0, 1, 0, 1, 0, 0}}};
    for (size_t r = 0; r < 4; r++) {
        dt_array *array = array_of(world, DT_I32, DT_SHAPE(6), bases);
        const dti_pointwise_input in[] = {{array, dt_integer(0)},
                                          {NULL, dt_integer(rows[r].exponent)}};
        dti_pointwise_apply(DTI_POW, DT_I32, in, array);
        const int32_t *found = dt_array_const_data(array);
        for (int i = 0; i < 6; i++)
            CHECK_INT(found[i], rows[r].expected[i]);
        dt_array_release(array);
    }
}

/* ---- Half types ---------------------------------------------------------- */

/* Sums, products and quotients take numbers as they are, others round them. */
static void half_types_and_numbers(dt_world *world)
{
    const double values[] = {1000, 0.0999755859375};
    double found[2];
    dt_array *half = array_of(world, DT_F16, DT_SHAPE(2), values);
    dt_array *product = NULL, *equal = NULL;
    CHECK_OK(world, dt_array_create(world, DT_F16, DT_SHAPE(2), &product));
    CHECK_OK(world, dt_array_create(world, DT_BOOL, DT_SHAPE(2), &equal));
    dti_pointwise_input in[] = {{half, dt_integer(0)}, {NULL, dt_real(1e-8)}};
    dti_pointwise_apply(DTI_MUL, DT_F16, in, product);
    read_values(world, product, found);
    CHECKF(found[0] > 9e-6 && found[0] < 1.1e-5, "%g", found[0]);
    in[1].number = dt_real(0.1);
    dti_pointwise_apply(DTI_EQ, DT_F16, in, equal);
    read_values(world, equal, found);
    CHECK(found[0] == 0 && found[1] == 1);
    dt_array_release(half);
    dt_array_release(product);
    dt_array_release(equal);
}

/* What has dimensions is rounded to the dtype first: 2049 is no f16. */
static void half_types_and_integers(dt_world *world)
{
    const double one = 1, many = 2049;
    double found;
    dt_array *half = array_of(world, DT_F16, DT_SHAPE(1), &one);
    dt_array *integer = array_of(world, DT_I32, DT_SHAPE(1), &many);
    const dti_pointwise_input in[] = {{half, dt_integer(0)},
                                      {integer, dt_integer(0)}};
    dti_pointwise_apply(DTI_ADD, DT_F16, in, half);
    read_values(world, half, &found);
    CHECKF(found == 2048, "%g", found);
    dt_array_release(half);
    dt_array_release(integer);
}

/* ---- Shapes and strides -------------------------------------------------- */

enum { MOST = 6000 };

/* An array of a shape, in memory of any order, with gaps. */
static dt_array *scattered(dt_world *world, unsigned long long *state,
                           dt_dtype dtype, dt_shape shape)
{
    dt_shape outer = shape;
    int order[DT_MAX_NDIM], back[DT_MAX_NDIM];
    dt_array *base = NULL, *turned = NULL;
    for (int i = 0; i < shape.ndim; i++)
        order[i] = i;
    for (int i = shape.ndim - 1; i > 0 && dt_test_random(state) % 2; i--) {
        const int other = (int)(dt_test_random(state) % (unsigned)(i + 1));
        const int kept = order[i];
        order[i] = order[other];
        order[other] = kept;
    }
    const int gap = (int)(dt_test_random(state) % 4);
    for (int i = 0; i < shape.ndim; i++) {
        back[order[i]] = i;
        outer.dims[i] = shape.dims[order[i]] * (gap == i ? 2 : 1);
    }
    CHECK_OK(world, dt_array_create(world, dtype, outer, &base));
    CHECK_OK(world, dt_array_fill(world, base, 1));
    if (gap < shape.ndim) {
        dt_array *part = NULL;
        CHECK_OK(world, dt_array_slice(world, base, gap, 0, outer.dims[gap], 2,
                                       &part));
        dt_array_release(base);
        base = part;
    }
    CHECK_OK(world, dt_array_permute(world, base, back, &turned));
    dt_array_release(base);
    CHECK(dt_shape_equal(dt_array_shape(turned), shape));
    return turned;
}

/* A shape that broadcasts to another one. */
static dt_shape narrower(unsigned long long *state, dt_shape shape)
{
    dt_shape part = shape;
    const int cut = dt_test_random(state) % 3 == 0 && shape.ndim > 0;
    part.ndim -= cut;
    for (int i = 0; i < part.ndim; i++) {
        part.dims[i] = shape.dims[i + cut];
        if (dt_test_random(state) % 4 == 0)
            part.dims[i] = 1;
    }
    return part;
}

/* Numbers from 0 to 7, which every dtype holds, and so do their sums. */
static dt_array *draw_array(dt_world *world, unsigned long long *state,
                            dt_dtype dtype, dt_shape shape)
{
    static double values[MOST];
    dt_array *array = scattered(world, state, dtype, shape);
    for (int64_t i = 0; i < dt_array_count(array); i++)
        values[i] = (double)(dt_test_random(state) % 8);
    dt_array *from = array_of(world, DT_F64, shape, values);
    CHECK_OK(world, dt_array_copy(world, from, array));
    dt_array_release(from);
    return array;
}

/* What an input is as large as the result. */
static void read_broadcast(dt_world *world, dt_array *array, dt_shape shape,
                           double *values)
{
    dt_array *full = NULL;
    CHECK_OK(world, dt_array_expand(world, array, shape, &full));
    read_values(world, full, values);
    dt_array_release(full);
}

static void check_shapes(dt_world *world, unsigned long long *state,
                         dt_shape shape, bool in_place)
{
    static const dti_pointwise functions[] = {
        DTI_ADD,        DTI_MAXIMUM, DTI_EQ,      DTI_WHERE,
        DTI_ADD_SCALED, DTI_RELU,    DTI_CLAMP_TO};
    static const dt_dtype dtypes[] = {DT_F32, DT_F32, DT_F64, DT_F16, DT_BF16,
                                      DT_I8,  DT_I32, DT_I64, DT_U8};
    static double values[3][MOST], found[MOST];
    const dti_pointwise function = functions[dt_test_random(state) % 7];
    const dt_dtype dtype = dtypes[dt_test_random(state) % 9];
    const int inputs = facts_of(function)->inputs;
    dt_array *arrays[3] = {NULL};
    dti_pointwise_input in[3] = {{0}};
    for (int k = 0; k < inputs; k++) {
        const bool other = dt_test_random(state) % 3 == 0;
        const dt_dtype own = function == DTI_WHERE && k == 0 ? DT_BOOL
                             : other ? dtypes[dt_test_random(state) % 9]
                                     : dtype;
        arrays[k] =
            draw_array(world, state, own,
                       in_place && k == 0 ? shape : narrower(state, shape));
        read_broadcast(world, arrays[k], shape, values[k]);
        in[k].array = arrays[k];
    }
    if (function == DTI_ADD_SCALED) {
        in[2] = (dti_pointwise_input){NULL, dt_integer(3)};
        for (int i = 0; i < MOST; i++)
            values[2][i] = 3;
    }
    dt_array *out = in_place ? dt_array_retain(arrays[0])
                             : scattered(world, state,
                                         dt_test_random(state) % 4 == 0
                                             ? dtypes[dt_test_random(state) % 9]
                                             : result_dtype(function, dtype),
                                         shape);
    dti_pointwise_apply(function, dtype, in, out);
    read_values(world, out, found);
    for (int64_t i = 0; i < dt_array_count(out); i++) {
        const double x[3] = {values[0][i], values[1][i], values[2][i]};
        double expected = expect(function, dtype, x);
        if (dt_array_dtype(out) == DT_BOOL)
            expected = expected != 0;
        if (!CHECKF(found[i] == expected,
                    "function %d of %s, element %lld: %g, not %g",
                    (int)function, dt_dtype_name(dtype), (long long)i, found[i],
                    expected))
            break;
    }
    for (int k = 0; k < inputs; k++)
        dt_array_release(arrays[k]);
    dt_array_release(out);
}

static void broadcasts_any_strides(dt_world *world)
{
    unsigned long long state = dt_test_seed();
    for (int round = 0; round < 1500; round++) {
        dt_shape shape = DT_SHAPE();
        shape.ndim = (int)(dt_test_random(&state) % 6);
        for (int i = 0; i < shape.ndim; i++)
            shape.dims[i] = (int64_t)(dt_test_random(&state) % 5 + 1);
        check_shapes(world, &state, shape, round % 3 == 0);
    }
}

static void crosses_tiles(dt_world *world)
{
    static const dt_shape shapes[] = {
        {1, {1500}},   {2, {3, 700}},    {2, {700, 3}},       {2, {70, 70}},
        {2, {40, 33}}, {3, {2, 600, 2}}, {3, {5, 31, 33}},    {2, {2, 1025}},
        {2, {513, 4}}, {3, {3, 2, 513}}, {4, {2, 3, 4, 100}},
    };
    unsigned long long state = dt_test_seed();
    for (int round = 0; round < 30; round++)
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
            check_shapes(world, &state, shapes[i], round % 3 == 0);
}

static void empty_arrays(dt_world *world)
{
    dt_array *empty = NULL;
    CHECK_OK(world, dt_array_create(world, DT_F32, DT_SHAPE(3, 0, 2), &empty));
    const dti_pointwise_input in[] = {{empty, dt_integer(0)},
                                      {NULL, dt_integer(2)}};
    dti_pointwise_apply(DTI_ADD, DT_F32, in, empty);
    CHECK_INT(dt_array_count(empty), 0);
    dt_array_release(empty);
}

/* Where both inputs are numbers, or repeated ones, there is still a result. */
static void fills_from_constants(dt_world *world)
{
    const double five = 5;
    double found[MOST];
    dt_array *one = array_of(world, DT_F32, DT_SHAPE(), &five);
    dt_array *out = NULL;
    CHECK_OK(world, dt_array_create(world, DT_F32, DT_SHAPE(40, 50), &out));
    dti_pointwise_input in[] = {{one, dt_integer(0)}, {NULL, dt_real(0.5)}};
    dti_pointwise_apply(DTI_SUB, DT_F32, in, out);
    read_values(world, out, found);
    for (int i = 0; i < 2000; i++)
        if (!CHECK(found[i] == 4.5))
            break;
    in[0].array = NULL;
    in[0].number = dt_integer(3);
    dti_pointwise_apply(DTI_DIV, DT_F32, in, out);
    read_values(world, out, found);
    CHECK(found[0] == 6 && found[1999] == 6);
    dt_array_release(one);
    dt_array_release(out);
}

const dt_test dt_tests[] = {
    {"knows every function", knows_every_function},
    {"computes every function of every dtype", computes_every_function},
    {"knows what it supports", knows_what_it_supports},
    {"integers wrap around", integers_wrap_around},
    {"numbers wrap around", numbers_wrap_around},
    {"integer powers", integer_powers},
    {"half types and numbers", half_types_and_numbers},
    {"half types and integers", half_types_and_integers},
    {"broadcasts any strides", broadcasts_any_strides},
    {"crosses tiles", crosses_tiles},
    {"empty arrays", empty_arrays},
    {"fills from constants", fills_from_constants},
    {NULL, NULL},
};
