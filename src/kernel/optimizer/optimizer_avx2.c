/* kernel/optimizer/optimizer_avx2.c - the loops of optimisers, for AVX2. */
/* SPDX-License-Identifier: Apache-2.0 */
#define LOOPS dti_optimizer_avx2
#include "kernel/optimizer/optimizer_tmpl.h"
