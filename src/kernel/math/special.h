/* kernel/math/special.h - the gamma function and its kin, and inverses. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_MATH_SPECIAL_H
#define DTI_KERNEL_MATH_SPECIAL_H

#include <math.h>

#include "kernel/math/f32.h"
#include "kernel/math/f64.h"

/*
 * Without branches and calls where not said otherwise.  Most are computed in
 * f64, and f32 is rounded from it.
 */

#define PI_F64 0x1.921fb54442d18p+1

/* ---- Gamma --------------------------------------------------------------- */

/*
 * Below 1/2 functions of x are those of 1 - x and of the angle pi x.  Below 8
 * steps of one lead to y, from 8 on, where series in 1/y are short: those of
 * Stirling, whose numbers are Bernoulli's.
 */
typedef struct gamma_place {
    int turned; /* x is below 1/2 */
    int steps;  /* there are eight, from t on */
    double t, y;
    double rest; /* of x, to the nearest integer */
} gamma_place;

static DTI_INLINE gamma_place place_gamma(double x)
{
    gamma_place at;
    at.turned = x < 0.5;
    at.t = choose_f64(at.turned, 1 - x, x);
    at.steps = at.t < 8;
    at.y = choose_f64(at.steps, at.t + 8, at.t);
    at.rest = x - rint(x);
    return at;
}

/* log |gamma(x)|: of f32, as no more digits are right where it is near 0. */
static DTI_INLINE double log_gamma_wide(double x)
{
    const gamma_place at = place_gamma(x);
    const double t = at.t, y = at.y, r = 1 / y, u = r * r;
    const double product = t * (t + 1) * ((t + 2) * (t + 3)) *
                           ((t + 4) * (t + 5) * ((t + 6) * (t + 7)));
    const double sine = magnitude_f64(sin_near_f64(PI_F64 * at.rest));
    const double steps = choose_f64(at.steps, product, 1);
    const double rest =
        log_f64(choose_f64(at.turned, steps * PI_F64 / sine, steps));
    const double c0 = 0x1.5555555555555p-4 - u * 0x1.6c16c16c16c17p-9;
    const double c1 = 0x1.a01a01a01a01ap-11 - u * 0x1.3813813813814p-11;
    const double c2 = 0x1.b951e2b18ff23p-11 - u * 0x1.f6ab0d9993c7dp-10;
    const double c3 = 0x1.a41a41a41a41ap-8 - u * 0x1.e4286cb0f5398p-6;
    const double v = u * u;
    const double series = (((c3 * v + c2) * v + c1) * v + c0) * r;
    const double size =
        ((y - 0.5) * log_f64(y) - y) + (0x1.d67f1c864beb5p-1 + series);
    const double sum = choose_f64(at.turned, rest - size, size - rest);
    const double found = choose_f64((x == 1) | (x == 2), 0, sum);
    return choose_f64(magnitude_f64(x) == (double)INFINITY, (double)INFINITY,
                      found);
}

/* The sum of 1 / (t + k), k below eight. */
static DTI_INLINE double eight_parts(double t)
{
    return 1 / t + 1 / (t + 1) + 1 / (t + 2) + 1 / (t + 3) + 1 / (t + 4) +
           1 / (t + 5) + 1 / (t + 6) + 1 / (t + 7);
}

/* The derivative of log gamma. */
static DTI_INLINE double digamma_f64(double x)
{
    const gamma_place at = place_gamma(x);
    const double r = 1 / at.y, u = r * r, v = u * u;
    const double c0 = 0x1.5555555555555p-4 - u * 0x1.1111111111111p-7;
    const double c1 = 0x1.0410410410410p-8 - u * 0x1.1111111111111p-8;
    const double c2 = 0x1.f07c1f07c1f08p-8 - u * 0x1.5995995995996p-6;
    const double c3 = 0x1.5555555555555p-4 - u * 0x1.c5e5e5e5e5e5ep-2;
    const double series = (((c3 * v + c2) * v + c1) * v + c0) * u;
    const double steps = choose_f64(at.steps, eight_parts(at.t), 0);
    const double found = log_f64(at.y) - 0.5 * r - series - steps;
    const double angle = PI_F64 * at.rest;
    const double slope = PI_F64 * cos_near_f64(angle) / sin_near_f64(angle);
    const double turned = choose_f64(at.turned, found - slope, found);
    const int pole = (x < 0) & (at.rest == 0);
    const double finite = choose_f64(pole, (double)NAN, turned);
    return choose_f64(x == 0, copy_sign_f64((double)INFINITY, -x), finite);
}

/* The sum of 1 / (t + k)^2, k below eight. */
static DTI_INLINE double eight_squares(double t)
{
    const double a = 1 / t, b = 1 / (t + 1), c = 1 / (t + 2), d = 1 / (t + 3);
    const double e = 1 / (t + 4), f = 1 / (t + 5), g = 1 / (t + 6),
                 h = 1 / (t + 7);
    return a * a + b * b + (c * c + d * d) + (e * e + f * f + (g * g + h * h));
}

