/* kernel/reduce/reduce_avx2.c - the reduction kernels for AVX2. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <immintrin.h>
#include <math.h>

#include "array/half_avx2.h"

static inline void store_line(void *line, const void *from)
{
    __m256i *to = line;
    const __m256i *vectors = from;
    _mm256_stream_si256(to, _mm256_loadu_si256(vectors));
    _mm256_stream_si256(to + 1, _mm256_loadu_si256(vectors + 1));
}

static void store_fence(void)
{
    _mm_sfence();
}

static inline vector vector_add(vector a, vector b)
{
    return _mm256_add_ps(a, b);
}

static inline vector vector_multiply(vector a, vector b)
{
    return _mm256_mul_ps(a, b);
}

static inline vector vector_divide(vector a, float b)
{
    return _mm256_div_ps(a, _mm256_set1_ps(b));
}

/* The instruction gives its second operand for equal zeros and for NaN.  Or
 * takes the sign of both zeros, and nothing makes a number of NaN. */
static inline vector vector_lesser(vector a, vector b)
{
    return _mm256_or_ps(_mm256_min_ps(a, b), _mm256_min_ps(b, a));
}

/* And takes the sign that both have, but may spoil NaN: their sum is NaN. */
static inline vector vector_greater(vector a, vector b)
{
    const vector larger =
        _mm256_and_ps(_mm256_max_ps(a, b), _mm256_max_ps(b, a));
    const vector nan = _mm256_cmp_ps(a, b, _CMP_UNORD_Q);
    return _mm256_blendv_ps(larger, _mm256_add_ps(a, b), nan);
}

static inline vector vector_canonical(vector a)
{
    const vector nan = _mm256_cmp_ps(a, a, _CMP_UNORD_Q);
    return _mm256_blendv_ps(a, _mm256_set1_ps(NAN), nan);
}

#define KERNELS dti_reduce_avx2
#include "kernel/reduce/reduce_tmpl.h"
