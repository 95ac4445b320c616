/* kernel/gemm_vector_avx2.c - products of halves and vectors, with AVX2 and
 * F16C. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/half_avx2.h"

enum { WIDTH = 8 };

static inline __m256 load_f32(const void *from, int count)
{
    if (count == WIDTH)
        return _mm256_loadu_ps(from);
    float part[WIDTH] = {0};
    memcpy(part, from, (size_t)count * sizeof *part);
    return _mm256_loadu_ps(part);
}

static inline void store_f32(void *to, __m256 values, int count)
{
    if (count == WIDTH) {
        _mm256_storeu_ps(to, values);
        return;
    }
    float part[WIDTH];
    _mm256_storeu_ps(part, values);
    memcpy(to, part, (size_t)count * sizeof *part);
}

#define VECTOR __m256
#define SPREAD(x) _mm256_set1_ps(x)
#define KERNELS dti_vector_avx2
#include "kernel/gemm_vector_tmpl.h"
