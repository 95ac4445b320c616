/* kernel/math_f32.h - functions of one f32, to be made vectors of. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_MATH_F32_H
#define DTI_KERNEL_MATH_F32_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/*
 * f32 is computed in double, where short polynomials leave errors below 1e-9:
 * nearly always the nearest f32 comes out, subnormal numbers need no care, and
 * nothing cancels that would show.  There are no branches and no calls, so that
 * compilers make vectors of loops over these.  Each is a fixed sequence of
 * correctly rounded operations: all levels give the same bits.
 *
 * The polynomials are Chebyshev fits, made with mpmath.chebyfit.
 */

static inline double double_of_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint64_t bits_of_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* `a` where the condition holds, `b` elsewhere.  Compilers move arithmetic into
 * the branches of a choice, and then make no vectors of it; masks have none. */
static inline double choose(int condition, double a, double b)
{
    const uint64_t mask = -(uint64_t)condition;
    return double_of_bits((bits_of_double(a) & mask) |
                          (bits_of_double(b) & ~mask));
}

/* Keep a number within bounds; NaN stays NaN. */
static inline double clamp(double x, double low, double high)
{
    const double below = choose(x > high, high, x);
    return choose(x < low, low, below);
}

/* x = k log 2 + r: gives 2^k and (exp(r) - 1), for |x| up to 700. */
static inline void split_exp(double x, double *scale, double *rest)
{
    /* The sum is so large that its last bits are those of the nearest integer.
     */
    const double shift = 0x1.8p52;
    const double sum = x * 0x1.71547652b82fep+0 + shift;
    const double k = sum - shift;
    const double r =
        (x - k * 0x1.62e42fefa38p-1) - k * 0x1.ef35793c7673p-45; /* log 2 */
    double p = 1.9899285575896282e-4;
    p = p * r + 1.3941118895837001e-3;
    p = p * r + 8.3332984698005894e-3;
    p = p * r + 4.1666352771112211e-2;
    p = p * r + 1.6666666719028935e-1;
    p = p * r + 5.0000000471460574e-1;
    p = p * r + 1.0;
    *rest = p * r;
    *scale = double_of_bits((bits_of_double(sum) + 1023) << 52);
}

/* exp of any double, NaN and infinities too; 0 and infinity beyond 700. */
static inline double exp_wide(double x)
{
    double scale, rest;
    split_exp(clamp(x, -700, 700), &scale, &rest);
    const double result = scale + scale * rest;
    return choose(x < -700, 0, choose(x > 700, (double)INFINITY, result));
}

/* ---- exp in f32 ---------------------------------------------------------- */

