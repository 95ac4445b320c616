/* kernel/attention/attention_avx512.c - the loops of attention, for AVX-512. */
/* SPDX-License-Identifier: Apache-2.0 */
#define LOOPS dti_attention_avx512
#include "kernel/attention/attention_tmpl.h"
