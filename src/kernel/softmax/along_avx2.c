/* kernel/softmax/along_avx2.c - the loops over runs of f32, for AVX2. */
/* SPDX-License-Identifier: Apache-2.0 */
#define T float
#define EXP exp_f32
#define LOOPS dti_along_avx2
#include "kernel/softmax/along_tmpl.h"
