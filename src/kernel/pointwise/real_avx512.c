/* kernel/pointwise/real_avx512.c - functions of reals for AVX-512. */
/* SPDX-License-Identifier: Apache-2.0 */
#define LOOPS dti_pointwise_real_avx512
#include "kernel/pointwise/real_tmpl.h"