/* The second derivative. */
static DTI_INLINE double trigamma_f64(double x)
{
    const gamma_place at = place_gamma(x);
    const double r = 1 / at.y, u = r * r, v = u * u;
    const double c0 = 0x1.5555555555555p-3 - u * 0x1.1111111111111p-5;
    const double c1 = 0x1.8618618618618p-6 - u * 0x1.1111111111111p-5;
    const double c2 = 0x1.364d9364d9365p-4 - u * 0x1.0330330330330p-2;
    const double c3 = 0x1.2aaaaaaaaaaabp+0 - u * 0x1.c5e5e5e5e5e5ep+2;
    const double c4 = 0x1.b7c4f8f13e3c5p+5;
    const double series = ((((c4 * v + c3) * v + c2) * v + c1) * v + c0) * u;
    const double steps = choose_f64(at.steps, eight_squares(at.t), 0);
    const double found = steps + (r + (0.5 * u + series * r));
    const double sine = sin_near_f64(PI_F64 * at.rest) * (1 / PI_F64);
    return choose_f64(at.turned, 1 / (sine * sine) - found, found);
}

/* ---- Inverses ------------------------------------------------------------ */

/*
 * The number whose error function is x, to nine digits: a polynomial in w =
 * -log(1 - x^2), or in its root, times x.  It is fitted at Chebyshev's points.
 */
static DTI_INLINE double erfinv_rough(double x)
{
    const double a = magnitude_f64(x), w = -log_f64((1 - a) * (1 + a));
    const double n = w - 3, p = n * n, q = p * p;
    const double n0 = 0x1.eedbeb8e17d1cp-3 * n + 0x1.9fa072ed72dbbp+0;
    const double n1 = -0x1.b6657389a04ffp-11 * n - 0x1.780deffcaa707p-8;
    const double n2 = -0x1.aae990c1137f3p-17 * n + 0x1.99131693a7545p-13;
    const double n3 = 0x1.e5f81bf4dd97fp-22 * n - 0x1.d55f761b03170p-20;
    const double n4 = -0x1.9b9243e7b8acap-28 * n - 0x1.93821d86fb0f3p-26;
    const double n5 = 0x1.8cfd1072b0c4dp-36 * n + 0x1.27d6dd06f73b4p-30;
    const double near = ((-0x1.05548ffda84a2p-36 * p + n5) * p + n4) * (q * q) +
                        ((n3 * p + n2) * q + (n1 * p + n0));
    const double f = sqrt(w) - 0x1.0ffbd1e9be1e5p+2, s = f * f, t = s * s;
    const double f0 = 0x1.028de9908ab30p+0 * f + 0x1.05e2c44f7734bp+2;
    const double f1 = -0x1.3ecffb31b1fd5p-11 * f + 0x1.75ef92a4eea7cp-11;
    const double f2 = -0x1.0e7db144dc1f9p-14 * f + 0x1.bce279156faffp-13;
    const double f3 = -0x1.5895400cae8b1p-17 * f + 0x1.77a5d998132d7p-16;
    const double f4 = -0x1.965343b300c5fp-19 * f + 0x1.61cc11b6873dcp-18;
    const double f5 = -0x1.722ed070c8b60p-21 * f + 0x1.f277b7ff75593p-20;
    const double f6 = 0x1.abb55a173bb8cp-24 * f - 0x1.6f15cc389a64dp-26;
    const double far =
        ((-0x1.6eb1fd363a17dp-26 * s + f6) * t + (f5 * s + f4)) * (t * t) +
        ((f3 * s + f2) * t + (f1 * s + f0));
    const double found = x * choose_f64(w < 6, near, far);
    return choose_f64(a == 1, copy_sign_f64((double)INFINITY, x), found);
}

/* One step of Halley's from there: erf is compared with x, or erfc with what is
 * left of 1. */
static DTI_INLINE double erfinv_f64(double x)
{
    const double a = magnitude_f64(x), y = magnitude_f64(erfinv_rough(x));
    const double slope = 0x1.20dd750429b6dp+0 * exp_f64(-y * y);
    const double off =
        choose_f64(a < 0.5, erf_f64(y) - a, (1 - a) - erfc_f64(y));
    const double step = off / slope, found = y - step / (1 + y * step);
    const double kept = choose_f64((a == 0) | (a == 1), y, found);
    return copy_sign_f64(kept, x);
}

static DTI_INLINE double ndtr_f64(double x)
{
    return erfc_f64(x * -0x1.6a09e667f3bcdp-1) * 0.5;
}

/* ---- With branches and calls --------------------------------------------- */

static DTI_INLINE double log_gamma_f64(double x)
{
    int sign; /* lgamma would set one for all threads */
    return lgamma_r(x, &sign);
}

