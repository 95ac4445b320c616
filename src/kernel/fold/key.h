/* kernel/fold/key.h - floats as integers that compare as they do. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_FOLD_KEY_H
#define DTI_KERNEL_FOLD_KEY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bits.h"

/*
 * The bits of a float, the lower ones turned round if it is negative, are
 * ordered as numbers are, -0 below 0.  NaN goes above all of them where the
 * largest is looked for, below all where the least is: it wins.  Turning round
 * twice gives the float back, and NaN as the positive quiet one.
 */

static inline int32_t dti_turn_i32(int32_t bits)
{
    return bits ^ (bits >> 31 & INT32_MAX);
}

static inline int64_t dti_turn_i64(int64_t bits)
{
    return bits ^ (bits >> 63 & INT64_MAX);
}

static inline int32_t dti_key_max_f32(float x)
{
    const int32_t bits = (int32_t)dti_bits_of_f32(x);
    return x != x ? INT32_MAX : dti_turn_i32(bits);
}

static inline int32_t dti_key_min_f32(float x)
{
    const int32_t bits = (int32_t)dti_bits_of_f32(x);
    return x != x ? INT32_MIN : dti_turn_i32(bits);
}

static inline int64_t dti_key_max_f64(double x)
{
    const int64_t bits = (int64_t)dti_bits_of_f64(x);
    return x != x ? INT64_MAX : dti_turn_i64(bits);
}

static inline int64_t dti_key_min_f64(double x)
{
    const int64_t bits = (int64_t)dti_bits_of_f64(x);
    return x != x ? INT64_MIN : dti_turn_i64(bits);
}

/* The float of a key; the two extreme integers are NaN. */
static inline float dti_f32_of_key(int32_t key)
{
    const int32_t quiet = 0x7fc00000;
    const int32_t bits = dti_turn_i32(key);
    const bool nan = key == INT32_MAX || key == INT32_MIN;
    return dti_f32_of_bits((uint32_t)(nan ? quiet : bits));
}

static inline double dti_f64_of_key(int64_t key)
{
    const int64_t quiet = INT64_C(0x7ff8000000000000);
    const int64_t bits = dti_turn_i64(key);
    const bool nan = key == INT64_MAX || key == INT64_MIN;
    return dti_f64_of_bits((uint64_t)(nan ? quiet : bits));
}

/* The absolute value, by its bits: no call, and a vector where there are. */
static inline float dti_absolute_f32(float x)
{
    return dti_f32_of_bits(dti_bits_of_f32(x) & INT32_MAX);
}

static inline double dti_absolute_f64(double x)
{
    return dti_f64_of_bits(dti_bits_of_f64(x) & INT64_MAX);
}

#endif
