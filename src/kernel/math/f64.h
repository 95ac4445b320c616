/* kernel/math/f64.h - functions of one f64, to be made vectors of. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_MATH_F64_H
#define DTI_KERNEL_MATH_F64_H

#include <math.h>

#include "base/attributes.h"
#include "kernel/math/bits.h"

/*
 * As math_f32.h: no branches and no calls, and polynomials fitted the same way.
 * What is left to the C library stands at the end.
 */

/* A sum with it is so large that its last bits are those of the nearest
 * integer. */
#define ROUNDING_F64 0x1.8p52

static DTI_INLINE double magnitude_f64(double x)
{
    return dti_f64_of_bits(dti_bits_of_f64(x) & INT64_MAX);
}

static DTI_INLINE double copy_sign_f64(double x, double sign)
{
    return dti_f64_of_bits((dti_bits_of_f64(x) & INT64_MAX) |
                           (dti_bits_of_f64(sign) & ~(uint64_t)INT64_MAX));
}

/* Keep a number within bounds; NaN stays NaN. */
static DTI_INLINE double keep_f64(double x, double low, double high)
{
    const double below = choose_f64(x > high, high, x);
    return choose_f64(x < low, low, below);
}

/* ---- Parts of exp -------------------------------------------------------- */

/*
 * x = n log 2 + r: gives r, n + 2048 by the way, and what is lost of r.  log 2
 * is taken in two parts, the first of so few bits that n times it is exact.
 */
static DTI_INLINE double reduce_exp_f64(double x, double *lost, uint64_t *power)
{
    const double sum = x * 0x1.71547652b82fep+0 + ROUNDING_F64;
    const double n = sum - ROUNDING_F64;
    const double most = x - n * 0x1.62e42fefa38p-1;
    const double least = n * 0x1.ef35793c7673p-45, r = most - least;
    *power = dti_bits_of_f64(sum) - dti_bits_of_f64(ROUNDING_F64) + 2048;
    *lost = (most - r) - least;
    return r;
}

/* (exp(r) - 1 - r) / r^2 for |r| up to half of log 2. */
static DTI_INLINE double exp_curve_f64(double r)
{
    const double u = r * r, v = u * u;
    const double c0 = 0x1.5555555555551p-3 * r + 0x1.000000000000ap-1;
    const double c1 = 0x1.11111111184bep-7 * r + 0x1.5555555550afcp-5;
    const double c2 = 0x1.a01a0168e0d7ap-13 * r + 0x1.6c16c1834c4aep-10;
    const double c3 = 0x1.71deb91cde42ep-19 * r + 0x1.a0199ca6e0e72p-16;
    const double c4 = 0x1.ae075f2814e3fp-26 * r + 0x1.28ab02944ce3ep-22;
    return (c3 * v + c1) * u + ((c4 * v + c2) * v + c0);
}

static DTI_INLINE double exp_near_f64(double r, double lost)
{
    return (exp_curve_f64(r) * (r * r) + lost) + r + 1.0;
}

/* Multiply by 2^n, given n + 2048; by two factors, as one alone may be no
 * f64. */
static DTI_INLINE double scale_f64(double x, uint64_t power)
{
    const uint64_t half = power >> 1; /* what was added is even */
    return x * dti_f64_of_bits((half - 1024 + 1023) << 52) *
           dti_f64_of_bits((power - half - 1024 + 1023) << 52);
}

/* 2^n itself, for n from -1022 to 1023. */
static DTI_INLINE double power_of_two_f64(uint64_t power)
{
    return dti_f64_of_bits((power - 2048 + 1023) << 52);
}

/* ---- exp and its kin ----------------------------------------------------- */

static DTI_INLINE double exp_f64(double x)
{
    double lost;
    uint64_t power;
    /* Infinite above, 0 below. */
    const double r = reduce_exp_f64(keep_f64(x, -746, 710), &lost, &power);
    return scale_f64(exp_near_f64(r, lost), power);
}

