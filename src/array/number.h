/* array/number.h - one number of a dtype as another. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_ARRAY_NUMBER_H
#define DTI_ARRAY_NUMBER_H

#include <stdint.h>

#include "base/bits.h"

/*
 * Every dtype widens exactly to one of four carriers: float (f32, f16, bf16,
 * c64), double (f64), int64_t (i64) and int32_t (other integers and bool). What
 * follows narrows carriers: to nearest, ties to even; what is too large becomes
 * infinity, what is too small a subnormal number or zero.  None rounds twice.
 * NaN keeps its sign and the upper bits of its payload and comes out quiet;
 * only bf16 to f32 moves the bits as they are.
 */

static inline float dti_widen_bf16(uint16_t half)
{
    return dti_f32_of_bits((uint32_t)half << 16);
}

/* An f16 only needs another exponent.  A subnormal one is given the exponent
 * and the leading 1 of the smallest normal number, which is taken off again.
 * What would be choices are sums and masks: compilers do not vectorise a branch
 * around arithmetic of floats. */
static inline float dti_widen_f16(uint16_t half)
{
    uint32_t sign = (uint32_t)(half & 0x8000) << 16;
    uint32_t magnitude = half & 0x7fff;
    uint32_t subnormal = (magnitude - 0x0400) >> 31;
    uint32_t special = (0x7bff - magnitude) >> 31;
    uint32_t quiet = (0x7c00 - magnitude) >> 31 << 22; /* of NaN */
    uint32_t smallest = 113u << 23;                    /* 2^-14 */
    float high = dti_f32_of_bits((magnitude << 13) + ((112 + subnormal) << 23));
    float finite = high - dti_f32_of_bits(smallest & -subnormal);
    uint32_t bits = dti_bits_of_f32(finite) | (0x7f800000u & -special);
    return dti_f32_of_bits(bits | quiet | sign);
}

/* Round to even at bit 16; a carry out of the mantissa is what the exponent
 * needs, up to infinity. */
static inline uint16_t dti_bf16_of_float(float value)
{
    uint32_t bits = dti_bits_of_f32(value);
    uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    uint32_t nan = bits >> 16 | 0x40;
    return (uint16_t)(value == value ? rounded : nan);
}

/* Below 2^-14, adding one half leaves the number in units of 2^-24, those of
 * subnormal f16, rounded by the addition. */
static inline uint16_t dti_f16_of_float(float value)
{
    uint32_t bits = dti_bits_of_f32(value);
    uint32_t sign = bits >> 16 & 0x8000;
    uint32_t magnitude = bits & 0x7fffffff;
    uint32_t tiny = dti_bits_of_f32(dti_f32_of_bits(magnitude) + 0.5f) -
                    dti_bits_of_f32(0.5f);
    uint32_t odd = magnitude >> 13 & 1;
    uint32_t normal = (magnitude - ((127u - 15u) << 23) + 0xfff + odd) >> 13;
    uint32_t nan = 0x7e00 | (magnitude >> 13 & 0x3ff);
    uint32_t result = magnitude < 0x38800000 ? tiny : normal;
    result = magnitude >= 0x477ff000 ? 0x7c00 : result; /* 65520 */
    result = magnitude > 0x7f800000 ? nan : result;
    return (uint16_t)(result | sign);
}

/*
 * A double rounded to even at bit `cut`, which a float holds then: one below
 * `least` in units of the last place of `unit`, by adding it.  A carry out of
 * the mantissa is what the exponent needs, up to infinity.  NaN stays NaN.
 */
static inline float dti_short_float(double value, int cut, double least,
                                    double unit)
{
    const uint64_t bits = dti_bits_of_f64(value);
    const uint64_t magnitude = bits & INT64_MAX, sign = bits ^ magnitude;
    const uint64_t half = (UINT64_C(1) << (cut - 1)) - 1;
    const uint64_t odd = magnitude >> cut & 1;
    const uint64_t normal = (magnitude + half + odd) >> cut << cut;
    const double positive = dti_f64_of_bits(magnitude);
    const uint64_t tiny = dti_bits_of_f64((positive + unit) - unit);
    const uint64_t number = positive < least ? tiny : normal;
    const uint64_t kept = value == value ? number : magnitude;
    return (float)dti_f64_of_bits(kept | sign);
}

/* A double as the float that an f16 holds, unless it is too large. */
static inline float dti_f16_float_of_double(double value)
{
    return dti_short_float(value, 42, 0x1p-14, 0x1p28);
}

static inline uint16_t dti_f16_of_double(double value)
{
    return dti_f16_of_float(dti_f16_float_of_double(value));
}

static inline uint16_t dti_bf16_of_double(double value)
{
    const float rounded = dti_short_float(value, 45, 0x1p-126, 0x1p-81);
    return (uint16_t)(dti_bits_of_f32(rounded) >> 16);
}

/*
 * Integers that a float does not hold, rounded to odd: the last bits are cut
 * and, if anything was lost, the one before them is set.  Such a number rounds
 * again to any shorter mantissa as the original would have: ties are told from
 * near-ties by that bit.
 */
static inline float dti_odd_float_of_i32(int32_t value)
{
    const uint32_t bits = (uint32_t)value, lost = 0xff;
    const uint32_t odd = (bits | ((bits & lost) + lost)) & ~lost;
    const uint32_t large = (bits + (UINT32_C(1) << 24)) >> 25;
    return (float)(int32_t)(large ? odd : bits);
}

