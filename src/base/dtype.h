/* base/dtype.h - facts of dtypes where every nanosecond counts. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_BASE_DTYPE_H
#define DTI_BASE_DTYPE_H

#include <dtensor/dtype.h>

/* dt_dtype_size of a dtype that is known to be valid. */
static inline size_t dti_dtype_size(dt_dtype dtype)
{
    static const unsigned char sizes[DT_DTYPE_COUNT] = {
#define SIZE(constant, name, bytes, kind, numpy) [DT_##constant] = bytes,
        DT_DTYPES(SIZE)
#undef SIZE
    };
    return sizes[dtype];
}

#endif
