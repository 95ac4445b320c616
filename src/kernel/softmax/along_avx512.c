/* kernel/softmax/along_avx512.c - the loops over runs of f32, for AVX-512. */
/* SPDX-License-Identifier: Apache-2.0 */
#define T float
#define EXP exp_f32
#define LOOPS dti_along_avx512
#include "kernel/softmax/along_tmpl.h"
