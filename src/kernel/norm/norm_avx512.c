/* kernel/norm/norm_avx512.c - the loops of norms of f32, for AVX-512. */
/* SPDX-License-Identifier: Apache-2.0 */
#define T float
#define LOOPS dti_norm_avx512
#include "kernel/norm/norm_tmpl.h"
