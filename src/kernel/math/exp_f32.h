/* kernel/math/exp_f32.h - functions of one f32 that are made of exp. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_MATH_EXP_F32_H
#define DTI_KERNEL_MATH_EXP_F32_H

#include <math.h>

#include "base/attributes.h"
#include "kernel/math/bits.h"

/* ---- Parts of exp -------------------------------------------------------- */

/*
 * x = n log 2 + r: gives r, and n + 256 by the way.  log 2 is taken in two
 * parts, the first of so few bits that n times it is exact.
 */
static DTI_INLINE float reduce_exp_f32(float x, uint32_t *power)
{
    const float sum = x * 0x1.715476p+0f + ROUNDING_F32;
    const float n = sum - ROUNDING_F32;
    *power = dti_bits_of_f32(sum) - dti_bits_of_f32(ROUNDING_F32) + 256;
    return (x - n * 0x1.62e4p-1f) - n * 0x1.7f7d1cp-20f;
}

/* (exp(r) - 1 - r) / r^2 for |r| up to half of log 2. */
static DTI_INLINE float exp_curve_f32(float r)
{
    const float u = r * r;
    const float low = 0x1.55548cp-3f * r + 0x1.fffffcp-2f;
    const float middle = 0x1.123d0ep-7f * r + 0x1.5558cp-5f;
    return (0x1.6a0b5p-10f * u + middle) * u + low;
}

/* exp(r) for |r| up to half of log 2. */
static DTI_INLINE float exp_near_f32(float r)
{
    return exp_curve_f32(r) * (r * r) + r + 1.0f;
}

/* Multiply by 2^n, given n + 256.  2^n is two factors: one alone is no f32
 * where the result is subnormal or nearly infinite. */
static DTI_INLINE float scale_f32(float x, uint32_t power)
{
    const uint32_t half = power >> 1; /* what was added is even */
    return x * dti_f32_of_bits((half - 128 + 127) << 23) *
           dti_f32_of_bits((power - half - 128 + 127) << 23);
}

/* The same for n from -180 to 0, where one factor may stand apart. */
static DTI_INLINE float scale_down_f32(float x, uint32_t power)
{
    return x * dti_f32_of_bits((power - 256 + 64 + 127) << 23) * 0x1p-64f;
}

/* 2^n itself, for n from -126 to 127. */
static DTI_INLINE float power_of_two_f32(uint32_t power)
{
    return dti_f32_of_bits((power - 256 + 127) << 23);
}

/* ---- exp and its kin ----------------------------------------------------- */

static DTI_INLINE float exp_f32(float x)
{
    uint32_t power;
    /* Infinite above, 0 below. */
    const float kept = at_most_f32(at_least_f32(x, -104.0f), 89.0f);
    const float rest = exp_near_f32(reduce_exp_f32(kept, &power));
    return scale_f32(rest, power);
}

/* exp of a number up to 43, with the same bits: differences from the largest of
 * some numbers are at most 0.  NaN stays what it is. */
static DTI_INLINE float exp_down_f32(float x)
{
    uint32_t power;
    const float kept = at_least_f32(x, -104.0f);
    const float rest = exp_near_f32(reduce_exp_f32(kept, &power));
    return scale_down_f32(rest, power);
}

static DTI_INLINE float exp2_f32(float x)
{
    const float kept = at_most_f32(at_least_f32(x, -151.0f), 129.0f);
    const float sum = kept + ROUNDING_F32;
    const float r = kept - (sum - ROUNDING_F32), u = r * r;
    const float low = 0x1.ebfb94p-3f * r + 0x1.62e43p-1f;
    const float middle = 0x1.3b67f4p-7f * r + 0x1.c6af9ep-5f;
    const float high = 0x1.17ae6p-13f * r + 0x1.5ef462p-10f;
    const float rest = ((high * u + middle) * u + low) * r + 1.0f;
    const uint32_t power =
        dti_bits_of_f32(sum) - dti_bits_of_f32(ROUNDING_F32) + 256;
    return scale_f32(rest, power);
}

/*
 * 2^n (exp(r) - 1) + (2^n - 1).  Nothing is lost where the parts cancel: what
 * was rounded off r, and off the sums, is added last.
 */
static DTI_INLINE float expm1_f32(float x)
{
    /* -1 below; above, 2^n is halved as it may be 2^128. */
    const float kept = not_above_f32(not_below_f32(x, -18.0f), 89.0f);
    const float sum = kept * 0x1.715476p+0f + ROUNDING_F32;
    const float n = sum - ROUNDING_F32;
    const float most = kept - n * 0x1.62e4p-1f, least = n * 0x1.7f7d1cp-20f;
    const float r = most - least, lost = (most - r) - least;
    const float curve = exp_curve_f32(r) * (r * r) + lost;
    const uint32_t power =
        dti_bits_of_f32(sum) - dti_bits_of_f32(ROUNDING_F32) + 256;
    const float scale = power_of_two_f32(power - 1);
    const float first = r + curve, second = curve - (first - r);
    const float whole = scale - 0.5f, part = scale * first;
    const float half = whole + part;
    const float less = (part - (half - whole)) + scale * second;
    const float result = (half + less) * 2.0f;
    return choose_f32(x != x || x == 0.0f, x, result);
}