static DTI_INLINE double exp2_f64(double x)
{
    const double kept = keep_f64(x, -1076, 1025);
    const double sum = kept + ROUNDING_F64, part = kept - (sum - ROUNDING_F64);
    const double r = part * 0x1.62e42fefa39efp-1;
    const uint64_t power =
        dti_bits_of_f64(sum) - dti_bits_of_f64(ROUNDING_F64) + 2048;
    return scale_f64(exp_near_f64(r, part * 0x1.abc9e3b39803fp-56), power);
}

/* 2^n (exp(r) - 1) + (2^n - 1), as expm1_f32. */
static DTI_INLINE double expm1_f64(double x)
{
    double lost;
    uint64_t power;
    const double kept = keep_f64(x, -40, 710);
    const double r = reduce_exp_f64(kept, &lost, &power);
    const double curve = exp_curve_f64(r) * (r * r) + lost;
    const double scale = power_of_two_f64(power - 1);
    const double first = r + curve, second = curve - (first - r);
    const double whole = scale - 0.5, part = scale * first;
    const double half = whole + part;
    const double less = (part - (half - whole)) + scale * second;
    return choose_f64(x == 0, x, (half + less) * 2);
}

static DTI_INLINE double tanh_f64(double x)
{
    const double a = keep_f64(magnitude_f64(x), 0, 22);
    const double t = expm1_f64(2 * a);
    return copy_sign_f64(t / (t + 2), x);
}

/* With z = exp(-|x|), which is never infinite. */
static DTI_INLINE double sigmoid_f64(double x)
{
    const double z = exp_f64(-magnitude_f64(x));
    return choose_f64(x < 0, z, 1) / (1 + z);
}

/*
 * x / (1 + exp(-v)) for a v of x's sign; 2^n of exp(-|v|) comes last, as in
 * gate_f32.
 */
static DTI_INLINE double gate_f64(double x, double v)
{
    double lost;
    uint64_t power;
    const double r =
        reduce_exp_f64(keep_f64(-magnitude_f64(v), -755, 0), &lost, &power);
    const double rest = exp_near_f64(r, lost), z = scale_f64(rest, power);
    const double kept = choose_f64(x < -755, -755, x);
    const double value = kept * choose_f64(x < 0, rest, 1) / (1 + z);
    const double result = choose_f64(x < 0, scale_f64(value, power), value);
    return choose_f64(!(x > -(double)INFINITY), (double)NAN, result);
}

static DTI_INLINE double silu_f64(double x)
{
    return gate_f64(x, x);
}

static DTI_INLINE double gelu_tanh_f64(double x)
{
    const double v = 0x1.9884533d43651p+0 * (x + 0.044715 * x * x * x);
    return gate_f64(x, v);
}

/* ---- Logarithms ---------------------------------------------------------- */

/* x = 2^e (1 + f), for a normal number; 1 + f is from sqrt(1/2) to sqrt(2). */
static DTI_INLINE double split_f64(double x, double *e)
{
    const uint64_t bits = dti_bits_of_f64(x);
    const uint64_t exponent = (bits + (UINT64_C(0x3ff0000000000000) -
                                       UINT64_C(0x3fe6a09e667f3bcd))) >>
                              52;
    /* As a double, it becomes the end of the fraction of 2^52. */
    *e = dti_f64_of_bits(UINT64_C(0x4330000000000000) | (exponent & 0xfff)) -
         0x1p52 - 1023;
    return dti_f64_of_bits(bits - (exponent << 52) +
                           UINT64_C(0x3ff0000000000000)) -
           1;
}

/* The same for a positive number that may be subnormal. */
static DTI_INLINE double split_any_f64(double x, double *e)
{
    const int tiny = x < 0x1p-1022;
    const double f = split_f64(choose_f64(tiny, x * 0x1p52, x), e);
    *e -= choose_f64(tiny, 52, 0);
    return f;
}

