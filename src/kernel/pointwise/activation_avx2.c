/* kernel/pointwise/activation_avx2.c - activations for AVX2. */
/* SPDX-License-Identifier: Apache-2.0 */
#define LOOPS dti_pointwise_activation_avx2
#include "kernel/pointwise/activation_tmpl.h"
