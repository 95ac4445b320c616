/* kernel/half.h - f16 and bf16 to f32 and back, one at a time and in blocks. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_HALF_H
#define DTI_KERNEL_HALF_H

#include <stdint.h>
#include <string.h>

#include "base/cpu.h"

/*
 * Widening is exact.  Narrowing rounds to nearest, ties to even; what is too
 * large becomes infinity, what is too small a subnormal number or zero.  NaN
 * keeps its sign and the upper bits of its payload and comes out quiet; only
 * bf16 to f32 moves the bits as they are.  Every level gives these same bits.
 */

static inline float dti_f16_to_f32(uint16_t half)
{
    const uint32_t sign = (uint32_t)(half & 0x8000) << 16;
    const uint32_t magnitude = half & 0x7fff;
    const float subnormal = (float)(int32_t)magnitude * 0x1p-24f;
    const uint32_t rebias = (uint32_t)(127 - 15) << 23;
    const uint32_t quiet = magnitude > 0x7c00 ? UINT32_C(0x00400000) : 0;
    uint32_t bits;
    memcpy(&bits, &subnormal, sizeof bits);
    bits = magnitude < 0x0400 ? bits : (magnitude << 13) + rebias;
    bits = (magnitude >= 0x7c00 ? bits + rebias : bits) | quiet | sign;
    float result;
    memcpy(&result, &bits, sizeof result);
    return result;
}

static inline uint16_t dti_f32_to_f16(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint32_t sign = bits >> 16 & 0x8000;
    const uint32_t magnitude = bits & 0x7fffffff;
    /* One half has units of 2^-24 in its last place, as subnormal f16 has: the
     * addition rounds to them. */
    const float half = 0.5f;
    float shifted;
    memcpy(&shifted, &magnitude, sizeof shifted);
    shifted += half;
    uint32_t subnormal, offset;
    memcpy(&subnormal, &shifted, sizeof subnormal);
    memcpy(&offset, &half, sizeof offset);
    subnormal -= offset;
    const uint32_t rebias = (uint32_t)(127 - 15) << 23;
    const uint32_t odd = magnitude >> 13 & 1;
    const uint32_t normal = (magnitude - rebias + 0xfff + odd) >> 13;
    const uint32_t nan = 0x7e00 | (magnitude >> 13 & 0x3ff);
    uint32_t result = magnitude < 0x38800000 ? subnormal : normal;
    result = magnitude >= 0x477ff000 ? 0x7c00 : result; /* from 65520 */
    result = magnitude > 0x7f800000 ? nan : result;
    return (uint16_t)(result | sign);
}

static inline float dti_bf16_to_f32(uint16_t half)
{
    const uint32_t bits = (uint32_t)half << 16;
    float result;
    memcpy(&result, &bits, sizeof result);
    return result;
}

static inline uint16_t dti_f32_to_bf16(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    const uint32_t nan = bits >> 16 | 0x0040;
    return (uint16_t)((bits & 0x7fffffff) > 0x7f800000 ? nan : rounded);
}

/* Blocks of `count` elements that do not overlap, at any address. */
typedef void (*dti_half_convert)(void *out, const void *in, int64_t count);

typedef struct dti_half_kernels {
    dti_half_convert f16_to_f32;
    dti_half_convert f32_to_f16;
    dti_half_convert bf16_to_f32;
    dti_half_convert f32_to_bf16;
} dti_half_kernels;

/* The conversions of an instruction set, which the processor must have. */
const dti_half_kernels *dti_half_at(dti_cpu_level level);

/* Those of each level; dti_half_at chooses. */
extern const dti_half_kernels dti_half_portable;
extern const dti_half_kernels dti_half_avx2;
extern const dti_half_kernels dti_half_avx512;

#endif
