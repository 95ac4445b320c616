/* kernel/norm/norm_avx2.c - the loops of norms of f32, for AVX2. */
/* SPDX-License-Identifier: Apache-2.0 */
#define T float
#define LOOPS dti_norm_avx2
#include "kernel/norm/norm_tmpl.h"
