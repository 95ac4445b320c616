/* tests/unit/kernel/reduce/reduce.c - reductions against a plain scalar oracle.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "array/number.h"
#include "kernel/reduce/reduce.h"
#include "kernel/reduce/reduce_level.h"
#include "support/check.h"

enum {
    MAX_INPUTS = 5,
    MAX_OUTPUTS = 4,
    MAX_COUNT = 20011,
    MAX_ITEM = 8,
    MARGIN = 64, /* bytes before and after that must not change */
    BUFFER_BYTES = MAX_COUNT * MAX_ITEM + 3 * MARGIN
};

/* ---- What is expected, one element at a time ----------------------------- */

static const uint32_t nan_bits_f32 = UINT32_C(0x7fc00000);
static const uint64_t nan_bits_f64 = UINT64_C(0x7ff8000000000000);

/* Combine two doubles as floats of any width would, rounding left to the
 * caller: sums and products of two floats are exact or round once more
 * harmlessly in double, which has more than twice their digits. */
static double combine_float(dt_reduce op, double a, double b)
{
    switch (op) {
    case DT_SUM:
    case DT_AVG:
        return a + b;
    case DT_PRODUCT:
        return a * b;
    case DT_MIN:
        if (isnan(a) || isnan(b))
            return (double)NAN;
        if (a == 0 && b == 0)
            return signbit(a) || signbit(b) ? -0.0 : 0.0;
        return a < b ? a : b;
    default:
        if (isnan(a) || isnan(b))
            return (double)NAN;
        if (a == 0 && b == 0)
            return signbit(a) && signbit(b) ? -0.0 : 0.0;
        return a > b ? a : b;
    }
}

static float load_float(dt_dtype dtype, const void *from)
{
    float value;
    uint16_t half;
    if (dtype == DT_F32) {
        memcpy(&value, from, sizeof value);
        return value;
    }
    memcpy(&half, from, sizeof half);
    return dtype == DT_F16 ? dti_widen_f16(half) : dti_widen_bf16(half);
}

static void store_float(dt_dtype dtype, void *to, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (isnan(value))
        bits = nan_bits_f32;
    memcpy(&value, &bits, sizeof value);
    const uint16_t half =
        dtype == DT_F16 ? dti_f16_of_float(value) : dti_bf16_of_float(value);
    if (dtype == DT_F32)
        memcpy(to, &value, sizeof value);
    else
        memcpy(to, &half, sizeof half);
}

static void expect_float(dt_reduce op, dt_dtype dtype, const void *const *from,
                         int inputs, void *to)
{
    float result = load_float(dtype, from[0]);
    for (int i = 1; i < inputs; i++)
        result = (float)combine_float(op, (double)result,
                                      (double)load_float(dtype, from[i]));
    if (op == DT_AVG)
        result = (float)((double)result / inputs);
    store_float(dtype, to, result);
}

static void expect_f64(dt_reduce op, const void *const *from, int inputs,
                       void *to)
{
    double result, next;
    memcpy(&result, from[0], sizeof result);
    for (int i = 1; i < inputs; i++) {
        memcpy(&next, from[i], sizeof next);
        result = combine_float(op, result, next);
    }
    if (op == DT_AVG)
        result = result / inputs;
    memcpy(to, isnan(result) ? (const void *)&nan_bits_f64 : &result, 8);
}

static void expect_c64(dt_reduce op, const void *const *from, int inputs,
                       void *to)
{
    float result[2], next[2];
    memcpy(result, from[0], sizeof result);
    for (int i = 1; i < inputs; i++) {
        memcpy(next, from[i], sizeof next);
        const float a = result[0], b = result[1];
        if (op == DT_PRODUCT) {
            const float ac = a * next[0], bd = b * next[1];
            const float ad = a * next[1], bc = b * next[0];
            result[0] = ac - bd;
            result[1] = ad + bc;
        } else {
            result[0] = a + next[0];
            result[1] = b + next[1];
        }
    }
    for (int part = 0; part < 2; part++) {
        const float divisor = op == DT_AVG ? (float)inputs : 1;
        store_float(DT_F32, (char *)to + 4 * part, result[part] / divisor);
    }
}

static int64_t load_integer(dt_dtype dtype, const void *from)
{
    int64_t value = 0;
    memcpy(&value, from, dt_dtype_size(dtype)); /* little-endian */
    if (dtype == DT_U8 || dtype == DT_BOOL)
        return value;
    const int spare = 64 - 8 * (int)dt_dtype_size(dtype);
    return (int64_t)((uint64_t)value << spare) >> spare;
}