static inline float f32_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t bits_of_f32(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float choose_f32(int condition, float a, float b)
{
    const uint32_t mask = -(uint32_t)condition;
    return f32_of_bits((bits_of_f32(a) & mask) | (bits_of_f32(b) & ~mask));
}

/*
 * x = n log 2 + r, and exp(r) = 1 + r + r^2 q(r): off by less than one unit in
 * the last place.  n is rounded by adding a number whose last bit is worth 1;
 * log 2 is taken in two parts, the first of so few bits that n times it is
 * exact.  2^n is two factors: one alone is no f32 where the result is subnormal
 * or nearly infinite.
 */
static inline float exp_f32(float x)
{
    const float shift = 0x1.8p23f;
    const float below = choose_f32(x > 89.0f, 89.0f, x); /* infinite there */
    const float kept = choose_f32(below < -104.0f, -104.0f, below); /* 0 */
    const float sum = kept * 0x1.715476p+0f + shift;
    const float n = sum - shift;
    const float r = (kept - n * 0x1.62e4p-1f) - n * 0x1.7f7d1cp-20f;
    float q = 0x1.6a0b50p-10f;
    q = q * r + 0x1.123d0ep-7f;
    q = q * r + 0x1.5558c0p-5f;
    q = q * r + 0x1.55548cp-3f;
    q = q * r + 0x1.fffffcp-2f;
    const float rest = q * (r * r) + r + 1.0f;
    const uint32_t power = bits_of_f32(sum) - bits_of_f32(shift) + 256;
    const uint32_t half = power >> 1; /* what was added is even */
    return rest * f32_of_bits((half - 128 + 127) << 23) *
           f32_of_bits((power - half - 128 + 127) << 23);
}

/* tanh = (exp(2x) - 1) / (exp(2x) + 1), where exp(2x) - 1 is added up from
 * parts, so that nothing cancels near 0. */
static inline float tanh_f32(float x)
{
    double scale, rest;
    const double wide = (double)x;
    split_exp(clamp(2 * wide, -40, 40), &scale, &rest);
    const double less_one = scale * rest + (scale - 1);
    /* -0 stays what it is. */
    return (float)choose(wide == 0, wide, less_one / (less_one + 2));
}

static inline float sigmoid_f32(float x)
{
    return (float)(1 / (1 + exp_wide(-(double)x)));
}

static inline float silu_f32(float x)
{
    return (float)((double)x / (1 + exp_wide(-(double)x)));
}

/*
 * x = 2^e m with m from sqrt(1/2) to sqrt(2), and log m = 2 atanh(s) for
 * s = (m - 1) / (m + 1).
 */
static inline float log_f32(float value)
{
    const double x = (double)value;
    const uint64_t bits = bits_of_double(x);
    /* Adding 1 - sqrt(1/2), as bits, carries into the exponent where the
     * fraction is past it. */
    const uint64_t e = (bits + (UINT64_C(0x3ff0000000000000) -
                                UINT64_C(0x3fe6a09e667f3bcd))) >>
                       52;
    const double m =
        double_of_bits(bits - (e << 52) + UINT64_C(0x3ff0000000000000));
    /* e as a double: it becomes the end of the fraction of 2^52. */
    const double scale =
        double_of_bits(UINT64_C(0x4330000000000000) | (e & 0xfff)) - 0x1p52 -
        1023;
    const double s = (m - 1) / (m + 1);
    const double u = s * s;
    double p = 2.3617811358975919e-1;
    p = p * u + 2.8534976254586906e-1;
    p = p * u + 4.000038585087392e-1;
    p = p * u + 6.6666665241712391e-1;
    p = p * u + 2.0000000000084019;
    const double number = scale * 0x1.62e42fefa39efp-1 + p * s;
    const double finite = choose(x < (double)INFINITY, number, x); /* NaN too */
    const double positive = choose(x == 0, -(double)INFINITY, finite);
    return (float)choose(x < 0, (double)NAN, positive);
}

/*
 * x times the normal distribution function, which is 1/2 erfc(-x/sqrt(2)).  For
 * z >= 0, exp(z^2) erfc(z) (z + 3) is a polynomial in (z - 3) / (z + 3); beyond
 * 12 exp(-z^2) makes it nothing.
 */
static inline float gelu_f32(float value)
{
    const double x = (double)value;
    const double z = clamp(fabs(x) * 0x1.6a09e667f3bcdp-1, 0, 12);
    const double t = (z - 3) / (z + 3);
    double p = 3.9931743087481181e-5;
    p = p * t + 9.6318724613044406e-5;
    p = p * t - 2.8809823630300102e-4;
    p = p * t - 5.4682427532066699e-4;
    p = p * t + 3.0380554548290211e-3;
    p = p * t - 1.2120194425911652e-3;
    p = p * t - 2.6827800708881006e-2;
    p = p * t + 1.1952765625251166e-1;
    p = p * t - 3.1046723304001166e-1;
    p = p * t + 5.9022836334964562e-1;
    p = p * t - 8.8339445345475773e-1;
    p = p * t + 1.0740069070334773;
    const double tail = 0.5 * p / (z + 3) * exp_wide(-z * z);
    /* As x Phi(x) in double, but for -infinity: 0 of it is NaN. */
    const double lost = choose(x == -(double)INFINITY, 0, tail);
    return (float)(x * choose(x < 0, lost, 1 - tail));
}

/* 1/2 (1 + tanh(u)) is 1 / (1 + exp(-2u)). */
static inline float gelu_tanh_f32(float value)
{
    const double x = (double)value;
    const double u = 0x1.9884533d43651p-1 * (x + 0.044715 * x * x * x);
    return (float)(x / (1 + exp_wide(-2 * u)));
}

static inline float pow_f32(float x, float y)
{
    return powf(x, y);
}

/* ---- As the C library has them ------------------------------------------- */

static inline float exp2_f32(float x)
{
    return exp2f(x);
}

static inline float expm1_f32(float x)
{
    return expm1f(x);
}

static inline float log2_f32(float x)
{
    return log2f(x);
}

static inline float log10_f32(float x)
{
    return log10f(x);
}

static inline float log1p_f32(float x)
{
    return log1pf(x);
}

static inline float sin_f32(float x)
{
    return sinf(x);
}

static inline float cos_f32(float x)
{
    return cosf(x);
}

static inline float tan_f32(float x)
{
    return tanf(x);
}

static inline float asin_f32(float x)
{
    return asinf(x);
}

static inline float acos_f32(float x)
{
    return acosf(x);
}

static inline float atan_f32(float x)
{
    return atanf(x);
}

static inline float sinh_f32(float x)
{
    return sinhf(x);
}

static inline float cosh_f32(float x)
{
    return coshf(x);
}

static inline float asinh_f32(float x)
{
    return asinhf(x);
}

static inline float acosh_f32(float x)
{
    return acoshf(x);
}

static inline float atanh_f32(float x)
{
    return atanhf(x);
}

static inline float erf_f32(float x)
{
    return erff(x);
}

static inline float erfc_f32(float x)
{
    return erfcf(x);
}

static inline float atan2_f32(float y, float x)
{
    return atan2f(y, x);
}

#endif
