/* kernel/pointwise/complex.h - functions of complex numbers. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_POINTWISE_COMPLEX_H
#define DTI_KERNEL_POINTWISE_COMPLEX_H

#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "array/cast.h"

/*
 * Products and quotients are computed in double, where products of floats are
 * exact: whether a compiler fuses them with sums does not show.  gcc 12 does so
 * for pairs even with -ffp-contract=off.
 */

static inline dti_c64 add_c64(dti_c64 x, dti_c64 y)
{
    return (dti_c64){x.real + y.real, x.imaginary + y.imaginary};
}

static inline dti_c64 subtract_c64(dti_c64 x, dti_c64 y)
{
    return (dti_c64){x.real - y.real, x.imaginary - y.imaginary};
}

static inline dti_c64 multiply_c64(dti_c64 x, dti_c64 y)
{
    const double a = (double)x.real, b = (double)x.imaginary;
    const double c = (double)y.real, d = (double)y.imaginary;
    return (dti_c64){(float)(a * c - b * d), (float)(a * d + b * c)};
}

/* A part that is infinite is taken out of the divisor first: finite numbers
 * over it are 0.  What is left of the other part is 0, or NaN if that is
 * infinite too. */
static inline dti_c64 divide_by_infinite_c64(double a, double b, double c,
                                             double d)
{
    if (isinf(c)) {
        const double ratio = d / c;
        return (dti_c64){(float)((a + b * ratio) / c),
                         (float)((b - a * ratio) / c)};
    }
    const double ratio = c / d;
    return (dti_c64){(float)((a * ratio + b) / d),
                     (float)((b * ratio - a) / d)};
}

static inline dti_c64 divide_c64(dti_c64 x, dti_c64 y)
{
    const double a = (double)x.real, b = (double)x.imaginary;
    const double c = (double)y.real, d = (double)y.imaginary;
    const double norm = c * c + d * d;
    if (isinf(c) || isinf(d))
        return divide_by_infinite_c64(a, b, c, d);
    if (norm == 0)
        return (dti_c64){(float)(a / fabs(c)), (float)(b / fabs(d))};
    return (dti_c64){(float)((a * c + b * d) / norm),
                     (float)((b * c - a * d) / norm)};
}

static inline dti_c64 negate_c64(dti_c64 x)
{
    return (dti_c64){-x.real, -x.imaginary};
}

static inline dti_c64 invert_c64(dti_c64 x)
{
    return divide_c64((dti_c64){1, 0}, x);
}

static inline bool equal_c64(dti_c64 x, dti_c64 y)
{
    return x.real == y.real && x.imaginary == y.imaginary;
}

/* ---- As the C library has them ------------------------------------------- */

static inline float _Complex to_library(dti_c64 x)
{
    float _Complex number; /* C says that it is laid out so */
    memcpy(&number, &x, sizeof number);
    return number;
}

static inline dti_c64 from_library(float _Complex x)
{
    return (dti_c64){crealf(x), cimagf(x)};
}

static inline float abs_c64(dti_c64 x)
{
    return hypotf(x.real, x.imaginary);
}

static inline dti_c64 exp_c64(dti_c64 x)
{
    return from_library(cexpf(to_library(x)));
}

static inline dti_c64 log_c64(dti_c64 x)
{
    return from_library(clogf(to_library(x)));
}

static inline dti_c64 root_c64(dti_c64 x)
{
    return from_library(csqrtf(to_library(x)));
}

static inline dti_c64 sin_c64(dti_c64 x)
{
    return from_library(csinf(to_library(x)));
}

static inline dti_c64 cos_c64(dti_c64 x)
{
    return from_library(ccosf(to_library(x)));
}

static inline dti_c64 tan_c64(dti_c64 x)
{
    return from_library(ctanf(to_library(x)));
}

static inline dti_c64 asin_c64(dti_c64 x)
{
    return from_library(casinf(to_library(x)));
}

static inline dti_c64 acos_c64(dti_c64 x)
{
    return from_library(cacosf(to_library(x)));
}

static inline dti_c64 atan_c64(dti_c64 x)
{
    return from_library(catanf(to_library(x)));
}

static inline dti_c64 sinh_c64(dti_c64 x)
{
    return from_library(csinhf(to_library(x)));
}

static inline dti_c64 cosh_c64(dti_c64 x)
{
    return from_library(ccoshf(to_library(x)));
}

static inline dti_c64 tanh_c64(dti_c64 x)
{
    return from_library(ctanhf(to_library(x)));
}

static inline dti_c64 asinh_c64(dti_c64 x)
{
    return from_library(casinhf(to_library(x)));
}

static inline dti_c64 acosh_c64(dti_c64 x)
{
    return from_library(cacoshf(to_library(x)));
}

static inline dti_c64 atanh_c64(dti_c64 x)
{
    return from_library(catanhf(to_library(x)));
}

static inline dti_c64 sigmoid_c64(dti_c64 x)
{
    return invert_c64(add_c64((dti_c64){1, 0}, exp_c64(negate_c64(x))));
}

