/* kernel/order/order_level.h - few entries put in order, by level. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_ORDER_ORDER_LEVEL_H
#define DTI_KERNEL_ORDER_ORDER_LEVEL_H

#include <stdint.h>

#include "base/machine/cpu.h"

enum { DTI_RANKED = 64 /* most entries that are ranked */ };

/* Put entries in order, no two of which are equal, into another list. */
typedef void (*dti_rank)(const uint64_t *entries, uint64_t *sorted, int count);

void dti_rank_avx2(const uint64_t *entries, uint64_t *sorted, int count);
void dti_rank_avx512(const uint64_t *entries, uint64_t *sorted, int count);

/* The function of a level; NULL where merging is faster. */
dti_rank dti_rank_of(dti_cpu_level level);

#endif
