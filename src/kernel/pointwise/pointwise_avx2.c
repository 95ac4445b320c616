/* kernel/pointwise/pointwise_avx2.c - the pointwise loops for AVX2. */
/* SPDX-License-Identifier: Apache-2.0 */
#define LOOPS dti_pointwise_avx2
#include "kernel/pointwise/pointwise_tmpl.h"
