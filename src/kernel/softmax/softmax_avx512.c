/* kernel/softmax/softmax_avx512.c - the loops of softmax, for AVX-512. */
/* SPDX-License-Identifier: Apache-2.0 */
#define LOOPS dti_softmax_avx512
#include "kernel/softmax/softmax_tmpl.h"
