/* kernel/pointwise_complex.h - functions of complex numbers. */
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

static inline dti_c64 tanh_c64(dti_c64 x)
{
    return from_library(ctanhf(to_library(x)));
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

#endif
