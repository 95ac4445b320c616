/* kernel/gemm_vector_portable.c - products of halves and vectors, on any
 * processor. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/half_portable.h"

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
#define SPREAD(x) (x)
#define KERNELS dti_vector_portable
#include "kernel/gemm_vector_tmpl.h"
