/* kernel/order/search.h - where numbers belong among sorted ones. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_ORDER_SEARCH_H
#define DTI_KERNEL_ORDER_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include <dtensor/dtype.h>

/*
 * Count, for each value, the numbers of a sorted list that come before it; if
 * `right`, also those that equal it.  Both have one dtype, which is not
 * complex, and lie side by side.  NaN is larger than every number.
 */
void dti_search_sorted(dt_dtype dtype, const void *sorted, int64_t length,
                       const void *values, int64_t count, bool right,
                       int64_t *out);

#endif
