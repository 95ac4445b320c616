/* kernel/gemm_vector_avx512.c - products of halves and vectors, with AVX-512.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/half_avx512.h"

enum { WIDTH = 16 };

static inline __m512 load_f32(const void *from, int count)
{
    return _mm512_maskz_loadu_ps(lanes(count), from);
}

static inline void store_f32(void *to, __m512 values, int count)
{
    _mm512_mask_storeu_ps(to, lanes(count), values);
}

#define VECTOR __m512
#define SPREAD(x) _mm512_set1_ps(x)
#define KERNELS dti_vector_avx512
#include "kernel/gemm_vector_tmpl.h"
