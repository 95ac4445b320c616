/* kernel/pointwise/pointwise_avx512.c - the pointwise loops for AVX-512. */
/* SPDX-License-Identifier: Apache-2.0 */
#define LOOPS dti_pointwise_avx512
#include "kernel/pointwise/pointwise_tmpl.h"
