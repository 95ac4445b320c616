/* kernel/reduce/reduce_avx512.c - the reduction kernels for AVX-512. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <immintrin.h>
#include <math.h>

#include "array/half_avx512.h"

static inline void store_line(void *line, const void *from)
{
    _mm512_stream_si512(line, _mm512_loadu_si512(from));
}

static void store_fence(void)
{
    _mm_sfence();
}

static inline vector vector_add(vector a, vector b)
{
    return _mm512_add_ps(a, b);
}

static inline vector vector_multiply(vector a, vector b)
{
    return _mm512_mul_ps(a, b);
}

static inline vector vector_divide(vector a, float b)
{
    return _mm512_div_ps(a, _mm512_set1_ps(b));
}

/* The instruction gives its second operand for equal zeros and for NaN.  Or
 * takes the sign of both zeros, and nothing makes a number of NaN. */
static inline vector vector_lesser(vector a, vector b)
{
    return _mm512_or_ps(_mm512_min_ps(a, b), _mm512_min_ps(b, a));
}

/* And takes the sign that both have, but may spoil NaN: their sum is NaN. */
static inline vector vector_greater(vector a, vector b)
{
    const vector larger =
        _mm512_and_ps(_mm512_max_ps(a, b), _mm512_max_ps(b, a));
    const __mmask16 nan = _mm512_cmp_ps_mask(a, b, _CMP_UNORD_Q);
    return _mm512_mask_add_ps(larger, nan, a, b);
}

static inline vector vector_canonical(vector a)
{
    const __mmask16 nan = _mm512_cmp_ps_mask(a, a, _CMP_UNORD_Q);
    return _mm512_mask_mov_ps(a, nan, _mm512_set1_ps(NAN));
}

#define KERNELS dti_reduce_avx512
#include "kernel/reduce/reduce_tmpl.h"
