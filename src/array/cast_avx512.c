/* array/cast_avx512.c - the conversions as the compiler vectorises for AVX-512.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "array/half_avx512.h"

#define TABLE dti_cast_runs_avx512
#define HALVES "array/cast_halves_tmpl.h"
#include "array/cast_level_tmpl.h"
