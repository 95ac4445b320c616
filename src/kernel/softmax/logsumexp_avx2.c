/* kernel/softmax/logsumexp_avx2.c - sums of exponentials, for AVX2. */
/* SPDX-License-Identifier: Apache-2.0 */
#define TABLE dti_logsumexp_avx2
#include "kernel/softmax/logsumexp_tmpl.h"
