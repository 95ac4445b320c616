/* kernel/math_f64.h - functions of one f64. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_MATH_F64_H
#define DTI_KERNEL_MATH_F64_H

#include <math.h>

static inline double exp_f64(double x)
{
    return exp(x);
}

static inline double tanh_f64(double x)
{
    return tanh(x);
}

static inline double sigmoid_f64(double x)
{
    return 1 / (1 + exp(-x));
}

static inline double silu_f64(double x)
{
    return x / (1 + exp(-x));
}

static inline double log_f64(double x)
{
    return log(x);
}

static inline double gelu_f64(double x)
{
    return x * (0.5 * erfc(-x * 0x1.6a09e667f3bcdp-1));
}

static inline double gelu_tanh_f64(double x)
{
    const double u = 0x1.9884533d43651p-1 * (x + 0.044715 * x * x * x);
    return x / (1 + exp(-2 * u));
}

static inline double pow_f64(double x, double y)
{
    return pow(x, y);
}

static inline double exp2_f64(double x)
{
    return exp2(x);
}

static inline double expm1_f64(double x)
{
    return expm1(x);
}

static inline double log2_f64(double x)
{
    return log2(x);
}

static inline double log10_f64(double x)
{
    return log10(x);
}

static inline double log1p_f64(double x)
{
    return log1p(x);
}

static inline double sin_f64(double x)
{
    return sin(x);
}

static inline double cos_f64(double x)
{
    return cos(x);
}

static inline double tan_f64(double x)
{
    return tan(x);
}

static inline double asin_f64(double x)
{
    return asin(x);
}

static inline double acos_f64(double x)
{
    return acos(x);
}

static inline double atan_f64(double x)
{
    return atan(x);
}

static inline double sinh_f64(double x)
{
    return sinh(x);
}

static inline double cosh_f64(double x)
{
    return cosh(x);
}

static inline double asinh_f64(double x)
{
    return asinh(x);
}

static inline double acosh_f64(double x)
{
    return acosh(x);
}

static inline double atanh_f64(double x)
{
    return atanh(x);
}

static inline double erf_f64(double x)
{
    return erf(x);
}

static inline double erfc_f64(double x)
{
    return erfc(x);
}

static inline double atan2_f64(double y, double x)
{
    return atan2(y, x);
}

#endif