static int64_t combine_integer(dt_reduce op, int64_t a, int64_t b)
{
    switch (op) {
    case DT_SUM:
        return (int64_t)((uint64_t)a + (uint64_t)b);
    case DT_PRODUCT:
        return (int64_t)((uint64_t)a * (uint64_t)b);
    case DT_MIN:
        return a < b ? a : b;
    case DT_MAX:
        return a > b ? a : b;
    case DT_BAND:
        return a & b;
    case DT_BOR:
        return a | b;
    default:
        return a ^ b;
    }
}

static int64_t combine_bool(dt_reduce op, int64_t a, int64_t b)
{
    switch (op) {
    case DT_SUM:
    case DT_MAX:
    case DT_BOR:
        return a != 0 || b != 0;
    case DT_PRODUCT:
    case DT_MIN:
    case DT_BAND:
        return a != 0 && b != 0;
    default:
        return (a != 0) != (b != 0);
    }
}

static void expect_integer(dt_reduce op, dt_dtype dtype,
                           const void *const *from, int inputs, void *to)
{
    int64_t result = load_integer(dtype, from[0]);
    for (int i = 1; i < inputs; i++) {
        const int64_t next = load_integer(dtype, from[i]);
        result = dtype == DT_BOOL ? combine_bool(op, result, next)
                                  : combine_integer(op, result, next);
        /* Wraps at the width of the type. */
        result = load_integer(dtype, &result);
    }
    memcpy(to, &result, dt_dtype_size(dtype)); /* little-endian */
}

static void expect(dt_reduce op, dt_dtype dtype, const void *const *from,
                   int inputs, void *to)
{
    if (inputs == 1) /* copied as it is */
        memcpy(to, from[0], dt_dtype_size(dtype));
    else if (dtype == DT_F64)
        expect_f64(op, from, inputs, to);
    else if (dtype == DT_C64)
        expect_c64(op, from, inputs, to);
    else if (dt_dtype_kind_of(dtype) == DT_KIND_FLOAT)
        expect_float(op, dtype, from, inputs, to);
    else
        expect_integer(op, dtype, from, inputs, to);
}

/* ---- Values ---------------------------------------------------------------
 */

/* Patterns worth meeting, by the bytes of a type; the lower bytes count. */
static const uint64_t patterns_1[] = {0, 1, 2, 0x7f, 0x80, 0x81, 0xff};
static const uint64_t patterns_i16[] = {0, 1, 0x7fff, 0x8000, 0xffff, 0x0100};
static const uint64_t patterns_i32[] = {0,          1,          0x7fffffff,
                                        0x80000000, 0xffffffff, 0x10000};
static const uint64_t patterns_i64[] = {
    0, 1, INT64_MAX, UINT64_C(1) << 63, UINT64_MAX, UINT64_C(1) << 32};
/* Zeros, one, infinities, NaNs quiet and not, the largest numbers, subnormal
 * numbers, the least normal number, a half unit above one. */
static const uint64_t patterns_f16[] = {
    0,      0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0xfe01, 0x7c01,
    0xfd55, 0x7bff, 0xfbff, 0x0001, 0x8001, 0x03ff, 0x0400, 0x1001, 0x3c01};
static const uint64_t patterns_bf16[] = {
    0,      0x8000, 0x3f80, 0xbf80, 0x7f80, 0xff80, 0x7fc0, 0xffc1, 0x7f81,
    0xffa5, 0x7f7f, 0xff7f, 0x0001, 0x8001, 0x007f, 0x0080, 0x3b80, 0x3f81};
static const uint64_t patterns_f32[] = {
    0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
    0x7fc00000, 0xffc12345, 0x7f800001, 0xffa55555, 0x7f7fffff, 0xff7fffff,
    0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x33800000, 0x3f800001};
static const uint64_t patterns_f64[] = {0,
                                        UINT64_C(0x8000000000000000),
                                        UINT64_C(0x3ff0000000000000),
                                        UINT64_C(0xbff0000000000000),
                                        UINT64_C(0x7ff0000000000000),
                                        UINT64_C(0xfff0000000000000),
                                        UINT64_C(0x7ff8000000000000),
                                        UINT64_C(0xfff8123456789abc),
                                        UINT64_C(0x7ff0000000000001),
                                        UINT64_C(0xfff5555555555555),
                                        UINT64_C(0x7fefffffffffffff),
                                        UINT64_C(0xffefffffffffffff),
                                        UINT64_C(0x0000000000000001),
                                        UINT64_C(0x8000000000000001),
                                        UINT64_C(0x000fffffffffffff),
                                        UINT64_C(0x0010000000000000),
                                        UINT64_C(0x3ca0000000000000),
                                        UINT64_C(0x3ff0000000000001)};

