/* kernel/fold/fold_avx2.c - the loops of reductions, for AVX2. */
/* SPDX-License-Identifier: Apache-2.0 */
#define TABLE dti_fold_avx2
#include "kernel/fold/fold_tmpl.h"
