/* tests/unit/array/half.c - halves to f32 and back, bit by bit. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "array/cast.h"
#include "array/number.h"
#include "support/check.h"

/* A half type: bits of its fraction, its least exponent, its largest finite
 * exponent. */
typedef struct format {
    int fraction;
    int least;
    int largest;
} format;

static const format f16 = {10, -14, 15};
static const format bf16 = {7, -126, 127};

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* What a number means, by the definition of its format. */
static double value_of(const format *f, uint16_t half)
{
    const int fraction = half & ((1 << f->fraction) - 1);
    const int exponent = (half & 0x7fff) >> f->fraction;
    const double sign = half & 0x8000 ? -1 : 1;
    if (exponent == 2 * f->largest + 1)
        return fraction ? (double)NAN : sign * HUGE_VAL;
    if (exponent == 0)
        return sign * ldexp(fraction, f->least - f->fraction);
    return sign * ldexp(fraction + (1 << f->fraction),
                        exponent - f->largest - f->fraction);
}

/* The nearest number of a format, by its definition; not for NaN. */
static uint16_t nearest(const format *f, float value)
{
    const uint16_t sign = signbit(value) ? 0x8000 : 0;
    const double size = fabs((double)value);
    if (size == 0)
        return sign;
    int exponent = isinf(value) ? f->largest : ilogb(size);
    if (exponent < f->least)
        exponent = f->least;
    /* Steps of this exponent; the conversion to a double was exact. */
    double steps = rint(ldexp(size, f->fraction - exponent));
    if (steps == ldexp(1, f->fraction + 1)) {
        steps /= 2;
        exponent++;
    }
    if (exponent > f->largest || isinf(value))
        return (uint16_t)(sign | (2 * f->largest + 1) << f->fraction);
    const int whole = (int)steps;
    const int hidden = 1 << f->fraction;
    if (whole < hidden) /* subnormal */
        return (uint16_t)(sign | whole);
    const int biased = exponent + f->largest;
    return (uint16_t)(sign | biased << f->fraction | (whole - hidden));
}

static uint16_t narrowed(const format *f, float value)
{
    if (!isnan(value))
        return nearest(f, value);
    /* The sign and the upper bits of the payload, quiet. */
    const uint32_t bits = bits_of(value);
    const uint32_t infinity = (uint32_t)(2 * f->largest + 1) << f->fraction;
    const uint32_t payload = (bits & 0x7fffff) >> (23 - f->fraction);
    return (uint16_t)(bits >> 31 << 15 | infinity | payload |
                      1u << (f->fraction - 1));
}

/* Check a block of 65536 widened halves, which hold every half in order. */
static void check_wide(const format *f, const float *wide, const char *level)
{
    int wrong = 0;
    for (uint32_t i = 0; i < 65536; i++) {
        const double value = value_of(f, (uint16_t)i);
        uint32_t expected = bits_of((float)value);
        if (isnan(value)) {
            const uint32_t payload = (i & 0x7fff) << (23 - f->fraction);
            const uint32_t quiet = f->fraction == 10 ? 0x00400000 : 0;
            expected =
                (i & 0x8000) << 16 | 0x7f800000 | (payload & 0x7fffff) | quiet;
        }
        wrong += bits_of(wide[i]) != expected;
    }
    CHECKF(wrong == 0, "%d wrong with %d bits of fraction, %s", wrong,
           f->fraction, level);
}

static float wide[65536];
static uint16_t narrow[65536];

static void widens_every_half(dt_world *world)
{
    (void)world;
    for (int level = 0; level <= (int)dti_cpu_detect(); level++) {
        const dti_cast_run *runs = dti_cast_runs_of((dti_cpu_level)level);
        const char *name = dti_cpu_level_name((dti_cpu_level)level);
        for (int i = 0; i < 65536; i++)
            narrow[i] = (uint16_t)i;
        runs[DT_F16](narrow, wide, DT_F32, 65536);
        check_wide(&f16, wide, name);
        runs[DT_BF16](narrow, wide, DT_F32, 65536);
        check_wide(&bf16, wide, name);
    }
}

