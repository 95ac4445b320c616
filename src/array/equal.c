/* array/equal.c - comparing arrays. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/array.h>

#include <string.h>

#include "array/array.h"
#include "array/cast.h"

/* Elements that are compared at a time; c64 takes 8 bytes. */
enum { chunk = 512 };

/* Compare as numbers, part by part; anything but c64 widens to what holds its
 * values exactly. */
static bool equal_run(dt_dtype dtype, const void *a, const void *b,
                      int64_t count)
{
    double wide_a[2 * chunk], wide_b[2 * chunk];
    dt_dtype part = dtype;
    if (dtype == DT_C64) {
        part = DT_F32;
        count *= 2;
    }
    dti_cast(a, part, wide_a, DT_F64, count);
    dti_cast(b, part, wide_b, DT_F64, count);
    for (int64_t i = 0; i < count; i++)
        if (wide_a[i] != wide_b[i])
            return false;
    return true;
}

/* Tell whether elements are equal exactly if their bytes are. */
static bool compares_bytes(dt_dtype dtype)
{
    dt_dtype_kind kind = dt_dtype_kind_of(dtype);
    return kind == DT_KIND_SIGNED || kind == DT_KIND_UNSIGNED;
}

bool dt_array_equal(const dt_array *a, const dt_array *b)
{
    if (!a || !b || a->dtype != b->dtype ||
        !dt_shape_equal(a->shape, b->shape) ||
        dt_array_is_meta(a) != dt_array_is_meta(b))
        return false;
    if (dt_array_is_meta(a) || a->count == 0)
        return true;
    if (!dt_array_const_data(a) || !dt_array_const_data(b))
        return false; /* what never came equals nothing */
    _Alignas(8) char from_a[chunk * 8];
    _Alignas(8) char from_b[chunk * 8];
    size_t item = dt_dtype_size(a->dtype);
    for (int64_t first = 0; first < a->count; first += chunk) {
        int64_t count = a->count - first < chunk ? a->count - first : chunk;
        dti_array_gather(a, first, count, from_a);
        dti_array_gather(b, first, count, from_b);
        if (compares_bytes(a->dtype)
                ? memcmp(from_a, from_b, (size_t)count * item) != 0
                : !equal_run(a->dtype, from_a, from_b, count))
            return false;
    }
    return true;
}
