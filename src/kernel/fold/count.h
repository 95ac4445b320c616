/* kernel/fold/count.h - how many elements are not 0, or not NaN. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_FOLD_COUNT_H
#define DTI_KERNEL_FOLD_COUNT_H

#include <stdint.h>

#include <dtensor/array.h>

/* Count the elements that are not 0, NaN among them, of the dimensions whose
 * bits are set.  Results lie in row-major order of the other dimensions. */
void dti_count_array(const dt_array *in, unsigned dims, int64_t results,
                     int64_t *out);

/* Count the elements that are not NaN, of floats. */
void dti_count_numbers(const dt_array *in, unsigned dims, int64_t results,
                       int64_t *out);

#endif
