/* kernel/pointwise/scalar.h - functions of one float or double, whichever it
 * is. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_POINTWISE_SCALAR_H
#define DTI_KERNEL_POINTWISE_SCALAR_H

#include <math.h>

#include "kernel/math/bits.h"
#include "kernel/math/f32.h"
#include "kernel/math/f64.h"
#include "kernel/math/special.h"

#define OF_FLOAT(x, f32, f64) _Generic((x), float : f32, double : f64)

/* ---- Choices ------------------------------------------------------------- */

/* Both are computed, in the type of the first. */
#define CHOOSE(condition, a, b)                                                \
    OF_FLOAT(a, choose_f32, choose_f64)((condition), (a), (b))

/* ---- Of the C library ---------------------------------------------------- */

#define FABS(x) OF_FLOAT(x, fabsf, fabs)(x)
#define SQRT(x) OF_FLOAT(x, sqrtf, sqrt)(x)
#define FLOOR(x) OF_FLOAT(x, floorf, floor)(x)
#define CEIL(x) OF_FLOAT(x, ceilf, ceil)(x)
#define TRUNC(x) OF_FLOAT(x, truncf, trunc)(x)
#define NEAREST(x) OF_FLOAT(x, rintf, rint)(x)
#define FMOD(x, y) OF_FLOAT(x, fmodf, fmod)(x, y)
#define COPYSIGN(x, y) OF_FLOAT(x, copysignf, copysign)(x, y)
#define HYPOT(x, y) OF_FLOAT(x, hypot_f32, hypot)(x, y)

/* Squares of f32 do not overflow in double.  Infinity wins, against NaN too. */
static inline float hypot_f32(float x, float y)
{
    const double a = (double)x, b = (double)y;
    const float root = (float)sqrt(a * a + b * b);
    const int infinite = (fabsf(x) == INFINITY) | (fabsf(y) == INFINITY);
    return choose_f32(infinite, INFINITY, root);
}

/* ---- Of math_f32.h, math_f64.h and math_special.h ----------------------- */

#define EXP(x) OF_FLOAT(x, exp_f32, exp_f64)(x)
#define EXP2(x) OF_FLOAT(x, exp2_f32, exp2_f64)(x)
#define EXPM1(x) OF_FLOAT(x, expm1_f32, expm1_f64)(x)
#define LOG(x) OF_FLOAT(x, log_f32, log_f64)(x)
#define LOG2(x) OF_FLOAT(x, log2_f32, log2_f64)(x)
#define LOG10(x) OF_FLOAT(x, log10_f32, log10_f64)(x)
#define LOG1P(x) OF_FLOAT(x, log1p_f32, log1p_f64)(x)
#define SIN(x) OF_FLOAT(x, sin_f32, sin_f64)(x)
#define COS(x) OF_FLOAT(x, cos_f32, cos_f64)(x)
#define TAN(x) OF_FLOAT(x, tan_f32, tan_f64)(x)
/* Only for what is not far; see pointwise_far_tmpl.h. */
#define SIN_NEAR(x) OF_FLOAT(x, sin_near_f32, sin_near_f64)(x)
#define COS_NEAR(x) OF_FLOAT(x, cos_near_f32, cos_near_f64)(x)
#define TAN_NEAR(x) OF_FLOAT(x, tan_near_f32, tan_near_f64)(x)
#define IS_FAR(x) OF_FLOAT(x, is_far_f32, is_far_f64)(x)
#define ASIN(x) OF_FLOAT(x, asin_f32, asin_f64)(x)
#define ACOS(x) OF_FLOAT(x, acos_f32, acos_f64)(x)
#define ATAN(x) OF_FLOAT(x, atan_f32, atan_f64)(x)
#define SINH(x) OF_FLOAT(x, sinh_f32, sinh_f64)(x)
#define COSH(x) OF_FLOAT(x, cosh_f32, cosh_f64)(x)
#define TANH(x) OF_FLOAT(x, tanh_f32, tanh_f64)(x)
#define ASINH(x) OF_FLOAT(x, asinh_f32, asinh_f64)(x)
#define ACOSH(x) OF_FLOAT(x, acosh_f32, acosh_f64)(x)
#define ATANH(x) OF_FLOAT(x, atanh_f32, atanh_f64)(x)
#define ERF(x) OF_FLOAT(x, erf_f32, erf_f64)(x)
#define ERFC(x) OF_FLOAT(x, erfc_f32, erfc_f64)(x)
#define SIGMOID(x) OF_FLOAT(x, sigmoid_f32, sigmoid_f64)(x)
#define SILU(x) OF_FLOAT(x, silu_f32, silu_f64)(x)
#define GELU(x) OF_FLOAT(x, gelu_f32, gelu_f64)(x)
#define GELU_TANH(x) OF_FLOAT(x, gelu_tanh_f32, gelu_tanh_f64)(x)
#define LOG_GAMMA(x) OF_FLOAT(x, log_gamma_f32, log_gamma_f64)(x)
#define DIGAMMA(x) OF_FLOAT(x, digamma_f32, digamma_f64)(x)
#define TRIGAMMA(x) OF_FLOAT(x, trigamma_f32, trigamma_f64)(x)
#define POLYGAMMA(x, n) OF_FLOAT(x, polygamma_f32, polygamma_f64)(x, n)
#define NDTR(x) OF_FLOAT(x, ndtr_f32, ndtr_f64)(x)
#define ERFINV(x) OF_FLOAT(x, erfinv_f32, erfinv_f64)(x)
#define POW(x, y) OF_FLOAT(x, pow_f32, pow_f64)(x, y)
#define ATAN2(x, y) OF_FLOAT(x, atan2_f32, atan2_f64)(x, y)

#endif
