/* array/cast_avx2.c - the conversions as the compiler vectorises for AVX2. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "array/half_avx2.h"

#define TABLE dti_cast_runs_avx2
#define HALVES "array/cast_halves_tmpl.h"
#include "array/cast_level_tmpl.h"
