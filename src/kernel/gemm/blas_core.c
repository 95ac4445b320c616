/* kernel/gemm/blas_core.c - the processor that OpenBLAS shall compute for. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/gemm/blas_core.h"

#include <string.h>
#include <strings.h>

#include "base/attributes.h"
#include "base/machine/cpu.h"

/*
 * OpenBLAS knows processors by family and model, and takes those that are newer
 * than itself for old ones: 0.3.21 computes with SSE3 on an Intel server of
 * 2023, a fifth as fast as it could.  What decides is the instruction set, so
 * each level has one processor that stands for it.  Haswell's kernels are as
 * fast as Zen's on processors of AMD (bench/README.md).
 */
static const char *const cores[DTI_CPU_LEVELS] = {
    [DTI_CPU_AVX2] = "Haswell",
    [DTI_CPU_AVX512] = "SkylakeX",
};

/* Those whose kernels use AVX2 or more. */
static const char *const modern[] = {
    "Haswell", "Zen", "Excavator", "SkylakeX", "Cooperlake", "SapphireRapids",
};

static bool has_avx(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx");
#else
    return false;
#endif
}

const char *dti_blas_core(void)
{
    const dti_cpu_level level = dti_cpu_level_used();
    if (cores[level])
        return cores[level];
    if (dti_cpu_detect() != DTI_CPU_PORTABLE)
        return "Nehalem"; /* DT_CPU asks for less than there is */
    return has_avx() ? "Sandybridge" : "";
}

bool dti_blas_core_suits(const char *name)
{
    if (!*name || dti_cpu_detect() == DTI_CPU_PORTABLE)
        return true;
    for (size_t i = 0; i < DTI_COUNT_OF(modern); i++)
        if (strcasecmp(name, modern[i]) == 0)
            return true;
    return false;
}
