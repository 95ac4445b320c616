/* kernel/softmax/logsumexp_avx512.c - sums of exponentials, for AVX-512. */
/* SPDX-License-Identifier: Apache-2.0 */
#define TABLE dti_logsumexp_avx512
#include "kernel/softmax/logsumexp_tmpl.h"
