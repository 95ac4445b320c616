/* kernel/fold/fold_avx512.c - the loops of reductions, for AVX-512. */
/* SPDX-License-Identifier: Apache-2.0 */
#define TABLE dti_fold_avx512
#include "kernel/fold/fold_tmpl.h"