typedef struct pattern_row {
    const uint64_t *patterns;
    size_t count;
    uint64_t usual; /* bits that are always set in usual values ... */
    uint64_t vary;  /* ... and that may be */
} pattern_row;

#define ROW(list) list, sizeof list / sizeof *list
static const pattern_row pattern_rows[DT_DTYPE_COUNT] = {
    [DT_F32] = {ROW(patterns_f32), 0x3f000000, 0x80ffffff},
    [DT_F64] = {ROW(patterns_f64), UINT64_C(0x3fe) << 52,
                UINT64_C(0x801fffffffffffff)},
    [DT_F16] = {ROW(patterns_f16), 0x3800, 0x87ff},
    [DT_BF16] = {ROW(patterns_bf16), 0x3f00, 0x80ff},
    [DT_I8] = {ROW(patterns_1), 0, 0xff},
    [DT_I16] = {ROW(patterns_i16), 0, 0xffff},
    [DT_I32] = {ROW(patterns_i32), 0, 0xffffffff},
    [DT_I64] = {ROW(patterns_i64), 0, UINT64_MAX},
    [DT_U8] = {ROW(patterns_1), 0, 0xff},
    [DT_BOOL] = {ROW(patterns_1), 0, 1},
    [DT_C64] = {ROW(patterns_f32), 0x3f000000, 0x80ffffff},
};
#undef ROW

/* Fill with elements: a quarter patterns, a quarter any bits, the rest usual
 * numbers. */
static void fill(dt_dtype dtype, unsigned char *to, int64_t count,
                 unsigned long long *state)
{
    const pattern_row *row = &pattern_rows[dtype];
    const bool is_complex = dtype == DT_C64;
    const size_t item = is_complex ? 4 : dt_dtype_size(dtype);
    for (int64_t i = 0; i < (is_complex ? 2 * count : count); i++) {
        const uint64_t choice = dt_test_random(state) >> 32;
        uint64_t bits = dt_test_random(state) ^ dt_test_random(state) << 32;
        if (choice % 4 == 0)
            bits = row->patterns[bits % row->count];
        else if (choice % 4 != 1)
            bits = (bits & row->vary) | row->usual;
        memcpy(to + i * (int64_t)item, &bits, item); /* little-endian */
    }
}

/* ---- A case ---------------------------------------------------------------
 */

static unsigned char sources[MAX_INPUTS][MAX_COUNT * MAX_ITEM];
static unsigned char expected[MAX_COUNT * MAX_ITEM];
static _Alignas(64) unsigned char input_buffers[MAX_INPUTS][BUFFER_BYTES];
static _Alignas(64) unsigned char output_buffers[MAX_OUTPUTS][BUFFER_BYTES];

typedef struct reduce_case {
    dt_reduce op;
    dt_dtype dtype;
    int64_t count;
    int inputs;
    int outputs;
    bool stream;
    bool in_place; /* output j is input (j + shift) mod inputs, while it can */
    int shift;
} reduce_case;

/* The best level of this processor, to which the question is slow. */
static int best_level(void)
{
    static int known = -1;
    if (known < 0)
        known = (int)dti_cpu_detect();
    return known;
}

static void prepare(const reduce_case *c)
{
    const size_t item = dt_dtype_size(c->dtype);
    for (int64_t i = 0; i < c->count; i++) {
        const void *from[MAX_INPUTS] = {NULL};
        for (int k = 0; k < c->inputs; k++)
            from[k] = sources[k] + (size_t)i * item;
        expect(c->op, c->dtype, from, c->inputs, expected + (size_t)i * item);
    }
}

/* A distance from a cache line that a buffer starts at: often none, or some
 * elements, or one that no element should have. */
static size_t some_offset(size_t item, unsigned long long *state)
{
    const uint64_t number = dt_test_random(state) >> 32;
    switch (number % 4) {
    case 0:
        return 0;
    case 1:
        return number / 4 % (64 / item) * item;
    case 2:
        return 1;
    default:
        return number / 4 % 64;
    }
}

static bool margins_kept(const unsigned char *start, size_t bytes)
{
    for (int i = 0; i < MARGIN; i++)
        if (start[-1 - i] != 0xa5 || start[bytes + i] != 0xa5)
            return false;
    return true;
}

