/* kernel/fold/bring.h - elements that lie apart, brought together. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_FOLD_BRING_H
#define DTI_KERNEL_FOLD_BRING_H

#include <stdint.h>

#include <dtensor/dtype.h>

enum {
    DTI_BRING_MOST = 4096 /* elements at a time */
};

/* Copy elements that lie `stride` apart to where they are neighbours. */
void dti_bring_raw(const void *from, dt_dtype dtype, int64_t stride, void *to,
                   int64_t count);

/* The same, converted to another dtype. */
void dti_bring(const void *from, dt_dtype dtype, int64_t stride, void *to,
               dt_dtype to_dtype, int64_t count);

/* Convert neighbours and lay them `stride` apart. */
void dti_spread(const void *from, dt_dtype dtype, void *to, dt_dtype to_dtype,
                int64_t stride, int64_t count);

#endif
