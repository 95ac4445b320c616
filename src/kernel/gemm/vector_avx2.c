/* kernel/gemm/vector_avx2.c - products of halves and vectors, with AVX2 and
 * F16C. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "array/half_avx2.h"

#define SPREAD(x) _mm256_set1_ps(x)
#define KERNELS dti_vector_avx2
#include "kernel/gemm/vector_tmpl.h"
