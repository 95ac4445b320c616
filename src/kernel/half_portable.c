/* kernel/half_portable.c - f16 and bf16 to f32 and back, on any processor. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/half_portable.h"

#include "kernel/half.h"

enum { WIDTH = 1 };

static inline float load_f32(const void *from, int count)
{
    (void)count;
    float value;
    memcpy(&value, from, sizeof value);
    return value;
}

static inline void store_f32(void *to, float value, int count)
{
    (void)count;
    memcpy(to, &value, sizeof value);
}

#define VECTOR float
#define KERNELS dti_half_portable
#include "kernel/half_tmpl.h"