/* ---- Hyperbolic functions ------------------------------------------------ */

/* 1/2 exp of a number of which 0 to 90 is kept. */
static DTI_INLINE float half_exp_f32(float x)
{
    uint32_t power;
    const float r = reduce_exp_f32(not_above_f32(x, 90.0f), &power);
    return scale_f32(exp_near_f32(r), power - 1);
}

static DTI_INLINE float sinh_f32(float x)
{
    const float a = magnitude_f32(x), u = x * x;
    const float half = half_exp_f32(a);
    const float large = half - 0.25f / half;
    const float high = 0x1.75a964p-19f * u + 0x1.a02156p-13f;
    const float low = 0x1.1110e2p-7f * u + 0x1.555556p-3f;
    const float small = (high * (u * u) + low) * (u * x) + x;
    return copy_sign_f32(choose_f32(a > 1.0f, large, small), x);
}

static DTI_INLINE float cosh_f32(float x)
{
    const float half = half_exp_f32(magnitude_f32(x));
    return choose_f32(x != x, x, half + 0.25f / half);
}

static DTI_INLINE float tanh_f32(float x)
{
    uint32_t power;
    const float a = magnitude_f32(x), u = x * x;
    const float twice = not_above_f32(a, 10.0f) * 2.0f;
    const float r = reduce_exp_f32(twice, &power);
    const float large =
        1.0f - 2.0f / (exp_near_f32(r) * power_of_two_f32(power) + 1.0f);
    const float low = 0x1.110c44p-3f * u - 0x1.555548p-2f;
    const float middle = 0x1.57adep-6f * u - 0x1.b8fd2p-5f;
    const float high = (-0x1.91a2eep-8f * (u * u) + middle) * (u * u) + low;
    const float small = high * (u * x) + x;
    return copy_sign_f32(choose_f32(a > 0.57f, large, small), x);
}

/* ---- Gates --------------------------------------------------------------- */

/* With z = exp(-|x|), which is never infinite. */
static DTI_INLINE float sigmoid_f32(float x)
{
    uint32_t power;
    const float a = at_least_f32(-magnitude_f32(x), -104.0f);
    const float rest = exp_near_f32(reduce_exp_f32(a, &power));
    const float z = scale_down_f32(rest, power);
    return choose_f32(x < 0.0f, z, 1.0f) / (1.0f + z);
}

/*
 * x / (1 + exp(-v)) for an x of v's sign, where exp(-|v|) is 2^n times what is
 * given.  2^n is 2^(n + 64) and 2^-64, which comes last: x times the former is
 * large enough where 2^n alone is not.
 * Minus infinity gives NaN, which is what infinity over infinity is.
 */
static DTI_INLINE float gate_f32(float x, float rest, uint32_t power)
{
    const float high = rest * power_of_two_f32(power + 64);
    const float kept = not_below_f32(x, -110.0f);
    const float value =
        kept * choose_f32(x < 0.0f, high, 1.0f) / (1.0f + high * 0x1p-64f);
    const float result = value * choose_f32(x < 0.0f, 0x1p-64f, 1.0f);
    return choose_f32(!(x > -INFINITY), NAN, result);
}

static DTI_INLINE float silu_f32(float x)
{
    uint32_t power;
    const float a = not_below_f32(-magnitude_f32(x), -110.0f);
    const float rest = exp_near_f32(reduce_exp_f32(a, &power));
    return gate_f32(x, rest, power);
}

/*
 * 1/2 (1 + tanh(v/2)) is 1 / (1 + exp(-v)), v = sqrt(8/pi) (x + 0.044715 x^3).
 * Where it is large, v has too few bits as f32: it is reduced as f64.
 */
static DTI_INLINE float gelu_tanh_f32(float x)
{
    const double shift = 0x1.8p52;
    const double a = (double)not_above_f32(magnitude_f32(x), 11.0f);
    const double v =
        a * (-0x1.9884533d43651p+0 - 0x1.2444f2a4d8b4bp-4 * (a * a));
    const double sum = v * 0x1.71547652b82fep+0 + shift;
    const double n = sum - shift;
    const float r = (float)(v - n * 0x1.62e42fefa39efp-1);
    const uint32_t power = (uint32_t)dti_bits_of_f64(sum) + 256;
    return gate_f32(x, exp_near_f32(r), power);
}

/* ---- Error function ------------------------------------------------------ */

/*
 * Below 0.94, x times a polynomial of x^2; above, 1 - exp(-p(x)) for another
 * one, fitted to -log(erfc(x)).
 */
