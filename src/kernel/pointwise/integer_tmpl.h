/* kernel/pointwise/integer_tmpl.h - the functions of integers. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: NAME, the function; T, the type of elements;
 * U, an unsigned type, no shorter, in which what overflows wraps around; names
 * for helpers: POWER, DIVIDE, FLOOR_DIVIDE, CLAMPED, SHIFT_LEFT, SHIFT_RIGHT.
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

/* Towards 0; -1 by wrapping around, since the least integer has no negative.
 * Nothing is divided by 0: 0 comes out. */
static inline T DIVIDE(T x, T y)
{
    if (y == (T)-1 && (T)-1 < 0)
        return (T)(0 - (U)x);
    return (T)(y == 0 ? 0 : x / y);
}

static inline T FLOOR_DIVIDE(T x, T y)
{
    const T quotient = DIVIDE(x, y);
    const bool rest = (U)quotient * (U)y != (U)x;
    return (T)(quotient - (rest & ((x < 0) != (y < 0)) & (y != 0)));
}

static inline T CLAMPED(T x, T low, T high)
{
    const T above = x > low ? x : low;
    return above < high ? above : high;
}

static inline T SHIFT_LEFT(T x, T count)
{
    const bool inside = (count >= 0) & (count < (T)(8 * sizeof(T)));
    return (T)(inside ? (U)x << (U)(inside ? count : 0) : 0);
}

/* Past the bits that there are, all are as the sign. */
static inline T SHIFT_RIGHT(T x, T count)
{
    const T most = (T)(8 * sizeof(T) - ((T)-1 < 0));
    const bool inside = (count >= 0) & (count < most);
    return (T)(x >> (inside ? count : most));
}

static bool NAME(dti_pointwise function, void *out, const void *const *in,
                 const int *steps, int64_t count)
{
    switch (function) {
#include "kernel/pointwise/compare_tmpl.h"
#define R uint8_t
    case DTI_IS_NAN:
    case DTI_IS_INF:
    case DTI_IS_POSINF:
    case DTI_IS_NEGINF:
#define APPLY(x) ((void)(x), 0)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_IS_FINITE:
#define APPLY(x) ((void)(x), 1)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_SIGNBIT:
#define APPLY(x) ((x) < 0)
#include "kernel/pointwise/one_tmpl.h"
        return true;
#undef R
#define R T
    case DTI_ADD:
#define APPLY(x, y) (T)((U)(x) + (U)(y))
#include "kernel/pointwise/two_tmpl.h"
        return true;
    case DTI_SUB:
#define APPLY(x, y) (T)((U)(x) - (U)(y))
#include "kernel/pointwise/two_tmpl.h"
        return true;
    case DTI_MUL:
#define APPLY(x, y) (T)((U)(x) * (U)(y))
#include "kernel/pointwise/two_tmpl.h"
        return true;
    case DTI_DIV_FLOOR:
#define APPLY(x, y) FLOOR_DIVIDE(x, y)
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    case DTI_DIV_TRUNC:
#define APPLY(x, y) DIVIDE(x, y)
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    case DTI_REMAINDER:
#define APPLY(x, y) (T)((U)(x) - (U)FLOOR_DIVIDE(x, y) * (U)(y))
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    case DTI_FMOD:
#define APPLY(x, y) (T)((U)(x) - (U)DIVIDE(x, y) * (U)(y))
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    case DTI_MAXIMUM:
    case DTI_FMAX:
#define APPLY(x, y) (T)((x) > (y) ? (x) : (y))
#include "kernel/pointwise/two_tmpl.h"
        return true;
    case DTI_MINIMUM:
    case DTI_FMIN:
#define APPLY(x, y) (T)((x) < (y) ? (x) : (y))
#include "kernel/pointwise/two_tmpl.h"
        return true;
    case DTI_BITWISE_AND:
#define APPLY(x, y) (T)((x) & (y))
#include "kernel/pointwise/two_tmpl.h"
        return true;
    case DTI_BITWISE_OR:
#define APPLY(x, y) (T)((x) | (y))
#include "kernel/pointwise/two_tmpl.h"
        return true;
    case DTI_BITWISE_XOR:
#define APPLY(x, y) (T)((x) ^ (y))
#include "kernel/pointwise/two_tmpl.h"
        return true;
    case DTI_SHIFT_LEFT:
#define APPLY(x, y) SHIFT_LEFT(x, y)
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    case DTI_SHIFT_RIGHT:
#define APPLY(x, y) SHIFT_RIGHT(x, y)
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    case DTI_POW:
#define APPLY(x, y) POWER(x, y)
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    case DTI_NEG:
#define APPLY(x) (T)(0 - (U)(x))
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_ABS:
#define APPLY(x) (T)((x) < 0 ? 0 - (U)(x) : (U)(x))
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_SQUARE:
#define APPLY(x) (T)((U)(x) * (U)(x))
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_CUBE:
#define APPLY(x) (T)((U)(x) * (U)(x) * (U)(x))
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_RELU:
#define APPLY(x) (T)((x) < 0 ? 0 : (x))
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_SIGN:
#define APPLY(x) (T)(((x) > 0) - ((x) < 0))
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_BITWISE_NOT:
#define APPLY(x) (T)(~(x))
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_CLAMP: {
        const T a = NUMBER(1);
        const T b = NUMBER(2);
#define APPLY(x) CLAMPED(x, a, b)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    }
    case DTI_THRESHOLD: {
        const T a = NUMBER(1);
        const T b = NUMBER(2);
#define APPLY(x) (T)((x) <= a ? b : (x))
#include "kernel/pointwise/one_tmpl.h"
        return true;
    }
    case DTI_ADD_SCALED: {
        const T a = NUMBER(2);
#define APPLY(x, y) (T)((U)(x) + (U)a * (U)(y))
#include "kernel/pointwise/two_tmpl.h"
        return true;
    }
    case DTI_ADDCMUL: {
        const T a = NUMBER(3);
#define APPLY(x, y, z) (T)((U)(x) + (U)a * (U)(y) * (U)(z))
#include "kernel/pointwise/three_tmpl.h"
        return true;
    }
    case DTI_CLAMP_TO:
#define APPLY(x, y, z) CLAMPED(x, y, z)
#include "kernel/pointwise/three_tmpl.h"
        return true;
    case DTI_THRESHOLD_BACKWARD: {
        const T a = NUMBER(2);
#define APPLY(x, y) (T)((y) <= a ? 0 : (x))
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    }
#undef R
    case DTI_WHERE:
#include "kernel/pointwise/where_tmpl.h"
        return true;
    default:
        return false;
    }
}

#undef NAME
#undef T
#undef U
#undef POWER
#undef DIVIDE
#undef FLOOR_DIVIDE
#undef CLAMPED
#undef SHIFT_LEFT
#undef SHIFT_RIGHT
