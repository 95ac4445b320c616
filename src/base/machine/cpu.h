/* base/machine/cpu.h - what this processor can do. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_BASE_MACHINE_CPU_H
#define DTI_BASE_MACHINE_CPU_H

#include <stddef.h>

/* Instruction sets that kernels are written for, each including the former. */
typedef enum dti_cpu_level {
    DTI_CPU_PORTABLE,
    DTI_CPU_AVX2,   /* AVX2, FMA, F16C */
    DTI_CPU_AVX512, /* AVX-512 F, BW, DQ, VL */
    DTI_CPU_LEVELS
} dti_cpu_level;

/* The best level of this processor and operating system. */
dti_cpu_level dti_cpu_detect(void);

/* "portable", "avx2", "avx512". */
const char *dti_cpu_level_name(dti_cpu_level level);

/* The level that kernels use: what was detected, or less if DT_CPU asks for it.
 * It is a fact of the process, worked out once. */
dti_cpu_level dti_cpu_level_used(void);

/* Cores that this process may use: those that it may run on, or fewer if the
 * quota of its control group is smaller. */
int dti_cpu_cores(void);

/* Keep the calling thread, one of `ranks` that wait for each other, on its
 * share of those cores, if every rank can have one or all cores as many:
 * systems leave ranks crowded on a core for long.  Else it stays where the
 * system likes. */
void dti_cpu_place(int rank, int ranks);

/* Bytes of the last-level cache; a guess where the system does not say. */
size_t dti_cpu_last_cache(void);

#endif
