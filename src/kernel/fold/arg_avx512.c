/* kernel/fold/arg_avx512.c - the loops that find extremes, for AVX-512. */
/* SPDX-License-Identifier: Apache-2.0 */
#define TABLE dti_arg_avx512
#include "kernel/fold/arg_tmpl.h"
