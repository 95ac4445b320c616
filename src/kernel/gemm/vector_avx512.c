/* kernel/gemm/vector_avx512.c - products of halves and vectors, with AVX-512.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "array/half_avx512.h"

#define SPREAD(x) _mm512_set1_ps(x)
#define KERNELS dti_vector_avx512
#include "kernel/gemm/vector_tmpl.h"
