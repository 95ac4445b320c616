/* kernel/reduce/reduce_portable.c - the reduction kernels for any processor. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "array/half_portable.h"
#include "base/attributes.h"

/* C knows no way past the cache. */
static inline void store_line(void *line, const void *from)
{
    memcpy(line, from, DTI_CACHE_LINE);
}

static void store_fence(void)
{
}

static inline vector vector_add(vector a, vector b)
{
    return a + b;
}

static inline vector vector_multiply(vector a, vector b)
{
    return a * b;
}

static inline vector vector_divide(vector a, float b)
{
    return a / b;
}

static inline vector vector_lesser(vector a, vector b)
{
    if (a == b)
        return signbit(a) ? a : b;
    return a < b || a != a ? a : b;
}

static inline vector vector_greater(vector a, vector b)
{
    if (a == b)
        return signbit(a) ? b : a;
    return a > b || a != a ? a : b;
}

static inline vector vector_canonical(vector a)
{
    return a == a ? a : NAN;
}

#define KERNELS dti_reduce_portable
#include "kernel/reduce/reduce_tmpl.h"
