/* kernel/math/log_f32.h - functions of one f32 that are made of log, and pow.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_MATH_LOG_F32_H
#define DTI_KERNEL_MATH_LOG_F32_H

#include <math.h>

#include "base/attributes.h"
#include "kernel/math/bits.h"

/* ---- Parts of log -------------------------------------------------------- */

/* x = 2^e (1 + f), for bits of a normal number; 1 + f is from sqrt(1/2) to
 * sqrt(2).  Gives f, and e by the way. */
static DTI_INLINE float split_f32(uint32_t bits, int32_t *e)
{
    /* Adding 1 - sqrt(1/2), as bits, carries into the exponent where the
     * fraction is past it. */
    const uint32_t exponent = (bits + (0x3f800000 - 0x3f3504f3)) >> 23;
    *e = (int32_t)exponent - 127;
    return dti_f32_of_bits(bits - (exponent << 23) + 0x3f800000) - 1.0f;
}

/* The same for a positive number that may be subnormal; e is a float. */
static DTI_INLINE float split_any_f32(float x, float *e)
{
    int32_t exponent;
    const int tiny = x < 0x1p-126f;
    const float f =
        split_f32(dti_bits_of_f32(choose_f32(tiny, x * 0x1p23f, x)), &exponent);
    *e = (float)(exponent - (int32_t)(23 & -(uint32_t)tiny));
    return f;
}

/* 2^-e; nearly so for e above 126, where it is nothing beside a logarithm. */
static DTI_INLINE float inverse_power_f32(int32_t e)
{
    return dti_f32_of_bits((uint32_t)(127 - (e < 126 ? e : 126)) << 23);
}

/* log(1 + f) - f. */
static DTI_INLINE float log_curve_f32(float f)
{
    const float u = f * f, v = u * u;
    const float c0 = -0x1.000228p-2f * f + 0x1.555554p-2f;
    const float c1 = -0x1.54722ep-3f * f + 0x1.99a034p-3f;
    const float c2 = -0x1.0d8234p-3f * f + 0x1.22d662p-3f;
    const float c3 = -0x1.3901dp-4f * f + 0x1.05739p-3f;
    const float p = (c3 * u + c2) * v + (c1 * u + c0);
    return (p * f - 0.5f) * u;
}

/* What log gives where x is not a positive number; otherwise the number. */
static DTI_INLINE float log_or_f32(float x, float number)
{
    const float finite = choose_f32(x < INFINITY, number, x); /* NaN too */
    const float positive = choose_f32(x == 0.0f, -INFINITY, finite);
    return choose_f32(x < 0.0f, NAN, positive);
}

/* e log 2 + f + rest; log 2 in two parts, and what the sum loses is kept. */
static DTI_INLINE float log_sum_f32(float e, float f, float rest)
{
    const float most = e * 0x1.62e4p-1f, sum = most + f;
    const float lost = (most - sum) + f;
    return sum + (lost + (e * 0x1.7f7d1cp-20f + rest));
}

/* ---- Logarithms ---------------------------------------------------------- */

static DTI_INLINE float log_f32(float x)
{
    float e;
    const float f = split_any_f32(x, &e);
    return log_or_f32(x, log_sum_f32(e, f, log_curve_f32(f)));
}

/* log2(1 + f) is f and the rest: 0.44 f, and what log(1 + f) - f gives. */
static DTI_INLINE float log2_f32(float x)
{
    float e;
    const float f = split_any_f32(x, &e);
    const float rest = f * 0x1.c551dap-2f + log_curve_f32(f) * 0x1.715476p+0f;
    const float sum = e + f, lost = (e - sum) + f;
    return log_or_f32(x, sum + (lost + rest));
}

/* As log, by log10(2) and log10(exp(1)), each in two parts: the first ones
 * have so few bits that products with e and the upper bits of f are exact. */
static DTI_INLINE float log10_f32(float x)
{
    float e;
    const float f = split_any_f32(x, &e);
    const float upper = dti_f32_of_bits(dti_bits_of_f32(f) & 0xfffff000);
    const float rest = (f - upper) * 0x1.bccp-2f + f * -0x1.09d5b2p-15f +
                       log_curve_f32(f) * 0x1.bcb7b2p-2f;
    const float most = e * 0x1.344p-2f, part = upper * 0x1.bccp-2f;
    const float sum = most + part, lost = (most - sum) + part;
    return log_or_f32(x, sum + (lost + (e * 0x1.3509f8p-18f + rest)));
}

/*
 * The logarithm of 1 + x, and what that loses to rounding divided by 1 + x.
 * Near 0 f is x itself.
 */
static DTI_INLINE float log1p_f32(float x)
{
    int32_t exponent;
    const float u = 1.0f + x;
    const float off = choose_f32(x > 1.0f, 1.0f - (u - x), x - (u - 1.0f));
    const float split = split_f32(dti_bits_of_f32(u), &exponent);
    const int near = exponent == 0;
    const float inverse = inverse_power_f32(exponent);
    const float f = choose_f32(near, x, split);
    const float least = choose_f32(near, 0.0f, off * inverse);
    const float rest = log_curve_f32(f) + least * (f * f - f + 1.0f);
    const float result = log_sum_f32((float)exponent, f, rest);
    return choose_f32(x == 0.0f, x, log_or_f32(u, result));
}

/* ---- Inverse hyperbolic functions ---------------------------------------- */

