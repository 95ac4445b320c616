/* kernel/norm_avx512.c - the loops of norms, for AVX-512. */
/* SPDX-License-Identifier: Apache-2.0 */
#define LOOPS dti_norm_avx512
#include "kernel/norm_tmpl.h"