static inline dti_c64 silu_c64(dti_c64 x)
{
    return multiply_c64(x, sigmoid_c64(x));
}

static inline dti_c64 power_c64(dti_c64 x, dti_c64 y)
{
    return from_library(cpowf(to_library(x), to_library(y)));
}

/* ---- Made of these ------------------------------------------------------- */

static inline dti_c64 scale_c64(dti_c64 x, double factor)
{
    return (dti_c64){(float)((double)x.real * factor),
                     (float)((double)x.imaginary * factor)};
}

static inline dti_c64 conjugate_c64(dti_c64 x)
{
    return (dti_c64){x.real, -x.imaginary};
}

/* 0 for 0, else of absolute value 1. */
static inline dti_c64 sign_c64(dti_c64 x)
{
    const float size = abs_c64(x);
    return size == 0 ? (dti_c64){0, 0}
                     : (dti_c64){x.real / size, x.imaginary / size};
}

static inline dti_c64 exp2_c64(dti_c64 x)
{
    const double complex power =
        cexp(0.69314718055994530942 * (double complex)to_library(x));
    return (dti_c64){(float)creal(power), (float)cimag(power)};
}

/* exp(a) cos(b) - 1 = expm1(a) cos(b) - 2 sin(b/2)^2: nothing cancels. */
static inline dti_c64 expm1_c64(dti_c64 x)
{
    const double a = (double)x.real, b = (double)x.imaginary;
    const double half = sin(b / 2);
    return (dti_c64){(float)(expm1(a) * cos(b) - 2 * half * half),
                     (float)(exp(a) * sin(b))};
}

static inline dti_c64 log_per_c64(dti_c64 x, double per)
{
    return scale_c64(log_c64(x), per);
}

/* |1 + x|^2 - 1 = a (2 + a) + b^2. */
static inline dti_c64 log1p_c64(dti_c64 x)
{
    const double a = (double)x.real, b = (double)x.imaginary;
    return (dti_c64){(float)(log1p(a * (2 + a) + b * b) / 2),
                     (float)atan2(b, 1 + a)};
}

static inline dti_c64 sinc_c64(dti_c64 x)
{
    const dti_c64 angle = scale_c64(x, 3.14159265358979323846);
    return x.real == 0 && x.imaginary == 0 ? (dti_c64){1, 0}
                                           : divide_c64(sin_c64(angle), angle);
}

/* From the one with the larger real part. */
static inline dti_c64 logaddexp_c64(dti_c64 x, dti_c64 y)
{
    const bool first = x.real >= y.real;
    const dti_c64 more = first ? x : y, less = first ? y : x;
    if (isinf(more.real) && more.real == less.real)
        return more.real < 0 ? more
                             : log_c64(add_c64(exp_c64(more), exp_c64(less)));
    return add_c64(more, log1p_c64(exp_c64(subtract_c64(less, more))));
}

static inline float numbered_part(float x, float nan, float infinity,
                                  float negative)
{
    if (isnan(x))
        return nan;
    return isinf(x) ? (x > 0 ? infinity : negative) : x;
}

static inline dti_c64 numbered_c64(dti_c64 x, dti_c64 nan, dti_c64 infinity,
                                   dti_c64 negative)
{
    return (dti_c64){
        numbered_part(x.real, nan.real, infinity.real, negative.real),
        numbered_part(x.imaginary, nan.real, infinity.real, negative.real)};
}

static inline dti_c64 between_c64(dti_c64 x, dti_c64 y, dti_c64 weight)
{
    const dti_c64 way = subtract_c64(y, x);
    const dti_c64 rest = subtract_c64((dti_c64){1, 0}, weight);
    return abs_c64(weight) < 0.5F ? add_c64(x, multiply_c64(weight, way))
                                  : subtract_c64(y, multiply_c64(way, rest));
}

static inline dti_c64 softsign_c64(dti_c64 x)
{
    return divide_c64(x, (dti_c64){1 + abs_c64(x), 0});
}

static inline dti_c64 sigmoid_backward_c64(dti_c64 grad, dti_c64 y)
{
    const dti_c64 rest = subtract_c64((dti_c64){1, 0}, y);
    return multiply_c64(grad, conjugate_c64(multiply_c64(rest, y)));
}

static inline dti_c64 tanh_backward_c64(dti_c64 grad, dti_c64 y)
{
    const dti_c64 slope = subtract_c64((dti_c64){1, 0}, multiply_c64(y, y));
    return multiply_c64(grad, conjugate_c64(slope));
}

static inline dti_c64 silu_backward_c64(dti_c64 grad, dti_c64 x)
{
    const dti_c64 one = {1, 0}, sigmoid = sigmoid_c64(x);
    const dti_c64 bend = multiply_c64(x, subtract_c64(one, sigmoid));
    const dti_c64 slope = multiply_c64(sigmoid, add_c64(one, bend));
    return multiply_c64(grad, slope);
}

#endif
