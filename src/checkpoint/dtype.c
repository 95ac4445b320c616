/* checkpoint/dtype.c - element types as safetensors files name them. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "checkpoint/dtype.h"

#include <string.h>

/* In the order of the reference implementation, by alignment. */
static const dti_file_dtype dtypes[] = {
    {"BOOL", 8, DT_BOOL},
    {"F4", 4, DT_DTYPE_COUNT},
    {"F6_E2M3", 6, DT_DTYPE_COUNT},
    {"F6_E3M2", 6, DT_DTYPE_COUNT},
    {"U8", 8, DT_U8},
    {"I8", 8, DT_I8},
    {"F8_E5M2", 8, DT_DTYPE_COUNT},
    {"F8_E4M3", 8, DT_DTYPE_COUNT},
    {"F8_E8M0", 8, DT_DTYPE_COUNT},
    {"F8_E4M3FNUZ", 8, DT_DTYPE_COUNT},
    {"F8_E5M2FNUZ", 8, DT_DTYPE_COUNT},
    {"I16", 16, DT_I16},
    {"U16", 16, DT_DTYPE_COUNT},
    {"F16", 16, DT_F16},
    {"BF16", 16, DT_BF16},
    {"I32", 32, DT_I32},
    {"U32", 32, DT_DTYPE_COUNT},
    {"F32", 32, DT_F32},
    {"C64", 64, DT_C64},
    {"F64", 64, DT_F64},
    {"I64", 64, DT_I64},
    {"U64", 64, DT_DTYPE_COUNT},
};

enum { dtype_count = sizeof dtypes / sizeof *dtypes };

const dti_file_dtype *dti_file_dtype_find(const char *name, size_t size)
{
    for (int i = 0; i < dtype_count; i++)
        if (strlen(dtypes[i].name) == size &&
            memcmp(dtypes[i].name, name, size) == 0)
            return &dtypes[i];
    return NULL;
}

const dti_file_dtype *dti_file_dtype_of(dt_dtype dtype)
{
    for (int i = 0; i < dtype_count; i++)
        if (dtypes[i].dtype == dtype)
            return &dtypes[i];
    return NULL;
}

int dti_file_dtype_compare(const dti_file_dtype *a, const dti_file_dtype *b)
{
    return (a < b) - (a > b);
}
