/* kernel/fold/arg_avx2.c - the loops that find extremes, for AVX2. */
/* SPDX-License-Identifier: Apache-2.0 */
#define TABLE dti_arg_avx2
#include "kernel/fold/arg_tmpl.h"
