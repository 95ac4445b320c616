/* checkpoint/sum.c - checksums of bytes: XXH3-64. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "checkpoint/sum.h"

#include "base/machine/cpu.h"
#include "checkpoint/sum_level.h"

static uint64_t (*const functions[DTI_CPU_LEVELS])(const void *, size_t) = {
    [DTI_CPU_PORTABLE] = dti_sum_portable,
#if defined(__x86_64__)
    [DTI_CPU_AVX2] = dti_sum_avx2,
    [DTI_CPU_AVX512] = dti_sum_avx2,
#endif
};

uint64_t dti_sum_of(const void *bytes, size_t size)
{
    return functions[dti_cpu_level_used()](bytes, size);
}
