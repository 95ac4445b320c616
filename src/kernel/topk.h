/* kernel/topk.h - the largest or least elements along a dimension. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_TOPK_H
#define DTI_KERNEL_TOPK_H

#include <stdbool.h>
#include <stdint.h>

#include <dtensor/array.h>

/*
 * Find the `k` first elements of a dimension, in the order largest first, or
 * least first.  NaN is larger than every number, -0 and 0 are the same; of
 * equal elements, the one with the smaller index comes first.  Values and
 * indexes are laid out as the array would be if it were row-major and the
 * dimension had `k` elements.  `scratch` has room for 2 k numbers.  Not of
 * complex numbers.
 */
void dti_topk_array(const dt_array *in, int dim, int64_t k, bool largest,
                    void *values, int64_t *indexes, int64_t *scratch);

#endif
