/* dtensor/cpu.h - the instruction set that kernels use. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_CPU_H
#define DTENSOR_CPU_H

#include <dtensor/export.h>

DT_EXTERN_C_BEGIN

/*
 * Return the name of the instruction set that kernels use in this process:
 * "portable", "avx2" or "avx512".  It is the best one that the processor
 * supports, or the one that the setting DT_CPU requests.
 *
 * Not collective.  The text is static.
 */
DT_API const char *dt_cpu_name_used(void);

DT_EXTERN_C_END

#endif
