/* kernel/pointwise/real_avx2.c - functions of reals for AVX2. */
/* SPDX-License-Identifier: Apache-2.0 */
#define LOOPS dti_pointwise_real_avx2
#include "kernel/pointwise/real_tmpl.h"
