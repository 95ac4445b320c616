/* kernel/fold/moments_avx512.c - the loops of moments, for AVX-512. */
/* SPDX-License-Identifier: Apache-2.0 */
#define TABLE dti_moments_avx512
#include "kernel/fold/moments_tmpl.h"
