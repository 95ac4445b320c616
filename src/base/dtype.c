/* base/dtype.c - the types of elements. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/dtype.h"

#include <float.h>
#include <string.h>

typedef struct dtype_row {
    const char *name;
    const char *numpy;
    size_t bytes;
    dt_dtype_kind kind;
} dtype_row;

static const dtype_row rows[DT_DTYPE_COUNT] = {
#define ROW(constant, name, bytes, kind, numpy)                                \
    [DT_##constant] = {name, numpy, bytes, DT_KIND_##kind},
    DT_DTYPES(ROW)
#undef ROW
};

static int is_valid(dt_dtype dtype)
{
    return (unsigned)dtype < DT_DTYPE_COUNT;
}

const char *dt_dtype_name(dt_dtype dtype)
{
    return is_valid(dtype) ? rows[dtype].name : "invalid";
}

size_t dt_dtype_size(dt_dtype dtype)
{
    return is_valid(dtype) ? rows[dtype].bytes : 0;
}

dt_dtype_kind dt_dtype_kind_of(dt_dtype dtype)
{
    return rows[dtype].kind;
}

double dti_dtype_largest(dt_dtype dtype)
{
    switch (dtype) {
    case DT_F64:
        return DBL_MAX;
    case DT_F16:
        return 65504;
    case DT_BF16:
        return 0x1.fep127;
    default:
        return (double)FLT_MAX;
    }
}

dt_status dt_dtype_parse(const char *name, dt_dtype *out)
{
    for (int i = 0; name && i < DT_DTYPE_COUNT; i++) {
        if (strcmp(name, rows[i].name) == 0 ||
            strcmp(name, rows[i].numpy) == 0) {
            *out = (dt_dtype)i;
            return DT_OK;
        }
    }
    return DT_ERR_NOT_FOUND;
}