/* log(1 + f) - f = s (f^2/2 + R) - f^2/2 for s = f / (2 + f). */
static DTI_INLINE double log_curve_f64(double f)
{
    const double s = f / (2 + f), z = s * s, w = z * z;
    const double c0 = 0x1.999999997f9f8p-2 * z + 0x1.5555555555593p-1;
    const double c1 = 0x1.c71c51d7d3cedp-3 * z + 0x1.249249422a45p-2;
    const double c2 = 0x1.39a09636bb974p-3 * z + 0x1.746649ac9ff42p-3;
    const double rest =
        (((0x1.2f11721c3fc51p-3 * w + c2) * w + c1) * w + c0) * z;
    const double half = 0.5 * f * f;
    return s * (half + rest) - half;
}

/* What log gives where x is not a positive number; otherwise the number. */
static DTI_INLINE double log_or_f64(double x, double number)
{
    const double finite = choose_f64(x < (double)INFINITY, number, x);
    const double positive = choose_f64(x == 0, -(double)INFINITY, finite);
    return choose_f64(x < 0, (double)NAN, positive);
}

/* e log 2 + f + rest; log 2 in two parts, and what the sum loses is kept. */
static DTI_INLINE double log_sum_f64(double e, double f, double rest)
{
    const double most = e * 0x1.62e42fefa38p-1, sum = most + f;
    const double lost = (most - sum) + f;
    return sum + (lost + (e * 0x1.ef35793c7673p-45 + rest));
}

static DTI_INLINE double log_f64(double x)
{
    double e;
    const double f = split_any_f64(x, &e);
    return log_or_f64(x, log_sum_f64(e, f, log_curve_f64(f)));
}

/* log2(1 + f) is f and the rest: 0.44 f, and what log(1 + f) - f gives. */
static DTI_INLINE double log2_f64(double x)
{
    double e;
    const double f = split_any_f64(x, &e);
    const double rest =
        f * 0x1.c551d94ae0bf8p-2 + log_curve_f64(f) * 0x1.71547652b82fep+0;
    const double sum = e + f, lost = (e - sum) + f;
    return log_or_f64(x, sum + (lost + rest));
}

/* As log1p_f32. */
static DTI_INLINE double log1p_f64(double x)
{
    double e;
    const double u = 1 + x;
    const double off = choose_f64(x > 1, 1 - (u - x), x - (u - 1));
    const double split = split_f64(u, &e);
    const double f = choose_f64(e == 0, x, split);
    /* Divided by u, of which f is a part; nothing where u is infinite. */
    const double least = choose_f64(e == 0, 0, off / u);
    const double result = log_sum_f64(e, f, log_curve_f64(f) + least);
    return choose_f64(x == 0, x, log_or_f64(u, result));
}

/* ---- Error function ------------------------------------------------------ */

/* erf(x) / x - 1, of v = x^2 up to 0.57. */
static DTI_INLINE double erf_curve_f64(double v)
{
    const double w = v * v, y = w * w;
    const double c0 = -0x1.812746b037a3p-2 * v + 0x1.06eba8214db69p-3;
    const double c1 = -0x1.b82ce313c9f53p-6 * v + 0x1.ce2f21a046991p-4;
    const double c2 = -0x1.c02dbdb7cbb5fp-11 * v + 0x1.565bcd4307a04p-8;
    const double c3 = -0x1.f4e2f68379815p-17 * v + 0x1.f9a4346ff6a13p-14;
    const double c4 = -0x1.5ec6d9bc978e1p-23 * v + 0x1.ba60148390dp-20;
    return ((0x1.b87bda77aa0f8p-27 * y + c3) * y + c1) * w +
           ((c4 * y + c2) * y + c0);
}

/* exp(z^2) erfc(z) (z + 3), a polynomial of t = (z - 3) / (z + 3), for z from
 * 0.75 to 27.3. */
