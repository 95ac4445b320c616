/* array/cast.h - converting elements of one dtype to another. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_ARRAY_CAST_H
#define DTI_ARRAY_CAST_H

#include <stdint.h>

#include <dtensor/dtype.h>

#include "base/machine/cpu.h"

/* An element of DT_C64. */
typedef struct dti_c64 {
    float real;
    float imaginary;
} dti_c64;

/* Convert `count` neighbours to `dtype`; the two sides do not overlap. */
typedef void (*dti_cast_run)(const void *source, void *destination,
                             dt_dtype dtype, int64_t count);

/* The conversions from each dtype, at a level that the processor has.  All
 * levels give the same bits. */
const dti_cast_run *dti_cast_runs_of(dti_cpu_level level);

extern const dti_cast_run dti_cast_runs_portable[DT_DTYPE_COUNT];
extern const dti_cast_run dti_cast_runs_avx2[DT_DTYPE_COUNT];
extern const dti_cast_run dti_cast_runs_avx512[DT_DTYPE_COUNT];

/* Convert neighbours at the level that is used. */
void dti_cast(const void *source, dt_dtype from, void *destination, dt_dtype to,
              int64_t count);

#endif
