/* kernel/attention/attention_avx2.c - the loops of attention, for AVX2. */
/* SPDX-License-Identifier: Apache-2.0 */
#define LOOPS dti_attention_avx2
#include "kernel/attention/attention_tmpl.h"