static void widens_one_at_a_time(dt_world *world)
{
    (void)world;
    for (int i = 0; i < 65536; i++)
        wide[i] = dti_widen_f16((uint16_t)i);
    check_wide(&f16, wide, "scalar");
    for (int i = 0; i < 65536; i++)
        wide[i] = dti_widen_bf16((uint16_t)i);
    check_wide(&bf16, wide, "scalar");
}

/* The lower bits of a float decide how it rounds: at, beside and between the
 * ties of both formats.  The upper bits are all there are. */
static const uint32_t lower[] = {
    0,      1,      0x0800, 0x0fff, 0x1000, 0x1001, 0x1fff, 0x2000,
    0x2fff, 0x3000, 0x3001, 0x7000, 0x7fff, 0x8000, 0x8001, 0x8fff,
    0x9000, 0x9001, 0xefff, 0xf000, 0xf001, 0xffff,
};

/* Check a block of narrowed floats, and the scalar functions with it. */
static void check_narrow(const format *f, const char *level)
{
    int wrong = 0;
    for (int i = 0; i < 65536; i++) {
        wrong += narrow[i] != narrowed(f, wide[i]);
        const uint16_t one =
            f == &f16 ? dti_f16_of_float(wide[i]) : dti_bf16_of_float(wide[i]);
        wrong += one != narrow[i];
    }
    CHECKF(wrong == 0, "%d wrong with %d bits of fraction, %s", wrong,
           f->fraction, level);
}

static void narrows_to_nearest(dt_world *world)
{
    (void)world;
    for (int level = 0; level <= (int)dti_cpu_detect(); level++) {
        const dti_cast_run *runs = dti_cast_runs_of((dti_cpu_level)level);
        const char *name = dti_cpu_level_name((dti_cpu_level)level);
        for (size_t k = 0; k < sizeof lower / sizeof *lower; k++) {
            for (uint32_t i = 0; i < 65536; i++)
                wide[i] = float_of(i << 16 | lower[k]);
            runs[DT_F32](wide, narrow, DT_F16, 65536);
            check_narrow(&f16, name);
            runs[DT_F32](wide, narrow, DT_BF16, 65536);
            check_narrow(&bf16, name);
        }
    }
}

/* Convert `count` elements at any place and see that nothing else changed. */
static void check_part(const dti_cast_run *runs, int count)
{
    enum { ROOM = 40 + 2, UNTOUCHED = 0x4242 };
    uint16_t from[ROOM] = {0}, back[2][ROOM];
    float to[2][ROOM];
    for (int i = 0; i < ROOM; i++) {
        from[i] = (uint16_t)(0x3c00 + 37 * i);
        to[0][i] = to[1][i] = UNTOUCHED;
        back[0][i] = back[1][i] = UNTOUCHED;
    }
    runs[DT_F16](from + 1, to[0] + 1, DT_F32, count);
    runs[DT_BF16](from + 1, to[1] + 1, DT_F32, count);
    runs[DT_F32](to[0] + 1, back[0] + 1, DT_F16, count);
    runs[DT_F32](to[1] + 1, back[1] + 1, DT_BF16, count);
    for (int i = 1; i <= count; i++)
        CHECK(to[0][i] == dti_widen_f16(from[i]) &&
              to[1][i] == dti_widen_bf16(from[i]));
    for (int k = 0; k < 2; k++) {
        CHECK(memcmp(back[k] + 1, from + 1, (size_t)(2 * count)) == 0);
        CHECK(back[k][0] == UNTOUCHED && back[k][count + 1] == UNTOUCHED);
        CHECK(to[k][0] == UNTOUCHED && to[k][count + 1] == UNTOUCHED);
    }
}

static void converts_any_count_anywhere(dt_world *world)
{
    (void)world;
    for (int level = 0; level <= (int)dti_cpu_detect(); level++)
        for (int count = 0; count <= 40; count++)
            check_part(dti_cast_runs_of((dti_cpu_level)level), count);
}

const dt_test dt_tests[] = {
    {"widens every half", widens_every_half},
    {"widens one at a time", widens_one_at_a_time},
    {"narrows to nearest", narrows_to_nearest},
    {"converts any count anywhere", converts_any_count_anywhere},
    {NULL, NULL},
};