static DTI_INLINE float atanh_f32(float x)
{
    float e;
    const float a = magnitude_f32(x), u = a * a, v = u * u;
    const float quotient = (1.0f + a) / (1.0f - a);
    const float f = split_any_f32(quotient, &e);
    const float large =
        0.5f * log_or_f32(quotient, log_sum_f32(e, f, log_curve_f32(f)));
    const float c0 = 0x1.99a742p-3f * u + 0x1.55553ep-2f;
    const float c1 = 0x1.e4d028p-4f * u + 0x1.233fd8p-3f;
    const float c2 = 0x1.6b0342p-3f * u + 0x1.a125a4p-5f;
    const float small = ((c2 * v + c1) * v + c0) * (u * x) + x;
    return copy_sign_f32(choose_f32(a > 0.5f, large, small), x);
}

/* log(2 half) of a number as f64, of which f32 loses no more than its exponent
 * allows: what that rounds off is divided by it and added. */
static DTI_INLINE float log_twice_f32(double half)
{
    int32_t exponent;
    const float most = (float)half;
    const float f = split_f32(dti_bits_of_f32(most), &exponent);
    const float inverse = inverse_power_f32(exponent);
    const float least = (float)(half - (double)most) * inverse;
    const float rest = log_curve_f32(f) + least * (f * f - f + 1.0f);
    return log_sum_f32((float)(exponent + 1), f, rest);
}

static DTI_INLINE float asinh_f32(float x)
{
    const float a = magnitude_f32(x), u = a * a, v = u * u;
    const double wide = (double)a;
    const float large = log_twice_f32(0.5 * (wide + sqrt(wide * wide + 1)));
    const float c0 = 0x1.333228p-4f * u - 0x1.555554p-3f;
    const float c1 = 0x1.ebb1bp-6f * u - 0x1.6d7a46p-5f;
    const float c2 = 0x1.2a09d2p-7f * u - 0x1.46d162p-6f;
    const float small = ((c2 * v + c1) * v + c0) * (u * x) + x;
    const float finite = choose_f32(a < INFINITY, large, a);
    return copy_sign_f32(choose_f32(a > 0.5f, finite, small), x);
}

static DTI_INLINE float acosh_f32(float x)
{
    const double wide = (double)x;
    const double root = sqrt((wide - 1) * (wide + 1));
    const float result = log_twice_f32(0.5 * (wide + root));
    const float number = choose_f32(x >= 1.0f, result, NAN);
    return choose_f32(x < INFINITY, number, x);
}

/* ---- Powers -------------------------------------------------------------- */

/* log2 of a positive f32 as f64, off by 2^-37 of it at most. */
static DTI_INLINE double log2_wide(float x)
{
    const uint64_t bits = dti_bits_of_f64((double)x);
    const uint64_t e = (bits + (UINT64_C(0x3ff0000000000000) -
                                UINT64_C(0x3fe6a09e667f3bcd))) >>
                       52;
    const double m =
        dti_f64_of_bits(bits - (e << 52) + UINT64_C(0x3ff0000000000000));
    /* e as a double: it becomes the end of the fraction of 2^52. */
    const double scale =
        dti_f64_of_bits(UINT64_C(0x4330000000000000) | (e & 0xfff)) - 0x1p52 -
        1023;
    const double s = (m - 1) / (m + 1), u = s * s, v = u * u;
    const double c0 = 0x1.ec709d1229090p-1 * u + 0x1.71547652bee70p+1;
    const double c1 = 0x1.a58d4780807f9p-2 * u + 0x1.2777806c779fap-1;
    return scale + ((0x1.5ced474068d01p-2 * v + c1) * v + c0) * s;
}

/* 2^w as f32, for |w| up to 200. */
static DTI_INLINE float exp2_wide(double w)
{
    const double shift = 0x1.8p52;
    const double sum = w + shift, r = w - (sum - shift), u = r * r;
    const double c0 = 0x1.62e4311733d13p-1 * r + 1.0;
    const double c1 = 0x1.c6ae72e00f2a6p-5 * r + 0x1.ebfbe2c53fcbfp-3;
    const double c2 = 0x1.5f7276b30770ap-10 * r + 0x1.3b270e667292dp-7;
    const double rest = ((0x1.470b48d7d5d62p-13 * u + c2) * u + c1) * u + c0;
    const uint64_t power = (dti_bits_of_f64(sum) + 1023) << 52;
    return (float)(rest * dti_f64_of_bits(power));
}

/* The sign of x where y is odd, 1 elsewhere, and NaN where the power of a
 * negative x is none. */
static DTI_INLINE float power_sign_f32(float x, float y)
{
    /* Numbers from 2^24 on are even. */
    const float size = not_above_f32(magnitude_f32(y), 0x1p25f);
    const int32_t whole = (int32_t)size;
    const int broken = (float)whole != size;
    const uint32_t odd = ((uint32_t)whole & (uint32_t)!broken) << 31;
    const float sign =
        dti_f32_of_bits((dti_bits_of_f32(x) & odd) | dti_bits_of_f32(1.0f));
    return choose_f32(broken & (x < 0.0f) & (x > -INFINITY), NAN, sign);
}

/* C's powf. */
static DTI_INLINE float pow_f32(float x, float y)
{
    const float a = magnitude_f32(x);
    const double number =
        choose_f64(a < INFINITY, log2_wide(a), (double)INFINITY);
    const double log2 = choose_f64(a == 0.0f, -(double)INFINITY, number);
    const double product = (double)y * log2;
    const double below = choose_f64(product > 200, 200, product);
    const double kept = choose_f64(below < -200, -200, below);
    const float size = exp2_wide(kept);
    const float known = choose_f32(x != x || y != y, NAN, size);
    const float result = known * power_sign_f32(x, y);
    const int one = (y == 0.0f) | (x == 1.0f) |
                    ((a == 1.0f) & (magnitude_f32(y) == INFINITY));
    return choose_f32(one, 1.0f, result);
}

#endif
