/* kernel/order/order_avx512.c - few entries put in order, for AVX-512. */
/* SPDX-License-Identifier: Apache-2.0 */
#define RANK dti_rank_avx512
#include "kernel/order/rank_tmpl.h"
