/* kernel/gemm/vector.c - products of halves and vectors: which kernels. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/gemm/vector.h"

static const dti_vector_kernels *const tables[DTI_CPU_LEVELS] = {
    [DTI_CPU_PORTABLE] = &dti_vector_portable,
#if defined(__x86_64__)
    [DTI_CPU_AVX2] = &dti_vector_avx2,
    [DTI_CPU_AVX512] = &dti_vector_avx512,
#endif
};

const dti_vector_kernels *dti_vector_at(dti_cpu_level level)
{
    return tables[level];
}
