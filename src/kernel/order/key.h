/* kernel/order/key.h - elements as integers that are ordered as they are. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_ORDER_KEY_H
#define DTI_KERNEL_ORDER_KEY_H

#include <stdbool.h>
#include <stdint.h>

#include <dtensor/dtype.h>

#include "base/bits.h"

/*
 * Unsigned integers, the least first: NaN is larger than every number, all NaN
 * are the same, and so are -0 and 0.  Halves are taken as f32, short integers
 * as i32; f64 and i64 have keys of 64 bits.
 */

#define DTI_ORDER_NAN32 UINT32_MAX
#define DTI_ORDER_NAN64 UINT64_MAX
#define DTI_ORDER_ZERO32 UINT32_C(0x80000000)
#define DTI_ORDER_ZERO64 UINT64_C(0x8000000000000000)

static inline uint32_t dti_order_of_f32(float x)
{
    const uint32_t bits = dti_bits_of_f32(x);
    const uint32_t turn = -(bits >> 31) | DTI_ORDER_ZERO32;
    const uint32_t number = x == 0 ? DTI_ORDER_ZERO32 : bits ^ turn;
    return x != x ? DTI_ORDER_NAN32 : number;
}

static inline uint64_t dti_order_of_f64(double x)
{
    const uint64_t bits = dti_bits_of_f64(x);
    const uint64_t turn = -(bits >> 63) | DTI_ORDER_ZERO64;
    const uint64_t number = x == 0 ? DTI_ORDER_ZERO64 : bits ^ turn;
    return x != x ? DTI_ORDER_NAN64 : number;
}

/* The bits of a float that is neither NaN nor 0. */
static inline uint32_t dti_f32_of_order(uint32_t key)
{
    return key ^ (((key >> 31) - 1) | DTI_ORDER_ZERO32);
}

static inline uint64_t dti_f64_of_order(uint64_t key)
{
    return key ^ (((key >> 63) - 1) | DTI_ORDER_ZERO64);
}

static inline bool dti_order_is_float(dt_dtype dtype)
{
    return dt_dtype_kind_of(dtype) == DT_KIND_FLOAT;
}

/* What elements are brought as before they become keys. */
static inline dt_dtype dti_order_carrier(dt_dtype dtype)
{
    if (dtype == DT_F64 || dtype == DT_I64)
        return dtype;
    return dti_order_is_float(dtype) ? DT_F32 : DT_I32;
}

/* Turn carriers into keys where they lie; `flip` turns the order round. */
static inline void dti_order_keys32(bool floats, void *values, uint32_t flip,
                                    int64_t count)
{
    uint32_t *keys = values;
    for (int64_t i = 0; floats && i < count; i++)
        keys[i] = dti_order_of_f32(dti_f32_of_bits(keys[i])) ^ flip;
    for (int64_t i = 0; !floats && i < count; i++)
        keys[i] = keys[i] ^ DTI_ORDER_ZERO32 ^ flip;
}

static inline void dti_order_keys64(bool floats, void *values, uint64_t flip,
                                    int64_t count)
{
    uint64_t *keys = values;
    for (int64_t i = 0; floats && i < count; i++)
        keys[i] = dti_order_of_f64(dti_f64_of_bits(keys[i])) ^ flip;
    for (int64_t i = 0; !floats && i < count; i++)
        keys[i] = keys[i] ^ DTI_ORDER_ZERO64 ^ flip;
}

#endif
