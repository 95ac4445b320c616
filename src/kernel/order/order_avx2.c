/* kernel/order/order_avx2.c - few entries put in order, for AVX2. */
/* SPDX-License-Identifier: Apache-2.0 */
#define RANK dti_rank_avx2
#include "kernel/order/rank_tmpl.h"