static DTI_INLINE double tail_curve_f64(double t)
{
    const double u = t * t, v = u * u;
    const double c0 = -0x1.c44c471baa389p-1 * t + 0x1.12f21ddd9f5e1p+0;
    const double c1 = -0x1.3deb21415cd44p-2 * t + 0x1.2e326945de47fp-1;
    const double c2 = -0x1.b78993d861f78p-6 * t + 0x1.e995f11adf844p-4;
    const double c3 = 0x1.8dae3ab51106ep-9 * t - 0x1.3dd3e5c24c68ep-10;
    const double c4 = -0x1.22390a94eaf15p-12 * t - 0x1.1f7900c60a19p-11;
    const double c5 = 0x1.fdf92ba01f7acp-16 * t + 0x1.c32be07420abap-14;
    const double c6 = -0x1.3dce780d8ac72p-18 * t - 0x1.25843653890d2p-16;
    const double c7 = 0x1.ff92fe48ce97cp-21 * t + 0x1.7aa28eec06db5p-19;
    const double c8 = -0x1.5708a900d9764p-23 * t - 0x1.fe134ddbc934dp-22;
    return ((((0x1.4ec5338932ddp-24 * v + c7) * v + c5) * v + c3) * v + c1) *
               u +
           ((((c8 * v + c6) * v + c4) * v + c2) * v + c0);
}

/*
 * exp(-scale a^2) = 2^n rest: gives the rest, and n + 2048 by the way.  The
 * square is taken in two parts; that of the upper half of a's bits is exact.
 */
static DTI_INLINE double exp_square_f64(double a, double scale, uint64_t *power)
{
    double lost;
    const double upper =
        dti_f64_of_bits(dti_bits_of_f64(a) & ~(uint64_t)0x7ffffff);
    const double most = upper * upper * scale;
    const double least = (a - upper) * (a + upper) * scale;
    const double r = reduce_exp_f64(-most, &lost, power);
    return exp_near_f64(r, lost) * exp_near_f64(-least, 0);
}

/* erfc(z) exp(z^2) times a factor, for z from 0.75 to 28. */
static DTI_INLINE double tail_f64(double z, double factor)
{
    return tail_curve_f64((z - 3) / (z + 3)) * (factor / (z + 3));
}

/* erfc of 0.75 and more. */
static DTI_INLINE double erfc_far_f64(double a)
{
    uint64_t power;
    const double z = keep_f64(a, 0, 28);
    const double rest = exp_square_f64(z, 1, &power);
    return scale_f64(rest * tail_f64(z, 1), power);
}

static DTI_INLINE double erf_f64(double x)
{
    const double a = magnitude_f64(x);
    const double near = erf_curve_f64(x * x) * x + x;
    const double far = copy_sign_f64(1 - erfc_far_f64(a), x);
    return choose_f64(a > 0.75, far, near);
}

static DTI_INLINE double erfc_f64(double x)
{
    const double a = magnitude_f64(x), tail = erfc_far_f64(a);
    const double near = 1 - (erf_curve_f64(x * x) * x + x);
    return choose_f64(a > 0.75, choose_f64(x < 0, 2 - tail, tail), near);
}

/* x times the normal distribution function, which is 1/2 erfc(-x/sqrt(2)). */
static DTI_INLINE double gelu_f64(double x)
{
    uint64_t power;
    const double kept = keep_f64(x, -39, 39), a = magnitude_f64(kept);
    const double z = kept * 0x1.6a09e667f3bcdp-1;
    const double rest = exp_square_f64(a, 0.5, &power);
    const double part = tail_f64(magnitude_f64(z), 0.5 * kept);
    const double tail = scale_f64(rest * part, power);
    const double far = choose_f64(x < 0, tail, x - tail);
    const double near = erf_curve_f64(z * z) * z + z;
    const double result = choose_f64(a > 1.0625, far, x * (0.5 + 0.5 * near));
    return choose_f64(!(x > -(double)INFINITY), (double)NAN, result);
}

