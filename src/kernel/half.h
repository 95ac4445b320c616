/* kernel/half.h - f16 and bf16 to f32 and back, one at a time and in blocks. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_HALF_H
#define DTI_KERNEL_HALF_H

#include <stdint.h>

#include "array/number.h"
#include "base/cpu.h"

/*
 * Widening is exact.  Narrowing rounds to nearest, ties to even; what is too
 * large becomes infinity, what is too small a subnormal number or zero.  NaN
 * keeps its sign and the upper bits of its payload and comes out quiet; only
 * bf16 to f32 moves the bits as they are.  Every level gives these same bits.
 */

static inline float dti_f16_to_f32(uint16_t half)
{
    const uint32_t quiet = (half & 0x7fff) > 0x7c00 ? UINT32_C(0x00400000) : 0;
    return dti_float_of_bits(dti_bits_of_float(dti_widen_f16(half)) | quiet);
}

static inline uint16_t dti_f32_to_f16(float value)
{
    return dti_f16_of_float(value);
}

static inline float dti_bf16_to_f32(uint16_t half)
{
    return dti_widen_bf16(half);
}

static inline uint16_t dti_f32_to_bf16(float value)
{
    return dti_bf16_of_float(value);
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