static void run_case(dti_cpu_level level, const reduce_case *c,
                     unsigned long long *state)
{
    const size_t item = dt_dtype_size(c->dtype);
    const size_t bytes = (size_t)c->count * item;
    unsigned char *in[MAX_INPUTS], *out[MAX_OUTPUTS];
    for (int k = 0; k < c->inputs; k++) {
        in[k] = input_buffers[k] + MARGIN + some_offset(item, state);
        memset(in[k] - MARGIN, 0xa5, bytes + 2 * MARGIN);
        memcpy(in[k], sources[k], bytes);
    }
    for (int k = 0; k < c->outputs; k++) {
        out[k] = output_buffers[k] + MARGIN + some_offset(item, state);
        memset(out[k] - MARGIN, 0xa5, bytes + 2 * MARGIN);
        if (c->in_place && k < c->inputs)
            out[k] = in[(k + c->shift) % c->inputs];
    }
    dti_reduce_at(level, c->op, c->dtype, (const void *const *)in, c->inputs,
                  (void *const *)out, c->outputs, c->count, c->stream);
    bool right = true;
    for (int k = 0; k < c->outputs; k++)
        right = right && memcmp(out[k], expected, bytes) == 0 &&
                margins_kept(out[k], bytes);
    for (int k = 0; k < c->inputs && !c->in_place; k++)
        right = right && memcmp(in[k], sources[k], bytes) == 0;
    CHECKF(right, "%s of %s, %s, count %lld, %d to %d%s%s, shift %d",
           dt_reduce_name(c->op), dt_dtype_name(c->dtype),
           dti_cpu_level_name(level), (long long)c->count, c->inputs,
           c->outputs, c->stream ? ", stream" : "",
           c->in_place ? ", in place" : "", c->shift);
}

/* Run all ways of giving the same inputs, on all levels. */
static void run_variants(reduce_case c, bool all, unsigned long long *state)
{
    for (int variant = 0; variant < MAX_OUTPUTS * 4; variant++) {
        c.outputs = 1 + variant % MAX_OUTPUTS;
        c.stream = variant / MAX_OUTPUTS % 2;
        c.in_place = variant / MAX_OUTPUTS / 2;
        c.shift = (int)(dt_test_random(state) >> 33) % c.inputs;
        if (!all && dt_test_random(state) >> 40 & 3)
            continue;
        for (int level = 0; level <= best_level(); level++)
            run_case((dti_cpu_level)level, &c, state);
    }
}

static void check_counts(const int64_t *counts, size_t how_many, bool all)
{
    unsigned long long state = dt_test_seed();
    for (int op = 0; op < DT_REDUCE_COUNT; op++) {
        for (int dtype = 0; dtype < DT_DTYPE_COUNT; dtype++) {
            reduce_case c = {.op = (dt_reduce)op, .dtype = (dt_dtype)dtype};
            if (!dti_reduce_supports(c.op, c.dtype))
                continue;
            for (size_t i = 0; i < how_many; i++) {
                c.count = counts[i];
                for (int k = 0; k < MAX_INPUTS; k++)
                    fill(c.dtype, sources[k], c.count, &state);
                for (c.inputs = 1; c.inputs <= MAX_INPUTS; c.inputs++) {
                    prepare(&c);
                    run_variants(c, all, &state);
                }
            }
        }
    }
}

static void reduces_short_ranges(dt_world *world)
{
    (void)world;
    static const int64_t counts[] = {0, 1, 2, 3, 7, 15, 31, 32, 33, 64, 65};
    check_counts(counts, sizeof counts / sizeof *counts, true);
}

static void reduces_long_ranges(dt_world *world)
{
    (void)world;
    static const int64_t counts[] = {1000, 4096, MAX_COUNT};
    check_counts(counts, sizeof counts / sizeof *counts, false);
}

/* Every pair of patterns, which chance might leave out. */
static void reduces_all_pairs(dt_world *world)
{
    (void)world;
    unsigned long long state = dt_test_seed();
    for (int op = 0; op < DT_REDUCE_COUNT; op++) {
        for (int dtype = 0; dtype < DT_DTYPE_COUNT; dtype++) {
            reduce_case c = {(dt_reduce)op, (dt_dtype)dtype, 0, 2, 1, 0, 0, 0};
            if (!dti_reduce_supports(c.op, c.dtype) || dtype == DT_C64)
                continue;
            const pattern_row *row = &pattern_rows[dtype];
            const size_t item = dt_dtype_size(c.dtype);
            for (size_t i = 0; i < row->count; i++) {
                for (size_t j = 0; j < row->count; j++) {
                    const size_t at = (size_t)c.count++ * item;
                    memcpy(sources[0] + at, &row->patterns[i], item);
                    memcpy(sources[1] + at, &row->patterns[j], item);
                }
            }
            prepare(&c);
            for (int level = 0; level <= best_level(); level++)
                run_case((dti_cpu_level)level, &c, &state);
        }
    }
}

