/* base/machine/cpu.c - what this processor can do. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/machine/cpu.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <dtensor/cpu.h>

#include "base/attributes.h"
#include "base/machine/quota.h"

static const char *const level_names[DTI_CPU_LEVELS] = {
    [DTI_CPU_PORTABLE] = "portable",
    [DTI_CPU_AVX2] = "avx2",
    [DTI_CPU_AVX512] = "avx512",
};

const char *dti_cpu_level_name(dti_cpu_level level)
{
    return level_names[level];
}

#if defined(__x86_64__)

/* Compilers do not all know F16C by name. */
static int supports_f16c(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C);
}

dti_cpu_level dti_cpu_detect(void)
{
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") ||
        !supports_f16c())
        return DTI_CPU_PORTABLE;
    if (__builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        return DTI_CPU_AVX512;
    return DTI_CPU_AVX2;
}

#else

dti_cpu_level dti_cpu_detect(void)
{
    return DTI_CPU_PORTABLE;
}

#endif

dti_cpu_level dti_cpu_level_used(void)
{
    /* A fact that every thread would work out alike, remembered. */
    static atomic_int known;
    int level = atomic_load_explicit(&known, memory_order_relaxed) - 1;
    if (DTI_LIKELY(level >= 0))
        return (dti_cpu_level)level;
    level = (int)dti_cpu_detect();
    const char *wanted = secure_getenv("DT_CPU");
    for (int i = 0; wanted && i < level; i++)
        if (strcmp(wanted, level_names[i]) == 0)
            level = i;
    atomic_store_explicit(&known, level + 1, memory_order_relaxed);
    return (dti_cpu_level)level;
}

const char *dt_cpu_name_used(void)
{
    return dti_cpu_level_name(dti_cpu_level_used());
}

int dti_cpu_cores(void)
{
    cpu_set_t set;
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    int cores = online > 0 ? (int)online : 1;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        cores = CPU_COUNT(&set);
    return dti_quota_cores(cores);
}

/* Keep the calling thread on `count` cores from the one with this number among
 * those allowed. */
static void keep_on(const cpu_set_t *allowed, int number, int count)
{
    cpu_set_t chosen;
    CPU_ZERO(&chosen);
    for (int core = 0; core < CPU_SETSIZE && count > 0; core++) {
        if (!CPU_ISSET(core, allowed) || number-- > 0)
            continue;
        CPU_SET(core, &chosen);
        count--;
    }
    sched_setaffinity(0, sizeof chosen, &chosen);
}

void dti_cpu_place(int rank, int ranks)
{
    cpu_set_t allowed;
    if (ranks < 2 || sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return;
    const int cores = CPU_COUNT(&allowed);
    if (ranks <= cores)
        keep_on(&allowed, rank * (cores / ranks), cores / ranks);
    else if (ranks % cores == 0)
        keep_on(&allowed, rank % cores, 1);
}

size_t dti_cpu_last_cache(void)
{
    static const int levels[] = {_SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE};
    for (size_t i = 0; i < DTI_COUNT_OF(levels); i++) {
        long bytes = sysconf(levels[i]);
        if (bytes > 0)
            return (size_t)bytes;
    }
    return (size_t)8 << 20;
}
