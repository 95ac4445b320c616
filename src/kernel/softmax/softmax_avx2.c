/* kernel/softmax/softmax_avx2.c - the loops of softmax, for AVX2. */
/* SPDX-License-Identifier: Apache-2.0 */
#define LOOPS dti_softmax_avx2
#include "kernel/softmax/softmax_tmpl.h"
