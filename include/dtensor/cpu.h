/* dtensor/cpu.h - what kernels are made for. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_CPU_H
#define DTENSOR_CPU_H

#include <dtensor/export.h>

DT_EXTERN_C_BEGIN

/*
 * Give the name of the instruction set that kernels use in this process:
 * "portable", "avx2" or "avx512"; the best one here, or less if the setting
 * DT_CPU asks for it.
 *
 * Not collective.  The text is static.
 */
DT_API const char *dt_cpu_name_used(void);

DT_EXTERN_C_END

#endif
