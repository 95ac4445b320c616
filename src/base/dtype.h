/* base/dtype.h - facts of dtypes. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_BASE_DTYPE_H
#define DTI_BASE_DTYPE_H

#include <stdbool.h>

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

static inline bool dti_is_integer(dt_dtype dtype)
{
    const dt_dtype_kind kind = dt_dtype_kind_of(dtype);
    return kind == DT_KIND_SIGNED || kind == DT_KIND_UNSIGNED;
}

/* An integer or bool. */
static inline bool dti_is_whole(dt_dtype dtype)
{
    return dti_is_integer(dtype) || dtype == DT_BOOL;
}

static inline bool dti_is_float(dt_dtype dtype)
{
    return dt_dtype_kind_of(dtype) == DT_KIND_FLOAT;
}

/* The largest finite number of a dtype of floats, and f32's of complex ones. */
double dti_dtype_largest(dt_dtype dtype);

static inline bool dti_is_half(dt_dtype dtype)
{
    return dtype == DT_F16 || dtype == DT_BF16;
}

#endif