/* ---- Angles -------------------------------------------------------------- */

/* As those of math_angle_f32.h; what is far is the C library's. */
static DTI_INLINE int is_far_f64(double x)
{
    const double a = magnitude_f64(x);
    return (a > 0x1p20) & (a < (double)INFINITY);
}

/* sin of x + turn pi/2.  x = k pi/2 + r, with pi/2 in three parts; what r loses
 * to rounding is added last. */
static DTI_INLINE double sin_turned_f64(double x, uint64_t turn)
{
    const double sum = x * 0x1.45f306dc9c883p-1 + ROUNDING_F64;
    const double k = sum - ROUNDING_F64;
    const double first = x - k * 0x1.921fb544p+0, second = k * 0x1.0b4611a6p-34;
    const double most = first - second, off = (first - most) - second;
    const double third = k * 0x1.3198a2e037073p-69 - off;
    const double r = most - third, lost = (most - r) - third;
    const double u = r * r, v = u * u;
    const double s0 = 0x1.111111110f8a4p-7 * u - 0x1.5555555555549p-3;
    const double s1 = 0x1.71de357aae802p-19 * u - 0x1.a01a019c15b4fp-13;
    const double s2 = 0x1.5d9384c57245ap-33 * u - 0x1.ae5e683c4a9aap-26;
    const double sine = r + (((s2 * v + s1) * v + s0) * (u * r) + lost);
    const double c0 = -0x1.6c16c16c1521dp-10 * u + 0x1.555555555554cp-5;
    const double c1 = -0x1.27e4f81167098p-22 * u + 0x1.a01a019cbe8e8p-16;
    const double c2 = -0x1.8fb000076c66fp-37 * u + 0x1.1ee9efcbff029p-29;
    const double flat = 1 - 0.5 * u, less = (1 - flat) - 0.5 * u;
    const double cosine =
        flat + (less + (((c2 * v + c1) * v + c0) * v - r * lost));
    const uint64_t quadrant = dti_bits_of_f64(sum) + turn;
    const double size = choose_f64((int)(quadrant & 1), cosine, sine);
    return dti_f64_of_bits(dti_bits_of_f64(size) ^ (quadrant & 2) << 62);
}

static DTI_INLINE double sin_near_f64(double x)
{
    return choose_f64(x == 0, x, sin_turned_f64(x, 0));
}

static DTI_INLINE double cos_near_f64(double x)
{
    return sin_turned_f64(x, 1);
}

static DTI_INLINE double tan_near_f64(double x)
{
    return tan(x);
}

static DTI_INLINE double sin_f64(double x)
{
    return is_far_f64(x) ? sin(x) : sin_near_f64(x);
}

static DTI_INLINE double cos_f64(double x)
{
    return is_far_f64(x) ? cos(x) : cos_near_f64(x);
}

/* ---- As the C library has them ------------------------------------------- */

static DTI_INLINE double log10_f64(double x)
{
    return log10(x);
}

static DTI_INLINE double tan_f64(double x)
{
    return tan(x);
}

static DTI_INLINE double asin_f64(double x)
{
    return asin(x);
}

static DTI_INLINE double acos_f64(double x)
{
    return acos(x);
}

static DTI_INLINE double atan_f64(double x)
{
    return atan(x);
}

static DTI_INLINE double sinh_f64(double x)
{
    return sinh(x);
}

static DTI_INLINE double cosh_f64(double x)
{
    return cosh(x);
}

static DTI_INLINE double asinh_f64(double x)
{
    return asinh(x);
}

static DTI_INLINE double acosh_f64(double x)
{
    return acosh(x);
}

static DTI_INLINE double atanh_f64(double x)
{
    return atanh(x);
}

static DTI_INLINE double atan2_f64(double y, double x)
{
    return atan2(y, x);
}

static DTI_INLINE double pow_f64(double x, double y)
{
    return pow(x, y);
}

#endif
