/* array/half_portable.h - one float at a time, as f32 and as a half. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_ARRAY_HALF_PORTABLE_H
#define DTI_ARRAY_HALF_PORTABLE_H

#include <stdint.h>
#include <string.h>

#include "array/number.h"

/* Vectors of one element: `count` is always 1. */
typedef float vector;
enum { WIDTH = 1 };

/* A vector of equal floats. */
static inline vector spread(float x)
{
    return x;
}

static inline vector load_f32(const void *from, int count)
{
    (void)count;
    vector value;
    memcpy(&value, from, sizeof value);
    return value;
}

static inline void store_f32(void *to, vector value, int count)
{
    (void)count;
    memcpy(to, &value, sizeof value);
}

static inline vector load_f16(const void *from, int count)
{
    (void)count;
    uint16_t half;
    memcpy(&half, from, sizeof half);
    return dti_widen_f16(half);
}

static inline void store_f16(void *to, vector value, int count)
{
    (void)count;
    const uint16_t half = dti_f16_of_float(value);
    memcpy(to, &half, sizeof half);
}

static inline vector load_bf16(const void *from, int count)
{
    (void)count;
    uint16_t half;
    memcpy(&half, from, sizeof half);
    return dti_widen_bf16(half);
}

static inline void store_bf16(void *to, vector value, int count)
{
    (void)count;
    const uint16_t half = dti_bf16_of_float(value);
    memcpy(to, &half, sizeof half);
}

#endif
