/* kernel/fold/moments_avx2.c - the loops of moments, for AVX2. */
/* SPDX-License-Identifier: Apache-2.0 */
#define TABLE dti_moments_avx2
#include "kernel/fold/moments_tmpl.h"
