/* base/bits.h - floats as the bits that they are made of. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_BASE_BITS_H
#define DTI_BASE_BITS_H

#include <stdint.h>
#include <string.h>

#include "base/attributes.h"

static DTI_INLINE float dti_f32_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static DTI_INLINE uint32_t dti_bits_of_f32(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static DTI_INLINE double dti_f64_of_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static DTI_INLINE uint64_t dti_bits_of_f64(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

#endif