static DTI_INLINE float erf_f32(float x)
{
    uint32_t power;
    const float a = not_above_f32(magnitude_f32(x), 3.93f), u = a * a;
    const float b0 = 0x1.20a6bep+0f * a + 0x1.dd6e5ap-13f;
    const float b1 = 0x1.a8ead4p-4f * a + 0x1.465994p-1f;
    const float b2 = 0x1.8bdd34p-9f * a - 0x1.6aa80cp-6f;
    const float far = ((-0x1.96022cp-13f * u + b2) * u + b1) * u + b0;
    const float r = reduce_exp_f32(-far, &power);
    const float large = 1.0f - exp_near_f32(r) * power_of_two_f32(power);
    const float v = x * x, w = v * v;
    const float s0 = -0x1.81274p-2f * v + 0x1.06eba8p-3f;
    const float s1 = -0x1.b80124p-6f * v + 0x1.ce2d64p-4f;
    const float s2 = -0x1.a6181p-11f * v + 0x1.544b08p-8f;
    const float near = ((0x1.4fa924p-14f * w + s2) * w + s1) * w + s0;
    return choose_f32(!(magnitude_f32(x) > 0.94f), near * x + x,
                      copy_sign_f32(large, x));
}

/*
 * exp(z^2) erfc(z) (z + 2), a polynomial of t = (z - 2) / (z + 2), for z from
 * 0.63 to 10.6.  Nearer to 0 too much of t is rounded off.
 */
static DTI_INLINE float tail_curve_f32(float t)
{
    const float u = t * t, v = u * u;
    const float c0 = -0x1.5fd386p-1f * t + 0x1.058672p+0f;
    const float c1 = -0x1.2a891ep-5f * t + 0x1.1e2d82p-2f;
    const float c2 = 0x1.a859fcp-8f * t - 0x1.6008e6p-6f;
    const float c3 = -0x1.a7f91ap-11f * t + 0x1.85456p-9f;
    return (-0x1.c648fcp-12f * v + (c3 * u + c2)) * v + (c1 * u + c0);
}

/*
 * exp(-scale a^2) is 2^n exp(r): gives r, and n + 256 by the way.  The square
 * is taken in two parts; that of the upper half of a's bits is exact.
 */
static DTI_INLINE float reduce_square_f32(float a, float scale, uint32_t *power)
{
    const float upper = dti_f32_of_bits(dti_bits_of_f32(a) & 0xfffff000);
    const float most = upper * upper, least = (a - upper) * (a + upper);
    const float sum = a * a * (scale * -0x1.715476p+0f) + ROUNDING_F32;
    const float n = sum - ROUNDING_F32;
    *power = dti_bits_of_f32(sum) - dti_bits_of_f32(ROUNDING_F32) + 256;
    const float r = (n * (-0x1.62e4p-1f / scale) - most) -
                    (n * (0x1.7f7d1cp-20f / scale) + least);
    return r * scale;
}

static DTI_INLINE float erfc_f32(float x)
{
    uint32_t power;
    const float a = not_above_f32(magnitude_f32(x), 10.5f);
    const float inverse = 1.0f / (a + 2.0f);
    const float curve = tail_curve_f32((a - 2.0f) / (a + 2.0f)) * inverse;
    const float r = reduce_square_f32(a, 1.0f, &power);
    const float tail = scale_down_f32(exp_near_f32(r) * curve, power);
    const float far = choose_f32(x < 0.0f, 2.0f - tail, tail);
    const float v = x * x, w = v * v;
    const float c0 = -0x1.8126c4p-2f * v + 0x1.06eba6p-3f;
    const float c1 = -0x1.b3bbcep-6f * v + 0x1.ce0694p-4f;
    const float near = (0x1.22a58cp-8f * w + c1) * w + c0;
    return choose_f32(magnitude_f32(x) > 0.63f, far, 1.0f - (near * x + x));
}

#define GELU_BEND_F32 0x1.c48c6p+1f

/* The p of gelu_f32. */
static DTI_INLINE float normal_curve_f32(float s)
{
    const float u = s * s, v = u * u;
    const float c0 = -0x1.d229b8p-1f * s + 0.5f;
    const float c1 = -0x1.de9f26p-3f * s + 0x1.9bafbp-1f;
    const float c2 = 0x1.d2d286p-5f * s - 0x1.0ec52p-3f;
    const float c3 = -0x1.816f58p-7f * s + 0x1.de3fc2p-5f;
    const float c4 = 0x1.d7d096p-7f * s - 0x1.0cfddcp-5f;
    return (c4 * v + (c3 * u + c2)) * v + (c1 * u + c0);
}

/*
 * x times the normal distribution function, which is 1/2 erfc(-x/sqrt(2)).
 * That of -|x| is exp(-x^2/2) c s/|x| p(s) for s = |x| / (|x| + c), where c is
 * 2.5 sqrt(2).  Minus infinity gives NaN, which is what 0 times it is.
 */
static DTI_INLINE float gelu_f32(float x)
{
    uint32_t power;
    const float a = not_above_f32(magnitude_f32(x), 15.0f);
    const float s = a / (a + GELU_BEND_F32), p = normal_curve_f32(s);
    const float r = reduce_square_f32(a, 0.5f, &power);
    const float tail =
        scale_down_f32(exp_near_f32(r) * (p * (s * GELU_BEND_F32)), power);
    const float result = choose_f32(x < 0.0f, -0.0f, x) - tail;
    return choose_f32(!(x > -INFINITY), NAN, result);
}

#endif
