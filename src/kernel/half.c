/* kernel/half.c - f16 and bf16 to f32 and back, by instruction set. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/half.h"

static const dti_half_kernels *const levels[DTI_CPU_LEVELS] = {
    [DTI_CPU_PORTABLE] = &dti_half_portable,
#if defined(__x86_64__)
    [DTI_CPU_AVX2] = &dti_half_avx2,
    [DTI_CPU_AVX512] = &dti_half_avx512,
#endif
};

const dti_half_kernels *dti_half_at(dti_cpu_level level)
{
    return levels[level];
}
