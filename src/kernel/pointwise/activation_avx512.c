/* kernel/pointwise/activation_avx512.c - activations for AVX-512. */
/* SPDX-License-Identifier: Apache-2.0 */
#define LOOPS dti_pointwise_activation_avx512
#include "kernel/pointwise/activation_tmpl.h"
