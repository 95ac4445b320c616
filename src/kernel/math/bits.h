/* kernel/math/bits.h - numbers as bits, and choices without branches. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_MATH_BITS_H
#define DTI_KERNEL_MATH_BITS_H

#include <stdint.h>

#include "base/attributes.h"
#include "base/bits.h"

/* `a` where the condition holds, `b` elsewhere.  Compilers move arithmetic into
 * the branches of a choice, and then make no vectors of it; masks have none. */
static DTI_INLINE float choose_f32(int condition, float a, float b)
{
    const uint32_t mask = -(uint32_t)condition;
    return dti_f32_of_bits((dti_bits_of_f32(a) & mask) |
                           (dti_bits_of_f32(b) & ~mask));
}

static DTI_INLINE double choose_f64(int condition, double a, double b)
{
    const uint64_t mask = -(uint64_t)condition;
    return dti_f64_of_bits((dti_bits_of_f64(a) & mask) |
                           (dti_bits_of_f64(b) & ~mask));
}

/*
 * Keep a number above a negative bound, or below a positive one.  Bits of
 * floats of one sign are ordered as integers are: this is one instruction
 * where a comparison of floats takes two.  NaN becomes a number, or not.
 */
static DTI_INLINE float not_below_f32(float x, float low)
{
    const uint32_t bits = dti_bits_of_f32(x), limit = dti_bits_of_f32(low);
    return dti_f32_of_bits(bits < limit ? bits : limit);
}

static DTI_INLINE float not_above_f32(float x, float high)
{
    const int32_t bits = (int32_t)dti_bits_of_f32(x);
    const int32_t limit = (int32_t)dti_bits_of_f32(high);
    return dti_f32_of_bits((uint32_t)(bits < limit ? bits : limit));
}

/* The same for any bound; NaN stays NaN. */
static DTI_INLINE float at_least_f32(float x, float low)
{
    return low > x ? low : x;
}

static DTI_INLINE float at_most_f32(float x, float high)
{
    return high < x ? high : x;
}

/* A sum with it is so large that its last bits are those of the nearest
 * integer. */
#define ROUNDING_F32 0x1.8p23f

static DTI_INLINE float copy_sign_f32(float x, float sign)
{
    return dti_f32_of_bits((dti_bits_of_f32(x) & 0x7fffffff) |
                           (dti_bits_of_f32(sign) & 0x80000000));
}

static DTI_INLINE float magnitude_f32(float x)
{
    return dti_f32_of_bits(dti_bits_of_f32(x) & 0x7fffffff);
}

#endif
