/* kernel/pointwise_integer_tmpl.h - the functions of integers. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: NAME, the function; T, the type of elements;
 * U, an unsigned type, no shorter, in which what overflows wraps around; POWER,
 * a name for a helper.
 */

/* The bits of a power; of a negative one, its integer part: 0 but for 1 and -1.
 */
static inline T POWER(T base, T exponent)
{
    U result = 1, square = (U)base;
    if (exponent < 0) {
        if (base == 1)
            return 1;
        /* -1 as an unsigned number, so that unsigned bases compile too. */
        return (T)(base == (T) ~(U)0 ? (exponent % 2 ? base : 1) : 0);
    }
    for (U left = (U)exponent; left > 0; left >>= 1) {
        if (left & 1)
            result *= square;
        square *= square;
    }
    return (T)result;
}

static bool NAME(dti_pointwise function, void *out, const void *const *in,
                 const int *steps, int64_t count)
{
    switch (function) {
#include "kernel/pointwise_compare_tmpl.h"
#define R T
    case DTI_ADD:
#define APPLY(x, y) (T)((U)(x) + (U)(y))
#include "kernel/pointwise_two_tmpl.h"
        return true;
    case DTI_SUB:
#define APPLY(x, y) (T)((U)(x) - (U)(y))
#include "kernel/pointwise_two_tmpl.h"
        return true;
    case DTI_MUL:
#define APPLY(x, y) (T)((U)(x) * (U)(y))
#include "kernel/pointwise_two_tmpl.h"
        return true;
    case DTI_POW:
#define APPLY(x, y) POWER(x, y)
#include "kernel/pointwise_two_tmpl.h"
        return true;
    case DTI_MAXIMUM:
#define APPLY(x, y) (T)((x) > (y) ? (x) : (y))
#include "kernel/pointwise_two_tmpl.h"
        return true;
    case DTI_MINIMUM:
#define APPLY(x, y) (T)((x) < (y) ? (x) : (y))
#include "kernel/pointwise_two_tmpl.h"
        return true;
    case DTI_ADD_SCALED: {
        const T factor = count > 0 ? *(const T *)in[2] : 0;
#define APPLY(x, y) (T)((U)(x) + (U)factor * (U)(y))
#include "kernel/pointwise_two_tmpl.h"
        return true;
    }
    case DTI_NEG:
#define APPLY(x) (T)(0 - (U)(x))
#include "kernel/pointwise_one_tmpl.h"
        return true;
    case DTI_ABS:
#define APPLY(x) (T)((x) < 0 ? 0 - (U)(x) : (U)(x))
#include "kernel/pointwise_one_tmpl.h"
        return true;
    case DTI_RELU:
#define APPLY(x) (T)((x) < 0 ? 0 : (x))
#include "kernel/pointwise_one_tmpl.h"
        return true;
#undef R
    case DTI_WHERE:
#include "kernel/pointwise_where_tmpl.h"
        return true;
    default:
        return false;
    }
}

#undef NAME
#undef T
#undef U
#undef POWER
