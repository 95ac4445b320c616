/* kernel/fold/bring.c - elements that lie apart, brought together. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/fold/bring.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "array/cast.h"
#include "array/copy.h"
#include "base/attributes.h"
#include "base/dtype.h"

enum {
    ITEM = 8 /* most bytes of an element */
};

void dti_bring_raw(const void *from, dt_dtype dtype, int64_t stride, void *to,
                   int64_t count)
{
    const int64_t item = (int64_t)dti_dtype_size(dtype);
    const int64_t from_stride = stride * item;
    if (stride == 1 || count <= 1)
        memcpy(to, from, (size_t)(count * item));
    else
        dti_copy_strided(to, &item, from, &from_stride, &count, 1,
                         (size_t)item);
}

void dti_bring(const void *from, dt_dtype dtype, int64_t stride, void *to,
               dt_dtype to_dtype, int64_t count)
{
    _Alignas(DTI_CACHE_LINE) char raw[DTI_BRING_MOST * ITEM];
    assert(count <= DTI_BRING_MOST);
    if (dtype == to_dtype) {
        dti_bring_raw(from, dtype, stride, to, count);
        return;
    }
    if (stride != 1 && count > 1) {
        dti_bring_raw(from, dtype, stride, raw, count);
        from = raw;
    }
    dti_cast(from, dtype, to, to_dtype, count);
}

void dti_spread(const void *from, dt_dtype dtype, void *to, dt_dtype to_dtype,
                int64_t stride, int64_t count)
{
    _Alignas(DTI_CACHE_LINE) char raw[DTI_BRING_MOST * ITEM];
    const int64_t item = (int64_t)dti_dtype_size(to_dtype);
    const int64_t to_stride = stride * item;
    assert(count <= DTI_BRING_MOST);
    const bool together = stride == 1 || count <= 1;
    if (dtype != to_dtype) {
        dti_cast(from, dtype, together ? to : raw, to_dtype, count);
        from = raw;
    } else if (together) {
        memcpy(to, from, (size_t)(count * item));
    }
    if (!together)
        dti_copy_strided(to, &to_stride, from, &item, &count, 1, (size_t)item);
}
