/* kernel/optimizer/optimizer_avx512.c - the loops of optimisers, for AVX-512.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#define LOOPS dti_optimizer_avx512
#include "kernel/optimizer/optimizer_tmpl.h"