/* The sum of (q + k)^-s for all k from 0 on, q > 0 and s > 1, by Euler's and
 * Maclaurin's: the first few, and the rest as an integral. */
static inline double zeta_from(double s, double q)
{
    static const double bernoulli[] = {
        0x1.5555555555555p-4, /* by (2 k)! */
        -0x1.6c16c16c16c17p-10, 0x1.1566abc011567p-15,  -0x1.bbd779334ef0bp-21,
        0x1.66a8f2bf70ebep-26,  -0x1.22805d644267fp-31, 0x1.d6db2c4e09162p-37,
        -0x1.7da4e1f79955cp-42};
    double sum = 0;
    for (int k = 0; k < 12; k++, q += 1)
        sum += pow(q, -s);
    const double power = pow(q, -s), square = q * q;
    double factor = s * power / q;
    sum += power * q / (s - 1) + 0.5 * power;
    for (int k = 0; k < 8; k++) {
        sum += factor * bernoulli[k];
        factor *= (s + 2 * k + 1) * (s + 2 * k + 2) / square;
    }
    return sum;
}

/* The derivative of order s of log gamma, but for its sign and (s - 1)!.  From
 * 0 down, terms of both signs are added to the one that is nearest to 0. */
static inline double zeta_f64(double s, double x)
{
    if (x > 0 || x != x)
        return x == (double)INFINITY ? 0 : zeta_from(s, x);
    const double steps = -rint(x), rest = x + steps;
    if (rest == 0 || x == -(double)INFINITY)
        return (double)INFINITY;
    const double below =
        zeta_from(s, 1 - rest) - zeta_from(s, 1 - rest + steps);
    return pow(rest, -s) + zeta_from(s, 1 + rest) +
           (fmod(s, 2) == 0 ? below : -below);
}

static inline double polygamma_f64(double x, double n)
{
    int sign;
    const double factorial = exp(lgamma_r(n + 1, &sign));
    const double size = factorial * zeta_f64(n + 1, x);
    return fmod(n, 2) == 0 ? -size : size;
}

/* ---- Of f32 -------------------------------------------------------------- */

static DTI_INLINE float log_gamma_f32(float x)
{
    return (float)log_gamma_wide((double)x);
}

static DTI_INLINE float digamma_f32(float x)
{
    return (float)digamma_f64((double)x);
}

static DTI_INLINE float trigamma_f32(float x)
{
    return (float)trigamma_f64((double)x);
}

/* The same of f32, in f32, with shorter polynomials. */
static DTI_INLINE float erfinv_f32(float x)
{
    const float a = magnitude_f32(x), w = -log_f32((1 - a) * (1 + a));
    const float n = w - 0x1.6p+1f, p = n * n, q = p * p;
    const float n0 = 0x1.f4636ep-3f * n + 0x1.9012fap+0f;
    const float n1 = -0x1.104508p-10f * n - 0x1.4a09bep-8f;
    const float n2 = -0x1.3d3698p-17f * n + 0x1.b6793p-13f;
    const float n3 = 0x1.fc711ep-22f * n - 0x1.5a351ap-19f;
    const float n4 = -0x1.eb88dcp-28f * n - 0x1.52964p-28f;
    const float near =
        ((0x1.67b35cp-31f * p + n4) * q + (n3 * p + n2)) * q + (n1 * p + n0);
    const float f = sqrtf(w) - 0x1.9617e2p+1f, s = f * f, t = s * s;
    const float f0 = 0x1.011d6cp+0f * f + 0x1.80c86ep+1f;
    const float f1 = -0x1.2f9e9cp-8f * f + 0x1.9f7c8ep-8f;
    const float f2 = -0x1.1d4152p-9f * f + 0x1.a81efcp-9f;
    const float f3 = -0x1.712d6p-12f * f + 0x1.2d8352p-10f;
    const float f4 = 0x1.d402e4p-14f * f - 0x1.99ed8ep-15f;
    const float far =
        ((-0x1.4c5f3cp-15f * s + f4) * t + (f3 * s + f2)) * t + (f1 * s + f0);
    const float found = x * choose_f32(w < 5.5f, near, far);
    return choose_f32(a == 1, copy_sign_f32(INFINITY, x), found);
}

/* The normal distribution function, as in gelu_f32. */
static DTI_INLINE float ndtr_f32(float x)
{
    uint32_t power;
    const float a = not_above_f32(magnitude_f32(x), 15.0f);
    const float by = 1 / (a + GELU_BEND_F32);
    const float curve = normal_curve_f32(a * by) * (GELU_BEND_F32 * by);
    const float r = reduce_square_f32(a, 0.5f, &power);
    const float tail = scale_down_f32(exp_near_f32(r) * curve, power);
    const float result = choose_f32(x < 0, tail, 1 - tail);
    return choose_f32(x != x, x, result);
}

static inline float polygamma_f32(float x, float n)
{
    return (float)polygamma_f64((double)x, (double)n);
}

#endif