/* ---- Rules ----------------------------------------------------------------
 */

static float reduce_two(dt_reduce op, float a, float b)
{
    float result = 0;
    const void *inputs[] = {&a, &b};
    void *outputs[] = {&result};
    dti_reduce(op, DT_F32, inputs, 2, outputs, 1, 1, false);
    return result;
}

static void keeps_the_rules_of_floats(dt_world *world)
{
    (void)world;
    CHECK(reduce_two(DT_SUM, 1.5f, 2.25f) == 3.75f);
    CHECK(reduce_two(DT_AVG, 1, 2) == 1.5f);
    CHECK(signbit(reduce_two(DT_SUM, -0.0f, -0.0f)));
    CHECK(!signbit(reduce_two(DT_SUM, -0.0f, 0.0f)));
    CHECK(signbit(reduce_two(DT_MIN, 0.0f, -0.0f)));
    CHECK(signbit(reduce_two(DT_MIN, -0.0f, 0.0f)));
    CHECK(!signbit(reduce_two(DT_MAX, 0.0f, -0.0f)));
    CHECK(!signbit(reduce_two(DT_MAX, -0.0f, 0.0f)));
    CHECK(isnan(reduce_two(DT_MIN, NAN, 1)));
    CHECK(isnan(reduce_two(DT_MAX, 1, NAN)));
    CHECK(isnan(reduce_two(DT_SUM, INFINITY, -INFINITY)));
    CHECK(reduce_two(DT_SUM, FLT_MAX, FLT_MAX) == INFINITY);
}

/* 2048 + 1 + 1 in f16: rounded at each step it stays at 2048. */
static void rounds_halves_once(dt_world *world)
{
    (void)world;
    const uint16_t large = dti_f16_of_float(2048), one = dti_f16_of_float(1);
    uint16_t result = 0;
    const void *inputs[] = {&large, &one, &one};
    void *outputs[] = {&result};
    dti_reduce(DT_SUM, DT_F16, inputs, 3, outputs, 1, 1, false);
    CHECK(dti_widen_f16(result) == 2050);
    /* The sum of two is beyond f16, their average is not. */
    const uint16_t largest = 0x7bff;
    const void *two[] = {&largest, &largest};
    dti_reduce(DT_AVG, DT_F16, two, 2, outputs, 1, 1, false);
    CHECK_INT(result, largest);
}

/* Which reductions are defined, in the order of dt_dtype: f32 f64 f16 bf16 i8
 * i16 i32 i64 u8 bool c64. */
static const char *const defined[DT_REDUCE_COUNT] = {
    [DT_SUM] = "xxxxxxxxxxx",     [DT_AVG] = "xxxx------x",
    [DT_PRODUCT] = "xxxxxxxxxxx", [DT_MIN] = "xxxxxxxxxx-",
    [DT_MAX] = "xxxxxxxxxx-",     [DT_BAND] = "----xxxxxx-",
    [DT_BOR] = "----xxxxxx-",     [DT_BXOR] = "----xxxxxx-",
};

static void knows_what_it_supports(dt_world *world)
{
    (void)world;
    for (int op = 0; op < DT_REDUCE_COUNT; op++)
        for (int dtype = 0; dtype < DT_DTYPE_COUNT; dtype++)
            CHECKF(dti_reduce_supports((dt_reduce)op, (dt_dtype)dtype) ==
                       (defined[op][dtype] == 'x'),
                   "%s of %s", dt_reduce_name((dt_reduce)op),
                   dt_dtype_name((dt_dtype)dtype));
    CHECK(!dti_reduce_supports(DT_REDUCE_COUNT, DT_F32));
    CHECK(!dti_reduce_supports(DT_SUM, DT_DTYPE_COUNT));
}

static void names_reductions(dt_world *world)
{
    (void)world;
    CHECK_TEXT(dt_reduce_name(DT_SUM), "sum");
    CHECK_TEXT(dt_reduce_name(DT_AVG), "avg");
    CHECK_TEXT(dt_reduce_name(DT_BXOR), "bxor");
    CHECK_TEXT(dt_reduce_name(DT_REDUCE_COUNT), "invalid");
}

const dt_test dt_tests[] = {
    {"reduces short ranges", reduces_short_ranges},
    {"reduces long ranges", reduces_long_ranges},
    {"reduces all pairs", reduces_all_pairs},
    {"keeps the rules of floats", keeps_the_rules_of_floats},
    {"rounds halves once", rounds_halves_once},
    {"knows what it supports", knows_what_it_supports},
    {"names reductions", names_reductions},
    {NULL, NULL},
};