static inline float dti_odd_float_of_i64(int64_t value)
{
    uint64_t magnitude = value < 0 ? -(uint64_t)value : (uint64_t)value;
    /* Far more bits than any 16-bit format has, and exact in a float. */
    int excess = magnitude >> 22 ? 42 - __builtin_clzll(magnitude) : 0;
    uint64_t cut = magnitude >> excess;
    if (cut << excess != magnitude)
        cut |= 1;
    float result = (float)(cut << excess);
    return value < 0 ? -result : result;
}

static inline uint16_t dti_f16_of_i32(int32_t value)
{
    return dti_f16_of_float(dti_odd_float_of_i32(value));
}

/* What is beyond 2^16 is infinite. */
static inline uint16_t dti_f16_of_i64(int64_t value)
{
    const int64_t bound = 1 << 17;
    const int64_t above = value > -bound ? value : -bound;
    return dti_f16_of_i32((int32_t)(above < bound ? above : bound));
}

static inline uint16_t dti_bf16_of_i32(int32_t value)
{
    return dti_bf16_of_float(dti_odd_float_of_i32(value));
}

static inline uint16_t dti_bf16_of_i64(int64_t value)
{
    return dti_bf16_of_float(dti_odd_float_of_i64(value));
}

/*
 * Truncate, keep within [low, high], and take NaN for 0.  What is out of bounds
 * is made 0 before it is converted, and a bound afterwards: no branches, so
 * that compilers make vectors of it.  The bound of 64 bits is no float: what
 * lies below its neighbour 2^63 fits.
 */
static inline int64_t dti_int_of_double(double value, int64_t low, int64_t high)
{
    const double least = (double)low, most = (double)high;
    const double inside = value > least && value < most ? value : 0;
    int64_t result = (int64_t)inside;
    result = value <= least ? low : result;
    return value >= most ? high : result;
}

static inline int64_t dti_int_of_float(float value, int64_t low, int64_t high)
{
    const float least = (float)low, most = (float)high;
    const float inside = value > least && value < most ? value : 0;
    int64_t result = (int64_t)inside;
    result = value <= least ? low : result;
    return value >= most ? high : result;
}

/* The same for 32 bits and fewer, for which there are instructions. */
static inline int32_t dti_i32_of_double(double value, int32_t low, int32_t high)
{
    const double least = (double)low, most = (double)high;
    const double inside = value > least && value < most ? value : 0;
    int32_t result = (int32_t)inside;
    result = value <= least ? low : result;
    return value >= most ? high : result;
}

static inline int32_t dti_i32_of_float(float value, int32_t low, int32_t high)
{
    const float least = (float)low, most = (float)high;
    const float inside = value > least && value < most ? value : 0;
    int32_t result = (int32_t)inside;
    result = value <= least ? low : result;
    return value >= most ? high : result;
}

/* Integers keep the bits that there is room for. */
static inline int64_t dti_int_of_int(int64_t value, int64_t low, int64_t high)
{
    (void)low;
    (void)high;
    return value;
}

static inline int32_t dti_i32_of_int(int64_t value, int32_t low, int32_t high)
{
    (void)low;
    (void)high;
    return (int32_t)value;
}

/* Whether a number is an i32 for certain; NaN is not. */
static inline int dti_is_small_float(float x)
{
    return (x >= -0x1p30f) & (x <= 0x1p30f);
}

static inline int dti_is_small_double(double x)
{
    return (x >= -0x1p30) & (x <= 0x1p30);
}

static inline int dti_is_small_i32(int32_t x)
{
    (void)x;
    return 1;
}

static inline int dti_is_small_i64(int64_t x)
{
    return (x >= INT32_MIN) & (x <= INT32_MAX);
}

/* What a carrier, whichever it is, becomes. */
#define DTI_TO_F16(wide)                                                       \
    _Generic((wide), float                                                     \
             : dti_f16_of_float, double                                        \
             : dti_f16_of_double, int32_t                                      \
             : dti_f16_of_i32, int64_t                                         \
             : dti_f16_of_i64)(wide)
#define DTI_TO_BF16(wide)                                                      \
    _Generic((wide), float                                                     \
             : dti_bf16_of_float, double                                       \
             : dti_bf16_of_double, int32_t                                     \
             : dti_bf16_of_i32, int64_t                                        \
             : dti_bf16_of_i64)(wide)
#define DTI_TO_I64(wide, low, high)                                            \
    _Generic((wide), float                                                     \
             : dti_int_of_float, double                                        \
             : dti_int_of_double, int32_t                                      \
             : dti_int_of_int, int64_t                                         \
             : dti_int_of_int)(wide, low, high)
#define DTI_TO_I32(wide, low, high)                                            \
    _Generic((wide), float                                                     \
             : dti_i32_of_float, double                                        \
             : dti_i32_of_double, int32_t                                      \
             : dti_i32_of_int, int64_t                                         \
             : dti_i32_of_int)(wide, low, high)
#define DTI_IS_SMALL(wide)                                                     \
    _Generic((wide), float                                                     \
             : dti_is_small_float, double                                      \
             : dti_is_small_double, int32_t                                    \
             : dti_is_small_i32, int64_t                                       \
             : dti_is_small_i64)(wide)

#endif
