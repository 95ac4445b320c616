/* kernel/half_portable.h - one half at a time, on any processor. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_HALF_PORTABLE_H
#define DTI_KERNEL_HALF_PORTABLE_H

#include <stdint.h>
#include <string.h>

#include "kernel/half.h"

/* Vectors of one element: `count` is always 1. */
static inline float load_f16(const void *from, int count)
{
    (void)count;
    uint16_t half;
    memcpy(&half, from, sizeof half);
    return dti_f16_to_f32(half);
}

static inline void store_f16(void *to, float value, int count)
{
    (void)count;
    const uint16_t half = dti_f32_to_f16(value);
    memcpy(to, &half, sizeof half);
}

static inline float load_bf16(const void *from, int count)
{
    (void)count;
    uint16_t half;
    memcpy(&half, from, sizeof half);
    return dti_bf16_to_f32(half);
}

static inline void store_bf16(void *to, float value, int count)
{
    (void)count;
    const uint16_t half = dti_f32_to_bf16(value);
    memcpy(to, &half, sizeof half);
}

#endif
